/** What is around the picture of a board: why a move is illegal, the buttons, and the status for screen readers. */

import type { Turn } from "./turn.js";
import type { BoardLabels } from "./types.js";

export interface Parts {
  readonly frame: HTMLElement;
  readonly reason: HTMLElement;
  readonly controls: HTMLElement;
  readonly undo: HTMLElement;
  readonly done: HTMLElement;
  readonly status: HTMLElement;
}

/** Make these parts in a shadow root; pages style them by their names. */
export function partsIn(root: ShadowRoot): Parts {
  const part = (name: string, id: string, more = {}) => {
    return Object.assign(document.createElement(name), { id, part: `${name} ${id}`, hidden: true, ...more });
  };
  const [frame, controls] = [part("div", "frame", { tabIndex: -1, hidden: false }), part("div", "controls")];
  const reason = part("p", "reason", { role: "alert" });
  const status = part("p", "status", { role: "status", hidden: false });
  const [undo, done] = ["undo", "done"].map((id) => part("button", id, { type: "button" }));
  frame.append(document.createElement("slot"), reason);
  controls.append(undo, done);
  root.append(frame, controls, status);
  return { frame, reason, controls, undo, done, status };
}

export function showButtons({ reason, controls, undo, done }: Parts, turn: Turn, labels: BoardLabels): void {
  reason.hidden = true;
  if (turn.tree) controls.hidden = false;
  undo.hidden = !turn.isOpen || !turn.moves.length;
  done.hidden = !turn.isComplete;
  undo.textContent = labels.undo;
  done.textContent = turn.moves.length ? labels.done : labels.dance;
}

/** Show a reason above a place. */
export function explain({ frame, reason }: Parts, text: string, group: Element): void {
  const at = group.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  reason.textContent = text;
  reason.hidden = false;
  const x = (100 * (at.x + at.width / 2 - around.x)) / around.width;
  const y = (100 * (at.y + at.height / 2 - around.y)) / around.height;
  // As far along itself as along the frame, it is there and within.
  Object.assign(reason.style, { left: `${x}%`, top: `${y}%`, translate: `${-x}% ${-y}%` });
}
