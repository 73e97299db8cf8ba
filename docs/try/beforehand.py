"""What boards on the pages show before, or without, Python in the reader's browser.

Everything goes into `docs/try/assets`, as the library has it when the site is built: the scripts of `<gammon-board>`
with the rules, of matches, their opponent, XGIDs and `<gammon-setup>`, the colors of pictures, the turn of the start
page, and answers of the page to try it.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from answers import Question, answer, picture

from gammonrules import MatchState
from gammonrules.draw import history_js, match_board_js, opponent_js, setup_js, svg, xgid_js

HERE = Path(__file__).resolve().parent
ASSETS = HERE / "assets"
STATE = MatchState.new(7).opening_roll(3, 1)
"""The start page's, after the lines of its program."""


def write() -> None:
    """Write the files that are not there as they should be; a server of the site builds it again after each change."""
    turn = turn_of(STATE)
    of_match = {
        "history.js": history_js(module=True),
        "opponent.js": opponent_js(module=True),
        "xgid.js": xgid_js(module=True),
    }
    files = {
        "match-board.js": match_board_js(module=True),
        "match.js": match_for("".join(of_match.values())),
        **of_match,
        "setup.js": setup_js(module=True),
        "board.css": svg.stylesheet(when='[data-md-color-scheme="slate"]'),
        "turn.json": json.dumps(turn),
        "known.json": json.dumps(known(turn)),
    }
    ASSETS.mkdir(exist_ok=True)
    for name, text in files.items():
        file = ASSETS / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def match_for(scripts: str) -> str:
    """Write the `match.js` that scripts import, of what `match-board.js` has: a page has the rules once."""
    imports = re.findall(r'import\{([^}]*)\}from"\./match\.js"', scripts)
    names = {name.partition(" as ")[0] for name in ",".join(imports).split(",")}
    return f'import {{ rules }} from "./match-board.js";\nexport const {{ {", ".join(sorted(names))} }} = rules;\n'


def turn_of(state: MatchState) -> dict[str, Any]:
    """A turn for a board without the library, and the XGID after each play."""
    plays = state.legal_plays
    after = {str(play): state.play(play).xgid for play in plays}
    pictures = {layout: picture(state, layout=layout) for layout in ("landscape", "portrait")}
    return {"pictures": pictures, "tree": plays.tree().data, "after": after}


def known(turn: dict[str, Any]) -> dict[str, Any]:
    """The answers to the page's examples, and for whoever goes on from the turn, by what stands in the address."""
    page = html.unescape((HERE.parent / "try.md").read_text(encoding="utf-8"))
    asked = re.findall(r'<a href="\?(.+?)">', page)
    asked += [urlencode({"position": xgid}) for xgid in turn["after"].values()]
    asked += [f"{address}&layout=portrait" for address in asked]
    return {address: answer(Question(**dict(parse_qsl(address)))) for address in asked}


if __name__ == "__main__":
    write()
