"use strict";

// Asks one position after another. A question is a .lesson with .choices, whose answer is folded until one is chosen.

(() => {
  const byId = (id) => document.getElementById(id);
  const [main, quiz, stage] = [document.querySelector("main"), byId("quiz"), byId("stage")];
  const questions = [...document.querySelectorAll(".lesson:has(.choices)")];
  const home = document.createComment("where the question on the stage belongs");
  const costs = new Map(); // by question: what the answer costs, "" if that is not known
  let asked = null; // the question on the stage

  const shown = () => questions.filter((question) => !question.hidden);
  const buttonsOf = (question) => [...question.querySelectorAll(".choices button")];

  // --- counting --------------------------------------------------------------------------------------------------------

  const isRight = (cost) => cost === "0.000";

  const tellCount = () => {
    const all = [...costs.values()];
    const lost = all.reduce((sum, cost) => sum + Number(cost), 0);
    const right = all.filter(isRight).length;
    byId("count").textContent = all.length ? `${right} of ${all.length} right, ${lost.toFixed(3)} points lost` : "";
  };

  // --- answers ---------------------------------------------------------------------------------------------------------

  const verdict = (name, cost) => {
    if (isRight(cost)) return `Right: nothing is better than ${name}.`;
    return cost ? `Wrong: ${name} costs ${cost} points.` : `Wrong: ${name} is not best.`;
  };

  const answer = (question, button) => {
    if (costs.has(question)) return;
    const { cost } = button.dataset;
    const told = question.querySelector(".choices p");
    costs.set(question, cost);
    told.textContent = verdict(button.textContent, cost);
    told.className = isRight(cost) ? "right" : "loss";
    for (const other of buttonsOf(question)) {
      other.setAttribute("aria-disabled", "true");
      other.classList.toggle("right", isRight(other.dataset.cost));
    }
    button.setAttribute("aria-pressed", "true");
    question.querySelector("details").open = true;
    tellCount();
    markEnds();
    if (question === asked) byId("quiz-next").focus({ preventScroll: true });
  };

  // --- one after another -----------------------------------------------------------------------------------------------

  const before = () => shown()[shown().indexOf(asked) - 1];
  const open = () => shown().find((question) => !costs.has(question) && question !== asked);
  // After the last one come those that were left open.
  const after = () => shown()[shown().indexOf(asked) + 1] ?? open();

  const markEnds = () => {
    byId("quiz-back").setAttribute("aria-disabled", String(!before()));
    byId("quiz-next").setAttribute("aria-disabled", String(!after()));
  };

  const putBack = () => {
    if (asked) home.replaceWith(asked);
    asked = null;
  };

  const ask = (question) => {
    if (!question) return;
    putBack();
    asked = question;
    question.replaceWith(home);
    stage.replaceChildren(question);
    main.classList.add("asking");
    byId("place").textContent = `${shown().indexOf(question) + 1} of ${shown().length}`;
    markEnds();
    if (quiz.getBoundingClientRect().top < 0) scrollTo(0, 0);
  };

  const start = () => ask(shown().find((question) => !costs.has(question)) ?? shown()[0]);

  const end = () => {
    putBack();
    main.classList.remove("asking");
    byId("quiz-start").focus({ preventScroll: true });
  };

  const keys = {
    n: () => ask(after()),
    ArrowRight: () => ask(after()),
    p: () => ask(before()),
    ArrowLeft: () => ask(before()),
    Escape: end,
  };

  const pressed = (event) => {
    if (!asked || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const chosen = /^[1-9]$/.test(event.key) ? buttonsOf(asked)[event.key - 1] : null;
    if (!chosen && !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (chosen) answer(asked, chosen);
    else keys[event.key]();
  };

  // --- only some of them -----------------------------------------------------------------------------------------------

  const chips = [...document.querySelectorAll("#chips button")];

  const choose = () => {
    const wanted = {};
    for (const { dataset, ariaPressed } of chips) {
      if (ariaPressed === "true") (wanted[dataset.of] ??= []).push(dataset.value);
    }
    const fits = ({ dataset }) => Object.entries(wanted).every(([of, values]) => values.includes(dataset[of]));
    const lessons = [...document.querySelectorAll(".lesson")];
    for (const lesson of lessons) lesson.hidden = !fits(lesson);
    const fitting = lessons.filter((lesson) => !lesson.hidden).length;
    const isAll = fitting === lessons.length;
    byId("chosen").textContent = isAll ? "" : `${fitting} of ${lessons.length}`;
    const isNone = shown().length === 0;
    byId("none").hidden = !isNone || fitting > 0;
    if (!asked) return;
    if (isNone) end();
    else ask(asked.hidden ? shown()[0] : asked);
  };

  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.ariaPressed = String(chip.ariaPressed !== "true");
      choose();
    });
  }
  if (chips.length) byId("chips").hidden = false;

  // --- what readers do -------------------------------------------------------------------------------------------------

  for (const question of questions) {
    question.querySelector("details").open = false;
    question.querySelector(".choices").hidden = false;
    for (const button of buttonsOf(question)) button.addEventListener("click", () => answer(question, button));
  }
  if (questions.length === 0) return;
  quiz.hidden = false;
  questions[0].closest(".boards").before(byId("hint"));
  byId("quiz-start").addEventListener("click", start);
  byId("quiz-back").addEventListener("click", keys.p);
  byId("quiz-next").addEventListener("click", keys.n);
  byId("quiz-end").addEventListener("click", end);
  addEventListener("keydown", pressed);
  if ("starts" in quiz.dataset && matchMedia("(max-width: 44rem)").matches) start(); // a desk has room for all
})();
