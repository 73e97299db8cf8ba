"""Mistakes as users make them: `test_types.py` makes sure that every type checker flags each marked line, and no other.

Each mark names the error of mypy and the rule of pyright (and basedpyright). Nothing here is ever run.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

import gammonrules
from gammonrules import (
    ROLLS,
    Action,
    Cube,
    Dice,
    End,
    Event,
    IllegalActionError,
    IllegalActionReason,
    IllegalPlayError,
    MatchState,
    Move,
    Play,
    Player,
    Position,
    Result,
    Rules,
    Win,
    batch,
    draw,
    environments,
    identifiers,
    json,
    records,
    strategies,
)
from gammonrules import Positon  # error: attr-defined, reportAttributeAccessIssue
from gammonrules import engines  # error: attr-defined, reportAttributeAccessIssue
from gammonrules.engine import labels  # error: attr-defined, reportAttributeAccessIssue
from gammonrules.records import read_match  # error: attr-defined, reportAttributeAccessIssue
from gammonrules.tables import MatchState as State  # error: import-not-found, reportMissingImports

start = Position.start()
state = MatchState.new(length=7)
rolled = state.opening_roll(white=3, black=1)
plays = start.legal_plays("31")
play = plays[0]


def names() -> None:
    gammonrules.json.dump  # error: attr-defined, reportAttributeAccessIssue
    gammonrules.records.save  # error: attr-defined, reportAttributeAccessIssue
    start.pipcount  # error: attr-defined, reportAttributeAccessIssue
    start.legal_moves("31")  # error: attr-defined, reportAttributeAccessIssue
    state.on_rol  # error: attr-defined, reportAttributeAccessIssue
    state.pos  # error: attr-defined, reportAttributeAccessIssue
    play.notation  # error: attr-defined, reportAttributeAccessIssue
    Dice(3, 1).is_double  # error: attr-defined, reportAttributeAccessIssue
    Action.PASS  # error: attr-defined, reportAttributeAccessIssue


def positions() -> None:
    Position("4HPwATDgc/ABMA")  # error: arg-type, reportArgumentType
    Position(start.points, checkers=15)  # error: arg-type, reportArgumentType
    Position.of({"bar": "1"})  # error: dict-item, reportArgumentType
    Position.of([(24, 2)])  # error: arg-type, reportArgumentType
    Position.start("nackgamon")  # error: arg-type, reportArgumentType
    Position.from_points("")  # error: arg-type, reportArgumentType
    Position.from_id(start)  # error: arg-type, reportArgumentType
    start.legal_plays(31)  # error: arg-type, reportArgumentType
    start.legal_plays(3, 1)  # error: call-arg, reportCallIssue
    start.play("8/5 6/5")  # error: call-arg, reportCallIssue
    start.play(8, "31")  # error: arg-type, reportArgumentType
    start.play([(8, "5")], "31")  # error: list-item, reportArgumentType
    start.pip_count()  # error: operator, reportCallIssue
    start.points[24] = 2  # error: index, reportIndexIssue
    start.checkers = 3  # error: misc, reportAttributeAccessIssue
    start.outcome.win  # error: union-attr, reportOptionalMemberAccess


def rolls_and_plays() -> None:
    Dice("3", "1")  # error: arg-type, reportArgumentType
    Dice.random(1)  # error: arg-type, reportArgumentType
    ROLLS[0].high = 6  # error: misc, reportAttributeAccessIssue
    Move("bar", 22)  # error: arg-type, reportArgumentType
    Play(start, plays)  # error: arg-type, reportArgumentType
    3 in plays  # error: operator, reportOperatorIssue
    plays.find(3)  # error: arg-type, reportArgumentType
    plays["8/5 6/5"]  # error: call-overload, reportArgumentType
    plays.next_moves("8/5")  # error: arg-type, reportArgumentType
    play.moves[0].from_  # error: attr-defined, reportAttributeAccessIssue
    before: Play = plays.find("8/5 6/5").position  # error: assignment, reportAssignmentType


def tables() -> None:
    MatchState()  # error: call-arg, reportCallIssue
    MatchState.new("7")  # error: arg-type, reportArgumentType
    MatchState.new(7, Rules())  # error: call-arg, reportCallIssue
    MatchState.new(7, score=3)  # error: arg-type, reportArgumentType
    MatchState(start, on_roll=0)  # error: arg-type, reportArgumentType
    state.opening_roll(3)  # error: call-arg, reportCallIssue
    state.opening_roll("31")  # error: call-arg, reportCallIssue
    rolled.roll(6)  # error: arg-type, reportArgumentType
    rolled.roll(3, 1)  # error: call-arg, reportCallIssue
    rolled.play("8/5 6/5", Player.WHITE)  # error: call-arg, reportCallIssue
    rolled.play("8/5 6/5", by=None)  # error: arg-type, reportArgumentType
    rolled.resign(Win.GAMMON, Player.WHITE)  # error: call-arg, reportCallIssue
    rolled.take("yes")  # error: call-arg, reportCallIssue
    rolled.view()  # error: call-arg, reportCallIssue
    rolled.score["gray"]  # error: call-overload, reportArgumentType
    rolled.score[Action.TAKE]  # error: call-overload, reportArgumentType
    rolled.view("gray")  # error: arg-type, reportArgumentType
    rolled.take(by="gray")  # error: arg-type, reportArgumentType
    rolled.forfeit("White")  # error: arg-type, reportArgumentType
    Cube(2, "gray")  # error: arg-type, reportArgumentType
    Event("take", "gray")  # error: call-overload, reportArgumentType
    Event("next_game", argument="gray")  # error: call-overload, reportArgumentType
    draw.text.match_state(rolled, bottom="gray")  # error: arg-type, reportArgumentType
    rolled.score[0].opponent  # error: attr-defined, reportAttributeAccessIssue
    rolled.cube.owner.opponent  # error: union-attr, reportOptionalMemberAccess
    rolled.dice.high  # error: union-attr, reportOptionalMemberAccess
    rolled.apply("double")  # error: arg-type, reportArgumentType
    rolled.canonical("double")  # error: call-overload, reportCallIssue
    rolled.receive({"action": "take"}, Player.WHITE)  # error: call-arg, reportCallIssue
    rolled.receive({"action": "take"}, None, roll=lambda: (3, 1))  # error: arg-type, reportArgumentType
    rolled.receive('{"action": "take"}', Player.WHITE, roll=lambda: (3, 1))  # error: arg-type, reportArgumentType
    rolled.receive({"action": "take"}, Player.WHITE, roll=(3, 1))  # error: arg-type, reportArgumentType
    rolled.resign("gamon")  # error: arg-type, reportArgumentType
    rolled.legal_actions_of(0)  # error: arg-type, reportArgumentType
    Player.WHITE + 1  # error: operator, reportOperatorIssue
    start.points[Player.WHITE]  # error: call-overload, reportArgumentType
    (3, 1)[Player.WHITE]  # error: call-overload, reportArgumentType
    Player.WHITE.opponent()  # error: operator, reportCallIssue
    Cube("2", Player.WHITE)  # error: arg-type, reportArgumentType
    Result(Player.WHITE, Win.SINGLE)  # error: call-arg, reportCallIssue
    Result(Player.WHITE, 1, 1, End.PLAYED)  # error: arg-type, reportArgumentType
    IllegalActionError("too late", "too_late")  # error: arg-type, reportArgumentType
    IllegalActionError("too late").reason.name  # error: union-attr, reportOptionalMemberAccess
    IllegalActionReason.TOO_LATE  # error: attr-defined, reportAttributeAccessIssue
    IllegalPlayError("too far").witness.moves  # error: union-attr, reportOptionalMemberAccess


def options() -> None:
    Rules(True)  # error: call-arg, reportCallIssue
    Rules(crawfort=True)  # error: call-arg, reportCallIssue
    Rules(jacoby="yes")  # error: arg-type, reportArgumentType
    Rules(scoring="pip")  # error: arg-type, reportArgumentType
    Rules(start="nackgamon")  # error: arg-type, reportArgumentType


def events() -> None:
    Event()  # error: call-overload, reportCallIssue
    Event("castle")  # error: call-overload, reportArgumentType
    Event("roll", Player.WHITE, "8/5", 3)  # error: call-overload, reportCallIssue
    Event("opening_roll", argument=Win.SINGLE)  # error: call-overload, reportArgumentType
    Event(Action.PLAY, Player.WHITE, 31)  # error: call-overload, reportArgumentType
    Event(Action.RESIGN, Player.WHITE, "gamon")  # error: call-overload, reportArgumentType
    Event("next_game", argument=start.legal_plays("31"))  # error: call-overload, reportArgumentType
    Event("double", 0)  # error: call-overload, reportArgumentType
    Event("roll", Player.WHITE, Win.GAMMON)  # error: call-overload, reportArgumentType
    Event("play", Player.WHITE, Dice(3, 1))  # error: call-overload, reportArgumentType
    Event("take", Player.BLACK, "yes")  # error: call-overload, reportArgumentType
    Event("resign", Player.WHITE, "gamon")  # error: call-overload, reportArgumentType
    Event("opening_roll", argument=3)  # error: call-overload, reportArgumentType


def other_modules(rng: random.Random, points: np.ndarray[tuple[int, int], np.dtype[np.int8]]) -> None:
    json.dumps({"position": start})  # error: arg-type, reportArgumentType
    json.dumps(start, indent=2)  # error: call-arg, reportCallIssue
    json.loads(3)  # error: call-overload, reportArgumentType
    json.loads("{}").pip_count  # error: attr-defined, reportAttributeAccessIssue
    json.loads("{}", int)  # error: type-var, reportArgumentType
    json.from_data({}, "Dice")  # error: call-overload, reportArgumentType
    records.load(3)  # error: arg-type, reportArgumentType
    records.loads(Path("match.txt"))  # error: arg-type, reportArgumentType
    records.loads("").game  # error: attr-defined, reportAttributeAccessIssue
    records.loads("").games[0].result.points  # error: union-attr, reportOptionalMemberAccess
    records.loads("").games[0].replayed(rolled)  # error: attr-defined, reportAttributeAccessIssue
    records.loads("", "txt")  # error: arg-type, reportArgumentType
    draw.svg.position(start, style=draw.BoardStyle(theme="darker"))  # error: arg-type, reportArgumentType
    draw.svg.position(start, style=draw.BoardStyle(layout="upright"))  # error: arg-type, reportArgumentType
    records.dump(Path("match.txt"), records.loads(""))  # error: arg-type, reportArgumentType
    records.referee("match.txt")  # error: arg-type, reportArgumentType
    draw.text.position(rolled)  # error: arg-type, reportArgumentType
    draw.svg.position(start, True)  # error: call-arg, reportCallIssue
    draw.svg.match_state(rolled, style=draw.BoardStyle(centered_cube=32))  # error: arg-type, reportArgumentType
    draw.svg.match_state(rolled, labels={"pips": 7})  # error: dict-item, reportArgumentType
    identifiers.read(b"4HPwATDgc/ABMA")  # error: call-overload, reportArgumentType
    identifiers.read("4HPwATDgc/ABMA").xgid  # error: union-attr, reportAttributeAccessIssue
    identifiers.lost_fields(rolled, "match_id")  # error: arg-type, reportArgumentType
    identifiers.write(rolled, "position_id")  # error: arg-type, reportArgumentType
    batch.legal_plays(points)  # error: call-arg, reportCallIssue
    batch.random_games(10, rng=rng)  # error: arg-type, reportArgumentType
    batch.pip_counts(None)  # error: arg-type, reportArgumentType
    batch.play_matches(10, "random", rng=np.random.default_rng())  # error: arg-type, reportArgumentType
    records.scan(5)  # error: arg-type, reportArgumentType
    records.export(None, "all.csv")  # error: arg-type, reportArgumentType
    records.to_table(["matches", 5])  # error: list-item, reportArgumentType
    batch.MatchStates.new(10, "7")  # error: arg-type, reportArgumentType
    batch.random_games(10, rng=np.random.default_rng()).to_matches("Ann")  # error: arg-type, reportArgumentType
    environments.BackgammonEnv(actions="row")  # error: arg-type, reportArgumentType
    environments.BackgammonVectorEnv(9, cube=7)  # error: arg-type, reportArgumentType
    environments.encode_play("8/5 6/5")  # error: arg-type, reportArgumentType
    strategies.positions(kind="racing")  # error: arg-type, reportArgumentType
    strategies.games(max_turn=3)  # error: call-arg, reportCallIssue
