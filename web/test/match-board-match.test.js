/** `<gammon-board>` on which people play a whole match without a server. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apply, newMatch, readState, toAct } from "../dist/match.js";
import { inBrowser, inChromium, LOOKS, picture, VIEWS, violations } from "../testing/browser.js";
import {
  after, assign, buttons, click, DOUBLED, IN_MONEY, note, opened, plain, ROLLED, START, TO_ROLL,
} from "../testing/matches.js";

const DROPPED = after(DOUBLED, "drop");
const DOUBLED_IN_MONEY = after(IN_MONEY, "double");
const LAST_GAME = after(newMatch({ length: 1 }), "opening_roll", [3, 1]);

/** Show a state, without a word about what was before it, with dice of the test. */
async function showState(page, state, more = {}) {
  await assign(page, { player: null, state, ...more });
  await page.evaluate(async () => {
    board.roll = () => thrown.shift();
    events.length = 0;
    await null;
  });
}

/** The state after the one event that was told, which is on the board. */
async function told(page, state) {
  const [detail, ...others] = await page.evaluate(() => heardOf());
  assert.deepEqual(others, []);
  const next = apply(state, detail.event);
  assert.deepEqual(detail.state, plain(next));
  assert.deepEqual(await page.evaluate(() => board.state), detail.state);
  return next;
}

const play = (page, player, ...steps) => page.evaluate(([player, steps]) => {
  for (const [point, die] of steps) pressOn(point, player, die);
}, [player, steps]);

describe("the buttons", () => {
  for (const [what, state, names] of [
    ["a new match", START, ["opening_roll"]],
    ["a roll", ROLLED, ["resign"]],
    ["a roll or a double", TO_ROLL, ["double", "roll", "resign"]],
    ["a double", DOUBLED, ["drop", "take", "resign"]],
    ["a double in money play", DOUBLED_IN_MONEY, ["drop", "beaver", "take", "resign"]],
    ["a beaver", after(DOUBLED_IN_MONEY, "beaver"), ["drop", "take", "resign"]],
    ["a resignation", after(TO_ROLL, "resign"), ["decline", "accept"]],
    ["a resignation instead of an answer", after(DOUBLED, "resign", "gammon"), ["decline", "accept"]],
    ["the end of a game", DROPPED, ["next_game"]],
    ["the end of a match", after(after(LAST_GAME, "resign"), "accept"), []],
    ["a match to 1", after(LAST_GAME, "play", "8/5 6/5"), ["roll", "resign"]],
  ]) {
    test(`are what is legal: ${what}; none where the other is to act, but what either may do`, inBrowser, async (t) => {
      const page = await opened(t);
      await showState(page, state);
      assert.deepEqual(await buttons(page), names);
      for (const player of ["white", "black"]) {
        await assign(page, { player });
        const expected = [null, player].includes(toAct(state)) ? names : [];
        assert.deepEqual(await buttons(page), expected);
        const onBoard = await page.evaluate(() => board.querySelectorAll("[data-action], .movable").length > 0);
        const isPlayed = `${expected}` === "resign";
        assert.equal(onBoard, isPlayed || ["opening_roll", "double", "take", "roll"].some((name) => expected.includes(name)));
      }
    });
  }

  test("say how much", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [state, name, text] of [
      [TO_ROLL, "double", "Double to 2"],
      [DOUBLED, "take", "Take at 2"],
      [DOUBLED_IN_MONEY, "beaver", "Beaver at 4"],
      [after(DOUBLED, "resign", "gammon"), "accept", "Accept a gammon"],
    ]) {
      await showState(page, state);
      assert.equal(await page.evaluate((name) => board.shadowRoot.getElementById(name).textContent, name), text);
    }
  });

  test("ask who resigns how much, of what the other can still win, and it can be left", inBrowser, async (t) => {
    const page = await opened(t);
    const points = Array(26).fill(0); // with a checker of each borne off, so that nobody wins a gammon
    [points[6], points[19]] = [14, -14];
    const taken = after(DOUBLED, "take");
    const withoutGammons = readState({ ...taken, position: { ...taken.position, points } });
    for (const [state, levels] of [[TO_ROLL, ["single", "gammon", "backgammon"]], [withoutGammons, ["single"]]]) {
      await showState(page, state);
      const before = await buttons(page);
      await click(page, "resign");
      assert.deepEqual(await buttons(page), [...before, ...levels]);
      await click(page, "resign");
      assert.deepEqual(await buttons(page), before);
      await click(page, "resign");
      await click(page, levels.at(-1));
      assert.deepEqual(await told(page, state), after(state, "resign", levels.at(-1)));
    }
  });
});

describe("dice", () => {
  test("that tie are said and rolled again; in money play they may turn the cube", inBrowser, async (t) => {
    const page = await opened(t);
    for (const state of [START, newMatch({ rules: { auto_doubles: 1 } })]) {
      await showState(page, state);
      await page.evaluate(() => { thrown.splice(0, 9, [5, 5], [2, 6]); });
      await click(page, "opening_roll");
      const tied = await told(page, state);
      assert.equal(tied.cube.value, state.length ? 1 : 2);
      assert.match(await note(page), /5-5: roll again/);
      await click(page, ".roll");
      assert.equal((await told(page, tied)).on_roll, "black");
      assert.doesNotMatch(await note(page), /roll again/);
    }
  });

  test("come from the page, or nobody rolls", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [state, names] of [[TO_ROLL, ["double", "resign"]], [START, []]]) {
      await assign(page, { player: null, roll: null, state });
      assert.deepEqual(await buttons(page), names);
      assert.equal(await page.evaluate(() => board.querySelector(".roll")), null);
      assert.match(await note(page), /no dice/);
      assert.match(await page.evaluate(() => status()), /no dice/);
    }
    await page.evaluate(async () => { board.roll = () => [6, 1]; await null; });
    assert.equal(await note(page), "");
    assert.ok(await page.evaluate(() => board.querySelector(".roll")));
  });

  test("that are none change nothing", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, TO_ROLL);
    const rollBy = (roll) => page.evaluate(async (roll) => {
      board.roll = (0, [() => null, () => [7, 1], () => [3], () => Promise.resolve([3, 1]), () => [3, 1]])[roll];
      await null;
      board.shadowRoot.getElementById("roll").click();
      await null;
      return [reason() !== "", events.length, board.state];
    }, roll);
    for (const wrong of [0, 1, 2, 3]) assert.deepEqual(await rollBy(wrong), [true, 0, plain(TO_ROLL)]);
    await rollBy(4);
    assert.deepEqual((await told(page, TO_ROLL)).dice, [3, 1]);
  });
});

describe("what a page does with an event", () => {
  test("it refuses it, and the turn is open again with its moves", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, ROLLED);
    await play(page, "white", [8, 3], [6, 1]);
    await page.evaluate(async () => { isRefused = true; board.endTurn(); await null; });
    const said = await page.evaluate(() => [board.isComplete, board.moves, events.length, board.state.dice]);
    assert.deepEqual(said, [true, [[8, 5], [6, 5]], 1, [3, 1]]);
    await showState(page, TO_ROLL);
    await click(page, "double");
    assert.deepEqual(await page.evaluate(() => [events.length, board.state.offer]), [1, null]);
    assert.deepEqual(await buttons(page), ["double", "roll", "resign"]);
  });

  test("it shows another state instead", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, TO_ROLL);
    await page.evaluate((other) => addEventListener("gammon-change", () => { board.state = other; }, { once: true }), DROPPED);
    await click(page, "double");
    assert.deepEqual(await page.evaluate(async () => [await null, board.state][1]), plain(DROPPED));
  });

  test("it assigns the state that is there, as frameworks do, and refuses nothing", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, TO_ROLL);
    await page.evaluate((same) => addEventListener("gammon-change", () => { board.state = same; }, { once: true }), TO_ROLL);
    await click(page, "double");
    assert.deepEqual(await told(page, TO_ROLL), DOUBLED);
  });
});

describe("what is given", () => {
  const WRONG = {
    state: [
      5, "", "x", "[]", "null", {}, [], { ...ROLLED, dice: [7, 1] }, "a".repeat(10 ** 6), { ...ROLLED, length: -1 },
      { ...ROLLED, extra: 1 },
    ],
    player: [1, "", "White", "both", ["white"]],
    roll: [5, "", [3, 1], {}],
  };
  for (const [name, values] of Object.entries(WRONG)) {
    test(`is one error where it is no ${name}, and changes nothing; an attribute's stands on the board`, inBrowser, async (t) => {
      const page = await opened(t);
      await showState(page, ROLLED);
      await play(page, "white", [8, 3]);
      const kept = () => page.evaluate(() => [board.innerHTML, board.state, board.player, board.moves]);
      const before = await kept();
      for (const value of values) {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        assert.equal(await assign(page, { [name]: value }), "GammonError", text.slice(0, 80));
        assert.deepEqual(await kept(), before, text.slice(0, 80));
        if (name === "roll") continue; // which is no attribute
        await page.evaluate(async ([name, text]) => { board.setAttribute(name, text); await null; }, [name, text]);
        assert.notEqual(await page.evaluate(() => reason()), "");
        assert.deepEqual(await kept(), before, text.slice(0, 80));
        await page.evaluate(async (name) => { board.removeAttribute(name); await null; }, name);
      }
    });
  }

  test("may be attributes", inBrowser, async (t) => {
    const text = JSON.stringify(DOUBLED).replaceAll("'", "&#39;");
    const body = `<gammon-board player=white state='${text}' look=depth></gammon-board>`;
    const page = await opened(t, { body, scripts: ["match-board.js"] });
    const said = await page.evaluate(() => [board.state, board.player, board.position]);
    assert.deepEqual(said, [plain(DOUBLED), "white", plain(DOUBLED.position.points)]);
  });

  test("keeps the moves where it is equal", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, ROLLED);
    await play(page, "white", [8, 3]);
    for (const more of [{ state: ROLLED }, { look: "depth" }, { player: "white" }, { translations: { points: "{count} P" } }]) {
      await assign(page, more);
      const now = await page.evaluate(() => [board.moves, group(5, "white").dataset.count]);
      assert.deepEqual(now, [[[8, 5]], "1"], JSON.stringify(more));
    }
    assert.match(await page.evaluate(() => board.querySelector(".score").textContent), /0 P/);
  });

  test("ends a match where it is a position or a view", inBrowser, async (t) => {
    const page = await opened(t);
    await showState(page, TO_ROLL);
    await assign(page, { position: ROLLED.position.points, dice: "31" });
    assert.deepEqual(await page.evaluate(() => [board.state, board.dice, board.checkers]), [null, [3, 1], 15]);
    assert.deepEqual(await buttons(page), []);
    await showState(page, TO_ROLL);
    await page.evaluate((view) => show(view), VIEWS.rolled);
    assert.deepEqual(await page.evaluate(() => [board.state, board.side]), [null, "white"]);
    assert.deepEqual(await buttons(page), []);
  });

  test("may be strings, or functions of their fields; what is neither is refused", inBrowser, async (t) => {
    const page = await opened(t);
    const translations = () => page.evaluate(() => JSON.stringify(board.translations));
    const before = await translations();
    assert.equal(await assign(page, { translations: { next_game: 5 } }), "TypeError");
    assert.equal(await translations(), before);
    await showState(page, DROPPED);
    const texts = await page.evaluate(async () => {
      const points = ({ count }) => `${count} Punkte`;
      board.translations = { white: "Anna", next_game: "Weiter", points, one_point: "1 Punkt" };
      await null;
      const next = board.shadowRoot.getElementById("next_game");
      return [...board.querySelectorAll(".score, .standing, .name"), next].map(({ textContent }) => textContent);
    });
    for (const text of ["Anna", "0 Punkte \u00b7 163 pips", "Weiter"]) assert.ok(texts.includes(text), text);
  });
});

describe("the play of the other side", () => {
  test("is shown move by move, since the board knows it from the state before", inChromium, async (t) => {
    const page = await opened(t);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const [counts, during, text, names] = await page.evaluate(async ([before, after]) => {
      Object.assign(board, { player: "black", state: before, speed: 300 });
      await null;
      const counts = new Set();
      new MutationObserver(() => counts.add(group(5, "white").dataset.count)).observe(board, { childList: true });
      board.state = after;
      await pause(50);
      const during = buttons();
      await until(() => buttons().length);
      const text = status();
      board.speed = 0;
      return [[...counts], during, text, buttons()];
    }, [ROLLED, TO_ROLL]);
    assert.equal(counts[0], "1");
    assert.deepEqual([during, names], [[], ["double", "resign"]]);
    assert.match(text, /White: 8\/5 6\/5/);
    assert.match(text, /Black: on roll/);
  });

  for (const [what, between] of [
    ["the page assigns the state again meanwhile", []],
    ["the next play begins before this one is over", [ROLLED, TO_ROLL]],
  ]) {
    test(`comes before any button, also where ${what}`, inChromium, async (t) => {
      const page = await opened(t);
      await page.emulateMedia({ reducedMotion: "no-preference" });
      const [during, names] = await page.evaluate(async ([before, after, between]) => {
        Object.assign(board, { player: "black", state: before, speed: 900 });
        await null;
        for (const state of [after, ...between, after]) {
          board.state = state;
          await pause(100);
        }
        await pause(200);
        const during = buttons();
        for (let tries = 0; tries < 5 && !buttons().length; tries++) await until(() => buttons().length);
        board.speed = 0;
        return [during, buttons()];
      }, [ROLLED, TO_ROLL, between]);
      assert.deepEqual([during, names], [[], ["double", "resign"]]);
    });
  }
});

for (const [where, look] of Object.entries(LOOKS)) {
  test(`a match looks right on ${where}`, inChromium, async (t) => {
    const page = await opened(t, { ...look, height: look.height ?? 800 });
    await page.evaluate(() => styled(":root { color-scheme: light dark }"));
    const upright = look.width < 500 ? { layout: "portrait" } : {};
    for (const [name, state] of Object.entries({ roll: TO_ROLL, offer: DOUBLED_IN_MONEY, over: DROPPED })) {
      await showState(page, state, { look: "depth", theme: "auto", ...upright });
      if (name === "roll") await page.evaluate(() => board.shadowRoot.getElementById("resign").click());
      assert.deepEqual(await violations(page), [], name);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
      await picture(page, `match-board-match-${name}-${look.width ?? 1280}`);
    }
  });
}
