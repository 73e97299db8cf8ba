// The page to try it (docs/try.md). It asks Python, in the worker try-worker.js, and shows the answers. All texts are
// put in as text, never as HTML; the picture is read as XML.

const LONGEST_IN_ADDRESS = 1000; // characters of a field; the library reads more, but nobody shares that

const page = document.getElementById("try");
const part = (name) => document.getElementById(`try-${name}`);
const fields = { position: part("position"), roll: part("roll"), play: part("play") };

const NO_PLAY = { play: "", moves: [], source: null, after: false };
let question = { position: "", roll: "", ...NO_PLAY };

// --- asking ----------------------------------------------------------------------------------------------------------

let worker;
let ready = false;
let waiting; // for the answer to the question that was asked
let unanswered = 0;
let queue = Promise.resolve(); // one question at a time, since each builds on the answer before

function load() {
  part("start").hidden = true;
  say("Loading Python and the library.");
  worker = new Worker(new URL("try-worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", () => hear({ failed: "this browser cannot run it, or a file is missing" }));
}

function hear(message) {
  if (message.loading) {
    const [all, compressed] = [message.loading.bytes, message.loading.compressed].map((n) => Math.round(n / 1e6));
    say(`Loading Python and the library: ${all} MB, or ${compressed} MB if the site compresses its files.`);
  } else if (message.ready) {
    ready = true;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(message.stylesheet)];
    say("");
  } else if (message.failed) {
    page.classList.toggle("try-failed", !ready);
    fail(message.failed);
    waiting("{}");
  } else {
    say("");
    waiting(message.answer);
  }
}

function sheet(text) {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

const say = (text) => (part("status").textContent = text);
const fail = (reason) => say(`${ready ? "The library has failed" : "The page could not load what it needs"}: ${reason}.`);

// Ask the question with these changes. A click, and a play to point at, are part of this one question only.
function ask(changes, momentary = {}) {
  if (!worker) load();
  unanswered += 1;
  page.setAttribute("aria-busy", "true");
  const asked = queue.then(async () => {
    question = { ...question, ...changes };
    const answered = new Promise((resolve) => (waiting = resolve));
    worker.postMessage(JSON.stringify({ ...question, ...momentary }));
    const answer = JSON.parse(await answered);
    question.moves = answer.moves ?? [];
    question.source = answer.source ?? null;
    if (question.moves.length) question.play = answer.play ?? "";
    show(answer);
    unanswered -= 1;
    if (!unanswered) page.setAttribute("aria-busy", "false");
    return answer;
  });
  queue = asked.catch(() => {}); // the browser reports it; the next question may do better
  return asked;
}

// The same for what changes the moves on the board, which are written into the field of the play.
async function move(changes, momentary) {
  const answer = await ask({ play: "", after: false, ...changes }, momentary);
  fields.play.value = answer.play ?? answer.so_far ?? "";
}

// --- the address -----------------------------------------------------------------------------------------------------

function visit(search) {
  const asked = new URLSearchParams(search);
  const texts = Object.fromEntries(Object.keys(fields).map((name) => [name, asked.get(name) ?? ""]));
  for (const [name, text] of Object.entries(texts)) fields[name].value = text;
  ask({ ...NO_PLAY, ...texts });
}

function showAddress() {
  const told = Object.keys(fields)
    .map((name) => [name, question[name]])
    .filter(([, text]) => text && text.length <= LONGEST_IN_ADDRESS);
  const search = String(new URLSearchParams(told));
  if (search !== location.search.slice(1)) history.replaceState(null, "", search ? `?${search}` : location.pathname);
}

// --- showing ---------------------------------------------------------------------------------------------------------

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, more);
}

function button(text, action, more = {}) {
  const made = element("button", text, { type: "button", className: "try-button", ...more });
  made.addEventListener("click", action);
  return made;
}

// A play that shows its arrows when it is pointed at, and the board after it when it is chosen.
function playButton(play) {
  const made = button(play, () => {
    fields.play.value = play;
    ask({ ...NO_PLAY, play, after: true });
  });
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => ask({}, { show: play }));
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => ask({}));
  made.dataset.play = play;
  return made;
}

function show(answer) {
  showProblem(answer);
  showPicture(answer.picture);
  showIdentifiers(answer);
  showPlays(answer);
  showVerdict(answer);
  showNext(answer);
  part("play-form").hidden = !answer.plays;
  part("undo").disabled = !question.moves.length && !question.play && question.source === null;
  showAddress();
}

function showProblem({ problem, doubts = [], waiting: reason }) {
  const sentences = [problem?.sentence, reason, ...doubts].filter(Boolean);
  const text = sentences.map(sentence).join(" ");
  if (part("problem").textContent !== text) part("problem").textContent = text;
  for (const name of ["position", "roll"]) {
    fields[name].setAttribute("aria-invalid", String(problem?.field === name));
  }
}

// The library's messages begin with a small letter and end without a stop.
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function showPicture(picture) {
  if (!picture) return part("board").replaceChildren();
  const read = new DOMParser().parseFromString(picture, "image/svg+xml");
  part("board").replaceChildren(document.importNode(read.documentElement, true));
}

function showIdentifiers({ id, xgid }) {
  const told = id ? ["Position ID ", element("code", id), " ", element("code", xgid)] : [];
  part("identifiers").replaceChildren(...told);
}

let listed; // a list that stays keeps its place and its focus

function showPlays({ plays = [], roll, play }) {
  const list = part("plays");
  if (listed !== JSON.stringify(plays)) {
    listed = JSON.stringify(plays);
    const items = plays.map((one) => {
      const item = document.createElement("li");
      item.append(playButton(one.play));
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
}

function showVerdict({ verdict, then }) {
  const place = part("verdict");
  const key = JSON.stringify([verdict, question.after, then]);
  if (place.dataset.of === key) return; // so that nothing is read out twice
  place.dataset.of = key;
  place.className = verdict ? (verdict.legal ? "try-legal" : "try-illegal") : "";
  if (!verdict) return place.replaceChildren();
  const word = verdict.legal ? "Legal" : verdict.rule ? "Not legal" : "Cannot be read";
  const said = element("p", "");
  said.append(element("strong", word), `: ${verdict.sentence}.`);
  const more = element("p", "", { className: "try-row" });
  if (verdict.rule) more.append("Rule: ", element("code", verdict.rule), " ");
  if (verdict.instead?.length) more.append("Legal: ", ...verdict.instead.map(playButton));
  if (verdict.legal) {
    const other = question.after ? "Show the board before it" : "Show the board after it";
    more.append(button(other, () => ask({ after: !question.after })));
  }
  if (then) more.append(button("Go on from there", () => goOn(then)));
  place.replaceChildren(said, more);
}

function goOn(position) {
  fields.position.value = position;
  fields.roll.value = fields.play.value = "";
  ask({ ...NO_PLAY, position, roll: "" });
  fields.roll.focus();
}

function showNext({ next = [] }) {
  const buttons = next.map(([text, source, target]) =>
    button(text, () => move({ source }, { click: target })),
  );
  part("next").replaceChildren(...(buttons.length ? ["Next move: ", ...buttons] : []));
}

// --- what the reader does ----------------------------------------------------------------------------------------------

part("position-form").addEventListener("submit", (event) => {
  event.preventDefault();
  fields.play.value = "";
  ask({ ...NO_PLAY, position: fields.position.value, roll: fields.roll.value });
});

part("play-form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask({ ...NO_PLAY, play: fields.play.value });
});

part("undo").addEventListener("click", () => {
  move({ moves: question.moves.slice(0, -1), source: null });
});

part("board").addEventListener("click", (event) => {
  const place = event.target.closest("[data-point]");
  if (!place || !part("plays").childElementCount) return;
  // The board after a play has the numbers of the opponent; a click on it leads back.
  if (question.after) ask({ after: false });
  else move({}, { click: place.dataset.point });
});

part("examples").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  visit(link.search);
  part("board").scrollIntoView({ block: "nearest" });
});

const begin = () => visit(location.search);
part("start").querySelector("button").addEventListener("click", begin);

// The reader who has asked browsers to save data is asked first.
if (navigator.connection?.saveData) {
  say("The page loads Python and the library, which is about 14 MB, or 7 MB if the site compresses its files.");
  part("start").hidden = false;
} else {
  begin();
}
