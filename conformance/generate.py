"""Makes the cases of the conformance suite: `python conformance/generate.py` (a few minutes), always the same ones.

Every answer has two witnesses: the library, and what the tests hold against it, which shares no code with it: the
brute force, the model of a match, and for texts of states what is read back. The cases with a `source` are not made
here: they are kept as they stand in the files.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests"), str(HERE.parent / "tests" / "match")]

import identifier_cases
import plays_cases
import table_cases

import reference
from gammonrules.conformance import answer
from gammonrules.conformance.answers import digest_of

Case = dict[str, Any]

RULES = json.loads((HERE / "rules.json").read_text(encoding="utf-8"))
PACK = HERE.parent / "src" / "gammonrules" / "conformance" / "core.txt.xz"
ASKS = ("plays", "orders", "perft", "table", "identifiers")
VERSION = 3


def file_of(ask: str) -> Path:
    return HERE / f"{ask}.jsonl.gz"


def read_cases(ask: str) -> list[Case]:
    """The cases of a file, as they stand there."""
    return [json.loads(line) for line in gzip.decompress(file_of(ask).read_bytes()).splitlines()]


def collected(ask: str) -> list[Case]:
    """The cases that are not generated."""
    return [case for case in read_cases(ask) if "source" in case] if file_of(ask).exists() else []


def in_order(cases: Iterable[Case]) -> list[Case]:
    """The core first, by rule, with ids that no other case of any file has."""
    ordered = sorted(
        cases, key=lambda case: (not case["core"], ASKS.index(case["question"]["ask"]), [*RULES].index(case["rule"]))
    )
    for number, case in enumerate(ordered, 1):
        for part in ("question", "answer"):
            case[part] = {"id": number} | {key: value for key, value in case[part].items() if key != "id"}
    return ordered


def check(cases: Iterable[Case]) -> None:
    """The library gives the same answers."""
    wrong = [case for case in cases if answer(case["question"]) != case["answer"]]
    for case in wrong[:5]:
        print(f"{json.dumps(case)}\nthe library: {json.dumps(answer(case['question']))}", file=sys.stderr)
    if wrong:
        sys.exit(f"{len(wrong)} answers of the library are others")


# --- writing ----------------------------------------------------------------------------------------------------------


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def zipped(lines: Iterable[str]) -> bytes:
    return gzip.compress(text_of(lines), 9, mtime=0)


def for_the_library(lines: Iterable[str]) -> bytes:
    """Smaller than `zipped`, which other languages read more easily."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return lzma.compress(text_of(lines), filters=filters)


def text_of(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def packed(cases: Iterable[Case]) -> Iterable[str]:
    """The lines of the core: the rules, then a question in each line, with a digest of its answer."""
    yield compact({"version": VERSION, "rules": RULES})
    for case in cases:
        if case["core"]:
            ask = case["question"]["ask"]
            yield "\t".join([case["rule"], digest_of(case["answer"]), ask, packed_question(case["question"])])


def packed_question(question: Case) -> str:
    if question["ask"] in {"plays", "orders"}:
        high, low = question["dice"]
        board = reference.encode_id(plays_cases.board_in(question))
        return f"{board} {high}{low} {question.get('checkers', 15)}"
    return compact({key: value for key, value in question.items() if key not in {"id", "ask"}})


MAKERS = {
    "plays": lambda _: plays_cases.plays_cases(collected("plays")),
    "orders": lambda _: plays_cases.orders_cases(),
    "perft": lambda _: plays_cases.perft_cases(),
    "table": lambda _: table_cases.table_cases(collected("table")),
    "identifiers": lambda made: identifier_cases.identifier_cases(
        [case["question"]["state"] for case in made["table"]]
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asks", nargs="*", help="which files are made again; all, unless some are named")
    asks = parser.parse_args().asks or ASKS
    made: dict[str, list[Case]] = {}
    for ask in ASKS:
        made[ask] = in_order(MAKERS[ask](made) if ask in asks else read_cases(ask))
    cases = in_order(case for of_kind in made.values() for case in of_kind)
    check(cases)
    for ask in ASKS:
        of_kind = [case for case in cases if case["question"]["ask"] == ask]
        file_of(ask).write_bytes(zipped(map(compact, of_kind)))
        core = Counter(case["rule"] for case in of_kind if case["core"])
        print(f"{ask}: {len(of_kind)} cases, {core.total()} in the core: {dict(core)}")
    PACK.write_bytes(for_the_library(packed(cases)))
    print(f"{PACK.name}: {PACK.stat().st_size} bytes")


if __name__ == "__main__":
    main()
