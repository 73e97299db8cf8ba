// A match against the computer on the page to try it (docs/try.md), with the rules and the opponent in the page.

const part = (name) => document.getElementById(`play-${name}`);
const [board, strength] = [part("board"), part("strength")];
const files = ["match-board.js", "history.js", "opponent.js"].map((name) => new URL(`../try/assets/${name}`, import.meta.url));
const [, { MatchHistory }] = await Promise.all(files.map((file) => import(file)));
const { auto } = board;

const die = () => 1 + Math.floor(6 * Math.random());
const roll = () => [die(), die()];
const upright = matchMedia("(max-width: 40em) and (orientation: portrait)");
let game;

/** The opening roll is thrown already. */
function begin() {
  game = new MatchHistory({ length: 3 });
  while (!game.turn) game.apply({ action: "opening_roll", argument: roll() });
  show();
}

function show() {
  const events = game.history();
  board.last = { start: new MatchHistory(game.start, events.slice(0, -100)).state, events: events.slice(-100) };
  board.state = game.state;
  allow();
}

const isChoice = ({ action, by }) => by === "white" && !action.endsWith("roll");

function allow() {
  part("hint").disabled = game.turn !== "white";
  part("undo").disabled = !game.history().some(isChoice);
  part("fresh").hidden = !game.winner;
  part("hint").hidden = Boolean(game.winner);
}

/** What the computer does, or You do. */
const does = (player, verb) => `${player} ${verb}${player === "You" ? "" : "s"}`;
const translations = {
  begins: ({ dice, player }) => `${dice}: ${does(player, "begin")}`,
  doubles: ({ player, value }) => `${does(player, "double")} to ${value}`,
  offers: ({ player, level }) => `${does(player, "resign")} ${level}`,
  won: ({ player, how, points }) => `${does(player, "win")} ${how}: ${points}`,
  match_won: ({ player }) => `${does(player, "win")} the match`,
};

board.addEventListener("gammon-change", ({ detail }) => {
  board.auto = auto;
  game.apply(detail.event);
  allow();
});
part("hint").addEventListener("click", () => board.hint());
part("undo").addEventListener("click", () => {
  let event;
  do event = game.undo();
  while (!isChoice(event));
  board.auto = null; // or else it is played again
  show();
});
part("fresh").addEventListener("click", begin);
strength.addEventListener("change", () => { board.opponent = strength.value; });
upright.addEventListener("change", hold);

function hold() {
  board.layout = upright.matches ? "portrait" : "landscape";
}

function dress() {
  board.theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
}

new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
Object.assign(board, { look: "depth", opponent: strength.value, roll, translations, names: { white: "You", black: "Computer" } });
hold();
dress();
begin();
part("first").parentElement.hidden = false;
