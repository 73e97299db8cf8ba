let socket, shown, tried;

function connect() {
  socket = new WebSocket(location.pathname, location.hash.slice(1) || []);
  socket.onopen = () => { shown = null; };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = ({ code, reason }) => {
    said.textContent = reason || "The connection is lost. Trying again...";
    if (code !== 1008) setTimeout(connect, 1000 + 1000 * Math.random());
  };
}

const send = (message) =>
  socket.send(JSON.stringify({ ...message, after: shown.number }));

function hear(message) {
  if (message.why) return tried.explain(message.why);
  const isNews = message.number !== shown?.number;
  if (!message.refused) shown = { ...message, came: performance.now() };
  if (isNews) draw();
  said.textContent = message.refused ?? shown.said;
}

board.addEventListener("gammon-play", ({ detail }) =>
  send({ action: "play", argument: detail.moves }));

if (location.pathname !== "/") connect(); else lobby.hidden = false;

const upright = matchMedia("(max-width: 40rem) and (orientation: portrait)");
upright.onchange = () => shown && draw();

async function draw() {
  const { number, moves } = history.state ?? {};
  const svg = upright.matches ? shown.portrait : shown.svg;
  board.show({ ...shown, svg, moves: number === shown.number ? moves : [] });
  if (document.activeElement.matches("[name]:focus-visible")) board.focus();
  buttons.innerHTML = shown.actions.map((action) =>
    `<button name="${action}">${action.replace("_", " ")}</button>`).join("");
  for (const button of how.querySelectorAll("button"))
    button.hidden = !shown.losses.includes(button.value);
  const record = await (await fetch("match.mat")).text();
  log.textContent = record.replace(/ {3,}/g, "\t");
  log.scrollTop = log.scrollHeight;
}

table.onclick = async ({ target: { name, value } }) => {
  if (name === "copy_link") {
    const link = new URL(`#${shown.keys[0]}`, location).href;
    await (navigator.clipboard?.writeText(link) ?? prompt("Copy this:", link));
    said.textContent = "Now send the link to your friend.";
  } else if (name === "next_match") location.pathname += "-/";
  else if (name) send({ action: name, argument: value || null });
};

board.addEventListener("gammon-action", ({ detail }) => send(detail));

board.addEventListener("gammon-illegal", ({ detail }) => {
  tried = detail;
  send({ why: [...detail.moves, [detail.from, detail.to]] });
});

setInterval(() => {
  const { came, delay, left = {}, names, runs, score } = shown ?? {};
  const passed = Math.max(0, (performance.now() - came) / 1000 - delay);
  Object.entries(left).forEach(([player, seconds], i) => {
    const rest = Math.max(0, seconds - (player === runs ? passed : 0));
    const time = new Date(1000 * Math.ceil(rest)).toISOString();
    const side = document.querySelectorAll(".side")[i];
    side.className = `side ${player}`;
    side.ariaCurrent = player === runs;
    side.firstChild.textContent = `${names[player]} · ${score[player]} of 3`;
    side.lastChild.textContent = time.slice(14, 19);
  });
}, 200);

board.addEventListener("gammon-move", ({ detail }) =>
  history.replaceState({ number: shown.number, moves: detail.moves }, ""));
