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
from typing import IO, Any, Final, Literal, TypeAlias, get_args

from attrs import frozen

from gammonrules._json_protocol.flat_states import state_of_flat, state_of_right_flat
from gammonrules._shared.debug_checks import RECHECK
from gammonrules._shared.disk_files import ordinary_file, path_text
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MAX_JSON_NUMBER
from gammonrules.match import MatchState
from gammonrules.values import real_argument, saying_where, shown, whole_argument

Ask: TypeAlias = Literal["plays", "cubes"]
Part: TypeAlias = Literal["rolled out", "judged", "race"]

VERSION: Final = 2
PUBLISHED: Final = "b0ac3a96d4cbda9fc7f22c1cd5a185167b06b03e4e6abee1ff647ea575f88863"
"""The SHA-256 of the decisions in the library, which are trusted. Those of any other file are checked."""
MAX_SIZE: Final = 64 * 2**20
"""Bytes of decisions."""
MAX_DECISIONS: Final = 50_000
"""Positions in a file."""
_MAX_HEADER_LENGTH: Final = 1_000
"""Bytes of what stands before them."""
_ASKS: Final[tuple[Ask, ...]] = get_args(Ask)
PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""In the order of the file."""
_DOUBLER: Final = ("roll", "double")
_OPPONENT: Final = ("take", "drop")
_JUDGED_IN: Final = 10_000
"""Parts of a point in which the judgments of level 3 are written."""


@frozen
class Question:
    """What is asked about a position, and what each action loses; nobody has answered yet.

    Attributes:
        id: the number of the position, of those of its part.
        part: what the losses are: of rollouts; as level 3 of bgsage alone has judged them; or exact, in a race.
        state: what is asked.
        selected_by: the two whose disagreement selected the position; empty if it was drawn at random.
        losses: what each action loses, in points.
        errors: the standard errors of the losses; 0 where level 3 alone has judged.
        judged: what each action loses as level 3 has judged; empty where it was not asked.
    """

    id: int
    part: Part
    state: MatchState
    selected_by: tuple[str, ...]
    losses: Mapping[str, float]
    errors: Mapping[str, float]
    judged: Mapping[str, float]

    @property
    def best(self) -> str:
        """The action that loses least."""
        return min(self.losses, key=lambda action: (self.losses[action], self.errors[action]))

    @property
    def worst(self) -> str:
        """The action that loses most."""
        return max(self.losses, key=lambda action: self.losses[action])


Questions: TypeAlias = Sequence[Question]
"""All about a position: one about a play, two about the cube."""


@frozen
class Decisions:
    """The decisions in a file.

    Attributes:
        version: that of the benchmark.
        digest: their SHA-256.
        positions: the questions about each position, of each part, of plays and of cubes.
    """

    version: int
    digest: str
    positions: Mapping[tuple[Part, Ask], Sequence[Questions]]

    @property
    def largest_loss(self) -> float:
        """What a decision loses at most, in points."""
        largest = 0.0
        for positions in self.positions.values():
            for questions in positions:
                for question in questions:
                    largest = max(largest, *question.losses.values())
        return largest


def read_decisions(data: str | os.PathLike[str] | None, *, full: bool = True) -> Decisions:
    """The decisions in a file, or in the library. Raises ParseError and OSError.

    Args:
        data: a file; None for the one in the library.
        full: whether all are wanted, not only those that were rolled out. Files of strangers are checked whole.
    """
    path = None if data is None else Path(path_text(data))
    in_library = files("gammonrules.arena").joinpath("benchmark.jsonl.gz")
    with saying_where((path or in_library).name, ParseError):
        with ordinary_file(path) if path else in_library.open("rb") as file:
            version, digest, lines = _lines_in(file)
        is_published = digest == PUBLISHED
        positions: dict[tuple[Part, Ask], list[Questions]] = {}
        for part in PARTS:
            for ask in _ASKS:
                positions[part, ask] = []
        for number, line in enumerate(lines, 2):  # line 1 is the header
            try:
                form = json.loads(line)
                is_wanted = full or _part_in(form) == "rolled out"
                if is_published and not is_wanted:
                    break  # what follows is not wanted, either, and to make its states takes time
                questions = _questions_in(form, is_published=is_published)
            except (
                ValueError,
                LookupError,
                TypeError,
                AttributeError,
                RecursionError,
                GammonError,
            ):
                raise ParseError(f"line {number:,} is no decision of the benchmark") from None
            first = questions[0]
            if is_wanted:
                positions[first.part, "plays" if first.state.dice else "cubes"].append(questions)
        for ask in _ASKS:
            _refuse_without_judgments(ask, positions["rolled out", ask], positions["judged", ask])
    return Decisions(version, digest=digest, positions=positions)


def _refuse_without_judgments(
    ask: Ask, rolled_out: Iterable[Questions], judged: Sequence[Questions]
) -> None:
    """Raise ParseError if it is not known how wrong level 3 is about what it alone has judged."""
    if not judged:
        return
    for questions in rolled_out:
        first = questions[0]
        if not (first.selected_by or first.judged):
            raise ParseError(
                f"level 3 alone has judged some {ask}, but not what {first.id} of those rolled out loses"
            )


def _lines_in(file: IO[bytes]) -> tuple[int, str, list[bytes]]:
    """The version, the digest and the lines of a packed file. Raises ParseError."""
    try:
        with gzip.open(file) as unpacked:
            header = json.loads(unpacked.readline(_MAX_HEADER_LENGTH))
            lines = unpacked.read(MAX_SIZE + 1)
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
    if len(lines) > MAX_SIZE:
        raise ParseError(f"its decisions are larger than {MAX_SIZE // 2**20} MiB, the limit")
    if lines.count(b"\n") > MAX_DECISIONS:
        raise ParseError(f"it has more than {MAX_DECISIONS:,} decisions, the limit")
    if sha256(lines).hexdigest() != digest:
        raise ParseError("it was changed: its decisions have another SHA-256 than it says")
    return version, digest, lines.splitlines()


def _part_in(form: dict[str, Any]) -> Part:
    if "losses" not in form:
        return "judged"
    return "race" if "race" in form else "rolled out"


def _questions_in(form: dict[str, Any], *, is_published: bool) -> Questions:
    """What is asked about the position of a line. Raises an error of any kind if it is not right."""
    if is_published:
        # its digest has proven it right, which takes less time than to check each number
        if RECHECK:
            assert form == _with_checked_numbers(form), form
        state_in = state_of_right_flat
    else:
        form = _with_checked_numbers(form)
        state_in = state_of_flat
    state = state_in(form["state"]) if "state" in form else MatchState.from_xgid(form["xgid"])
    if state.dice:
        names = [str(play) for play in state.legal_plays] if "judged" in form else []
        judged = _judged_in(form, names)
        return [_question_about(form, state, judged, actions=form.get("losses", judged))]
    # of a cube, both players are asked: whether to double, and what to answer
    judged = _judged_in(form, (*_DOUBLER, *_OPPONENT))
    return [
        _question_about(form, state, judged, actions=_DOUBLER),
        _question_about(form, state.double(), judged, actions=_OPPONENT),
    ]


def _with_checked_numbers(form: dict[str, Any]) -> dict[str, Any]:
    """The same, but for the state, with right numbers. Raises an error of any kind if there is none in its place."""
    number = partial(whole_argument, minimum=0, maximum=MAX_JSON_NUMBER)
    points = partial(
        real_argument, "loss", needed="a number from 0", fits=lambda number: 0 <= number < inf
    )
    checked = {**form, "id": number("id", value=form["id"])}
    if "losses" in form:
        losses = dict[str, list[float]]()
        for action, (loss, error) in form["losses"].items():
            losses[action] = [points(loss), points(error)]
        checked["losses"] = losses
    if "judged" in form:
        checked["judged"] = [number("judged", value=loss) for loss in form["judged"]]
    return checked


def _judged_in(form: dict[str, Any], actions: Sequence[str]) -> dict[str, float]:
    """What each of these actions loses as level 3 has judged; nothing if it was not asked."""
    judged = dict[str, float]()
    if "judged" in form:
        for action, loss in zip(actions, form["judged"], strict=True):
            judged[action] = loss / _JUDGED_IN
    return judged


def _question_about(
    form: dict[str, Any], state: MatchState, judged: Mapping[str, float], actions: Iterable[str]
) -> Question:
    judged_here = {action: judged[action] for action in actions} if judged else {}
    losses = judged_here
    errors = dict.fromkeys(judged_here, 0.0)
    if "losses" in form:
        losses = {action: form["losses"][action][0] for action in actions}
        errors = {action: form["losses"][action][1] for action in actions}
    if not losses:
        raise ValueError("nothing is said of any action")
    return Question(
        form["id"],
        part=_part_in(form),
        state=state,
        selected_by=tuple(map(str, form.get("selected_by", ()))),
        losses=losses,
        errors=errors,
        judged=judged_here,
    )
