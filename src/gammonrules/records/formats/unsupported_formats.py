"""Recognizes files and texts of other formats, for a helpful message."""

from __future__ import annotations

import re
from typing import Final

_HEAD: Final = 1_000
"""How many bytes are looked at."""
_TEXT = rb"(?:\xef\xbb\xbf)?\s*"
_LATEX = _TEXT + rb"(?:%[^\n]{0,200}\n\s{0,100}){0,20}\\documentclass"
"""The beginning of a LaTeX document, perhaps after comments."""
_NOT_YET: Final = (
    (_TEXT + rb"MatchID: ?[0-9]+\s*\nPlayer1:", "this is a TrueMoneyGames match (.tmg)"),
    (
        _TEXT + rb"[A-Z0-9_]{1,40} {1,9}vs\. {1,9}[A-Z0-9_]{1,40}\s",
        "this looks like a GamesGrid match (.sgg)",
    ),
    (_TEXT + rb"boardid=[^\n]{0,200}\ncreator=", "this is a PartyGammon game (.gam)"),
    (
        rb"(?:.{0,800}?\n)?GAME_[0-9]{1,9}_(?:PLAYER_[12]|GAMEPLAY|SCORE[12])=",
        "this is a PartyGammon game (.gam)",
    ),
    (
        _TEXT + rb"[^\s:][^\n:]{0,80}[ \t][^\n:]{0,80}\s{1,9}1\)[ \t]{0,99}[1-6]{2}:",
        "this looks like a Jellyfish or GammonEmpire game (.gam)",
    ),
    (
        rb".{0,800}?\bScore is [0-9]{1,9}-[0-9]{1,9}\b[^\n]{0,99}\n[^\n]{1,99} is X -[^\n]{1,99} is O\b",
        "this is a FIBS match as oldmoves shows it (.fibs)",
    ),
    (
        _TEXT
        + rb"(?:bgammon-replay [0-9]{1,9}\n|i (?:[0-9]{9,12} )?\S{1,40} \S{1,40}(?: [0-9]{1,9}){5,6}\n[12] [dr] )",
        "this is a bgammon.org match (.match)",
    ),
    (_TEXT + rb"bgf version ", "this is a BGRoom match (.bgf)"),
)
_POSITIONS: Final = (
    (
        _TEXT + rb"[0-9]+; *[01]; *[0-9]+; *[0-9]+; *[01];[^;\n]*;[^;\n]*; *[01];",
        "this is a Snowie position (.txt)",
    ),
    (rb"[|}~]\0", "this looks like a Jellyfish position (.pos)"),
)
_UNPACK = "unpack it and read the files in it"
_HTML_OF_GNUBG = "GNU Backgammon's HTML export"
_LATEX_OF_GNUBG = "GNU Backgammon's LaTeX export"
_SAVE_IN_GNUBG = (
    "in GNU Backgammon, save the match as SGF, which keeps the analysis, or export it as text"
)
_NEVER: Final = (
    (
        _TEXT + rb"<!doctype html.{0,600}?<meta name=\"generator\" content=\"GNU Backgammon\b",
        f"this is {_HTML_OF_GNUBG}, which cannot be read: {_SAVE_IN_GNUBG}",
    ),
    (
        _LATEX + rb".{0,400}?\\newcommand\{\\board\}",
        f"this is {_LATEX_OF_GNUBG}, which cannot be read: {_SAVE_IN_GNUBG}",
    ),
    (_LATEX + rb"\b", "this is a LaTeX document, not a record"),
    (rb"%!PS", "this is a PostScript document, not a record"),
    (
        rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|\?xml)\b",
        "this is a web page or XML, not a record",
    ),
    (rb"%PDF-", "this is a PDF document, not a record"),
    (rb"PK(?:\x03\x04|\x05\x06)", f"this is a ZIP archive: {_UNPACK}"),
    (rb"\x1f\x8b", f"this is compressed with gzip: {_UNPACK}"),
    (rb"BZh[1-9]1AY&SY", f"this is compressed with bzip2: {_UNPACK}"),
    (rb"\xfd7zXZ\0", f"this is compressed with xz: {_UNPACK}"),
    (
        rb"\x28\xb5\x2f\xfd",
        f"this is compressed with Zstandard, which needs Python 3.14: {_UNPACK}",
    ),
    (rb"7z\xbc\xaf\x27\x1c", f"this is a 7-Zip archive: {_UNPACK}"),
    (rb"Rar!\x1a\x07", f"this is a RAR archive: {_UNPACK}"),
    (rb"PAR1", "this is a table in Parquet, not a record"),
    (
        rb"gammonrules (?:bear-off|Hypergammon) table|gnubg-[A-Z]S-",
        "this is a table of solved games, not a record",
    ),
    (rb"SQLite format 3\0", "this is an SQLite database, not a record"),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", "this is an image, not a record"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is a Microsoft Office document, not a record"),
    (rb"\xff\xfe|\xfe\xff", "this text is in UTF-16 or UTF-32: save it as UTF-8"),
)


def _sign_pattern(sign: bytes) -> re.Pattern[bytes]:
    return re.compile(sign, re.IGNORECASE | re.DOTALL)


_SIGNS: Final = [
    *(
        (_sign_pattern(sign), f"{what}, which cannot be read yet: export it as text (.mat)")
        for sign, what in _NOT_YET
    ),
    *(
        (
            _sign_pattern(sign),
            f"{what}, which cannot be read yet: open it in GNU Backgammon and copy its Position ID and Match ID",
        )
        for sign, what in _POSITIONS
    ),
    *((_sign_pattern(sign), sentence) for sign, sentence in _NEVER),
]
"""The signs of all these formats, and what is said about them."""


_ENOUGH: Final = 65_536
"""How many characters are searched for text that was copied from a document."""
# Words depend on the language of the program.
_MOVE = r"^[^\n:]{1,40} [0-9]{1,5}: [^\n]{1,200}\n\s{0,40}"
_PIP_COUNTS = r"^[^\n:]{1,60}: \S[^\n]{0,200} [0-9]{1,3}, [^\n]{1,200} [0-9]{1,3}[ \t]*\n{1,4}"
_IDENTIFIERS = r"^[^\n:]{1,40}: ?[A-Za-z0-9+/]{14} [^\n:]{1,40}: ?[A-Za-z0-9+/]{12}[ \t]*$"
_COPIED: Final = (
    (_MOVE + _PIP_COUNTS + _IDENTIFIERS, _HTML_OF_GNUBG),
    (_IDENTIFIERS + r"\n{1,4}\u2022 ?\S", _HTML_OF_GNUBG),
    # the same identifiers in the source, with any style
    (r": <tt>[A-Za-z0-9+/]{14}</tt> [^\n:<]{1,40}: <tt>[A-Za-z0-9+/]{12}</tt>", _HTML_OF_GNUBG),
    (r"\\(?:black|white)board\n\\put\(", _LATEX_OF_GNUBG),
    # the heading of a game in the printed document, and its first player
    (
        r"^(?:[0-9]{1,6} points? match|Money session) \(game [0-9]{1,6}\)\s{1,40}[^\n]{1,200} \([0-9]{1,6} points?\)",
        _LATEX_OF_GNUBG,
    ),
)
_COPIED_SIGNS: Final = [(re.compile(sign, re.MULTILINE), source) for sign, source in _COPIED]


def copied_from(text: str) -> str | None:
    """A message about the document that a text was copied from; None if unknown.

    Like `other_format`, this is not called for a text that can be read.
    """
    beginning = text[:_ENOUGH]
    for pattern, source in _COPIED_SIGNS:
        if pattern.search(beginning):
            return f"this looks like a copy of {source}, which cannot be read: {_SAVE_IN_GNUBG}"
    return None


def other_format(record: str | bytes) -> str | None:
    """A sentence that says what a file that cannot be read is instead; None if unknown.

    It looks only for signs that every file of a format has. It is not called for files that can be read.
    """
    head = record[:_HEAD]
    if isinstance(head, str):  # it has been decoded, which loses only characters beyond ASCII
        head = head.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").encode("latin-1", "replace")
    return next((sentence for pattern, sentence in _SIGNS if pattern.match(head)), None)
