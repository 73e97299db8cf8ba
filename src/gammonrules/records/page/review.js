
// From mistake to mistake, and a mode in which the page asks before it tells.

(() => {
  const { narrow, byId, data, addresses, element, linesOf, show, tell, bringIntoView, go, keys, current, side } = page;
  const [main, beside, quiz] = [document.querySelector("main"), byId("beside"), byId("quiz")];
  const listed = [...document.querySelectorAll("#mistakes li")].map((item) => {
    const link = item.querySelector("a");
    return { item, link, step: addresses.indexOf(link.getAttribute("href").slice(1)) };
  });
  const players = document.querySelectorAll("#mistakes .chip input");
  let isQuiz = false;
  let asked = null; // the question that is open
  let isByKeys = false;
  const told = new Map(); // by step: what was said about the answers

  // --- from mistake to mistake -----------------------------------------------------------------------------------------

  // In the order in which they are seen: the player at the bottom of the board comes first.
  const shown = () => {
    const visible = listed.filter(({ item }) => getComputedStyle(item).display !== "none");
    const isFirst = ({ item }) => item.classList.contains(["white", "black"][side()]);
    return [...visible.filter(isFirst), ...visible.filter((mistake) => !isFirst(mistake))];
  };
  // In the order of the match; while the page asks, in that of the list.
  const near = (by) => {
    const steps = [...new Set(shown().map(({ step }) => step))];
    if (isQuiz) return steps[steps.indexOf(current()) + by];
    const there = steps.filter((step) => by * (step - current()) > 0);
    return by * Math.min(...there.map((step) => by * step));
  };
  const before = () => near(-1);
  const after = () => near(1);
  const goTo = (step) => Number.isFinite(step) && show(step);

  go["mistake-back"] = () => goTo(before());
  go["mistake-next"] = () => goTo(after());
  keys.p = () => go["mistake-back"];
  keys.n = () => go["mistake-next"];

  // Each heading has the number of what is listed below it.
  const tellCounts = () => {
    const visible = shown();
    byId("mistakes").querySelector(".score").textContent = visible.length;
    for (const box of players) {
      const ofPlayer = visible.filter(({ item }) => item.classList.contains(box.value));
      box.parentElement.querySelector("small").textContent = ofPlayer.length;
    }
  };

  const mark = (isMoving) => {
    const list = byId("mistakes");
    for (const { item, link, step } of listed) {
      if (step !== current()) link.removeAttribute("aria-current");
      else if (link.setAttribute("aria-current", "true") ?? (isMoving && list.scrollHeight > list.clientHeight)) {
        list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
    tellCounts();
    for (const [name, step] of [["back", before()], ["next", after()]]) {
      const button = document.querySelector(`[data-go="mistake-${name}"]`);
      button.setAttribute("aria-disabled", String(!Number.isFinite(step)));
    }
  };

  // --- the match as a strip --------------------------------------------------------------------------------------------

  const strip = document.querySelector(".strip");
  const last = addresses.length - 1;

  const showHere = () => strip.querySelector(".here").setAttribute("d", `M${(100 * current()) / (last || 1)} 0V100`);

  for (const name of ["pointerdown", "pointermove"]) {
    strip.addEventListener(name, ({ buttons, clientX }) => {
      const { left, width } = strip.getBoundingClientRect();
      if (buttons & 1) show(Math.round(((clientX - left) / width) * last));
    });
  }

  // --- questions -------------------------------------------------------------------------------------------------------

  const choice = (text, act) => {
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", act);
    return button;
  };

  const answer = (what, cost) => {
    const worst = Math.max(...Object.values(asked.costs).map(Number)).toFixed(3);
    const verdict = cost ? `costs ${cost}` : `is nothing that the engine looked at; the worst that it did costs ${worst}`;
    const text = what ? `${what} ${cost === "0.000" ? "is right: nothing is better" : verdict}.` : "You did not answer.";
    const className = what && `note ${cost === "0.000" ? "right" : "loss"}`;
    told.get(current()).push(element("p", { className: className || "note" }, text));
    tell();
    if (!asked) beside.focus({ preventScroll: true });
    beside.scrollTop = 0;
    bringIntoView();
  };

  const ask = () => {
    const { side, text, pictures, tree, costs } = asked;
    byId("board").show({ svg: linesOf(pictures).join("\n"), tree, still: true });
    byId("now").replaceChildren(element("bdi", {}, data.names[side]), ` ${text}`);
    if (!tree) byId("xgid").value = byId("xgid").value.replace(/:[1-6]{2}:/, ":00:"); // that follow
    const answers = tree ? [] : Object.entries(costs).map(([name, cost]) => choice(name, () => answer(name, cost)));
    const way = tree ? "Move the checkers on the board. " : "";
    const question = element("p", { className: "question" }, way, ...answers, choice("Show me", () => answer("")));
    beside.replaceChildren(...told.get(current()), question);
    if (!isByKeys) return; // the board would ring what has the focus
    if (tree) byId("board").focus();
    else answers[0].focus({ preventScroll: true });
  };

  const follow = () => {
    mark(true);
    showHere();
    const questions = (isQuiz && data.questions[current()]) || [];
    if (questions.length && !told.has(current())) told.set(current(), []);
    const answers = told.get(current()) ?? [];
    asked = questions[answers.length] ?? null;
    main.classList.toggle("asking", asked !== null);
    main.classList.toggle("playing", Boolean(asked?.tree));
    if (asked) ask();
    else if (answers.length) beside.prepend(...answers, element("p", {}, choice("Once more", onceMore), " In the match:"));
  };

  const onceMore = () => {
    told.delete(current());
    tell();
    bringIntoView();
  };

  byId("board").addEventListener("gammon-play", ({ detail }) => {
    const { nodes } = asked.tree;
    const next = (flat, from, to) => flat.find((_, at) => at % 4 === 3 && flat[at - 3] === from && flat[at - 2] === to);
    const end = detail.moves.reduce((node, [from, to]) => next(nodes[node], from, to), 0);
    const play = detail.moves.map(([from, to]) => `${from === 25 ? "bar" : from}/${to || "off"}`).join(" ");
    answer(play || "No play", asked.costs[end]);
  });
  byId("board").addEventListener("gammon-illegal", ({ detail }) => detail.explain("This leads to no legal play."));

  byId("mistakes").classList.add("counted");
  quiz.hidden = listed.length === 0;
  quiz.addEventListener("click", () => {
    isQuiz = !isQuiz;
    quiz.setAttribute("aria-pressed", String(isQuiz));
    main.classList.toggle("quiz", isQuiz);
    if (data.asked) for (const box of players) box.checked = !isQuiz || box.value === data.asked;
    told.clear();
    const first = shown()[0]?.step;
    const isChosen = location.hash.length > 1 && data.questions[current()]; // the page opens at the worst of all
    if (isQuiz && !isChosen && first !== current()) goTo(first);
    else tell();
    bringIntoView();
  });
  for (const name of ["keydown", "pointerdown"]) addEventListener(name, () => (isByKeys = name === "keydown"), true);
  addEventListener("told", follow);
  byId("mistakes").addEventListener("change", () => {
    if (isQuiz && !shown().some(({ step }) => step === current())) goTo(shown()[0]?.step);
    mark();
  });
  const fold = () => (byId("listed").open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
  for (const dot of strip.querySelectorAll("a")) dot.tabIndex = -1; // by keys, the list leads there
  mark(true);
})();
