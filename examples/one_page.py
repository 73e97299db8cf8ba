"""A match with cube against the computer, or for two people on one device: this writes one_page.html beside itself.

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
  :root {
    color-scheme: light dark; --paper: light-dark(#fbf7ee, #1e1a17); --ink: light-dark(#33261d, #efe6d8);
    --frame: light-dark(#5d4030, #463529); --number: light-dark(#ecdfc6, #c9bba6);
    font: 1rem/1.4 system-ui, sans-serif; background: var(--paper); color: var(--ink)
  }
  body { margin: 0 }
  main { margin: auto; padding: 0 .5rem; max-width: max(19rem, min(60rem, 119vh - 15rem)) }
  #table { display: flex; flex-direction: column; gap: .5rem; height: 100dvh; padding: .5rem 0; box-sizing: border-box }
  gammon-board { min-height: 0 }
  header, dialog div { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem }
  dialog div { justify-content: space-between }
  h1, h2 { margin: 0 auto 0 0; font-size: 1.2rem }
  p { margin: 0; overflow-wrap: anywhere }
  button, input, select, textarea, dialog { border: 1px solid; border-radius: .5rem; box-sizing: border-box }
  button, input, select, textarea { background: var(--paper); color: inherit; font: inherit }
  button, input, select { min-height: 2.75rem; padding: .25rem .75rem }
  button { cursor: pointer }
  button:disabled { opacity: .5; cursor: default }
  button[hidden] { display: block; visibility: hidden }
  dialog button:last-child { background: var(--frame); color: var(--number) }
  :focus-visible { outline: 3px solid light-dark(#c47f00, #b87400); outline-offset: 2px }
  dialog { width: min(24rem, 90vw); background: var(--paper); color: var(--ink) }
  label { display: block; margin: .75rem 0 }
  label :is(input[name], select), textarea { display: block; width: 100% }
  label input[type=checkbox] { display: inline; width: auto; min-height: 0; margin: 0 .5rem 0 0 }
  textarea { height: 50vh; margin: .75rem 0; font: .85rem/1.4 ui-monospace, monospace; white-space: pre }
  ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; padding: 0 }
  ol[hidden] { display: none }
  li { display: block }
  li gammon-board::part(controls) { display: none }
  header button { white-space: nowrap }
  @media (max-width: 30rem), (orientation: landscape) and (max-height: 30rem) {
    h1 { position: absolute; clip-path: inset(50%) }
  }
  @media (max-width: 30rem) {
    header { justify-content: space-between; gap: .25rem; font-size: .9em }
    header button { flex: auto; padding: .25rem }
  }
  @media (orientation: landscape) and (max-height: 30rem) {
    main { max-width: none }
    #table { display: grid; grid-template: auto 1fr / 8rem minmax(0, 1fr) }
    header { flex-direction: column; align-items: stretch }
    #board { grid-area: 1 / 2 / span 2 }
  }
</style>
<main>
  <section id="table" aria-label="Match">
    <header>
      <h1>Backgammon</h1>
      <button id="fresh">New match</button><button id="write">Record</button>
      <button id="undo">Take back</button><button id="hint">Hint</button>
    </header>
    <gammon-board id="board" look="depth" theme="auto" auto="forced bear-off roll">
      This page needs JavaScript.
    </gammon-board>
    <p id="told" role="status"></p>
  </section>
  <ol id="mistakes" aria-label="Mistakes" hidden></ol>
</main>
<dialog id="choice" aria-labelledby="asked">
  <form method="dialog">
    <h2 id="asked">New match</h2>
    <label>To how many points <input name="length" type="number" min="1" max="25" value="5" required></label>
    <label>Play against <select name="opponent">
      <option value="beginner">the computer, a beginner</option>
      <option value="casual">the computer, a casual player</option>
      <option value="club" selected>the computer, a club player</option>
      <option value="strong">the computer at its best</option>
      <option value="">a person on this device</option>
    </select></label>
    <label><input name="tutor" type="checkbox" checked>Ask me before I make a big mistake</label>
    <label>White's name <input name="white" maxlength="30" placeholder="You"></label>
    <label>Black's name <input name="black" maxlength="30" placeholder="Computer"></label>
    <div><button type="button" id="cancel">Cancel</button><button>Start</button></div>
  </form>
</dialog>
<dialog id="record" aria-labelledby="written">
  <h2 id="written">The record of the match</h2>
  <textarea id="text" readonly aria-labelledby="written"></textarea>
  <form method="dialog"><div><button type="button" id="copy">Copy</button><button>Close</button></div></form>
</dialog>
SCRIPTS
<script>
  const { MatchHistory, rules, opponent: computer } = gammonBoard;
  const KEPT = "gammon-board: one page"; // in the storage of the browser
  const FAULT = 0.1; // points that a mistake loses at least

  let game; // the match and its history
  let people; // { white, black, opponent, tutor }: two names; how strong the computer is that plays Black, or ""

  // --- dice ---

  function die() {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    return byte < 252 ? (byte % 6) + 1 : die(); // so that all six are equally likely
  }

  board.roll = () => [die(), die()];

  // --- names ---

  const unnamed = (opponent) => (opponent ? { white: "You", black: "Computer" } : { white: "White", black: "Black" });
  /** What Ann does, or You do. */
  const does = (player, verb) => `${player} ${verb}${player === "You" ? "" : "s"}`;

  board.translations = {
    begins: ({ dice, player }) => `${dice}: ${does(player, "begin")}`,
    doubles: ({ player, value }) => `${does(player, "double")} to ${value}`,
    offers: ({ player, level }) => `${does(player, "resign")} ${level}`,
    won: ({ player, how, points }) => `${does(player, "win")} ${how}: ${points}`,
    match_won: ({ player }) => `${does(player, "win")} the match`,
  };

  // --- the match ---

  function begin(start, events, chosen) {
    game = new MatchHistory(start, events);
    people = chosen;
    board.opponent = people.opponent || null;
    board.tutor = people.tutor;
    board.names = { white: people.white, black: people.black };
    show();
  }

  function show() {
    const events = game.history();
    board.last = { start: new MatchHistory(game.start, events.slice(0, -100)).state, events: events.slice(-100) };
    board.state = game.state;
    goOn();
  }

  /** After everything that happens. */
  function goOn() {
    allow();
    keep({ start: game.start, events: game.history(), people });
    review();
  }

  function explained() {
    const colors = Object.entries(unnamed("")).filter(([player, color]) => people[player] !== color);
    const roles = colors.map(([player, color]) => `${does(people[player], "play")} ${color}. `);
    return `${roles.join("")}Each throws a die, and the higher one begins.`;
  }

  const isComputer = (player) => people.opponent !== "" && player === "black";
  /** What a person has decided, and not the dice or the computer. */
  const isChoice = ({ action, by }) => !action.endsWith("roll") && !isComputer(by);

  function allow() {
    undo.hidden = false;
    undo.disabled = !game.history().some(isChoice);
    hint.disabled = game.turn === null || isComputer(game.turn);
  }

  const { auto } = board;
  board.addEventListener("gammon-change", ({ detail }) => {
    board.auto = auto;
    game.apply(detail.event);
    goOn();
  });
  board.addEventListener("gammon-move", allow);
  // Until the board's question is answered, whose own button takes the play back.
  board.addEventListener("gammon-tutor", () => { undo.hidden = hint.disabled = true; });

  hint.onclick = () => board.hint();
  undo.onclick = () => {
    let event;
    do event = game.undo();
    while (!isChoice(event));
    board.auto = null; // or else it is played again
    show();
    if (undo.disabled) board.focus(); // or else nothing has the focus
  };

  // --- the mistakes of a game that is over ---

  /** The states in which people have decided something in the last game, and what they did. */
  function decisions() {
    const replayed = new MatchHistory(game.start);
    let made = [];
    for (const event of game.history()) {
      if (event.action === "next_game") made = [];
      const { state, turn } = replayed;
      const actions = replayed.legalActions();
      replayed.apply(event);
      if (turn === null || isComputer(turn) || event.action === "resign") continue;
      if (["play", "double", "take"].some((action) => actions.includes(action))) made.push({ state, turn, event });
    }
    return made;
  }

  /** How much it lost, in words, and the arrows of the plays. */
  function judged({ state, event: { action, argument } }) {
    const { name } = computer;
    if (action === "play") {
      const candidates = computer.candidates(state, { limit: 1, also: [argument] });
      const [best, play = best] = candidates;
      const text = `${play.text} loses ${play.loss.toFixed(3)}. ${name} prefers ${best.text}.`;
      return { loss: play.loss, text, arrows: best.moves, playedArrows: play.moves };
    }
    const { no_double, double_take, double_drop } = computer.cube(state);
    const gain = Math.min(double_take, double_drop) - no_double; // of a double
    const [loss, what, better] = {
      roll: [gain, "Not to double", "double"],
      double: [-gain, "The double", "roll"],
      take: [double_take - double_drop, "The take", "drop"],
      drop: [double_drop - double_take, "The drop", "take"],
    }[action] ?? [0];
    return { loss, text: `${what} loses ${loss.toFixed(3)}. ${name} would ${better}.` };
  }

  let reviewed = null; // the state at the end of the game whose mistakes are shown

  /** List them, one after the other, so that the page never stands still. */
  async function review() {
    const { state } = game;
    if (state === reviewed) return;
    reviewed = state;
    mistakes.hidden = true;
    mistakes.replaceChildren();
    told.textContent = game.phase === "opening" ? explained() : "";
    if (!state.result) return;
    told.textContent = "Looking for mistakes...";
    for (const decision of decisions()) {
      await new Promise((go) => setTimeout(go));
      if (reviewed !== state) return;
      const judgment = judged(decision);
      if (judgment.loss >= FAULT) mistakes.append(shown(decision, judgment));
    }
    const count = mistakes.children.length;
    mistakes.hidden = count === 0;
    const number = count === 1 ? "1 mistake" : `${count || "No"} mistakes`;
    const legend = count ? " Dashed arrows show what was played." : "";
    told.textContent = `${number} of 0.1 points or more in this game.${legend}`;
  }

  /** The board before it: the arrows are the best play, the dashed ones what was played. */
  function shown({ state, turn }, { text, arrows, playedArrows }) {
    const item = document.createElement("li");
    const picture = document.createElement("gammon-board");
    const { look, layout, theme, names } = board;
    const flip = turn === "black";
    Object.assign(picture, { look, layout, theme, names, player: "none", flip, state, arrows, playedArrows });
    const message = people.opponent ? text : `${people[turn]}: ${text}`;
    item.append(Object.assign(document.createElement("p"), { textContent: message }), picture);
    return item;
  }

  // --- the two dialogs ---

  fresh.onclick = () => choice.showModal();
  cancel.onclick = () => choice.close();
  const form = choice.querySelector("form");
  form.oninput = () => {
    for (const [player, name] of Object.entries(unnamed(form.opponent.value))) form[player].placeholder = name;
  };
  form.onsubmit = () => {
    const { length, opponent, tutor } = Object.fromEntries(new FormData(form));
    const names = unnamed(opponent);
    for (const player in names) names[player] = form[player].value.trim() || names[player];
    begin({ length: Number(length) }, [], { ...names, opponent, tutor: Boolean(tutor) });
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
      begin({ length: 5 }, [], { ...unnamed("club"), opponent: "club", tutor: true });
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
    scripts = [
        f"<script>\n{script}</script>" for script in (draw.match_board_js(), draw.history_js(), draw.opponent_js())
    ]
    return PAGE.replace("SCRIPTS", "\n".join(scripts))


if __name__ == "__main__":
    Path(__file__).with_name("one_page.html").write_text(page(), encoding="utf-8", newline="\n")
