/** A part that every picture of the library has, or what only a picture without it would not lead to. */
export function present<Part>(part: Part | null | undefined): Part {
  if (!part) throw new TypeError("svg is not a picture of gammonrules");
  return part;
}
