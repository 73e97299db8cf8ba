/** What every picture of the library has, or what is there as long as one is shown. */
export function present<Part>(part: Part | null | undefined): Part {
  if (!part) throw new TypeError("svg is not a picture of gammonrules");
  return part;
}
