"""The output of `--help` on the pages of `docs/reference/command`.

A page has the output of each of its commands between `<!-- gammonrules find --help -->` and `<!-- end -->`. The first
sentence is left out, because the page has its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from api_page import wrapped
from gammonrules.cli.app import app
from gammonrules.cli.option_conflicts import Command
from marked_blocks import on_page

PAGES = sorted((Path(__file__).parents[1] / "docs" / "reference" / "command").glob("*.md"))
TYPED = re.compile(r"""(?<![\w-])--?[a-z][a-z-]*|(?<= )-(?=[ ,;]|$)|"[^"]*[=:/][^"]*"|<""")
"""Options, `-` for a standard stream, patterns in quotation marks; and what begins an element of HTML."""


def commands_of(name: str) -> Iterator[str]:
    """The name of a command, or the names of the commands of a group."""
    context = context_of(name)
    if isinstance(context.command, click.Group):
        for below in context.command.list_commands(context):
            yield from commands_of(f"{name} {below}")
    else:
        yield name


def blocks_of(page: Path) -> dict[str, str]:
    """What a page has of its commands, by the comments before it."""
    return {f"<!-- gammonrules {name} --help -->\n": f"\n{help_of(name)}\n\n" for name in commands_of(page.stem)}


def help_of(name: str) -> str:
    """How a command is called, its options, which of them go together, and what it says of itself."""
    context = context_of(name)
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"```text\n{usage}\n```"]
    rows = [*rows_of(context)]
    if rows:
        parts.append("\n".join(["| option | |", "|---|---|", *rows]))
    if isinstance(command, Command):
        parts.append("\n".join(f"- {prose(options)} {prose(words)}" for options, words in command.together()))
    _, *paragraphs = (command.help or "").split("\n\n")
    parts += [wrapped(prose(paragraph)) for paragraph in paragraphs]
    return "\n\n".join(filter(None, parts))


def context_of(name: str) -> click.Context:
    """That of a command, whose name may have two words."""
    context = click.Context(app, info_name="gammonrules", **app.context_settings)
    for word in name.split():
        assert isinstance(context.command, click.Group)
        _, command, _ = context.command.resolve_command(context, [word])
        assert command is not None
        context = click.Context(command, parent=context, info_name=word)
    return context


def rows_of(context: click.Context) -> Iterator[str]:
    """A row for each option but `--help`, which all have."""
    for parameter in context.command.params:
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            spelling, about = record
            spelling = spelling.replace("|", "/").replace(" RANGE", "")  # a table takes | for its own
            about = re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", about)
            yield f"| `{spelling}` | {prose(about)} |"


def prose(text: str) -> str:
    """In one line, with what is typed as code, and nothing that Markdown takes for its own."""
    words = " ".join(text.split()).replace("[", "(").replace("]", ")")
    return TYPED.sub(lambda part: r"\<" if part[0] == "<" else f"`{part[0]}`", words)


def files() -> dict[Path, str]:
    return {path: on_page(path, blocks_of(path)) for path in PAGES}
