"""The rules for JavaScript, asked in Node."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import processes
from gammonrules import draw

Ask = Callable[[Sequence[Sequence[Any]]], list[Any]]
NODE_NEEDS = 1 << 20
"""Megabytes of addresses, most of them never used."""
PROGRAM = """
import { createInterface } from "node:readline";
const rules = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = rules[name](...args);
  } catch (error) {
    if (!(error instanceof rules.GammonError)) throw error;
    const { name, ...facts } = error;
    answer = { error: error.message, ...facts };
  }
  console.log(JSON.stringify(answer));
}
"""


@pytest.fixture(scope="session")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What the functions of `rules.js` answer to these calls, each a name with its arguments; undefined is left out."""
    if not (node := shutil.which("node")):
        pytest.skip("Node is not installed")
    folder = tmp_path_factory.mktemp("rules")
    script, lines = folder / "rules.mjs", folder / "calls.jsonl"
    script.write_text(draw.rules_js(), encoding="utf-8")

    def answers(calls: Sequence[Sequence[Any]]) -> list[Any]:
        lines.write_text("".join(f"{json.dumps(call)}\n" for call in calls), encoding="ascii")
        with lines.open("rb") as stdin:
            command = node, "--input-type=module", "--eval", PROGRAM, script
            done = processes.run(*command, stdin=stdin, seconds=300, megabytes=NODE_NEEDS)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return answers
