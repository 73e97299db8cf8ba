// The page to try it (docs/try.md). It asks Python, in the worker try-worker.js, and shows the answers. All texts are
// put in as text, never as HTML; the picture is read as XML.

import { early } from "./try-early.js";

const MAX_IN_ADDRESS_LENGTH = 1000; // characters of a field; the library reads more, but nobody shares that
const assets = new URL("../try/assets/", import.meta.url);

const page = document.getElementById("try");
page.hidden = false;
const part = (name) => document.getElementById(`try-${name}`);
const board = part("board"); // the element <gammon-board>, on which the reader plays
const fields = { position: part("position"), roll: part("roll"), play: part("play") };

let question = { position: "", roll: "", play: "" };
let shown = {}; // the last answer
const upright = matchMedia("(max-width: 40em) and (orientation: portrait)");
let made = []; // the moves on the board

// --- asking ----------------------------------------------------------------------------------------------------------

let worker;
let ready = false;
let waiting; // for the answer to the question that was asked
let unanswered = 0;
let queue = Promise.resolve(); // one question at a time

// What was asked when the site was built (docs/try/beforehand.py), and the rules, with the board that shows it.
const known = fetch(new URL("known.json", assets)).then((answers) => answers.json()).catch(() => ({}));
const rules = Promise.all(["match-board.js", "xgid.js"].map((file) => import(new URL(file, assets))))
  .then(([alone, { fromXgid }]) => ({ ...alone, fromXgid }))
  .catch(() => null);

function load() {
  part("start").hidden = true;
  loading();
  worker = new Worker(new URL("try-worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", () => hear({ failed: "this browser cannot run it, or a file is missing" }));
}

function hear(message) {
  if (message.loading) {
    const [all, compressed] = [message.loading.bytes, message.loading.compressed].map((n) => Math.round(n / 1e6));
    loading(`: ${all} MB, or ${compressed} MB if the site compresses its files`);
  } else if (message.ready) {
    ready = true;
    say("");
    if (shown.isEarly) ask({}, { isOnBoard: true }); // which has more to say
  } else if (message.failed) {
    if (!ready && unanswered) page.classList.add("try-failed");
    fail(message.failed);
    waiting?.("{}");
  } else {
    say("");
    waiting(message.answer);
  }
}

// Whoever waits for nothing needs no word about it.
function loading(much = "") {
  if (unanswered) say(`Loading Python and the library${much}.`);
}

const say = (text) => (part("status").textContent = text);
const fail = (reason) => say(`${ready ? "The library has failed" : "The page could not load what it needs"}: ${reason}.`);

// The answer to a question, after those to all questions before it.
async function answerTo(question) {
  const asked = upright.matches ? { ...question, layout: "portrait" } : question;
  const [answers, board] = await Promise.all([known, rules]); // without its script the board shows nothing
  const answer = answers[searchOf(Object.entries(asked))] ?? (ready || !board ? null : await early(board, asked));
  if (answer) return answer;
  unanswered += 1;
  if (!worker) load();
  if (!ready) loading();
  page.setAttribute("aria-busy", "true");
  queue = queue.then(() => {
    worker.postMessage(JSON.stringify(asked));
    return new Promise((resolve) => (waiting = resolve));
  });
  const told = JSON.parse(await queue);
  unanswered -= 1;
  if (!unanswered) page.setAttribute("aria-busy", "false");
  return told;
}

// Ask the question with these changes. An answer that comes after another question is left out.
async function ask(changes, { isOnBoard = false } = {}) {
  const asked = (question = { ...question, ...changes });
  const answer = await answerTo(asked);
  if (asked !== question) return {};
  shown = answer.problem ? { picture: shown.picture, ...answer } : answer; // what cannot be read empties no board
  if (isOnBoard && answer.play) question.play = fields.play.value = answer.play;
  if (!isOnBoard) draw((made = answer.moves ?? []));
  show();
  return answer;
}

// --- the address -----------------------------------------------------------------------------------------------------

function visit(search) {
  const asked = new URLSearchParams(search);
  const texts = Object.fromEntries(Object.keys(fields).map((name) => [name, asked.get(name) ?? ""]));
  for (const [name, text] of Object.entries(texts)) fields[name].value = text;
  ask(texts);
}

const searchOf = (texts) => String(new URLSearchParams(texts.filter(([, text]) => text)));

function showAddress() {
  const told = Object.keys(fields).map((name) => [name, question[name]]);
  const search = searchOf(told.filter(([, text]) => text.length <= MAX_IN_ADDRESS_LENGTH));
  if (search !== location.search.slice(1)) history.replaceState(null, "", search ? `?${search}` : location.pathname);
}

// --- showing ---------------------------------------------------------------------------------------------------------

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, more);
}

// A play that shows its arrows when it is pointed at, and is made on the board when it is chosen.
function playButton(play) {
  const made = element("button", play, { type: "button", className: "try-button" });
  made.addEventListener("click", () => {
    pointed = "";
    fields.play.value = play;
    ask({ play });
  });
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => point(play));
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => point(""));
  made.dataset.play = play;
  return made;
}

let pointed = ""; // the play whose arrows are shown, or are about to be

async function point(play) {
  if (pointed && !play) draw(made, { still: true });
  pointed = play;
  const { picture } = play ? await answerTo({ ...question, show: play }) : {};
  if (picture && pointed === play) draw([], { still: true, picture, tree: null });
}

function draw(moves, { still = false, picture = shown.picture, tree = shown.tree } = {}) {
  board.hidden = !picture;
  if (!picture) return;
  const actions = (shown.actions ?? []).filter((action) => action === "roll");
  board.flip = picture === shown.picture && Boolean(shown.flip);
  board.show({ svg: picture, tree, moves, still, actions });
}

function show() {
  showProblem(shown);
  showIdentifiers(shown);
  showPlays(shown);
  showVerdict(shown);
  showAddress();
}

function showProblem({ problem, doubts = [], waiting: reason }) {
  const messages = [problem?.message, reason, ...doubts].filter(Boolean);
  const text = messages.map(sentenceOf).join(" ");
  if (part("problem").textContent !== text) part("problem").textContent = text;
  for (const name of ["position", "roll"]) {
    fields[name].setAttribute("aria-invalid", String(problem?.field === name));
  }
}

// The library's messages begin with a small letter and end without a stop.
const sentenceOf = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function showIdentifiers({ id, xgid }) {
  const told = id ? ["Position ID ", element("code", id), " ", element("code", xgid)] : [];
  part("identifiers").replaceChildren(...told);
}

let listed; // a list that stays keeps its place and its focus

function showPlays({ plays = [], roll, play }) {
  const list = part("plays");
  if (listed !== JSON.stringify(plays)) {
    listed = JSON.stringify(plays);
    const items = plays.map((play) => {
      const item = document.createElement("li");
      item.append(playButton(play));
      return item;
    });
    list.replaceChildren(...items);
    const count = plays.length === 1 ? "1 legal play" : `${plays.length} legal plays`;
    part("heading").textContent = plays.length ? `${count} of ${roll}` : "";
  }
  for (const one of list.querySelectorAll("button")) {
    one.setAttribute("aria-pressed", String(one.dataset.play === play));
  }
  const chosen = list.querySelector("[aria-pressed=true]")?.parentElement;
  if (!chosen) return;
  const hidden = chosen.offsetTop < list.scrollTop || chosen.offsetTop > list.scrollTop + list.clientHeight - 40;
  if (hidden) list.scrollTop = chosen.offsetTop - list.clientHeight / 2;
  const { offsetLeft, offsetWidth } = chosen; // where it is one row
  const beside = offsetLeft < list.scrollLeft || offsetLeft + offsetWidth > list.scrollLeft + list.clientWidth - 40;
  if (beside) list.scrollLeft = offsetLeft - list.clientWidth / 2;
}

function showVerdict({ verdict }) {
  const place = part("verdict");
  const key = JSON.stringify(verdict);
  if (place.dataset.of === key) return; // so that nothing is read out twice
  place.dataset.of = key;
  place.className = verdict ? (verdict.legal ? "try-legal" : "try-illegal") : "";
  if (!verdict) return place.replaceChildren();
  const word = verdict.legal ? "Legal" : verdict.rule ? "Not legal" : "Cannot be read";
  const said = element("p", "");
  said.append(element("strong", word), `: ${verdict.message}.`);
  const more = element("p", "", { className: "try-row" });
  if (verdict.rule) more.append("Rule: ", element("code", verdict.rule), " ");
  if (verdict.instead?.length) more.append("Legal: ", ...verdict.instead.map(playButton));
  place.replaceChildren(said, more);
}

// --- what the reader does ----------------------------------------------------------------------------------------------

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const isOther = ["position", "roll"].some((name) => fields[name].value !== question[name]);
  if (isOther && [question.play, written(made)].includes(fields.play.value)) fields.play.value = "";
  ask(Object.fromEntries(Object.keys(fields).map((name) => [name, fields[name].value])));
});

const nameOf = (point) => ({ 25: "bar", 0: "off" })[point] ?? point;
const written = (moves) => moves.map(([from, to]) => `${nameOf(from)}/${nameOf(to)}`).join(" ");

board.addEventListener("gammon-move", ({ detail: { moves, isComplete } }) => {
  made = moves;
  fields.play.value = written(moves);
  ask({ play: isComplete ? fields.play.value : "" }, { isOnBoard: true });
});

board.addEventListener("gammon-illegal", async ({ detail: { from, to, moves, explain } }) => {
  const { why } = await answerTo({ ...question, tried: [from, to, moves] });
  if (why) explain(sentenceOf(why));
});

// The board after the play, for the roll of the opponent.
board.addEventListener("gammon-play", async ({ detail: { moves } }) => {
  const { then } = await ask({ play: written(moves) }, { isOnBoard: true });
  if (!then) return;
  fields.position.value = then;
  fields.roll.value = fields.play.value = "";
  ask({ position: then, roll: "", play: "" });
  fields.roll.focus();
});

board.addEventListener("gammon-action", () => {
  const roll = [1, 1].map((least) => least + Math.floor(6 * Math.random())).join("");
  fields.roll.value = roll;
  ask({ roll });
});

part("examples").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  visit(link.search);
  part("board").scrollIntoView({ block: "nearest" });
});

part("start").querySelector("button").addEventListener("click", load);

upright.addEventListener("change", async () => {
  const moves = made;
  await ask({});
  draw((made = moves), { still: true });
});
board.translations = { done: "Go on from there" };
visit(location.search);

// The reader who has asked browsers to save data is asked first.
if (navigator.connection?.saveData) {
  say("The page loads Python and the library, which is about 14 MB, or 8 MB if the site compresses its files.");
  part("start").hidden = false;
} else {
  Promise.all([known, rules]).then(() => worker ?? load());
}
