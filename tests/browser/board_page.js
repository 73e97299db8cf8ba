let board, explain, heard = [], policy = self.trustedTypes?.createPolicy("page", { createHTML: text => text });
const show = ({ svg, ...view }) => {
  board.style.maxWidth = svg.includes(" portrait") ? "400px" : "560px"; // all of it in the window
  return board.show({ svg: policy ? policy.createHTML(svg) : svg, ...view });
};
for (const name of ["move", "play", "refuse", "action"]) addEventListener("gammon-" + name, event => {
  const { explain: why, ...detail } = event.detail;
  explain = why ?? explain;
  heard.push([name, detail]);
});
addEventListener("DOMContentLoaded", () => {
  board = document.querySelector("gammon-board, gammon-setup");
});

const parsed = svg => new DOMParser().parseFromString(policy ? policy.createHTML(svg) : svg, "image/svg+xml");
const group = (place, player) => board.querySelector(
  place === 25 ? `.bar[data-player=${player}]` : place === 0 ? `.tray[data-player=${player}]` : `.point[data-point="${place}"]`);
const numberOf = ({ dataset: { point } }) => ({ bar: 25, off: 0 })[point] ?? Number(point);

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

/** Where one checker of each point can go, as rings show it. */
const offered = () => Object.fromEntries([...board.querySelectorAll(".movable")].map(one => {
  one.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
  return [numberOf(one), [...board.querySelectorAll(".target")].map(ring => numberOf(ring.parentNode)).sort((a, b) => b - a)];
}));

const middle = one => { const { x, y, width, height } = one.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
const placeOf = ([place, player]) => middle(group(place, player).firstElementChild);
const explained = text => {
  explain(text);
  const { hidden, textContent } = board.shadowRoot.getElementById("reason");
  const { left, top, right, bottom } = board.shadowRoot.getElementById("reason").getBoundingClientRect();
  return [hidden ? "" : textContent, [left, top], [right, bottom]];
};
const played = async () => { // a tap may be a click some time later
  for (let tries = 0; tries < 100 && heard.at(-1)[0] !== "play"; tries++) await new Promise(go => setTimeout(go, 20));
  return heard.splice(0).at(-1);
};
const focused = () => {
  const inside = board.shadowRoot.activeElement ?? document.activeElement;
  return (inside.ariaLabel ?? inside.id).split(",")[0] + " " + board.moves;
};
/** The key that leads nearer to the checkers of a place; none: they have the focus. */
const keyTo = place => {
  const at = board.shadowRoot.activeElement ?? document.activeElement;
  const wanted = [...board.querySelectorAll(".movable")].find(one => numberOf(one) === place);
  if (at === wanted) return "";
  return at.getRootNode() === document && at.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
};
const buttonOf = name => middle(board.shadowRoot.getElementById(name));

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
    if (!isRight || board.complete !== !following || made !== following) wrong.push([at, following, made, reached, is, should]);
  };
  walk();
  return [wrong, Object.keys(stages)]; // and those that were not reached
};

const styled = css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
};
const hover = one => one.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
