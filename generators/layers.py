"""The drawing of the layers of gammonrules, `docs/development/layers.svg`, from `LAYERS` and `NEEDS` in `layers.py`.

`LAYERS` has the packages, and `NEEDS` declares which other packages each of them needs.
`test_packaging.py` checks every import against them, at the top of a file, inside a function, or for annotations alone.
`test_removable_packages.py` removes each package that is not of the rules, and imports the rest.
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
        "analysis",
        "identifiers",
        "equity",
        "draw",
        "json",
        "batch",
        "strategies",
        "environments",
        "_hypothesis",
    ),
    ("_json_protocol", "records.transcript"),
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

RULES = {package for layer in LAYERS[:2] for package in layer}
"""The rules alone, without which nothing works."""

CORE = {package for layer in LAYERS[:3] for package in layer}
"""The rules, and all that works without match records and engines."""

NEEDS: dict[str, set[str]] = {
    "_arrays": set(),
    "_network": set(),
    "identifiers": set(),
    "draw": set(),
    "json": set(),
    "strategies": set(),
    "analysis": set(),
    "analysis.json_forms": {"json"},
    "analysis.strategies": {"strategies"},
    "_hypothesis": {"analysis", "strategies"},
    "equity": {"_arrays", "analysis"},
    "batch": {"_arrays", "_network", "equity"},
    "environments": {"_arrays", "batch", "draw"},
    "_json_protocol": {"json"},
    "bearoff": {"_arrays", "analysis", "equity"},
    "hypergammon": {"_arrays", "analysis", "batch", "bearoff", "equity"},
    "engine": {"_arrays", "_network", "analysis", "batch", "bearoff", "draw", "equity", "hypergammon", "identifiers"},
    "records": {"_arrays", "analysis", "draw", "equity", "identifiers"},
    "records.transcript.json_forms": {"analysis", "analysis.json_forms", "json"},
    "records.strategies": {"analysis", "analysis.strategies", "strategies"},
    "records.hypothesis_types": {"_hypothesis"},
    "conformance": {"_json_protocol", "engine", "identifiers", "strategies"},
    "arena": {"_arrays", "_json_protocol", "analysis", "batch", "bearoff", "engine"},
    "notebook": {"analysis", "draw", "engine", "json"},
    "notebook._viewer": {"analysis", "draw", "records"},
    "cli": {"analysis", "arena", "bearoff", "conformance", "draw", "engine", "equity"}
    | {"hypergammon", "identifiers", "records"},
    "__main__": {"cli"},
}
"""What each package above the rules imports of the others. Without a package, those that need it do not work either.

A name with a dot is a part of a package. The rest of the package works without this part, and imports it when used.
"""

HOOKS = {
    ("_shared.json_form", "json.pydantic_fields"),
    ("analysis.analyses", "analysis.analysis_text"),
    ("arena._losses", "records.transcript"),
    ("arena._work_units", "records.formats"),
    ("arena._work_units", "records.transcript"),
    ("batch._games", "records.transcript"),
    ("board.position", "draw.svg"),
    ("board.position", "draw.text"),
    ("engine._gnubg_rollouts", "records.formats"),
    ("engine._gnubg_rollouts", "records.transcript"),
    ("json._kinds", "analysis"),
    ("json._kinds", "analysis.json_forms"),
    ("json._kinds", "records.transcript"),
    ("json._kinds", "records.transcript.json_forms"),
    ("match.scoring", "draw.internals"),
    ("match.state", "draw.svg"),
    ("match.state", "draw.text"),
    ("match.state", "identifiers.internals"),
    ("notebook", "notebook._viewer"),
    ("records.formats.json_documents", "json"),
    ("records.transcript.matches", "records.page"),
    ("strategies", "analysis.strategies"),
    ("strategies", "records.strategies"),
}
"""The imports that do not count: they are inside functions, and the importing module works without what they import.

A position, a match state, an analysis and a match are drawn and written by packages above them. Every class with a JSON
form can be a field for pydantic.
"""

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


def arrows(package: str) -> dict[str, set[str]]:
    """Which other packages inside a package each of them imports."""
    used: dict[str, set[str]] = {}
    for here, module in imports() - HOOKS:
        inner = package_of(here)
        other = package_of(module)
        is_inside = inner.startswith(package) and other.startswith(package)
        if is_inside and inner != other and LAYER_OF[inner] == LAYER_OF[other]:
            used.setdefault(inner, set()).add(other)
    return used


def unit_of(module: str) -> str:
    """The key of `NEEDS` to which a module belongs, or the name of its package if it belongs to the rules."""
    unit = module
    while unit not in NEEDS and "." in unit:
        unit = unit.rpartition(".")[0]
    return unit


def needs() -> dict[str, set[str]]:
    """`NEEDS`, as the imports have it."""
    found: dict[str, set[str]] = {unit: set() for unit in NEEDS}
    for here, module in imports() - HOOKS:
        unit = unit_of(here)
        other = unit_of(module)
        is_own = unit == other or unit.startswith(f"{other}.")
        if unit in NEEDS and other in NEEDS and not is_own:
            found[unit].add(other)
    return found


def with_all_above(removed: str) -> set[str]:
    """A package, and what does not work without it."""
    gone = {removed}
    while True:
        above = {unit for unit, needed in NEEDS.items() if needed & gone or unit.partition(".")[0] in gone}
        if above <= gone:
            return gone
        gone |= above


# --- the drawing ------------------------------------------------------------------------------------

WIDE = 150
HIGH = 76
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
    '<text class="small" x="28" y="20">the rules: everything needs them</text>',
    f'<text class="small" x="{GAP}" y="42">All else can be removed, with what needs it, directly or not.</text>',
)
TITLE = "The layers of gammonrules, and the packages that can be removed: each with those that it needs."


def drawing() -> str:
    """The layers, the highest at the top: a box for each package, with the packages that it needs."""
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
            parts += box(package, x, y)
        top += height + GAP
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * GAP} {top}">'
    head = f"{root}<style>{STYLE}</style><title>{TITLE}</title>"
    return "\n".join([head, *parts, "</svg>", ""])


def box(package: str, x: int, y: int) -> Iterator[str]:
    kind = ' class="core"' if package in RULES else ""
    yield f'<rect{kind} x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>'
    yield f'<text x="{x + 8}" y="{y + 20}">{path_of(package)}</text>'
    for line, text in enumerate(wrap(note_on(package), 22)):
        yield f'<text class="small" x="{x + 8}" y="{y + 37 + 15 * line}">{text}</text>'


def note_on(package: str) -> str:
    unit = unit_of(package)
    if unit != package:
        return f"is removed with {unit}"
    names = ", ".join(directly_needed(package))
    return f"needs {names}" if names else ""


def directly_needed(package: str) -> list[str]:
    """The packages that it needs, without those that another one of them needs."""
    needed = {other for other in NEEDS.get(package, ()) if "." not in other}
    return sorted(other for other in needed if not any(third in with_all_above(other) for third in needed - {other}))


def path_of(package: str) -> str:
    """A folder "records/page/", or a file "rules.py"."""
    path = package.replace(".", "/")
    return f"{path}/" if (SOURCES / path).is_dir() else f"{path}.py"


def files() -> dict[Path, str]:
    return {PICTURE: drawing()}
