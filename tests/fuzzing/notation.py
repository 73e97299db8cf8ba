"""Plays as text and as moves: spellings of legal plays, of plays with something wrong, and mutated texts.

A play that is found is one of the legal ones, and its own texts and moves find it again; an error is short, and its
witness is legal. Whether a series of moves is legal, and what it leads to, the brute force of tests/reference.py says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import reference
from boards import board_of, position_of, random_board
from fuzzing.harness import attempt
from fuzzing.mutation import mutated
from gammonrules import AmbiguousPlayError, IllegalPlayError, Move, ParseError, Play, Position
from reference import BAR, OFF, Step
from spelling import spellings

Chain = tuple[tuple[int, ...], frozenset[int]]
"""The stops of one checker, and which of them are starred."""
Case = tuple[str, int, tuple[int, int], "str | tuple[tuple[int, int, bool], ...]"]
"""Position ID, checkers of a side, roll, and a play: a text, or moves."""

NAMES = {OFF: "off", BAR: "bar"}
OTHER_TEXTS = (
    "13/7/5",
    "bar/22* 6/4(2)",
    "24/22*/16",
    "2/off",
    "Cannot Move",
    "no play",
    "6/4(2)*",
    "8/5, 6/5",
    "8-5 6-5",
    "bar/20 Pass",
    "25/0",
)


def case(rng: random.Random) -> Case:
    """A board, a roll, and something to play."""
    board = random_board(rng)
    dice = rng.randint(1, 6), rng.randint(1, 6)
    if dice[0] == dice[1] and rng.random() < 0.7:  # whose brute force is slow
        dice = dice[0], dice[0] % 6 + 1
    position = position_of(board)
    return position.id, position.checkers, dice, something_to_play(rng, position.legal_plays(dice))


def something_to_play(rng: random.Random, plays: Sequence[Play]) -> str | tuple[tuple[int, int, bool], ...]:
    """A play of these, or half of the time something like it, as moves or as text."""
    path = _some_path(rng, plays)
    if rng.random() < 0.5:
        path = _changed(rng, path)
    match rng.randrange(4):
        case 0:
            return tuple((step.start, step.end, step.hits and rng.random() < 0.9) for step in path)
        case 1:
            return mutated(rng, rng.choice(spellings(path, rng)), OTHER_TEXTS, "/ ")
        case 2:
            return rng.choice(spellings(path, rng))
        case _:
            return _spelled(rng, _joined(rng, path))


def _some_path(rng: random.Random, plays: Sequence[Play]) -> list[Step]:
    """The steps of a legal play."""
    play = rng.choice(plays)
    return [Step(move.from_point, move.to_point, move.hit) for move in play.moves]


def _changed(rng: random.Random, path: list[Step]) -> list[Step]:
    """The same with something that is probably wrong."""
    path = list(path)
    if not path or rng.random() < 0.2:
        start = rng.randint(1, 25)
        return [*path, Step(start, max(0, start - rng.randint(1, 6)), rng.random() < 0.1)]
    at = rng.randrange(len(path))
    match rng.randrange(4):
        case 0:
            del path[at]
        case 1:
            path.append(path[at])
        case 2:
            path[at] = path[at]._replace(hits=not path[at].hits)
        case _:
            by = rng.choice((-2, -1, 1, 2))
            path[at] = Step(*(min(BAR, max(OFF, place + by)) for place in path[at][:2]), path[at].hits)
    return path


def _joined(rng: random.Random, path: Sequence[Step]) -> list[Chain]:
    """Steps of one checker joined at random, some of its stops left out, some stars too."""
    chains: list[list[Step]] = []
    for step in path:
        for chain in chains:
            if chain[-1].end == step.start and rng.random() < 0.8:
                chain.append(step)
                break
        else:
            chains.append([step])
    joined: list[Chain] = []
    for chain in chains:
        inner = [step.end for step in chain[:-1] if rng.random() < 0.5]
        stops = chain[0].start, *inner, chain[-1].end
        starred = {step.end for step in chain if step.hits and step.end in stops[1:] and rng.random() < 0.8}
        joined.append((stops, frozenset(starred)))
    rng.shuffle(joined)
    return joined


def _spelled(rng: random.Random, chains: list[Chain]) -> str:
    words = []
    for stops, starred in chains:
        names = [NAMES.get(stop, str(stop)) if rng.random() < 0.7 else str(stop) for stop in stops]
        words.append(
            names[0] + "".join(f"/{n}{'*' * (s in starred)}" for n, s in zip(names[1:], stops[1:], strict=True))
        )
    return rng.choice((" ", ", ", "  ")).join(words)


# --- what must hold -----------------------------------------------------------------------------------------------


def check(case: Case) -> None:
    """Find a play, and compare with the brute force."""
    identifier, checkers, dice, said = case
    position = Position.from_id(identifier, checkers=checkers)
    plays = position.legal_plays(dice)
    if isinstance(said, str):
        wanted, chains = said, _chains(said)
    else:
        wanted, chains = said, [((start, end), frozenset({end} if hit else ())) for start, end, hit in said]
    play, error = attempt(lambda: plays.find(wanted))
    again, same_error = attempt(lambda: position.play(wanted, dice))
    assert (type(error), str(error)) == (type(same_error), str(same_error))
    if play is not None:
        assert again == play.position
        _check_found(play, position)
    else:
        _check_error(error, plays)
    if chains:
        _check_legality(position, dice, chains, play, error, by_die=not isinstance(said, str))


def _check_found(play: Play, position: Position) -> None:
    """A play that is found is legal, and is found by its own text and moves."""
    plays = position.legal_plays(play.dice)
    assert play in plays
    assert play.before == position
    assert plays.find(str(play)) == plays.find(play.moves) == plays.find(str(play).upper()) == play
    so_far: tuple[Move, ...] = ()
    for move in play.moves:
        assert move in plays.next_moves(so_far), (move, so_far)
        so_far += (move,)
    assert plays.is_complete(so_far)
    assert plays.points_after(so_far) == play.position.flip().points


def _check_error(error: Exception | None, plays: Sequence[Play]) -> None:
    """An error shows what is legal."""
    assert isinstance(error, (IllegalPlayError, ParseError)), error
    if isinstance(error, AmbiguousPlayError):
        assert len(error.candidates) > 1
        assert all(candidate in plays for candidate in error.candidates)
    elif isinstance(error, IllegalPlayError):
        assert error.reason is not None
        assert error.witness is None or error.witness in plays, error.witness


def _chains(text: str) -> list[Chain] | None:
    """The chains of a text in the plainest form; None for any other text, which need not be one."""
    chains = []
    if not text or not set(text) <= set("0123456789/* ofbar,"):
        return None
    for word in text.replace(",", " ").split():
        parts = word.replace("bar", "25").replace("off", "0").split("/")
        numbers = [part.removesuffix("*") for part in parts]
        if (
            len(parts) < 2
            or parts[0].endswith("*")
            or not all(number.isdecimal() and len(number) < 3 for number in numbers)
        ):
            return None
        stops = tuple(map(int, numbers))
        starred = {stop for stop, part in zip(stops, parts, strict=True) if part.endswith("*")}
        if max(stops) > BAR or len(set(stops)) < len(stops):
            return None
        chains.append((stops, frozenset(starred)))
    return chains or None


@lru_cache(maxsize=4)
def _series(board: reference.Board, dice: tuple[int, int]) -> dict[tuple[Step, ...], reference.Board]:
    """Every series of steps that arrives where a legal play does, one for each set of steps.

    What counts is where it arrives: with 61 and checkers on the 6 and 5 points, 6/off by the 6 alone is as good as
    6/5/off, though the 1 could be played.
    """
    arrivals, by_path = reference.results(board, dice), {}
    for order in reference.orders(dice):
        reached: dict[tuple[Step, ...], reference.Board] = {(): board}
        for die in order:
            reached = {
                tuple(sorted((*path, step))): after
                for path, before in reached.items()
                for step, after in reference.steps(before, die)
            }
            by_path |= {path: after for path, after in reached.items() if after in arrivals}
    return by_path


def _check_legality(
    position: Position,
    dice: tuple[int, int],
    chains: Sequence[Chain],
    play: Play | None,
    error: Exception | None,
    *,
    by_die: bool,
) -> None:
    """The brute force finds the same; where a text fits several results, the one that hits nothing on the way."""
    results: dict[reference.Board, bool] = {}
    written = {stop for stops, _ in chains for stop in stops}
    for path, after in _series(board_of(position), dice).items():
        hit = {step.end for step in path if step.hits}
        if all(starred <= hit for _, starred in chains) and _covers(list(path), chains, by_die=by_die):
            results[after] = results.get(after, False) or hit <= written
    quiet = [after for after, is_quiet in results.items() if is_quiet]
    if play is not None:
        board = reference.flip(board_of(play.position))
        assert board in results, "the brute force does not find this play"
        assert len(results) == 1 or quiet == [board], "not the only one that hits nothing on the way"
    elif isinstance(error, AmbiguousPlayError):
        candidates = {reference.flip(board_of(candidate.position)) for candidate in error.candidates}
        assert candidates == set(quiet or results), "other candidates than those of the brute force"
    elif isinstance(error, IllegalPlayError):
        assert not results, "the brute force finds this play"


def _covers(steps: list[Step], chains: Sequence[Chain], *, by_die: bool) -> bool:
    """Whether these steps can be those of the chains, each leg made of one step or more."""
    legs = [leg for stops, _ in chains for leg in pairwise(stops)]
    return any(True for _ in _coverings(steps, legs, by_die))


def _coverings(steps: list[Step], legs: Sequence[tuple[int, int]], by_die: bool) -> Iterator[None]:
    if not legs:
        if not steps:
            yield None
        return
    (start, end), *others = legs
    for index, step in enumerate(steps):
        if step.start == start:
            left = steps[:index] + steps[index + 1 :]
            if step.end == end:
                yield from _coverings(left, others, by_die)
            elif step.end > end and not by_die:
                yield from _coverings(left, [(step.end, end), *others], by_die)
