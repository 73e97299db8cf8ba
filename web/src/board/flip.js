/** The other side at the bottom. */

import { fill, shift } from "./checkers.js";
import { acrossIn, centerOf, checkersIn, frameOf, groupsOf, MARKS, wipe } from "./pictures.js";

const mirror = (svg, part, { y }) => shift(part, 0, 2 * (frameOf(svg).middle.y - y));

/** Two places stay where they are and exchange what is on them. */
function exchange(svg, ...pair) {
  const contents = pair.map((group) => ({
    data: { ...group.dataset },
    checkers: checkersIn(group),
    marks: [...group.querySelectorAll(MARKS)],
    number: group.querySelector(".number:not(.count)")?.textContent,
  }));
  const counts = pair.flatMap((group) => [...group.querySelectorAll(".count")]);
  svg.append(...counts); // whose color the others take
  pair.forEach((group, at) => {
    const { data, checkers, marks, number } = contents[1 - at];
    for (const mark of marks) mirror(svg, mark, centerOf(mark));
    group.append(...marks);
    delete group.dataset.player;
    Object.assign(group.dataset, data);
    if (number && svg.dataset.numbers !== "fixed") group.querySelector(".number:not(.count)").textContent = number;
    fill(svg, group, checkers);
  });
  for (const count of counts) count.remove();
}

/** Turn a picture into that of the other side, as `draw.svg` draws it. */
export function turn(svg) {
  const groups = groupsOf(svg);
  for (const [start, end] of [[0, 24], [24, 26], [26, 28]]) {
    const places = groups.slice(start, end);
    while (places.length) exchange(svg, places.shift(), places.pop());
  }
  const { middle } = frameOf(svg);
  for (const arrow of svg.querySelectorAll(".arrow")) {
    arrow.setAttribute("d", arrow.getAttribute("d").replace(/\s(-?[\d.]+)/g, (_, y) => ` ${Math.round(20 * middle.y - 10 * y) / 10}`));
  }
  for (const group of svg.querySelectorAll(".die, .cube")) {
    const center = centerOf(group.querySelector("rect[class]"));
    if (center.y !== middle.y || group.matches(".cube:not(.offered)")) mirror(svg, group, center);
    else shift(group, (center.x < middle.x ? 1 : -1) * acrossIn(groups), 0);
  }
  const lines = [...svg.querySelectorAll(".player")];
  for (const line of lines) mirror(svg, line, centerOf(line.firstElementChild));
  if (lines[1]) lines[0].before(lines[1]);
  else lines[0]?.remove(); // it would be beyond the edge
}

/** A picture as it was drawn: a copy of one that an element may have shown, and turned. */
export function unturned(picture) {
  const svg = picture.cloneNode(true);
  wipe(svg, ".flying");
  for (const hidden of svg.querySelectorAll(".checker[style]")) hidden.removeAttribute("style");
  if (svg.dataset.shown === "turned") turn(svg);
  delete svg.dataset.shown;
  return svg;
}
