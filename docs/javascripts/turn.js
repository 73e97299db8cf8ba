// The board of the start page (docs/index.md): a turn with what the library says to it, from docs/try/beforehand.py.

const assets = new URL("../try/assets/", import.meta.url);
const board = document.createElement("gammon-board");
const said = Object.assign(document.createElement("p"), { role: "status" });

const [answers] = await Promise.all([fetch(new URL("turn.json", assets)), import(new URL("board.js", assets))]);
const { pictures, tree, after } = await answers.json();
const upright = matchMedia("(max-width: 40em) and (orientation: portrait)");

function show(moves) {
  board.show({ svg: pictures[upright.matches ? "portrait" : "landscape"], tree, moves, still: true });
}

function begin() {
  show([]);
  said.textContent = "Play Black's 6-2: drag or tap a checker.";
}

board.addEventListener("gammon-move", ({ detail: { moves } }) => {
  const { play } = after[moves];
  said.textContent = play ? `${play} is legal.` : "";
});

board.addEventListener("gammon-refuse", ({ detail: { from, to, moves, explain } }) => explain(after[moves].why[[from, to]]));

board.addEventListener("gammon-play", ({ detail: { moves } }) => {
  const { play, then } = after[moves];
  const link = Object.assign(document.createElement("a"), {
    textContent: "Go on from there",
    href: new URL(`../try/?${new URLSearchParams({ position: then })}`, import.meta.url),
  });
  const again = Object.assign(document.createElement("button"), { textContent: "play it again", type: "button" });
  again.addEventListener("click", begin);
  said.replaceChildren(`${play} is legal. `, link, ", or ", again, ".");
});

upright.addEventListener("change", () => show(board.moves));
document.getElementById("turn").replaceChildren(said, board);
begin();
