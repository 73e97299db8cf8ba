"""A game followed node by node: actions, and what was set by hand, in one node or several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from attrs import Factory, define, field

from gammonrules.board import Play, Plays, Position
from gammonrules.board.internals import board_of, flip, legal_play, play_to
from gammonrules.dice import Dice
from gammonrules.errors import ParseError
from gammonrules.match import Action, Cube, Double, MatchState, Player, SetPosition
from gammonrules.match.internals import why_not_award
from gammonrules.records.formats.match_reading import (
    CALLED_ILLEGAL,
    WINS_BY_FORFEIT,
    GameReplay,
    points_gained,
)
from gammonrules.records.formats.sgf.sgf_analyses import encoded_cube, encoded_plays
from gammonrules.records.formats.sgf.sgf_root import Root, comment_lines, cube_in
from gammonrules.records.formats.sgf.sgf_trees import (
    ALL,
    OFF,
    POINTS,
    SIDES,
    Node,
    first_value,
    steps_in,
    values_of,
)
from gammonrules.records.transcript import EncodedAnalysis, FindingKind, Game, Severity
from gammonrules.values import shown

SET_UP: Final = frozenset(("PL", "AE", "AW", "AB", "CV", "CP", "CO", "DI"))
"""The properties of such nodes."""
_OWNERS: Final = {"c": None, "n": None, "w": Player.WHITE, "b": Player.BLACK}
_MOST_CHECKERS = 60
"""Values of a property that adds checkers; more cannot be on a board."""


@define
class SetUp:
    """What one or more nodes in a row set by hand, until the next action."""

    player: Player | None = None
    """Whose turn it is."""
    board: dict[Player, Counter[int]] | None = None
    """The checkers of each player, by points as that player numbers them; 25 is the bar."""
    value: int | None = None
    owner: Player | None = None
    owner_stated: bool = False
    dice: Dice | None = None
    node: Node | None = None
    """The last node that set anything but dice."""
    dice_node: Node | None = None
    remarks: list[str] = Factory(list[str])

    def take(self, node: Node, state: MatchState) -> None:
        properties = node.properties
        self.player = player_named(node) or self.player
        if sets_board(node):
            # the sign drops the opponent's checkers, which have negative counts
            self.board = self.board or {
                side: +Counter(dict(enumerate(state.view(side).points))) for side in Player
            }
            change_board(self.board, node)
        if (value := first_value(properties.get("CV"))) is not None:
            self.value = cube_in(value)
            if self.value is None:
                raise ParseError(f"there is no cube of {shown(value)}")
        if (owner := first_value(properties.get("CP", properties.get("CO")))) is not None:
            if owner not in _OWNERS:
                raise ParseError(
                    f'the owner of the cube must be "c", "w" or "b", not {shown(owner)}'
                )
            self.owner = _OWNERS[owner]
            self.owner_stated = True
        if (dice := first_value(properties.get("DI"))) is not None:
            self.dice = Dice.of(dice.strip())
            self.dice_node = node
        if dice is None or len(SET_UP & properties.keys()) > 2:
            self.node = node

    def event(self, state: MatchState, actor: Player | None) -> SetPosition | None:
        """The position set by hand, if more than dice was set; `actor` may be who acts next. Raises PositionError."""
        player = self.player or actor or state.on_roll or Player.WHITE
        value = self.value or state.cube.value
        owner = self.owner if self.owner_stated else state.cube.owner
        cube = Cube(value, owner if value > 1 else None)
        turns = (
            self.player is not None
            and state.on_roll not in (None, self.player)
            and self.node is not None
        )
        if self.board is None and cube == state.cube and not turns:
            return None
        position = state.view(player)
        if self.board is not None:
            sides = (dict(sorted(self.board[side].items())) for side in (player, player.opponent))
            position = Position.of(*sides, checkers=state.position.checkers)
        return SetPosition(
            position, player, cube if self.value is not None or self.owner_stated else None
        )


def player_named(node: Node) -> Player | None:
    """The player named by `PL`. Raises ParseError if it is not a player."""
    if (text := first_value(node.properties.get("PL"))) is None:
        return None
    if (player := SIDES.get(text.strip()[:1].upper())) is None:
        raise ParseError(f'whose turn it is must be "B" or "W", not {shown(text)}')
    return player


def sets_board(node: Node) -> bool:
    return not {"AE", "AW", "AB"}.isdisjoint(node.properties)


def change_board(board: dict[Player, Counter[int]], node: Node) -> None:
    """Empty points, then add checkers, one for each value. Raises ParseError if a value is not a point."""
    for letter in points_in(node.properties.get("AE")):
        for side in Player:
            del board[side][POINTS[side][letter]]
    for name, side in (("AW", Player.WHITE), ("AB", Player.BLACK)):
        for letter in points_in(node.properties.get(name)):
            board[side][POINTS[side][letter]] += 1


def points_in(raw: str | None) -> Iterator[str]:
    """The points that a property lists: letters, or ranges such as "a:y". Raises ParseError for anything else."""
    for number, value in enumerate(values_of(raw or "")):
        first, _, last = value.strip().partition(":")
        ends = [ALL.find(letter) if len(letter) == 1 else -1 for letter in (first, last or first)]
        if min(ends) < 0 or number > _MOST_CHECKERS:
            raise ParseError(f"{shown(value)} is not a point, or there are too many points")
        yield from ALL[ends[0] : ends[1] + 1]


# --- the game ---------------------------------------------------------------------------------------------------------

_ROLL = re.compile(r"([1-6][1-6])((?:[a-y][a-xz]){0,4})")
_ROLL_ALONE = re.compile(r"\[([1-6][1-6])\]")


@define
class SgfReplay(GameReplay):
    root: Root
    engine: str
    """The program that wrote the file."""
    next_score: tuple[int, int] | None
    number: int
    """The number of the game in the match, from 1."""
    awarded: str | None = field(init=False, default=None)
    """The comment that says that the game was forfeited."""
    set_up: SetUp = field(init=False, factory=SetUp)
    """What was set by hand since the last action."""

    def run(self) -> Game:
        begins = sets_board(self.root.node) or "DI" in self.root.node.properties
        nodes = [self.root.node] * begins + self.root.tree.nodes
        last_two = [*map(roll_alone, nodes[-2:])]
        if len(last_two) == 2 and last_two[0] is not None and last_two[0] == last_two[1]:
            del nodes[-1]  # GNU Backgammon may write the roll before a resignation twice
        last_action = next((node for node in reversed(nodes) if is_action(node)), None)
        for node in nodes:
            self.only_its_end_follows |= node is last_action and self.end_is_stated
            if not self.cut:
                self.follow(node, last=node is nodes[-1])
        self.cut |= self.root.tree.cut and self.state.result is None
        if not self.cut:
            self.follow_end()
        if not self.cut and self.state.result is None:
            self.end()
        comments = tuple(line for line in self.comments if line != self.awarded)
        stated = None
        if (outcome := self.root.outcome) is not None:
            text = f"RE{self.root.node.properties['RE'].rstrip()[:200]}"
            stated = self.stated_end(*outcome[:2], text, self.root.node.line)
        return self.game(self.number, stated, comments)

    @property
    def end_is_stated(self) -> bool:
        """Whether the file says who won, and is not cut off within the game."""
        gained = points_gained(self.start.score, self.next_score)
        return (self.root.outcome is not None or gained is not None) and not self.root.tree.cut

    @property
    def comments(self) -> tuple[str, ...]:
        root = self.root.node.properties
        names = ("GC", "C") if self.index > 1 else ("C",)
        return tuple(line for name in names for line in comment_lines(first_value(root.get(name))))

    def follow(self, node: Node, *, last: bool) -> None:
        self.place = node
        properties = node.properties
        with self.stopping_at_error():
            if "B" in properties or "W" in properties:
                self.act(properties, last=last)
            elif not SET_UP.isdisjoint(properties):
                self.set_by_hand(node)
            if "C" in properties and node is not self.root.node:
                text = first_value(properties["C"]) or ""
                if node is self.set_up.node or node is self.set_up.dice_node:
                    self.set_up.remarks.append(text)  # about the event that comes later
                elif self.events:
                    self.remark(text)

    def set_by_hand(self, node: Node) -> None:
        """A set-up node. A board for the opponent of a player who has rolled is the one after an illegal play."""
        side = player_named(node)
        set_up = self.set_up
        if set_up.dice is not None and side not in (None, set_up.player) and sets_board(node):
            self.apply_set_up(None)
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
        self.set_up.take(node, self.state)

    def apply_set_up(self, actor: Player | None) -> None:
        """Apply what was set by hand, before `actor` acts; without an actor, the dice count too."""
        set_up = self.set_up
        self.set_up = SetUp()
        place = self.place
        self.place = set_up.node or place
        if (event := set_up.event(self.state, actor)) is not None:
            self.apply(event)
        if actor is None and set_up.dice is not None and set_up.dice_node is not None:
            self.place = set_up.dice_node
            self.roll(set_up.player or self.state.on_roll or Player.WHITE, set_up.dice)
        for text in set_up.remarks if self.events else ():
            self.remark(text)
        self.place = place

    def act(self, properties: dict[str, str], *, last: bool) -> None:
        side, raw = (
            (Player.WHITE, properties["W"])
            if "W" in properties
            else (Player.BLACK, properties["B"])
        )
        if "W" in properties and "B" in properties:
            raise ParseError("a node can hold the action of only one player")
        if self.set_up.node is not None or self.set_up.dice_node is not None:
            self.apply_set_up(side)
        text = raw.rstrip()[1:-1]
        if (rolled := _ROLL.fullmatch(text)) is None:
            self.act_on_cube(side, text.strip().lower(), properties.get("DA"))
            return
        if "DA" in properties:
            self.analyze_cube(properties["DA"])
        self.roll(side, Dice.of(rolled[1]))
        self.after_roll(side, rolled[2], properties, last=last)

    def act_on_cube(self, side: Player, word: str, evaluation: str | None) -> None:
        """A double, a beaver, a take or a drop. A beaver is written as a double by the player who was doubled."""
        offer = self.state.offer
        is_beaver = isinstance(offer, Double) and offer.answerer is side
        actions = {
            "take": Action.TAKE,
            "drop": Action.DROP,
            "double": Action.BEAVER if is_beaver else Action.DOUBLE,
        }
        if (action := actions.get(word)) is None:
            raise ParseError(f"{shown(word)} is neither a roll with its play nor a cube action")
        # GNU Backgammon repeats the evaluation where a beaver is taken, but it is that of the first double.
        if evaluation is not None and not (isinstance(offer, Double) and offer.beavers):
            self.analyze_cube(evaluation)
        self.do(action, side)

    def after_roll(
        self, side: Player, letters: str, properties: dict[str, str], *, last: bool
    ) -> None:
        plays = self.state.legal_plays
        analysis = self.encoded(
            encoded_plays, properties.get("A"), properties.get("LU"), self.engine
        )
        if not letters and plays[0].moves:
            self.without_play(side, plays, analysis, last=last)
            return
        text = steps_in(letters, side)
        play = legal_play(plays, text)
        if play is None and not self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
            # whose error says why not
            play = play_by_its_end(plays, letters, side) or plays.find(text)
        if play is None:
            self.leave_rest_out()
            return
        self.analyze_next(analysis)
        self.do_play(side, play)

    def without_play(
        self, side: Player, plays: Plays, analysis: EncodedAnalysis | None, *, last: bool
    ) -> None:
        if last:  # it has yet to be played, or the player resigned
            self.unplayed = analysis
        elif len(plays) == 1:
            self.analyze_next(analysis)
            self.only_legal_play(side, plays[0])
        else:
            self.stop(
                FindingKind.HIDDEN_PLAY,
                f"the play is not shown, and {len(plays)} are legal",
                Severity.WARNING,
            )

    def analyze_cube(self, evaluation: str) -> None:
        self.analyze_next(self.encoded(encoded_cube, evaluation, self.engine, self.start.length))

    def follow_end(self) -> None:
        """Apply what was set by hand after the last action, such as a roll before a resignation."""
        rolled = self.set_up.dice_node
        with self.stopping_at_error():
            self.apply_set_up(None)
            if rolled is not None:
                self.unplayed = self.encoded(
                    encoded_plays, None, rolled.properties.get("LU"), self.engine
                )

    def end(self) -> None:
        self.place = self.root.node
        outcome = self.root.outcome
        gained = points_gained(self.start.score, self.next_score)
        winner, points = outcome[:2] if outcome is not None else gained or (None, None)
        if winner is not None and points and self.is_awarded(winner, points):
            self.forfeit(winner.opponent, points, stated=self.awarded is not None)
        elif winner is None:
            self.has_no_result()
            self.analyze_next(self.unplayed)
        else:
            words = (
                ""
                if outcome and outcome[2]
                else "states points"
                if outcome
                else "has the next score"
            )
            self.end_early(winner.opponent, points, words and f"the record only {words}")

    def is_awarded(self, winner: Player, points: int) -> bool:
        """Whether the game was forfeited: a comment says so, or no resignation explains the points."""
        words = f"{self.root.names[winner]}{WINS_BY_FORFEIT}"
        if words in self.comments and not why_not_award(self.state.length, points):
            self.awarded = words
        return self.awarded is not None or self.is_award(winner.opponent, points)


def is_action(node: Node) -> bool:
    """Whether a node has an action, or sets something by hand."""
    return not node.properties.keys().isdisjoint({"B", "W", *SET_UP})


def roll_alone(node: Node) -> tuple[str, str] | None:
    """Whose roll a node has without a play, and which; None for any other node."""
    values = ((color, node.properties.get(color, "")) for color in "BW")
    return next(
        ((color, roll[1]) for color, value in values if (roll := _ROLL_ALONE.match(value))), None
    )


def play_by_its_end(plays: Plays, letters: str, side: Player) -> Play | None:
    """The legal play that ends where these steps do: GNU Backgammon may write 5/off with 42 as 5/1 1/off."""
    points = list(plays.position.points)
    numbers = POINTS[side]
    for source, target in zip(letters[::2], letters[1::2], strict=True):
        points[numbers[source]] -= 1
        if target != OFF:
            hit = points[numbers[target]] == -1
            points[numbers[target]] += 1 + hit
            points[0] -= hit
    return play_to(plays, flip(board_of(points)))
