"""Pictures that commands write: `show -o`, `evaluate -o`; and the score that `evaluate` is asked at."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

import commands
import loop
from gammonrules import Cube, MatchState, Player, Position
from gammonrules.draw import BoardStyle, svg
from gammonrules.engine import SimpleEngine, score_matrix

pytest.importorskip("bgsage")
pytestmark = pytest.mark.usefixtures("real_bgsage")

START = Position.start()
WIDE = BoardStyle(size=628)
STATE = MatchState.new(7).opening_roll(white=3, black=1)
LATER = STATE.play("8/5 6/5").roll("66").play("24/18(2) 13/7(2)")
run = commands.run


def written(path: Path, *arguments: object, told: str = "") -> str:
    """The SVG that a command writes, and what it then tells."""
    result = run(*arguments, "-o", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{path} is written\n{told}", "")
    return path.read_text(encoding="utf-8")


# show -----------------------------------------------------------------------------------------------------------------


def test_a_position_and_a_state(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert written(file, "show", START.id) == svg.position(START, style=WIDE)
    looks = "--theme", "dark", "--look", "depth", "--width", 300
    dark = BoardStyle(theme="dark", look="depth", size=300)
    assert written(file, "show", STATE.xgid, *looks) == svg.match_state(STATE, style=dark)
    assert run("show", START.id, "-o", "-").stdout == svg.position(START, style=WIDE)


def test_plays_have_arrows(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    asked = "show", STATE.xgid
    alone = svg.match_state(STATE, arrows="8/5 6/5", style=WIDE)
    both = svg.match_state(STATE, arrows="8/5 6/5", made="13/10 6/5", style=WIDE)
    assert written(file, *asked, "--play", "8/5 6/5") == written(file, *asked, "--best", "8/5 6/5") == alone
    assert written(file, *asked, "--best", "8/5 6/5", "--play", "13/10 6/5") == both


def test_a_png_is_as_wide_as_asked(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "board.PNG"
    for width in 628, 1256:
        assert run("show", STATE.xgid, "-o", file, "--width", width, "--force").exit_code == 0
        signature, size = struct.unpack(">8s8xI", file.read_bytes()[:20])
        assert (signature, size) == (b"\x89PNG\r\n\x1a\n", width)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    commands.refused("show", START.id, "-o", tmp_path / "a.png", says="[png]")
    assert not [*tmp_path.iterdir()]


@loop.rows(
    ("name", "words"),
    ("board.gif", "it must end in .svg or .png"),
    ("board", "it must end in .svg or .png"),
    ("", "a path is empty"),
    (".svg", "it must end in .svg or .png"),
)
def test_names_that_are_none_of_a_picture(name: str, words: str) -> None:
    commands.refused("show", START.id, "-o", name, says=words)


def test_files_of_others_are_kept(tmp_path: Path) -> None:
    for name, content in ("foreign.svg", b"<svg></svg>"), ("photo.png", b"\x89PNG\r\n\x1a\n"):
        path = tmp_path / name
        path.write_bytes(content)
        if name.endswith("png"):
            pytest.importorskip("resvg_py")
        commands.refused("show", START.id, "-o", path, says="use --force")
        assert path.read_bytes() == content
    ours = written(tmp_path / "ours.svg", "show", START.id)
    assert written(tmp_path / "ours.svg", "show", START.id) == ours
    assert written(tmp_path / "foreign.svg", "show", START.id, "--force") == ours


def test_a_play_that_cannot_be_read_writes_nothing(tmp_path: Path) -> None:
    commands.refused("show", START.id, "--play", "8/99", "-o", tmp_path / "a.svg", says="there is no point 99")
    assert not [*tmp_path.iterdir()]


# evaluate -------------------------------------------------------------------------------------------------------------


def test_the_verdict_stands_below_the_board(tmp_path: Path) -> None:
    with SimpleEngine.default(1) as bgsage:
        plays, cube, matrix = bgsage.hint(STATE), bgsage.hint(LATER), score_matrix(bgsage, LATER, away=3)
    file = tmp_path / "board.svg"
    asked = "evaluate", STATE.xgid, "--level", 1
    of_later = "evaluate", LATER.xgid, "--level", 1
    assert written(file, *asked, told=f"{plays}\n") == plays.to_svg(style=WIDE)
    assert written(file, *of_later, told=f"{cube}\n") == cube.to_svg(style=WIDE)
    assert written(file, *of_later, "--matrix", "--scores", 3, told=f"{matrix}\n") == matrix.to_svg(style=WIDE)
    assert run(*of_later, "-o", "-").stdout == cube.to_svg(style=WIDE)
    assert ">Best: 8/5 6/5<" in plays.to_svg()
    assert ">Best: no double, take<" in cube.to_svg()
    assert plays.to_svg().count('class="arrow"') == 2
    places = run(*of_later, "--cubes").stdout
    assert written(file, *of_later, "--cubes", told=places).count("no double") > 1


def test_it_is_refused_before_the_engine_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleEngine, "open", lambda *_, **__: pytest.fail("it was asked"))
    commands.refused("evaluate", STATE.xgid, "-o", tmp_path / "a.gif", says=".svg or .png")


# A caption ------------------------------------------------------------------------------------------------------------


def test_a_caption_makes_a_picture_higher() -> None:
    lines = svg.match_state(STATE, caption="Best: 8/5 6/5\n<b>Ann & Bob</b> \x1b", style=WIDE)
    assert 'viewBox="0 0 628 574"' in lines
    assert ">Best: 8/5 6/5</text>" in lines
    assert "&lt;b&gt;Ann &amp; Bob&lt;/b&gt; \N{REPLACEMENT CHARACTER}</text>" in lines
    assert "Best: 8/5 6/5. &lt;b&gt;Ann" in lines, "in its description"
    assert svg.position(START, caption="") == svg.position(START)
    assert svg.position(START, caption="word " * 100).count("caption") > 5, "it is broken"
    assert 'viewBox="0 26 628 488"' in svg.position(START, caption="x", style=BoardStyle(header=False, footer=False))


# The score ------------------------------------------------------------------------------------------------------------


@loop.rows(
    ("identifier", "options", "expected"),
    (START.id, "--away 4-2", MatchState(START, Player.WHITE, length=4, score=(0, 2))),
    (START.id, "--away 1-3 --crawford", MatchState(START, Player.WHITE, length=3, score=(2, 0), crawford=True)),
    (START.id, "--away 1-3", MatchState(START, Player.WHITE, length=3, score=(2, 0), crawford=False)),
    (START.id, "--cube 4", MatchState(START, Player.WHITE, cube=Cube(4, Player.WHITE))),
    (
        START.id,
        "--away 9-9 --cube 2 --owner opponent",
        MatchState(START, Player.WHITE, length=9, cube=Cube(2, Player.BLACK)),
    ),
)
def test_the_score_is_asked_for(identifier: str, options: str, expected: MatchState) -> None:
    asked = run("evaluate", identifier, "--level", 1, *options.split(), "--json").stdout
    assert f'"{expected.xgid}"' in asked


def test_money_play_at_a_score() -> None:
    """Its cube and rules stay; the player on roll, who may be Black, comes first."""
    money = MatchState(START, Player.BLACK, cube=Cube(2, Player.BLACK))
    asked = run("evaluate", money.xgid, "--level", 1, "--away", "5-3", "--json").stdout
    at_score = MatchState(START, Player.BLACK, cube=Cube(2, Player.BLACK), length=5, score=(2, 0))
    assert f'"{at_score.xgid}"' in asked


@loop.rows(
    ("identifier", "options", "words"),
    (LATER.xgid, "--away 4-2", "ID states a score, 7-7: leave out --away and --cube"),
    (LATER.xgid, "--cube 2", "ID states a score, 7-7: leave out --away and --cube"),
    (MatchState(START, Player.WHITE, cube=Cube(2, Player.WHITE)).xgid, "--cube 2", "ID states a cube at 2"),
    (START.id, "--away 4", "--away must be two numbers from 1 to 99"),
    (START.id, "--away 4-0", "--away must be two numbers from 1 to 99"),
    (START.id, "--away 4-100", "--away must be two numbers from 1 to 99"),
    (
        START.id,
        "--away 4-3 --crawford",
        "--away 4-3 --crawford: impossible match state: a Crawford game needs exactly one side one point from winning",
    ),
    (START.id, "--cube 3", "a power of two"),
    (START.id, "--crawford", "--crawford does nothing without --away"),
    (START.id, "--owner opponent", "--owner does nothing without --cube"),
)
def test_scores_that_are_refused(identifier: str, options: str, words: str) -> None:
    commands.refused("evaluate", identifier, *options.split(), says=words)
