// The Position ID of each start, and the checkers of a side. `python generate.py conformance_names` writes it.
export const STARTS = {
  standard: ["4HPwATDgc/ABMA", 15],
  nackgammon: ["4Dl4ADbgOXgANg", 15],
  longgammon: ["AACA/z8AAID/Pw", 15],
  hypergammon: ["AACgAgAAKgAAAA", 3],
  hypergammon2: ["AABAAQAACgAAAA", 2],
  hypergammon1: ["AACAAAAAAgAAAA", 1],
};
