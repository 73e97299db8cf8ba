"""`docs/reference/api.md`: every public name with its members and its page, by tier and module.

The tier of a name is that of the page which describes it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "api.md"

MODULES = (
    "dice",
    "board",
    "rules",
    "match",
    "errors",
    "identifiers",
    "analysis",
    "equity",
    "records",
    "json",
    "draw",
    "draw.svg",
    "draw.text",
    "batch",
    "bearoff",
    "hypergammon",
    "engine",
    "arena",
    "conformance",
    "environments",
    "environments.backgammon_v0",
    "strategies",
    "notebook",
)
"""The public modules below `gammonrules`, in the order of the page."""

TIERS = {
    "Stable": "kept through all versions 1 ([what that means](../security.md)).",
    "Provisional": "minor versions may still change it ([what that means](../security.md)).",
}
"""What a page of the reference says under its title about what it describes."""

HEAD = """\
---
description: Every public name of the library on one page, with its members and a link to the page that describes it.
search:
  boost: 0.2
---

# Every public name

Where is it described? By tier and module, each name with its members; the link leads to its section. A name with a dot
is used from its module (`from gammonrules import records`, then `records.load`), any other is imported from
`gammonrules` itself.

<!-- python generate.py api_page writes this page -->
"""

MEANINGS = {
    "DiceLike": "anything that is taken as a roll",
    "RandomSource": "a source of random numbers",
    "Boards": "anything that is accepted as boards",
    "Rolls": "anything that is accepted as rolls",
    "KERNEL": "which generator finds the plays",
    "MoveLike": "anything that is taken as a move",
    "PlayLike": "anything that is taken as a play",
    "PlayerLike": "anything that is accepted as a player",
    "ChancesLike": "anything that is accepted as chances",
    "Counts": "numbers of checkers by their points",
    "Pair": "what White and Black have",
    "TO_ACT": "the player who is to act",
    "ToAct": "its type",
    "KAZAROSS_XG2": "the usual match equity table",
    "nested": "chances that fit together",
    "doubling_windows": "when to double and to take",
    "MapFunction": "a function like `map` that spreads the work",
    "RecordedResult": "the end of a game in the file",
    "join": "records of one match put together",
    "Value": "the type of all values in JSON",
    "Policy": "a player made of functions",
    "evaluate_batch": "chances to train a network with",
    "NUM_PLAY_CODES": "how many plays have a number",
}
"""Of names that are not plain, in at most half a sentence."""


# --- what the sources say ---------------------------------------------------------------------------


@cache
def statements(module: str) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(sys.modules[module])).body


def ours() -> list[str]:
    """The modules of the package that are written in Python."""
    loaded = sorted(name for name in sys.modules if name.startswith("gammonrules."))
    return [name for name in loaded if str(sys.modules[name].__file__).endswith(".py")]


@cache
def source_of(cls: type) -> ast.ClassDef:
    # An error calls the package its module, wherever it is defined.
    homes = ours() if cls.__module__ == "gammonrules" else [cls.__module__]
    for home in homes:
        for node in statements(home):
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                return node
    raise LookupError(cls)


def assigned(body: list[ast.stmt], name: str) -> tuple[ast.AnnAssign | ast.Assign | None, str]:
    """The statement that gives this name its value or its annotation, and the text that follows it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == name:
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            return node, str(text)
    return None, ""


@frozen
class Definition:
    """Where a constant or an alias is defined."""

    module: str
    node: ast.AnnAssign | ast.Assign
    text: str
    """What follows it."""


def definition_of(name: str, value: object) -> Definition | None:
    """That of a constant or an alias, in whichever module it stands."""
    for module in ours():
        if vars(sys.modules[module]).get(name, _NOTHING) is value:
            node, text = assigned(statements(module), name)
            if node is not None:
                return Definition(module, node, text)
    return None


_NOTHING = object()


def attributes(cls: type) -> list[str]:
    """Those that the docstring describes."""
    section = re.search(r"^Attributes:\n((?: .*\n|\n)+)", inspect.getdoc(cls) + "\n", re.MULTILINE)
    return re.findall(r"^ {4}(\w+): ", section[1], re.MULTILINE) if section else []


@cache
def public_names() -> set[str]:
    names: set[str] = set()
    for module in MODULES:
        names.update(sys.modules[f"gammonrules.{module}"].__all__)
    return names


def is_protocol(value: object) -> bool:
    return bool(getattr(value, "_is_protocol", False))


# --- the page ---------------------------------------------------------------------------------------


def wrapped(text: str, first: str = "", other: str = "") -> str:
    """Lines of up to 120 columns; nothing between backticks is parted."""
    parts = [part.replace(" ", "\0") if part[0] == "`" else part for part in re.findall(r"`[^`]*`|[^`]+", text)]
    lines = textwrap.wrap(
        "".join(parts),
        120,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


@cache
def places() -> dict[str, str]:
    """Where the reference describes each name: "gammonrules.Dice" on "dice.md#gammonrules.Dice"."""
    described_on: dict[str, str] = {}
    for page in PAGE.parent.glob("*.md"):
        for path in re.findall(r"(?m)^::: (\S+)", page.read_text(encoding="utf-8")):
            described_on[path] = f"{page.name}#{path}"
    return described_on


def place_of(module: ModuleType, name: str) -> str:
    """The place that describes a name of this module; `records` and `equity` export names of `analysis` too."""
    paths = (f"{home}.{name}" for home in (module.__name__, "gammonrules", "gammonrules.analysis"))
    return next(places()[path] for path in paths if path in places())


def hidden_bases(cls: type) -> list[type]:
    """The base classes of ours that no public module offers, so that what they define belongs to this one."""
    own = [base for base in cls.__mro__[1:] if base.__module__.startswith("gammonrules")]
    return [base for base in own if base.__name__ not in public_names()]


def members(cls: type) -> list[str]:
    """Fields, properties and methods, in the order of the source; those of a public base class of ours stand there."""
    names: dict[str, None] = {}
    for owner in (cls, *hidden_bases(cls)):
        for node in source_of(owner).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            name = target.id if isinstance(target, ast.Name) else getattr(node, "name", "_")
            names[name] = None
    names |= dict.fromkeys(attributes(cls))
    return [name for name in names if not name.startswith("_")]


def entry(shown: str, name: str, value: Any, place: str) -> str:
    """A name as programs write it, what it means if that is not plain, and its members."""
    line = f"- [`{shown}`]({place})"
    if name in MEANINGS:
        line += f", {MEANINGS[name]}"
    if isinstance(value, type) and not is_protocol(value) and members(value):
        line += f": {', '.join(f'`{member}`' for member in members(value))}"
    return wrapped(line, other="  ")


@cache
def tier_of(page: str) -> str:
    """The tier that a page of the reference names."""
    (tier,) = re.findall(r"(?m)^\*(\w+)\*: ", (PAGE.parent / page).read_text(encoding="utf-8"))
    return str(tier)


def page() -> str:
    """The whole page."""
    package = importlib.import_module("gammonrules")
    listed: dict[str, dict[str, list[str]]] = {tier: {} for tier in TIERS}
    offered = set(package.__all__)
    modules = [*(importlib.import_module(f"gammonrules.{name}") for name in MODULES), package]
    # all names first: some are imported when they are asked for, and aliases are looked up in what is loaded
    values = {(module, name): getattr(module, name) for module in modules for name in module.__all__}
    for module in modules:
        for name in sorted(module.__all__, key=str.lower):
            value = values[module, name]
            if isinstance(value, ModuleType) or (module is package and name not in offered):
                continue
            shown = name if name in offered else f"{module.__name__.removeprefix('gammonrules.')}.{name}"
            offered.discard(name)
            place = place_of(module, name)
            entries = listed[tier_of(place.partition("#")[0])].setdefault(module.__name__, [])
            entries.append(entry(shown, name, value, place))
    parts = [HEAD.strip()]
    for tier, modules in listed.items():
        parts.append(f"## {tier}\n\n*{tier}*: {TIERS[tier]}")
        parts += [f"### {name}\n\n" + "\n".join(entries) for name, entries in modules.items()]
    return "\n\n".join(parts) + "\n"


def files() -> dict[Path, str]:
    return {PAGE: page()}
