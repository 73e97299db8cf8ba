// The boards of docs/reference/board.md: in the place of each picture the same turn, with the rules in the page.

await import(new URL("../try/assets/match-board.js", import.meta.url));
const upright = matchMedia("(orientation: portrait) and (max-width: 40rem)"); // a phone, and how it is held

for (const place of document.querySelectorAll("[data-board]")) {
  const board = document.createElement("gammon-board");
  const begin = () => Object.assign(board, { position: "4HPwATDgc/ABMA", side: "white", dice: "31", theme: "auto" });
  const hold = () => { board.layout = upright.matches ? "portrait" : "landscape"; };
  board.look = place.dataset.board;
  board.addEventListener("gammon-play", () => setTimeout(begin, 1000));
  upright.addEventListener("change", hold);
  place.replaceChildren(board);
  hold();
  begin();
}
