/** What `<gammon-board>` shows of a match: how it came to this, whose turn it is, what is offered, and on which screens. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newMatch, readState } from "../dist/match.js";
import { finger, inBrowser, inChromium, picture, pointer, press, violations } from "../testing/browser.js";
import {
  after, assign, buttons, click, DOUBLED, IN_MONEY, note, opened, plain, ROLLED, START, TO_ROLL,
} from "../testing/matches.js";

const event = (action, argument) => ({ action, ...(argument && { argument }) });
/** A state, and how it came about. */
const led = (start, ...events) => ({
  state: events.reduce((state, { action, argument }) => after(state, action, argument), start),
  last: { start, events },
});
const OPENED = [event("opening_roll", [3, 1]), event("play", "8/5 6/5")];
const BLACK_PLAYED = [...OPENED, event("roll", [6, 2]), event("play", "24/18 13/11")];
const TIED = event("opening_roll", [5, 5]);

/** What is marked, and the dice: their players and faces, those of before first, and on which side of the board they are. */
const shown = (page) => page.evaluate(() => {
  const middle = board.querySelector(".frame").getBoundingClientRect();
  const diceOf = (dice) => [...dice].map((die) => {
    const { x } = die.getBoundingClientRect();
    return `${die.dataset.player} ${die.dataset.value} ${x > middle.x + middle.width / 2 ? "right" : "left"}`;
  });
  const countOf = (mark) => board.querySelectorAll(mark).length;
  return {
    from: countOf(".last-from"),
    to: countOf(".last-to"),
    last: diceOf(board.querySelectorAll(".die.last")),
    dice: diceOf(board.querySelectorAll(".die:not(.last)")),
  };
});
const NOTHING = { from: 0, to: 0, last: [], dice: [] };
const numbers = (page) => page.evaluate(() => [...board.querySelectorAll("text.number:not(.count)")].map(({ textContent }) => textContent));
const status = (page) => page.evaluate(() => status());
const reason = (page) => page.evaluate(() => reason());
const lastOf = (page) => page.evaluate(() => board.last);

describe("the last play", () => {
  test("is marked with its dice until the next one begins, and read out", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { player: "white", ...led(START, ...BLACK_PLAYED, event("roll", [6, 4])) });
    const marked = { from: 2, to: 2, last: ["black 6 left", "black 2 left"], dice: ["white 6 right", "white 4 right"] };
    assert.deepEqual(await shown(page), marked);
    assert.equal(await note(page), "Black: 24/18 13/11");
    assert.match(await status(page), /Black: 24\/18 13\/11 \(62\)/);
    await page.evaluate(() => pressOn(24, "white", 6));
    assert.deepEqual(await shown(page), { ...marked, from: 0, to: 0 });
    await page.evaluate(() => board.undo());
    assert.deepEqual(await shown(page), marked);
  });

  test("is shown move by move where the page brings its roll and its play at once", inChromium, async (t) => {
    const page = await opened(t);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await assign(page, { player: "white", state: TO_ROLL, speed: 300 });
    const counts = await page.evaluate(async (next) => {
      const places = new Set();
      const placeOf = (checker) => `${checker.getAttribute("cx")} ${checker.getAttribute("cy")}`;
      const look = () => places.add(String([...board.querySelectorAll(".checker.black:not(.flying)")].map(placeOf).sort()));
      new MutationObserver(look).observe(board, { childList: true });
      Object.assign(board, next);
      await until(() => buttons().length);
      return [places.size, board.querySelectorAll(".last-to").length];
    }, led(START, ...BLACK_PLAYED));
    assert.deepEqual(counts, [2, 2]); // after each checker
    for (const [last, length] of [[[], 0], [[event("roll", [6, 4])], 2]]) {
      await assign(page, { state: TO_ROLL });
      await assign(page, led(START, ...BLACK_PLAYED, ...last));
      assert.equal(await page.evaluate(() => board.querySelectorAll(".flying").length > 0), true, `${length} dice`);
    }
    await assign(page, { state: START, last: null });
    await assign(page, led(START, ...BLACK_PLAYED)); // of another position it is no play
    assert.equal((await shown(page)).to, 2);
  });

  test("that wins is followed by the result, also where nothing is known of it", inBrowser, async (t) => {
    const page = await opened(t);
    const points = Array(26).fill(0);
    [points[2], points[1], points[20]] = [1, 1, -15];
    const before = readState({ ...ROLLED, position: { points, checkers: 15 } });
    await assign(page, { player: "black", state: before });
    await assign(page, { state: after(before, "play", "2/off 1/off") });
    assert.match(await status(page), /White: 2\/off 1\/off.*White wins a gammon: 2 points/);
  });

  test("may come before the state or after it, and what the board does goes on from there", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { board.roll = () => thrown.shift(); });
    const { state, last } = led(START, ...BLACK_PLAYED);
    for (const order of [["state", "last"], ["last", "state"]]) {
      await assign(page, { state: START });
      await assign(page, Object.fromEntries(order.map((name) => [name, { state, last }[name]])));
      assert.equal((await shown(page)).to, 2, `${order}`);
      assert.deepEqual((await lastOf(page)).events.length, 4);
      await page.evaluate(() => { thrown.push([6, 4]); });
      await click(page, "roll");
      assert.equal((await shown(page)).to, 2, `${order}`);
      const { start, events } = await lastOf(page);
      assert.deepEqual(await page.evaluate(() => board.state), plain(led(readState(start), ...events).state));
      assert.deepEqual(events.slice(4).map(({ action }) => action), ["roll"]);
    }
  });

  test("is not drawn where it leads elsewhere, and the board says so; another state drops it", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { board.roll = () => [3, 1]; });
    const { last } = led(START, ...BLACK_PLAYED);
    await assign(page, { last, state: TO_ROLL });
    assert.deepEqual(await shown(page), NOTHING);
    assert.match(await reason(page), /^last: .* do not lead to the state$/);
    await assign(page, { state: led(START, ...BLACK_PLAYED).state });
    assert.deepEqual([(await shown(page)).to, await reason(page)], [2, ""]);
    await assign(page, { state: DOUBLED });
    assert.deepEqual([await shown(page), await reason(page), await lastOf(page)], [NOTHING, "", null]);
    await assign(page, led(START, ...OPENED));
    await assign(page, { last: null });
    assert.deepEqual([await shown(page), await note(page)], [NOTHING, ""]);
  });

  test("that cannot have been so is one error, and changes nothing", inBrowser, async (t) => {
    const page = await opened(t);
    const right = led(START, ...OPENED);
    await assign(page, right);
    const before = [await shown(page), await lastOf(page)];
    for (const [last, said] of [
      [5, "last"], [[], "last"], [{ start: START }, "last.events"], [{ events: [] }, "last.start"],
      [{ ...right.last, dice: 1 }, "last.dice"], [{ start: {}, events: [] }, "last.start"], [{ start: START, events: {} }, "last.events"],
      [{ start: START, events: Array(101).fill(TIED) }, "at most 100 events"],
      [{ start: START, events: [OPENED[0], event("roll", [1, 2])] }, "last.events[1]"],
      [{ start: START, events: ["<b>"] }, "last.events[0]"],
    ]) {
      const error = await page.evaluate((last) => {
        try {
          board.last = last;
        } catch ({ name, message }) {
          return `${name} ${message}`;
        }
      }, last);
      assert.ok(error.startsWith("GammonError") && error.includes(said), error);
      assert.deepEqual([await shown(page), await lastOf(page)], before);
    }
  });

  test("holds at most 100 events", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, led(START, ...Array(99).fill(TIED)));
    await page.evaluate(() => { board.roll = () => thrown.shift() ?? [4, 4]; });
    for (const count of [100, 100]) {
      await click(page, "opening_roll");
      assert.equal((await lastOf(page)).events.length, count);
    }
  });

  test("of a game that is over is marked too, its dice in the tray of the cube", inBrowser, async (t) => {
    const page = await opened(t);
    const points = Array(26).fill(0);
    [points[2], points[1], points[20]] = [1, 1, -15];
    const won = led(readState({ ...ROLLED, position: { points, checkers: 15 } }), event("play", "2/off 1/off"));
    await assign(page, won);
    assert.deepEqual(await shown(page), { from: 2, to: 2, last: ["white 3 left", "white 1 left"], dice: [] });
  });
});

test("what is equal to what is there leaves a drag as it is", inBrowser, async (t) => {
  const page = await opened(t);
  await page.evaluate(() => { board.roll = () => [3, 1]; });
  const { state, last } = led(START, OPENED[0]);
  const [player, names, translations] = ["white", { white: "Ann" }, { resign: "Give up" }];
  await assign(page, { state, last, player, names, translations });
  const [from, to] = await page.evaluate(() => [placeOf([8, "white"]), placeOf([5, "white"])]);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to);
  await assign(page, { state, last, player, names, translations, numbers: null, opponent: null, clocks: {} });
  await page.evaluate(async () => { board.roll = () => [6, 1]; await null; });
  await page.mouse.up();
  assert.deepEqual(await page.evaluate(() => board.moves), [[8, 5]]);
});

describe("an opening", () => {
  test("shows each player's die on their side, and says who begins", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [thrown, dice, said] of [
      [[3, 1], ["white 3 right", "black 1 left"], "3-1: White begins"],
      [[2, 6], ["black 6 left", "white 2 right"], "2-6: Black begins"],
    ]) {
      await assign(page, led(START, event("opening_roll", thrown)));
      assert.deepEqual(await shown(page), { ...NOTHING, dice });
      assert.equal(await note(page), said);
      assert.match(await status(page), new RegExp(said));
    }
    await page.evaluate(() => { pressOn(24, "black", 6); pressOn(24, "black", 2); });
    assert.equal(await page.evaluate(() => board.isComplete), true); // both are played
  });

  test("shows each tie, two equal ones too", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { board.roll = () => [3, 1]; });
    await assign(page, led(START, TIED));
    assert.deepEqual(await shown(page), { ...NOTHING, last: ["white 5 right", "black 5 left"] });
    assert.equal(await note(page), "5-5: roll again");
    await assign(page, led(START, TIED, TIED));
    assert.equal(await note(page), "5-5, 5-5: roll again");
    assert.match(await status(page), /5-5, 5-5: roll again/);
  });

  test("is rolled by its text on the board", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { state: START });
    assert.equal(await page.evaluate(() => board.querySelector("[data-action]")), null); // without dice
    await page.evaluate(async () => { board.roll = () => [6, 1]; await null; });
    assert.equal(await page.evaluate(() => board.querySelector("[data-action]").ariaLabel), "Opening roll");
    await click(page, "[data-action=opening_roll]");
    assert.equal(await page.evaluate(() => board.state.on_roll), "white");
  });
});

describe("the numbers", () => {
  test("stay, and the player here sits at the bottom", inBrowser, async (t) => {
    const page = await opened(t);
    const down = Array.from({ length: 12 }, (_, at) => `${12 - at}`);
    const up = Array.from({ length: 12 }, (_, at) => `${13 + at}`);
    const whose = () => page.evaluate(() => {
      const [above, below] = [...board.querySelectorAll(".side")].sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y);
      return [above, below].map(({ dataset }) => dataset.player);
    });
    for (const player of ["white", "black"]) {
      const other = player === "white" ? "black" : "white";
      for (const flip of [false, true]) {
        const seen = [];
        for (const state of [START, ROLLED, TO_ROLL]) {
          await assign(page, { player, flip, state });
          seen.push(await numbers(page));
          assert.deepEqual(await whose(), flip ? [player, other] : [other, player]);
        }
        assert.deepEqual(seen[0].toSorted(), [...down, ...up].toSorted());
        assert.deepEqual(seen[1], seen[0]);
        assert.deepEqual(seen[2], seen[0]);
      }
    }
  });

  test("turn without a player, and where the page says so", inBrowser, async (t) => {
    const page = await opened(t);
    const after = async (properties) => {
      await assign(page, { player: null, numbers: null, state: ROLLED, ...properties });
      const before = await numbers(page);
      await assign(page, { state: TO_ROLL });
      return String(before) === String(await numbers(page));
    };
    assert.equal(await after({}), false);
    assert.equal(await after({ numbers: "fixed" }), true);
    assert.equal(await after({ player: "white" }), true);
    assert.equal(await after({ player: "white", numbers: "turning" }), false);
    assert.equal(await assign(page, { numbers: "off" }), "GammonError");
  });

  test("that are printed name the places; a play has those of its player", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { player: "white", state: led(START, ...OPENED, event("roll", [6, 2])).state });
    assert.match(await page.evaluate(() => group(24, "black").ariaLabel), /^point 1, 2 Black/);
    await assign(page, { player: null, numbers: "fixed" });
    await page.evaluate(() => pressOn(24, "black", 6));
    assert.equal(await status(page), "24/18");
  });
});

describe("who plays", () => {
  test("stands out while it is their turn, by name, with their clock", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { state: TO_ROLL, names: { white: "Ann", black: "Bob" }, clocks: { white: "1:30" } });
    const sides = () => page.evaluate(() => [...board.querySelectorAll(".side")].map((side) => {
      const color = side.querySelector("rect").getAttribute("fill");
      return [side.dataset.player, side.querySelector("svg").textContent, side.querySelector(".clock").textContent, color.includes("highlight")];
    }).sort());
    assert.deepEqual(await sides(), [["black", "Bob", "", true], ["white", "Ann", "1:30", false]]);
    await page.evaluate(() => { globalThis.picture = board.querySelector("svg"); board.clocks = { white: "1:29", black: "0:05" }; });
    assert.deepEqual(await sides(), [["black", "Bob", "0:05", true], ["white", "Ann", "1:29", false]]);
    assert.ok(await page.evaluate(() => board.querySelector("svg") === picture)); // nothing is drawn anew
    await assign(page, { state: DOUBLED });
    assert.deepEqual((await sides()).map(([, , , isTurn]) => isTurn), [false, true]);
    for (const [wrong, where] of [[5, ""], [[], ""], [{ white: 5 }, ".white"], [{ red: "x" }, ".red"]]) {
      for (const name of ["names", "clocks"]) {
        const said = await page.evaluate(([name, wrong]) => {
          try {
            board[name] = wrong;
          } catch (error) {
            return `${error.name}: ${error.message}`;
          }
        }, [name, wrong]);
        assert.equal(said, `TypeError: ${name}${where} is wrong`);
      }
    }
    await assign(page, { names: { white: "  ", black: null } });
    assert.match((await sides()).map(([, name]) => name).join(), /^Black,White$/);
    await assign(page, { names: { white: `<b>\u202e${"x".repeat(1e6)}`, black: "\u05e9" } });
    assert.equal(await page.evaluate(() => board.querySelector("b")), null);
    assert.equal((await page.evaluate(() => board.names.white)).length, 100);
    assert.match(await status(page), /\u2068\u05e9\u2069/);
  });
});

describe("what is offered", () => {
  const offer = (page) => page.evaluate(() => {
    const part = (id) => board.shadowRoot.getElementById(id);
    return part("offer").hidden ? null : [part("offered").textContent, part("stakes").textContent];
  });
  const AT_2 = after(after(DOUBLED, "take"), "roll", [6, 5]);

  test("stands on the board with what it means, for who answers", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [state, player, said, names] of [
      [TO_ROLL, null, null, ["resign"]],
      [DOUBLED, null, ["Black doubles to 2", "Drop: lose 1 \u00b7 Take: play for 2"], ["drop", "take", "resign"]],
      [DOUBLED, "white", ["Black doubles to 2", "Drop: lose 1 \u00b7 Take: play for 2"], ["drop", "take", "resign"]],
      [DOUBLED, "black", ["Black doubles to 2", ""], []],
      [after(after(IN_MONEY, "double"), "beaver"), null, ["White beavers to 4", "Drop: lose 2 \u00b7 Take: play for 4"], ["drop", "take", "resign"]],
      [after(AT_2, "resign", "gammon"), null, ["Black resigns a gammon", "Accept: win 4 points \u00b7 Decline: play on"], ["decline", "accept"]],
      [after(TO_ROLL, "resign"), null, ["Black resigns a single game", "Accept: win 1 point \u00b7 Decline: play on"], ["decline", "accept"]],
    ]) {
      await assign(page, { player, state });
      assert.deepEqual([await offer(page), (await buttons(page)).filter((name) => name !== "double")], [said, names]);
      for (const flip of [true, false]) {
        const covers = await page.evaluate((flip) => {
          board.flip = flip;
          const cube = board.querySelector(".cube.offered")?.getBoundingClientRect();
          const answers = board.shadowRoot.getElementById("offer").getBoundingClientRect();
          return cube && cube.right > answers.left && cube.left < answers.right;
        }, flip);
        assert.ok(!covers); // the cube can be clicked beside it
      }
    }
    await assign(page, { player: null, state: DOUBLED });
    await click(page, "drop");
    assert.equal((await page.evaluate(() => heardOf())).at(-1).event.action, "drop");
    assert.equal(await offer(page), null);
  });

  test("and a cube ask before they are turned, by mouse and touch; the second of a double click is none", inChromium, async (t) => {
    const page = await opened(t, { hasTouch: true });
    const told = () => page.evaluate(() => events.splice(0).map(({ event }) => event.action));
    const cube = () => page.evaluate(() => middle(board.querySelector(".cube")));
    for (const [state, action, label] of [[TO_ROLL, "double", "Double to 2"], [DOUBLED, "take", "Take at 2"]]) {
      for (const [press, wait] of [[(place) => pointer(page, [place]), 0], [(place) => finger(page, [place]), 400]]) {
        await assign(page, { state: START });
        await assign(page, { state });
        await press(await cube());
        assert.deepEqual([await told(), (await reason(page)).startsWith(`${label}?`)], [[], true]);
        await page.waitForTimeout(wait);
        await press(await cube());
        assert.deepEqual(await told(), [action]);
      }
      await assign(page, { state: START });
      await assign(page, { state });
      await page.mouse.dblclick(...await cube());
      assert.deepEqual(await told(), []);
      await assign(page, { state: START });
      await assign(page, { state }); // so nothing is asked any more
      for (const _ of "12") await finger(page, [await cube()]);
      assert.deepEqual(await told(), []);
    }
    await assign(page, { state: TO_ROLL, translations: { prompt: "" } });
    await pointer(page, [await cube()]);
    assert.deepEqual(await told(), ["double"]);
  });

  test("asks anew where something else was clicked in between", inBrowser, async (t) => {
    const page = await opened(t);
    await assign(page, { state: TO_ROLL });
    const places = await page.evaluate(() => [middle(board.querySelector(".cube")), placeOf([3, "white"])]);
    for (const place of [places[0], places[1], places[0]]) await pointer(page, [place]);
    assert.deepEqual(await page.evaluate(() => events.length), 0);
    await pointer(page, [places[0]]);
    assert.deepEqual(await page.evaluate(() => events.map(({ event }) => event.action)), ["double"]);
  });
});

test("who only watches does nothing", inBrowser, async (t) => {
  const page = await opened(t);
  await page.evaluate(() => { board.roll = () => [3, 1]; });
  for (const state of [START, ROLLED, TO_ROLL, DOUBLED, after(DOUBLED, "drop")]) {
    await assign(page, { player: "none", state });
    assert.deepEqual([await buttons(page), await page.evaluate(() => board.querySelectorAll("[data-action], .movable").length)], [[], 0]);
  }
  await page.evaluate(() => board.dispatchEvent(new CustomEvent("gammon-action", { detail: { action: "roll" } })));
  assert.deepEqual(await page.evaluate(() => [events, reason()]), [[], ""]);
});

test("Escape gives up a drag", inBrowser, async (t) => {
  const page = await opened(t);
  await assign(page, { state: ROLLED });
  const [from, to] = await page.evaluate(() => [placeOf([8, "white"]), placeOf([5, "white"])]);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to);
  await press(page, "Escape");
  await page.mouse.up();
  assert.deepEqual(await page.evaluate(() => [board.moves, group(8, "white").dataset.count]), [[], "3"]);
  await pointer(page, [from, to]);
  assert.deepEqual(await page.evaluate(() => board.moves), [[8, 5]]);
});

test("the marks at the end of a flight wait for the checker", inChromium, async (t) => {
  const page = await opened(t);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await assign(page, { state: ROLLED, speed: 3000 });
  const visible = () => page.evaluate(() => group(5, "white").querySelector(".highlight")?.style.visibility);
  await page.evaluate(() => pressOn(8, "white", 3));
  assert.equal(await visible(), "hidden");
  await page.evaluate(() => { for (const motion of board.getAnimations({ subtree: true })) motion.finish(); });
  await page.waitForFunction(() => group(5, "white").querySelector(".highlight").style.visibility === "");
});

describe("a roll by itself", () => {
  const MATCH_TO_1 = after(after(newMatch({ length: 1 }), "opening_roll", [3, 1]), "play", "8/5 6/5");
  const OWNED = after(after(after(DOUBLED, "take"), "roll", [6, 5]), "play", "24/18/13"); // White's, who may double
  for (const [what, state, auto, expected] of [
    ["is made where nobody doubles", MATCH_TO_1, "roll", ["roll"]],
    ["is made where the other has the cube", after(after(OWNED, "roll", [2, 1]), "play", "13/11 6/5"), "forced roll", ["roll"]],
    ["is not made where a double is possible", TO_ROLL, "roll", []],
    ["is not made of an opening", START, "roll", []],
    ["is not made where the page does not want it", MATCH_TO_1, "forced", []],
  ]) {
    test(what, inBrowser, async (t) => {
      const page = await opened(t);
      const told = await page.evaluate(async ([state, auto, isAwaited]) => {
        Object.assign(board, { auto, state, roll: () => [3, 1] });
        if (isAwaited) await until(() => events.length);
        else await pause(60);
        return events.map(({ event }) => event.action);
      }, [state, auto, expected.length > 0]);
      assert.deepEqual(told, expected);
    });
  }
});

const SCREENS = {
  opening: { state: START },
  tie: led(START, TIED),
  rolled: led(START, ...BLACK_PLAYED, event("roll", [6, 4])),
  roll: led(START, ...BLACK_PLAYED),
  double: led(START, ...OPENED, event("double")),
  resignation: led(START, ...OPENED, event("resign", "backgammon")),
  over: led(START, ...OPENED, event("double"), event("drop")),
};
for (const [what, look] of Object.entries({
  "a phone held sideways": { width: 844, height: 390 },
  "a small phone held sideways": { width: 568, height: 320, dark: true },
  "a small phone": { width: 320, height: 640, dark: true, layout: "portrait" },
  "a desk": {},
})) {
  test(`a match fits on ${what}, and can be used by everybody`, inChromium, async (t) => {
    const { layout = "landscape", ...screen } = look;
    const page = await opened(t, screen);
    await page.evaluate(() => {
      styled(":root { color-scheme: light dark } body, h1 { margin: 0 } h1 { position: absolute; clip-path: inset(50%) } gammon-board { height: 100dvh }");
      board.roll = () => thrown.shift();
    });
    for (const [name, shown] of Object.entries(SCREENS)) {
      await page.evaluate(async (properties) => {
        Object.assign(board, { look: "depth", theme: "auto", names: { white: "Ann", black: "Wolfeschlegelsteinhausenberger" }, ...properties });
        await null;
      }, { layout, ...shown });
      const [width, height, ends] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        const places = [...board.shadowRoot.querySelectorAll("button, #offer")].map((part) => part.getBoundingClientRect());
        const isInside = ({ left, right, bottom }) => left >= 0 && right <= innerWidth && bottom <= innerHeight;
        return [scrollWidth - innerWidth, scrollHeight - innerHeight, places.every(isInside)];
      });
      assert.deepEqual([width <= 0, height <= 0, ends], [true, true, true], `${name}: ${width} ${height}`);
      assert.deepEqual(await violations(page), [], name);
      await picture(page, `match-board-last-${name}-${look.width ?? 1280}`);
    }
  });
}
