"""The layers and packages of gammonrules, and a drawing of their imports: `docs/development/layers.svg`.

`test_packaging.py` checks every import against them, at the top of a file, inside a function, or for annotations alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
SOURCES = DOCS.parent / "src" / "gammonrules"
PICTURE = DOCS / "development" / "layers.svg"

LAYERS = (
    ("errors", "limits", "values", "_shared"),
    ("dice", "board", "rules", "match"),
    (
        "_arrays",
        "_network",
        "identifiers",
        "equity",
        "draw",
        "json",
        "batch",
        "strategies",
        "environments",
        "_hypothesis",
    ),
    ("records.transcript",),
    (
        "bearoff",
        "hypergammon",
        "records.formats",
        "records.archive",
        "records.page",
        "records.strategies",
        "records",
        "engine",
        "arena",
        "conformance",
        "notebook",
    ),
    ("cli", "__main__"),
)
"""The packages and files of gammonrules, the lowest layer first: each imports from its own and from those below."""

CORE = {package for layer in LAYERS[:3] for package in layer}
"""What stands alone, without records and all that is above them."""

LAYER_OF: dict[str, int] = {}
for _number, _packages in enumerate(LAYERS, 1):
    LAYER_OF.update(dict.fromkeys(_packages, _number))


def package_of(module: str) -> str:
    """The package of a module such as "records.formats.mat": "records.formats"; KeyError if it has none."""
    package = module
    while package not in LAYER_OF:
        package = package.rpartition(".")[0]
        if not package:
            raise KeyError(module)
    return package


def statements(body: Iterable[Any]) -> Iterator[ast.stmt]:
    """With those inside them; no import is inside an expression."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(statement, part, ()))


@cache
def imports_of(path: Path) -> set[str]:
    """Every module of gammonrules that a file imports."""
    names: list[str] = []
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    prefix = "gammonrules."
    return {module_of(name.removeprefix(prefix)) for name in names if name.startswith(prefix)}


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
    pairs: set[tuple[str, str]] = set()
    for here, path in MODULES.items():
        pairs |= {(here, module) for module in imports_of(path) if module}
    return pairs


def arrows() -> dict[str, set[str]]:
    """Which other packages of its layer a package imports."""
    used: dict[str, set[str]] = {}
    for here, module in imports():
        package = package_of(here)
        other = package_of(module)
        if package != other and LAYER_OF[package] == LAYER_OF[other]:
            used.setdefault(package, set()).add(other)
    return used


# --- the drawing ------------------------------------------------------------------------------------

WIDE = 150
HIGH = 60
GAP = 6
HEAD = 24
IN_A_ROW = 3  # so that a telephone shows words that can be read
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.small{font-size:12px}"
    "rect{fill:#f3f1ec;stroke:#8a8578}.core{fill:#cfe3d4}.layer{fill:none;stroke:#c9c4b8}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}rect{fill:#2b2a27}.core{fill:#24472f}.layer{fill:none}}"
)
LEGEND = (
    f'<rect class="core" x="{GAP}" y="8" width="16" height="16" rx="4"/>',
    '<text class="small" x="28" y="20">the core: it needs no other package; everything else uses it</text>',
    f'<text class="small" x="{GAP}" y="42">uses: imports from the same layer; the layers below are open to all</text>',
)
TITLE = "The layers of gammonrules: each imports from its own layer and from those below it."


def drawing() -> str:
    """The layers as a picture, the highest at the top: a box for each package, with what it imports of its layer."""
    used = arrows()
    parts = [*LEGEND]
    top = 52
    width = IN_A_ROW * (WIDE + GAP) + GAP
    for layer, packages in reversed([*enumerate(LAYERS, 1)]):
        rows = -(-len(packages) // IN_A_ROW)
        height = HEAD + rows * (HIGH + GAP)
        parts.append(f'<rect class="layer" x="{GAP}" y="{top}" width="{width}" height="{height}"/>')
        parts.append(f'<text x="{2 * GAP}" y="{top + 17}">layer {layer}</text>')
        for number, package in enumerate(packages):
            row, column = divmod(number, IN_A_ROW)
            x = 2 * GAP + column * (WIDE + GAP)
            y = top + HEAD + row * (HIGH + GAP)
            parts += box(package, x, y, sorted(used.get(package, ())))
        top += height + GAP
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * GAP} {top}">'
    head = f"{root}<style>{STYLE}</style><title>{TITLE}</title>"
    return "\n".join([head, *parts, "</svg>", ""])


def box(package: str, x: int, y: int, used: list[str]) -> Iterator[str]:
    kind = ' class="core"' if package in CORE else ""
    yield f'<rect{kind} x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>'
    yield f'<text x="{x + 8}" y="{y + 20}">{path_of(package)}</text>'
    names = ", ".join(path_of(other).removeprefix("records/") for other in used)
    if names:
        for line, text in enumerate(wrap(f"uses {names}", 22)):
            yield f'<text class="small" x="{x + 8}" y="{y + 37 + 15 * line}">{text}</text>'


def path_of(package: str) -> str:
    """A folder "records/page/", or a file "rules.py"."""
    path = package.replace(".", "/")
    return f"{path}/" if (SOURCES / path).is_dir() else f"{path}.py"


def files() -> dict[Path, str]:
    return {PICTURE: drawing()}
