"""What all pages share: their parts, and a policy by which they need nothing else and no stranger's script runs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

REPORT: Final = '<meta name="generator" content="gammonrules report">\n'
"""By what a page of a report is known as one."""


@cache
def part(name: str) -> str:
    return files("gammonrules.page").joinpath(name).read_text(encoding="utf-8")


def document(title: str, style: str, body: str, *, script: str = "", meta: str = "") -> str:
    """A page with this body, which runs no script but this one."""
    pieces = {"meta": meta, "policy": _policy(style, script), "title": title, "style": style, "body": body}
    return filled(part("frame.html"), pieces)


def _policy(style: str, script: str) -> str:
    """A browser runs only this script and style, loads nothing, and sends nothing anywhere."""
    allowed = f"script-src {_hash(script)}; " * bool(script) + f"style-src {_hash(style)}; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def filled(page: str, pieces: Mapping[str, str]) -> str:
    """The page with its pieces in place of their names. Text of a piece that looks like a name stays as it is."""
    parts = page.split("%%")
    return "".join(pieces[text] if index % 2 else text for index, text in enumerate(parts))
