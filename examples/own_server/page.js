let socket, shown, tried;

function connect() {
  const address = location.origin.replace("http", "ws") + location.pathname;
  socket = new WebSocket(address, location.hash.slice(1) || []);
  socket.onopen = () => { shown = null; };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = ({ code, reason }) => {
    said.textContent = reason || "The connection is lost. Trying again...";
    if (code !== 1008) setTimeout(connect, 1000 + 1000 * Math.random());
  };
}

function send(message) {
  socket.send(JSON.stringify({ ...message, after: shown.number }));
}

function hear(message) {
  if (message.why) return tried.explain(message.why);
  if (message.refused) board.show(shown);
  else show(message);
  said.textContent = message.refused
    ?? (shown.you ? `You are ${shown.you}.` : "You are watching.")
    + (shown.number ? "" : " The game begins when both players are here.");
}

board.addEventListener("gammon-play", ({ detail }) => {
  send({ action: "play", moves: detail.moves });
});

connect();

function show(table) {
  const { number, moves } = history.state ?? {};
  if (table.number !== shown?.number) {
    board.show({ ...table, moves: number === table.number ? moves : [] });
  }
  shown = table;
  buttons.replaceChildren(...table.actions.map(button));
}

function button(action) {
  const made = document.createElement("button");
  made.textContent = action.replace("_", " ");
  made.onclick = () => {
    const ask = "Resign a single game (1), a gammon (2) or a backgammon (3)?";
    const level = action === "resign" ? prompt(ask, 1) : "";
    if (level !== null) send({ action, level: Number(level) });
  };
  return made;
}

board.addEventListener("gammon-action", ({ detail }) => send(detail));

board.addEventListener("gammon-refuse", ({ detail }) => {
  tried = detail;
  send({ why: [...detail.moves, [detail.from, detail.to]] });
});

setInterval(() => {
  if (!shown) return;
  shown.came ??= performance.now();
  const passed = (performance.now() - shown.came) / 1000 - shown.delay;
  clocks.textContent = Object.entries(shown.left).map(([player, left]) => {
    const used = player === shown.runs ? Math.max(0, passed) : 0;
    const rest = new Date(1000 * Math.ceil(Math.max(0, left - used)));
    return `${player} ${rest.toISOString().slice(14, 19)}`;
  }).join(", ");
}, 200);

board.addEventListener("gammon-move", ({ detail }) => {
  history.replaceState({ number: shown.number, moves: detail.moves }, "");
});
