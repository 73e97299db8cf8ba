/** The parts of a picture of the library, by what they are. */

const SVG = "http://www.w3.org/2000/svg";
export const MARKS = ".highlight, .halo, .target, [class^=last-]"; // around checkers
export const DICE = ".die:not(.last)";
export const BAR = 25;

/** An element of a picture. */
export function made(name, attributes, ...content) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

export const wipe = (root, parts) => root.querySelectorAll(parts).forEach((part) => part.remove());

export const checkersIn = (group) => [...group.querySelectorAll(".checker")];
export const groupsOf = (svg) => [...svg.querySelectorAll(".point, .bar, .tray")];
export const diceOf = (svg) => [...svg.querySelectorAll(DICE)];
/** What is printed beside a point, or else its number. */
export const printedAt = (group) => group.querySelector(".number:not(.count)")?.textContent ?? group.dataset.point;

/** Whether there are other dice, or another cube, than before. */
export function isOther(old, svg, parts) {
  const [was, is] = [old, svg].map((board) => {
    return String([...board.querySelectorAll(parts)].map((part) => [part.getAttribute("class"), part.dataset.player, part.dataset.value]));
  });
  return is && was !== is;
}

/** The group of a point, or of a player's bar or tray, by the number that the player on roll gives to it. */
export function groupOf(svg, number, player) {
  if (number === BAR) return svg.querySelector(`.bar[data-player="${player}"]`);
  if (number === 0) return svg.querySelector(`.tray[data-player="${player}"]`);
  return svg.querySelector(`.point[data-point="${number}"]`);
}

export const otherThan = (player) => (player === "white" ? "black" : "white");
