"""One game or match for the environments of single games: dice, decisions by number, observations, results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import product
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

import attrs
import gymnasium
import numpy as np
import numpy.typing as npt

from gammonrules import batch
from gammonrules._shared.checked_fields import Bounds, Checked, check_kind
from gammonrules.batch.internals import Draft
from gammonrules.board import Play, Plays
from gammonrules.board.internals import SLOTS, STANDARD_CHECKERS
from gammonrules.dice import Dice, DiceLike
from gammonrules.draw import svg
from gammonrules.environments._action_encoding import (
    CUBE_ACTIONS,
    SIZES,
    Numbering,
    numbers_of_plays,
)
from gammonrules.environments._seeds import Episode
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.limits import MAX_CUBE_TURNS, MAX_EPISODE_LENGTH, MAX_TIES
from gammonrules.match import (
    TO_ACT,
    Action,
    Event,
    EventArgument,
    MatchState,
    Pair,
    Phase,
    Player,
    Resignation,
)
from gammonrules.match.internals import make_event
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import (
    counted,
    items_of_array,
    items_of_pair,
    iterator_of,
    not_a_pair,
    one_of,
    shown,
    suggestion,
    whole_number,
)

DiceSource: TypeAlias = Callable[[np.random.Generator], DiceLike] | Iterable[DiceLike]
"""Where dice come from: a function of the environment's generator, or the rolls one after another."""
IllegalActions: TypeAlias = Literal["lose", "raise"]
"""What an illegal action does: it loses the game, or the match, with a warning; or it raises an error."""
Observed: TypeAlias = Literal["board", "features"]
"""What an observation begins with: the 26 counts of the board, or the 198 of `batch.features`."""

RenderMode: TypeAlias = Literal["ansi", "svg"]
RENDER_MODES = ("ansi", "svg")
_FEATURES = 198
"""The inputs that `batch.features` makes of a board."""

_PAIRS = [Pair(faces) for faces in product(range(1, 7), repeat=2)]
_DICE = {pair: Dice.of(pair) for pair in _PAIRS}


class AnySettings(TypedDict, total=False):
    """Any of the `Settings`."""

    actions: Numbering
    observation: Observed
    cube: bool
    length: int | None
    rules: Rules | None
    max_turns: int | None
    illegal: IllegalActions
    render_mode: RenderMode | None


@attrs.frozen
class Settings(Checked):
    """The arguments that environments of single games share; `BackgammonEnv` explains them."""

    actions: Numbering = "rows"
    observation: Observed = "board"
    cube: bool = False
    length: Annotated[int, Bounds(1, MAX_EPISODE_LENGTH)] | None = None
    rules: Rules | None = None
    max_turns: Annotated[int, Bounds(2)] | None = None
    illegal: IllegalActions = "lose"
    render_mode: RenderMode | None = None

    @property
    def all_rules(self) -> Rules:
        """Without a cube, there is no Jacoby rule either, unless it is asked for."""
        if self.rules is not None:
            return attrs.evolve(self.rules, cube=self.cube)
        if not self.cube:
            return Rules(cube=False)
        return MONEY if self.length is None else TOURNAMENT

    @property
    def has_table(self) -> bool:
        """Whether an observation includes cube and score."""
        return self.cube or self.length is not None

    @property
    def number_of_actions(self) -> int:
        """The numbers of plays, and of actions with the cube if there is one."""
        numbers_of_plays = SIZES[self.actions]
        return numbers_of_plays + len(CUBE_ACTIONS) if self.cube else numbers_of_plays

    def action_space(self) -> gymnasium.spaces.Discrete:
        """The plays, and the actions with the cube if there is one."""
        return gymnasium.spaces.Discrete(self.number_of_actions)

    def observation_space(self) -> gymnasium.spaces.Box:
        """The board or its features, the dice, and the table."""
        low: list[float]
        high: list[float]
        if self.observation == "board":
            dtype: type[np.int8 | np.float32] = np.int8
            low = [-STANDARD_CHECKERS] * SLOTS
            high = [STANDARD_CHECKERS] * SLOTS
        else:
            dtype = np.float32
            low = [0] * _FEATURES
            high = [STANDARD_CHECKERS / 2] * _FEATURES  # the checkers on the bar are halved
        # two dice
        low += [0, 0]
        high += [6, 6]
        if self.has_table:
            # turns of the cube, its owner, the points that both need, the Crawford game, a double to answer
            low += [0, -1, 0, 0, 0, 0]
            high += [MAX_CUBE_TURNS, 1, MAX_EPISODE_LENGTH, MAX_EPISODE_LENGTH, 1, 1]
        return gymnasium.spaces.Box(np.array(low, dtype), np.array(high, dtype), dtype=dtype)


def check_names(function: str, options: AnySettings) -> None:
    """Raise TypeError, as Python does, if a public function has no argument of one of these names."""
    unknown = [name for name in options if name not in AnySettings.__annotations__]
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {shown(unknown[0])}")


class Table:
    """A game, or a match, from one decision to the next.

    Attributes:
        state: the present state, in which somebody has a decision, or the last one.
        events: everything since the episode began; a forfeit is not an event.
        choices: the legal plays, or the actions with the cube; nothing after the end.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._first = MatchState.new(settings.length, rules=settings.all_rules)
        self.state = self._first
        self.events: list[Event] = []
        self.choices: Sequence[Play] | Sequence[Action] = ()
        self._numbers: Sequence[int] | None = None
        self._turns = 0
        self._random_cube_decisions = 0
        self._throws = Throws(())
        self._rng = np.random.default_rng()
        self._episode = Episode(0, 0)

    # An episode -------------------------------------------------------------------------------------------------------

    def checked(
        self, options: Mapping[str, Any] | None, dice: DiceSource | None
    ) -> tuple[MatchState, Throws]:
        """The start and the dice of a new episode, while the present one stays as it is."""
        options = read_options(options, ("state", "dice"))
        start = self._checked_start(options.get("state", self._first))
        return start, Throws(options.get("dice", dice))

    def begin(
        self, start: MatchState, throws: Throws, rng: np.random.Generator, episode: Episode
    ) -> None:
        """Set the table up, and go to the first decision."""
        self.state = start
        self._throws = throws
        self._rng = rng
        self._episode = episode
        self.events = []
        self._turns = 0
        self._random_cube_decisions = 0
        self._go_on()

    @property
    def is_over(self) -> bool:
        """Whether the game, or the match, has its result."""
        state = self.state
        return state.result is not None and (state.length is None or state.winner is not None)

    @property
    def is_cut(self) -> bool:
        """Whether the episode has reached its limit of turns without a result."""
        limit = self.settings.max_turns
        return limit is not None and self._turns >= limit and not self.is_over

    def reward(self, player: Player) -> int:
        """The points that this player has won or lost; in a match 1 or -1."""
        result = self.state.result
        if result is None or not self.is_over:
            return 0
        is_money = self.state.length is None
        points = result.points if is_money else 1
        return points if result.winner is player else -points

    def _checked_start(self, state: MatchState) -> MatchState:
        check_kind('options["state"]', state, MatchState)
        if state.result is not None:
            raise ArgumentError('options["state"]: the game is over')
        if isinstance(state.offer, Resignation):
            raise ArgumentError('options["state"]: the game waits for the answer to a resignation')
        if state.length != self._first.length or state.rules.cube != self._first.rules.cube:
            needed = f"length={self._first.length}, cube={self._first.rules.cube}"
            raise ArgumentError(f'options["state"]: this environment has {needed}')
        return state

    # Decisions --------------------------------------------------------------------------------------------------------

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the choices, which a random opponent does not need."""
        if self._numbers is None:
            self._numbers = self._numbers_of_choices()
        return self._numbers

    def _numbers_of_choices(self) -> Sequence[int]:
        if isinstance(self.choices, Plays):
            return numbers_of_plays(self.choices, self.settings.actions)
        first_number = SIZES[self.settings.actions]  # after those of plays
        return [
            first_number + place
            for place, action in enumerate(CUBE_ACTIONS)
            if action in self.choices
        ]

    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action; at the end for action 0, since a softmax over nothing is NaN."""
        mask = np.zeros(self.settings.number_of_actions, np.int8)
        numbers = self.numbers if self.choices else [0]
        mask[np.array(numbers, np.intp)] = 1
        return mask

    def read(self, action: object, actor: str) -> int:
        """An action as a plain int.

        Raises:
            ArgumentError: it is not a number of the action space.
            IllegalActionError: the episode is over.
        """
        if self.is_over or self.is_cut:
            raise IllegalActionError(
                "the episode is over: call reset()", IllegalActionReason.GAME_OVER
            )
        code: object = action
        if isinstance(action, np.ndarray) and action.shape == (1,):  # as networks return it
            code = action[0]
        # `Discrete.sample` returns this type, for which `whole_number` takes longer
        number = int(code) if type(code) is np.int64 else whole_number(code)
        end = self.settings.number_of_actions
        if number is None or not 0 <= number < end:
            raise ArgumentError(
                f"{actor}: an action is a whole number from 0 to {end - 1:,}, not {shown(action)}"
            )
        return number

    def why_illegal(self, number: int) -> str | None:
        return None if number in self.numbers else sentence_of_illegal(number, self.numbers)

    def random_choice(self) -> int:
        """The place of one of the choices, each equally likely."""
        count = len(self.choices)
        if isinstance(self.choices, Plays):
            return self._episode.play(self._turns, count)
        decision = self._random_cube_decisions
        self._random_cube_decisions += 1
        return self._episode.cube_choice(decision, count)

    def act(self, number: int) -> None:
        """Perform a legal action, and go on to the next decision."""
        self.choose(self.numbers.index(number))

    def choose(self, index: int) -> None:
        """Perform the choice at this place, and go on to the next decision."""
        choice = self.choices[index]
        if isinstance(choice, Play):
            self._do(Action.PLAY, choice)
            self._turns += 1
        elif choice is Action.ROLL:
            self._roll()
        else:
            self._do(choice)
        self._go_on()

    def refuse(self, why_not: str, player: Player) -> None:
        """Let this player lose the match, or the value of the cube, with a warning; or raise an error."""
        if self.settings.illegal == "raise":
            raise ArgumentError(why_not)
        gymnasium.logger.warn(f"{why_not}; it loses the game")
        is_money = self.state.length is None
        points = self.state.cube.value if is_money else None  # None loses the match
        self.state = self.state.forfeit(player, points)
        self._set_choices(())

    def _go_on(self) -> None:
        """Roll, and begin games, until somebody has a decision or the end is reached."""
        self._set_choices(())
        while not self.is_over and not self.is_cut:
            self._find_choices()
            if len(self.choices) > 0:
                return
            match self.state.phase:
                case Phase.OPENING:
                    self._open()
                case Phase.TO_ROLL:
                    self._roll()
                case _:
                    self._do(Action.NEXT_GAME)

    def _open(self) -> None:
        """Throw until one die is higher."""
        for _ in range(MAX_TIES):
            self._do(Action.OPENING_ROLL, self._throws.next(self._rng, self._episode))
            if self.state.phase is not Phase.OPENING:
                return
        raise not_a_pair(f"dice: {MAX_TIES:,} opening rolls in a row are ties")

    def _find_choices(self) -> None:
        """Set `choices` if somebody has a decision; a play is one even if there is no other."""
        state = self.state
        if state.phase is Phase.TO_PLAY:
            self._set_choices(state.legal_plays)
        elif self.settings.cube and state.phase in {Phase.TO_ROLL, Phase.DOUBLED}:
            legal = state.legal_actions
            choices = [action for action in CUBE_ACTIONS if action in legal]
            if len(choices) > 1:  # who can only roll is not asked
                self._set_choices(choices)

    def _set_choices(self, choices: Sequence[Play] | Sequence[Action]) -> None:
        self.choices = choices
        self._numbers = None

    def _roll(self) -> None:
        self._do(Action.ROLL, _DICE[self._throws.next(self._rng, self._episode)])

    def _do(self, action: Action, argument: EventArgument = None) -> None:
        event = make_event(action, self.state.to_act or TO_ACT, argument)
        self.state = self.state.apply(event)
        self.events.append(event)

    # Observations -----------------------------------------------------------------------------------------------------

    def observation(self, player: Player) -> npt.NDArray[Any]:
        """The view of this player: the board or its features, the dice they may play, and the table."""
        state = self.state
        settings = self.settings
        position = state.view(player)
        after_board: list[int] = [0, 0]
        if state.dice is not None and state.on_roll is player:
            after_board = [*state.dice]
        if settings.has_table:
            after_board += self._score_and_cube(player)
        if settings.observation == "board":
            return np.array([*position.points, *after_board], np.int8)
        inputs = batch.features(batch.from_positions([position]), checkers=position.checkers)[0]
        return np.concatenate([inputs, np.array(after_board, np.float32)])

    def _score_and_cube(self, player: Player) -> list[int]:
        """The cube's turns, its owner, what this player and the other need, the Crawford game, a double to answer."""
        state = self.state
        owner = state.cube.owner
        owner_sign = 0
        if owner is not None:
            owner_sign = 1 if owner is player else -1
        away = state.away or Pair((0, 0))
        must_answer = state.phase is Phase.DOUBLED and state.to_act is player
        value = state.cube_after(Action.TAKE).value if must_answer else state.cube.value
        turns = value.bit_length() - 1  # each doubles the value, from 1
        return [turns, owner_sign, away[player], away[player.opponent], state.crawford, must_answer]


def sentence_of_illegal(number: int, legal: Sequence[int]) -> str:
    beginning = ", ".join(map(str, legal[:3]))
    if len(legal) > 3:
        beginning += ", ..."
    actions = counted(len(legal), "legal action")
    return f"action {number} is not one of the {actions} ({beginning}), which the mask shows"


def read_options(options: Mapping[str, Any] | None, names: Sequence[str]) -> Mapping[str, Any]:
    """The options of a reset, which must have these names."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ArgumentError(f"options must be a dict, not {shown(options)}")
    unknown = [name for name in options if name not in names]
    if unknown:
        near = suggestion(unknown[0], names)
        raise ArgumentError(f"there is no option {shown(unknown[0])}, only {one_of(names)}{near}")
    return options


@contextmanager
def undone_if_refused(environment: object) -> Generator[None]:
    """Leave an environment as it was if its reset raises an error."""
    fields = vars(environment)
    # a reset writes into arrays, tables and generators, and replaces everything else
    before = dict(fields)
    for name, value in fields.items():
        if isinstance(value, (np.ndarray, Draft, Table)):
            before[name] = copy(value)
    # generators stay the same objects, which others may share
    generators = [value for value in fields.values() if isinstance(value, np.random.Generator)]
    states = [generator.bit_generator.state for generator in generators]
    try:
        yield
    except BaseException:
        fields.update(before)
        for generator, state in zip(generators, states, strict=True):
            generator.bit_generator.state = state
        raise


def picture(state: MatchState, mode: str | None) -> str | None:
    """The table in a render mode."""
    match mode:
        case None:
            return None
        case "ansi":
            return str(state)
        case _:
            return svg.match_state(state)


# --- dice ----------------------------------------------------------------------------------------------------------


class Throws:
    """The rolls of an episode, as pairs of faces; it can be copied with its environment if its source can."""

    def __init__(self, source: object) -> None:
        self._thrown = 0
        """How many rolls before the next one."""
        self._function: Callable[[np.random.Generator], Any] | None = None
        self._series: Iterator[Any] | None = None
        if callable(source):
            self._function = source
        elif source is not None:
            self._series = iterator_of(source)
            if self._series is None:
                raise not_a_pair(
                    f"dice must be a function, or a series of rolls, not {shown(source)}"
                )

    def next(self, rng: np.random.Generator, episode: Episode) -> Pair[int]:
        """The next roll: of the function or the series, or else that of the episode.

        Raises:
            DiceError: it is not a roll, or the series has ended.
        """
        number = self._thrown
        self._thrown += 1
        if self._function is not None:
            return _roll_faces(self._function(rng))
        if self._series is None:
            return _PAIRS[episode.roll(number)]
        try:
            return _roll_faces(next(self._series))
        except StopIteration:
            raise not_a_pair(
                f"dice: the series ends after {counted(number, 'roll')}, and the game goes on"
            ) from None


def _roll_faces(roll: Any) -> Pair[int]:
    """The faces of a roll; those of a pair keep their order, which an opening roll needs."""
    dice = Dice.of(roll)
    high_first = Pair((dice.high, dice.low))
    pair = items_of_pair(roll)
    if pair is None:
        pair = items_of_array(roll)
    if pair is None:  # a text, or a `Dice`
        return high_first
    is_low_first = whole_number(pair[0]) == dice.low
    return Pair((dice.low, dice.high)) if is_low_first else high_first
