/** The elements in Svelte 5: `import type {} from "gammon-board/svelte"`. */

import type { HTMLAttributes } from "svelte/elements";
import type { BoardElement, BoardEvents, BoardProperties } from "./board.js";
import type { GammonSetup, SetupEvents, SetupProperties } from "./setup.js";

type Props<Element extends EventTarget, Properties, Events> = HTMLAttributes<Element> &
  Properties & { [name in keyof Events & string as `on${name}`]?: (event: Events[name]) => void };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "gammon-board": Props<BoardElement, BoardProperties, BoardEvents>;
    "gammon-setup": Props<GammonSetup, SetupProperties, SetupEvents>;
  }
}
