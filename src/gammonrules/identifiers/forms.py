"""The registry of the forms of identifiers: the name, the reader and the writer of each, and how it is recognized."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import attrs

from gammonrules.identifiers import fibs_board, gnubg_id, gnubg_lines, ogid, xgid
from gammonrules.identifiers.plain_state import PlainState
from gammonrules.match import MatchState

ReadForm: TypeAlias = Literal["gnubg_id", "xgid", "ogid", "fibs_board", "bot_line", "gnubg_line"]
"""The forms that are read and written, in the order in which messages list them."""
Form: TypeAlias = Literal[ReadForm, "match_id"]
"""The forms that are written. A Match ID has no board, so it is not read alone."""


def _never(_text: str) -> bool:
    return False


@attrs.frozen
class IdentifierForm:
    """A form of identifiers."""

    name: str
    """The name in messages, and in `_shared/identifier_text.py`, which finds identifiers in pasted text."""
    decode: Callable[[str], PlainState]
    """The reader. Raises IdentifierError."""
    write: Callable[[MatchState, Sequence[str]], str]
    """The writer, which takes a state and the names of White and Black. Raises IdentifierError."""
    read_back: Callable[[MatchState, PlainState], PlainState]
    """What `decode` reads from the text of a state. All other fields are lost, and none raises an error here.

    It takes the state itself and its plain values, in which the score is cut to what a text can hold.
    """
    is_meant: Callable[[str], object] = _never
    """Whether a pasted text without the label of another form is of this one, even with mistakes in it."""
    other_labels: tuple[str, ...] = ("",)
    """The labels beside `name` that a text of this form may have; "" means no label."""
    has_names: bool = False
    """Whether the text has the names of the players."""
    is_always_whole: bool = False
    """Whether nothing may be left out, since a program answers for the state that it reads."""
    is_listed: bool = True
    """Whether lists of forms name it. The lines of GNU Backgammon are board lines to them."""
    name_in_messages: str = attrs.Factory(lambda form: form.name, takes_self=True)
    """The name in warnings, and in errors about losses."""


FORMS: Mapping[ReadForm, IdentifierForm] = {
    "gnubg_line": IdentifierForm(
        "gnubg line",
        gnubg_lines.decode_gnubg_line,
        gnubg_lines.encode_gnubg_line,
        gnubg_lines.read_back_gnubg_line,
        is_meant=gnubg_lines.is_meant,
        has_names=True,
        is_always_whole=True,
        is_listed=False,
    ),
    "fibs_board": IdentifierForm(
        "FIBS board",
        fibs_board.decode,
        fibs_board.write,
        fibs_board.read_back,
        is_meant=fibs_board.is_meant,
        has_names=True,
    ),
    "gnubg_id": IdentifierForm(
        "gnubg ID",
        gnubg_id.decode,
        gnubg_id.write,
        gnubg_id.read_back,
        is_meant=gnubg_id.is_meant,
        other_labels=("", *gnubg_id.OWN_LABELS),
        name_in_messages="Match ID",
    ),
    "xgid": IdentifierForm("XGID", xgid.decode, xgid.write, xgid.read_back, xgid.is_meant),
    "ogid": IdentifierForm("OGID", ogid.decode, ogid.write, ogid.read_back, ogid.is_meant),
    "bot_line": IdentifierForm(
        "bot line",
        gnubg_lines.decode_bot_line,
        gnubg_lines.write_bot_line,
        gnubg_lines.read_back_bot_line,
        has_names=True,
        is_always_whole=True,
        is_listed=False,
    ),
}
"""The forms, in the order in which `identifiers.read` tries them."""


def _shown_forms() -> str:
    names = [FORMS[form].name for form in get_args(ReadForm) if FORMS[form].is_listed]
    *others, last = "Position ID", *names
    return f"{', '.join(others)} or {last}"


SHOWN_FORMS = _shown_forms()
"""The names of the forms that a text shows, for messages and for the help of commands."""
