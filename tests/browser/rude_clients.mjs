/* What rude players and strangers do to a server for two browsers, that of docs/how-to/your-own-server.md or of
 * docs/reference/board.md: `node rude_clients.mjs PORT END`. The match is played until somebody has won it, or, where END is
 * "endless", until the server ends it. Its states and events are printed. */

import assert from "node:assert/strict";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { apply, legalActions, legalPlays, toAct, winner } from "./match.mjs";

const port = Number(process.argv[2]);
const events = [];
let state; // after these events

const NO_JSON = /JSON|^Expecting value/;
const SITE = `http://127.0.0.1:${port}`;
const FOREIGN = "This page's address does not match the server's (Origin and Host).";
const PLACES = 30; // for the windows of each player, and for those that watch

const open = (key, origin = SITE) => new WebSocket(`ws://127.0.0.1:${port}`, key, { origin }).on("error", () => {});

const anyOf = (items) => items[Math.floor(Math.random() * items.length)];

async function until(isSo, what) {
  for (const end = Date.now() + 60_000; !isSo(); await sleep(1)) {
    assert(Date.now() < end, `this never comes: ${what}`);
  }
}

/** A browser with its key, and what its connection has heard. */
class Client {
  beats = 0;

  constructor(key) {
    this.key = key;
  }

  async connect() {
    this.socket?.terminate();
    this.heard = [];
    this.socket = open(this.key);
    const { heard } = this;
    this.socket.on("message", (text) => {
      const message = JSON.parse(text);
      if (Object.keys(message).length) heard.push(message);
      else this.beats += 1;
    });
    await until(() => heard.length, "a state");
  }

  /** The last state, with what came with it. */
  get seen() {
    return this.heard.findLast((message) => message.state);
  }

  /** The first message after it that answers it: others may come before, such as that somebody has connected. */
  async ask(text, isAnswer) {
    const { length } = this.heard;
    const answer = () => this.heard.slice(length).find(isAnswer);
    this.socket.send(text);
    await until(answer, `an answer to ${text}`);
    return answer();
  }

  async refusal(text) {
    return (await this.ask(text, ({ refused }) => refused)).refused;
  }

  /** Send what is neither refused nor done: the answer is the state. */
  async ignored(text) {
    const { refused } = await this.ask(text, ({ refused, state }) => refused || state);
    assert.equal(refused, undefined, text);
  }
}

const clients = {
  white: new Client("key-of-white"),
  black: new Client("key-of-black"),
  third: new Client("another-key"),
  nobody: new Client(),
};
const { white, black, third, nobody } = clients;

/** A message for the state that is there. */
const said = (message) => JSON.stringify({ after: events.length, ...message });

/** Everybody sees the same, and what led there from before the last play. */
async function check() {
  for (const [name, client] of Object.entries(clients)) {
    const areHere = ({ here }) => here.includes("white") && here.includes("black");
    await until(() => client.seen.after === events.length && areHere(client.seen), "the news");
    const { player, last, ...seen } = client.seen;
    assert.deepEqual(seen.state, state);
    assert.deepEqual(last.events.reduce(apply, last.start), state);
    assert(last.events.length <= 100);
    assert(last.events.slice(1).every(({ action }) => action !== "play"));
    assert.equal(player, ["white", "black"].includes(name) ? name : null);
  }
}

/** What everybody has heard of. */
function happen(event) {
  events.push(event);
  state = apply(state, event);
}

// --- strangers ---

/** What the server answers to bytes that may not be a request, until it ends or has `last`. */
const answered = (bytes, last) => new Promise((go) => {
  let text = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("error", () => {}).on("close", () => go(text)).on("data", (data) => {
    text += data;
    if (last?.test(text)) socket.destroy();
  });
});

async function sendBadRequests() {
  const rest = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  for (const path of ["/server.mjs", "/../server.py", "/constructor", "//", "/%00", "http://localhost/server.mjs"]) {
    assert.match(await answered(`GET ${path} ${rest}`), /^HTTP\/1.1 404 /, path);
  }
  const upgrade = `GET / ${rest.replace("close", "Upgrade\r\nUpgrade: websocket")}`;
  for (const bytes of [`GET constructor ${rest}`, `GET __proto__ ${rest}`, "garbage\r\n\r\n", upgrade]) {
    assert.match(await answered(bytes), /^HTTP\/1.1 4\d\d /, bytes);
  }
}

/** Pages of other sites, and programs that name no site: the server sends them the reason, and they get no seat. */
async function comeFromElsewhere() {
  for (const origin of ["http://evil.example", "null", `${SITE}.evil.example`, "http://127.0.0.1", "",
    `evil://127.0.0.1:${port}`]) {
    const socket = open("key-of-a-stranger", origin);
    const heard = [];
    socket.on("message", (text) => heard.push(text)).on("close", (code, why) => heard.push(code, `${why}`));
    socket.on("open", () => socket.send("x".repeat(501)));
    await until(() => socket.readyState === WebSocket.CLOSED, `the end of ${origin}`);
    assert.deepEqual(heard, [1008, FOREIGN], origin);
  }
}

/** Programs that name no site, or a broken one, get no state either. */
async function comeWithBrokenHeaders() {
  const key = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa("sixteen letters!")}\r\n`;
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`;
  const broken = ["", "Origin: null\r\n", "Origin: http://\r\n", "Host: a\r\nOrigin: evil://a://b\r\n",
    "Host:\r\nOrigin: x://\r\n", "Host:\r\nOrigin: http://\r\n"];
  for (const headers of broken) {
    for (const version of ["1.0", "1.1"]) {
      const answer = await answered(`GET / HTTP/${version}\r\n${headers}${upgrade}`, /does not match|"state"/);
      assert.doesNotMatch(answer, /"state"/, headers);
    }
  }
}

/** Open 100 windows with the same key, in addition to those that are open. The server rejects some, with a reason. */
async function fill(key, already) {
  const turnedAway = [];
  const windows = Array.from({ length: 100 }, () =>
    open(key).on("close", (code, why) => turnedAway.push(`${code} ${why}`)));
  await until(() => turnedAway.length === 100 + already - PLACES, "the end of the others");
  assert.deepEqual([...new Set(turnedAway)], ["1013 All places are taken."]);
  return windows;
}

/** If watchers and one player take all their places, the other player can still connect. */
async function connectOften() {
  const windows = [...await fill(undefined, 2), ...await fill(black.key, 1)];
  await white.connect();
  await check();
  for (const socket of windows) socket.close();
  const isAlone = () => nobody.seen.here.length === Object.keys(clients).length;
  await until(isAlone, "the end of the other connections");
}

/** All watchers that there is room for connect, and soon their connections break, one after another. */
async function vanish() {
  const { length } = nobody.seen.here;
  for (let times = 0; times < 8; times += 1) {
    const windows = Array.from({ length: PLACES - 2 }, () => open());
    await until(() => nobody.seen.here.length === length + windows.length, "all windows");
    for (const [index, window] of windows.entries()) {
      window._socket.resetAndDestroy();
      if (index % 4 === 3) await sleep(3);
    }
    await until(() => nobody.seen.here.length === length, "the end of their connections");
  }
}

/** The server ends the connection of a client that does this. The client may connect again. */
const RUDE = [
  (socket) => socket.send("x".repeat(501)),
  (socket) => socket.send(Buffer.from([255]), { binary: false }), // not UTF-8
  (socket) => socket._socket.write("no frame at all"),
  (socket) => socket._socket.pause(), // it does not even answer pings
  (socket) => { // it does not read what it asks for
    socket._socket.pause();
    for (let times = 0; times < 20_000; times += 1) socket.send("{}");
  },
];

/** Whether the server has ended a connection, which a client that does not read notices as it sends. */
function hasEnded(socket) {
  socket.send("{}");
  return socket.readyState === WebSocket.CLOSED;
}

async function beRude() {
  for (const act of RUDE) {
    const { socket } = white;
    act(socket);
    await until(() => !nobody.seen.here.includes("white"), `what follows ${act}`);
    await until(() => hasEnded(socket), `the end of the connection after ${act}`);
    await white.connect();
    await check();
  }
}

// --- players ---

/** What changes nothing: who sends it, and how it is refused, in the words of JavaScript or Python; null: it is ignored. */
function forgeries() {
  const actor = toAct(state) ?? "white";
  const waiting = actor === "white" ? "black" : "white";
  const legal = messageOf(actor);
  const illegal = "cannot|can .* now";
  return [
    ...(legalActions(state, waiting).includes(legal.action) ? [] : [[waiting, said(legal), `^(White|Black) ${illegal}`]]),
    [waiting, said({ ...legal, by: actor }), "^\\$\\.by: |for themselves"],
    [actor, said({ action: "roll", argument: [6, 6] }), `throws the dice|${illegal}`],
    [actor, said({ action: "opening_roll", argument: [6, 5] }), `throws the dice|${illegal}`],
    [actor, said({ action: "next_game", argument: actor }), `says who starts|${illegal}`],
    [actor, said({ action: "play", argument: "24/off" }), `24/off|${illegal}`],
    [actor, said({ ...legal, dice: [6, 6] }), "^\\$\\.dice: unknown|no field 'dice'"],
    [actor, said({ action: "win" }), "^\\$\\.action: |unknown action 'win'"],
    [actor, said({ type: "Forfeit", loser: waiting }), "^\\$\\.|no field 'loser'"],
    [actor, `{"after": ${events.length}, "__proto__": {"action": "roll"}}`, "__proto__"],
    [actor, said({}), "^\\$\\.action: missing|unknown action None"],
    ["third", said(legal), "watching"],
    ["nobody", said(legal), "watching"],
    ["third", "garbage", NO_JSON],
    [actor, "[".repeat(400), NO_JSON],
    [actor, Buffer.from(said(legal)), NO_JSON],
    ...["NaN", '{"after": NaN}', '{"after": -Infinity}'].map((text) => [actor, text, NO_JSON]),
    ...["null", "5", '"roll"', "[]", '{"action": "roll"}'].map((text) => [actor, text, null]),
    ...[-1, 1].map((by) => [actor, said({ ...legal, after: events.length + by }), null]),
    ...[false, true, null, `${events.length}`].map((after) => [actor, said({ ...legal, after }), null]),
  ];
}

async function forge() {
  for (const [name, text, why] of forgeries()) {
    if (why) assert.match(await clients[name].refusal(text), new RegExp(why), text);
    else await clients[name].ignored(text);
  }
  await check();
}

/** Something legal; mostly what goes on. */
function messageOf(player) {
  const action = anyOf(legalActions(state, player).filter((action) => action !== "resign" || Math.random() < 0.02));
  if (action === "resign") return { action, argument: "single" };
  if (action !== "play") return { action };
  const { moves } = anyOf(legalPlays(state.position.points, state.dice));
  return { action, argument: moves.map(([from, to]) => [from, to]) };
}

/** Everything is sent twice, and sometimes the answer is lost. */
async function play() {
  const name = toAct(state) ?? anyOf(["white", "black"]);
  const client = clients[name];
  const text = said(messageOf(name));
  client.socket.send(text);
  await client.ignored(text);
  await until(() => third.seen.after > events.length, "the event");
  if (events.length % 5 === 2) await client.connect();
  await until(() => client.seen.after > events.length, "the event"); // a state of the last event may come before
  assert.equal(client.seen.after, events.length + 1);
  happen(client.seen.last.events.at(-1));
  await check();
}

/** Resign and decline until the server has enough. */
async function resign() {
  for (;;) {
    const client = clients[toAct(state)];
    await until(() => client.seen.after === events.length, "the news");
    const isAnswer = ({ refused, after }) => refused || after > events.length;
    const { refused, last } = await client.ask(said({ action: state.offer ? "decline" : "resign" }), isAnswer);
    if (refused) return refused;
    happen(last.events.at(-1));
    if (events.length % 100 === 0) await check();
  }
}

await comeFromElsewhere();
await comeWithBrokenHeaders();
for (const client of [white, white, nobody, black, third]) await client.connect(); // White has one seat, and nobody none
const start = white.seen.state;
state = start;
await check();
await sendBadRequests();
await connectOften();
await vanish();
await beRude();
if (process.argv[3] === "endless") {
  while (!state.dice) await play();
  assert.match(await resign(), /too long/);
} else {
  while (winner(state) === null) {
    if (events.length % 7 === 0) await forge();
    await play();
  }
}
await until(() => third.beats, "that the server is there");
for (const value of [start, ...events, state]) console.log(JSON.stringify(value));
for (const { socket } of Object.values(clients)) socket.terminate();
