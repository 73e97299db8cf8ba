// Asks your rules every question about plays: `node --test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { legalBoards } from "./rules.mjs";

const text = gunzipSync(readFileSync("plays.jsonl.gz")).toString();
const cases = text.trimEnd().split("\n").map((line) => JSON.parse(line));
const inOrder = (boards) => boards.map(String).sort();

for (const name of new Set(cases.map(({ rule }) => rule))) {
  test(name, () => {
    for (const { question, answer } of cases.filter(({ rule }) => rule === name)) {
      const boards = legalBoards(question.points, question.dice);
      assert.deepEqual(inOrder(boards), inOrder(answer.points), JSON.stringify(question));
    }
  });
}
