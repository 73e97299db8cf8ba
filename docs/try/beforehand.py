"""What boards on the pages show before, or without, Python in the reader's browser.

Everything goes into `docs/try/assets`, as the library has it when the site is built: the scripts of `<gammon-board>`
and `<gammon-setup>`, the colors of pictures, the turn of the start page with every answer to it, that of the page of
the board in both looks and layouts, and answers of the page to try it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from answers import Question, answer, picture

from gammonrules import MatchState, Plays, Position
from gammonrules.draw import board_js, setup_js, svg

HERE = Path(__file__).resolve().parent
ASSETS = HERE / "assets"
STATE = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").double().take().roll("62")
"""The start page's, after the lines of its program."""


def write() -> None:
    """Write the files that are not there as they should be; a server of the site builds it again after each change."""
    turn = turn_of(STATE)
    files = {
        "board.js": board_js(module=True),
        "setup.js": setup_js(module=True),
        "board.css": svg.stylesheet(when='[data-md-color-scheme="slate"]'),
        "turn.json": json.dumps(turn),
        "boards.json": json.dumps(boards()),
        "known.json": json.dumps(known(turn)),
    }
    ASSETS.mkdir(exist_ok=True)
    for name, text in files.items():
        file = ASSETS / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def turn_of(state: MatchState) -> dict[str, Any]:
    """A turn for a board without the library: after each way to move, the play that it is, or why nothing else is."""
    plays = state.legal_plays
    after = {",".join(map(str, sum(moves, ()))): told(state, plays, moves) for moves in ways(plays)}
    pictures = {layout: picture(state, layout=layout) for layout in ("landscape", "portrait")}
    return {"pictures": pictures, "tree": plays.tree().data, "after": after}


def boards() -> dict[str, Any]:
    """A turn in both looks and both layouts."""
    plays = Position.start().legal_plays("31")
    draw = partial(svg.board, plays.position, dice="31", theme="auto")
    pictures = {
        "flat landscape": draw(),
        "flat portrait": draw(layout="portrait"),
        "depth landscape": draw(look="depth"),
        "depth portrait": draw(look="depth", layout="portrait"),
    }
    return {"pictures": pictures, "tree": plays.tree().data}


def ways(plays: Plays, moves: tuple[tuple[int, int], ...] = ()) -> Iterator[tuple[tuple[int, int], ...]]:
    """The moves of every unfinished and finished turn."""
    yield moves
    for move in plays.next_moves(moves):
        yield from ways(plays, (*moves, (move.from_point, move.to_point)))


def told(state: MatchState, plays: Plays, moves: Any) -> dict[str, Any]:
    """What the library says after these moves: to each other move, and to the play if it is one."""
    points = plays.points_after(moves)
    tried = [(start, end) for start in range(1, 26) if points[start] > 0 for end in range(26)]
    why = {f"{start},{end}": str(reason) for start, end in tried if (reason := plays.why(start, end, moves))}
    if not plays.is_complete(moves):
        return {"why": why}
    return {"why": why, "play": str(plays.find(moves)), "then": state.play(moves).xgid}


def known(turn: dict[str, Any]) -> dict[str, Any]:
    """The answers to the page's examples, and for whoever goes on from the turn, by what stands in the address."""
    page = html.unescape((HERE.parent / "try.md").read_text(encoding="utf-8"))
    asked = re.findall(r'<a href="\?(.+?)">', page)
    asked += {urlencode({"position": state["then"]}): 0 for state in turn["after"].values() if "then" in state}
    asked += [f"{address}&layout=portrait" for address in asked]
    return {address: answer(Question(**dict(parse_qsl(address)))) for address in asked}


if __name__ == "__main__":
    write()
