"""The scripts and types in `src/gammonrules/draw/scripts`, with Node.js and the npm packages of `web/`.

They are built from the modules of `web/` in a copy, so that a check changes nothing. `npm run build` in `web/`
writes the same files, and the npm package next to them. If `web/node_modules` is missing, the npm packages may be in
the folder that `GAMMONRULES_NODE_MODULES` names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
INSTALLED = WEB / "node_modules"
MODULES = INSTALLED if INSTALLED.exists() else Path(os.environ.get("GAMMONRULES_NODE_MODULES") or INSTALLED)
"""The npm packages of `web/`, or those for the tests."""
SCRIPTS = Path("src", "gammonrules", "draw", "scripts")
COMPILED = Path("src", "gammonrules", "c")
NOTICES = ("LICENSE", "THIRD_PARTY_NOTICES.md")


def missing() -> str | None:
    if shutil.which("node") is None:
        return "Node.js"
    return None if (MODULES / "esbuild").exists() else "npm packages: npm ci --ignore-scripts, in web/"


def files() -> dict[Path, bytes | None]:
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        copy_sources(copy)
        subprocess.run(("node", "build.mjs"), cwd=copy / "web", check=True, stdin=subprocess.DEVNULL)
        built = {path.relative_to(copy): path.read_bytes() for path in (copy / SCRIPTS).rglob("*") if path.is_file()}
    committed = {path.relative_to(ROOT) for path in (ROOT / SCRIPTS).rglob("*") if path.is_file()}
    return {ROOT / path: built.get(path) for path in sorted({*built, *committed})}


def copy_sources(folder: Path) -> None:
    """What `web/build.mjs` reads."""
    shutil.copytree(WEB, folder / "web", ignore=shutil.ignore_patterns("node_modules", "dist"))
    (folder / "web" / "node_modules").symlink_to(MODULES.resolve())
    shutil.copytree(ROOT / COMPILED, folder / COMPILED)
    (folder / SCRIPTS).mkdir(parents=True)
    for name in NOTICES:
        shutil.copy(ROOT / name, folder)
