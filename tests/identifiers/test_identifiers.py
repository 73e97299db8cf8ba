"""Identifiers: gnubg's Match ID and gnubg ID, XGID, OGID, the board line of FIBS, against texts of other programs."""

from __future__ import annotations

import json
import re
import time
import warnings
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html import escape
from itertools import pairwise, product
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
import wording
from boards import tables
from fact_tables import table
from fuzzing.mutation import mutated
from gammonrules import MatchState, Position
from gammonrules.board import START_NAMES, Win
from gammonrules.dice import Dice
from gammonrules.errors import (
    ArgumentError,
    GammonError,
    IdentifierError,
    IdentifierWarning,
    MatchStateError,
    PositionError,
    PositionProblem,
    RulesError,
)
from gammonrules.identifiers import lost_fields, read, write
from gammonrules.identifiers.internals import FORMS
from gammonrules.match import Action, Cube, Double, End, Phase, Player, Resignation
from gammonrules.rules import BRETTSPIELWELT_SINGLE, FINNISH, GAMEDESIRE, MONEY, PORTES, TOURNAMENT, Rules

DATA = Path(__file__).parents[1] / "data"
WHITE, BLACK = Player
PLAYERS = {0: BLACK, 1: WHITE, -1: None}
"""gnubg's player numbers."""
START = "-b----E-C---eE---c-e----B-"
AUTOMATIC = attrs.evolve(MONEY, auto_doubles=2)
FIBS_BOARD = (
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:2:0:0:0"
)
"""The example of FIBS' documentation."""


def json_rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def xgid(board=START, cube=0, owner=0, turn=1, dice="00", score=(0, 0), rule=0, length=7, max_cube=10) -> str:
    return f"XGID={board}:{cube}:{owner}:{turn}:{dice}:{score[0]}:{score[1]}:{rule}:{length}:{max_cube}"


def larger_die_first(text: str) -> str:
    fields = text.split(":")
    if fields[4].isdecimal():
        fields[4] = "".join(sorted(fields[4], reverse=True))
    return ":".join(fields)


def doubts_of(read_text, text, **options):
    """What is read, and its warnings, which point at the line that passed the text."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        state = read_text(text, **options)
    assert {warning.filename for warning in caught} <= {__file__}
    return state, [str(warning.message) for warning in caught]


def quietly(read_text, text, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentifierWarning)
        return read_text(text, *arguments, **options)


IDS = json_rows("ids.jsonl")
REFUSED = json_rows("ids-refused.jsonl")
GNUBG_IDS = [f"{row['position_id']}:{row['match_id']}" for row in table(DATA / "gnubg_ids.tsv.gz")]
XGIDS = [row["xgid"] for row in table(DATA / "xgids.tsv")]


read_board = partial(read, form="fibs_board")
RECORDED_BOARDS = (DATA / "fibs-boards.txt").read_text(encoding="ascii").splitlines()


def expected_state(row: dict) -> MatchState:
    """The state that the plain fields of a row describe."""
    mover = PLAYERS[row["move"]]
    sides = [dict(enumerate(row[name], 1)) for name in ("board_roller", "board_opp")]
    length = row["match_to"] or None
    black, white = row["score"]
    automatic = row["cube"].bit_length() - 1 if row["cube_owner"] == -1 and length is None else 0
    rules = TOURNAMENT if length else Rules(jacoby=bool(row["jacoby"]), auto_doubles=automatic)
    offer = None
    if row["doubled"]:
        offer = Double(mover, 2 * row["cube"])
    if row["resigned"]:
        offer = Resignation(PLAYERS[row["turn"]].opponent, Win(row["resigned"]), offer)
    return MatchState(
        Position.of(*sides),
        mover,
        row["dice"] if any(row["dice"]) else None,
        cube=Cube(row["cube"], PLAYERS[row["cube_owner"]]),
        offer=offer,
        score=(white, black),
        length=length,
        crawford=bool(row["crawford"]),
        rules=rules,
    )


class TestGivenStates:
    """180 states that gnubg has read and printed."""

    @loop.over("row", IDS, ids=lambda row: row["match_id"])
    def test_gnubg_id(self, row):
        text, state = f"{row['position_id']}:{row['match_id']}", expected_state(row)
        assert state.gnubg_id == text
        assert state.match_id == row["match_id"]
        assert MatchState.from_gnubg_id(text, state.rules) == state
        assert state.to_act == PLAYERS[row["turn"]]
        assert (state.position.pip_count, state.position.opponent_pip_count) == (row["pips_roller"], row["pips_opp"])

    @loop.over("row", IDS, ids=lambda row: row["match_id"])
    def test_without_the_bit_of_later_versions(self, row):
        """In a match the Jacoby bit means nothing."""
        text = f"{row['position_id']}:{row['match_id_as_built']}"
        state = expected_state(row)
        assert MatchState.from_gnubg_id(text, state.rules) == state

    @loop.over("row", [row for row in IDS if row["xgid"]], ids=lambda row: row["xgid"])
    def test_xgid(self, row):
        state = expected_state(row)
        assert state.xgid == larger_die_first(row["xgid"])
        assert MatchState.from_xgid(row["xgid"], state.rules) == state

    def test_all_are_there(self):
        assert (len(IDS), sum(row["xgid"] is None for row in IDS), len(REFUSED)) == (180, 41, 20)

    @loop.over("row", [row for row in IDS if row["xgid"] is None], ids=lambda row: row["match_id"])
    def test_what_an_xgid_cannot_say(self, row):
        """They are the resignations."""
        assert "offer" in lost_fields(expected_state(row), "xgid")


REASONS = {
    "a double with a dead cube": "the cube is dead",
    "a live game with one side borne off": "one side has borne off everything, but there is no result",
    "both sides have borne everything off": "both sides have borne off everything",
    "no game in progress (game state 0)": "game state: no game in progress (game state 0)",
}


class TestRefusedStates:
    @loop.over("row", REFUSED, ids=lambda row: row["match_id"])
    def test_with_the_reason(self, row):
        reason = REASONS.get(row["refused"], row["refused"].partition(":")[0])
        with pytest.raises(GammonError) as caught:
            MatchState.from_gnubg_id(f"{row['position_id']}:{row['match_id']}")
        assert reason in str(caught.value)
        if row["xgid"] is not None and not may_double(row, PLAYERS[row["move"]].opponent):
            with pytest.raises(GammonError) as caught:
                MatchState.from_xgid(row["xgid"])
            assert reason in str(caught.value)

    def test_doubles_that_only_the_other_player_can_have_made(self):
        """Unlike a Match ID, an XGID with a centered cube does not say who doubled: it is read as a possible state."""
        read_so = [row for row in REFUSED if row["xgid"] and may_double(row, PLAYERS[row["move"]].opponent)]
        assert len(read_so) == 5
        for row in read_so:
            with pytest.warns(IdentifierWarning, match=f"^{RESPONDER}$"):
                state = MatchState.from_xgid(row["xgid"])
            assert state.offer == Double(PLAYERS[row["move"]].opponent, 2 * row["cube"])


def may_double(row: dict, player: Player) -> bool:
    """Whether the cube of a row in which somebody has doubled is centered, and not dead for this player."""
    black, white = row["score"]
    points = {WHITE: white, BLACK: black}[player]
    return bool(row["doubled"]) and row["cube_owner"] == -1 and points + row["cube"] < row["match_to"]


def bits_of(gnubg_id: str) -> int:
    return int.from_bytes(b64decode(gnubg_id.partition(":")[2]), "little")


class TestPairsOfGnubg:
    """2,000 pairs that gnubg printed while it analyzed real matches."""

    def test_written_back_byte_for_byte(self):
        ids = GNUBG_IDS[::5]
        written = [MatchState.from_gnubg_id(text).gnubg_id for text in ids]
        different = [(old, new) for old, new in zip(ids, written, strict=True) if old != new]
        # gnubg's first decision of a game has game state 0 (bits 8 to 10), where 1 belongs
        assert [old for old, _ in different] == [old for old in ids if bits_of(old) >> 8 & 7 == 0] != []
        for old, new in different:
            assert bits_of(new) - bits_of(old) == 1 << 8
            state = MatchState.from_gnubg_id(old)
            assert (state.position, state.phase) == (Position.start(), Phase.TO_PLAY)

    def test_with_labels_as_gnubg_prints_them(self):
        for text in GNUBG_IDS[:20]:
            position_id, match_id = text.split(":")
            state = MatchState.from_gnubg_id(text)
            for spelling in (
                f" {text}\n",
                f"GNUbg ID: {text}",
                f"Position ID: {position_id} Match ID: {match_id}",
                f"Position ID: {position_id}\n Match ID   : {match_id}",
                f"{position_id}==:{match_id}",
                f"GNUBGID {text}",
                f"gnubgid={text}",
                f"{position_id} {match_id}",
                f"GNU Backgammon  Position ID: {position_id}\n                 Match ID   : {match_id}",
                f"Position-ID: {position_id}    Match-ID: {match_id}",
                f"position id: {position_id}, match id: {match_id}",
                f"Position ID: {position_id}:Match ID: {match_id}",
                f"{text} after 24/18",
                f"{text})",
            ):
                assert MatchState.from_gnubg_id(spelling) == read(spelling) == state


NO_TURN = "XGID, turn: expected -1 or 1, not '0'"
BEHIND = "XGID: '0' after the tenth field is not read"
RESPONDER = "XGID: the turn is read as that of the player who must answer, since they cannot have doubled"
DOUBLER = "XGID: the turn is read as that of the doubler, since the opponent cannot have doubled"
EMPTY = "-" * 26
REFUSED_XGIDS = {
    xgid(EMPTY, turn=0, length=0): NO_TURN,
    xgid(EMPTY, length=0): "impossible position: both sides have borne off everything",
    xgid("-" * 25 + "O", turn=-1, length=0): (
        "impossible match state: one side has borne off everything, but there is no result"
    ),
    "XGID=-BBBBBA-------------aaabba:0:0:1:64:0:0:0:7:10": (
        "XGID, board: 'a' cannot be on the bottom player's bar (-, A to O)"
    ),
    xgid("-O" + "-" * 23 + "A", length=0): "impossible position: mine: 16 checkers, but the game has 15",
    "XGID=-aBCBBDCB----d----c-c-A--A:0:0:1:53:0:0:0:7:10": (
        "impossible position: mine: 20 checkers, but the game has 15"
    ),
    xgid(turn=0, length=0): NO_TURN,
    xgid(score=(-1, 0), length=0): "XGID, score: expected a whole number from 0 to 1000000000, not '-1'",
    xgid(length=-1): "XGID, length: expected a whole number from 0 to 1000000000, not '-1'",
    xgid(score=(7, 0)): "impossible match state: White had won the match to 7 before this game, with 7 points",
    xgid(dice=70, length=0): "XGID, dice: expected 00, two faces from 1 to 6, D, B or R, not '70'",
    xgid(dice="B", length=0): "XGID, dice: B is a beaver, which a game under this rule does not have",
    xgid(dice="R", length=0): "XGID, dice: R is a raccoon, which a game under this rule does not have",
    xgid(owner=2, length=0): "XGID, cube owner: expected -1, 0 or 1, not '2'",
    xgid(cube="", length=0): "XGID, cube: expected a whole number from 0 to 24, not ''",
    xgid("A" + "-" * 25, length=0): "XGID, board: 'A' cannot be on the top player's bar (-, a to o)",
}
"""Those of the 411 that cannot be read, with the reason."""
DOUBTED = {
    xgid(length=0) + ":0": BEHIND,
    xgid(cube=1, dice=63, length=0): "XGID: a centered cube of 2, though only automatic doubles turn a centered cube",
    xgid(cube=7, length=0): "XGID: a centered cube of 128, though only automatic doubles turn a centered cube",
}


class TestPublicXgids:
    """411 XGIDs from public pages, twelve of them marked there as invalid."""

    def test_which_are_refused(self):
        refused = {}
        for text in XGIDS:
            try:
                quietly(MatchState.from_xgid, text)
            except GammonError as error:
                refused[text] = str(error)
        assert refused == REFUSED_XGIDS

    def test_which_are_doubtful(self):
        doubts = {}
        for text in XGIDS:
            if text not in REFUSED_XGIDS:
                _, sentences = doubts_of(MatchState.from_xgid, text)
                doubts |= {text: "; ".join(sentences)} if sentences else {}
        responders = [text for text, doubt in doubts.items() if doubt == RESPONDER]
        assert {text: doubt for text, doubt in doubts.items() if doubt != RESPONDER} == DOUBTED
        # a pending double of an owned cube, which only its owner can have made
        assert len(responders) == 11
        for text in responders:
            fields = text.split(":")
            assert (fields[4], int(fields[2])) == ("D", -int(fields[3]))

    def test_those_accepted_are_written_back_equal_in_meaning(self):
        accepted = [text for text in XGIDS if text not in REFUSED_XGIDS]
        assert len(accepted) == 395
        for text in accepted:
            state = quietly(MatchState.from_xgid, text)
            assert quietly(MatchState.from_xgid, state.xgid) == state
            if text not in DOUBTED and text.split(":")[4] != "D":
                assert state.xgid == larger_die_first(text)


class TestWorkedPosition:
    """One match state in every format."""

    XGID = "XGID=a---AAE-C---cC---c-d--Aa-A:1:-1:1:52:3:2:0:7:10"
    GNUBG_ID = "wnNwAAj1OTiACA:QYnqACAAGAAE"
    OGID = "0ccchhhjjjjn:4566666888dddmp:W1N:25:W::2:3:7:0"
    RAW_BOARD = (
        "board:Xavier:Olga:7:3:2:-1:0:0:0:1:1:5:0:3:0:0:0:-3:3:0:0:0:-3:0:-4:0:0:1:-1:0:1:1:5:2:5:2:2:0:1:0:1:-1:0:25"
        ":0:3:0:0:0:0:0:1"
    )
    STATE = MatchState(
        Position.of(
            mine={"bar": 1, 22: 1, 13: 3, 8: 3, 6: 5, 5: 1, 4: 1}, theirs={"bar": 1, 13: 3, 8: 3, 6: 4, 2: 1, "off": 3}
        ),
        WHITE,
        "52",
        cube=Cube(2, BLACK),
        score=(3, 2),
        length=7,
    )

    def test_every_format(self):
        assert self.STATE.xgid == self.XGID
        assert self.STATE.gnubg_id == self.GNUBG_ID
        for text in (self.XGID, self.GNUBG_ID, self.RAW_BOARD):
            assert read(text) == self.STATE
        assert read(self.OGID).swap_players() == self.STATE  # it calls X Black


STARTED = MatchState(Position.start(), WHITE, length=5)
MONEY_STATE = MatchState(Position.start(), WHITE, rules=attrs.evolve(MONEY, beavers=3))
BEAVERED = MatchState(Position.start(), BLACK, rules=attrs.evolve(MONEY, beavers=3)).double().beaver()


class TestEveryPhase:
    """What gnubg 1.07 printed for each phase, and the XGID beside it."""

    @loop.rows(
        ("state", "match_id", "written"),
        (STARTED.double(), "cBGgAAAAAAAE", xgid(dice="D", length=5)),
        (MatchState(Position.start(), WHITE), "cAkAAAAAAAAA", xgid(rule=3, length=0)),
        (MatchState(Position.start(), WHITE, rules=Rules()), "cAkAAAAAAAAE", xgid(length=0)),
        (MatchState(Position.start(), BLACK, length=7, score=(0, 0)), "MAHgAAAAAAAE", xgid(turn=-1)),
        (BEAVERED, "EREAAAAAAAAA", xgid(turn=-1, dice="B", rule=3, length=0)),
        (BEAVERED.take(), "EgEAAAAAAAAA", xgid(cube=2, owner=1, turn=-1, rule=3, length=0)),
        (BEAVERED.beaver(), "EhkAAAAAAAAA", xgid(turn=-1, dice="R", rule=3, length=0)),
    )
    def test_of_a_live_game(self, state, match_id, written):
        assert state.match_id == match_id
        assert state.xgid == written
        assert MatchState.from_xgid(written, state.rules) == state
        assert MatchState.from_gnubg_id(state.gnubg_id, state.rules) == state

    def test_crawford_and_post_crawford(self):
        crawford = MatchState(Position.start(), WHITE, length=7, score=(6, 2))
        assert (crawford.match_id, crawford.xgid) == ("8AngACAAMAAE", xgid(score=(6, 2), rule=1))
        after = attrs.evolve(crawford, crawford=False)
        assert after.xgid == xgid(score=(6, 2))
        for state in (crawford, after):
            assert lost_fields(state, "xgid") == lost_fields(state, "gnubg_id") == ()
            assert MatchState.from_xgid(state.xgid) == MatchState.from_gnubg_id(state.gnubg_id) == state
        assert after.post_crawford

    def test_resignations_that_gnubg_printed(self):
        """An accepted resignation keeps its level; one over a beaver, and a Jacoby rule in a match, are written too."""
        for win, match_id in zip(Win, ("cCOgABAAAAAE", "cEOgACAAAAAE", "cGOgADAAAAAE"), strict=True):
            over = MatchState(Position.start(), WHITE, length=5).resign(win).accept()
            assert over.match_id == match_id
        rules = Rules(beavers=3)
        beavered = MatchState(Position.start(), WHITE, rules=rules).double().beaver().resign(Win.GAMMON, by=BLACK)
        assert beavered.match_id == "QVkAAAAAAAAE"
        assert MatchState.from_gnubg_id(beavered.gnubg_id, rules) == beavered
        assert MatchState(Position.start(), WHITE, length=7, rules=MONEY).match_id.endswith("E")

    def test_a_resignation_hides_the_raccoon(self):
        state = MatchState(Position.start(), WHITE, rules=attrs.evolve(MONEY, beavers=3)).double().beaver().beaver()
        hidden = state.resign()
        assert lost_fields(state, "gnubg_id", state.rules) == ()
        assert lost_fields(hidden, "gnubg_id", state.rules) == ("cube", "offer")
        with pytest.warns(IdentifierWarning, match="the resignation hides how many beavers there were"):
            assert MatchState.from_gnubg_id(hidden.gnubg_id, state.rules).pending_double == Double(WHITE, 8, beavers=1)

    def test_finished_games_are_written_and_not_read(self):
        last = Position.of(mine={1: 1}, theirs={6: 15})
        played = MatchState(last, BLACK, "31", length=5).play("1/off").swap_players()
        dropped = MatchState(Position.start(), WHITE, length=5).double().drop()
        resigned = MatchState(Position.start(), WHITE, length=5).resign(Win.GAMMON).accept()
        # gnubg's own texts of games that ended so
        assert dropped.match_id == "cASgAAAACAAE"
        assert resigned.match_id == "cEOgACAAAAAE"
        game_states = {}
        forfeited = MatchState.new(5).forfeit(BLACK, 2), MatchState(Position.start(), WHITE, length=5).forfeit(WHITE)
        for over in (played, dropped, resigned, *forfeited):
            assert "result" in lost_fields(over, "gnubg_id")
            assert "result" in lost_fields(over, "xgid")
            with wording.raises(IdentifierError, "the text does not give its result") as caught:
                MatchState.from_gnubg_id(over.gnubg_id)
            game_states[over.result.end] = str(caught.value).partition("game state ")[2][0]
        assert game_states == {End.PLAYED: "2", End.RESIGNED: "3", End.DROPPED: "4", End.FORFEITED: "2"}

    def test_before_the_opening_roll(self):
        new = MatchState.new(7)
        assert lost_fields(new, "gnubg_id") == lost_fields(new, "xgid") == ("on_roll",)
        assert MatchState.from_xgid(new.xgid) == MatchState(Position.start(), WHITE, length=7)
        with wording.raises(IdentifierError, "no game in progress"):
            MatchState.from_gnubg_id(new.gnubg_id)

    def test_game_state_0_with_dice_is_a_game(self):
        assert MatchState.from_gnubg_id("4HPwATDgc/ABMA:MICmAAAAAAAE").phase is Phase.TO_PLAY

    def test_gnubg_redoubles_at_once(self):
        """What gnubg 1.07 printed after a double, a beaver, a raccoon, one more, and the take."""
        state = MONEY_STATE.double()
        for match_id in ("cBEAAAAAAAAA", "QRkAAAAAAAAA", "QhEAAAAAAAAA", "QxkAAAAAAAAA"):
            assert state.match_id == match_id
            last, state = state, state.beaver() if state.offer.beavers < 3 else state.take()
        assert (last.offer, state.match_id) == (Double(WHITE, 16, beavers=3), "RAkAAAAAAAAA")

    def test_beavers_beyond_the_raccoon(self):
        """The value on offer and who answers are right, the number of beavers is not."""
        rules = attrs.evolve(MONEY, beavers=5)
        for cube in (Cube(), Cube(4, WHITE)):
            state = MatchState(Position.start(), WHITE, cube=cube, rules=rules).double().beaver().beaver()
            assert lost_fields(state, "xgid", rules) == lost_fields(state, "gnubg_id", rules) == ()
            for _ in range(3):
                state = state.beaver()
                for text in (state.xgid, state.gnubg_id):
                    again = quietly(read, text, rules=rules)
                    assert again.take() == state.take()
                    assert again.to_act == state.to_act
                    assert again.drop().score == state.drop().score
                assert "offer" in lost_fields(state, "xgid", rules)
                assert "offer" in lost_fields(state, "gnubg_id", rules)


class TestRulesOfTheReader:
    """Base rules, and what the text carries over them."""

    def test_defaults(self):
        assert MatchState.from_xgid(xgid()).rules == MatchState.from_gnubg_id("4HPwATDgc/ABMA:cAngAAAAAAAE").rules
        assert MatchState.from_xgid(xgid()).rules == TOURNAMENT
        assert MatchState.from_xgid(xgid(rule=3, length=0)).rules == MONEY

    @loop.rows(
        ("rule", "changes"),
        (0, {"jacoby": False, "beavers": 0}),
        (1, {"jacoby": True, "beavers": 0}),
        (2, {"jacoby": False, "beavers": 1}),
        (3, {"jacoby": True, "beavers": 1}),
    )
    def test_rule_field_of_money_play(self, rule, changes):
        for base in (None, TOURNAMENT, FINNISH):
            expected = attrs.evolve(base or MONEY, **changes)
            assert MatchState.from_xgid(xgid(rule=rule, length=0), base).rules == expected

    def test_more_beavers_than_the_text_can_tell(self):
        rules = attrs.evolve(MONEY, beavers=4)
        assert MatchState.from_xgid(xgid(rule=2, length=0), rules).rules.beavers == 4
        assert MatchState.from_xgid(xgid(rule=1, length=0), rules).rules.beavers == 0

    def test_a_pending_beaver_is_allowed_by_the_rules(self):
        assert MatchState.from_xgid(xgid(dice="R", rule=2, length=0)).rules.beavers == 2
        assert MatchState.from_gnubg_id("4HPwATDgc/ABMA:EhkAAAAAAAAA", Rules()).rules.beavers == 2

    @loop.rows(
        ("max_cube", "changes"),
        (10, {"max_cube": None}),
        (0, {"cube": False}),
        (6, {"max_cube": 64}),
        (1, {"max_cube": 2}),
        (12, {"max_cube": 4096}),
    )
    def test_highest_cube(self, max_cube, changes):
        state = MatchState.from_xgid(xgid(max_cube=max_cube))
        assert state.rules == attrs.evolve(TOURNAMENT, **changes)
        assert state.xgid == xgid(max_cube=max_cube)

    def test_the_text_overrides_the_base(self):
        assert MatchState.from_xgid(xgid(), GAMEDESIRE).rules == attrs.evolve(GAMEDESIRE, max_cube=None)
        assert MatchState.from_xgid(xgid(), PORTES).rules.cube
        assert MatchState.from_xgid(xgid(score=(6, 0), rule=1), FINNISH).rules.crawford
        assert MatchState.from_xgid(xgid(max_cube=0, length=0), BRETTSPIELWELT_SINGLE).rules == BRETTSPIELWELT_SINGLE

    def test_contradictions_with_the_base(self):
        with wording.raises(RulesError, "pip scoring has no cube"):
            MatchState.from_xgid(xgid(length=0), BRETTSPIELWELT_SINGLE)
        for rules in ("tournament", 3):
            with wording.raises(ArgumentError, "rules is Rules or None"):
                MatchState.from_xgid(xgid(), rules)

    def test_jacoby_of_a_match_id_counts_in_money_play_only(self):
        assert MatchState.from_gnubg_id("4HPwATDgc/ABMA:cAkAAAAAAAAA", FINNISH).rules.jacoby
        assert not MatchState.from_gnubg_id("4HPwATDgc/ABMA:cAkAAAAAAAAE").rules.jacoby
        assert MatchState.from_gnubg_id("4HPwATDgc/ABMA:cAngAAAAAAAE", MONEY).rules == MONEY

    @loop.over("start", START_NAMES)
    def test_checkers_are_those_of_the_start(self, start):
        rules = Rules(start=start)
        table = MatchState(Position.start(start), WHITE, length=5, rules=rules)
        for text, form in ((table.xgid, "xgid"), (table.gnubg_id, "gnubg_id")):
            assert read(text, rules) == table
            assert lost_fields(table, form, rules) == ()
            assert write(table, form, strict=True, rules=rules) == text
            if start != "standard":
                with wording.raises(IdentifierError, "rules.start"):
                    write(table, form, strict=True)
        assert read(table.position.id, rules) == table.position

    def test_checkers_that_are_given(self):
        hyper = MatchState(Position.start("hypergammon"), WHITE, length=5)
        for text, form in ((hyper.xgid, "xgid"), (hyper.gnubg_id, "gnubg_id")):
            assert read(text, checkers=3) == hyper
            assert read(text).position.off == 12
            assert lost_fields(hyper, form) == ("position.checkers",)
        assert read(hyper.position.id, checkers=3) == hyper.position
        with wording.raises(ArgumentError, "rules must be a Rules or None, not 3"):
            read(hyper.position.id, 3)
        with wording.raises(PositionError, "15 checkers, but the game has 3"):
            MatchState.from_xgid(xgid(), checkers=3)
        for checkers in (0, "15", 16, True, 2.0):
            for text in (xgid(), hyper.gnubg_id, hyper.position.id):
                with wording.raises(ArgumentError, f"checkers must be a whole number from 1 to 15, not {checkers!r}"):
                    read(text, checkers=checkers)


WRITERS = [form for form, its in FORMS.items() if its.is_listed]


class TestLoss:
    """`lost_fields` is empty exactly if the text says all."""

    @staticmethod
    def survives(state: MatchState, text: str, rules: Rules | None) -> bool:
        try:
            return quietly(read, text, rules=rules) == state
        except GammonError:
            return False

    @staticmethod
    def text(write: Callable[[], str]) -> str:
        """What is written; nothing if a number is too large."""
        try:
            return write()
        except IdentifierError:
            return ""

    @classmethod
    def check(cls, state: MatchState, rules: Rules | None) -> None:
        for form in WRITERS:
            assert cls.survives(state, cls.text(partial(write, state, form)), rules) == (
                not lost_fields(state, form, rules)
            )

    @given(state=tables(), own_rules=st.booleans())
    def test_law(self, state, own_rules):
        self.check(state, state.rules if own_rules else None)

    @given(state=tables())
    def test_strict_writers_refuse_exactly_the_loss(self, state):
        for form in WRITERS:
            left_out = lost_fields(state, form)
            if not left_out:
                assert write(state, form, strict=True) == write(state, form)
            else:
                sentence = f"{FORMS[form].name_in_messages}: the text would lose {', '.join(left_out)}"
                with wording.raises(IdentifierError, sentence):
                    write(state, form, strict=True)

    @given(state=tables())
    def test_what_is_read_is_written_the_same(self, state):
        """Reading and writing once more changes nothing."""
        for form in WRITERS:
            text = self.text(partial(write, state, form))
            if text and not {"on_roll", "result"} & set(lost_fields(state, form)):
                again = quietly(read, text, rules=state.rules, checkers=state.position.checkers)
                assert self.text(partial(write, again, form)) == text

    def test_a_score_that_the_law_does_not_often_meet(self):
        over = MatchState(Position.start(), WHITE, cube=Cube(1 << 15, WHITE)).resign().accept()
        assert self.text(lambda: over.gnubg_id) == ""
        assert lost_fields(over, "gnubg_id") == ("score", "result")

    def test_every_option_that_is_not_carried(self):
        rules = Rules(
            crawford=False, gammons=False, backgammons=False, opening="reroll", start="nackgammon", auto_doubles=1
        )
        state = MatchState(Position.start("nackgammon"), WHITE, length=5, rules=rules)
        names = tuple(f"rules.{name}" for name in "crawford auto_doubles gammons backgammons opening start".split())
        assert lost_fields(state, "xgid") == lost_fields(state, "gnubg_id") == names
        with wording.raises(IdentifierError, f"an XGID cannot carry all of this table: {', '.join(names)}"):
            write(state, "xgid", strict=True)
        capped = MatchState(Position.start(), WHITE, length=5, rules=Rules(max_cube=1024))
        assert lost_fields(capped, "xgid") == lost_fields(capped, "gnubg_id") == ("rules.max_cube",)

    def test_numbers_that_do_not_fit(self):
        """Too large a number is refused, with or without `strict`."""
        large = MatchState(Position.start(), WHITE, cube=Cube(1 << 16, WHITE), score=(32768, 5))
        assert lost_fields(large, "gnubg_id") == ("cube", "score")
        assert lost_fields(large, "xgid") == ()
        for form in ("gnubg_id", "match_id"):
            with wording.raises(IdentifierError, "Match ID, cube: 2^15 is the most that it can hold, not 2^16"):
                write(large, form)
        long = MatchState(Position.start(), WHITE, score=(5, 40000), length=10**6)
        assert lost_fields(long, "gnubg_id") == ("score", "length")
        with wording.raises(IdentifierError, "Match ID, match length: 32767 is the most that it can hold, not 1000000"):
            long.gnubg_id  # noqa: B018
        huge = MatchState(Position.start(), WHITE, score=(10**9, 0)).resign(by=Player.BLACK).accept()
        assert lost_fields(huge, "xgid") == ("score", "result")
        with wording.raises(IdentifierError, "XGID, score: 1000000000 is the most that it can hold, not 1000000001"):
            huge.xgid  # noqa: B018
        beavered = MatchState(Position.start(), WHITE, cube=Cube(1 << 15, WHITE)).double().beaver()
        assert lost_fields(beavered, "gnubg_id") == ("cube", "offer")

    def test_the_largest_numbers(self):
        largest = MatchState(
            Position.start(), WHITE, cube=Cube(1 << 15, WHITE), score=(2**15 - 1, 2**15 - 2), rules=MONEY
        )
        assert lost_fields(largest, "gnubg_id") == ()
        assert lost_fields(MatchState(Position.start(), WHITE, length=2**15 - 1), "gnubg_id") == ()
        largest = attrs.evolve(largest, cube=Cube(1 << 24, WHITE), score=(10**9, 10**9))
        assert lost_fields(largest, "xgid") == ()
        match = MatchState(Position.start(), WHITE, length=10**9, rules=Rules(max_cube=1 << 24))
        assert MatchState.from_xgid(match.xgid) == match
        assert lost_fields(match, "xgid") == ()
        assert lost_fields(attrs.evolve(match, rules=Rules(cube=False)), "xgid") == ()

    @loop.rows("call", lost_fields, write)
    def test_bad_arguments(self, call):
        for rules in (3, "TOURNAMENT", MatchState):
            with pytest.raises(ArgumentError, match="rules must be a Rules"):
                call(STARTED, "xgid", rules=rules)
        with wording.raises(ArgumentError, "state must be a MatchState, not 'XGID'"):
            call("XGID", "xgid")
        for form in ("position_id", "XGID", "", None, 1, ["xgid"], "x" * 10**6):
            with pytest.raises(
                ArgumentError, match=r'^form must be "gnubg_id", "xgid", .*"gnubg_line".*, not '
            ) as caught:
                call(STARTED, form)
            assert len(str(caught.value)) < 200

    @loop.rows(
        ("call", "sentence"),
        (partial(write, STARTED, "xgid", names=("a", "b")), "the form 'xgid' has no names"),
        (partial(write, STARTED, "match_id", strict=True), "the form 'match_id' has neither strict nor rules"),
        (partial(write, STARTED, "match_id", rules=MONEY), "the form 'match_id' has neither strict nor rules"),
        (partial(lost_fields, STARTED, "match_id"), '"bot_line" or "gnubg_line", not \'match_id\''),
        (lambda: read(STARTED.match_id, form="match_id"), '"bot_line" or "gnubg_line", not \'match_id\''),
        (lambda: read(STARTED.xgid, form=7), '"bot_line" or "gnubg_line", not 7'),
        (lambda: read(STARTED.ogid, form="ogid", doubled_turn="responder"), "the form 'ogid' has no doubled_turn"),
    )
    def test_options_that_a_form_lacks(self, call, sentence):
        with pytest.raises(ArgumentError, match=re.escape(sentence)):
            call()

    def test_rules_with_which_the_text_cannot_be_read(self):
        """Reading raises the same error, so the text does not come back."""
        with pytest.raises(RulesError):
            MatchState.from_xgid(STARTED.xgid, BRETTSPIELWELT_SINGLE)
        assert lost_fields(STARTED, "xgid", BRETTSPIELWELT_SINGLE) == ("rules.cube", "rules.scoring")


def match_id_with(**fields: int) -> str:
    """A gnubg ID of the start position whose Match ID has these fields, and otherwise those of a new 7-point match."""
    widths = {
        "cube": 4, "owner": 2, "move": 1, "crawford": 1, "state": 3, "turn": 1, "double": 1, "resigned": 2, "die_1": 3,
        "die_2": 3, "length": 15, "score_0": 15, "score_1": 15, "no_jacoby": 1, "unused": 5,
    }  # fmt: skip
    values = dict.fromkeys(widths, 0) | {"owner": 3, "move": 1, "state": 1, "turn": 1, "length": 7, "no_jacoby": 1}
    values |= fields
    bits = shift = 0
    for name, width in widths.items():
        bits |= values[name] << shift
        shift += width
    return f"4HPwATDgc/ABMA:{b64encode(bits.to_bytes(9, 'little')).decode()}"


class TestBadMatchIds:
    def test_the_new_match_itself(self):
        assert MatchState.from_gnubg_id(match_id_with()) == MatchState(Position.start(), WHITE, length=7)

    @loop.rows(
        ("fields", "sentence"),
        ({"unused": 24}, "unused bits: they are zero, not 11000"),
        ({"state": 5}, "game state: 5 means nothing, it is 0 to 4"),
        ({"state": 0}, "game state: no game in progress (game state 0)"),
        ({"state": 2}, "game state: the game is over (game state 2), and the text does not give its result"),
        ({"die_1": 7, "die_2": 1}, "dice: a die shows 1 to 6, not 7"),
        ({"die_1": 1, "die_2": 7}, "dice: a die shows 1 to 6, not 7"),
        ({"die_1": 3}, "dice: both have been rolled or none, not 3 and 0"),
        ({"die_2": 3}, "dice: both have been rolled or none, not 0 and 3"),
        ({"length": 0, "crawford": 1}, "Crawford: money play has no Crawford game"),
        ({"double": 1, "turn": 1}, "turn: the doubler's opponent answers a double"),
        ({"double": 1, "turn": 0, "owner": 0, "cube": 1, "length": 0}, "cube: 2 is too low after a beaver"),
    )
    def test_fields(self, fields, sentence):
        with wording.raises(IdentifierError, f"Match ID, {sentence}"):
            MatchState.from_gnubg_id(match_id_with(**fields))

    @loop.rows(
        ("fields", "sentence"),
        ({"cube": 0, "owner": 1}, "impossible cube: an owned cube has been turned, so it shows at least 2"),
        ({"crawford": 1}, "a Crawford game needs exactly one side one point from winning, not none"),
    )
    def test_tables_that_cannot_be(self, fields, sentence):
        with wording.raises(MatchStateError, "impossible ") as caught:
            MatchState.from_gnubg_id(match_id_with(**fields))
        assert sentence in str(caught.value)

    @loop.rows("fields", {}, {"die_1": 4, "die_2": 2}, {"cube": 1, "owner": 0}, {"length": 0})
    @loop.rows("move", 0, 1)
    def test_the_turn_of_the_opponent(self, move, fields):
        """GNU Backgammon reads these too: the player on roll decides. With the double bit set it is a double."""
        expected = MatchState.from_gnubg_id(match_id_with(move=move, turn=move, **fields))
        with pytest.warns(IdentifierWarning, match="^Match ID: without an offer the player on roll decides, so the "):
            assert read(match_id_with(move=move, turn=1 - move, **fields)) == expected
        assert expected.gnubg_id == match_id_with(**{"move": move, "turn": move, "no_jacoby": 1} | fields)

    @loop.rows(("text", "normal"), ("MAnqAAAAAAAA", "MAHqAAAAAAAE"), ("cAHqAAAAAAAA", "cAnqAAAAAAAE"))
    def test_what_gnubg_prints_for_it(self, text, normal):
        state = quietly(read, f"wnNwAAj1OTiACA:{text}")
        assert (state.gnubg_id, state.to_act) == (f"wnNwAAj1OTiACA:{normal}", state.on_roll)

    def test_owner_2_is_centered_too(self):
        assert MatchState.from_gnubg_id(match_id_with(owner=2)).cube == Cube()

    @loop.rows(
        ("text", "sentence"),
        ("", "gnubg ID: expected a Position ID, a colon and a Match ID, not ''"),
        ("4HPwATDgc/ABMA", "gnubg ID: expected a Position ID, a colon and a Match ID, not '4HPwATDgc/ABMA'"),
        ("4HPwATDgc/ABMA:cAngAAAAAAA", "Match ID: expected 12 characters, but 'cAngAAAAAAA' has 11"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAÄ", "Match ID: 'Ä' is not a Base64 character"),
        ("4HPwATDgc_ABMA:cAngAAAAAAAE", "Position ID: '_' is not a Base64 character"),
        ("Position ID: 4HPw Match ID: cAngAAAAAAA", "Match ID: expected 12 characters"),
        ("gnubg ID: 4HPw:cAngAAAAAAA", "Match ID: expected 12 characters"),
    )
    def test_texts(self, text, sentence):
        with wording.raises(IdentifierError, sentence):
            MatchState.from_gnubg_id(text)


class TestBadXgids:
    @loop.rows(
        ("text", "sentence"),
        ("", "expected 10 fields with colons between them, not 0"),
        (f"XGID={START}:0:0:1:00:0:0:0:7", "expected 10 fields with colons between them, not 9"),
        (f"XGID={START} 0:0:1:00:0:0:0:7:10", "expected 10 fields with colons between them, not 1"),
        (xgid(START[1:]), f"board: expected 26 characters, but '{START[1:]}' has 25"),
        (xgid("-P" + "-" * 24), "board: 'P' cannot be on the 1 point (-, A to O, a to o)"),
        (xgid("-" * 24 + "p-"), "board: 'p' cannot be on the 24 point (-, A to O, a to o)"),
        (xgid(cube=25), "cube: expected a whole number from 0 to 24, not '25'"),
        (xgid(cube="٣"), "cube: expected a whole number from 0 to 24, not '٣'"),
        (xgid(dice=""), "dice: expected 00, two faces from 1 to 6, D, B or R, not ''"),
        (xgid(dice="d"), "dice: expected 00, two faces from 1 to 6, D, B or R, not 'd'"),
        (xgid(dice="B"), "dice: B is a beaver, which a match does not have"),
        (xgid(rule=2), "rule: expected 0 to 1 in a match, not '2'"),
        (xgid(rule=4, length=0), "rule: expected 0 to 3 in money play, not '4'"),
        (xgid(score=(0, "")), "opponent's score: expected a whole number from 0 to 1000000000, not ''"),
        (xgid(length="9" * 5000), f"length: expected a whole number from 0 to 1000000000, not '{'9' * 39}..."),
        (xgid(max_cube=25), "max cube: expected a whole number from 0 to 24, not '25'"),
    )
    def test_fields(self, text, sentence):
        with wording.raises(IdentifierError, f"XGID, {sentence}"):
            MatchState.from_xgid(text)

    @loop.rows(
        ("text", "sentence"),
        (xgid(owner=1), "a cube that somebody owns has been turned"),
        (xgid(cube=1), "cube of 2 in a match"),
        (xgid(dice="D", score=(6, 0), rule=1), "the Crawford game is played without doubling"),
    )
    def test_tables_that_cannot_be(self, text, sentence):
        with wording.raises(MatchStateError, sentence):
            MatchState.from_xgid(text)

    def test_spellings(self):
        state = MatchState(Position.start(), WHITE, "31", length=7)
        body = xgid(dice="13").removeprefix("XGID=")
        for text in (body, f"xgid={body}", f"  XGID = {body}", f"XGID={body} X to play", f"XGID={body}\n\nX:me"):
            assert MatchState.from_xgid(text) == read(text) == state


class TestDoubts:
    @loop.rows("score", (6, 3), (7, 3))
    def test_the_only_possible_doubler(self, score):
        """The leader's cube is dead after the Crawford game, so the trailer has doubled, whatever the turn is."""
        state = MatchState(Position.start(), BLACK, length=score[0] + 1, score=score, crawford=False).double()
        for turn, doubled_turn, doubt in (
            (-1, "doubler", None),
            (1, "doubler", RESPONDER),
            (1, "responder", None),
            (-1, "responder", DOUBLER),
        ):
            text = xgid(turn=turn, dice="D", score=score, length=score[0] + 1)
            for read_text in (partial(read, form="xgid"), read):
                assert doubts_of(read_text, text, doubled_turn=doubled_turn) == (state, [doubt] * (doubt is not None))

    @pytest.mark.parametrize("doubled_turn", ["doubler", "responder"])
    @loop.rows(
        ("changes", "sentence"),
        ({"score": (6, 6)}, "a double by {}, though the cube is dead"),
        ({"score": (6, 0), "rule": 1}, "a double by {}, though the Crawford game is played wi"),
        ({"max_cube": 0}, "a double by {}, though this game is played without a cube"),
        ({"score": (7, 0)}, "White had won the match to 7 before this game, with 7 points"),
    )
    def test_no_possible_doubler(self, doubled_turn, changes, sentence):
        """The error is that of the reading which was asked for."""
        with pytest.raises(MatchStateError) as caught:
            read(xgid(dice="D", **changes), doubled_turn=doubled_turn)
        player = "White" if doubled_turn == "doubler" else "Black"
        assert str(caught.value).startswith(f"impossible match state: {sentence.format(player)}")

    def test_the_owner_has_doubled(self):
        """Whatever the turn is, and whichever was expected."""
        for offer in "DB":
            for turn, doubled_turn, doubt in (
                (1, "doubler", None),
                (-1, "doubler", RESPONDER),
                (-1, "responder", None),
                (1, "responder", DOUBLER),
            ):
                text = xgid(cube=1, owner=1, turn=turn, dice=offer, rule=2, length=0)
                state, doubts = doubts_of(read, text, doubled_turn=doubled_turn)
                assert (state.offer.by, doubts) == (WHITE, [doubt] * (doubt is not None))

    @given(state=tables(), doubled=st.booleans())
    def test_turn_of_the_responder(self, state, doubled):
        """An XGID whose turn is the responder's reads back with `doubled_turn`; without a double it makes none."""
        if doubled and Action.DOUBLE in state.legal_actions:
            state = state.double()
        if {"on_roll", "result", "offer", "score", "cube"} & set(lost_fields(state, "xgid", state.rules)):
            return
        fields = state.xgid.split(":")
        if state.pending_double is not None:
            fields[3] = str(-int(fields[3]))
        options = {"rules": state.rules, "checkers": state.position.checkers}
        again = quietly(read, ":".join(fields), doubled_turn="responder", **options)
        assert again == quietly(read, state.xgid, **options)
        assert lost_fields(state, "xgid", state.rules) or again == state

    @loop.rows("doubled_turn", None, "taker", ["doubler"], "r" * 10**6)
    def test_no_such_turn(self, doubled_turn):
        for text in (xgid(dice="D"), "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cInlAAAAAAAE"):
            with wording.tells(ArgumentError, "doubled_turn", "doubler", "responder"):
                read(text, doubled_turn=doubled_turn)

    def test_a_centered_cube_is_doubled_by_the_player_on_turn(self):
        for turn, player in ((1, WHITE), (-1, BLACK)):
            assert MatchState.from_xgid(xgid(turn=turn, dice="D")).offer == Double(player, 2)

    def test_automatic_doubles_are_no_doubt_where_the_rules_have_them(self):
        state = MatchState(Position.start(), WHITE, cube=Cube(4), rules=AUTOMATIC)
        for text in (state.xgid, state.gnubg_id):
            assert read(text, rules=AUTOMATIC) == state
            kind = "XGID" if text.startswith("XGID") else "Match ID"
            with pytest.warns(IdentifierWarning, match=f"^{kind}: a centered cube of 4, though only auto"):
                read(text)

    def test_what_stands_behind_the_tenth_field(self):
        doubts = ["XGID: '0:x' after the tenth field is not read"]
        assert doubts_of(read, xgid() + ":0:x") == (MatchState(Position.start(), WHITE, length=7), doubts)


class TestOgid:
    """OpenGammon: White plays from 1 to 24 there, Black from 24 to 1."""

    START = "11jjjjjhhhccccc:ooddddd88866666"
    START_TEXT = "11ccccchhhjjjjj:66666888dddddoo"
    """As it is written."""

    def test_start(self):
        state = MatchState.from_ogid(f"{self.START}:N0N:31:B::0:0:5")
        assert state == MatchState(Position.start(), WHITE, "31", length=5)
        assert MatchState.from_ogid(f"OGID={self.START}:N0N::W") == MatchState(Position.start(), BLACK)

    @loop.rows(("length", "crawford"), ("7", False), ("7C", True), ("7L", False), ("7G3", False), ("7CG12", True))
    def test_crawford(self, length, crawford):
        state = MatchState.from_ogid(f"{self.START}:N0N::B::6:0:{length}")
        assert (state.length, state.score, state.crawford) == (7, (6, 0), crawford)

    def test_checkers(self):
        state = MatchState.from_ogid("123:mno:N0N::W::0:0:3::3")
        assert state.position == Position.start("hypergammon")
        assert MatchState.from_ogid("123:mno:N0N::W::0:0:3::0", checkers=3).position == state.position
        assert MatchState.from_ogid("123qq:mnoqq:N0N::W", checkers=5).position.off == 2
        for text, off in (("123q:mno:N0N::W", "theirs: 1"), ("123:mnoqq:N0N::W", "mine: 2")):
            sentence = f"{off} checkers off, but 12 of 15 are not on the board"
            with wording.raises(PositionError, sentence, problems=PositionProblem.WRONG_NUMBER_OFF):
                MatchState.from_ogid(text)

    def test_rules_and_trailing_text(self):
        state = MatchState.from_ogid(f"{self.START}:N0N::B::6:0:7C after 24/18 13/11", FINNISH)
        assert (state.crawford, state.rules) == (True, attrs.evolve(FINNISH, crawford=True))
        for rules in (FINNISH, TOURNAMENT):
            assert not MatchState.from_ogid(f"{self.START}:W1N::B::6:0:7", rules).crawford
        for length in ("5L", "0L"):  # the last game of a match, whatever the score
            assert MatchState.from_ogid(f"{self.START}:N0N::B:C:0:0:{length}:1").length == (int(length[0]) or None)

    def test_cube_and_pending_doubles(self):
        """COLOR has made a double, unless only the opponent can have."""
        assert MatchState.from_ogid(f"{self.START}:B2N::W").cube == Cube(4, BLACK)
        assert MatchState.from_ogid(f"{self.START}:W1T::W").cube == Cube(2, WHITE)
        assert MatchState.from_ogid(f"{self.START}:B1O::B").offer == Double(BLACK, 4)
        state = MatchState.from_ogid(f"{self.START}:N0O::W")
        assert (state.offer, state.to_act) == (Double(WHITE, 2), BLACK)
        only = "^OGID: the double is read as made by the opponent of COLOR, who cannot have doubled$"
        for text, offer in (("N0O::W::6:0:7L", Double(BLACK, 2)), ("B1O::W", Double(BLACK, 4))):
            with pytest.warns(IdentifierWarning, match=only):
                assert MatchState.from_ogid(f"{self.START}:{text}").offer == offer

    @loop.rows(
        ("text", "doubt"),
        (":N0N::W:FB:0:0:1:0", "STATE 'FB' is not read"),
        (":N0N:31:W:C:0:0:1:0", "STATE 'C' is not read: CUBE and DICE say otherwise"),
        (":N0O::W:IW:0:0:3:0", "STATE 'IW' is not read: CUBE and DICE say otherwise"),
        (":D0N::W", "the cube's owner 'D' is read as a centered cube"),
        (":?0N::W", "the cube's owner '?' is read as a centered cube"),
    )
    def test_doubts(self, text, doubt):
        assert doubts_of(read, self.START + text)[1] == [f"OGID: {doubt}"]

    @loop.rows(
        ("text", "sentence"),
        ("11:oo:N0N:", "OGID: expected 5 to 11 fields with colons between them, not 4"),
        ("1:o:N0N::W" + ":" * 7, "OGID: expected 5 to 11 fields with colons between them, not 12"),
        ("1:o:N0N::X", "OGID, COLOR: expected W or B, for the player on roll, not 'X'"),
        ("1r:o:N0N::W", "OGID, P1: a checker of this side cannot be on 'r'"),
        ("1:0:N0N::W", "OGID, P2: a checker of this side cannot be on '0'"),
        ("1:o:N0::W", "OGID, CUBE: expected owner, exponent and action (as in W1N), not 'N0'"),
        ("1:o:N999N::W", "OGID, CUBE: expected owner, exponent and action (as in W1N), not 'N999N'"),
        ("1:o:W1P::W", "OGID, CUBE: the game is over by a drop (P), and the text does not give its result"),
        ("1:o:D2N::W", "OGID, CUBE: the owner of a cube of 4 is unknown (D)"),
        ("1:o:N0N:07:W", "OGID, DICE: expected two faces from 1 to 6 or nothing, not '07'"),
        ("1:o:N0N::W::x:0:3", "OGID, S1: expected a whole number from 0 to 1000000000, not 'x'"),
        ("1:o:N0N::W::0:-1:3", "OGID, S2: expected a whole number from 0 to 1000000000, not '-1'"),
        ("1:o:N0N::W:G:0:0:3", "OGID, STATE: the game is over (G), and the text does not give its result"),
        ("1:o:N0N::W::0:0:7C3", "OGID, LEN: expected a whole number with C, L or G behind it, not '7C3'"),
        ("1:o:N0N::W::0:0:3::z", "OGID, N: expected a whole number from 0 to 1000000000, not 'z'"),
    )
    def test_bad_fields(self, text, sentence):
        with wording.raises(IdentifierError, sentence):
            MatchState.from_ogid(text)

    def test_an_impossible_table(self):
        with wording.raises(MatchStateError, "White had won the match to 3"):
            MatchState.from_ogid(f"{self.START}:N0N::W::3:0:3")
        for length in ("3C", "0C"):
            with wording.raises(MatchStateError, "a Crawford game"):
                MatchState.from_ogid(f"{self.START}:N0N::W::1:0:{length}")

    def test_before_and_after_a_game(self):
        """STATE says so; without dice, IW is White about to roll, whatever COLOR is."""
        new = MatchState.new(5)
        assert (new.ogid, lost_fields(new, "ogid")) == (f"{self.START_TEXT}:N0N::B:IB:0:0:5:0", ())
        for color in "WB":
            assert read(f"{self.START}:N0N::{color}:IB:0:0:5:0") == new
            assert read(f"{self.START}:N0N::{color}:IW:0:0:5:0") == STARTED
        for over, cube in ((STARTED.resign().accept(), "N0N"), (STARTED.double().drop(), "N0P")):
            assert over.ogid.split(":")[2:6] == [cube, "", "B", "G"]
            assert lost_fields(over, "ogid") == ("result",)
            with wording.raises(IdentifierError, "the text does not give its result"):
                read(over.ogid)

    def test_a_beaver_is_written_as_taken(self):
        """There is no letter for it."""
        assert lost_fields(BEAVERED, "ogid", BEAVERED.rules) == ("cube", "offer")
        assert BEAVERED.resign().ogid == BEAVERED.ogid == BEAVERED.take().ogid

    def test_the_largest_numbers(self):
        largest = attrs.evolve(MONEY_STATE, cube=Cube(1 << 24, WHITE), score=(10**9, 10**9))
        match = MatchState(Position.start(), WHITE, length=10**9, rules=Rules())
        for state in (largest, match):
            assert MatchState.from_ogid(write(state, "ogid", strict=True, rules=state.rules), state.rules) == state
        huge = largest.resign(by=BLACK).accept()
        assert lost_fields(huge, "ogid", huge.rules) == ("score", "result")
        with wording.raises(IdentifierError, "OGID, S1: 1000000000 is the most that it can hold, not 1016777216"):
            huge.ogid  # noqa: B018


def as_written(text: str) -> str:
    """An OGID of another program as the library writes it: without a move number, and no longer just after a take."""
    fields = text.split(":")
    fields[2] = fields[2].replace("T", "N")
    fields[5] = {"A": "C"}.get(fields[5], fields[5])
    fields[9] = "0"
    return ":".join(fields)


class TestOgidsOfOthers:
    """Texts of libogxm, the reference implementation, and of GammonView."""

    @loop.over("row", table(DATA / "ogids.tsv"), ids=lambda row: row["ogid"])
    def test_recorded(self, row):
        state = MatchState.from_xgid(row["xgid"])
        assert MatchState.from_ogid(row["ogid"], state.rules) == read(row["ogid"], state.rules) == state
        assert state.ogid == as_written(row["ogid"])

    def test_after_a_take(self):
        text = "11ccccchhhjjjjj:66666888ddddddo:B1T::B:A:0:0:0:1"
        state = MatchState.from_ogid(text)
        assert (state.cube, state.phase, state.on_roll) == (Cube(2, BLACK), Phase.TO_ROLL, WHITE)
        assert state.ogid == as_written(text)


RAW_MATCH = MatchState(Position.start(), WHITE, length=7)
RAW_MONEY = MatchState(Position.start(), WHITE, rules=attrs.evolve(MONEY, beavers=3))


class TestFibsBoard:
    """The example of FIBS' documentation with fields changed, and raw boards that gnubg 1.07 printed."""

    FIELDS = {
        "length": 2, "score": 3, "opponent_score": 4, "at_0": 5, "at_1": 6, "at_24": 29, "at_25": 30,
        "turn": 31, "die": 32,
        "die_2": 33, "opponent_die": 34, "opponent_die_2": 35, "cube": 36, "may": 37, "opponent_may": 38,
        "doubled": 39, "color": 40, "direction": 41, "home": 42, "bar": 43, "off": 44, "opponent_off": 45,
        "on_bar": 46, "opponent_on_bar": 47, "can_move": 48, "forced": 49, "did_crawford": 50, "redoubles": 51,
    }  # fmt: skip
    NO_DICE = {"die": 0, "die_2": 0}

    def line(self, **changes) -> str:
        fields = FIBS_BOARD.removeprefix("board:").split(":")
        for name, value in changes.items():
            fields[self.FIELDS[name]] = str(value)
        return "board:" + ":".join(fields)

    def test_example(self):
        state = MatchState(Position.start(), WHITE, "62", score=(0, 1), length=3)
        assert read_board(FIBS_BOARD) == read(f" {FIBS_BOARD}\n") == state
        assert write(state, "fibs_board", names=("You", "someplayer")) == FIBS_BOARD

    def test_the_other_color_and_direction(self):
        """X moves the other way: the board is mirrored, its signs too."""
        fields = FIBS_BOARD.split(":")
        board = fields[6:32]
        for color, direction in ((-1, -1), (1, 1), (-1, 1)):
            turned = board[::-1] if direction == 1 else board
            signed = [str(color * int(count)) for count in turned]
            home, bar = (0, 25) if direction == -1 else (25, 0)
            signs = map(str, (color, direction, home, bar))
            line = ":".join([*fields[:6], *signed, str(color), *fields[33:41], *signs, *fields[45:]])
            assert read_board(line) == read_board(FIBS_BOARD)

    @loop.rows(
        ("state", "written"),
        (MatchState.new(7), {"turn": 0, "length": 7}),
        (RAW_MONEY.swap_players().double().beaver(), {"doubled": 1, "may": 0, "opponent_may": 0, "length": 9999}),
        (RAW_MATCH.double(), {"doubled": 0, "may": 0, "opponent_may": 0, "turn": 1, "redoubles": 0}),
        (RAW_MATCH.roll("33"), {"turn": 1, "can_move": 4}),
        (RAW_MATCH.swap_players().roll("33"), {"turn": -1, "can_move": 0}),
        (attrs.evolve(RAW_MATCH, score=(6, 0)), {"did_crawford": 1}),
        (attrs.evolve(RAW_MATCH, score=(6, 0), crawford=True), {"did_crawford": 0}),
        (attrs.evolve(RAW_MATCH, length=1), {"did_crawford": 0}),
    )
    def test_written(self, state, written):
        fields = write(state, "fibs_board").removeprefix("board:").split(":")
        assert {name: int(fields[self.FIELDS[name]]) for name in written} == written

    def test_money_play_and_cube(self):
        for length in (0, 9999):
            state = read_board(self.line(length=length))
            assert (state.length, state.rules) == (None, MONEY)
        assert read_board(self.line(cube=2, opponent_may=0)).cube == Cube(2, WHITE)
        assert read_board(self.line(cube=2, may=0, length=7)).cube == Cube(2, BLACK)

    @loop.rows(
        ("changes", "double"),
        ({"may": 0, "opponent_may": 0, "doubled": 1, "turn": -1}, Double(BLACK, 2)),
        ({"may": 0, "opponent_may": 0, "doubled": 1}, Double(BLACK, 2)),
        ({"may": 0, "opponent_may": 0}, Double(WHITE, 2)),
        ({"may": 0, "opponent_may": 0, "cube": 2}, Double(WHITE, 4)),
        ({"doubled": 1}, Double(WHITE, 2)),
        ({"doubled": -1, "turn": -1}, Double(BLACK, 2)),
        ({"doubled": 1, "cube": 2, "opponent_may": 0}, Double(WHITE, 4)),
        ({"may": 0, "opponent_may": 0, "score": 5, "opponent_score": 6}, Double(WHITE, 2)),
        ({"may": 0, "opponent_may": 0, "doubled": 1, "score": 6, "opponent_score": 0}, Double(BLACK, 2)),
    )
    def test_pending_doubles(self, changes, double):
        """FIBS takes the right to double from both; gnubg goes on naming the owner, and the turn is the doubler's."""
        state = read_board(self.line(length=7, **self.NO_DICE, **changes))
        assert state.offer == double
        assert state.on_roll is double.by

    @loop.rows(
        ("changes", "crawford"),
        ({"score": 2, "opponent_score": 0}, True),
        ({"score": 2, "opponent_score": 0, "did_crawford": 1}, False),
        ({"score": 2, "opponent_score": 0, "redoubles": 3}, False),
        ({"score": 2, "opponent_score": 0, "cube": 2, "may": 0}, False),
        ({"score": 2, "opponent_score": 2}, False),
        ({"score": 1, "opponent_score": 0}, False),
    )
    def test_crawford_is_deduced(self, changes, crawford):
        assert read_board(self.line(**changes)).crawford is crawford

    def test_a_doubtful_crawford_game(self):
        with pytest.warns(IdentifierWarning, match="FIBS board: did Crawford is 0 at one point from winning, so it is"):
            assert read_board(self.line(score=2, opponent_score=0, redoubles=1)).crawford

    @loop.rows(
        ("start", "end", "state"),
        ("7:0:0", "1:0:0:0:0:1:1:1:0#0:1", RAW_MATCH),
        ("7:0:0", "1:0:0:0:0:1:1:1:1#0:1", RAW_MATCH.double()),
        ("7:0:0", "1:0:0:0:0:2:0:1:0#0:1", RAW_MATCH.double().take()),
        ("7:6:0", "1:0:0:0:0:1:1:1:0#0:0", attrs.evolve(RAW_MATCH, score=(6, 0), crawford=True)),
        ("7:6:0", "1:0:0:0:0:1:1:1:0#1:1", attrs.evolve(RAW_MATCH, score=(6, 0))),
        ("0:0:0", "1:4:1:4:1:1:1:1:0#0:1", RAW_MONEY.roll("41")),
        ("0:0:0", "-1:4:1:4:1:1:1:1:0#0:1", RAW_MONEY.swap_players().roll("41")),
        ("0:6:0", "1:0:0:0:0:2:1:0:0#0:1", attrs.evolve(RAW_MONEY, cube=Cube(2, WHITE), score=(6, 0))),
        ("0:0:0", "1:0:0:0:0:1:1:1:1#0:1", RAW_MONEY.double()),
        ("0:0:0", "1:0:0:0:0:2:0:1:-1#0:1", RAW_MONEY.double().beaver()),
        ("0:0:0", "1:0:0:0:0:4:0:1:1#0:1", RAW_MONEY.double().beaver().beaver()),
        ("0:0:0", "-1:0:0:0:0:1:1:1:-1#0:1", RAW_MONEY.swap_players().double()),
        ("0:0:0", "-1:0:0:0:0:2:1:0:1#0:1", RAW_MONEY.swap_players().double().beaver()),
        ("0:0:0", "-1:0:0:0:0:4:1:0:-1#0:1", RAW_MONEY.swap_players().double().beaver().beaver()),
        ("0:0:0", "1:0:0:0:0:8:0:1:-1#0:1", attrs.evolve(RAW_MONEY, cube=Cube(4, WHITE)).double().beaver()),
        ("0:0:0", "-1:0:0:0:0:8:1:0:0#0:1", RAW_MONEY.swap_players().double().beaver().beaver().take()),
    )
    def test_raw_boards_of_gnubg(self, start, end, state):
        board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
        line = f"board:root:gnubg:{start}:{board}:{end.replace('#', ':1:-1:0:25:0:0:0:0:0:0:')}"
        assert read_board(line, state.rules) == state

    def test_checkers_on_the_bars(self):
        changes = {"at_25": 1, "at_24": 1, "on_bar": 1, "at_0": -1, "at_1": -1, "opponent_on_bar": 1}
        state = read_board(self.line(**changes))
        assert state.view(WHITE).points[25] == state.view(BLACK).points[25] == 1

    def test_a_double_of_a_cube_that_automatic_doubles_have_turned(self):
        line = self.line(length=0, cube=2, doubled=1, **self.NO_DICE)
        assert read_board(line, AUTOMATIC).offer == Double(WHITE, 4)

    def test_dice_are_those_of_the_player_on_roll(self):
        line = self.line(turn=-1, opponent_die=6, opponent_die_2=2)
        assert read_board(line).dice == Dice(6, 2)
        for changes in ({"turn": -1}, {"turn": -1, "opponent_die": 4, "opponent_die_2": 1}):
            with wording.raises(IdentifierError, "of the player who is not on roll"):
                read_board(self.line(**changes))

    def test_rules_without_a_crawford_game(self):
        """It is deduced only where the rules have one."""
        for rules, crawford in ((None, True), (FINNISH, False)):
            state = read_board(self.line(score=2, opponent_score=0), rules)
            assert (state.crawford, state.rules) == (crawford, rules or TOURNAMENT)

    @loop.rows(
        ("changes", "sentence"),
        ({"can_move": 5}, "can move: expected a whole number from 0 to 4, not '5'"),
        ({"forced": "x"}, "forced move: expected a whole number from -1000000000 to 1000000000, not 'x'"),
        ({"forced": "0 and a message"}, "forced move: expected a whole number, not '0 and a message'"),
        ({"did_crawford": 2}, "did Crawford: expected 0 or 1, not '2'"),
        ({"length": 9999999999}, "match length: expected a whole number from 0 to 1000000000, not '9999999999'"),
        ({"doubled": -1, "cube": 2, "turn": -1, "opponent_may": 0, **NO_DICE}, "cube: 2 is too low after a beaver"),
        ({"turn": 0}, "turn: the game is over (0), and the text does not give its result"),
        ({"color": 0}, "color: expected -1 or 1, not '0'"),
        ({"direction": 5}, "direction: expected -1 or 1, not '5'"),
        ({"doubled": 2}, "was doubled: expected -1, 0 or 1, not '2'"),
        ({"may": 2}, "player may double: expected 0 or 1, not '2'"),
        ({"home": 25, "bar": 0}, "home and bar: 0 and 25 belong to direction -1, not 25 and 0"),
        ({"at_24": ""}, "board at 24: expected a whole number from -99 to 99, not ''"),
        ({"on_bar": 1}, "player's checkers on the bar: 1, while the board shows 0"),
        ({"at_0": 1}, "board: checkers of a side on the bar of the other"),
        ({"at_25": -1}, "board: checkers of a side on the bar of the other"),
        ({"die": 7}, "dice: expected two faces from 1 to 6, or 0 and 0, not (7, 2)"),
        ({"cube": 3}, "cube: 3 is not a power of two"),
    )
    def test_bad_fields(self, changes, sentence):
        with wording.raises(IdentifierError, f"FIBS board, {sentence}"):
            read_board(self.line(**changes))

    @loop.rows(
        ("text", "sentence"),
        ("boards", "expected a string that begins with 'board:', not 'boards'"),
        (FIBS_BOARD + ":0", "expected 52 fields behind 'board:', not 53"),
        (FIBS_BOARD + ": 0", "expected 52 fields behind 'board:', not 53"),
        ("board: and nothing else", "expected 52 fields behind 'board:', not 1"),
    )
    def test_texts(self, text, sentence):
        with wording.raises(IdentifierError, f"FIBS board: {sentence}"):
            read_board(text)

    def test_forced_move_is_any_number(self):
        for number in (-1, 2, 5, 10**9):
            assert read_board(self.line(forced=number)) == read_board(FIBS_BOARD)

    @loop.rows("message", " bob moves 8-4 8-3 .", "\r\nann: gg: 1:2:3", "  ", " :-)", "\t0")
    def test_a_message_behind_the_last_field(self, message):
        """FIBS sends both in one line."""
        assert read_board(FIBS_BOARD + message) == read(FIBS_BOARD + message) == read(FIBS_BOARD)

    def test_recorded_boards_follow_one_another(self):
        """Each is what a legal play makes of the one before, or a roll, a take or the next game."""
        states = [read(line) for line in RECORDED_BOARDS]
        seen = Counter()
        for number, (before, after) in enumerate(pairwise(states), 1):
            after_roll = attrs.evolve(after, dice=None)
            if before.score != after.score:
                assert after.position == Position.start(), number
                seen["next game"] += 1
            elif before.dice is not None:
                assert after_roll in [before.play(play) for play in before.legal_plays], number
                seen["play"] += 1
            elif before == after_roll:
                seen["roll"] += 1
            else:
                assert after_roll == before.double().take(), number
                seen["take"] += 1
        assert seen == {"play": 103, "roll": 93, "take": 2, "next game": 1}

    def test_checkers_off_must_fit(self):
        with wording.raises(PositionError, "theirs: 2 checkers off, but 0 of 15 are not on the board"):
            read_board(self.line(opponent_off=2))


READERS = {
    "identifier": read,
    "Position ID": Position.from_id,
    "gnubg ID": MatchState.from_gnubg_id,
    "XGID": MatchState.from_xgid,
    "OGID": MatchState.from_ogid,
    "FIBS board": read_board,
    "gnubg line": partial(read, form="gnubg_line"),
    "bot line": partial(read, form="bot_line"),
}


class TestRead:
    """One reader for anything that a person pastes."""

    @loop.over(
        "text", ["4HPwATDgc/ABMA", "Position ID: 4HPwATDgc/ABMA", "4HPwATDgc/ABMA==", "Position-ID : 4HPwATDgc/ABMA"]
    )
    def test_position_id(self, text):
        assert read(text) == Position.start()

    @loop.rows(
        ("text", "sentence"),
        ("", "'' is not a Position ID, gnubg ID, XGID, OGID or FIBS board"),
        ("nonsense", "'nonsense' is not a Position ID, gnubg ID, XGID, OGID or FIBS board"),
        ("Match ID : cAkAAAAAAAAA", "a Match ID alone has no board: put the Position ID and a colon before it"),
        ("Position-ID: 4HPwATDgc/ABM", "Position ID: expected 14 characters, but '4HPwATDgc/ABM' has 13"),
        ("4HPwATDPosition ID:gc", "'4HPwATDPosition ID:gc' is not a Position ID, gnubg ID, XGID, OGID or FIBS board"),
        (
            "Po\u017fition ID: 4HPwATDgc/ABMA",
            "'Poſition ID: 4HPwATDgc/ABMA' is not a Position ID, XGID, OGID, gnubg ID",
        ),
        ("board:a:b", "FIBS board: expected 52 fields behind 'board:', not 2"),
    )
    def test_what_is_none(self, text, sentence):
        with wording.raises(IdentifierError, sentence):
            read(text)

    @loop.over(("name", "read_text"), READERS.items())
    def test_no_text(self, name, read_text):
        for nothing in (None, 7, b"XGID=", ["XGID="]):
            with wording.raises(IdentifierError, f"{name}: expected a string, not {nothing!r}"):
                read_text(nothing)

    @loop.rows("text", "A" * 10**6, "Position ID:" * 10**5, "XGID=" + "-" * 10**6, " \n" * 10**6)
    def test_long_texts(self, text):
        """Every reader refuses them before any work."""
        for name, read_text in READERS.items():
            with wording.raises(IdentifierError, f"{name}: the text has {len(text):,} characters, more than 10,000"):
                read_text(text)

    @loop.rows("text", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cInlAAAAAAAE", xgid(dice="31"))
    def test_the_longest_texts(self, text):
        """Blanks, and text after the identifier, count too."""
        page = text + " and so on" * 1000 if ":" in text else text + " " * 10_000
        assert read(page[:10_000]) == read(text)
        with wording.raises(IdentifierError, "identifier: at most 10,000 characters are read"):
            read(page[:10_001])

    @loop.rows(
        "text",
        *("4HPwATDgc/ABMA " * 666, "A" + " " * 9998 + "x", "A" * 10_000, ": " * 5000, "board:" * 1666),
        *("Position ID:" * 833, "Position ID" + " " * 9989, "Position ID: A" + " Match ID" * 1000, "GNUbg ID " * 999),
        *("<a " * 3333, "[b=" * 3333, f"<a {'XGID=' * 1990}>", "%25" * 3333, "&amp;" * 1999 + "x", "&#0000" * 1600),
        *("XGID" + "(" * 9990, ("XGID=" + "-" * 59) * 150, ("-" * 26 + ":") * 370, (START + ":0" * 8 + ":") * 200),
        *("Match ID: cInlAAAAAAAE " * 430, "Match ID=x " * 900, "PosID|" * 1600, "4HPwATDgc/ABMA:cInlAAAAAAAE " * 350),
        *("board:" + "-" * 9990, ("board:" + "-" * 250 + ":") * 38, "-" * 26 + " : " * 3300, ("-" * 26 + ":0") * 350),
        *("\u2013" * 10_000, "board: a : b : " * 650, ("board:" + "x" * 250 + ":" + "y" * 250 + ":") * 19),
        *("Match" + "- " * 4990, "XGID=" + "-" * 9995, "1" * 9990 + ":1:1:1:1", "(" * 10_000, xgid() + ")" * 9900),
    )
    def test_texts_built_to_take_long(self, text):
        for read_text in READERS.values():
            begun = time.process_time()
            with suppress(GammonError):
                quietly(read_text, text)
            assert time.process_time() - begun < 0.1  # a square of 10,000 steps takes a second and more


WIDE = {ord(" "): 0x3000} | {sign: sign + 0xFEE0 for sign in range(ord("!"), 0x7F)}
PASTED = {
    "XGID": xgid(dice="31").removeprefix("XGID="),
    "OGID": "11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:IB:0:0:7:0",
    "GNUID": "4HPwATDgc/ABMA:cInlAAAAAAAE",
    "Position ID": "4HPwATDgc/ABMA",
}
"""One identifier of each form, by its label."""
BY_LETTER = dict(zip("PM", PASTED["GNUID"].split(":"), strict=True))
OTHER_LABELS = {
    "XGID": ["xgid", "Xgid"],
    "OGID": ["ogid"],
    "GNUID": ["GNUBGID", "GNUbg ID", "GNU ID", "gnu-id", "GNU Backgammon ID"],
    "Position ID": ["PositionID", "position-id", "Pos ID", "GNU Backgammon  Position ID"],
}


class TestAsPasted:
    """Labels, quotes, Markdown, and the signs that programs put in the place of others."""

    @loop.over("label", [*PASTED])
    def test_around_an_identifier(self, label):
        bare = PASTED[label]
        for text in (bare, f"{label}: {bare}"):
            for spelling in (
                f"({text})", f"<{text}>", f" [{text}] ", f'"{text}"', f"`{text}`", f"**{text}**", f"_{text}_",
                f"\u201c{text}\u201d", f"\u201e{text}\u201f", f"\u00ab\u00a0{text}\u00a0\u00bb",
                f"> {text}", f"```\n{text}\n```",
                f"{text}.", f"{text},", f"{text};", f"{text}?", f"{text}!", f"({text}).", f"**{text}**!",
                f"\ufeff{text}", f"{text}\u200b", f"\u3000{text}\u3000",
            ):  # fmt: skip
                assert read(spelling) == read(text) == read(bare), spelling

    @loop.over("label", [*PASTED])
    def test_labels(self, label):
        bare = PASTED[label]
        for name in (label, label.lower(), *OTHER_LABELS[label]):
            for sign in ("=", ":", ": ", " = ", " : ", " ", ":\n", "\uff1a"):
                assert read(name + sign + bare) == read(bare), name + sign
            for text in (f"**{name}:** {bare}", f"{name}: `{bare}`", f"**{name}**: {bare}", f'{name}="{bare}"'):
                assert read(text) == read(bare), text

    @loop.over("row", json_rows("pasted-identifiers.jsonl"), ids=lambda row: row["way"])
    def test_ways_in_which_it_was_shown(self, row):
        assert read(row["text"]) == read(PASTED["XGID"])

    @loop.over("label", [*PASTED])
    def test_on_pages(self, label):
        """With tags and codes, in addresses, and among words, which may be of any form."""
        bare = PASTED[label]
        own = {"XGID": "XGID", "OGID": "OGID", "GNUID": "gnubg ID", "Position ID": "Position ID"}[label]
        text = f"{label}={bare}"
        for shown in (
            f"<p>{text}</p>", f"<div data-theme-position>{text}</div>", f"<p class='a b'>Look:<br/>{text}</p>",
            f"<b>{label}:</b> <code>{bare}</code>", f"[code]{text}[/code]", f"[xgid]{bare}[/xgid]", f"<p>{bare}</p>",
            f"[quote=Ann Lee][b]{label}[/b]: {bare}[/quote]", f"<bg-position-image a=1>{bare}</bg-position-image>",
            f"https://example.org/show?{text}", f"https://example.org/show?page=2&amp;{text}&colors=red#top",
            f"https://example.org/show?{quote(label)}={quote(bare, safe='')}&page=2", quote(quote(text)),
            f'<a href="https://example.org/?{text}">here</a>', f"[here](https://example.org/?{text})",
            f"[url=https://example.org/?{text}]here[/url]", escape(f'<i title="{text}">'),
            "".join(f"&#{ord(sign)};" for sign in text), "".join(f"&#x{ord(sign):02X};" for sign in text),
            text.replace("=", "&equals;").replace(":", "&colon;").replace("-", "&amp;#45;"),
            f"Black to play, {text}, what now?", f"What about {text} here?", f"Ann: {text}; Bob: no.",
            json.dumps({"id": text, "page": 2}), json.dumps({label: bare, "page": 2}, separators=(",", ":")),
            f"({text}) -> 8/5",
        ):  # fmt: skip
            assert read(shown) == READERS[own](shown) == read(bare), shown

    def test_forms_that_show_themselves(self):
        """Without a label, among words."""
        for bare in (PASTED["XGID"], PASTED["OGID"], PASTED["GNUID"], FIBS_BOARD):
            for shown in (f"Look: {bare} here.", f"<p>{bare}</p> or not", f"https://example.org/?id={bare}&page=2"):
                assert read(shown) == read(bare), shown

    def test_blanks_around_the_colons_of_an_xgid(self):
        text = xgid(dice="31")
        for blanks in (" :", ": ", " : ", "\n:"):
            assert read(text.replace(":", blanks)) == read(text)
        assert read(text + " : and so on") == read(text)

    @loop.rows(
        ("form", "first", "second"),
        ("xgid", xgid(dice="31"), xgid(dice="32")),
        ("xgid", xgid(dice="31"), xgid(dice="31", length=5).removeprefix("XGID=")),
        ("ogid", PASTED["OGID"], PASTED["OGID"].replace(":13:", ":23:")),
        ("gnubg_id", PASTED["GNUID"], "4HPwATDgc/ABMA:cAkAAAAAAAAA".replace("4HPw", "wHPw")),
        ("gnubg_id", "Position ID: 4HPwATDgc/ABMA Match ID: cInlAAAAAAAE", "Position ID: wHPwATDgc/ABMA"),
        ("gnubg_id", PASTED["GNUID"], "4HPwATDgc/ABMA:cAkAAAAAAAAA"),
        ("gnubg_id", PASTED["GNUID"], "Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA"),
        ("gnubg_id", '"4HPwATDgc/ABMA": "cInlAAAAAAAE"', "Match ID: cAkAAAAAAAAA"),
        ("fibs_board", FIBS_BOARD, FIBS_BOARD.replace(":6:2:", ":6:1:")),
    )
    def test_several(self, form, first, second):
        """Nobody can know which one is meant; the same one again is no doubt."""
        for between in (" ", "\n", " or, better, ", "</p><p>"):
            with wording.tells(IdentifierError, "the text has several that differ", "and"):
                read(first + between + second)
            with wording.tells(IdentifierError, "the text has several that differ"):
                read(first + between + second, form=form)
            assert read(first + between + first) == read(first)
        assert read(f'<a href="/?{first}">{first}</a>') == read(first)

    def test_a_match_id_in_brackets_is_no_tag(self):
        """It has 12 characters, and the longest names of tags 10."""
        for around in (
            "Position ID <P> Match ID <M>", "Position ID: [P], Match ID: [M]", "Position ID: [P] Match ID: [M]",
            "P:[M]", "P:<M>", "<P>:<M>", "[P]:[M]", "[P:M]", "`P`:`M`", '"P":"M"',
            "[b]P[/b]:[b]M[/b]", "<blockquote>P</blockquote>:<figcaption>M</figcaption>",
        ):  # fmt: skip
            text = re.sub(r"\b[PM]\b", lambda sign: BY_LETTER[sign[0]], around)
            assert read(text) == MatchState.from_gnubg_id(text) == read(PASTED["GNUID"]), text

    def test_a_match_id_that_stands_apart(self):
        """It is joined with the Position ID, whatever is between them."""
        for around in (
            "Match ID: M Position ID: P", "Match ID: M\nPosition ID: P", '{"matchId":"M","positionId":"P"}',
            '{"position_id": "P", "score": [0, 0], "match_id": "M"}', "position_id=P&match_id=M", "matchid=M&posid=P",
            "https://x.org/?posid=P&x=1&matchid=M", "| Position ID | P |\n| Match ID | M |", "gnubg_id=P:M",
            "Position ID: P, score 0-0, Match ID: M", "P - Match ID: M", "P | Match ID: M",
            "P<br>Cube: 1<br>Match ID: M", "Position ID: P, in full P:M", "GNU_BG_ID: P; its Match ID M.",
            "[posid=P] [matchid=M]", "<i title='Match ID: M'>Position ID: P</i>",
        ):  # fmt: skip
            text = re.sub(r"\b[PM]\b", lambda sign: BY_LETTER[sign[0]], around)
            assert read(text) == MatchState.from_gnubg_id(text) == read(PASTED["GNUID"]), text

    def test_a_match_id_apart_that_is_wrong_or_several(self):
        board = "Position ID: 4HPwATDgc/ABMA, score 0-0,"
        with wording.raises(IdentifierError, "Match ID: expected 12 characters, but 'cInlAAAAAA' has 10"):
            read(f"{board} Match ID: cInlAAAAAA")
        with wording.tells(IdentifierError, "Match ID", "several", "cInlAAAAAAAE", "cAkAAAAAAAAA"):
            read(f"{board} Match ID: cInlAAAAAAAE or Match ID: cAkAAAAAAAAA")
        with wording.tells(IdentifierError, "a Match ID alone has no board"):
            read("Match ID: cInlAAAAAAAE or Match ID: cAkAAAAAAAAA")
        with wording.tells(IdentifierError, "gnubg ID", "several", "4HPwATDgc/ABMA", "wHPwATDgc/ABMA"):
            read(f"{board} Position ID: wHPwATDgc/ABMA, Match ID: cInlAAAAAAAE")
        assert read(f"{board} and the Match ID is missing") == Position.start()

    def test_an_identifier_after_the_word_board(self):
        for bare in (PASTED["XGID"], PASTED["XGID"].removeprefix("XGID="), PASTED["OGID"], PASTED["GNUID"]):
            for text in (f"Board: {bare}", f"The board: {bare}", f"board:\n{bare}", f"Board: look at {bare}"):
                assert read(text) == read(bare), text
        assert read("Board: Position ID: 4HPwATDgc/ABMA") == Position.start()
        with wording.tells(IdentifierError, "FIBS board: expected 52 fields", "13"):
            read(f"board:You:Bob:5:x {PASTED['XGID']}")
        with wording.tells(IdentifierError, "FIBS board: expected 52 fields"):
            read(f"Board: {PASTED['XGID']}", form="fibs_board")

    @loop.rows(
        ("text", "sentence"),
        ("Position ID (gnubg): 4HPwATDgc/ABMA", "Position ID: expected 14 characters, but 'gnubg' has 5"),
        ("https://x.org/4HPwATDgc/ABMA", "'https://x.org/4HPwATDgc/ABMA' is not a Position ID, gnubg ID, XGID, OGID"),
        ("at 10:30", "'at 10:30' is not a Position ID, gnubg ID, XGID, OGID or FIBS board"),
        ("4HPwATDgc/ABMA:cInl", "Match ID: expected 12 characters, but 'cInl' has 4"),
        ("4HPw:cInlAAAAAAAE", "Position ID: expected 14 characters, but '4HPw' has 4"),
        ("Position ID: 4HPw Match ID: cInlAAAAAAAE", "Position ID: expected 14 characters, but '4HPw' has 4"),
    )
    def test_a_match_id_is_named_only_where_there_is_one(self, text, sentence):
        with wording.tells(IdentifierError, sentence):
            read(text)

    def test_the_next_number_of_the_sentence(self):
        """It is no field of an identifier that ends too early."""
        short = xgid(dice="31").removesuffix(":10")
        for rest in (": 5 points to go", " : 5 points to go", " :5 points"):
            with wording.tells(IdentifierError, "XGID"):
                read(short + rest)
        with wording.raises(IdentifierError, "XGID: expected 10 fields with colons between them, not 8"):
            read(short.removesuffix(":7") + " : 5 : 10")
        for rest in (": 5 points to go", " : 5 points"):
            with wording.tells(IdentifierError, "FIBS board, redoubles: expected", "5 points"):
                read(FIBS_BOARD.removesuffix(":0") + rest)
        assert read(xgid() + " : 5 points") == read(xgid() + ": 5") == read(xgid())
        assert read(FIBS_BOARD.replace(":", ": ") + " and so on") == read(FIBS_BOARD)

    def test_the_first_one_decides(self):
        """One with a mistake is not passed over."""
        with wording.raises(IdentifierError, f"XGID, board: expected 26 characters, but '{START[1:]}' has 25"):
            read(f"<p>What about XGID={START[1:]}:0:0:1:31:0:0:0:7:10</p> {xgid()}")
        assert read(f"{PASTED['GNUID']} is {xgid(dice=64)}") == read(PASTED["GNUID"])
        assert read(f"{xgid(dice=64)} is {PASTED['GNUID']}") == read(xgid(dice=64))
        assert MatchState.from_xgid(f"{PASTED['GNUID']} is {xgid(dice=64)}") == read(xgid(dice=64))

    @loop.over("label", [*PASTED])
    def test_other_signs(self, label):
        text = f"{label}: {PASTED[label]}"
        assert read(text.translate(WIDE)) == read(text)
        for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d":
            assert read(text.replace("-", dash)) == read(text), dash
        assert read(text.replace(":", "\u200b:\u2060")) == read(text)

    @given(st.sampled_from([*PASTED.values(), FIBS_BOARD]), st.randoms(use_true_random=False))
    def test_changed(self, text, rng):
        """A value, which is written again without a loss that is not told, or one sentence."""
        text = mutated(rng, text, [*PASTED.values()])
        for read_text in READERS.values():
            try:
                value = quietly(read_text, text)
            except GammonError as error:
                wording.check(error, longest=1_000)
                continue
            if isinstance(value, MatchState):
                TestLoss.check(value, value.rules)
            else:
                assert Position.from_id(value.id) == value

    @loop.rows(("en", "em"), ("--", "---"), ("--", "--"), ("-", "--"))
    def test_dashes_for_several_hyphens(self, en, em):
        """A board has 26 places, which tells how many each dash stands for."""
        text = xgid(dice="31").removeprefix("XGID=")
        board, colon, fields = text.partition(":")
        for label in ("XGID=", "XGID: ", ""):
            dashed = board.replace(em, "\N{EM DASH}").replace(en, "\N{EN DASH}")
            if en == "-":  # and the em dash two, or the other way around
                with wording.tells(IdentifierError, "XGID, board", "26"):
                    read(label + dashed + colon + fields)
            else:
                assert read(label + dashed + colon + fields) == MatchState.from_xgid(text)

    def test_both_identifiers_in_markdown(self):
        board, match = PASTED["GNUID"].split(":")
        for text in (
            f"Position ID: `{board}` Match ID: `{match}`",
            f"**Position ID:** {board}\n**Match ID:** {match}",
            f"**GNUBG ID:** `{board}:{match}`, White to play",
            f"PositionID={board} MatchID={match}.",
        ):
            assert read(text) == MatchState.from_gnubg_id(text) == read(PASTED["GNUID"])

    def test_a_padded_line(self):
        """As tables and mails have it."""
        state = read(FIBS_BOARD)
        fields = FIBS_BOARD.split(":")
        for line in (
            ":".join([*fields[:3], *(field.rjust(3) for field in fields[3:])]),
            ": ".join(fields),
            FIBS_BOARD.replace(":0:0:0", ":0:\n0:0"),
            FIBS_BOARD.replace("-", "\u2212").replace("board", "Board"),
        ):
            assert read(line) == read(line, form="fibs_board") == state
        asked = write(state, "gnubg_line")
        assert read(asked.replace(":", ": ")) == read(asked)

    @loop.rows(
        ("text", "named"),
        ("XGID: 4HPwATDgc/ABMA:cInlAAAAAAAE", ["XGID", "10"]),
        (f"GNUID={PASTED['XGID']}", ["gnubg ID", "Match ID"]),
        (f"OGID: {PASTED['XGID']}", ["OGID", "31"]),
        ("OGID 4HPwATDgc/ABMA", ["OGID", "5 to 11"]),
        ("GNUBG ID: 4HPwATDgc/ABMA", ["gnubg ID", "Match ID"]),
        (f"Position ID: {PASTED['XGID']}", ["Position ID", "Base64"]),
        (f"Match ID: {PASTED['Position ID']}", ["Match ID", "board"]),
        ("XGID", ["XGID", "10"]),
        ("**XGID:**", ["XGID", "10"]),
        ("hello:1:2:3:4:5", ["hello", "Position ID", "XGID"]),
        ("4HPw_ATDgc/ABMA", ["Position ID", "_"]),
        ("4HPwATDgc-ABMA", ["Position ID", "-"]),
        ("XGID-" + PASTED["XGID"], ["XGID"]),
    )
    def test_the_label_decides_the_error(self, text, named):
        with wording.tells(IdentifierError, *named):
            read(text)

    def test_a_reader_of_another_form(self):
        for name, (label, bare) in product(("XGID", "OGID", "gnubg ID", "Position ID"), PASTED.items()):
            own = {"GNUID": "gnubg ID"}.get(label, label)
            if name != own and {name, own} != {"gnubg ID", "Position ID"}:
                with wording.tells(IdentifierError, f"{name}: ", own):
                    READERS[name](f"{label}={bare}")
