"""The verdicts at all scores on the page of a match: where they were computed, folded, with their decisions."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest

import commands
import loop
from gammonrules import ArgumentError, draw
from gammonrules.engine import SimpleEngine, score_matrix
from gammonrules.records import dump, load, to_html

pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

ANALYZED = Path(__file__).parents[4] / "examples" / "matches" / "xg" / "test.xg"
PLAIN = ANALYZED.parents[1] / "galaxy" / "match9806622.txt"
FOLDED = re.compile(r'<details class="matrix"><summary>At all scores</summary>(<svg.*?</svg>)</details>', re.DOTALL)


def test_they_stand_with_their_decisions(tmp_path: Path) -> None:
    """What the command computes is what the function shows: a picture for each cube error, below its move."""
    match, record, page = load(ANALYZED), tmp_path / "game.json", tmp_path / "page.html"
    match = attrs.evolve(match, games=match.games[4:5])
    dump(match, record)
    wrong = [each for each in match.decisions() if each.cube_analysis and each.error >= 0.18]
    with SimpleEngine.default(1) as bgsage:
        matrices = {(each.game, each.index): score_matrix(bgsage, each.state) for each in wrong}
    assert commands.run("view", record, "-o", page, "--matrix", "--error", 0.18, "--level", 1).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text == to_html(match, matrices=matrices)
    assert FOLDED.findall(text) == [
        draw.svg.matrix(matrix, style=draw.BoardStyle(theme="auto")) for matrix in matrices.values()
    ]
    assert len(wrong) > 1
    for each, (before, _) in zip(
        wrong, [(text[: folded.start()], folded) for folded in FOLDED.finditer(text)], strict=True
    ):
        assert f"{-each.error:+.3f}".replace("-", "\N{MINUS SIGN}") in before.rpartition("<tr><th")[2]


def test_without_them_a_page_is_as_it_was() -> None:
    page = to_html(load(PLAIN))
    assert to_html(load(PLAIN), matrices={}) == page
    assert '<details class="matrix"' not in page


@loop.rows("matrices, words", ({(1, 9999): 0}, "(1, 9999)"), ({"x": 0}, "'x'"), ({(1, 1): 0}, "matrix must be"))
def test_what_is_refused(matrices: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(words)):
        to_html(load(PLAIN), matrices=matrices)


@loop.rows(
    "arguments, words",
    ((PLAIN, "--matrix"), "gammonrules analyze"),
    ((ANALYZED, "--matrix", "--engine", "<b>"), "engine must be"),
)
def test_what_the_command_refuses(arguments: tuple[object, ...], words: str) -> None:
    commands.refused("view", *arguments, "-o", "-", says=words)
