// <gammon-board> of gammonrules: docs/reference/board.md

"use strict";

{
  // It knows no rules: it shows the library's picture, walks the tree of the turn, and sends events.
  const SVG = "http://www.w3.org/2000/svg";
  const BAR = 25;
  const M = "MEASURES"; // of pictures; board_js() puts them here
  const LOOK = ["class", "fill", "stroke", "stroke-width", "data-player"]; // of a checker, wherever it is
  const MARKS = ".highlight, .halo, .target, [class^=last-]";
  const DICE = ".die:not(.last)";
  const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

  const themed = (name, like = name) =>
    `:host([theme="${name}"]) { ${M.fields.map((field, at) => `--gammon-${field}: ${M.themes[like][at]}`).join("; ")} }`;
  const themes = () =>
    [...Object.keys(M.themes).map((name) => themed(name)), themed("auto", "light")].join("\n") +
    `\n@media screen and (prefers-color-scheme: dark) { ${themed("auto", "dark")} }`;

  const filled = (text, fields) => String(text).replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
  const made = (name, attributes, ...content) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...content);
    return element;
  };

  // --- what a page may say ---

  const FORMS = { theme: [...Object.keys(M.themes), "auto"].join("|"), auto: "(forced|bear-off| )*", speed: "\\d+\\.?\\d*" };

  function needed(isRight, name) {
    if (!isRight) throw new TypeError(`${name} is wrong`);
  }

  /** The value of a property or an attribute; a framework may have none yet. */
  function checked(name, value) {
    needed(!FORMS[name] || (value ?? null) === null || new RegExp(`^(${FORMS[name]})$`).test(value), name);
    return value;
  }

  /** The words of an element with others in the place of some. */
  function reworded(words, others) {
    needed(typeof (others ?? {}) === "object", "words");
    for (const name in others) needed([words, others].every((all) => typeof all[name] === "string"), `words.${name}`);
    return { ...words, ...others };
  }

  const wipe = (root, parts) => root.querySelectorAll(parts).forEach((part) => part.remove());

  // --- pictures ---

  const checkersIn = (group) => [...group.querySelectorAll(".checker")];
  /** What is printed beside a point, or else its number. */
  const printedAt = (group) => group.querySelector(".number:not(.count)")?.textContent ?? group.dataset.point;
  const groupsOf = (svg) => [...svg.querySelectorAll(".point, .bar, .tray")];
  const diceOf = (svg) => [...svg.querySelectorAll(DICE)];
  const numbersIn = (element, ...names) => names.map((name) => Number(element.getAttribute(name)));
  /** Whether there are other dice, or another cube, than before. */
  function isOther(old, svg, parts) {
    const [was, is] = [old, svg].map((board) => {
      return String([...board.querySelectorAll(parts)].map((part) => [part.getAttribute("class"), part.dataset.player, part.dataset.value]));
    });
    return is && was !== is;
  }

  const distance = (from, to) => Math.hypot(from.x - to.x, from.y - to.y);

  /** The group of a point, or of a player's bar or tray, by the number that the player on roll gives to it. */
  function groupOf(svg, number, player) {
    if (number === BAR) return svg.querySelector(`.bar[data-player="${player}"]`);
    if (number === 0) return svg.querySelector(`.tray[data-player="${player}"]`);
    return svg.querySelector(`.point[data-point="${number}"]`);
  }

  /** Who numbers the points: the player at the bottom, if the 1 point is there, or the other. */
  function sideOf(svg) {
    const [top, bottom] = svg.querySelectorAll(".bar");
    return (areaOf(groupOf(svg, 1)).y > frameOf(svg).middle.y ? bottom : top).dataset.player;
  }

  function boxOf(rect) {
    const [x, y, width, height] = numbersIn(rect, "x", "y", "width", "height");
    return { x, y, width, height, middle: { x: x + width / 2, y: y + height / 2 } };
  }

  const areaOf = (group) => boxOf(group.firstElementChild);
  /** The board with its frame, whose middle is that of the bar too, in every layout. */
  const frameOf = (svg) => boxOf(svg.querySelector(".frame"));
  /** From the middle of one half to that of the other. */
  const acrossIn = ([one, , , , , , seven]) => Math.abs(areaOf(one).x - areaOf(seven).x);

  function spotIn(group, slot, count) {
    const { x, y, width, height, middle } = areaOf(group);
    const board = frameOf(group.closest("svg")).middle;
    const crowd = Math.min(1, (M.apart - 1) / Math.max(1, count - 1));
    const [first, pitch] = group.matches(".tray") ? M.slabs : [M.radius, 2 * M.radius * crowd];
    const along = Math.round(10 * (first + pitch * slot)) / 10;
    if (width > height) return { x: middle.x < board.x ? x + along : x + width - along, y: middle.y };
    const isDownward = middle.y < board.y !== group.matches(".bar");
    return { x: middle.x, y: isDownward ? y + along : y + height - along };
  }

  function centerOf(checker) {
    const shape = checker.children[1] ?? checker; // in a look with depth it has several
    if (shape.localName === "rect") return boxOf(shape).middle;
    const [x, y] = numbersIn(shape, "cx", "cy");
    return { x, y };
  }

  /** Whose it is, and where. */
  const markOf = (checker) => checker.dataset.player + Object.values(centerOf(checker)).map(Math.round);
  const allIn = (svg) => String(checkersIn(svg).map(markOf).sort());

  function place(checker, { x, y }) {
    const center = centerOf(checker);
    shift(checker, x - center.x, y - center.y);
  }

  /** A rectangle; with depth also its shadow, and shade and light on its edges. */
  function lit(isDeep, face) {
    const { x, y, width, height } = face;
    const edge = (by, stroke, wide, opacity) => {
      const area = { x: x + by, y: y + by, width: width - 5, height: height - 5, rx: 4 };
      return made("rect", { ...area, fill: "none", stroke, "stroke-width": wide, opacity });
    };
    const shadow = { x: x + 1, y: y + 2, width, height, rx: 6, fill: "#000", stroke: "none", opacity: 0.3 };
    return isDeep ? [made("rect", shadow), made("rect", face), edge(3, "#000", 4, 0.15), edge(2, "#fff", 3, 0.3)] : [made("rect", face)];
  }

  /** A checker borne off, seen from the side. */
  function slabOf(checker, tray, { x, y }) {
    const [width, height] = tray.width > tray.height ? M.slab.toReversed() : M.slab;
    const area = { x: x - width / 2, y: y - height / 2, width, height, rx: 3 };
    const slab = checker.children[0] ? made("g", {}, ...lit(true, area)) : made("rect", area);
    for (const name of LOOK) if (checker.hasAttribute(name)) slab.setAttribute(name, checker.getAttribute(name));
    return slab;
  }

  function fill(svg, group, checkers) {
    const inTray = group.matches(".tray");
    const drawn = checkers.map((checker, slot) => {
      const spot = spotIn(group, slot, checkers.length);
      const piece = inTray ? slabOf(checker, areaOf(group), spot) : checker.cloneNode(true);
      piece.dataset.point = group.dataset.point;
      piece.removeAttribute("style"); // of one that was in flight
      place(piece, spot);
      return piece;
    });
    const { player } = checkers[0]?.dataset ?? {};
    if (drawn.length > (inTray ? 0 : M.apart)) {
      const [size, on, beyond, under] = M.count;
      const { x, y } = inTray ? spotIn(group, drawn.length - 1 + beyond / M.slabs[1]) : centerOf(drawn.at(-1));
      const below = inTray ? under : on;
      const ink = inTray ? "number" : `${player}-ink`;
      const fill = svg.querySelector(`.${ink}`)?.getAttribute("fill") ?? colors(svg, ink).fill;
      const look = { class: `count ${ink}`, fill, "font-weight": "bold", ...(inTray ? {} : { "font-size": size }) };
      drawn.push(made("text", { x, y: y + below, ...look }, checkers.length));
    }
    wipe(group, ".checker, .count");
    const mark = group.querySelector(MARKS);
    for (const element of drawn) group.insertBefore(element, mark);
    group.dataset.count = checkers.length;
    if (!group.matches(".point")) return;
    if (player) group.dataset.player = player;
    else delete group.dataset.player;
  }

  const otherThan = (player) => (player === "white" ? "black" : "white");

  /** Move a checker; a blot of the other player goes to the bar. Returns what is to be heard. */
  function moveIn(svg, player, { from, to }) {
    wipe(svg, "[class^=last-]");
    const [start, end] = [groupOf(svg, from, player), groupOf(svg, to, player)];
    const [mine, there] = [checkersIn(start), checkersIn(end)];
    const hit = there[0] && there[0].dataset.player !== player ? there.splice(0) : [];
    there.push(...mine.splice(-1));
    fill(svg, start, mine);
    fill(svg, end, there);
    if (!hit.length) return to ? "checker" : "off";
    const bar = groupOf(svg, BAR, hit[0].dataset.player);
    fill(svg, bar, [...checkersIn(bar), ...hit]);
    return "hit";
  }

  /** Fill and outline, which a page may change. */
  function colors(svg, ...fields) {
    const theme = M.themes[[...svg.classList].find((name) => M.themes[name])] ?? M.themes.light;
    const [fill, stroke] = fields.map((field) => `var(--gammon-${field}, ${theme[M.fields.indexOf(field)]})`);
    return { fill, ...(stroke && { stroke }) };
  }

  /** A copy of a picture, in which a page can change the colors by the names that they have in `draw.svg.Theme`. */
  function painted(picture) {
    const svg = picture.cloneNode(true);
    wipe(svg, ".flying"); // of a board that was copied
    for (const hidden of svg.querySelectorAll(".checker[style]")) hidden.removeAttribute("style");
    if (svg.dataset.shown === "turned") turn(svg); // back
    delete svg.dataset.shown;
    for (const [name, ...fields] of M.paints.map((paint) => paint.split(" "))) {
      for (const element of svg.querySelectorAll(`.${name}`)) {
        fields.forEach((field, at) => {
          const attribute = ["fill", "stroke"][at];
          const color = element.getAttribute(attribute) ?? "none";
          if (!field || color.startsWith("var(")) return;
          element.setAttribute(attribute, `var(--gammon-${field}, ${color})`);
        });
      }
    }
    return svg;
  }

  // --- the other side at the bottom ---

  function shift(group, right, down) {
    for (const part of [group, ...group.children]) {
      for (const [name, by] of [["x", right], ["cx", right], ["y", down], ["cy", down]]) {
        if (part.hasAttribute(name)) part.setAttribute(name, Number(part.getAttribute(name)) + by);
      }
    }
  }

  const mirror = (svg, part, { y }) => shift(part, 0, 2 * (frameOf(svg).middle.y - y));

  /** Two places stay where they are and exchange what is on them. */
  function exchange(svg, ...pair) {
    const contents = pair.map((group) => ({
      data: { ...group.dataset },
      checkers: checkersIn(group),
      marks: [...group.querySelectorAll(MARKS)],
      number: group.querySelector(".number:not(.count)")?.textContent,
    }));
    const counts = pair.flatMap((group) => [...group.querySelectorAll(".count")]);
    svg.append(...counts); // whose color the others take
    pair.forEach((group, at) => {
      const { data, checkers, marks, number } = contents[1 - at];
      for (const mark of marks) mirror(svg, mark, centerOf(mark));
      group.append(...marks);
      delete group.dataset.player;
      Object.assign(group.dataset, data);
      if (number && svg.dataset.numbers !== "fixed") group.querySelector(".number:not(.count)").textContent = number;
      fill(svg, group, checkers);
    });
    for (const count of counts) count.remove();
  }

  /** Turn a picture into that of the other side, as `draw.svg` draws it. */
  function turn(svg) {
    const groups = groupsOf(svg);
    for (const [start, end] of [[0, 24], [24, 26], [26, 28]]) {
      const places = groups.slice(start, end);
      while (places.length) exchange(svg, places.shift(), places.pop());
    }
    const { middle } = frameOf(svg);
    for (const arrow of svg.querySelectorAll(".arrow")) {
      arrow.setAttribute("d", arrow.getAttribute("d").replace(/\s(-?[\d.]+)/g, (_, y) => ` ${Math.round(20 * middle.y - 10 * y) / 10}`));
    }
    for (const group of svg.querySelectorAll(".die, .cube")) {
      const center = centerOf(group.querySelector("rect[class]"));
      if (center.y !== middle.y || group.matches(".cube:not(.offered)")) mirror(svg, group, center);
      else shift(group, (center.x < middle.x ? 1 : -1) * acrossIn(groups), 0);
    }
    const lines = [...svg.querySelectorAll(".player")];
    for (const line of lines) mirror(svg, line, centerOf(line.firstElementChild));
    if (lines[1]) lines[0].before(lines[1]);
    else lines[0]?.remove(); // it would be beyond the edge
  }

  /** The middle of the half to the right of a player. */
  function handOf(svg, player) {
    const { x, y } = frameOf(svg).middle;
    const isAbove = areaOf(groupOf(svg, BAR, player)).y < y;
    return x + ((isAbove ? -1 : 1) * acrossIn(groupsOf(svg))) / 2;
  }

  /** Dice without faces, where this player's will be. */
  function unrolled(svg, player) {
    const size = svg.matches(".portrait") ? 40 : 32;
    const x = handOf(svg, player);
    const { y } = frameOf(svg).middle;
    const look = { class: player, rx: 6, "stroke-width": 1.5, ...colors(svg, player, `${player}-rim`) };
    const place = (left, width) => ({ x: x + left * size, y: y - size / 2, width: width * size, height: size });
    const area = made("rect", { ...place(-1.25, 2.5), fill: "none", "pointer-events": "all" });
    const dice = [-1.125, 0.125].flatMap((left) => lit(svg.matches(".depth"), { ...place(left, 1), ...look }));
    return made("g", { class: "roll", transform: `rotate(-9 ${x} ${y})` }, area, ...dice);
  }

  // --- keys ---

  /** Focus the nearest place in this direction. */
  function step(svg, target, right, down) {
    const places = [...svg.querySelectorAll("[tabindex]")];
    const here = places.includes(target) ? areaOf(target).middle : frameOf(svg).middle;
    const cost = (place) => {
      const { x, y } = areaOf(place).middle;
      const ahead = right * (x - here.x) + down * (y - here.y);
      return ahead > 0 ? ahead + 3 * Math.abs(right * (y - here.y) + down * (x - here.x)) : Infinity;
    };
    const [next] = places.sort((place, other) => cost(place) - cost(other));
    if (next && cost(next) < Infinity) next.focus();
  }

  // --- arrows ---

  function outline(from, to) {
    const length = Math.max(distance(from, to), 1);
    const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const neck = Math.max(length - 18, 0);
    const corners = [[0, 3], [neck, 3], [neck, 9], [length, 0], [neck, -9], [neck, -3], [0, -3]];
    const along = ([on, off]) => [from.x + on * ahead - off * aside, from.y + on * aside + off * ahead];
    const spots = corners.map((corner) => along(corner).map((number) => Math.round(10 * number) / 10).join(" "));
    return `M${spots.join("L")}z`;
  }

  const PAINTS = { arrow: ["", "arrow", "arrow-rim"], made: [" made", "arrow-rim", "made"], both: [" both", "faint", "arrow-rim"] };

  /** Exchange ends of lines, so that of two moves that begin or end in the same place none crosses the other. */
  function untangle(moves, lines) {
    const shorter = (a, b, side) => {
      const exchanged = [[a[0], b[1]], [b[0], a[1]]];
      if (!side) exchanged.reverse();
      const spared = distance(...a) + distance(...b) - distance(...exchanged[0]) - distance(...exchanged[1]);
      return spared > 0.1 ? exchanged : [a, b];
    };
    for (const _ of moves) { // a few times at most, but not without end
      for (let first = 0; first < moves.length; first++) {
        for (let second = first + 1; second < moves.length; second++) {
          for (const side of [0, 1]) {
            if (moves[first][side] !== moves[second][side]) continue;
            [lines[first], lines[second]] = shorter(lines[first], lines[second], side);
          }
        }
      }
    }
  }

  /** Where a spot is as one goes along a line: how far ahead, and how far to the right. */
  function seenAlong([from, to], spot) {
    const length = Math.max(distance(from, to), 1);
    const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const [x, y] = [spot.x - from.x, spot.y - from.y];
    return [x * ahead + y * aside, y * ahead - x * aside];
  }

  /** Whether an arrow covers a part of another that is longer than it is thick. */
  function isAlong(line, other) {
    const seen = other.map((spot) => seenAlong(line, spot));
    const [near, far] = seen.map(([ahead]) => ahead).sort((a, b) => a - b);
    const isNear = seen.every(([, aside]) => Math.abs(aside) < 6);
    return isNear && Math.min(far, distance(...line)) - Math.max(near, 0) > 12;
  }

  /** The same lines, but one along another is moved aside: to the right first, or to the left. */
  function apart(lines, side) {
    const arrows = [];
    for (const line of lines) {
      const [from, to] = line;
      const length = Math.max(distance(from, to), 1);
      const [x, y] = [(from.y - to.y) / length, (to.x - from.x) / length];
      const beside = [0, 9, -9, 18].map((by) => line.map((spot) => ({ x: spot.x + side * by * x, y: spot.y + side * by * y })));
      arrows.push(beside.find((moved) => !arrows.some((arrow) => isAlong(moved, arrow))) ?? line);
    }
    return arrows;
  }

  /** Draw arrows of this player's moves, as `draw.svg` does, from checker to checker. */
  function drawArrows(svg, player, moves, name, others) {
    const left = new Map();
    const shared = others.map(String);
    const [both, rest] = [[], []];
    for (const move of moves) {
      const at = shared.indexOf(String(move));
      if (at >= 0) shared.splice(at, 1);
      (at < 0 ? rest : both).push(move);
    }
    const ordered = [...both, ...rest];
    const ends = ordered.map((move) => move.map((number) => groupOf(svg, number, player)));
    const lines = ends.map((groups) => {
      for (const group of groups) {
        if (!left.has(group)) left.set(group, group.dataset.player === player ? Number(group.dataset.count) : 0);
      }
      const [start, end] = groups;
      left.set(start, Math.max(left.get(start) - 1, 0));
      const spots = groups.map((group) => spotIn(group, left.get(group), Math.max(left.get(group) + 1, group.dataset.count)));
      left.set(end, left.get(end) + 1);
      return spots;
    });
    untangle(ordered, lines);
    const side = areaOf(groupOf(svg, BAR, player)).y < frameOf(svg).middle.y ? -1 : 1;
    const above = groupsOf(svg).at(-1).nextSibling;
    for (const [index, line] of apart(lines, side).entries()) {
      const kind = index < both.length ? "both" : name;
      const [from, to] = ends[index].map((group) => group.dataset.point);
      if (kind === "both" && name === "made") continue; // the best play has it
      const [more, ...paint] = PAINTS[kind];
      const look = { class: `arrow${more} drawn`, "pointer-events": "none", ...M.arrows[kind], ...colors(svg, ...paint) };
      svg.insertBefore(made("path", { d: outline(...line), ...look, "data-from": from, "data-to": to, "data-player": player }), above);
    }
  }

  // --- lists of a page ---

  const isNumber = (number) => Number.isInteger(number) && number >= 0 && number <= BAR;

  function listed(list, isRight, name, what) {
    if (Array.isArray(list) && list.length <= 100 && [...list].every(isRight)) return [...list];
    throw new TypeError(`${name} is not a list of at most 100 ${what}`);
  }

  const isMove = (move) => Array.isArray(move) && move.length === 2 && [...move].every(isNumber);
  const movesOf = (moves, name) => listed(moves ?? [], isMove, name, "pairs of points from 0 to 25").map((move) => [...move]);

  // --- trees ---

  /** The nodes as lists of { from, to, die, next }. A tree of another turn would move checkers that are not there, one with
   * circles would never end, and one that repeats a branch has too many ways. */
  function readTree(tree, svg) {
    const { points, dice, nodes } = typeof tree === "string" ? JSON.parse(tree) : tree;
    needed([points, dice, nodes, ...(nodes?.length ? nodes : [null])].every(Array.isArray), "tree");
    const drawn = diceOf(svg);
    const player = drawn[0]?.dataset.player;
    const counts = Array.from({ length: 26 }, (_, number) => {
      const { dataset } = groupOf(svg, number || BAR, number ? player : otherThan(player));
      return Number(dataset.count) * (dataset.player === player ? 1 : -1);
    });
    const faces = drawn.slice(0, 2).map((die) => Number(die.dataset.value)); // of a doublet there are four
    if (JSON.stringify([counts, faces]) !== JSON.stringify([points, dice])) throw new RangeError("the tree belongs to another picture");
    const depths = [0]; // of nodes: moves made before; a node follows those that lead to it
    const read = nodes.map((flat, at) => {
      const seen = new Set();
      return Array.from({ length: Math.ceil(flat.length / 4) }, (_, index) => {
        const [from, to, die, next] = flat.slice(4 * index, 4 * index + 4);
        const isNew = seen.size < seen.add(`${from}/${die}`).size;
        const isMove = Number.isInteger(from) && from <= BAR && from > to && to === Math.max(from - die, 0);
        needed(isMove && isNew && dice.includes(die) && next > at && nodes[next] && depths[at] < 4, `node ${at} of tree`);
        depths[next] = Math.max(depths[next] ?? 0, depths[at] + 1);
        return { from, to, die, next };
      });
    });
    return { dice, nodes: read, data: { points, dice, nodes } };
  }

  // --- the element ---

  const WORDS = {
    board: "Backgammon board",
    point: "point {point}",
    bar: "bar",
    off: "off",
    white: "White",
    black: "Black",
    empty: "empty",
    checkers: "{count} {player}",
    movable: "can move",
    exchange: "play the {die} first",
    turn: "your turn: {dice}",
    roll: "Roll",
    double: "Double from {value}",
    take: "Take at {value}",
    owned: "{place} of {player}",
    told: "{player}: {play}",
    ask: "{action}? Once more, then it is done.",
    undo: "Undo",
    done: "Done",
    dance: "No play",
  };

  const STYLE = `
    :host { display: block }
    :host([hidden]) { display: none }
    #frame { position: relative; direction: ltr; outline: none; user-select: none; -webkit-user-select: none }
    #reason {
      position: absolute; z-index: 1; box-sizing: border-box; width: max-content; max-width: min(18rem, 100%); margin: 0;
      padding: .4em .7em; border: 1px solid; border-radius: 6px; background: #221c17; color: #fff; pointer-events: none; unicode-bidi: plaintext
    }
    #controls:not([hidden]) { display: flex; justify-content: space-between; gap: .5rem; padding-top: .5rem }
    button { min-width: 6rem; min-height: 2.75rem; font: inherit; touch-action: manipulation }
    button[hidden] { display: block; visibility: hidden }
    #reason[hidden] { display: none }
    #status { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }`;

  const PROPERTIES = ["words", "flip", "theme", "speed", "auto", "view", "tree", "highlight", "arrows", "made"];

  class GammonBoard extends (globalThis.HTMLElement ?? Object) {
    static observedAttributes = ["flip", "theme", "speed", "auto"];
    static css = STYLE;

    #picture = null; // as it came: the board at the beginning of the turn
    #svg = null; // as it is shown: a copy of the picture, after the moves
    #view = null; // what a page has shown
    #same; // picture, tree and actions of it, to be compared
    #player; // who numbers the points
    #tree = null; // of who moves here; null: nobody does
    #actions = []; // what the person may do on the board besides: "roll", "double", "take"
    #moves = []; // the branches taken: { from, to, die, next }
    #isOver = false; // whether the turn has been ended
    #isExchanged = false; // whether the lower die comes first
    #wait = false; // until then no action is sent again
    #asked = null; // the cube, while it asks
    #told = ""; // the play of the other side, in words
    #drag = null;
    #highlight = null; // points that the page has named; null: those that can move
    #arrows = []; // those of the page
    #made = []; // those of a play that was made where that of the arrows was best
    #drawn = []; // those of the person
    #next = null; // shows what a play leads to that is being shown
    #stroke = null; // one that is being drawn: { id, from, to }
    #clicked = null; // the selector of what was clicked, from where keys go on; null: something has the focus
    #words = WORDS;
    #parts;
    #calm = matchMedia("(prefers-reduced-motion: reduce)");
    #watch = new MutationObserver((records) => this.#takeIn(records.some(({ type }) => type === "attributes")));

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      const part = (name, id, more = {}) => {
        return Object.assign(document.createElement(name), { id, part: `${name} ${id}`, hidden: true, ...more });
      };
      const [frame, controls] = [part("div", "frame", { tabIndex: -1, hidden: false }), part("div", "controls")];
      const reason = part("p", "reason", { role: "alert" });
      const status = part("p", "status", { role: "status", hidden: false });
      const [undo, done] = ["undo", "done"].map((id) => part("button", id, { type: "button" }));
      frame.append(document.createElement("slot"), reason);
      controls.append(undo, done);
      root.append(frame, controls, status);
      this.#parts = { frame, reason, controls, undo, done, status };
      undo.addEventListener("click", () => this.undo());
      // The second of a double click on "Done" must not end the next turn.
      done.addEventListener("click", ({ detail }) => (detail < 2 || this.#moves.length) && this.done());
      const on = (names, act) => names.split(" ").forEach((name) => frame.addEventListener(name, act));
      on("pointerdown", (event) => this.#press(event));
      on("pointermove", (event) => this.#pull(event));
      on("pointerup", (event) => this.#release(event));
      on("pointercancel lostpointercapture", ({ pointerId }) => {
        if ([this.#drag?.id, this.#stroke?.id].includes(pointerId)) this.#draw();
      });
      // Of what scrolls nothing browsers make a fling all the same, which the next touch would only stop.
      on("touchstart", (event) => event.target.closest("[style*=none]") && event.preventDefault());
      // That of a long touch, and where the right button draws arrows.
      on("contextmenu", (event) => (this.#drag || (event.button === 2 && this.#svg)) && event.preventDefault());
      on("pointerover pointerleave", ({ type, pointerType, target }) => {
        if (pointerType === "mouse" && !this.#drag) this.#aim(type === "pointerover" ? this.#numberAt(target) : null);
      });
      on("focusin", ({ target }) => {
        this.#clicked = this.#asked = null;
        if (target.matches(":focus-visible")) this.#aim(this.#numberAt(target));
      });
      // Screen readers click without a pointer, whose clicks are known when it is released.
      on("click", (event) => event.detail === 0 && !this.#end() && this.#click(event.target));
      this.addEventListener("keydown", (event) => this.#key(event));
      this.addEventListener("mousedown", (event) => {
        event.preventDefault(); // nothing is selected, and no picture dragged
        const isButton = event.target === this;
        if (!this.#isUsed || (isButton && this.contains(this.getRootNode().activeElement))) return;
        frame.focus({ preventScroll: true }); // which shows no ring
        this.#clicked = `[data-point="${event.target.closest(".movable")?.dataset.point}"].movable`;
      });
      this.#watch.observe(this, { childList: true, attributeFilter: ["tree"] });
      this.adoptedCallback();
    }

    connectedCallback() {
      this.#takeOver();
      this.#takeIn(false);
      this.#sayWhatIsMissing();
    }

    /** What only the board of alone.js takes. */
    #sayWhatIsMissing() {
      const { observedAttributes: taken } = this.constructor;
      const name = ["position", "state"].find((attribute) => this.hasAttribute(attribute) && !taken.includes(attribute));
      if (name && !this.#svg) this.textContent = `"${name}" needs alone.js, not board.js.`;
    }

    attributeChangedCallback(name, old, value) {
      checked(name, value);
      if (this.#svg && old !== value) this.#draw({ still: true });
    }

    disconnectedCallback() {
      if (this.#drag || this.#stroke) this.#draw();
    }

    /** Show what a server or framework has written: a picture inside, the attribute `tree`. */
    #takeIn(isTreeNew) {
      if (document.readyState === "loading") {
        document.addEventListener("DOMContentLoaded", () => this.#takeIn(isTreeNew), { once: true });
        return;
      }
      this.#next?.();
      const svg = this.querySelector("svg.gammonrules");
      const isOwn = svg === this.#svg;
      if (!svg || (isOwn && !isTreeNew)) return;
      try {
        const isCopied = !isOwn && svg.dataset.shown; // with its element: a picture of a turn that is played elsewhere
        this.view = { svg: isOwn ? this.#picture : svg, tree: isCopied ? null : this.getAttribute("tree") };
      } finally {
        if (this.#svg && !this.contains(this.#svg)) this.replaceChildren(this.#svg);
      }
    }

    // --- as in <gammon-setup> ---

    adoptedCallback() {
      const { defaultView } = this.ownerDocument;
      if (!defaultView) return;
      const sheet = new defaultView.CSSStyleSheet();
      sheet.replaceSync(this.constructor.css + themes());
      this.shadowRoot.adoptedStyleSheets = [sheet];
    }

    /** What a framework has assigned before this script was there. */
    #takeOver() {
      for (const name of PROPERTIES) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }

    #reflect(name, value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, checked(name, value));
    }

    get theme() {
      return this.getAttribute("theme");
    }

    set theme(theme) {
      this.#reflect("theme", theme);
    }

    #labelOf(group) {
      const { point, count, player } = group.dataset;
      const words = this.#words;
      const who = words[player];
      const place = words[point] ? filled(words.owned, { place: words[point], player: who }) : filled(words.point, { point: printedAt(group) });
      return `${place}, ${count > 0 ? filled(words.checkers, { count, player: who }) : words.empty}`;
    }

    get flip() {
      return this.hasAttribute("flip");
    }

    set flip(flip) {
      needed(typeof (flip ?? false) === "boolean", "flip");
      this.toggleAttribute("flip", flip ?? false);
    }

    // --- what a page calls ---

    get view() {
      return this.#view;
    }

    set view(view) {
      if (view) this.#show(view, true); // before a framework has one there is nothing to show
    }

    /** Returns a promise that is kept when all of it is on the board. */
    show(view) {
      return this.#show(view);
    }

    /** What is there already stays as it is, if the page wants that: of a turn that was ended its moves, to go on. */
    #show(view, isKept) {
      const { svg, tree, play } = view;
      const still = view.still ?? false;
      needed(typeof still === "boolean", "still");
      const moves = listed(view.moves ?? [], Array.isArray, "moves", "pairs");
      const picture = svg instanceof Element ? svg : new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      if (!picture.matches("svg.gammonrules") || !groupsOf(picture)[27]) {
        throw new TypeError("svg is not a picture of gammonrules");
      }
      const named = listed(view.actions ?? [], (action) => typeof action === "string", "actions", "words");
      const before = listed(play ?? [], isMove, "play", "pairs of points from 0 to 25");
      const copy = painted(picture);
      const [side, walked] = [sideOf(copy), tree ? readTree(tree, picture) : null];
      const key = JSON.stringify([new XMLSerializer().serializeToString(copy), walked?.data, named]);
      const isSame = isKept && key === this.#same && (!view.moves || String(moves) === String(this.#view.moves));
      this.#view = view;
      if (isSame) {
        if (this.#isOver) this.#draw({ still: true }, this.#isOver = false);
        return;
      }
      this.#next?.();
      this.#same = key;
      return this.#follow(this.#svg && !still ? before : [], otherThan(side), copy, () => {
        [this.#player, this.#tree, this.#picture, this.#actions] = [side, walked, copy, named];
        this.#begin(moves, still);
      });
    }

    undo() {
      if (this.#isOpen && this.#moves.length) this.#goTo(this.#moves.slice(0, -1));
    }

    done() {
      if (!this.complete) return;
      this.#isOver = true;
      this.#draw();
      this.#send("gammon-play", { moves: this.moves });
    }

    exchange() {
      if (!this.#canExchange) return;
      this.#isExchanged = !this.#isExchanged;
      this.#draw();
    }

    focus() {
      if (this.#svg) this.#focus(null);
    }

    get moves() {
      return this.#moves.map(({ from, to }) => [from, to]);
    }

    get complete() {
      return this.#isOpen && this.#branches().length === 0;
    }

    get side() {
      return this.#player ?? null;
    }

    get tree() {
      return this.#tree?.data ?? null;
    }

    set tree(tree) {
      this.#reflect("tree", typeof tree === "object" && tree ? JSON.stringify(tree) : tree);
    }

    get speed() {
      return this.getAttribute("speed");
    }

    set speed(speed) {
      this.#reflect("speed", speed);
    }

    get auto() {
      return this.getAttribute("auto");
    }

    set auto(auto) {
      this.#reflect("auto", auto);
    }

    get highlight() {
      return structuredClone(this.#highlight);
    }

    set highlight(points) {
      const named = (points ?? null) !== null ? listed(points, isNumber, "highlight", "points from 0 to 25") : null;
      if (String(named) === String(this.#highlight)) return;
      this.#highlight = named;
      if (this.#svg) this.#draw({ still: true });
    }

    get arrows() {
      return structuredClone(this.#arrows);
    }

    set arrows(moves) {
      this.#arrows = movesOf(moves, "arrows");
      if (this.#svg) this.#drawArrows();
    }

    get made() {
      return structuredClone(this.#made);
    }

    set made(moves) {
      this.#made = movesOf(moves, "made");
      if (this.#svg) this.#drawArrows();
    }

    get drawn() {
      return structuredClone(this.#drawn);
    }

    get words() {
      return this.#words;
    }

    set words(words) {
      const all = reworded(this.#words, words);
      const isNew = JSON.stringify(all) !== JSON.stringify(this.#words);
      this.#words = all;
      if (this.#svg && isNew) this.#draw();
    }

    // --- the turn ---

    get #isOpen() {
      return this.#tree !== null && !this.#isOver;
    }

    /** Whether a person does more here than look. */
    get #isUsed() {
      return this.#tree !== null || this.#actions.length > 0;
    }

    get #canExchange() {
      return this.#isOpen && !this.#moves.length && this.#tree.dice[0] !== this.#tree.dice[1];
    }

    #branches(node = this.#moves.at(-1)?.next ?? 0) {
      return this.#isOpen ? this.#tree.nodes[node] : [];
    }

    /** The dice not yet played, that which a click plays first in front. */
    get #diceLeft() {
      const [high, low] = this.#tree.dice;
      const left = high === low ? [high, high, high, high] : this.#isExchanged ? [low, high] : [high, low];
      for (const { die } of this.#moves) left.splice(left.indexOf(die), 1);
      return left;
    }

    /** What one checker can do: for each end the series that hits least, then the shortest, then the higher die first. */
    #waysFrom(point) {
      const isBlot = (number) => {
        const { count, player } = groupOf(this.#svg, number, this.#player).dataset;
        return number > 0 && count === "1" && player !== this.#player;
      };
      const rank = (series) => {
        const stops = series.slice(0, -1).map(({ to }) => to);
        const first = 5 * stops.filter(isBlot).length + series.length;
        return [0, 1, 2].reduce((sum, at) => 26 * sum + (stops[at] ?? 0), first);
      };
      const best = new Map();
      const goOn = (series, node, at) => {
        for (const branch of this.#branches(node).filter(({ from }) => from === at)) {
          const longer = [...series, branch];
          const rival = best.get(branch.to);
          if (!rival || rank(longer) < rank(rival)) best.set(branch.to, longer);
          goOn(longer, branch.next, branch.to);
        }
      };
      goOn([], undefined, point);
      return best;
    }

    #begin(moves, still) {
      const old = this.#svg;
      this.#next = null;
      this.#moves = [];
      this.#drawn = [];
      this.#wait = this.#isOver = this.#isExchanged = false;
      for (const [from, to] of moves) {
        const branch = this.#branches().find((branch) => branch.from === from && branch.to === to);
        if (!branch) break;
        this.#moves.push(branch);
      }
      this.#draw({ roll: true, still });
      const turn = this.#tree && filled(this.#words.turn, { dice: this.#tree.dice.join("-") });
      const offers = [...this.#svg.querySelectorAll("[data-action]")].map(({ ariaLabel }) => ariaLabel);
      this.#say(...[this.#told, turn, ...offers].filter(Boolean));
      const series = this.#tree && !moves.length && this.#automatic();
      if (series) this.#playAlone(series);
      if (!old || still) return;
      if (isOther(old, this.#svg, DICE)) this.#sound("dice");
      if (isOther(old, this.#svg, ".cube")) this.#sound("cube");
    }

    /** Another player's play, move by move on the board that is shown, as far as it has the checkers; then what is next. */
    async #follow(play, player, copy, next) {
      this.#next = next;
      if (play.length) {
        for (const move of this.#moves.splice(0)) moveIn(this.#picture, this.#player, move);
        [this.#tree, this.#actions, this.#isOver] = [null, [], false];
      }
      const shown = allIn(this.#picture ?? copy) === allIn(copy) ? [] : play; // it may have been shown before
      const turned = (move) => move.map((number) => (player === this.#player || number % BAR === 0 ? number : BAR - number));
      const text = shown.map((move) => this.#written(turned(move), move)).join(" ");
      this.#told = text && filled(this.#words.told, { player: this.#words[player], play: text });
      for (const [from, to] of shown.map(turned)) {
        if (checkersIn(groupOf(this.#picture, from, player))[0]?.dataset.player !== player) break;
        const sound = moveIn(this.#picture, player, { from, to });
        this.#draw();
        this.#say(this.#told);
        await this.#sound(sound);
        if (this.#next !== next) return;
      }
      next();
    }

    #goTo(moves) {
      const before = this.#moves.length;
      this.#moves = moves;
      const sounds = this.#draw().slice(before);
      const last = moves.at(-1);
      this.#say(last ? this.#written([last.from, last.to]) : this.#words.undo);
      this.#send("gammon-move", { moves: this.moves, complete: this.complete });
      this.#sound(...sounds);
    }

    #say(...texts) {
      this.#parts.status.textContent = texts.join(". ");
    }

    /** A move in words: by the numbers that are printed, if these are fixed, or by its player's own. */
    #written(ends, own = ends) {
      const isFixed = this.#svg?.dataset.numbers === "fixed";
      const { bar, off } = this.#words;
      const nameOf = (number, at) => (isFixed ? printedAt(groupOf(this.#svg, number)) : own[at]);
      return ends.map((number, at) => (number % BAR ? nameOf(number, at) : number ? bar : off)).join("/");
    }

    /** When the checker has arrived. */
    async #sound(...sounds) {
      await this.#rest(1);
      for (const sound of sounds) this.#send("gammon-sound", { sound });
    }

    async #rest(times) {
      if (this.#time) await new Promise((go) => setTimeout(go, times * this.#time));
    }

    /** The turn that plays by itself, if the page wants that; null: the person plays. */
    #automatic() {
      const wanted = (this.getAttribute("auto") ?? "").split(" ");
      const { nodes, data } = this.#tree;
      if (wanted.includes("forced") && nodes.filter(({ length }) => !length).length === 1) return this.#seriesOf(() => true);
      const series = this.#seriesOf(({ to }) => to === 0);
      const left = data.points.reduce((sum, count) => sum + Math.max(count, 0), 0);
      const isRace = data.points.findLastIndex((count) => count > 0) < data.points.findIndex((count) => count < 0);
      const isEach = series.length === Math.min(this.#diceLeft.length, left);
      return wanted.includes("bear-off") && isRace && isEach ? series : null;
    }

    /** Moves as long as there are such, the first of them each time. */
    #seriesOf(isSuch) {
      const series = [];
      for (let branch; (branch = this.#branches(series.at(-1)?.next).find(isSuch)); ) series.push(branch);
      return series;
    }

    /** Move by move, unless the person or the page goes on. */
    async #playAlone(series) {
      const picture = this.#picture;
      for (const move of [...series, null]) {
        const before = this.#moves;
        await this.#rest(2);
        if (this.#picture !== picture || this.#moves !== before || this.#drag || !this.isConnected) return;
        if (move) this.#goTo([...this.#moves, move]);
        else this.done();
      }
    }

    /** Play a checker with this die, or with the first of those left that it can play. */
    #playFrom(from, number) {
      const branches = this.#branches().filter((branch) => branch.from === from);
      const dice = number ? [number] : this.#diceLeft;
      const byDie = (wanted) =>
        branches.find(({ die }) => die === wanted) ?? branches.find(({ to, die }) => !to && die < wanted);
      const branch = dice.map(byDie).find(Boolean);
      if (branch) this.#goTo([...this.#moves, branch]);
      else this.#refuse(from, Math.max(from - (dice[0] ?? this.#tree.dice[0]), 0), from);
    }

    /** A page that knows why calls `explain`, now or later; the reason is shown where the person has clicked or let go. */
    #refuse(from, to, at = to) {
      this.#draw();
      const shown = this.#svg;
      const explain = (text) => shown === this.#svg && this.#explain(text, groupOf(shown, at, this.#player));
      this.#send("gammon-refuse", { from, to, moves: this.moves, explain });
    }

    #explain(text, group) {
      const { frame, reason } = this.#parts;
      const at = group.getBoundingClientRect();
      const around = frame.getBoundingClientRect();
      reason.textContent = text;
      reason.hidden = false;
      const [x, y] = [["x", "width"], ["y", "height"]].map(([axis, size]) => {
        return (100 * (at[axis] + at[size] / 2 - around[axis])) / around[size];
      });
      // As far along itself as along the frame, it is there and within.
      Object.assign(reason.style, { left: `${x}%`, top: `${y}%`, translate: `${-x}% ${-y}%` });
    }

    #send(name, detail) {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }

    // --- what is shown ---

    /** Draw the picture after the moves; what has moved flies. */
    #draw({ roll = false, still = false } = {}) {
      const old = this.#svg;
      const svg = document.importNode(this.#picture, true);
      const focus = this.#whereFocusIs();
      if (this.hasAttribute("theme")) svg.classList.replace("auto", "light"); // the page's stylesheet would decide
      if (this.flip) turn(svg);
      svg.dataset.shown = this.flip ? "turned" : "unturned";
      const sounds = this.#moves.map((move) => moveIn(svg, this.#player, move));
      Object.assign(svg.style, { display: "block", overflow: "visible" });
      this.#svg = svg;
      this.#drag = this.#stroke = null;
      this.#describe();
      if (this.#tree) this.#describeTurn();
      this.#offer();
      if (this.#tree || this.#highlight) this.#showHighlight();
      this.#drawArrows();
      this.replaceChildren(svg);
      this.#watch.takeRecords();
      this.#showControls();
      if (focus) this.#focus(focus);
      if (old && !still) this.#animate(old, svg, roll);
      return sounds;
    }

    #showControls() {
      const { reason, controls, undo, done } = this.#parts;
      reason.hidden = true;
      if (this.#tree) controls.hidden = false;
      undo.hidden = !this.#isOpen || !this.#moves.length;
      done.hidden = !this.complete;
      undo.textContent = this.#words.undo;
      done.textContent = this.#moves.length ? this.#words.done : this.#words.dance;
    }

    #describe() {
      const svg = this.#svg;
      const title = svg.querySelector("title");
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", title?.textContent ?? this.#words.board);
      // The title would follow the pointer, and what describes the beginning of the turn is true no more.
      const isOld = this.#moves.length || this.#next || (this.flip && svg.dataset.numbers === "fixed");
      wipe(svg, isOld ? "title, desc" : "title");
      for (const group of groupsOf(svg)) {
        group.setAttribute("role", "img");
        group.setAttribute("aria-label", this.#labelOf(group));
      }
    }

    #describeTurn() {
      const svg = this.#svg;
      wipe(svg, ".halo, .target");
      this.#describeDice(diceOf(svg));
      const sources = new Set(this.#branches().map(({ from }) => from));
      for (const group of groupsOf(svg)) {
        const number = this.#numberOf(group);
        const isMovable = sources.has(number);
        const isOwn = number !== null && group.dataset.player === this.#player && group.dataset.count !== "0";
        // An inline element, as these are by default, has no touch-action.
        Object.assign(group.style, { display: "block", touchAction: this.#isOpen && isOwn ? "none" : "manipulation" });
        if (!isMovable) continue;
        group.setAttribute("role", "button");
        group.ariaLabel += `, ${this.#words.movable}`;
        group.classList.add("movable");
        group.tabIndex = 0;
        group.style.cursor = "grab";
      }
    }

    /** The cube, and dice that are to be rolled, take a click. */
    #offer() {
      const dice = diceOf(this.#svg)[0] ? null : unrolled(this.#svg, this.#player);
      const cube = this.#svg.querySelector(".cube");
      for (const [action, group] of [["roll", dice], ["double", cube], ["take", cube]]) {
        if (!group || !this.#actions.includes(action)) continue;
        if (group === dice) this.#svg.insertBefore(dice, cube); // Tab leads there first
        group.setAttribute("role", "button");
        group.setAttribute("aria-label", filled(this.#words[action], { value: group.textContent.trim() }));
        group.tabIndex = 0;
        Object.assign(group.dataset, { action });
        // So that no click follows a touch: it would meet what the page may have put there.
        Object.assign(group.style, { cursor: "pointer", touchAction: "none" });
        for (const face of group.querySelectorAll("rect[class]")) {
          Object.assign(face.style, { stroke: colors(this.#svg, "highlight").fill, strokeWidth: 3 });
        }
      }
      // What decides about points is not the first stop.
      if (cube && cube === this.#svg.querySelector("[tabindex]")) this.#svg.tabIndex = 0;
    }

    /** The second of a double click is none. What decides about points asks once, unless it is clicked. */
    #act(group, isClicked) {
      const { action } = group.dataset;
      if (Date.now() < this.#wait) return;
      if (action !== "roll" && !isClicked && this.#words.ask && this.#asked !== group) {
        this.#asked = group;
        return this.#explain(filled(this.#words.ask, { action: group.ariaLabel }), group);
      }
      this.#wait = Date.now() + 1000;
      this.#send("gammon-action", { action });
    }

    #showHighlight() {
      wipe(this.#svg, ".highlight");
      for (const number of new Set(this.#highlight ?? this.#branches().map(({ from }) => from))) {
        const group = groupOf(this.#svg, number, this.#player);
        this.#ring(group, group.dataset.count - 1, "highlight", 4, colors(this.#svg, "highlight", "highlight"));
        group.lastChild.setAttribute("fill-opacity", group.dataset.count > 0 ? 0 : 0.45);
      }
    }

    #drawArrows() {
      const { from, to } = this.#stroke ?? {};
      const moves = [...this.#arrows, ...this.#drawn, ...(isNumber(to) ? [[from, to]] : [])];
      wipe(this.#svg, ".arrow.drawn");
      if (!this.#player) return;
      drawArrows(this.#svg, this.#player, moves, "arrow", this.#made);
      drawArrows(this.#svg, this.#player, this.#made, "made", this.#arrows); // below those
    }

    #describeDice(dice) {
      const mine = `.point[data-player="${this.#player}"], .bar[data-player="${this.#player}"]:not([data-count="0"])`;
      const left = this.#svg.querySelector(mine) ? this.#diceLeft : []; // a game that is over needs no dice
      dice.forEach((die, index) => {
        const isUsed = dice.length > 2 ? dice.length - index > left.length : !left.includes(Number(die.dataset.value));
        die.dataset.used = isUsed;
        if (isUsed) die.setAttribute("opacity", 0.35);
        if (this.#isExchanged) die.setAttribute("transform", `translate(${areaOf(dice[1 - index]).x - areaOf(die).x} 0)`);
        if (!this.#canExchange) return;
        die.style.cursor = "pointer";
        if (index === Number(this.#isExchanged)) return;
        die.setAttribute("role", "button");
        die.setAttribute("aria-label", filled(this.#words.exchange, { die: die.dataset.value }));
        die.tabIndex = 0;
      });
    }

    #aim(point) {
      if (!this.#isOpen) return;
      wipe(this.#svg, ".halo, .target, .chosen");
      const ends = point === null ? [] : [...this.#waysFrom(point).keys()];
      const around = (number, beyond, name, width) => {
        const group = groupOf(this.#svg, number, this.#player);
        const count = group.dataset.player === this.#player ? Number(group.dataset.count) : 0;
        for (const [mark, field, thickness] of [["halo", "arrow-rim", width + 3], [name, "target", width]]) {
          const look = { ...colors(this.#svg, field, field), fill: "none", "pointer-events": "none" };
          this.#ring(group, count + beyond, mark, thickness, look);
        }
      };
      if (ends.length) around(point, -1, "chosen", 5);
      for (const to of ends) around(to, 0, "target", 3);
    }

    /** Around a checker, or where one can go; or around the place, if that is a tray or has none. */
    #ring(group, slot, name, thickness, look) {
      const { count, point } = group.dataset;
      const isAround = slot < 0 || group.matches(".tray");
      const { x, y, width, height } = isAround ? areaOf(group) : spotIn(group, slot, Math.max(slot + 1, count));
      const mark = { class: name, "data-point": point, "stroke-width": thickness, ...look };
      group.append(width ? made("rect", { x, y, width, height, rx: 4, ...mark }) : made("circle", { cx: x, cy: y, r: M.ring, ...mark }));
    }

    #whereFocusIs() {
      const focused = this.getRootNode().activeElement;
      if (!this.contains(focused) || this.#clicked) return null;
      const place = focused.closest(".movable")?.dataset.point;
      const { action } = focused.dataset;
      if (action) return `[data-action=${action}]`;
      return place ? `[data-point="${place}"].movable` : focused.matches(".die") ? ".die[tabindex]" : ".movable";
    }

    /** Focus this, or what can be done now. */
    #focus(selector) {
      const { frame, undo, done } = this.#parts;
      const button = this.shadowRoot.activeElement;
      if (button && button !== frame && !button.hidden) return;
      const next = this.#svg.querySelector(selector) ?? this.#svg.querySelector(".movable, .roll");
      const stop = this.#svg.tabIndex ? frame : this.#svg;
      (next ?? [done, undo, stop].find(({ hidden }) => !hidden)).focus({ preventScroll: true });
    }

    // --- motion ---

    get #time() {
      const speed = this.getAttribute("speed");
      if (this.#calm.matches || document.hidden) return 0;
      return speed === null ? 250 : Math.min(Math.max(Number(speed) || 0, 0), 5000);
    }

    #animate(old, svg, roll) {
      const [was, is] = [old, svg].map((board) => spotIn(groupOf(board, 0, "white"), 0, 1));
      if (!this.#time || distance(was, is)) return; // a board seen from elsewhere
      const [before, after] = [old, svg].map((board) => [...board.querySelectorAll(".checker:not(.flying)")]);
      const [were, are] = [before, after].map((checkers) => new Set(checkers.map(markOf)));
      const gone = before.filter((checker) => !are.has(markOf(checker)));
      const come = after.filter((checker) => !were.has(markOf(checker)));
      // The nearest pairs first: stacks close up, and one checker makes the way.
      const pairs = gone
        .flatMap((start) => come.map((end) => ({ start, end, way: distance(centerOf(start), centerOf(end)) })))
        .filter(({ start, end }) => start.dataset.player === end.dataset.player)
        .sort((pair, next) => pair.way - next.way);
      const taken = new Set();
      for (const { start, end } of pairs) {
        if (taken.has(start) || taken.has(end)) continue;
        taken.add(start).add(end);
        this.#fly(start, end);
      }
      if (roll && isOther(old, svg, DICE)) diceOf(svg).forEach((die) => this.#roll(die));
    }

    /** A copy flies, above everything else. */
    #fly(start, end) {
      const [from, to] = [centerOf(start), centerOf(end)];
      const ghost = this.#svg.appendChild(end.cloneNode(true));
      ghost.setAttribute("pointer-events", "none");
      ghost.classList.add("flying");
      end.style.visibility = "hidden";
      const motion = this.#move(ghost, `translate(${from.x - to.x}px, ${from.y - to.y}px)`, 1);
      motion.onfinish = motion.oncancel = () => {
        ghost.remove();
        end.style.visibility = "";
      };
    }

    #roll(die) {
      Object.assign(die.style, { transformBox: "fill-box", transformOrigin: "center" });
      this.#move(die, "translate(70px, 30px) rotate(400deg)", 2);
    }

    #move(element, transform, times) {
      return element.animate([{ transform }, { transform: "none" }], { duration: times * this.#time, easing: "ease-out" });
    }

    // --- what the player does ---

    /** Null for a bar or tray of the other player, and for what is none. */
    #numberOf(group) {
      if (group?.matches(".point")) return Number(group.dataset.point);
      if (group?.dataset.player !== this.#player) return null;
      return group.matches(".bar") ? BAR : 0;
    }

    #numberAt(target) {
      return this.#svg?.contains(target) ? this.#numberOf(target.closest(".point, .bar, .tray")) : null;
    }

    #spotOf({ clientX, clientY }) {
      return new DOMPoint(clientX, clientY).matrixTransform(this.#svg.getScreenCTM().inverse());
    }

    /** The number of the place in whose column the pointer is. */
    #numberBelow(event) {
      const { x, y } = this.#spotOf(event);
      const frame = frameOf(this.#svg);
      if (Math.abs(y - frame.middle.y) > frame.height / 2) return null;
      const places = groupsOf(this.#svg).map((group) => ({ group, ...areaOf(group) }));
      const beside = ({ middle, height }) => Math.abs(y - middle.y) - height / 2;
      const isThere = ({ middle, width }) => Math.abs(x - middle.x) <= width / 2 && middle.y < frame.middle.y === y < frame.middle.y;
      return this.#numberOf(places.filter(isThere).sort((place, other) => beside(place) - beside(other))[0]?.group);
    }

    #click(target, isClicked) {
      const group = target.closest("[data-action]");
      if (group && this.#svg.contains(target)) return this.#act(group, isClicked);
      if (!this.#isOpen) return;
      const number = this.#numberAt(target);
      if (target.closest(DICE)) this.complete ? this.done() : this.exchange();
      else if (number) this.#playAt(number, target.closest("[data-count]").dataset);
    }

    /** A checker that is there; or two that make the point. */
    #playAt(number, { count, player }) {
      const ways = this.#branches().map((first) => [first, ...this.#branches(first.next)].filter(({ to }) => to === number));
      const pair = ways.find(({ length }) => length > 1);
      if (pair && player !== this.#player) this.#goTo([...this.#moves, ...pair]);
      else if (count !== "0") this.#playFrom(number);
    }

    #press(event) {
      if (event.button === 2) return this.#startArrow(event);
      if (event.button !== 0) return;
      this.#setDrawn([]);
      if (this.#drag || !event.isPrimary || this.#end() || !this.#isUsed) return;
      this.#parts.reason.hidden = true;
      const { pointerId: id, pointerType, clientX: x, clientY: y } = event;
      for (const motion of this.#svg.getAnimations({ subtree: true })) motion.finish();
      const target = this.getRootNode().elementFromPoint(x, y); // dice are where they were rolling to
      this.#drag = { target, id, x, y, from: this.#isOpen ? this.#numberAt(target) : null, slack: pointerType === "mouse" ? 4 : 10, piece: null };
      this.#parts.frame.setPointerCapture(id);
    }

    /** End the play of the other side that is being shown, if there is one. */
    #end() {
      const next = this.#next;
      next?.();
      return next;
    }

    #startArrow({ target, pointerId: id }) {
      const from = this.#numberAt(target);
      if (from === null || this.#drag) return;
      this.#stroke = { id, from, to: null };
      this.#parts.frame.setPointerCapture(id);
    }

    #pullArrow(event) {
      const to = this.#numberBelow(event);
      this.#stroke.to = to === this.#stroke.from ? null : to;
      this.#drawArrows();
    }

    /** Add what was drawn; drawn again, it goes. */
    #endArrow() {
      const { from, to } = this.#stroke;
      this.#stroke = null;
      if (to === null) return;
      const others = this.#drawn.filter((move) => String(move) !== String([from, to]));
      this.#setDrawn(others.length < this.#drawn.length ? others : [...others, [from, to]].slice(-100));
    }

    #setDrawn(moves) {
      if (!moves.length && !this.#drawn.length) return;
      this.#drawn = moves;
      this.#drawArrows();
      this.#send("gammon-draw", { arrows: this.drawn });
    }

    #pull(event) {
      if (this.#stroke?.id === event.pointerId) return this.#pullArrow(event);
      const drag = this.#drag;
      if (drag?.id !== event.pointerId) return;
      if (!drag.piece) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < drag.slack || !drag.from) return;
        const group = groupOf(this.#svg, drag.from, this.#player);
        const checkers = checkersIn(group);
        if (checkers[0]?.dataset.player !== this.#player) return;
        drag.piece = this.#svg.appendChild(checkers.pop());
        drag.piece.setAttribute("pointer-events", "none");
        const { count, player } = group.dataset;
        fill(this.#svg, group, checkers);
        Object.assign(group.dataset, { count, player }); // no pips are played yet
        this.#aim(drag.from);
      }
      place(drag.piece, this.#spotOf(event));
      const to = this.#numberBelow(event);
      for (const ring of this.#svg.querySelectorAll(".target")) {
        ring.setAttribute("fill", ring.getAttribute("stroke"));
        ring.setAttribute("fill-opacity", this.#numberOf(ring.parentNode) === to ? 0.5 : 0);
      }
    }

    #release(event) {
      if (this.#stroke?.id === event.pointerId) return this.#endArrow();
      const drag = this.#drag;
      if (drag?.id !== event.pointerId) return;
      this.#drag = null;
      if (!drag.piece) return this.#click(drag.target, true);
      const to = this.#numberBelow(event);
      const way = this.#waysFrom(drag.from).get(to);
      if (way) this.#goTo([...this.#moves, ...way]);
      else if (to === null || to === drag.from || to === BAR) this.#draw();
      else this.#refuse(drag.from, to);
    }

    #key(event) {
      const { key, repeat } = event;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const isEnter = key === "Enter" || key === " ";
      if (isEnter && !repeat && this.#end()) return event.preventDefault();
      if (!this.#isUsed) return;
      const clicked = this.#clicked;
      const target = (clicked && this.#svg.querySelector(clicked)) || event.target;
      if (clicked && target !== this) target.focus({ preventScroll: true });
      this.#clicked = null;
      const number = target === this || !this.#isOpen ? null : this.#numberAt(target);
      if (ARROWS[key]) step(this.#svg, target, ...ARROWS[key]);
      else if (repeat) return;
      else if (isEnter && target !== this) this.#click(target);
      else if (key === "Enter" && clicked) this.done();
      else if (/^[1-6]$/.test(key) && number) this.#playFrom(number, Number(key));
      else if (key === "Backspace" || key === "u") this.undo();
      else if (key === "x") this.exchange();
      else return;
      event.preventDefault();
    }
  }

  // Servers that render pages import this too, without a DOM; and a page may load it twice.
  const { customElements } = globalThis;
  if (customElements && !customElements.get("gammon-board")) customElements.define("gammon-board", GammonBoard);
}
