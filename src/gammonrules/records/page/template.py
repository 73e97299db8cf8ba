"""What all pages share: their parts, and a policy by which they need nothing else and no stranger's script runs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import PurePath
from typing import Final

from gammonrules.match import Player
from gammonrules.records.transcript import unnamed

_MADE_BY: Final = '<meta name="generator" content="gammonrules {}">\n'
"""By what the page of a command is known as one."""

COLUMNS_OF_ROWS: Final = (
    "player",
    "opponent",
    "away",
    "opponent_away",
    "dice",
    "action",
    "best",
    "error",
    "file",
    "line",
    "seat",
    "xgid",
    "decision",
    "position_kind",
    "game",
    "number",
    "equity_best",
    "equity_no_double",
    "equity_double_take",
    "equity_double_drop",
)
"""What a page of rows says of each, and by what it finds its candidates."""


@cache
def part(name: str) -> str:
    return files("gammonrules.records.page").joinpath(name).read_text(encoding="utf-8")


def name_in_row(row: Mapping[str, object], column: str) -> object:
    """The cell of a row in this column; for a player without a name, or with the opponent's, their seat and file."""
    value = row.get(column)
    if column not in {"player", "opponent"}:
        return value
    if value and row.get("player") != row.get("opponent"):
        return value
    seat = str(row.get("seat"))
    if seat not in set(Player) or not row.get("file"):
        return value
    player = Player(seat)
    where = PurePath(str(row["file"])).name
    return unnamed(player if column == "player" else player.opponent, where)


def document(title: str, style: str, body: str, *, script: str = "", command: str = "") -> str:
    """A page with this body, which runs no script but `script`, and names the command that made it (`is_page_of`)."""
    # a browser runs only this script and style, loads nothing, and sends nothing anywhere
    policy = ["default-src 'none'"]
    if script:
        policy.append(f"script-src {_hash(script)}")
    policy += [
        f"style-src {_hash(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    pieces = {
        "meta": _MADE_BY.format(command) if command else "",
        "policy": "; ".join(policy),
        "title": title,
        "style": style,
        "body": body,
    }
    return filled(part("template.html"), pieces)


def page_links(links: Mapping[str, str]) -> str:
    """Links to other pages, by their addresses; "" without any."""
    if not links:
        return ""
    anchors = [f'<a href="{escape(address)}">{words}</a>' for address, words in links.items()]
    return f'<nav class="pages" aria-label="Other pages">{" ".join(anchors)}</nav>\n'


def is_page_of(command: str, beginning: bytes) -> bool:
    """Whether a file that begins so is a page that this command has written."""
    head, _, _ = part("template.html").partition("%%meta%%")
    return beginning.startswith((head + _MADE_BY.format(command)).encode())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def filled(page: str, pieces: Mapping[str, str]) -> str:
    """The page with its pieces in place of their names. Text of a piece that looks like a name stays as it is."""
    texts = page.split("%%")  # each second one is the name of a piece
    for index in range(1, len(texts), 2):
        name = texts[index]
        texts[index] = pieces[name]
    return "".join(texts)
