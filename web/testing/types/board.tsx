/** board.js, setup.js and rules.js as a caller has them, in a project with React; and what templates of Vue and Svelte take. */

import "gammon-board/board-classic.js";
import type {} from "gammon-board/react";
import type {} from "gammon-board/svelte";
import type {} from "gammon-board/vue";
import { type BoardView, GammonBoard, type GammonIllegalEvent, type Move } from "gammon-board";
import { type Dice, find, GammonError, legalPlays, MESSAGES, notation, toDice, turn, why } from "gammon-board/rules";
import type { GammonSetup, GammonSetupEvent } from "gammon-board/setup";
import { createRef } from "react";
import type { SvelteHTMLElements } from "svelte/elements";
import type { GlobalComponents } from "vue";

const view: BoardView = { svg: "<svg/>", tree: { points: [], dice: [6, 5], nodes: [[]] }, moves: [[24, 18]] };
const board: GammonBoard = document.createElement("gammon-board");
board.show(view);
board.view = null;
const frozen = { svg: "", moves: [[24, 18]], play: null, actions: null } as const;
board.view = frozen;
board.show({ svg: "", moves: null });
[board.theme, board.speed, board.auto] = ["dark", 500, "bear-off forced"];
board.show({ svg: "", actions: ["roll", "double", "resign"], play: [[13, 7]] }).then(() => board.focus());
board.addEventListener("gammon-sound", ({ detail }) => detail.sound === "hit");
board.addEventListener("gammon-action", ({ detail }) => detail.action === "take");
board.translations = { undo: "Zurück" };
const moves: Move[] = board.moves;
board.addEventListener("gammon-play", ({ detail }) => moves.push(...detail.moves));
const explain = ({ detail }: GammonIllegalEvent) => detail.explain(`${detail.from}/${detail.to}`);
export const element = (
  <gammon-board ref={createRef<GammonBoard>()} view={view} speed={500} className="wide" style={{ maxWidth: 600 }}
    flip={board.side === "black"} highlight={[25]} arrows={[[13, 8]]} tree={board.tree} theme="dark"
    ongammon-play={({ detail }) => moves.push(...detail.moves)} ongammon-illegal={explain} />
);
const setup: GammonSetup = document.createElement("gammon-setup");
setup.addEventListener("gammon-setup", ({ detail }) => detail.explain(detail.xgid + detail.points[25]));
setup.xgid = "XGID=...";
const hear = ({ detail }: GammonSetupEvent) => detail.points;
export const other = <gammon-setup xgid={setup.xgid} look="depth" translations={{ clear: "Leeren" }} ongammon-setup={hear} />;
const text = notation(setup.points, "31", board.moves) + find(setup.points, [3, 1], "8/5", { checkers: 3 }).text;
const translations = { ...MESSAGES, pips: ({ count }: { count?: unknown }) => `${count}`, game_over: "aus" };
const told = why(setup.points, "31", board.moves, 8, 5, { translations });
export const about = told?.reason === "both_dice" ? told.witness?.moves : [told?.message, told?.point, text];
export const fits = (error: GammonError) => error.candidates?.map(({ points, moves, text }) => [points, moves, text]);
export const rolls: Dice[] = [[3, 1], "31", "3-1", toDice(Number("3"), 1), turn([], "31").dice];
// @ts-expect-error no die shows this
legalPlays(setup.points, [7, 1]);
// @ts-expect-error nor this
legalPlays(setup.points, "37");
// @ts-expect-error a roll has two dice
legalPlays(setup.points, [3, 1, 1]);
// @ts-expect-error dice are not yet numbers from 1 to 6
legalPlays(setup.points, [Number("3"), 1]);
// @ts-expect-error there is no such reason
export const never = told?.reason === "bad_luck";
// @ts-expect-error points are read
setup.points = [];
export const german = <gammon-board translations={{ undo: "Zurück" }} />;
const inVue: InstanceType<GlobalComponents["gammon-board"]>["$props"] = { id: "board", translations: { undo: "Zurück" } };
const inSvelte: SvelteHTMLElements["gammon-board"] = { onclick: ({ currentTarget }) => currentTarget.focus() };
inSvelte.translations = { undo: "Zurück" };
// @ts-expect-error to resign is a label of gammon-board/match-board, in React
export const resigned = <gammon-board translations={{ resign: "Aufgeben" }} />;
// @ts-expect-error in Vue
inVue.translations = { resign: "Aufgeben" };
// @ts-expect-error and in Svelte
inSvelte.translations = { resign: "Aufgeben" };
// @ts-expect-error so are reasons
export const blocked = <gammon-board translations={{ blocked_point: "zu" }} />;
export const lone = <gammon-board auto="bear-off forced" tree={null} />;
// @ts-expect-error nothing plays so by itself
board.auto = "all";
// @ts-expect-error there is no such theme
export const bright = <gammon-board theme="bright" />;
// @ts-expect-error moves are read
board.moves = [];
// @ts-expect-error a move has two ends
board.show({ svg: "", moves: [[1]] });
// @ts-expect-error a picture is needed
export const without = <gammon-board view={{}} />;
// @ts-expect-error the handler is not one of these events
export const wrong = <gammon-board ongammon-play={explain} />;
