// What the page to try it says before Python has come, by the rules in the page: plays, the turn, and why a play is illegal.
// The answers are those of docs/try/answers.py, without doubts and what is about the table.

const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
const XGID = /^(?:XGID=)?[-a-oA-O]{26}:(\d{1,2}:-?\d):(?:-?1):(?:00|[1-6]{2})((?::\d{1,9}){5})$/;

/** The answer to a question of the page, or null: only the library has one. */
export async function early({ GammonBoard, rules, fromXgid }, { layout, position, roll, play = "", show, tried }) {
  const { GammonError } = rules;
  if (show) return {};
  const whole = position.trim() || START;
  const xgid = XGID.exec(whole);
  if (!xgid && whole.includes(":")) return null;
  const table = xgid ?? XGID.exec(START);
  try {
    const { position: points, dice, side } = Object.assign(new GammonBoard(), { position: whole, dice: roll.trim() || null });
    if (rules.outcome(points)) return null;
    const on = (points, side, dice = "00") => xgidOf(side === "white" ? points : turned(points), side, dice, table);
    const { state } = fromXgid(on(points, side, dice?.join("")));
    const drawn = Object.assign(new GammonBoard(), { look: "depth", layout, state });
    await null; // it draws when all has been assigned
    const picture = drawn.view.svg;
    picture.classList.replace("light", "auto"); // so the page's dark colors are its own too, as in Python's pictures
    const told = { id: rules.positionId(points), picture, flip: side === "black", isEarly: true };
    if (!dice) return { ...told, xgid: on(points, side), actions: ["roll"] };
    if (tried) return { why: rules.why(points, dice, tried[2], tried[0], tried[1])?.message ?? "" };
    const faces = dice.join("");
    const plays = rules.legalPlays(points, dice).map(({ moves }) => rules.notation(points, dice, moves));
    const turn = { xgid: on(points, side, faces), tree: rules.turn(points, dice), roll: faces, plays };
    const next = (points) => on(points, side === "white" ? "black" : "white");
    return { ...told, ...turn, ...judged(rules, points, dice, plays, play, next) };
  } catch (error) {
    if (error instanceof GammonError) return null;
    throw error;
  }

  function judged({ find, outcome }, points, dice, plays, text, next) {
    const isDance = plays[0] === "no play";
    if (!text.trim() && !isDance) return {};
    try {
      const { points: after, moves, text: play } = find(points, dice, text);
      const wins = outcome(after);
      const message = play + (isDance ? ", since nothing can be played" : "") + (wins ? ", which wins the game" : "");
      return { play, moves, verdict: { legal: true, message }, ...(wins ? {} : { then: next(after) }) };
    } catch (error) {
      if (!(error instanceof GammonError)) throw error;
      const { message, reason, candidates, witness } = error;
      if (!reason) return { verdict: { legal: false, message } };
      const proof = candidates ?? [witness].filter(Boolean);
      return { verdict: { legal: false, message, rule: reason, instead: proof.map(({ text }) => text) } };
    }
  }
}

const turned = (points) => points.map((count) => 0 - count).reverse();

/** Of a board as White sees it, with cube, score and rules as they were. */
function xgidOf(points, side, dice, [, cube, rest]) {
  const letter = (count) => (count ? String.fromCharCode(64 + Math.abs(count)) : "-");
  const board = points.map((count) => (count < 0 ? letter(count).toLowerCase() : letter(count))).join("");
  return `XGID=${board}:${cube}:${side === "white" ? 1 : -1}:${dice}${rest}`;
}
