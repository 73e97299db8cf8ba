"""The npm package, as a project has it that installed what `npm pack` makes: files, types, no need of a DOM, React."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import processes
from gammonrules import __version__, draw

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
NODE_NEEDS = 1 << 20
"""Megabytes: it reserves far more memory than it takes."""

TYPED = """
import "gammon-board/classic.js";
import type {} from "gammon-board/react";
import { GammonBoard, type BoardView, type GammonRefuseEvent, type Move } from "gammon-board";
import type { GammonSetup, GammonSetupEvent } from "gammon-board/setup";
import { createRef } from "react";

const view: BoardView = { svg: "<svg/>", tree: { points: [], dice: [6, 5], nodes: [[]] }, moves: [[24, 18]] };
const board: GammonBoard = document.createElement("gammon-board");
board.show(view);
board.view = null;
board.show({ svg: "", actions: ["roll", "double", "resign"], play: [[13, 7]] }).then(() => board.focus());
board.addEventListener("gammon-sound", ({ detail }) => detail.sound === "hit");
board.addEventListener("gammon-action", ({ detail }) => detail.action === "take");
board.words = { undo: "Zurück" };
const moves: Move[] = board.moves;
board.addEventListener("gammon-play", ({ detail }) => moves.push(...detail.moves));
const explain = ({ detail }: GammonRefuseEvent) => detail.explain(`${detail.from}/${detail.to}`);
export const element = (
  <gammon-board ref={createRef<GammonBoard>()} view={view} speed={500} className="wide" style={{ maxWidth: 600 }}
    flip={board.side === "black"} highlight={[25]} arrows={[[13, 8]]} tree={board.tree} theme="dark"
    ongammon-play={({ detail }) => moves.push(...detail.moves)} ongammon-refuse={explain} />
);
const setup: GammonSetup = document.createElement("gammon-setup");
setup.addEventListener("gammon-setup", ({ detail }) => detail.explain(detail.xgid + detail.points[25]));
setup.xgid = "XGID=...";
const hear = ({ detail }: GammonSetupEvent) => detail.points;
export const other = <gammon-setup xgid={setup.xgid} look="depth" words={{ clear: "Leeren" }} ongammon-setup={hear} />;
// @ts-expect-error points are read
setup.points = [];
// @ts-expect-error there is no such theme
export const bright = <gammon-board theme="bright" />;
// @ts-expect-error moves are read
board.moves = [];
// @ts-expect-error a move has two ends
board.show({ svg: "", moves: [[1]] });
// @ts-expect-error a picture is needed
export const without = <gammon-board view={{}} />;
// @ts-expect-error the handler is not one of these events
export const wrong = <gammon-board ongammon-play={explain} />;
"""


def run(*command: object, cwd: Path) -> str:
    return str(processes.run(*command, cwd=cwd, megabytes=NODE_NEEDS).stdout)


@pytest.fixture(scope="session")
def project(node_module: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    modules = node_module("typescript").parent
    if not (npm := shutil.which("npm")):
        pytest.skip("npm is not installed")
    run(sys.executable, ROOT / "npm" / "make.py", folder / "made", cwd=folder)
    (packed,) = json.loads(run(npm, "pack", "--json", folder / "made", cwd=folder))
    with tarfile.open(folder / packed["filename"]) as archive:
        archive.extractall(folder / "node_modules", filter="data")
    (folder / "node_modules" / "package").rename(folder / "node_modules" / "gammon-board")
    for module in modules.iterdir():
        (folder / "node_modules" / module.name).symlink_to(module)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def test_what_is_packed(project: Path) -> None:
    package = project / "node_modules" / "gammon-board"
    assert {path.name for path in package.iterdir()} == {
        *("LICENSE", "README.md", "package.json", "board.d.ts", "board.js", "classic.js", "react.d.ts"),
        *("setup.d.ts", "setup.js"),
    }
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert (described["name"], described["version"]) == ("gammon-board", __version__)
    assert (package / "classic.js").read_text(encoding="utf-8") == draw.board_js()


def test_it_is_imported_where_there_is_no_dom(project: Path) -> None:
    """A server that renders pages imports what the pages import."""
    program = (
        'import "gammon-board/classic.js"; import { GammonBoard } from "gammon-board";'
        'import { GammonSetup } from "gammon-board/setup"; console.log(GammonBoard.name, GammonSetup.name);'
    )
    assert run("node", "--input-type=module", "--eval", program, cwd=project) == "GammonBoard GammonSetup\n"


def test_the_types_are_true(project: Path, node_module: Callable[[str], Path]) -> None:
    (project / "typed.tsx").write_text(TYPED, encoding="utf-8")
    options = "--strict --noEmit --target es2022 --module nodenext --jsx react-jsx --types react".split()
    run("node", node_module("typescript") / "bin" / "tsc", *options, "typed.tsx", cwd=project)


def test_each_file_is_small() -> None:
    texts = [script(module=module) for script in (draw.board_js, draw.setup_js) for module in (False, True)]
    assert max(len(gzip.compress(text.encode(), 9)) for text in texts) < 13_500


PAGE = (ROOT / "docs" / "how-to" / "board-in-frameworks.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r'(?ms)^```\w+ title="(\S+)"\n(.*?)^```$', PAGE))
BUNDLED = '<!DOCTYPE html><title>React</title><div id="app"></div><script type="module" src="react.js"></script>'
BUNDLE = """require("esbuild").buildSync({
    entryPoints: ["react.jsx"], bundle: true, jsx: "automatic", format: "esm", outdir: "dist",
    define: { "process.env.NODE_ENV": '"production"' },
})"""


@pytest.mark.parametrize("index", [BLOCKS["index.html"], BUNDLED], ids=["alone", "React"])
def test_two_browsers_that_ask_every_second(project: Path, open_page: Callable[..., Page], index: str) -> None:
    """The page *How to use the board in React, Vue or Svelte*, as it is written."""
    pytest.importorskip("flask", reason="flask is not installed")
    for name, text in BLOCKS.items():
        (project / name).write_text(text, encoding="utf-8")
    run("node", "--input-type=commonjs", "--eval", BUNDLE, cwd=project)
    (project / "dist" / "table.js").write_text(BLOCKS["table.js"], encoding="utf-8")
    (project / "dist" / "index.html").write_text(index, encoding="utf-8")
    port = processes.free_port()
    options = ("--app", "server", "run", "--without-threads", "--port", port)
    with processes.serving(port, sys.executable, "-m", "flask", *options, cwd=project):
        pages = [open_page(f"http://127.0.0.1:{port}/?side={side}", expected=("404",)) for side in ("white", "black")]
        for page in pages:
            page.wait_for_selector(".die")
        mover, other = sorted(pages, key=lambda page: page.locator(".movable").count(), reverse=True)
        dice = mover.evaluate("() => [...document.querySelectorAll('.die')].map(die => die.dataset.value)")
        mover.keyboard.press("Tab")
        mover.keyboard.press(next(die for die in "123456" if die not in dice))
        mover.wait_for_function(
            "() => document.querySelector('gammon-board').shadowRoot.querySelector('#reason').textContent"
        )
        while mover.locator(".movable").count():
            mover.locator(".movable").first.click(force=True)
        mover.locator("#done").click()
        other.wait_for_selector(".movable")
        assert other.locator(".last-to").count() > 0
        assert mover.locator(".movable").count() == 0
        for page in pages:  # they ask as long as they are open
            page.close()


def test_no_framework_needs_more_than_20_lines() -> None:
    assert max(len(BLOCKS[name].splitlines()) for name in ("react.jsx", "Board.vue", "Board.svelte")) <= 20
