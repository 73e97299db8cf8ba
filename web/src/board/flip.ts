/** The other side at the bottom. */

import { drawPosition, shift } from "./checkers.js";
import type { Position } from "./position.js";
import {
  acrossIn, centerOf, copyOf, frameOf, groupsOf, MARKS, NUMBER, partOf, partsOf, type Spot, wipe,
} from "./svg.js";

const mirror = (svg: SVGElement, part: SVGElement, { y }: Spot) => shift(part, 0, 2 * (frameOf(svg).middle.y - y));

/** Two places stay where they are and swap what is said of them, and the marks on them. */
function swap(svg: SVGElement, ...pair: SVGElement[]): void {
  const contents = pair.map((group) => ({
    data: { ...group.dataset },
    marks: partsOf(group, MARKS),
    number: group.querySelector(NUMBER)?.textContent,
  }));
  pair.forEach((group, at) => {
    const { data, marks, number } = contents[1 - at];
    for (const mark of marks) mirror(svg, mark, centerOf(mark));
    group.append(...marks);
    Object.assign(group.dataset, data);
    if (number && svg.dataset.numbers !== "fixed") partOf(group, NUMBER).textContent = number;
  });
}

/** Turn a picture of this position into that of the other side, as `draw.svg` draws it. */
export function turn(svg: SVGElement, position: Position): void {
  const groups = groupsOf(svg);
  for (const [start, end] of [[0, 24], [24, 26], [26, 28]]) {
    const places = groups.slice(start, end);
    while (places.length) swap(svg, ...places.splice(0, 1), ...places.splice(-1));
  }
  svg.append(...partsOf(svg, ".count")); // whose color the others take
  drawPosition(svg, position);
  wipe(svg, ":scope > .count");
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

/** A picture of this position as it was drawn: a copy of one that an element may have shown, and turned. */
export function unturned(picture: SVGElement, position: Position): SVGElement {
  const svg = copyOf(picture);
  wipe(svg, ".flying");
  for (const hidden of svg.querySelectorAll(".checker[style]")) hidden.removeAttribute("style");
  if (svg.dataset.shown === "turned") turn(svg, position);
  delete svg.dataset.shown;
  return svg;
}
