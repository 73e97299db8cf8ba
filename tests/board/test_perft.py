"""Plays and positions counted by depth: the published numbers, by the generators and by the brute force.

All of them: `python -m pytest -n 2 tests/board/test_perft.py --every-perft` (some ten minutes and 3 GB of memory).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import loop
import reference
import wording
from boards import board_of, boards, position_of
from gammonrules import KERNEL, ROLLS, ArgumentError, Position
from gammonrules.board import PerftCount, perft, perft_counts
from gammonrules.values import shown
from move_generators import GENERATORS

DATA = Path(__file__).parents[1] / "data"
PUBLISHED = [json.loads(line) for line in (DATA / "perft.jsonl").read_text(encoding="ascii").splitlines()]
START = Position.start()
BY_BRUTE_FORCE = 3_000_000
"""How many positions of one depth the brute force can keep in memory: all but those of depth 3 of the start."""


def position_in(case: dict[str, Any]) -> Position:
    return Position.from_id(case["id"], checkers=case["checkers"])


def published(case: dict[str, Any]) -> list[PerftCount]:
    numbers = zip(case["plays"], case["positions"], strict=True)
    return [PerftCount(depth, *both) for depth, both in enumerate(numbers, 1)]


def depth_within(case: dict[str, Any], most: float) -> int:
    """How deep one can count without reaching more positions than this at one depth; at least 1."""
    too_many = [number > most for number in case["positions"]]
    return max(1, [*too_many, True].index(True))


def by_brute_force(board: reference.Board, depth: int) -> list[PerftCount]:
    level, counted = Counter({board: 1}), []
    for number in range(1, depth + 1):
        after: Counter[reference.Board] = Counter()
        for before, ways in level.items():
            for roll in ROLLS:
                for result in reference.results(before, (roll.high, roll.low)):
                    after[reference.flip(result)] += ways
        level = after
        counted.append(PerftCount(number, level.total(), len(level)))
    return counted


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What the published numbers are counted with, and how far; with `--every-perft`, all of them to the end."""
    if "counting" not in metafunc.fixturenames:
        return
    ways: list[tuple[Any, float]]
    if metafunc.config.getoption("--every-perft"):
        ways = [(reference, BY_BRUTE_FORCE), *((generator, float("inf")) for generator in GENERATORS)]
    else:
        ways = [(reference, 1), (perft_counts, 30_000 if KERNEL == "c" else 3000)]
    names = [counting.__name__.rpartition(".")[2].lstrip("_") for counting, _ in ways]
    metafunc.parametrize("counting", ways, ids=names)


class TestPublished:
    @pytest.mark.parametrize("case", PUBLISHED, ids=[case["name"] for case in PUBLISHED])
    def test_counted_again(
        self, case: dict[str, Any], counting: tuple[Any, float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        way, most = counting
        depth, position = depth_within(case, most), position_in(case)
        if way is reference:
            counted = by_brute_force(board_of(position), depth)
        else:
            monkeypatch.setattr(perft_counts, "legal_plays", way.legal_plays)
            counted = list(perft(position, depth))
        assert counted == published(case)[:depth]

    def test_format(self) -> None:
        keys = ["name", "id", "checkers", "plays", "positions"]
        assert all(list(case) == keys for case in PUBLISHED)
        assert len({case["name"] for case in PUBLISHED}) == len({case["id"] for case in PUBLISHED}) == len(PUBLISHED)
        assert all(position_in(case).id == case["id"] for case in PUBLISHED)
        assert max(max(case["plays"]) for case in PUBLISHED) < 2**53  # a number for every reader of JSON

    def test_every_line_stands_alone(self) -> None:
        text = (DATA / "perft.jsonl").read_text(encoding="ascii")
        assert text == "".join(f"{json.dumps(case)}\n" for case in PUBLISHED)


class TestPerft:
    @settings(max_examples=20)
    @given(boards(over=True))
    def test_depth_one(self, board: reference.Board) -> None:
        """The sum over the rolls, and nothing if the game is over."""
        position = position_of(board)
        (count,) = perft(position, 1)
        plays = [play for roll in ROLLS for play in position.legal_plays(roll)]
        assert count == PerftCount(1, len(plays), len({play.position for play in plays}))
        assert (count.plays == 0) == (position.outcome is not None)

    def test_checkers_off_do_not_matter(self) -> None:
        few = Position.start("hypergammon")
        assert perft(few, 2) == perft(Position.from_id(few.id), 2)

    def test_a_roll_that_cannot_be_played_is_a_play(self) -> None:
        shut_out = Position.of(mine={"bar": 1}, theirs=dict.fromkeys(range(1, 7), 2))
        assert perft(shut_out, 1) == (PerftCount(1, 21, 1),)

    def test_one_depth_after_the_other(self) -> None:
        endless = perft_counts.count_depths(START, 100)
        assert list(islice(endless, 1)) == [PerftCount(1, 447, 406)]

    def test_what_there_is_to_do(self) -> None:
        """Somebody who shows progress sees every position before its rolls are played."""
        sizes: list[int] = []
        list(perft_counts.count_depths(START, 2, lambda level: sizes.append(len(level)) or level))
        assert sizes == [1, 406]

    @loop.rows("depth", 0, -1, 1.0, "2", None, True)
    def test_no_depth(self, depth: Any) -> None:
        with wording.raises(ArgumentError, f"depth must be a whole number from 1 to 100, not {depth!r}"):
            perft(START, depth)

    @loop.rows("position", START.id, None, START._board)
    def test_no_position(self, position: Any) -> None:
        with wording.raises(ArgumentError, f"plays are counted from a Position, not from {re.escape(shown(position))}"):
            perft(position, 1)
