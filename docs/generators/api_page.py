"""`docs/reference/api.md`: every public name with one line, by tier and module, as the sources and pages have them.

`python docs/generators/api_page.py` writes the page again; `test_api_page.py` compares it. The tier of a name is that
of the page which describes it. Signatures stand as written, but for aliases that no public module offers: they show
what they mean.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_overloads

from attrs import frozen

PAGE = Path(__file__).parents[1] / "reference" / "api.md"

MODULES = (
    "dice",
    "board",
    "rules",
    "match",
    "errors",
    "identifiers",
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
description: Every public name of the library on one page, with one line each and a link to its section.
search:
  boost: 0.2
---

# Every public name

By tier and module, each with one line and a link to its section, which has signatures and members; `help(...)` says the
same. A name with a dot is used from its module (`from gammonrules import records`, then `records.load`), any other is
imported from `gammonrules` itself.

`python docs/generators/api_page.py` writes this page.
"""


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


def one_line(text: str | None) -> str:
    """The first sentence of a docstring, or of what it says about an attribute."""
    paragraph = " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())
    sentence = re.split(r"(?<=[^.]\.) (?=[A-Z(`])", paragraph)[0]
    return sentence[:1].upper() + sentence[1:]


def attributes(cls: type) -> dict[str, str]:
    """What the docstring says about each attribute, in one line."""
    section = re.search(r"^Attributes:\n((?: .*\n|\n)+)", inspect.getdoc(cls) + "\n", re.MULTILINE)
    entries = re.findall(r"^ {4}(\w+): ((?:.*\n)(?: {8}.*\n)*)", section[1], re.MULTILINE) if section else []
    return {name: one_line(text) for name, text in entries}


# --- signatures -------------------------------------------------------------------------------------


def written(annotation: object, module: str) -> str:
    """An annotation as it stands in a module, without bounds that a check finds in it, nor aliases of ours."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return ast.unparse(Plain(module).visit(ast.parse(text))).strip("'\"").replace("'", '"')


@cache
def hidden_aliases() -> dict[str, ast.expr]:
    """What the aliases mean that no public module offers."""
    aliases: dict[str, ast.expr] = {}
    for module in ours():
        aliases |= hidden_aliases_of(module)
    return aliases


@cache
def hidden_aliases_of(module: str) -> dict[str, ast.expr]:
    """Those that a module defines."""
    aliases: dict[str, ast.expr] = {}
    for node in statements(module):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            assert isinstance(node.target, ast.Name)
            if node.value is not None and node.target.id not in public_names():
                aliases[node.target.id] = node.value
    return aliases


@cache
def public_names() -> set[str]:
    names: set[str] = set()
    for module in MODULES:
        names.update(sys.modules[f"gammonrules.{module}"].__all__)
    return names


class Plain(ast.NodeTransformer):
    """`Annotated[int, Bounds(1, 9)]` as `int`, and what an alias means instead of its name."""

    def __init__(self, module: str) -> None:
        self.module = module

    def visit_Name(self, node: ast.Name) -> ast.AST:
        # two modules may have aliases of the same name
        meaning = hidden_aliases_of(self.module).get(node.id) or hidden_aliases().get(node.id)
        return node if meaning is None else self.visit(copy.deepcopy(meaning))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            return node.slice.elts[0]
        return node


def default(value: object) -> str:
    if isinstance(value, Enum):
        return value.name if len(type(value)) == 1 else f"{type(value).__name__}.{value.name}"
    return "{}" if repr(value).startswith("mappingproxy") else repr(value).replace("'", '"')


def signature(name: str, function: Callable[..., Any]) -> str:
    """A call with its parameters; of their types only fixed texts are shown."""
    whole = inspect.signature(function)
    texts: list[str] = []
    parameters = list(whole.parameters.values())
    for number, parameter in enumerate(parameters):
        before = parameters[number - 1].kind if number else None
        if parameter.kind is parameter.KEYWORD_ONLY and before not in {
            parameter.KEYWORD_ONLY,
            parameter.VAR_POSITIONAL,
        }:
            texts.append("*")
        if before is parameter.POSITIONAL_ONLY and parameter.kind is not parameter.POSITIONAL_ONLY:
            texts.append("/")
        texts.append(parameter_text(parameter, function.__module__))
    if parameters and parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        texts.append("/")
    call = f"{name}({', '.join(texts)})"
    if whole.return_annotation in {whole.empty, None, "None"}:
        return call
    return f"{call} -> {written(whole.return_annotation, function.__module__)}"


def parameter_text(parameter: inspect.Parameter, module: str) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    text = stars.get(parameter.kind, "") + parameter.name
    equals = "="
    annotation = written(parameter.annotation, module)
    if "Literal[" in annotation:
        text += f": {annotation}"
        equals = " = "
    if parameter.default is not parameter.empty:
        text += equals + default(parameter.default)
    return text


def signatures(name: str, function: Callable[..., Any]) -> list[str]:
    """One for each overload that looks different."""
    return [*dict.fromkeys(signature(name, overload) for overload in get_overloads(function) or [function])]


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
    return places().get(f"{module.__name__}.{name}") or places()[f"gammonrules.{name}"]


def linked(text: str, place: str) -> str:
    return f"[{text}]({place})" if place else text


def entry(codes: str | list[str], text: str, place: str = "") -> str:
    """A line for each signature, then what it is about."""
    if isinstance(codes, str):
        codes = [codes]
    head = " or\n  ".join(linked(f"`{code}`", place) for code in codes)
    if not text:
        return f"- {head}"
    line = f"- {head}: {text}"
    if len(line) <= 120 and "\n" not in line:
        return line
    return f"- {head}:\n{wrapped(text, '  ', '  ')}"


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


def described(shown: str, name: str, value: Any, place: str) -> str:
    """The entry of a name, which is shown as programs write it."""
    if inspect.isfunction(value):
        return entry(signatures(shown, value), one_line(value.__doc__), place)
    if isinstance(value, type):
        about = one_line(value.__doc__)
        names = [] if is_protocol(value) else [f"`{member}`" for member in members(value)]
        if names:
            about += f" Its members: {', '.join(names)}."
        return entry(shown, about, place)
    definition = definition_of(name, value)
    if definition is None or isinstance(definition.node, ast.Assign):
        text = definition.text if definition else ""
        return entry(f"{shown}: {type(value).__name__}", one_line(text), place)
    about = one_line(definition.text)
    annotation = ast.unparse(definition.node.annotation)
    if annotation == "TypeAlias":
        assert definition.node.value is not None
        meaning = written(ast.unparse(definition.node.value), definition.module)
        has_private_names = re.search(r"\b_[A-Z]", meaning)
        return entry(shown if has_private_names else f"{shown} = {meaning}", about, place)
    kind = type(value).__name__ if annotation == "Final" else written(annotation, definition.module)
    return entry(f"{shown}: {kind}", about, place)


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
            entries.append(described(shown, name, value, place))
    parts = [HEAD.strip()]
    for tier, modules in listed.items():
        parts.append(f"## {tier}\n\n*{tier}*: {TIERS[tier]}")
        parts += [f"### {name}\n\n" + "\n".join(entries) for name, entries in modules.items()]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
