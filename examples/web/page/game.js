// The page: it shows what the server sends, and sends what the player does. It knows no rule of the game.
// The address is the seat: #/TABLE (to watch), #/TABLE/join/INVITATION or #/TABLE/seat/TOKEN. What follows the # is
// never sent to a server, nor to other sites as the page a visitor comes from.

import { drawNumber, hexOf, nextWord, verdict, witnessed } from "./dice.js";
import { botName, isolated, language, languages, reason, refusal, say, speak, translate } from "./language.js";
import { clearLog, sentence, showLog } from "./log.js";
import { play } from "./sound.js";
import { advise, hint, isBad, pointAt } from "./tutor.js";

const $ = (id) => document.getElementById(id);
const notices = [$("trouble"), $("refusal")]; // beside the words of the table, or above the first screen
const BACK = { grant: true, deny: false, withdraw: false };
const ACTIONS = { // from left to right, as they look; "safe" is where an extra key does no harm
  withdraw: "", double: "second", take: "", beaver: "second", accept: "", claim: "", roll: "safe", grant: "",
  drop: "second losing", decline: "second losing", deny: "second losing", go_ahead: "second losing", next_game: "safe", try_again: "safe",
};
const JUDGED = ["play", "double", "take", "drop"];
const QUESTIONS = {
  double: ({ cube }) => ({ value: 2 * cube.value }),
  beaver: ({ offer }) => ({ points: points(2 * offer.value) }),
  drop: () => ({ points: points(table.stakes.drop) }),
  accept: () => ({ points: points(table.stakes.accept[0]), most: points(table.stakes.accept[1]) }),
  claim: () => ({}), resign: () => ({}),
};
const TOO_MANY_TABS = 4000; // the code of house.py
const FINAL = ["no_such_table", "no_such_seat", "damaged", "cross_site"];

let place, socket, retry, silence, pause = 250;
let table = null; // the last message about the table
let heard = 0; // when it came
let connected = false; // whether it came by the present connection
let tried = null; // the last move that the board refused
let hurried = false; // whether the player has been told that little time is left
let asked = null; // the action that is in question
let pending = null; // the last message sent, until it has an answer
let arrival = null; // kept when the board shows it
let shown = null; // that message, once it is shown
let held = null; // what waits for the word of the tutor
let warning = null; // what the tutor has said of it, and that
let byKeys = false; // whether the player uses keys: then the focus goes to what can be done next

// --- what is remembered ----------------------------------------------------------------------------------------------

const memory = { name: "", length: "5", clock: "none", bot: "", hints: true, warnings: true, sound: true, alone: false, theme: "auto", look: "auto", open: {}, matches: {}, dice: {} };

/** What this or another tab has stored, as far as it is of the right kind. */
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem("gammonrules"));
    for (const key in memory) if (kept[key] !== null && typeof kept[key] === typeof memory[key]) memory[key] = kept[key];
  } catch { /* this browser keeps nothing */ }
  return memory;
}

function remember(changes) {
  Object.assign(recall(), changes);
  try { localStorage.setItem("gammonrules", JSON.stringify(memory)); } catch { /* until the page is closed */ }
}

/** What belongs to this place in this tab, also when it is loaded again: an invitation, the moves of a turn. */
const mark = (changes) => history.replaceState({ ...history.state, ...changes }, "");

// --- where we are ----------------------------------------------------------------------------------------------------

function arrive() {
  const [, name, door, secret] = location.hash.match(/^#\/([\w-]+)(?:\/(seat|join)\/([\w-]+))?$/) ?? [];
  const [, from] = location.hash.match(/^#\/from\/(.+)$/) ?? []; // a link "try again"
  place = { table: name, door, secret, from: new URLSearchParams(from && `xgid=${from}`).get("xgid") };
  table = pending = null;
  translate();
  clearLog();
  document.title = say("title");
  $("trouble").textContent = $("proof").textContent = $("buttons").dataset.key = "";
  $("invited").textContent = place.from ? say("from_position") : "";
  document.querySelector("main").append(...notices);
  $("confirm").close();
  const isBegin = !name || door === "join";
  $("begin").hidden = !isBegin;
  $("choices").hidden = door === "join";
  $("join").hidden = door !== "join";
  showLinks();
  for (const field of ["name", "length", "clock"]) {
    $(field).value = memory[field];
    if ($(field).selectedIndex < 0) $(field).selectedIndex = 0;
  }
  $("table").hidden = true;
  $("number").value = drawNumber(20);
  $("length").onchange();
  advise([]);
  $("choices").classList.toggle("again", Boolean(place.from));
  if (isBegin) showHome();
  if (isBegin) showBots().then(showStart);
  connect();
}

async function showBots() {
  const response = await fetch("/bots.json").catch(() => null);
  const { bots, lengths } = response?.ok ? await response.json() : { bots: [] };
  for (const option of [...$("length").options]) if (lengths && !lengths.includes(Number(option.value) || null)) option.remove();
  $("length").onchange();
  $("opponent").replaceChildren(...bots.map(([value, about]) => {
    const [name, words] = botName(value);
    return Object.assign(new Option(name, value), { title: words ?? about });
  }));
  $("opponent").value = memory.bot;
  if ($("opponent").selectedIndex < 0) $("opponent").selectedIndex = Math.floor(bots.length / 4);
  $("opponent").onchange();
}

$("length").onchange = () => { $("clock").disabled = !$("length").value; };
$("opponent").onchange = () => {
  const bot = $("opponent").selectedOptions[0]?.title;
  write($("about"), bot ? say("about", { bot }) : "");
};

/** To the own games, or to that of an invitation, and these links. */
function showLinks(more = []) {
  const here = place.from ? "none" : place.door === "join" ? `#/${place.table}/` : "#";
  const own = Object.entries(recall().open).filter(([href]) => href.startsWith(here))
    .map(([href, game]) => [href, game?.name ? say("go_on", { ...game, name: botName(game.name)[0] }) : say("go_on_waiting")]);
  $("again").replaceChildren(...[...own, ...more].map(([href, text]) => link(href, text, { className: "button second" })));
}

async function showStart() {
  const query = new URLSearchParams(place.from ? { xgid: place.from } : {});
  const response = await fetch(`/start.svg?${query}`).catch(() => null); // the board is not needed to begin
  if (response?.ok) $("start").show({ svg: await response.text(), still: true });
}

$("begin").onsubmit = async (event) => {
  event.preventDefault();
  const [name, length] = [$("name").value.trim(), $("length").value];
  const clock = length ? $("clock").value : "none";
  remember({ name, length, clock, bot: $("opponent").value || recall().bot }); // the list may not be here yet
  // Chosen here and kept, so that whoever asks again, since the answer was lost, gets the same seat.
  const token = /^[0-9a-f]{64}$/.test(history.state?.token) ? history.state.token : hexOf(crypto.getRandomValues(new Uint8Array(32)));
  mark({ token });
  const person = { name: name || say("guest"), token };
  const [path, body] = place.door === "join"
    ? [`/tables/${place.table}`, { ...person, invitation: place.secret }]
    : ["/tables", { ...person, length: Number(length) || null, time_control: clock, against: event.submitter?.id === "friend" ? "person" : "bot", bot: memory.bot || undefined, xgid: place.from }];
  $("begin").inert = true; // a double click makes one table
  try {
    const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(refusal(answer));
    history.pushState({ invitation: answer.invitation, dice: $("number").value }, "", `#/${answer.table}/seat/${token}`);
    arrive();
  } catch (error) {
    $("trouble").textContent = error instanceof TypeError ? say("no_answer") : error.message;
  } finally {
    $("begin").inert = false;
  }
};

// --- the connection --------------------------------------------------------------------------------------------------

function disconnect() {
  clearTimeout(retry);
  clearTimeout(silence);
  if (socket) { socket.onopen = socket.onclose = socket.onmessage = null; socket.close(); }
}

function connect() {
  disconnect();
  if (!place.table) return;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/tables/${place.table}`);
  socket.onopen = () => tell({ token: place.door === "seat" ? place.secret : null, upright: upright.matches });
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  connected = false;
  $("buttons").inert = true;
  socket.onclose = ({ code }) => {
    $("trouble").textContent = say(code === TOO_MANY_TABS ? "tabs" : "lost");
    if (code === TOO_MANY_TABS) return;
    retry = setTimeout(connect, pause);
    pause = Math.min(2 * pause, 5000);
  };
}

/** Each message has an answer, unless the network is gone and nobody told us. */
function tell(message) {
  socket.send(JSON.stringify(message));
  clearTimeout(silence);
  silence = setTimeout(connect, 10_000);
}

function send(action, argument) {
  refuse("");
  if (action !== "why") advise([]);
  if (action !== "judge") held = null;
  warning = null;
  pending = { after: table.number, do: action, argument };
  if (socket.readyState === WebSocket.OPEN) tell(pending);
}

function refuse(text) {
  $("refusal").textContent = text;
  clearTimeout(refuse.timer);
  refuse.timer = setTimeout(refuse, 8000, "");
}

function hear(message) {
  const sent = pending?.do;
  clearTimeout(silence);
  if (connected) pending = null;
  if (message.type === "why") return String(message.moves) === String(tried?.argument) && tried.explain(reason(message));
  if (message.type === "hint" || message.type === "judge") return teach(message);
  if (message.type === "refused") {
    if (held) return send(...held, held = null); // the tutor does not answer
    if (FINAL.includes(message.code)) return leave(refusal(message));
    if (message.code !== "number_stands" && (message.code !== "stale" || sent in QUESTIONS)) refuse(refusal(message)); // a second click on Done is no matter
    if (table) showBoard(true);
    return;
  }
  pause = 250;
  $("trouble").textContent = "";
  if (place.door === "join") return showInvitation(message);
  if (message.successor) {
    keep(false);
    // In the place of this one, which would send a player who goes back here again.
    location.replace(`#/${message.successor}${place.door ? `/${place.door}/${place.secret}` : ""}`);
    mark({ last: place.table });
    return;
  }
  const before = table;
  table = message;
  const gone = before && table.kinds.findIndex((kind, at) => kind === "bot" && before.names[at] !== table.names[at]);
  if (gone >= 0 && before) advise([say("replaced", { name: isolated(nameIn(before, gone)) })]);
  if ((before?.asks_back ?? null) !== table.asks_back) advise(knownBy(table.asks_back));
  heard = performance.now();
  if (before?.number !== table.number) {
    // Who thinks of resigning need not begin again with each roll and play; other questions were about what has changed.
    const goesOn = !table.state.offer && String(before?.stakes.resign) === String(table.stakes.resign);
    if (asked !== "resign" || !goesOn) $("confirm").close();
    if (before?.kinds.includes("open")) scrollTo(0, 0);
    if (before && table.state.result && !before.state.result) sound("end");
    else if (before && table.state.offer?.win && !before.state.offer) sound("cube");
    if (before && document.hidden && isOurTurn() && before.to_act !== table.you) sound("turn");
    $("buttons").replaceChildren();
    warning = null;
    if (/resign|decline/.test(table.told.at(-1)?.do) && history.state?.turn === before?.number) mark({ turn: table.number }); // half a turn stays
    keep(table.you && !table.winner);
    if (table.you && table.winner && !recall().matches[place.table]) {
      const [won, at] = [table.winner === table.you, table.tutor ? index(table.you) : null];
      keepMatch(place.table, { won, at, score: scoreOf(table.state), opponent: table.names[1 - index(table.you)], date: Date.now() });
    }
  } else if (table.denied.includes(table.you) && !before.denied.includes(table.you)) refuse(say("was_denied", { name: opponent() }));
  if (before?.number !== table.number || !connected) arrival = showBoard();
  if (!connected && pending?.after === table.number) send(pending.do, pending.argument); // it was lost
  else if (!connected) held = null;
  connected = true;
  keepDice(table);
  goOn(message);
}

/** What this browser has seen of the dice, and what it says: a number is drawn for who sits there once both do. */
async function keepDice(message) {
  const { dice, kinds, told, you } = message;
  const { [location.hash]: before, ...others } = recall().dice;
  const kept = witnessed(before, dice, told);
  if (you && !kinds.includes("open") && !dice.hashes[index(you)] && !dice.numbers[index(you)]) kept.number ??= `${history.state?.dice ?? ""}${drawNumber(60)}`.slice(0, 60);
  remember({ dice: latest(20, location.hash, kept, others) });
  const [what, word] = you ? await nextWord(dice, kept, you) : [];
  if (what && message === table) send(what, word);
}

/** It is nobody's turn while checkers still fly. */
async function goOn(message) {
  await arrival;
  const times = $("board").getAnimations({ subtree: true }).map(({ effect }) => effect.getComputedTiming().endTime);
  if (times.length) await new Promise((go) => setTimeout(go, Math.max(...times)));
  if (message !== table) return;
  shown = table;
  show();
}

/** Who comes by an invitation sees whose it is; or, if it has been accepted, where else to go. */
function showInvitation({ kinds, names, state, time_control }) {
  const isOpen = kinds.includes("open");
  $("join").hidden = !isOpen && !history.state?.token; // who has a token may have lost the answer
  const fields = { name: isolated(names[0]), match: matchOf(state), clock: say(`clocks.${time_control}`) };
  $("invited").textContent = say(isOpen ? "invited" : "accepted", fields);
  if (isOpen) return;
  showLinks([[`#/${place.table}`, say("watch")], ["#", say("start_page")]]);
  disconnect();
}

/** Remember the last games of this browser that are not over, with their opponents if there are. */
function keep(isOpen) {
  const { [location.hash]: _, ...others } = recall().open;
  const game = isOpen && !table.kinds.includes("open") ? { name: table.names[1 - index(table.you)], score: scoreOf(table.state) } : {};
  remember({ open: isOpen ? latest(3, location.hash, game, others) : others });
}

/** Remember something of a match that is over, by its table: what is shown on the first screen, and where it leads. */
function keepMatch(table, more) {
  const { [table]: before, ...others } = recall().matches;
  remember({ matches: latest(50, table, { ...before, ...more }, others) });
}

/** This browser's matches, the last first, with its error rates. One with a `page` leads there. */
function showHome() {
  const all = Object.entries(recall().matches).filter(([, match]) => match && typeof match === "object");
  $("home").hidden = !all.length;
  $("matches").replaceChildren(...all.map(([table, { won, score, opponent, date, rate, page }]) => {
    const item = document.createElement("li");
    const text = say(won ? "match_won" : "match_lost", { score, name: isolated(botName(opponent)[0]) });
    const details = listed([new Date(date).toLocaleDateString(language), Number.isFinite(rate) && say("rate", { rate })]);
    item.append(link(page ?? `/tables/${encodeURIComponent(table)}/match.html`, text, { target: "_blank" }), ` ${details}`);
    return item;
  }));
  all.filter(([, { at, rate }]) => at !== null && rate === undefined).slice(0, 3).forEach(addRate);
}

/** The error rate of a match that was left before its analysis was ready. */
async function addRate([table, match]) {
  const response = await fetch(`/tables/${encodeURIComponent(table)}/dice.json`).catch(() => null);
  const { analysis } = response?.ok ? await response.json() : {};
  if (analysis?.rates) {
    remember({ matches: { ...recall().matches, [table]: { ...match, rate: analysis.rates[match.at] } } });
    showHome();
  } else if (isUnderWay(analysis) && !$("begin").hidden) {
    clearTimeout(showHome.timer); // one for all matches
    showHome.timer = setTimeout(showHome, 5000);
  }
}

function leave(text) {
  keep(false);
  history.replaceState(null, "", "#");
  arrive();
  $("trouble").textContent = text;
}

// --- what is shown ---------------------------------------------------------------------------------------------------

const sound = (name) => memory.sound && play(name);
const index = (player) => (player === "white" ? 0 : 1);
const nameIn = ({ names, kinds }, at) => (kinds[at] === "open" ? say("nobody") : kinds[at] === "bot" ? botName(names[at])[0] : names[at]);
const namesNow = () => table.names.map((_, at) => nameIn(table, at));
const name = (player) => isolated(nameIn(table, index(player)));
const otherOf = (player) => (player === "white" ? "black" : "white");
const opponent = () => name(otherOf(table.you));
const latest = (most, key, value, others) => Object.fromEntries([[key, value], ...Object.entries(others)].slice(0, most));
const link = (href, textContent, more) => Object.assign(document.createElement("a"), { href, textContent, ...more });
const listed = (texts) => texts.filter(Boolean).join(" · ");
const points = (count) => say("points", { count });
const scoreOf = ({ score, length }) => (table.you === "black" ? score.toReversed() : score).map((won) => Math.min(won, length ?? won)).join("-");
const matchOf = ({ length }) => (length ? say("match_to", { count: length }) : say("money_play"));
const isUnderWay = (analysis) => analysis === "waiting" || analysis === "running";
const isTaught = () => table.tutor && table.kinds.includes("bot");
const isMost = (action) => action === "accept" && new Set(table.stakes.accept).size < 2; // the best that they can get
const isOurTurn = () => table.you !== null && table.to_act === table.you;
const elapsed = () => (performance.now() - heard) / 1000;
const secondsTo = (what) => (table[what] === null ? Infinity : table[what] - elapsed());
const write = (element, text) => element.textContent === text || (element.textContent = text); // said aloud only once

const upright = matchMedia("(orientation: portrait) and (max-width: 40rem)");
upright.onchange = connect; // the server draws the other picture

/** The picture is of our own server, which escapes the names. What it says is English. */
function showBoard(still) {
  const { turn, moves } = history.state ?? {};
  const title = `<title>${say("board.board")}</title>`;
  const svg = language === "en" ? table.svg : table.svg.replace(/<title>[^]*<\/desc>/, title);
  $("board").translations = { prompt: table.actions.includes("double") ? "" : say("board.prompt", { action: "{action}" }) }; // the page asks
  return $("board").show({ ...table, svg, still, moves: turn === table.number ? [moves].flat().filter(Array.isArray) : [] });
}

function show() {
  const focus = document.activeElement;
  $("table").hidden = false;
  if (notices[0].parentNode !== $("now")) $("now").prepend(...notices);
  $("table").classList.toggle("idle", !table.you || Boolean(table.winner)); // there is nothing to press
  $("buttons").inert = false;
  document.title = (isOurTurn() ? `${say("your_turn_title")} - ` : "") + say("title");
  showEnd();
  showDice(table);
  showWords();
  tick();
  // The focus goes where an extra key does no harm: not to a button that takes, drops or accepts anything.
  const safe = document.querySelector("#buttons .safe, #rematch:not([hidden])");
  const next = table.tree && !warning ? $("board") : safe;
  if (byKeys && (!focus.isConnected || focus === document.body || focus === $("board"))) next?.focus();
}

/** The buttons of a decision. They change only when they must, since somebody may just be pressing one. */
function showButtons() {
  const { agreed, asks_back: asker, you } = table;
  const mine = table.actions.filter((action) => action !== "next_game" || !agreed.includes(you));
  const open = [...mine, secondsTo("claim") <= 0 && "claim", you && asker === you && "withdraw"];
  const first = warning ? ["go_ahead", "try_again"] : you && asker && asker !== you ? ["grant", "deny"] : open;
  const actions = Object.keys(ACTIONS).filter((action) => first.includes(action));
  if (asked && !open.includes(asked)) $("confirm").close();
  const key = `${table.number} ${actions} ${asker} ${language}`;
  if ($("buttons").dataset.key === key) return;
  $("buttons").dataset.key = key;
  $("resign").disabled = !table.actions.includes("resign");
  $("resign").parentElement.hidden = !you;
  $("take_back").disabled = !you || table.back[index(you)] === null || Boolean(asker) || table.denied.includes(you);
  $("buttons").replaceChildren(...actions.map((action) => {
    const look = { value: action, textContent: say(action), className: ACTIONS[action] };
    const button = Object.assign(document.createElement("button"), look);
    if (action === "double") button.dataset.cube = 2 * table.state.cube.value;
    button.onclick = ({ detail }) => {
      if (detail > 1) return; // of a double click on what was here before
      if (action in QUESTIONS && !isMost(action)) ask(button, action, [[say("yes")]]);
      else if (action === "go_ahead") send(...warning.held);
      else if (action === "try_again") tryAgain();
      else if (action in BACK) send("take_back", BACK[action]);
      else decide(action);
    };
    return button;
  }));
}

/** Names, scores and times. The times go on here; the server says when they are over. */
function showBars() {
  const { left, delay_left: delay, on_clock: on } = table.clock ?? {};
  for (const bar of document.querySelectorAll(".bar-of")) {
    const { player } = bar.dataset;
    const { score, length } = table.state;
    const at = index(player);
    const used = player === on ? elapsed() : 0;
    const reserve = left ? Math.max(0, left[at] - Math.max(0, used - delay)) : Infinity;
    const texts = {
      name: nameIn(table, at),
      away: table.here[at] || table.kinds[at] !== "person" ? "" : say("not_connected"),
      points: length ? `${Math.min(score[at], length)}/${length}` : points(score[at]), // nobody says "8 of 7"
      pips: say("pips", { count: pips(player) }),
      time: left ? clockFace(reserve) : "",
      delay: player === on && used < delay ? `+${Math.ceil(delay - used)}` : "",
    };
    for (const [part, text] of Object.entries(texts)) write(bar.querySelector(`.${part}`), text);
    bar.classList.toggle("bottom", player === (table.you ?? "white"));
    bar.toggleAttribute("aria-current", player === table.to_act);
    bar.querySelector(".clock").hidden = !left;
    bar.querySelector(".clock").classList.toggle("low", reserve < 10);
    if (player !== table.you) continue;
    if (reserve < 10 && player === on && !hurried) sound("hurry");
    hurried = reserve < 10 && (hurried || player === on);
  }
}

/** The pips of a player on the board as it is shown, in mid-turn too. The picture numbers the points for who is on roll. */
function pips(player) {
  const isOnRoll = player === $("board").side; // in the picture
  const groups = [...$("board").querySelectorAll(`:is(.point, .bar)[data-player="${player}"]`)];
  const away = ({ point }) => (point === "bar" ? 25 : isOnRoll ? Number(point) : 25 - point);
  return groups.reduce((sum, { dataset }) => sum + dataset.count * away(dataset), 0);
}

function showEnd() {
  $("end").hidden = !table.state.result;
  if (!table.state.result) return;
  write($("result"), [sentence(table.told.at(-1), namesNow()), table.crawford_next && say("crawford_next")].filter(Boolean).join(" "));
  $("rematch").hidden = !table.winner || !table.you || table.agreed.includes(table.you);
  const { analysis, tutor, winner, you } = table;
  $("analyze").hidden = !tutor || !you || !(winner || !table.state.length) || (analysis && analysis !== "failed");
  const [white, black] = namesNow().map((name, at) => `${isolated(name)} ${analysis?.rates?.[at] ?? "-"}`);
  const rate = analysis?.rates?.[index(you)];
  if (rate !== undefined && winner && you && recall().matches[place.table]?.rate !== rate) keepMatch(place.table, { rate });
  write($("analysis"), analysis ? say(analysis.rates ? "rates" : analysis, { white, black, by: analysis.by }) : "");
  $("check").hidden = !table.winner;
  $("look_through").hidden = isUnderWay(analysis); // or it would say that it has not been analyzed
  for (const link of $("end").querySelectorAll("[data-file]")) link.href = `/tables/${place.table}/${link.dataset.file}`;
}

function showWords() {
  const { state, watching } = table;
  write($("match"), listed([matchOf(state), state.crawford && say("crawford"), watching && say("watching", { count: watching })]));
  const invitation = table.kinds.includes("open") && history.state?.invitation;
  $("invitation").hidden = !invitation;
  $("invitation").querySelector("input").value = `${location.origin}/#/${place.table}/join/${invitation}`;
  $("last").hidden = !history.state?.last;
  $("last").href = `/tables/${history.state?.last}/match.html`;
  $("hint").hidden = !isTaught() || !memory.hints || !table.you;
  $("hint").disabled = !isOurTurn() || warning || state.phase === "resigned";
  showLog(table.told, namesNow());
}

/** What the dice follow from: as this browser first saw it, so that nothing else can be shown later. */
function showDice({ dice }) {
  const { hash, bindings } = witnessed(recall().dice[location.hash], dice, []);
  const [white, black] = bindings.map((binding, at) => dice.numbers[at] ?? binding ?? "...");
  write($("promise"), say("promise", { hash, white, black }));
}

$("check").onclick = async () => {
  const response = await fetch(`/tables/${place.table}/dice.json`).catch(() => null);
  if (!response || !crypto.subtle) return write($("proof"), say(response ? "not_secure" : "no_answer"));
  const proof = response.ok ? response.json() : Promise.reject();
  const judged = proof.then((shown) => verdict(shown, witnessed(recall().dice[location.hash], table.dice, table.told), table.you));
  write($("proof"), say(...await judged.catch(() => ["no_proof"]))); // refused, or no proof at all
};

/** What the player is to do, or whom they are waiting for. */
function prompt() {
  const { actions, forced, here, state, told, to_act: player, you } = table;
  const isOurs = you === player;
  const about = (key, fields) => say(key, { name: name(player), ...fields });
  if (warning) return say("loses", warning);
  if (table.kinds.includes("open")) return say("waiting_second");
  if (!state.on_roll && !state.result) return say("waiting_dice");
  if (table.asks_back) return say(table.asks_back === you ? "asked_back" : "asks_back", wish(table.asks_back));
  const [ready] = table.agreed;
  if (ready && ready === you) return say("waiting_opponent");
  if (ready) return say(table.winner ? "wants_rematch" : "wants_next", { name: name(ready) });
  if (state.result) {
    const { winner, win, points: count } = state.result;
    const won = !win || win === "single" ? points(count) : say("with_win", { win: say(win), points: points(count) });
    return say(`${you === winner ? "you_" : ""}won_${table.winner ? "match" : "game"}`, { name: name(winner), points: won, score: scoreOf(state) });
  }
  if (forced === "dance") return about(isOurs ? "you_dance" : "dances");
  if (forced === "roll" && isOurs) return told.at(-1).do === "take" ? sentence(told.at(-1), namesNow()) : say("dice_thrown");
  if (!isOurs) {
    const waiting = about(`${state.offer ? "to_answer" : "their_turn"}${here[index(player)] ? "" : "_away"}`);
    return you ? waiting : `${say("you_watch")} ${waiting}`;
  }
  if (actions.includes("accept")) return say("offers", { name: opponent(), win: say(state.offer.win), points: points(table.stakes.accept[0]) });
  if (actions.includes("take")) return say(state.offer.beavers ? "beavers" : "doubles", { name: opponent(), value: state.offer.value });
  const answer = told.at(-1)?.do === "decline" && told.at(-1).by !== you ? `${sentence(told.at(-1), namesNow())} ` : "";
  return answer + say(actions.includes("double") ? "roll_or_double" : actions.includes("roll") ? "roll_now" : $("board").isComplete ? "done" : "move");
}

/** What a player asks to take back, what goes with it, and the rolls that they know by now. */
function wish(by) {
  const since = table.told.filter(({ number }) => number > table.back[index(by)]);
  const [[play, ...plays], rolls] = ["play", "roll"].map((what) => since.filter((event) => event.do === what).map(({ argument }) => argument));
  return { name: name(by), opponent: name(otherOf(by)), play, plays: plays.join(", "), rolls: rolls.join(", "), count: rolls.length };
}

/** What the other should know before they answer. */
function knownBy(asker) {
  if (!asker || !table.you || asker === table.you) return [];
  const asks = wish(asker);
  return [asks.plays && say("goes_too", asks), asks.rolls && say("rolls_stay", asks)].filter(Boolean);
}

/** What the tutor says: a hint, or what that loses which was to be sent. */
function teach({ type, number, choices, chances, by }) {
  if (number !== table.number) return;
  if (type === "hint") return advise(hint(choices, chances, by), choices[0]?.[0], $("board").moves);
  if (!held) return;
  const [action] = held;
  const [what, loss] = action === "play" ? choices.at(-1) : [say(action), new Map(choices).get(action) ?? 0];
  if (!isBad(loss)) return send(...held, held = null);
  [warning, held] = [{ what, loss: loss.toFixed(2), held }, null];
  show();
}

function tryAgain() {
  warning = null;
  mark({ moves: [] });
  showBoard(true);
  show();
}

/** What may change without a message: by moves, and by the time. */
function tick() {
  if (!table || shown !== table) return;
  showButtons();
  showBars();
  write($("prompt"), prompt());
  write($("countdown"), countdown("claim", "claim_in") || countdown("next_game", "next_in"));
}

function countdown(what, words) {
  const wait = Math.ceil(secondsTo(what));
  if (wait <= 0 || wait === Infinity) return "";
  return say(words, { time: wait > 90 ? say("minutes", { count: Math.ceil(wait / 60) }) : say("seconds", { count: wait }) });
}

/** The last seconds with tenths, and no wider than the others, so that nothing moves. */
function clockFace(seconds) {
  if (seconds < 10) return (Math.floor(10 * seconds) / 10).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// --- what the player does --------------------------------------------------------------------------------------------

/** Send it, or ask the tutor first. */
function decide(action, argument) {
  const isJudged = isTaught() && memory.warnings && JUDGED.includes(action);
  held = isJudged ? [action, argument] : null;
  send(isJudged ? "judge" : action, argument);
}

/** Ask before something that cannot be undone. "No" is where the first click was, so a double click does nothing. */
function ask(button, action, answers) {
  asked = action;
  $("question").textContent = say(`ask_${action}`, QUESTIONS[action](table.state));
  $("answers").replaceChildren(...answers.map(([label, argument]) => {
    const onclick = () => { $("confirm").close(); decide(action, argument); };
    const className = /resign|drop/.test(action) ? "yes second losing" : "yes";
    return Object.assign(document.createElement("button"), { className, textContent: label, onclick });
  }));
  $("confirm").showModal();
  placeQuestion(button);
  $("confirm").querySelector(".no").focus();
}

/** Over what it is about, and not over the board: the row of the buttons and the words above it, or what is beside it. */
function placeQuestion(button) {
  const isInRow = $("buttons").contains(button);
  const [box, part] = [button, isInRow ? $("now") : $("more")].map((element) => element.getBoundingClientRect());
  const { style, dataset } = $("confirm");
  const columns = `${box.left - part.left}px ${box.width}px 1fr`;
  Object.assign(style, { left: `${part.left}px`, width: `${part.width}px`, gridTemplateColumns: columns });
  dataset.side = !isInRow ? "under" : box.right + 104 <= part.right + 1 ? "right" : "left"; // where "Yes" has room
  const height = isInRow ? 0 : $("answers").offsetHeight + 8;
  if (box.bottom + height > innerHeight) dataset.side = "over";
  const top = isInRow ? Math.min(part.top, box.top - 24) : box.top - (dataset.side === "over" ? height : 0);
  Object.assign(style, { top: `${top}px`, height: `${(isInRow ? box.bottom - top : box.height) + height}px` });
}

$("confirm").onclick = ({ target }) => target.matches("dialog, .no") && $("confirm").close();
$("confirm").onclose = () => { asked = null; };
window.onresize = () => $("confirm").close();

$("resign").onclick = () => {
  const name = (win) => say(["single", "gammon", "backgammon"][win - 1]);
  ask($("resign"), "resign", table.stakes.resign.map(([win, count]) => [say("for_points", { win: name(win), points: points(count) }), win]));
};
for (const id of ["hint", "analyze", "rematch", "take_back"]) $(id).onclick = () => send(id);

$("board").addEventListener("gammon-move", ({ detail }) => {
  mark({ turn: table.number, moves: detail.moves });
  pointAt(detail.moves);
  tick();
  if (detail.isComplete && pips(table.you) === 0) $("board").endTurn(); // the game is over: there is nothing to think about
});
$("board").addEventListener("gammon-sound", ({ detail }) => sound(detail.sound));
$("board").addEventListener("gammon-play", ({ detail }) => decide("play", detail.moves));
$("board").addEventListener("gammon-action", ({ detail: { action } }) => {
  if (action !== "roll") showBoard(true); // there is a question first
  $("buttons").querySelector(`[value=${action}]`)?.click();
});
$("board").addEventListener("gammon-illegal", ({ detail: { from, to, moves, explain } }) => {
  tried = { argument: [...moves, [from, to]], explain };
  send("why", tried.argument);
});

/** Where the page did not come by HTTPS, the browser shows the link. */
function copy(button, link) {
  const copied = navigator.clipboard?.writeText(link) ?? Promise.reject();
  copied.then(() => write(button, say("copied")), () => window.prompt(say("link"), link));
}

const invitation = $("invitation").querySelector("input");
invitation.onfocus = () => invitation.select();
$("copy").onclick = () => copy($("copy"), invitation.value);
$("watch").onclick = () => copy($("watch"), `${location.origin}/#/${place.table}`);
$("share").hidden = !navigator.share;
$("share").onclick = () => navigator.share({ title: say("title"), url: invitation.value }).catch(() => {});

// --- settings --------------------------------------------------------------------------------------------------------

$("language").replaceChildren(...languages.map(([name, own]) => new Option(own, name)));
$("language").value = language;
$("language").onchange = () => arrive(speak($("language").value));

const settings = [...document.querySelectorAll("[data-setting]")].map((input) => [input, input.type === "checkbox" ? "checked" : "value"]);
for (const [input, value] of settings) input.onchange = () => apply(remember({ [input.id]: input[value] }));

/** What was chosen here or in another tab. A board that is like the page follows the system, or what the page was told. */
function apply() {
  for (const [input, value] of settings) input[value] = recall()[input.id];
  document.documentElement.style.colorScheme = memory.theme === "auto" ? "" : memory.theme;
  for (const board of [$("start"), $("board")]) board.setAttribute("theme", memory.look === "auto" ? memory.theme : memory.look);
  $("board").setAttribute("auto", memory.alone ? "forced bear-off" : "");
  if (table) show();
}

addEventListener("offline", () => { $("trouble").textContent = say("offline"); });
addEventListener("online", () => connect($("trouble").textContent = ""));
addEventListener("pointerdown", () => { byKeys = false; }, true);
addEventListener("keydown", (event) => {
  byKeys ||= event.key === "Tab";
  const isOnNothing = [document.body, $("board")].includes(document.activeElement) && !event.composedPath()[0].matches("button")
    && !$("table").hidden && !$("confirm").open;
  if (!isOnNothing || event.defaultPrevented || event.repeat || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault(); // it would scroll
  const safe = $("buttons").querySelector(".safe");
  safe ? safe.click() : $("board").endTurn();
});

window.onhashchange = arrive;
setInterval(tick, 100);
apply();
arrive();
