"""Two people play on one device: this writes one_page.html beside itself, a page that needs nothing else."""

from pathlib import Path

from gammonrules import draw

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Backgammon for two</title>
<style>
  :root { color-scheme: light dark; font: 1.05rem/1.4 system-ui, sans-serif }
  body { margin: 0 auto; padding: .6rem .75rem; max-width: max(21rem, min(60rem, 136vh - 13rem)) }
  div { display: flex; justify-content: space-between; align-items: center }
  h1 { margin: 0; font-size: 1.2rem }
  p { margin: .25rem 0 .5rem; min-height: 1.4em }
  p::before { content: ""; float: left; width: 1em; height: 1em; margin: .15em .5em 0 0 }
  p::before { border: 1px solid; border-radius: 50%; background: #fffdf7 }
  p[data-side="black"]::before { background: #2d2a2e }
  button, gammon-board::part(button) { min-width: 6.5rem; border: 1px solid; border-radius: .6rem }
  button { min-height: 2.75rem; font: inherit }
  #roll { position: relative; display: block; margin: -2.75rem auto 0; background: #1d6b4f; color: #fff }
  #roll[hidden] { visibility: hidden }
</style>
<main>
  <div><h1>Backgammon for two</h1><button id="again">New game</button></div>
  <p id="told" role="status"></p>
  <gammon-board look="depth" theme="auto">This page needs JavaScript.</gammon-board>
  <button id="roll" hidden>Roll</button>
</main>
<script>
ALONE</script>
<script>
  const START = "4HPwATDgc/ABMA"; // a Position ID
  const NAMES = { white: "White", black: "Black" };
  const WINS = { 1: "the game", 2: "a gammon", 3: "a backgammon" };
  const board = document.querySelector("gammon-board");

  const upright = matchMedia("(orientation: portrait) and (max-width: 40rem)");
  upright.onchange = () => { board.layout = upright.matches ? "portrait" : "landscape"; };
  upright.onchange();

  function die() {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    return byte < 252 ? (byte % 6) + 1 : die(); // so that all six are equally likely
  }

  function say(text, side) {
    told.textContent = text;
    told.dataset.side = side;
  }

  function play(dice, before = "") {
    board.dice = dice;
    if (document.activeElement !== document.body) board.focus();
    roll.hidden = true;
    say(`${before}${NAMES[board.side]} to play ${board.dice.join("-")}.`, board.side);
  }

  function begin() {
    const [white, black] = [die(), die()];
    if (white === black) return begin();
    Object.assign(board, { dice: null, side: white > black ? "white" : "black", position: START });
    play([white, black], `White rolls ${white}, Black ${black}. `);
  }

  roll.onclick = () => play([die(), die()]);
  again.onclick = () => { if ((roll.hidden && !board.dice) || confirm("End this game?")) begin(); };

  board.addEventListener("gammon-play", ({ detail: { play, outcome } }) => {
    const last = board.side === "white" ? "black" : "white";
    if (outcome) say(`${NAMES[last]}: ${play}. ${NAMES[last]} wins ${WINS[outcome.win]}.`, last);
    else say(`${NAMES[last]}: ${play}. ${NAMES[board.side]} to roll.`, board.side);
    roll.hidden = Boolean(outcome);
    (outcome ? again : roll).focus();
  });

  begin();
</script>
</html>
"""


def page() -> str:
    return PAGE.replace("ALONE", draw.alone_js())


if __name__ == "__main__":
    Path(__file__).with_name("one_page.html").write_text(page(), encoding="utf-8", newline="\n")
