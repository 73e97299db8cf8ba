"""The floors and rooms of the package, as its imports have them: `python docs/generators/floors.py` draws them again.

`test_packaging.py` checks every import against them, at the top of a file, inside a function, or for annotations alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

DOCS = Path(__file__).parents[1]
SOURCES = DOCS.parent / "src" / "gammonrules"
PICTURE = DOCS / "development" / "floors.svg"

FLOORS = (
    ("errors", "limits", "values", "_shared"),
    ("dice", "board", "rules", "match"),
    ("identifiers", "equity", "draw", "records.transcript"),
    (
        *(
            "json",
            "batch",
            "bearoff",
            "hypergammon",
            "strategies",
            "_hypothesis",
            "records.formats",
            "records.archive",
            "records.page",
        ),
        *("records", "environments", "engine", "arena", "conformance", "notebook"),
    ),
    ("cli", "__main__"),
)
"""The rooms and files of the package, from the lowest floor: each imports from its own floor and from those below."""

CORE = {"errors", "limits", "values", "dice", "board", "rules", "match"}

ROOMS = {room: floor for floor, rooms in enumerate(FLOORS, 1) for room in rooms}


def room_of(module: str) -> str:
    """The room of a module such as "records.formats.mat": "records.formats"; KeyError if it has none."""
    room = module
    while room not in ROOMS:
        room = room.rpartition(".")[0]
        if not room:
            raise KeyError(module)
    return room


def statements(some: Iterable[Any]) -> Iterator[ast.stmt]:
    """With those inside them; no import is inside an expression."""
    for statement in some:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(statement, part, ()))


@cache
def imports_of(path: Path) -> set[str]:
    """Every module of the package that a file imports."""
    names: list[str] = []
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    parts = [name.partition(".") for name in names]
    return {module_of(inside) for package, _, inside in parts if package == "gammonrules" and inside}


def module_of(name: str) -> str:
    """The module in a dotted name, which may go on with something that the module holds."""
    while name and not (SOURCES / name.replace(".", "/")).is_dir():
        if (SOURCES / f"{name.replace('.', '/')}.py").exists() or name.endswith("._kernel"):
            return name
        name = name.rpartition(".")[0]
    return name


MODULES = {
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCES.rglob("*.py"))
    if path != SOURCES / "__init__.py"  # which imports everything
}


@cache
def imports() -> set[tuple[str, str]]:
    """Each import of one module by another."""
    return {(here, module) for here, path in MODULES.items() for module in imports_of(path) if module}


def arrows() -> dict[str, set[str]]:
    """Which other rooms of its floor a room imports."""
    used: dict[str, set[str]] = {}
    for room, other in {(room_of(here), room_of(module)) for here, module in imports()}:
        if room != other and ROOMS[room] == ROOMS[other]:
            used.setdefault(room, set()).add(other)
    return used


# --- the drawing ------------------------------------------------------------------------------------

WIDE, HIGH, GAP, HEAD = 150, 60, 6, 24
IN_A_ROW = 3  # so that a telephone shows words that can be read
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.small{font-size:12px}"
    "rect{fill:#f3f1ec;stroke:#8a8578}.core{fill:#cfe3d4}.floor{fill:none;stroke:#c9c4b8}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}rect{fill:#2b2a27}.core{fill:#24472f}.floor{fill:none}}"
)
LEGEND = (
    f'<rect class="core" x="{GAP}" y="8" width="16" height="16" rx="4"/>',
    '<text class="small" x="28" y="20">the core: the rules of the game; everything else uses it</text>',
    f'<text class="small" x="{GAP}" y="42">uses: imports from the same floor; the floors below are open to all</text>',
)


def drawing() -> str:
    """The floors as a picture, the highest at the top: a box for each room, with what it imports of its own floor."""
    used, parts, top = arrows(), [*LEGEND], 52
    width = IN_A_ROW * (WIDE + GAP) + GAP
    for floor, rooms in reversed([*enumerate(FLOORS, 1)]):
        height = HEAD + -(-len(rooms) // IN_A_ROW) * (HIGH + GAP)
        parts += [f'<rect class="floor" x="{GAP}" y="{top}" width="{width}" height="{height}"/>']
        parts += [f'<text x="{2 * GAP}" y="{top + 17}">floor {floor}</text>']
        for number, room in enumerate(rooms):
            row, column = divmod(number, IN_A_ROW)
            x, y = 2 * GAP + column * (WIDE + GAP), top + HEAD + row * (HIGH + GAP)
            parts += box(room, x, y, sorted(used.get(room, ())))
        top += height + GAP
    title = "<title>The floors of the package: each imports from its own floor and from those below it.</title>"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * GAP} {top}"><style>{STYLE}</style>{title}'
    )
    return "\n".join([head, *parts, "</svg>", ""])


def box(room: str, x: int, y: int, used: list[str]) -> Iterator[str]:
    kind = ' class="core"' if room in CORE else ""
    yield f'<rect{kind} x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>'
    yield f'<text x="{x + 8}" y="{y + 20}">{path_of(room)}</text>'
    words = ", ".join(path_of(name).removeprefix("records/") for name in used)
    for line, text in enumerate(wrap(words and f"uses {words}", 22)):
        yield f'<text class="small" x="{x + 8}" y="{y + 37 + 15 * line}">{text}</text>'


def path_of(room: str) -> str:
    """A folder "records/page/", or a file "rules.py"."""
    path = room.replace(".", "/")
    return f"{path}/" if (SOURCES / path).is_dir() else f"{path}.py"


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8", newline="\n")
