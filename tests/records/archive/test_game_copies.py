"""Which games count as copies, in reports and in tables: the same by both, whatever the order of the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import attrs
import pytest

import loop
from gammonrules import Dice, Event, MatchState, Player
from gammonrules.records import Candidate, Decision, Game, Match, PlayAnalysis, dump, export, openings, scan, to_table
from gammonrules.records.internals import tallied
from gammonrules.records.page import Tally

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")

Drawn: TypeAlias = tuple[int, int]
"""The seed of a game and its number of rolls; two are equal if they are at the same score."""
SHORT, OTHER_SHORT = (1, 2), (2, 2)
SEVEN, EIGHT, LONG, OTHER_LONG = (3, 7), (3, 8), (3, 12), (4, 12)
ANN, ANNIE, CARL = ("Ann", "Bob"), ("Annie", "Bob"), ("Carl", "Dora")
NOBODY, ONE, TWINS = ("", ""), ("Ann", ""), ("Ann", "Ann")


def actions_of(drawn: Drawn, state: MatchState, winner: Player) -> Iterator[Event]:
    """A game of so many rolls, each of which moves a checker; then a double is dropped, and the winner has a point."""
    seed, rolls = drawn
    rng = Random(seed)
    is_white_first = (rolls % 2 == 0) == (winner is Player.WHITE)  # after the last roll, the winner may double
    starter = (3, 1) if is_white_first else (1, 3)
    for number in range(rolls):
        rolled = Event("roll", argument=Dice.random(rng)) if number else Event("opening_roll", argument=starter)
        state = state.apply(rolled)
        play = state.legal_plays[rng.randrange(len(state.legal_plays))]
        assert play.moves
        state = state.apply(Event("play", argument=play))
        yield from (rolled, Event("play", argument=play))
    assert state.on_roll is winner
    yield from (Event("double"), Event("drop"))


@cache
def match_of(players: tuple[str, str], *drawn: Drawn, winner: Player = Player.WHITE, length: int = 9) -> Match:
    """A match of these games, in which each play is analyzed."""
    start = state = MatchState.new(length)
    events: list[Event] = []
    for number, game in enumerate(drawn):
        between = [Event("next_game")] if number else []
        state = state.apply(between[0]) if number else state
        actions = [*actions_of(game, state, winner)]
        for action in actions:
            state = state.apply(action)
        events += [*between, *actions]
    match = Match.from_events(players, start, events)
    return attrs.evolve(match, games=tuple(map(analyzed_plays, match.games)))


def analyzed_plays(game: Game) -> Game:
    analyses: list[PlayAnalysis | None] = [None] * len(game.events)
    for decision in game.decisions():
        if decision.kind == "play":
            analyses[decision.index] = analysis_of(decision)
    return attrs.evolve(game, analyses=tuple(analyses))


def analysis_of(decision: Decision) -> PlayAnalysis:
    plays = decision.state.legal_plays
    made = plays.find(decision.action)
    worth = [(made, 0.1), *[(play, 0.0) for play in plays if play != made][:1]]
    candidates = [Candidate(str(play), play.position, equity, level="2-ply") for play, equity in worth]
    return PlayAnalysis(tuple(candidates), 0, engine="engine")


def rows_of(matches: Iterable[Match | Path], unique: Any = False) -> int:
    """The decisions in the table that count, as of plays with a choice."""
    return sum(row["counts_xg"] is True for row in to_table(matches, unique=unique).to_pylist())


def tally_of(matches: Sequence[Match | Path], **options: Any) -> Tally:
    arguments: dict[str, Any] = dict.fromkeys(("player", "analyzed_by", "analysis_level", "aliases", "workers"))
    return tallied([matches], **{**arguments, "rule": "xg", **options})


def in_report(matches: Sequence[Match | Path], **options: Any) -> int:
    tally = tally_of(matches, **options)
    return tally.decisions(tally.evaluators()[0])


@loop.rows(
    ("played", "again", "copies"),
    ((CARL, SHORT), (ANN, SHORT), 0),  # equal by chance
    ((CARL, SEVEN), (ANN, SEVEN), 0),
    ((CARL, EIGHT), (ANN, EIGHT), 1),
    ((ANN, SHORT), (ANN, SHORT), 1),
    ((ANN, SHORT), (ANN[::-1], SHORT), 0),  # the other player rolls first
    ((ANN, SHORT, LONG), (ANN[::-1], SHORT, LONG), 2),
    ((NOBODY, SHORT), (NOBODY, SHORT), 1),  # all games are equal
    ((NOBODY, SHORT, LONG), (NOBODY, SHORT, OTHER_LONG), 0),
    ((ONE, SHORT, LONG), (ONE, SHORT, OTHER_LONG), 0),
    ((TWINS, SHORT, LONG), (TWINS, SHORT, OTHER_LONG), 0),
    ((CARL, SHORT, LONG), (ANN, SHORT, LONG), 2),
    ((CARL, SHORT, LONG), (ANN, SHORT, EIGHT), 1),  # the long game is cut, and still tells that it is the same match
    ((CARL, SHORT, LONG), (ANN, SHORT, OTHER_LONG), 0),
    ((CARL, SHORT, LONG), (ANN, OTHER_SHORT, LONG), 1),
    ((CARL, LONG, SHORT), (ANN, LONG, SHORT, OTHER_LONG), 2),
    ((ANN, SHORT, LONG), (ANN, SHORT, OTHER_LONG), 1),
)
def test_the_rule(played: tuple[Any, ...], again: tuple[Any, ...], copies: int) -> None:
    """Of two matches, so many games are copies: the last ones of those that are equal."""
    matches = first, second = match_of(*played), match_of(*again)
    equal = [game for game, twin in zip(*(match.games for match in matches), strict=False) if game == twin]
    left_out = equal[len(equal) - copies :]
    expected = rows_of(matches) - rows_of([attrs.evolve(first, games=(game,)) for game in left_out])
    for in_order in ([first, second], [second, first]):
        assert in_report(in_order) == rows_of(in_order, "game") == expected, (played, again)


def test_a_copy_with_the_players_exchanged_is_a_copy() -> None:
    match = match_of(ANN, SHORT, OTHER_SHORT)
    exchanged = match_of(ANN[::-1], SHORT, OTHER_SHORT, winner=Player.BLACK)
    assert exchanged.fingerprint == match.fingerprint
    assert in_report([match, exchanged]) == in_report([match]) == rows_of([match, exchanged], "game")
    assert rows_of([match, exchanged], "match") == rows_of([match])


def test_names_are_compared_as_they_are_listed() -> None:
    matches = [match_of(ANN, SHORT), match_of(ANNIE, SHORT)]
    assert in_report(matches) == 2 * in_report(matches, aliases={"Annie": "Ann"}) == 2 * rows_of(matches[:1])


def test_the_order_of_the_records_does_not_matter() -> None:
    """The record that links the others has the names of one of them, and the long game of the other."""
    link = match_of(ANNIE, SHORT, LONG)
    matches = [match_of(ANN, SHORT, LONG), link, match_of(ANNIE, SHORT, OTHER_LONG)]
    counts = {(in_report(order), rows_of(order, "game")) for order in permutations(matches)}
    games = rows_of(matches) - rows_of([link]) - rows_of([match_of(ANN, SHORT)])
    assert counts == {(games, games)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three matches with an equal short game, one of them in two records, and in a third one that is cut.

    The copy is not analyzed, which makes no difference to the counts.
    """
    whole = match_of(CARL, SHORT, LONG, OTHER_LONG)
    cut = match_of(CARL, SHORT, LONG).games[1]
    cut = attrs.evolve(cut, events=cut.events[:-4], analyses=cut.analyses[:-4])
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name, match in (
        ("a", match_of(ANN, SHORT, OTHER_LONG)),
        ("b", match_of(ANNIE, SHORT, SEVEN)),
        ("c", whole),
        ("copy", attrs.evolve(whole, games=tuple(attrs.evolve(game, analyses=()) for game in whole.games))),
        ("cut", attrs.evolve(whole, games=(whole.games[0], cut))),
    ):
        dump(match, Path("in", f"{name}.json"))
    return Path("in")


def test_a_record_that_is_cut_adds_no_match_to_a_player(folder: Path) -> None:
    tally = tally_of([folder])
    (sums,) = tally.totals.values()
    assert {name: total.counts["matches"] for name, total in sums.items()} == dict.fromkeys(
        ["Ann", "Annie", "Carl", "Dora"], 1
    ) | {"Bob": 2}


def test_a_report_and_export_have_the_same_decisions(folder: Path) -> None:
    """Of files, where no record is cut or has a part of another."""
    (folder / "cut.json").unlink()
    matches = [entry.match for entry in scan(folder, unique=True) if entry.match]
    assert in_report([folder]) == sum(map(rows_of, ([match] for match in matches))) == rows_of([folder], "match")
    assert len(matches) == 3


def test_equal_short_games_of_others_are_other_openings(tmp_path: Path) -> None:
    exchanged = match_of(ANN[::-1], SHORT, winner=Player.BLACK)
    matches = [*[match_of(players, SHORT) for players in (ANN, CARL, ANN, ANN[::-1])], exchanged]
    matches += [match_of(ANN, LONG), match_of(CARL, LONG)]
    for number, match in enumerate(matches):
        dump(match, tmp_path / f"{number}.json")
    export(tmp_path, tmp_path / "table.parquet")
    played = [row["games"] for row in openings(tmp_path / "table.parquet") if not row["opening"]]
    assert sorted(played) == [1, 3]
