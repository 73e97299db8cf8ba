"""The canonical text of a record, in which a reader has nothing to guess."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import Factory, define

from gammonrules.board import Position
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
from gammonrules.records.formats.mat.board_texts import set_position_text
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT
from gammonrules.records.transcript import (
    Game,
    Match,
    begins_with_its_turn,
    index_of_last_roll,
    is_only_a_turn,
    length_of_games,
    name_in_mat,
    points_stated,
)
from gammonrules.records.transcript.header_tags import tags_with_rules
from gammonrules.values import counted, printable

_ENDS_OF_FIELDS = re.compile(r"[;()]")
"""What ends a field of an illegal play, or all of them."""
_LEFT_WIDTH = 27
_NOT_COMMENTS = "[", "set pos=", "set cube="
_END_COLUMN = {Player.WHITE: 6, Player.BLACK: 34}


def write_mat(match: Match, replayed: list[list[MatchState]]) -> str:
    """The file; `replayed` has the states of each game. Raises GammonError for what the format cannot express."""
    tags = tags_with_rules(match.tags, match.rules, length_of_games(match))
    lines = [f'; [{printable(name)} "{printable(value)}"]' for name, value in tags]
    lines += [comment_line(comment) for comment in match.comments]
    lines += ["", f" {match.length or 0} point match"]
    names = written_names(match)
    for game, states in zip(match.games, replayed, strict=True):
        left = f"{names[Player.WHITE]} : {game.score[Player.WHITE]}"
        right = f"{names[Player.BLACK]} : {game.score[Player.BLACK]}"
        lines += ["", f" Game {game.number}", f" {left:<30}  {right}"]
        lines += [comment_line(comment) for comment in game.comments]
        lines += game_lines(game, states, names)
    return "\n".join(lines).lstrip("\n") + "\n"


def written_names(match: Match) -> Pair[str]:
    """The names of the players, which must not break their line, nor be blank, where some importers stop."""
    return Pair([name_in_mat(match.players[player]) or player.title() for player in Player])


def comment_line(comment: str) -> str:
    """A comment; a second sign keeps one from being read as a tag or as what is set by hand."""
    text = printable(comment)
    is_doubtful = text.lstrip().lower().startswith(_NOT_COMMENTS)
    return f";; {text}" if is_doubtful else f"; {text}"


@define
class _Columns:
    rows: list[list[str]] = Factory(list[list[str]])
    """One or two cells each, the left one first."""

    def add(self, side: Player, text: str) -> None:
        if side is Player.BLACK and self.rows and len(self.rows[-1]) == 1:
            self.rows[-1].append(text)
        else:
            self.rows.append([text] if side is Player.WHITE else ["", text])

    def add_to_last(self, text: str) -> None:
        self.rows[-1][-1] += text

    def lines(self) -> Iterator[str]:
        for number, row in enumerate(self.rows, start=1):
            left = row[0]
            right = row[1] if len(row) > 1 else ""
            # Importers look for two blanks between the columns. Without them, GNU Backgammon loses the rest of the file
            # after a drop in the left column, so there are two at least, before an empty cell too.
            width = max(_LEFT_WIDTH, len(left) + 1)
            yield f"{number:3}) {left:<{width}} {right}"


def game_lines(game: Game, states: list[MatchState], names: Pair[str]) -> Iterator[str]:
    """The rows of a game, what is set by hand before them, and its end."""
    columns = columns_written(game, states, names)
    if columns.rows:  # a board without a row after it would not say whose turn it is
        yield from set_position_lines(game, states)
    yield from set_cube_lines(states)
    final = states[-1]
    result = final.result
    if result is None:
        yield from columns.lines()
        yield from stated_end_lines(game)
        return
    winner = result.winner
    wins_match = final.winner is not None
    is_forfeited = result.end is End.FORFEITED
    # a reader takes a game without a row, in which nobody can resign, for a forfeit by the loser's words
    if is_forfeited or not columns.rows:
        points = result.points if final.length is None else min(result.points, final.length)
        words = words_of_end(points, won=wins_match)
        columns.add(winner.opponent, f" Losses {counted(points, 'point')}")
        if winner is Player.BLACK:
            columns.add(winner, f" {words}")  # in the same row, beside the words of the left player
            yield from columns.lines()
        else:
            yield from columns.lines()
            yield end_line(winner, words)
    else:
        yield from columns.lines()
        yield end_line(winner, words_of_end(result.points, won=wins_match))
    if is_forfeited:
        yield f"; {names[winner]}{WINS_BY_FORFEIT}"


def set_position_lines(game: Game, states: list[MatchState]) -> Iterator[str]:
    """The boards that are set before the first roll."""
    start = game.start
    is_unusual = start.position != Position.start(start.rules.start) or start.cube.owner is not None
    is_doubled = start.pending_double is not None or begins_with_double(game)
    # a double without a board before it would be illegal, since nobody doubles before a first roll
    if is_unusual or is_doubled:
        yield set_position_line(start)
    if begins_with_its_turn(game.events, states):
        return  # the first event only gives the turn to the player whose cell comes first
    for event, before, after in zip(game.events, states, states[1:], strict=False):
        if isinstance(event, SetPosition) and before.phase is Phase.OPENING:
            yield set_position_line(after)


def begins_with_double(game: Game) -> bool:
    """Whether the first event of a game that starts in a turn is a double, but for resignations that were declined."""
    if game.start.on_roll is None:
        return False
    for event in game.events:
        if not isinstance(event, Event):
            return False
        if event.action not in (Action.RESIGN, Action.DECLINE):
            return event.action is Action.DOUBLE
    return False


def set_cube_lines(states: list[MatchState]) -> Iterator[str]:
    """The centered cube after automatic doubles, which `Set Pos` cannot say."""
    first = next((state for state in states if state.phase is not Phase.OPENING), states[-1])
    if first.cube.owner is None and first.cube.value > 1:
        yield f"; Set Cube={first.cube.value}"


def columns_written(game: Game, states: list[MatchState], names: Pair[str]) -> _Columns:
    """The cells of a game. An offer to resign that was not accepted cannot be written."""
    columns = _Columns()
    begins_with_roll = game.start.dice is not None
    if begins_with_roll and game.start.on_roll is not None:
        columns.add(game.start.on_roll, f"{game.start.dice}:")
    if game.start.pending_double is not None:
        add_pending_double(columns, game.start.pending_double)
    result = states[-1].result
    is_resigned = result is not None and result.end is End.RESIGNED
    # the last two events of such a game are the offer and its acceptance
    accepted_offer = len(game.events) - 2 if is_resigned else None
    last_roll = index_of_last_roll(game)
    steps = zip(game.events, states, states[1:], strict=False)
    for index, (event, before, after) in enumerate(steps):
        if isinstance(event, SetPosition):
            add_set_position(columns, event, before, after, names)
        elif isinstance(event, Event):
            is_declined_offer = event.action is Action.RESIGN and index != accepted_offer
            if not is_declined_offer:
                add_action(columns, event, before, after, a_roll_follows=index < last_roll)
    return columns


def add_pending_double(columns: _Columns, double: Double) -> None:
    """The double, and the beavers, with which a record begins."""
    value = double.value // 2**double.beavers  # each beaver has doubled it
    side = double.by
    for beavers in range(double.beavers + 1):
        columns.add(side, offer_text(Double(double.by, value, beavers)))
        value *= 2
        side = side.opponent


def add_set_position(
    columns: _Columns, event: SetPosition, before: MatchState, after: MatchState, names: Pair[str]
) -> None:
    """A position set by hand; one before the first roll has a line of its own.

    Raises:
        GammonError: it is neither that, nor the board after an illegal play, nor a turn passed without a roll.
    """
    if before.phase is Phase.TO_PLAY and before.on_roll is not None:
        columns.add_to_last(f" {illegal_play(after, before.on_roll.opponent, names)}")
    elif is_dance(event, before):
        columns.add(event.on_roll.opponent, " Cannot Move")
    elif before.phase is not Phase.OPENING:
        raise GammonError(
            "a position set by hand where no play is due cannot be written in this format"
        )


def is_dance(event: SetPosition, before: MatchState) -> bool:
    """Whether it passes the turn, and nothing else: as after a roll that cannot be played, and that is not known."""
    if before.phase is not Phase.TO_ROLL or before.on_roll is None:
        return False
    return event.on_roll is before.on_roll.opponent and is_only_a_turn(event, before)


def set_position_line(state: MatchState) -> str:
    return f"; Set Pos={set_position_text(state.view(Player.WHITE), state.cube)}"


def illegal_play(after: MatchState, player: Player, names: Pair[str]) -> str:
    """The state after an illegal play, in the forty fields that other programs write, as the next player sees it."""
    cube_owner = 0
    if after.cube.owner is not None:
        cube_owner = 1 if after.cube.owner is player else -1
    has_jacoby = after.rules.jacoby and after.length is None
    # the numbers 1 and 0 below have no known meaning: those programs write them in all games
    fields: list[object] = [after.length or 0, int(has_jacoby), 1, 0]
    fields.append(int(player is Player.WHITE))
    fields += [_ENDS_OF_FIELDS.sub(".", names[side]) for side in (player, player.opponent)]
    score = after.score_before  # without the points of a game that the play has ended
    fields += [int(after.crawford), score[player], score[player.opponent]]
    fields += [after.cube.value, cube_owner]
    fields += after.view(player).points
    fields += [0, 0]
    return f"Illegal play ({''.join(f'{field};' for field in fields)})"


def add_action(
    columns: _Columns, event: Event, before: MatchState, after: MatchState, *, a_roll_follows: bool
) -> None:
    """The cell of an action. `a_roll_follows` says whether the game has a roll after it."""
    actor = after.on_roll if event.action is Action.OPENING_ROLL else before.to_act
    if actor is None:
        return
    match event.action:
        case Action.OPENING_ROLL | Action.ROLL if after.dice is not None:
            columns.add(actor, f"{after.dice}:")
        case Action.PLAY:
            columns.add_to_last(play_text(before, after))
        case Action.DOUBLE | Action.BEAVER if isinstance(after.offer, Double):
            columns.add(actor, offer_text(after.offer))
        case Action.TAKE:
            # programs do not write that a beaver was taken: the roll after it shows that
            takes_beaver = isinstance(before.offer, Double) and actor is before.offer.by
            is_shown_by_roll = takes_beaver and a_roll_follows
            if not is_shown_by_roll:
                columns.add(actor, " Takes")
        case Action.DROP:
            columns.add(actor, " Drops")
        # by the player who has rolled: another resignation leaves no sign but the end line
        case Action.RESIGN if before.dice is not None and event.by in (TO_ACT, before.on_roll):
            columns.add_to_last(" ????")
        case _:  # the end line says that a resignation was accepted
            pass


def play_text(before: MatchState, after: MatchState) -> str:
    """The moves of a play, die by die, with a blank before each."""
    text = ""
    for move in before.legal_plays.find(after.position).moves:
        text += f" {move.from_point}/{move.to_point}{'*' if move.hit else ''}"
    return text


def offer_text(double: Double) -> str:
    if double.beavers == 0:
        word = "Doubles"
    elif double.beavers % 2 == 1:
        word = "Beavers"
    else:
        word = "Raccoons"
    return f" {word} => {double.value}"


def stated_end_lines(game: Game) -> Iterator[str]:
    """The line with the winner and the points that the file of a game without a result stated."""
    points = points_stated(game)
    if points is not None and game.stated is not None and game.stated.winner is not None:
        words = words_of_end(points, won=game.stated.and_the_match)
        yield end_line(game.stated.winner, words)


def end_line(winner: Player, words: str) -> str:
    """The line below the rows, with the words in the winner's column."""
    return " " * _END_COLUMN[winner] + words


def words_of_end(points: int, *, won: bool) -> str:
    words = f"Wins {counted(points, 'point')}"
    return f"{words} and the match" if won else words
