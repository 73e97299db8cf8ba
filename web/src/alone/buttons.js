/** The buttons of a match. */

import { sayingOf } from "./scene.js";

/** The buttons, in their order: what is done most often is on the right. */
const BUTTONS = ["decline", "drop", "beaver", "double", "accept", "take", "opening_roll", "roll", "next_game"];

/** The words on a button. */
function labelOf(action, state, say) {
  const { value, win = "single" } = state.offer ?? state.cube;
  return say(action, { value: action === "beaver" ? 2 * value : value, level: say(win) });
}

/** What may be done is in a row of buttons; below it is how to resign, which asks how much, and what is said. */
export class Buttons {
  #choices = {}; // what was shown last: { state, words, actions, levels, note }
  #isAsking = false;
  #key = ""; // of the buttons, to be compared
  #root;
  #act;
  #parts = {};

  constructor(root, act) {
    const part = (name, id) => (this.#parts[id] = Object.assign(document.createElement(name), { id, part: id }));
    const controls = root.getElementById("controls");
    controls.append(part("div", "acts"), part("div", "more"));
    part("p", "note");
    // A key that is held presses once.
    controls.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    Object.assign(this.#parts, { controls });
    this.#root = root;
    this.#act = act;
  }

  show(choices) {
    const { state, note } = choices;
    if (state !== this.#choices.state) this.#isAsking = false;
    this.#choices = choices;
    this.#parts.note.textContent = note;
    if (state) this.#parts.controls.hidden = false;
    const [acts, more] = [this.#row, this.#resigning];
    const key = JSON.stringify([acts, more]);
    if (key !== this.#key) this.#fill(acts, more);
    this.#key = key;
  }

  /** After a game, the next one; before anything that decides about points nobody is led. */
  focus() {
    const root = this.#root;
    if (root.activeElement?.id === "frame") root.getElementById("next_game")?.focus();
  }

  /** The name and the words of each in the row. */
  get #row() {
    const { state, words, actions } = this.#choices;
    return BUTTONS.filter((action) => actions.includes(action)).map((action) => [action, labelOf(action, state, sayingOf(words))]);
  }

  get #resigning() {
    const { words, levels } = this.#choices;
    const say = sayingOf(words);
    if (!levels.length) return [];
    const asked = this.#isAsking ? levels : [];
    return [["resign", say(this.#isAsking ? "play_on" : "resign")], ...asked.map((win) => [win, say("resign_level", { level: say(win) })])];
  }

  /** What had the focus has it again; or else what can be done now. */
  #fill(row, below) {
    const { acts, more, note } = this.#parts;
    const root = this.#root;
    const held = root.activeElement?.id;
    acts.replaceChildren(...row.map(([id, label]) => this.#button(id, label, () => this.#act(id))));
    more.replaceChildren(...below.map(([id, label]) => this.#button(id, label, () => this.#resign(id))), note);
    if (held && !root.activeElement) (root.getElementById(held) ?? root.host).focus();
    this.focus();
  }

  #button(id, textContent, act) {
    const button = Object.assign(document.createElement("button"), { id, type: "button", part: `button ${id}`, textContent });
    button.addEventListener("click", ({ detail }) => detail < 2 && act()); // the second of a double click is none
    return button;
  }

  /** Ask, or do not; or else resign this level. */
  #resign(id) {
    this.#isAsking = id === "resign" && !this.#isAsking;
    if (id !== "resign") this.#act("resign", id);
    this.show(this.#choices);
  }
}
