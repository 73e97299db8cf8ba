"""`examples/web/page/dice.js`: a server that cheats is not believed, in each way that it can, and one that does not is.

The dice follow from the rule of docs/how-to/web-game.md.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import processes

SCRIPT = Path(__file__).parents[2] / "examples" / "web" / "page" / "dice.js"
PROGRAM = """
const { nextWord, verdict, witnessed } = await import("./dice.mjs");
const { judged = [], words = [] } = JSON.parse(process.argv[2]);
const keep = (before, { told, ...dice }) => witnessed(before, dice, told);
for (const { number, proof, seen } of judged) {
  const said = verdict(proof, seen.reduce(keep, { number: number ?? undefined }), "white");
  console.log((await said.catch(() => ["no_proof"]))[0]);
}
for (const { number, ...dice } of words) {
  console.log(...await nextWord(dice, { number, bindings: dice.hashes }, "white"));
}
"""
SECRET, OTHER = bytes(range(32)), bytes(32)
OURS, THEIRS, ANOTHER = "7" * 60, "5" * 60, "6" * 60
"""White's number, Black's, and one to which nobody was bound."""


def hash_of(side: str, number: str) -> str:
    return hashlib.sha256(f"{side}:{number}".encode()).hexdigest()


BOUND = [hash_of("white", OURS), hash_of("black", THEIRS)]


def asked(folder: Path, **question: Any) -> list[str]:
    """What the page's script says."""
    if not (node := shutil.which("node")):
        pytest.skip("Node is not installed")
    shutil.copy(SCRIPT, folder / "dice.mjs")
    (folder / "program.mjs").write_text(PROGRAM, encoding="utf-8")
    done = processes.run(node, "program.mjs", json.dumps(question), cwd=folder, megabytes=1 << 20)
    return str(done.stdout).splitlines()


def throw(number: int, white: str, black: str) -> list[int]:
    block = hmac.digest(SECRET, f"{white}:{black}:{number}:0".encode(), "sha256")
    return [byte % 6 + 1 for byte in block if byte < 252][:2]


def text_of(dice: list[int]) -> str:
    return "".join(map(str, sorted(dice)[::-1]))


class Table:
    """What a page sees of a match with six throws: both are bound, then the numbers are there, and the dice."""

    def __init__(self) -> None:
        self.number: str | None = OURS
        view = {"hash": hashlib.sha256(SECRET).hexdigest(), "hashes": BOUND, "numbers": [None, None], "told": []}
        self.seen = [view | {"hashes": [None, BOUND[1]]}, view, copy.deepcopy(view)]
        self.throw_by(OURS, THEIRS)

    def throw_by(self, white: str, black: str) -> None:
        """The dice are those of these numbers, which the server shows."""
        opening, *rolls = [throw(number, white, black) for number in range(6)]
        texts = [text_of(dice) for dice in rolls]
        last = self.seen[-1]
        last["numbers"] = [white, black]
        last["told"] = [{"throw": 0, "do": "opening_roll", "argument": opening}]
        last["told"] += [{"throw": at, "do": "roll", "argument": text} for at, text in enumerate(texts, 1)]
        throws = ["-".join(map(str, opening)), *texts]
        self.proof: Any = {"hash": last["hash"], "secret": SECRET.hex(), "numbers": last["numbers"], "throws": throws}

    def promise(self, secret: bytes) -> None:
        for view in self.seen:
            view["hash"] = hashlib.sha256(secret).hexdigest()


def takes_back(table: Table) -> None:
    """The third throw was taken back, and began the next game."""
    table.seen[-1]["told"].append({"throw": 2, "do": "tie", "argument": throw(2, OURS, THEIRS)})


def shows_another_secret(table: Table) -> None:
    table.promise(OTHER)
    table.proof["hash"] = table.seen[0]["hash"]


def chooses_the_secret_late(table: Table) -> None:
    table.promise(OTHER)


def swaps_our_number(table: Table) -> None:
    table.throw_by(ANOTHER, THEIRS)


def binds_us_to_another_number(table: Table) -> None:
    swaps_our_number(table)
    for view in table.seen:
        view["hashes"] = [hash_of("white", ANOTHER), BOUND[1]]


def chooses_its_number_late(table: Table) -> None:
    table.throw_by(OURS, ANOTHER)


def and_shows_its_hash(table: Table) -> None:
    table.throw_by(OURS, ANOTHER)
    table.seen[-1]["hashes"] = [BOUND[0], hash_of("black", ANOTHER)]


def binds_for_us(table: Table) -> None:
    table.number = None
    binds_us_to_another_number(table)


def never_binds(table: Table) -> None:
    binds_for_us(table)
    for view in table.seen:
        view["hashes"] = [None, None]


def throws_sixes(table: Table) -> None:
    table.seen[-1]["told"][3]["argument"] = "66"


def and_proves_them(table: Table) -> None:
    throws_sixes(table)
    table.proof["throws"][3] = "66"


def shows_a_throw_twice(table: Table) -> None:
    table.seen[-1]["told"].append({"throw": 3, "do": "roll", "argument": "66"})


def leaves_out_throws(table: Table) -> None:
    table.seen[-1]["told"][1:3] = []


def tells_less(table: Table) -> None:
    table.proof["throws"].pop()


def throws_nothing(table: Table) -> None:
    table.seen[-1]["told"] = table.proof["throws"] = []


def refuses(table: Table) -> None:
    table.proof = None


def babbles(table: Table) -> None:
    table.proof["secret"] = [1]


WORDS: list[tuple[Callable[[Table], object], str]] = [
    (lambda _: "it is honest", "proved"),
    (takes_back, "proved"),
    *((cheat, "wrong_secret") for cheat in (shows_another_secret, chooses_the_secret_late)),
    *((cheat, "wrong_number") for cheat in (swaps_our_number, binds_us_to_another_number)),
    *((cheat, "wrong_number") for cheat in (chooses_its_number_late, and_shows_its_hash)),
    *((cheat, "unseen_numbers") for cheat in (binds_for_us, never_binds)),
    *((cheat, "wrong_throw") for cheat in (throws_sixes, and_proves_them, shows_a_throw_twice, tells_less)),
    (leaves_out_throws, "unseen_throws"),
    (throws_nothing, "no_throws"),
    *((cheat, "no_proof") for cheat in (refuses, babbles)),
]


def test_a_server_that_cheats_is_not_approved(tmp_path: Path) -> None:
    tables = [Table() for _ in WORDS]
    for table, (cheat, _) in zip(tables, WORDS, strict=True):
        cheat(table)
    said = asked(tmp_path, judged=[vars(table) for table in tables])
    assert [*zip([cheat.__name__ for cheat, _ in WORDS], said, strict=True)] == [
        (cheat.__name__, word) for cheat, word in WORDS
    ]


def test_a_page_shows_its_number_only_to_whoever_is_bound(tmp_path: Path) -> None:
    """It is bound itself before, and to nothing else."""
    none = [None, None]
    own, theirs = BOUND
    hashes = [[None, theirs], [own, None], [hash_of("white", ANOTHER), theirs], [own, theirs]]
    words: list[dict[str, Any]] = [{"number": OURS, "hashes": each, "numbers": none} for each in hashes]
    words.append({"number": OURS, "hashes": BOUND, "numbers": [OURS, None]})
    words.append({"hashes": hashes[0], "numbers": none})  # nothing was drawn here
    assert asked(tmp_path, words=words) == [f"bind {own}", "", "", f"number {OURS}", "", ""]
