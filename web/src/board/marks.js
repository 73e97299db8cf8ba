/** Rings around checkers and places: what can move, and where it can go. */

import { measures } from "../pictures.json";
import { colors } from "./colors.js";
import { groupOf, made, wipe } from "./pictures.js";
import { areaOf, spotIn } from "./places.js";

/** Have these points of a player stand out. */
export function highlight(svg, player, points) {
  wipe(svg, ".highlight");
  for (const number of new Set(points)) {
    const group = groupOf(svg, number, player);
    ring(group, group.dataset.count - 1, "highlight", 4, colors(svg, "highlight", "highlight"));
    group.lastChild.setAttribute("fill-opacity", group.dataset.count > 0 ? 0 : 0.45);
  }
}

/** Show from where and to where a checker of a player can go; without ends nothing is shown. */
export function aim(svg, player, point, ends) {
  wipe(svg, ".halo, .target, .chosen");
  const around = (number, beyond, name, width) => {
    const group = groupOf(svg, number, player);
    const count = group.dataset.player === player ? Number(group.dataset.count) : 0;
    for (const [mark, field, thickness] of [["halo", "arrow-rim", width + 3], [name, "target", width]]) {
      const look = { ...colors(svg, field, field), fill: "none", "pointer-events": "none" };
      ring(group, count + beyond, mark, thickness, look);
    }
  };
  if (ends.length) around(point, -1, "chosen", 5);
  for (const to of ends) around(to, 0, "target", 3);
}

/** Around a checker, or where one can go; or around the place, if that is a tray or has none. */
function ring(group, slot, name, thickness, look) {
  const { count, point } = group.dataset;
  const isAround = slot < 0 || group.matches(".tray");
  const { x, y, width, height } = isAround ? areaOf(group) : spotIn(group, slot, Math.max(slot + 1, count));
  const mark = { class: name, "data-point": point, "stroke-width": thickness, ...look };
  group.append(width ? made("rect", { x, y, width, height, rx: 4, ...mark }) : made("circle", { cx: x, cy: y, r: measures.ring, ...mark }));
}
