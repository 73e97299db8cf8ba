"""The npm package, as a project has it that installed what `npm pack` makes: files, types, no need of a DOM, React."""

from __future__ import annotations

import gzip
import json
import re
import runpy
import shutil
import socket
import sys
import tarfile
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

import gammonrules
import processes
from gammonrules import Player, __version__, draw
from lost_requests import TROUBLES, lose_every_request_once, play_by_keys
from node import NODE_NEEDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
PACKAGE = Path(gammonrules.__file__).parent

TYPED = """
import "gammon-board/board-classic.js";
import type {} from "gammon-board/react";
import { GammonBoard, type BoardView, type GammonRefuseEvent, type Move } from "gammon-board";
import { find, GammonError, legalPlays, notation, toDice, turn, whyNot, WORDS, type Dice } from "gammon-board/rules";
import type { GammonSetup, GammonSetupEvent } from "gammon-board/setup";
import { createRef } from "react";

const view: BoardView = { svg: "<svg/>", tree: { points: [], dice: [6, 5], nodes: [[]] }, moves: [[24, 18]] };
const board: GammonBoard = document.createElement("gammon-board");
board.show(view);
board.view = null;
const frozen = { svg: "", moves: [[24, 18]], play: null, actions: null } as const;
board.view = frozen;
board.show({ svg: "", moves: null });
[board.theme, board.speed, board.auto] = ["dark", 500, "bear-off forced"];
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
const text = notation(setup.points, "31", board.moves) + find(setup.points, [3, 1], "8/5", { checkers: 3 }).text;
const words = { ...WORDS, pips: ({ count }: { count?: unknown }) => `${count}`, game_over: "aus" };
const told = whyNot(setup.points, "31", board.moves, 8, 5, { words });
export const about = told?.reason === "both_dice" ? told.witness?.moves : [told?.sentence, told?.point, text];
export const fits = (error: GammonError) => error.candidates?.map(({ points, moves, text }) => [points, moves, text]);
export const rolls: Dice[] = [[3, 1], "31", "3-1", toDice(Number("3"), 1), turn([], "31").dice];
// @ts-expect-error no die shows this
legalPlays(setup.points, [7, 1]);
// @ts-expect-error nor this
legalPlays(setup.points, "37");
// @ts-expect-error a roll has two dice
legalPlays(setup.points, [3, 1, 1]);
// @ts-expect-error dice are not yet numbers from 1 to 6
legalPlays(setup.points, [Number("3"), 1]);
// @ts-expect-error there is no such reason
export const never = told?.reason === "bad_luck";
// @ts-expect-error points are read
setup.points = [];
export const lone = <gammon-board auto="bear-off forced" tree={null} />;
// @ts-expect-error nothing plays so by itself
board.auto = "all";
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

MATCH = """
import * as rules from "gammon-board/rules";
import {
  apply, find, GammonError, legalActions, newMatch, phase, possibleWins, readState, receive, toAct, toDice, view,
  winner,
  type Action, type Event, type Forfeit, type LoggedEvent, type MatchState, type Played, type SetPosition, type Thrown,
} from "gammon-board/match";

let state: MatchState = newMatch({ length: 7, rules: { jacoby: true }, score: [1, 2], crawford: null });
const dice: Thrown = toDice(Number("3"), Number("1"));
state = apply(state, { action: "opening_roll", argument: dice });
state = apply(state, { action: "play", argument: rules.legalPlays(state.position.points, dice)[0]?.moves ?? "" });
state = apply(state, { action: "play", argument: [{ from_point: 8, to_point: 5, hit: false }], by: "white", time: 3 });
state = apply(apply(state, { action: "resign", argument: "gammon" }), { type: "Forfeit", loser: "white" });
state = apply(newMatch(), { type: "SetPosition", position: view(state, "white"), on_roll: toAct(state) ?? "white" });
const log: (Event | SetPosition | Forfeit)[] = [{ action: "double" }, { action: "next_game", argument: "black" }];
const roll = () => toDice(1, 2);
const { event, state: next } = receive(state, JSON.parse("{}"), "black", { roll, starter: winner(state) });
log.push(event);
const logged: LoggedEvent = event;
export const all: Action[] = [...legalActions(next), ...legalActions(next, "black"), logged.action];
export const canWin = phase(state) === "to_roll" && possibleWins(state, "white").includes("gammon");
export const value: number = readState(next).cube.value;
export const play: Played = find(next.position.points, "31", "8/5 6/5").moves;
export const isOver = (error: unknown) => error instanceof GammonError && error.reason === "match_over";
if (next.offer?.type === "Resignation") next.offer.double?.value.toFixed();
// @ts-expect-error no die shows this
apply(state, { action: "roll", argument: [7, 1] });
// @ts-expect-error there is no such action
apply(state, { action: "castle" });
// @ts-expect-error a roll needs dice
apply(state, { action: "roll" });
// @ts-expect-error dice are not yet numbers from 1 to 6
apply(state, { action: "roll", argument: [Number("3"), 1] });
// @ts-expect-error there is no such field
apply(state, { action: "take", arguments: null });
// @ts-expect-error a take has no argument
apply(state, { action: "take", argument: "gammon" });
// @ts-expect-error there is no such option
newMatch({ size: 7 });
// @ts-expect-error there is no such rule
newMatch({ rules: { jacobi: true } });
// @ts-expect-error a state does not change
state.score[0] = 3;
// @ts-expect-error there is no such player
legalActions(state, "red");
// @ts-expect-error the dice are missing
receive(state, {}, "white", {});
// @ts-expect-error there is no such reason
export const never = (error: GammonError) => error.reason === "bad_luck";
"""

GAME = """
import { Game, type Logged } from "gammon-board/game";
import { newMatch, toDice, type Action, type LoggedEvent, type MatchState } from "gammon-board/match";
import { fromXgid, xgid } from "gammon-board/xgid";
import type {} from "gammon-board/alone";

const game = new Game({ length: 7 }, [{ action: "opening_roll", argument: [3, 1] }]);
const log: readonly Logged[] = game.history();
export const again = new Game(game.start, log);
export const set = new Game(newMatch(), [{ type: "Forfeit", loser: "white", points: 3 }]);
const rolled: LoggedEvent = game.apply({ action: "play", argument: "8/5 6/5" });
game.receive(JSON.parse("{}"), game.turn ?? "white", { roll: () => toDice(1, 2) });
export const actions: readonly Action[] = [...game.legalActions(), ...game.legalActions("black"), rolled.action];
export const undone: Logged | null = game.undo();
export const state: MatchState = game.state;
export const isOver = game.phase === "over" && game.winner === "white";
export const text: string = game.mat() + game.mat({ white: "Ann", tags: { Event: "Nordic Open" }, comments: ["!"] });
const { state: read, warnings } = fromXgid(xgid(state), { rules: { beavers: 2 }, doubledTurn: "responder" });
export const guessed: boolean = warnings.length > 0 && read.length === null;
export const scripts: Game = new gammonBoard.Game(gammonBoard.fromXgid(gammonBoard.xgid(state)).state);
// @ts-expect-error there is no such script
gammonBoard.setup;
// @ts-expect-error there is no such option
fromXgid("", { doubled_turn: "doubler" });
// @ts-expect-error it is no player
fromXgid("", { doubledTurn: "white" });
// @ts-expect-error a state is not a text
fromXgid(state);
// @ts-expect-error no die shows this
game.apply({ action: "roll", argument: [7, 1] });
// @ts-expect-error there is no such action
game.apply({ action: "castle" });
// @ts-expect-error there is no such option
new Game({ size: 7 });
// @ts-expect-error a log is an array
new Game({}, { action: "double" });
// @ts-expect-error a state is changed by events only
game.state = game.start;
// @ts-expect-error a history does not change
game.history().pop();
// @ts-expect-error there is no such option
game.mat({ red: "Ann" });
// @ts-expect-error the value of a tag is a text
game.mat({ tags: { Round: 3 } });
"""

ALONE = """
import type {} from "gammon-board/react";
import { GammonBoard, rules, type Dice, type GammonEventEvent, type GammonPlayEvent } from "gammon-board/alone";

const board: GammonBoard = document.createElement("gammon-board");
board.position = "4HPwATDgc/ABMA";
board.position = new Int8Array(26);
[board.dice, board.side, board.look, board.layout] = ["31", "black", "depth", "portrait"];
const dice: Dice | null = board.dice;
[board.dice, board.side, board.position] = [dice, null, null];
board.addEventListener("gammon-play", ({ detail }) => { board.position = detail.outcome?.won ? [] : detail.position; });
const hear = ({ detail }: GammonPlayEvent) => detail.play?.length ?? detail.moves;
board.view = { svg: "" };
board.words = { blocked_point: ({ point }) => `${point}!` };
board.words = { ...board.words, undo: "Zurück" };
export const element = (
  <gammon-board position={board.position} dice={[6, 5]} side={board.side} layout="portrait" theme="auto"
    ongammon-play={hear} />
);
board.state = rules.newMatch({ length: 7 });
board.state = JSON.stringify(board.state);
[board.player, board.roll] = ["white", () => rules.toDice(3, 1)];
const score: number = board.state?.score[0] ?? 0;
board.words = { points: ({ count }) => `${count} Punkte`, next_game: "Weiter" };
board.addEventListener("gammon-event", (event) => event.detail.event.action === "play" && event.preventDefault());
const log = ({ detail }: GammonEventEvent) => rules.apply(detail.state, detail.event);
export const match = <gammon-board state={board.state} player={null} roll={board.roll} ongammon-event={log} />;
gammonBoard.rules.newMatch({ length: score });
[board.state, board.position] = [null, null];
// @ts-expect-error no die shows this
board.dice = [7, 1];
// @ts-expect-error nor this
board.dice = "07";
// @ts-expect-error its types are not imported here
gammonBoard.Game;
// @ts-expect-error no die shows this
board.roll = () => [7, 1];
// @ts-expect-error there is no such player
board.player = "red";
// @ts-expect-error this is no state
board.state = { length: 7 };
rules.outcome([], { checkers: 3 });
rules.find([], "31", "8/5 6/5", { words: { ...rules.WORDS, bar: "Bar", numbers: ["null"] }, checkers: 3 });
// @ts-expect-error options are an object
rules.outcome([], 3);
// @ts-expect-error there is no such option
rules.outcome([], { checker: 3 });
// @ts-expect-error it has no words
rules.outcome([], { words: {} });
// @ts-expect-error there is no such word
rules.find([], "31", "8/5 6/5", { words: { bloked_point: "x" } });
// @ts-expect-error there is no such word here either
board.words = { bloked_point: "x" };
// @ts-expect-error words are an object
board.words = 5;
// @ts-expect-error a speed is a number
board.speed = "fast";
// @ts-expect-error a roll has two dice
board.dice = [3];
// @ts-expect-error there is no such color
board.side = "red";
// @ts-expect-error there is no such look
export const round = <gammon-board look="round" />;
"""


def run(*command: object, cwd: Path) -> str:
    return str(processes.run(*command, cwd=cwd, megabytes=NODE_NEEDS).stdout)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, as far as the scripts need it, in which npm has built them anew."""
    if not (npm := shutil.which("npm")):
        pytest.skip("npm is not installed")
    folder = copied(tmp_path_factory.mktemp("built"))
    shutil.rmtree(folder / SCRIPTS)
    done = processes.run(npm, "ci", *QUIETLY, cwd=folder / "web", megabytes=NODE_NEEDS, seconds=300, check=False)
    skip_without_registry(done.stderr)
    run(npm, "run", "build", cwd=folder / "web")
    return folder


SCRIPTS = Path("src", "gammonrules", "draw", "scripts")
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


def test_the_scripts_of_the_library_are_built_from_the_modules(built: Path) -> None:
    """To the byte: whoever changes a module runs `npm run build`."""
    here, there = (contents_of(folder / SCRIPTS) for folder in (ROOT, built))
    assert here.keys() == there.keys()
    assert [name for name, content in here.items() if content != there[name]] == []


def contents_of(folder: Path) -> dict[str, bytes]:
    """The files in a folder and its folders, by their paths there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_pictures_in_the_scripts_are_those_of_the_library() -> None:
    """Whoever changes how a board is drawn runs `python web/pictures.py`."""
    script = runpy.run_path(str(ROOT / "web" / "pictures.py"))
    assert script["FILE"].read_text(encoding="utf-8") == script["text_of_file"]()


def test_what_is_packed(project: Path) -> None:
    package = project / "node_modules" / "gammon-board"
    assert {path.name for path in package.iterdir()} == {"README.md", "dist", "package.json"}
    modules = {"alone", "board", "game", "match", "rules", "setup", "xgid"}
    classic = {"alone-classic", "board-classic", "game-classic", "setup-classic", "xgid-classic"}
    assert {path.name for path in (package / "dist").iterdir()} == {
        *(f"{name}.js" for name in modules | classic),
        *(f"{name}.js.map" for name in modules | classic),
        *(f"{name}.d.ts" for name in ("react", "svelte", "vue")),
        *("LICENSE", "gammonrules.h", "match.wasm", "reasons.json", "rules.wasm", "types"),
    }
    types = contents_of(package / "dist" / "types")
    assert types == contents_of(ROOT / SCRIPTS / "types")
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert (described["name"], described["version"]) == ("gammon-board", __version__.replace("rc", "-rc."))
    assert "dependencies" not in described


def test_the_sources_of_a_script_are_with_it(project: Path) -> None:
    package = project / "node_modules" / "gammon-board" / "dist"
    script = (package / "match.js").read_text(encoding="utf-8").rstrip()
    assert script.endswith("//# sourceMappingURL=match.js.map")
    assert script.removesuffix("//# sourceMappingURL=match.js.map") == draw.match_js()
    sources = json.loads((package / "match.js.map").read_text(encoding="utf-8"))
    assert "../src/match/states.ts" in sources["sources"]
    assert len(sources["sourcesContent"]) == len(sources["sources"])


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


ENTRIES = {
    ".": ({"board.js"}, "GammonBoard"),
    "./alone": ({"alone.js", "match.js"}, "GammonBoard"),
    "./game": ({"game.js", "match.js"}, "Game"),
    "./match": ({"match.js"}, "newMatch"),
    "./rules": ({"rules.js"}, "legalPlays"),
    "./setup": ({"setup.js"}, "GammonSetup"),
    "./xgid": ({"match.js", "xgid.js"}, "fromXgid"),
}
"""Which files of the package a bundle has that imports this entry, and a name that it gives."""
BUNDLES = """
    import { buildSync } from "esbuild";
    import { pathToFileURL } from "node:url";

    const options = { bundle: true, minify: true, format: "esm", metafile: true };
    for (const [number, name] of process.argv.slice(1).entries()) {
        const stdin = { contents: `export * from ${JSON.stringify(name)};`, resolveDir: "." };
        const outfile = `bundles/${number}.mjs`;
        const { inputs } = buildSync({ ...options, stdin, outfile }).metafile;
        const names = Object.keys(await import(pathToFileURL(outfile)));
        const files = Object.keys(inputs).map((path) => path.split("/").pop());
        console.log(JSON.stringify({ files, names }));
    }
"""


def test_a_bundle_has_what_it_needs_and_no_more(project: Path, node_module: Callable[[str], Path]) -> None:
    node_module("esbuild")
    described = json.loads((project / "node_modules" / "gammon-board" / "package.json").read_text(encoding="utf-8"))
    scripts = {name for name, entry in described["exports"].items() if isinstance(entry, dict) and "default" in entry}
    assert ENTRIES.keys() == scripts
    names = [f"gammon-board{name.removeprefix('.')}" for name in ENTRIES]
    shown = run("node", "--input-type=module", "--eval", BUNDLES, *names, cwd=project)
    bundles = map(json.loads, shown.splitlines())
    for bundle, (files, name) in zip(bundles, ENTRIES.values(), strict=True):
        assert {*bundle["files"]} - {"<stdin>"} == files
        assert name in bundle["names"]


def test_it_is_imported_where_there_is_no_dom(project: Path) -> None:
    """A server that renders pages imports what the pages import."""
    program = (
        'import "gammon-board/board-classic.js"; import { GammonBoard } from "gammon-board";'
        'import { GammonSetup } from "gammon-board/setup"; console.log(GammonBoard.name, GammonSetup.name);'
        'import { rules } from "gammon-board/alone"; import * as match from "gammon-board/match";'
        "console.log(rules === match);"
    )
    assert run("node", "--input-type=module", "--eval", program, cwd=project) == "GammonBoard GammonSetup\ntrue\n"


def test_the_scripts_have_one_global_variable(project: Path) -> None:
    program = """
        import "gammon-board/alone-classic.js";
        import "gammon-board/game-classic.js";
        import "gammon-board/xgid-classic.js";
        const { Game, fromXgid, rules, xgid } = gammonBoard;
        console.log(new Game(fromXgid(xgid(rules.newMatch())).state).phase);
    """
    assert run("node", "--input-type=module", "--eval", program, cwd=project) == "to_roll\n"
    program = 'for (const name of ["game", "xgid"])'
    program += "await import(`gammon-board/${name}-classic.js`).catch(({ message }) => console.log(message));"
    told = run("node", "--input-type=module", "--eval", program, cwd=project)
    assert told.splitlines() == [f"{name}-classic.js needs alone-classic.js before it" for name in ("game", "xgid")]


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
    """Its tables have all exports of both files of WebAssembly."""
    page = (ROOT / "docs" / "reference" / "abi.md").read_text(encoding="utf-8")
    program = """
        const { createRequire } = await import("node:module");
        const path = createRequire(import.meta.url).resolve(`gammon-board/${process.argv[1]}.wasm`);
        const module = new WebAssembly.Module((await import("node:fs")).readFileSync(path));
        const { imports, exports } = WebAssembly.Module;
        console.log(imports(module).length, exports(module).map(({ name }) => name).join(" "));
    """
    _, rules, match = re.split(r"## Checker play|## The match", page.partition("## Sentences")[0])
    named: set[str] = set()
    for file, part in (("rules", rules), ("match", match)):
        named |= {*re.findall(r"(?m)^\| `(\w+)(?:\(.*?\))?` \|", part)}
        imports, *exports = run("node", "--input-type=module", "--eval", program, file, cwd=project).split()
        assert (imports, {*exports}) == ("0", named)


def test_the_page_about_matches(project: Path) -> None:
    """Its programs, one after another, print what stands beside them; its table has all that the module has besides."""
    page = (ROOT / "docs" / "reference" / "match-js.md").read_text(encoding="utf-8")
    calls, _, other_files = page.partition("## A match with its history")
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
        const { Game } = await import("gammon-board/game");
        const { constructor, ...members } = Object.getOwnPropertyDescriptors(Game.prototype);
        console.log(Object.keys(members).sort().join());
    """
    of_match, of_game = run("node", "--input-type=module", "--eval", program, cwd=project).splitlines()
    # what the files of the library use among themselves is not for pages
    named = [*re.findall(r"(?m)^\| `(\w+)\(", calls), "internals"]
    assert of_match == f"true {','.join(sorted(named))}"
    assert of_game == ",".join(sorted({*re.findall(r"`game\.(\w+)", other_files)}))


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


def test_the_types_are_true(project: Path, node_module: Callable[[str], Path]) -> None:
    texts = {"typed.tsx": TYPED, "alone.tsx": ALONE, "match.tsx": MATCH, "game.tsx": GAME}
    for name, text in texts.items():
        (project / name).write_text(text, encoding="utf-8")
    options = "--strict --noEmit --target es2022 --module nodenext --jsx react-jsx --types react".split()
    for name in texts:
        run("node", node_module("typescript") / "bin" / "tsc", *options, name, cwd=project)


def programs_in(page: Path) -> list[str]:
    return re.findall(r"(?ms)^```js\n(.*?)^```$", page.read_text(encoding="utf-8"))


README = programs_in(ROOT / "web" / "README.md")


def test_the_first_programs_are_typescript(project: Path, node_module: Callable[[str], Path]) -> None:
    """Those of the README, and of the page about the rules."""
    programs = [*README[:2], *programs_in(ROOT / "docs" / "reference" / "rules-js.md")[:2]]
    names = [f"program{number}.ts" for number, _ in enumerate(programs)]
    for name, text in zip(names, programs, strict=True):
        (project / name).write_text(text, encoding="utf-8")
    options = "--strict --noEmit --target es2022 --module nodenext --types".split()
    run("node", node_module("typescript") / "bin" / "tsc", *options, "", *names, cwd=project)


def test_a_match_against_the_computer(
    project: Path, node_module: Callable[[str], Path], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    """The program of the README, from a disk."""
    node_module("esbuild")
    _, with_bot, *_ = README
    (project / "bot.js").write_text(with_bot, encoding="utf-8")
    bundle = 'require("esbuild").buildSync({ entryPoints: ["bot.js"], bundle: true, outfile: process.argv[1] })'
    run("node", "--input-type=commonjs", "--eval", bundle, tmp_path / "page.js", cwd=project)
    (tmp_path / "index.html").write_text("<!DOCTYPE html><body><script src=page.js></script>", encoding="utf-8")
    page = open_page((tmp_path / "index.html").as_uri())
    page.evaluate("() => { window.board = document.querySelector('gammon-board'); board.roll = () => [1, 2]; }")
    page.click("#opening_roll")
    page.wait_for_function("board.state.on_roll === 'white' && board.state.dice === null")
    page.click("#roll")
    page.wait_for_function("board.state.dice !== null")
    page.click("text=Take back")
    assert page.evaluate("() => [board.state.on_roll, board.state.dice]") == ["white", None]
    page.click("text=Take back")
    assert page.evaluate("() => board.state.on_roll") is None


def test_each_file_is_small() -> None:
    texts = [script(module=module) for script in (draw.board_js, draw.setup_js) for module in (False, True)]
    assert max(len(gzip.compress(text.encode(), 9)) for text in texts) <= 13_500


def titled_blocks(page: str) -> dict[str, str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return dict(re.findall(r'(?ms)^```\w+ title="(\S+)"\n(.*?)^```$', text))


FRAMEWORKS = titled_blocks("reference/board.md")
SERVER = titled_blocks("how-to/your-own-server.md")["server.py"]
[PAGE] = re.findall(r'(?s)PAGE = """(.*?)"""', SERVER)
[TABLE_JS] = re.findall(r'(?s)TABLE_JS = """(.*?)"""', SERVER)
BUNDLED = (
    '<!DOCTYPE html><title>React</title><div id="app"></div><script type="module" src="/static/react.js"></script>'
)
BUNDLE = """require("esbuild").buildSync({
    entryPoints: ["react.jsx"], bundle: true, jsx: "automatic", format: "esm", outdir: "static",
    define: { "process.env.NODE_ENV": '"production"' },
})"""


@pytest.fixture(params=["alone", "React"])
def address(request: pytest.FixtureRequest, project: Path) -> Iterator[str]:
    """Where the server of the page *Your own server* runs with its page, or with that of a framework."""
    pytest.importorskip("flask", reason="flask is not installed")
    server = SERVER
    if request.param == "React":
        (project / "table.js").write_text(TABLE_JS, encoding="utf-8")
        (project / "react.jsx").write_text(FRAMEWORKS["react.jsx"], encoding="utf-8")
        run("node", "--input-type=commonjs", "--eval", BUNDLE, cwd=project)
        server = SERVER.replace(PAGE, BUNDLED)
    (project / "server.py").write_text(server, encoding="utf-8")
    port = processes.free_port()
    options = ("--app", "server", "run", "--port", port)
    with processes.serving(port, sys.executable, "-m", "flask", *options, cwd=project, seconds=600):
        yield f"http://127.0.0.1:{port}/?side="


def test_a_message_that_makes_no_sense(address: str) -> None:
    """Is refused in a sentence, whatever it is, and an idle connection keeps nobody waiting."""
    server = urlsplit(address)
    headers = {"Content-Type": "application/json"}
    with socket.create_connection((server.hostname, server.port)):
        for body in (b"", b"null", b"{}", b"8/5", b'"turn"', b"[" * 3000, b" " * 20_000 + b"{}"):
            connection = HTTPConnection(server.netloc, timeout=4)
            connection.request("POST", "/table/white", body, headers)
            answer = connection.getresponse()
            assert (answer.status, json.load(answer)) == (400, {"reason": "This message makes no sense."}), body
            connection.close()


def test_two_browsers_that_ask_every_second(address: str, open_page: Callable[..., Page]) -> None:
    pages = [open_page(address + side, expected=("404",)) for side in ("white", "black")]
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


@pytest.mark.parametrize("most", [6, pytest.param(1000, marks=pytest.mark.long)])
def test_a_game_by_keys_while_every_request_is_lost_once(
    address: str, open_page: Callable[..., Page], most: int
) -> None:
    """Before it arrives, or its answer, or the server fails: no board is locked for ever."""
    pages = [open_page(expected=TROUBLES) for _ in Player]
    lost = [lose_every_request_once(page) for page in pages]
    for page, player in zip(pages, Player, strict=True):
        page.goto(address + player)
    turns = play_by_keys(pages, most)
    assert len(turns) >= most or " wins a" in turns[-1]
    assert [{*counts} for counts in lost] == [{"before", "answer", "server"}] * 2
    for page in pages:
        page.close()


def test_a_board_that_is_made_again_shows_the_table(address: str, open_page: Callable[..., Page]) -> None:
    """As frameworks do that unmount it, and mount it some time later."""
    page = open_page(address + "white", expected=("404",))
    page.wait_for_selector(".die")
    shown = page.evaluate(
        """async () => {
            const { follow } = await import("./table.js");
            const views = [];
            for (let time = 0; time < 2; time++) {
                await new Promise(go => {
                    const end = follow(view => { views.push(view.turn); end(); go(); });
                });
            }
            return views;
        }"""
    )
    assert shown[0] == shown[1] > 0
    page.close()


def test_no_framework_needs_more_than_20_lines() -> None:
    assert max(len(FRAMEWORKS[name].splitlines()) for name in ("react.jsx", "Board.vue", "Board.svelte")) <= 20
