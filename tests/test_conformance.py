"""The given data: moves and results computed by GNU Backgammon, and the worked cases. See data/README.md."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import pytest

import each
import loop
import reference
from gammonrules import Cube, MatchState, Player, Position, Rules, Win
from gammonrules.dice import ROLLS
from spelling import spellings

DATA = Path(__file__).parent / "data"


def lines(path: Path) -> list[dict[str, Any]]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


plays = cache(partial(lines, DATA / "plays.jsonl.gz"))
RESULTS = lines(DATA / "results.jsonl")
EDGE_CASES = json.loads((DATA / "edge-cases.json").read_text(encoding="utf-8"))


class TestPlays:
    """421 positions, each with all 21 rolls: the distinct results are those of GNU Backgammon."""

    def test_is_complete(self):
        assert len(plays()) == 421
        assert all(sorted(case["plays"]) == sorted(str(roll) for roll in ROLLS) for case in plays())

    @each.first("step", [3, 1])
    def test_legal_plays(self, step):
        for case in plays()[::step]:
            self.check(case)

    def check(self, case):
        position = Position.from_id(case["id"])
        for roll, ids in case["plays"].items():
            # the data show each result before the turn changes; a pass leaves the board as it was
            results = [play.position.flip().id for play in position.legal_plays(roll)]
            assert sorted(results) == sorted(ids or [case["id"]])

    @each.first("step", [15, 1])
    def test_every_printed_play_reads_back(self, step):
        for case, roll in product(plays()[::step], ROLLS):
            legal = Position.from_id(case["id"]).legal_plays(roll)
            texts = [str(play) for play in legal]
            assert len(set(texts)) == len(texts)
            assert [legal.find(text) for text in texts] == list(legal)

    @loop.over("case", lambda: plays()[::16])
    def test_other_spellings_read_back(self, case):
        board, position = reference.decode_id(case["id"]), Position.from_id(case["id"])
        rng = random.Random(case["id"])
        for roll in rng.sample(sorted(case["plays"]), 5):
            legal = position.legal_plays(roll)
            by_result = {play.position.flip().id: play for play in legal}
            paths = list(reference.sequences(board, (int(roll[0]), int(roll[1]))).items())
            for path, after in rng.sample(paths, min(5, len(paths))):
                for text in spellings(path, rng):
                    assert legal.find(text) == by_result[reference.encode_id(after)], text


def board_of(case: dict[str, Any]) -> reference.Board:
    """The board of a worked case, which gives both sides in the mover's numbering."""
    mine = {25 if place == "bar" else int(place): count for place, count in case["mover"].items() if place != "off"}
    theirs = {
        25 if place == "bar" else 25 - int(place): count for place, count in case["opponent"].items() if place != "off"
    }
    return reference.side(mine), reference.side(theirs)


def position_of(case: dict[str, Any]) -> Position:
    mine = {place if place in {"bar", "off"} else int(place): count for place, count in case["mover"].items()}
    theirs = {place if place in {"bar", "off"} else 25 - int(place): count for place, count in case["opponent"].items()}
    return Position.of(mine=mine, theirs=theirs)


class TestEdgeCases:
    """The 77 worked cases of checker play, A01 to D28."""

    def test_is_complete(self):
        assert len(EDGE_CASES) == 77

    @pytest.mark.parametrize("case", EDGE_CASES, ids=[case["id"] for case in EDGE_CASES])
    def test_case(self, case):
        position = position_of(case)
        plays = position.legal_plays(case["roll"])
        assert position.id == case["gnubg_id"]
        assert reference.encode_id(board_of(case)) == case["gnubg_id"]
        if case["id"] == "D28":
            assert len(plays) == 0
        elif isinstance(case["expected"], int):
            assert len(plays) == case["expected"] == case["count"]
        else:
            found = {plays.find(text) for text in case["expected"] or ["no play"]}
            assert len(found) == len(case["expected"] or ["no play"])
            assert found == set(plays)
            assert len(plays) == len(found)

    @loop.over("case", EDGE_CASES)
    def test_case_by_the_brute_force(self, case):
        assert len(reference.results(board_of(case), tuple(case["roll"]))) == case["count"] or case["expected"] == []

    @loop.over("name", ["A05", "B13"])
    @loop.over("roll", ROLLS, ids=str)
    def test_case_with_every_roll(self, name, roll):
        (position,) = (position_of(case) for case in EDGE_CASES if case["id"] == name)
        (play,) = position.legal_plays(roll)
        assert play.moves == ()
        assert str(play) == "no play"
        assert play.position == position.flip()


class TestResults:
    """24 finished games: the level, and the points that GNU Backgammon booked."""

    LEVELS = {"single game": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
    LEVEL_ON_THE_BOARD = {
        "single(14)": Win.SINGLE,
        "gammon(15 home)": Win.GAMMON,
        "bg opp on bar": Win.BACKGAMMON,
        "bg opp on my 6pt(own 19)": Win.BACKGAMMON,
        "gammon opp on own 18": Win.GAMMON,
        "single opp bar but 1 off": Win.SINGLE,
    }

    def test_is_complete(self):
        assert len(RESULTS) == 24

    @staticmethod
    def position(case: dict[str, Any]) -> Position:
        mine, theirs = (
            {"bar" if place == "25" else int(place): count for place, count in case[key].items()}
            for key in ("mover_points", "opp_points")
        )
        return Position.of(mine=mine, theirs=theirs)

    @loop.over("case", RESULTS)
    def test_outcome(self, case):
        (play,) = self.position(case).legal_plays("65")
        level = self.LEVEL_ON_THE_BOARD[case["name"]]
        assert (play.position.outcome.won, play.position.outcome.win) == (False, level)
        assert (play.position.flip().outcome.won, play.position.flip().outcome.win) == (True, level)
        theirs = reference.side({int(place): count for place, count in case["opp_points"].items()})
        assert reference.level(theirs) == level

    @loop.over("winner", list(Player))
    @loop.over("case", RESULTS)
    def test_points(self, case, winner):
        state = MatchState.new(length=None, rules=Rules(jacoby=bool(case["jacoby"])))
        state = state.opening_roll(white=6, black=5) if winner is Player.WHITE else state.opening_roll(white=5, black=6)
        owners = [None] if case["cube_owner"] == -1 else list(Player)
        for owner in owners:
            ready = attrs.evolve(state, position=self.position(case), cube=Cube(case["cube"], owner))
            result = ready.play("1/off").result
            assert (result.winner, result.points) == (winner, case["points"])
            assert result.win == self.LEVELS[case["gnubg_text"]]
