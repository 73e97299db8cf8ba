"""Plays as text: every usual spelling is read, one is written.

A text is a series of *chains*, each the path of one checker: "13/7/5", perhaps with stars or "(2)". It is first read
in the plainest way; if that is not a legal play, every way to play the chains with the dice is tried, to see which
legal results they lead to. Spelling never matters, only whether the moves can be made. Values are plain: results as
`legal_plays` returns them, packed boards on the way there, moves as (from, to, hit), with 25 for the bar and 0 for off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from gammonrules._shared.pasted_text import with_plain_signs
from gammonrules.board.encoding import (
    BAR,
    Board,
    Packed,
    board_of,
    flip,
    hits,
    pack,
    points_of,
    unpack_flipped,
)
from gammonrules.board.generator import PlainMove, ResultBoards, kernel_text, moves_to
from gammonrules.board.pure import slots_of, sources_and_steps, sources_of, without
from gammonrules.dice import Dice
from gammonrules.errors import ParseError
from gammonrules.limits import MAX_PLAY_LENGTH
from gammonrules.values import shown

PlainSteps: TypeAlias = list[tuple[int, int]]
"""Moves as pairs of source and die."""

_DANCES = {"", "no play", "no move", "cannot move", "pass"}
_POINT = r"(?:bar|off|b|o|\d{1,2})"
_CHAINS = {
    mark: re.compile(rf"({_POINT}(?:\*?{mark}{_POINT})+)(\*)?(?:\((\d{{1,2}})\))?(\*)?", re.ASCII)
    for mark in "/-"
}
"""By the mark between points: the path, a star, how often it is repeated, and a star after that."""
_ROLL_OR_SCORE = re.compile("[0-9]-[0-9]")
_NAMES = {"bar": BAR, "b": BAR, "off": 0, "o": 0}
_ROLL = re.compile(r"\**([1-6]) ?-? ?([1-6])\**:\** ?")
_AROUND = " \"'`_~<>[]{}"
_AT_THE_END = _AROUND + ".,;!?"
_POINT_NAMES = ("off", *map(str, range(1, BAR)), "bar")


class Chain(NamedTuple):
    """The path of one checker: the points where it stops, and those where the text says that it hits.

    One without stops is a dance after other moves: it says that a die is left and cannot be played.
    """

    stops: tuple[int, ...]
    hits: frozenset[int] = frozenset()


_PASS = Chain(())


def legs_of(chains: Iterable[Chain]) -> list[tuple[int, int]]:
    """The pairs of one stop and the next, of all chains in their order."""
    legs: list[tuple[int, int]] = []
    for chain in chains:
        legs += pairwise(chain.stops)
    return legs


class PlayText(NamedTuple):
    """What a text says: the paths of the checkers, none for a dance, and the roll before them, if there is one."""

    chains: list[Chain]
    roll: Dice | None = None


class Roll(NamedTuple):
    """A board, the roll, and its legal results."""

    board: Board
    dice: Dice
    plays: ResultBoards

    def moves(self, result: Board) -> list[PlainMove]:
        """The moves of the play that leads to a legal result."""
        return moves_to(self.board, self.dice.high, self.dice.low, result) or []


# --- writing ---------------------------------------------------------------------------------------


def point_name(point: int) -> str:
    """A point as text; the bar and off are written as words."""
    return _POINT_NAMES[point]


def canonical_text(moves: Iterable[PlainMove]) -> str:
    """The canonical text of the moves of a play, which are in the order of `moves_to`.

    Examples:
        >>> series = [(24, 22, True), (22, 16, False)]
        >>> canonical_text(series), canonical_text([])
        ('24/22*/16', 'no play')
        >>> canonical_text([(6, 4, True), (6, 4, False)])
        '6/4*(2)'
    """
    paths: list[list[int]] = []
    unmarked_hits: set[int] = set()
    for source, target, hit in moves:
        if hit:
            unmarked_hits.add(target)
        for path in paths:
            if path[-1] == source:  # the first checker that came here goes on
                path.append(target)
                break
        else:  # no checker came here
            paths.append([source, target])
    texts: list[str] = []
    for number, path in enumerate(paths):
        if path in paths[:number]:  # written already, with its repeats
            continue
        text = _write_path(path, unmarked_hits)
        repeats = paths.count(path)
        if repeats > 1:
            text += f"({repeats})"
        texts.append(text)
    return " ".join(texts) or "no play"


def _write_path(path: Sequence[int], unmarked_hits: set[int]) -> str:
    """A path with its start, its end, and the stops where it hits; each hit is marked once, and taken from the set."""
    text = _POINT_NAMES[path[0]]
    for stop in path[1:]:
        if stop in unmarked_hits:
            unmarked_hits.discard(stop)
            text += f"/{_POINT_NAMES[stop]}*"
        elif stop == path[-1]:  # the end, since each stop is lower than the one before it
            text += f"/{_POINT_NAMES[stop]}"
    return text


def plain_text_to(board: Board, high: int, low: int, after: Board) -> str:
    """The canonical text of the play that leads from a board to a legal result."""
    return canonical_text(moves_to(board, high, low, after) or [])


text_to = kernel_text or plain_text_to
"""The same in C if there is a kernel: every interface and log reads texts, and this takes a tenth of the time."""


def spell_play(chains: Iterable[Chain]) -> str:
    """The text of these chains, whether or not a roll allows them."""
    return " ".join(_spell_chain(chain) for chain in chains)


def _spell_chain(chain: Chain) -> str:
    if not chain.stops:
        return "pass"
    stops: list[str] = []
    for stop in chain.stops:
        star = "*" if stop in chain.hits else ""
        stops.append(f"{point_name(stop)}{star}")
    return "/".join(stops)


def chains_of(moves: Iterable[PlainMove]) -> list[Chain]:
    """Moves as chains of one leg each."""
    chains: list[Chain] = []
    for source, target, hit in moves:
        hits_on = frozenset({target}) if hit else frozenset[int]()
        chains.append(Chain((source, target), hits_on))
    return chains


# --- reading ---------------------------------------------------------------------------------------


def parse_play(text: str) -> PlayText:
    """The play that a text says. Raises ParseError if it cannot be read."""
    if len(text) > MAX_PLAY_LENGTH:
        raise ParseError(
            f"a play has at most {MAX_PLAY_LENGTH} characters, but this text has {len(text)}"
        )
    plain = with_plain_signs(text).lower()
    if not plain:
        return PlayText([])
    bare = _without_marks(plain)
    roll = None
    prefix = _ROLL.match(bare) if ":" in bare else None  # as in "31: 8/5 6/5"
    if prefix is not None:
        roll = Dice(int(prefix[1]), int(prefix[2]))
        bare = _without_marks(bare[prefix.end() :])
    if not bare:
        raise _unreadable(text)
    return PlayText(_chains_in(bare, text), roll)


def _without_marks(text: str) -> str:
    """A play without the quotes, brackets, Markdown and end of a sentence around it.

    No play begins with a parenthesis or a star, so these come in pairs; others at the end are its own.
    """
    bare = text.strip(_AROUND).rstrip(_AT_THE_END)
    # a text of one star does not come in a pair
    while len(bare) > 1 and bare[0] + bare[-1] in {"()", "**"}:
        bare = bare[1:-1].strip(_AROUND).rstrip(_AT_THE_END)
    return bare


def _chains_in(bare: str, text: str) -> list[Chain]:
    """The chains of a play in plain signs; errors show the text."""
    if "," in bare or ";" in bare:
        bare = " ".join(bare.replace(",", " ").replace(";", " ").split())
    bare = bare.replace(" (", "(")  # "6/4 (2)" is one word
    if bare in _DANCES:
        return []
    if "-" in bare:
        if _ROLL_OR_SCORE.fullmatch(bare):
            raise ParseError(
                f'cannot read {shown(text)}: it may be a roll or a score; a move is written "13/7"'
            )
        if "/" in bare:
            raise ParseError(
                f'cannot read {shown(text)}: moves are written with "/" or with "-", not with both'
            )
    words = bare.split()
    ends_with_pass = words[-1] == "pass"
    if ends_with_pass:
        words.pop()
    chains: list[Chain] = []
    for word in words:
        chains += _parse_word(word)
    if ends_with_pass:
        chains.append(_PASS)
    return chains


def _unreadable(text: str) -> ParseError:
    return ParseError(
        f'cannot read {shown(text)}: a move is written "13/7", "bar/22*", "6/4(2)" or "2/off"'
    )


@lru_cache(maxsize=1 << 12)
def _parse_word(word: str) -> tuple[Chain, ...]:
    """The chain that a word says, as often as it says so: "6/4(2)" is two."""
    mark = "-" if "-" in word else "/"
    match = _CHAINS[mark].fullmatch(word)
    if match is None:
        raise _unreadable(word)
    path, star_of_end, repeats, star_of_repeats = match.groups()  # the star may follow either
    names = path.split(mark)
    stops: list[int] = []
    hit_points: set[int] = set()
    for name in names:
        plain = name.rstrip("*")
        stop = _NAMES[plain] if plain in _NAMES else int(plain)
        if stop > BAR:
            raise ParseError(f"cannot read {shown(word)}: there is no point {stop}")
        stops.append(stop)
        if name.endswith("*"):
            hit_points.add(stop)
    if names[0].endswith("*"):
        raise ParseError(
            f"cannot read {shown(word)}: a star must follow the point where a checker is hit"
        )
    if star_of_end or star_of_repeats:
        hit_points.add(stops[-1])
    times = 1
    if repeats is not None:
        times = int(repeats)
        if not 1 <= times <= 15:
            raise ParseError(f"cannot read {shown(word)}: a move can be repeated 1 to 15 times")
    chain = Chain(tuple(stops), frozenset(hit_points))
    return (chain,) * times


class Reading(NamedTuple):
    """The legal results that chains may mean, and what was tried to find them, which tells `refusals` what is wrong.

    Without `attempts` the results were clear before anything was tried, or there is a `false_star`.
    """

    results: tuple[Board, ...]
    """None if the chains are illegal, several if they are ambiguous."""
    attempts: Sequence[Attempt] = ()
    false_star: int | None = None


def read_chains(roll: Roll, chains: Sequence[Chain], *, by_die: bool) -> Reading:
    """Find the legal results that chains may mean.

    Args:
        roll: the board, the dice and the legal results.
        chains: the paths of the checkers; none for a dance.
        by_die: whether each leg uses one die, as a `Move` does.
    """
    if not chains:
        unchanged = flip(roll.board)
        return Reading((unchanged,) if unchanged in roll.plays else ())
    ends_with_pass = chains[-1] is _PASS
    if not by_die and not ends_with_pass:
        plainest = _at_first_sight(roll, chains)
        if plainest is not None:
            return Reading((plainest,))
    point_without_blot = false_star(roll, chains)
    if point_without_blot is not None:
        return Reading((), false_star=point_without_blot)
    tried = attempts(pack(roll.board), roll.dice.to_play, chains, by_die=by_die)
    return Reading(_legal_results_of(tried, roll, chains), tried)


def _legal_results_of(
    tried: Sequence[Attempt], roll: Roll, chains: Sequence[Chain]
) -> tuple[Board, ...]:
    """The legal results of these attempts: if there are any that hit only where the text says so, those alone."""
    ends_with_pass = chains[-1] is _PASS
    stops: set[int] = set()
    for chain in chains:
        stops.update(chain.stops)
    has_every_hit: dict[Board, bool] = {}  # whether the text names each point where a result hits
    for attempt in tried:
        is_complete = not attempt.left
        result = unpack_flipped(attempt.board)
        if not is_complete or result not in roll.plays:
            continue
        if ends_with_pass and attempt.plays_all(roll.dice):  # a pass says that a die is left
            continue
        has_every_hit[result] = attempt.hit_points <= stops
    fully_written = tuple(result for result in has_every_hit if has_every_hit[result])
    return fully_written or tuple(has_every_hit)


def _at_first_sight(roll: Roll, chains: Sequence[Chain]) -> Board | None:
    """The result of the plainest reading: from the rear, each leg by one die, or by several without a hit on the way.

    Then nothing is hit except on stops that are written, so no other reading is possible. None if this is not a legal
    play; a closer look may find one.
    """
    points = [*points_of(roll.board)]
    left = [*roll.dice.to_play]
    hit_points: set[int] = set()
    for source, target in sorted(legs_of(chains), reverse=True):
        if source <= target:
            return None
        at = source
        while at != target:
            die = _die_toward(target, points, at, left)
            if die is None:
                return None
            left.remove(die)
            landing = max(at - die, 0)
            if _move_one(points, at, landing):
                hit_points.add(landing)
            at = landing
    for chain in chains:
        if not chain.hits <= hit_points:  # a star where nothing is hit
            return None
    result = flip(board_of(points))
    return result if result in roll.plays else None


def _move_one(points: list[int], source: int, target: int) -> bool:
    """Move one checker on a board of 26 counts, and say whether it hits."""
    points[source] -= 1
    if target == 0:  # off
        return False
    is_hit = points[target] < 0
    if is_hit:
        points[target] = 0
        points[0] -= 1  # the opponent's bar, where counts are negative too
    points[target] += 1
    return is_hit


def _die_toward(target: int, points: Sequence[int], at: int, left: Sequence[int]) -> int | None:
    """The die for the next move of a checker to its target; None if there is none.

    It leads straight there; or it is a larger one to bear off, or a smaller one whose move hits no blot on the way.
    """
    distance = at - target
    if distance in left:
        return distance
    if target == 0:
        larger_dice = [die for die in left if die > distance]
        if larger_dice:
            larger = min(larger_dice)
            # the only rule that is checked here: if this breaks it, the result may be that of another, legal play
            sources = slots_of(sources_of(pack(board_of(points)), larger))
            return larger if at in sources else None
    for die in left:
        if die < distance and points[at - die] >= 0:
            return die
    return None


def false_star(roll: Roll, chains: Sequence[Chain]) -> int | None:
    """The first starred point where there is no blot to hit; None if there is no such point."""
    points = points_of(roll.board)
    for chain in chains:
        for stop in chain.stops:
            has_blot = stop not in (0, BAR) and points[stop] == -1
            if stop in chain.hits and not has_blot:
                return stop
    return None


def leg_ways(
    source: int, target: int, dice: tuple[int, ...], *, by_die: bool
) -> Iterator[tuple[PlainSteps, tuple[int, ...]]]:
    """Every way to go from one point to another with the dice: the moves as (source, die), and the dice left.

    `by_die`: whether it must be one move, by a single die.
    """
    for die in dict.fromkeys(dice):
        left = without(die, dice)
        landing = max(source - die, 0)
        if landing == target:
            yield [(source, die)], left
        elif landing > target and not by_die:
            for steps, left_at_target in leg_ways(landing, target, left, by_die=False):
                yield [(source, die), *steps], left_at_target


def _ways(
    legs: Sequence[tuple[int, int]], dice: tuple[int, ...], *, by_die: bool
) -> Iterator[PlainSteps]:
    """Every way to play all the legs with the dice: moves as (source, die). `by_die`: each leg is one move."""
    if not legs:
        yield []
        return
    source, target = legs[0]
    for steps, left in leg_ways(source, target, dice, by_die=by_die):
        for later_steps in _ways(legs[1:], left, by_die=by_die):
            yield steps + later_steps


class Attempt(NamedTuple):
    """How far a series of moves could be made: the board at the end, the points reached, and the moves left."""

    board: Packed
    landings: tuple[tuple[int, bool], ...]
    left: tuple[tuple[int, int], ...]

    @property
    def hit_points(self) -> set[int]:
        """The points where the moves hit."""
        return {point for point, is_hit in self.landings if is_hit}

    def plays_all(self, dice: Dice) -> bool:
        """Whether no die is left."""
        return len(self.landings) == len(dice.to_play)


def attempts(
    board: Packed, dice: tuple[int, ...], chains: Sequence[Chain], *, by_die: bool
) -> list[Attempt]:
    """Try each way to play the chains with the dice, as far as it goes. `by_die`: each leg is one move."""
    legs = legs_of(chains)
    return [_attempt(board, moves) for moves in _ways(legs, dice, by_die=by_die)]


def _attempt(board: Packed, moves: Sequence[tuple[int, int]]) -> Attempt:
    """Make as many of the moves as possible, from the rear, since no move depends on one from a lower point."""
    left = sorted(moves, key=lambda move: move[0], reverse=True)
    landings: list[tuple[int, bool]] = []
    for number, (source, die) in enumerate(left):
        playable, steps = sources_and_steps(board, die)
        if source not in slots_of(playable):
            return Attempt(board, tuple(landings), tuple(left[number:]))
        target = max(source - die, 0)
        landings.append((target, hits(board, target)))
        board += steps[source]
    return Attempt(board, tuple(landings), ())
