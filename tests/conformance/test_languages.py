"""The programs of `conformance/languages`, by the rules in C or WebAssembly, answer rightly and play matches."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

import gammonrules
import processes
from gammonrules.conformance.asking import interviewed
from gammonrules.conformance.judging import faults
from gammonrules.conformance.questions import core
from node import NODE_NEEDS

LANGUAGES = Path(__file__).parents[2] / "conformance" / "languages"
RULES = Path(__file__).parents[2] / "src" / "gammonrules" / "c"
WASM = Path(gammonrules.__file__).parent / "c" / "match.wasm"
KINDS = ["plays", "orders", "perft", "table", "identifiers:position"]
LIBRARY = [
    ("cc", "-c", "-o", "OUT/gammonrules.o", RULES / "match.c"),
    ("ar", "rcs", "OUT/libgammonrules.a", "OUT/gammonrules.o"),
]
BUILDS: dict[str, list[tuple[object, ...]]] = {
    "c": [
        *LIBRARY,
        ("cc", f"-I{RULES}", "-o", "OUT/answers", "answers.c", "OUT/libgammonrules.a"),
        ("cc", f"-I{RULES}", "-o", "OUT/random_match", "random_match.c", "OUT/libgammonrules.a"),
    ],
    "go": [("go", "build", "-o", "OUT/answers", ".")],
    "rust": [*LIBRARY, ("rustc", "--edition", "2021", "-L", "OUT", "-o", "OUT/answers", "answers.rs")],
    "python": [],
}
ANSWERS = {"python": (sys.executable, LANGUAGES / "python" / "answers.py", WASM)}
MATCHES = {
    "c": ("OUT/random_match", "3"),
    "python": (sys.executable, LANGUAGES / "python" / "random_match.py", WASM, "3"),
}


def commands(kind: str, folder: Path) -> tuple[list[str], list[str]]:
    """Those that answer questions and play a match to 3, once they are built."""
    if kind == "python" and importlib.util.find_spec("wasmtime") is None:
        pytest.skip("wasmtime is not installed")
    if kind != "python" and not RULES.exists():
        pytest.skip("a distribution is tested without the sources beside it")
    for tool in {str(tool) for tool, *_ in BUILDS[kind]}:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")

    def placed(*command: object) -> list[str]:
        return [str(word).replace("OUT", str(folder)) for word in command]

    for command in BUILDS[kind]:
        processes.run(*placed(*command), cwd=LANGUAGES / kind, megabytes=NODE_NEEDS)
    answers = ANSWERS.get(kind, ("OUT/answers",))
    return placed(*answers), placed(*MATCHES.get(kind, (*answers, "match", "3")))


@pytest.mark.parametrize(
    "kind", ["c", "python", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("go", "rust"))]
)
def test_a_language(kind: str, tmp_path: Path) -> None:
    answering, playing = commands(kind, tmp_path)
    with interviewed(answering, 20, ubgi=False) as program:
        assert [*program.asks] == KINDS
        for case in [case for case in core() if program.answers(case.question)][::100]:
            assert [*faults(case.question, case.right_answer(), program.ask(case.question))] == []
    *games, last = processes.run(*playing, megabytes=NODE_NEEDS).stdout.splitlines()
    for game in games:
        assert re.fullmatch(r"(White|Black) wins \d+ \((played|dropped)\), and it is \d+-\d+", game)
    assert re.fullmatch("(White|Black) wins the match to 3", last)


def page() -> str:
    return (LANGUAGES.parents[1] / "docs" / "reference" / "abi.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["first", "second"])
def test_a_program_in_c(name: str, tmp_path: Path) -> None:
    """Those of the page print what stands beside their lines."""
    if shutil.which("cc") is None or not RULES.exists():
        pytest.skip("there is no C compiler, or no sources")
    (program,) = re.findall(rf'(?ms)^```c title="{name}.c"\n(.*?)^```$', page())
    (tmp_path / "program.c").write_text(program, encoding="utf-8")
    shutil.copy(WASM.with_name("selftaught.bin"), tmp_path)
    processes.run("cc", f"-I{RULES}", "-o", "program", "program.c", RULES / "opponent.c", cwd=tmp_path)
    shown = processes.run(tmp_path / "program", cwd=tmp_path).stdout
    assert shown.splitlines() == re.findall(r"printf.*// (.*)", program)


@pytest.mark.parametrize("name", ["match", "opponent"])
def test_a_host_of_webassembly(name: str, tmp_path: Path) -> None:
    """The same of those in Python with wasmtime; the second one goes on after the definitions of the first."""
    if importlib.util.find_spec("wasmtime") is None:
        pytest.skip("wasmtime is not installed")
    host, opponent = re.findall(r"(?ms)^```python\n(.*?)^```$", page())
    if name == "opponent":
        host = host[: host.index("memory.write")].replace("match.wasm", "opponent.wasm") + opponent
    for file in (f"{name}.wasm", "selftaught.bin"):
        shutil.copy(WASM.with_name(file), tmp_path)
    shown = processes.run(sys.executable, "-c", host, cwd=tmp_path, megabytes=NODE_NEEDS).stdout
    assert shown.splitlines() == re.findall(r"print.*  # (.*)", host)


def test_examples_are_short() -> None:
    """So that they can be read in one sitting."""
    programs = [path for path in LANGUAGES.glob("*/*") if path.is_file()]
    assert len(programs) > 15
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 150 for path in programs)
