"""`docs/reference/api.md`: every public name with its signature and one line, as the sources have them.

`python tests/api_page.py` writes the page again; `test_api_page.py` compares it. Signatures and annotations stand as
written, and of values only those of texts, so that every Python and either generator give the same page.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_overloads

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "api.md"

MODULES = (
    *("dice", "board", "rules", "match", "errors", "identifiers", "records", "json"),
    *("draw", "draw.svg", "batch", "environments", "environments.backgammon_v0", "strategies"),
)
"""The public modules below `gammonrules`, in the order of the page."""

HEAD = """\
# Every public name

Each with its signature and one line, under the module that it belongs to, and with a link to its entry in this
reference; `help(...)` says the same. What `gammonrules` itself offers is imported from there (`from gammonrules import
Position`), all else from its module (`from gammonrules.records import load`). A name without brackets is an attribute
or a property.

`python tests/api_page.py` writes this page.
"""


# --- what the sources say ---------------------------------------------------------------------------


@cache
def statements(module: str) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(sys.modules[module])).body


@cache
def source_of(cls: type) -> ast.ClassDef:
    # An error calls the package its module, wherever it is defined.
    inside = [name for name in sys.modules if name.startswith("gammonrules.")]
    homes = inside if cls.__module__ == "gammonrules" else [cls.__module__]
    found = next(node for home in homes for node in statements(home) if getattr(node, "name", "") == cls.__name__)
    assert isinstance(found, ast.ClassDef)
    return found


def assigned(body: list[ast.stmt], name: str) -> tuple[ast.AnnAssign | ast.Assign | None, str]:
    """The statement that gives this name its value or its annotation, and the text that follows it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == name:
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            return node, str(text)
    return None, ""


def home_of(name: str, value: object) -> tuple[ast.AnnAssign | ast.Assign | None, str]:
    """The same for a constant or an alias, in whichever module it stands."""
    for module in sorted(known for known in sys.modules if known.startswith("gammonrules.")):
        if vars(sys.modules[module]).get(name, _NOTHING) is value and sys.modules[module].__file__.endswith(".py"):
            node, text = assigned(statements(module), name)
            if node is not None:
                return node, text
    return None, ""


_NOTHING = object()


def one_line(text: str | None) -> str:
    """The first sentence of a docstring, or of what it says about an attribute."""
    paragraph = " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())
    sentence = re.split(r"(?<=[^.]\.) (?=[A-Z(`])", paragraph)[0]
    return sentence[:1].upper() + sentence[1:]


def inherited(cls: type, name: str) -> str:
    """What the nearest class that describes an attribute says about it."""
    return next((found[name] for base in cls.__mro__ if name in (found := attributes(base))), "")


def attributes(cls: type) -> dict[str, str]:
    """What the docstring says about each attribute, in one line."""
    section = re.search(r"^Attributes:\n((?: .*\n|\n)+)", inspect.getdoc(cls) + "\n", re.MULTILINE)
    entries = re.findall(r"^ {4}(\w+): ((?:.*\n)(?: {8}.*\n)*)", section[1], re.MULTILINE) if section else []
    return {name: one_line(text) for name, text in entries}


# --- signatures -------------------------------------------------------------------------------------


def written(annotation: object) -> str:
    """An annotation as it stands in the source, without the bounds that a check finds in it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    if "Annotated[" in text:
        text = ast.unparse(Unbounded().visit(ast.parse(text)))
    return text.strip('"').replace("'", '"')


class Unbounded(ast.NodeTransformer):
    """`Annotated[int, Bounds(1, 9)]` as `int`."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            return node.slice.elts[0]
        return node


def default(value: object) -> str:
    if isinstance(value, Enum):
        return value.name if len(type(value)) == 1 else f"{type(value).__name__}.{value.name}"
    return "{}" if repr(value).startswith("mappingproxy") else repr(value).replace("'", '"')


def signature(name: str, given: Callable[..., Any], skip: int = 0, fields: dict[str, str] | None = None) -> str:
    """A call as the source writes its parameters, without the first ones (`self`)."""
    whole = inspect.signature(given)
    texts: list[str] = []
    parameters = list(whole.parameters.values())[skip:]
    for number, one in enumerate(parameters):
        before = parameters[number - 1].kind if number else None
        if one.kind is one.KEYWORD_ONLY and before not in {one.KEYWORD_ONLY, one.VAR_POSITIONAL}:
            texts.append("*")
        if before is one.POSITIONAL_ONLY and one.kind is not one.POSITIONAL_ONLY:
            texts.append("/")
        text = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "") + one.name
        annotation = (fields or {}).get(one.name, one.annotation)
        text += "" if annotation is one.empty else f": {written(annotation)}"
        if one.default is None and "None" not in text:  # a converter replaces it
            text += " | None"
        texts.append(text + ("" if one.default is one.empty else f" = {default(one.default)}"))
    if parameters and parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        texts.append("/")
    returned = (
        "" if whole.return_annotation in {whole.empty, None, "None"} else f" -> {written(whole.return_annotation)}"
    )
    return f"{name}({', '.join(texts)}){returned}"


def signatures(name: str, given: Callable[..., Any], skip: int = 0) -> list[str]:
    """One for each overload."""
    return [signature(name, one, skip) for one in get_overloads(given) or [given]]


def constructors(cls: type) -> list[str]:
    """How a value of a class is made; of enums, exceptions and protocols nothing is said."""
    if issubclass(cls, (Enum, BaseException)) or is_protocol(cls):
        return []
    if any(getattr(node, "name", "") == "__init__" for node in source_of(cls).body):
        return signatures(cls.__name__, cls.__init__, 1)
    return [signature(cls.__name__, cls.__init__, 1, inspect.get_annotations(cls))]  # which a converter would hide


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
    pages = {page.name: page.read_text(encoding="utf-8") for page in PAGE.parent.glob("*.md")}
    return {path: f"{name}#{path}" for name, text in pages.items() for path in re.findall(r"(?m)^::: (\S+)", text)}


def place_of(module: ModuleType, name: str) -> str:
    return places().get(f"{module.__name__}.{name}") or places()[f"gammonrules.{name}"]


def linked(text: str, place: str) -> str:
    return f"[{text}]({place})" if place else text


def entry(codes: str | list[str], text: str, place: str = "") -> str:
    """A line for each signature, then what it is about."""
    head = " or\n  ".join(linked(f"`{code}`", place) for code in ([codes] if isinstance(codes, str) else codes))
    if not text:
        return f"- {head}"
    line = f"- {head}: {text}"
    return line if len(line) <= 120 and "\n" not in line else f"- {head}:\n{wrapped(text, '  ', '  ')}"


def members(cls: type, place: str) -> Iterator[str]:
    """Fields, properties and methods, in the order of the source; those of a base class of ours stand there."""
    described = attributes(cls)
    seen: set[str] = set()
    for node in source_of(cls).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        name = target.id if isinstance(target, ast.Name) else getattr(node, "name", "_")
        if name.startswith("_") or name in seen:
            continue
        seen.add(name)
        value = inspect.getattr_static(cls, name, None)
        if isinstance(node, ast.AnnAssign):
            yield entry(f"{name}: {written(ast.unparse(node.annotation))}", inherited(cls, name))
        elif isinstance(node, ast.Assign):
            shown = f'{name} = "{cls[name].value}"' if issubclass(cls, StrEnum) else name
            text = one_line(assigned(source_of(cls).body, name)[1])
            yield entry(shown, text, f"{place}.{name}" * bool(text))
        else:
            yield method(cls, node, value, f"{place}.{name}")
    yield from (entry(name, text) for name, text in described.items() if name not in seen)


def method(cls: type, node: ast.AST, value: Any, place: str) -> str:
    line, name = one_line(inspect.getdoc(value)), str(getattr(node, "name", ""))
    if isinstance(value, classmethod | staticmethod):
        return entry(signatures(f"{cls.__name__}.{name}", value.__func__, isinstance(value, classmethod)), line, place)
    if inspect.isfunction(value):
        return entry(signatures(name, value, 1), line, place)
    assert isinstance(node, ast.FunctionDef)
    assert node.returns is not None
    return entry(f"{name}: {written(ast.unparse(node.returns))}", line, place)


def kind_of(name: str, value: object) -> str:
    if isinstance(value, type):
        return "Types" if is_protocol(value) else "Classes"
    if inspect.isfunction(value):
        return "Functions"
    node, _ = home_of(name, value)
    is_alias = isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias")
    return "Types" if is_alias else "Constants"


def constant(name: str, value: object, place: str = "") -> str:
    node, text = home_of(name, value)
    annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else "Final"
    if annotation == "TypeAlias":
        assert isinstance(node, ast.AnnAssign)
        assert node.value is not None
        return entry(f"{name} = {written(ast.unparse(node.value))}", one_line(text), place)
    kind = type(value).__name__ if annotation == "Final" else written(annotation)
    return entry(f"{name}: {kind}", one_line(text), place)


def described(name: str, value: Any, place: str) -> str:
    if inspect.isfunction(value):
        return entry(signatures(name, value), one_line(value.__doc__), place)
    if is_protocol(value):
        return entry(name, one_line(value.__doc__), place)
    if not isinstance(value, type):
        return constant(name, value, place)
    parents = ", ".join(f"`{written(ast.unparse(base))}`" for base in source_of(value).bases)
    text = wrapped(one_line(value.__doc__) + f" A subclass of {parents}." * bool(parents))
    lines = "\n".join([*(f"- `{one}`" for one in constructors(value)), *members(value, place)])
    return f"### {linked(name, place)}\n\n{text}" + f"\n\n{lines}" * bool(lines)


def section(module: ModuleType, *more: str, left_out: Iterable[str] = ()) -> Iterator[str]:
    names = {name: getattr(module, name) for name in module.__all__ if name not in left_out}
    kinds = {name: kind_of(name, value) for name, value in names.items() if not isinstance(value, ModuleType)}
    yield "\n\n".join([f"## {module.__name__}", one_line(module.__doc__), *more])
    shown = ""
    for kind in ("Functions", "Classes", "Constants", "Types"):
        found = [described(name, names[name], place_of(module, name)) for name in kinds if kinds[name] == kind]
        shown += "\n".join(found)
        if kind == "Types":
            found += own_aliases(module, shown)
        if found:
            yield "\n\n".join(found) if kind == "Classes" else f"### {kind}\n\n" + "\n".join(found)


def own_aliases(module: ModuleType, shown: str) -> list[str]:
    """The aliases in the signatures of a module that no public module offers."""
    inside = [known for name, known in sorted(sys.modules.items()) if f"{name}.".startswith(f"{module.__name__}.")]
    found: dict[str, object] = {}
    for name in sorted(set(re.findall(r"(?<![\w.`\"])_?[A-Z]\w+", " ".join(re.findall(r"`([^`]+)`", shown))))):
        for here in inside:
            node, _ = assigned(statements(here.__name__), name) if str(here.__file__).endswith(".py") else (None, "")
            if (
                name not in module.__all__
                and isinstance(node, ast.AnnAssign)
                and ast.unparse(node.annotation) == "TypeAlias"
            ):
                found[name] = vars(here)[name]
    return [constant(name, value) for name, value in found.items()]


def page() -> str:
    """The whole page."""
    package = importlib.import_module("gammonrules")
    modules = [importlib.import_module(f"gammonrules.{name}") for name in MODULES]
    offered = ", ".join(linked(f"`{name}`", place_of(package, name)) for name in sorted(package.__all__, key=str.lower))
    elsewhere = {name for module in modules for name in module.__all__}
    shown = ", ".join(linked(f"`{one.__name__}`", "#" + one.__name__.replace(".", "")) for one in [package, *modules])
    parts = [
        HEAD.strip(),
        wrapped(f"The modules: {shown}."),
        *section(package, wrapped(f"It offers {offered}."), left_out=elsewhere),
    ]
    for module in modules:
        parts += section(module)
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
