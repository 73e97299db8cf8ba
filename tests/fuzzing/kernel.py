"""The compiled move generator, called directly with whatever bytes and values come.

What it accepts must be what the pure one finds; what it refuses must be refused with an exception; anything else, a
crash before all, is a fault. A kernel that was built with AddressSanitizer shows wrong reads and writes as well.
"""

from __future__ import annotations

import random
import struct
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate, pairwise
from math import inf, nan
from pathlib import Path
from typing import Any, Self

import reference
from boards import position_of, random_board
from gammonrules import GammonError, Position
from gammonrules.board import generator, pure
from gammonrules.board.encoding import BAR, SLOTS
from gammonrules.board.notation import canonical_text
from gammonrules.board.possible_outcomes import outcomes_by_python
from move_generators import kernel, moves_of, packed

REFUSED = (TypeError, ValueError, BufferError, OverflowError)
ODD: list[Any] = [None, True, 0, 7, -1, 2.5, 1 << 70, "3", b"", b"\3", object(), [], bytes(26), bytearray(26)]


def any_board(rng: random.Random) -> bytes:
    """A board, a board with some bytes changed, a sparse one, or noise."""
    match rng.randrange(4):
        case 0:
            return packed(random_board(rng))
        case 1:
            board = bytearray(packed(random_board(rng)))
            for _ in range(rng.randint(1, 4)):
                board[rng.randrange(SLOTS)] = rng.randrange(256)
            return bytes(board)
        case 2:
            return bytes(rng.choice((0, 0, 0, 1, 2, 255, 254)) for _ in range(SLOTS))
        case _:
            return rng.randbytes(rng.choice((SLOTS, SLOTS, SLOTS, rng.randrange(60))))


def is_board(counts: list[int]) -> bool:
    """Whether these are a board for the kernel and the arrays."""
    mine, theirs = sum(n for n in counts if n > 0), -sum(n for n in counts if n < 0)
    return len(counts) == SLOTS and max(mine, theirs) <= 15 and counts[0] <= 0 <= counts[25]


def fuzz_single(rng: random.Random) -> None:
    """One call of `legal_plays`, and of `turn_nodes`."""
    arguments: list[Any] = [any_board(rng), rng.randint(1, 6), rng.randint(1, 6)]
    right = is_board(counts_of(arguments[0])) and arguments[1] >= arguments[2]
    if rng.random() < 0.1:
        arguments[rng.randrange(3)] = rng.choice(ODD)
        right = False
    try:
        boards = list(kernel.legal_plays(*arguments))
    except REFUSED:
        assert not right, arguments
    else:
        assert boards == list(pure.legal_plays(*arguments)), arguments
        assert kernel.turn_nodes(*arguments) == pure.turn_nodes(*arguments), arguments
        for after in (*rng.sample(boards, min(3, len(boards))), any_board(rng).ljust(SLOTS)[:SLOTS]):
            moves = pure.moves_to(*arguments, after)
            assert kernel.moves_to(*arguments, after) == moves, (arguments, after)
            if moves is not None:
                assert kernel.text_to(*arguments, after) == canonical_text(moves), (arguments, after)


def fuzz_outcomes(rng: random.Random) -> None:
    """One call of `possible_outcomes`."""
    board: Any = any_board(rng)
    checkers: Any = rng.choice((15, 15, rng.randint(-1, 17)))
    if rng.random() < 0.1:
        board = rng.choice(ODD)
    right = isinstance(board, bytes) and 1 <= checkers <= 15 and is_board(counts_of(board))
    counts = counts_of(board) if right else []
    sides = [sum(max(sign * count, 0) for count in counts) for sign in (1, -1)]
    right = right and all(1 <= side <= checkers for side in sides)
    try:
        number = kernel.possible_outcomes(board, checkers)
    except REFUSED:
        assert not right, (board, checkers)
    else:
        levels = frozenset(level for bit, level in enumerate((1, 2, 3, -1, -2, -3)) if number >> bit & 1)
        assert levels == outcomes_by_python(board, checkers), (board, checkers)


def fuzz_many(rng: random.Random) -> None:
    """One call of `legal_plays_of_many`."""
    number = rng.randrange(20)
    points = b"".join(any_board(rng) for _ in range(number))
    dice = bytes(rng.choice((1, 2, 3, 4, 5, 6, 6, 6, rng.randrange(256))) for _ in range(2 * number))
    if rng.random() < 0.2:
        dice = rng.randbytes(rng.randrange(50))
    number = len(points) // SLOTS  # some were longer or shorter
    boards = [points[start : start + SLOTS] for start in range(0, SLOTS * number, SLOTS)]
    cases = [(board, *sorted(dice[2 * i : 2 * i + 2], reverse=True)) for i, board in enumerate(boards)]
    right = len(points) == SLOTS * number and len(dice) == 2 * number
    right = right and all(is_board(counts_of(board)) and 1 <= low <= high <= 6 for board, high, low in cases)
    try:
        _, boards_read, moves = kernel.legal_plays_of_many(points, dice)
    except REFUSED:
        assert not right or not number, (points, dice)
    else:
        results = [
            (board, after, (high, low)) for board, high, low in cases for after in pure.legal_plays(board, high, low)
        ]
        assert bytes(boards_read) == b"".join(after for _, after, _ in results), (points, dice)
        expected = [bytes(number & 0xFF for number in moves_of(*result)) for result in results]
        assert bytes(moves) == b"".join(expected), (points, dice)


# --- what is read from boards -------------------------------------------------------------------------------------


def counts_of(board: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in board]


def off(counts: list[int], sign: int) -> int:
    """The checkers of a side, or of the other, that have been borne off of 15."""
    return 15 - sum(max(sign * n, 0) for n in counts)


def inputs_of(counts: list[int], checkers: int = 15) -> list[float]:
    """The 198 inputs of a network, as their description has them."""
    inputs: list[float] = []
    for sign in (1, -1):
        for n in (max(sign * n, 0) for n in counts[1:25]):
            inputs += [float(n >= 1), float(n >= 2), float(n >= 3), (n - 3) / 2 if n > 3 else 0.0]
    left = [(checkers - 15 + off(counts, sign)) / checkers for sign in (1, -1)]
    return [*inputs, counts[25] / 2, -counts[0] / 2, *left, 1.0, 0.0]


def outcome_of(counts: list[int], checkers: int) -> int:
    mine, theirs = 15 - off(counts, 1), 15 - off(counts, -1)
    if mine and theirs:
        return 0
    left, sign, home = (theirs, 1, counts[:7]) if theirs else (mine, -1, counts[19:])
    return sign * (1 if left < checkers else 3 if any(home) else 2)


def pips_of(counts: list[int]) -> list[int]:
    return [
        sum(at * max(n, 0) for at, n in enumerate(counts)),
        sum((25 - at) * max(-n, 0) for at, n in enumerate(counts)),
    ]


def id_of(counts: list[int]) -> list[int]:
    """The characters of the Position ID."""
    mine = (0, *(max(n, 0) for n in counts[1:]))
    theirs = (0, *(max(-n, 0) for n in counts[BAR - 1 :: -1]))
    return [*map(ord, reference.encode_id((mine, theirs)))]


READINGS: dict[str, tuple[int, str, Callable[[list[int], int], list[Any]]]] = {
    "flip": (SLOTS, "26b", lambda counts, _: [-n for n in counts[::-1]]),
    "pip_counts": (8, "2i", lambda counts, _: pips_of(counts)),
    "outcomes": (1, "b", lambda counts, checkers: [outcome_of(counts, checkers)]),
    "features": (792, "198f", inputs_of),
    "to_ids": (56, "14I", lambda counts, _: id_of(counts)),
}
"""Each function with the bytes of a result, their format, and what they must be."""


def fuzz_readings(rng: random.Random) -> None:
    """One call of each function that reads boards."""
    boards = [any_board(rng) for _ in range(rng.randrange(5))]
    checkers: Any = rng.choice((15, 15, 15, 3, rng.randrange(-1, 18), *ODD[:5]))
    points = b"".join(boards)
    plain = type(checkers) in (int, bool) and 1 <= checkers <= 15
    right = plain and all(
        is_board(counts_of(board)) and max(15 - off(counts_of(board), sign) for sign in (1, -1)) <= checkers
        for board in boards
    )
    for name, (size, form, expected) in READINGS.items():
        fits = rng.random() < 0.9
        out = bytearray(b"\x55") * (size * len(boards) + (0 if fits else rng.choice((-1, 1, size))))
        possible = right and (name not in {"outcomes", "to_ids"} or all(map(any, boards)))
        try:
            getattr(kernel, name)(points, out, checkers)
        except REFUSED:
            assert not (possible and fits), (name, points, checkers)
            assert name != "features" or set(out) <= {0x55}, "something was written"
        else:
            assert possible, (name, points, checkers)
            values_read = [struct.unpack_from(form, out, at) for at in range(0, len(out), size)]
            wanted = [
                struct.unpack(form, struct.pack(form, *expected(counts_of(board), int(checkers)))) for board in boards
            ]
            assert values_read == wanted, (name, points, checkers)


def fuzz_ids(rng: random.Random) -> None:
    """One call of `from_ids`: what it reads is the board of the text, and what it leaves is unusual or wrong."""
    texts = [position_of(random_board(rng)).id.encode() for _ in range(rng.randrange(5))]
    for row in range(len(texts)):
        if rng.random() < 0.5:
            text = bytearray(texts[row])
            text[rng.randrange(14)] = rng.choice((*b"A/gQ", rng.randrange(256)))
            texts[row] = rng.choice((bytes(text), rng.randbytes(14)))
    checkers = rng.choice((15, 15, 3, *ODD[:5]))
    characters, points, is_read = b"".join(texts), bytearray(SLOTS * len(texts)), bytearray(len(texts))
    if rng.random() < 0.1:
        characters = characters[rng.randrange(4) :]
    try:
        kernel.from_ids(characters, points, is_read, checkers)
    except REFUSED:
        assert checkers not in (15, 3) or len(characters) < 14 * len(texts), (texts, checkers)
        return
    for row, text in enumerate(texts):
        try:
            position = Position.from_id(text.decode("latin-1"), checkers=int(checkers))
        except GammonError:
            assert not is_read[row], (text, checkers)
        else:
            assert is_read[row], (text, checkers)
            assert points[SLOTS * row : SLOTS * (row + 1)] == position._board, (text, checkers)


def fuzz_best(rng: random.Random) -> None:
    """One call of `best`."""
    lengths = [rng.choice((0, 1, 1, 2, 5, 20)) for _ in range(rng.randrange(5))]
    offsets = [0, *accumulate(lengths)]
    kind = rng.choice("fdq")
    numbers = (0, 1, -1, 2) if kind == "q" else (0.0, -0.0, 1.5, -1.5, inf, -inf)
    scores = array(kind, rng.choices(numbers, k=offsets[-1]))
    expected = [scores.index(max(scores[start:end]), start) if start < end else -1 for start, end in pairwise(offsets)]
    right = True
    if rng.random() < 0.3 and scores and kind != "q":
        scores[rng.randrange(len(scores))] = nan
        right = False
    if rng.random() < 0.3:
        at, before = rng.randrange(len(offsets)), list(offsets)
        offsets[at] = rng.choice((0, 1, -1, offsets[at] + 1, 1 << 62, -(1 << 63)))
        right &= offsets == before
    best = array("q", bytes(8 * len(lengths)))
    arguments: list[Any] = [array("q", offsets), scores, best]
    if rng.random() < 0.1:
        arguments[rng.randrange(3)] = rng.choice(
            [*ODD, array("h", [1]), array("i", [1, 2]), memoryview(bytes(24))[::2]]
        )
        right = False
    try:
        kernel.best(*arguments)
    except REFUSED:
        assert not right, arguments
    else:
        assert not right or best.tolist() == expected, arguments


FILE = Path(generator.__file__).parents[1].joinpath("c", "selftaught.bin").read_bytes()
NETWORK = kernel.network(FILE) if kernel else b""
TABLE = kernel.bearoffs() if kernel else b""


def fuzz_chances(rng: random.Random) -> None:
    """One call of `network`, and one of `chances` with its three looks."""
    at, bits = rng.randrange(len(FILE)), rng.randrange(256)
    file = rng.choice((FILE[:at], FILE + bytes(bits), FILE[:at] + bytes([FILE[at] ^ bits]) + FILE[at + 1 :]))
    try:
        network = kernel.network(file)
    except ValueError:
        assert file != FILE
    else:
        assert network == NETWORK, (at, bits)
    boards, look = [any_board(rng) for _ in range(rng.randrange(3))], rng.choice((0, 0, 1, 2, *ODD[:5]))
    points = b"".join(boards)
    numbers = 126 if look == 2 else 5
    fits = rng.random() < 0.9
    out = array("f", bytes(4 * (numbers * len(boards) + (not fits))))
    possible = type(look) in (int, bool) and look in (0, 1, 2) and all(map(is_board, map(counts_of, boards)))
    for counts in map(counts_of, boards):
        possible = possible and (max(counts) > 0 and min(counts) < 0 if look == 2 else any(counts))
    table = rng.choice((TABLE, TABLE, b""))
    try:
        is_judged = kernel.chances(NETWORK, table, points, out, look)
    except REFUSED:
        assert not (possible and fits), (points, look)
    else:
        assert is_judged or not table, (points, look)
        assert possible or not is_judged, (points, look)
        assert all(0 <= number <= 1 for number in out), (points, look)
    with suppress(*REFUSED):
        kernel.chances(rng.choice((NETWORK[1:], *ODD)), TABLE, points, out, look)
    with suppress(*REFUSED):
        kernel.chances(NETWORK, rng.choice((TABLE[1:], *ODD)), points, out, look)


class Slotted:
    """Something for a `Maker`."""

    __slots__ = ("a", "b", "c")


class Lower(Slotted):
    """With a slot of its own after those of another class, and references that do not count."""

    __slots__ = ("__weakref__", "d")


class Open(Slotted):
    """With a dict, and with something else under the name of a slot."""

    x = slice.start  # type: ignore[attr-defined]
    y = property(str)
    z = Lower.__dict__["d"]


class New(Slotted):
    """A class whose objects are not made in the plainest way."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return super().__new__(cls)


class OwnError(Exception):
    """With memory of its own before its slots."""

    __slots__ = ("a",)


CLASSES: list[Any] = [Slotted, Slotted, Lower, Lower, Open, New, OwnError, object, type, int, 3, None]
NAMES: list[Any] = [*"aabbccdxyz", "__weakref__", "__dict__", "__class__", "\ud800", 3, None]


class Boarded:
    """Something with a board, or with a stand-in for one."""

    __slots__ = ("board",)

    def __init__(self, board: object) -> None:
        self.board = board


POINTS: Any = kernel.points_of(kernel.Maker(Boarded, "board"), "") if kernel else None
MAKERS = [kernel.Maker(Slotted, *names) for names in ("abc", "ab", "ba", "")] if kernel else []


def fuzz_makers(rng: random.Random) -> None:
    """A `Maker` of any class and names either is refused, or makes objects with these fields."""
    kind, names = rng.choice(CLASSES), rng.choices(NAMES, k=rng.randrange(5))
    try:
        maker = kernel.Maker(kind, *names)
    except (TypeError, AttributeError):
        assert kind not in (Slotted, Lower) or not set(names) <= set("abc"), (kind, names)
        return
    fields = {name: object() for name in names}
    made = maker.make(*map(fields.__getitem__, names))
    assert type(made) is kind, (kind, names)
    for name, value in fields.items():
        assert getattr(made, name) is value, (kind, names)


def fuzz_readers(rng: random.Random) -> None:
    """The counts of what has a board, and the faces of what is written in the plainest ways."""
    board = rng.choice(ODD) if rng.random() < 0.1 else any_board(rng)
    try:
        points = POINTS.__get__(Boarded(board))
    except TypeError:
        assert type(board) is not bytes or len(board) != SLOTS, board
    else:
        assert points == tuple(byte - 256 if byte > 127 else byte for byte in board), board
    text = "".join(rng.choice("01234567٣²\0\ud800") for _ in range(rng.choice((1, 2, 2, 2, 3))))
    pair = tuple(rng.choice((1, 2, 3, 4, 5, 6, 0, 7, -1, 1 << 70, True, 3.0, "3", None)) for _ in range(len(text)))
    for dice in (text, pair, list(pair), rng.choice(ODD)):
        plain = type(dice) is tuple and all(type(die) is int and 1 <= die <= 6 for die in dice)
        plain = plain or (type(dice) is str and set(dice) <= set("123456"))
        faces = int("".join(map(str, dice))) if plain and len(dice) == 2 else 0
        assert kernel.faces_of(dice) == faces, dice


def fuzz_objects(rng: random.Random) -> None:
    """Calls with values that make no sense."""
    values: list[Any] = [*ODD, kernel.Found, kernel.Maker, kernel.legal_plays(bytes(26), 2, 1), str, "x", Exception]
    values += [*MAKERS, Slotted, "a", "b"]
    with suppress(TypeError):
        rng.choice(MAKERS).make(*rng.choices(values, k=rng.randrange(4)))
    boards = kernel.legal_plays(packed(random_board(rng)), 6, rng.randint(1, 6))
    with suppress(TypeError):
        list(kernel.plays_of(boards, *rng.choices(MAKERS, k=2), *rng.choices(values, k=3)))
    for name in (
        "Maker",
        "plays_of",
        "moves_to",
        "text_to",
        "legal_plays_of_many",
        "legal_plays",
        "points_of",
        "faces_of",
        "best",
        "network",
        "chances",
        "philox",
        *READINGS,
    ):
        try:
            getattr(kernel, name)(*rng.choices(values, k=rng.randrange(8)))
        except (*REFUSED, AttributeError):
            pass


CALLS = 25
"""Calls in a round, at least."""


def case(rng: random.Random) -> int:
    """The seed of a round: its bytes and objects are too odd to be written down."""
    return rng.getrandbits(64)


def candidates(case: int) -> tuple[()]:
    """A seed cannot be made smaller."""
    return ()


def check(case: int) -> int:
    """A round of calls."""
    rng = random.Random(case)
    for _ in range(10):
        fuzz_single(rng)
    fuzz_outcomes(rng)
    fuzz_many(rng)
    fuzz_readings(rng)
    fuzz_ids(rng)
    fuzz_best(rng)
    fuzz_chances(rng)
    fuzz_objects(rng)
    fuzz_makers(rng)
    fuzz_readers(rng)
    return CALLS
