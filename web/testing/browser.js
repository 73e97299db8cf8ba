/** Pages in a browser of the machine: in Chromium, or in Firefox where BROWSER=firefox.
 *
 * They are served on the loopback address under the strictest Content-Security-Policy. What asks another machine for anything, or
 * writes an error to the console, fails its test when that ends.
 */

import assert from "node:assert/strict";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { after } from "node:test";
import { chromium, firefox } from "playwright-core";

const LOOPBACK = "127.0.0.1";
const isFirefox = process.env.BROWSER === "firefox";
const PROGRAMS = isFirefox
  ? ["firefox-esr", "firefox"]
  : ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PROGRAM = programAmong(PROGRAMS);

/** Options of tests in a browser: without one they are skipped. */
export const inBrowser = { skip: PROGRAM ? false : `there is no ${PROGRAMS.join(", ")}` };
/** The same of what only Chromium is asked: touch, what screen readers are told, motion, sizes. */
export const inChromium = isFirefox ? { skip: "Chromium is asked this" } : inBrowser;

export const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
export const POLICY_WITH_RULES = POLICY.replace("script-src", "script-src 'wasm-unsafe-eval'");
export const LOOKS = { "a desk": { dark: false }, "a phone": { dark: true, width: 390, height: 844 } };

function programAmong(names) {
  const paths = names.flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)));
  return paths.find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let browser;
after(async () => (await browser)?.close());

/** One for all tests of a file. No name leads anywhere but to this machine; containers often run as root and without a graphics
 * card. */
function launched() {
  if (isFirefox) {
    // The Firefox of the machine; playwright-core 1.65 asks it for more than Firefox ESR knows.
    const firefoxUserPrefs = { "ui.prefersReducedMotion": 1, "network.proxy.type": 1, "network.proxy.socks": LOOPBACK };
    return firefox.launch({ channel: "moz-firefox", executablePath: PROGRAM, firefoxUserPrefs });
  }
  const args = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync", "--disable-background-networking",
    "--disable-component-update", `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${LOOPBACK}`,
  ];
  return chromium.launch({ executablePath: PROGRAM, args });
}

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const BUILT = readdirSync(new URL("../dist", import.meta.url)).filter((name) => name.endsWith(".js"));

/** Serve texts by their names, and the scripts in dist/; the text without a name is the page. */
async function served(files, policy) {
  const server = createServer(({ url }, response) => {
    const name = new URL(url, "http://localhost").pathname.slice(1);
    const text = files[name] ?? (BUILT.includes(name) ? read(`../dist/${name}`) : null);
    const withoutText = name === "favicon.ico" ? 204 : 404; // which browsers ask for
    response.statusCode = text === null ? withoutText : 200;
    response.setHeader("Content-Type", name.endsWith(".js") ? "text/javascript" : "text/html");
    if (policy) response.setHeader("Content-Security-Policy", policy);
    response.end(text);
  });
  await new Promise((listening) => server.listen(0, LOOPBACK, listening));
  return server;
}

/** Views as a server sends them, which `python generate.py board_views` writes. */
export const VIEWS = JSON.parse(read("views.json"));

/** What goes wrong in pages, from now on. */
function wrongIn(context) {
  const wrong = [];
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (["http:", "https:"].includes(protocol) && hostname !== LOOPBACK) wrong.push(`request: ${request.url()}`);
  });
  context.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
  context.on("weberror", (error) => wrong.push(`exception: ${error.error()}`));
  return wrong;
}

/** Open a page with this body and these scripts, of dist/ or of `files`, which are modules unless their names say that they are
 * classic; in a context of its own, until the test `t` ends. An error that has one of the texts `expected` is none. */
export async function open(t, body, scripts, {
  policy = POLICY, files = {}, expected = [], dark = false, width = 1280, height = 800, ...more
} = {}) {
  const tags = ["page.js", ...scripts].map((name) => {
    return `<script src="${name}"${/^page|classic/.test(name) ? "" : ' type="module"'}></script>`;
  });
  const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
    <meta name="viewport" content="width=device-width">${tags.join("")}</head><body><main><h1>A board</h1>${body}</main></body>`;
  const server = await served({ "": page, "page.js": read("page.js"), ...files }, policy);
  const media = { colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", contrast: "no-preference", forcedColors: "none" };
  if (isFirefox) for (const name in media) media[name] = null; // of which it cannot be told yet
  const context = await (await (browser ??= launched())).newContext({ viewport: { width, height }, ...media, ...more });
  context.setDefaultTimeout(120_000); // the machine may be busy
  const wrong = wrongIn(context);
  t.after(async () => {
    await context.close();
    server.close();
    const ignored = [...expected, "favicon.ico"];
    assert.deepEqual(wrong.filter((text) => !ignored.some((part) => text.includes(part))), []);
  });
  const opened = await context.newPage();
  await opened.goto(`http://${LOOPBACK}:${server.address().port}/`);
  return opened;
}

// --- hands ---

/** Press at the first place, go to the others, and let go. */
export async function pointer({ mouse }, [first, ...others], button = "left") {
  await mouse.move(...first);
  await mouse.down({ button });
  for (const place of others) await mouse.move(...place);
  await mouse.up({ button });
}

/** A function that puts fingers on a page of Chromium: `await touch("Start", [x, y])`, then "Move", "End" or "Cancel". */
export async function touching(page) {
  const devtools = await page.context().newCDPSession(page);
  return (kind, ...fingers) => devtools.send("Input.dispatchTouchEvent", {
    type: `touch${kind}`, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
  });
}

/** The same as `pointer`, by a finger. */
export async function finger(page, [first, ...others]) {
  const touch = await touching(page);
  await touch("Start", first);
  for (const place of others) await touch("Move", place);
  await touch("End");
}

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// --- looks ---

const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url);

/** What axe-core finds serious or critical: the rule, and the first elements that break it. */
export async function violations(page) {
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = await page.evaluate(() => axe.run("html", { resultTypes: ["violations"] }));
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))}`);
}

/** Save what a page looks like, if GAMMONRULES_PICTURES names a folder. */
export async function picture(page, name) {
  const folder = process.env.GAMMONRULES_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
