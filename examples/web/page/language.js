// The texts in the language of this tab. Another tab may have another: it is kept with the tab, and for the next ones.

import { TRANSLATIONS } from "./translations.js";

const KEY = "gammonrules language";

/** What a store has under a key, or gets; a browser that keeps nothing refuses. */
function stored(store, name) {
  try { return name ? window[store].setItem(KEY, name) : window[store].getItem(KEY); } catch { return null; }
}

const wanted = [stored("sessionStorage"), stored("localStorage"), ...navigator.languages.map((name) => name.split("-")[0])];
export let language = wanted.find((name) => Object.hasOwn(TRANSLATIONS, name)) ?? "en";
stored("sessionStorage", language);

export function speak(name) {
  language = name;
  for (const store of ["sessionStorage", "localStorage"]) stored(store, name);
}

/** A text by its name, `told.play` for example, with its fields filled in. */
export function say(name, fields = {}) {
  const [text, more = text] = [name.split(".").reduce((translations, key) => translations[key], TRANSLATIONS[language])].flat();
  return (fields.count === undefined || fields.count === 1 ? text : more).replace(/\{(\w+)\}/g, (_, field) => fields[field]);
}

/** Why the server rejects something, in the language of this page if it has a translation. */
export const refusal = ({ code, message }) => TRANSLATIONS[language].refused[code] ?? message;

/** Why a move is illegal; the server says it in English. */
export const reason = ({ code, text, facts }) => (code in TRANSLATIONS[language].reasons ? say(`reasons.${code}`, facts) : text);

/** Write the texts of the page: data-word is a text, data-label and data-hint are attributes. */
export function translate() {
  const translations = TRANSLATIONS[language];
  const each = (data, write) => document.querySelectorAll(`[data-${data}]`).forEach((element) => write(element, translations[element.dataset[data]]));
  Object.assign(document.documentElement, { lang: language, dir: translations.direction });
  each("word", (element, text) => { element.textContent = text; });
  each("label", (element, text) => element.setAttribute("aria-label", text));
  each("hint", (element, text) => { element.placeholder = text; });
  each("options", (select, options) => {
    const { value } = select;
    select.replaceChildren(...Object.entries(options).map(([key, text]) => new Option(text, key)));
    if (value) select.value = value;
  });
  document.querySelectorAll("gammon-board").forEach((board) => { board.translations = translations.board; });
}

/** The name of a bot in this language, and what is said of it; without a translation, the name as it is. */
export const botName = (name) => [TRANSLATIONS[language].bots[name] ?? name].flat();

export const isolated = (text) => `\u2068${text}\u2069`; // a right-to-left name does not disturb the text around it
export const languages = Object.entries(TRANSLATIONS).map(([name, { language: own }]) => [name, own]);
