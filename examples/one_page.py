"""A match with cube, for two people on one device, or against the computer: this writes one_page.html beside itself.

The page needs nothing else, neither a server nor a network.
"""

from pathlib import Path

from gammonrules import draw

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Backgammon</title>
<style>
  :root { color-scheme: light dark; font: 1.05rem/1.4 system-ui, sans-serif }
  body { margin: 0 auto; padding: .6rem .75rem; max-width: max(21rem, min(60rem, 119vh - 15rem)) }
  header, dialog div { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem }
  h1, h2 { margin: 0 auto 0 0; font-size: 1.2rem }
  p { margin: .25rem 0; min-height: 1.4em; overflow-wrap: anywhere }
  button, gammon-board::part(button) { min-width: 6.5rem; border: 1px solid; border-radius: .6rem }
  button, input, select { min-height: 2.75rem; font: inherit; box-sizing: border-box }
  header button { min-width: 0; padding: 0 .75rem }
  dialog { width: min(24rem, 90vw); box-sizing: border-box }
  label { display: block; margin: .75rem 0 }
  label :is(input, select), textarea { display: block; width: 100%; box-sizing: border-box }
  textarea { height: 50vh; margin: .75rem 0; font: .85rem/1.4 ui-monospace, monospace; white-space: pre }
</style>
<main>
  <header>
    <h1>Backgammon</h1>
    <button id="undo">Take back</button><button id="write">Record</button><button id="fresh">New match</button>
  </header>
  <p id="told"></p>
  <gammon-board id="board" look="depth" theme="auto">This page needs JavaScript.</gammon-board>
</main>
<dialog id="choice" aria-labelledby="asked">
  <form method="dialog">
    <h2 id="asked">New match</h2>
    <label>To how many points <input name="length" type="number" min="1" max="99" value="7" required></label>
    <label>Black is <select name="opponent">
      <option value="">a person, on this device</option>
      <option value="greedy">the computer, which races</option>
      <option value="random">the computer, which plays at random</option>
    </select></label>
    <label>White's name <input name="white" maxlength="30" placeholder="White"></label>
    <label>Black's name <input name="black" maxlength="30" placeholder="Black"></label>
    <div><button type="button" id="cancel">Cancel</button><button>Start</button></div>
  </form>
</dialog>
<dialog id="record" aria-labelledby="written">
  <h2 id="written">The record of the match</h2>
  <textarea id="text" readonly aria-labelledby="written"></textarea>
  <form method="dialog"><div><button type="button" id="copy">Copy</button><button>Close</button></div></form>
</dialog>
<script>
ALONE</script>
<script>
GAME</script>
<script>
  const { Game, rules } = gammonBoard;
  const KEPT = "gammon-board: one page"; // in the storage of the browser
  const PAUSE = 900; // milliseconds before the computer acts

  let game; // the match and its history
  let people; // { white, black, opponent }: two names, and what plays Black; "" is a person
  let timer;

  // --- dice ---

  function die() {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    return byte < 252 ? (byte % 6) + 1 : die(); // so that all six are equally likely
  }

  board.roll = () => [die(), die()];

  // --- the computer ---

  /** Black's lead in pips, as a share of Black's own. */
  function lead() {
    const [black, white] = rules.pips(rules.view(game.state, "black").points);
    return (white - black) / black;
  }

  /** Pips ahead after a play, and some less for every blot; White sees the points. */
  function worth({ points }) {
    const [white, black] = rules.pips(points);
    return white - black - 6 * points.filter((count) => count === -1).length;
  }

  const OPPONENTS = {
    greedy: {
      choose: (plays) => plays.reduce((best, play) => (worth(play) > worth(best) ? play : best)),
      doubles: () => lead() > 0.1,
      takes: () => lead() > -0.15,
    },
    random: {
      choose: (plays) => plays[Math.floor(Math.random() * plays.length)],
      doubles: () => false,
      takes: () => true,
    },
  };

  /** What Black does now, as a player sends it. */
  function decided({ choose, doubles, takes }) {
    const { position, dice } = game.state;
    const actions = game.legalActions("black");
    if (actions.includes("play")) {
      return { action: "play", argument: choose(rules.legalPlays(position.points, dice)).moves };
    }
    if (actions.includes("accept")) return { action: "accept" };
    if (actions.includes("take")) return { action: takes() ? "take" : "drop" };
    return { action: actions.includes("double") && doubles() ? "double" : "roll" };
  }

  function answer() {
    game.receive(decided(OPPONENTS[people.opponent]), "black", { roll: board.roll });
    board.state = game.state;
    goOn();
  }

  // --- the match ---

  function begin(start, events, chosen) {
    game = new Game(start, events);
    people = chosen;
    board.player = people.opponent ? "white" : null;
    board.words = { white: people.white, black: people.black };
    board.state = game.state;
    goOn();
  }

  /** After everything that happens. */
  function goOn() {
    const events = game.history();
    told.textContent = events.slice(-2).map(said).filter(Boolean).join(" ");
    undo.disabled = !events.some(isChoice);
    keep({ start: game.start, events, people });
    clearTimeout(timer);
    if (people.opponent && game.turn === "black") timer = setTimeout(answer, PAUSE);
  }

  /** What a person has decided, and not the dice or the computer. */
  const isChoice = ({ action, by }) => !action.endsWith("roll") && !(people.opponent && by === "black");

  function said({ action, by, argument }) {
    const name = people[by];
    if (action === "play") return `${name}: ${argument}.`;
    return { double: `${name} doubles.`, take: `${name} takes.`, decline: `${name} declines.` }[action];
  }

  board.addEventListener("gammon-event", ({ detail }) => {
    game.apply(detail.event);
    goOn();
  });

  undo.onclick = () => {
    let event;
    do event = game.undo();
    while (!isChoice(event));
    board.state = game.state;
    goOn();
  };

  // --- the two dialogs ---

  fresh.onclick = () => choice.showModal();
  cancel.onclick = () => choice.close();
  choice.querySelector("form").onsubmit = ({ target }) => {
    const { length, opponent, white, black } = Object.fromEntries(new FormData(target));
    const names = { white: white.trim() || "White", black: black.trim() || "Black" };
    begin({ length: Number(length) }, [], { ...names, opponent });
  };

  write.onclick = () => {
    text.value = game.mat({ white: people.white, black: people.black });
    copy.textContent = "Copy";
    record.showModal();
  };
  copy.onclick = async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Press Ctrl+C"; // it is selected
    }
  };

  // --- what the browser keeps, so that a page that is opened again goes on ---

  function keep(match) {
    try {
      localStorage.setItem(KEPT, JSON.stringify(match));
    } catch {
      // it is full, or forbidden: then a page that is opened again begins anew
    }
  }

  function resume() {
    try {
      const { start, events, people } = JSON.parse(localStorage.getItem(KEPT));
      begin(start, events, people);
    } catch {
      begin({ length: 7 }, [], { white: "White", black: "Black", opponent: "" });
      choice.showModal();
    }
  }

  const upright = matchMedia("(orientation: portrait) and (max-width: 40rem)");
  upright.onchange = () => { board.layout = upright.matches ? "portrait" : "landscape"; };
  upright.onchange();
  resume();
</script>
</html>
"""


def page() -> str:
    return PAGE.replace("ALONE", draw.alone_js()).replace("GAME", draw.game_js())


if __name__ == "__main__":
    Path(__file__).with_name("one_page.html").write_text(page(), encoding="utf-8", newline="\n")
