"""`examples/clickable_board.py`: games at random, what is late or no play, and how long it is."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest

from loading import loaded

EXAMPLE = Path(__file__).parents[2] / "examples" / "clickable_board.py"


@pytest.fixture
def example() -> ModuleType:
    return loaded(EXAMPLE)


def test_it_is_short() -> None:
    lines = [line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80


def test_it_stands_in_the_page() -> None:
    """Where the page is read without being built, an include would be a line that says nothing."""
    page = EXAMPLE.parent.parent / "docs" / "how-to" / "build-a-board-ui.md"
    code = EXAMPLE.read_text(encoding="utf-8")
    assert f"```py\n{code}```\n" in page.read_text(encoding="utf-8")


HOST = "127.0.0.1:8000"


def sent(game: Any, message: object, origin: str) -> str:
    """What the program answers to a page of this origin."""
    text = json.dumps(message).encode()
    request = {"wsgi.input": io.BytesIO(text), "CONTENT_LENGTH": str(len(text))}
    request |= {"HTTP_HOST": HOST, "HTTP_ORIGIN": origin}
    return b"".join(game.page(request, lambda *_: None)).decode()


def posted(game: Any, message: object) -> dict[str, Any]:
    """What the program answers to its own page."""
    return json.loads(sent(game, message, f"http://{HOST}"))


def way_through(tree: dict[str, Any], rng: random.Random) -> list[list[int]]:
    moves, branches = [], tree["nodes"][0]
    while branches:
        at = rng.randrange(0, len(branches), 4)
        moves.append(branches[at : at + 2])
        branches = tree["nodes"][branches[at + 3]]
    return moves


def test_a_game(example: ModuleType) -> None:
    """What is late, such as the second click on Done, plays nothing; nor does anything once the game is over."""
    rng = random.Random(1)
    game = example.Game(rng)
    shown = posted(game, {})
    while shown["tree"]:
        sent = {"turn": shown["turn"], "moves": way_through(shown["tree"], rng)}
        after = posted(game, sent)
        assert after["turn"] == shown["turn"] + 1
        assert posted(game, sent) == after
        shown = after
    assert " wins a" in shown["svg"]
    assert posted(game, {}) == shown


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", f"http://{HOST}.evil.example", "//evil", f"x://{HOST}"]
)
def test_pages_of_other_sites_do_not_play(example: ModuleType, origin: str) -> None:
    """A browser lets any page send a play here; all that it gets is the page."""
    game = example.Game(random.Random(1))
    before = posted(game, {})
    moves = way_through(before["tree"], random.Random(1))
    assert sent(game, {"turn": before["turn"], "moves": moves}, origin) == example.PAGE
    assert posted(game, {}) == before


@pytest.mark.parametrize("size", [{}, {"CONTENT_LENGTH": ""}, {"CONTENT_LENGTH": "0"}])
def test_requests_without_a_body_or_a_host(example: ModuleType, size: dict[str, str]) -> None:
    """HTTP/1.0 has no `Host`, and a request without a body may have no length."""
    game = example.Game(random.Random(1))
    request = {"wsgi.input": io.BytesIO(), **size}
    assert game.page(request, lambda *_: None) == [example.PAGE.encode()]
    own = {"HTTP_HOST": HOST, "HTTP_ORIGIN": f"http://{HOST}"}
    (answer,) = game.page(request | own, lambda *_: None)
    assert json.loads(answer) == posted(game, {})


def test_what_is_no_play_changes_nothing(example: ModuleType) -> None:
    game = example.Game(random.Random(1))
    before = posted(game, {})
    tried = {"turn": before["turn"], "from": 24, "to": 1, "moves": []}
    assert "pips" in posted(game, tried)["reason"]
    for moves in (None, 7, "24/1", [[24, 1]], [["x"]], [[13, 12, 7, 7]]):
        with pytest.raises(ValueError, match=r"."):
            posted(game, {"turn": before["turn"], "moves": moves})
    assert posted(game, {}) == before
    request: dict[str, Any] = {}
    setup_testing_defaults(request)
    assert b"<gammon-board" in game.page(request, lambda *_: None)[0]
