/** The helpers of these tests notice what they are there for. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, inChromium, open, violations } from "../testing/browser.js";

test("what goes wrong in a page fails its test", inBrowser, async () => {
  for (const [script, wrong] of [
    ["end();", []],
    ["end(); console.error('castle');", ["console: castle"]],
    ["end(); throw new Error('castle');", ["exception: Error: castle"]],
    ["fetch('http://castle.example/x').catch(end);", ["request: http://castle.example/x"]],
    ["try { new WebSocket('ws://castle.example/x').onerror = end; } catch { end(); }", ["connect-src"]],
    ["try { document.write('<b>'); } catch { end(); }", ["trusted-?(html|types)"]],
    ["document.documentElement.setAttribute('style', 'color: red'); end();", ["inline style"]],
  ]) {
    let end;
    const t = { after: (hook) => { end = hook; } };
    const page = await open(t, "", ["wrong-classic.js"], {
      files: { "wrong-classic.js": `const end = () => { document.title = "The end"; }; ${script}` },
      ...(script.startsWith("fetch") && { policy: null }), // which forbids it too
    });
    await page.waitForFunction(() => document.title === "The end");
    const failed = await end().then(() => [], ({ actual }) => actual);
    const told = failed.filter((text) => !/net::|Cross-Origin Request Blocked/.test(text)); // of the same request
    assert.equal(told.length, wrong.length, `${script} ${told}`);
    for (const [number, pattern] of wrong.entries()) assert.match(told[number], RegExp(pattern, "i"), script);
  }
});

test("violations are found", inChromium, async (t) => {
  const page = await open(t, "<button id='bad'></button>", []);
  const [violation, ...others] = await violations(page);
  assert.match(violation, /^button-name \(critical\)/);
  assert.deepEqual(others, []);
});
