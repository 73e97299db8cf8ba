/** `<gammon-board>` whose acts somebody else carries out, such as a server. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newMatch, readState, receive } from "../dist/match.js";
import { inBrowser, press } from "../testing/browser.js";
import {
  after, assign, buttons, click, DOUBLED, IN_MONEY, note, opened, plain, ROLLED, START, TO_ROLL,
} from "../testing/matches.js";

const WAITING = "Sent, and waiting for the answer";
const OVER = after(DOUBLED, "drop");

/** A page whose board sends; a message is answered, or refused, when the test says so. */
async function sending(t, options) {
  const page = await opened(t, options);
  await page.evaluate(() => {
    globalThis.sent = [];
    board.send = (message, player) => new Promise((resolve, reject) => sent.push({ message, player, resolve, reject }));
  });
  return page;
}

const sent = (page) => page.evaluate(() => sent.splice(0).map(({ message, player }) => [message, player]));
const play = (page, ...steps) => page.evaluate((steps) => { for (const [point, die] of steps) pressOn(point, "white", die); }, steps);
const isLocked = (page) => page.evaluate(() => {
  const label = board.shadowRoot.getElementById("note").textContent;
  return [label, buttons(), board.querySelectorAll("[data-action], .movable").length];
});

describe("each act", () => {
  const roll = () => [6, 2];
  for (const [state, names, action, argument, player] of [
    [START, ["opening_roll"], "opening_roll", undefined, "white"],
    [TO_ROLL, ["roll"], "roll", undefined, "black"],
    [TO_ROLL, ["double"], "double", undefined, "black"],
    [DOUBLED, ["take"], "take", undefined, "white"],
    [DOUBLED, ["drop"], "drop", undefined, "white"],
    [after(IN_MONEY, "double"), ["beaver"], "beaver", undefined, "white"],
    [TO_ROLL, ["resign", "gammon"], "resign", "gammon", "black"],
    [after(TO_ROLL, "resign"), ["accept"], "accept", undefined, "white"],
    [after(TO_ROLL, "resign"), ["decline"], "decline", undefined, "white"],
    [OVER, ["next_game"], "next_game", undefined, "white"],
  ]) {
    test(`is sent once as receive takes it, and locks the board: ${names}`, inBrowser, async (t) => {
      const page = await sending(t);
      await assign(page, { state });
      for (const name of names.slice(0, -1)) await click(page, name);
      await page.evaluate((name) => {
        const button = board.shadowRoot.getElementById(name);
        for (let clicks = 0; clicks < 2; clicks++) button.click();
      }, names.at(-1));
      const [[message, by], ...others] = await sent(page);
      assert.deepEqual([message, by, others], [{ action, ...(argument && { argument }) }, player, []]);
      const answer = receive(state, message, by, { roll });
      assert.equal(answer.event.action, action);
      assert.deepEqual(await isLocked(page), [WAITING, [], 0]);
      assert.deepEqual(await page.evaluate(() => [events, heard, board.state]), [[], [], plain(state)]);
      await assign(page, { state: answer.state });
      assert.notEqual((await isLocked(page))[0], WAITING);
      assert.deepEqual(await page.evaluate(() => board.state), plain(answer.state));
    });
  }

  test("is sent once by the dice, the cube and the text on the board too", inBrowser, async (t) => {
    const page = await sending(t, { body: "<gammon-board speed=0 player=black></gammon-board>" });
    for (const [state, action, player] of [[START, "opening_roll", "black"], [TO_ROLL, "roll", "black"], [TO_ROLL, "double", "black"]]) {
      await assign(page, { state });
      const name = `[data-action=${action}]`;
      await page.evaluate((name) => {
        const part = board.querySelector(`${name} rect`);
        for (let clicks = 0; clicks < 3; clicks++) part.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }, name);
      assert.deepEqual(await sent(page), [[{ action }, player]]);
    }
  });

  test("of a play has its moves, which stay where they are", inBrowser, async (t) => {
    const page = await sending(t);
    await assign(page, { state: ROLLED, player: "white" });
    await play(page, [8, 3], [6, 1]);
    await page.evaluate(() => { board.endTurn(); board.endTurn(); });
    assert.deepEqual(await sent(page), [[{ action: "play", argument: [[8, 5], [6, 5]] }, "white"]]);
    await play(page, [13, 3]);
    await page.evaluate(() => board.undo());
    assert.deepEqual(await page.evaluate(() => board.moves), [[8, 5], [6, 5]]);
    assert.deepEqual(await isLocked(page), [WAITING, [], 0]);
    await assign(page, { translations: { sending: "..." }, look: "depth" }); // which are drawn
    assert.deepEqual([await isLocked(page), await page.evaluate(() => board.moves.length)], [["...", [], 0], 2]);
    await assign(page, { state: TO_ROLL });
    assert.equal(await note(page), "");
  });
});

describe("what is answered", () => {
  test("may be an equal state, after a tie or a lost message: the board is open again, with its moves", inBrowser, async (t) => {
    const page = await sending(t);
    for (const [state, name] of [[START, "opening_roll"], [TO_ROLL, "double"]]) {
      await assign(page, { state });
      const before = await buttons(page);
      await click(page, name);
      await assign(page, { state: plain(state) });
      assert.deepEqual(await buttons(page), before);
    }
    await assign(page, { state: ROLLED });
    await play(page, [8, 3], [6, 1]);
    await page.evaluate(() => board.endTurn());
    await assign(page, { state: plain(ROLLED) });
    assert.deepEqual(await page.evaluate(() => [board.moves, board.isComplete]), [[[8, 5], [6, 5]], true]);
  });

  test("may be a refusal, whose reason stands on the board; of a resignation in the middle of a turn the moves stay", inBrowser, async (t) => {
    const page = await sending(t);
    for (const [error, said] of [
      ["new Error('<b>no</b>')", "<b>no</b>"], ["'too late'", "too late"], ["null", "That was not done"], ["Error()", "That was not done"], ["new Error('x'.repeat(1e5))", "x".repeat(300)],
    ]) {
      await assign(page, { state: START });
      await assign(page, { state: ROLLED });
      await play(page, [8, 3]);
      await click(page, "resign");
      await click(page, "single");
      assert.deepEqual(await isLocked(page), [WAITING, [], 0]);
      await page.evaluate(async (error) => {
        sent.pop().reject((0, eval)(error));
        await pause(20);
      }, error);
      assert.deepEqual(await page.evaluate(() => [reason(), board.moves, buttons()]), [said, [[8, 5]], ["undo", "resign"]]);
      await page.evaluate(() => pressOn(6, "white", 1));
      assert.equal(await page.evaluate(() => board.isComplete), true);
    }
  });

  test("comes too late where the page has gone on", inBrowser, async (t) => {
    const page = await sending(t);
    await assign(page, { state: TO_ROLL });
    await click(page, "roll");
    await assign(page, { state: DOUBLED });
    await click(page, "take");
    await page.evaluate(async () => { sent.shift().reject(new Error("late")); await pause(20); });
    assert.deepEqual([await isLocked(page), await page.evaluate(() => reason())], [[WAITING, [], 0], ""]);
  });

  test("is awaited where send throws, or gives no promise", inBrowser, async (t) => {
    const page = await sending(t);
    await page.evaluate(() => { board.send = () => { throw Error("offline"); }; });
    await assign(page, { state: TO_ROLL });
    await click(page, "roll");
    await page.evaluate(() => pause(20));
    assert.deepEqual(await page.evaluate(() => [reason(), buttons()]), ["offline", ["double", "roll", "resign"]]);
    await page.evaluate(() => { board.send = () => {}; });
    await click(page, "roll");
    await page.evaluate(() => pause(20));
    assert.deepEqual(await isLocked(page), [WAITING, [], 0]);
  });
});

describe("what is done by itself", () => {
  const MATCH_TO_1 = after(after(newMatch({ length: 1 }), "opening_roll", [3, 1]), "play", "8/5 6/5");
  const points = Array(26).fill(0); // Black is on the bar against a closed board
  for (const point of [19, 20, 21, 22, 23, 24]) points[point] = -2;
  [points[25], points[1], points[6]] = [1, -3, 14];
  const DANCE = readState({ ...plain(after(TO_ROLL, "roll", [6, 4])), position: { points, checkers: 15 } });

  for (const [what, state, auto] of [["a roll", MATCH_TO_1, "roll"], ["a dance", DANCE, "forced"]]) {
    test(`is not sent again when it is refused: ${what}`, inBrowser, async (t) => {
      const page = await opened(t);
      const calls = await page.evaluate(async ([state, auto]) => {
        let calls = 0;
        Object.assign(board, { auto, state, send: async () => { calls += 1; throw Error("offline"); } });
        await until(() => calls);
        await pause(60);
        return [calls, reason()];
      }, [state, auto]);
      assert.deepEqual(calls, [1, "offline"]);
      if (auto === "roll") {
        await click(page, "roll"); // the person may try again
        assert.equal(await page.evaluate(() => reason()), "offline");
      }
    });
  }
});

test("a position or a view ends what is awaited", inBrowser, async (t) => {
  const page = await sending(t);
  for (const next of [() => Object.assign(board, { position: "4HPwATDgc/ABMA", dice: [3, 1] }), () => { board.view = board.view; }]) {
    await assign(page, { state: TO_ROLL });
    await click(page, "roll");
    await page.evaluate(async (next) => { (0, eval)(next)(); await null; }, `(${next})`);
    assert.notEqual(await note(page), WAITING);
  }
});

test("the board throws no dice, asks no opponent, and tells no event; what is no function is refused", inBrowser, async (t) => {
  const page = await sending(t);
  await page.evaluate(() => { board.roll = () => { thrown.push("asked"); return [3, 1]; }; });
  await assign(page, { opponent: "club", state: TO_ROLL, player: "white" });
  await page.evaluate(() => pause(60));
  assert.deepEqual(await page.evaluate(() => [thrown, reason(), board.state.dice]), [[], "", null]);
  await assign(page, { opponent: null, player: null });
  await click(page, "roll");
  assert.deepEqual(await page.evaluate(() => [thrown, events]), [[], []]);
  for (const wrong of [5, "", {}]) assert.equal(await assign(page, { send: wrong }), "GammonError");
});

test("keys alone send, and read what is waited for", inBrowser, async (t) => {
  const page = await sending(t);
  await assign(page, { state: after(after(DOUBLED, "take"), "roll", [6, 5]) });
  await page.evaluate(() => board.focus());
  await page.evaluate(() => { pressOn(24, "black", 6); pressOn(18, "black", 5); board.focus(); });
  await press(page, "Enter");
  assert.deepEqual(await sent(page), [[{ action: "play", argument: [[24, 18], [18, 13]] }, "black"]]);
  assert.match(await page.evaluate(() => status()), new RegExp(WAITING));
});
