"""Plays as people write them, and what is nearly a play: for the law of notation and for its second statement."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fuzzing.mutation import mutated
from gammonrules import Play
from reference import BAR, OFF, Step
from spelling import spellings

Chain = tuple[tuple[int, ...], frozenset[int]]
"""The stops of one checker, and which of them are starred."""

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


def something_to_play(rng: random.Random, plays: Sequence[Play]) -> str | tuple[tuple[int, int, bool], ...]:
    """A play of these, or half of the time something like it, as moves or as text."""
    path = some_steps(rng, plays)
    match rng.randrange(4):
        case 0:
            return tuple((step.start, step.end, step.hits and rng.random() < 0.9) for step in path)
        case 1:
            return mutated(rng, rng.choice(spellings(path, rng)), OTHER_TEXTS, "/ ")
        case 2:
            return rng.choice(spellings(path, rng))
        case _:
            return spelled(rng, joined(rng, path))


def some_steps(rng: random.Random, plays: Sequence[Play]) -> list[Step]:
    """Those of a legal play, half of the time with something that is probably wrong."""
    path = [Step(move.from_point, move.to_point, move.hit) for move in rng.choice(plays).moves]
    return _changed(rng, path) if rng.random() < 0.5 else path


def _changed(rng: random.Random, path: list[Step]) -> list[Step]:
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


def joined(rng: random.Random, path: Sequence[Step]) -> list[Chain]:
    """Steps of one checker joined at random, some of its stops left out, some stars too."""
    chains: list[list[Step]] = []
    for step in path:
        for chain in chains:
            if chain[-1].end == step.start and rng.random() < 0.8:
                chain.append(step)
                break
        else:
            chains.append([step])
    named: list[Chain] = []
    for chain in chains:
        inner = [step.end for step in chain[:-1] if rng.random() < 0.5]
        stops = chain[0].start, *inner, chain[-1].end
        starred = {step.end for step in chain if step.hits and step.end in stops[1:] and rng.random() < 0.8}
        named.append((stops, frozenset(starred)))
    rng.shuffle(named)
    return named


def spelled(rng: random.Random, chains: Sequence[Chain]) -> str:
    """Their text, with points by name or number."""
    words = []
    for stops, starred in chains:
        names = [NAMES.get(stop, str(stop)) if rng.random() < 0.7 else str(stop) for stop in stops]
        words.append(
            names[0] + "".join(f"/{n}{'*' * (s in starred)}" for n, s in zip(names[1:], stops[1:], strict=True))
        )
    return rng.choice((" ", ", ", "  ")).join(words)
