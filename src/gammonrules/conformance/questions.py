"""The questions of the suite: its core, which is packed beside this file, and the full set, which follows from it."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

import attrs

from gammonrules._json_protocol.flat_states import board_keys
from gammonrules.board import Position
from gammonrules.conformance.answers import answer, digest_of, plays_of_question
from gammonrules.dice import ROLLS
from gammonrules.errors import GammonError


@attrs.frozen
class Case:
    """A question, and the rule, in words, for which it is asked."""

    rule: str
    question: dict[str, Any]
    digest: str | None = None
    """Of the right answer, for a question of the core."""

    def right_answer(self) -> dict[str, Any]:
        """Raises GammonError if this library does not know it."""
        right = answer(self.question)
        if self.digest not in {None, digest_of(right)}:
            why = f"gammonrules itself answers question {self.question['id']} wrongly"
            raise GammonError(f"{why}: install it again; {json.dumps(self.question)}")
        return right


def core() -> list[Case]:
    """The questions of the core."""
    header, lines = _core_lines()
    rules = header["rules"]  # each line has the key of its rule in this object
    cases = list[Case]()
    for number, line in enumerate(lines, 1):
        key, digest, ask, text = line.split("\t")
        fields = _board_and_dice(text) if ask in {"plays", "orders"} else json.loads(text)
        cases.append(Case(rules[key], {"id": number, "ask": ask, **fields}, digest))
    return cases


def suite_version() -> int:
    """The version of the suite that the core is from: suites with the same number have the same answers."""
    return int(_core_lines()[0]["version"])


def _core_lines() -> tuple[dict[str, Any], list[str]]:
    packed = files("gammonrules.conformance").joinpath("core.txt.xz").read_bytes()
    first, *lines = lzma.decompress(packed).decode("ascii").splitlines()
    return json.loads(first), lines


def _board_and_dice(text: str) -> dict[str, Any]:
    position_id, roll, checkers = text.split(" ")
    position = Position.from_id(position_id, checkers=int(checkers))
    return board_keys(position.points, position.checkers) | {"dice": [int(die) for die in roll]}


def for_engines(cases: Iterable[Case]) -> list[Case]:
    """The cases about which an engine can be asked for its best play: in other words, for any legal one."""
    chosen = list[Case]()
    for case in cases:
        question = case.question
        if question["ask"] != "plays" or "checkers" in question:  # engines know 15 checkers
            continue
        # with no legal move an engine is not asked
        if not plays_of_question(question)[0].is_dance:
            chosen.append(case)
    return chosen


def full(core: Iterable[Case]) -> list[Case]:
    """The core, and what follows from it, each question once: all rolls of its boards, all actions in its states."""
    cases = {_key(case.question): case for case in core}
    cases_of_core = [*cases.values()]
    for case in cases_of_core:
        for change in _changes_of(case.question):
            question = {**case.question, "id": len(cases) + 1, **change}
            key = _key(question)
            if key not in cases:
                cases[key] = Case(case.rule, question)
    return [*cases.values()]


def _changes_of(question: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Changes of a question that are asked as well: members that replace its own."""
    match question["ask"]:
        case "plays" | "orders":
            return [{"dice": [roll.high, roll.low]} for roll in ROLLS]
        case "table":
            return _ACTIONS
        case "perft":
            return [{"depth": question["depth"] + 1}]
        case _:
            return []


def _key(question: Mapping[str, Any]) -> str:
    return json.dumps({**question, "id": 0}, sort_keys=True)


def _every_action() -> Iterator[dict[str, Any]]:
    """Every action by each player; in most states most are illegal."""
    deeds: list[dict[str, Any]] = [
        {"do": "double"},
        {"do": "take"},
        {"do": "drop"},
        {"do": "beaver"},
        {"do": "accept"},
        {"do": "decline"},
        {"do": "resign", "win": "single"},
        {"do": "resign", "win": "gammon"},
        {"do": "resign", "win": "backgammon"},
        {"do": "forfeit", "points": None},
        {"do": "forfeit", "points": 1},
        {"do": "roll", "dice": [2, 1]},
        {"do": "play", "moves": []},
    ]
    for deed in deeds:
        yield {**deed, "by": "white"}
        yield {**deed, "by": "black"}
    for white in (1, 2, 3):  # Black begins, nobody does, and White begins
        yield {"do": "opening_roll", "white": white, "black": 2}
    yield {"do": "next_game"}


_ACTIONS = [{"action": action} for action in _every_action()]
