"""The questions of the suite: its core, which is packed beside this file, and the full set, which follows from it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import attrs

from gammonrules.board import Position
from gammonrules.conformance.answers import answer, digest_of, plays_of_question
from gammonrules.conformance.states import board_keys
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
    words = header["rules"]
    cases = list[Case]()
    for number, line in enumerate(lines, 1):
        rule, digest, ask, text = line.split("\t")
        fields = (
            _board_question(*text.split(" ")) if ask in {"plays", "orders"} else json.loads(text)
        )
        cases.append(Case(words[rule], {"id": number, "ask": ask, **fields}, digest))
    return cases


def suite_version() -> int:
    """Which suite the core is from: the same answers in all that have this number."""
    return int(_core_lines()[0]["version"])


def _core_lines() -> tuple[dict[str, Any], list[str]]:
    packed = files("gammonrules.conformance").joinpath("core.txt.gz").read_bytes()
    first, *lines = gzip.decompress(packed).decode("ascii").splitlines()
    return json.loads(first), lines


def _board_question(position_id: str, roll: str, checkers: str) -> dict[str, Any]:
    position = Position.from_id(position_id, checkers=int(checkers))
    return board_keys(position.points, position.checkers) | {"dice": [*map(int, roll)]}


def for_engines(cases: Iterable[Case]) -> list[Case]:
    """Those about which an engine can be asked for its best play: in other words, for any legal one."""
    plays = (
        case
        for case in cases
        if case.question["ask"] == "plays" and "checkers" not in case.question
    )
    return [case for case in plays if not plays_of_question(case.question)[0].is_dance]


def full(core: Iterable[Case]) -> list[Case]:
    """The core, and what follows from it, each question once: all rolls of its boards, all actions in its states."""
    cases = {_key(case.question): case for case in core}
    changes = {"plays": _DICE, "orders": _DICE, "table": _ACTIONS}
    for case in [*cases.values()]:
        ask = case.question["ask"]
        deeper = [{"depth": case.question["depth"] + 1}] if ask == "perft" else []
        for change in changes.get(ask, deeper):
            question = {**case.question, "id": len(cases) + 1, **change}
            cases.setdefault(_key(question), Case(case.rule, question))
    return [*cases.values()]


def _key(question: Mapping[str, Any]) -> str:
    return json.dumps({**question, "id": 0}, sort_keys=True)


_DICE: list[dict[str, Any]] = [{"dice": [roll.high, roll.low]} for roll in ROLLS]
_DEEDS: list[dict[str, Any]] = [
    *({"do": do} for do in ("double", "take", "drop", "beaver", "accept", "decline")),
    *({"do": "resign", "win": win} for win in ("single", "gammon", "backgammon")),
    *({"do": "forfeit", "points": points} for points in (None, 1)),
    *({"do": "roll", "dice": [2, 1]}, {"do": "play", "moves": []}),
]
_ACTIONS: list[dict[str, Any]] = [
    *({"action": {**deed, "by": by}} for deed in _DEEDS for by in ("white", "black")),
    *({"action": {"do": "opening_roll", "white": white, "black": 2}} for white in (1, 2, 3)),
    {"action": {"do": "next_game"}},
]
"""Every action by each player; in most states most are illegal."""
