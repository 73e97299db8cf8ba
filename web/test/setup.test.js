/** `<gammon-setup>`, on which a person sets up a position, by hand and as a page uses it. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fromXgid } from "../dist/xgid.js";
import { finger, inBrowser, inChromium, LOOKS, open, picture, pointer, press, violations } from "../testing/browser.js";

const CLEAR = "XGID=--------------------------:0:0:1:00:0:0:3:0:10";
const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";

async function opened(t, options = {}) {
  const page = await open(t, "<gammon-setup></gammon-setup>", ["setup-classic.js"], { height: 900, ...options });
  await page.evaluate(() => { board.style.maxWidth = "560px"; });
  return page;
}
const at = (page, place) => page.evaluate((place) => onPlace(place), place);
const click = async (page, place) => pointer(page, [await at(page, place)]);
const focusOn = (page, place) => {
  return page.evaluate((place) => board.shadowRoot.querySelector(`[data-place="${place}"]`).focus(), place);
};
const boardOf = (page) => page.evaluate(() => board.xgid.slice(5, 31));

describe("a position is set up from nothing", () => {
  // White's checkers are positive: with both bars, a tall stack, and one that is borne off
  const POINTS = [-2, 1, 0, 0, 0, -1, 10, 0, 2, 0, -3, 0, 0, 0, 0, 0, 0, 0, -4, 0, 0, 0, 0, 0, -5, 1];
  const playerAt = (place) => (POINTS[place] > 0 ? "white" : "black");

  const by = {
    async drag(page, place, count) {
      const path = [await at(page, playerAt(place)), [300, 300], await at(page, place)];
      for (let number = 0; number < count; number++) await pointer(page, path);
    },
    async touch(page, place, count) {
      const path = [await at(page, playerAt(place)), [300, 300], await at(page, place)];
      for (let number = 0; number < count; number++) await finger(page, path);
    },
    async click(page, place, count) {
      await click(page, playerAt(place));
      for (let number = 0; number < count; number++) await click(page, place);
    },
    async keys(page, place, count) {
      await focusOn(page, playerAt(place));
      await press(page, "Enter");
      await focusOn(page, place);
      if (count < 10) await press(page, `${count}`);
      else await press(page, " ", ...Array(count - 1).fill("Enter"));
    },
  };
  for (const [means, add] of Object.entries(by)) {
    test(`by ${means}`, means === "touch" ? inChromium : inBrowser, async (t) => {
      const page = await opened(t, means === "touch" ? { hasTouch: true } : {});
      await page.click("[name=clear]");
      assert.equal(await page.evaluate(() => board.xgid), CLEAR);
      for (let step = 0; step < 26; step++) {
        const place = (7 * step) % 26; // in another order than they stand
        if (POINTS[place]) await add(page, place, Math.abs(POINTS[place]));
      }
      const events = await page.evaluate(() => told);
      assert.deepEqual(events.at(-1).points, POINTS);
      assert.deepEqual(fromXgid(events.at(-1).xgid).state.position.points, POINTS);
      const checkers = POINTS.reduce((sum, count) => sum + Math.abs(count), 0);
      if (means !== "keys") assert.equal(events.length, 1 + checkers);
    });
  }
});

test("cube, dice and the player on roll are chosen", inBrowser, async (t) => {
  const page = await opened(t);
  for (const [name, label] of Object.entries({ turn: "Black", dice: "4-2", cube: "4", owner: "White" })) {
    await page.selectOption(`[name=${name}]`, { label });
  }
  const events = await page.evaluate(() => told);
  const { state } = fromXgid(events.at(-1).xgid);
  assert.deepEqual([state.on_roll, state.dice, state.cube], ["black", [4, 2], { value: 4, owner: "white" }]);
  assert.deepEqual([events.length, events.at(-1).points[24]], [4, 2]);
});

test("a checker is moved, or not: then nothing is told", inBrowser, async (t) => {
  const page = await opened(t);
  for (const [what, button, start, end, expected] of [
    ["to an empty point", "left", 6, 5, "-b---AD-C---eE---c-e----B-"],
    ["to an own point", "left", 6, 8, "-b----D-D---eE---c-e----B-"],
    ["to the other's point", "left", 6, 1, null],
    ["where it was", "left", 6, 6, null],
    ["to the bar", "left", 6, 25, "-b----D-C---eE---c-e----BA"],
    ["to the other's tray", "left", 6, "black", "-b----D-C---eE---c-e----B-"],
    ["off the board", "left", 1, null, "-a----E-C---eE---c-e----B-"],
    ["from an empty tray", "left", "white", 5, null],
    ["by the right button", "right", 6, 6, "-b----D-C---eE---c-e----B-"],
    ["by the right button from a tray", "right", "white", "white", null],
  ]) {
    await t.test(what, async () => {
      await page.evaluate((xgid) => { board.setAttribute("xgid", xgid); told.length = 0; }, START);
      const there = end === null ? [900, 700] : await at(page, end);
      const path = [await at(page, start), [300, 300], there];
      await pointer(page, button === "left" ? path : path.slice(0, 1), button);
      assert.deepEqual(await page.evaluate(() => told.map(({ xgid }) => xgid.slice(5, 31))), expected ? [expected] : []);
      assert.equal(await boardOf(page), expected ?? START.slice(5, 31));
    });
  }
});

test("a click adds a checker of the chosen color from the tray, or removes one", inBrowser, async (t) => {
  const page = await opened(t);
  for (const [brush, places, expected] of [
    ["black", [6, 6], "-b----C-C---eE---c-e----B-"],
    ["white", [6, 7, 20], "-b----DAC---eE---c-e----B-"], // there is none for the 20 point
    ["white", [19], "-b----DAC---eE---c-d----B-"],
    ["remove", [13, 4], "-b----DAC---eD---c-d----B-"],
    ["black", [25, 0], "ab----DAC---eD---c-d----B-"], // not on White's bar
    ["white", [0, 25], "-b----DAC---eD---c-d----BA"],
  ]) {
    if (brush === "remove") await page.check("input[value=remove]");
    else await click(page, brush);
    for (const place of places) await click(page, place);
    assert.equal(await boardOf(page), expected);
  }
  await page.click("[name=start]");
  await click(page, 5);
  assert.equal(await page.evaluate(() => reason()), "All White checkers are on the board.");
  assert.equal(await page.evaluate(() => board.xgid), START);
});

test("arrow keys lead everywhere", inBrowser, async (t) => {
  const page = await opened(t);
  const reached = new Set(["24"]);
  for (const start of reached) { // to which the loop adds
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      await focusOn(page, start);
      await press(page, key);
      reached.add(await page.evaluate(() => board.shadowRoot.activeElement.dataset.place));
    }
  }
  const places = Array.from({ length: 26 }, (_, place) => `${place}`);
  assert.deepEqual([...reached].sort(), [...places, "white", "black"].sort());
});

test("screen readers are told what has the focus, and what has changed", inBrowser, async (t) => {
  const page = await opened(t);
  await focusOn(page, 24);
  for (const [key, label, text] of [
    ["Delete", "point 24, 1 White", "point 24, 1 White"],
    ["ArrowLeft", "point 23, empty", "point 24, 1 White"],
    ["x", "point 23, empty", "point 24, 1 White"],
    ["1", "point 23, 1 White", "point 23, 1 White"],
    ["Backspace", "point 23, empty", "point 23, empty"],
    [" ", "point 23, 1 White", "point 23, 1 White"],
    ["9", "point 23, 1 White", "point 23, 1 White"], // there are no nine
    ["Tab", "", "point 23, 1 White"], // to the colors
  ]) {
    await press(page, key);
    const said = await page.evaluate(() => [board.shadowRoot.activeElement?.ariaLabel ?? "", status()]);
    assert.deepEqual(said, [label, text], key);
  }
});

test("what is no XGID is a TypeError and leaves the board as it was", inBrowser, async (t) => {
  const page = await opened(t);
  const changes = [
    ["--", "AO"], ["--", "PP"], ["=---", "=OA-"], ["=-", "=A"], ["-", "?"], ["--", "<b>"],
    [":00:", ":70:"], [":1:", ":0:"], [":10", ""], [":10", ":10:"], ["0:10", "0:-1"],
  ];
  const wrong = [null, 5, "", "XGID=", "x".repeat(10 ** 6), {}, [], ...changes.map(([old, other]) => CLEAR.replace(old, other))];
  for (const xgid of wrong) {
    const error = await page.evaluate((xgid) => {
      try { board.xgid = xgid; } catch ({ name }) { return [name, board.xgid]; }
    }, xgid);
    assert.deepEqual(error, ["TypeError", START], `${xgid}`.slice(0, 80));
  }
});

test("what happens while a checker is held", inBrowser, async (t) => {
  const page = await opened(t);
  for (const [what, interrupt] of Object.entries({
    "it is moved in the page": () => { const { parentNode } = board; board.remove(); parentNode.append(board); },
    "it gets translations that are HTML": () => { board.translations = { white: "<b>", point: "{constructor}", bar: "" }; },
    "it is turned": () => { board.flip = true; board.flip = false; },
    "it gets the same position": () => { board.xgid = board.xgid; },
    "it is hidden": () => { board.hidden = true; board.hidden = false; },
  })) {
    await t.test(what, async () => {
      const [x, y] = await at(page, 6);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 90);
      await page.evaluate(interrupt);
      await page.mouse.up();
      assert.equal(await page.evaluate(() => board.shadowRoot.querySelectorAll("svg .checker").length), 30);
      assert.equal(await page.evaluate(() => board.shadowRoot.querySelector("b")), null);
      await page.evaluate((xgid) => { board.xgid = xgid; }, START);
    });
  }
});

test("a theme that is none is told, and a copy and a narrow board are boards", inBrowser, async (t) => {
  const page = await opened(t);
  const [heard, checkers] = await page.evaluate(() => {
    const heard = [];
    const hear = (event) => { heard.push(event.error.name); event.preventDefault(); };
    addEventListener("error", hear);
    board.setAttribute("theme", '"] { x');
    const copy = board.cloneNode(true); // which has it too
    removeEventListener("error", hear);
    board.style.maxWidth = "100px";
    return [heard, copy.shadowRoot.querySelectorAll("svg .checker").length];
  });
  assert.deepEqual([heard, checkers], [["TypeError", "TypeError"], 30]);
});

test("a reason that comes late is not shown", inBrowser, async (t) => {
  const page = await opened(t);
  await page.selectOption("[name=cube]", "1");
  await page.selectOption("[name=dice]", "21");
  assert.deepEqual(await page.evaluate(() => told.map(({ explain }, number) => (explain(`${number}`), reason()))), ["", "1"]);
});

for (const [where, look] of Object.entries(LOOKS)) {
  test(`how it looks on ${where}, where nothing is beside the screen`, inChromium, async (t) => {
    const page = await opened(t, { ...look, height: look.height ?? 800 });
    await page.evaluate(() => {
      styled(":root { color-scheme: light dark }");
      board.setAttribute("theme", "auto");
    });
    await page.selectOption("[name=turn]", "-1");
    await page.evaluate(() => told[0].explain("The cube is not a power of two."));
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await picture(page, `setup-${look.width ?? 1280}`);
  });
}
