"""Options that another one makes meaningless: each command's own tables. And the page that describes them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import commands
import loop
from gammonrules.cli.app import app
from gammonrules.cli.options import Command
from gammonrules.cli.output import Refused

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def commands_below(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    """All commands, with the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands_below(command, *names, name)
        else:
            yield " ".join([*names, name]), command


def spellings(option: click.Option) -> list[str]:
    return [*option.opts, *option.secondary_opts]


TABLES = [(name, command) for name, command in commands_below(app) if isinstance(command, Command)]


def typed(parameter: click.Parameter, value: str) -> list[str]:
    """As it stands in a command line, with its default if it has one: even that is meant by who types it."""
    if isinstance(parameter, click.Argument):
        return [value or "1"]
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return [parameter.opts[-1]]
    usual = parameter.type.choices[0] if isinstance(parameter.type, click.Choice) else "1"
    return [parameter.opts[-1], *[value or str(usual)] * parameter.nargs]


def line(command: Command, *options: str) -> list[str]:
    """A command line with these entries of a table, and whatever is required besides."""
    values = {command.parameter(option): option.partition("=")[2] for option in options}
    values |= {each: "" for each in command.params if each.required and each not in values}
    options_first = sorted(command.params, key=lambda each: isinstance(each, click.Argument))
    return [word for each in options_first if each in values for word in typed(each, values[each])]


@loop.over("name, command", TABLES)
def test_each_row_is_refused_in_a_sentence(name: str, command: Command) -> None:
    """It names both; also where what is typed is the default."""
    for options, others in command.only_with.items():
        for option in options:
            says = f"Error: {option} does nothing without {' or '.join(others)}\n"
            commands.refused(*name.split(), *line(command, option), says=says)
            for other in others:
                assert command.make_context(name, line(command, option, other))
    for options, others in command.never_with.items():
        for option, other in ((option, other) for option in options for other in others):
            rows = command.only_with.items()
            needed = [with_it[0] for names, with_it in rows if option in names and not other.startswith(with_it)]
            with pytest.raises(Refused) as caught:
                command.make_context(name, line(command, option, other, *needed))
            both = [each.replace("=", " ") for each in (option, other)]
            assert caught.value.message == f"{both[0]} and {both[1]} do not go together: leave one of them out"


def test_help_and_page_say_what_goes_together() -> None:
    rows = [(name, *row) for name, command in TABLES for row in command.together()]
    table = [f"| `{name}` | `{'`, `'.join(options.split(', '))}` | {words} |" for name, options, words in rows]
    assert "\n".join(["| command | options | |", "|---|---|---|", *table]) in PAGE.read_text(encoding="utf-8")
    for name, _ in TABLES:
        shown = " ".join(commands.run(*name.split(), "--help").stdout.partition("Together:")[2].split())
        assert shown == " ".join(f"{options} {words}" for of, options, words in rows if of == name)


SPELLINGS = {"": {"--help", "--version"}} | {
    name: {spelling for each in command.params if isinstance(each, click.Option) for spelling in spellings(each)}
    for name, command in commands_below(app)
}
"""Those of the options of each command, by its name; "" for what stands before its name."""
CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*(?![\w-])")


def sections_of_page() -> dict[str, str]:
    """The section of each command, by its name; "" for what stands before them."""
    before, *sections = re.split("^## (?=gammonrules )", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    by_name = {"": before}
    for section in sections:
        words = section.partition("\n")[0].removeprefix("gammonrules ")
        by_name[named_in(words)] = section
    return by_name


def named_in(words: str) -> str:
    """The command that a command line begins with, without `gammonrules`; "" for none."""
    names = [name for name in SPELLINGS if f"{words} ".startswith(f"{name} ")]
    return max(names, key=len, default="")


def options_in(name: str, section: str) -> Iterator[tuple[str, str]]:
    """The options in the code of the section of a command, each with its own: this one, if none stands before it."""
    for code in (section.partition("\n")[0], *CODE.findall(section)):
        for line in code.strip("`").splitlines():
            if not line.startswith("python "):  # whose options are others
                of = named_in(line.removeprefix("$ ").removeprefix("gammonrules "))
                yield from ((of or name, option) for option in OPTION.findall(line))


def test_each_option_stands_in_the_section_of_its_command() -> None:
    sections = sections_of_page()
    assert sections.keys() == SPELLINGS.keys()
    for name, options in SPELLINGS.items():
        missing = {(name, option) for option in options} - {*options_in(name, sections[name])}
        assert not missing, f"not in the section of gammonrules {name}: {sorted(option for _, option in missing)}"


def test_no_section_names_an_option_that_does_not_exist() -> None:
    """Before the sections, an option may be of any command."""
    exist = {(name, option) for name, options in SPELLINGS.items() for option in options}
    exist |= {("", option) for _, option in exist}
    for name, section in sections_of_page().items():
        unknown = {*options_in(name, section)} - exist
        assert not unknown, f"in the section of gammonrules {name}: {sorted(unknown)}"
