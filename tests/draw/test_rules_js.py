"""`rules.js` against the library and against the brute force, and which texts it reads."""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import node
import reference
from boards import cases, position_of
from gammonrules import Dice, GammonError, Position, draw
from gammonrules.board.perft_counts import count_plays

Ask = Callable[[Sequence[Sequence[Any]]], list[Any]]
START = [*Position.start().points]


def asked(position: Position, name: str, *arguments: object) -> list[Any]:
    return [name, [*position.points], *arguments, {"checkers": position.checkers}]


@pytest.mark.parametrize("count", [200, pytest.param(20_000, marks=pytest.mark.long)])
def test_boards_and_rolls(ask: Ask, count: int) -> None:
    """Plays, their order and their moves as the library has them, and their boards as the brute force does."""
    calls: list[list[Any]] = []
    expected: list[Any] = []
    for board, dice in cases("rules.js", count):
        position = position_of(board)
        plays, outcome = position.legal_plays(dice), position.outcome
        wanted = {reference.signed(reference.flip(result)) for result in reference.results(board, dice)}
        assert {play.position.points for play in plays} == wanted
        calls += [
            asked(position, "legalPlays", dice),
            asked(position, "turn", dice[::-1]),
            asked(position, "pips"),
            asked(position, "isRace"),
            asked(position, "outcome"),
            asked(position, "positionId"),
            ["fromPositionId", f"Position ID: {position.id}", {"checkers": position.checkers}],
        ]
        moves = [[[move.from_point, move.to_point] for move in play.moves] for play in plays]
        expected += [
            [{"points": [*play.position.points], "moves": made} for play, made in zip(plays, moves, strict=True)],
            plays.tree().data,
            [position.pip_count, position.opponent_pip_count],
            position.is_race,
            outcome and {"won": outcome.won, "win": outcome.win},
            position.id,
            [*position.points],
        ]
    answers = zip(calls, ask(calls), expected, strict=True)
    assert [(call, answer, right) for call, answer, right in answers if answer != right] == []


@pytest.mark.parametrize(("name", "depth"), [("standard", 2), ("nackgammon", 2), ("hypergammon", 2)])
def test_perft(ask: Ask, name: Any, depth: int) -> None:
    position = Position.start(name)
    assert ask([asked(position, "perft", depth)]) == [[*count_plays(position, depth)]]


PASTED = (
    "{}",
    "Position ID: {}",
    "**Position-ID:** `{}`",
    "pos id = {}.",
    "\u201c{}\u201d,",
    "GNU Backgammon Position ID : {}",
    "({}==)",
)
OTHER_LABELS = ("Match ID: {}", "XGID={}", "GNUID={}", "PositionIDs {}", "ID {}", "{}=", "{}:", "- {}")


def test_rolls_in_every_form(ask: Ask) -> None:
    """What is a roll, and what is none, as in Python."""
    blanks = " 3\t-\n1 ", "   3    -    1    ", "      3    -    1     ", "3\u00a01", "3\u20281"
    texts = *blanks, "31", "1-3", "3\u20131", "\u06631", "", "3--1", "31.", "07", "1.0"
    pairs = [1, 3], [3, 1.5], ["3", "1"], [[3], 1], [True, 1], [3], [3, 1, 1], [3, None], [0, 1], [2**32 + 3, 1]
    rolls = [*texts, *pairs, 31, {"0": 3, "1": 1, "length": 2}, None]

    def is_roll(roll: Any) -> bool:
        try:
            return bool(Dice.of(roll))
        except GammonError:
            return False

    taken = ["error" not in answer for answer in ask([["turn", START, roll] for roll in rolls])]
    assert taken == [is_roll(roll) for roll in rolls]
    assert sum(taken) == 5


def test_identifiers_as_people_paste_them(ask: Ask) -> None:
    """The same as `Position.from_id` reads, and nothing that it refuses."""
    wide = {sign: sign + 0xFEE0 for sign in range(ord("!"), 0x7F)}
    bare = "4HPwATDgc/ABMA"
    texts = [form.format(bare) for form in (*PASTED, *OTHER_LABELS)]
    texts += [
        PASTED[1].format(bare).translate(wide),
        f"\u3000{bare}\u200b",
        bare.replace("/", "\u2215"),
        bare.replace("/", "\u2192"),
    ]
    texts += [
        "4HPw ATDgc/ABMA",
        "4HPwATDgc_ABMA",
        bare.replace("/", "-"),
        "(" * 9000 + bare,
        " " * 10_000 + bare,
        "(" * 10_000,
    ]
    read = [isinstance(answer, list) for answer in ask([["fromPositionId", text] for text in texts])]
    assert read == [is_id(text) for text in texts]
    assert read.count(False) == len(OTHER_LABELS) + 5


def is_id(text: str) -> bool:
    try:
        return Position.from_id(text) == Position.start()
    except GammonError:
        return False


@pytest.mark.parametrize("step", [53, pytest.param(1, marks=pytest.mark.long)])
def test_every_sign_is_quoted_as_in_python(tmp_path: Path, step: int) -> None:
    """But those that only one of the two knows, by its version of Unicode."""
    program = """
        const { fromPositionId } = await import(process.argv[1]);
        const told = [];
        for (let code = 0; code < 0x110000; code += code < 0x3100 ? 1 : STEP) {
          const sign = String.fromCodePoint(code);
          try {
            fromPositionId(sign);
          } catch ({ message }) {
            told.push([code, message.split(": ").slice(1).join(": "), /\\p{Cn}/u.test(sign)]);
          }
        }
        console.log(JSON.stringify(told));
    """
    script = tmp_path / "rules.mjs"
    script.write_text(draw.rules_js(), encoding="utf-8")
    (told,) = node.answers(program.replace("STEP", str(step)), script, [], tmp_path)
    both = [(code, text) for code, text, is_new in told if is_new == (unicodedata.category(chr(code)) == "Cn")]
    assert [(code, text) for code, text in both if text != repr(chr(code))] == []
    assert len(told) > len(both) * 0.99 > 20_000


def test_it_is_small() -> None:
    assert len(gzip.compress(draw.rules_js().encode(), 9)) <= 15_500
