"use strict";

// Shows one step of the match at a time. Each link of the list of moves is one, and leads to its address. review.js goes
// on with `page`.

const page = (() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const links = [...document.querySelectorAll("#moves td > a")];
  const addresses = links.map((link) => link.getAttribute("href").slice(1));
  const firstSteps = data.games.map((_, game) => data.steps.findIndex((step) => step.game === game));
  const games = [...document.querySelectorAll("#moves section > details")];
  const narrow = matchMedia("(max-width: 39.9rem)");
  const table = byId("table");
  const xgid = byId("xgid");
  let current = -1;
  let candidate = null; // the button of the one whose arrows are on the board

  // --- what is shown ---------------------------------------------------------------------------------------------------

  const element = (name, properties, ...inside) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...inside);
    return made;
  };

  const side = () => (table.classList.contains("flipped") ? 1 : 0);
  const textOf = (line) => data.lines[line].map((word) => data.words[word]).join(" ");
  const linesOf = (pictures) => pictures[side()].flatMap((block) => data.blocks[block]).map(textOf);

  // The arrows of a candidate, or where the play cost something, of the best one above those of the one that was made.
  const arrowsInstead = ({ said = [] }) => {
    if (candidate) return [["", candidate.arrows]];
    const wrong = said.find(({ arrows, cost, done }) => arrows && cost && done.length);
    return wrong && [["wrong", wrong.arrows[wrong.done[0]]], ["best", wrong.arrows[0]]];
  };

  const drawBoard = (still = true) => {
    const step = data.steps[current];
    const arrows = arrowsInstead(step);
    let lines = linesOf(step.pictures);
    if (arrows) {
      lines = lines.filter((line) => !/^<path .*class="arrow"/.test(line));
      const { y, height } = byId("board").firstElementChild.viewBox.baseVal;
      const mirrored = side() ? ` transform="matrix(1 0 0 -1 0 ${2 * y + height})"` : "";
      const groups = arrows.flatMap(([name, drawn]) => [`<g class="${name}"${mirrored}>`, ...drawn.map(textOf), "</g>"]);
      lines.splice(-1, 0, ...groups);
    }
    byId("board").show({ svg: lines.join("\n"), still });
  };

  const choose = (button) => {
    candidate?.setAttribute("aria-pressed", "false");
    candidate = button === candidate ? null : button;
    candidate?.setAttribute("aria-pressed", "true");
    drawBoard();
  };

  const chooser = (name, arrows) => {
    const title = "Show this play on the board";
    const button = element("button", { type: "button", title, arrows, ariaPressed: "false" }, name);
    button.addEventListener("click", () => choose(button));
    return button;
  };

  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  const tellCounts = ({ score, pips }) => {
    ["white", "black"].forEach((side, at) => {
      byId(side).textContent = `${counted(score[at], "point")} · ${counted(pips[at], "pip")}`;
    });
  };

  const tellStep = (step) => {
    const [game, kind] = data.games[step.game];
    const done = links[current].textContent;
    const who = step.side === null ? [] : [element("bdi", {}, data.names[step.side === "white" ? 0 : 1]), ": "];
    byId("now").replaceChildren(element("small", {}, `${game} · ${kind} · `.replace(/ · \d+ point match/, "")), ...who, element("b", {}, done));
  };

  // A narrow cell breaks its text before a bracket or a move, not inside a pair of numbers. Percents are equally wide.
  const breakable = (text) => text.replace(/([.,±]) /g, "$1\u00a0").replace(/(^|\()(?=\d\.\d\b)/g, "$1\u2007");


  const fewPlays = 6;

  // What each row lost; what nothing is known of comes last.
  const lossOf = (head, row) => {
    if (!row[head.indexOf("Equity")]) return Infinity;
    return Number((row[head.indexOf("Loss")] ?? "").replace("\u2212", "")) || 0;
  };

  // A table of plays has the first ones and the one that was made, until more are asked for.
  const moreButton = (grid, number) => {
    const button = element("button", { type: "button", className: "all" }, `${number} more`);
    button.addEventListener("click", () => {
      grid.classList.remove("few");
      button.remove();
    });
    return button;
  };

  // What cost is open, and so is the first where there is room. Plays stand by what they lose; what was not
  // looked at as deep as the best one has its level.
  const analysis = ({ title, head, rows, done, said, arrows, cost }, at) => {
    const last = head.at(-1) === "Level" ? head.length - 1 : head.length;
    const level = (row) => (last < head.length && rows[row][last] !== rows[0][last] ? [" ", element("small", {}, rows[row][last] || "–")] : []);
    const order = rows.map((_, row) => row);
    if (arrows) order.sort((one, other) => lossOf(head, rows[one]) - lossOf(head, rows[other]) || one - other);
    const columns = head.map((text) => text.split(" ")[0].toLowerCase());
    const cell = (name, text, at) => element(name, { className: columns[at] }, breakable(text));
    const isExtra = (row, place) => arrows && place >= fewPlays && !done.includes(row);
    const body = order.map((row, place) => {
      const [name, ...numbers] = rows[row];
      const play = name.replace(/^\d+\. /, `${place + 1}. `);
      const first = element("th", { scope: "row" }, arrows ? chooser(breakable(play), arrows[row]) : name, ...level(row));
      if (done.includes(row)) first.append(" ", element("span", { role: "img", ariaLabel: "chosen" }, "✓"));
      const cells = numbers.slice(0, last - 1).map((text, at) => cell("td", text, at + 1));
      const className = done.includes(row) ? "done" : isExtra(row, place) ? "extra" : "";
      return element("tr", { className }, first, ...cells);
    });
    const isVerdict = (text) => cost && text.startsWith("Error: ");
    const remark = (text) => (isVerdict(text) ? element("strong", { className: "loss" }, text) : element("small", {}, text));
    const isBelow = (text) => cost && rows.length && !isVerdict(text); // the verdict has the heading to itself
    const remarks = said.filter((text) => !isBelow(text)).map(remark);
    const below = said.filter(isBelow).join(" · ");
    if (arrows && cost && done.length) {
      const [best, wrong] = [rows[0], rows[done[0]]].map(([name]) => name.replace(/^\d+\. /, ""));
      remarks.splice(1, 0, element("span", { className: "best" }, `best ${best}`), element("span", { className: "wrong" }, `played ${wrong}`));
    }
    const heading = element("summary", {}, element("b", {}, title), ...remarks.flatMap((each) => [" · ", each]));
    const heads = head.slice(0, last).map((text, at) => Object.assign(cell("th", text, at), { scope: "col" }));
    const grid = element("table", { className: "few" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...body));
    const wide = element("div", { className: "wide", role: "region", ariaLabel: title }, grid);
    const extra = order.filter(isExtra).length;
    if (extra) wide.append(moreButton(grid, extra));
    const content = rows.length ? [wide] : [];
    if (below) content.push(element("small", { className: "below" }, below));
    return element("details", { open: cost > 0 || (at === 0 && matchMedia("(min-width: 40rem)").matches) }, heading, ...content);
  };

  const tellAnalyses = (step) => {
    const remarks = document.querySelectorAll(`#moves .said[data-step="${current}"]`);
    const parts = [...remarks].flatMap((remark) => [...remark.cloneNode(true).childNodes]);
    const costing = (step.said ?? []).filter(({ cost }) => cost).reverse(); // the cube comes before the roll
    parts.push(...costing.concat((step.said ?? []).filter(({ cost }) => !cost)).map(analysis));
    parts.sort((one, other) => (one.className === "matrix") - (other.className === "matrix")); // below the verdicts
    byId("beside").replaceChildren(...parts);
    byId("beside").hidden = parts.length === 0 && !document.querySelector("main.analyzed");
  };

  // On a phone, only the game on the board is open.
  const foldGames = () => {
    const { game } = data.steps[current];
    games.forEach((part, at) => (part.open = at === game || (part.open && !narrow.matches)));
  };

  const markLink = (before) => {
    if (data.steps[before]?.game !== data.steps[current].game) foldGames();
    links[before]?.removeAttribute("aria-current");
    const link = links[current];
    link.setAttribute("aria-current", "true");
    const list = byId("moves");
    if (list.scrollHeight > list.clientHeight) {
      const [inside, outside] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
      if (inside.top < outside.top + 48 || inside.bottom > outside.bottom - 48) {
        list.scrollTop += inside.top - outside.top - outside.height / 2;
      }
    }
  };

  const markEnds = () => {
    for (const button of document.querySelectorAll("[data-go]:not([data-go^=mistake])")) {
      const end = /first|back/.test(button.dataset.go) ? 0 : links.length - 1;
      button.setAttribute("aria-disabled", String(current === end));
    }
  };

  // Some frames, such as a notebook's, have no address that could change.
  const changeAddress = () => {
    try {
      history.replaceState(null, "", `#${addresses[current]}`);
    } catch {
      byId("copy-link").hidden = true;
    }
  };

  const tell = (still = true) => {
    const step = data.steps[current];
    drawBoard(still);
    tellCounts(step);
    tellStep(step);
    xgid.value = addresses[current].split("&")[0].replace(/^position=.*/, "");
    tellAnalyses(step);
    dispatchEvent(new Event("told"));
  };

  // The board, with the question or the verdict on what cost, for who comes from a list below.
  const bringIntoView = () => {
    const last = byId("beside").querySelector(".question, details:has(.loss)") ?? byId("board");
    const [{ top }, { bottom }] = [table.parentElement, last].map((part) => part.getBoundingClientRect());
    byId("side").scrollTop = 0; // on a phone on its side
    if (top < 0 || bottom > innerHeight) scrollBy(0, top); // not the notebook around a frame
  };

  const show = (wanted, { isNew = true } = {}) => {
    const before = current;
    current = Math.min(Math.max(wanted, 0), links.length - 1);
    if (current === before) return;
    candidate = null;
    tell(Math.abs(current - before) !== 1);
    markLink(before);
    markEnds();
    byId("copied").textContent = "";
    if (isNew) changeAddress();
  };

  // --- where to go -----------------------------------------------------------------------------------------------------

  const gameBefore = () => firstSteps.findLast((first) => first < current) ?? 0;
  const gameAfter = () => firstSteps.find((first) => first > current) ?? links.length - 1;
  const go = {
    first: () => show(0),
    "game-back": () => show(gameBefore()),
    back: () => show(current - 1),
    next: () => show(current + 1),
    "game-next": () => show(gameAfter()),
    last: () => show(links.length - 1),
  };

  // The step for an address: by its number, by the same XGID, by an XGID without the dice or with another
  // program's rules in it, or else by the board alone.
  const stepOf = (hash) => {
    let text = hash.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch {
      // It has a % that is not part of an escape.
    }
    const number = Number(/(?:^|&)position=(\d{1,9})$/.exec(text)?.[1] ?? 0);
    const id = text.replace(/&?position=\d+$/, "");
    if (number >= 1 && number <= links.length && (id === "" || addresses[number - 1].split("&")[0] === id)) {
      return number - 1;
    }
    const exact = addresses.indexOf(id);
    if (exact >= 0) return exact;
    const fields = (address) => address.replace(/^XGID=/i, "").split(/[:&]/);
    const wanted = fields(id);
    const steps = addresses.map(fields);
    const board = [0, 1, 2, 3];
    for (const compared of [[...board, 4, 5, 6], [...board, 5, 6], [...board, 4], board]) {
      const step = steps.findIndex((address) => compared.every((field) => address[field] === wanted[field]));
      if (step >= 0 && wanted.length > 4) return step;
    }
    return -1;
  };

  const followAddress = () => {
    const wanted = location.hash.length > 1 ? stepOf(location.hash) : data.worst ?? 0;
    if (current === Math.max(wanted, 0)) tell(); // without the message about another address
    else show(wanted, { isNew: false });
    if (wanted >= 0 && location.hash.length > 1) bringIntoView();
    if (wanted < 0 && location.hash.length > 1) byId("now").append(" (the position of this link is not in this match)");
  };

  // --- what readers do -------------------------------------------------------------------------------------------------

  const flip = () => {
    const flipped = table.classList.toggle("flipped");
    byId("flip").setAttribute("aria-pressed", String(flipped));
    drawBoard();
    dispatchEvent(new Event("told"));
  };

  const keys = {
    ArrowLeft: (shift) => (shift ? go["game-back"] : go.back),
    ArrowRight: (shift) => (shift ? go["game-next"] : go.next),
    Home: () => go.first,
    End: () => go.last,
  };

  const pressed = (event) => {
    const chosen = keys[event.key];
    if (!chosen || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("#xgid, select")) return;
    event.preventDefault();
    chosen(event.shiftKey)();
    bringIntoView();
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const before = xgid.value;
      xgid.value = text;
      xgid.select();
      document.execCommand("copy");
      xgid.value = before;
    }
    byId("copied").textContent = "Copied";
  };

  let touch = null;

  const touchEnded = (event) => {
    if (touch === null || document.querySelector(".asking")) return;
    const [end] = event.changedTouches;
    const [across, down] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
    touch = null;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) (across < 0 ? go.next : go.back)();
  };

  if (links.length === 0) return;

  byId("controls").hidden = false;
  byId("share").hidden = false;
  byId("marks").hidden = false;
  byId("copy-link").hidden = location.protocol === "about:";
  byId("flip").setAttribute("aria-pressed", String(table.classList.contains("flipped")));
  byId("flip").addEventListener("click", flip);
  byId("copy-xgid").addEventListener("click", () => copy(xgid.value));
  byId("copy-link").addEventListener("click", () => {
    changeAddress();
    copy(location.href);
  });
  byId("controls").addEventListener("click", (event) => {
    const chosen = go[event.target.closest("[data-go]")?.dataset.go];
    chosen?.();
    if (chosen) bringIntoView();
  });
  document.addEventListener("click", (event) => {
    const wanted = addresses.indexOf(event.target.closest("a")?.getAttribute("href").slice(1));
    if (wanted < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(wanted);
    bringIntoView();
  });
  document.addEventListener("keydown", pressed);
  byId("board").addEventListener("touchstart", (event) => (touch = event.touches.length === 1 ? event.touches[0] : null), {
    passive: true,
  });
  byId("board").addEventListener("touchend", touchEnded, { passive: true });
  addEventListener("hashchange", followAddress);
  narrow.addEventListener("change", () => {
    for (const part of games) part.open = true;
    foldGames();
  });
  const opened = ({ target }) => target.matches(".matrix[open]") && target.scrollIntoView({ block: "nearest" });
  document.addEventListener("toggle", opened, true);
  followAddress();
  return { narrow, byId, data, addresses, element, linesOf, show, tell, bringIntoView, go, keys, side, current: () => current };
})();
