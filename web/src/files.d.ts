/** What build.mjs makes of files that are neither scripts nor JSON. */

declare module "*.wasm" {
  /** The compiled code as a text of 91 signs. */
  const code: string;
  export default code;
}

declare module "*.bin" {
  /** The version of the weights. */
  export const version: number;
  /** The file as two texts. */
  export const high: string;
  export const low: string;
}

declare module "*.css" {
  const text: string;
  export default text;
}
