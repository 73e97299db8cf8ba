// rules.js or match.js of this library: `gammonrules conform -- node with_rules_js.mjs match.js`
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { STARTS } from "./starts.mjs";

const { apply, fromPositionId, GammonError, legalPlays, perft, positionId, turn } = await import(pathToFileURL(process.argv[2]));
const KINDS = ["plays", "orders", "perft", "identifiers:position", ...(apply ? ["table"] : [])];

const turned = (points) => points.map((count) => 0 - count).reverse();

function* ordersFrom(nodes, node) {
  if (!nodes[node].length) yield [];
  for (let at = 0; at < nodes[node].length; at += 4) {
    const [from, to, , next] = nodes[node].slice(at);
    for (const rest of ordersFrom(nodes, next)) yield [[from, to], ...rest];
  }
}

/** A checker that either die bears off can make two orders of one. */
const once = (orders) => [...new Map(orders.map((order) => [String(order), order])).values()];

/** A state as match.js has it, of one without nesting, and the other way. */
function nested({ points, checkers = 15, cube: value, owner, ...fields }) {
  return { version: 3, type: "MatchState", position: { points, checkers }, cube: { value, owner }, ...fields };
}

function flat({ version: _, type: __, position: { points, checkers }, cube: { value, owner }, ...fields }) {
  return { ...fields, points, ...(checkers !== 15 && { checkers }), cube: value, owner };
}

function eventOf({ do: action, by, white, black, dice, moves, win, starter, points }) {
  if (action === "forfeit") return { type: "Forfeit", loser: by, points };
  return { action, by, argument: action === "opening_roll" ? [white, black] : dice ?? moves ?? win ?? starter };
}

const ANSWERS = {
  hello: () => ({ name: apply ? "match.js" : "rules.js", version: "0.1", asks: KINDS }),
  table: ({ state, action }) => ({ state: flat(apply(nested(state), eventOf(action))) }),
  plays: ({ points, dice, ...options }) => ({ points: legalPlays(points, dice, options).map((play) => turned(play.points)) }),
  orders: ({ points, dice, ...options }) => {
    const isOver = !legalPlays(points, dice, options).length;
    return { orders: isOver ? [] : once([...ordersFrom(turn(points, dice, options).nodes, 0)]) };
  },
  perft: ({ start, depth }) => {
    const [text, checkers] = STARTS[start];
    return { plays: perft(fromPositionId(text, { checkers }), depth, { checkers }) };
  },
  identifiers: ({ state, text, ...options }) => {
    if (state) {
      const { points, ...checkers } = state;
      return { text: positionId(points, checkers) };
    }
    return { state: { points: fromPositionId(text, options), ...options } };
  },
};

function answer({ id, ask, kind, ...question }) {
  try {
    return { id, ...ANSWERS[ask](question) };
  } catch (error) {
    if (error instanceof GammonError) return { id, refused: true };
    throw error;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
