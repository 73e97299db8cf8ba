"""The npm package, as the pages of the documentation have it; web/test/package.test.js has what is in it."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gammonrules
import processes
from console_blocks import shown_files
from gammonrules import MatchState
from node import NODE_NEEDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
PACKAGE = Path(gammonrules.__file__).parent


def run(*command: object, cwd: Path) -> str:
    return str(processes.run(*command, cwd=cwd, megabytes=NODE_NEEDS).stdout)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, as far as the scripts need it, in which npm has built them anew."""
    if not (npm := shutil.which("npm")):
        pytest.skip("npm is not installed")
    folder = copied(tmp_path_factory.mktemp("built"))
    done = processes.run(npm, "ci", *QUIETLY, cwd=folder / "web", megabytes=NODE_NEEDS, seconds=300, check=False)
    skip_without_registry(done.stderr)
    run(npm, "run", "build", cwd=folder / "web")
    return folder


QUIETLY = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")


def copied(clone: Path) -> Path:
    """Write there what the scripts are built of, as it is in the repository, and its own files."""
    made = shutil.ignore_patterns("*.so", "__pycache__", "node_modules", "dist")
    shutil.copytree(ROOT / "web", clone / "web", ignore=made)
    shutil.copytree(PACKAGE, clone / "src" / "gammonrules", ignore=made)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, clone)
    return clone


def skip_without_registry(said: str) -> None:
    if re.search("npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED)", said):
        pytest.skip("the registry of npm does not answer")


@pytest.fixture(scope="session")
def project(built: Path, node_module: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    modules = node_module("typescript").parent
    (packed,) = json.loads(run(shutil.which("npm"), "pack", "--json", built / "web", cwd=folder))
    with tarfile.open(folder / packed["filename"]) as archive:
        archive.extractall(folder / "node_modules", filter="data")
    (folder / "node_modules" / "package").rename(folder / "node_modules" / "gammon-board")
    for module in modules.iterdir():
        (folder / "node_modules" / module.name).symlink_to(module)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def test_it_is_made_as_the_page_says(tmp_path: Path) -> None:
    """In an empty folder, beside a page; what is cloned are the files that are here."""
    if not (shutil.which("npm") and processes.IS_POSIX):
        pytest.skip("npm is not installed, or there is no shell")
    clone, page = copied(tmp_path / "gammonrules"), tmp_path / "my-page"
    page.mkdir()
    (page / "package.json").write_text("{}", encoding="utf-8")
    _, _, part = (ROOT / "docs" / "reference" / "board.md").read_text(encoding="utf-8").partition("## In a bundle")
    steps, _, _ = part.partition("```console\n")[2].partition("```\n")
    if "npm pack" not in steps:
        pytest.skip("the package has been released")
    done = processes.run("sh", "-ec", steps, cwd=clone, megabytes=NODE_NEEDS, seconds=300, check=False)
    skip_without_registry(done.stderr)
    assert done.returncode == 0, done.stderr
    program = 'import { legalPlays } from "gammon-board/rules"; console.log(typeof legalPlays);'
    assert run("node", "--input-type=module", "--eval", program, cwd=page) == "function\n"


def test_the_page_about_the_rules(project: Path) -> None:
    """Its programs print what stands beside them."""
    page = (ROOT / "docs" / "reference" / "rules-js.md").read_text(encoding="utf-8")
    rules, match, *reasons = re.findall(r"(?ms)^```js\n(.*?)^```$", page)[:4]
    assert run("node", "--input-type=module", "--eval", match, cwd=project) == "true\n"
    told = re.findall(r"console\.log.*?; // (.*)", rules)
    program = rules.replace("console.log(", "told(") + "".join(reasons)
    program = "const told = (value) => console.log(JSON.stringify(value));" + program
    shown = run("node", "--input-type=module", "--eval", program, cwd=project)
    assert shown.replace(",", ", ").replace('"', "").splitlines() == told


def test_the_page_about_other_languages(project: Path) -> None:
    """Its tables have all exports of the files of WebAssembly."""
    page = (ROOT / "docs" / "reference" / "abi.md").read_text(encoding="utf-8")
    program = """
        const { createRequire } = await import("node:module");
        const path = createRequire(import.meta.url).resolve(`gammon-board/${process.argv[1]}.wasm`);
        const module = new WebAssembly.Module((await import("node:fs")).readFileSync(path));
        const { imports, exports } = WebAssembly.Module;
        console.log(imports(module).length, exports(module).map(({ name }) => name).join(" "));
    """
    parts = re.split(r"## Checker play|## The match|## An opponent", page.partition("## Sentences")[0])
    rules, match, opponent = ({*re.findall(r"(?m)^\| `(\w+)(?:\(.*?\))?` \|", part)} for part in parts[1:])
    (of_a_game,) = re.findall(r"`opponent.wasm` has what a game needs: (.*?)\. ", page, re.DOTALL)
    named = {"rules": rules, "match": rules | match, "opponent": opponent | {*re.findall(r"`(\w+)`", of_a_game)}}
    for file, names in named.items():
        imports, *exports = run("node", "--input-type=module", "--eval", program, file, cwd=project).split()
        assert (imports, {*exports}) == ("0", names)


def test_the_page_about_matches(project: Path) -> None:
    """Its programs, one after another, print what stands beside them; its tables have all that the modules have.

    `web/test/package.test.js` has those of a worker.
    """
    page = (ROOT / "docs" / "reference" / "match-js.md").read_text(encoding="utf-8")
    page, _, _ = page.partition("## In a worker")
    calls, _, other_files = page.partition("## A match with its history")
    _, _, of_opponent = other_files.partition("## An opponent")
    program = "".join(re.findall(r"(?ms)^```js\n(.*?)^```$", page))
    shown = run("node", "--input-type=module", "--eval", program, cwd=project)
    beside = re.findall(r"console\.log.*?; // (.*)|((?:^// .*\n)+)", program, re.MULTILINE)
    told = [line or " ".join(re.findall("// (.*)", lines)) for line, lines in beside]
    assert shown.splitlines() == told
    program = """
        import * as rules from "gammon-board/rules";
        import * as match from "gammon-board/match";
        const both = Object.keys(rules).every((name) => name in match);
        console.log(both, Object.keys(match).filter((name) => !(name in rules)).sort().join());
        const { MatchHistory } = await import("gammon-board/history");
        const { constructor, ...members } = Object.getOwnPropertyDescriptors(MatchHistory.prototype);
        console.log(Object.keys(members).sort().join());
        console.log(Object.keys(await import("gammon-board/opponent")).sort().join());
    """
    of_match, of_history, exported = run("node", "--input-type=module", "--eval", program, cwd=project).splitlines()
    # what the files of the library use among themselves is not for pages
    named = [*re.findall(r"(?m)^\| `(\w+)\(", calls), "internals"]
    assert of_match == f"true {','.join(sorted(named))}"
    assert of_history == ",".join(sorted({*re.findall(r"`match\.(?!js|wasm)(\w+)", other_files)}))
    assert exported == ",".join(sorted(re.findall(r"(?m)^\| `(\w+)", of_opponent)))


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ("position=4HPwATDgc/ABMA&dice=31&play=8/5+6/5", 200, {"play": "8/5 6/5", "won": None}),
        ("position=4HPwATDgc/ABMA&dice=61&play=24/18", 400, {"reason": "both_dice"}),
        ("position=4HPwATDgc&dice=61&play=24/18", 400, {}),
        ("", 400, {}),
    ],
)
def test_a_server_for_node_that_checks_plays(project: Path, asked: str, status: int, told: dict[str, object]) -> None:
    program = shutil.copy(ROOT / "examples" / "check_plays.mjs", project)
    port = processes.free_port()
    with processes.serving(port, "node", program, port, cwd=project, megabytes=NODE_NEEDS):
        server = HTTPConnection("127.0.0.1", port, timeout=10)
        server.request("GET", f"/?{asked}")
        answer = server.getresponse()
        value = json.loads(answer.read())
        server.close()
    assert answer.status == status
    assert value.items() >= told.items()
    assert ("error" in value) == (status == 400)


FRAMEWORKS = shown_files(ROOT / "docs" / "reference" / "board.md")
BUNDLED = '<!DOCTYPE html><title>React</title><div id="app"></div><script type="module" src="react.js"></script>'
BUNDLE = """require("esbuild").buildSync({
    entryPoints: ["react.jsx"], bundle: true, jsx: "automatic", format: "esm", outdir: ".",
    define: { "process.env.NODE_ENV": '"production"' },
})"""


def test_a_match_in_react(project: Path, serve: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """Two play some turns by mouse; React has the state that the board shows."""
    (project / "react.jsx").write_text(FRAMEWORKS["react.jsx"], encoding="utf-8")
    run("node", "--input-type=commonjs", "--eval", BUNDLE, cwd=project)
    (project / "index.html").write_text(BUNDLED, encoding="utf-8")
    page = open_page(expected=("404",))
    page.add_init_script("let last = 0; Math.random = () => (last = (last + 0.37) % 1);")  # no tie in the opening
    page.goto(serve(project))
    board = page.locator("gammon-board")
    for _ in range(5):
        while not board.locator(".movable").count():
            before = board.evaluate("board => JSON.stringify(board.state)")
            board.locator("#opening_roll:visible, #roll:visible, #done:visible").first.click()
            page.wait_for_function(
                "before => JSON.stringify(document.querySelector('gammon-board').state) !== before", arg=before
            )
        while board.locator(".movable").count():
            board.locator(".movable").first.click()
        board.locator("#done").click()
    assert board.evaluate("board => board.state.position.points") != MatchState.new(5).position.points


def test_no_framework_needs_more_than_20_lines() -> None:
    assert max(len(FRAMEWORKS[name].splitlines()) for name in ("react.jsx", "Board.vue", "Board.svelte")) <= 20
