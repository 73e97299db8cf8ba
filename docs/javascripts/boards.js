// The boards of docs/reference/board.md: in the place of each picture the same turn, from docs/try/beforehand.py.

const assets = new URL("../try/assets/", import.meta.url);
const upright = matchMedia("(orientation: portrait) and (max-width: 40rem)"); // a phone, and how it is held

const [answer] = await Promise.all([fetch(new URL("boards.json", assets)), import(new URL("board.js", assets))]);
const { pictures, tree } = await answer.json();

for (const place of document.querySelectorAll("[data-board]")) {
  const board = document.createElement("gammon-board");
  const show = () => {
    const svg = pictures[`${place.dataset.board} ${upright.matches ? "portrait" : "landscape"}`];
    board.show({ svg, tree, moves: board.moves, still: true });
  };
  const beginAgain = () => board.show({ svg: board.view.svg, tree });
  board.addEventListener("gammon-play", () => setTimeout(beginAgain, 1000));
  board.addEventListener("gammon-refuse", ({ detail }) => detail.explain("Not with 3-1."));
  upright.addEventListener("change", show);
  place.replaceChildren(board);
  show();
}
