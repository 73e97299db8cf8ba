/** Builds the scripts and their types from the modules in src/: those that Python reads, which are committed, and the npm
 * package in dist/.
 *
 *     node build.mjs [--watch]
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));

const FOR_PYTHON = "../src/gammonrules/draw/scripts";
const FOR_NPM = "dist";
const COMPILED = "../src/gammonrules/c";
const FOR_OTHER_LANGUAGES = ["gammonrules.h", "match.wasm", "opponent.wasm", "reasons.json", "rules.wasm", "selftaught.bin"];
const NOTICES = ["../LICENSE", "../THIRD_PARTY_NOTICES.md"];
const ENTRY_OF_MATCH = "./src/match/index";

/** The scripts, by their entries. `match` says where one that uses match.js has it from: from the module "beside" it, or from
 * the script "before" it; by default it is inside. */
const SCRIPTS = {
  "match-board.js": { entry: "./src/match-board/index" },
  "match-board-classic.js": { entry: "./src/match-board/classic" },
  "board.js": { entry: "./src/board/index" },
  "board-classic.js": { entry: "./src/board/index" },
  "history.js": { entry: "./src/history/index", match: "beside" },
  "history-classic.js": { entry: "./src/history/classic", match: "before" },
  "match.js": { entry: ENTRY_OF_MATCH },
  "opponent.js": { entry: "./src/opponent/index", match: "beside" },
  "opponent-classic.js": { entry: "./src/opponent/classic", match: "before" },
  "rules.js": { entry: "./src/rules/index" },
  "setup.js": { entry: "./src/setup/index" },
  "setup-classic.js": { entry: "./src/setup/index" },
  "xgid.js": { entry: "./src/identifiers/index", match: "beside" },
  "xgid-classic.js": { entry: "./src/identifiers/classic", match: "before" },
};
/** The widgets of notebooks follow match-board.js there, in one module. */
const SCRIPTS_OF_PYTHON = {
  ...SCRIPTS,
  "notebook.js": {
    entry: "./src/notebook/index",
    format: "iife",
    globalName: "VIEWS",
    footer: { js: "export { VIEWS };" },
  },
};
/** A bundler that has match-board.js and match.js of the package has the rules once. */
const SCRIPTS_OF_NPM = { ...SCRIPTS, "match-board.js": { ...SCRIPTS["match-board.js"], match: "beside" } };

/** What stands in the scripts of Python where the opponent's code and weights are put in. */
const LEFT_OUT = { code: "{code}", high: "{high}", low: "{low}" };
const SIGNS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(32 + at)).filter((sign) => !'"<\\'.includes(sign));

/** WebAssembly as a text of the 91 signs that a string has within HTML: one for each byte, and before it "~" for each 91 that
 * the byte is above the sign. Most bytes are small: compressed, this is 7 % shorter than hexadecimal digits. */
const asText = (bytes) => Array.from(bytes, (byte) => "~".repeat(byte / SIGNS.length) + SIGNS[byte % SIGNS.length]).join("");

/** Numbers of 16 bits as a module: of each the 7 bits below its sign as a sign, which have few values, and the other 9 in
 * Base64, bytes before signs. */
function asPlanes(bytes) {
  const high = bytes.filter((_, at) => at % 2);
  const low = bytes.filter((_, at) => at % 2 === 0);
  const negative = Buffer.alloc(Math.ceil(high.length / 8));
  for (const [at, byte] of high.entries()) negative[at >> 3] |= (byte >> 7) << (at & 7);
  return { high: asText(high.map((byte) => byte & 127)), low: Buffer.concat([low, negative]).toString("base64") };
}

/** The folder of scripts says whether they have the opponent's code and weights: Python puts them in from its own files. */
const compiledCode = (folder) => ({
  name: "compiled code",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.(wasm|bin)$/ }, ({ path }) => ({ path: join(process.cwd(), COMPILED, path) }));
    onLoad({ filter: /\.wasm$/ }, ({ path }) => {
      const isLeftOut = folder === FOR_PYTHON && path.endsWith("opponent.wasm");
      return { contents: isLeftOut ? LEFT_OUT.code : asText(readFileSync(path)), loader: "text" };
    });
    onLoad({ filter: /\.bin$/ }, ({ path }) => {
      const bytes = readFileSync(path);
      const planes = folder === FOR_PYTHON ? LEFT_OUT : asPlanes(bytes);
      const { high, low } = planes;
      return { contents: JSON.stringify({ version: bytes.readUInt32LE(4), high, low }), loader: "json" };
    });
  },
});

const stylesheets = {
  name: "stylesheets",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const matchBeside = {
  name: "match.js beside",
  setup({ onResolve }) {
    onResolve({ filter: /\/match\/index\.js$/ }, () => ({ path: "./match.js", external: true }));
  },
};

/** What match-board-classic.js has put in the global variable, as a module. */
const matchBefore = (script) => ({
  name: "match before",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/match\/index\.js$/ }, ({ path }) => ({ path, namespace: "global" }));
    onLoad({ filter: /./, namespace: "global" }, async () => {
      const { names, watchFiles } = await exportsOfMatch();
      const contents = `
        const rules = globalThis.gammonBoard?.rules;
        if (!rules) throw Error("${script} needs match-board-classic.js before it");
        export const { ${names.join(", ")} } = rules;`;
      return { contents, watchFiles };
    });
  },
});

const COMMON = {
  absWorkingDir: process.cwd(),
  bundle: true,
  logLevel: "warning",
  minify: true,
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } }, // the rest is for the check
};

/** The names that match.js exports, and the files they come from. */
async function exportsOfMatch() {
  const options = { entryPoints: [ENTRY_OF_MATCH], format: "esm", plugins: [compiledCode(FOR_NPM)], write: false, metafile: true };
  const { metafile } = await esbuild.build({ ...COMMON, ...options });
  const [{ exports }] = Object.values(metafile.outputs);
  return { names: exports, watchFiles: Object.keys(metafile.inputs).map((path) => resolve(path)) };
}

function optionsOf(name, { entry, match = "inside", ...others }, folder) {
  const isClassic = name.endsWith("-classic.js");
  const whereMatchIs = { inside: [], beside: [matchBeside], before: [matchBefore(name)] };
  return {
    ...COMMON,
    entryPoints: [entry],
    outfile: join(folder, name),
    format: isClassic ? "iife" : "esm",
    banner: isClassic ? { js: '"use strict";' } : {}, // as modules are
    sourcemap: folder === FOR_NPM,
    plugins: [...whereMatchIs[match], compiledCode(folder), stylesheets],
    ...others,
  };
}

function copyTo(folder, paths) {
  mkdirSync(folder, { recursive: true });
  for (const path of paths) copyFileSync(path, join(folder, basename(path)));
}

const filesIn = (folder) => readdirSync(folder).map((name) => join(folder, name));

/** Write the declarations of the entries, and of what these import. */
function writeTypes(folders) {
  const made = mkdtempSync(join(tmpdir(), "types-"));
  const compiler = "node_modules/typescript/bin/tsc";
  execFileSync(process.execPath, [compiler, "--project", "tsconfig.types.json", "--outDir", made], { stdio: "inherit" });
  const modules = Object.values(SCRIPTS).map(({ entry }) => entry).filter((entry) => entry.endsWith("/index"));
  const needed = new Set(modules.map((entry) => entry.replace("./src/", "")));
  for (const module of needed) {
    const text = readFileSync(join(made, `${module}.d.ts`), "utf-8");
    const folder = posix.dirname(module);
    for (const [, other] of text.matchAll(/"(\.[^"]*)\.js"/g)) needed.add(posix.join(folder, other)); // which is visited too
    for (const place of folders) copyTo(join(place, "types", folder), [join(made, `${module}.d.ts`)]);
  }
  rmSync(made, { recursive: true });
}

rmSync(FOR_NPM, { recursive: true, force: true });
rmSync(join(FOR_PYTHON, "types"), { recursive: true, force: true });
copyTo(FOR_NPM, [...filesIn("src/frameworks"), ...FOR_OTHER_LANGUAGES.map((name) => join(COMPILED, name)), ...NOTICES]);

for (const [folder, scripts] of [[FOR_PYTHON, SCRIPTS_OF_PYTHON], [FOR_NPM, SCRIPTS_OF_NPM]]) {
  for (const [name, script] of Object.entries(scripts)) {
    const options = optionsOf(name, script, folder);
    if (process.argv.includes("--watch")) await (await esbuild.context(options)).watch();
    else await esbuild.build(options);
  }
}
writeTypes([FOR_PYTHON, FOR_NPM]); // once, also while watching
