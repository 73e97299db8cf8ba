"""The table of the modules in `generators/` on the page `docs/development/tests.md`, from their docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from marked_blocks import on_page

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "docs" / "development" / "tests.md"
START = "<!-- generate.py tests_page -->\n"


def parts() -> Iterator[tuple[str, str]]:
    """The name of each module that writes files, and the first sentence of its docstring."""
    for path in sorted(FOLDER.glob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "files" for node in module.body):
            sentence, *_ = re.split(r"\.(?=\s|$)", ast.get_docstring(module) or "")
            yield path.stem, " ".join(sentence.split())


def files() -> dict[Path, str]:
    rows = [f"| `{name}` | {sentence} |" for name, sentence in parts()]
    table = "\n".join(["| name | what it writes |", "|---|---|", *rows])
    return {PAGE: on_page(PAGE, {START: f"\n{table}\n\n"})}
