"""The notebooks do what they show, and the documentation shows what they do."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

if find_spec("nbclient") is None:
    pytest.skip("the group notebooks is not installed", allow_module_level=True)

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from gammonrules import Position, draw
from gammonrules.cli.example_files import folder_files
from loading import loaded

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
AGAIN = "run examples/notebooks/render.py and look at the changes"

# Jupyter warns of the event loop there; what a notebook shows does not depend on the system.
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="run on Linux and macOS")
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def render() -> ModuleType:
    """The script that writes notebooks and pages."""
    return loaded(FOLDER / "render.py")


def outputs(notebook: NotebookNode) -> list[tuple[str, object]]:
    """What each cell prints and draws, by its id. How a chart looks depends on fonts, so only that it is there."""
    return [
        (cell.id, "a chart" if '<g id="figure_1">' in output.get("data", {}).get("image/svg+xml", "") else output)
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]


ALIVE = """
import multiprocessing
import threading

kinds = [type(thread).__module__ for thread in threading.enumerate()]
print(kinds.count("threading"), multiprocessing.active_children())
"""
"""What a notebook has started and not ended; most threads of the kernel are of kinds of their own."""


def run(render: ModuleType, monkeypatch: pytest.MonkeyPatch, *sources: str) -> NotebookNode:
    """A notebook of these cells with the outputs of a run."""
    made = new_notebook(cells=[new_code_cell(source) for source in sources])
    with monkeypatch.context() as patched:
        patched.setattr(render, "read", lambda _: made)
        return render.executed(FOLDER / "made.ipynb")


@pytest.mark.long
@every_notebook
def test_outputs_are_those_of_a_new_run(render: ModuleType, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored, read = render.read(path), render.read(path)
    with monkeypatch.context() as patched:
        read.cells.append(new_code_cell(ALIVE))
        patched.setattr(render, "read", lambda _: read)
        fresh = render.executed(path)
    alive = run(render, monkeypatch, ALIVE).cells[-1].outputs
    assert fresh.cells.pop().outputs == alive, "a thread or a process survives"
    assert outputs(fresh) == outputs(stored), AGAIN
    assert {**stored, "cells": ()} == {**fresh, "cells": ()}, AGAIN
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), AGAIN


@every_notebook
def test_nothing_in_it_is_of_one_run(render: ModuleType, path: Path) -> None:
    """No times, no paths of a machine, no errors, and nothing on standard error."""
    for cell in render.read(path).cells:
        assert set(cell.metadata) <= {"alt", "description", "pictures", "shows"}
        for output in cell.get("outputs", ()):
            assert output.output_type in {"stream", "display_data", "execute_result"}
            assert output.get("name") != "stderr"
    assert str(ROOT) not in path.read_text(encoding="utf-8")


@every_notebook
def test_page_of_the_documentation(render: ModuleType, path: Path) -> None:
    """The page is the stored notebook; its pictures lie beside it, and itself, as the wheel has it; and no others."""
    text, pictures = render.page(render.read(path), path.stem)
    pages = render.folder_of(path.stem)
    assert pages.joinpath(f"{path.stem}.md").read_text(encoding="utf-8") == text, AGAIN
    files = pictures | {path.name: folder_files(FOLDER.parent)[f"notebooks/{path.name}"]}
    assert {file.name: file.read_bytes() for file in (pages / path.stem).iterdir()} == files, AGAIN
    assert all(f"]({path.stem}/{name})" in text for name in files)
    assert "![]" not in text


@every_notebook
def test_its_boards_follow_the_page(render: ModuleType, path: Path) -> None:
    """A notebook draws them light; on the page they are as the library draws them for a page, light or dark."""
    start = Position.start()
    light, auto = (
        draw.svg.position(start, style=draw.BoardStyle(size=628)),
        draw.svg.position(start, style=draw.BoardStyle(size=628, theme="auto", nonce="")),
    )
    assert render.light_or_dark(light) == f"{auto}\n"
    _, pictures = render.page(render.read(path), path.stem)
    boards = [picture for name, picture in pictures.items() if name.endswith(".svg")]
    assert all(b"prefers-color-scheme: dark" in picture for picture in boards)


def sources(path: Path, render: ModuleType) -> list[str]:
    return [cell.source for cell in render.read(path).cells if cell.cell_type == "code"]


def test_the_numbers_of_a_picture_are_those_of_the_table_above_it() -> None:
    """Answers to doubles, below and above the take point, and how many of each are drops."""
    page = (ROOT / "docs" / "how-to" / "archive-to-table.md").read_text(encoding="utf-8")
    _, table, picture = re.split(r"<th>enough to take</th>|!\[(?=A dot for each)", page)
    below, above = re.findall(r"<td>(\d+)</td><td>(\d+)</td>", table)
    numbers = [number for row in (below, above) for number in (sum(map(int, row)), int(row[0]))]
    said = [int(number) for number in re.findall(r"\d+", picture.partition("]")[0])]
    assert said == [numbers[0] + numbers[2], *numbers]


def test_what_a_page_has_of_html(render: ModuleType) -> None:
    """The tables, and the words below a board; a frame has a page of its own."""

    def shown(**data: str) -> list[tuple[str, str]]:
        kinds = {"html": "text/html", "svg": "image/svg+xml", "text": "text/plain"}
        return [*render.shown(new_output("execute_result", {kinds[name]: text for name, text in data.items()}))]

    frame = '<div>\n<style scoped>\n p {}\n</style>\n<table border="1" class="dataframe">\n  <tr style="a: b;">\n'
    table = "<table>\n<tr><th>6/5*</th></tr></table>"
    assert shown(html=f"{frame}    <th>6/5*</th>\n  </tr>\n</table>\n</div>", text="6/5*") == [("text/html", table)]
    body = "<table><tbody><tr><th rowspan='2'>a</th></tr></tbody></table>"
    assert shown(html=body) == [("text/html", "<table><tbody>\n<tr><td rowspan='2'>a</td></tr></tbody></table>")]
    decision = "<svg><svg></svg></svg><p>White: 6/5</p><table><tr><td>6/5</td></tr></table>"
    words = "<p>White: 6/5</p>\n<table>\n<tr><td>6/5</td></tr></table>"
    assert shown(html=decision, svg="<svg/>") == [("image/svg+xml", "<svg/>"), ("text/html", words)]
    assert shown(html="<p>7 games</p><iframe srcdoc='<table></table>'></iframe>", text="<Match>") == [
        ("text/plain", "<Match>")
    ]


@every_notebook
def test_its_charts_have_the_ink_and_the_font_of_the_page(render: ModuleType, path: Path) -> None:
    _, pictures = render.page(render.read(path), path.stem)
    for name, picture in pictures.items():
        if name.endswith("-chart.svg"):
            figure, _, rest = picture.decode().partition('<g id="axes_1">')
            assert "fill: none" in figure  # the ground
            assert render.INK not in rest
            assert "currentColor" in rest
            assert "<text " in rest
            assert "Date" not in figure
            assert "#000000" not in rest  # black words are on a ground of their own, and black is the default there
