// The page: it shows what the server sends, and sends what the player does. It knows no rule of the game.
// The address is the seat: #/TABLE (to watch), #/TABLE/join/INVITATION or #/TABLE/seat/TOKEN. What follows the # is
// never sent to a server, nor to other sites as the page a visitor comes from.

import { play } from "./sound.js";

const $ = (id) => document.getElementById(id);
const LABELS = { // from left to right
  double: "Double", take: "Take", beaver: "Beaver", accept: "Accept", claim: "Claim the win",
  roll: "Roll", drop: "Drop", decline: "Decline", next_game: "Next game",
};
const SAFE = ["roll", "next_game"]; // where an extra key does no harm
const QUESTIONS = {
  double: ({ cube }) => `Double to ${2 * cube.value}?`,
  take: ({ offer }) => `Take: play on for ${count(offer.value, "point")}?`,
  beaver: ({ offer }) => `Beaver: play on for ${count(2 * offer.value, "point")}?`,
  drop: () => `Drop: lose ${count(table.stakes.drop[0], "point")}?`,
  accept: () => `Accept: win ${count(table.stakes.accept[0], "point")}?`,
  claim: ({ length }) => `Claim the win of the ${length ? "match" : "game"}?`,
  resign: () => "Offer to resign?",
};
const WINS = ["single", "gammon", "backgammon"];
const TOO_MANY_TABS = 4000; // the code of house.py
const FINAL = ["no_such_table", "no_such_seat", "damaged", "cross_site"];

let place, socket, pause, retry, silence;
let table = null; // the last message about the table
let heard = 0; // when it came
let connected = false; // whether it came by the present connection
let tried = null; // the last move that the board refused
let told = 0; // the number of the last sentence shown
let hurried = false; // whether the player has been told that little time is left
let asked = null; // the action that is in question
let sent = null; // the last action sent
let byKeys = false; // whether the player uses keys: then the focus goes to what can be done next

// --- what is remembered ----------------------------------------------------------------------------------------------

const memory = { name: "", length: "5", clock: "none", sound: true, games: {} };

/** What this or another tab has stored, as far as it is of the right kind. */
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem("gammonrules"));
    for (const key in memory) if (kept[key] !== null && typeof kept[key] === typeof memory[key]) memory[key] = kept[key];
  } catch { /* this browser keeps nothing */ }
  return memory;
}

recall();

function remember(changes) {
  Object.assign(recall(), changes);
  try { localStorage.setItem("gammonrules", JSON.stringify(memory)); } catch { /* until the page is closed */ }
}

/** What belongs to this place in this tab, also when it is loaded again: an invitation, the moves of a turn. */
const mark = (changes) => history.replaceState({ ...history.state, ...changes }, "");

// --- where we are ----------------------------------------------------------------------------------------------------

function arrive() {
  const [, name, door, secret] = location.hash.match(/^#\/([\w-]+)(?:\/(seat|join)\/([\w-]+))?$/) ?? [];
  place = { table: name, door, secret };
  table = null;
  told = 0;
  document.title = "Backgammon";
  for (const id of ["said", "trouble", "invited"]) $(id).textContent = "";
  $("copy").textContent = "Copy";
  $("buttons").dataset.key = "";
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
  $("length").onchange();
  disconnect();
  if (isBegin) showStart();
  if (name) connect();
}

/** Links to the own games, or to that of an invitation, and to these. */
function showLinks(more = []) {
  const own = Object.entries(recall().games).filter(([href]) => href.startsWith(place.door === "join" ? `#/${place.table}/` : "#"));
  $("again").replaceChildren(...[...own, ...more].map(([href, textContent]) =>
    Object.assign(document.createElement("a"), { className: "button", href, textContent })));
}

$("length").onchange = () => { $("clock").disabled = !$("length").value; };

async function showStart() {
  const response = await fetch("/start.svg").catch(() => null); // the board is not needed to begin
  if (response?.ok) $("start").show({ svg: await response.text(), still: true });
}

$("begin").onsubmit = async (event) => {
  event.preventDefault();
  const [name, length] = [$("name").value.trim(), $("length").value];
  const clock = length ? $("clock").value : "none";
  remember({ name, length, clock });
  // Chosen here and kept, so that whoever asks again, since the answer was lost, gets the same seat.
  const token = /^[0-9a-f]{64}$/.test(history.state?.token) ? history.state.token : newToken();
  mark({ token });
  const person = { name: name || "Guest", token };
  const [path, body] = place.door === "join"
    ? [`/tables/${place.table}`, { ...person, invitation: place.secret }]
    : ["/tables", { ...person, length: Number(length) || null, time_control: clock, against: event.submitter?.id === "friend" ? "person" : "bot" }];
  $("begin").inert = true; // a double click makes one table
  try {
    const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    history.pushState({ invitation: answer.invitation }, "", `#/${answer.table}/seat/${token}`);
    arrive();
  } catch (error) {
    $("trouble").textContent = error instanceof TypeError ? "The server does not answer: try again." : error.message;
  } finally {
    $("begin").inert = false;
  }
};

function newToken() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- the connection --------------------------------------------------------------------------------------------------

function disconnect() {
  clearTimeout(retry);
  clearTimeout(silence);
  if (socket) { socket.onclose = socket.onmessage = null; socket.close(); }
}

function reconnect() {
  $("trouble").textContent = "";
  disconnect();
  if (place.table) connect();
}

function connect() {
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/tables/${place.table}`);
  socket.onopen = () => socket.send(JSON.stringify({ token: place.door === "seat" ? place.secret : null }));
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  connected = false;
  $("buttons").inert = true;
  socket.onclose = ({ code }) => {
    if (code === TOO_MANY_TABS) {
      $("trouble").textContent = "Too many tabs are open here, so this one was closed.";
      return;
    }
    $("trouble").textContent = "The connection is lost. Trying again...";
    retry = setTimeout(connect, pause);
    pause = Math.min(2 * pause, 5000);
  };
}

function send(action, argument) {
  refuse("");
  sent = action;
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ after: table.number, do: action, argument }));
  clearTimeout(silence);
  silence = setTimeout(reconnect, 10_000); // each message has an answer, unless the network is gone and nobody told us
}

function refuse(text) {
  $("refusal").textContent = text;
  clearTimeout(refuse.timer);
  refuse.timer = setTimeout(refuse, 8000, "");
}

function hear(message) {
  clearTimeout(silence);
  if (message.type === "why") {
    if (String(message.moves) === String(tried?.argument)) tried.explain(message.text);
    return;
  }
  if (message.type === "refused") {
    if (FINAL.includes(message.code)) return leave(message.message);
    if (message.code !== "stale" || sent in QUESTIONS) refuse(message.message); // a second click on Done is no matter
    if (table) showBoard();
    return;
  }
  pause = 250;
  $("trouble").textContent = "";
  if (place.door === "join") return showInvitation(message);
  if (message.successor) {
    keep(null);
    // In the place of this one, which would send a player who goes back here again.
    location.replace(`#/${message.successor}${place.door ? `/${place.door}/${place.secret}` : ""}`);
    mark({ last: place.table });
    return;
  }
  const before = table;
  table = message;
  heard = performance.now();
  if (before?.number !== table.number) {
    // Who thinks of resigning need not begin again with each roll and play; other questions were about what has changed.
    const goesOn = !table.state.offer && String(before?.stakes.resign) === String(table.stakes.resign);
    if (asked !== "resign" || !goesOn) $("confirm").close();
    if (before) playSounds(before);
    const words = table.kinds.includes("open") ? "Go on waiting" : `Go on against ${opponent()}`;
    keep(table.you && !table.winner ? words : null);
  }
  if (before?.number !== table.number || !connected) showBoard();
  connected = true;
  $("buttons").inert = false;
  show();
}

/** Who comes by an invitation sees whose it is; or, if it has been accepted, where else to go. */
function showInvitation({ kinds, names, state, time_control }) {
  const clock = $("clock").querySelector(`[value="${time_control}"]`).text;
  const isOpen = kinds.includes("open");
  $("join").hidden = !isOpen && !history.state?.token; // who has a token may have lost the answer
  $("invited").textContent = isOpen
    ? `${isolated(names[0])} invites you. ${matchOf(state)}, clock: ${clock}.`
    : "This invitation has been accepted.";
  if (isOpen) return;
  showLinks([[`#/${place.table}`, "Watch"], ["#", "Start page"]]);
  disconnect();
}

/** Remember the last games of this browser that are not over. */
function keep(words) {
  const { [location.hash]: _, ...others } = recall().games;
  remember({ games: words ? Object.fromEntries([[location.hash, words], ...Object.entries(others)].slice(0, 5)) : others });
}

/** There is no such table or seat any more: back to the first screen. */
function leave(text) {
  keep(null);
  history.replaceState(null, "", "#");
  arrive();
  $("trouble").textContent = text;
}

// --- sounds ---------------------------------------------------------------------------------------------------------

const sound = (name) => memory.sound && play(name);

function playSounds({ state: was, to_act: acted }) {
  const { state } = table;
  if (state.result && !was.result) sound("end");
  else if (state.offer && !was.offer) sound("double");
  else if (state.dice && !was.dice) sound("dice");
  else if (acted !== table.you && String(state.position.points) !== String(was.position.points)) sound("checker");
  if (document.hidden && isOurTurn() && acted !== table.you) sound("turn");
}

// --- what is shown ---------------------------------------------------------------------------------------------------

const index = (player) => (player === "white" ? 0 : 1);
const name = (player) => isolated(table.names[index(player)]);
const opponent = () => name(table.you === "white" ? "black" : "white");
const isolated = (text) => `\u2068${text}\u2069`; // a right-to-left name does not disturb the words around it
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const matchOf = ({ length }) => (length ? `Match to ${length}` : "Money play");
const isOurTurn = () => table.you !== null && table.to_act === table.you;
const elapsed = () => (performance.now() - heard) / 1000;
const secondsTo = (what) => (table[what] === null ? Infinity : table[what] - elapsed());
const write = (element, text) => element.textContent === text || (element.textContent = text); // said aloud only once

function showBoard() {
  const { turn, moves } = history.state ?? {};
  // The picture is of our own server, which escapes the names.
  $("board").show({ ...table, moves: turn === table.number ? [moves].flat().filter(Array.isArray) : [] });
}

function show() {
  const focus = document.activeElement;
  $("table").hidden = false;
  document.title = isOurTurn() ? "Your turn - Backgammon" : "Backgammon";
  showButtons();
  showBars();
  showEnd();
  showWords();
  tick();
  // The focus goes where an extra key does no harm: not to a button that takes, drops or accepts anything.
  const next = table.tree ? $("board") : document.querySelector("#buttons .safe, #rematch:not([hidden])");
  if (byKeys && (!focus.isConnected || focus === document.body || focus === $("board"))) next?.focus();
}

/** The buttons of a decision. They change only when they must, since somebody may just be pressing one. */
function showButtons() {
  const isReady = table.agreed.includes(table.you);
  const open = [...table.actions.filter((action) => action !== "next_game" || !isReady), ...(secondsTo("claim") <= 0 ? ["claim"] : [])];
  const actions = Object.keys(LABELS).filter((action) => open.includes(action));
  if (asked && !open.includes(asked)) $("confirm").close();
  const key = `${table.number} ${actions}`;
  if ($("buttons").dataset.key === key) return;
  $("buttons").dataset.key = key;
  $("resign").hidden = !table.actions.includes("resign");
  $("buttons").replaceChildren(...actions.map((action) => {
    const className = SAFE.includes(action) ? "safe" : "";
    const button = Object.assign(document.createElement("button"), { value: action, textContent: LABELS[action], className });
    if (action === "double") button.dataset.cube = 2 * table.state.cube.value;
    button.onclick = ({ detail }) => {
      if (detail > 1) return; // of a double click on what was here before
      if (action in QUESTIONS) ask(button, action, QUESTIONS[action](table.state), [["Yes"]]);
      else send(action);
    };
    return button;
  }));
}

function showBars() {
  for (const bar of document.querySelectorAll(".bar-of")) {
    const { player } = bar.dataset;
    const [points, name, kind, isHere] = [table.state.score, table.names, table.kinds, table.here].map((all) => all[index(player)]);
    const texts = {
      name,
      away: isHere || kind !== "person" ? "" : "not connected",
      points: table.state.length ? `${points}/${table.state.length}` : count(points, "point"),
      pips: count(pips(player), "pip"),
    };
    for (const [part, text] of Object.entries(texts)) write(bar.querySelector(`.${part}`), text);
    bar.classList.toggle("bottom", player === (table.you ?? "white"));
    bar.toggleAttribute("aria-current", player === table.to_act);
    bar.querySelector(".clock").hidden = !table.clock;
  }
}

/** The pips of a player on the board as it is shown, in mid-turn too. The picture numbers the points for who is on roll. */
function pips(player) {
  const isOnRoll = player === (table.state.on_roll ?? "white");
  const groups = [...$("board").querySelectorAll(`:is(.point, .bar)[data-player="${player}"]`)];
  const away = ({ point }) => (point === "bar" ? 25 : isOnRoll ? Number(point) : 25 - point);
  return groups.reduce((sum, { dataset }) => sum + dataset.count * away(dataset), 0);
}

function showEnd() {
  $("end").hidden = !table.state.result;
  if (!table.state.result) return;
  write($("result"), table.said.at(-1)[1]);
  $("rematch").hidden = !table.winner || !table.you || table.agreed.includes(table.you);
  for (const link of $("end").querySelectorAll("[data-file]")) link.href = `/tables/${place.table}/${link.dataset.file}`;
}

function showWords() {
  const { state } = table;
  write($("match"), matchOf(state) + (state.crawford ? " · Crawford game" : "") + (table.watching ? ` · ${table.watching} watching` : ""));
  write($("prompt"), prompt());
  const invitation = table.kinds.includes("open") && history.state?.invitation;
  $("invitation").hidden = !invitation;
  $("invitation").querySelector("input").value = `${location.origin}/#/${place.table}/join/${invitation}`;
  $("last").hidden = !history.state?.last;
  $("last").href = `/tables/${history.state?.last}/match.html`;
  $("watch").value = `${location.origin}/#/${place.table}`;
  for (const [number, sentence] of table.said.filter(([number]) => number > told)) {
    $("said").append(Object.assign(document.createElement("p"), { textContent: sentence }));
    told = number;
  }
  $("said").scrollTop = $("said").scrollHeight;
}

/** What the player is to do, or whom they are waiting for. */
function prompt() {
  const { actions, forced, here, state, to_act: player, you } = table;
  const who = you === player ? "You" : name(player);
  if (table.kinds.includes("open")) return "Waiting for the second player.";
  const [ready] = table.agreed;
  if (ready && ready === you) return "Waiting for your opponent.";
  if (ready) return `${name(ready)} wants ${table.winner ? "a rematch" : "the next game"}.`;
  if (state.result) {
    return `${you === state.result.winner ? "You have" : `${name(state.result.winner)} has`} won the ${table.winner ? "match" : "game"}.`;
  }
  if (forced === "pass") return `${who} cannot move.`;
  if (forced === "roll" && you === player) return "Your turn: the dice are thrown.";
  if (you !== player) {
    const away = here[index(player)] ? "" : " (not connected)";
    return `${you ? "" : "You are watching. "}${who}${state.offer ? " is to answer" : "'s turn"}${away}.`;
  }
  if (actions.includes("accept")) return `${opponent()} offers to resign: ${state.offer.win}.`;
  if (actions.includes("take")) return `${opponent()} ${state.offer.beavers ? "beavers" : "doubles"} to ${state.offer.value}.`;
  if (actions.includes("double")) return "Your turn: roll or double.";
  if (actions.includes("roll")) return "Your turn: roll.";
  return $("board").complete ? "Done?" : "Move your checkers.";
}

/** The times go on here; the server says when they are over. */
function tick() {
  if (!table) return;
  showButtons();
  write($("countdown"), countdown("claim", "You can claim the win") || countdown("next_game", "The next game begins"));
  if (!table.clock) return;
  const { left, delay_left: delay, on_clock: on } = table.clock;
  for (const bar of document.querySelectorAll(".bar-of")) {
    const { player } = bar.dataset;
    const used = player === on ? elapsed() : 0;
    const reserve = Math.max(0, left[index(player)] - Math.max(0, used - delay));
    write(bar.querySelector(".time"), clockFace(reserve));
    write(bar.querySelector(".delay"), player === on && used < delay ? `+${Math.ceil(delay - used)}` : "");
    bar.querySelector(".clock").classList.toggle("low", reserve < 10);
    if (player !== table.you) continue;
    if (reserve < 10 && player === on && !hurried) sound("hurry");
    hurried = reserve < 10 && (hurried || player === on);
  }
}

function countdown(what, words) {
  const wait = Math.ceil(secondsTo(what));
  if (wait <= 0 || wait === Infinity) return "";
  return `${words} in ${wait > 90 ? count(Math.ceil(wait / 60), "minute") : count(wait, "second")}.`;
}

/** The last seconds with tenths, and no wider than the others, so that nothing moves. */
function clockFace(seconds) {
  if (seconds < 10) return (Math.floor(10 * seconds) / 10).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

// --- what the player does --------------------------------------------------------------------------------------------

/** Ask before something that cannot be undone. "No" is where the first click was, so a double click does nothing. */
function ask(button, action, question, answers) {
  asked = action;
  $("question").textContent = question;
  $("answers").replaceChildren(...answers.map(([label, argument]) => {
    const onclick = () => {
      $("confirm").close();
      send(action, argument);
    };
    return Object.assign(document.createElement("button"), { className: "yes", textContent: label, onclick });
  }));
  $("confirm").showModal();
  const box = $("confirm").getBoundingClientRect();
  const { left, top, bottom, width, height } = button.getBoundingClientRect();
  const pixels = (places) => Object.fromEntries(Object.entries(places).map(([side, at]) => [side, `${at}px`]));
  const no = $("confirm").querySelector(".no");
  Object.assign(no.style, pixels({ left, top, width, height }));
  const above = top - box.height - 8;
  Object.assign($("confirm").style, pixels({
    left: Math.max(8, Math.min(left + width / 2 - box.width / 2, innerWidth - box.width - 8)),
    top: above > 0 ? above : bottom + 8,
  }));
  no.focus();
}

$("confirm").onclick = ({ target }) => target.matches("dialog, .no") && $("confirm").close();
$("confirm").onclose = () => { asked = null; };
window.onresize = () => $("confirm").close();

$("resign").onclick = () => {
  const answers = WINS.map((win, i) => [`${win[0].toUpperCase()}${win.slice(1)}: ${count(table.stakes.resign[i], "point")}`, i + 1]);
  ask($("resign"), "resign", QUESTIONS.resign(), answers);
};
$("rematch").onclick = () => send("rematch");

$("board").addEventListener("gammon-move", ({ detail }) => {
  mark({ turn: table.number, moves: detail.moves });
  sound("checker");
  showBars();
  write($("prompt"), prompt());
});
$("board").addEventListener("gammon-play", ({ detail }) => send("play", detail.moves));
$("board").addEventListener("gammon-refuse", ({ detail: { from, to, moves, explain } }) => {
  tried = { argument: [...moves, [from, to]], explain };
  send("why", tried.argument);
});

const invitation = $("invitation").querySelector("input");
$("copy").onclick = async () => {
  invitation.select();
  try {
    await navigator.clipboard.writeText(invitation.value);
  } catch {
    document.execCommand("copy"); // where the page did not come by HTTPS
  }
  $("copy").textContent = "Copied";
};
$("share").hidden = !navigator.share;
$("share").onclick = () => navigator.share({ title: "Backgammon", url: invitation.value }).catch(() => {});
for (const field of document.querySelectorAll("[readonly]")) field.onfocus = () => field.select();

$("sound").onclick = () => {
  remember({ sound: !memory.sound });
  $("sound").setAttribute("aria-pressed", memory.sound);
  sound("checker");
};
$("sound").setAttribute("aria-pressed", memory.sound);

$("board").addEventListener("click", ({ target }) => {
  if (target.closest(".cube")) $("buttons").querySelector("[value=double]")?.click();
});
addEventListener("offline", () => { $("trouble").textContent = "You are offline."; });
addEventListener("online", reconnect);
addEventListener("pointerdown", () => { byKeys = false; }, true);
addEventListener("keydown", (event) => {
  byKeys ||= event.key === "Tab";
  const isOnNothing = [document.body, $("board")].includes(document.activeElement) && !event.composedPath()[0].matches("button")
    && !$("table").hidden && !$("confirm").open;
  if (!isOnNothing || event.defaultPrevented || event.repeat || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault(); // it would scroll
  const safe = $("buttons").querySelector(".safe");
  if (safe) safe.click();
  else $("board").done();
});

window.onhashchange = arrive;
setInterval(tick, 100);
pause = 250;
arrive();
