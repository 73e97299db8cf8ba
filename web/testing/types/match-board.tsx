/** match-board.js as a caller has it, in a project with React; and what templates of Vue and Svelte take. */

import type {} from "gammon-board/react";
import type {} from "gammon-board/svelte";
import type {} from "gammon-board/vue";
import {
  type Dice, GammonBoard, type GammonChangeEvent, type GammonErrorEvent, type GammonPlayEvent, type GammonTutorEvent,
  rules,
} from "gammon-board/match-board";
import type { SvelteHTMLElements } from "svelte/elements";
import type { GlobalComponents } from "vue";

const board: GammonBoard = document.createElement("gammon-board");
board.position = "4HPwATDgc/ABMA";
board.position = new Int8Array(26);
[board.dice, board.side, board.look, board.layout] = ["31", "black", "depth", "portrait"];
const dice: Dice | null = board.dice;
[board.dice, board.side, board.position] = [dice, null, null];
board.addEventListener("gammon-play", ({ detail }) => { board.position = detail.outcome?.won ? [] : detail.position; });
const hear = ({ detail }: GammonPlayEvent) => detail.play?.length ?? detail.moves;
board.view = { svg: "" };
board.translations = { blocked_point: ({ point }) => `${point}!` };
board.translations = { ...board.translations, undo: "Zurück" };
export const element = (
  <gammon-board position={board.position} dice={[6, 5]} side={board.side} layout="portrait" theme="auto"
    ongammon-play={hear} />
);
board.state = rules.newMatch({ length: 7 });
board.state = JSON.stringify(board.state);
[board.player, board.roll] = ["white", () => rules.toDice(3, 1)];
const score: number = board.state?.score[0] ?? 0;
board.translations = { points: ({ count }) => `${count} Punkte`, next_game: "Weiter" };
board.addEventListener("gammon-change", (event) => event.detail.event.action === "play" && event.preventDefault());
const log = ({ detail }: GammonChangeEvent) => rules.apply(detail.state, detail.event);
export const match = <gammon-board state={board.state} player={null} roll={board.roll} ongammon-change={log} />;
gammonBoard.rules.newMatch({ length: score });
[board.state, board.position] = [null, null];
export const german = (
  <gammon-board translations={{ resign: "Aufgeben", points: ({ count }) => `${count} Punkte`, blocked_point: () => "zu" }} />
);
const inVue: InstanceType<GlobalComponents["gammon-board"]>["$props"] = { id: "board" };
inVue.translations = { resign: "Aufgeben", points: ({ count }) => `${count} Punkte`, blocked_point: () => "zu" };
const inSvelte: SvelteHTMLElements["gammon-board"] = { onclick: ({ currentTarget }) => currentTarget.hint() };
inSvelte.translations = { resign: "Aufgeben", points: ({ count }) => `${count} Punkte`, blocked_point: () => "zu" };
// @ts-expect-error there is no such label in Vue
inVue.translations = { resing: "Aufgeben" };
// @ts-expect-error nor in Svelte
inSvelte.translations = { resing: "Aufgeben" };
// @ts-expect-error nor in React
export const misspelled = <gammon-board translations={{ resing: "Aufgeben" }} />;
// @ts-expect-error a label is not a number
export const numbered = <gammon-board translations={{ resign: 5 }} />;
// @ts-expect-error no die shows this
board.dice = [7, 1];
// @ts-expect-error nor this
board.dice = "07";
// @ts-expect-error its types are not imported here
gammonBoard.MatchHistory;
// @ts-expect-error no die shows this
board.roll = () => [7, 1];
// @ts-expect-error there is no such player
board.player = "red";
// @ts-expect-error this is no state
board.state = { length: 7 };
rules.outcome([], { checkers: 3 });
rules.find([], "31", "8/5 6/5", { translations: { ...rules.MESSAGES, bar: "Bar", numbers: ["null"] }, checkers: 3 });
// @ts-expect-error options are an object
rules.outcome([], 3);
// @ts-expect-error there is no such option
rules.outcome([], { checker: 3 });
// @ts-expect-error it has no translations
rules.outcome([], { translations: {} });
// @ts-expect-error there is no such message
rules.find([], "31", "8/5 6/5", { translations: { bloked_point: "x" } });
// @ts-expect-error there is no such label here either
board.translations = { bloked_point: "x" };
// @ts-expect-error translations are an object
board.translations = 5;
// @ts-expect-error a speed is a number
board.speed = "fast";
// @ts-expect-error a roll has two dice
board.dice = [3];
// @ts-expect-error there is no such color
board.side = "red";
// @ts-expect-error there is no such look
export const round = <gammon-board look="round" />;
[board.opponent, board.tutor] = ["club", true];
board.hint();
const answer = ({ detail }: GammonTutorEvent) => (detail.loss > 0.2 ? detail.takeBack() : detail.confirm());
const complain = ({ detail }: GammonErrorEvent) => `${detail.error.reason}: ${detail.error.message}`;
export const taught = (
  <gammon-board state={board.state} opponent="beginner" tutor ongammon-tutor={answer} ongammon-error={complain} />
);
// @ts-expect-error there is no such strength
board.opponent = "expert";
// @ts-expect-error it is true or false
board.tutor = "yes";
// @ts-expect-error there is no such strength here either
export const expert = <gammon-board opponent="expert" />;
