"""Options that another one makes meaningless: each command's own tables. And the pages that describe them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import command_pages
import commands
import loop
from gammonrules.cli.app import app
from gammonrules.cli.option_conflicts import Command
from gammonrules.cli.output import Refused

OVERVIEW = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


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


def test_help_says_what_goes_together() -> None:
    for name, command in TABLES:
        shown = " ".join(commands.run(*name.split(), "--help").stdout.partition("Together:")[2].split())
        assert shown == " ".join(f"{options} {words}" for options, words in command.together())


SPELLINGS = {"": {"--help", "--version"}} | {
    name: {spelling for each in command.params if isinstance(each, click.Option) for spelling in spellings(each)}
    for name, command in commands_below(app)
}
"""Those of the options of each command, by its name; "" for what stands before its name."""
CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*(?![\w-])")


def test_each_command_is_on_its_page_and_in_the_overview() -> None:
    described = []
    overview = OVERVIEW.read_text(encoding="utf-8")
    for page in command_pages.PAGES:
        assert f"| [`{page.stem}`](command/{page.name}) | " in overview
        names = re.findall("<!-- gammonrules ([a-z -]+) --help -->", page.read_text(encoding="utf-8"))
        assert {name.split()[0] for name in names} == {page.stem}
        described += names
    assert sorted(["", *described]) == sorted(SPELLINGS)


def named_in(words: str) -> str:
    """The command that a command line begins with, without `gammonrules`; "" for none."""
    names = [name for name in SPELLINGS if f"{words} ".startswith(f"{name} ")]
    return max(names, key=len, default="")


def options_in(page: Path) -> Iterator[tuple[str, str]]:
    """The options in the code of a page, each with its command: that of the page, if none stands before it."""
    for code in CODE.findall(page.read_text(encoding="utf-8")):
        for line in code.strip("`").splitlines():
            if not line.startswith("python "):  # whose options are others
                of = named_in(line.removeprefix("$ ").removeprefix("gammonrules "))
                yield from ((of or page.stem, option) for option in OPTION.findall(line))


def test_no_page_names_an_option_that_does_not_exist() -> None:
    """In the overview, an option may be of any command."""
    exist = {(name, option) for name, options in SPELLINGS.items() for option in options}
    exist |= {(name.split()[0], option) for name, option in exist if name}
    exist |= {(OVERVIEW.stem, option) for _, option in exist}
    for page in (OVERVIEW, *command_pages.PAGES):
        assert {*options_in(page)} <= exist, page.name
