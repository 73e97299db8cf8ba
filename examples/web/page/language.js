// The words in the language of this tab. Another tab may have another: it is kept with the tab, and for the next ones.

import { WORDS } from "./words.js";

const KEY = "gammonrules language";

/** What a store has under a key, or gets; a browser that keeps nothing refuses. */
function stored(store, name) {
  try { return name ? window[store].setItem(KEY, name) : window[store].getItem(KEY); } catch { return null; }
}

const wanted = [stored("sessionStorage"), stored("localStorage"), ...navigator.languages.map((name) => name.split("-")[0])];
export let language = wanted.find((name) => Object.hasOwn(WORDS, name)) ?? "en";
stored("sessionStorage", language);

export function speak(name) {
  language = name;
  for (const store of ["sessionStorage", "localStorage"]) stored(store, name);
}

/** A text by its name, `told.play` for example, with its fields filled in. */
export function say(name, fields = {}) {
  const [text, more = text] = [name.split(".").reduce((words, key) => words[key], WORDS[language])].flat();
  return (fields.count === undefined || fields.count === 1 ? text : more).replace(/\{(\w+)\}/g, (_, field) => fields[field]);
}

/** What the server refuses, in the words of this page if it has some. */
export const refusal = ({ code, message }) => WORDS[language].refused[code] ?? message;

/** Why a move is illegal; the server says it in English. */
export const reason = ({ code, text, facts }) => (code in WORDS[language].reasons ? say(`reasons.${code}`, facts) : text);

/** Write the words that stand in the page: data-word is a text, data-label and data-hint are attributes. */
export function translate() {
  const words = WORDS[language];
  const each = (data, write) => document.querySelectorAll(`[data-${data}]`).forEach((element) => write(element, words[element.dataset[data]]));
  Object.assign(document.documentElement, { lang: language, dir: words.direction });
  each("word", (element, text) => { element.textContent = text; });
  each("label", (element, text) => element.setAttribute("aria-label", text));
  each("hint", (element, text) => { element.placeholder = text; });
  each("options", (select, options) => {
    const { value } = select;
    select.replaceChildren(...Object.entries(options).map(([key, text]) => new Option(text, key)));
    if (value) select.value = value;
  });
  document.querySelectorAll("gammon-board").forEach((board) => { board.words = words.board; });
}

/** A bot in the words of this page, and what is said of it; the name as it is if there are none. */
export const botName = (name) => [WORDS[language].bots[name] ?? name].flat();

export const isolated = (text) => `\u2068${text}\u2069`; // a right-to-left name does not disturb the words around it
export const languages = Object.entries(WORDS).map(([name, { language: own }]) => [name, own]);
