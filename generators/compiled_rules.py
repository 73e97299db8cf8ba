"""The rules in WebAssembly, `src/gammonrules/c/*.wasm`, with the compiler of `--group wasm`.

The files `rules.wasm`, `match.wasm` and `opponent.wasm` are compiled from the C files next to them. The bytes are the
same on every machine. `python generators/compiled_rules.py FOLDER` compiles them to another folder.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parents[1] / "src" / "gammonrules" / "c"
NAMES = ("rules", "match", "opponent")
OPTIONS = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"),
    "-mcpu=generic",  # features that browsers have had since 2021
    *("-Os", "-mllvm", "-inlinehint-threshold=0"),  # the threshold saves 1 kB and costs no time
    *("-fno-sanitize=all", "-s"),  # -s leaves out names
)


def missing() -> str | None:
    return None if find_spec("ziglang") else "the compiler: python -m pip install --group wasm"


def compile_to(folder: Path) -> None:
    for name in NAMES:
        wasm = folder / f"{name}.wasm"
        command = (sys.executable, "-m", "ziglang", "cc", *OPTIONS, "-o", wasm, FOLDER / f"{name}.c")
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        wasm.chmod(0o644)  # as all other data


def files() -> dict[Path, bytes]:
    with TemporaryDirectory() as folder:
        compile_to(Path(folder))
        return {FOLDER / path.name: path.read_bytes() for path in Path(folder).glob("*.wasm")}


if __name__ == "__main__":
    compile_to(Path(sys.argv[1]))
