"""The environment of PettingZoo, with an agent for each player: `env()`, as in PettingZoo's own games.

Examples:
    >>> from gammonrules.environments import backgammon_v0
    >>> env = backgammon_v0.env()
    >>> env.reset(seed=2026)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     if terminated or truncated:
    ...         action = None
    ...     else:
    ...         mask = observation["action_mask"]
    ...         action = env.action_space(agent).sample(mask)
    ...     env.step(action)
    >>> reward in {-3, -2, -1, 1, 2, 3}
    True
"""

from __future__ import annotations

from typing import Any, SupportsIndex, TypeAlias, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from gammonrules._shared.extras import importing

with importing("PettingZoo", "backgammon_v0", "environments"):
    from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

from gammonrules.environments._seeds import Episode, next_episode
from gammonrules.environments._single_games import (
    RENDER_MODES,
    AnySettings,
    DiceSource,
    Settings,
    Table,
    check_names,
    picture,
    undone_if_refused,
)
from gammonrules.errors import IllegalActionError, IllegalActionReason
from gammonrules.match import Event, MatchState, Player
from gammonrules.values import choice_argument

__all__ = ["env", "raw_env"]
__dir__ = __all__.copy

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
"""What an agent sees: `"observation"`, an array as that of `BackgammonEnv`, and `"action_mask"`, `(actions,) int8`."""

_PLAYERS = {"white_0": Player.WHITE, "black_0": Player.BLACK}
_AGENTS = {player: agent for agent, player in _PLAYERS.items()}


class raw_env(AECEnv[str, Observation, SupportsIndex | None]):  # noqa: N801  PettingZoo's name
    """Backgammon for two agents, "white_0" and "black_0", without PettingZoo's wrapper, which `env` adds.

    Observations, rewards and numbers of actions are those of `BackgammonEnv`, for both agents, each as they see it. The
    mask is in the observation, and empty for the agent who is not to act. `infos[agent]["state"]` is the `MatchState`.

    An agent who has won or lost must step once more with None, as everywhere in PettingZoo. `reset` takes the options
    `"state"` and `"dice"` of `BackgammonEnv.reset`, and ignores others, as PettingZoo's own test expects.

    Args:
        dice: the dice of all episodes, as for `BackgammonEnv`; None (the default): random ones.
        settings: `actions`, `observation`, `cube`, `length`, `rules`, `max_turns`, `illegal` and `render_mode`, with
            the defaults of `BackgammonEnv`.

    Attributes:
        possible_agents: "white_0" and "black_0".
        agents: those who are still in the game.
        agent_selection: the agent who is to act.
        rewards: what the last step brought each agent.
        terminations: whether the game or match is over, for each agent.
        truncations: whether it was cut off, for each agent.
        infos: `{"state": MatchState}` for each agent.

    Raises:
        ArgumentError: an argument is not as described here.
        RulesError: the rules cannot be played with, or without, a cube.

    Examples:
        >>> from gammonrules.environments.backgammon_v0 import raw_env
        >>> env = raw_env(illegal="raise")
        >>> env.reset(options={"dice": [(1, 3), (6, 6)]})
        >>> env.agent_selection, int(env.observe("black_0")["action_mask"].sum())
        ('black_0', 16)
        >>> env.step(0)
        >>> env.agent_selection, env.observe("white_0")["observation"][26:]
        ('white_0', array([6, 6], dtype=int8))
        >>> env.match_state.to_act, len(env.events)  # a roll, a play, a roll
        (Player.WHITE, 3)
        >>> env.observation_space("white_0")["observation"].shape
        (28,)
        >>> env.render() is None
        True
    """

    metadata = {  # noqa: RUF012  PettingZoo's
        "name": "backgammon_v0",
        "render_modes": [*RENDER_MODES],
        "render_fps": 1,
        "is_parallelizable": False,
    }
    """What PettingZoo needs to know: the name, and the render modes."""

    def __init__(self, *, dice: DiceSource | None = None, **settings: Unpack[AnySettings]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        check_names("raw_env", settings)
        checked = Settings(**settings)
        self._table = Table(checked)
        self._dice = dice
        self._rng: np.random.Generator | None = None
        self._episode: Episode | None = None  # None before the first reset
        self.render_mode = checked.render_mode
        self.possible_agents = [*_PLAYERS]
        self.agents: list[str] = []
        self._action_spaces = {agent: checked.action_space() for agent in _PLAYERS}
        self._observation_spaces = {agent: _space_of_observations(checked) for agent in _PLAYERS}

    @property
    def match_state(self) -> MatchState:
        """The present state of the table; `state` means something else in PettingZoo."""
        return self._table.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything since the episode began, as in `BackgammonEnv.events`."""
        return tuple(self._table.events)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Observation]:
        """The space of what an agent sees, the same object at every call."""
        return self._observation_spaces[choice_argument("agent", agent, [*_PLAYERS])]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The space of an agent's actions, the same object at every call."""
        return self._action_spaces[choice_argument("agent", agent, [*_PLAYERS])]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, and go to the first decision.

        Args:
            seed: as for `BackgammonEnv.reset`, like the options and the errors. Default None.
            options: `"state"` and `"dice"`. Default None.
        """
        # PettingZoo's own test expects that other options are ignored
        if isinstance(options, dict):
            options = {name: options[name] for name in ("state", "dice") if name in options}
        start, throws = self._table.checked(options, self._dice)
        with undone_if_refused(self):
            if seed is not None or self._rng is None:
                self._rng, _ = seeding.np_random(seed)
            self._episode = next_episode(self._episode, seed, self._rng)
            self._table.begin(start, throws, self._rng, self._episode)
        self.agents = [*self.possible_agents]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None  # type: ignore[assignment]  # which an unfinished episode may have set
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees, even if it is not their turn.

        Raises:
            ArgumentError: there is no such agent.

        Examples:
            >>> env = raw_env()
            >>> env.reset(options={"dice": [(3, 1)]})
            >>> int(env.observe("black_0")["action_mask"].sum())
            0
        """
        player = _PLAYERS[choice_argument("agent", agent, [*_PLAYERS])]
        table = self._table
        mask = table.mask()
        has_decision = len(table.choices) > 0 and table.state.to_act is player
        if not has_decision:
            mask[:] = 0
        return {"observation": table.observation(player), "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Perform the action of the agent who is to act, and go to the next decision.

        Args:
            action: a legal one, see the mask; None for an agent who has won or lost.

        Raises:
            ArgumentError: `action` is not a number of the action space, or not legal (`illegal="raise"`).
            DiceError: a roll is invalid, or the dice run out.
            IllegalActionError: the episode is over for both agents, or has not begun.
        """
        if not self.agents:
            sentence = "the episode is over, or has not begun: call reset()"
            raise IllegalActionError(sentence, IllegalActionReason.GAME_OVER)
        agent = self.agent_selection
        table = self._table
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = table.read(action, agent)
        why_not = table.why_illegal(number)
        if why_not is None:
            # without agents the episode counts as over: after an error in what follows only reset() helps
            agents = self.agents
            self.agents = []
            table.act(number)
            self.agents = agents
        else:
            table.refuse(why_not, _PLAYERS[agent])
        self._cumulative_rewards[agent] = 0
        self._show()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table as text or as SVG, or None without a `render_mode`."""
        return picture(self._table.state, self.render_mode)

    def _show(self) -> None:
        """Tell the agents the new state."""
        table = self._table
        self.rewards = {agent: table.reward(_PLAYERS[agent]) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, table.is_over)
        self.truncations = dict.fromkeys(self.agents, table.is_cut)
        self.infos = {agent: {"state": table.state} for agent in self.agents}
        # once a game is over nobody is to act, and PettingZoo asks each agent for a last step, in any order
        state = table.state
        selected = state.to_act or state.on_roll or Player.WHITE
        self.agent_selection = _AGENTS[selected]


def env(
    *, dice: DiceSource | None = None, **settings: Unpack[AnySettings]
) -> OrderEnforcingWrapper[str, Observation, SupportsIndex | None]:
    """Backgammon for two agents: a `raw_env` in PettingZoo's wrapper that refuses calls in the wrong order.

    Arguments and errors are those of `environments.backgammon_v0.raw_env`.

    Examples:
        >>> from gammonrules.environments import backgammon_v0
        >>> backgammon_v0.env(cube=True, length=5).possible_agents
        ['white_0', 'black_0']
    """
    check_names("env", settings)
    return OrderEnforcingWrapper(raw_env(dice=dice, **settings))


def _space_of_observations(settings: Settings) -> gymnasium.spaces.Space[Observation]:
    mask = gymnasium.spaces.Box(0, 1, (int(settings.action_space().n),), np.int8)
    # `Dict` does not know what its spaces are of
    space: Any = gymnasium.spaces.Dict(
        {"observation": settings.observation_space(), "action_mask": mask}
    )
    space_of_observations: gymnasium.spaces.Space[Observation] = space
    return space_of_observations
