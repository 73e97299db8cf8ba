"""The file of an arena: what was played is read again, whatever was cut off, and nothing else is taken for it."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, cast

import attrs
import pytest

import arena_calls
import each
import loop
import wording
from gammonrules import Position, Rules, arena, bearoff
from gammonrules.arena import _results_file
from gammonrules.arena._work_units import Block, BlockResults
from gammonrules.errors import ArgumentError, BotError, GammonError, ParseError
from gammonrules.limits import MAX_POINTS

PLAYERS = {name: lambda state: state for name in ("Ann", "Bob", "Zoë")}
TABLE = bearoff.two_sided(1, 1)
POINTS = (-MAX_POINTS, -2, -1, 1, 2, 3, MAX_POINTS)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "arena.jsonl"


@pytest.fixture(autouse=True)
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What would have waited for the disk, which takes most of the time."""
    numbers: list[int] = []
    monkeypatch.setattr(os, "fsync", numbers.append)
    return numbers


class Told:
    """A `run` that plays nothing: it makes up the games of a block, always the same ones, and knows which it had to."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def __call__(self, function: Callable[[Block], BlockResults], blocks: Iterable[Block]) -> Iterator[BlockResults]:
        ahead = iter(blocks)
        while some := list(islice(ahead, 3)):  # as processes take them
            self.blocks += [attrs.evolve(block, seats=(0, 1)) for block in some if 0 in block.seats]
            yield from map(self.played, some)

    def played(self, block: Block) -> BlockResults:
        chance = Random(str(block))
        values = [tuple(float(chance.choice(POINTS)) for _ in block.seats) for _ in range(block.number)]
        losses = arena.Loss(chance.randrange(9), chance.random()), arena.Loss(1, chance.random())
        records = tuple(f"{block} {game}" for game in range(len(block.seats) * block.number))
        return BlockResults(block, cast("Any", tuple(values)), chance.random(), losses, records)


def play(save: Path | None, **settings: Any) -> tuple[arena.Results, list[Block]]:
    """What comes of an arena, and which blocks it has played."""
    told = Told()
    results = arena_calls.play(
        **{"players": PLAYERS, "games": 8, "workers": told, "table": TABLE, "save": save, **settings}
    )
    return results, told.blocks


class TestGoesOn:
    @each.first("step", [41, 1])
    def test_wherever_it_was_cut(self, step: int, save: Path, synced: list[int]) -> None:
        """Only the block of the line that is cut, and those after it, are played again."""
        whole, blocks = play(None)
        assert play(save) == (whole, blocks)
        lines = save.read_bytes().splitlines(keepends=True)
        text = b"".join(lines)
        assert (len(lines), len(blocks), len(synced)) == (13, 12, 13)
        for cut in range(0, len(text) + 1, step):
            save.write_bytes(text[:cut])
            there = max(0, text[:cut].count(b"\n") - 1)
            assert play(save) == (whole, blocks[there:]), cut
            assert save.read_bytes() == text

    @each.first("step", [9, 1])
    def test_its_seed(self, step: int, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is drawn for a new file, and that of the file if it is there; one that was cut short is drawn again."""
        drawn = count(1234)
        monkeypatch.setattr("gammonrules.arena._run.drawn_seed", lambda: next(drawn))
        whole, text = play(save)[0], save.read_bytes()
        assert (whole.seed, play(None)[0].seed, play(save)) == (1234, 1235, (whole, []))
        end, at_seed = text.index(b"\n"), text.index(b"1234")
        for cut in sorted({*range(0, end, step), *range(at_seed, at_seed + 6)}):
            save.write_bytes(text[:cut])
            results, blocks = play(save)
            assert (results.seed, len(blocks)) == (json.loads(save.read_bytes().splitlines()[0])["seed"], 12)

    def test_with_more_games(self, save: Path) -> None:
        """Only a block that was smaller, since it was the last one, is played again."""
        policies = dict.fromkeys("AB", arena.Policy(len))
        for games, new in (1_200, [(0, 500), (500, 100)]), (2_400, [(500, 500), (1_000, 200)]), (1_200, []):
            results, blocks = play(save, players=policies, games=games)
            assert [(block.first, block.number) for block in blocks] == new
            assert results == play(None, players=policies, games=games)[0]

    def test_after_it_was_decided(self, save: Path) -> None:
        whole = play(save, games=100_000, until=MAX_POINTS / 8)
        assert 3 * 30 < len(whole[1]) < 3_000
        assert play(save, games=100_000, until=MAX_POINTS / 8) == (whole[0], [])

    def test_with_records_that_are_missing(self, save: Path, tmp_path: Path) -> None:
        """They are asked for later, or one is deleted; neither the file nor the other records are changed."""
        folder = tmp_path / "records"
        (whole, blocks), text = play(save), save.read_bytes()
        for missing in (blocks, [], [blocks[4], blocks[9]]):
            for block in missing if len(missing) == 2 else ():
                pair = f"{block.player + 1}-{block.opponent + 1}-{block.first + 1:06}"
                (folder / f"{pair}-2.mat").unlink()
                (folder / f"{pair}-1.mat").write_text("with notes")
            assert play(save, records=folder) == (whole, missing)
            assert len([*folder.iterdir()]) == 24
        assert save.read_bytes() == text
        assert (folder / "1-3-000002-2.mat").read_text() == f"{Block(0, 2, 1, 1)} 1"
        assert [path.read_text() for path in folder.iterdir()].count("with notes") == 2

    @loop.rows("change", lambda text: b"", lambda text: text.replace(b"\n", b"\r\n"))
    def test_other_forms(self, save: Path, change: Callable[[bytes], bytes]) -> None:
        """An empty file; lines that end as in Windows; and a link to it."""
        whole, _ = play(save)
        save.write_bytes(change(save.read_bytes()))
        link = save.with_name("link")
        link.unlink(missing_ok=True)
        link.symlink_to(save)
        assert [play(link)[0], play(link)] == [whole, (whole, [])]
        save.unlink()

    def test_after_the_disk_was_full(self, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write = os.write

        def full(number: int, data: bytes) -> int:
            if save.stat().st_size > 700:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(number, data[:20])

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError, match=r"No space.*arena.jsonl"):
            play(save)
        monkeypatch.undo()
        there = save.read_bytes().count(b"\n") - 1
        assert 1 < there < 11
        whole, blocks = play(None)
        assert play(save) == (whole, blocks[there:])


OTHER_ARENAS: dict[str, dict[str, Any]] = {
    "length": {"length": 7},
    "seed": {"seed": 2},
    "jacoby": {"rules": Rules()},
    "position is None there, not ['4HPwATDgc/ABMA', 15]": {"start": Position.start()},
    "table": {"table": None},
    "[2, 1]": {"table": bearoff.two_sided(2, 1)},
}

BROKEN: dict[str, tuple[object, ...]] = {
    "players": ([1, 0], [0, 0], [0, 3], [-1, 1], [0, 1, 2], ["Ann", "Bob"], None),
    "first": (-1, 1 << 32, 0.5),
    "values": ([1], [0, 1], [1, 0.5], [1, True], [1, MAX_POINTS + 1], {}),
    "seconds": (-1, float("nan"), 10**400, None),
    "losses": (None, [], [[1, 0.5]], [[1, 0.5], [-1, 0]], [[1, 0.5], [1, -1]], [[0.5, 0], [1, 0]], [[1, 2, 3], [1, 2]]),
}
"""What no arena writes, by the name of the field."""


class TestRefuses:
    """A sentence says why, and the file stays as it is."""

    @loop.over("name", OTHER_ARENAS)
    def test_the_file_of_another_arena(self, save: Path, name: str) -> None:
        save.unlink(missing_ok=True)
        play(save)
        refused(save, save.read_bytes(), "another arena", name, **OTHER_ARENAS[name])

    @loop.over("field, value", [(field, value) for field, values in BROKEN.items() for value in values])
    def test_a_line_that_was_changed(self, save: Path, field: str, value: object) -> None:
        lines = text_of(save).splitlines()
        block = json.loads(lines[2]) | {field: value}
        del block["crc32"]
        text = "\n".join([*lines[:2], _results_file._saved_line(block).decode().strip(), *lines[3:], ""])
        refused(save, text.encode(), "line 3")

    @loop.rows("first", "1e9", "00", "-1", "9" * 5_000)
    def test_a_plain_line_that_was_changed(self, save: Path, first: str) -> None:
        """Most lines are read by a pattern, which takes no other numbers than those that are written."""
        save.unlink(missing_ok=True)
        play(save, table=None)
        lines = save.read_text().splitlines()
        start, end = lines[-1].split('"first":3')
        changed = f'{start}"first":{first}{end}'.rpartition(",")[0]
        text = "\n".join([*lines[:-1], _results_file._with_checksum(changed.encode()).decode(), ""])
        refused(save, text.encode(), f"line {len(lines)}", table=None)

    @loop.over("field, value", [(field, value) for field in ("players", "values") for value in BROKEN[field]])
    def test_a_plain_line_with_other_players_or_values(self, save: Path, field: str, value: object) -> None:
        save.unlink(missing_ok=True)
        play(save, table=None)
        lines = save.read_text().splitlines()
        block = json.loads(lines[2]) | {field: value}
        del block["crc32"]
        text = "\n".join([*lines[:2], _results_file._saved_line(block).decode().strip(), *lines[3:], ""])
        refused(save, text.encode(), "line 3", table=None)

    def test_a_plain_line_twice(self, save: Path) -> None:
        save.unlink(missing_ok=True)
        play(save, table=None)
        text = save.read_bytes()
        refused(save, text + text.splitlines(keepends=True)[-2], "line 14", table=None)

    @each.first("step", [29, 1])
    def test_a_flipped_bit(self, step: int, save: Path) -> None:
        """Its line is named; but if the last one is as if cut short, it is played again."""
        few: dict[str, Any] = {"players": dict(zip("AB", PLAYERS.values(), strict=False)), "games": 4}
        whole, text = play(save, **few)[0], save.read_bytes()
        for bit in range(0, 8 * len(text), step):
            damaged = bytearray(text)
            damaged[bit // 8] ^= 1 << bit % 8
            save.write_bytes(damaged)
            try:
                assert (play(save, **few)[0], bit // 8) == (whole, len(text) - 1)
            except ParseError as error:
                line = text.count(b"\n", 0, bit // 8) + 1
                wording.check(error, *([f"line {line}"] if bit // 8 > 10 else []))  # before, it is no arena
                assert save.read_bytes() == damaged

    @loop.rows("line", "", "null", '"players"', "[" * 60_000, "x" * 100_000, "\ud800", "{}")
    def test_another_line(self, save: Path, line: str) -> None:
        text = text_of(save) + f"{line}\n"
        refused(save, text.encode(errors="surrogatepass"), "line 14")

    def test_a_block_twice(self, save: Path) -> None:
        text = text_of(save)
        refused(save, (text + text.splitlines(keepends=True)[1]).encode(), "line 14")

    @loop.rows("text", b"\0\n", b"my notes", b'{"players":[]}\n', b"\xff\n", b"x" * 100_000)
    def test_another_file(self, save: Path, text: bytes) -> None:
        """One line that was cut short is not deleted, unless it is the beginning of our own first one."""
        refused(save, text, "not the file of an arena")

    def test_a_start_of_another_arena(self, save: Path) -> None:
        """One that goes on where it was; and a file from before there was such a start."""
        own: dict[str, Any] = {"start": Position.of(mine={6: 5, 8: 10}, theirs={6: 5, 8: 10})}
        whole = play(save, **own)
        assert play(save, **own) == (whole[0], [])
        refused(save, save.read_bytes(), "position")
        lines = text_of(save).splitlines(keepends=True)
        heading = {key: value for key, value in json.loads(lines[0]).items() if key not in {"position", "crc32"}}
        save.write_text("".join([_results_file._saved_line(heading).decode(), *lines[1:]]))
        assert play(save)[1] == []

    def test_another_format(self, save: Path) -> None:
        refused(save, text_of(save).replace('"arena":3', '"arena":2').encode(), "format", 2, 3)

    def test_a_large_file(self, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(_results_file, "MAX_FILE_SIZE", 99)
        refused(save, text_of(save).encode(), 99)

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        with wording.raises(ArgumentError, "expected a path, not 7"):
            play(7)  # type: ignore[arg-type]
        with pytest.raises(OSError, match="nowhere"):
            play(tmp_path / "nowhere" / "file")
        link = tmp_path / "link"
        link.symlink_to("nowhere")
        for path in [tmp_path, Path(os.devnull), link]:
            with wording.raises(ParseError, "this is not an ordinary file"):
                play(path)
        assert [*tmp_path.iterdir()] == [link]

    def test_players_who_cannot_play(self, save: Path) -> None:
        nobody = save.with_name("nobody")
        with pytest.raises(BotError):
            arena.play(cast("Any", [len, len]), games=2, save=nobody, workers=1)
        assert play(nobody) == play(None)

    @pytest.mark.skipif(os.name != "posix", reason="Windows has no such locks")
    def test_two_arenas_on_one_file(self, save: Path) -> None:
        def again(_: arena.Progress) -> None:
            with wording.raises(ParseError, "another run is writing"):
                play(save)

        assert play(save, progress=again)[0] == play(None)[0] == play(save)[0]


def text_of(save: Path) -> str:
    save.unlink(missing_ok=True)
    play(save)
    return save.read_text(encoding="utf-8")


def refused(save: Path, text: bytes, *words: object, **settings: Any) -> None:
    save.write_bytes(text)
    with pytest.raises(GammonError) as caught:
        play(save, **settings)
    assert type(caught.value) is ParseError
    wording.check(str(caught.value).removeprefix(str(save)), *words)
    assert save.read_bytes() == text
