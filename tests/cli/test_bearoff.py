"""`gammonrules bearoff`: tables made and verified, and positions shown."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

import pytest

import commands
import gammonrules
import loop
from gammonrules import Cube, MatchState, Player, Position, bearoff
from gammonrules._shared.extras import missing

SHORT = Position.of(mine={4: 2, 1: 2, "off": 11}, theirs={2: 4, "off": 11})


run = partial(commands.run, "bearoff")


def refusal(*arguments: object) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def lines(*arguments: object) -> dict[str, str]:
    """What is printed, by the label before two blanks."""
    result = run("show", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return dict((*line.split("  ", 1), "")[:2] for line in result.stdout.splitlines())


class TestMake:
    @loop.rows("options", (), ("--gnubg",))
    def test_two_sided(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        made, right = tmp_path / "made", tmp_path / "right"
        result = run("make", "two-sided", "--points", 3, "--checkers", 3, *options, made, "--force")
        kind = "a two-sided table of 3 points and 3 checkers" + " with the numbers of GNU Backgammon" * bool(options)
        assert (result.exit_code, result.stdout) == (0, f"{made} is written: {kind}\n")
        bearoff.two_sided(3, 3, gnubg=bool(options)).save(right)
        assert made.read_bytes() == right.read_bytes()
        assert run("verify", made).stdout == f"{made} is right{' in a sample' * bool(options)}: {kind}\n"

    def test_one_sided(self, tmp_path: Path) -> None:
        """Of 15 checkers."""
        assert run("make", "one-sided", "--points", 1, tmp_path / "a").exit_code == 0
        with bearoff.open(tmp_path / "a") as table:
            assert repr(table) == "<OneSided: 1 points, 15 checkers>"

    def test_what_is_impossible(self, tmp_path: Path) -> None:
        file = tmp_path / "a"
        assert "points must be a whole number from 1 to 10, not 11" in refusal(
            "make", "one-sided", "--points", 11, file
        )
        assert "bytes of memory" in refusal("make", "two-sided", "--points", 10, "--checkers", 14, file)
        assert "is not an ordinary file" in refusal("make", "two-sided", "--points", 11, tmp_path)  # before any work
        assert "a path is empty" in refusal("make", "two-sided", "")
        assert list(tmp_path.iterdir()) == []

    def test_too_little_memory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise MemoryError

        monkeypatch.setattr("gammonrules.bearoff._solve_two_sided._solve_block", fail)
        assert "there is not enough memory" in refusal("make", "two-sided", "--points", 3, tmp_path / "a")
        assert list(tmp_path.iterdir()) == []


class TestVerify:
    def test_wrong_numbers(self, tmp_path: Path) -> None:
        """The status is 1, with and without a checksum, and 2 for what is no table."""
        path = tmp_path / "a"
        for gnubg, words in ((False, "the checksum of this table does not fit"), (True, "does not follow from those")):
            bearoff.two_sided(2, 2, gnubg=gnubg).save(path)
            content = bytearray(path.read_bytes())
            content[-30 if gnubg else -1] ^= 64
            path.write_bytes(content)
            result = run("verify", path)
            assert (result.exit_code, result.stdout) == (1, "")
            assert result.stderr.startswith(f"{path}: ")
            assert words in result.stderr
        path.write_bytes(content[:-1])
        assert "this table is cut short" in refusal("verify", path)
        assert "missing: No such file" in refusal("verify", tmp_path / "missing")


class TestShow:
    def test_both_tables(self) -> None:
        shown = lines(SHORT.id)
        assert [shown[name].split() for name in ("pips", "EPC")] == [["10", "8"], ["19.441", "18.476"]]
        assert shown["winning chance"].split() == ["65.94%", "34.06%"]
        values = [shown[name].strip() for name in ("without a cube", "owning the cube", "cube centered")]
        assert [*values, shown["opponent owns the cube"]] == ["+0.3187", "+0.3845", "+0.2753", "+0.1985"]
        assert shown["cube centered:"].strip() == "double/take"

    def test_one_table(self) -> None:
        """Of 15 checkers, since one side has borne off none and may lose a gammon."""
        shown = lines(Position.of(mine={1: 7, "off": 8}, theirs={3: 15}).id)
        assert [shown[name].split()[0] for name in ("EPC", "wastage")] == ["28.999", "21.999"]
        assert "without a cube" not in shown

    @loop.rows(
        "state, verdict",
        (MatchState(SHORT, Player.WHITE), "cube centered:"),
        (MatchState(SHORT, Player.WHITE, cube=Cube(2, Player.WHITE)), "owning the cube:"),
        (MatchState(SHORT, Player.WHITE, cube=Cube(2, Player.BLACK)), None),
        (MatchState(SHORT, Player.WHITE, length=3, score=(2, 0)), None),
    )
    def test_the_cube(self, state: MatchState, verdict: str | None) -> None:
        shown = lines(state.xgid)
        assert [label for label in shown if label.endswith(":")] == [verdict] * bool(verdict)
        match = ", not for this match to 3" if state.length else ""
        assert f"equities of rolling now, for money play{match}" in shown

    def test_plays(self, tmp_path: Path) -> None:
        """By equity with a two-sided table, else by winning chance."""
        identifier = MatchState(SHORT, Player.WHITE, "31").xgid
        shown = lines(identifier)
        exact = [f"{equity:+.4f}" for _, equity in bearoff.two_sided(4, 4).plays(SHORT, "31")]
        assert [shown[name].strip() for name in ("equity after 31", "4/off", "4/1 4/3")] == ["", *exact]
        run("make", "one-sided", "--points", 4, "--checkers", 4, tmp_path / "a")
        shown = lines(identifier, "--table", tmp_path / "a")
        exact = [f"{chance:.2%}" for _, chance in bearoff.one_sided(4, 4).plays(SHORT, "31")]
        assert [shown[name].strip() for name in ("winning chance after 31", "4/off", "4/1 4/3")] == ["", *exact]
        assert "without a cube" not in shown

    def test_the_page(self) -> None:
        """The example of the reference is what is printed."""
        page = (Path(__file__).parents[2] / "docs/reference/command/bearoff.md").read_text(encoding="utf-8")
        command, printed = re.findall(r"```console\n\$ gammonrules bearoff show (.+)\n([^`]+)", page)[0]
        assert run("show", command).stdout == printed

    @loop.rows(
        "position, words",
        (Position.start(), "a checker of the player on roll is on the 24 point"),
        (Position.of(mine={6: 1, "off": 14}, theirs={}), "the game is over"),
        (Position.of(mine={8: 15}, theirs={1: 15}), "bearoff make one-sided --points 8 --checkers 15 FILE; then"),
    )
    def test_what_no_table_answers(self, position: Position, words: str) -> None:
        assert words in refusal("show", position.id)

    def test_no_table(self, tmp_path: Path) -> None:
        assert "missing: No such file" in refusal("show", SHORT.id, "--table", tmp_path / "missing")


def test_without_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delattr(gammonrules, "bearoff")
    for name in [name for name in sys.modules if name.startswith("gammonrules.bearoff")]:
        monkeypatch.delitem(sys.modules, name)
    for arguments in (("make", "two-sided", tmp_path / "a"), ("verify", tmp_path), ("show", SHORT.id)):
        assert missing("gammonrules.bearoff", "NumPy", "numpy") in refusal(*arguments)
