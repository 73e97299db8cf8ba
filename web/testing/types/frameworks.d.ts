/** What gammon-board/vue and gammon-board/svelte use of the types of Vue and Svelte, which are not installed here. */

declare module "vue" {
  export type EmitFn<Events> = (event: keyof Events) => void;
  export interface HTMLAttributes { id?: string }
  export interface PublicProps { key?: PropertyKey }
  export interface GlobalComponents {}
}

declare module "svelte/elements" {
  export interface HTMLAttributes<Element extends EventTarget> { onclick?: (event: { currentTarget: Element }) => void }
  export interface SvelteHTMLElements {}
}
