/** The elements in templates of Vue 3.5: `import type {} from "gammon-board/vue"`. */

import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type { BoardElement, BoardEvents, BoardProperties } from "./types/board/index.js";
import type { GammonSetup, SetupEvents, SetupProperties } from "./types/setup/index.js";

type Component<Element, Properties, Events> = new () => Element & {
  $props: HTMLAttributes & Properties & PublicProps;
  $emit: EmitFn<{ [name in keyof Events]: (event: Events[name]) => void }>;
};

declare module "vue" {
  interface GlobalComponents {
    "gammon-board": Component<BoardElement, BoardProperties, BoardEvents>;
    "gammon-setup": Component<GammonSetup, SetupProperties, SetupEvents>;
  }
}
