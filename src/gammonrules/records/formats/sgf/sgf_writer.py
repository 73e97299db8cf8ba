"""The canonical text of a record, as GNU Backgammon imports it: one tree a game, one node an action."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, cast

from attrs import Factory, define

from gammonrules.board import Position
from gammonrules.errors import GammonError
from gammonrules.match import (
    TO_ACT,
    Action,
    Cube,
    End,
    Event,
    MatchState,
    Phase,
    Player,
    SetPosition,
)
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT
from gammonrules.records.formats.sgf.sgf_analyses import letters_of_play, properties_of
from gammonrules.records.formats.sgf.sgf_reader import LARGEST_SGF
from gammonrules.records.formats.sgf.sgf_root import OWN, RATINGS, STARTS, TAGS, tags_for_rules
from gammonrules.records.formats.sgf.sgf_trees import COLORS, LETTERS
from gammonrules.records.transcript import (
    LONGEST_QUOTE,
    Game,
    Match,
    StoredAnalysis,
    begins_with_its_turn,
    decoded,
    won_in,
)
from gammonrules.rules import Rules
from gammonrules.values import printable

_WORDS: Final = {start: word for word, start in STARTS.items()}
_PROPERTIES: Final = {tag: name for name, tag in TAGS.items()}
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_SPECIAL = re.compile(r"([\\\]])")


def write_sgf(match: Match, replayed: list[list[MatchState]]) -> str:
    properties, comment = properties_and_lines(match)
    header = [*properties, value("GC", "\n".join(comment))] if comment else properties
    text = ""
    games = [Nodes(game, states).fill() for game, states in zip(match.games, replayed, strict=True)]
    program = program_of(next((game.engine for game in games if game.engine), ""))
    for nodes in games:
        root = root_text(
            match, nodes.game, nodes.states, header=[] if text else header, program=program
        )
        text += "\n".join([f"(;{root}", *nodes.nodes]) + ")\n"
    if len(text) > LARGEST_SGF:
        raise GammonError(
            "this record cannot be written in this format: with its analyses it would be too large"
        )
    return text


def value(name: str, text: str) -> str:
    return f"{name}[{escaped_value(text)}]"


def escaped_value(text: str) -> str:
    """A text as a value contains it, without control characters."""
    return _SPECIAL.sub(r"\\\1", "\n".join(map(printable, text.split("\n"))))


def without_breaks(text: str) -> str:
    return " ".join(text.split("\n"))


def properties_and_lines(match: Match) -> tuple[list[str], list[str]]:
    """The facts about the match: those that have a property, and the lines of its comment."""
    properties: dict[str, str] = {}
    lines: list[str] = []
    names = {name for name, _ in match.tags}
    for tag, tag_value in tags_for_rules(match):
        text = without_breaks(tag_value)
        name = _PROPERTIES.get(tag, "")
        has_property = bool(name) and name not in properties and bool(text.strip())
        if tag == "EventDate":
            has_property &= _DATE.fullmatch(text) is not None
            text = _DATE.sub(r"\1-\2-\3", text) if has_property else text
        if tag in RATINGS.values():
            # which may say that they are in the other order
            has_property &= names.isdisjoint(("Player 1", "Player 2"))
        if has_property:
            properties[name] = text
        else:
            lines.append(f'[{without_breaks(tag)} "{text}"]')
    lines += [
        without_breaks(comment) for comment in match.comments if escaped_value(comment).strip()
    ]
    return [value(name, properties[name]) for name in TAGS if name in properties], lines


def root_text(
    match: Match, game: Game, states: list[MatchState], header: list[str], program: str
) -> str:
    white, black = game.score
    parts = [f"FF[4]GM[6]CA[UTF-8]AP[{program}]"]
    parts += [
        f"MI[length:{game.start.length or 0}][game:{game.number - 1}][ws:{white}][bs:{black}]"
    ]
    parts += [
        f"P{COLORS[side]}[{escaped_value(without_breaks(match.players[side])).strip()}]"
        for side in Player
    ]
    if words := ":".join(words_of_rules(match.rules, game.start)):
        parts.append(f"RU[{words}]")
    parts += [f"RE[{words}]" for words in result_of(game, states[-1])]
    # after ties
    first = next((state for state in states if state.phase is not Phase.OPENING), states[-1])
    if first.cube.owner is None and first.cube.value > 1:
        parts.append(f"CV[{first.cube.value}]")
    lines = [without_breaks(comment) for comment in game.comments if escaped_value(comment).strip()]
    if (result := states[-1].result) is not None and result.end is End.FORFEITED:
        lines.append(f"{without_breaks(match.players[result.winner])}{WINS_BY_FORFEIT}")
    parts += header  # comments of many lines at the end
    return "".join([*parts, value("C", "\n".join(lines))] if lines else parts)


def program_of(engine: str) -> str:
    """GNU Backgammon, if it made the analyses; else this program, with the engine that did."""
    name, _, version = engine.rpartition(" ")
    program = (
        f"{name}:{version}" if name == "GNU Backgammon" else f"{OWN}:{engine}" if engine else OWN
    )
    return escaped_value(without_breaks(program[:LONGEST_QUOTE]))


def words_of_rules(rules: Rules, start: MatchState) -> Iterator[str]:
    is_crawford = start.length is not None and rules.crawford
    words = {
        "Crawford": is_crawford,
        "CrawfordGame": is_crawford and start.crawford,
        "Jacoby": start.length is None and rules.jacoby,
        "NoCube": not rules.cube,
        _WORDS.get(rules.start, ""): rules.start in _WORDS,
    }
    return (word for word, is_said in words.items() if is_said)


def result_of(game: Game, final: MatchState) -> Iterator[str]:
    """Who won how much; for a game without a result, what its file stated."""
    if (result := final.result) is not None:
        given_up = result.end in {End.RESIGNED, End.FORFEITED}
        yield f"{COLORS[result.winner]}+{result.points}{'R' * given_up}"
    elif (won := won_in(game)) is not None:
        yield f"{COLORS[won[0]]}+{won[1]}"


@define
class Nodes:
    game: Game
    states: list[MatchState]
    nodes: list[str] = Factory(list[str])
    rolled: int | None = None
    """The index of the roll whose analysis is not yet written: it stands with the play."""
    engine: str = ""
    """The first program whose analysis is written."""
    notes: list[str] = Factory(list[str])
    """Remarks about the node that is not finished."""

    def fill(self) -> Nodes:
        """Write all nodes. An offer to resign that was not accepted cannot be written."""
        self.add_start(self.states[0])
        for index, (event, before) in enumerate(zip(self.game.events, self.states, strict=False)):
            self.notes += [note for note in self.game.notes[index : index + 1] if note]
            if index == 0 and begins_with_its_turn(self.game.events, self.states):
                continue
            if isinstance(event, Event):
                self.add_action(index, event, before)
                continue
            # the roll before a position set by hand, or before a forfeit
            if before.dice is not None:
                self.add_dice(before)
            if isinstance(event, SetPosition):
                self.set_up(event.position, event.on_roll, event.cube)
        final = self.states[-1]
        if final.result is None and final.dice is not None:
            self.add_unplayed(final, self.written(self.game.pending_analysis, final))
        if not self.nodes and final.on_roll is not None:  # nothing shows who starts
            self.set_up(final.view(final.on_roll), final.on_roll, None)
        return self

    def stored(self, index: int) -> str:
        analyses = self.game.analyses
        return self.written(analyses[index], self.states[index]) if index < len(analyses) else ""

    def written(self, analysis: StoredAnalysis | None, state: MatchState) -> str:
        """An analysis as properties, whose engine becomes that of the game if it is the first."""
        text = properties_of(analysis, state)
        if text and not self.engine and (read := decoded(analysis, state)) is not None:
            self.engine = read.engine
        return text

    def finish(self, node: str) -> None:
        self.nodes.append(f";{node}{value('C', chr(10).join(self.notes)) if self.notes else ''}")
        self.notes = []

    def add_start(self, start: MatchState) -> None:
        """A board, a cube or a double with which the game begins, if that is unusual."""
        if start.phase is Phase.OPENING and start.position == Position.start(start.rules.start):
            return
        player = next(
            (state.on_roll for state in self.states if state.on_roll is not None), Player.WHITE
        )
        self.set_up(start.view(player), player, None if start.cube == Cube() else start.cube)
        if (offer := start.pending_double) is not None:
            # a double, then beavers: the odd ones are the doubler's
            sides = (
                offer.by if turn % 2 else offer.answerer for turn in range(1, offer.beavers + 2)
            )
            self.nodes += [f";{COLORS[side]}[double]" for side in sides]

    def add_action(self, index: int, event: Event, before: MatchState) -> None:
        """One action; a roll comes with its play, and the analysis of it with the roll."""
        actor = before.to_act if event.by is TO_ACT else event.by
        color = "" if actor is None else COLORS[actor]
        result = self.states[-1].result
        is_resigned = result is not None and result.end is End.RESIGNED
        match event.action:
            case Action.ROLL:
                self.rolled = index
            case Action.PLAY:
                played = f"{before.dice}{letters_of_play(event.argument, before)}"
                self.finish(f"{color}[{played}]{self.take_analysis()}{self.stored(index)}")
            case Action.DOUBLE | Action.BEAVER:
                self.finish(f"{color}[double]{self.stored(index)}")
            case Action.TAKE | Action.DROP:
                self.finish(f"{color}[{event.action.value}]{self.stored(index)}")
            case Action.RESIGN if (
                before.dice is not None and is_resigned and index >= len(self.game.events) - 2
            ):
                self.add_unplayed(before, self.stored(index))
            # of an offer with which the record begins
            case Action.ACCEPT if before.dice is not None and index == 0:
                self.add_unplayed(before, "")
            case _:  # an opening roll comes with its play, and the result says that a resignation was accepted
                pass

    def take_analysis(self) -> str:
        """The analysis of the decision to roll, which is kept with the roll."""
        index = self.rolled
        self.rolled = None
        return "" if index is None else self.stored(index)

    def add_dice(self, state: MatchState) -> None:
        self.finish(f"PL[{COLORS[cast('Player', state.on_roll)]}]DI[{state.dice}]")
        self.rolled = None  # no reader looks for an analysis here

    def add_unplayed(self, state: MatchState, analysis: str) -> None:
        """A roll that has yet to be played, or before a resignation, with what an engine says of it."""
        if analyses := self.take_analysis() + analysis:
            self.finish(f"{COLORS[cast('Player', state.on_roll)]}[{state.dice}]{analyses}")
        else:
            self.add_dice(state)

    def set_up(self, position: Position, player: Player, cube: Cube | None) -> None:
        """A board, and a cube unless it is left as it is, in nodes of their own: GNU Backgammon reads no others."""
        checkers = ""
        for side in Player:
            board = position if side is player else position.flip()
            letters = "".join(
                f"[{LETTERS[side][point]}]" * board.points[point] for point in range(1, 26)
            )
            checkers += f"A{COLORS[side]}{letters}" if letters else ""
        self.finish(f"PL[{COLORS[player]}]AE[a:y]{checkers}")
        if cube is not None:
            owner = "c" if cube.owner is None else COLORS[cube.owner].lower()
            self.nodes += [f";CV[{cube.value}]", f";CP[{owner}]"]
