/** `<gammon-board>` without a server: what it is given, what it tells and draws, and what it refuses. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { why } from "../dist/rules.js";
import { fromXgid } from "../dist/xgid.js";
import {
  inBrowser, inChromium, LOOKS, open, picture, POLICY, POLICY_WITH_RULES, VIEWS, violations,
} from "../testing/browser.js";

const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10";
const START_ID = "4HPwATDgc/ABMA";
const POINTS = fromXgid(START).state.position.points;
const MATCH_BOARD = ["match-board-classic.js"];

const opened = (t, { body = "<gammon-board speed='0'></gammon-board>", scripts = MATCH_BOARD, ...options } = {}) => {
  return open(t, body, scripts, { policy: POLICY_WITH_RULES, height: 900, ...options });
};

/** Assign properties in this order, and wait until they are drawn; the name and the message of an error that comes of it. */
const assign = (page, properties) => page.evaluate(async (properties) => {
  try {
    for (const name in properties) board[name] = properties[name];
  } catch ({ name, message }) {
    return [name, message];
  }
  await null;
  return null;
}, properties);

/** Play a checker from each point by this die, as its keys do. */
const play = (page, player, ...steps) => page.evaluate(([player, steps]) => {
  for (const [point, die] of steps) pressOn(point, player, die);
}, [player, steps]);

const done = (page) => page.evaluate(() => { board.endTurn(); return heard.at(-1)[1]; });

/** 26 counts: what each has on which points of their own. */
function pointsOf(mine, theirs) {
  const points = Array(26).fill(0);
  for (const [point, count] of Object.entries(mine)) points[point] += count;
  for (const [point, count] of Object.entries(theirs)) points[25 - point] -= count;
  return points;
}

test("the drawing stays while the sides take turns", inBrowser, async (t) => {
  const page = await opened(t);
  const checkers = () => page.evaluate(() => [...board.querySelectorAll(".checker")]
    .map((checker) => checker.dataset.player + middle(checker).map(Math.round)).sort());
  await assign(page, { position: START });
  await play(page, "white", [8, 3], [6, 1]);
  const before = await checkers();
  await done(page);
  for (const dice of [null, "62"]) {
    await assign(page, { dice });
    assert.deepEqual(await checkers(), before);
  }
  const numbers = await page.evaluate(() => [board.side, board.position[20], group(20).querySelector("text").textContent]);
  assert.deepEqual(numbers, ["black", -2, "20"]); // those of who is on roll
});

describe("a reason", () => {
  test("of the page comes before that of the rules, also when it comes late", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { position: START });
    const messages = await page.evaluate(() => {
      const shown = [];
      let explainLate;
      const late = ({ detail }) => { explainLate = detail.explain; };
      for (const answer of [() => {}, ({ detail }) => detail.explain("Mine"), late]) {
        addEventListener("gammon-illegal", answer, { once: true });
        pressOn(24, "white", 5);
        shown.push(reason());
      }
      explainLate("Late");
      return [...shown, reason()];
    });
    const { message } = why(POINTS, "31", [], 24, 19);
    assert.deepEqual(messages, [message, "Mine", message, "Late"]);
  });

  test("is said in the translations of the page", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { position: START.replace(":31:", ":51:"), translations: { blocked_point: "{point}: {count}!" } });
    await play(page, "white", [24, 5]);
    assert.equal(await page.evaluate(() => reason()), "19: 5!");
  });
});

describe("what is given", () => {
  const said = (page) => page.evaluate(() => [
    board.position, board.side, board.dice, board.checkers, board.look, board.layout, board.tree?.dice,
    [...board.querySelectorAll(".die")].map(({ dataset }) => dataset.player),
  ]);

  test("is the same as properties and as attributes in any order, and before the script is there", inBrowser, async (t) => {
    const page = await opened(t);
    const given = { position: POINTS, side: "black", dice: "62", checkers: 15, look: "depth", layout: "portrait" };
    const expected = [POINTS, "black", [6, 2], 15, "depth", "portrait", [6, 2], ["black", "black"]];
    const texts = [START_ID, `${POINTS}`, JSON.stringify(POINTS).replaceAll(",", ", "), START.replace(":1:31:", ":-1:31:")];
    const ways = {
      attributes: ([names, given]) => {
        board = document.createElement("gammon-board");
        for (const name of names) board.setAttribute(name, given[name]);
        document.body.replaceChildren(board);
      },
      properties: ([names, given]) => {
        board = document.createElement("gammon-board");
        for (const name of names) board[name] = given[name];
        document.body.replaceChildren(board);
      },
      "own properties": ([names, given]) => {
        board = document.createElement("x-later");
        for (const name of names) board[name] = given[name];
        document.body.replaceChildren(board);
        if (customElements.get("x-later")) customElements.upgrade(board);
        else customElements.define("x-later", class extends customElements.get("gammon-board") {});
      },
    };
    const names = Object.keys(given);
    for (const position of [POINTS, ...texts]) {
      for (const first of names.keys()) { // and then the others in turn, or in the other direction
        const turned = [...names.slice(first), ...names.slice(0, first)];
        for (const [way, give] of Object.entries(ways)) {
          for (const order of [turned, turned.toReversed()]) {
            await page.evaluate(give, [order, { ...given, position }]);
            assert.deepEqual(await said(page), expected, `${position} by ${way}: ${order}`);
          }
        }
      }
    }
    await assign(page, { position: START, dice: null });
    assert.deepEqual(await page.evaluate(() => board.dice), [3, 1]); // the XGID's, since there are no others
  });

  test("keeps the moves where it is equal, or is another look", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { position: START });
    await play(page, "white", [8, 3]);
    for (const properties of [{ position: START }, { dice: "13" }, { look: "depth" }, { layout: "portrait" }, { side: null }]) {
      await assign(page, properties);
      const now = await page.evaluate(() => [board.moves, group(5, "white").dataset.count]);
      assert.deepEqual(now, [[[8, 5]], "1"], JSON.stringify(properties));
    }
    await assign(page, { dice: "21" });
    assert.deepEqual(await page.evaluate(() => [board.moves, board.dice]), [[], [2, 1]]);
  });

  test("says who is on roll: White, unless the page says otherwise, and after a play the other", inBrowser, async (t) => {
    const page = await opened(t);
    const side = () => page.evaluate(() => board.side);
    await assign(page, { position: POINTS, dice: "31" });
    assert.equal(await side(), "white");
    await play(page, "white", [8, 3], [6, 1]);
    await done(page);
    assert.deepEqual(await page.evaluate(() => [board.side, board.dice]), ["black", null]);
    await assign(page, { position: POINTS, dice: "31" }); // a new position, which knows nothing of the one before
    assert.equal(await side(), "white");
    await assign(page, { side: "black" });
    assert.deepEqual(await page.evaluate(() => [board.side, board.position]), ["black", POINTS]);
    await assign(page, { position: START });
    assert.equal(await side(), "white");
  });

  test("may be an XGID as people paste it", inBrowser, async (t) => {
    const page = await opened(t);
    const bare = START.replace("XGID=", "");
    for (const text of [`**XGID: ${bare}**`, `\`xgid=${bare}\`.`, `XGID: ${bare.replaceAll("-", "\u2013")}`, `(XGID:\n${bare})`]) {
      assert.equal(await assign(page, { position: START_ID }), null);
      assert.equal(await assign(page, { position: text }), null);
      assert.deepEqual(await page.evaluate(() => board.dice), [3, 1]);
    }
  });

  const WRONG = {
    position: [
      5, "", "a".repeat(10 ** 6), "0,1", Array(26).fill(0), [...POINTS, 0], Array(26).fill("0"), START.replace(":31:", ":71:"),
      START.replace("b", "p"), START.slice(0, -3), "4HPwATDgc/ABM", `${START} and so on`,
    ],
    dice: [0, "70", "311", [3], [0, 1], ["3", "1"]],
    checkers: [0, 16, "", "x", [], true, 14],
    side: ["White", 1, "", "constructor", ["white"]],
    look: ["Depth", 0, "constructor"],
    layout: ["upright", 0],
  };
  for (const [name, values] of Object.entries(WRONG)) {
    test(`is one error where it is no ${name}, and changes nothing; an attribute's stands on the board`, inBrowser, async (t) => {
      const page = await opened(t);
      await assign(page, { position: START, dice: "31" });
      await play(page, "white", [8, 3]);
      const shown = async () => [await said(page), await page.evaluate(() => [board.moves, board.innerHTML])];
      const before = await shown();
      for (const value of values) {
        const text = `${JSON.stringify(value)}`.slice(0, 80);
        const [error, message] = await assign(page, { [name]: value });
        assert.equal(error, "GammonError", text);
        assert.deepEqual(await shown(), before, text);
        if (typeof value !== "string") continue;
        await page.evaluate(([name, value]) => board.setAttribute(name, value), [name, value]);
        assert.equal(await page.evaluate(() => reason()), message);
        assert.deepEqual(await shown(), before, text);
        await page.evaluate((name) => board.removeAttribute(name), name);
        assert.equal(await page.evaluate(() => reason()), "");
      }
    });
  }
});

describe("translations", () => {
  const translations = (page) => page.evaluate(() => ({ ...board.translations }));

  test("that are none are refused, with all others", inBrowser, async (t) => {
    const page = await opened(t);
    const before = await translations(page);
    for (const [wrong, error] of [
      [5, "TypeError"],
      ["x", "TypeError"],
      [{ undo: "Back", bloked_point: "x" }, "TypeError"],
      [{ undo: "Back", dance: 5 }, "TypeError"],
      [{ undo: "Back", blocked_point: 5 }, "GammonError"],
      [{ undo: "Back", numbers: "x" }, "GammonError"],
      [{ bar: 5 }, "GammonError"],
    ]) {
      const [name] = await assign(page, { translations: wrong });
      assert.equal(name, error, JSON.stringify(wrong));
      assert.deepEqual(await translations(page), before);
    }
  });

  test("of the board and of reasons are taken, and stay where there are no others", inBrowser, async (t) => {
    const page = await opened(t);
    const before = await translations(page);
    const others = { undo: "Back", bar: "Bar", no_pass: "no", numbers: ["0", "1", "2", "3", "4"] };
    assert.equal(await assign(page, { translations: others }), null);
    assert.deepEqual(await translations(page), { ...before, ...others });
    assert.equal(await assign(page, { translations: null }), null);
    assert.deepEqual(await translations(page), { ...before, ...others });
  });
});

describe("a turn", () => {
  test("that the page answers at once never shows the board between, and what can be done has the focus", inBrowser, async (t) => {
    const page = await opened(t);
    const shown = await page.evaluate(async (position) => {
      const shown = [];
      board.position = position;
      const look = () => shown.push(board.querySelectorAll(".die").length);
      new MutationObserver(look).observe(board, { childList: true });
      board.focus();
      addEventListener("gammon-play", () => { board.dice = [6, 6]; }, { once: true });
      pressOn(8, "white", 3);
      pressOn(6, "white", 1);
      await null;
      shown.length = 0;
      board.endTurn();
      await pause(0);
      return [shown, board.dice, document.activeElement.matches(".movable")];
    }, START);
    assert.deepEqual(shown, [[2, 4], [6, 6], true]);
  });

  test("may be a dance", inBrowser, async (t) => {
    const page = await opened(t);
    const closed = { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3 };
    await assign(page, { position: pointsOf({ 25: 1, 6: 14 }, closed), dice: "64" });
    const button = await page.evaluate(() => [board.isComplete, board.shadowRoot.getElementById("done").textContent]);
    assert.deepEqual(button, [true, "No play"]);
    assert.equal((await done(page)).play, "no play");
  });

  test("may be the last, after which dice are those of the next game", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { position: pointsOf({ 1: 1 }, { 6: 15 }), dice: "21" });
    await play(page, "white", [1, 1]);
    assert.deepEqual((await done(page)).outcome, { won: false, win: 2 });
    assert.equal(await assign(page, { dice: "55" }), null);
    assert.deepEqual(await page.evaluate(() => [board.dice, board.tree, board.side]), [null, null, "black"]);
    await assign(page, { position: POINTS });
    assert.deepEqual(await page.evaluate(() => [board.dice, board.side]), [[5, 5], "white"]);
  });

  test("of a page that has a server is that of its view, and no other follows", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { position: START.replace(":31:", ":62:") });
    await page.evaluate((view) => show(view), VIEWS.rolled);
    const said = await page.evaluate(() => [board.position, board.dice, board.side, board.tree.dice]);
    assert.deepEqual(said, [null, null, "white", [3, 1]]);
    await play(page, "white", [8, 3], [24, 5], [6, 1]);
    assert.deepEqual(await page.evaluate(() => (board.endTurn(), heard.splice(0).slice(-2))), [
      ["move", { moves: [[8, 5], [6, 5]], isComplete: true }],
      ["play", { moves: [[8, 5], [6, 5]] }],
    ]);
    assert.deepEqual(await page.evaluate(async () => [await null, board.side, reason()]), [null, "white", ""]);
  });
});

describe("a page", () => {
  test("shows what is wrong with an attribute, on an empty board", inBrowser, async (t) => {
    const body = "<gammon-board position='nonsense' dice=31></gammon-board>";
    const page = await opened(t, { body, scripts: ["match-board.js"] });
    assert.match(await page.evaluate(() => reason()), /no Position ID/);
    assert.equal(await page.evaluate(() => board.querySelectorAll(".point .checker").length), 0);
    assert.deepEqual(await violations(page), []);
    await page.evaluate((id) => board.setAttribute("position", id), START_ID);
    assert.deepEqual(await page.evaluate(() => [board.tree.dice, reason()]), [[3, 1], ""]);
  });

  test("that forbids WebAssembly is told by the board", inBrowser, async (t) => {
    const body = `<gammon-board position="${START}"></gammon-board>`;
    const page = await opened(t, { body, policy: POLICY, expected: ["WebAssembly", "wasm"] });
    assert.match(await page.evaluate(() => reason()), /wasm-unsafe-eval/);
    const [error] = await assign(page, { position: POINTS });
    assert.equal(error, "GammonError");
    assert.equal(await page.evaluate(() => board.querySelectorAll(".point").length), 24);
  });

  test("may load the module twice: the first has the element, and each board knows its own turn", inBrowser, async (t) => {
    const boards = { 31: "landscape", 62: "portrait" };
    const body = Object.entries(boards)
      .map(([dice, layout]) => `<gammon-board position="${START}" dice="${dice}" layout="${layout}"></gammon-board>`).join("");
    const page = await opened(t, { body, scripts: ["match-board.js"] });
    const said = await page.evaluate(async () => {
      const { GammonBoard } = await import("./match-board.js?2");
      const boards = [...document.querySelectorAll("gammon-board")];
      return [...boards.map((board) => [board.dice, board.layout]), boards[0] instanceof GammonBoard];
    });
    assert.deepEqual(said, [[[3, 1], "landscape"], [[6, 2], "portrait"], false]);
  });

  test("may copy a board, which begins as its attributes say, or shows the picture", inBrowser, async (t) => {
    const page = await opened(t);
    const shown = await page.evaluate(async (position) => {
      board.position = position;
      await null;
      const copies = [board.cloneNode(true)];
      board.setAttribute("position", position);
      board.setAttribute("dice", "62");
      copies.push(board.cloneNode(true));
      document.body.append(...copies);
      await null;
      const pictures = (copy) => copy.querySelectorAll("svg").length;
      return copies.map((copy) => [pictures(copy), copy.position?.length ?? null, copy.tree?.dice ?? null]);
    }, START);
    assert.deepEqual(shown, [[1, null, null], [1, 26, [6, 2]]]);
  });

  test("has what stands inside until the board is there", inBrowser, async (t) => {
    const page = await opened(t, { body: `<gammon-board position="${START}"><p>No script.</p></gammon-board>` });
    assert.deepEqual(await page.evaluate(() => [...board.children].map(({ localName }) => localName)), ["svg"]);
  });

  for (const [where, look] of Object.entries(LOOKS)) {
    test(`looks right on ${where}`, inChromium, async (t) => {
      const page = await opened(t, { ...look, height: look.height ?? 800 });
      await page.evaluate(() => styled(":root { color-scheme: light dark }"));
      const upright = look.width < 500 ? { layout: "portrait" } : {};
      await assign(page, { position: START, look: "depth", theme: "auto", ...upright });
      await play(page, "white", [8, 3], [24, 5]);
      assert.ok(await page.evaluate(() => reason()));
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await picture(page, `match-board-${look.width ?? 1280}`);
    });
  }
});

describe("match-board.js and board.js on one page", () => {
  test("a board with the wrong script says so", inBrowser, async (t) => {
    for (const name of ["position", "state"]) {
      const page = await opened(t, { body: `<gammon-board ${name}='{}'></gammon-board>`, scripts: ["board-classic.js"] });
      assert.match(await page.innerText("gammon-board"), new RegExp(`"${name}" needs match-board\\.js`));
    }
    const page = await opened(t, { body: "<gammon-board></gammon-board>", scripts: ["board-classic.js"] });
    assert.equal(await page.innerText("gammon-board"), "");
  });

  test("the console says that the other script came first, since no state would be shown", inBrowser, async (t) => {
    const files = { "listening-classic.js": "console.error = (text) => { document.title = text; };" };
    const page = await opened(t, { files, scripts: ["listening-classic.js", "board-classic.js", ...MATCH_BOARD] });
    assert.match(await page.title(), /^board\.js was loaded before match-board\.js/);
  });

  test("the script twice and the other besides are one global variable, with the class of the element", inBrowser, async (t) => {
    const page = await opened(t, { scripts: [...MATCH_BOARD, "board-classic.js", ...MATCH_BOARD] });
    assert.deepEqual(await page.evaluate(() => [Object.keys(gammonBoard), typeof gammonBoard.rules.newMatch]), [
      ["GammonBoard", "rules"],
      "function",
    ]);
    assert.ok(await page.evaluate(() => board instanceof gammonBoard.GammonBoard));
  });
});
