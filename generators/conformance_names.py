"""The actions, starts and options for the programs in `conformance/`, in one file for each language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import library_names as names
from gammonrules import Position

FOLDER = Path(__file__).parents[1] / "conformance"
ABOUT = "The names of actions, starts and options. Written by `python generate.py conformance_names`: do not edit it."
IN_C = [option for option in names.OPTIONS if option.name != "start"]
"""The options that the match in C has, in their order there."""


def files() -> dict[Path, str]:
    languages = FOLDER / "languages"
    return {
        languages / "c" / "names.h": c(),
        languages / "go" / "names.go": go(),
        languages / "python" / "names.py": python(),
        languages / "rust" / "names.rs": rust(),
        FOLDER / "programs" / "starts.mjs": javascript(),
    }


def starts() -> list[tuple[str, str, int]]:
    """The name of each start, its Position ID, and the checkers of a side."""
    positions = {name: Position.start(name) for name in names.STARTS}
    return [(name, position.id, position.checkers) for name, position in positions.items()]


def lines(items: list[str], indent: str = "    ") -> str:
    return "\n".join(f"{indent}{item}" for item in items)


def c() -> str:
    columns = list(zip(*starts(), strict=True))
    tables = [
        ("const char *const ACTIONS", [*names.quoted(names.ACTIONS), '"forfeit"', "NULL"]),
        ("const char *const STARTS", [*names.quoted(columns[0]), "NULL"]),
        ("const char *const IDS", names.quoted(columns[1])),
        ("const int CHECKERS", [*map(str, columns[2])]),
        *(
            (f"const char *const {name.upper()}S", [*names.quoted(names.CHOICES[name]), "NULL"])
            for name in CHOICES_IN_C
        ),
    ]
    arrays = [f"static {kind}[] = {{\n{names.wrapped(values, 100, '    ')},\n}};\n" for kind, values in tables]
    fields = [f".{option.name} = {c_value(option)}," for option in IN_C]
    return (
        f"/* {ABOUT} */\n\n{''.join(arrays)}\n"
        "static GammonrulesOptions read_options(const char *rules) {\n"
        f"    return (GammonrulesOptions){{\n{lines(fields, '        ')}\n    }};\n}}\n"
    )


CHOICES_IN_C = [name for name in names.CHOICES if name != "start"]


def c_value(option: Any) -> str:
    value = f'get(rules, "{option.name}")'
    return f"word({value}, {option.name.upper()}S)" if option.name in names.CHOICES else f"number({value})"


def go() -> str:
    table = [f'"{name}": {{"{text}", {checkers}}},' for name, text, checkers in starts()]
    kinds = [go_kind(option) for option in names.OPTIONS]
    rows = [
        f'{go_name(option)} {kind} `json:"{option.name}"`' for option, kind in zip(names.OPTIONS, kinds, strict=True)
    ]
    words = [f"{name}s = []Word{{{', '.join(names.quoted(names.CHOICES[name]))}}}" for name in CHOICES_IN_C]
    values = [f"{go_name(option)}: {go_value(option)}," for option in IN_C]
    return (
        f"package main\n\n// {ABOUT}\n\n"
        f"var actions = []Word{{\n{names.wrapped(names.quoted(names.ACTIONS), 100, TAB)},\n}}\n\n"
        f"// The starts, by Position ID and the checkers of a side.\n"
        f"var starts = map[Word]struct {{\n{TAB}id       string\n{TAB}checkers int32\n}}{{\n"
        f"{lines(aligned(table), TAB)}\n}}\n\n"
        f"var (\n{lines(aligned(words), TAB)}\n)\n\n"
        "// Options is GammonrulesOptions, whose fields the header explains.\n"
        f"type Options struct {{\n{TAB}{', '.join(go_name(option) for option in IN_C)} int32\n}}\n\n"
        f"type Rules struct {{\n{lines(aligned(rows), TAB)}\n}}\n\n"
        f"func (r Rules) options() Options {{\n{TAB}return Options{{\n{lines(aligned(values), TAB * 2)}\n{TAB}}}\n}}\n"
    )


TAB = "\t"


def aligned(rows: list[str]) -> list[str]:
    """Rows whose columns begin below each other, as `gofmt` writes them: all but the last column are single words."""
    split = [row.split(" ", 2 if "`" in row else 1) for row in rows]
    count = len(split[0]) - 1
    widths = [max(len(row[at]) for row in split) for at in range(count)]
    return [" ".join([*(row[at].ljust(widths[at]) for at in range(count)), row[count]]) for row in split]


def go_name(option: Any) -> str:
    return option.name.title().replace("_", "")


def go_kind(option: Any) -> str:
    """The type of an option in JSON; a Number is null where it is 0."""
    if option.name in names.CHOICES:
        return "Word"
    if option.default is None:
        return "Number"
    return "bool" if isinstance(option.default, bool) else "int32"


def go_value(option: Any) -> str:
    value = f"r.{go_name(option)}"
    forms: dict[str, Callable[[str], str]] = {
        "Word": lambda text: f"index({option.name}s, {text})",
        "Number": lambda text: f"int32({text})",
        "bool": lambda text: f"number({text})",
        "int32": str,
    }
    return forms[go_kind(option)](value)


def python() -> str:
    actions = lines([f'"{name}",' for name in names.ACTIONS])
    table = lines([f'"{name}": ("{text}", {checkers}),' for name, text, checkers in starts()])
    options = lines([f'"{option.name}": {words_of(option)},' for option in IN_C])
    return (
        f'"""{ABOUT}"""\n\n'
        f"ACTIONS = [\n{actions}\n]\n"
        f"STARTS = {{\n{table}\n}}\n"
        f'"""Each start by its name: its Position ID, and the checkers of a side."""\n'
        f"OPTIONS: dict[str, list[str]] = {{\n{options}\n}}\n"
        f'"""The options in their order in memory, with the words of those that have some."""\n'
    )


def words_of(option: Any) -> str:
    return f"[{', '.join(names.quoted(names.CHOICES.get(option.name, [])))}]"


def rust() -> str:
    table = [f'("{name}", "{text}", {checkers}),' for name, text, checkers in starts()]
    fields = [f"pub {option.name}: i32," for option in IN_C]
    read = [f"{option.name}: {rust_value(option)}," for option in IN_C]
    usual = [f"{option.name}: {usual_number(option)}," for option in IN_C]
    return (
        f"//! {ABOUT}\nuse crate::json::Json;\n\n"
        f"pub const ACTIONS: [&str; {len(names.ACTIONS)}] = [\n"
        f"{names.wrapped(names.quoted(names.ACTIONS), 100, '    ')},\n];\n"
        f"/// Each start by its name, its Position ID and the checkers of a side.\n"
        f"pub const STARTS: [(&str, &str, i32); {len(table)}] = [\n{lines(table)}\n];\n\n"
        f"/// GammonrulesOptions of the header, which explains the fields.\n#[repr(C)]\n#[derive(Clone, Copy)]\n"
        f"pub struct Options {{\n{lines(fields)}\n}}\n\n"
        f"/// The options of a match.\npub const USUAL: Options = Options {{\n{lines(usual)}\n}};\n\n"
        f"pub fn options_of(rules: &Json) -> Options {{\n    let number = |name| rules.get(name).number();\n"
        f"    Options {{\n{lines(read, '        ')}\n    }}\n}}\n"
    )


def rust_value(option: Any) -> str:
    if option.name in names.CHOICES:
        return f'rules.get("{option.name}").word(&{words_of(option)})'
    return f'number("{option.name}")'


def usual_number(option: Any) -> int:
    """The default as it is in memory."""
    choices = names.CHOICES.get(option.name)
    return choices.index(option.default) if choices else int(option.default or 0)


def javascript() -> str:
    table = [f'{name}: ["{text}", {checkers}],' for name, text, checkers in starts()]
    about = (
        "The Position ID of each start, and the checkers of a side. `python generate.py conformance_names` writes it."
    )
    return f"// {about}\nexport const STARTS = {{\n{lines(table, '  ')}\n}};\n"
