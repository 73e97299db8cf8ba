/** The other side at the bottom. */

import { fill, shift } from "./checkers.js";
import {
  acrossIn, centerOf, checkersIn, copyOf, frameOf, groupsOf, MARKS, NUMBER, partOf, partsOf, type Spot, wipe,
} from "./svg.js";

const mirror = (svg: SVGElement, part: SVGElement, { y }: Spot) => shift(part, 0, 2 * (frameOf(svg).middle.y - y));

/** Two places stay where they are and swap what is on them. */
function swap(svg: SVGElement, ...pair: SVGElement[]): void {
  const contents = pair.map((group) => ({
    data: { ...group.dataset },
    checkers: checkersIn(group),
    marks: partsOf(group, MARKS),
    number: group.querySelector(NUMBER)?.textContent,
  }));
  const counts = pair.flatMap((group) => partsOf(group, ".count"));
  svg.append(...counts); // whose color the others take
  pair.forEach((group, at) => {
    const { data, checkers, marks, number } = contents[1 - at];
    for (const mark of marks) mirror(svg, mark, centerOf(mark));
    group.append(...marks);
    delete group.dataset.player;
    Object.assign(group.dataset, data);
    if (number && svg.dataset.numbers !== "fixed") partOf(group, NUMBER).textContent = number;
    fill(svg, group, checkers);
  });
  for (const count of counts) count.remove();
}

/** Turn a picture into that of the other side, as `draw.svg` draws it. */
export function turn(svg: SVGElement): void {
  const groups = groupsOf(svg);
  for (const [start, end] of [[0, 24], [24, 26], [26, 28]]) {
    const places = groups.slice(start, end);
    while (places.length) swap(svg, ...places.splice(0, 1), ...places.splice(-1));
  }
  const { middle } = frameOf(svg);
  for (const arrow of partsOf(svg, ".arrow")) {
    const shape = arrow.getAttribute("d") ?? "";
    arrow.setAttribute("d", shape.replace(/\s(-?[\d.]+)/g, (_, y) => ` ${Math.round(20 * middle.y - 10 * y) / 10}`));
  }
  for (const group of partsOf(svg, ".die, .cube")) {
    const center = centerOf(partOf(group, "rect[class]"));
    if (center.y !== middle.y || group.matches(".cube:not(.offered)")) mirror(svg, group, center);
    else shift(group, (center.x < middle.x ? 1 : -1) * acrossIn(groups), 0);
  }
  const lines = partsOf(svg, ".player");
  for (const line of [...lines, ...partsOf(svg, ".side")]) mirror(svg, line, centerOf(partOf(line, "circle")));
  if (lines[1]) lines[0].before(lines[1]);
  else lines[0]?.remove(); // it would be beyond the edge
}

/** A picture as it was drawn: a copy of one that an element may have shown, and turned. */
export function unturned(picture: SVGElement): SVGElement {
  const svg = copyOf(picture);
  wipe(svg, ".flying");
  for (const hidden of svg.querySelectorAll(".checker[style]")) hidden.removeAttribute("style");
  if (svg.dataset.shown === "turned") turn(svg);
  delete svg.dataset.shown;
  return svg;
}
