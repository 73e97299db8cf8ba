"""What the readers of identifiers share: where one begins in a text, labels, Base64, and whole numbers in a range."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

import attrs

from gammonrules._shared.pasted_text import (
    AROUND,
    AT_THE_END,
    uncoded,
    unwrapped,
    with_plain_signs,
    without_tags,
)
from gammonrules.errors import IdentifierError
from gammonrules.values import plain_text, shown

_NO_BASE64 = r"[^A-Za-z0-9+/]"
_MAX_DIGITS = 12
"""More than any range here needs, so a number with millions of digits is never computed."""
MAX_CHARACTERS = 10_000
"""The longest text around an identifier: enough for a page that somebody pastes."""

LABELS = {
    "XGID": "XGID",
    "OGID": "OGID",
    "gnubg ID": r"GNU[ _-]?(?:BG|Backgammon)?[ _-]?ID",
    "Position ID": "Pos(?:ition)?[ _-]?ID",
    "Match ID": "Match[ _-]?ID",
}
"""How identifiers are labeled, by the names that we have for them."""

_OPENING = r"[ *_`\"'<(\[|]*"


def label_re(pattern: str, sign: str = "[:=]?") -> str:
    """A pattern for a label and its sign, with the quotes and Markdown around them."""
    return rf"{pattern}(?![A-Za-z0-9+/-])(?>{_OPENING}{sign}{_OPENING})"


_LABEL_OF_GROUP = ["", *LABELS]
"""The label that each group of `_LABEL` is for; groups are numbered from 1."""
_LABEL = re.compile(
    rf"(?:GNU Backgammon )?(?:{'|'.join(f'({label_re(pattern)})' for pattern in LABELS.values())})",
    re.IGNORECASE | re.ASCII,
)

_ALONE = "(?<![A-Za-z0-9])"
"""Before the first character of what begins here."""
_ANY_LABEL = label_re(f"(?:{'|'.join(LABELS.values())})")
_OF_A_BOARD = label_re(f"(?:{LABELS['gnubg ID']}|{LABELS['Position ID']})")
_BOARD_ID = "[A-Za-z0-9+/]{14}(?![A-Za-z0-9+/])"
_MATCH_ID = "[A-Za-z0-9+/]{12}(?![A-Za-z0-9+/])"
_PAIR = rf"{_BOARD_ID}(?:==)?[*`>)\]]{{0,9}} ?: ?[*`<(\[]{{0,9}}{_MATCH_ID}"
"""Not in quotes: these are around any words of JSON."""
_BOARD_AND_MATCH_ID = (
    rf"(?P<identifier>{_BOARD_ID})(?:(?:==)?[*_`\"'>)\],;.!?]{{0,9}}"
    rf"(?: ?: ?[*_`\"'<(\[]{{0,9}}| )(?P<match_id>{_MATCH_ID}))?"
)
"""Of what is known to be a Position ID: with the Match ID after it, if there is one."""
_PLACES = 26
"""Of an XGID's board."""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


@attrs.frozen
class _IdentifierForm:
    """How the identifiers of a form are found among words."""

    whole: re.Pattern[str]
    """All of one, whatever it says. By its group `identifier` it is told from others."""
    beginning: re.Pattern[str]
    """How one begins, even with mistakes in it."""


_WHOLE_XGID = (
    rf"(?:{_ALONE}{_ANY_LABEL}|(?<![A-Za-z0-9-]))"
    rf"(?P<identifier>[-A-O]{{{_PLACES}}}(?P<colon> ?: ?)"
    r"(?:[-0-9A-Z]{0,10}(?P=colon)){8}[0-9]{1,10}(?![0-9A-Z]))(?::[-0-9A-Z:]*)?"
)
"""Perhaps after a label. All its colons have the same blanks around them: another one belongs to a sentence."""
_XGID = _IdentifierForm(
    whole=_compiled(_WHOLE_XGID),
    beginning=_compiled(rf"{_WHOLE_XGID}|{_ALONE}{label_re(LABELS['XGID'])}[^ :=]{{9,60}} ?:"),
)
WHOLE_XGID = _XGID.whole
_WHOLE_OGID = _compiled(
    rf"{_ALONE}(?:{label_re(LABELS['OGID'])})?"
    "(?P<identifier>[0-9a-q]{1,15}:[0-9a-q]{1,15}:[WBND?][0-9]{1,2}[NOTP]:[0-9A-Z:]*)"
)
_WHOLE_GNUBG_ID = _compiled(rf"{_ALONE}(?:{_OF_A_BOARD}|(?={_PAIR})){_BOARD_AND_MATCH_ID}")
"""A Position ID that is labeled or has a Match ID. By its board it is told from others; Match IDs are compared too."""
_WHOLE_FIBS_BOARD = _compiled(
    r"\bboard:(?P<identifier> ?[^ :]{1,255} ?: ?[^ :]{1,255}(?: ?: ?-?[0-9]{1,12}){50})"
)
_NAME = rf"(?![^ :]{{0,255}}[-A-O]{{{_PLACES}}} ?:)[^ :]{{1,255}}"
"""Of a player on FIBS, and not an XGID after the word "board"."""
_FIBS_BOARD = _IdentifierForm(
    _WHOLE_FIBS_BOARD, _compiled(rf"\bboard: ?{_NAME} ?: ?{_NAME} ?: ?[0-9]")
)
_OGID = _IdentifierForm(_WHOLE_OGID, _WHOLE_OGID)
_GNUBG_ID = _IdentifierForm(_WHOLE_GNUBG_ID, _WHOLE_GNUBG_ID)
_FORMS: Mapping[str, _IdentifierForm] = {
    "XGID": _XGID,
    "OGID": _OGID,
    "gnubg ID": _GNUBG_ID,
    "Position ID": _GNUBG_ID,
    "FIBS board": _FIBS_BOARD,
    "gnubg line": _FIBS_BOARD,
    "bot line": _FIBS_BOARD,
}
"""What readers that want one form look for, by the name they have for it."""
_WITH_MATCH_ID = {"gnubg ID", "identifier"}
"""Readers of a Position ID with a Match ID: of these alone, and of any form."""
_ALL_FORMS = _XGID, _OGID, _GNUBG_ID, _FIBS_BOARD
_FIRST_WORDS = _compiled(_BOARD_AND_MATCH_ID)
"""A text may begin with a Position ID without its label."""
_LABELED_MATCH_ID = _compiled(rf"{_ALONE}{label_re(LABELS['Match ID'])}(?P<match_id>{_MATCH_ID})")
_WRONG_MATCH_ID = _compiled(
    rf"{_ALONE}{label_re(LABELS['Match ID'], '[:=]')}(?P<match_id>[^\s:=,;\"'<>()\[\]{{}}|#]{{1,60}})"
)
"""A sign after the label says that this is meant as one."""
_WORD = re.compile(r"[^ \"'`<>()\[\]{}#|,;]*")
"""An identifier, as far as it can go."""
_AS_PROGRAMS_WRITE_IT = re.compile(
    "(?:XGID=)?[-A-Oa-o]{26}(?::-?[0-9A-Z]{1,10}){9}|[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}"
)
"""An XGID or a gnubg ID with nothing around it, as most texts are."""
_DASHED_BOARD = re.compile("[-a-oA-O\N{EN DASH}\N{EM DASH}]{9,26}(?= ?:)")


def bounded(text: object, name: str) -> str:
    """The text of an identifier, once it is known to be short enough.

    Raises:
        IdentifierError: `text` is not a string, or is longer than `MAX_CHARACTERS`.
    """
    plain = plain_text(text)
    if plain is None:
        raise IdentifierError(f"{name}: expected a string, not {shown(text)}")
    if len(plain) > MAX_CHARACTERS:
        raise IdentifierError(
            f"{name}: the text has {len(plain):,} characters, more than {MAX_CHARACTERS:,}"
        )
    return plain


def pasted(text: str, name: str) -> str:
    """An identifier of the form `name`, or of any form if there is no such form, and the words after it.

    It is in plain signs, with single blanks. If none is found, this is the whole text, for its reader to refuse. A
    Position ID and a Match ID that stand apart are joined by a colon.

    Raises:
        IdentifierError: as `bounded`; or there are several of this form that differ.
    """
    plain = bounded(text, name)
    if _AS_PROGRAMS_WRITE_IT.fullmatch(plain):
        return plain
    form = _FORMS.get(name)
    forms = _ALL_FORMS if form is None else (form,)
    words = _words_in(plain, forms)
    if form is not None:
        _refuse_several(name, [match["identifier"] for match in form.whole.finditer(words)])
    begun = [match for each in forms if (match := each.beginning.search(words))]
    first = min(begun, key=lambda match: match.start(), default=None)
    start = 0 if first is None else first.start()
    is_of_gnubg = first is None or first.re is _WHOLE_GNUBG_ID
    if is_of_gnubg and name in _WITH_MATCH_ID:
        return _with_its_match_id(words, start)
    return words[start:]


def _words_in(text: str, forms: Collection[_IdentifierForm]) -> str:
    """The text in plain signs without codes, quotes, Markdown and tags, but with tags that have an identifier."""
    plain = with_plain_signs(_DASHED_BOARD.sub(_with_hyphens, uncoded(text)))
    return unwrapped(without_tags(plain, lambda tag: _has_identifier(tag, forms)))


def _has_identifier(tag: str, forms: Collection[_IdentifierForm]) -> bool:
    if _GNUBG_ID in forms and _LABELED_MATCH_ID.search(tag):
        return True
    return any(form.beginning.search(tag) for form in forms)


def _refuse_several(name: str, identifiers: Iterable[str]) -> None:
    """Raise IdentifierError if these are not all the same."""
    different = dict.fromkeys(identifier.replace(" ", "") for identifier in identifiers)
    if len(different) > 1:
        first, second, *_ = different
        raise IdentifierError(
            f"{name}: the text has several that differ: {shown(first, 60)} and {shown(second, 60)}"
        )


def _with_its_match_id(words: str, start: int) -> str:
    """The words from `start` on; of a Position ID whose Match ID stands elsewhere, both with a colon between them."""
    board = _WHOLE_GNUBG_ID.match(words, start) or _FIRST_WORDS.match(words)
    if board is None:
        return words[start:]
    boards = [board, *_WHOLE_GNUBG_ID.finditer(words)]
    labeled_ids = _LABELED_MATCH_ID.finditer(words)
    match_ids = [match["match_id"] for match in (*boards, *labeled_ids) if match["match_id"]]
    _refuse_several("Match ID", match_ids)
    wrong = None if match_ids else _WRONG_MATCH_ID.search(words)
    if wrong is not None:
        match_ids = [wrong["match_id"]]
    if board["match_id"] or not match_ids:
        return words[start:]
    _refuse_several("gnubg ID", [each["identifier"] for each in boards])
    return f"{board['identifier']}:{match_ids[0]}"


def _with_hyphens(board: re.Match[str]) -> str:
    """The board of an XGID with its hyphens, where a program has made dashes of several.

    Programs write an en dash for one or two hyphens, and an em dash for one to three. All ways are tried; if there are
    several with which the board is complete, the dashes stay.
    """
    dashed = board[0]
    if dashed.isascii():
        return dashed
    complete_boards: set[str] = set()
    for hyphens in ("-", "--"):
        without_en_dashes = dashed.replace("\N{EN DASH}", hyphens)
        for more_hyphens in ("-", "--", "---"):
            complete = without_en_dashes.replace("\N{EM DASH}", more_hyphens)
            if len(complete) == _PLACES:
                complete_boards.add(complete)
    return complete_boards.pop() if len(complete_boards) == 1 else dashed


def labeled(text: str) -> tuple[str, str]:
    """The label of a pasted text, "" if it has none, and what follows it."""
    match = _LABEL.match(text)
    if match is None:
        return "", text
    assert match.lastindex is not None  # each label that the pattern allows is a group of its own
    label = _LABEL_OF_GROUP[match.lastindex]
    return label, text[match.end() :]


def without_label(text: str, name: str) -> str:
    """The text after the label of a pasted one, if it has one.

    Raises:
        IdentifierError: the label is that of another form.
    """
    label, rest = labeled(text)
    if label not in {"", name}:
        raise IdentifierError(f"{name}: by its label the text is another identifier, {label}")
    return rest


def first_word(text: str) -> str:
    """An identifier without blanks, before anything that follows it."""
    word = _WORD.match(text.lstrip())
    assert word is not None  # it may be empty
    return word[0].rstrip(AROUND + AT_THE_END)


def base64_characters(text: str, name: str, length: int) -> str:
    """The characters of an identifier without its label, padding and whitespace.

    Raises:
        IdentifierError: there are more or fewer characters, or one is outside the alphabet.
    """
    identifier = pasted(text, name)
    characters = without_label(identifier, name)
    has_label = characters != identifier
    if has_label:
        characters = first_word(characters)
    characters = characters.removesuffix("==")
    wrong = re.search(_NO_BASE64, characters)
    if wrong is not None:
        raise IdentifierError(f"{name}: {wrong[0]!r} is not a Base64 character")
    if len(characters) != length:
        beginning = characters if len(characters) <= 40 else characters[:40] + "..."
        raise IdentifierError(
            f"{name}: expected {length} characters, but {beginning!r} has {len(characters)}"
        )
    return characters


def whole_field(where: str, text: str, allowed: range) -> int:
    """The whole number in a field.

    Raises:
        IdentifierError: the field is not a whole number in this range; the message begins with `where`.
    """
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS
    if is_number and int(text) in allowed:
        return int(text)
    if len(allowed) <= 3:  # few enough to name them
        *others, last = map(str, allowed)
        needed = f"{', '.join(others)} or {last}"
    else:
        needed = f"a whole number from {allowed[0]} to {allowed[-1]}"
    raise IdentifierError(f"{where}: expected {needed}, not {shown(text)}")
