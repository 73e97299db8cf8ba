// What happened, as in a record: numbered lines with a column for each player, and what is no turn across both.

import { isolated, say } from "./language.js";

const said = document.getElementById("said");
const made = (name, className, textContent = "") => Object.assign(document.createElement(name), { className, textContent });
const named = (players) => ({ white: isolated(players[0]), black: isolated(players[1]) });
let told, row; // the number of the last event shown, and the last line of this game

export const clearLog = () => { [told, row, said.textContent] = [0, null, ""]; };

/** The words of an event, with their brackets, and of what it decided. */
function words({ do: done, by, argument, won }, names) {
  const text = say(`told.${done}`, { ...names, name: names[by], opponent: names[by === "white" ? "black" : "white"], argument, first: argument?.[0], second: argument?.[1] });
  const points = won && say("points", { count: won.points });
  return [text, ...(won ? [say(won.match ? "told.won_match" : "told.won", { name: names[won.by], points })] : [])];
}

/** An event as a sentence, or two. */
export const sentence = (event, players) => words(event, named(players)).join(". ").replace(/[[\]]/g, "").replace("..", ".");

/** A line of the log; of one with brackets, only what stands in them is seen. */
function paragraph(text, { number }) {
  const p = made("p", "");
  p.dataset.number = number;
  const parts = text.split(/[[\]]/);
  p.append(...parts.map((part, at) => made("span", at % 2 || !parts[1] ? "" : "unseen", part)).filter((span) => span.textContent));
  return p;
}

/** The cell of a player's turn: in the last line, unless the other player's is there already. */
function cellOf(player) {
  if (!row || (player === "white" && row.querySelector(".black p"))) {
    const number = made("div", "number", `${parseInt(row?.textContent ?? 0) + 1}.`);
    row = said.appendChild(made("div", "turn"));
    row.append(number, made("div", "white"), made("div", "black"));
  }
  return row.querySelector(`.${player}`);
}

/** What was taken back leaves the columns, from the event with this number on. */
function remove(number) {
  for (const p of said.querySelectorAll("p")) if (Number(p.dataset.number) >= number) p.remove();
  for (const turn of said.querySelectorAll(".turn")) if (!turn.querySelector("p")) turn.remove();
  row = [...said.querySelectorAll(".turn")].at(-1);
}

/** Add what is new, among all that is told of this game. */
export function showLog(events, players) {
  for (const event of events.filter(({ number }) => number > told)) {
    if (event.do === "next_game") row = null;
    if (event.from) remove(event.from);
    for (const text of words(event, named(players))) (text.includes("[") ? cellOf(event.by) : said).append(paragraph(text, event));
    if (event.do === "opening_roll") cellOf(event.by).append(paragraph(`[${event.argument.toSorted().reverse().join("")}:]`, event));
    told = event.number;
  }
  said.scrollTop = said.scrollHeight;
}
