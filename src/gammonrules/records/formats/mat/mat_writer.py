"""The canonical text of a record, in which a reader has nothing to guess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from attrs import Factory, define

from gammonrules.board import Move, Play, Position
from gammonrules.errors import GammonError
from gammonrules.match import (
    TO_ACT,
    Action,
    Double,
    End,
    Event,
    MatchState,
    Pair,
    Phase,
    Player,
    SetPosition,
)
from gammonrules.records.formats.mat.cell_replay import LETTERS
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT
from gammonrules.records.transcript import (
    Game,
    Match,
    begins_with_its_turn,
    index_of_last_roll,
    length_of_games,
    points_stated,
)
from gammonrules.records.transcript.header_tags import tags_with_rules
from gammonrules.values import counted, printable

_LEFT_WIDTH = 27
_NOT_COMMENTS = "[", "set pos=", "set cube="
_END_COLUMN = {Player.WHITE: 6, Player.BLACK: 34}


def write_mat(match: Match, replayed: list[list[MatchState]]) -> str:
    """The file; `replayed` has the states of each game. Raises GammonError for what the format cannot express."""
    tags = tags_with_rules(match.tags, match.rules, length_of_games(match))
    lines = [f'; [{printable(name)} "{printable(value)}"]' for name, value in tags]
    lines += map(comment_line, match.comments)
    lines += ["", f" {match.length or 0} point match"]
    # a name must not break its line, and some importers stop at a blank one
    named = zip(map(printable, match.players), Player, strict=True)
    names = Pair(name.replace(":", ".").strip() or player.title() for name, player in named)
    for game, states in zip(match.games, replayed, strict=True):
        left, right = (f"{name} : {points}" for name, points in zip(names, game.score, strict=True))
        lines += ["", f" Game {game.number}", f" {left:<30}  {right}"]
        lines += map(comment_line, game.comments)
        lines += game_lines(game, states, names)
    return "\n".join(lines).lstrip("\n") + "\n"


def comment_line(comment: str) -> str:
    """A comment; a second sign keeps one from being read as a tag or as what is set by hand."""
    text = printable(comment)
    return f"{';;' if text.lstrip().lower().startswith(_NOT_COMMENTS) else ';'} {text}"


@define
class _Columns:
    rows: list[list[str]] = Factory(list[list[str]])

    def add(self, side: Player, text: str) -> None:
        if side is Player.BLACK and self.rows and len(self.rows[-1]) == 1:
            self.rows[-1].append(text)
        else:
            self.rows.append([text] if side is Player.WHITE else ["", text])

    def lines(self) -> Iterator[str]:
        for number, row in enumerate(self.rows, start=1):
            left, right = (*row, "")[:2]
            # Two blanks at least: importers look for them between the columns. Without them, GNU Backgammon loses the
            # rest of the file after a drop in the left column, so they come before an empty cell too.
            left = f"{left:<{_LEFT_WIDTH}} " if len(left) < _LEFT_WIDTH else f"{left}  "
            yield f"{number:3}) {left}{right}"


def game_lines(game: Game, states: list[MatchState], names: Pair[str]) -> Iterator[str]:
    columns = columns_written(game, states, names)
    final = states[-1]
    if columns.rows:  # only the next action says whose turn it is
        yield from set_position_lines(game, states)
    yield from set_cube_lines(states)
    if (result := final.result) is None:
        yield from columns.lines()
        yield from stated_end_lines(game)
        return
    # where nothing was rolled nobody can resign
    in_words = result.end is End.FORFEITED or not columns.rows
    points = min(result.points, final.length or result.points) if in_words else result.points
    words = words_of_end(points, won=final.winner is not None)
    if in_words:
        add_losers_words(columns, loser=result.winner.opponent, points=points, winners_words=words)
    yield from columns.lines()
    if not in_words or result.winner is Player.WHITE:
        yield " " * _END_COLUMN[result.winner] + words
    if result.end is End.FORFEITED:
        yield f"; {names[result.winner]}{WINS_BY_FORFEIT}"


def set_position_lines(game: Game, states: list[MatchState]) -> Iterator[str]:
    start = game.start
    offers = (Action.RESIGN, Action.DECLINE)
    first = next(
        (event for event in game.events if getattr(event, "action", None) not in offers), None
    )
    is_unusual = start.position != Position.start(start.rules.start) or start.cube.owner is not None
    doubles = (
        isinstance(first, Event) and first.action is Action.DOUBLE and start.on_roll is not None
    )
    # nobody doubles before a first roll
    if is_unusual or doubles or start.pending_double is not None:
        yield set_position_line(start)
    if begins_with_its_turn(game.events, states):
        return
    for event, before, after in zip(game.events, states, states[1:], strict=False):
        if isinstance(event, SetPosition) and before.phase is Phase.OPENING:
            yield set_position_line(after)


def set_cube_lines(states: list[MatchState]) -> Iterator[str]:
    """The centered cube after automatic doubles, which `Set Pos` cannot say."""
    first = next((state for state in states if state.phase is not Phase.OPENING), states[-1])
    if first.cube.owner is None and first.cube.value > 1:
        yield f"; Set Cube={first.cube.value}"


def columns_written(game: Game, states: list[MatchState], names: Pair[str]) -> _Columns:
    """The cells of a game. An offer to resign that was not accepted cannot be written."""
    columns = _Columns()
    # the record begins in mid-turn
    if game.start.dice is not None and game.start.on_roll is not None:
        columns.add(game.start.on_roll, f"{game.start.dice}:")
    if (double := game.start.pending_double) is not None:
        for beavers in range(double.beavers + 1):
            side = double.by if beavers % 2 == 0 else double.by.opponent
            columns.add(
                side,
                offer_text(Double(double.by, double.value >> (double.beavers - beavers), beavers)),
            )
    accepted = states[-1].result is not None and states[-1].result.end is End.RESIGNED
    offers_left_out = len(game.events) - 2 if accepted else len(game.events)
    last_roll = index_of_last_roll(game)
    for index, (event, before, after) in enumerate(
        zip(game.events, states, states[1:], strict=False)
    ):
        if isinstance(event, SetPosition):
            if before.phase is Phase.TO_PLAY:
                columns.rows[-1][-1] += f" {illegal_play(after, names)}"
            elif is_dance(event, before):
                columns.add(event.on_roll.opponent, " Cannot Move")
            # one before the first roll has a line of its own
            elif before.phase is not Phase.OPENING:
                raise GammonError(
                    "a position set by hand where no play is due cannot be written in this format"
                )
        elif isinstance(event, Event) and (
            event.action is not Action.RESIGN or index >= offers_left_out
        ):
            add_action(columns, event, before, after, is_shown_by_roll=index < last_roll)
    return columns


def is_dance(event: SetPosition, before: MatchState) -> bool:
    """Whether it passes the turn, and nothing else: as after a roll that cannot be played, and that is not known."""
    passed = (
        SetPosition(before.position.flip(), before.on_roll.opponent) if before.on_roll else None
    )
    return before.phase is Phase.TO_ROLL and event == passed


def add_losers_words(columns: _Columns, loser: Player, points: int, winners_words: str) -> None:
    """The words of a loser, and after the left player's those of the winner, as in real files."""
    columns.add(loser, f" Losses {counted(points, 'point')}")
    if loser is Player.WHITE:
        columns.add(Player.BLACK, f" {winners_words}")


def set_position_line(state: MatchState) -> str:
    letters = [LETTERS[count] for count in state.view(Player.WHITE).points]
    power = 0 if state.cube.owner is None else state.cube.value.bit_length() - 1
    sign = "-" if state.cube.owner is Player.WHITE else ""
    return f"; Set Pos={''.join(letters)}/{sign if power else ''}{power}"


def illegal_play(after: MatchState, names: Pair[str]) -> str:
    """The state after an illegal play, in the forty fields that other programs write."""
    player = after.on_roll
    assert player is not None  # a position set by hand always has one
    owner = 0 if after.cube.owner is None else 1 if after.cube.owner is player else -1
    rules = after.length or 0, int(after.rules.jacoby and after.length is None), 1, 0
    shown_names = (re.sub("[;()]", ".", names[side]) for side in (player, player.opponent))
    score = int(after.crawford), after.score[player], after.score[player.opponent]
    table = *score, after.cube.value, owner, *after.position.points
    fields = *rules, int(player is Player.WHITE), *shown_names, *table, 0, 0
    return f"Illegal play ({''.join(f'{value};' for value in fields)})"


def add_action(
    columns: _Columns,
    event: Event,
    before: MatchState,
    after: MatchState,
    *,
    is_shown_by_roll: bool,
) -> None:
    """The cell of an action; `is_shown_by_roll` says whether a roll follows, which shows that a beaver was taken."""
    actor = after.on_roll if event.action is Action.OPENING_ROLL else before.to_act
    if actor is None:
        return
    match event.action:
        case Action.OPENING_ROLL | Action.ROLL if after.dice is not None:
            columns.add(actor, f"{after.dice}:")
        case Action.PLAY:
            moves = before.legal_plays.find(
                cast("str | Play | tuple[Move, ...]", event.argument)
            ).moves
            columns.rows[-1][-1] += "".join(
                f" {move.from_point}/{move.to_point}{'*' * move.hit}" for move in moves
            )
        case Action.DOUBLE | Action.BEAVER if isinstance(after.offer, Double):
            columns.add(actor, offer_text(after.offer))
        case Action.TAKE if not (
            is_shown_by_roll and isinstance(before.offer, Double) and actor is before.offer.by
        ):
            columns.add(actor, " Takes")
        case Action.DROP:
            columns.add(actor, " Drops")
        case Action.RESIGN if before.dice is not None and event.by in (TO_ACT, before.on_roll):
            columns.rows[-1][-1] += " ????"
        case _:  # the end line says that a resignation was accepted
            pass


def offer_text(double: Double) -> str:
    word = "Doubles" if not double.beavers else "Beavers" if double.beavers % 2 else "Raccoons"
    return f" {word} => {double.value}"


def stated_end_lines(game: Game) -> Iterator[str]:
    """Who won how much, as the file of a game without a result stated it."""
    stated = game.stated
    if (
        stated is not None
        and stated.winner is not None
        and (points := points_stated(game)) is not None
    ):
        yield " " * _END_COLUMN[stated.winner] + words_of_end(points, won=stated.and_the_match)


def words_of_end(points: int, *, won: bool) -> str:
    return f"Wins {counted(points, 'point')}{' and the match' * won}"
