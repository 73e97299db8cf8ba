// A server that checks plays, without Python. The package is made of the repository:
//
//     npm --prefix web ci --ignore-scripts && npm --prefix web run build
//     npm install --no-save ./web && node examples/check_plays.mjs
//
//     curl "http://127.0.0.1:8000/?position=4HPwATDgc/ABMA&dice=31&play=8/5+6/5"
//
// An answer has the position after the play, or the reason why the play is illegal; docs/reference/rules-js.md describes both.
import { createServer } from "node:http";
import { find, fromPositionId, GammonError, outcome, positionId } from "gammon-board/rules";

function checked(asked) {
  const play = find(fromPositionId(asked.get("position")), asked.get("dice"), asked.get("play"));
  const result = outcome(play.points); // of the opponent, who sees the board now
  return { play: play.text, position: positionId(play.points), won: result && result.win };
}

const server = createServer((request, response) => {
  const answer = (status, value) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  try {
    answer(200, checked(new URL(request.url, "http://localhost").searchParams));
  } catch (error) {
    if (error instanceof GammonError) answer(400, { ...error, error: error.message });
    else answer(400, { error: "this is no address" });
  }
});

server.listen(Number(process.argv[2] ?? 8000), "127.0.0.1");
