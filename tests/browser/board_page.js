/* What the pages have that are compared with pictures of the library; web/testing/page.js stands before it. */

const placed = part => String(["cx", "cy", "x", "y", "width"].map(name => part.getAttribute(name) ?? ""));

/** Everything that a move changes: checkers, counts, dice. */
const drawn = (root, inks) => {
  const attributes = (one, ...names) => names.map(name => {
    const value = one.getAttribute(name)?.replace(/^var\(--gammon-[a-z-]+, (.*)\)$/, "$1") ?? null;
    return value === null || value === "" || isNaN(value) ? value : Math.round(10 * value) / 10;
  });
  const names = ["fill", "stroke", "stroke-width", "data-point", "data-player", "cx", "cy", "r", "x", "y", "width", "height", "rx"];
  return {
    groups: [...root.querySelectorAll(".point, .bar, .tray")].map(one => ({
      data: [one.dataset.point, one.dataset.player ?? "", one.dataset.count],
      checkers: [...one.querySelectorAll(".checker, .checker *")].map(one => [one.localName, one.getAttribute("class"), ...attributes(one, ...names, "opacity")]),
      counts: [...one.querySelectorAll(".count")].map(one => [one.textContent, ...one.classList, ...attributes(one, "x", "y", "font-size", "font-weight", ...(inks ? ["fill"] : []))]),
    })),
    dice: [...root.querySelectorAll(".die:not(.last)")].map(one => attributes(one, "data-value", "data-used", "opacity", "data-player")),
  };
};

/** Everything that is drawn, in no order: a mirrored arrow has its corners in another. */
const whole = root => [...root.querySelectorAll("svg > :not(title, desc), svg > * *")].map(one => {
  const attributes = [...one.attributes].map(({ name, value }) => {
    if (/^(role|aria-label)$/.test(name)) return ""; // names for screen readers
    const color = value.replace(/^var\(--gammon-[a-z-]+, (.*)\)$/, "$1").replace(/^(arrow.*) drawn$/, "$1");
    const plain = color.replace(/\d+\.\d+/g, number => Math.round(10 * number) / 10);
    return plain === "none" ? "" : `${name}=${/^M.*L/.test(plain) ? plain.slice(1, -1).split("L").sort() : plain}`;
  });
  return [one.localName, ...attributes.sort(), one.children.length ? "" : one.textContent].filter(Boolean).join(" ");
}).sort();
/** What is on the board and not in the picture, and the other way round. */
const unlike = svg => {
  const [is, should] = [whole(board), whole(parsed(svg))];
  const without = (some, others) => some.filter(one => !others.includes(one));
  return is.length === should.length ? [without(is, should), without(should, is)] : [is, should];
};

/** Cube, dice and checkers. */
const cubes = root => [...root.querySelectorAll(".cube")].map(({ dataset: { value, player }, children, textContent }) =>
  [value, player, textContent.trim(), ...[...children].map(placed)]);
const dice = root => [...root.querySelectorAll(".die")].map(die => {
  return [die.dataset.player, die.dataset.value, ...[...die.children].map(placed).sort()];
}).sort();
const seen = root => JSON.stringify([drawn(root, true).groups, cubes(root), dice(root)]);
/** These, and all that is around them. */
const table = root => {
  const around = /class=(.* )?(paper|sign|player|name|score|doing|faint|plate|standing|last|last-(from|to|halo))\b|r=8/;
  const { viewBox } = root.querySelector("svg").attributes;
  return [seen(root), viewBox.value, ...whole(root).filter(text => around.test(text))];
};

/** Walk through the orders of a turn by keys; the stages at which the board is not what it should be. */
const wrongStages = ([view, inks, stages]) => {
  show(view);
  const wrong = [], { player } = board.querySelector(".die:not(.last)").dataset;
  const sorted = value => JSON.stringify(Object.entries(value).sort());
  const walk = () => {
    const { length } = board.moves, at = String(board.moves), found = new Set();
    if (!stages[at]) return; // not in the sample
    const [following, reached, svg] = stages[at];
    const [is, should] = svg ? [board, parsed(svg)].map(one => JSON.stringify(drawn(one, inks))) : [];
    const isRight = !svg || is === should && sorted(offered()) === sorted(reached);
    for (const place of Array(26).keys()) {
      if (length && !group(place, player).matches(".movable")) continue;
      for (const key of length ? new Set(view.tree.dice) : "123456") {
        group(place, player)?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        if (board.moves.length === length) continue;
        const move = String(board.moves.at(-1));
        if (!found.has(move)) walk(found.add(move));
        board.undo();
      }
    }
    const made = [...found].sort().join(" ");
    delete stages[at];
    if (!isRight || board.isComplete !== !following || made !== following) wrong.push([at, following, made, reached, is, should]);
  };
  walk();
  return [wrong, Object.keys(stages)]; // and those that were not reached
};
