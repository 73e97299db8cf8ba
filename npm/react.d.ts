/** The element in JSX of React 19: `import type {} from "gammon-board/react"`. */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type {
  BoardView,
  BoardWords,
  GammonActionEvent,
  GammonBoard,
  GammonDrawEvent,
  GammonMoveEvent,
  GammonPlayEvent,
  GammonRefuseEvent,
  GammonSoundEvent,
  Move,
} from "./board.js";
import type { GammonSetup, GammonSetupEvent, SetupWords } from "./setup.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "gammon-board": DetailedHTMLProps<HTMLAttributes<GammonBoard>, GammonBoard> & {
        view?: BoardView | null;
        words?: Partial<BoardWords>;
        tree?: GammonBoard["tree"] | string;
        flip?: boolean;
        highlight?: readonly number[] | null;
        arrows?: readonly Move[] | null;
        theme?: "light" | "dark" | "print" | "colorblind" | "auto";
        auto?: "forced" | "bear-off" | "forced bear-off";
        speed?: number | string;
        "ongammon-move"?: (event: GammonMoveEvent) => void;
        "ongammon-play"?: (event: GammonPlayEvent) => void;
        "ongammon-refuse"?: (event: GammonRefuseEvent) => void;
        "ongammon-draw"?: (event: GammonDrawEvent) => void;
        "ongammon-action"?: (event: GammonActionEvent) => void;
        "ongammon-sound"?: (event: GammonSoundEvent) => void;
      };
      "gammon-setup": DetailedHTMLProps<HTMLAttributes<GammonSetup>, GammonSetup> & {
        xgid?: string;
        words?: Partial<SetupWords>;
        flip?: boolean;
        look?: "flat" | "depth";
        layout?: "landscape" | "portrait";
        theme?: "light" | "dark" | "print" | "colorblind" | "auto";
        "ongammon-setup"?: (event: GammonSetupEvent) => void;
      };
    }
  }
}
