"""What the readers of all formats have in common: mutated files, and what must hold for whatever they read.

Reading gives a match or a `ParseError`. Every game can be replayed to the same states, judged, fingerprinted and turned
into decisions; every analysis can be decoded and holds finite numbers only; the record survives JSON, and is written or
refused in one sentence. All of it in a time that grows with the size.
"""

from __future__ import annotations

import random
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import attrs

from fuzzing.harness import attempt, within
from fuzzing.mutation import mutated
from fuzzing.pages import check_page
from gammonrules import ParseError, json
from gammonrules.analysis.internals import decoded
from gammonrules.records import Game, Match, dumps, loads_all, lost_fields, referee, to_samples

DATA = Path(__file__).parents[1] / "data"
CORPUS = DATA / "fuzz"
"""A folder for each target, with inputs that take many ways through a reader; `tests/test_fuzz.py` reads them."""
SECONDS = 1.5
"""For what does not depend on the size."""
SECONDS_A_MB = 6.0
"""Of reading, judging and decoding each; the worst known takes about two on a machine with nothing else to do."""
MAX_MESSAGE_LENGTH = 700
MAX_EXPLANATION_LENGTH = 700
MAX_MATCHES = 20
"""Of those in one text, which is long then."""
MAX_EVENTS = 2_000
"""Of records that are written as well, which takes longer than all else: a quarter of them."""

HOSTILE_NUMBERS = ("", "-", "0", "-0", "1", "-1", "2", "6", "7", "25", "26", "64", "99999", "32768", "2147483648",
                   "1e9", "-1e308", "1e999", "nan", "-NAN", "inf", "-Infinity", "1.#QNAN", "1.5", "1,5", "+1.001",
                   "100.1", "0x1", "1_0", "\u0663", "9" * 30, "9" * 5000)  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_DOUBLES = [struct.pack("<d", number) for number in (float("nan"), float("inf"), -1.0, 1e300, 0.5)]
_FLOATS = [struct.pack("<f", number) for number in (float("nan"), float("-inf"), 1.5, -1e30, 0.5, 0.0)]
_WHOLES = [struct.pack("<i", number) for number in (0, 1, -1, 2, 6, 7, 25, 26, 100, 1000, -(2**31), 2**31 - 1, 99999)]
PIECES = (*_DOUBLES, *_FLOATS, *_WHOLES, b"\0", b"\1", b"\x7f", b"\x80", b"\xff", b"\xff" * 26)


# --- changed files ------------------------------------------------------------------------------------------------


def files(*patterns: str) -> list[str]:
    """The texts of these files of the test data."""
    paths = sorted(path for pattern in patterns for path in DATA.glob(pattern))
    assert paths, patterns
    return [path.read_bytes().decode("utf-8", "replace") for path in paths]


def changed_text(rng: random.Random, texts: Sequence[str], separators: str, longest: int = 40_000) -> bytes:
    """A text of one of these files, or of parts of two, with a few changes; then its bytes, perhaps with a few more."""
    text = _part(rng, rng.choice(texts), longest)
    if rng.random() < 0.1:
        text += rng.choice(("", "\n", "\x1a", "\f")) + _part(rng, rng.choice(texts), longest)
    for _ in range(rng.choice((0, 1, 1, 2, 4, 8))):
        text = rng.choice((_number, _number, _lines, _token))(rng, text, texts, separators)
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "cp1252", "utf-16"))
    data = text.encode(encoding, "replace" if encoding == "cp1252" else "surrogatepass")
    return changed_bytes(rng, data) if rng.random() < 0.1 else data


def _part(rng: random.Random, text: str, longest: int) -> str:
    """The whole text, or some of its lines, if it is long, with its beginning in any case."""
    if len(text) <= longest and rng.random() < 0.7:
        return text
    head = text[: rng.choice((0, 300, 2_000))]
    begin = rng.randrange(len(text))
    return head + text[begin : begin + rng.randrange(1, longest)]


def _number(rng: random.Random, text: str, _texts: Sequence[str], _separators: str) -> str:
    """Another number in the place of one."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text
    number = rng.choice(numbers)
    return text[: number.start()] + rng.choice(HOSTILE_NUMBERS) + text[number.end() :]


def _lines(rng: random.Random, text: str, texts: Sequence[str], separators: str) -> str:
    """A part between separators left out, doubled, elsewhere, or that of another text."""
    separator = rng.choice(separators)
    lines = text.split(separator)
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines[at:at] = [lines[at]] * rng.choice((1, 1, 3, 300))
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = rng.choice(rng.choice(texts).split(separator))[:5_000]
        case _:
            del lines[min(at, other) : max(at, other)]
    return separator.join(lines)[:400_000]


def _token(rng: random.Random, text: str, texts: Sequence[str], separators: str) -> str:
    """Changes of some characters within a hundred."""
    at = rng.randrange(len(text) + 1)
    return (
        text[:at]
        + mutated(rng, text[at : at + 100], [text[:100], rng.choice(texts)[:5_000]], separators)
        + text[at + 100 :]
    )


def changed_bytes(rng: random.Random, data: bytes) -> bytes:
    """Some bytes replaced, inserted, left out, repeated, or the end cut off."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(7):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + data[at + rng.choice((1, 2, 4, 100, 2560)) :]
            case 2:
                data = data[:at] + data[at : at + rng.choice((1, 100, 2560))] + data[at:]
            case 3:
                data = data[:at] + rng.randbytes(rng.choice((1, 2, 4))) + data[at:]
            case _:
                piece = rng.choice(PIECES)
                data = data[:at] + piece + data[at + len(piece) :]
    return data


# --- what must hold -----------------------------------------------------------------------------------------------


def check_record(data: bytes, size: int | None = None) -> None:
    """Read a file and do everything with it that can be done; `size` is that of what it inflates to."""
    seconds = SECONDS + SECONDS_A_MB * (size or len(data)) / 1e6
    matches, error = attempt(lambda: loads_all(data), seconds=seconds, longest=MAX_MESSAGE_LENGTH)
    if matches is None:
        assert isinstance(error, ParseError), error
    for match in (matches or ())[:MAX_MATCHES]:
        _check_match(match, data, seconds)


def _check_match(match: Match, data: bytes, seconds: float) -> None:
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"PK"))
    with within(seconds):
        _check_findings(match, said_by_us=not is_json)
    if sum(len(game.events) for game in match.games) < MAX_EVENTS and zlib.crc32(data) % 16 == 0:
        check_page(match)
    for game in match.games:
        assert [*game.states()], "a reader follows the games, as far as the rules allow"
    if not all(map(is_sound, match.games)):
        assert is_json, "only JSON brings more or less than is about each event"
        return
    with within(2 * seconds):
        _check_games(match)
        _check_decisions(match)
    assert match.fingerprint is None or len(match.fingerprint) < 200
    if sum(len(game.events) for game in match.games) < MAX_EVENTS and zlib.crc32(data) % 4 == 0:
        _check_written(match, seconds)


def is_sound(game: Game) -> bool:
    """Whether all that is about events has an item for each."""
    return all(len(about) in {0, len(game.events)} for about in (game.rows, game.lines, game.analyses, game.notes))


def _check_findings(match: Match, *, said_by_us: bool) -> None:
    """Those of the reader and of the referee can be read out; a document in JSON brings its own."""
    for finding in (*match.findings, *referee(match)):
        assert len(finding.text) <= 200, finding
        if said_by_us:
            assert 0 < len(finding.explanation) <= MAX_EXPLANATION_LENGTH, finding
            assert finding.explanation.isprintable(), finding


def _check_games(match: Match) -> None:
    """A game goes through the states that its reader went through, and what belongs to events fits them."""
    for game in match.games:
        states = list(game.states())
        assert list(attrs.evolve(game).states()) == states
        decoded(game.pending_analysis, states[-1])


def _check_decisions(match: Match) -> None:
    """Each can be asked for everything."""
    for decision in match.decisions():
        assert decision.action
        _ = decision.best, decision.equity, decision.equity_best, decision.luck
        error = decision.error
        assert error is None or error >= 0
    attempt(lambda: to_samples(match), seconds=60, longest=MAX_MESSAGE_LENGTH)


def _check_written(match: Match, seconds: float) -> None:
    """The record survives JSON, and is written in the other formats or refused; what is lost is always named."""
    same = json.loads(json.dumps(match), Match)
    assert same == match
    assert json.dumps(same) == json.dumps(match)
    for form in ("mat", "sgf", "ogxm"):
        attempt(lambda form=form: dumps(match, form), seconds=5 * seconds, longest=MAX_MESSAGE_LENGTH)
        lost_fields(match, form)


# --- the corpus ---------------------------------------------------------------------------------------------------


def signature(data: bytes) -> str:
    """Which way a file took: the sentence of refusal, or the kinds of its findings, without their numbers."""
    matches, error = attempt(lambda: loads_all(data), seconds=60, longest=MAX_MESSAGE_LENGTH)
    if matches is None:
        return re.sub(r"\d+|'.*?'|\".*?\"", "#", str(error))
    findings = chain.from_iterable(map(referee, matches))
    return "; ".join(sorted({f"{finding.kind}: {_outline(finding.explanation)}" for finding in findings}))


def _outline(sentence: str) -> str:
    return re.sub(r"[^a-z ]+", "#", sentence)[:40]


def interesting(inputs: Iterator[bytes], largest: int) -> dict[str, bytes]:
    """The smallest input for each kind of finding or refusal that the inputs show."""
    shortest: dict[str, bytes] = {}
    for data in inputs:
        if len(data) > largest:
            continue
        for kind in signature(data).split("; "):
            if kind not in shortest or len(data) < len(shortest[kind]):
                shortest[kind] = data
    return shortest
