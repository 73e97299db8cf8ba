"""Calls as users write them, in which no type checker finds a mistake (`test_types.py`). Nothing here is ever run."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, assert_type

import attrs
import numpy as np
import numpy.typing as npt
from hypothesis import given

from gammonrules import (
    MONEY,
    ROLLS,
    TO_ACT,
    Action,
    Cube,
    Dice,
    Double,
    End,
    Event,
    Forfeit,
    GammonError,
    IllegalPlayError,
    IllegalPlayReason,
    MatchState,
    MatchStateError,
    MatchStateProblem,
    Move,
    Phase,
    Play,
    Player,
    Plays,
    Position,
    PositionError,
    PositionProblem,
    RecordEvent,
    Resignation,
    Result,
    Rules,
    SetPosition,
    Win,
    arena,
    batch,
    draw,
    engine,
    environments,
    equity,
    identifiers,
    json,
    notebook,
    records,
    strategies,
)
from gammonrules.board import START_NAMES
from gammonrules.dice import DiceLike
from gammonrules.equity import KAZAROSS_XG2, Chances, ChancesLike
from gammonrules.identifiers import read
from gammonrules.match import Clock, PlayerLike, ToAct


def positions(points: dict[int, int], named: dict[str, int], name: str) -> list[Position]:
    listed = [
        Position.of(mine={24: 1, 13: 2, "bar": 1}, theirs={24: 2, 6: 3, "off": 10}),
        Position.of({}, points),
        Position.of(named, named, checkers=3),
        Position.start("nackgammon"),
    ]
    return listed + [Position.start(start) for start in START_NAMES if start == name]


def rolls(rng: np.random.Generator, pair: npt.NDArray[np.int8]) -> list[Dice]:
    position = Position.start()
    plays = [position.legal_plays("31"), position.legal_plays((3, 1)), position.legal_plays(pair)]
    return [*(some.dice for some in plays), Dice.random(rng), Dice.random(random.Random(1)), ROLLS[0]]


def tables(text: str) -> MatchState:
    described = read(text, Rules(start="hypergammon"))
    if isinstance(described, Position):
        described = MatchState(described, Player.WHITE, "31", length=7)
    state = json.loads(json.dumps(described), MatchState)
    event = json.loads(text, Event)
    return state.apply(event).resign(Win.GAMMON, by=Player.BLACK)


def messages(state: MatchState, text: str, rng: random.Random) -> MatchState:
    """What players send, in every form, and what the server adds."""

    def roll() -> tuple[int, int]:
        return rng.randint(1, 6), rng.randint(1, 6)

    event, after = state.receive({"action": "opening_roll"}, Player.WHITE, roll=roll)
    assert_type(event, Event)
    assert_type(after, MatchState)
    event, after = after.receive(json.loads(text, Event), Player.WHITE, roll=lambda: Dice.random(rng))
    event, after = after.receive(json.to_data(event), Player.BLACK, roll=lambda: rng.choices(range(1, 7), k=2))
    _, after = after.receive({"action": "next_game"}, Player.BLACK, roll=roll, position=state.position)
    return after.resign("backgammon")


def arrays(points: npt.NDArray[np.int8]) -> tuple[list[int], npt.NDArray[np.int64]]:
    dice = np.array([(roll.high, roll.low) for roll in ROLLS], np.int8)
    plays = batch.legal_plays(points, dice)
    sizes = [len(results) + len(moves) for results, moves in plays]
    sizes += [len(batch.legal_plays(points.tolist(), ROLLS)), len(batch.legal_plays(points, [ROLLS[0], Dice(3, 1)]))]
    values = batch.look_ahead(points, lambda boards: batch.features(boards).sum(axis=1), plies=2, keep=(2, 0.1))
    values += batch.next_rolls(points, lambda boards: np.zeros(len(boards))).max(axis=1)
    rolled_out = batch.rollout(points, 9, lambda turns, _: turns.offsets[:-1], rng=np.random.default_rng(1), until=0.1)
    values += rolled_out.mean
    plays.sample(plays.softmax(plays.padded([64])[1], 0.5), rng=np.random.default_rng(1))[
        plays.top(values, 2, within=0.1)
    ]
    return sizes, plays.best([0.5, 1])


def rewards(
    opponent: Callable[[npt.NDArray[Any], dict[str, Any], np.random.Generator], int],
) -> tuple[float, list[int]]:
    env = environments.BackgammonEnv(opponent, actions="codes", cube=True, length=5, dice=lambda _: (6, 5))
    observation, info = env.reset(seed=1, options={"dice": [(3, 1), ROLLS[0]]})
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    codes = [environments.encode_play(play) for play in env.state.legal_plays]
    assert_type(reward, float)
    many = environments.BackgammonVectorEnv(9, lambda turns, rng: turns.best(rng.random(len(turns.points))))
    _, rewards, *_ = many.step(many.best(many.plays.points.sum(axis=1)))
    cubes = environments.BackgammonVectorEnv(
        9, (lambda turns, _: turns.random_rows(), lambda states, _: states.to_act), cube=True, length=7
    )
    assert_type(cubes.states, batch.MatchStates)
    return reward * rewards.sum() * (terminated or truncated) + observation.sum(), codes


def least_pips(plays: batch.LegalPlays, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return plays.best(-batch.pip_counts(plays.points)[:, 1])


def boards_and_rolls() -> batch.LegalPlays:
    several: list[batch.Boards] = [Position.start(), [Position.start()], [Position.start().points]]
    rolls: list[batch.Rolls] = ["31", (3, 1), Dice(3, 1), ["31", (3, 1)]]
    return batch.legal_plays(several[0], rolls[0])


def match_states(rng: np.random.Generator) -> tuple[batch.MatchStates, MatchState]:
    some = batch.MatchStates.new(10, 7).apply("opening_roll", dice=rng.integers(1, 7, (10, 2)))
    playing = some[some.may(Action.PLAY)]
    after = playing.apply(Action.PLAY, rows=playing.legal_plays.offsets[:-1])
    return after.apply(np.where(after.phase == "to_roll", Action.DOUBLE, ""))[::2], after[0]


def doubles(states: batch.MatchStates, _rng: np.random.Generator) -> npt.ArrayLike:
    return np.where(states.phase == "doubled", Action.TAKE, Action.DOUBLE)


def match_games(rng: np.random.Generator) -> batch.MatchGames:
    policy = arena.Policy(least_pips, doubles)
    batch.play_matches(10, (least_pips, policy), (policy, doubles), rng=rng, length=None)
    rolled_out = batch.rollout(Position.start(), 9, policy, rng=rng)
    equity.cubeless_equities(equity.flip(equity.nested(rolled_out.chances))).item()
    return batch.play_matches(10, least_pips, doubles, rng=rng, dice=no_luck)


def games(rng: np.random.Generator) -> batch.Games:
    some = batch.random_games(10, rng=rng, start="hypergammon")
    first = batch.to_positions(some.points, checkers=3)[0]
    batch.play_games(10, lambda plays, _: plays.offsets[:-1], rng=rng, start=first)
    batch.play_games(10, (any_play, least_pips), rng=rng, start=[first] * 10, dice=no_luck)
    batch.play_games(10, least_pips, rng=rng, end=lambda boards: np.where(batch.outcomes(boards), 1.0, np.nan))
    some.lambda_returns(np.zeros(len(some.points)), 0.7, final=np.zeros(10))
    records.dumps(some.to_matches(("Ann", "Bob"))[0])
    return batch.play_games(2, any_play, rng=rng, start=some.final[:2], dice=np.ones((2, 900, 2), int), max_turns=9)


def no_luck(matches: npt.NDArray[np.int64], _games: object, _rolls: object) -> npt.ArrayLike:
    return [(3, 1)] * len(matches)


def any_play(turns: batch.Turns, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return turns.best(turns.random() + turns.boards[turns.board_numbers, 25] + turns.dice[0, 0] + turns.on_roll[0])


def a_turn(position: Position, clicked: list[tuple[int, int]]) -> Position:
    """A board interface: moves as pairs, checker by checker."""
    plays = position.legal_plays("31")
    assert_type(plays, Plays)
    assert_type(plays.find("8/5 6/5"), Play)
    for play in (plays.find([(8, 5), (6, 5)]), plays.find(plays[0].position), plays.find(clicked), plays[-1]):
        assert_type(play.moves, tuple[Move, ...])
    forms = ["8/5 6/5" in plays, [(8, 5), (6, 5)] in plays, ((8, 5), (6, 5)) in plays, clicked in plays]
    assert all([*forms, plays[0] in plays, plays[0].position in plays, plays[0].moves in plays])
    for so_far in ((), [(8, 5, False)], [Move(8, 5)], clicked):
        assert_type(plays.next_moves(so_far), tuple[Move, ...])
        assert_type(plays.points_after(so_far), tuple[int, ...])
        assert_type(plays.why(24, 18, so_far), IllegalPlayError | None)
        for series in plays.combined_moves(so_far):
            assert_type(series[-1].to_point, int)
    assert_type(plays[:3], tuple[Play, ...])
    assert_type([die for node in plays.tree().nodes for _, _, die, _ in node], list[int])
    return Position.from_points([0] * 26, checkers=3).play([(8, 5), (6, 5)], "31").flip()


def state_actions(seats: dict[str, Player]) -> MatchState:
    """A server's turn: the seat that sent an action performs it."""
    state = MatchState.new(7, rules=Rules(max_cube=64), score=(3, 2)).opening_roll(white=3, black=1, by=Player.WHITE)
    state = state.play("8/5 6/5", by=seats["ann"]).double(by=Player.BLACK).take(by=Player.WHITE)
    state = state.roll((6, 5)).play([Move(24, 18), Move(18, 13)]).roll("66", by=TO_ACT).play([(24, 18), (18, 13)])
    state = state.play(state.legal_plays[0]).resign(Win.GAMMON, by=Player.BLACK).accept()
    assert_type(state.result, Result | None)
    if state.result is not None:
        assert_type(state.result.winner, Player)
        assert_type(state.result.win, Win | None)
    if Action.NEXT_GAME in state.legal_actions:
        state = state.next_game()
    state = state.forfeit(Player.WHITE, points=2)
    assert_type(state.legal_actions_of(Player.WHITE), frozenset[Action])
    assert_type(state.score[Player.WHITE], int)
    assert_type(state.score[0], int)
    white, _ = state.away or state.score_before
    assert_type(white, int)
    return attrs.evolve(state.swap_players(), cube=Cube(2, Player.WHITE))


def problems(text: str) -> str:
    """Every error carries what a program needs."""
    try:
        MatchState.from_xgid(text)
    except MatchStateError as error:
        assert_type(error.problems, MatchStateProblem)
        return error.problems.name or ""
    except PositionError as error:
        assert_type(error.problems, PositionProblem)
    except IllegalPlayError as error:
        assert_type(error.reason, IllegalPlayReason | None)
        assert_type(error.witness, Play | None)
        assert_type(error.move, Move | None)
    except GammonError as error:
        return str(error)
    return ""


def chances_of_games(state: MatchState, five: ChancesLike) -> list[float | None]:
    """Chances are `Chances`, or a tuple or list of their five numbers."""
    cube = records.CubeAnalysis(chances=five, chances_double_take=[0.5, 0, 0, 0, 0])
    assert_type(cube.chances, Chances | None)
    assert_type(engine.Evaluation((0.5, 0, 0, 0, 0), 0.0).chances, Chances)
    assert_type(equity.cubeless_equities(five).item(), float)
    KAZAROSS_XG2.doubling_window(state, chances=(0.5, 0, 0, 0, 0))
    return [KAZAROSS_XG2.equity_from(five, state), KAZAROSS_XG2.chance_from((0.5, 0, 0, 0, 0), state)]


def players(state: MatchState, player: PlayerLike, *, seat: Literal["white", "black"]) -> list[object]:
    """A player is a `Player` or its string."""
    clock = Clock((600, 600), on_clock=seat)
    assert_type(state.score[seat], int)
    assert_type(records.load("a.mat").players["white"], str)
    assert_type(clock.on_clock, Player | None)
    assert_type(Cube(2, "white").owner, Player | None)
    assert_type(Event("take", "white").by, Player | ToAct)
    assert_type(Forfeit("black").loser, Player)
    assert_type(clock.left(player, now=0), float)
    over = MatchState(state.position, seat).double(by="white").drop(by=player)
    return [
        state.score["black"] + state.score[player],
        over.next_game("black").view("white") == over.view(player).flip(),
        over.cube_after("next_game"),
        state.legal_actions_of(seat) | state.legal_actions_of("black"),
        state.possible_wins("white"),
        state.opening_roll(3, 1, by="white").resign("gammon", by=player).forfeit("white", points=1),
        state.receive({"action": "take"}, seat, roll=lambda: (3, 1)),
        state.receive({"action": "next_game"}, "white", roll=lambda: (3, 1), starter="black"),
        SetPosition(state.position, "black"),
        Event("next_game", argument="white"),
        Event("roll", player, "31"),
        Result("white", Win.SINGLE, 1, End.PLAYED),
        Double("black", 2),
        Resignation(seat, Win.SINGLE),
        records.RecordedResult("white", 1),
        draw.text.match_state(state, bottom="black"),
        draw.svg.match_state(state, bottom=seat),
        records.to_html(records.load("a.mat"), bottom="black", player=player),
        notebook.Board(state, side="white"),
        KAZAROSS_XG2.chance(state, "white"),
        KAZAROSS_XG2.chance_after(state, seat, 1),
        KAZAROSS_XG2.to_equity(0.5, state, player),
    ]


def events(state: MatchState) -> list[Event]:
    """What belongs to an action, by its member and by its text."""
    some = [
        Event(Action.OPENING_ROLL, argument=(3, 1)),
        Event("roll", Player.WHITE, "31"),
        Event("roll", argument=Dice(3, 1)),
        Event("play", Player.WHITE, "8/5 6/5"),
        Event("play", Player.WHITE, [Move(8, 5), Move(6, 5)]),
        Event("play", by=TO_ACT, argument=((8, 5, False), (6, 5, False))),
        Event(Action.PLAY, Player.WHITE, state.legal_plays[0]),
        Event("double", Player.BLACK),
        Event(Action.TAKE, by=Player.WHITE),
        Event("resign", Player.WHITE, Win.GAMMON),
        Event("next_game", argument=Player.WHITE),
        Event("next_game", argument=Position.start("nackgammon")),
    ]
    for event in some:
        assert_type(event.action, Action)
        state = state.apply(event)
    return some


def documents(text: str, data: dict[str, object]) -> tuple[Position, MatchState]:
    assert_type(json.loads(text, Dice), Dice)
    value = json.from_data(data)
    if isinstance(value, MatchState):
        assert_type(value.position, Position)
    assert_type(json.dumps(Player.WHITE), str)
    return json.loads(text.encode(), Position), json.from_data(data, MatchState)


def record_files(path: Path) -> list[str]:
    match = records.load(path)
    findings = [*records.referee(match), *match.findings]
    errors = [finding.explanation for finding in findings if finding.severity is records.Severity.ERROR]
    for game in match.games:
        assert_type(game.final(), MatchState)
        errors += [state.xgid for state in game.states() if state.phase is Phase.OVER]
        state = game.start
        for event in game.events:
            assert_type(state.canonical(event), RecordEvent)
            state = state.apply(event)
            if isinstance(event, Event):
                assert_type(event.action, Action)
                assert_type(state.canonical(event), Event)
            elif isinstance(event, Forfeit):
                assert_type(event.loser, Player)
            else:
                assert_type(event.position, Position)
    assert_type(match.players[Player.BLACK], str)
    records.dump(records.loads(records.dumps(match), "mat"), path.with_suffix(".mat"))
    scanned = [entry.path for entry in records.scan(path, [path, "all.zip"])]
    assert_type(records.export(scanned, "all.csv"), records.ExportSummary)
    records.to_table(str(path), match, [match, path], records.scan("matches"))
    training, _ = records.to_samples(path, [match], analysis_level=["2-ply"]).split(0.1)
    assert_type(engine.evaluate_batch(training.boards, 2), npt.NDArray[np.float32])
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        again = records.load(binary) or records.load(text)
    assert_type(match.date, dt.date | None)
    assert_type(match.games[0].result, Result | None)
    return errors + list(records.lost_fields(again, "mat"))


def pictures(state: MatchState, decision: records.Decision) -> list[str]:
    style = draw.BoardStyle(theme="dark", look="depth", layout="portrait", score="away", centered_cube=64)
    labels: draw.Labels = {"points": lambda count: "{count} Punkt" + "e" * (count > 1), "on_roll": "am Wurf"}
    return [
        draw.svg.match_state(decision, labels=labels, last_dice="31", style=style),
        draw.text.position(state.position, flipped=True),
        draw.svg.position(state.position, highlight=[8, "bar"], style=attrs.evolve(style, size=300)),
        draw.svg.match_state(state, bottom=Player.BLACK, names=["Ann", "Bob"]),
    ]


def texts(state: MatchState) -> list[str]:
    written = identifiers.write(state, "gnubg_id", strict=True, rules=MONEY)
    return [MatchState.from_gnubg_id(written, checkers=15).ogid, *identifiers.lost_fields(state, "fibs_board", MONEY)]


def board_lines(state: MatchState) -> list[MatchState]:
    asked = identifiers.read(identifiers.write(state, "gnubg_line", names=("a", "b")), MONEY, form="gnubg_line")
    assert_type(identifiers.read(state.xgid), Position | MatchState)
    return [asked, identifiers.read(identifiers.write(state, "fibs_board"), form="fibs_board", checkers=15)]


@given(
    strategies.positions(kind="contact"), strategies.dice(), strategies.match_states(rules=strategies.rules(cube=True))
)
def test_of_a_user(position: Position, dice: Dice, state: MatchState) -> None:
    assert_type(position.legal_plays(dice).find(""), Play)
    assert state.phase in Phase


class Announced(MatchState):
    """A subclass with the documented signature of a method."""

    def roll(self, dice: DiceLike, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        return super().roll(dice, by=by)
