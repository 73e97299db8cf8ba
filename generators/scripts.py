"""The scripts and types of `src/gammonrules/draw/scripts`, built from the modules of `web/`.

They are built in a copy, so that a check changes nothing. `npm run build` in `web/` writes the same files, and the
npm package next to them.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
SCRIPTS = Path("src", "gammonrules", "draw", "scripts")
COMPILED = Path("src", "gammonrules", "c")
NOTICES = ("LICENSE", "THIRD_PARTY_NOTICES.md")


def missing() -> str | None:
    if shutil.which("node") is None:
        return "Node.js"
    return None if (WEB / "node_modules").exists() else "npm packages: npm ci --ignore-scripts, in web/"


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
    (folder / "web" / "node_modules").symlink_to(WEB / "node_modules")
    shutil.copytree(ROOT / COMPILED, folder / COMPILED)
    (folder / SCRIPTS).mkdir(parents=True)
    for name in NOTICES:
        shutil.copy(ROOT / name, folder)
