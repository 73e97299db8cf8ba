"""`PlainState`, what an identifier says about a match, field by field, before anything is checked.

XGID, Match ID, OGID and FIBS board write the same fields in four ways. Each format has a module that turns its text
into a `PlainState` (and back, if it is written too), independent of the others; `possible_state` makes a
`MatchState` of it, which checks it, and `plain_state` is the way back. A new format is a module with an entry in
`forms.py`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal, TypeAlias

import attrs

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import Position, Win
from gammonrules.board.internals import BAR, STANDARD_CHECKERS, position_of_sides
from gammonrules.dice import ROLLS
from gammonrules.errors import IdentifierError, MatchStateError
from gammonrules.match import Cube, Double, End, MatchState, Player, Resignation
from gammonrules.match.internals import CENTERED
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import shown

Side: TypeAlias = tuple[int, ...]
"""25 counts: one side's checkers on its own points 1 to 24 and on its bar."""
Game: TypeAlias = Literal["opening", "playing", "played", "dropped", "resigned"]
"""Whether the game waits for its opening roll, goes on, or how it ended."""

NUMBERS = range(10**9 + 1)
"""The range of numbers where the format itself has no limit."""
MAX_SHOWN = 2
"""The most beavers that a text can show: a beaver and a raccoon."""

NO_LIMIT = 10
"""The exponent that an XGID shows where the cube has no limit."""


@attrs.frozen
class PlainDouble:
    """A double that is pending, and how many beavers followed."""

    by: Player
    beavers: int


@attrs.frozen
class PlainResignation:
    """Who offers to resign, or has resigned, and at which level: 1, 2 or 3."""

    by: Player
    level: int


@attrs.frozen(kw_only=True)
class PlainState:
    """A match as far as a text describes it. None means that the text does not say, or that there is none.

    Pairs are White's and Black's, as in `MatchState.score`.
    """

    on_roll: Player
    sides: tuple[Side, Side] = ((0,) * BAR, (0,) * BAR)
    """Empty in a Match ID alone, which is not read."""
    off: tuple[int | None, int | None] = (None, None)
    """The checkers borne off, if the text counts them."""
    checkers: int | None = None
    dice: tuple[int, int] | None = None
    cube: int = 1
    """The value of the cube; while a double is pending, value and owner are those before the first offer."""
    owner: Player | None = None
    double: PlainDouble | None = None
    resignation: PlainResignation | None = None
    turn: Player | None = None
    """For writing: who must decide, or made the last decision of the game; None means the player on roll."""
    game: Game = "playing"
    score: tuple[int, int] = (0, 0)
    length: int | None = None
    crawford: bool | None = None
    crawford_rule: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    max_cube: int | None = None
    """The exponent of the highest cube, as in an XGID: 10 for no limit, 0 for a game without a cube."""
    doubts: tuple[str, ...] = ()
    """Sentences about what had to be guessed."""
    instead: PlainState | None = None
    """The other way to read the text, in case this one is not a possible state."""


def side_of(position: Position) -> Side:
    """The checkers of the player on roll."""
    return tuple(max(0, count) for count in position.points[1:])


def with_doubt(plain: PlainState, doubt: str) -> PlainState:
    """The same state, and one more thing that had to be guessed."""
    return attrs.evolve(plain, doubts=(*plain.doubts, doubt))


def offered(plain: PlainState, by: Player, beavers: int, otherwise: str) -> PlainState:
    """The same state with a double by this player, or, with the doubt `otherwise`, by the opponent instead."""
    opponent = by.opponent
    instead = attrs.evolve(plain, on_roll=opponent, double=PlainDouble(opponent, beavers))
    return attrs.evolve(
        plain, on_roll=by, double=PlainDouble(by, beavers), instead=with_doubt(instead, otherwise)
    )


def with_score_cut(plain: PlainState) -> PlainState:
    """The same state, with the score cut to `NUMBERS`."""
    white, black = plain.score
    return attrs.evolve(plain, score=(min(white, NUMBERS[-1]), min(black, NUMBERS[-1])))


def refuse_large_score(score: tuple[int, int], *names: str) -> None:
    """Raise IdentifierError if a score is not in `NUMBERS`; `names` are those of the two fields."""
    for name, points in zip(names, score, strict=True):
        if points > NUMBERS[-1]:
            raise IdentifierError(
                f"{name}: {NUMBERS[-1]} is the most that it can hold, not {shown(points)}"
            )


def with_a_raccoon_at_most(plain: PlainState) -> PlainState:
    """The same value on offer and the same player to answer, after at most two beavers, since no text can show more."""
    double = plain.double
    if double is None or double.beavers <= MAX_SHOWN:
        return plain
    cube, beavers = with_fewer_beavers(plain.cube, double.beavers)
    return attrs.evolve(plain, cube=cube, double=PlainDouble(double.by, beavers))


def with_fewer_beavers(cube: int, beavers: int) -> tuple[int, int]:
    """A cube and one or two beavers instead of more, for the same value on offer and the same player to answer.

    As many beavers are kept as leave the answer to the same player; a higher cube before them makes up for the rest.
    """
    # an odd number leaves the answer to the doubler, an even one to the opponent
    fewer = 1 if beavers % 2 else 2
    turns_left_out = beavers - fewer
    return cube << turns_left_out, fewer


def with_cube_on_offer(plain: PlainState) -> PlainState:
    """The state as texts have it: who beavers owns the cube at once, at the value that they have accepted."""
    double = plain.double
    if double is None or double.beavers == 0:
        return plain
    return attrs.evolve(plain, cube=plain.cube << double.beavers, owner=double.by.opponent)


def with_gnubg_offer(plain: PlainState, beavers: int, name: str) -> PlainState:
    """The same state with a double by the player on roll and so many beavers, and the cube as before the first offer.

    Value and owner of the cube are what GNU Backgammon shows while a double is pending: a player who beavers owns the
    cube at once, at the value that they have accepted.

    Raises:
        IdentifierError: the cube cannot have been turned this many times; `name` is that of the format.
    """
    doubler = plain.on_roll
    cube_before = plain.cube >> beavers  # each beaver has doubled it
    if cube_before == 0:
        raise IdentifierError(f"{name}, cube: {plain.cube} is too low after a beaver")
    if beavers == 0:
        owner_before = plain.owner
    elif cube_before == 1:  # it was in the middle
        owner_before = None
    else:  # whoever may double owns a turned cube
        owner_before = doubler
    return attrs.evolve(
        plain, cube=cube_before, owner=owner_before, double=PlainDouble(doubler, beavers)
    )


# --- plain values to a state ----------------------------------------------------------------------


def possible_state(
    plain: PlainState, rules: Rules | None, checkers: int | None
) -> tuple[MatchState, tuple[str, ...]]:
    """The state that the text describes, and the doubts about it; those of the other reading if only that is possible.

    If neither is possible, the error is that of the first.
    """
    try:
        return _described_state(plain, rules, checkers), plain.doubts
    except MatchStateError:
        if plain.instead is not None:
            with suppress(MatchStateError):
                return _described_state(plain.instead, rules, checkers), plain.instead.doubts
        raise


def _described_state(plain: PlainState, rules: Rules | None, checkers: int | None) -> MatchState:
    """The state, of so many checkers a side, or by default as many as its rules start with. Raises MatchStateError."""
    options = rules_of(plain, rules)
    if checkers is None:
        checkers = Position.start(options.start).checkers
    position = _plain_position(plain, checkers)
    return MatchState(position, rules=options, **fields_of(plain))


_ROLLS = {
    **{(roll.high, roll.low): roll for roll in ROLLS},
    **{(roll.low, roll.high): roll for roll in ROLLS},
}


def fields_of(plain: PlainState) -> dict[str, Any]:
    """The arguments of `MatchState`, except for the position and the rules."""
    double = None
    if plain.double is not None:
        turns = 1 + plain.double.beavers  # the double and each beaver
        double = Double(plain.double.by, plain.cube << turns, plain.double.beavers)
    offer: Double | Resignation | None = double
    if plain.resignation is not None:
        offer = Resignation(plain.resignation.by, Win(plain.resignation.level), double)
    cube = CENTERED
    if plain.cube != 1 or plain.owner is not None:
        cube = Cube(plain.cube, plain.owner)
    return {
        "on_roll": None if plain.game == "opening" else plain.on_roll,
        "dice": None if plain.dice is None else _ROLLS[plain.dice],
        "cube": cube,
        "offer": offer,
        "score": plain.score,
        "length": plain.length,
        "crawford": plain.crawford,
    }


def _plain_position(plain: PlainState, checkers: int) -> Position:
    """The position, of as many checkers a side as the text says, or else of so many. Raises PositionError."""
    if plain.checkers is not None:
        checkers = plain.checkers
    mine, theirs = plain.sides
    my_off, their_off = plain.off
    if plain.on_roll is Player.BLACK:  # pairs are White's and Black's
        theirs, mine = plain.sides
        their_off, my_off = plain.off
    my_off_fits = my_off is None or my_off == checkers - sum(mine)
    their_off_fits = their_off is None or their_off == checkers - sum(theirs)
    highest = max(checkers, *mine, *theirs)
    if my_off_fits and their_off_fits and highest <= STANDARD_CHECKERS:
        return position_of_sides(bytes(mine), bytes(theirs), checkers)
    # `Position.of` names what is wrong
    return Position.of(
        _counts_by_point(mine, my_off), _counts_by_point(theirs, their_off), checkers=checkers
    )


def _counts_by_point(side: Side, off: int | None) -> dict[int | str, int]:
    counts: dict[int | str, int] = dict(enumerate(side, 1))
    return counts if off is None else {**counts, "off": off}


def rules_of(plain: PlainState, base: Rules | None) -> Rules:
    """The rules to start from, with what the text says about them.

    Raises:
        RulesError: they contradict what the text says.
    """
    if RECHECK:
        assert base is None or isinstance(base, Rules)
    rules = base
    if rules is None:
        rules = MONEY if plain.length is None else TOURNAMENT
    stated: dict[str, bool | int | None] = {"beavers": _beavers_allowed(plain, rules)}
    if plain.crawford:  # the Crawford game shows that there is the rule
        stated["crawford"] = True
    elif plain.crawford_rule is not None:
        stated["crawford"] = plain.crawford_rule
    if plain.jacoby is not None:
        stated["jacoby"] = plain.jacoby
    if plain.max_cube is not None:
        stated["cube"] = plain.max_cube > 0
        if plain.max_cube == NO_LIMIT:
            stated["max_cube"] = None
        elif plain.max_cube > 0:
            stated["max_cube"] = 1 << plain.max_cube
    changed: dict[str, Any] = {
        name: value for name, value in stated.items() if value != getattr(rules, name)
    }
    if not changed:
        return rules
    return attrs.evolve(rules, **changed)


def _beavers_allowed(plain: PlainState, rules: Rules) -> int:
    """The number of beavers in a row: as the rules say, if the text does not, and at least as many as it shows."""
    allowed = rules.beavers
    if plain.beavers is True:
        allowed = max(1, rules.beavers)
    elif plain.beavers is False:
        allowed = 0
    if plain.double is not None and plain.length is None:  # in a match they stay impossible
        allowed = max(allowed, plain.double.beavers)
    return allowed


# --- a state to plain values ----------------------------------------------------------------------


def plain_state(state: MatchState) -> PlainState:
    """A state as plain values. Before the opening roll and after the game it looks like White's turn in progress."""
    double = state.pending_double
    plain_double = None
    if double is not None:
        plain_double = PlainDouble(double.by, double.beavers)
    resignation = None
    if isinstance(state.offer, Resignation):
        resignation = PlainResignation(state.offer.by, state.offer.win)
    white = side_of(state.view(Player.WHITE))
    black = side_of(state.view(Player.BLACK))
    return PlainState(
        sides=(white, black),
        checkers=state.position.checkers,
        on_roll=state.on_roll or Player.WHITE,
        dice=None if state.dice is None else (state.dice.high, state.dice.low),
        cube=state.cube.value,
        owner=state.cube.owner,
        double=plain_double,
        resignation=resignation,
        turn=state.to_act,
        score=state.score,
        length=state.length,
        crawford=state.crawford,
        jacoby=state.rules.jacoby,
    )


def plain_game(state: MatchState) -> PlainState:
    """As `plain_state`, but with what a Match ID says about a game that has not begun or is over."""
    plain = plain_state(state)
    result = state.result
    if result is None and state.on_roll is None:
        return attrs.evolve(plain, game="opening")
    if result is None:
        return plain
    loser = result.winner.opponent
    if result.end is End.DROPPED:
        return attrs.evolve(plain, game="dropped", turn=loser)
    if result.end is End.RESIGNED and result.win is not None:
        resignation = PlainResignation(loser, result.win)
        return attrs.evolve(plain, game="resigned", turn=result.winner, resignation=resignation)
    # after a forfeit too: GNU Backgammon has no word for it
    return attrs.evolve(plain, game="played")
