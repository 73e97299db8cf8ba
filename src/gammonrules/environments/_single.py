"""`BackgammonEnv`, the Gymnasium environment of one agent against a given opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from gammonrules.environments._action_encoding import Numbering
from gammonrules.environments._seeds import Episode, next_episode
from gammonrules.environments._single_games import (
    RENDER_MODES,
    DiceSource,
    IllegalActions,
    Observed,
    RenderMode,
    Settings,
    Table,
    picture,
    undone_if_refused,
)
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.match import Event, MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import check_function

Info: TypeAlias = dict[str, Any]
"""What comes with an observation: `"action_mask"`, `(actions,) int8`, and `"state"`, the `MatchState`."""
Opponent: TypeAlias = Callable[[npt.NDArray[Any], Info, np.random.Generator], SupportsIndex]
"""Chooses the opponent's actions: a function of what an agent in their place gets, and of the generator to use."""


class BackgammonEnv(gymnasium.Env[npt.NDArray[Any], SupportsIndex]):
    """Backgammon for one agent, who plays White; the opponent is a function.

    An episode is one game, or a match if `length` is given. Each step is a decision of the agent. After it dice are
    rolled, and the opponent acts, until the agent has another one. A turn in which nothing can be played is a step with
    one legal action.

    The reward is 0 until the end. Then it is the points that the agent has won or lost: 1, 2 or 3 times the cube. In a
    match it is 1 or -1.

    An observation is an array of int8, or of float32 with features. Everything is as the agent sees it:

    | how many | what |
    |---|---|
    | 26 | the board, as in `Position.points`; with `observation="features"` the 198 of `batch.features` instead |
    | 2 | the dice that the agent may play, the higher first, or 0 and 0 |
    | 6 | only with a cube or in a match: the table, see below |

    The table is: how often the cube has been turned (it counts 2 to this power; a double that the agent must answer is
    included); whose cube it is, 1 for the agent, -1 for the opponent, 0 for nobody; the points that the agent needs to
    win the match, and the opponent (0 in money play); 1 in the Crawford game; 1 if the agent must answer a double.

    With it comes `info`: `info["action_mask"]` has a 1 for each legal action, at the end for action 0 alone, and
    `info["state"]` is the `MatchState`.

    An action is the number of a play in `info["state"].legal_plays`. With `actions="codes"` it is the code of the play
    (`encode_play`).
    Where there is a cube, five more actions follow: roll, double, take, drop and beaver (`CUBE_ACTIONS`). A player who
    cannot double is not asked, but rolls.

    Args:
        opponent: chooses for the opponent: called as `opponent(observation, info, rng)` with what an agent in their
            place would get, and `env.np_random`; it returns an action. None (the default): a legal one at random.
        actions: "rows" (the default) or "codes".
        observation: "board" (the default) or "features".
        cube: whether there is a doubling cube. Default False.
        length: the points of a match, 1 to 127, or None (the default) for a single game.
        rules: the options; `cube` overrides theirs. None (the default): `Rules()` without a cube; with one `MONEY`, or
            `TOURNAMENT` in a match.
        dice: the dice of all episodes: a function of `env.np_random` that returns a roll, or the rolls one after
            another; None (the default): random ones. The first roll of a game is its opening roll, the agent's die and
            the opponent's: a pair such as `(1, 3)` has them in this order, other forms have the higher die first.
            After a tie the next roll is another; 1,000 ties in a row are an error.
        max_turns: after how many turns of both players, at least 2, an episode is cut off (`truncated`); None (the
            default): never.
        illegal: what an illegal action of the action space does. "lose" (the default): it loses the
            match, or the value of the cube, with a warning, since Gymnasium expects an environment to take every action
            of its space. "raise": it raises an error.
        render_mode: "ansi" for text, "svg" for a drawing as SVG, or None (the default).

    Attributes:
        action_space: a `Discrete` of 3,060 actions, or 25,102 codes, and 5 more with a cube.
        observation_space: a `Box`.

    Raises:
        ArgumentError: an argument is not as described here.
        RulesError: the rules cannot be played with, or without, a cube.

    Examples:
        >>> def last(observation, info, rng):
        ...     return len(info["state"].legal_plays) - 1
        >>> env = BackgammonEnv(opponent=last)
        >>> dice = [(3, 1), (6, 6), (5, 2)]
        >>> observation, info = env.reset(options={"dice": dice})
        >>> observation[26:].tolist(), int(info["action_mask"].sum())
        ([3, 1], 16)
        >>> plays = info["state"].legal_plays
        >>> action = plays.index(plays.find("8/5 6/5"))
        >>> observation, reward, terminated, truncated, info = env.step(action)
        >>> observation[26:].tolist(), reward
        ([5, 2], 0.0)
        >>> env.state == info["state"], len(env.events)  # three rolls, two plays
        (True, 5)
        >>> bool((env.action_masks() == info["action_mask"]).all())
        True
        >>> BackgammonEnv(render_mode="svg").render()[:4]
        '<svg'
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012  Gymnasium's
    """The render modes, as Gymnasium has them."""

    def __init__(
        self,
        opponent: Opponent | None = None,
        *,
        actions: Numbering = "rows",
        observation: Observed = "board",
        cube: bool = False,
        length: int | None = None,
        rules: Rules | None = None,
        dice: DiceSource | None = None,
        max_turns: int | None = None,
        illegal: IllegalActions = "lose",
        render_mode: RenderMode | None = None,
    ) -> None:
        check_function("opponent", opponent, optional=True)
        settings = Settings(
            actions=actions,
            observation=observation,
            cube=cube,
            length=length,
            rules=rules,
            max_turns=max_turns,
            illegal=illegal,
            render_mode=render_mode,
        )
        self._opponent = opponent
        self._dice = dice
        self._table = Table(settings)
        self._episode: Episode | None = None  # None before the first reset
        self._has_begun = False
        self.render_mode = render_mode
        self.action_space = settings.action_space()
        self.observation_space = settings.observation_space()

    @property
    def state(self) -> MatchState:
        """The present state of the table."""
        return self._table.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything since the episode began, including the dice and the opponent's actions.

        `MatchState.apply` performs them again, from `MatchState.new(length, rules=state.rules)` or the state that was
        given to `reset`. A loss by an illegal action is not included.
        """
        return tuple(self._table.events)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], Info]:
        """Begin an episode, and go to the agent's first decision.

        Args:
            seed: makes the dice, and the choices of a random opponent, the same as with this seed before; None (the
                default) goes on with the present generator.
            options: `"state"`, a `MatchState` to begin with, and `"dice"`, a source of dice; None (the default) for the
                start of a game and the environment's own dice.

        Returns:
            The observation and `info`.

        Raises:
            ArgumentError: there is no such option; the state is over, or differs in length or cube; the opponent
                returns no legal action.
            DiceError: a roll is invalid, or the dice run out.

        Examples:
            >>> from gammonrules import MatchState, Player, Position, Rules
            >>> endgame = Position.of(mine={6: 1, 1: 1}, theirs={1: 1})
            >>> state = MatchState(endgame, Player.WHITE, rules=Rules(cube=False))
            >>> env = BackgammonEnv()
            >>> observation, info = env.reset(
            ...     options={"state": state, "dice": ["65", "21"]}
            ... )
            >>> env.step(0)[1:4]
            (1.0, True, False)
        """
        start, throws = self._table.checked(options, self._dice)
        with undone_if_refused(self):
            super().reset(seed=seed)
            self._episode = next_episode(self._episode, seed, self.np_random)
            self._table.begin(start, throws, self.np_random, self._episode)
            self._let_the_opponent_act()
        self._has_begun = True
        return self._seen_by(Player.WHITE)

    def step(self, action: SupportsIndex) -> tuple[npt.NDArray[Any], float, bool, bool, Info]:
        """Act, and go to the agent's next decision, or to the end.

        Args:
            action: a legal one, see `info["action_mask"]`.

        Returns:
            The observation, the reward, whether the game or match is over, whether it was cut off, and `info`.

        Raises:
            ArgumentError: `action` is not a number of the action space, or not legal (`illegal="raise"`); the
                opponent returns no legal action.
            DiceError: a roll is invalid, or the dice run out.
            IllegalActionError: the episode is over, or has not begun.

        Examples:
            >>> env = BackgammonEnv(illegal="raise")
            >>> _ = env.reset(options={"dice": [(3, 1)]})
            >>> try:
            ...     env.step(16)
            ... except ValueError as error:
            ...     print(str(error)[:44])
            action 16 is not one of the 16 legal actions
        """
        if not self._has_begun:
            raise IllegalActionError("call reset() first", IllegalActionReason.OPENING_ROLL_FIRST)
        table = self._table
        number = table.read(action, "step")
        why_not = table.why_illegal(number)
        if why_not is None:
            # set back if there is no error in what follows, after which only reset() would help
            self._has_begun = False
            table.act(number)
            self._let_the_opponent_act()
            self._has_begun = True
        else:
            table.refuse(why_not, Player.WHITE)
        observation, info = self._seen_by(Player.WHITE)
        return observation, float(table.reward(Player.WHITE)), table.is_over, table.is_cut, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, `(actions,) bool`: `info["action_mask"]`, where `sb3_contrib.MaskablePPO` looks."""
        return self._table.mask().view(np.bool_)

    def render(self) -> str | None:
        """The table as text or as SVG, or None without a `render_mode`."""
        return picture(self._table.state, self.render_mode)

    def _let_the_opponent_act(self) -> None:
        table = self._table
        while table.choices and table.state.to_act is Player.BLACK:
            table.choose(self._answer())

    def _answer(self) -> int:
        """The place among the choices of what the opponent decides."""
        table = self._table
        if self._opponent is None:
            return table.random_choice()
        observation, info = self._seen_by(Player.BLACK)
        action = self._opponent(observation, info, self.np_random)
        number = table.read(action, "opponent")
        why_not = table.why_illegal(number)
        if why_not is not None:
            raise ArgumentError(f"opponent: {why_not}")
        return table.numbers.index(number)

    def _seen_by(self, player: Player) -> tuple[npt.NDArray[Any], Info]:
        table = self._table
        return table.observation(player), {"action_mask": table.mask(), "state": table.state}
