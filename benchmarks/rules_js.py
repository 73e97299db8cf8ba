"""Microseconds a call of rules.js and match.js beside other rules in JavaScript, and of the kernel called from Python.

    python benchmarks/rules_js.py NODE_MODULES [PAGE]

NODE_MODULES is a folder with esbuild, chess.js, @lichess-org/chessground, tsgammon-core and
@nodots-llc/backgammon-core, installed with `--ignore-scripts`; `npm ci --ignore-scripts && npm run build` in `web/`
comes first. Node measures; PAGE is written as well, a page that measures in any browser that opens it. What a page
loads is printed too: bytes compressed, bundled by esbuild.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

from gammonrules import Move, Plays, Position
from gammonrules.dice import ROLLS

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "web"
OTHERS = {
    "chess.js": ["chess.js"],
    "chessground": ["@lichess-org/chessground"],
    "tsgammon-core": [
        "tsgammon-core",
        "tsgammon-core/utils/collectNodes",
        "tsgammon-core/dispatchers/buildBGEventHandler",
    ],
    "Nodots": ["@nodots-llc/backgammon-core"],
}
"""What a page imports of each; tsgammon's rules of a match are apart."""
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


def bundled(modules: Path, folder: Path, *options: str, script: str = "") -> str:
    """What esbuild makes of a script, or of the files that are named, with all that it imports."""
    command = (modules / ".bin" / "esbuild", "--bundle", "--log-level=error", *options)
    environment = os.environ | {"NODE_PATH": str(modules)}
    done = subprocess.run(
        command, env=environment, cwd=folder, check=True, stdout=subprocess.PIPE, input=script, text=True
    )
    return done.stdout


def sizes(modules: Path) -> None:
    """Bytes, compressed, of all that an entry brings to a page."""
    exports = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["exports"]
    ours = {f"gammon-board{name[1:]}": [entry["default"]] for name, entry in exports.items() if "default" in entry}
    print("bytes compressed")
    for name, imported in (ours | OTHERS).items():
        script = "".join(f"export * from {path!r};" for path in imported)
        made = bundled(modules, PACKAGE, "--minify", "--format=esm", "--platform=browser", script=script)
        print(f"{len(gzip.compress(made.encode(), 9)):8}  {name}")


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
    modules = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes(modules)
        aliases = [f"--alias:{part}={PACKAGE / 'dist' / part}.js" for part in ("rules", "match")]
        options = ("--format=iife", "--global-name=measured", *aliases)
        script = bundled(modules, HERE, str(HERE / "rules_js.mjs"), *options)
        if sys.argv[2:]:
            Path(sys.argv[2]).write_text(IN_A_PAGE.replace("SCRIPT", script), encoding="utf-8")
        program = folder / "program.cjs"
        program.write_text(script + IN_NODE, encoding="utf-8")
        print("microseconds a call", flush=True)
        subprocess.run([shutil.which("node") or "node", program], check=True)
    in_python()


if __name__ == "__main__":
    main()
