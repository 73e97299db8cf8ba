"""Options that another one makes meaningless: each command names them, and refuses them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from gammonrules._shared.extras import EXAMPLES
from gammonrules.cli.usage_errors import Refused
from gammonrules.values import suggestion

_Table: TypeAlias = Mapping[tuple[str, ...], tuple[str, ...]]
_NOT_TYPED = ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP


if TYPE_CHECKING:
    _Words = click.Choice[str]
else:
    _Words = click.Choice  # which is not generic before click 8.2


class WordChoice(_Words):
    """A word of several; the error of a misspelled one suggests the most similar."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = suggestion(value, self.choices)
            self.fail(f"{error.message.removesuffix('.')}{near or '.'}", param, ctx)


class AnyPath(click.Path):
    """A path that is not checked: its errors are reported where it is used, while click would end the run at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        return str(value)


class InputPath(AnyPath):
    """A path to read, perhaps of the examples that pages name: a folder that is not there until it is written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raises Refused for an example that is not there."""
        path = super().convert(value, param, ctx)
        if PurePath(path).parts[:1] == ("examples",) and not os.path.lexists("examples"):
            raise Refused(f"{path} is not there: {EXAMPLES}")
        return path


class Command(click.Command):
    """A command that refuses an option which would do nothing.

    Its two tables have options as they are typed: "--option", or "--option=value" where only this value matters.
    "OUT=-" is an argument, by its metavar.
    """

    def __init__(
        self,
        name: str | None,
        only_with: _Table | None = None,
        never_with: _Table | None = None,
        **settings: Any,
    ) -> None:
        """The options on the left do nothing without one of those on the right; or beside any of them."""
        super().__init__(name, **settings)
        self.only_with = only_with or {}
        self.never_with = never_with or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raises Refused for an option that would do nothing."""
        rest = super().parse_args(ctx, args)
        if ctx.resilient_parsing:  # a shell completes what is typed, and takes no errors
            return rest
        first_refusal = next(self._refusals(ctx), None)
        if first_refusal is not None:
            raise Refused(first_refusal)
        return rest

    def parameter(self, option: str) -> click.Parameter:
        """The parameter of an entry of the tables."""
        name = option.partition("=")[0]
        for parameter in self.params:
            if name in parameter.opts or name == parameter.human_readable_name:
                return parameter
        raise KeyError(option)

    def together(self) -> Iterator[tuple[str, str]]:
        """Each row of the tables in words."""
        for options, others in self.only_with.items():
            yield ", ".join(map(_words, options)), f"only with {_any_of(others)}"
        for options, others in self.never_with.items():
            yield ", ".join(map(_words, options)), f"not with {_any_of(others)}"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, and which of them go together."""
        super().format_options(ctx, formatter)
        rows = [*self.together()]
        if rows:
            with formatter.section("Together"):
                formatter.write_dl(rows)

    def _refusals(self, ctx: click.Context) -> Iterator[str]:
        """A sentence for each option in the command line that the tables refuse there."""
        for options, others in self.only_with.items():
            if not any(self._typed(ctx, others)):
                for option in self._typed(ctx, options):
                    yield f"{option} does nothing without {_any_of(others)}"
        for options, others in self.never_with.items():
            for option in self._typed(ctx, options):
                for other in self._typed(ctx, others):
                    yield f"{option} and {other} do not go together: leave one of them out"

    def _typed(self, ctx: click.Context, options: Iterable[str]) -> Iterator[str]:
        """Which of these stand in the command line, in words."""
        for option in options:
            name = self.parameter(option).name or ""
            if ctx.get_parameter_source(name) in _NOT_TYPED:
                continue
            _, _, only_value = option.partition("=")  # "" where every value matters
            if not only_value or str(ctx.params[name]) == only_value:
                yield _words(option)


def _any_of(options: Sequence[str]) -> str:
    *others, last = map(_words, options)
    if not others:
        return last
    return f"{', '.join(others)} or {last}"


def _words(option: str) -> str:
    return option.replace("=", " ")


def until_of(text: str | None) -> Any:
    """The value of --until: a number, or the text as it is, which may be refused."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
