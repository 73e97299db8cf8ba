"""A game followed node by node: actions, and what was set by hand, in one node or several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from attrs import Factory, define, field

from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Play, Plays, Position
from gammonrules.board.internals import board_of, flip, legal_play, play_to
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import (
    Action,
    Cube,
    Double,
    Event,
    MatchState,
    Phase,
    Player,
    Resignation,
    SetPosition,
)
from gammonrules.match.internals import level_name, why_not_award
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
    COLORS,
    OFF,
    POINTS,
    SIDES,
    Node,
    first_value,
    steps_in,
    values_of,
)
from gammonrules.records.transcript import FindingKind, Game, RecordedResult, Severity
from gammonrules.values import counted, shown

SET_UP: Final = frozenset(("PL", "AE", "AW", "AB", "CV", "CP", "CO", "DI"))
"""The properties of such nodes."""
_OF_A_ROLL: Final = frozenset(("PL", "DI"))
"""The properties of a node that sets only a roll."""
_OWNERS: Final = {"c": None, "n": None, "w": Player.WHITE, "b": Player.BLACK}
_MAX_CHECKERS = 60
"""Values of a property that adds checkers; more cannot be on a board."""


@define
class SetUp:
    """What one or more nodes in a row set by hand, until the next action."""

    player: Player | None = None
    """Whose turn it is."""
    board: dict[Player, Counter[int]] | None = None
    """The checkers of each player, by points as that player numbers them; 25 is the bar."""
    cube_value: int | None = None
    cube_owner: Player | None = None
    is_cube_owner_stated: bool = False
    dice: Dice | None = None
    node: Node | None = None
    """The last node that set anything but dice."""
    dice_node: Node | None = None
    remarks: list[str] = Factory(list[str])

    def take(self, node: Node, state: MatchState) -> None:
        """Add what a node sets. Raises GammonError if it cannot be set."""
        properties = node.properties
        self.player = player_named(node) or self.player
        if sets_board(node):
            if self.board is None:
                self.board = checkers_on(state)
            change_board(self.board, node)
        self.take_cube(properties)
        dice = first_value(properties.get("DI"))
        if dice is not None:
            self.dice = Dice.of(dice.strip())
            self.dice_node = node
        sets_only_a_roll = dice is not None and SET_UP & properties.keys() <= _OF_A_ROLL
        if not sets_only_a_roll:
            self.node = node

    def take_cube(self, properties: dict[str, str]) -> None:
        value = first_value(properties.get("CV"))
        if value is not None:
            self.cube_value = cube_in(value)
            if self.cube_value is None:
                raise ParseError(f"there is no cube of {shown(value)}")
        owner = first_value(properties.get("CP", properties.get("CO")))
        if owner is not None:
            if owner not in _OWNERS:
                raise ParseError(
                    f'the owner of the cube must be "c", "w" or "b", not {shown(owner)}'
                )
            self.cube_owner = _OWNERS[owner]
            self.is_cube_owner_stated = True

    def event(self, state: MatchState, actor: Player | None) -> SetPosition | None:
        """The position set by hand, if more than dice was set; `actor` may be who acts next. Raises PositionError."""
        player = self.player or actor or state.on_roll or Player.WHITE
        cube = self.cube_after(state.cube)
        is_other_player = self.player is not None and state.on_roll not in (None, self.player)
        changes_turn = is_other_player and self.node is not None  # not by a roll alone
        if self.board is None and cube == state.cube and not changes_turn:
            return None
        if self.board is None:
            position = state.view(player)
        else:
            # in the order of the points, in which an error names those that are wrong
            mine = dict(sorted(self.board[player].items()))
            theirs = dict(sorted(self.board[player.opponent].items()))
            position = Position.of(mine, theirs, checkers=state.position.checkers)
        is_cube_stated = self.cube_value is not None or self.is_cube_owner_stated
        return SetPosition(position, player, cube if is_cube_stated else None)

    def cube_after(self, cube: Cube) -> Cube:
        value = self.cube_value or cube.value
        owner = self.cube_owner if self.is_cube_owner_stated else cube.owner
        return Cube(value, owner if value > 1 else None)  # nobody owns a cube of 1


def checkers_on(state: MatchState) -> dict[Player, Counter[int]]:
    """The checkers of each player, by points as that player numbers them."""
    board: dict[Player, Counter[int]] = {}
    for side in Player:
        points = enumerate(state.view(side).points)
        board[side] = Counter({point: count for point, count in points if count > 0})
    return board


def player_named(node: Node) -> Player | None:
    """The player named by `PL`. Raises ParseError if it is not a player."""
    text = first_value(node.properties.get("PL"))
    if text is None:
        return None
    player = SIDES.get(text.strip()[:1].upper())
    if player is None:
        raise ParseError(f'whose turn it is must be "B" or "W", not {shown(text)}')
    return player


def sets_board(node: Node) -> bool:
    return not {"AE", "AW", "AB"}.isdisjoint(node.properties)


def change_board(board: dict[Player, Counter[int]], node: Node) -> None:
    """Empty points, then add checkers, one for each value. Raises ParseError if a value is not a point."""
    for letter in points_in(node.properties.get("AE")):
        for side in Player:
            board[side].pop(POINTS[side][letter], None)
    for name, side in (("AW", Player.WHITE), ("AB", Player.BLACK)):
        for letter in points_in(node.properties.get(name)):
            board[side][POINTS[side][letter]] += 1


def points_in(raw: str | None) -> Iterator[str]:
    """The points that a property lists: letters, or ranges such as "a:y". Raises ParseError for anything else."""
    for number, value in enumerate(values_of(raw or "")):
        first, _, last = value.strip().partition(":")
        index_of_first = index_of_point(first)
        index_of_last = index_of_point(last) if last else index_of_first
        is_beyond_board = number > _MAX_CHECKERS
        if index_of_first is None or index_of_last is None or is_beyond_board:
            raise ParseError(f"{shown(value)} is not a point, or there are too many points")
        yield from ALL[index_of_first : index_of_last + 1]


def index_of_point(letter: str) -> int | None:
    return ALL.index(letter) if len(letter) == 1 and letter in ALL else None


# --- the game ---------------------------------------------------------------------------------------------------------

_OPPONENTS_BAR: Final = 0
"""Where the opponent's checkers on the bar are among the 26 points of a position."""
_ROLL = re.compile(r"([1-6][1-6])((?:[a-y][a-xz]){0,4})")
_ROLL_ALONE = re.compile(r"\[([1-6][1-6])\]")
_RESIGNATION = re.compile(r"resign:([1-9][0-9]{0,8})")
"""An offer to resign, as Gibbon writes it, with the points that the opponent gets."""
_ANSWERS: Final = {"accept": Action.ACCEPT, "reject": Action.DECLINE}
"""Gibbon's words for the answers to such an offer."""
_OF_OFFERS: Final = frozenset((Action.RESIGN, Action.DECLINE))
_CUBE_ACTIONS: Final = frozenset(("double", "take", "drop"))


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
    last_offer: Node | None = field(init=False, default=None)
    """The offer to resign with which the game ends."""

    def run(self) -> Game:
        nodes = self.nodes_with_actions()
        last_move = last_move_of(nodes)
        self.last_offer = last_offer_of(nodes)
        for node, following in zip_longest(nodes, nodes[1:]):
            if node is last_move and self.end_is_stated:
                self.only_its_end_follows = True
            if not self.follow(node, following):
                break
        file_breaks_off = self.root.tree.cut
        if file_breaks_off and self.state.result is None:
            self.cut = True
        if not self.cut:
            self.follow_end()
        if not self.cut and self.state.result is None:
            self.end()
        comments = tuple(line for line in self.comments if line != self.awarded)
        return self.game(self.number, self.end_in_root(), comments)

    def nodes_with_actions(self) -> list[Node]:
        """The nodes of the game, and its root if that sets a board or dice."""
        root = self.root.node
        nodes = list(self.root.tree.nodes)
        if sets_board(root) or "DI" in root.properties:
            nodes.insert(0, root)
        if len(nodes) > 1:
            roll = roll_alone(nodes[-1])
            if roll is not None and roll == roll_alone(nodes[-2]):
                del nodes[-1]  # GNU Backgammon may write the roll before a resignation twice
        return nodes

    def end_in_root(self) -> RecordedResult | None:
        """The end that the root states."""
        outcome = self.root.outcome
        if outcome is None:
            return None
        root = self.root.node
        text = f"RE{root.properties['RE'].rstrip()[:200]}"
        return self.stated_end(outcome.winner, outcome.points, text, root.line)

    @property
    def end_is_stated(self) -> bool:
        """Whether the file says who won, and is not cut off within the game."""
        gained = points_gained(self.start.score, self.next_score)
        says_who_won = self.root.outcome is not None or gained is not None
        return says_who_won and not self.root.tree.cut

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments of the root; those of the first game's `GC` are about the match."""
        root = self.root.node.properties
        about_match = comment_lines(first_value(root.get("GC")))
        about_game = comment_lines(first_value(root.get("C")))
        return about_game if self.index == 1 else about_match + about_game

    def follow(self, node: Node, following: Node | None) -> bool:
        """Follow a node, before another one or at the end; return whether that can be done."""
        self.place = node
        properties = node.properties
        try:
            if "B" in properties or "W" in properties:
                self.act(properties, following)
            elif not SET_UP.isdisjoint(properties):
                self.set_by_hand(node)
            if "C" in properties and node is not self.root.node:
                self.keep_comment(node)
        except GammonError as error:
            self.stop_at_error(error)
            return False
        return not self.cut

    def keep_comment(self, node: Node) -> None:
        text = first_value(node.properties["C"]) or ""
        if node is self.set_up.node or node is self.set_up.dice_node:
            self.set_up.remarks.append(text)  # about the event that comes later
        elif self.events:
            self.remark(text)

    def set_by_hand(self, node: Node) -> None:
        """A set-up node. A board for the opponent of a player who has rolled is the one after an illegal play."""
        side = player_named(node)
        set_up = self.set_up
        is_for_opponent = side is not None and side is not set_up.player
        if set_up.dice is not None and is_for_opponent and sets_board(node):
            self.apply_set_up(None)
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
        self.set_up.take(node, self.state)

    def apply_set_up(self, actor: Player | None) -> None:
        """Apply what was set by hand.

        Args:
            actor: who acts next, with dice of their own; None if no action follows: then the dice that were set count.
        """
        set_up = self.set_up
        self.set_up = SetUp()
        present_node = self.place
        self.place = set_up.node or present_node
        event = set_up.event(self.state, actor)
        if event is not None:
            self.apply(event)
        if actor is None and set_up.dice is not None and set_up.dice_node is not None:
            self.place = set_up.dice_node
            roller = set_up.player or self.state.on_roll or Player.WHITE
            self.roll(roller, set_up.dice)
        if self.events:
            for text in set_up.remarks:
                self.remark(text)
        self.place = present_node

    def act(self, properties: dict[str, str], following: Node | None) -> None:
        if "W" in properties and "B" in properties:
            raise ParseError("a node can hold the action of only one player")
        side = Player.WHITE if "W" in properties else Player.BLACK
        text = text_in_brackets(properties[COLORS[side]])
        rolled = _ROLL.fullmatch(text)
        resignation = None if rolled is not None else find_resignation(text)
        if resignation is not None:
            self.apply_unplayed_roll()
            self.offer_points(side, int(resignation[1]))
            return
        if self.set_up.node is not None or self.set_up.dice_node is not None:
            self.apply_set_up(side)
        if rolled is None:
            self.act_without_roll(side, text.strip().lower(), properties.get("DA"))
        else:
            self.act_with_roll(side, rolled, properties, following)

    def act_with_roll(
        self,
        side: Player,
        rolled: re.Match[str],
        properties: dict[str, str],
        following: Node | None,
    ) -> None:
        """A roll with its play; the roll is repeated after an offer to resign that was declined."""
        faces, letters = rolled.groups()
        dice = Dice.of(faces)
        if "DA" in properties:  # of the decision to roll instead of doubling
            self.analyze_cube(properties["DA"])
        state = self.state
        is_repeated = state.dice == dice and state.on_roll is side and state.phase is Phase.TO_PLAY
        if is_repeated:
            if "LU" in properties:
                self.forget_luck_of_offers()
        else:
            self.roll(side, dice)
        self.after_roll(side, letters, properties, following)

    def forget_luck_of_offers(self) -> None:
        """Forget the luck that was kept with offers since the roll: the node that repeats the roll states it again."""
        for index in range(len(self.events) - 1, -1, -1):
            event = self.events[index]
            if not isinstance(event, Event) or event.action not in _OF_OFFERS:
                return
            self.analyses.pop(index, None)

    def act_without_roll(self, side: Player, word: str, evaluation: str | None) -> None:
        """A cube action, or the answer to an offer to resign.

        A beaver is written as a double by the player who was doubled.
        """
        if word in _ANSWERS:
            self.do(_ANSWERS[word], side)
            return
        offer = self.state.offer
        is_beaver = isinstance(offer, Double) and offer.answerer is side
        actions = {
            "take": Action.TAKE,
            "drop": Action.DROP,
            "double": Action.BEAVER if is_beaver else Action.DOUBLE,
        }
        action = actions.get(word)
        if action is None:
            raise ParseError(why_not_action(word))
        # GNU Backgammon repeats the evaluation where a beaver is taken, but it is that of the first double.
        answers_beaver = isinstance(offer, Double) and offer.beavers > 0
        if evaluation is not None and not answers_beaver:
            self.analyze_cube(evaluation)
        self.do(action, side)

    def offer_points(self, side: Player, points: int) -> None:
        """An offer to resign, for these points; those that the record states for the game are more certain."""
        claimed = [points]
        if self.place is self.last_offer:
            claimed = [*self.points_stated_for(side.opponent), points]
        level = self.level_for(side, claimed)
        gives = self.points_if_resigned(level)
        self.offer_resignation(side, level)
        if gives != points:
            note = f"this offer of {counted(points, 'point')} is taken for a {level_name(level)}, which gives {gives}"
            self.report(Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, note)

    def points_stated_for(self, winner: Player) -> list[int]:
        """The points that the record states for this player, if it states them as the winner of the game."""
        claims: list[tuple[Player, int]] = []
        if self.root.outcome is not None:
            claims.append((self.root.outcome.winner, self.root.outcome.points))
        gained = points_gained(self.start.score, self.next_score)
        if gained is not None:
            claims.append(gained)
        return [points for player, points in claims if player is winner]

    def after_roll(
        self, side: Player, letters: str, properties: dict[str, str], following: Node | None
    ) -> None:
        """Follow the play of the roll, in letters, of a node with these properties."""
        plays = self.state.legal_plays
        analysis = self.play_analysis(properties.get("A"), properties.get("LU"))
        is_dance = not plays[0].moves
        if letters == "" and not is_dance:
            self.without_play(side, plays, analysis, following)
            return
        text = steps_in(letters, side)
        play = legal_play(plays, text)
        if play is None:
            play = play_by_its_end(plays, letters, side)
        if play is None:
            self.refuse_play(plays, text)
            return
        self.analyze_next(analysis)
        self.do_play(side, play)

    def refuse_play(self, plays: Plays, text: str) -> None:
        """Stop the replay at an illegal play. Raises the error that says why, unless enough were explained."""
        if self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
            self.leave_rest_out()
        else:
            plays.find(text)  # raises the error

    def without_play(
        self, side: Player, plays: Plays, analysis: EncodedAnalysis | None, following: Node | None
    ) -> None:
        # the roll has yet to be played, or a player resigned
        if following is None or offers_resignation(following):
            self.unplayed = analysis
        elif len(plays) == 1:
            self.analyze_next(analysis)
            self.only_legal_play(side, plays[0])
        else:
            note = f"the play is not shown, and {len(plays)} are legal"
            self.stop(FindingKind.HIDDEN_PLAY, note, Severity.WARNING)

    def play_analysis(self, evaluations: str | None, luck: str | None) -> EncodedAnalysis | None:
        try:
            return encoded_plays(evaluations, luck, self.engine)
        except ParseError as error:
            self.refuse_analysis(str(error))
            return None

    def analyze_cube(self, evaluation: str) -> None:
        try:
            self.analyze_next(encoded_cube(evaluation, self.engine, self.start.length))
        except ParseError as error:
            self.refuse_analysis(str(error))

    def follow_end(self) -> None:
        """Apply what was set by hand after the last action, such as a roll before a resignation."""
        try:
            self.apply_unplayed_roll()
        except GammonError as error:
            self.stop_at_error(error)

    def apply_unplayed_roll(self) -> None:
        """Apply what was set by hand, with a roll that is not played."""
        node_with_roll = self.set_up.dice_node  # applying it empties the set-up
        self.apply_set_up(None)
        if node_with_roll is not None:
            luck = node_with_roll.properties.get("LU")
            self.unplayed = self.play_analysis(None, luck)

    def end(self) -> None:
        """End a game that its actions have not ended as the root states, or else the next score."""
        self.place = self.root.node
        outcome = self.root.outcome
        gained = points_gained(self.start.score, self.next_score)
        if outcome is not None:
            words = "" if outcome.is_resigned else "the record only states points"
            self.end_won(outcome.winner, outcome.points, words)
        elif gained is not None:
            winner, points = gained
            self.end_won(winner, points, "the record only has the next score")
        else:
            self.report_no_result()
            self.analyze_next(self.unplayed)

    def end_won(self, winner: Player, points: int, words: str) -> None:
        offer = self.state.offer
        if isinstance(offer, Resignation) and offer.by is winner:
            self.decline_last_offer(winner)
        if self.is_awarded(winner, points):
            self.forfeit(winner.opponent, points, stated=self.awarded is not None)
        elif isinstance(self.state.offer, Resignation):
            self.do(Action.ACCEPT, winner)
        else:
            self.end_early(winner.opponent, points, words)

    def decline_last_offer(self, winner: Player) -> None:
        """Decline the offer of a player whom the record states as the winner."""
        name = winner.title()
        note = f"{name} offered to resign last, but the rest of the record gives {name} the game"
        self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)
        self.do(Action.DECLINE, winner.opponent)

    def is_awarded(self, winner: Player, points: int) -> bool:
        """Whether the game was forfeited: a comment says so, or no resignation explains the points."""
        words = f"{self.root.names[winner]}{WINS_BY_FORFEIT}"
        if words in self.comments and why_not_award(self.state.length, points) is None:
            self.awarded = words
            return True
        return self.is_award(winner.opponent, points)


def is_action(node: Node) -> bool:
    """Whether a node has an action, or sets something by hand."""
    return not node.properties.keys().isdisjoint({"B", "W", *SET_UP})


def text_in_brackets(raw: str) -> str:
    return raw.rstrip()[1:-1]


def action_text(node: Node) -> str:
    """What a player does in a node, as the file has it; "" without an action."""
    return text_in_brackets(node.properties.get("W", node.properties.get("B", "")))


def find_resignation(text: str) -> re.Match[str] | None:
    return _RESIGNATION.fullmatch(text.strip().lower())


def offers_resignation(node: Node) -> bool:
    return find_resignation(action_text(node)) is not None


def why_not_action(word: str) -> str:
    """The message about a word that is not an action."""
    if word.startswith("resign"):
        expected = "an offer to resign must state 1 to 999999999 points without a blank"
        return f"{expected}, as in resign:2, not {shown(word)}"
    known = "a roll with its play, double, take, drop, resign:N, accept or reject"
    return f"unknown action {shown(word)}; expected {known}"


def last_move_of(nodes: list[Node]) -> Node | None:
    """The last node with a roll, a cube action or what was set by hand.

    Only the end of the game follows it: offers to resign, answers to them, and what cannot be read.
    """
    for node in reversed(nodes):
        text = action_text(node)
        is_on_cube = text.strip().lower() in _CUBE_ACTIONS
        is_set_up = not SET_UP.isdisjoint(node.properties)
        if is_on_cube or is_set_up or _ROLL.fullmatch(text):
            return node
    return None


def last_offer_of(nodes: list[Node]) -> Node | None:
    """The first offer to resign after which the game cannot go on, since the next action is not its rejection."""
    actions = [node for node in nodes if is_action(node)]
    for node, following in zip_longest(actions, actions[1:]):
        if offers_resignation(node) and not goes_on_after_offer(node, following):
            return node
    return None


def goes_on_after_offer(offer: Node, following: Node | None) -> bool:
    """Whether the opponent rejects the offer in the next action, or that sets more than a roll by hand."""
    if following is None:
        return False
    is_of_opponent = offer.properties.keys().isdisjoint(following.properties)
    is_rejection = action_text(following).strip().lower() == "reject"
    sets_by_hand = not (SET_UP - _OF_A_ROLL).isdisjoint(following.properties)
    return (is_rejection and is_of_opponent) or sets_by_hand


def roll_alone(node: Node) -> tuple[str, str] | None:
    """The color and the dice of a roll that a node has without a play; None for any other node."""
    for color in COLORS.values():
        roll = _ROLL_ALONE.match(node.properties.get(color, ""))
        if roll is not None:
            return color, roll[1]
    return None


def play_by_its_end(plays: Plays, letters: str, side: Player) -> Play | None:
    """The legal play that ends where these steps do: GNU Backgammon may write 5/off with 42 as 5/1 1/off."""
    points = list(plays.position.points)
    for source_letter, target_letter in zip(letters[::2], letters[1::2], strict=True):
        source = POINTS[side][source_letter]
        target = POINTS[side][target_letter]
        points[source] -= 1
        if target_letter == OFF:
            continue
        is_hit = points[target] == -1
        if is_hit:
            points[target] = 0
            points[_OPPONENTS_BAR] -= 1
        points[target] += 1
    return play_to(plays, flip(board_of(points)))
