// What happened, as in a record: numbered lines with a column for each player, and what is no turn across both.

import { isolated, say } from "./language.js";

const said = document.getElementById("said");
let told; // the number of the last event shown
let line; // of the present turns: { row, number, last }, whose last cell is that of a player

export function clearLog() {
  said.textContent = "";
  told = 0;
  line = { number: 0 };
}

clearLog();

const named = (players) => Object.fromEntries(["white", "black"].map((player, at) => [player, isolated(players[at])]));

/** The words of an event, with their brackets, and of what it decided. */
function words({ do: done, by, argument, won }, names) {
  const text = say(`told.${done}`, { ...names, name: names[by], argument, first: argument?.[0], second: argument?.[1] });
  const points = won && say("points", { count: won.points });
  return [text, ...(won ? [say(won.match ? "told.won_match" : "told.won", { name: names[won.by], points })] : [])];
}

/** An event as a sentence, or two. */
export const sentence = (event, players) => words(event, named(players)).join(". ").replace(/[[\]]/g, "").replace("..", ".");

/** A line of the log, of which only what stands in brackets is seen, if anything does. */
function paragraph(text, { number }) {
  const p = document.createElement("p");
  p.dataset.number = number;
  for (const [at, part] of text.split(/[[\]]/).entries()) {
    if (part) p.append(Object.assign(document.createElement("span"), { textContent: part, className: at % 2 || !text.includes("[") ? "" : "unseen" }));
  }
  return p;
}

/** The cell in which a player's turn stands: the last one goes on, or another begins. */
function cellOf(player) {
  if (line.last === player) return line.row.querySelector(`.${player}`);
  if (!line.last || player === "white" || line.last === "black") {
    line = { row: document.createElement("div"), number: line.number + 1 };
    line.row.className = "turn";
    for (const [className, textContent] of [["number", `${line.number}.`], ["white", ""], ["black", ""]]) {
      line.row.append(Object.assign(document.createElement("div"), { className, textContent }));
    }
    said.append(line.row);
  }
  line.last = player;
  return line.row.querySelector(`.${player}`);
}

/** What was taken back leaves the columns, from the event with this number on. */
function remove(number) {
  for (const p of said.querySelectorAll("p")) if (Number(p.dataset.number) >= number) p.remove();
  for (const turn of said.querySelectorAll(".turn")) if (!turn.querySelector("p")) turn.remove();
  const row = [...said.querySelectorAll(".turn")].at(-1);
  line = { row, number: parseInt(row.textContent), last: row.querySelector(".black p") ? "black" : "white" };
}

/** Add what is new, among all that is told of this game. */
export function showLog(events, players) {
  const names = named(players);
  for (const event of events.filter(({ number }) => number > told)) {
    if (event.do === "next_game") line = { number: 0 };
    if (event.do === "take_back") remove(event.argument);
    for (const text of words(event, names)) (text.includes("[") ? cellOf(event.by) : said).append(paragraph(text, event));
    if (event.do === "opening_roll") cellOf(event.by).append(paragraph(`[${[...event.argument].sort().reverse().join("")}:]`, event));
    told = event.number;
  }
  said.scrollTop = said.scrollHeight;
}
