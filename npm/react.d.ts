/** The element in JSX of React 19: `import type {} from "gammon-board/react"`. */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { BoardView, BoardWords, GammonBoard, GammonMoveEvent, GammonPlayEvent, GammonRefuseEvent } from "./board.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gammon-board": DetailedHTMLProps<HTMLAttributes<GammonBoard>, GammonBoard> & {
        view?: BoardView | null;
        words?: Partial<BoardWords>;
        tree?: string;
        speed?: number | string;
        "ongammon-move"?: (event: GammonMoveEvent) => void;
        "ongammon-play"?: (event: GammonPlayEvent) => void;
        "ongammon-refuse"?: (event: GammonRefuseEvent) => void;
      };
    }
  }
}
