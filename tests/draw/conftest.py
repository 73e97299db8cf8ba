"""The rules for JavaScript, asked in Node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import node
from gammonrules import draw

Ask = Callable[[Sequence[Sequence[Any]]], list[Any]]
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
    folder = tmp_path_factory.mktemp("rules")
    script = folder / "rules.mjs"
    script.write_text(draw.rules_js(), encoding="utf-8")
    return lambda calls: node.answers(PROGRAM, script, calls, folder)
