"""The canonical text of a record, in which a reader has nothing to guess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from attrs import Factory, define

from gammonrules.board import Move, Play, Position
from gammonrules.errors import GammonError
from gammonrules.match import TO_ACT, Action, Double, End, Event, Forfeit, MatchState, Pair, Phase, Player, SetPosition
from gammonrules.records.formats.mat.cell_replay import LETTERS
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT
from gammonrules.records.transcript import Game, Match, length_of_games, opens_with_doublet, points_stated
from gammonrules.records.transcript.header_tags import tags_with_rules
from gammonrules.values import counted, printable

_LEFT_WIDTH = 27
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
    """A comment; a second sign keeps one from being read as a tag or as a position set by hand."""
    text = printable(comment)
    return f"{';;' if text.lstrip().lower().startswith(('[', 'set pos=')) else ';'} {text}"


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
    set_by_hand = list(set_position_lines(game, states))
    columns = columns_written(game, states, names)
    if set_by_hand and not columns.rows:
        why = "nothing is rolled or doubled after it: only the next action says whose turn it is"
        raise GammonError(f"a position set by hand cannot be written in this format if {why}")
    yield from set_by_hand
    yield from columns.lines()
    yield from end_lines(game, states[-1], names)


def set_position_lines(game: Game, states: list[MatchState]) -> Iterator[str]:
    if game.start.position != Position.start(game.start.rules.start):
        yield set_position_line(game.start)
    if opens_with_doublet(game.events, states):
        return
    for event, before, after in zip(game.events, states, states[1:], strict=False):
        if isinstance(event, SetPosition) and before.phase is Phase.OPENING:
            yield set_position_line(after)


def columns_written(game: Game, states: list[MatchState], names: Pair[str]) -> _Columns:
    """The cells of a game. An offer to resign that was not accepted cannot be written."""
    columns = _Columns()
    if game.start.dice is not None and game.start.on_roll is not None:  # the record begins in mid-turn
        columns.add(game.start.on_roll, f"{game.start.dice}:")
    accepted = states[-1].result is not None and states[-1].result.end is End.RESIGNED
    offers_left_out = len(game.events) - 2 if accepted else len(game.events)
    for index, (event, before, after) in enumerate(zip(game.events, states, states[1:], strict=False)):
        if isinstance(event, Forfeit):
            # the loser's words, and after the left player's the winner's, as in real files
            assert after.result is not None  # noqa: S101 - a forfeit ends the game
            columns.add(event.loser, f" Losses {counted(after.result.points, 'point')}")
            if event.loser is Player.WHITE:
                columns.add(Player.BLACK, f" {words_of_end(after.result.points, won=after.winner is not None)}")
        elif isinstance(event, SetPosition):
            if before.phase is Phase.TO_PLAY:
                columns.rows[-1][-1] += f" {illegal_play(after, names)}"
            elif is_dance(event, before):
                columns.add(event.on_roll.opponent, " Cannot Move")
            elif before.phase is not Phase.OPENING:  # one before the first roll has a line of its own
                raise GammonError("a position set by hand where no play is due cannot be written in this format")
        elif event.action is not Action.RESIGN or index >= offers_left_out:
            add_action(columns, event, before, after)
    return columns


def is_dance(event: SetPosition, before: MatchState) -> bool:
    """Whether it passes the turn, and nothing else: as after a roll that cannot be played, and that is not known."""
    passed = SetPosition(before.position.flip(), before.on_roll.opponent) if before.on_roll else None
    return before.phase is Phase.TO_ROLL and event == passed


def set_position_line(state: MatchState) -> str:
    letters = [LETTERS[count] for count in state.view(Player.WHITE).points]
    power = state.cube.value.bit_length() - 1
    sign = "-" if state.cube.owner is Player.WHITE else ""
    return f"; Set Pos={''.join(letters)}/{sign if power else ''}{power}"


def illegal_play(after: MatchState, names: Pair[str]) -> str:
    """The state after an illegal play, in the forty fields that other programs write."""
    player = after.on_roll
    assert player is not None  # noqa: S101 - a position set by hand always has one
    owner = 0 if after.cube.owner is None else 1 if after.cube.owner is player else -1
    rules = after.length or 0, int(after.rules.jacoby and after.length is None), 1, 0
    shown_names = (re.sub("[;()]", ".", names[side]) for side in (player, player.opponent))
    score = int(after.crawford), after.score[player], after.score[player.opponent]
    table = *score, after.cube.value, owner, *after.position.points
    fields = *rules, int(player is Player.WHITE), *shown_names, *table, 0, 0
    return f"Illegal play ({''.join(f'{value};' for value in fields)})"


def add_action(columns: _Columns, event: Event, before: MatchState, after: MatchState) -> None:
    actor = after.on_roll if event.action is Action.OPENING_ROLL else before.to_act
    if actor is None:
        return
    match event.action:
        case Action.OPENING_ROLL | Action.ROLL if after.dice is not None:
            columns.add(actor, f"{after.dice}:")
        case Action.PLAY:
            moves = before.legal_plays.find(cast("str | Play | tuple[Move, ...]", event.argument)).moves
            columns.rows[-1][-1] += "".join(f" {move.from_point}/{move.to_point}{'*' * move.hit}" for move in moves)
        case Action.DOUBLE | Action.BEAVER if isinstance(after.offer, Double):
            word = "Doubles" if not after.offer.beavers else "Beavers" if after.offer.beavers % 2 else "Raccoons"
            columns.add(actor, f" {word} => {after.offer.value}")
        case Action.TAKE if isinstance(before.offer, Double) and actor is not before.offer.by:
            columns.add(actor, " Takes")
        case Action.DROP:
            columns.add(actor, " Drops")
        case Action.RESIGN if before.dice is not None and event.by in (TO_ACT, before.on_roll):
            columns.rows[-1][-1] += " ????"
        case _:  # a beaver is taken by rolling, and the end line says that a resignation was accepted
            pass


def end_lines(game: Game, final: MatchState, names: Pair[str]) -> Iterator[str]:
    """Who won how much; for a game without a result, what its file stated."""
    result, stated = final.result, game.stated
    if result is not None:
        if result.end is not End.FORFEITED or result.winner is Player.WHITE:
            words = words_of_end(result.points, won=final.winner is not None)
            yield " " * _END_COLUMN[result.winner] + words
        if result.end is End.FORFEITED:
            yield f"; {names[result.winner]}{WINS_BY_FORFEIT}"
    elif stated is not None and stated.winner is not None and (points := points_stated(game)) is not None:
        yield " " * _END_COLUMN[stated.winner] + words_of_end(points, won=stated.and_the_match)


def words_of_end(points: int, *, won: bool) -> str:
    return f"Wins {counted(points, 'point')}{' and the match' * won}"
