"""Microseconds a roll of rules.js beside other rules in JavaScript, and of the kernel called from Python.

    python benchmarks/rules_js.py NODE_MODULES [PAGE]

NODE_MODULES is a folder with esbuild, tsgammon-core and @nodots-llc/backgammon-core, installed with `--ignore-scripts`.
Node measures; PAGE is written as well, a page that measures in any browser that opens it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

from gammonrules import Move, Plays, Position, draw
from gammonrules.dice import ROLLS

HERE = Path(__file__).resolve().parent
IN_NODE = """
const { log } = console;
console.log = console.warn = console.info = console.debug = console.error = () => {}; // Nodots tells what it does
for (const [name, micros] of Object.entries(measured.measure())) log(`${micros.toFixed(1).padStart(8)}  ${name}`);
"""
IN_A_PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>rules.js</title><pre>measuring</pre><script>
var process = { env: {} }; // which Nodots asks for
SCRIPT
document.querySelector("pre").textContent = JSON.stringify(measured.measure(), null, 2);
</script>"""


def bundle(modules: Path, folder: Path) -> str:
    """The script of the measurement with all that it imports, as one that defines `measured`."""
    rules, modules = folder / "rules.mjs", modules.resolve()
    rules.write_text(draw.rules_js(), encoding="utf-8")
    options = ("--bundle", "--format=iife", "--global-name=measured", f"--alias:rules={rules}", "--log-level=error")
    command = (modules / ".bin" / "esbuild", HERE / "rules_js.mjs", *options)
    environment = os.environ | {"NODE_PATH": str(modules)}
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def in_python() -> None:
    """The same start position and all rolls: the plays alone, and everything that `legalPlays` gives."""
    start = Position.start()
    for name, read in {"len(legal_plays)": len, "points and moves of each play": points_and_moves}.items():
        seconds = min(timeit.repeat(lambda read=read: [read(start.legal_plays(roll)) for roll in ROLLS], number=50))
        print(f"{seconds / 50 / len(ROLLS) * 1e6:8.1f}  Python, {name}")


def points_and_moves(plays: Plays) -> list[tuple[tuple[int, ...], tuple[Move, ...]]]:
    """What `legalPlays` gives."""
    return [(play.position.points, play.moves) for play in plays]


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        script = bundle(Path(sys.argv[1]), Path(name))
        if sys.argv[2:]:
            Path(sys.argv[2]).write_text(IN_A_PAGE.replace("SCRIPT", script), encoding="utf-8")
        program = Path(name, "program.cjs")
        program.write_text(script + IN_NODE, encoding="utf-8")
        print("microseconds a roll", flush=True)
        subprocess.run([shutil.which("node") or "node", program], check=True)
    in_python()


if __name__ == "__main__":
    main()
