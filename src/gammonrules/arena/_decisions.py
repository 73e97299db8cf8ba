"""The decisions of the benchmark: the file that has them, and what is asked about each position."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeAlias

from attrs import frozen

from gammonrules._shared.disk_files import ordinary_file, path_text
from gammonrules._shared.rechecking import RECHECK
from gammonrules.conformance.internals import state_of_flat, state_of_right_flat
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import LARGEST_JSON_NUMBER
from gammonrules.match import MatchState
from gammonrules.values import real_argument, saying_where, shown, whole_argument

Ask: TypeAlias = Literal["plays", "cubes"]

VERSION: Final = 1
PUBLISHED: Final = "246b172e73e13b329cba15dbfcb64dcc7129342e1b996abe7efefdca1a295f23"
"""The SHA-256 of the decisions in the library, which are trusted. Those of any other file are checked."""
LARGEST: Final = 64 * 2**20
"""Bytes of decisions."""
_LONGEST: Final = 1_000
"""Bytes of what stands before them."""


@frozen
class Question:
    """What is asked about a position, and what each action loses; nobody has answered yet.

    Attributes:
        id: the number of the position.
        state: what is asked.
        selected_by: the two whose disagreement selected the position; empty if it was drawn at random.
        best: the best action.
        losses: what each action loses, in points.
        errors: the standard errors of the losses.
    """

    id: int
    state: MatchState
    selected_by: tuple[str, ...]
    best: str
    losses: Mapping[str, float]
    errors: Mapping[str, float]


@frozen
class Decisions:
    """The decisions in a file.

    Attributes:
        digest: their SHA-256.
        positions: the questions about each position: one about a play, two about the cube.
    """

    digest: str
    positions: Mapping[Ask, Sequence[Sequence[Question]]]

    @property
    def largest_loss(self) -> float:
        """What a decision loses at most, in points."""
        largest = 0.0
        for positions in self.positions.values():
            for questions in positions:
                for question in questions:
                    largest = max(largest, *question.losses.values())
        return largest


def read_decisions(data: str | os.PathLike[str] | None) -> Decisions:
    """The decisions in a file, or in the library. Raises ParseError and OSError."""
    path = None if data is None else Path(path_text(data))
    in_library = files("gammonrules.arena").joinpath("benchmark.jsonl.gz")
    with saying_where((path or in_library).name, ParseError):
        with ordinary_file(path) if path else in_library.open("rb") as file:
            digest, lines = _lines_in(file)
        is_published = digest == PUBLISHED
        positions: dict[Ask, list[Sequence[Question]]] = {"plays": [], "cubes": []}
        for number, line in enumerate(lines.splitlines(), 2):  # line 1 is the header
            try:
                questions = _questions_in(line, is_published=is_published)
            except (
                ValueError,
                LookupError,
                TypeError,
                AttributeError,
                RecursionError,
                GammonError,
            ):
                raise ParseError(f"line {number:,} is no decision of the benchmark") from None
            ask: Ask = "plays" if questions[0].state.dice else "cubes"
            positions[ask].append(questions)
    return Decisions(digest, positions)


def _lines_in(file: IO[bytes]) -> tuple[str, bytes]:
    """The digest and the lines of a packed file. Raises ParseError."""
    try:
        with gzip.open(file) as unpacked:
            header = json.loads(unpacked.readline(_LONGEST))
            lines = unpacked.read(LARGEST + 1)
        version = header["version"]
        digest = header["sha256"]
    except (
        gzip.BadGzipFile,
        EOFError,
        zlib.error,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ):
        raise ParseError("this is no file of the benchmark's decisions") from None
    if type(version) is not int or version != VERSION:
        raise ParseError(f"it is version {shown(version)} of the benchmark, and this is {VERSION}")
    if len(lines) > LARGEST:
        raise ParseError(f"its decisions are larger than {LARGEST // 2**20} MiB, the limit")
    if sha256(lines).hexdigest() != digest:
        raise ParseError("it was changed: its decisions have another SHA-256 than it says")
    return digest, lines


def _questions_in(line: bytes, *, is_published: bool) -> list[Question]:
    """What is asked about the position in a line. Raises an error of any kind if it is not right."""
    form = json.loads(line)
    if is_published:
        # its digest has proven it right, which takes less time than to check each number
        if RECHECK:
            assert form == _with_checked_numbers(form), line
        state = state_of_right_flat(form["state"])
    else:
        form = _with_checked_numbers(form)
        state = state_of_flat(form["state"])
    if state.dice:
        all_plays = form["losses"]
        return [_question_about(form, state, all_plays)]
    # of a cube, both players are asked: whether to double, and what to answer
    return [
        _question_about(form, state, ("roll", "double")),
        _question_about(form, state.double(), ("take", "drop")),
    ]


def _with_checked_numbers(form: dict[str, Any]) -> dict[str, Any]:
    """The same, but for the state, with right numbers. Raises an error of any kind if there is none in its place."""
    points = partial(
        real_argument, "loss", needed="a number from 0", fits=lambda number: 0 <= number < inf
    )
    losses = dict[str, list[float]]()
    for action, (loss, error) in form["losses"].items():
        losses[action] = [points(loss), points(error)]
    number = whole_argument("id", value=form["id"], least=0, most=LARGEST_JSON_NUMBER)
    return {**form, "id": number, "losses": losses}


def _question_about(form: dict[str, Any], state: MatchState, actions: Iterable[str]) -> Question:
    losses = dict[str, float]()
    errors = dict[str, float]()
    for action in actions:
        loss, error = form["losses"][action]
        losses[action] = loss
        errors[action] = error
    return Question(
        form["id"],
        state=state,
        selected_by=tuple(map(str, form.get("selected_by", ()))),
        best=min(losses, key=lambda action: (losses[action], errors[action])),
        losses=losses,
        errors=errors,
    )
