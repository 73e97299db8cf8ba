"""A player is a `Player` or its string, wherever the library accepts one."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

import loop
import wording
from gammonrules import (
    ArgumentError,
    Cube,
    Double,
    End,
    Event,
    Forfeit,
    GammonError,
    IllegalActionError,
    MatchState,
    Player,
    Position,
    Resignation,
    Result,
    SetPosition,
    Win,
    draw,
    records,
)
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.match import Clock, Pair

START = MatchState.new(7, score=(1, 3)).opening_roll(white=1, black=3)
TO_ROLL = START.play("8/5 6/5").roll("21").play("13/10")
OVER = START.resign("gammon", by="white").accept()
FIVE = Chances(0.5, 0.1, 0.01, 0.1, 0.01)
_WHOLE = records.load(Path(__file__).parents[1] / "examples" / "matches" / "galaxy" / "match1033650.txt")
MATCH = attrs.evolve(_WHOLE, games=_WHOLE.games[:1])
DECISION = [*MATCH.games[0].decisions()][1]

CALLS: dict[str, Callable[[Any], object]] = {
    "index of a score": lambda player: START.score[player],
    "index of names": lambda player: MATCH.players[player],
    "index of error rates": lambda player: MATCH.error_rates()[player],
    "view": START.view,
    "legal_actions_of": START.legal_actions_of,
    "possible_wins": START.possible_wins,
    "forfeit": START.forfeit,
    "opening_roll": lambda player: MatchState.new(7).opening_roll(3, 1, by=player),
    "play": lambda player: START.play("8/5 6/5", by=player),
    "roll": lambda player: TO_ROLL.roll("31", by=player),
    "double": lambda player: TO_ROLL.double(by=player),
    "resign": lambda player: START.resign(by=player),
    "next_game": OVER.next_game,
    "receive": lambda player: START.receive({"action": "resign"}, player, roll=lambda: (3, 1)),
    "starter of receive": lambda player: OVER.receive(
        {"action": "next_game"}, Player.WHITE, roll=lambda: (3, 1), starter=player
    ),
    "on_roll": lambda player: MatchState(Position.start(), player),
    "evolve": lambda player: attrs.evolve(TO_ROLL, on_roll=player),
    "Event": lambda player: Event("take", player),
    "starter of an Event": lambda player: Event("next_game", argument=player),
    "Forfeit": Forfeit,
    "SetPosition": lambda player: SetPosition(Position.start(), player),
    "Cube": lambda player: Cube(2, player),
    "Double": lambda player: Double(player, 2),
    "Resignation": lambda player: Resignation(player, Win.SINGLE),
    "Result": lambda player: Result(player, Win.SINGLE, 1, End.PLAYED),
    "Clock": lambda player: Clock((60, 60), on_clock=player, used=1.0),
    "left": lambda player: Clock((60, 50)).left(player, now=1),
    "RecordedResult": lambda player: records.RecordedResult(player, 1),
    "svg.match_state": lambda player: draw.svg.match_state(START, bottom=player),
    "svg.match_state of a decision": lambda player: draw.svg.match_state(DECISION, bottom=player),
    "text.match_state": lambda player: draw.text.match_state(START, bottom=player),
    "to_html": lambda player: records.to_html(MATCH, bottom=player, player=player),
    "chance": lambda player: KAZAROSS_XG2.chance(START, player),
    "chance_after": lambda player: KAZAROSS_XG2.chance_after(START, player, 1),
    "to_equity": lambda player: KAZAROSS_XG2.to_equity(0.5, START, player),
    "to_chance": lambda player: KAZAROSS_XG2.to_chance(0.5, START, player),
    "chance_from": lambda player: KAZAROSS_XG2.chance_from(FIVE, START, player),
    "equity_from": lambda player: KAZAROSS_XG2.equity_from(FIVE, START, player),
    "doubling_window": lambda player: KAZAROSS_XG2.doubling_window(START, player),
    "gammon_value": lambda player: KAZAROSS_XG2.gammon_value(START, player),
}
"""Everything that accepts a player."""


def outcome(name: str, player: str) -> object:
    """What a call returns, or the error of a player who is not to act."""
    try:
        return CALLS[name](player)
    except IllegalActionError as error:
        return error.reason


@loop.over("name", CALLS)
def test_a_string_is_the_player(name: str) -> None:
    for player in Player:
        assert outcome(name, player.value) == outcome(name, player)


@loop.over("name", CALLS)
def test_another_string_is_no_player(name: str) -> None:
    with pytest.raises(GammonError) as caught:
        CALLS[name]("gray")
    wording.check(caught.value, "'gray'")


@loop.over("name", CALLS)
def test_a_misspelled_player_is_corrected(name: str) -> None:
    """At the end of the sentence, after the strings that are accepted."""
    with pytest.raises(GammonError) as caught:
        CALLS[name]("Blacks")
    wording.check(caught.value, "'Blacks'")
    assert str(caught.value).endswith('; did you mean "black"?')
    if name != "starter of an Event":  # which accepts a position too
        wording.check(caught.value, 'Player.WHITE ("white")', 'Player.BLACK ("black")')


def test_other_indexes_of_a_pair() -> None:
    names = Pair(("Ann", "Bob"))
    assert (names["white"], names["black"], names[-1], names[:1]) == ("Ann", "Bob", "Bob", ("Ann",))
    assert pickle.loads(pickle.dumps(names))["black"] == "Bob"
    for index in (None, 1.0, ("white",)):
        with pytest.raises(TypeError):
            names[index]  # type: ignore[call-overload]
    with pytest.raises(IndexError):
        names[2]
    with wording.tells(ArgumentError, "the index", "Player.WHITE", "Player.BLACK", "'take'"):
        names["take"]  # type: ignore[call-overload]


def test_a_pair_contains_its_values() -> None:
    """A player may be called "white"."""
    names = Pair(("Ann", "white"))
    assert ["Ann" in names, "white" in names, "black" in names, Player.BLACK in names] == [True, True, False, False]
    assert (names.index("white"), names.count("black")) == (1, 0)
