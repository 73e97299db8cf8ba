/** The npm package, as a project has it that installed what `npm pack` makes. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { inBrowser, open } from "../testing/browser.js";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const COMMITTED = join(WEB, "../src/gammonrules/draw/scripts");
const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund", "--offline"];
const textOf = (...path) => readFileSync(join(...path), "utf8");

let project; // a folder that has the package
let folder; // the package there
before(() => {
  project = mkdtempSync(join(tmpdir(), "project-"));
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", ...QUIETLY, WEB], { cwd: project, encoding: "utf8" }));
  writeFileSync(join(project, "package.json"), '{"type": "module"}');
  execFileSync("npm", ["install", ...QUIETLY, join(project, filename)], { cwd: project });
  folder = join(project, "node_modules/gammon-board");
});
after(() => rmSync(project, { recursive: true }));

/** What a module of the project prints. */
const run = (program) => {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: project, encoding: "utf8" });
};
const blocksOf = (path) => [...textOf(WEB, path).matchAll(/^```js\n(.*?)^```$/gms)].map(([, program]) => program);
const README = blocksOf("README.md");

describe("what is packed", () => {
  test("is the scripts with their sources, the types, and what other languages load", () => {
    assert.deepEqual(readdirSync(folder).sort(), ["README.md", "dist", "package.json"]);
    const modules = ["board", "history", "match", "match-board", "opponent", "rules", "setup", "xgid"];
    const classic = ["board", "history", "match-board", "opponent", "setup", "xgid"].map((name) => `${name}-classic`);
    assert.deepEqual(readdirSync(join(folder, "dist")).sort(), [
      ...[...modules, ...classic].flatMap((name) => [`${name}.js`, `${name}.js.map`]),
      ...["react.d.ts", "svelte.d.ts", "vue.d.ts"],
      ...["LICENSE", "THIRD_PARTY_NOTICES.md", "types"],
      ...["gammonrules.h", "match.wasm", "opponent.wasm", "reasons.json", "rules.wasm", "selftaught.bin"],
    ].sort());
    assert.equal(JSON.parse(textOf(folder, "package.json")).dependencies, undefined);
  });

  // Both come from one build, so only what is built for each, with which options, and what is packed can differ.
  test("is what Python has, where match-board.js has match.js inside, notebooks have a script, and an opponent is put together", () => {
    const typesIn = (...path) => readdirSync(join(...path, "types"), { recursive: true }).sort();
    assert.deepEqual(typesIn(folder, "dist"), typesIn(COMMITTED));
    const scripts = readdirSync(COMMITTED).filter((name) => name.endsWith(".js"));
    const other = scripts.filter((name) => {
      const path = join(folder, "dist", name);
      return !existsSync(path) || textOf(path).replace(/\/\/# sourceMappingURL=.*\n$/, "") !== textOf(COMMITTED, name);
    });
    assert.deepEqual(other, ["match-board.js", "notebook.js", "opponent-classic.js", "opponent.js"]);
  });

  test("has the notice of the match equity table wherever its numbers are", () => {
    for (const name of ["THIRD_PARTY_NOTICES.md", "opponent.js", "opponent-classic.js"]) {
      assert.match(textOf(folder, "dist", name), /Copyright \(C\) 2011 Neil Kazaross/, name);
    }
  });

  test("has the sources of a script beside it", () => {
    assert.match(textOf(folder, "dist/match.js"), /\/\/# sourceMappingURL=match\.js\.map\n$/);
    const { sources, sourcesContent } = JSON.parse(textOf(folder, "dist/match.js.map"));
    assert.ok(sources.includes("../src/match/states.ts"));
    assert.equal(sourcesContent.length, sources.length);
  });
});

describe("a program", () => {
  const NEEDED = {
    ".": [["board.js"], "GammonBoard"],
    "./match-board": [["match-board.js", "match.js"], "GammonBoard"],
    "./history": [["history.js", "match.js"], "MatchHistory"],
    "./match": [["match.js"], "newMatch"],
    "./opponent": [["match.js", "opponent.js"], "decide"],
    "./rules": [["rules.js"], "legalPlays"],
    "./setup": [["setup.js"], "GammonSetup"],
    "./xgid": [["match.js", "xgid.js"], "fromXgid"],
  };

  test("bundles what it needs of the package, and no more", async () => {
    const { exports } = JSON.parse(textOf(folder, "package.json"));
    assert.deepEqual(Object.keys(NEEDED), Object.keys(exports).filter((name) => exports[name].default));
    for (const [name, [files, exported]] of Object.entries(NEEDED)) {
      const contents = `export * from "gammon-board${name.slice(1)}";`;
      const outfile = join(project, "bundles", `${exported}${files[0]}.mjs`);
      const stdin = { contents, resolveDir: project };
      const { metafile } = buildSync({ stdin, outfile, bundle: true, minify: true, format: "esm", metafile: true });
      const inputs = Object.keys(metafile.inputs).map((path) => path.split("/").at(-1));
      assert.deepEqual(inputs.filter((path) => path !== "<stdin>").sort(), files);
      assert.ok(exported in await import(pathToFileURL(outfile)), exported);
    }
  });

  test("imports it where there is no DOM, as a server that renders pages does", () => {
    const printed = run(`
      import "gammon-board/board-classic.js";
      import { GammonBoard } from "gammon-board";
      import { GammonSetup } from "gammon-board/setup";
      import { rules } from "gammon-board/match-board";
      import * as match from "gammon-board/match";
      console.log(GammonBoard.name, GammonSetup.name, rules === match);
    `);
    assert.equal(printed, "GammonBoard GammonSetup true\n");
  });

  test("has one global variable of all classic scripts, or is told which one is missing", () => {
    const printed = run(`
      import "gammon-board/match-board-classic.js";
      import "gammon-board/history-classic.js";
      import "gammon-board/opponent-classic.js";
      import "gammon-board/xgid-classic.js";
      const { MatchHistory, fromXgid, opponent, rules, xgid } = gammonBoard;
      const { state } = new MatchHistory(fromXgid(xgid(rules.newMatch())).state);
      console.log(opponent.decide(state).action);
    `);
    assert.equal(printed, "roll\n");
    for (const name of ["history", "opponent", "xgid"]) {
      const told = run(`await import("gammon-board/${name}-classic.js").catch(({ message }) => console.log(message));`);
      assert.equal(told, `${name}-classic.js needs match-board-classic.js before it\n`);
    }
  });
});

describe("types", () => {
  test("give frameworks all properties that the elements have", async () => {
    const { GammonBoard } = await import(pathToFileURL(join(folder, "dist/match-board.js")));
    const [, own] = textOf(folder, "dist/types/match-board/types.d.ts").match(/interface MatchBoardProperties \{(.*?)\n\}/s);
    const typed = [...own.matchAll(/^ {4}(\w+)\?: /gm)].map(([, name]) => name);
    const members = Object.entries(Object.getOwnPropertyDescriptors(GammonBoard.prototype));
    const settable = members.filter(([, { set }]) => set).map(([name]) => name);
    assert.deepEqual([...typed, "view", "translations"].sort(), settable.sort());
  });

  test("are those of the first programs of the README and of the page about the rules", () => {
    const programs = [...README.slice(0, 2), ...blocksOf("../docs/reference/rules-js.md").slice(0, 2)];
    const names = programs.map((_, number) => `program${number}.ts`);
    names.forEach((name, number) => writeFileSync(join(project, name), programs[number]));
    const tsc = createRequire(import.meta.url).resolve("typescript/package.json").replace("package.json", "bin/tsc");
    const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--types", ""];
    execFileSync(process.execPath, [tsc, ...options, ...names], { cwd: project, stdio: "inherit" });
  });
});

test("the README's match against the computer", inBrowser, async (t) => {
  const stdin = { contents: README[1], resolveDir: project };
  const { outputFiles: [{ text }] } = buildSync({ stdin, bundle: true, write: false });
  const files = { "bot-classic.js": `addEventListener("DOMContentLoaded", () => {${text}});` };
  const page = await open(t, "", ["bot-classic.js"], { policy: null, files });
  await page.evaluate(() => {
    board = document.querySelector("gammon-board");
    board.roll = () => [1, 2];
  });
  await page.click("#opening_roll");
  await page.waitForFunction(() => board.state.on_roll === "white" && board.state.dice === null);
  await page.click("#roll");
  await page.waitForFunction(() => board.state.dice !== null);
  const rolled = await page.evaluate(() => board.state);
  await page.click("text=Take back");
  assert.deepEqual(await page.evaluate(() => board.state), rolled); // dice that are thrown stay
  await page.evaluate(() => board.dispatchEvent(new CustomEvent("gammon-play", { detail: { moves: [[24, 22], [6, 5]] } })));
  await page.waitForFunction(() => board.state.on_roll === "white" && board.state.dice === null);
  await page.click("text=My mistakes");
  await page.click("text=Take back");
  assert.deepEqual(await page.evaluate(() => board.state), rolled);
});

test("the opponent in a worker, as the page about matches has it", inBrowser, async (t) => {
  const [worker, page] = blocksOf("../docs/reference/match-js.md").slice(-2);
  const stdin = { contents: worker, resolveDir: project };
  const { outputFiles: [{ text }] } = buildSync({ stdin, bundle: true, write: false });
  const program = `
    import { apply, newMatch } from "./match.js";
    const state = apply(newMatch({ length: 7 }), { action: "opening_roll", argument: [3, 1] });
    ${page.replace("console.log(best.text)", "document.title = best.text")}`;
  const opened = await open(t, "", ["program.js"], { policy: null, files: { "worker.js": text, "program.js": program } });
  await opened.waitForFunction(() => document.title === "8/5 6/5");
});
