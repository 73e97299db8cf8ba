"""Build what the page `docs/try.md` loads: Python for browsers (Pyodide), and the wheels of the library and of attrs.

    python docs/try/build.py [NODE_MODULES]

NODE_MODULES is the folder of npm packages that contains pyodide; by default it is the one beside the tests, into which
npm installs them if they are missing. Everything goes into `docs/try/assets`, which git ignores, with what
`beforehand.py` writes. Without it the site builds too, and the page says what is missing.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import beforehand

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ASSETS = HERE / "assets"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
OF_A_BUILD = ("src", "pyproject.toml", "setup.py", "README.md", "LICENSE", "THIRD_PARTY_NOTICES.md")


def build(modules: Path) -> None:
    """Fill the folder of assets anew."""
    pyodide = modules / "pyodide"
    if not (pyodide / "package.json").exists():
        raise SystemExit(f"there is no npm package pyodide in {modules} (see docs/development/tests.md)")
    shutil.rmtree(ASSETS, ignore_errors=True)
    ASSETS.mkdir()
    for name in RUNTIME:
        shutil.copyfile(pyodide / name, ASSETS / name)
    build_wheels()
    loaded = sorted(ASSETS.iterdir())
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    contents: dict[str, Any] = {
        "pyodide": json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"],
        "wheels": [path.name for path in loaded if path.suffix == ".whl"],
        "bytes": sum(path.stat().st_size for path in loaded),
        "compressed": sum(len(gzip.compress(path.read_bytes())) for path in loaded),
        # None of the packages that Pyodide would look for elsewhere.
        "lock": {"info": lock["info"], "packages": {}},
    }
    (ASSETS / "contents.json").write_text(json.dumps(contents), encoding="utf-8")
    beforehand.write()
    print(f"{ASSETS}: {contents['bytes']:,} bytes, {contents['compressed']:,} compressed")  # noqa: T201


def build_wheels() -> None:
    """Put the wheels of the library, without its kernel, and of attrs into the folder of assets."""
    with tempfile.TemporaryDirectory() as folder:
        # A copy, so that nothing from an earlier build gets into the wheel.
        for name in OF_A_BUILD:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("*.egg-info", "*.so"))
            else:
                shutil.copyfile(ROOT / name, Path(folder, name))
        subprocess.run(  # noqa: S603  our own arguments
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", ASSETS, folder],
            env=os.environ | {"GAMMONRULES_PURE_PYTHON": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
            check=True,
        )


def beside_the_tests() -> Path:
    """The npm packages of the tests in a browser, installed if they are not there."""
    folder = ROOT / "tests" / "browser"
    if not (folder / "node_modules" / "pyodide").exists():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("this needs npm, which comes with Node.js (https://nodejs.org)")
        options = ("--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund")
        subprocess.run([npm, "install", "--prefix", folder, *options], check=True)  # noqa: S603  our own arguments
    return folder / "node_modules"


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else beside_the_tests())
