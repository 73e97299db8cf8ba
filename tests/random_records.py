"""Records of matches played at random (`random_logs.py`), and what a format keeps of them."""

from __future__ import annotations

import random

import attrs

from gammonrules import MatchState, SetPosition
from gammonrules.match import RecordEvent
from gammonrules.records import Game, Match, dumps, loads, lost_fields
from random_logs import RULES, beginning, events, midst

FORMATS = "mat", "sgf", "ogxm", "json"


def log(seed: int) -> Match:
    """A match of a few games that this number decides."""
    rng = random.Random(seed)
    rules, length = rng.choice(RULES), rng.choice((None, 1, 2, 3, 5, 7))
    start = beginning(rng, rules, None if rules.scoring == "pips" else length)
    if rng.random() < 0.1:
        start = midst(start, [*events(rng, start)][: rng.randrange(80)])
    return Match.from_events(("Ann", "Bob"), start, events(rng, start))


def differences(match: Match, form: str) -> set[str]:
    """What is read back differently from what was written, and is not among what `lost_fields` names.

    Raises:
        GammonError: the record is refused.
    """
    again = loads(dumps(match, form))
    return changed(match, again) - {*lost_fields(match, form)}


def changed(match: Match, again: Match) -> set[str]:
    """The parts that differ; a game's events are compared as they are, and with the states that they lead to."""
    names = "players", "length", "comments", "rolls"
    different = {name for name in names if getattr(match, name) != getattr(again, name)}
    rules = attrs.asdict(again.rules)
    different |= {f"rules.{name}" for name, value in attrs.asdict(match.rules).items() if rules[name] != value}
    if len(again.games) != len(match.games):
        different.add("games")
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=False)):
        parts = {
            "number": (game.number, read.number),
            "start": (table(game.start), table(read.start)),
            "events": (game.events, with_cubes(read)),
            "result": (game.result, read.result if game.result else None),
        }
        different |= {f"games[{index}].{name}" for name, (before, after) in parts.items() if before != after}
    return different


def with_cubes(game: Game) -> tuple[RecordEvent, ...]:
    """Its events; a position set by hand with its cube, as in a log. Files say it only where it changes."""
    return tuple(
        state.canonical(event) if isinstance(event, SetPosition) else event
        for state, event in zip(game.states(), game.events, strict=False)
    )


def table(state: MatchState) -> tuple[object, ...]:
    """A state without its rules, which are compared for the whole record."""
    return attrs.astuple(state, recurse=False, filter=lambda field, _: field.name != "rules")
