/** States of matches, and a page with the board on which they are shown. */

import { apply, newMatch } from "../dist/match.js";
import { open, pointer, POLICY_WITH_RULES } from "./browser.js";

export const START = newMatch({ length: 5 });
export const after = (state, action, argument) => apply(state, { action, ...(argument && { argument }) });
export const ROLLED = after(START, "opening_roll", [3, 1]); // White's
export const TO_ROLL = after(ROLLED, "play", "8/5 6/5"); // Black's
export const DOUBLED = after(TO_ROLL, "double");
export const IN_MONEY = after(after(newMatch({ rules: { jacoby: true, beavers: 1 } }), "opening_roll", [3, 1]), "play", "8/5 6/5");
/** As pages get it, which knows nothing of what is frozen. */
export const plain = (value) => JSON.parse(JSON.stringify(value));

export const opened = (t, { body = "<gammon-board speed='0'></gammon-board>", scripts = ["match-board-classic.js"], ...options } = {}) =>
  open(t, body, scripts, { policy: POLICY_WITH_RULES, height: 900, ...options });

/** Assign properties in this order, and wait until they are drawn; the name of an error that comes of it. */
export const assign = (page, properties) => page.evaluate(async (properties) => {
  try {
    for (const name in properties) board[name] = properties[name];
  } catch ({ name }) {
    return name;
  }
  await null;
  board.style.maxWidth = board.layout === "portrait" ? "400px" : "560px"; // all of it in the window
  return null;
}, properties);

export const buttons = (page) => page.evaluate(() => buttons());
export const click = async (page, name) => pointer(page, [await page.evaluate((name) => part(name), name)]);
export const note = (page) => page.evaluate(() => board.shadowRoot.getElementById("note").textContent);
