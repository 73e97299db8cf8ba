"""The second statement of notation and refusals, `web/src/rules/`, says what the first one says, word for word.

A try is a call of a function of `rules.js`, and what the library answers to the same question.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import each
from boards import position_of, random_board
from fuzzing import plays as texts
from gammonrules import GammonError, IllegalPlayError, IllegalPlayReason, Move, Play, Plays, Position

Try = tuple[list[Any], Any]
Ask = Callable[[Sequence[Sequence[Any]]], list[Any]]
AT_ONCE = 10_000
"""Tries of one process."""


# --- what the library answers ---------------------------------------------------------------------------------------


def answer(question: Callable[..., object], *arguments: object) -> Any:
    """What a method of `Plays` gives or raises, as JavaScript has it."""
    try:
        answered = question(*arguments)
    except IllegalPlayError as error:
        return {"error": str(error)} | facts(error)
    except GammonError as error:
        return {"error": str(error)}
    return {"message": str(answered)} | facts(answered) if isinstance(answered, IllegalPlayError) else plain(answered)


def facts(error: IllegalPlayError) -> dict[str, Any]:
    return {name: plain(value) for name, value in vars(error).items() if value is not None}


def plain(value: object) -> Any:
    if isinstance(value, Play):
        return {"points": [*value.position.points], "moves": plain(value.moves), "text": str(value)}
    if isinstance(value, Move):
        return [value.from_point, value.to_point]
    return [*map(plain, value)] if isinstance(value, tuple) else value


# --- tries ----------------------------------------------------------------------------------------------------------


def some_plays(rng: random.Random) -> Plays:
    dice = rng.randint(1, 6), rng.randint(1, 6)
    kind = rng.random()
    if kind < 0.6:
        return tight_position(rng, dice).legal_plays(dice)
    position = position_of(random_board(rng))
    if kind < 0.61:  # a finished game
        position = Position.of(**{rng.choice(("mine", "theirs")): position.mine}, checkers=position.checkers)
    return position.legal_plays(dice)


def tight_position(rng: random.Random, dice: tuple[int, int]) -> Position:
    """A few checkers, with the opponent on the points to which the dice lead: there some dice cannot be played."""
    last = rng.choice((6, 12, 24, 25))
    mine = Counter(rng.choices(range(1, last + 1), k=rng.randint(1, 3)))
    ways = {place - pips for place in mine for pips in (*dice, sum(dice), 3 * dice[0])}
    targets = sorted(ways.intersection(range(1, 25)).difference(mine))
    theirs = {25 - point: rng.choice((0, 0, 1, 2, 2)) for point in rng.sample(targets, min(7, len(targets)))}
    unused = next(point for point in range(24, 0, -1) if point not in mine and 25 - point not in theirs)
    return Position.of(mine, theirs | {25 - unused: 1})


def call(name: str, plays: Plays, *arguments: object) -> list[Any]:
    position, dice = plays.position, plays.dice
    faces = [dice.low, dice.high] if dice.low % 2 else str(dice)
    return [name, [*position.points], faces, *arguments, {"checkers": position.checkers}]


def between_points(rng: random.Random) -> Iterator[Try]:
    """A checker from one point to another after some moves, which are not always in order."""
    plays = some_plays(rng)
    for _ in range(10):
        made: list[list[int]] = []
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
            following = plays.next_moves(made)
            made += map(plain, rng.choices(following, k=bool(following)))
        source, target = some_leg(rng, plays.points_after(made), plays.dice_left(made))
        if plays and rng.random() < 0.1:
            made = [*map(plain, rng.choice(plays).moves)]
            rng.shuffle(made)
        elif rng.random() < 0.1:
            made.append([source, target])
        yield call("why", plays, made, source, target), answer(plays.why, source, target, made)


def some_leg(rng: random.Random, points: Sequence[int], dice: tuple[int, ...]) -> tuple[int, int]:
    """Two points between which a checker may go by these dice, or not at all."""
    own = [point for point in range(26) if points[point] > 0] or [0]
    source = rng.choice(own) if rng.random() < 0.7 else rng.randrange(26)
    pips = rng.choice((*dice, *dice, sum(dice), rng.randint(-25, 25)))
    return source, min(max(source - pips, 0), 25)


def plays_to_read(rng: random.Random) -> Iterator[Try]:
    """Plays as text and as moves: legal ones in many spellings, and some with something wrong."""
    plays = some_plays(rng)
    lone = "{}/{}".format(*some_leg(rng, plays.position.points, plays.dice.to_play))
    written = texts.something_to_play(rng, plays) if plays else "pass"
    if isinstance(written, str):
        written = pasted(rng, as_in_javascript(written) + rng.choice(("", "", "", " pass")))
    else:
        written = [[source, target] for source, target, _ in written]
    for play in (lone, written):
        yield call("find", plays, play), answer(plays.find, play)
    for legal in rng.sample(plays, min(1, len(plays))):
        moves = [*map(plain, rng.sample(legal.moves, len(legal.moves)))]
        yield call("notation", plays, moves), str(legal)
        yield call("find", plays, str(legal)), plain(legal)


def as_in_javascript(text: str) -> str:
    """The text with its halves of signs, where two follow each other, as one sign."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


AROUND = (
    "",
    "",
    "",
    "`{}`",
    "**{}**",
    "({})",
    "{}?!",
    "{}.",
    "\u201c{}\u201d",
    "31: {}",
    "6-5: {}",
    "**11:** {}",
    "_{}_;",
)
SIGNS = {
    "-": "\u2013\u2014\u2212\uff0d",
    "/": "\uff0f\u2192\u27a1\u2044",
    " ": "\u00a0\u3000\u2009;\x1f",
    "*": "\uff0a\u2217",
    "5": "\uff15",
}


def pasted(rng: random.Random, text: str) -> str:
    """A text as programs change it on its way."""
    for sign in rng.sample([*SIGNS], rng.choice((0, 0, 0, 1, 2))):
        text = text.replace(sign, rng.choice(SIGNS[sign]))
    return rng.choice(AROUND).format(text)


def is_refused(expected: Any) -> bool:
    return isinstance(expected, dict) and bool({"sentence", "error"} & {*expected})


def compared(ask: Ask, make: Callable[[random.Random], Iterator[Try]], count: int, *, refused: bool) -> Counter[Any]:
    """The reasons in the answers, after this many tries have been equal that are refused, or are not."""
    rng, reasons = random.Random(65), Counter[Any]()
    while count > 0:
        tries: list[Try] = []
        while len(tries) < AT_ONCE and count > 0:
            for trial in make(rng):
                tries.append(trial)
                count -= is_refused(trial[1]) == refused
        for (question, expected), answer in zip(tries, ask([question for question, _ in tries]), strict=True):
            assert answer == expected, question
            reasons[expected.get("reason") if is_refused(expected) else "legal"] += 1
    return reasons


COUNTS = each.first("count", [1_000, 20_000])


@COUNTS
def test_why_not(ask, count):
    """Moves without stars are never a dance, nor ambiguous, and any that can be made of a doublet can go on."""
    by_find = {
        IllegalPlayReason[name]
        for name in ("NOTHING_HIT", "MUST_PLAY", "AMBIGUOUS", "MORE_OF_DOUBLET", "OTHER_POSITION")
    }
    reasons = compared(ask, between_points, count, refused=True)
    assert {*reasons, IllegalPlayReason.OTHER_ORDER} == {*IllegalPlayReason, "legal"} - by_find


def test_an_order_that_cannot_be(ask):
    """Which is rare: with 6-2, 4/2 and then 2/off is a play, but 2/off first takes the 2."""
    plays = Position.of(mine={4: 1, 2: 1, 1: 3}, theirs={1: 2}).legal_plays("62")
    made = [[2, 0], [4, 2]]
    expected = answer(plays.why, 2, 0, made)
    assert expected["reason"] is IllegalPlayReason.OTHER_ORDER
    assert ask([call("why", plays, made, 2, 0)]) == [expected]


@COUNTS
def test_find_and_notation(ask, count):
    """What cannot be read has no reason."""
    reasons = compared(ask, plays_to_read, count, refused=False)
    assert {*reasons} == {*IllegalPlayReason, "legal", None} - {IllegalPlayReason.OTHER_ORDER}


def test_limits(ask):
    """Texts as long as can be read or shown, and longer ones; repeats, quotation marks, and stars beside the board."""
    lengths = [play.ljust(length) for play in ("8/5 6/5", "6-5") for length in (200, 201)]
    signs = ("x", "'", '"', "\\", "\u00a0", "\u00ad", "\U0001f600", "\U000e0001", "\ud800")
    shown = [sign * length + "x" for sign in signs for length in (9, 10, 18, 19, 20, 37, 38, 39, 40, 41)]
    shown += [sign * length for sign in ("\U0001f600", "x\ud800") for length in (100, 101, 200, 201)]
    counted = [f"8/7({count})" for count in (0, 1, 15, 16)]
    others = r"""'" "x it's \'" 6/5*/off 1/off* bar*/22 25/22* 8/26 26/22 8/7(2)* 5/5""".split()
    plays = Position.of(mine={8: 2, 6: 1, 1: 2}, theirs={"bar": 1, 6: 2}).legal_plays("31")
    tries = [(call("find", plays, text), answer(plays.find, text)) for text in (*lengths, *shown, *counted, *others)]
    assert ask([question for question, _ in tries]) == [expected for _, expected in tries]
