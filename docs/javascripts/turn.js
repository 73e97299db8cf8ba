// The board of the start page (docs/index.md): a turn from docs/try/beforehand.py, with the rules in the page.

const assets = new URL("../try/assets/", import.meta.url);
const board = document.createElement("gammon-board");
const said = Object.assign(document.createElement("p"), { role: "status" });

const [answer, { rules }] = await Promise.all([fetch(new URL("turn.json", assets)), import(new URL("match-board.js", assets))]);
const { pictures, tree, after } = await answer.json();
const upright = matchMedia("(max-width: 40em) and (orientation: portrait)");
const playOf = (moves) => rules.notation(tree.points, tree.dice, moves);

function show(moves) {
  board.show({ svg: pictures[upright.matches ? "portrait" : "landscape"], tree, moves, still: true });
}

function begin() {
  show([]);
  said.textContent = "Play White's 3-1: drag or tap a checker.";
}

board.addEventListener("gammon-move", ({ detail: { moves, isComplete } }) => {
  said.textContent = isComplete ? `${playOf(moves)} is legal.` : "";
});

board.addEventListener("gammon-illegal", ({ detail: { from, to, moves, explain } }) => {
  explain(rules.why(tree.points, tree.dice, moves, from, to).message);
});

board.addEventListener("gammon-play", ({ detail: { moves } }) => {
  const play = playOf(moves);
  const link = Object.assign(document.createElement("a"), {
    textContent: "Go on from there",
    href: new URL(`../try/?${new URLSearchParams({ position: after[play] })}`, import.meta.url),
  });
  const again = Object.assign(document.createElement("button"), { textContent: "play it again", type: "button" });
  again.addEventListener("click", begin);
  said.replaceChildren(`${play} is legal. `, link, ", or ", again, ".");
});

upright.addEventListener("change", () => show(board.moves));
document.getElementById("turn").replaceChildren(said, board);
begin();
