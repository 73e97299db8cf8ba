"""`examples/clickable_board.py`: games by clicks, at random and by a stranger, and how long it is."""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from wsgiref.util import setup_testing_defaults

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "clickable_board.py"
PLACES = [*map(str, range(1, 25)), "bar", "off", "undo", "done"]


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("clickable_board", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_short() -> None:
    lines = [line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80


def test_it_stands_in_the_page() -> None:
    """Where the page is read without being built, an include would be a line that says nothing."""
    page = EXAMPLE.parent.parent / "docs" / "how-to" / "build-a-board-ui.md"
    code = EXAMPLE.read_text(encoding="utf-8")
    assert f"```py\n{code}```\n" in page.read_text(encoding="utf-8")


def marked(picture: str, kind: str) -> list[str]:
    return re.findall(f'class="{kind}"[^>]* data-point="(\\w+)"', picture)


def play_on(board: Generator[str, str, None], rng: random.Random) -> str:
    """Click on what is shown until the game is over."""
    picture = board.send("undo")
    for _ in range(5_000):
        if " wins a" in picture:
            return picture
        starts = marked(picture, "highlight")
        if not starts:
            picture = board.send("done")
            continue
        if rng.random() < 0.1:
            picture = board.send("undo")
            continue
        ends = marked(board.send(rng.choice(starts)), "target")
        assert ends
        picture = board.send(rng.choice(ends))
        assert marked(picture, "target") == []
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", range(3))
def test_a_game_by_clicks(example: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    board = example.game(rng)
    next(board)
    picture = play_on(board, rng)
    assert board.send("13") == picture  # the game is over


def test_undo_takes_a_move_back(example: ModuleType) -> None:
    board = example.game(random.Random(1))
    before = next(board)
    start = marked(before, "highlight")[0]
    (end, *_) = marked(board.send(start), "target")
    assert 'data-used="true"' in board.send(end)
    assert board.send("undo") == before


def test_clicks_anywhere_do_no_harm(example: ModuleType) -> None:
    rng = random.Random(2)
    board = example.game(rng)
    next(board)
    for _ in range(300):
        assert board.send(rng.choice([*PLACES, "undefined", "", "99", "-1", "\N{SUPERSCRIPT TWO}"])).startswith("<svg ")


def test_a_turn_ends_only_when_it_is_complete(example: ModuleType) -> None:
    board = example.game(random.Random(1))
    before = next(board)
    assert board.send("done") == before


def test_the_page(example: ModuleType) -> None:
    def ask(method: str, path: str) -> str:
        request = {"REQUEST_METHOD": method, "PATH_INFO": path}
        setup_testing_defaults(request)
        answers: list[str] = []
        body = b"".join(example.page(request, lambda status, _: answers.append(status)))
        assert answers == ["200 OK"]
        return body.decode()

    assert "data-point" in ask("GET", "/")
    assert ask("POST", "/undefined").startswith("<svg ")
