"""Run every Python example of the README, of the docs and of the docstrings as a test (Sybil); deal tests out."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from doctest import NORMALIZE_WHITESPACE
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from sybil import Document, Example, Region, Sybil
from sybil.document import PythonDocStringDocument
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.integration.pytest import SybilItem
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

# The tests share the processors already: arrays start no threads of their own, which would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_run_one = DocTestEvaluator()


def _run(session: Example) -> str:
    """What is wrong with the first example that fails."""
    for example in session.parsed:
        region = Region(session.start, session.end, example)
        wrong = _run_one(Example(session.document, session.line, session.column, region, session.namespace))
        if wrong:
            return f">>> {example.source}{wrong}"
    return ""


def _together(regions: Iterable[Region]) -> Iterator[Region]:
    """One test of a whole session, since each test has costs of its own."""
    if regions := list(regions):
        yield Region(regions[0].start, regions[-1].end, [region.parsed for region in regions], _run)


class SessionParser:
    """Blocks of code marked `pycon`: interactive sessions, of which only the typed lines are colored as Python.

    The message of an error, which may be long, may be broken between its words; all else is compared as it stands.
    """

    def __init__(self) -> None:
        self._blocks = CodeBlockParser("pycon")
        self._examples = DocTestStringParser(DocTestEvaluator())

    def __call__(self, document: Document) -> Iterator[Region]:
        for block in self._blocks(document):
            for region in _together(self._examples(block.parsed, document.path)):
                for example in region.parsed:
                    if example.exc_msg is not None:
                        example.options[NORMALIZE_WHITESPACE] = True
                region.adjust(block, block.parsed)
                yield region


class DocstringParser:
    """All examples of a docstring."""

    def __init__(self) -> None:
        self._examples = DocTestParser()

    def __call__(self, document: Document) -> Iterator[Region]:
        return _together(self._examples(document))


class Docstrings(PythonDocStringDocument):
    """Whatever stands between three quotes, those below a constant too; taking files apart would need much longer."""

    @staticmethod
    def extract_docstrings(code: str) -> Iterator[tuple[int, int, str]]:
        return ((*text.span(1), text[1]) for text in re.finditer(r'(?s)"""(.*?)"""', code) if ">>>" in text[1])


def _begin(_: dict[str, Any]) -> None:
    """An example of a property shows how to write one; what breaks it is looked for by the tests."""
    settings.register_profile(
        "examples",
        settings.get_profile("default"),
        max_examples=5,
        deadline=None,
        phases=set(Phase) - {Phase.explain},  # no page shows what it finds
        suppress_health_check=[HealthCheck.too_slow],  # the machine may be busy
    )
    settings.load_profile("examples")


def _end(_: dict[str, Any]) -> None:
    settings.load_profile("default")


# The examples of engines ask bgsage, which has no wheels for some machines.
_needs_bgsage = ["docs/reference/engine.md", "docs/how-to/analyze-matches.md", "docs/cookbook/bots.md"]
_needs_bgsage += [f"src/gammonrules/{path}" for path in ("engine/*.py", "records/analyzing.py")]
_excluded = [] if find_spec("bgsage") else _needs_bgsage

# One pattern for each depth: before Python 3.13 a path pattern gives ** no meaning of its own.
_pages = Sybil(
    parsers=[SessionParser(), PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
    excludes=_excluded,
    setup=_begin,
    teardown=_end,
)
_docstrings = Sybil(
    parsers=[DocstringParser()],
    patterns=[f"src/gammonrules/{'*/' * depth}*.py" for depth in range(5)],
    document_types={".py": Docstrings},
    excludes=_excluded,
    setup=_begin,
    teardown=_end,
)

pytest_collect_file = (_pages + _docstrings).pytest()


_ROOT = Path(__file__).parent
_TESTS = _ROOT / "tests"
_FIRST = "test_laws.py", "match/test_table_edge_cases.py", "test_rules.py"
_LAST = "board/test_kernel.py", "match/test_match_in_c.py"
"""What compares programs in C with the rules, and takes longest."""
_GATE = (
    "docs/*",
    "src/gammonrules/engine/_rollout.py",
    "src/gammonrules/engine/_tiers.py",
    "src/gammonrules/hypergammon/_hypergammon_table.py",
    "tests/ci",
    "tests/*/ci",
    "tests/*/*/ci",
    "tests/browser",
    "tests/conformance/test_adapters.py",
    "tests/conformance/test_languages.py",
    "tests/conformance/test_readers.py",
    "tests/conformance/test_templates.py",
    "tests/docs",
    "tests/*/*_in_c.py",
    "tests/*/*_js.py",
    "tests/examples",
    "tests/test_benchmarks.py",
    "tests/test_core.py",
    "tests/test_fuzz.py",
    "tests/test_plus_minus.py",
    "tests/test_types.py",
    "tests/test_bot_benchmark.py",
)
"""What the plain command leaves out, beside what has the mark: no rule of the library is proved there alone."""
_OF_THE_GATE = frozenset(chain.from_iterable(map(_ROOT.glob, _GATE)))


@cache
def _is_of_the_gate(path: Path) -> bool:
    return not _OF_THE_GATE.isdisjoint([path, *path.parents])


_PLAIN = "not long and not gate"
_GATE_ALONE = "gate and not long"


def pytest_configure(config: pytest.Config) -> None:
    """The plain command leaves out another ring beside the long tests, unless files are named."""
    is_plain = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if is_plain and config.option.markexpr == "not long":
        config.option.markexpr = _PLAIN
    config.option.loadscopereorder = not config.pluginmanager.hasplugin("randomly")  # a random order stays one


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """As many as there are processors, of which some are two threads of one core."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A process that runs whole files knows it, and its number: "gw0", "gw1" ..."""
    is_shuffled = node.config.pluginmanager.hasplugin("randomly")
    node.workerinput["by_file"] = node.config.option.dist == "loadfile" and not is_shuffled
    node.workerinput["blocks"] = len(node.config.getoption("tx")) if node.config.option.dist == "worksteal" else 1


def _by_file(config: pytest.Config) -> bool:
    return getattr(config, "workerinput", {}).get("by_file", False)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What the plain command leaves out is not even imported; nor is the rest, where the gate tries this alone."""
    is_of_the_gate = _is_of_the_gate(collection_path)
    if config.option.markexpr == _PLAIN and is_of_the_gate:
        return True
    return True if config.option.markexpr == _GATE_ALONE and not (is_of_the_gate or collection_path.is_dir()) else None


class _Backwards(pytest.Dir):
    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        return reversed([*super().collect()])


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Every other process collects backwards: what one of two has compiled when they meet, the other finds."""
    if _by_file(parent.config) and int(parent.config.workerinput["workerid"].removeprefix("gw")) % 2:
        return _Backwards.from_parent(parent, path=path)
    return None


@pytest.hookimpl(tryfirst=True, specname="pytest_collection_modifyitems")
def pytest_into_rings(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_of_the_gate(item.path):
            item.add_marker("gate")


@pytest.hookimpl(specname="pytest_collection_modifyitems")
def pytest_in_one_order(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The same in all processes, whichever way each has collected."""
    if _by_file(config):
        items.sort(key=attrgetter("path"))


@pytest.hookimpl(specname="pytest_collection_modifyitems")
def pytest_laws_first(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A wrong rule is named soon: each process of `--dist worksteal`, which gets a block of tests, begins with laws."""
    if config.pluginmanager.hasplugin("randomly"):
        return
    places = {_TESTS / name: place for place, name in enumerate(_FIRST, -len(_FIRST))}
    places |= {_TESTS / name: place for place, name in enumerate(_LAST, 1)}
    ordered = sorted(items, key=lambda item: places.get(item.path, 0))
    blocks = getattr(config, "workerinput", {}).get("blocks", 1)
    items.clear()
    for block in reversed(range(blocks)):  # the larger ones last, as the blocks of xdist are
        items += ordered[block::blocks]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The examples of a page build on one another: they stay together and in order, in any order of all tests."""
    pages: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, SybilItem):
            pages.setdefault(item.path, []).append(item)
    ordered: list[pytest.Item] = []
    for item in items:
        if isinstance(item, SybilItem):
            ordered += sorted(pages.pop(item.path, []), key=attrgetter("example.start"))
        else:
            ordered.append(item)
    items[:] = ordered


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """`--dist load` gives each test to any process, but the examples of a page to one."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only if it is installed

    class ByTestAndPage(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::line:")[0]

    return ByTestAndPage(config, log) if config.getvalue("dist") == "load" else None


def pytest_collection() -> None:
    """The tests share the processors already: where none asks for several processes, none are started.

    Nor is bgsage started again and again, whose weights take longer to load than most answers.
    """
    if hasattr(os, "sched_getaffinity"):
        os.sched_getaffinity = lambda _: {0}
    with suppress(ImportError):
        bgsage = import_module("bgsage")
        bgsage.BgBotAnalyzer = cache(bgsage.BgBotAnalyzer)
