"""Pictures that commands write: SVG, or PNG by the extra `png`."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen

from gammonrules._shared.disk_files import utf8
from gammonrules._shared.extras import importing
from gammonrules.cli.common_options import output_option
from gammonrules.cli.option_conflicts import WordChoice
from gammonrules.cli.output import force_option, output_file, write_output
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing, safe

OF_A_PICTURE: Final = {("--theme", "--look", "--width", "--force"): ("--output",)}
"""Options that do nothing without a picture."""
NO_FILE: Final = {("--force",): ("--output=-",)}
_BEGINNING: Final = b'<svg xmlns="http://www.w3.org/2000/svg" class="gammonrules '
"""How an SVG of ours begins."""
_OPTIONS: Final = (
    force_option,
    click.option(
        "--width", type=click.IntRange(1, 10_000), default=628, help="Of a picture, in pixels."
    ),
    click.option(
        "--look",
        type=WordChoice(["flat", "depth"]),
        default="flat",
        help="Whether a picture has light and shadow.",
    ),
    click.option(
        "--theme",
        type=WordChoice(["light", "dark", "print", "colorblind"]),
        default="light",
        help="The colors of a picture.",
    ),
    output_option("The picture to write, .svg or .png, or - for an SVG on standard output."),
)
"""As decorators, of which the last one is applied first."""


@frozen
class Picture:
    """A picture that is to be written: where, and how it looks."""

    output: str
    force: bool
    theme: str
    look: str
    width: int

    @contextmanager
    def writing(self, *inputs: str) -> Generator[Callable[[Callable[..., str]], None]]:
        """A context that writes the image: it yields a function that accepts the function that draws, with `style=`.

        Raises Refused before the block begins if the image cannot be written, or would replace a file that is read.
        """
        from gammonrules.draw import BoardStyle

        rendered = self._renderer()
        looks: Any = {"theme": self.theme, "look": self.look, "size": self.width}

        def write(draw: Callable[..., str]) -> None:
            with refusing():
                picture = rendered(draw(style=BoardStyle(**looks)))
            write_output(self.output, picture)
            if self.output != "-":
                click.echo(f"{safe(self.output)} is written")

        with output_file(self.output, *inputs, force=self.force, is_ours=_is_ours):
            yield write

    def _renderer(self) -> Callable[[str], bytes]:
        """What makes the file of an SVG. Raises Refused for a name that is none of a picture."""
        must_be_named(self.output)
        suffix = Path(self.output).suffix.lower()
        if suffix == ".png":
            return _png_renderer()
        if suffix != ".svg" and self.output != "-":
            raise Refused(f"{self.output} is no name of a picture: it must end in .svg or .png")
        return utf8


def picture_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a picture, of which the command gets a `picture`, or None."""

    @wraps(command)
    def with_picture(*, output: str | None, **others: Any) -> None:
        look = {name: others.pop(name) for name in ("force", "theme", "look", "width")}
        picture = None if output is None else Picture(output, **look)
        command(picture=picture, **others)

    for option in _OPTIONS:
        with_picture = option(with_picture)
    return with_picture


def _png_renderer() -> Callable[[str], bytes]:
    """Raises Refused if it is not installed."""
    with refusing(), importing("resvg_py", "a picture as .png", "png"):
        import resvg_py

    return lambda picture: bytes(resvg_py.svg_to_bytes(svg_string=picture))


def _is_ours(beginning: bytes) -> bool:
    return beginning.startswith(_BEGINNING)
