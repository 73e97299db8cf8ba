// The page: it shows what the server sends, and sends what the player does. It knows no rule of the game.
// The address is the seat: #/TABLE (to watch), #/TABLE/join/INVITATION or #/TABLE/seat/TOKEN. What follows the # is
// never sent to a server, nor to other sites as the page a visitor comes from.

const $ = (id) => document.getElementById(id);
const LABELS = {
  roll: "Roll", double: "Double", take: "Take", drop: "Drop", beaver: "Beaver",
  accept: "Accept", decline: "Decline", next_game: "Next game",
};
const SAFE = ["Roll", "Next game"];
const TOO_MANY_TABS = 4000; // the code of house.py
const FINAL = ["no_such_table", "no_such_seat", "damaged", "cross_site"];

let place, socket, pause;
let table = null; // the last message about the table
let connected = false; // whether it came by the present connection
let tried = null; // the last move that the board refused
let told = 0; // the number of the last sentence shown

// --- where we are ----------------------------------------------------------------------------------------------------

function arrive() {
  const [, name, door, secret] = location.hash.match(/^#\/([\w-]+)(?:\/(seat|join)\/([\w-]+))?$/) ?? [];
  place = { table: name, door, secret };
  table = null;
  told = 0;
  $("said").replaceChildren();
  $("trouble").textContent = "";
  $("begin").hidden = name && door !== "join";
  $("choices").hidden = door === "join";
  $("table").hidden = true;
  if (socket) { socket.onclose = null; socket.close(); }
  if ($("begin").hidden) connect();
}

$("begin").onsubmit = async (event) => {
  event.preventDefault();
  const name = $("name").value;
  // Chosen here and kept, so that whoever asks again, since the answer was lost, gets the same seat.
  const token = sessionStorage.getItem(location.hash) ?? newToken();
  if (place.door === "join") sessionStorage.setItem(location.hash, token);
  const asked = place.door === "join"
    ? { name, token, invitation: place.secret }
    : { name, token, length: Number($("length").value) || null, against: document.forms[0].elements.against.value };
  const path = place.door === "join" ? `/tables/${place.table}` : "/tables";
  try {
    const response = await fetch(path, { method: "POST", body: JSON.stringify(asked) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    if (answer.invitation) sessionStorage.setItem(answer.table, answer.invitation);
    history.replaceState(null, "", `#/${answer.table}/seat/${token}`);
    arrive();
  } catch (error) {
    $("trouble").textContent = error.message;
  }
};

function newToken() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- the connection --------------------------------------------------------------------------------------------------

function connect() {
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/tables/${place.table}`);
  socket.onopen = () => socket.send(JSON.stringify({ token: place.secret ?? null }));
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  connected = false;
  socket.onclose = ({ code }) => {
    if (code === TOO_MANY_TABS) {
      $("trouble").textContent = "Too many tabs are open here, so this one was closed.";
      return;
    }
    $("trouble").textContent = "The connection is lost. Trying again...";
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, 5000);
  };
}

function send(action, argument) {
  $("refusal").textContent = "";
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ after: table.number, do: action, argument }));
}

function hear(message) {
  if (message.type === "why") {
    if (String(message.moves) === String(tried?.argument)) tried.explain(message.text);
    return;
  }
  if (message.type === "refused") {
    if (FINAL.includes(message.code)) socket.onclose = null;
    if (message.code !== "stale") $(table ? "refusal" : "trouble").textContent = message.message;
    if (table) showBoard();
    return;
  }
  pause = 250;
  $("trouble").textContent = "";
  if (message.successor) {
    location.hash = `#/${message.successor}${place.door ? `/${place.door}/${place.secret}` : ""}`;
    return;
  }
  const news = message.number !== table?.number;
  table = message;
  if (news || !connected) showBoard();
  connected = true;
  show();
}

// --- what is shown ---------------------------------------------------------------------------------------------------

const index = (player) => (player === "white" ? 0 : 1);
const name = (player) => isolated(table.names[index(player)]);
const isolated = (text) => `\u2068${text}\u2069`; // a right-to-left name does not disturb the words around it
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** The moves of a turn survive a lost connection, and a page loaded again, as long as nothing has happened at the table. */
const turn = () => `${place.table} ${table.number}`;

function showBoard() {
  const [kept, moves] = JSON.parse(sessionStorage.getItem("turn") ?? "[]");
  // The picture is of our own server, which escapes the names.
  $("board").show({ ...table, moves: kept === turn() ? moves : [] });
}

function show() {
  const focus = document.activeElement;
  $("table").hidden = false;
  showButtons();
  showWords();
  // The focus goes where an extra key does no harm: not to a button that takes, drops or accepts anything.
  const next = table.tree ? $("board") : document.querySelector("#buttons .safe");
  if (!focus.isConnected || focus === document.body || focus === $("board")) next?.focus();
}

function showButtons() {
  const buttons = Object.keys(LABELS).filter((action) => table.actions.includes(action))
    .map((action) => [LABELS[action], () => send(action)]);
  if (table.winner && table.you) buttons.push(["Rematch", () => send("rematch")]);
  $("buttons").replaceChildren(...buttons.map(([label, press]) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.classList.toggle("safe", SAFE.includes(label));
    button.onclick = press;
    return button;
  }));
  $("resign").hidden = !table.actions.includes("resign");
}

function showWords() {
  const { state } = table;
  $("score").replaceChildren(...["white", "black"].map((player, i) => {
    const line = document.createElement("li");
    line.className = player;
    line.textContent = `${name(player)}: ${count(state.score[i], "point")} · ${count(table.pips[i], "pip")}`;
    return line;
  }));
  const owner = state.cube.owner ? ` (${name(state.cube.owner)})` : "";
  $("match").textContent = `${state.length ? `Match to ${state.length}` : "Money play"} · `
    + (state.crawford ? "Crawford game" : `cube at ${state.cube.value}${owner}`);
  $("prompt").textContent = prompt();
  const invitation = table.kinds.includes("open") && sessionStorage.getItem(place.table);
  $("invitation").hidden = !invitation;
  $("invitation").lastElementChild.value = `${location.origin}/#/${place.table}/join/${invitation}`;
  $("watch").value = `${location.origin}/#/${place.table}`;
  for (const [number, sentence] of table.said.filter(([number]) => number > told)) {
    const line = document.createElement("p");
    line.textContent = sentence;
    $("said").append(line);
    told = number;
  }
  $("said").scrollTop = $("said").scrollHeight;
}

/** What the player is to do, or whom they are waiting for. */
function prompt() {
  const { actions, you, state } = table;
  if (table.kinds.includes("open")) return "Waiting for the second player.";
  if (table.winner) return `${name(table.winner)} has won the match.`;
  if (state.result) return `${name(state.result.winner)} has won the game.`;
  if (table.to_act !== you) {
    const away = table.here[index(table.to_act)] ? "" : " (not connected)";
    return `${you ? "" : "You are watching. "}${name(table.to_act)} is to act${away}.`;
  }
  if (actions.includes("accept")) return `${name(state.offer.by)} offers to resign: ${state.offer.win}.`;
  if (actions.includes("take")) return `${name(state.offer.by)} doubles to ${state.offer.value}.`;
  if (actions.includes("double")) return "Your turn: roll or double.";
  if (actions.includes("roll")) return "Your turn: roll.";
  if (!$("board").complete) return "Move your checkers.";
  return $("board").moves.length ? "Done?" : "You cannot move.";
}

// --- what the player does --------------------------------------------------------------------------------------------

$("board").addEventListener("gammon-move", ({ detail }) => {
  sessionStorage.setItem("turn", JSON.stringify([turn(), detail.moves]));
  $("prompt").textContent = prompt();
});
$("board").addEventListener("gammon-play", ({ detail }) => send("play", detail.moves));
$("board").addEventListener("gammon-refuse", ({ detail: { from, to, moves, explain } }) => {
  tried = { argument: [...moves, [from, to]], explain };
  send("why", tried.argument);
});
document.querySelector("#resign button").onclick = () => {
  $("resign").open = false;
  send("resign", Number($("win").value));
};
for (const field of document.querySelectorAll(".link input")) field.onfocus = () => field.select();
window.onhashchange = arrive;
pause = 250;
arrive();
