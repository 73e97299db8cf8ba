"""Write the folder of the npm package gammon-board, which is the library's `<gammon-board>`: `npm pack` packs it.

    python npm/make.py [FOLDER]

FOLDER is build/npm unless it is given; what is in it is replaced.
"""

import json
import shutil
import sys
from pathlib import Path

import gammonrules
from gammonrules import draw
from gammonrules.draw.internals import alone_beside_match_js

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KEPT = ("gammonrules.h", "match.wasm", "reasons.json", "rules.wasm")
FRAMEWORKS = ("react", "svelte", "vue")
PACKAGE = {
    "name": "gammon-board",
    "version": gammonrules.__version__,
    "description": "A backgammon board on which people play, as a custom element without dependencies",
    "keywords": ["backgammon", "board", "custom-element", "web-component"],
    "license": "MIT",
    "homepage": "https://gammonrules.github.io/gammonrules/reference/board/",
    "repository": {"type": "git", "url": "git+https://github.com/gammonrules/gammonrules.git", "directory": "npm"},
    "type": "module",
    "exports": {
        ".": {"types": "./board.d.ts", "default": "./board.js"},
        "./alone": {"types": "./alone.d.ts", "default": "./alone.js"},
        "./game": {"types": "./game.d.ts", "default": "./game.js"},
        "./match": {"types": "./match.d.ts", "default": "./match.js"},
        "./rules": {"types": "./rules.d.ts", "default": "./rules.js"},
        "./gammonrules.h": "./gammonrules.h",
        "./match.wasm": "./match.wasm",
        "./reasons.json": "./reasons.json",
        "./rules.wasm": "./rules.wasm",
        "./setup": {"types": "./setup.d.ts", "default": "./setup.js"},
        **{f"./{name}": {"types": f"./{name}.d.ts"} for name in FRAMEWORKS},
        "./alone-classic.js": "./alone-classic.js",
        "./classic.js": "./classic.js",
        "./game-classic.js": "./game-classic.js",
        "./xgid-classic.js": "./xgid-classic.js",
        "./xgid": {"types": "./xgid.d.ts", "default": "./xgid.js"},
        "./package.json": "./package.json",
    },
    "types": "./board.d.ts",
    "files": ["*.js", "*.d.ts", "*.h", "*.wasm", "reasons.json"],
    # importing one defines its element, or adds to the global variable of another
    "sideEffects": [
        "alone.js",
        "alone-classic.js",
        "board.js",
        "classic.js",
        "game-classic.js",
        "setup.js",
        "xgid-classic.js",
    ],
}


def build(folder: Path) -> None:
    """Fill the folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts = {
        "package.json": json.dumps(PACKAGE, indent=2) + "\n",
        "alone.js": alone_beside_match_js(),
        "alone-classic.js": draw.alone_js(),
        "board.js": draw.board_js(module=True),
        "classic.js": draw.board_js(),
        "game.js": draw.game_js(module=True),
        "game-classic.js": draw.game_js(),
        "match.js": draw.match_js(),
        "rules.js": draw.rules_js(),
        "setup.js": draw.setup_js(module=True),
        "xgid.js": draw.xgid_js(module=True),
        "xgid-classic.js": draw.xgid_js(),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    kept = [Path(draw.__file__).with_name(name) for name in KEPT]
    kept += [*ROOT.glob("web/src/types/*.d.ts"), *ROOT.glob("web/src/frameworks/*.d.ts")]
    for path in (ROOT / "LICENSE", HERE / "README.md", *kept):
        shutil.copyfile(path, folder / path.name)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "npm")
