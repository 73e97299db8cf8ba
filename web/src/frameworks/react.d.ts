/** The elements in JSX of React 19: `import type {} from "gammon-board/react"`. */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { BoardElement, BoardEvents, BoardProperties } from "./types/board/index.js";
import type { GammonSetup, SetupEvents, SetupProperties } from "./types/setup/index.js";

type Props<Element, Properties, Events> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  Properties & { [name in keyof Events & string as `on${name}`]?: (event: Events[name]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gammon-board": Props<BoardElement, BoardProperties, BoardEvents>;
      "gammon-setup": Props<GammonSetup, SetupProperties, SetupEvents>;
    }
  }
}
