"""`gammonrules cards`: players' mistakes as a deck for Anki."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from heapq import nlargest
from html import escape
from operator import itemgetter
from typing import Any, Final, cast

import click

from gammonrules import records
from gammonrules.cli.anki_decks import deck_of, is_deck
from gammonrules.cli.options import AnyPath, Command
from gammonrules.cli.output import force_option, output_file, say, write_output
from gammonrules.cli.refusals import Refused, must_be_named, refusing, safe
from gammonrules.cli.rollouts import EQUITY
from gammonrules.draw import svg
from gammonrules.errors import GammonError
from gammonrules.match import Pair, Player
from gammonrules.records import Analysis, Decision, PlayAnalysis, Scanned
from gammonrules.records.archive import sources
from gammonrules.records.transcript import (
    FEW_PLAYS,
    best_words,
    done_words,
    harmless,
    is_by,
    level_of,
    panel,
    players_of,
    signed,
    xgid_of,
)
from gammonrules.values import counted, shown

_ASKED: Final = {
    "play": "How do you play {}?",
    "double": "Do you double?",
    "answer": "Do you take?",
}
_COMPARED: Final = {"games won": "win", "gammons won": "win_gammon", "gammons lost": "lose_gammon"}
"""The chances that are compared, by their words."""


@click.command(cls=Command, never_with={("--force",): ("--output=-",)})
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=AnyPath())
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=AnyPath(),
    help="The deck; - for standard output.",
)
@click.option("--player", metavar="NAME", help="Whose mistakes; by default, those of all players.")
@click.option("--error", type=EQUITY, default=0.08, help="What a mistake costs at least.")
@click.option(
    "--most",
    type=click.IntRange(1, 10_000),
    default=100,
    help="How many cards, of those that cost most.",
)
@click.option(
    "--by", metavar="ENGINE", help="Whose analyses count, by how the name of the engine begins."
)
@click.option(
    "--at", metavar="LEVEL", help="At which level, in the words of the engine, such as 2-ply."
)
@click.option(
    "--same",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="Names of one player; the second one counts.",
)
@force_option
def cards(
    paths: tuple[str, ...], output: str, error: float, most: int, *, force: bool, **choice: Any
) -> None:
    """Write a deck of mistakes for Anki.

    A PATH is an analyzed record, a folder or a ZIP archive. On the front of a card are the board and the question; on
    its back are the best action and yours, what it cost and why, and what else there was. Each game counts once.

    In Anki, choose File, Import. A second import of a deck, or of one with further matches, makes no card twice, and
    keeps what Anki knows of how you learn them.

    The exit status is 0 if the deck is written; files that you name and that are no records are named and skipped. It
    is 2 if there is no such player, no analysis or no mistake, or the deck cannot be written. A deck that this command
    has written is replaced.
    """
    must_be_named(output, *paths)
    inputs = [source.archive or source.path for source in sources(paths)]
    names = Counter[str]()
    pictures = dict[str, str]()
    player = choice.pop("player")
    same = dict(choice.pop("same"))
    with refusing(), output_file(output, *inputs, force=force, is_ours=is_deck):
        mistakes = _mistakes_in(
            records.scan(*paths, unique="game", **choice), same, names, **choice
        )
        mine = (
            mistake for mistake in mistakes if mistake[0] >= error and player in {None, mistake[1]}
        )
        if not (worst := nlargest(most, mine, key=itemgetter(0))):
            raise Refused(_why_no_cards(player, names, error))
        notes = {note[0]: note for note in (_note_about(*mistake, pictures) for mistake in worst)}
        write_output(output, deck_of(notes.values(), pictures))
    if output != "-":
        click.echo(
            f"{counted(len(notes), 'card', ',')} in {safe(output)}: in Anki, choose File, Import"
        )


def _mistakes_in(
    entries: Iterable[Scanned],
    same: Mapping[str, str],
    names: Counter[str],
    by: str | None,
    at: str | None,
) -> Iterator[tuple[float, str, Decision]]:
    """What each mistake cost, who made it, and the decision; players are counted with their analyzed decisions."""
    for entry in entries:
        if entry.match is None and entry.is_named:
            say(entry.path, f"skipped: {entry.error}")
        players = players_of(entry.match, same, entry.path) if entry.match else []
        names.update(dict.fromkeys(players, 0))
        for decision in entry.match.decisions() if entry.match else ():
            analysis = decision.analysis
            name = Pair(players)[decision.player]
            if analysis and is_by(analysis.engine, by) and at in {None, level_of(analysis)}:
                names[name] += 1
                if decision.error and decision.kind in _ASKED and xgid_of(decision.state):
                    yield decision.error, name, decision


def _why_no_cards(player: str | None, names: Counter[str], error: float) -> str:
    """Why there are no cards."""
    if player is not None and player not in names:
        others = (
            ", ".join(shown(name, 60) for name, _ in names.most_common(3)) or "no match can be read"
        )
        return f"there is no player {shown(player, 60)} in these records: {others}"
    if not names.total():
        return "no decision is analyzed, or none as --by and --at say: gammonrules analyze does it"
    return f"no mistake costs {error:g} or more: a smaller --error asks for others"


def _note_about(
    error: float, name: str, decision: Decision, pictures: dict[str, str]
) -> tuple[str, list[str], str]:
    """A note for the deck, whose pictures are added.

    Whoever decides is White there, so that a position is the same card in both colors.
    """
    state = decision.state if decision.player is Player.WHITE else decision.state.swap_players()
    xgid = xgid_of(state)
    kind = state.position.kind
    plays = decision.play_analysis
    whose = blake2b(f"{name}\0{xgid}\0{decision.kind}".encode(errors="replace"), digest_size=8)
    board = partial(svg.table, state, names=("You", "They"), numbers="fixed")
    key = f"gammonrules-{whose.hexdigest()}"
    pictures[f"{key}.svg"] = board()
    seen = ""
    if plays and plays.best:
        with suppress(GammonError):  # of what a stranger's file calls the best play
            pictures[f"{key}-best.svg"] = board(arrows=plays.best.play)
            seen = f'<img src="{key}-best.svg">'
    best, made = (escape(harmless(words)) for words in (best_words(decision), done_words(decision)))
    others = panel(cast("Analysis", decision.analysis), decision.event.action, FEW_PLAYS).to_html()
    answer = seen, best, f"{made}, {signed(-error)}", _better_chances(plays), others, kind, xgid
    fields = [f'<img src="{key}.svg">', _ASKED[decision.kind].format(decision.dice), *answer]
    return key, fields, f"{decision.kind} {kind.replace(' ', '-')}"


def _better_chances(plays: PlayAnalysis | None) -> str:
    """How the chances of the best play differ from those of the one that was made."""
    best, made = (
        (play and play.chances for play in (plays.best, plays.made)) if plays else (None, None)
    )
    if best is None or made is None:
        return ""
    more = {
        words: 100 * (getattr(best, chance) - getattr(made, chance))
        for words, chance in _COMPARED.items()
    }
    return ", ".join(f"{number:+.1f}% {words}" for words, number in more.items())
