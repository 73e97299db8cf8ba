"""Two products work alone: a copy of the rules, and one of the core, each pass their own tests.

The core adds identifiers, drawings, JSON, strategies, analyses, batch, equity and environments to the rules.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import gammonrules
import node
import processes
from layers import CORE, LAYERS, RULES, statements
from test_packaging import with_sources

pytestmark = with_sources

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = Path(gammonrules.__file__).parent
GENERATORS = ROOT / "generators"
PACKAGES = {package.partition(".")[0] for packages in LAYERS for package in packages}
"""All packages and files of the library."""

HELPERS = {path.stem: path for path in [*GENERATORS.glob("*.py"), *TESTS.rglob("*.py")]}
HELPERS |= {f"fuzzing.{path.stem}": path for path in TESTS.glob("fuzzing/*.py")}
"""What tests import beside the package, by the names that they use."""

READ_BY_TESTS = (
    *("docs/**/*.md", "docs/images/*.css", "web/src/**/*.ts", "THIRD_PARTY_NOTICES.md"),
    *("web/package.json", "web/src/pictures.json", "web/testing/views.json"),
    *("conformance/*.json", "conformance/*.gz", "tests/data/**/*", "tests/batch/*.c"),
)

REGISTERED = "from gammonrules import _hypothesis\n\n_hypothesis.register()\n"
"""A copy is not installed: nothing tells Hypothesis of it."""

WITH_FEWER_EXAMPLES = """
from hypothesis import settings

def pytest_sessionstart():
    settings.register_profile("fewer", settings.get_profile("fewer"), max_examples=1)
"""
"""Of a property where no rule is proven: the plain tests draw more."""


@frozen
class Product:
    """Packages that work alone, and their tests."""

    name: str
    packages: frozenset[str]
    tools: frozenset[str]
    """What draws values for the tests, or is compared with the product."""
    need_more: frozenset[str]
    """The files of tests that need other packages too."""
    left_out: tuple[str, ...]
    """The tests that need other packages, in files that do not."""
    conftest: str = ""

    def tests(self) -> list[Path]:
        """In the folders of its packages, and above them for its files."""
        in_folders = [path for package in self.packages for path in (TESTS / package).glob("test_*.py")]
        above = [TESTS / f"test_{name}.py" for name in ("laws", *self.packages)]
        return sorted([*in_folders, *(path for path in above if path.exists())])

    def has(self, path: Path) -> bool:
        """Whether a file of the tests imports nothing but this, itself or by its helpers."""
        return needed_by(path) <= self.packages | self.tools


THE_RULES = Product(
    "rules",
    packages=frozenset(RULES),
    tools=frozenset({"_arrays", "strategies"}),
    need_more=frozenset(
        {
            *("test_clock.py", "test_match.py", "test_match_machine.py", "test_messages.py"),  # JSON and identifiers
            "test_condoned_plays.py",  # JSON
            *("test_position_kinds.py", "test_values.py"),  # arrays
        }
    ),
    left_out=("tests/test_errors.py::test_all_exceptions_are_found",),  # it counts those of all packages
)

THE_CORE = Product(
    "core",
    packages=frozenset(CORE),
    tools=frozenset(),
    need_more=frozenset({"test_history_js.py", "test_xgid_js.py"}),  # they take their games from records
    left_out=("tests/test_errors.py::test_all_exceptions_are_found",),
    conftest=REGISTERED,
)


def imported(path: Path) -> Iterator[str]:
    """Every name that a file imports, with its module."""
    for statement in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)


def helpers_of(path: Path) -> set[Path]:
    """The other files of the tests that a file imports, or takes something from."""
    modules = {module for name in imported(path) for module in (name, name.rpartition(".")[0])}
    return {HELPERS[module] for module in modules & HELPERS.keys()} - {path}


@cache
def needed_by(path: Path) -> frozenset[str]:
    """The packages that a file of the tests imports, itself or by its helpers."""
    names = [name.split(".")[1] for name in imported(path) if name.startswith("gammonrules.")]
    return PACKAGES.intersection(names).union(*map(needed_by, helpers_of(path)))


def with_helpers(paths: Iterable[Path]) -> set[Path]:
    wanted, to_do = set[Path](), [*paths]
    while to_do:
        path = to_do.pop()
        if path not in wanted:
            wanted.add(path)
            to_do += helpers_of(path)
    return wanted


def take(path: Path, folder: Path) -> None:
    """Copy a file of the repository to its place in a folder."""
    place = folder / path.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(path, place)


def copied(product: Product, folder: Path) -> Path:
    """A folder with `src`, which has the product alone, the kernel too, and `tests`, which has what needs no more."""
    package = folder / "src" / "gammonrules"
    package.mkdir(parents=True)
    for name in ("__init__", "c", *sorted(product.packages | product.tools)):
        if (PACKAGE / name).is_dir():
            shutil.copytree(PACKAGE / name, package / name)
        else:
            shutil.copy2(PACKAGE / f"{name}.py", package)
    conftests = filter(
        Path.exists, [TESTS / "conftest.py", *(TESTS / name / "conftest.py" for name in product.packages)]
    )
    for path in with_helpers([*filter(product.has, product.tests()), *conftests]):
        take(path, folder)
    for pattern in READ_BY_TESTS:
        for path in filter(Path.is_file, ROOT.glob(pattern)):
            take(path, folder)
    return folder


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(THE_CORE, tmp_path_factory.mktemp("core"))


def run(core: Path, *arguments: object, **environment: str) -> str:
    """What a program prints that has only the copy."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "HYPOTHESIS"))}
    paths = {"PYTHONPATH": str(core / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    options: dict[str, Any] = {"cwd": core, "env": kept | paths | environment, "check": False}
    done = processes.run(sys.executable, *arguments, seconds=1200, megabytes=node.NODE_NEEDS, **options)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-5_000:]
    return str(done.stdout)


def test_the_tests_of_the_core_pass(core: Path, record_property: Callable[[str, object], None]) -> None:
    record_property("told", run_tests(THE_CORE, core))


def test_the_tests_of_the_rules_pass(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    record_property("told", run_tests(THE_RULES, copied(THE_RULES, tmp_path)))


def run_tests(product: Product, folder: Path) -> str:
    """Run the tests of a copy, and say how many passed.

    In one process, since other tests run beside this one, and without what the rest of the gate tries at length. That
    is the long tests, and the scripts of pages, with Node. What can fail here alone is what only other packages do.
    """
    alone = [path.relative_to(ROOT) for path in product.tests() if product.has(path)]
    assert {path.name for path in product.tests()} - {path.name for path in alone} == product.need_more
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    markers = "".join(f"\n    {marker}" for marker in options["markers"])
    lines = "[pytest]", f"markers ={markers}", "filterwarnings = error", "pythonpath = generators"
    (folder / "pytest.ini").write_text("\n".join(lines))
    (folder / "conftest.py").write_text(product.conftest + WITH_FEWER_EXAMPLES)
    tried = [path for path in alone if not path.name.endswith("_js.py")]
    left_out = [f"--deselect={name}" for name in product.left_out]
    output = run(folder, "-m", "pytest", "-q", "-m", "not long", *left_out, *tried, HYPOTHESIS_NO_PLUGINS="1")
    (passed,) = re.findall(r"(\d+) passed", output)
    return f"the {product.name} alone: {passed} tests in {len(tried)} files passed"


USED = """
import gammonrules.json, gammonrules.strategies
from gammonrules import MatchState, Position
from hypothesis import strategies as st

state = MatchState.new(7).opening_roll(3, 1)
assert gammonrules.json.loads(gammonrules.json.dumps(state)) == state
for positions in (gammonrules.strategies.positions(), st.from_type(Position)):
    assert isinstance(positions.example(), Position)
try:
    gammonrules.records
except ModuleNotFoundError as error:
    assert error.name == "gammonrules.records"
    print(gammonrules.__file__)
"""


def test_json_and_strategies_without_records(core: Path) -> None:
    output = run(core, "-c", f"{REGISTERED}{USED}", HYPOTHESIS_NO_PLUGINS="1")
    assert Path(output.strip()) == core / "src" / "gammonrules" / "__init__.py"


def test_hypothesis_knows_it_by_its_own_entry_point(core: Path) -> None:
    """As it would if the core were a package of its own: that of records is loaded unguarded, so it has another."""
    (first, _) = importlib.metadata.distribution("gammonrules").entry_points.select(group="hypothesis")
    version = gammonrules.__version__
    metadata = core / "src" / f"gammonrules-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gammonrules\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(f"[hypothesis]\n{first.name} = {first.value}\n")
    assert "gammonrules" in run(core, "-c", USED)
    shutil.rmtree(metadata)
