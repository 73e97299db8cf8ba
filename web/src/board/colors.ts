/** Colors, which a page may change by the names that they have in `draw.svg.Theme`. */

import { measures } from "../pictures.json";

const THEMES: Readonly<Record<string, readonly string[] | undefined>> = measures.themes;

const themed = ([name, colors]: readonly [string, readonly string[]]) =>
  `:host([theme="${name}"]) { ${measures.fields.map((field, at) => `--gammon-${field}: ${colors[at]}`).join("; ")} }`;

/** The rules of a stylesheet for all themes. */
export const themes = () =>
  [...Object.entries(measures.themes).map(themed), themed(["auto", measures.themes.light])].join("\n") +
  `\n@media screen and (prefers-color-scheme: dark) { ${themed(["auto", measures.themes.dark])} }`;

/** Fill and outline, which a page may change. */
export function colors(svg: Element, ...fields: string[]): { fill: string; stroke?: string } {
  const theme = [...svg.classList].map((name) => THEMES[name]).find(Boolean) ?? measures.themes.light;
  const [fill, stroke] = fields.map((field) => `var(--gammon-${field}, ${theme[measures.fields.indexOf(field)]})`);
  return { fill, ...(stroke && { stroke }) };
}

/** A picture in which a page can change the colors: the same, in which they are asked for by their names. */
export function painted(svg: SVGElement): SVGElement {
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
