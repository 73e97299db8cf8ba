"""What the readers of identifiers share: where one begins in a text, labels, Base64, and whole numbers in a range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

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
_MOST_DIGITS = 12
"""More than any range here needs, so a number with millions of digits is never computed."""
MOST_CHARACTERS = 10_000
"""The longest text around an identifier: enough for a page that somebody pastes."""

LABELS = {
    "XGID": "XGID",
    "OGID": "OGID",
    "gnubg ID": r"GNU[ -]?(?:BG|Backgammon)?[ -]?ID",
    "Position ID": "Pos(?:ition)?[ -]?ID",
    "Match ID": "Match[ -]?ID",
}
"""How identifiers are labeled, by the names that we have for them."""

_OPENING = r"[ *_`\"'<(\[]*"


def label_re(pattern: str) -> str:
    """A pattern for a label and its sign, if it has one, with the quotes and Markdown around them."""
    return rf"{pattern}(?![A-Za-z0-9+/-])(?>{_OPENING}[:=]?{_OPENING})"


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
_ID_OF_BOARD = "[A-Za-z0-9+/]{14}(?![A-Za-z0-9+/])"
_PAIR = "[A-Za-z0-9+/]{14}(?:==)? ?: ?[A-Za-z0-9+/]{12}(?![A-Za-z0-9+/])"
WHOLE_XGID = (
    rf"(?:{_ALONE}{_ANY_LABEL}|(?<![A-Za-z0-9-]))"
    "(?P<one>[-A-O]{26}(?: ?: ?[-0-9A-Z]{0,10}){8} ?: ?[0-9]{1,10}(?![0-9A-Z]))(?::[-0-9A-Z:]*)?"
)
"""An XGID with all its fields, whatever they say, perhaps after a label and with blanks around its colons."""
_WHOLE: Mapping[str, str] = {
    "XGID": WHOLE_XGID,
    "OGID": (
        rf"{_ALONE}(?:{label_re(LABELS['OGID'])})?"
        "(?P<one>[0-9a-q]{1,15}:[0-9a-q]{1,15}:[WBND?][0-9]{1,2}[NOTP]:[0-9A-Z:]*)"
    ),
    "gnubg ID": rf"{_ALONE}(?:{_OF_A_BOARD}|(?={_PAIR}))(?P<one>{_ID_OF_BOARD})",
    "FIBS board": r"\bboard:(?P<one> ?[^ :]{1,255} ?: ?[^ :]{1,255}(?: ?: ?-?[0-9]{1,12}){50})",
}
"""An identifier of each form among words. In `one` is what tells it from others; of a gnubg ID, its board."""
_BEGINNINGS: Mapping[str, str] = {
    **_WHOLE,
    "XGID": rf"{WHOLE_XGID}|{_ALONE}{label_re(LABELS['XGID'])}[^ :=]{{9,60}} ?:",
    "FIBS board": r"^board:|\bboard: ?[^ :]{1,255} ?: ?[^ :]{1,255} ?: ?[0-9]",
}
"""How it begins, even with mistakes in it."""
_FORMS: Mapping[str, str] = {
    **{name: name for name in _WHOLE},
    "Position ID": "gnubg ID",
    "gnubg line": "FIBS board",
    "bot line": "FIBS board",
}
"""What is looked for, for readers that want one form."""


def _compiled(patterns: Mapping[str, str]) -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(text, re.IGNORECASE | re.ASCII) for name, text in patterns.items()}


_WHOLE_ONES = _compiled(_WHOLE)
_BEGINNING_ONES = _compiled(_BEGINNINGS)
_WORD = re.compile(r"[^ \"'`<>()\[\]{}#|,;]*")
"""An identifier, as far as it can go."""
_DASHED_BOARD = re.compile("[-a-oA-O\N{EN DASH}\N{EM DASH}]{9,26}(?= ?:)")
_PLACES = 26
"""Of an XGID's board."""


def bounded(text: object, name: str) -> str:
    """The text of an identifier, once it is known to be short enough.

    Raises:
        IdentifierError: `text` is not a string, or is longer than `MOST_CHARACTERS`.
    """
    plain = plain_text(text)
    if plain is None:
        raise IdentifierError(f"{name}: expected a string, not {shown(text)}")
    if len(plain) > MOST_CHARACTERS:
        raise IdentifierError(
            f"{name}: the text has {len(plain):,} characters, more than {MOST_CHARACTERS:,}"
        )
    return plain


def pasted(text: str, name: str) -> str:
    """The text of an identifier in plain signs, with single blanks, from where it begins among other words.

    Without one of the form `name`, or of any form if there is no such form, it is the whole text.

    Raises:
        IdentifierError: as `bounded`; or there are several of this form that differ.
    """
    form = _FORMS.get(name)
    beginnings = [*_BEGINNING_ONES.values()] if form is None else [_BEGINNING_ONES[form]]
    words = _words_in(bounded(text, name), beginnings)
    if form is not None:
        _refuse_several(words, name, _WHOLE_ONES[form])
    starts = [match.start() for match in _found(words, beginnings)]
    return words[min(starts, default=0) :]


def _words_in(text: str, beginnings: Iterable[re.Pattern[str]]) -> str:
    """The text in plain signs without codes, quotes, Markdown and tags; one with an identifier in it stays."""
    plain = with_plain_signs(_DASHED_BOARD.sub(_with_hyphens, uncoded(text)))
    return unwrapped(without_tags(plain, lambda tag: any(_found(tag, beginnings))))


def _found(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterator[re.Match[str]]:
    """The first match of each pattern that has one."""
    for pattern in patterns:
        match = pattern.search(text)
        if match is not None:
            yield match


def _refuse_several(words: str, name: str, whole: re.Pattern[str]) -> None:
    """Raise IdentifierError if there is more than one identifier of this form."""
    different = {match["one"].replace(" ", ""): None for match in whole.finditer(words)}
    if len(different) > 1:
        first, second, *_ = different
        raise IdentifierError(
            f"{name}: the text has several that differ: {shown(first, 60)} and {shown(second, 60)}"
        )


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
    """What follows the label of a pasted text, if it has one.

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
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    if is_number and int(text) in allowed:
        return int(text)
    if len(allowed) <= 3:  # few enough to name them
        *others, last = map(str, allowed)
        needed = f"{', '.join(others)} or {last}"
    else:
        needed = f"a whole number from {allowed[0]} to {allowed[-1]}"
    raise IdentifierError(f"{where}: expected {needed}, not {shown(text)}")
