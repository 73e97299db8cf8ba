// A bot in another language: gammonrules bench "program:node benchmark/programs/few_blots.mjs rules.js"
//
// It has the rules from rules.js of this library; plays the board with the fewest blots, doubles far ahead in the race, and
// takes all but hopeless ones.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { legalPlays, pips } = await import(pathToFileURL(process.argv[2]));

const turned = (points) => points.map((count) => 0 - count).reverse();
const blots = (points) => points.filter((count) => count === 1).length;

/** Boards come back as the player sees them who made the play; the cube is decided by the race alone. */
function decide({ points, dice, offer }) {
  if (dice) {
    const boards = legalPlays(points, dice).map((play) => turned(play.points));
    return { points: boards.sort((one, other) => blots(one) - blots(other))[0] };
  }
  const [mine, theirs] = pips(points); // of the player on roll, who doubles
  if (offer) return { do: mine < 0.8 * theirs ? "drop" : "take" };
  return { do: mine < 0.9 * theirs ? "double" : "roll" };
}

const answer = ({ id, ask, state }) =>
  ask === "hello" ? { id, name: "few blots", version: "1", asks: ["decide"] } : { id, ...decide(state) };

createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
