"""The names and numbers in `c/gammonrules.h`, `_match.c` and `opponent.c`, and `c/reasons.json` with Python's messages.

The messages have fields in braces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import library_names as names
import python_messages
from gammonrules._shared.engine_levels import TEMPERATURES
from gammonrules.errors import MatchStateProblem
from gammonrules.limits import MAX_CUBE_TURNS, MAX_IN_A_ROW, MAX_POINTS
from marked_blocks import in_code

FOLDER = Path(__file__).parents[1] / "src" / "gammonrules" / "c"
PREFIX = "GAMMONRULES_"


class OwnReason(NamedTuple):
    """A reason that Python does not have, its message, and what the header says of it."""

    name: str
    message: str
    about: str = ""


OF_HOSTS = (
    OwnReason("no_such_dice", "a die shows 1 to 6"),
    OwnReason("no_such_play", "no legal play leads to this board"),
    OwnReason("no_such_win", "the level of a resignation is 1, 2 or 3"),
    OwnReason("no_such_points", "a forfeit cannot be worth so many points"),
    OwnReason("no_such_board", "no game begins with this board"),
    OwnReason(
        "no_such_match",
        "the match has a problem",
        "fields have numbers that they never have: nothing is done or allowed",
    ),
)
"""What only a host does wrong."""
LAST_STRENGTH = len(names.STRENGTHS) - 1
UNKNOWN = (
    OwnReason("unknown_scoring", "it does not know pip scoring", "pips"),
    OwnReason("unknown_checkers", "it does not know games with {checkers} checkers a side", "not 15 a side"),
    OwnReason(
        "unknown_crawford",
        "it does not know matches without the Crawford rule, unless a player needs only one point",
        "a match without the Crawford rule, where it may still matter",
    ),
    OwnReason(
        "beyond_equity_table",
        "it does not know what matches are worth in which a player needs more than 25 points",
        "a player needs more than 25 points, so there are no equities",
    ),
)
"""The states for which the opponent has no answer."""
OF_THE_OPPONENT = (
    OwnReason("no_weights", "no weights have been read"),
    OwnReason("no_such_level", "a level is 1 or 2"),
    OwnReason(
        "no_such_strength",
        f"a strength is 0 to {LAST_STRENGTH}, and {LAST_STRENGTH} at level 2",
        f"level 2 has `{names.STRENGTHS[-1].upper()}` alone",
    ),
    OwnReason("no_such_random", "a random number is at least 0 and below 1", "not from 0 to below 1"),
    *UNKNOWN,
)
WRONG_FIELDS = (
    ("wrong_type", "a player is 0, 1 or -1"),
    ("wrong_type", "an option that is on or off is 1 or 0"),
    ("wrong_type", "options that contradict each other, or are out of their bounds"),
    ("wrong_type", "dice show 1 to 6, the higher first, or are both 0"),
    ("wrong_type", "a cube shows a power of two up to 16,777,216"),
    ("wrong_type", "an owned cube has been turned, so it shows at least 2"),
    ("wrong_type", "a double at a value that no cube reaches"),
    ("wrong_type", "a resignation has a level from 1 to 3"),
    ("wrong_type", "a win counts 1 to 1,000,000,000 points"),
    ("wrong_type", "a result has an end from 0 to 3, and a level from 1 to 3 unless it was forfeited"),
    ("length_out_of_range", "a length is from 1 to 1,000,000,000, or 0"),
    ("wrong_type", "the board is impossible"),
)
"""The problems of fields with numbers that no value has, which only a host can write."""


def files() -> dict[Path, str]:
    header, rules, opponent = (FOLDER / name for name in ("gammonrules.h", "_match.c", "opponent.c"))
    in_header = {"names of the match": names_in_the_header(), "names of the opponent": opponent_in_the_header()}
    return {
        FOLDER / "reasons.json": reasons(),
        header: in_code(header, in_header),
        rules: in_code(rules, {"names": names_of_the_match()}),
        opponent: in_code(opponent, {"names": names_of_the_opponent()}),
    }


# --- names ------------------------------------------------------------------------------------------------------------

ENDS = ["RESIGNED_BY_LOSER" if end == "resigned" else end.upper() for end in names.ENDS]
"""There is a phase that is called RESIGNED."""
CHOICES = [
    [f"{'REROLLED' if word == 'reroll' else word.upper()}_{option.upper()}" for word in words]
    for option, words in names.CHOICES.items()
    if option != "start"
]
PHASES = [phase.upper() for phase in names.PHASES]
ACTIONS = [*(action.upper() for action in names.ACTIONS), "ACTIONS"]
REASONS = ["LEGAL", *(reason.upper() for reason in names.ACTION_REASONS), *(own.name.upper() for own in OF_HOSTS)]
STRENGTHS = [strength.upper() for strength in names.STRENGTHS]
ABOUT_REASONS = "Why an action is illegal; 0 if it is legal. The last {} are what only a host does wrong."
ABOUT = {own.name.upper(): own.about for own in (*OF_HOSTS, *OF_THE_OPPONENT) if own.about}


def names_in_the_header() -> str:
    return "\n".join(
        [
            "/* What the match is waiting for. */",
            enumeration(PHASES),
            "/* What players do. The last one is how many there are. */",
            enumeration(ACTIONS),
            "/* How a game has ended. */",
            enumeration(ENDS),
            *(f"enum {{ {', '.join(map(public, words))} }};" for words in CHOICES),
            f"\n/* {ABOUT_REASONS.format(in_words(len(OF_HOSTS)))} */",
            enumeration(REASONS),
            "/* The options, but for the start position, whose board the host has. */",
            options(),
        ]
    )


def in_words(number: int) -> str:
    return ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number]


def public(name: str) -> str:
    return f"{PREFIX}{name}"


def enumeration(members: Sequence[str], prefix: str = PREFIX, begin: str = "enum {", end: str = "};\n") -> str:
    """An enum with a member on each line, and what is said of it."""
    lines = [f"    {prefix}{member}{',' if member != members[-1] else ''}" for member in members]
    comments = [ABOUT.get(member.partition(" ")[0], "") for member in members]
    width = max((len(line) for line, about in zip(lines, comments, strict=True) if about), default=0)
    rows = [
        f"{line.ljust(width)} /* {about} */" if about else line for line, about in zip(lines, comments, strict=True)
    ]
    return "\n".join([begin, *rows, end])


def options() -> str:
    """The structure of the options, of which each has a comment with its numbers."""
    fields = [option for option in names.OPTIONS if option.name != "start"]
    width = max(len(field.name) for field in fields) + 1
    rows = [f"    int32_t {field.name + ';':{width}} /* {numbers_of(field)} */" for field in fields]
    return "\n".join(["typedef struct {", *rows, "} GammonrulesOptions;"])


def numbers_of(option: Any) -> str:
    if option.name in names.CHOICES:
        words = next(choice for choice in CHOICES if choice[0].endswith(f"_{option.name.upper()}"))
        return " or ".join(f"`{word}`" for word in words)
    if option.default is None:
        return "or 0"
    return "0 or 1" if isinstance(option.default, bool) else "how many are allowed in a row"


def opponent_in_the_header() -> str:
    first, *others = (own.name.upper() for own in OF_THE_OPPONENT)
    members = [f"{first} = {public(REASONS[-1])} + 1", *others]
    strengths = ", ".join(map(public, STRENGTHS))
    return "\n".join(
        [
            "/* How well it plays at level 1. */",
            f"enum {{ {strengths} }};\n",
            "/* Why it has no answer, besides the reasons of a match. */",
            enumeration(members),
        ]
    )


def names_of_the_match() -> str:
    limits = [
        f"MAX_CUBE_TURNS = {MAX_CUBE_TURNS}",
        "MAX_CUBE = 1 << MAX_CUBE_TURNS",
        f"MAX_POINTS = {MAX_POINTS}",
        f"MAX_IN_A_ROW = {MAX_IN_A_ROW}",
    ]
    return "\n".join(
        [
            f"typedef enum {{ {', '.join(PHASES)} }} Phase;",
            f"typedef enum {{\n{names.wrapped(ACTIONS, 100, '    ')}\n}} Action;",
            f"typedef enum {{ {', '.join(ENDS)} }} End;",
            *(f"enum {{ {', '.join(words)} }};" for words in CHOICES),
            f"enum {{\n{names.wrapped(limits, 100, '    ')} /* beavers or automatic doubles */\n}};",
            "/* Why an action is illegal: the members of IllegalActionReason, and what only a host can do wrong. */",
            f"typedef enum {{\n{names.wrapped(REASONS, 100, '    ')}\n}} Reason;",
        ]
    )


def names_of_the_opponent() -> str:
    first, *others = (own.name.upper() for own in OF_THE_OPPONENT)
    members = [f"{first} = {REASONS[-1]} + 1", *others]
    errs = [f"[{name.upper()}] = {number:g}" for name, number in TEMPERATURES.items()]
    return "\n".join(
        [
            f"enum {{ {', '.join([*STRENGTHS, 'STRENGTHS'])} }};",
            f"enum {{\n{names.wrapped(members, 100, '    ')}\n}};",
            f"static const double TEMPERATURES[STRENGTHS] = {{\n{names.wrapped(errs, 100, '    ')}\n}};",
        ]
    )


# --- messages ---------------------------------------------------------------------------------------------------------


def reasons() -> str:
    """`reasons.json`, with a reason or a problem on each line."""
    messages = {name: f"{text}: {{sentence}}" for name, text in python_messages.beginnings().items()}
    problems = [*WRONG_FIELDS, *python_messages.state_messages()]
    unknown = [name for name, _ in problems if name.upper() not in MatchStateProblem.__members__]
    assert not unknown, unknown
    return (
        f'{{\n  "messages": {json.dumps(messages, indent=4)[:-1]}  }},\n'
        f'  "reasons": [\n{rows(entries_of_reasons())}\n  ],\n'
        f'  "problems": [\n{rows({"name": name, "sentence": text} for name, text in problems)}\n  ]\n}}\n'
    )


def entries_of_reasons() -> list[dict[str, str]]:
    of_python = python_messages.action_messages()
    entries = [{"name": "unknown_player", "sentence": "there is no such player or action"}]
    for name, texts in of_python.items():
        entries.append({"name": name, "sentence": texts[0]} | dict(zip(["to_answerer"], texts[1:], strict=False)))
    assert [entry["name"] for entry in entries] == names.ACTION_REASONS
    return [*entries, *({"name": own.name, "sentence": own.message} for own in (*OF_HOSTS, *OF_THE_OPPONENT))]


def rows(entries: Iterable[dict[str, str]]) -> str:
    numbered = [{"number": number} | entry for number, entry in enumerate(entries, 1)]
    return ",\n".join(f"    {json.dumps(entry)}" for entry in numbered)
