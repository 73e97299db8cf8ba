"""The table of packages on the page *Architecture*: what each contains is the first sentence of its docstring."""

from __future__ import annotations

import ast
from pathlib import Path

from layers import DOCS, LAYERS, SOURCES
from marked_blocks import on_page

PAGE = DOCS / "development" / "architecture.md"
START = "<!-- packages: generate.py architecture_page -->\n"


def first_sentence(package: str) -> str:
    """What a package or a file above the packages contains."""
    path = SOURCES / package.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert docstring, f"{file} has no docstring"
    return docstring.partition("\n")[0].removesuffix(".")


def table() -> str:
    rows = ["| layer | package | what it contains |", "|---|---|---|"]
    for number, packages in reversed([*enumerate(LAYERS, 1)]):
        for package in packages:
            is_folder = (SOURCES / package.replace(".", "/")).is_dir()
            name = package.replace(".", "/") + ("/" if is_folder else ".py")
            rows.append(f"| {number} | `{name}` | {first_sentence(package)} |")
    return "\n".join(rows) + "\n"


def files() -> dict[Path, str]:
    return {PAGE: on_page(PAGE, {START: f"\n{table()}\n"})}
