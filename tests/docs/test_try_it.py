"""What the page to try it asks of the library. tests/browser/test_try_it_page.py asks the same on the page."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any
from urllib.parse import urlencode

from hypothesis import given, strategies as st

import loop
from gammonrules import GammonError, IllegalPlayReason, MatchState, Move, Phase, Player, Position, strategies
from try_it import EXAMPLES, ask, beforehand


class TestPositionAndRoll:
    @given(strategies.positions(), strategies.dice())
    def test_the_plays_are_those_of_the_library(self, position: Position, dice: Any) -> None:
        told = ask(position=position.id, roll=str(dice))
        if position.outcome is not None:
            assert "waiting" in told or told["problem"]["field"] == "roll"
        else:
            plays = position.legal_plays(dice)
            assert told["plays"] == [*map(str, plays)]
            assert told["tree"] == json.loads(plays.tree().to_json())

    @given(strategies.match_states())
    def test_every_state_that_can_be_read_is_shown(self, state: MatchState) -> None:
        text = state.xgid
        told = ask(position=text)
        with warnings.catch_warnings(record=True, action="always") as doubts:
            try:
                read = MatchState.from_xgid(text)
            except GammonError as error:
                assert told == {"problem": {"field": "position", "message": str(error)}}
                return
        assert told["doubts"] == [str(doubt.message) for doubt in doubts]
        assert told["picture"].startswith("<svg")
        assert ("plays" in told) == (read.phase is Phase.TO_PLAY)
        assert "waiting" in told or told["plays"] == [*map(str, read.legal_plays)]

    def test_the_roll_goes_before_that_of_the_identifier(self) -> None:
        xgid = MatchState.new(7).opening_roll(3, 1).xgid
        assert [ask(position=xgid)["roll"], ask(position=xgid, roll="65")["roll"]] == ["31", "65"]

    def test_before_the_opening_roll_white_has_it(self) -> None:
        told = ask(position=MatchState.new(7).xgid, roll="55")
        assert MatchState.from_xgid(told["xgid"]).on_roll is Player.WHITE

    def test_a_roll_is_refused_where_nobody_rolls(self) -> None:
        told = ask(position=MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").double().xgid, roll="31")
        assert told["problem"]["field"] == "roll"
        assert "double" in told["problem"]["message"]
        assert told["picture"]

    @loop.rows("winner", "mine", "theirs")
    def test_a_finished_game_is_shown(self, winner: str) -> None:
        position = Position.of(mine={6: 15}, theirs={"off": 15})
        told = ask(position=(position if winner == "theirs" else position.flip()).id)
        assert "over" in told["waiting"]
        assert f"{'White' if winner == 'mine' else 'Black'} has won" in told["waiting"]

    @loop.rows("text", "x" * 10**6, "<img src=x onerror=alert(1)>", "\u202eשלום", "\0", "4HPw" * 9)
    @loop.rows("field", "position", "roll", "play")
    def test_what_cannot_be_read_is_refused_in_a_line(self, field: str, text: str) -> None:
        told = ask(**({"roll": "31"} | {field: text}))
        message = told["verdict"]["message"] if field == "play" else told["problem"]["message"]
        assert 10 < len(message) <= 300
        assert message.isprintable()
        assert field == "play" or told["problem"]["field"] == field


class TestPlays:
    def test_a_legal_play_is_told_as_it_is_usually_written(self) -> None:
        told = ask(roll="31", play="6/5 8/5")
        assert told["verdict"]["legal"]
        assert (told["play"], told["moves"]) == ("8/5 6/5", [[8, 5], [6, 5]])
        assert MatchState.from_xgid(told["then"]).position == Position.start().play("8/5 6/5", "31")

    def test_an_illegal_play_has_a_rule_and_a_legal_play_that_proves_it(self) -> None:
        told = ask(position="AAMw4P8DAgAEAA", roll="62", play="24/18")["verdict"]
        assert (told["legal"], told["rule"], told["instead"]) == (False, IllegalPlayReason.BOTH_DICE, ["24/22 8/2"])
        assert "both dice" in told["message"]

    def test_the_last_checker_ends_it(self) -> None:
        told = ask(position=Position.of(mine={1: 1}, theirs={1: 15}).id, roll="21", play="1/off")
        assert "wins" in told["verdict"]["message"]
        assert "then" not in told

    def test_a_play_that_is_pointed_at_is_shown_by_arrows(self) -> None:
        for play in ("8/5 6/5", "8/2", ""):
            told = ask(roll="31", play=play, show="24/20")
            assert re.findall(r'data-from="(\d+)" data-to="(\d+)"', told["picture"]) == [("24", "21"), ("21", "20")]
            assert ("play" in told) == (play == "8/5 6/5")

    def test_what_was_tried_on_the_board_has_a_reason(self) -> None:
        for moves, reason in (([], "24/19 is 5 pips, "), ([[8, 5], [6, 5]], "the turn is complete")):
            assert ask(roll="31", tried=[24, 19, moves])["why"].startswith(reason)

    @given(strategies.positions(), strategies.dice(), st.data())
    def test_a_play_is_the_same_in_words_and_on_the_board(self, position: Position, dice: Any, data: Any) -> None:
        """The page writes the moves of the board in their order, and the tree has those of a play that was written."""
        asked = {"position": position.id, "roll": str(dice)}
        nodes = ask(**asked).get("tree", {"nodes": [[]]})["nodes"]

        def ways(node: int) -> dict[tuple[int, int], int]:
            flat = nodes[node]
            return {(flat[at], flat[at + 1]): flat[at + 3] for at in range(0, len(flat), 4)}

        moves, node = [], 0
        while ways(node):
            moves.append(data.draw(st.sampled_from([*ways(node)])))
            node = ways(node)[moves[-1]]
        if not moves:
            return
        told = ask(**asked, play=" ".join(str(Move(*move)) for move in moves))
        assert told["play"] == str(position.legal_plays(dice).find(moves))
        node = 0
        for move in told["moves"]:
            node = ways(node)[tuple(move)]
        assert not ways(node)


def test_the_examples_show_what_they_say() -> None:
    told = [ask(**example) for example in EXAMPLES]
    assert len(told) == 10
    assert [answer["doubts"] for answer in told] == [[]] * 10
    assert [answer["verdict"]["rule"] for answer in told if "rule" in answer.get("verdict", {})] == [
        *(IllegalPlayReason.BAR_FIRST, IllegalPlayReason.BOTH_DICE, IllegalPlayReason.HIGHER_DIE),
        *(IllegalPlayReason.HIGHER_CHECKER_FIRST, IllegalPlayReason.AMBIGUOUS),
    ]
    assert "a double" in told[-1]["waiting"]


class TestBeforehand:
    def test_the_examples_and_what_follows_the_turn_are_known(self) -> None:
        turn = beforehand.turn_of(beforehand.STATE)
        told = beforehand.known(turn)
        assert len(told) == 2 * (len(EXAMPLES) + len(beforehand.STATE.legal_plays))
        assert [told[urlencode(example)] for example in EXAMPLES] == [ask(**example) for example in EXAMPLES]
        assert all('portrait"' in told[f"{urlencode(example)}&layout=portrait"]["picture"] for example in EXAMPLES)
        assert all("picture" in answer and "problem" not in answer for answer in told.values())
