"""`report_to_html`: a page about how well players play, from an archive of analyzed records."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.disk_files import path_text
from gammonrules.analysis import Level
from gammonrules.records.archive import Record, entries_and_paths, scan
from gammonrules.records.page import Tally, report_page
from gammonrules.records.transcript import checked_aliases, rates_in


def report_to_html(
    *records: Record | Iterable[Record],
    player: str | None = None,
    rule: str = "xg",
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
    aliases: Mapping[str, str] | None = None,
    file: str | os.PathLike[str] | None = None,
    workers: int | None = None,
) -> str:
    """A page about how well players play and where they lose points: one HTML file, which needs no network.

    The page has, for a player: what to practice, which is the two kinds of position, or doubling, that lose most beyond
    the player's mean, and the side on which two thirds of it is lost; what mistakes cost, and the PR with checkers and
    with the cube; PR, and what eXtreme Gammon calls it; net luck; boards to practice, whose answers are closed; the
    three worst mistakes, with the best play and the one that was made; PR over time; bars of what is lost by kind;
    opening plays; and folded, cube decisions by score, all matches and opponents, and more mistakes. What one match
    makes meaningless is left out, as is a PR of fewer than 20 decisions. Without `player` it has a table of all
    players, and this for the 50 with the most decisions; it begins with the player of two matches or more, at least
    half of all, and more than anybody else, if there is one. Its numbers are those of `error_rates`.

    If there are more than 50 players, more loss is expected where the others lose more: a kind counts by what the
    player lost in it beyond their own loss, shared out as others lose it.

    Every match and every game counts once for each engine and level: as in the first file in which they analyzed it.
    `docs/reference/decisions-table.md` describes under *Copies* which games are the same. The page counts the games
    that are left out. Numbers of two engines or levels never mix. The page has those of the one that analyzed most
    games, then decisions, then the first, and names the others; choose them with `analyzed_by` and `analysis_level`.
    Matches without analyses are only counted.

    The archive is read once, and may be larger than the memory: of each analyzed match some 20 kB are kept, of each
    other match and of each game about 500 bytes, and of each player 5 kB. Of
    each player, the page has sums for up to 200 opponents, those with the fewest matches as one; the last 500 matches
    by their dates; and the 25 worst mistakes, or 3 if it is about all players, besides those to practice. A mistake is
    what has such a name by the rule; each board stands once, however often it was answered wrong.

    Args:
        records: paths of files, folders and ZIP archives, as for `scan`; matches; entries of `scan`. Each argument is
            one of these, or an iterable of them.
        player: the player whose report it is; None (the default) for all. A colon in a name is a dot in match text,
            and either spelling finds the player.
        rule: which decisions count, "xg" or "gnubg", as for `Match.error_rates`.
        analyzed_by: whose analyses, by the beginning of the name, or "gnubg"; None (the default) as above.
        analysis_level: at which level; None (the default) as above.
        aliases: the name to count a player under, by each other name in the records; `similar_names` proposes pairs.
        file: where the page will be. From there, links lead to the page of each match that is there: of `match.mat`, it
            is called `match.html` or `match.mat.html`, and is beside the record or beside this page. None (the default)
            for no links.
        workers: how many processes read files: None (the default) for one per processor, 1 for only the caller's.

    Returns:
        The document, the same for the same records. What names, remarks and levels contain is shown as text.

    Raises:
        ArgumentError: there is no such player, and perhaps another one with a similar name; no analysis has this engine
            or level; an argument is not as described here.
        GammonError: an event of a match breaks the rules. Matches that were read from files hold no such events.

    Examples:
        >>> from gammonrules.records import report_to_html
        >>> page = report_to_html("examples/matches/xg", player="Maxence Job")
        >>> "PR" in page, "13.87" in page
        (True, True)
    """
    here = None if file is None else path_text(file)
    tally = tallied(
        records,
        player=player,
        rule=rule,
        analyzed_by=analyzed_by,
        analysis_level=analysis_level,
        aliases=aliases,
        workers=workers,
    )
    return report_page(tally, here, find_in=_only_path(records)).html


def _only_path(records: Sequence[Record | Iterable[Record]]) -> str:
    """The path that is the only argument; "" if it is not one."""
    match records:
        case [str() | os.PathLike() as path]:
            return str(path)
        case _:
            return ""


def tallied(
    records: Sequence[Record | Iterable[Record]],
    *,
    player: str | None,
    rule: str,
    analyzed_by: str | None,
    analysis_level: Level | str | None,
    aliases: Mapping[str, str] | None,
    workers: int | None,
) -> Tally:
    """The sums of a report. Arguments and errors are those of `report_to_html`."""
    rates_in(
        [], rule=rule, analyzed_by=analyzed_by, analysis_level=analysis_level
    )  # of nothing: raises the errors of these arguments
    check_kind("player", player, str | None)
    tally = Tally(player, rule, analyzed_by, analysis_level, aliases=checked_aliases(aliases))
    for item in entries_and_paths(records):
        # paths that follow each other come as a list
        entries = scan(item, workers=workers) if isinstance(item, list) else [item]
        for entry in entries:
            tally.add(entry.match, entry.path)
    tally.finish()
    return tally
