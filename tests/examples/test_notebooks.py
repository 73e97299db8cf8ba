"""The notebooks do what they show, and the documentation shows what they do."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from nbformat import NotebookNode

from gammonrules import Position, draw

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "notebooks"
PAGES = ROOT / "docs" / "tutorials"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
AGAIN = "run examples/notebooks/render.py and look at the changes"

# Jupyter warns of the event loop there; what a notebook shows does not depend on the system.
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="run on Linux and macOS")
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def render() -> ModuleType:
    """The script that writes notebooks and pages."""
    spec = importlib.util.spec_from_file_location("render", FOLDER / "render.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outputs(notebook: NotebookNode) -> list[tuple[str, object]]:
    """What each cell prints and draws, by its id. How a bitmap looks depends on fonts, so only that it is there."""
    found: list[tuple[str, object]] = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                assert output.data["image/png"]
                found.append((cell.id, "a bitmap"))
            else:
                found.append((cell.id, output))
    return found


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_of_a_new_run(render: ModuleType, path: Path) -> None:
    stored, fresh = render.read(path), render.executed(path)
    assert outputs(fresh) == outputs(stored), AGAIN
    assert {**stored, "cells": ()} == {**fresh, "cells": ()}, AGAIN
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), AGAIN


@every_notebook
def test_nothing_in_it_is_of_one_run(render: ModuleType, path: Path) -> None:
    """No times, no paths of a machine, no errors, and nothing on standard error."""
    for cell in render.read(path).cells:
        assert set(cell.metadata) <= {"alt", "description"}
        for output in cell.get("outputs", ()):
            assert output.output_type in {"stream", "display_data", "execute_result"}
            assert output.get("name") != "stderr"
    assert str(ROOT) not in path.read_text(encoding="utf-8")


@every_notebook
def test_page_of_the_documentation(render: ModuleType, path: Path) -> None:
    """The page is the stored notebook; its pictures lie beside it, and no others."""
    text, pictures = render.page(render.read(path), path.stem)
    assert PAGES.joinpath(f"{path.stem}.md").read_text(encoding="utf-8") == text, AGAIN
    assert {file.name: file.read_bytes() for file in (PAGES / path.stem).iterdir()} == pictures, AGAIN
    assert all(f"]({path.stem}/{name})" in text for name in pictures)
    assert "![]" not in text


@every_notebook
def test_its_boards_follow_the_page(render: ModuleType, path: Path) -> None:
    """A notebook draws them light; on the page they are as the library draws them for a page, light or dark."""
    start = Position.start()
    light, auto = draw.svg.board(start, size=628), draw.svg.board(start, size=628, theme="auto", nonce="")
    assert render.light_or_dark(light) == f"{auto}\n"
    _, pictures = render.page(render.read(path), path.stem)
    boards = [picture for name, picture in pictures.items() if name.endswith(".svg")]
    assert all(b"prefers-color-scheme: dark" in picture for picture in boards)
