"""The programs of `conformance/readers`, which read the suite without Python: right rules pass, and wrong ones fail."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path
from string import Template

import pytest

import gammonrules
import processes
from gammonrules import draw
from node import NODE_NEEDS

SUITE = Path(__file__).parents[2] / "conformance"
GAME = Path(gammonrules.__file__).parent / "c" / "_game.c"
IN_C = Template("""
    #include "$game"

    int boards_after(const int8_t *points, int high, int low, int8_t *boards)
    {
        int8_t padded[WIDTH] = {0};
        Board board;
        Sink sink = {.boards = boards, .capacity = MAX_PLAYS};
        memcpy(padded, points, SLOTS);
        if (read_board(padded, &board))
            enumerate(&board, high, low, &sink);
        return (int)sink.count;
    }
""")
"""The library's rules for Go and Rust; the boards are the opponent's."""
RIGHT = {
    "mjs": """
        import { legalPlays } from "./library.mjs";

        const turned = (points) => points.map((count) => 0 - count).reverse();
        export const legalBoards = (points, dice) => legalPlays(points, dice).map((play) => turned(play.points));
    """,
    "go": """
        package rules

        // extern int boards_after(const signed char *, int, int, signed char *);
        import "C"

        func LegalBoards(points [26]int, dice [2]int) [][26]int {
            var counts [26]C.schar
            for point, count := range points {
                counts[point] = C.schar(count)
            }
            var after [26*3060 + 32]C.schar
            boards := make([][26]int, C.boards_after(&counts[0], C.int(dice[0]), C.int(dice[1]), &after[0]))
            for i := range boards {
                for point := range boards[i] {
                    boards[i][25-point] = -int(after[26*i+point])
                }
            }
            return boards
        }
    """,
    "rs": """
        extern "C" {
            fn boards_after(points: *const i8, high: i32, low: i32, boards: *mut i8) -> i32;
        }

        pub fn legal_boards(points: &[i32], dice: &[i32]) -> Vec<Vec<i32>> {
            let counts: Vec<i8> = points.iter().map(|&count| count as i8).collect();
            let mut after = vec![0i8; 26 * 3060 + 32];
            let number = unsafe { boards_after(counts.as_ptr(), dice[0], dice[1], after.as_mut_ptr()) };
            let turned = |board: &[i8]| board.iter().rev().map(|&count| -i32::from(count)).collect();
            after.chunks(26).take(number as usize).map(turned).collect()
        }
    """,
}
WRONG = {
    "mjs": "export const legalBoards = (points) => [points];",
    "go": """
        package rules

        import "C"

        func LegalBoards(points [26]int, _ [2]int) [][26]int { return [][26]int{points} }
    """,
    "rs": "pub fn legal_boards(points: &[i32], _: &[i32]) -> Vec<Vec<i32>> { vec![points.to_vec()] }",
}
"""These know dances alone."""


COMMANDS = {
    "mjs": ["node --test"],
    "go": ["go mod init rules", "go test"],
    "rs": [
        "cc -O2 -c rules.c",
        "gunzip plays.jsonl.gz",
        "rustc --edition 2021 --test plays.rs -C link-arg=rules.o",
        "./plays",
    ],
}


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.long] * (kind != "mjs")) for kind in RIGHT])
def test_a_reader(kind: str, tmp_path: Path) -> None:
    for tool in {command.split()[0] for command in COMMANDS[kind]} - {"./plays"}:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.mkdir()
    (right / "library.mjs").write_text(draw.rules_js(), encoding="utf-8")
    (right / "rules.c").write_text(IN_C.substitute(game=GAME.as_posix()), encoding="utf-8")
    passed, said = is_passed(kind, RIGHT[kind], right)
    assert passed, said
    wrong.mkdir()
    (wrong / "rules.c").write_text("", encoding="utf-8")
    passed, said = is_passed(kind, WRONG[kind], wrong)
    assert not passed
    assert re.search(r"\bbar\b", said), said


def is_passed(kind: str, rules: str, folder: Path) -> tuple[bool, str]:
    """Whether these rules pass, and what the program says."""
    (reader,) = (SUITE / "readers").glob(f"*.{kind}")
    shutil.copy(reader, folder)
    lines = gzip.decompress((SUITE / "plays.jsonl.gz").read_bytes()).splitlines(keepends=True)
    (folder / "plays.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[::20])))
    (folder / f"rules.{kind}").write_text(rules, encoding="utf-8")
    *before, last = [command.split() for command in COMMANDS[kind]]
    for command in before:
        processes.run(*command, cwd=folder, megabytes=NODE_NEEDS)
    done = processes.run(*last, cwd=folder, check=False, megabytes=NODE_NEEDS)
    return done.returncode == 0, done.stdout + done.stderr
