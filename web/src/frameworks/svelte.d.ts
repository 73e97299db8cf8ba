/** The elements in Svelte 5: `import type {} from "gammon-board/svelte"`. */

import type { HTMLAttributes } from "svelte/elements";
import type { BoardElement, BoardEvents, BoardProperties } from "./types/board/index.js";
import type { GammonSetup, SetupEvents, SetupProperties } from "./types/setup/index.js";

type Props<Element extends EventTarget, Properties, Events> = HTMLAttributes<Element> &
  Properties & { [name in keyof Events & string as `on${name}`]?: (event: Events[name]) => void };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gammon-board": Props<BoardElement, BoardProperties, BoardEvents>;
    "gammon-setup": Props<GammonSetup, SetupProperties, SetupEvents>;
  }
}
