/* What the pages of tests have, those of tests/browser too: the board, what was heard of it, and where its parts are. */

let board;
let explain; // of the last illegal move
let isRefused = false; // whether the page refuses what is told
const heard = []; // of a board: the names of its events, and what they say
const events = []; // of a match
const told = []; // of <gammon-setup>
const thrown = []; // the dice of a match
const policy = self.trustedTypes?.createPolicy("page", { createHTML: (text) => text });

for (const name of ["move", "play", "illegal", "action", "draw"]) {
  addEventListener(`gammon-${name}`, ({ detail: { explain: why, ...detail } }) => {
    explain = why ?? explain;
    heard.push([name, detail]);
  });
}
addEventListener("gammon-change", (event) => {
  events.push(event.detail);
  if (isRefused) event.preventDefault();
});
addEventListener("gammon-setup", ({ detail }) => told.push(detail));
addEventListener("DOMContentLoaded", () => {
  board = document.querySelector("gammon-board, gammon-setup");
});

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
/** Wait for what comes some time later, as the click of a tap does. */
async function until(isSo) {
  for (let tries = 0; tries < 100 && !isSo(); tries++) await pause(20);
}
const html = (text) => policy ? policy.createHTML(text) : text;
const parsed = (svg) => new DOMParser().parseFromString(html(svg), "image/svg+xml");
function show({ svg, ...view }) {
  board.style.maxWidth = svg.includes(" portrait") ? "400px" : "560px"; // all of it in the window
  return board.show({ svg: html(svg), ...view });
}
function styled(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

// --- where the parts are ---

function middle(part) {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
/** A point, the bar (25) or the tray (0) of a player. */
function group(place, player) {
  if (place === 25) return board.querySelector(`.bar[data-player=${player}]`);
  if (place === 0) return board.querySelector(`.tray[data-player=${player}]`);
  return board.querySelector(`.point[data-point="${place}"]`);
}
const numberOf = ({ dataset: { point } }) => ({ bar: 25, off: 0 })[point] ?? Number(point);
const placeOf = ([place, player]) => middle(group(place, player).firstElementChild);
/** A place on which a position is set up: 0 to 25, or a player for the tray. */
const onPlace = (place) => middle(board.shadowRoot.querySelector(`[data-place="${place}"]`).firstElementChild);
/** A button, or what a selector finds on the board, which is scrolled into view. */
function part(name) {
  const found = board.shadowRoot.getElementById(name) ?? board.querySelector(name).querySelector("rect[class]");
  found.scrollIntoView({ block: "nearest" });
  return middle(found);
}
const buttonOf = (name) => middle(board.shadowRoot.getElementById(name));

// --- what is shown ---

const reason = () => {
  const { hidden, textContent } = board.shadowRoot.getElementById("reason");
  return hidden ? "" : textContent;
};
/** What is shown after this explanation of an illegal move, with its upper left and lower right corners. */
function explained(text) {
  explain(text);
  const { left, top, right, bottom } = board.shadowRoot.getElementById("reason").getBoundingClientRect();
  return [reason(), [left, top], [right, bottom]];
}
const status = () => board.shadowRoot.getElementById("status").textContent;
const buttons = () => [...board.shadowRoot.querySelectorAll("button")]
  .filter((button) => button.checkVisibility({ visibilityProperty: true })).map(({ id }) => id);
/** Where one checker of each point can go, as rings show it. */
const offered = () => Object.fromEntries([...board.querySelectorAll(".movable")].map((place) => {
  hover(place);
  const targets = [...board.querySelectorAll(".target")].map((ring) => numberOf(ring.parentNode));
  return [numberOf(place), targets.sort((a, b) => b - a)];
}));

// --- what is done, and what came of it ---

const hover = (place) => place.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
/** Press a key on a place. */
function pressOn(place, player, key) {
  group(place, player).dispatchEvent(new KeyboardEvent("keydown", { key: `${key}`, bubbles: true }));
}
async function played() {
  await until(() => heard.at(-1)?.[0] === "play");
  return heard.splice(0).at(-1);
}
async function heardOf() {
  await until(() => events.length);
  return events.splice(0);
}
const isThere = (id) => until(() => board.shadowRoot.getElementById(id));

// --- the focus ---

const focusedPart = () => board.shadowRoot.activeElement ?? document.activeElement;
/** The name of what has the focus, and the moves so far. */
const focused = () => `${(focusedPart().ariaLabel ?? focusedPart().id).split(",")[0]} ${board.moves}`;
/** What has the focus in a match: a button, a part of the board, or nothing of either. */
const focus = () => {
  const { activeElement } = board.shadowRoot;
  const { dataset, localName } = document.activeElement;
  return activeElement ? activeElement.id : dataset.action ?? dataset.point ?? localName;
};
/** The key that leads nearer to the checkers of a place; none: they have the focus. */
function keyTo(place) {
  const at = focusedPart();
  const wanted = [...board.querySelectorAll(".movable")].find((movable) => numberOf(movable) === place);
  if (at === wanted) return "";
  const isAhead = at.getRootNode() === document && at.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isAhead ? "Tab" : "Shift+Tab";
}
