"""`web/src/generated`, the names, options, starts and messages of the library for the scripts of `web/`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

import c_names
import library_names as names
import python_messages
from gammonrules._shared.json_form import VERSION
from gammonrules.board import refusals
from gammonrules.board.board_setup import STARTS
from gammonrules.board.encoding import BAR
from gammonrules.board.notation import point_name
from gammonrules.limits import MAX_CUBE, MAX_IN_A_ROW, MAX_POINTS
from gammonrules.records.transcript.header_tags import RULE_TAGS, VARIATIONS
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import counted

FOLDER = Path(__file__).parents[1] / "web" / "src" / "generated"
HEAD = "/** {} of the library. `python generate.py typescript` writes this file: do not edit it. */\n"
INTERNAL = " @internal"


def counted_text(count: int) -> str:
    """A number of pips, with a field for the number."""
    return counted(count, "pip").replace(str(count), "{count}")


ABOUT_MESSAGES = """\
The messages in English, most of them by the reason that they give. A page may give functions of the fields
 * instead."""
WORDS_OF_PLAYS = {
    "bar": point_name(BAR),
    "off": point_name(0),
    "or": " or ",
    "pip": counted_text(1),
    "pips": counted_text(2),
    "illegal_play": '"{play}" with {dice}: {message}',
}
IMPORTS = """\
import type { Messages } from "../rules/types.js";
import type { Action, IllegalActionReason } from "./names.js";
"""
NUMBERS = {"numbers": [*refusals._NUMBER]}


def files() -> dict[Path, str]:
    return {
        FOLDER / "names.ts": "\n".join([HEAD.format("The names, options and starts"), *types(), *constants()]),
        FOLDER / "messages.ts": "\n".join([HEAD.format("The messages"), *messages()]),
    }


def messages() -> list[str]:
    """Templates with fields in braces."""
    of_actions = python_messages.action_messages()
    forbidden = {reason: texts[0] for reason, texts in of_actions.items()}
    to_answerer = {reason: texts[1] for reason, texts in of_actions.items() if len(texts) > 1}
    beginnings = python_messages.beginnings()
    neutral = {name: text for name, text in beginnings.items() if name in names.ACTIONS}
    of_plays = {**WORDS_OF_PLAYS, **python_messages.play_messages()}
    unknown = {own.name: own.message for own in c_names.UNKNOWN}
    first_unknown = 1 + c_names.entries_of_reasons().index(
        {"name": c_names.UNKNOWN[0].name, "sentence": c_names.UNKNOWN[0].message}
    )
    return [
        IMPORTS,
        table(
            "FORBIDDEN",
            'Record<Exclude<IllegalActionReason, "unknown_player">, string>',
            forbidden,
            "Why an action is illegal.",
        ),
        table(
            "TO_ANSWERER",
            "Partial<Record<IllegalActionReason, string>>",
            to_answerer,
            "The same for the player who must answer.",
        ),
        table(
            "NEUTRAL",
            "{ readonly [action in Action]?: string }",
            neutral,
            "How messages about actions of nobody begin.",
        ),
        constant("OTHER", "string", json.dumps(beginnings["other"]), "How messages about other actions begin."),
        constant("NOBODY", "string", json.dumps(beginnings["nobody"]), "The same where nobody is to act."),
        union("MessageName", of_plays, "The names of messages about plays, and of the words in them."),
        f"{comment(ABOUT_MESSAGES)}export const MESSAGES: Messages = {literal(of_plays | NUMBERS)};\n",
        union("OpponentReason", unknown, "Why an opponent has no answer, where no action is illegal."),
        table(
            "UNKNOWN",
            "Record<OpponentReason, string>",
            unknown,
            "What an opponent does not know, by the numbers that begin here.",
        ),
        constant("FIRST_UNKNOWN", "number", str(first_unknown)),
    ]


def types() -> list[str]:
    return [
        union("Player", names.PLAYERS),
        union("WinKind", names.WINS),
        union("Phase", names.PHASES),
        union("Action", names.ACTIONS),
        union("End", names.ENDS, "How a game ended."),
        union("IllegalActionReason", names.ACTION_REASONS, "Why an action is illegal: Python's `IllegalActionReason`."),
        union(
            "IllegalPlayReason",
            names.PLAY_REASONS,
            "The rule that an illegal play breaks: Python's `IllegalPlayReason`.",
        ),
        union("StartName", names.STARTS, "The names of the start positions."),
        union("BoardTheme", [*names.THEME_NAMES, "auto"], 'The colors; "auto" follows the reader.'),
        union("Strength", names.STRENGTHS, "How well an opponent plays, the worst first."),
        alias("Version", str(VERSION), "The version of the library's JSON."),
        alias("ReadableVersion", " | ".join(map(str, range(1, VERSION + 1))), "The versions that are read."),
        options(),
    ]


def variations() -> dict[str, str]:
    """The name of each start in `.mat` files."""
    missing = [name for name in names.STARTS if name not in VARIATIONS]
    if missing:
        place = "`VARIATIONS` in src/gammonrules/records/transcript/header_tags.py"
        raise SystemExit(f"{place} lacks {', '.join(missing)}: add the name of the start in .mat files")
    return {**VARIATIONS}


def constants() -> list[str]:
    starts = {name: {str(point): count for point, count in STARTS[name].items()} for name in names.STARTS}
    defaults = {option.name: option.default for option in names.OPTIONS}
    return [
        constant("VERSION", "Version", str(VERSION)),
        constant("MAX_POINTS", "number", f"{MAX_POINTS:_}"),
        constant("MAX_CUBE", "number", f"{MAX_CUBE:_}"),
        constant("MAX_IN_A_ROW", "number", f"{MAX_IN_A_ROW:_}", "The most beavers, and the most automatic doubles."),
        array("PLAYERS", "Player", names.PLAYERS),
        array("WIN_KINDS", "WinKind", names.WINS),
        array("ENDS", "End", names.ENDS),
        array("PHASES", "Phase", names.PHASES),
        array("ACTIONS", "Action", names.ACTIONS),
        array(
            "ACTION_REASONS", "IllegalActionReason", names.ACTION_REASONS, "By their numbers, of which the first is 1."
        ),
        array("STRENGTHS", "Strength", names.STRENGTHS),
        table(
            "STARTS", "Record<StartName, Readonly<Record<number, number>>>", starts, "The checkers of a side by points."
        ),
        table("DEFAULTS", "Rules", defaults, "The options of a match."),
        table("MONEY", "Partial<Rules>", changes(MONEY), "What differs in money play."),
        constant(
            "CHOICES",
            "readonly [keyof Rules, readonly string[]][]",
            literal([item for item in names.CHOICES.items() if item[0] != "start"]),
            "The words of options; those of the start are the keys of `STARTS`.",
        ),
        table("VARIATIONS", "Record<StartName, string>", variations(), "The starts in `.mat` files."),
        array("RULE_TAGS", "string", sorted(RULE_TAGS), "The tags of `.mat` files that state rules."),
    ]


def changes(rules: Rules) -> dict[str, Any]:
    """The options that are not as in a match."""
    usual = attrs.asdict(TOURNAMENT)
    return {name: value for name, value in attrs.asdict(rules).items() if value != usual[name]}


def union(name: str, values: Iterable[str], about: str = "") -> str:
    words = names.wrapped(names.quoted(values)).replace(",", " |")
    return alias(name, f"\n{words}", about)


def alias(name: str, value: str, about: str) -> str:
    return f"{comment(about)}export type {name} ={'' if value.startswith(chr(10)) else ' '}{value};\n"


def options() -> str:
    """The interface of the rules."""
    fields = "\n".join(f"  readonly {option.name}: {type_of(option)};" for option in names.OPTIONS)
    return f"/** The options of a game: `Rules` in Python. */\nexport interface Rules {{\n{fields}\n}}\n"


def type_of(option: Any) -> str:
    if option.name == "start":
        return "StartName"
    if option.name in names.CHOICES:
        return " | ".join(names.quoted(names.CHOICES[option.name]))
    if option.default is None:
        return "number | null"
    return "boolean" if isinstance(option.default, bool) else "number"


def constant(name: str, kind: str, value: str, about: str = "") -> str:
    return f"{comment(f'{about}{INTERNAL}'.strip())}export const {name}: {kind} = {value};\n"


def array(name: str, kind: str, values: Iterable[str], about: str = "") -> str:
    return constant(name, f"readonly {kind}[]", f"[\n{names.wrapped(names.quoted(values))},\n]", about)


def table(name: str, kind: str, values: Mapping[str, Any], about: str) -> str:
    return constant(name, f"Readonly<{kind}>", literal(values), about)


def comment(about: str) -> str:
    return f"/** {about} */\n" if about else ""


def literal(value: Any) -> str:
    """A value with an entry on each line."""
    if isinstance(value, Mapping):
        entries = [f"{name}: {inline(item)}" for name, item in value.items()]
        return "\n".join(["{", *(f"  {entry}," for entry in entries), "}"])
    return "\n".join(["[", *(f"  {inline(item)}," for item in value), "]"])


def inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name}: {inline(item)}' for name, item in value.items())} }}"
    return json.dumps(value)
