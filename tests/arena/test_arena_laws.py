"""The laws of an arena: even between equals, and true to its records."""

from __future__ import annotations

import io
import itertools
import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
import rich.console

import each
import loop
import wording
from arena_bots import HITTING, RACER
from bots import any_play, chance, drawn, first, racer, wild
from gammonrules import Action, Cube, Event, MatchState, Player, Position, Rules, arena, batch, bearoff, records
from gammonrules.arena import _work_units
from gammonrules.arena._losses import losses_in
from gammonrules.arena._match import Decider, DiceOfMatch, play_match
from gammonrules.batch.internals import Stream
from gammonrules.board import Win
from gammonrules.environments import BackgammonVectorEnv
from gammonrules.errors import ArgumentError
from gammonrules.records import Match, dumps

sys.path.append(str(Path(__file__).parents[1] / "batch"))
from test_match_states import random_rules

SHORT = Rules(start="hypergammon", beavers=3, jacoby=True)
NO_CUBE = Rules(start="hypergammon", cube=False)
KINDS: list[dict[str, Any]] = [{"rules": SHORT}, {"rules": NO_CUBE}, {"rules": Rules(start="hypergammon"), "length": 3}]


# Equals, and processes ----------------------------------------------------------------------------------------------


@loop.over("kind", KINDS)
def test_equals_are_even(kind: dict[str, Any]) -> None:
    """With the same dice each wins what the other one does, also where they have chance of their own."""
    for player in (first, chance, RACER, arena.Policy(drawn)):
        pairing = arena.play([player, player], games=2, workers=1, **kind).pairings[0]
        even = 0.5 if "length" in kind else 0
        assert {white + black for white, black in pairing.values} == {2 * even}
        assert (pairing.interval.mean, pairing.interval.margin) == (even, 0)


def test_different_players_are_never_known_to_be_equal() -> None:
    """Two that play alike, with a margin by what a game can be worth, or none, which JSON has no number for."""

    def other(state: MatchState) -> Event | Action:
        return first(state)

    three: dict[str, Any] = {"one": first, "other": other, "[b]": partial(first)}
    kinds: list[tuple[dict[str, Any], float]] = [
        ({"rules": Rules(cube=False)}, 3),
        ({"rules": Rules(cube=False, jacoby=True)}, 1),
        ({"rules": Rules(cube=False, scoring="pips")}, 375),
        ({"length": 1}, 0.5),
        ({"rules": Rules()}, math.inf),
    ]
    for kind, most in kinds:
        results = arena.play(three, games=4, workers=1, **kind)
        for interval in (pairing.interval for pairing in results.pairings):
            assert (interval.pairs, interval.margin) == (2, pytest.approx((1 - 0.05**0.5) * most))
        plain = json.loads(json.dumps(results.to_dict(), allow_nan=False))
        assert {rating["margin"] for rating in plain["ratings"].values()} == {None}
    ends = [plain["pairings"][0]["interval"][name] for name in ("mean", "error", "margin", "low", "high")]
    assert ends == [0, None, None, None, None]
    said = io.StringIO()
    rich.print(results, file=said)
    assert "[b]" in said.getvalue()
    assert "inf" not in said.getvalue()


def test_a_seed_is_drawn(same_dice: pytest.MonkeyPatch) -> None:
    """Another one each time, and small enough for every reader of JSON; whoever is told it has the same dice."""
    same_dice.undo()
    play: Callable[..., arena.Results] = partial(arena.play, [chance, first], games=10, rules=NO_CUBE, workers=1)
    drawn = play()
    assert play().seed != drawn.seed < 2**53
    assert play(seed=drawn.seed) == drawn


def test_the_same_name_is_the_same_player() -> None:
    name = "bots:first"
    for players in ([name, name], {"one": name, "other": name}):
        assert arena.play(players, games=4, workers=1).pairings[0].interval.margin == 0


@each.first("number", [0, 1, *range(3, 20)], of_these=3)
def test_policies_play_the_same_at_once_and_one_by_one(number: int) -> None:
    """Under all rules: the same dice, decisions, points and records."""
    some = Random(number)
    rules = attrs.evolve(random_rules(some), start=some.choice(("hypergammon", "hypergammon1")))
    length = None if rules.scoring == "pips" else some.choice((None, 2, 3))
    plan = _work_units.Plan(("A", "B"), (RACER, HITTING), length, rules, number, None, None, keeps_records=True)
    block, players = _work_units.Block(0, 1, 7, 2), _work_units._PlayersOfPlan(plan)
    at_once = players._play_at_once(block, RACER, HITTING)
    assert players._play_one_by_one(block) == at_once
    assert len(at_once.matches) == 4
    assert _work_units.PlayBlock(plan)(block).values == at_once.values


def test_a_policy_goes_where_its_functions_go() -> None:
    """It chooses plays and turns the cube; without a function for that, it takes and never doubles."""

    def matches(*players: Any) -> batch.MatchGames:
        return batch.play_matches(9, *players, rng=np.random.default_rng(1), length=3, rules=Rules(start="hypergammon"))

    policy, timid = arena.Policy(drawn, racer), arena.Policy(drawn)
    for ours, theirs in (matches(policy, policy), matches(drawn, racer)), (matches(timid, timid), matches(drawn)):
        assert np.array_equal(ours.points, theirs.points)
        assert np.array_equal(ours.cubes, theirs.cubes)
    boards = ours.points[:3]
    means = [
        batch.rollout(boards, 4, chooser, rng=np.random.default_rng(1), checkers=3).mean for chooser in (policy, drawn)
    ]
    assert np.array_equal(*means)
    seen, settings = list[Any](), {"cube": True, "length": 3, "rules": Rules(start="hypergammon")}
    for opponent in (policy, policy), (drawn, racer):
        envs = BackgammonVectorEnv(4, opponent=opponent, **settings)
        _, infos = envs.reset(seed=1)
        for _ in range(40):
            observed, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            seen.append(observed.tobytes())
    assert seen[:40] == seen[40:]


def test_a_policy_has_chance_that_repeats_if_it_is_given_some() -> None:
    with pytest.raises(ArgumentError, match="nobody is to act"):
        RACER.decide(MatchState.new(3))
    state, policy = MatchState.new(3).opening_roll(3, 1), arena.Policy(any_play)
    with wording.raises(ArgumentError, "rng must be a random.Random or None, not 7; write random.Random(7)"):
        policy.decide(state, rng=7)  # type: ignore[arg-type]
    plays = {str(policy.decide(state, rng=Random(1))) for _ in range(9)}, {str(policy.decide(state)) for _ in range(99)}
    assert [len(plays[0]), len(plays[1]) > 1] == [1, True]


@each.first("length", [3, None])
def test_a_start_of_ones_own(tmp_path: Path, length: int | None) -> None:
    """Policies and functions begin each game there, and the records say so."""
    board = Position.of(mine={24: 1, 8: 1, 5: 2, "off": 11}, theirs={23: 1, 6: 2, 3: 1, "off": 11})
    first, other = (
        arena.Policy(choose, racer)
        for choose in (lambda turns, _: turns.offsets[:-1], lambda turns, _: turns.offsets[1:] - 1)
    )
    kind: dict[str, Any] = {"games": 6, "length": length, "start": board}
    results = list[arena.Results]()
    for number, players in enumerate([(first, other), (first.decide, other.decide)]):
        named = dict(zip(("one", "other"), players, strict=True))
        results.append(arena.play(named, **kind, workers=1, options=arena.Options(records=tmp_path / str(number))))
    assert results[0] == results[1]
    kept = [sorted((tmp_path / name).iterdir()) for name in "01"]
    assert [path.read_text() for path in kept[0]] == [path.read_text() for path in kept[1]]
    played = [game for path in kept[0] for game in records.load(path).games]
    assert {list(game.states())[1].view(Player.WHITE) for game in played} == {board}  # after it was set by hand
    assert arena.play([RACER, RACER], **kind, workers=1).pairings[0].interval.margin == 0


# What the records say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_points_and_dice_are_those_of_the_records(
    tmp_path: Path, kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every record replays without a finding to the points of its game, with the dice of the other one of the pair."""
    played = list[Match]()
    real = _work_units._records_of
    monkeypatch.setattr(_work_units, "_records_of", lambda matches: played.extend(matches) or real(matches))
    players = {"wild": wild(), "Anna B": RACER}
    pairing = arena.play(players, games=16, workers=1, options=arena.Options(records=tmp_path), **kind).pairings[0]
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == list(map(dumps, played))
    assert len(played) == 16
    done = set[object]()
    for number, match in enumerate(played):
        assert records.referee(match) == ()
        assert match.players == (("wild", "Anna B"), ("Anna B", "wild"))[number % 2]
        state = MatchState.new(kind.get("length"), rules=kind["rules"])
        for game in match.games:
            state = state.next_game() if state.result else state
            for event in game.events:
                assert isinstance(event, Event)
                state = state.apply(event)
                done.add(event.argument if event.action is Action.RESIGN else event.action)
        margin = state.score[number % 2] - state.score[1 - number % 2]
        assert pairing.values[number // 2][number % 2] == (margin if state.length is None else margin > 0)
    for pair, other in zip(played[::2], played[1::2], strict=True):
        rolls = [[e.argument for e in match.games[0].events if "roll" in e.action] for match in (pair, other)]
        common = min(map(len, rolls))
        assert rolls[0][:common] == rolls[1][:common]
    cube = {Action.DOUBLE, Action.TAKE, Action.DROP} if kind["rules"].cube else set()
    beaver = {Action.BEAVER} if cube and "length" not in kind else set()
    assert done >= {*Win, Action.ACCEPT, Action.DECLINE} | cube | beaver


# Losses -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> bearoff.TwoSided:
    return bearoff.two_sided(checkers=4)


def options(state: MatchState, table: bearoff.TwoSided) -> list[tuple[float, MatchState, Event]]:
    """What each decision is worth to whoever decides, in units of the cube, from the four numbers of the table."""
    owner, cube = state.cube.owner, state.rules.cube and state.length is None
    if state.position not in table or not (state.dice or cube):
        return []
    if state.dice:
        rated = []
        for play in state.legal_plays:
            event = Event(Action.PLAY, state.to_act, play)
            after, value = state.apply(event), 1.0
            if after.result is None:
                at = table[play.position]
                doubling = min(1.0, 2 * at.opponent_owns)
                value = (
                    -at.opponent_owns if owner is state.on_roll else -max(at.owned if owner else at.centered, doubling)
                )
                value = value if cube else -at.cubeless
            rated.append((value, after, event))
        return rated
    at = table[state.position]
    if state.offer:
        worth = {Action.TAKE: -2 * at.opponent_owns, Action.DROP: -1.0}
    elif Action.DOUBLE in state.legal_actions:
        worth = {Action.ROLL: at.owned if owner else at.centered, Action.DOUBLE: min(1.0, 2 * at.opponent_owns)}
    else:
        return []
    events = {action: Event(action, state.to_act, (2, 1) if action is Action.ROLL else None) for action in worth}
    return [(value, state.apply(events[action]), events[action]) for action, value in worth.items()]


def random_race(rng: Random, rules: Rules, length: int | None) -> MatchState:
    """Up to four checkers a side, the cube anywhere, and a roll; any win is enough for a match."""
    sides = [Counter(rng.choices(range(1, 7), k=rng.randint(1, 4))) for _ in range(2)]
    mine, theirs = ({**side, "off": 15 - side.total()} for side in sides)
    cube = Cube(2, owner) if rules.cube and length != 1 and (owner := rng.choice((None, *Player))) else Cube()
    dice = rng.randint(1, 6), rng.randint(1, 6)
    position, player = Position.of(mine=mine, theirs=theirs), rng.choice(list(Player))
    return MatchState(position, player, dice, length=length, rules=rules, cube=cube)


@pytest.mark.parametrize(("rules", "length"), [(Rules(), None), (Rules(cube=False), None), (Rules(), 1)])
def test_losses_are_those_of_a_brute_force(table: bearoff.TwoSided, rules: Rules, length: int | None) -> None:
    """Who decides by the table loses nothing; the worst player loses what the states say."""

    def by(choose: Callable[..., Any]) -> Callable[..., Event | Action]:
        def decide(state: MatchState, _: object) -> Event | Action:
            best_option = choose(options(state, table), key=lambda option: option[0], default=None)
            return best_option[2] if best_option else first(state)

        return decide

    bots, stream = [Decider("perfect", by(max)), Decider("worst", by(min))], Stream(1)
    lost, decisions, kinds, matches = [0.0, 0.0], [0, 0], set[Action](), list[Match]()
    for number in range(60):
        start, seats = (
            random_race(Random(number), rules, length),
            dict(zip(Player, bots[:: (1, -1)[number % 2]], strict=True)),
        )
        events, _ = play_match(start, seats, DiceOfMatch(stream, number), 1)
        matches.append(Match.from_events(("", ""), start, events))
        for state, after in itertools.pairwise(matches[-1].games[0].states()):
            if len(choices := options(state, table)) > 1 and state.to_act:
                rolled = after.dice and not state.dice
                made = next(option for option in choices if (option[1].dice if rolled else option[1] == after))
                who = bots.index(seats[state.to_act])
                lost[who] += max(choices, key=lambda option: option[0])[0] - made[0]
                decisions[who] += 1
                kinds.add(made[2].action)
    losses = losses_in(matches, table)
    assert [loss.equity for loss in losses] == pytest.approx(lost, abs=1e-5)
    assert [loss.decisions for loss in losses] == decisions
    assert (lost[0], lost[1] > 5) == (0, True)
    assert kinds == {Action.PLAY} | (
        {Action.ROLL, Action.DOUBLE, Action.TAKE, Action.DROP} if rules.cube and not length else set()
    )


def test_losses_of_an_arena(tmp_path: Path, table: bearoff.TwoSided) -> None:
    """With a table, or its file: those in the records, of which the first player has White in every other one."""
    table.save(tmp_path / "table")
    options = arena.Options(table=tmp_path / "table", records=tmp_path)
    results = arena.play([chance, first], games=20, rules=NO_CUBE, workers=1, options=options)
    (pairing,) = results.pairings
    assert pairing.losses == losses_in(list(map(records.load, sorted(tmp_path.glob("*.mat")))), table)
    assert pairing.losses is not None
    assert pairing.losses[0].equity > 0


@loop.rows(("start", "checkers"), ("standard", 15), ("hypergammon", 3), ("hypergammon1", 1))
def test_a_policy_is_told_how_many_checkers_the_game_has(start: str, checkers: int) -> None:
    """As wherever a function chooses (`test_games.py`)."""
    asked = list[int]()

    def choose(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
        asked.append(turns.checkers)
        return turns.random_rows()

    state = MatchState.new(None, rules=Rules(start=start, cube=False)).opening_roll(3, 1)
    arena.Policy(choose).decide(state)
    assert asked == [checkers]
