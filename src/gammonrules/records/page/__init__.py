"""A match as a page to look through: one HTML file with everything in it.

A game becomes *steps*, the positions that a reader looks at one after another. The page has a list of them, which is
plain HTML, and data for its script: the pictures, which are those of `gammonrules.draw`, and the analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, Final

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.disk_files import path_text
from gammonrules.analysis.internals import FEW_PLAYS
from gammonrules.errors import ArgumentError
from gammonrules.match import Player, PlayerLike
from gammonrules.match.internals import player_of
from gammonrules.records.page.aggregates import Report as Report, Tally as Tally
from gammonrules.records.page.kind_names import plural as plural
from gammonrules.records.page.template import (
    COLUMNS_OF_ROWS as COLUMNS_OF_ROWS,
    is_page_of as is_page_of,
    name_in_row as name_in_row,
    page_links,
)
from gammonrules.records.transcript import Match
from gammonrules.values import counted, shown, whole_argument

MAX_POSITIONS: Final = 20_000
"""The positions of a page. A money session of two hundred games has about ten thousand."""
MAX_CANDIDATES: Final = 100
"""The plays of an analysis that a page can list; no format has more."""
MAX_ROWS: Final = 100
"""The boards of a page of rows, about 13 kB each."""
MAX_IN_A_CELL: Final = 1_000
"""The positions in a cell, which is saved with its notebook; about 1 MB."""
MAX_CELL_SIZE: Final = 8_000_000
"""The characters of a page in a cell, which only long remarks or analyses can exceed."""
_HEIGHT_OF_A_CELL = 520
_USUAL_CANDIDATES = 10


def to_html(
    match: Match,
    *,
    bottom: PlayerLike = Player.WHITE,
    candidates: int = _USUAL_CANDIDATES,
    matrices: Mapping[tuple[int, int], object] | None = None,
    play_url_prefix: str = "",
    player: PlayerLike | None = None,
) -> str:
    """A match as a page to look through: one HTML file, which needs no network and no other file.

    The page shows each position with the play that was made, the cube and the score. The list of moves is beside it,
    with the referee's findings, the remarks of the record, and its analyses. Readers move on by buttons, by the keys
    left, right, Home and End (with Shift, game by game), by swiping over the board, or by choosing a move. Choosing a
    play in an analysis draws it on the board. The address ends in the XGID of the position, so that a link leads to it.
    Colors are light or dark as the reader prefers. Without JavaScript, the list of moves can still be read.

    Whatever the names and texts of a record contain is shown as text. The page forbids the browser to load anything or
    to run any script but its own, by its Content-Security-Policy.

    Args:
        match: the record.
        bottom: the player at the bottom of the board, until the reader flips it.
        candidates: how many plays of an analysis are listed, 1 to 100; the one that was made is always listed.
        matrices: the verdicts at all scores on decisions, as `engine.score_matrix` gives them, by `Decision.game` and
            `Decision.index`. Each is shown, folded, with its decision, and takes about 35 kB. None (the default): none.
        play_url_prefix: the beginning of the URL of a page that continues games, such as "https://game.example/#/from/".
            Each mistake then has a link "try again" to this URL with the XGID before the mistake at its end. The head
            of the page has a link without an XGID. "" (the default) for no links.
        player: the player at whose worst decision the page opens, and whose mistakes are in the quiz until the reader
            adds those of the opponent. None (the default) for both players.

    Returns:
        The document, the same for the same match. It has about 2 kB for each position, and up to 4 kB
        with its analyses. It ends after 20,000 positions, and says so.

    Raises:
        ArgumentError: `match` is not a `Match`, `bottom` or `player` is not a player, `candidates` is out of bounds,
            `play_url_prefix` is not a string, or the match has no decision with a key of `matrices`. No error is
            raised for what a match contains.

    Examples:
        >>> from gammonrules.records import load, to_html
        >>> page = to_html(load("examples/matches/galaxy/match1033650.txt"))
        >>> page[:15], "lasse" in page, "gitte" in page
        ('<!DOCTYPE html>', True, True)
    """
    check_kind("match", match, Match)
    player_at_bottom = player_of(bottom, "bottom")
    quiz_player = None if player is None else player_of(player, "player")
    most_candidates = whole_argument(
        "candidates", value=candidates, minimum=1, maximum=MAX_CANDIDATES
    )
    check_kind("play_url_prefix", play_url_prefix, str)
    matrices = matrices or {}
    keys_of_match: set[tuple[int, int]] = set()
    for game in match.games:
        for index_of_event in range(len(game.events)):
            keys_of_match.add((game.number, index_of_event))
    for key in matrices:
        if key not in keys_of_match:
            raise ArgumentError(f"matrices: the match has no decision {shown(key, 60)}")
    from gammonrules.records.page.match_page import page_of  # noqa: PLC0415 - drawings are loaded when used

    return page_of(
        match,
        bottom=player_at_bottom,
        candidates=most_candidates,
        limit=MAX_POSITIONS,
        matrices=matrices,
        play_url_prefix=play_url_prefix,
        command="view",
        asked=quiz_player,
    )


def cell_of(match: Match) -> str:
    """The page of a match in a frame, which isolates it from the notebook. Without frames, the caption remains."""
    from gammonrules.records.page.match_page import page_of  # noqa: PLC0415 - drawings are loaded when used

    caption = escape(repr(match).strip("<>"))
    page = page_of(
        match, bottom=Player.WHITE, candidates=FEW_PLAYS, limit=MAX_IN_A_CELL, matrices={}
    )
    if len(page) > MAX_CELL_SIZE:
        return f"<p>{caption}: too large for a notebook, but records.to_html makes a page of it</p>"
    # between single quotes, an attribute needs no more
    escaped = page.replace("&", "&amp;").replace("'", "&#39;")
    size = f"width='100%' height='{_HEIGHT_OF_A_CELL}' frameborder='0'"
    frame = f"<iframe title='{caption}' sandbox='allow-scripts' {size} srcdoc='{escaped}'></iframe>"
    return f"<p>{caption}</p>\n{frame}"


def report_page(tally: Tally, file: str | None = None, *, find_in: str = "") -> Report:
    """The page of a report, which leads to the pages of matches that are beside their records or `file`.

    `find_in`: the one folder, archive or record that has all that is counted, and nothing else, as `gammonrules find`
    reads it: then rows have commands that list their positions.
    """
    from gammonrules.records.page.report import contents_of_report, page_beside  # noqa: PLC0415 - drawings are loaded when used

    return contents_of_report(tally, find_in).page(partial(page_beside, file), links="")


def report_in_set(
    tally: Tally,
    write_pages: Callable[[str, Sequence[str]], Mapping[str, str]],
    links: Mapping[str, str],
    *,
    find_in: str = "",
) -> Report:
    """The page of a report that leads to other pages of its folder, by their addresses; `find_in` as of `report_page`.

    `write_pages`: writes the other pages, and returns the addresses of those of matches by the paths of their records.
    It gets the report without links, and these paths.
    """
    from gammonrules.records.page.report import contents_of_report  # noqa: PLC0415 - drawings are loaded when used

    contents = contents_of_report(tally, find_in)
    without_links = contents.page(lambda _: "", links="").html
    addresses = write_pages(without_links, contents.paths)
    return contents.page(lambda path: addresses.get(path, ""), page_links(links))


def match_in_set(match: Match, player: Player | None, links: Mapping[str, str]) -> str:
    """The page of a match, as `to_html`, that leads to other pages of its folder, by their addresses.

    `player`: who sits at the bottom and is asked; None for White and both.
    """
    from gammonrules.records.page.match_page import page_of  # noqa: PLC0415 - drawings are loaded when used

    return page_of(
        match,
        bottom=player or Player.WHITE,
        candidates=_USUAL_CANDIDATES,
        limit=MAX_POSITIONS,
        matrices={},
        links=page_links(links),
        command="report",
        asked=player,
    )


def openings_in_set(rows: Sequence[Mapping[str, Any]], title: str, links: Mapping[str, str]) -> str:
    """The page of `openings_to_html`, that leads to other pages of its folder, by their addresses."""
    from gammonrules.records.page.openings import page_of_openings  # noqa: PLC0415 - drawings are loaded when used

    return page_of_openings(rows, title, page_links(links))


def rows_to_html(
    rows: Sequence[Mapping[str, Any]],
    *,
    title: str = "Positions",
    total: int | None = None,
    file: object = None,
    candidates: Iterable[Mapping[str, Any]] = (),
) -> str:
    """Rows of the table of decisions as a page of questions: one HTML file, which needs no network.

    The page asks each position, has a button for each answer, tells at once what it costs, and counts: one after
    another on a phone, or where the reader presses "Quiz me". Buttons choose players and kinds of decisions and
    positions. Printed, or without JavaScript, the answers are folded: the best play and, dashed, the one that was
    made. Who is asked has the light checkers, at the bottom.

    Args:
        rows: the rows, as `search(...).to_pylist()` has them. The first 100 are shown.
        title: what was asked for, the heading; where it has the word "mistake", "action" or "best", and so may tell the
            answer, it is at the end.
        total: how many rows there are in all, which the page says; None (the default) for those in `rows`.
        file: where the page will be, so that links lead from there to the pages of matches, as for `report`. None (the
            default) for no links.
        candidates: rows of the table of candidates, as `search` has them with the columns "file", "game", "number",
            "position_id" and "equity": a play is then asked among the best of them. Without, only the best play and
            the one that was made are asked.

    Returns:
        The document, the same for the same rows. What names and files contain is shown as text.

    Raises:
        ArgumentError: `file` is no path.

    Examples:
        >>> from gammonrules.records import rows_to_html, to_table
        >>> rows = to_table("examples/matches/galaxy").to_pylist()
        >>> page = rows_to_html(rows, title="Galaxy")
        >>> page[:15], page.count("<article"), "1,387 decisions" in page
        ('<!DOCTYPE html>', 100, True)
    """
    from gammonrules.records.page.decisions_page import page_of_rows  # noqa: PLC0415 - drawings are loaded when used

    shown_rows = rows[:MAX_ROWS]
    number = len(rows) if total is None else total
    count = counted(number, "decision", ",")
    if number > len(shown_rows):
        count += f", of which {len(shown_rows)} are shown"
    path = None if file is None else path_text(file)
    return page_of_rows(shown_rows, candidates, count, title, path)


def openings_to_html(rows: Sequence[Mapping[str, Any]], *, title: str = "Openings") -> str:
    """Opening plays and replies as a page: one HTML file, which needs no network and runs no script.

    It begins with what was played with the roll with which most is lost, and with the five after it, how often, and
    what it cost; where nothing was lost, or no engine has judged an opening, with the rolls that were met most often.
    For each roll, in this order, it has a board with the best play, dashed the one that lost most, bars of how often
    the five most frequent plays were made, what they cost, and a table of all numbers. The same follows, folded, for
    the 30 rolls after an opening that were met most often.

    Args:
        rows: what `openings` returns.
        title: the title of the page.

    Returns:
        The document, some 0.7 MB, the same for the same rows. What the title and names of engines contain is text.

    Examples:
        >>> from gammonrules.records import openings_to_html
        >>> page = openings_to_html([], title="Ann Lee")
        >>> page[:15], "Ann Lee" in page
        ('<!DOCTYPE html>', True)
    """
    from gammonrules.records.page.openings import page_of_openings  # noqa: PLC0415 - drawings are loaded when used

    return page_of_openings(rows, title)
