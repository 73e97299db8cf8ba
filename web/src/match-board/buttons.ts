/** The buttons of a match. */

import type { GammonBoard } from "../board/board.js";
import { areaOf, frameOf, present } from "../board/svg.js";
import type { Action, MatchState, WinKind } from "../match/types.js";
import type { HintedPlay } from "./advice.js";
import type { OfferMessages } from "./scene.js";
import { type MatchBoardLabels, type Translate, translatorOf } from "./labels.js";

/** The buttons, in their order: what is done most often is on the right. */
const BUTTONS = [
  "decline", "drop", "beaver", "double", "accept", "take", "opening_roll", "roll", "next_game", "confirm", "take_back",
] as const;
type Offered = (typeof BUTTONS)[number];
/** What stands on the board itself, with what is offered. */
const ANSWERS: readonly Offered[] = ["decline", "drop", "beaver", "accept", "take"];
/** What is answered to a tutor, and what is done in a match. */
export type Answer = Exclude<Offered, Action>;
export type Act = Action | Answer;
type Row<Id extends string> = (readonly [id: Id, label: string])[];

/** What may be done, and what is said of it. */
export interface Choices {
  readonly state: MatchState | null;
  readonly labels: MatchBoardLabels;
  readonly actions: readonly Act[];
  readonly wins: readonly WinKind[];
  readonly note: string;
  readonly offer: OfferMessages | null;
  /** Plays whose arrows can be seen. */
  readonly plays?: readonly HintedPlay[];
}

/** The label of a button. */
function labelOf(action: Offered, { offer, cube }: MatchState, translate: Translate): string {
  if (offer?.type === "Resignation") return translate(action, { level: translate(offer.win) });
  const { value } = offer ?? cube;
  return translate(action, { value: action === "beaver" ? 2 * value : value, to: 2 * value, level: translate("single") });
}

/** The name and the label of each in the row. */
function rowOf({ state, labels, actions }: Choices): Row<Offered> {
  if (!state) return [];
  const translate = translatorOf(labels);
  return BUTTONS.filter((action) => actions.includes(action)).map((action) => [action, labelOf(action, state, translate)]);
}

function buttonOf(id: string, textContent: string, act: () => void): HTMLElement {
  const button = Object.assign(document.createElement("button"), { id, type: "button", part: `button ${id}`, textContent });
  button.addEventListener("click", ({ detail }) => detail < 2 && act()); // the second of a double click is none
  return button;
}

const partOf = (name: string, id: string): HTMLElement => Object.assign(document.createElement(name), { id, part: id });

/** What may be done is in a row of buttons, and what is answered on the board; below the row is how to resign, which asks how
 *  much, and what is said; and then the plays of a hint. */
export class Buttons {
  #choices: Choices | null = null; // what was shown last
  #isAsking = false;
  #key = ""; // of the buttons, to be compared
  readonly #board: GammonBoard;
  readonly #act: (action: Act, win?: WinKind) => void;
  readonly #controls: HTMLElement;
  readonly #acts = partOf("div", "acts");
  readonly #more = partOf("div", "more");
  readonly #note = partOf("p", "note");
  readonly #plays = partOf("div", "plays");
  readonly #offer = partOf("div", "offer");
  readonly #offered = partOf("p", "offered");
  readonly #stakes = partOf("p", "stakes");
  readonly #answers = partOf("div", "answers");

  constructor(board: GammonBoard, act: (action: Act, win?: WinKind) => void) {
    const controls = present(board.shadowRoot.getElementById("controls"));
    controls.append(this.#acts, this.#more);
    this.#offer.append(this.#offered, this.#stakes, this.#answers);
    this.#offer.setAttribute("role", "group");
    present(board.shadowRoot.getElementById("frame")).append(this.#offer);
    // A press on it is none on the board.
    this.#offer.addEventListener("pointerdown", (event) => event.stopPropagation());
    // A key that is held presses once.
    for (const part of [controls, this.#offer]) part.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    this.#controls = controls;
    this.#board = board;
    this.#act = act;
  }

  show(choices: Choices): void {
    const { state, note } = choices;
    if (state !== this.#choices?.state) this.#isAsking = false;
    if (choices.plays !== this.#choices?.plays) this.#fillPlays(choices.plays);
    this.#choices = choices;
    this.#note.textContent = note;
    this.#more.style.minHeight = state ? "2.75rem" : ""; // also while there is no button
    if (state) this.#controls.hidden = false;
    this.#showOffer(choices);
    const [acts, more] = [rowOf(choices), this.#resigning(choices)] as const;
    const key = JSON.stringify([acts, more]);
    if (key !== this.#key) this.#fill(acts, more);
    this.#key = key;
  }

  /** What it means is said to the one who answers. */
  #showOffer({ offer, actions }: Choices): void {
    this.#offer.hidden = !offer;
    if (!offer) return;
    const isAnswered = ANSWERS.some((answer) => actions.includes(answer));
    this.#offered.textContent = this.#offer.ariaLabel = offer.message;
    this.#stakes.textContent = isAnswered ? offer.stakes : "";
  }

  /** On the side of the board where the cube is not. */
  placeOffer(svg: SVGElement): void {
    const cube = svg.querySelector<SVGElement>(".cube.offered");
    this.#offer.className = !cube ? "" : areaOf(cube).x > frameOf(svg).middle.x ? "left" : "right";
  }

  /** After a game, the next one, and what a tutor asks; before anything that decides about points nobody is led. */
  focus(): void {
    const root = this.#board.shadowRoot;
    if (root.activeElement?.id === "frame") root.querySelector<HTMLElement>("#next_game, #take_back")?.focus();
  }

  /** One is chosen, the best at first. */
  #fillPlays(plays: readonly HintedPlay[] = []): void {
    const buttons = plays.map(({ label, moves }, at) => buttonOf(`hint_${at}`, label, () => {
      for (const button of buttons) button.ariaPressed = `${button === buttons[at]}`;
      this.#board.arrows = moves;
    }));
    this.#plays.replaceChildren(...buttons);
    buttons[0]?.click();
  }

  #resigning({ labels, wins }: Choices): Row<WinKind | "resign"> {
    const translate = translatorOf(labels);
    if (!wins.length) return [];
    const asked = this.#isAsking ? wins : [];
    const label = translate(this.#isAsking ? "play_on" : "resign");
    return [["resign", label], ...asked.map((win) => [win, translate("resign_level", { level: translate(win) })] as const)];
  }

  /** What had the focus has it again; or else what can be done now. */
  #fill(row: Row<Offered>, below: Row<WinKind | "resign">): void {
    const root = this.#board.shadowRoot;
    const held = root.activeElement?.id;
    const buttons = row.map(([id, label]) => buttonOf(id, label, () => this.#act(id)));
    const isAnswer = ({ id }: HTMLElement) => (ANSWERS as readonly string[]).includes(id);
    this.#answers.replaceChildren(...buttons.filter(isAnswer));
    this.#acts.replaceChildren(...buttons.filter((button) => !isAnswer(button)));
    this.#more.replaceChildren(...below.map(([id, label]) => buttonOf(id, label, () => this.#resign(id))), this.#note, this.#plays);
    if (held && !root.activeElement) (root.getElementById(held) ?? this.#board).focus();
    this.focus();
  }

  /** Ask, or do not; or else resign this level. */
  #resign(id: WinKind | "resign"): void {
    this.#isAsking = id === "resign" && !this.#isAsking;
    if (id !== "resign") this.#act("resign", id);
    if (this.#choices) this.show(this.#choices);
  }
}
