// Boards as Nodots Backgammon takes them, White on roll.
"use strict";

const DIRECTIONS = { white: "clockwise", black: "counterclockwise" };
const PLAYER = { id: "1", userId: "1", color: "white", direction: "clockwise", stateKind: "moving", isRobot: false, pipCount: 0 };

function containersOf(points) {
  return points.flatMap((count, point) => {
    if (count === 0) return [];
    const color = count > 0 ? "white" : "black";
    const isBar = point === 0 || point === 25;
    const position = isBar ? "bar" : { clockwise: point, counterclockwise: 25 - point };
    return [{ position, ...(isBar && { direction: DIRECTIONS[color] }), checkers: { qty: Math.abs(count), color } }];
  });
}

module.exports = { PLAYER, containersOf };
