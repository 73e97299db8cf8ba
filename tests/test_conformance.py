"""The conformance suite in `conformance/`: its data are right, and whoever has a rule wrong fails in its cases.

What GNU Backgammon computed and the worked cases are in it as well, see conformance/README.md. The long tests try all
of the cases that the quick ones sample.
"""

from __future__ import annotations

import json
import lzma
import random
from itertools import product

import jsonschema
import pytest

import boards as boards_of_package
import each
import loop
import reference
import rule_table
import suite
from gammonrules import MatchState, Player, Position, Win
from gammonrules._json_protocol.flat_states import state_of_flat
from gammonrules.board import START_NAMES
from gammonrules.conformance import answer
from gammonrules.dice import ROLLS
from spelling import spellings
from suite import SUITE, board_in, board_of, boards, dice_of, results_of, worked

import flat_tables  # isort: skip - suite says where it is
import generate  # isort: skip
import plays_cases  # isort: skip
import wrong_plays  # isort: skip

KINDS = ("plays", "orders", "perft", "table", "identifiers")
RULES: dict[str, str] = json.loads((SUITE / "rules.json").read_text(encoding="utf-8"))
ORDER = {rule: number for number, rule in enumerate(RULES)}
SCHEMA = json.loads((SUITE / "schema.json").read_text(encoding="utf-8"))
NOT_ASKED = (
    "match/clock.py",
    "match/messages.py",
    "board/notation.py",
    "board/refusals.py",
    "board/possible_outcomes.py",
    "match/scoring.py:wins",
    "match/state.py:_set_by_hand",
)
"""Where the rules are that no question of the suite is about."""
SAMPLES = [101, 1]
"""Each so many cases are tried, by the quick tests and by the long ones."""


def sampled(step: int, *kinds: str) -> list[suite.Case]:
    return [case for kind in kinds or KINDS for case in suite.cases(kind)[::step]]


class TestData:
    def test_core(self):
        every = [case for kind in KINDS for case in suite.cases(kind)]
        core = [case["question"]["id"] for case in every if case["core"]]
        assert len(core) <= 10_000
        assert sorted(core) == [*range(1, len(core) + 1)]
        assert len({case["question"]["id"] for case in every}) == len(every)
        assert {case["rule"] for case in every} == set(RULES)

    def test_no_question_twice(self):
        every = [json.dumps(case["question"] | {"id": 0}) for kind in KINDS for case in suite.cases(kind)]
        assert len(set(every)) == len(every)

    def test_rules_are_those_of_the_table_of_contributors(self):
        judged = [row.rule for row in rule_table.rows() if not row.places[0].startswith(NOT_ASKED)]
        assert set(RULES.values()) == set(judged)

    @each.first("step", [501, 1])
    def test_schema(self, step):
        check = jsonschema.Draft202012Validator(SCHEMA)
        for case in sampled(step):
            check.validate(case)

    def test_pack_is_that_of_the_data(self):
        every = [case for kind in KINDS for case in suite.cases(kind)]
        packed = lzma.decompress(generate.PACK.read_bytes()).decode("ascii")
        assert packed.splitlines() == [*generate.packed(every)]

    def test_the_model_has_every_start(self):
        starts = {name: boards_of_package.board_of(Position.start(name))[0] for name in START_NAMES}
        assert starts == flat_tables.START_OF

    @each.first("step", SAMPLES)
    def test_library(self, step):
        for case in sampled(step):
            assert answer(case["question"]) == case["answer"], case

    @each.first("step", SAMPLES)
    def test_brute_force(self, step):
        for case in sampled(step, "plays", "orders"):
            expected = (plays_cases.plays_of if "points" in case["answer"] else plays_cases.orders_of)(
                board_of(case), dice_of(case)
            )
            assert case["answer"] == {"id": case["question"]["id"]} | expected

    @each.first("step", SAMPLES)
    def test_model_of_a_match(self, step):
        for case in sampled(step, "table"):
            question = case["question"]
            expected = flat_tables.answer(question["state"], question["action"])
            assert case["answer"] == {"id": question["id"]} | expected

    @each.first("step", [16, 1])
    def test_position_ids(self, step):
        some = [case for case in suite.cases("identifiers") if case["question"]["kind"] == "position"]
        for case in some[::step]:
            both = case["question"] | case["answer"]
            if "refused" not in both:
                board = board_in(both["state"]["points"], both["state"].get("checkers", 15))
                assert reference.encode_id(board) == both["text"]


class TestWrongPrograms:
    """Each way to have a rule wrong fails in the cases of this rule, and in those of no rule before it."""

    @loop.over("way", sorted(wrong_plays.WAYS))
    def test_checker_play(self, way):
        rule, plays = wrong_plays.WAYS[way]
        core = [case for case in suite.cases("plays") if case["core"]]
        some = [*(case for case in core if case["rule"] == rule), *core[::40]]
        assert self.broken(some, lambda case: self.fails(case, plays)) == rule

    @staticmethod
    def broken(cases, fails):
        """The first rule of which a case fails."""
        by_rule = sorted(cases, key=lambda case: ORDER[case["rule"]])
        return next((case["rule"] for case in by_rule if fails(case)), None)

    @staticmethod
    def fails(case, plays):
        results = sorted(list(reference.signed(after)) for after in plays(board_of(case), dice_of(case)))
        return results != case["answer"]["points"]

    @each.first("step", [60, 1])
    @loop.over("way", sorted(flat_tables.WAYS))
    def test_table(self, way, step):
        rule, table = flat_tables.WAYS[way]
        some = [*(case for case in suite.cases("table") if case["rule"] == rule), *sampled(step, "table")]
        assert self.broken(some, lambda case: self.fails_at_the_table(case, table)) == rule

    @staticmethod
    def fails_at_the_table(case, table):
        question = case["question"]
        try:
            answer = flat_tables.answer(question["state"], question["action"], table)
        except (KeyError, TypeError, IndexError, AttributeError, ValueError):
            return True
        return answer | {"id": question["id"]} != case["answer"]


class TestPlays:
    """421 positions, each with all 21 rolls: the distinct results are those of GNU Backgammon."""

    def test_is_complete(self):
        assert len(boards()) == 421
        assert all(sorted(rolls) == sorted((roll.high, roll.low) for roll in ROLLS) for rolls in boards().values())

    @each.first("step", [20, 1])
    def test_legal_plays(self, step):
        for name in [*boards()][::step]:
            for roll, case in boards()[name].items():
                plays = Position.from_id(name).legal_plays(roll)
                assert sorted(play.position.flip().id for play in plays) == results_of(case)

    @each.first("step", [20, 1])
    def test_every_printed_play_reads_back(self, step):
        for name, roll in product([*boards()][::step], ROLLS):
            plays = Position.from_id(name).legal_plays(roll)
            texts = [str(play) for play in plays]
            assert len(set(texts)) == len(texts)
            assert [plays.find(text) for text in texts] == list(plays)

    def test_other_spellings_read_back(self):
        for name in [*boards()][::20]:
            board, position = reference.decode_id(name), Position.from_id(name)
            rng = random.Random(name)
            for roll in rng.sample(sorted(boards()[name]), 5):
                plays = position.legal_plays(roll)
                by_result = {play.position.flip().id: play for play in plays}
                paths = list(reference.sequences(board, roll).items())
                for path, after in rng.sample(paths, min(5, len(paths))):
                    for text in spellings(path, rng):
                        assert plays.find(text) == by_result[reference.encode_id(after)], text


class TestEdgeCases:
    """The worked cases of checker play, A01 to D28; the last is a finished game, which a suite cannot ask."""

    NAMES = [f"{part}{number:02}" for part in "ABCD" for number in range(1, {"C": 10, "D": 28}.get(part, 21))]

    def test_is_complete(self):
        assert sorted(worked()) == self.NAMES

    @pytest.mark.parametrize("name", [*NAMES, "D28"])
    def test_case(self, name):
        if name == "D28":
            position = Position.of(mine={"off": 15}, theirs={1: 2, "off": 13})
            assert position.id == "AwAAAAAAAAAAAA"
            assert len(position.legal_plays("65")) == 0
            return
        case = worked()[name]
        plays = Position.from_points(case["question"]["points"]).legal_plays(dice_of(case))
        if isinstance(case["expected"], int):
            assert len(plays) == case["expected"]
            return
        listed = {plays.find(text) for text in case["expected"] or ["no play"]}
        assert len(listed) == len(case["expected"] or ["no play"]) == len(plays)
        assert listed == set(plays)

    def test_case_by_the_brute_force(self):
        for case in worked().values():
            results = reference.results(board_of(case), dice_of(case))
            assert sorted(map(reference.encode_id, results)) == results_of(case)
            if not isinstance(case["expected"], int):
                assert len(results) == len(case["expected"]) or case["expected"] == []


def finished() -> list[suite.Case]:
    return [case for case in suite.cases("table") if "note" in case]


class TestResults:
    """24 finished games, won by either player: the level, and the points that GNU Backgammon booked."""

    LEVEL_ON_THE_BOARD = {
        "single(14)": Win.SINGLE,
        "gammon(15 home)": Win.GAMMON,
        "bg opp on bar": Win.BACKGAMMON,
        "bg opp on my 6pt(own 19)": Win.BACKGAMMON,
        "gammon opp on own 18": Win.GAMMON,
        "single opp bar but 1 off": Win.SINGLE,
    }

    def test_is_complete(self):
        assert len(finished()) == 60

    @loop.over("case", finished)
    def test_outcome(self, case):
        (play,) = Position.from_points(case["question"]["state"]["points"]).legal_plays("65")
        level = self.LEVEL_ON_THE_BOARD[case["note"].partition(":")[0]]
        assert (play.position.outcome.won, play.position.outcome.win) == (False, level)
        assert (play.position.flip().outcome.won, play.position.flip().outcome.win) == (True, level)
        assert reference.level(board_in(case["question"]["state"]["points"])[1]) == level

    @loop.over("case", finished)
    def test_points(self, case):
        state, text = case["question"]["state"], case["note"].partition(": ")[2]
        before = state_of_flat(state)
        result = before.play("1/off").result
        winner = Player[state["on_roll"].upper()]
        name = "single game" if result.win is Win.SINGLE else result.win.name.lower()
        assert (result.winner, f"{name}, {result.points}") == (winner, text)
        assert isinstance(before, MatchState)
