"""The canonical text of a record, as GNU Backgammon imports it: one tree a game, one node an action."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import Factory, define

from gammonrules.analysis.internals import StoredAnalysis, decoded
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
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT, next_player_of
from gammonrules.records.formats.sgf.sgf_analyses import letters_of_play, properties_of
from gammonrules.records.formats.sgf.sgf_reader import MAX_SGF_SIZE
from gammonrules.records.formats.sgf.sgf_root import OWN, RATINGS, STARTS, TAGS, tags_for_rules
from gammonrules.records.formats.sgf.sgf_trees import COLORS, LETTERS
from gammonrules.records.transcript import (
    MAX_QUOTE_LENGTH,
    Game,
    Match,
    begins_with_its_turn,
    won_in,
)
from gammonrules.rules import Rules
from gammonrules.values import printable

_WORDS: Final = {start: word for word, start in STARTS.items()}
_PROPERTIES: Final = {tag: name for name, tag in TAGS.items()}
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_SPECIAL = re.compile(r"([\\\]])")


def write_sgf(match: Match, replayed: list[list[MatchState]]) -> str:
    """The file; `replayed` has the states of each game. Raises GammonError if it would be too large."""
    header, comment = properties_and_lines(match)
    if comment:
        header.append(value("GC", "\n".join(comment)))
    games = [Nodes(game, states).fill() for game, states in zip(match.games, replayed, strict=True)]
    engines = [game.engine for game in games if game.engine]
    program = program_of(engines[0] if engines else "")
    text = ""
    for index, nodes in enumerate(games):
        is_first_game = index == 0
        about_match = header if is_first_game else []
        root = root_text(match, nodes.game, nodes.states, header=about_match, program=program)
        lines_of_game = [f"(;{root}", *nodes.nodes]
        text += "\n".join(lines_of_game) + ")\n"
    if len(text) > MAX_SGF_SIZE:
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
    """The facts about the match: the properties of those that have one, and the lines of its comment for the others."""
    properties: dict[str, str] = {}
    lines: list[str] = []
    # a tag that names a player may say that the ratings are in the other order, so they have no property then
    are_players_named = any(name in ("Player 1", "Player 2") for name, _ in match.tags)
    for tag, tag_value in tags_for_rules(match):
        text = without_breaks(tag_value)
        name = _PROPERTIES.get(tag)
        value_of_property = text  # "" if the property cannot say it
        if tag == "EventDate":
            is_date = _DATE.fullmatch(text) is not None
            value_of_property = _DATE.sub(r"\1-\2-\3", text) if is_date else ""
        elif tag in RATINGS.values() and are_players_named:
            value_of_property = ""
        if name is None or name in properties or not value_of_property.strip():
            lines.append(f'[{without_breaks(tag)} "{text}"]')
        else:
            properties[name] = value_of_property
    lines += lines_of_comments(match.comments)
    # always in the same order
    in_order = [value(name, properties[name]) for name in TAGS if name in properties]
    return in_order, lines


def lines_of_comments(comments: Iterable[str]) -> list[str]:
    return [without_breaks(comment) for comment in comments if escaped_value(comment).strip()]


def root_text(
    match: Match, game: Game, states: list[MatchState], header: list[str], program: str
) -> str:
    white, black = game.score
    final = states[-1]
    length = game.start.length or 0
    parts = [
        f"FF[4]GM[6]CA[UTF-8]AP[{program}]",
        f"MI[length:{length}][game:{game.number - 1}][ws:{white}][bs:{black}]",
    ]
    for side in Player:
        name = escaped_value(without_breaks(match.players[side])).strip()
        parts.append(f"P{COLORS[side]}[{name}]")
    rules = ":".join(words_of_rules(match.rules, game.start))
    if rules:
        parts.append(f"RU[{rules}]")
    result = result_of(game, final)
    if result is not None:
        parts.append(f"RE[{result}]")
    # ties of the opening roll may have doubled the cube
    state_after_opening = next(
        (state for state in states if state.phase is not Phase.OPENING), final
    )
    cube = state_after_opening.cube
    if cube.owner is None and cube.value > 1:
        parts.append(f"CV[{cube.value}]")
    lines = lines_of_comments(game.comments)
    if final.result is not None and final.result.end is End.FORFEITED:
        winner = without_breaks(match.players[final.result.winner])
        lines.append(f"{winner}{WINS_BY_FORFEIT}")
    parts += header  # these two come last, since they may have many lines
    if lines:
        parts.append(value("C", "\n".join(lines)))
    return "".join(parts)


def program_of(engine: str) -> str:
    """GNU Backgammon, if it made the analyses; else this program, with the engine that did."""
    name, _, version = engine.rpartition(" ")
    if engine == "":
        program = OWN
    elif name == "GNU Backgammon":
        program = f"{name}:{version}"
    else:
        program = f"{OWN}:{engine}"
    return escaped_value(without_breaks(program[:MAX_QUOTE_LENGTH]))


def words_of_rules(rules: Rules, start: MatchState) -> Iterator[str]:
    if start.length is None:
        if rules.jacoby:
            yield "Jacoby"
    elif rules.crawford:
        yield "Crawford"
        if start.crawford:
            yield "CrawfordGame"
    if not rules.cube:
        yield "NoCube"
    if rules.start in _WORDS:
        yield _WORDS[rules.start]


def result_of(game: Game, final: MatchState) -> str | None:
    """The winner and the points as SGF writes them; for a game without a result, what its file stated."""
    if final.result is not None:
        is_given_up = final.result.end in {End.RESIGNED, End.FORFEITED}
        mark = "R" if is_given_up else ""
        return f"{COLORS[final.result.winner]}+{final.result.points}{mark}"
    won = won_in(game)
    if won is None:
        return None
    winner, points = won
    return f"{COLORS[winner]}+{points}"


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
        skips_first = begins_with_its_turn(self.game.events, self.states)
        steps = zip(self.game.events, self.states, self.states[1:], strict=False)
        for index, (event, before, after) in enumerate(steps):
            note = self.game.notes[index] if index < len(self.game.notes) else None
            if note:
                self.notes.append(note)
            # an event that only gives the turn to the player whose node comes next
            if index == 0 and skips_first:
                continue
            if isinstance(event, Event):
                self.add_action(index, event, before, after)
                continue
            # a position set by hand, or a forfeit: no play shows the roll before it
            if before.dice is not None:
                self.add_dice(before)
            if isinstance(event, SetPosition):
                next_player = next_player_of(event, before, after)
                self.set_up(after.view(next_player), next_player, event.cube)
        self.add_end(self.states[-1])
        return self

    def add_end(self, final: MatchState) -> None:
        if final.result is None and final.dice is not None:
            self.add_unplayed(final, self.written(self.game.pending_analysis, final))
        if not self.nodes and final.on_roll is not None:  # nothing shows who starts
            self.set_up(final.view(final.on_roll), final.on_roll, None)

    def stored(self, index: int) -> str:
        """The analysis of the decision that this event makes, as properties."""
        analyses = self.game.analyses
        return self.written(analyses[index], self.states[index]) if index < len(analyses) else ""

    def written(self, analysis: StoredAnalysis | None, state: MatchState) -> str:
        """An analysis as properties, whose engine becomes that of the game if it is the first."""
        text = properties_of(analysis, state)
        if text and not self.engine:
            decoded_analysis = decoded(analysis, state)
            if decoded_analysis is not None:
                self.engine = decoded_analysis.engine
        return text

    def finish(self, node: str) -> None:
        """Write a node, with the remarks about it."""
        comment = value("C", "\n".join(self.notes)) if self.notes else ""
        self.nodes.append(f";{node}{comment}")
        self.notes = []

    def add_start(self, start: MatchState) -> None:
        """A board, a cube or a double with which the game begins, if that is unusual."""
        usual_board = Position.start(start.rules.start)
        if start.phase is Phase.OPENING and start.position == usual_board:
            return
        turns = [state.on_roll for state in self.states if state.on_roll is not None]
        first_player = turns[0] if turns else Player.WHITE
        unusual_cube = None if start.cube == Cube() else start.cube
        self.set_up(start.view(first_player), first_player, unusual_cube)
        double = start.pending_double
        if double is not None:
            side = double.by
            for _ in range(double.beavers + 1):  # a double, then beavers
                self.nodes.append(f";{COLORS[side]}[double]")
                side = side.opponent

    def add_action(self, index: int, event: Event, before: MatchState, after: MatchState) -> None:
        """Add an action; a roll comes with its play, and the analysis of it with the roll."""
        actor = before.to_act if event.by is TO_ACT else event.by
        color = "" if actor is None else COLORS[actor]
        match event.action:
            case Action.ROLL:
                self.rolled = index
            case Action.PLAY if before.on_roll is not None:
                play = before.legal_plays.find(after.position)
                letters = letters_of_play(play, before.on_roll)
                analyses = self.take_analysis() + self.stored(index)
                self.finish(f"{color}[{before.dice}{letters}]{analyses}")
            case Action.DOUBLE | Action.BEAVER:
                self.finish(f"{color}[double]{self.stored(index)}")
            case Action.TAKE | Action.DROP:
                self.finish(f"{color}[{event.action.value}]{self.stored(index)}")
            case Action.RESIGN if before.dice is not None and self.is_last_resignation(index):
                self.add_unplayed(before, self.stored(index))
            case Action.ACCEPT if before.dice is not None and index == 0:
                # the record begins with an offer to resign, after this roll
                self.add_unplayed(before, "")
            case _:  # an opening roll comes with its play, and the result says that a resignation was accepted
                pass

    def is_last_resignation(self, index: int) -> bool:
        """Whether this offer to resign was accepted, so that it ended the game."""
        result = self.states[-1].result
        is_resigned = result is not None and result.end is End.RESIGNED
        # the last two events of such a game are the offer and its acceptance
        is_one_of_last_two = index >= len(self.game.events) - 2
        return is_resigned and is_one_of_last_two

    def take_analysis(self) -> str:
        """The analysis of the decision to roll, which is kept with the roll."""
        index = self.rolled
        self.rolled = None
        return "" if index is None else self.stored(index)

    def add_dice(self, state: MatchState) -> None:
        self.finish(f"PL[{color_on_roll(state)}]DI[{state.dice}]")
        self.rolled = None  # no reader looks for an analysis here

    def add_unplayed(self, state: MatchState, analysis: str) -> None:
        """A roll that has yet to be played, or before a resignation, with what an engine says of it."""
        analyses = self.take_analysis() + analysis
        if analyses:
            self.finish(f"{color_on_roll(state)}[{state.dice}]{analyses}")
        else:
            self.add_dice(state)

    def set_up(self, position: Position, player: Player, cube: Cube | None) -> None:
        """A board, and a cube unless it is left as it is, in nodes of their own: GNU Backgammon reads no others."""
        checkers = ""
        for side in Player:
            board = position if side is player else position.flip()
            checkers += checkers_text(board, side)
        self.finish(f"PL[{COLORS[player]}]AE[a:y]{checkers}")
        if cube is not None:
            owner = "c" if cube.owner is None else COLORS[cube.owner].lower()
            self.nodes += [f";CV[{cube.value}]", f";CP[{owner}]"]


def color_on_roll(state: MatchState) -> str:
    assert state.on_roll is not None  # who has rolled
    return COLORS[state.on_roll]


def checkers_text(board: Position, side: Player) -> str:
    """The property that adds a player's checkers to an empty board; "" without any."""
    letters = ""
    for point in range(1, 26):
        letters += f"[{LETTERS[side][point]}]" * board.points[point]
    return f"A{COLORS[side]}{letters}" if letters else ""
