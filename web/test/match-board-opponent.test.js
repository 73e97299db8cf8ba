/** `<gammon-board>` with an opponent and a tutor, for which something stands in that decides as a test says. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newMatch } from "../dist/match.js";
import { inBrowser, inChromium, LOOKS, open, picture, POLICY_WITH_RULES, press, violations } from "../testing/browser.js";
import { after, note, plain, ROLLED, START, TO_ROLL } from "../testing/matches.js";

const BLACK_ROLLED = after(TO_ROLL, "roll", [6, 4]);
const MINE = after(BLACK_ROLLED, "play", "24/14");
const DROPPED = after(after(TO_ROLL, "double"), "drop");
const MONEY = after(after(newMatch({ rules: { beavers: 1 } }), "opening_roll", [3, 1]), "play", "8/5 6/5");

/** What a page has of an opponent: legal plays lose more the later they stand in their list, each 0.06 points. */
const STAND_IN = `
  const errors = [], asked = [], taught = [];
  let answers = []; // the actions that the opponent takes next, if they are legal
  addEventListener("gammon-error", ({ detail }) => errors.push([detail.error.name, detail.error.reason, detail.error.message]));
  const standIn = {
    name: "somebody",
    decide(state, { strength } = {}) {
      const { rules } = gammonBoard;
      asked.push(strength);
      if (!rules.toAct(state)) throw Error("nobody is to act");
      const can = rules.legalActions(state);
      if (answers[0] === "refuse") rules.internals.fail("no such rules here", { reason: answers.shift() });
      const action = can.includes(answers[0]) ? answers.shift() : ["accept", "take", "roll", "play"].find((name) => can.includes(name));
      const { points } = state.position;
      const play = () => rules.notation(points, state.dice, rules.legalPlays(points, state.dice)[0].moves);
      return { by: rules.toAct(state), action, ...(action === "play" && { argument: play() }) };
    },
    candidates({ position: { points }, dice }, { limit, also = [] }) {
      const { rules } = gammonBoard;
      const all = rules.legalPlays(points, dice).map((play, at) => ({ ...play, text: rules.notation(points, dice, play.moves), loss: 0.06 * at }));
      const others = also.map((moves) => String(rules.find(points, dice, moves).points));
      return all.filter((play, at) => at < limit || others.includes(String(play.points)));
    },
    cube({ offer }) {
      if (offer?.beavers) throw Error("nobody doubles here");
      return { no_double: 0.5, double_take: 0.75, double_drop: 1 };
    },
  };
  const load = () => { globalThis[Symbol.for("gammon-board/opponent")] = standIn; };`;

async function opened(t, { isLoaded = true, body = "<gammon-board speed='0'></gammon-board>", ...options } = {}) {
  const files = { "stand-in-classic.js": STAND_IN };
  const page = await open(t, body, ["match-board-classic.js", "stand-in-classic.js"], { policy: POLICY_WITH_RULES, height: 900, files, ...options });
  await page.evaluate((isLoaded) => {
    board.roll = () => thrown.shift() ?? [2, 1];
    if (isLoaded) load();
  }, isLoaded);
  return page;
}

/** Assign these properties, wait until the opponent has acted as often, and a while for what must not happen. */
const go = (page, properties, acts = 0) => page.evaluate(async ([properties, acts]) => {
  const before = events.length;
  Object.assign(board, properties);
  await until(() => events.length >= before + acts);
  await pause(60);
  return [events.slice(before).map(({ event }) => [event.by, event.action]), board.state];
}, [properties, acts]);

const shownArrows = (page) => page.evaluate(() => [board.arrows, board.querySelectorAll("path.arrow.drawn").length]);
const pressButton = (page, name) => page.evaluate((name) => board.shadowRoot.getElementById(name).click(), name);
/** Play White's 31 as it stands in the list of legal plays. */
const playNumber = (page, number) => page.evaluate(async (number) => {
  const { position: { points }, dice } = board.state;
  for (const [from, to] of gammonBoard.rules.legalPlays(points, dice)[number].moves) pressOn(from, "white", from - to);
  board.focus();
  board.endTurn();
  await null;
}, number);

describe("the opponent", () => {
  test("plays the other side with its strength, and every act is told", inBrowser, async (t) => {
    const page = await opened(t);
    const [told, state] = await go(page, { opponent: "club", state: TO_ROLL }, 2);
    assert.deepEqual(told, [["black", "roll"], ["black", "play"]]);
    assert.equal(state.on_roll, "white");
    assert.deepEqual(await page.evaluate(() => [board.opponent, asked, buttons()]), ["club", ["club", "club"], ["double", "roll", "resign"]]);
    assert.match(await note(page), /^Black: \d+/);
    assert.deepEqual(await go(page, { player: "black", state: MINE }, 2).then(([told]) => told), [["white", "roll"], ["white", "play"]]);
  });

  test("waits until people have seen dice and plays, also without motion", inBrowser, async (t) => {
    const page = await opened(t);
    const times = await page.evaluate(async (state) => {
      const times = [performance.now()];
      board.addEventListener("gammon-change", () => times.push(performance.now()));
      Object.assign(board, { speed: 100, opponent: "club", state });
      await until(() => times.length > 2);
      return times;
    }, TO_ROLL);
    assert.ok(times[1] - times[0] > 295, `${times}`);
    assert.ok(times[2] - times[1] > 295, `${times}`);
  });

  test("doubles, answers, and cannot move: all of it is seen", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { answers = ["double"]; });
    const [told] = await go(page, { opponent: "strong", state: TO_ROLL }, 1);
    assert.deepEqual([told, await page.evaluate(() => buttons())], [[["black", "double"]], ["drop", "take", "resign"]]);
    await page.evaluate(() => { answers = ["decline"]; });
    await go(page, { state: MINE });
    await pressButton(page, "resign");
    await pressButton(page, "single");
    await page.evaluate(() => until(() => events.at(-1).event.action === "decline"));
    assert.equal(await note(page), "Black: Decline");
    const points = Array(26).fill(0); // Black is on the bar against a closed board
    for (const point of [19, 20, 21, 22, 23, 24]) points[point] = -2;
    [points[25], points[1]] = [1, -3];
    points[6] = 14;
    const shut = { ...plain(BLACK_ROLLED), position: { points, checkers: 15 } };
    const [danced] = await go(page, { state: shut }, 1);
    assert.deepEqual(danced, [["black", "play"]]);
    assert.equal(await note(page), "Black: No play");
    assert.match(await page.evaluate(() => status()), /Black: No play/);
  });

  test("leaves an opening roll and the next game to the person, and ends with the match", inBrowser, async (t) => {
    const page = await opened(t);
    assert.deepEqual((await go(page, { opponent: "club", state: START }))[0], []);
    assert.deepEqual(await page.evaluate(() => buttons()), ["opening_roll"]);
    await page.evaluate(() => thrown.push([1, 6]));
    await pressButton(page, "opening_roll");
    await page.evaluate(() => until(() => events.length === 2));
    assert.deepEqual(await page.evaluate(() => events.map(({ event }) => event.action)), ["opening_roll", "play"]);
    assert.deepEqual((await go(page, { state: DROPPED }))[0], []);
    assert.deepEqual(await page.evaluate(() => buttons()), ["next_game"]);
    await pressButton(page, "next_game");
    assert.deepEqual(await page.evaluate(() => [events.at(-1).event.action, buttons()]), ["next_game", ["opening_roll"]]);
    const over = after(after(after(newMatch({ length: 1 }), "opening_roll", [3, 1]), "resign"), "accept");
    assert.deepEqual((await go(page, { state: over }))[0], []);
    assert.deepEqual(await page.evaluate(() => buttons()), []);
  });

  test("that is removed in the middle of its turn leaves it to people", inBrowser, async (t) => {
    const page = await opened(t);
    await go(page, { opponent: "club", speed: 100, state: BLACK_ROLLED });
    const [told] = await go(page, { opponent: null });
    await page.evaluate(() => pause(500));
    assert.deepEqual([told, await page.evaluate(() => [events.length, board.querySelectorAll(".movable").length > 0])], [[], [0, true]]);
    assert.deepEqual((await go(page, { speed: 0, opponent: "beginner" }, 1))[0], [["black", "play"]]);
  });

  test("forgets what it thought where the page shows another state", inBrowser, async (t) => {
    const page = await opened(t);
    await go(page, { opponent: "club", speed: 100, state: BLACK_ROLLED });
    await go(page, { state: MINE });
    await page.evaluate(() => pause(500));
    assert.deepEqual(await page.evaluate(() => [events.length, board.state.on_roll]), [0, "white"]);
    assert.deepEqual((await go(page, { speed: 0, state: BLACK_ROLLED }, 1))[0], [["black", "play"]]);
  });

  test("waits for the page that refuses what it does", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { isRefused = true; });
    const [told, state] = await go(page, { opponent: "club", state: TO_ROLL }, 1);
    assert.deepEqual([told, state], [[["black", "roll"]], plain(TO_ROLL)]);
    await page.evaluate(() => { isRefused = false; });
    assert.deepEqual((await go(page, { state: BLACK_ROLLED }, 1))[0], [["black", "play"]]);
  });

  test("is missing: one error says which script, and the match waits for it", inBrowser, async (t) => {
    const page = await opened(t, { isLoaded: false });
    await go(page, { opponent: "club", tutor: true, state: ROLLED });
    await playNumber(page, 5);
    await page.evaluate(() => pause(100));
    const [errors, count, shown] = await page.evaluate(() => [errors, events.length, reason()]);
    assert.deepEqual(errors, [["GammonError", "no_opponent", errors[0][2]]]);
    assert.match(errors[0][2], /^gammon-board\/opponent is missing$/);
    assert.deepEqual([count, shown], [1, errors[0][2]]);
    assert.match(await page.evaluate(() => {
      board.opponent = null;
      try {
        board.hint();
        return "";
      } catch ({ message }) {
        return message;
      }
    }), /^gammon-board\/opponent is missing$/);
    await page.evaluate(() => load());
    assert.deepEqual((await go(page, { opponent: "club" }, 2))[0], [["black", "roll"], ["black", "play"]]);
  });

  test("that does not know the rules says so, and the page may act", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => { answers = ["refuse"]; });
    await go(page, { opponent: "club", state: BLACK_ROLLED });
    assert.deepEqual(await page.evaluate(() => [errors, reason()]), [[["GammonError", "refuse", "no such rules here"]], "no such rules here"]);
    assert.equal((await go(page, { state: MINE }))[1].on_roll, "white");
  });

  test("of a strength that is none is refused, and the one before stays", inBrowser, async (t) => {
    const page = await opened(t, { body: "<gammon-board speed='0' opponent='casual'></gammon-board>" });
    const said = await page.evaluate(async () => {
      const refused = ["expert", "", 3, "Club", ["club"]].map((strength) => {
        try {
          board.opponent = strength;
          return "taken";
        } catch ({ name, problems: [{ path, expected }] }) {
          return `${name} ${path} ${expected}`;
        }
      });
      board.setAttribute("opponent", "expert");
      await null;
      return [[...new Set(refused)], board.opponent, errors.map(([name]) => name), reason() !== ""];
    });
    const why = 'GammonError opponent "beginner", "casual", "club" or "strong"';
    assert.deepEqual(said, [[why], "casual", ["GammonError"], true]);
  });
});

describe("a hint", () => {
  test("is the best plays with what they lose, until somebody acts", inBrowser, async (t) => {
    const page = await opened(t);
    await go(page, { state: ROLLED });
    await page.evaluate(() => { pressOn(24, "white", 1); board.hint(); });
    const best = await page.evaluate(() => gammonBoard.rules.legalPlays(board.position, "31").slice(0, 3).map(({ moves }) => moves));
    assert.deepEqual(await page.evaluate(() => board.moves), []);
    assert.deepEqual(await shownArrows(page), [best[0], 2]);
    assert.match(await note(page), /^somebody prefers \d/);
    const labels = await page.evaluate(() => [...board.shadowRoot.querySelectorAll("#plays button")].map(({ textContent }) => textContent));
    assert.equal(labels.length, 3);
    assert.match(labels[1], / loses 0\.060$/);
    assert.match(labels[2], / loses 0\.120$/);
    const said = await page.evaluate(() => status());
    for (const text of [await note(page), ...labels]) assert.ok(said.includes(text), text);
    await page.evaluate(() => board.shadowRoot.getElementById("hint_0").focus());
    await press(page, "Tab", "Enter");
    assert.deepEqual(await shownArrows(page), [best[1], 2]);
    assert.deepEqual(await page.evaluate(() => [...board.shadowRoot.querySelectorAll("#plays [aria-pressed=true]")].map(({ id }) => id)), ["hint_1"]);
    await page.evaluate(() => pressOn(24, "white", 1));
    assert.deepEqual([await shownArrows(page), await note(page), await page.evaluate(() => board.moves)], [[[], 0], "", [[24, 23]]]);
    await page.evaluate(() => { board.hint(); });
    await go(page, { state: TO_ROLL });
    assert.deepEqual([await shownArrows(page), await note(page)], [[[], 0], ""]);
  });

  for (const [what, state, action, text] of [
    ["to roll", TO_ROLL, "roll", "somebody would roll; a double loses 0.250"],
    ["to double", TO_ROLL, "double", "somebody would double; a roll loses 0.250"],
    ["to take", after(TO_ROLL, "double"), "take", "somebody would take; a drop loses 0.250"],
    ["to drop", after(TO_ROLL, "double"), "drop", "somebody would drop; a take loses 0.250"],
    ["to accept", after(TO_ROLL, "resign"), "accept", "somebody would accept"],
    ["to take a beaver", after(after(MONEY, "double"), "beaver"), "take", "somebody would take"],
    ["to roll, where nobody may double", after(after(newMatch({ length: 1 }), "opening_roll", [3, 1]), "play", "8/5 6/5"), "roll", "somebody would roll"],
  ]) {
    test(`says what is better: ${what}`, inBrowser, async (t) => {
      const page = await opened(t);
      await go(page, { state });
      await page.evaluate((action) => { answers = [action]; board.hint(); }, action);
      assert.equal(await note(page), text);
      assert.equal(await page.evaluate(() => status()), text);
    });
  }

  test("is none where nobody acts, or the other side does", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [state, player] of [[START, null], [DROPPED, null], [BLACK_ROLLED, "white"], [TO_ROLL, "white"]]) {
      await go(page, { player, state });
      await page.evaluate(() => board.hint());
      assert.deepEqual([await shownArrows(page), await note(page)], [[[], 0], ""]);
    }
    assert.equal(await page.evaluate(() => asked.length), 0);
  });
});

describe("a tutor", () => {
  test("asks whether a play stands that loses 0.1 points, and no other", inBrowser, async (t) => {
    const page = await opened(t);
    await go(page, { tutor: true, state: ROLLED });
    assert.equal(await page.evaluate(() => board.getAttribute("tutor")), "");
    await playNumber(page, 1);
    assert.equal(await page.evaluate(() => events.length), 1);
    await go(page, { state: ROLLED });
    await page.evaluate(() => addEventListener("gammon-tutor", ({ detail }) => taught.push(detail)));
    await playNumber(page, 2);
    const [count, loss, said, there, focused] = await page.evaluate(() => [
      events.length, taught[0].loss, taught[0].message, buttons(), board.shadowRoot.activeElement?.id,
    ]);
    assert.deepEqual([count, loss, there, focused], [1, 0.12, ["confirm", "take_back"], "take_back"]);
    assert.match(said, /^somebody prefers .*; .* loses 0\.120$/);
    assert.deepEqual([await note(page), await page.evaluate(() => status())], [said, said]);
    await press(page, "Enter");
    assert.deepEqual(await page.evaluate(() => [events.length, board.moves, buttons(), board.state]), [1, [], ["resign"], plain(ROLLED)]);
    await playNumber(page, 2);
    await pressButton(page, "confirm");
    assert.deepEqual(await page.evaluate(() => [events.length, board.state.on_roll]), [2, "black"]);
    await page.evaluate(() => { taught[0].confirm(); taught[1].takeBack(); }); // what is answered counts once
    assert.deepEqual(await page.evaluate(() => [events.length, board.state.on_roll]), [2, "black"]);
  });

  for (const [what, change] of [
    ["the layout", () => { board.layout = "portrait"; }],
    ["translations", () => { board.translations = { white: "Ann" }; }],
    ["the same state", () => { board.state = structuredClone(board.state); }],
  ]) {
    test(`still asks when the page changes ${what}`, inBrowser, async (t) => {
      const page = await opened(t);
      await go(page, { tutor: true, state: ROLLED });
      await playNumber(page, 2);
      const played = await page.evaluate(() => board.moves);
      await page.evaluate(change);
      await go(page, {});
      const [there, moves] = await page.evaluate(() => [buttons(), board.moves]);
      assert.deepEqual([there.filter((name) => !["undo", "done"].includes(name)), moves], [["confirm", "take_back"], played]);
      await pressButton(page, "take_back");
      await go(page, {});
      assert.deepEqual(await page.evaluate(() => [buttons(), board.moves]), [["resign"], []]);
      await playNumber(page, 0);
      assert.equal(await page.evaluate(() => events.length), 1);
    });
  }

  test("asks no longer once a move is taken back on a board that was drawn again", inBrowser, async (t) => {
    const page = await opened(t);
    await go(page, { tutor: true, state: ROLLED });
    await playNumber(page, 2);
    await go(page, { layout: "portrait" });
    await page.evaluate(() => board.undo());
    await go(page, {});
    assert.deepEqual([await note(page), await page.evaluate(() => [buttons(), board.moves.length])], ["", [["undo", "resign"], 1]]);
  });

  test("leaves the question to a page that asks it, and to a page that goes on", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => addEventListener("gammon-tutor", (event) => { taught.push(event.detail); event.preventDefault(); }));
    await go(page, { tutor: true, state: ROLLED });
    await playNumber(page, 4);
    assert.deepEqual([await page.evaluate(() => [buttons(), events.length]), await note(page)], [[[], 0], ""]);
    await page.evaluate(() => taught.at(-1).takeBack());
    assert.deepEqual(await page.evaluate(() => [board.moves, events.length]), [[], 0]);
    await playNumber(page, 4);
    await go(page, { state: MINE });
    await page.evaluate(() => taught.at(-1).confirm());
    assert.deepEqual(await page.evaluate(() => [events.length, board.state]), [0, plain(MINE)]);
  });

  test("is true or false", inBrowser, async (t) => {
    const page = await opened(t);
    const said = await page.evaluate(() => ["yes", 1, {}].map((value) => {
      try {
        board.tutor = value;
        return "taken";
      } catch ({ name, message }) {
        return `${name} ${message}`;
      }
    }));
    for (const text of said) assert.match(text, /^GammonError tutor: expected boolean/);
    assert.equal(await page.evaluate(() => board.tutor), false);
  });
});

for (const [where, look] of Object.entries(LOOKS)) {
  test(`what is taught looks right on ${where}`, inChromium, async (t) => {
    const page = await opened(t, { ...look, height: look.height ?? 800 });
    await page.evaluate(() => styled(":root { color-scheme: light dark }"));
    const upright = look.width < 500 ? { layout: "portrait" } : {};
    await go(page, { look: "depth", theme: "auto", opponent: "club", tutor: true, state: ROLLED, ...upright });
    for (const name of ["hint", "question"]) {
      if (name === "hint") await page.evaluate(() => board.hint());
      else await playNumber(page, 5);
      assert.deepEqual(await violations(page), [], name);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
      await picture(page, `match-board-opponent-${name}-${look.width ?? 1280}`);
    }
  });
}
