"""What a drawing shows, as text or SVG: the board as the side at the bottom sees it, and the labels next to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import attrs

from gammonrules.board import MoveLike, Plays, Position
from gammonrules.board.internals import (
    STANDARD_CHECKERS,
    PlainMove,
    chains_of,
    read_moves,
    spell_play,
)
from gammonrules.dice import Dice, DiceLike
from gammonrules.draw._labels import ENGLISH, LabelFormatter, capitalized
from gammonrules.draw._marks import NO_MARKS, Marks, place_number
from gammonrules.draw._player_names import columns, cut, isolated, printable_name
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import (
    Cube,
    Double,
    End,
    MatchState,
    Pair,
    Player,
    PlayerLike,
    Resignation,
    Result,
)
from gammonrules.match.internals import player_of, to_pair
from gammonrules.values import is_pair_of, shown

_OFFERS = ("offered", "beaver", "raccoon", "beavers")
"""The keys of the labels for a double, by the number of its beavers."""
_MAX_COLUMNS = 18
"""Of a name."""


@attrs.frozen
class SceneSide:
    """One side: its color, its checkers off, and the labels next to it."""

    color: Player
    """The player whose checkers these are. For a position, which has no colors, White is the player on roll."""
    name: str
    """The whole name, as it is written beside the board."""
    full_name: str
    """The name for the description, within a sentence."""
    off: int
    pips: int
    score: str = ""
    """Its points in the match, or how many it still needs; empty for a bare position."""
    doing: str = ""
    """Its turn, its roll, a cube to answer, or its own resignation, as in the middle of a sentence."""


@attrs.frozen
class TurnSoFar:
    """The board in the middle of a turn, as the player on roll sees it."""

    counts: tuple[int, ...]
    """26 counts as the player on roll sees them, their own positive."""
    checkers: int
    dice_used: tuple[bool, ...] = ()
    """Whether each of `faces` has been played; empty: none has."""
    so_far: str = ""
    """The moves made, as text."""

    @property
    def opponent_counts(self) -> tuple[int, ...]:
        """The counts as the opponent sees them."""
        return tuple([-count for count in reversed(self.counts)])


@attrs.frozen
class Scene:
    """The content of a drawing."""

    position: Position
    """The position between turns; the counts of `turn` are what is drawn."""
    turn: TurnSoFar
    sides: tuple[SceneSide, SceneSide]
    """The player on roll and the opponent."""
    on_roll_at_bottom: bool
    labels: LabelFormatter = ENGLISH
    kind: str = ""
    """The kind of game: length, Crawford, no cube."""
    standing: tuple[str, ...] = ()
    """What concerns both sides: the opening roll, a result."""
    cube: Cube | None = None
    """The cube, before the offer while a double is pending; None if nobody may use it."""
    offered: Double | None = None
    crawford: bool = False
    centered_cube: int = 1
    """What a centered cube shows that is at 1."""
    last_dice: Dice | None = None
    """The roll of the turn before."""
    dice: Dice | None = None
    marks: Marks = NO_MARKS
    caption: tuple[str, ...] = ()
    """Lines below the drawing."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice to play, the higher first: a doublet has four."""
        return () if self.dice is None else self.dice.to_play

    @property
    def bottom(self) -> SceneSide:
        on_roll, opponent = self.sides
        return on_roll if self.on_roll_at_bottom else opponent

    @property
    def top(self) -> SceneSide:
        on_roll, opponent = self.sides
        return opponent if self.on_roll_at_bottom else on_roll

    @property
    def flipped(self) -> Scene:
        """The same with the other side at the bottom."""
        return attrs.evolve(
            self, on_roll_at_bottom=not self.on_roll_at_bottom, marks=self.marks.flipped
        )

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The checkers in each place, those of the side at the bottom positive.

        The bottom tray is the last one, since its place is -1.
        """
        points = self.turn.counts if self.on_roll_at_bottom else self.turn.opponent_counts
        return (*points, -self.top.off, self.bottom.off)

    def number_of(self, place: int) -> int:
        """The number that its owner gives to a bar or a tray, and the player on roll to a point."""
        return place_number(place, on_roll_at_bottom=self.on_roll_at_bottom)

    @property
    def identity(self) -> str:
        if self.turn.so_far:
            return self.labels("in_turn")
        checkers = self.position.checkers
        identity = self.labels("position_id", id=self.position.id)
        if checkers == STANDARD_CHECKERS:
            return identity
        return f"{identity} {self.labels('checkers', count=checkers)}"


def _turn(position: Position, plays: Plays | None, made: Sequence[PlainMove]) -> TurnSoFar:
    """The board after the moves made so far; IllegalPlayError if they cannot have been made."""
    if plays is None or not made:
        return TurnSoFar(position.points, position.checkers)
    dice_left = plays.dice_left(made)
    if plays.dice.is_doublet:
        number_used = 4 - len(dice_left)
        used = [number < number_used for number in range(4)]
    else:
        used = [die not in dice_left for die in plays.dice]
    return TurnSoFar(
        plays.points_after(made),
        position.checkers,
        dice_used=tuple(used),
        so_far=spell_play(chains_of(made)),
    )


def flag(name: str, value: object) -> bool:
    """The value of an argument that is a bool. Raises ArgumentError for anything else."""
    if type(value) is not bool:
        raise ArgumentError(f"{name} must be True or False, not {shown(value)}")
    return value


def _check_drawn(value: object, kind: type, other: type, hint: str) -> None:
    if not isinstance(value, kind):
        advice = hint if isinstance(value, other) else ""
        raise ArgumentError(f"expected a {kind.__name__}, not {shown(value)}{advice}")


def of_position(
    position: Position,
    *,
    flipped: bool,
    labels: LabelFormatter,
    dice: DiceLike | None = None,
    so_far: Iterable[MoveLike] = (),
    last_dice: DiceLike | None = None,
) -> Scene:
    """The drawing of a position, perhaps with a roll and the moves made with it.

    Raises:
        ArgumentError: `position` is not a `Position`, `flipped` is not a bool, or there are moves without a roll.
        DiceError: `dice` or `last_dice` is not a roll.
        IllegalPlayError: the moves cannot have been made.
    """
    _check_drawn(position, kind=Position, other=MatchState, hint="; `match_state` draws it")
    flag("flipped", flipped)
    plays = None if dice is None else position.legal_plays(dice)
    made = read_moves(so_far)
    if plays is None and made:
        raise ArgumentError("so_far has the moves made with a roll, so it needs dice")
    turn = _turn(position, plays, made)
    on_roll = _scene_side(
        Player.WHITE,
        turn.counts,
        turn.checkers,
        name=labels("on_roll"),
        full_name=capitalized(labels("player_on_roll")),
    )
    opponent = _scene_side(
        Player.BLACK,
        turn.opponent_counts,
        turn.checkers,
        name=labels("opponent"),
        full_name=capitalized(labels("opponent")),
    )
    return Scene(
        position,
        turn,
        (on_roll, opponent),
        on_roll_at_bottom=not flipped,
        labels=labels,
        last_dice=None if last_dice is None else Dice.of(last_dice),
        dice=None if plays is None else plays.dice,
    )


def _scene_side(
    color: Player,
    counts: Sequence[int],
    checkers: int,
    *,
    name: str,
    full_name: str,
    score: str = "",
    doing: str = "",
) -> SceneSide:
    """The side to which the positive counts belong, of the 26 that it sees."""
    on_board = 0
    pips = 0
    for point, count in enumerate(counts):
        if count > 0:
            on_board += count
            pips += point * count
    off = checkers - on_board
    return SceneSide(
        color, name=name, full_name=full_name, off=off, pips=pips, score=score, doing=doing
    )


def of_state(
    state: MatchState,
    *,
    bottom: PlayerLike,
    names: Sequence[str] | None = None,
    labels: LabelFormatter = ENGLISH,
    so_far: Iterable[MoveLike] = (),
    last_dice: DiceLike | None = None,
    away: bool = False,
    centered_cube: int = 1,
) -> Scene:
    """The drawing of a match state, perhaps with moves made in this turn.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `bottom` is not a player, `names` is not a pair of strings, or
            `so_far` is not a series of moves.
        DiceError: `last_dice` is not a roll.
        IllegalActionError: there are moves, but no dice have been rolled.
        IllegalPlayError: the moves cannot have been made.
    """
    _check_drawn(state, kind=MatchState, other=Position, hint="; `position` draws it")
    player_at_bottom = player_of(bottom, "bottom")
    names_of_players = full_names(names, labels)
    made = read_moves(so_far)
    dice_before = None if last_dice is None else Dice.of(last_dice)
    # a state without dice has no plays, but is drawn if no moves were made
    plays = state.legal_plays if made else None
    return scene_of(
        state,
        _turn(state.position, plays, made),
        bottom=player_at_bottom,
        names=names_of_players,
        labels=labels,
        last_dice=dice_before,
        away=away,
        centered_cube=centered_cube,
    )


def scene_of(
    state: MatchState,
    turn: TurnSoFar,
    *,
    bottom: Player,
    names: Pair[str],
    labels: LabelFormatter,
    last_dice: Dice | None,
    away: bool = False,
    centered_cube: int = 1,
) -> Scene:
    """The drawing of a state, of values that have been checked; `names` are full names."""
    is_to_one_point = state.length == 1  # where a double would be worth nothing
    has_cube = state.rules.cube and not state.crawford and not is_to_one_point
    sides = _scene_sides(state, turn, names, labels, away=away)
    return Scene(
        state.position,
        turn,
        sides,
        on_roll_at_bottom=sides[0].color is bottom,
        labels=labels,
        kind=kind_of_game(state, labels),
        standing=_nobody_on_roll(state, names, labels),
        cube=state.cube if has_cube else None,
        offered=state.pending_double,
        crawford=state.crawford,
        centered_cube=centered_cube,
        # nobody has rolled in a game that has not begun
        last_dice=last_dice if state.on_roll else None,
        dice=state.dice,
    )


def full_names(names: Sequence[str] | None, labels: LabelFormatter) -> Pair[str]:
    """The full names of White and Black; the colors if there are no names."""
    pair = ("", "") if names is None else to_pair(names)
    if not is_pair_of(pair, str):
        raise ArgumentError(
            f"names must be a pair of strings, White's and Black's, not {shown(names)}"
        )
    white = printable_name(cut(pair[0], MAX_NAME_LENGTH, len))
    black = printable_name(cut(pair[1], MAX_NAME_LENGTH, len))
    return Pair((white or labels("white"), black or labels("black")))


@lru_cache(maxsize=64)
def short(name: str) -> str:
    """A name as it is written beside a board of text, and in a box on the board."""
    return isolated(cut(name, _MAX_COLUMNS, columns))


def _scene_sides(
    state: MatchState, turn: TurnSoFar, names: Pair[str], labels: LabelFormatter, *, away: bool
) -> tuple[SceneSide, SceneSide]:
    """The player on roll (before the opening roll White) and the opponent."""
    player = state.on_roll or Player.WHITE
    opponent = player.opponent
    on_roll = _scene_side(
        player,
        turn.counts,
        turn.checkers,
        name=names[player],
        full_name=isolated(names[player]),
        score=_score_label(state, player, labels, away=away),
        doing=_doing(state, player, labels),
    )
    not_on_roll = _scene_side(
        opponent,
        turn.opponent_counts,
        turn.checkers,
        name=names[opponent],
        full_name=isolated(names[opponent]),
        score=_score_label(state, opponent, labels, away=away),
        doing=_doing(state, opponent, labels),
    )
    return on_roll, not_on_roll


def _score_label(state: MatchState, player: Player, labels: LabelFormatter, *, away: bool) -> str:
    """The points of a player, or how many they still need in a match if `away`."""
    if away and state.away is not None:
        return labels("away", count=state.away[player])
    return labels("points", count=state.score[player])


def _doing(state: MatchState, player: Player, labels: LabelFormatter) -> str:
    """The label next to a player: the cube to answer, or the roll; and their own resignation."""
    if state.result is not None:
        return ""
    doing: list[str] = []
    double = state.pending_double
    if double is None:
        if state.on_roll is player:
            doing.append(labels("rolled", dice=state.dice) if state.dice else labels("on_roll"))
    elif double.answerer is player:
        last = len(_OFFERS) - 1  # this one says how many beavers there are
        key = _OFFERS[min(double.beavers, last)]
        doing.append(labels(key, value=double.value, number=double.beavers))
    if isinstance(state.offer, Resignation) and state.offer.by is player:
        doing.append(labels("resigns", level=labels(state.offer.win.name.lower())))
    return ", ".join(doing)


def kind_of_game(state: MatchState, labels: LabelFormatter = ENGLISH) -> str:
    """What is played for, which does not change during a game: "7 point match (Crawford game)"."""
    kind = labels("money") if state.length is None else labels("match", count=state.length)
    if state.crawford:
        return labels("crawford", kind=kind)
    if not state.rules.cube:
        return labels("no_cube", kind=kind)
    return labels("post_crawford", kind=kind) if state.post_crawford else kind


def _nobody_on_roll(state: MatchState, names: Pair[str], labels: LabelFormatter) -> tuple[str, ...]:
    """The labels where nobody is on roll: "Opening roll", or who has won."""
    if state.on_roll is None and state.result is None:
        return (labels("opening"),)
    if state.result is None:
        return ()
    game_won = _won(state.result, names, labels)
    if state.winner is None:
        return (game_won,)
    return game_won, labels("match_won", name=short(names[state.winner]))


def result_message(result: Result) -> str:
    """The message for a result without the names of players: "White wins a gammon: 4 points"."""
    return capitalized(_won(result, full_names(None, ENGLISH), ENGLISH))


def _won(result: Result, names: Pair[str], labels: LabelFormatter) -> str:
    how = labels("forfeit") if result.win is None else labels(result.win.name.lower())
    if result.end in {End.DROPPED, End.RESIGNED}:
        how = labels(result.end.value, level=how)
    return labels(
        "won",
        name=short(names[result.winner]),
        how=how,
        points=labels("points", count=result.points),
    )
