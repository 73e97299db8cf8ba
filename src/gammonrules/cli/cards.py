"""`gammonrules cards`: players' mistakes as a deck for Anki."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from html import escape
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import click
from attrs import Factory, define, frozen

from gammonrules.cli.common_options import (
    alias_option,
    analysis_level_option,
    analyzed_by_option,
    error_option,
    output_option,
    player_option,
    records_argument,
)
from gammonrules.cli.option_conflicts import Command
from gammonrules.cli.output import force_option, output_file, say_cut, write_output
from gammonrules.cli.record_files import SkippedFiles, say_copies
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing, safe
from gammonrules.errors import GammonError
from gammonrules.match import Player
from gammonrules.values import counted, shown

if TYPE_CHECKING:
    from gammonrules.cli.anki_decks import Note
    from gammonrules.records import Analysis, Decision, Match, PlayAnalysis, ScanEntry

_ASKED: Final = {
    "play": "How do you play {}?",
    "double": "Do you double?",
    "answer": "Do you take?",
}


@click.command(cls=Command, never_with={("--force",): ("--output=-",)})
@records_argument
@output_option("The deck; - for standard output.", required=True)
@player_option("Whose mistakes; by default, those of all players.")
@error_option("What a mistake costs at least.", 0.08)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    help="How many cards, of those that cost most.",
)
@analyzed_by_option("Whose analyses count")
@analysis_level_option
@alias_option
@force_option
def cards(
    paths: tuple[str, ...],
    output: str,
    player: str | None,
    error: float,
    limit: int,
    analyzed_by: str | None,
    analysis_level: str | None,
    aliases: Sequence[tuple[str, str]],
    *,
    force: bool,
) -> None:
    """Write a deck of mistakes for Anki.

    A PATH is an analyzed record, a folder or a ZIP archive. On the front of a card are the board and the question; on
    its back are the best action and yours, what it cost and why, and what else there was. Each game counts once.

    In Anki, choose File, Import. A second import of a deck, or of one with further matches, makes no card twice, and
    keeps what Anki knows of how you learn them.

    The exit status is 0 if the deck is written; files that are no records are skipped and named. It is 2 if there is no
    such player, no analysis or no mistake, a record was lost, or the deck cannot be written. A deck that this command
    has written is replaced.
    """
    from gammonrules.cli.anki_decks import deck_of, is_deck
    from gammonrules.cli.player_aliases import names_joined
    from gammonrules.records.archive import scan_unique_games, sources

    must_be_named(output, *paths)
    inputs = [source.archive or source.path for source in sources(paths)]
    analyzed = Counter[str]()  # decisions of each player; filled while the entries are read
    read = _RecordsRead()  # the same
    pictures = dict[str, str]()  # by the names of their files; filled while the notes are made
    with refusing(), output_file(output, *inputs, force=force, is_ours=is_deck):
        entries = scan_unique_games(
            paths, analyzed_by=analyzed_by, analysis_level=analysis_level, at_end=say_copies
        )
        names = names_joined(aliases, player)
        mistakes = _mistakes_in(
            read.matches_in(entries), player, names, analyzed, analyzed_by, analysis_level
        )
        if player is not None:
            mistakes = (mistake for mistake in mistakes if mistake.player == player)
        costly = (mistake for mistake in mistakes if mistake.error >= error)
        worst = nlargest(limit, costly, key=attrgetter("error"))
        say_cut(read.cut)
        if not worst:
            raise Refused(_why_no_cards(player, analyzed, error))
        notes: dict[str, Note] = {}  # a mistake that was made again has the same key
        for mistake in worst:
            note = _anki_note(mistake, pictures)
            notes[note.key] = note
        write_output(output, deck_of(notes.values(), pictures))
    if output != "-":
        click.echo(
            f"{counted(len(notes), 'card', ',')} in {safe(output)}: in Anki, choose File, Import"
        )
    if read.is_lost:
        click.get_current_context().exit(Refused.exit_code)


@frozen
class _CostlyDecision:
    """A decision that cost something, with its analysis."""

    error: float
    player: str
    decision: Decision
    analysis: Analysis


@define
class _RecordsRead:
    """What is said of files beside their mistakes: at once if they are skipped, else when all have been read."""

    cut: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    """The path of each game that is cut, and the words about it."""
    is_lost: bool = False

    def matches_in(self, entries: Iterable[ScanEntry]) -> Iterator[tuple[str, Match]]:
        """The path and the record of each entry that has one."""
        from gammonrules.records.transcript import cut_games

        skipped = SkippedFiles()
        for entry in entries:
            if entry.has_crashed:
                self.is_lost = True
            if entry.error is not None:
                skipped.add(entry.path, entry.error)
            if entry.match is not None:
                self.cut += [(entry.path, words) for _, words in cut_games(entry.match)]
                yield entry.path, entry.match
        skipped.say_rest()


def _mistakes_in(
    matches: Iterable[tuple[str, Match]],
    asked: str | None,
    aliases: Mapping[str, str],
    analyzed: Counter[str],
    analyzed_by: str | None,
    analysis_level: str | None,
) -> Iterator[_CostlyDecision]:
    """The mistakes of all players, whose analyzed decisions are counted in `analyzed`.

    `asked`: the player whose name is to be as it was asked for.
    """
    from gammonrules.analysis.internals import xgid_of
    from gammonrules.records.transcript import is_by, level_of, players_of, with_player_as_asked

    for path, match in matches:
        players = with_player_as_asked(players_of(match, aliases, path), asked)
        for player in players:
            analyzed.setdefault(player, 0)  # players are there also without such a decision
        for decision in match.decisions():
            analysis = decision.analysis
            if analysis is None or not is_by(analysis.engine, analyzed_by):
                continue
            if analysis_level is not None and level_of(analysis) != analysis_level:
                continue
            player = players[decision.player]
            analyzed[player] += 1
            if not decision.error or decision.kind not in _ASKED:
                continue
            if xgid_of(decision.state):  # which a score may be too high for
                yield _CostlyDecision(decision.error, player, decision, analysis)


def _why_no_cards(player: str | None, analyzed: Counter[str], error: float) -> str:
    """Why there are no cards, where the players have so many analyzed decisions."""
    if player is not None and player not in analyzed:
        others = ", ".join(shown(name, 60) for name, _ in analyzed.most_common(3))
        reason = others or "no match can be read"
        return f"there is no player {shown(player, 60)} in these records: {reason}"
    if not analyzed.total():
        return "no decision is analyzed, or none by this engine at this level: gammonrules analyze does it"
    return f"no mistake costs {error:g} or more: a smaller --error asks for others"


def _anki_note(mistake: _CostlyDecision, pictures: dict[str, str]) -> Note:
    """A note for the deck, whose pictures are added.

    Whoever decides is White there, so that a position is the same card in both colors.
    """
    from hashlib import blake2b

    from gammonrules.analysis.internals import FEW_PLAYS, harmless, panel, signed, xgid_of
    from gammonrules.cli.anki_decks import Note
    from gammonrules.draw import BoardStyle, svg
    from gammonrules.records.transcript import best_words, done_words, name_in_mat

    decision = mistake.decision
    state = decision.state
    if decision.player is not Player.WHITE:
        state = state.swap_players()
    xgid = xgid_of(state)
    kind = state.position.kind
    # the key depends on these alone, so that it is the same card when it is imported again
    who_and_what = f"{name_in_mat(mistake.player)}\0{xgid}\0{decision.kind}"
    digest = blake2b(who_and_what.encode(errors="replace"), digest_size=8)
    key = f"gammonrules-{digest.hexdigest()}"
    style = BoardStyle(numbers="fixed")
    draw_board = partial(svg.match_state, state, names=("You", "They"), style=style)
    pictures[f"{key}.svg"] = draw_board()
    best_picture = ""
    plays = decision.play_analysis
    if plays and plays.best:
        try:
            picture = draw_board(arrows=plays.best.play)
        except GammonError:  # the record calls the best play what is no legal play
            pass
        else:
            pictures[f"{key}-best.svg"] = picture
            best_picture = f'<img src="{key}-best.svg">'
    fields = [  # in the order of `anki_deck.sql`
        f'<img src="{key}.svg">',
        _ASKED[decision.kind].format(decision.dice),
        best_picture,
        escape(harmless(best_words(decision))),
        f"{escape(harmless(done_words(decision)))}, {signed(-mistake.error)}",
        _better_chances(plays),
        panel(mistake.analysis, decision.event.action, FEW_PLAYS).to_html(),
        kind,
        xgid,
    ]
    return Note(key, fields, tags=f"{decision.kind} {kind.replace(' ', '-')}")


def _better_chances(plays: PlayAnalysis | None) -> str:
    """How the chances of the best play differ from those of the one that was made."""
    if plays is None or plays.best is None or plays.made is None:
        return ""
    best = plays.best.chances
    made = plays.made.chances
    if best is None or made is None:
        return ""
    differences = [
        f"{100 * (best.win - made.win):+.1f}% games won",
        f"{100 * (best.win_gammon - made.win_gammon):+.1f}% gammons won",
        f"{100 * (best.lose_gammon - made.lose_gammon):+.1f}% gammons lost",
    ]
    return ", ".join(differences)
