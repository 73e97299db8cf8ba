/** `<gammon-board>` of board.js, which shows the views that a server sends: it offers the legal moves, and loses no input.
 *
 * tests/browser/test_board.py compares what it draws with what the library draws.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inBrowser, inChromium, open, pointer, press, touching, VIEWS } from "../testing/browser.js";

const OPENING = VIEWS.opening;
const PLAY = [[24, 18], [18, 13]]; // which leads from there to `toRoll`
const LABELS = { roll: "Roll", double: "Double to 2", take: "Take at 2" };

const opened = (t, options = {}) => open(t, "<gammon-board speed='0'></gammon-board>", ["board-classic.js"], options);
const showView = (page, view) => page.evaluate((view) => show(view), view);
const at = (page, place, player = "white") => page.evaluate((place) => placeOf(place), [place, player]);
const buttonAt = (page, name) => page.evaluate((name) => buttonOf(name), name);
const click = async (page, place) => pointer(page, [await at(page, place)]);
const movesOf = (page) => page.evaluate(() => `${board.moves}`);
const svgOf = ({ svg }) => ({ svg });

/** Lead the focus to the checkers of a point by keys, as far as it takes. */
async function focusOn(page, point) {
  for (let tries = 0; tries < 20; tries++) {
    const key = await page.evaluate((point) => keyTo(point), point);
    if (!key) return;
    await press(page, key);
  }
  assert.fail(`no key leads to ${point}`);
}

describe("by hand", () => {
  test("a checker is borne off by both dice where one alone may not", inBrowser, async (t) => {
    const page = await opened(t); // 3/off would leave no 1: dragged off, it plays 3/2/off
    await showView(page, VIEWS.offByBoth);
    await pointer(page, [await at(page, 3), [9, 9], await at(page, 0)]);
    assert.deepEqual(await page.evaluate(() => [board.moves, board.isComplete]), [[[3, 2], [2, 0]], true]);
    await showView(page, VIEWS.offByBoth);
    await page.evaluate(() => { heard.length = 0; board.focus(); });
    await focusOn(page, 3);
    await press(page, "3"); // which is one die
    assert.deepEqual(await page.evaluate(() => heard), [["illegal", { from: 3, to: 0, moves: [] }]]);
  });

  test("a click makes a point, empty or with a blot, if two checkers can go there", inBrowser, async (t) => {
    const page = await opened(t);
    for (const view of [VIEWS.rolled, VIEWS.blot]) {
      await showView(page, view);
      await page.evaluate(() => { heard.length = 0; });
      for (const point of [9, 10, 4, 5]) await click(page, point); // the others are nothing
      const events = await page.evaluate(() => heard);
      assert.deepEqual(events[0][1].moves.toSorted(), [[6, 5], [8, 5]]);
      assert.equal(events.length, 1);
    }
  });

  test("the right button draws arrows, once more removes one, and a click all", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate(() => addEventListener("contextmenu", (event) => told.push(event.defaultPrevented)));
    await showView(page, OPENING);
    const [start, end, other] = [await at(page, 24), await at(page, 18), await at(page, 20)];
    const arrows = () => page.evaluate(() => {
      return [...board.querySelectorAll(".arrow")].map(({ dataset }) => [dataset.from, dataset.to]);
    });
    await pointer(page, [start, end], "right");
    await pointer(page, [end, other, await at(page, 0)], "right");
    await pointer(page, [start, [5, 5]], "right"); // to nowhere
    await pointer(page, [other], "right");
    assert.deepEqual(await arrows(), [["24", "18"], ["18", "off"]]);
    assert.deepEqual(await page.evaluate(() => board.userArrows), [[24, 18], [18, 0]]);
    await pointer(page, [start, end], "right");
    assert.deepEqual(await arrows(), [["18", "off"]]);
    assert.ok(await page.evaluate(() => told.every((isPrevented) => isPrevented))); // no menu
    await pointer(page, [other]);
    const drawn = await page.evaluate(() => heard.splice(0).filter(([name]) => name === "draw").map(([, { arrows }]) => arrows));
    assert.deepEqual(drawn, [[[24, 18]], [[24, 18], [18, 0]], [[18, 0]], []]);
    await page.evaluate(() => { board.arrows = [[13, 8]]; });
    await pointer(page, [start, end], "right");
    await showView(page, OPENING);
    assert.deepEqual(await arrows(), [["13", "8"]]); // those of the page stay
  });

  test("the cube and the dice to roll are clicked, and only what the page says", inBrowser, async (t) => {
    const page = await opened(t);
    const offered = () => page.evaluate(() => {
      return [...board.querySelectorAll("[data-action]")].map((part) => [part.dataset.action, part.ariaLabel]).sort();
    });
    for (const [view, flip, actions] of [
      [VIEWS.toRoll, false, ["double", "roll"]],
      [VIEWS.toRoll, true, ["double", "roll"]],
      [VIEWS.doubled, false, ["take"]],
    ]) {
      for (const action of actions) {
        const begin = () => page.evaluate(([view, flip]) => { board.flip = flip; show(view); heard.length = 0; }, [view, flip]);
        await begin();
        assert.deepEqual(await offered(), actions.map((action) => [action, LABELS[action]]));
        await click(page, 20); // elsewhere, which is nothing
        const place = await page.evaluate((action) => middle(board.querySelector(`[data-action=${action}]`)), action);
        await pointer(page, [place]);
        const asked = action === "roll" ? "" : `${LABELS[action]}? Once more, then it is done.`;
        assert.deepEqual(await page.evaluate(() => [heard, reason()]), [asked ? [] : [["action", { action }]], asked]);
        if (asked) await pointer(page, [place]);
        assert.deepEqual(await page.evaluate(() => heard), [["action", { action }]]);
        await begin(); // it was refused
        await page.evaluate((action) => {
          const rect = board.querySelector(`[data-action=${action}] rect`);
          for (let clicks = 0; clicks < 2; clicks++) rect.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }, action);
        assert.deepEqual(await page.evaluate(() => heard), [["action", { action }]]); // a double click is one
        assert.equal((await offered()).length, actions.length);
      }
    }
    await showView(page, { ...VIEWS.doubled, actions: ["take", "<b>", "x", "x"] });
    assert.deepEqual(await offered(), [["take", LABELS.take]]);
    await showView(page, { ...VIEWS.doubled, actions: [] });
    assert.deepEqual(await offered(), []);
  });

  test("what is in the hand counts, and where it may land is marked", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    const pips = () => page.evaluate(() => [...board.querySelectorAll(".point[data-player=white]")]
      .reduce((sum, { dataset }) => sum + dataset.count * dataset.point, 0));
    const marked = () => page.evaluate(() => [...board.querySelectorAll(".target")]
      .filter((ring) => ring.getAttribute("fill-opacity") > 0).map(({ parentNode }) => numberOf(parentNode)));
    await page.mouse.move(...await at(page, 24));
    assert.deepEqual(await marked(), []);
    await page.mouse.down();
    for (const [point, expected] of [[18, [18]], [17, []], [13, [13]]]) {
      await page.mouse.move(...await at(page, point));
      assert.deepEqual([await marked(), await pips()], [expected, 167]);
    }
    await page.mouse.up();
    assert.deepEqual([await movesOf(page), await pips()], ["24,18,18,13", 156]);
  });

  test("the position is that of the checkers, whatever the attributes of the SVG are", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, { ...OPENING, svg: OPENING.svg.replaceAll(/ data-count="\d+"/g, "") });
    for (const point of [24, 18]) await click(page, point);
    const labelOf = (point) => page.evaluate((point) => group(point).ariaLabel, point);
    assert.equal(await movesOf(page), "24,18,18,13");
    assert.deepEqual([await labelOf(24), await labelOf(13), await labelOf(18)], ["point 24, 1 White", "point 13, 6 White", "point 18, empty"]);
    await page.evaluate(() => board.undo());
    assert.equal(await labelOf(18), "point 18, 1 White, can move");
  });

  test("a click looks up once which place it is on", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    await page.mouse.move(...await at(page, 24));
    await page.evaluate((spot) => {
      const clicked = document.elementFromPoint(...spot);
      const { closest } = Element.prototype;
      Element.prototype.closest = function (places) {
        if (this === clicked && places.includes(".point")) told.push(places);
        return closest.call(this, places);
      };
    }, await at(page, 24));
    await page.mouse.down();
    await page.mouse.up();
    assert.equal(await movesOf(page), "24,18");
    assert.equal(await page.evaluate(() => told.length), 1);
  });

  test("what hands do by accident is nothing", inChromium, async (t) => {
    const page = await opened(t, { hasTouch: true });
    const touch = await touching(page);
    await showView(page, OPENING);
    const [start, end] = [await at(page, 24), await at(page, 18)];
    const before = await page.evaluate(() => board.innerHTML);
    await page.mouse.click(...start, { button: "right" });
    await pointer(page, [start, end, [5, 5]]); // let go outside
    await pointer(page, [start, end, start]); // and where it was
    await touch("Start", start);
    await touch("Start", start, end); // a second finger
    await touch("Cancel");
    const after = await page.evaluate(() => board.innerHTML.replace(/<circle[^>]*(target|halo|chosen).*?>(<.circle>)?/g, ""));
    assert.equal(after, before);
  });

  test("a checker in the hand goes back where something comes between", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    const [start, end] = [await at(page, 24), await at(page, 18)];
    for (const interrupt of [
      () => { const { parentNode } = board; board.remove(); parentNode.append(board); },
      (view) => { show(view); },
      () => { board.translations = { bar: "the bar" }; },
    ]) {
      await page.mouse.move(...start);
      await page.mouse.down();
      await page.mouse.move(...end);
      await page.evaluate(interrupt, OPENING);
      assert.equal(await page.evaluate(() => board.querySelectorAll(".point .checker").length), 30);
      await page.mouse.up();
      assert.equal(await movesOf(page), "");
      await pointer(page, [start, end]); // and then as ever
      assert.equal(await movesOf(page), "24,18");
      await page.evaluate(() => board.undo());
    }
  });

  test("the second of a double click on Done does not end the next turn", inChromium, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    for (let clicks = 0; clicks < 2; clicks++) await click(page, 13);
    await page.evaluate((view) => {
      addEventListener("gammon-play", () => show(view));
      heard.length = 0;
    }, VIEWS.dance);
    await page.mouse.dblclick(...await buttonAt(page, "done"));
    assert.deepEqual(await page.evaluate(() => [heard.length, board.isComplete, `${board.moves}`]), [1, true, ""]);
  });

  test("a finger scrolls the page where there is nothing to move", inChromium, async (t) => {
    const page = await opened(t, { hasTouch: true });
    const touch = await touching(page);
    await page.evaluate((view) => { show(view); board.style.marginBottom = "2000px"; }, OPENING);
    for (const [point, scrolls] of [[24, false], [20, true]]) {
      const [x, y] = await at(page, point);
      const [from, to] = scrolls ? [[x, 300], [x, 100]] : [[x, y], await at(page, 18)];
      await touch("Start", from);
      for (const part of [0.3, 0.6, 1]) await touch("Move", from.map((start, axis) => start + part * (to[axis] - start)));
      await touch("End");
      await page.waitForFunction((scrolls) => scrollY > 50 === scrolls, scrolls);
      assert.equal(await movesOf(page), "24,18");
    }
  });
});

describe("by keys", () => {
  const FROM_OUTSIDE = (view) => {
    const heading = document.querySelector("h1");
    heading.tabIndex = -1;
    heading.focus();
    show(view);
    heard.length = 0;
  };

  test("Enter alone decides nothing about points: it rolls, and the cube asks once", inBrowser, async (t) => {
    const page = await opened(t); // and anew where the focus has been elsewhere
    const actions = () => page.evaluate(() => heard.splice(0).map(([, { action }]) => action));
    for (const [view, action, alone] of [[VIEWS.toRoll, "double", ["roll"]], [VIEWS.doubled, "take", []]]) {
      for (const lead of ["focus", "Tab"]) {
        await page.evaluate(FROM_OUTSIDE, view);
        if (lead === "focus") await page.evaluate(() => board.focus());
        else await press(page, "Tab");
        await press(page, "Enter", "Enter", "Enter");
        assert.deepEqual(await actions(), alone, `${action} ${lead}`);
        await page.evaluate((view) => { show(view); heard.length = 0; }, view);
        await press(page, "Tab", "Enter", "Shift+Tab", "Tab", "Enter");
        assert.deepEqual(await actions(), []);
        assert.ok((await page.evaluate(() => reason())).startsWith(LABELS[action]));
        await press(page, "Enter");
        assert.deepEqual(await actions(), [action]);
      }
    }
    await page.evaluate((view) => { board.translations = { prompt: "" }; show(view); board.focus(); }, VIEWS.doubled);
    await press(page, "Tab", "Enter");
    assert.deepEqual(await actions(), ["take"]); // the page asks itself
  });

  test("all goes on from what was clicked, which has no ring before a key is pressed", inBrowser, async (t) => {
    const page = await opened(t);
    const ring = () => page.evaluate(() => [focused(), getComputedStyle(document.activeElement).outlineStyle]);
    await showView(page, OPENING);
    await click(page, 13);
    assert.deepEqual(await ring(), ["frame 13,7", "none"]);
    await press(page, "u");
    assert.deepEqual(await ring(), ["point 13 ", "auto"]);
    await press(page, "5");
    assert.equal(await page.evaluate(() => focused()), "point 13 13,8");
    await pointer(page, [await buttonAt(page, "undo")]);
    await press(page, "6");
    assert.equal(await page.evaluate(() => focused()), "point 13 13,7");
    await showView(page, OPENING);
    await click(page, 20); // where there is nothing
    await press(page, "x", "ArrowLeft");
    assert.deepEqual(await ring(), ["point 13 ", "auto"]);
    await pointer(page, [await at(page, 24), await at(page, 13)]);
    await press(page, "Enter");
    assert.deepEqual(await page.evaluate(() => played()), ["play", { moves: PLAY }]);
  });

  test("all is reached, and the focus is never lost", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    for (const [key, expected] of [
      ["Tab", "point 8 "], ["ArrowLeft", "point 13 "], ["ArrowRight", "point 24 "],
      ["x", "point 24 "], ["x", "point 24 "], // swapped and back
      ["Tab", "play the 5 first "], ["Enter", "play the 6 first "], ["ArrowLeft", "point 8 "],
      ["5", "point 8 8,3"], ["6", "done 8,3,8,2"], ["u", "point 8 8,3"],
      ["5", "point 8 8,3"], // there is no second 5
      ["Enter", "done 8,3,8,2"],
    ]) {
      await press(page, key);
      assert.equal(await page.evaluate(() => focused()), expected, key);
    }
    await showView(page, OPENING); // the next turn
    assert.equal(await page.evaluate(() => focused()), "point 8 ");
  });
});

describe("turns play by themselves", () => {
  for (const [what, view, auto, moves] of [
    ["the only play", VIEWS.onlyPlay, "forced", [[20, 14], [14, 9]]],
    ["a dance", VIEWS.dance, "forced", []],
    ["bearing off with both dice", VIEWS.bearOff, "forced bear-off", [[6, 0], [5, 0]]],
    ["bearing off with a doublet", VIEWS.bearOffDoublet, "bear-off", [[6, 0], [5, 0], [2, 0], [2, 0]]],
    ["not where one die does not bear off", VIEWS.bearOffOne, "bear-off", null],
    ["not where there is contact", VIEWS.bearOffContact, "bear-off", null],
    ["not where the page does not want it", VIEWS.bearOff, "", null],
  ]) {
    test(what, inBrowser, async (t) => {
      const page = await opened(t);
      const plays = await page.evaluate(async ([view, auto, isAwaited]) => {
        const plays = () => heard.filter(([name]) => name === "play");
        board.setAttribute("auto", auto);
        show(view);
        if (isAwaited) await until(() => plays().length);
        else await pause(60);
        return plays();
      }, [view, auto, moves !== null]);
      assert.deepEqual(plays, moves === null ? [] : [["play", { moves }]]);
    });
  }

  test("no longer where the page goes on, also while the play of the other side is being shown", inChromium, async (t) => {
    const page = await opened(t);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const events = await page.evaluate(async ([view, next]) => {
      Object.assign(board, { speed: 50, auto: "forced" });
      await show(view);
      heard.length = 0;
      await show(next);
      return heard;
    }, [VIEWS.oneEnters, { ...svgOf(VIEWS.afterOneEnters), play: [[13, 12], [13, 12], [12, 11], [12, 11]] }]);
    assert.deepEqual(events, []);
  });
});

describe("what a page gives and reads", () => {
  test("it reads back what is on the board", inBrowser, async (t) => {
    const page = await opened(t);
    const nothing = await page.evaluate(() => [board.side, board.tree, board.view, board.highlight]);
    assert.deepEqual(nothing, [null, null, null, null]);
    await showView(page, { ...OPENING, tree: JSON.stringify(OPENING.tree), moves: [[24, 18]] });
    const said = await page.evaluate(() => [board.side, board.moves, board.tree, board.flip, board.arrows, board.userArrows]);
    assert.deepEqual(said, ["white", [[24, 18]], OPENING.tree, false, [], []]);
    const finished = await page.evaluate((svg) => {
      board.view = { svg: html(svg) };
      return [board.side, board.tree, board.moves];
    }, VIEWS.toRoll.svg);
    assert.deepEqual(finished, ["black", null, []]);
  });

  for (const [how, again] of Object.entries({
    "as it is": () => { board.view = board.view; },
    "as a framework makes it anew": (view) => { board.view = { ...board.view, tree: structuredClone(view.tree) }; },
    "in other forms": (view) => { board.view = { svg: parsed(view.svg).documentElement, tree: JSON.stringify(view.tree) }; },
    "in the page": (view) => board.replaceChildren(parsed(view.svg).documentElement),
    "its tree": (view) => { board.tree = view.tree; },
    "its marks": () => { board.highlight = [13, 8]; board.translations = { undo: "Undo" }; board.setAttribute("theme", "dark"); },
  })) {
    test(`an equal view that is assigned again changes nothing: ${how}`, inBrowser, async (t) => {
      const page = await opened(t);
      await page.evaluate(async (view) => {
        board.highlight = [13, 8];
        board.setAttribute("theme", "dark");
        board.tree = view.tree;
        await null;
        show({ ...view, moves: [[24, 18]] });
      }, OPENING);
      await page.mouse.move(...await at(page, 18));
      await page.mouse.down();
      await page.mouse.move(...await at(page, 13));
      const before = await page.evaluate(() => board.innerHTML);
      await page.evaluate(`(async (view) => { (${again})(view); await null; })(${JSON.stringify(OPENING)})`);
      assert.deepEqual([await page.evaluate(() => board.innerHTML), await movesOf(page)], [before, "24,18"]);
      await page.mouse.up();
      assert.equal(await movesOf(page), "24,18,18,13"); // what was in the hand
      await showView(page, OPENING);
      assert.equal(await movesOf(page), ""); // begins the turn again
    });
  }

  test("a turn that did not arrive is open again with its moves, or with those of the page", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, { ...OPENING, moves: [[24, 18]] });
    await page.evaluate(() => { board.view = { ...board.view, moves: [[13, 8]] }; });
    assert.equal(await movesOf(page), "13,8");
    await click(page, 24);
    for (const assign of [
      () => { board.view = board.view; },
      () => { board.view = { ...board.view, moves: [[13, 8]] }; },
      () => { board.view = { ...board.view, moves: null }; },
    ]) {
      await page.evaluate(() => board.endTurn());
      assert.deepEqual(await page.evaluate(() => [board.isComplete, board.moves.length]), [false, 2]);
      await page.evaluate(assign);
      assert.deepEqual(await page.evaluate(() => [board.isComplete, `${board.moves}`]), [true, "13,8,24,18"]);
      assert.deepEqual(await page.evaluate(() => played()), ["play", { moves: [[13, 8], [24, 18]] }]);
    }
    await pointer(page, [await buttonAt(page, "undo")]);
    assert.equal(await movesOf(page), "13,8");
  });

  test("a copy is a picture on which nobody moves, turned by its own `flip`", inBrowser, async (t) => {
    const page = await opened(t);
    const copies = await page.evaluate((view) => {
      board.flip = true;
      show({ ...view, moves: [[24, 18]] });
      const copy = board.cloneNode(true);
      document.body.append(copy);
      const first = () => [copy.tree, copy.querySelector(".point").dataset.point, copy.querySelectorAll(".checker").length];
      return [first(), (copy.flip = false, first())];
    }, OPENING);
    assert.deepEqual(copies, [[null, "24", 30], [null, "1", 30]]);
  });

  test("a picture in the page and the attribute `tree`, in either order, are the board of a server", inBrowser, async (t) => {
    const page = await opened(t);
    for (const isFirst of [true, false]) {
      const points = await page.evaluate(async ([{ svg, tree }, isFirst]) => {
        const fill = () => board.replaceChildren(parsed(svg).documentElement);
        board.removeAttribute("tree");
        if (isFirst) fill();
        board.setAttribute("tree", JSON.stringify(tree));
        if (!isFirst) fill();
        await null;
        return Object.keys(offered());
      }, [OPENING, isFirst]);
      assert.deepEqual(points, ["8", "13", "24"]);
    }
    const after = await page.evaluate(async ([view, other]) => {
      const ignore = (event) => event.preventDefault();
      addEventListener("error", ignore);
      show(view);
      board.setAttribute("tree", JSON.stringify(view.tree)); // and then a picture that it does not fit
      board.replaceChildren(parsed(other).documentElement);
      await null;
      removeEventListener("error", ignore);
      return Object.keys(offered()).length;
    }, [OPENING, VIEWS.toRoll.svg]);
    assert.equal(after, 3);
    await page.evaluate(async () => { board.replaceChildren(); await null; board.undo(); board.swapDice(); }); // no picture at all
    assert.equal(await page.evaluate((view) => { show(view); return Object.keys(offered()).length; }, OPENING), 3);
  });

  test("pages of every kind: another document for a while, right to left, scaled, a second board", inBrowser, async (t) => {
    const page = await opened(t);
    await page.evaluate((view) => {
      const { parentNode } = board;
      parentNode.appendChild(document.createElement("iframe")).contentDocument.body.append(board);
      parentNode.lastChild.replaceWith(board);
      document.documentElement.dir = "rtl";
      Object.assign(board.style, { transform: "scale(.5)", transformOrigin: "0 0" });
      board.before(document.createElement("gammon-board"));
      board.previousSibling.style.maxWidth = "300px";
      board.previousSibling.show({ ...view, svg: html(view.svg) });
      show(view);
      board.translations = { undo: "</style><b>", point: "{point}{constructor}{x}", swap: "5", off: "" };
    }, OPENING);
    const [start, end] = [await at(page, 24), await at(page, 19)];
    await pointer(page, [start, [9, 9], end]);
    const [text, [left, top], [right, bottom]] = await page.evaluate(() => explained("blocked"));
    const position = await page.evaluate(() => getComputedStyle(board.shadowRoot.getElementById("reason")).position);
    assert.deepEqual([text, position], ["blocked", "absolute"]);
    assert.ok(left <= end[0] && end[0] <= right && top <= end[1] && end[1] <= bottom, "it is where it was tried");
    await pointer(page, [start, [9, 9], await at(page, 18)]);
    assert.equal(await movesOf(page), "24,18");
    assert.equal(await page.evaluate(() => `${document.querySelector("gammon-board").moves}`), "");
  });

  test("reasons that come late are not shown", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [act, expected] of [
      [() => board.undo(), ""],
      [() => board.endTurn(), ""],
      [(view) => { show(view); }, ""],
      [() => {}, "why"],
    ]) {
      await showView(page, { ...OPENING, moves: PLAY });
      await click(page, 13);
      await page.evaluate(act, OPENING);
      assert.equal(await page.evaluate(() => explained("why")[0]), expected, `${act}`);
    }
  });
});

describe("what does not fit leaves the board as it was", () => {
  const { tree, svg } = OPENING;
  const withNodes = (...nodes) => ({ ...tree, nodes });
  /** The name of the error where a board after a move is to show this, whether its picture is the same, and its moves. */
  const refused = (page, changes) => page.evaluate(([view, changes]) => {
    show({ ...view, moves: [[24, 18]] });
    const before = board.innerHTML;
    try { show({ svg: '<svg xmlns="http://www.w3.org/2000/svg" class="gammonrules"/>' }); } catch {}
    try { show({ ...view, ...changes }); return "nothing"; }
    catch ({ name }) { return [name, board.innerHTML === before, `${board.moves}`]; }
  }, [OPENING, changes]);

  test("of a tree", inBrowser, async (t) => {
    const page = await opened(t);
    for (const [wrong, error] of [
      [{ ...tree, dice: [6, 4] }, "RangeError"],
      [{ ...tree, points: tree.points.slice(0, 25) }, "RangeError"],
      [{ ...tree, points: [], dice: [...tree.points, ...tree.dice] }, "RangeError"],
      [VIEWS.dance.tree, "RangeError"],
      [{}, "TypeError"],
      [5, "TypeError"],
      ['{"nodes":', "SyntaxError"],
      [{ ...tree, nodes: "abc" }, "TypeError"],
      [withNodes(), "TypeError"],
      [withNodes([24, 18, 6]), "TypeError"],
      [withNodes([24, 18, 6, 0]), "TypeError"],
      [withNodes([24, 18, 6, 1], [24, 18, 6, 0]), "TypeError"],
      [withNodes([24, 18, 6, 9], []), "TypeError"],
      [withNodes([24, 19, 6, 1], []), "TypeError"],
      [withNodes([24.5, 18.5, 6, 1], []), "TypeError"],
      [withNodes([24, 20, 4, 1], []), "TypeError"],
      [withNodes([30, 24, 6, 1], []), "TypeError"],
      [withNodes([24, 18, 6, 1, 24, 18, 6, 2], [], []), "TypeError"],
      [withNodes(...Array.from({ length: 5 }, (_, number) => [24, 18, 6, number + 1]), []), "TypeError"],
    ]) assert.deepEqual(await refused(page, { tree: wrong }), [error, true, "24,18"], JSON.stringify(wrong));
  });

  test("of a view", inBrowser, async (t) => {
    // Text that is no XML is refused too, but Chromium then writes a page of errors, whose styles the policy forbids.
    const page = await opened(t);
    const WRONG = {
      actions: ["roll", [null], Array(101).fill("roll")],
      moves: ["abc", [null], [[13, 8], 5]],
      play: ["13/8", [[13]], [["13", 8]], [[26, 1]], Array(101).fill([13, 8])],
      svg: [
        "<board/>", svg.replace("gammonrules", "other"), svg.replaceAll('class="point"', ""), svg.replace('class="tray"', ""),
        svg.replaceAll(/(class="point" data-point)="\d+"/g, '$1="1"'),
      ],
    };
    for (const [name, values] of Object.entries(WRONG)) {
      for (const value of values) {
        assert.deepEqual(await refused(page, { [name]: value }), ["TypeError", true, "24,18"], `${name}: ${value}`.slice(0, 200));
      }
    }
  });

  test("of marks", inBrowser, async (t) => {
    const page = await opened(t);
    await showView(page, OPENING);
    const WRONG = {
      highlight: [5, [26], ["13"], [1.5], Array(101).fill(1)],
      arrows: ["13/8", [13], [[13]], [["13", 8]], Array(101).fill([13, 8])],
      playedArrows: ["13/8", [[13]], [[13, 26]]],
    };
    for (const [name, values] of Object.entries(WRONG)) {
      for (const value of values) {
        const [error, message, isSame] = await page.evaluate(([name, value]) => {
          const before = board.innerHTML;
          try { board[name] = value; return ["nothing"]; }
          catch ({ name, message }) { return [name, message, board.innerHTML === before]; }
        }, [name, value]);
        assert.deepEqual([error, isSame], ["TypeError", true], `${name}: ${value}`.slice(0, 200));
        assert.ok(message.startsWith(`${name} is not a list of at most 100 `), message);
      }
    }
  });

  test("of other properties; an attribute's error is in the console", inBrowser, async (t) => {
    const page = await opened(t);
    const WRONG = {
      speed: ["fast", "-1", "1e9", "NaN", true],
      auto: ["toString", "Forced", 5, {}],
      theme: ["", "Dark", 0, '"] { x'],
      flip: ["false", 0],
      highlight: [0, [26]],
      translations: [5, { boards: "x" }, { point: 5 }, { constructor: "x" }, ["x"]],
    };
    const said = () => page.evaluate(() => JSON.stringify([board.outerHTML, board.translations, board.highlight]));
    const before = await said();
    for (const [name, values] of Object.entries(WRONG)) {
      for (const value of values) {
        const error = await page.evaluate(([name, value]) => {
          try { board[name] = value; } catch (error) { return error.name; }
        }, [name, value]);
        assert.deepEqual([error, await said()], ["TypeError", before], `${name}: ${JSON.stringify(value)}`);
        if (typeof value !== "string" || !["speed", "theme"].includes(name)) continue;
        const message = await page.evaluate(([name, value]) => {
          let message = "";
          const hear = (event) => { ({ message } = event); event.preventDefault(); };
          const old = board.getAttribute(name);
          addEventListener("error", hear);
          board.setAttribute(name, value);
          removeEventListener("error", hear);
          if (old === null) board.removeAttribute(name);
          else board.setAttribute(name, old);
          return message;
        }, [name, value]);
        assert.match(message, new RegExp(`^.*${name}.*$`)); // one line
        assert.ok(message.length <= 400);
      }
    }
  });

  test("but what does fit is taken, and nothing, as a framework has it before it has more", inBrowser, async (t) => {
    const page = await opened(t);
    const said = await page.evaluate(() => {
      const { speed, flip } = board;
      for (const value of [250, "250", 0.5, "0", 5000]) board.speed = value;
      for (const value of ["forced", "bear-off", "bear-off forced", ""]) board.auto = value;
      for (const value of ["light", "dark", "print", "colorblind", "auto"]) board.theme = value;
      for (const name of ["speed", "auto", "theme", "flip", "translations", "highlight"]) {
        for (const value of [null, undefined]) board[name] = value;
      }
      Object.assign(board, { speed, flip });
      return [board.auto, board.theme, board.flip];
    });
    assert.deepEqual(said, [null, null, false]);
  });

  test("and the largest tree is walked in few steps", inBrowser, async (t) => {
    const page = await opened(t); // every checker with both dice in each of four moves, each to a node that many lead to
    const branches = [];
    for (let point = 25; point > 0; point--) {
      for (const die of [6, 5]) branches.push([point, Math.max(point - die, 0), die]);
    }
    const nodes = [1, 2, 3, 4].map((next) => branches.flatMap((branch) => [...branch, next]));
    await showView(page, { ...OPENING, tree: withNodes(...nodes, []) });
    const [steps, targets] = await page.evaluate(() => {
      const look = Element.prototype.querySelector;
      let steps = 0;
      Element.prototype.querySelector = function (text) { steps += 1; return look.call(this, text); };
      hover(look.call(board, '[data-point="24"]'));
      Element.prototype.querySelector = look;
      return [steps, board.querySelectorAll(".target").length];
    });
    assert.ok(steps > 0 && steps < 200, `${steps}`);
    assert.equal(targets, 14); // 24 less 5a + 6b, a + b from 1 to 4
  });
});

describe("screen readers", () => {
  const watched = { tree: null, play: PLAY };
  for (const [what, view, changes, text, name] of [
    ["a turn", OPENING, {}, "your turn: 6-5", "point 24, 2 White, can move"],
    ["a turn that is complete", OPENING, { moves: PLAY }, "your turn: 6-5", "Done"],
    ["a dance", VIEWS.dance, {}, "your turn: 6-5", "No play"],
    ["numbers of the other side", VIEWS.openingFixed, {}, "your turn: 6-5", "point 1, 2 White, can move"],
    ["their play", VIEWS.toRoll, watched, "White: 24/18 18/13", "point 12, 6 White"],
    ["their play as they number the points, where other numbers are printed", VIEWS.toRollFixed, watched, "White: 24/18 18/13", "point 12, 6 White"],
    ["what follows it", VIEWS.next, { play: PLAY }, "White: 24/18 18/13. your turn: 3-1", "point 1, 1 White"],
    ["a roll or a double", VIEWS.toRoll, { actions: ["roll", "double"] }, "Roll. Double to 2", "Roll"],
    ["a double", VIEWS.doubled, { actions: ["take"] }, "Take at 2", "Take at 2"],
    ["a game that is won", VIEWS.won, {}, "", "off of White, 15 White"],
  ]) {
    test(`are told ${what}, and the names of all`, inChromium, async (t) => {
      const page = await opened(t);
      await showView(page, svgOf(what.includes("fixed") || what.includes("numbers") ? VIEWS.openingFixed : OPENING));
      await showView(page, { svg: view.svg, tree: view.tree, ...changes });
      const devtools = await page.context().newCDPSession(page);
      const { nodes } = await devtools.send("Accessibility.getFullAXTree");
      const parts = nodes.filter(({ role }) => ["group", "image", "button"].includes(role?.value));
      const names = parts.map((part) => part.name?.value);
      const places = names.filter((name) => /^(point \d|bar of|off of)/.test(name));
      assert.deepEqual([new Set(places).size, await page.evaluate(() => status())], [28, text]);
      assert.ok(names.includes(name), names.join("; "));
      assert.ok(names.every((name) => name));
    });
  }
});

describe("motion", () => {
  test("ends, and is none for who wants none", inChromium, async (t) => {
    const page = await opened(t);
    const checkers = () => page.evaluate(() => board.querySelectorAll(".checker").length);
    await page.evaluate((view) => { board.setAttribute("speed", 4000); show(view); }, OPENING);
    await click(page, 24);
    assert.equal(await checkers(), 30);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate(() => board.undo());
    assert.equal(await checkers(), 31);
    await page.evaluate(() => document.getAnimations().forEach((motion) => motion.finish()));
    await page.waitForFunction(() => {
      return board.querySelectorAll(".checker").length === 30 && !board.querySelector(".checker[style*=hidden]");
    });
  });

  test("is none of a play that is on the board already, as after one's own turn", inBrowser, async (t) => {
    const page = await opened(t);
    const sounds = await page.evaluate(async ([first, play, svgs]) => {
      const sounds = [];
      addEventListener("gammon-sound", ({ detail }) => sounds.push(detail.sound));
      show({ ...first, moves: play });
      for (const svg of svgs) await show({ svg, play });
      await null;
      return sounds;
    }, [OPENING, PLAY, [VIEWS.toRoll.svg, VIEWS.next.svg]]);
    assert.deepEqual(sounds, ["dice"]);
  });

  test("of a play that the board does not have ends at the picture", inBrowser, async (t) => {
    const page = await opened(t);
    for (const play of [[], [[20, 19]], [[6, 1], [6, 7]], [[25, 24]], [[0, 25], [0, 0]], Array(100).fill([24, 1])]) {
      const [is, should, side] = await page.evaluate(async ([first, { svg }, play]) => {
        const shown = [];
        for (const after of [play, null]) {
          show(first);
          await show({ svg, play: after });
          shown.push(board.innerHTML);
        }
        return [...shown, board.side];
      }, [OPENING, VIEWS.next, play]);
      assert.deepEqual([is, side], [should, "black"], JSON.stringify(play));
    }
  });

  test("is heard: the cube, and dice", inBrowser, async (t) => {
    const page = await opened(t);
    const { opening, toRoll, doubled, taken, takenAndRolled, dropped } = VIEWS;
    const sounds = await page.evaluate(async (svgs) => {
      const sounds = [];
      addEventListener("gammon-sound", ({ detail }) => sounds.push(detail.sound));
      for (const svg of svgs) {
        await show({ svg });
        await null;
        sounds.push("|");
      }
      await show({ svg: svgs[2], still: true });
      return sounds.join(" ");
    }, [opening, toRoll, doubled, taken, takenAndRolled, dropped].map(({ svg }) => svg));
    assert.equal(sounds, "| | cube | cube | dice | cube |");
  });

  for (const [what, interrupt] of Object.entries({
    "the page shows something else": ({ other }) => show(other),
    "the page shows a play again": ({ view }) => show({ ...view, play: [[6, 5]] }),
    "it is moved": ({ parent }) => { board.remove(); parent.append(board); },
    "it is removed for a while": ({ parent }) => { board.remove(); setTimeout(() => parent.append(board), 5); },
    "it is hidden": () => { board.hidden = true; setTimeout(() => { board.hidden = false; }, 50); },
    "it is narrow": () => { board.style.maxWidth = "200px"; },
    "it is turned": () => { board.flip = true; setTimeout(() => { board.flip = false; }, 5); },
    "it gets a tree that does not fit": () => { board.tree = "{}"; },
    "it gets other translations": () => { board.translations = { undo: "Back" }; },
    "it gets marks": () => { board.highlight = [25, 0]; board.arrows = [[25, 0]]; board.highlight = null; board.arrows = []; },
    "its methods are called": () => { board.undo(); board.endTurn(); board.swapDice(); board.focus(); },
    "all is to be there at once": () => board.setAttribute("speed", 0),
    "the person looks at another tab": () => Object.defineProperty(document, "hidden", { value: true, configurable: true }),
    "it is copied": ({ parent }) => { parent.append(board.cloneNode(true)); parent.lastChild.remove(); },
  })) {
    test(`is over, and the person can move, also where meanwhile ${what}`, inChromium, async (t) => {
      const page = await opened(t);
      await page.emulateMedia({ reducedMotion: "no-preference" });
      const view = { ...VIEWS.next, play: PLAY };
      const other = { ...VIEWS.next, svg: VIEWS.next.svg.replace("<desc>", "<desc>Again: ") };
      async function whilePlaying(interrupt, { first, view, other }) {
        const { parentNode: parent } = board;
        const ignore = (event) => event.preventDefault();
        addEventListener("error", ignore);
        board.setAttribute("speed", 20);
        show(first);
        const shown = show(view);
        await pause(30);
        const during = [board.tree, board.moves.length, !board.querySelector(".flying")];
        interrupt({ view, other, parent });
        await shown;
        delete document.hidden;
        await pause(60);
        removeEventListener("error", ignore);
        board.flip = false;
        board.style.maxWidth = "560px";
        show({ ...board.view, svg: view.svg, play: null, still: true });
        return [during, Object.keys(offered()).map(Number)];
      }
      const text = JSON.stringify({ first: OPENING, view, other });
      const [during, points] = await page.evaluate(`(${whilePlaying})(${interrupt}, ${text})`);
      assert.deepEqual(during, [null, 0, false]);
      const [root] = VIEWS.next.tree.nodes;
      assert.deepEqual(points, [...new Set(root.filter((_, at) => at % 4 === 0))].sort((a, b) => a - b));
    });
  }

  test("ends by a click or a key, and nothing else comes of these", inChromium, async (t) => {
    const page = await opened(t, { hasTouch: true }); // what it would meet was not there when the hand began to move
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const actions = () => page.evaluate(() => board.querySelectorAll("[data-action]").length);
    const cube = () => page.evaluate(() => middle(board.querySelector(".cube")));
    const ways = {
      mouse: async () => pointer(page, [await cube()]),
      touch: async () => page.touchscreen.tap(...await cube()),
      Enter: () => press(page, "Enter"),
      "a screen reader": () => page.evaluate(() => {
        board.querySelector(".cube").dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }),
    };
    for (const [way, end] of Object.entries(ways)) {
      await page.evaluate(([first, view]) => {
        board.setAttribute("speed", 4000);
        show(first);
        board.focus();
        show(view);
        heard.length = 0;
      }, [OPENING, { ...VIEWS.toRoll, play: PLAY }]);
      assert.equal(await actions(), 0, way);
      await end();
      assert.deepEqual([await actions(), await page.evaluate(() => heard)], [2, []], way);
    }
    for (const _ of ["asks", "doubles"]) await pointer(page, [await cube()]);
    assert.deepEqual(await page.evaluate(() => heard), [["action", { action: "double" }]]);
  });
});
