"""States in which somebody decides, at all scores and cubes, to compare what selftaught does in several languages."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gammonrules import Action, Cube, MatchState, Player, Position, Rules, Win
from gammonrules.errors import MatchStateError

RULES = [
    *[Rules()] * 6,
    *[Rules(jacoby=True, beavers=3)] * 3,
    Rules(beavers=1),
    Rules(auto_doubles=1, jacoby=True),
    Rules(cube=False),
    Rules(cube=False, jacoby=True),
    Rules(backgammons=False),
    Rules(gammons=False, backgammons=False),
    *(Rules(max_cube=limit, beavers=2) for limit in (1, 2, 4, 64, 1024)),
    *(Rules(crawford=False, cube=cube) for cube in (True, False)),
]
LENGTHS = (*range(1, 26), 26, 40, 10**9)
"""Of matches. In the last ones a player may need more points than the match equity table has."""


def boards(rng: random.Random) -> Iterator[Position]:
    """Those of games that are played to their ends without much thought, some of them from a bear-off."""
    while True:
        position = Position.start() if rng.random() < 0.7 else late_board(rng)
        while position.outcome is None:
            yield position
            plays = position.legal_plays((rng.randint(1, 6), rng.randint(1, 6)))
            careful = min(plays, key=lambda play: play.position.points.count(-1))
            position = (careful if rng.random() < 0.8 else rng.choice(plays)).position


def late_board(rng: random.Random) -> Position:
    """All checkers of one side or both at home, or almost, and as many off as they are not on the board."""
    while True:
        sides = []
        for _ in Player:
            count = rng.randint(1, 15)
            farthest = rng.choice((6, 6, 8, 18))
            sides.append([rng.randint(1, farthest) for _ in range(count)])
        mine, theirs = ({point: side.count(point) for point in side} for side in sides)
        if not any(25 - point in theirs for point in mine):
            return Position.of(mine=mine, theirs=theirs)


def cubes(rng: random.Random, rules: Rules, length: int | None) -> Cube:
    if not rules.cube or rng.random() < 0.4:
        return Cube()
    value = rng.choice((2, 2, 4, 8, 16))
    return Cube(value, rng.choice((*Player, None) if length is None and rules.auto_doubles else [*Player]))


def undecided(rng: random.Random, position: Position) -> MatchState | None:
    """A state before a roll, at a score and with a cube; None if chance made an impossible one."""
    rules = rng.choice(RULES)
    length = rng.choice(LENGTHS) if rng.random() < 0.7 else None
    score = (0, 0)
    if length is not None:
        least = max(0, length - rng.choice((1, 3, 25, 30, length)))
        score = (rng.randrange(least, length), rng.randrange(least, length))
    try:
        return MatchState(
            position,
            rng.choice([*Player]),
            rules=rules,
            length=length,
            score=score,
            crawford=length is not None and rules.crawford and rng.random() < 0.3 and length - 1 in score,
            cube=cubes(rng, rules, length),
        )
    except MatchStateError:
        return None


def asked(rng: random.Random, state: MatchState) -> MatchState:
    """The same game when somebody has to decide something in it."""
    player = state.on_roll
    assert player is not None
    kind = rng.random()
    if kind < 0.5:
        return state.roll((rng.randint(1, 6), rng.randint(1, 6)))
    if kind > 0.6 and Action.DOUBLE in state.legal_actions:
        state = state.double()
        while Action.BEAVER in state.legal_actions and rng.random() < 0.3:
            state = state.beaver()
    if kind > 0.9:
        state = state.resign(rng.choice([*Win]), by=rng.choice([*Player]))
    return state


def states(rng: random.Random, count: int) -> Iterator[MatchState]:
    """So many states."""
    for position in boards(rng):
        if count == 0:
            return
        state = undecided(rng, position)
        if state is not None:
            count -= 1
            yield asked(rng, state)
