"""The script of the board that needs no server: its parts, its size, and its labels."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from gammonrules import draw

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "web" / "src" / "match-board"
SOURCE = (MODULES / "labels.ts").read_text(encoding="utf-8").partition("MATCH_LABELS = {")[2].partition("\n};")[0]
LABELS: dict[str, str] = dict(re.findall(r'(?m)^  (\w+): "(.*)",$', SOURCE))
TYPES = (MODULES / "types.ts").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "board.md").read_text(encoding="utf-8")
PAGE = REFERENCE.partition("## A match without a server")[2].partition("## In a bundle")[0]


@pytest.mark.parametrize("module", [False, True])
def test_it_is_small(module: bool) -> None:
    assert len(gzip.compress(draw.match_board_js(module=module).encode(), 9)) <= 60_000


def test_the_script_has_one_global_variable_and_the_module_none() -> None:
    assert draw.match_board_js().count("globalThis.gammonBoard") == 1
    assert "gammonBoard" not in draw.match_board_js(module=True)


def test_the_labels_of_a_match_are_those_of_the_page() -> None:
    """The types have them from the module."""
    assert dict(re.findall(r"(?m)^\| `(\w+)` \| `(.*)` \|$", PAGE)) == LABELS


def test_the_events_are_those_of_the_page_and_of_the_types() -> None:
    for names in (re.findall(r"(?m)^\| `(gammon-\w+)` \|", PAGE), re.findall(r'(?m)^    "(gammon-\w+)":', TYPES)):
        assert names == ["gammon-change", "gammon-tutor", "gammon-error"]


def test_the_labels_are_those_of_pictures_of_the_library() -> None:
    """Where both have a label; some have other names here, since the board has these already."""
    renamed = {"pip": "pips", "one_point": "points", "one_each": "checkers", "each": "checkers", "beavered": "beaver"}
    for name, text in LABELS.items():
        word = draw.LABELS.get(renamed.get(name, name))
        if word is None or name == "beaver":  # a button
            continue
        is_one = name in {"one_point", "pip", "one_each"}
        other = word if isinstance(word, str) else word(1 if is_one else 2)
        assert text == other.replace("{name}", "{player}")
