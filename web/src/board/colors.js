/** Colors, which a page may change by the names that they have in `draw.svg.Theme`. */

import { measures } from "../pictures.json";

const themed = (name, like = name) =>
  `:host([theme="${name}"]) { ${measures.fields.map((field, at) => `--gammon-${field}: ${measures.themes[like][at]}`).join("; ")} }`;

/** The rules of a stylesheet for all themes. */
export const themes = () =>
  [...Object.keys(measures.themes).map((name) => themed(name)), themed("auto", "light")].join("\n") +
  `\n@media screen and (prefers-color-scheme: dark) { ${themed("auto", "dark")} }`;

/** Fill and outline, which a page may change. */
export function colors(svg, ...fields) {
  const theme = measures.themes[[...svg.classList].find((name) => measures.themes[name])] ?? measures.themes.light;
  const [fill, stroke] = fields.map((field) => `var(--gammon-${field}, ${theme[measures.fields.indexOf(field)]})`);
  return { fill, ...(stroke && { stroke }) };
}

/** A picture in which a page can change the colors: the same, in which they are asked for by their names. */
export function painted(svg) {
  for (const [name, ...fields] of measures.paints.map((paint) => paint.split(" "))) {
    for (const element of svg.querySelectorAll(`.${name}`)) {
      fields.forEach((field, at) => {
        const attribute = ["fill", "stroke"][at];
        const color = element.getAttribute(attribute) ?? "none";
        if (!field || color.startsWith("var(")) return;
        element.setAttribute(attribute, `var(--gammon-${field}, ${color})`);
      });
    }
  }
  return svg;
}
