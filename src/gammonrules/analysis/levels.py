"""How deep an engine looked: `Level`. Its labels are written and read here alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import attrs
from attrs import field, frozen

from gammonrules._shared.checked_fields import Checked, check_kind, wrong_fields
from gammonrules._shared.engine_levels import RACE_PLAYS
from gammonrules.errors import ArgumentError
from gammonrules.values import shown, whole_argument


@frozen(eq=False, repr=False)
class Level(Checked):
    """How deep an engine looked at something, or is to look: its label, and what the label means.

    `str` returns the label. `Level("2-ply")` has this label and no other attribute, and `Level.read("2-ply")` has the
    attributes that the label means in a record. A level with an empty label is false.

    *Equality*: two levels are equal if their labels are equal, and a level is equal to its label.

    Attributes:
        label: the string in records, tables and pages, such as "2-ply", "level 2: exact" or "XG Roller++"; "" if the
            level is not known.
        depth: the N of an N-ply, as the engine counts: the 2-ply of GNU Backgammon is the 3-ply of the others. None if
            it is not known. In a rollout, that of the decisions on the way.
        depth_in_races: where no engine is named, how deep one looks at plays in races that are not solved; else None.
        is_cubeless: whether the cube is left out.
        is_exact: whether it is no estimate.
        is_tiers: whether these are several levels, of which an answer says the one that it comes from.
        is_rollout: whether games are played out.
        trials: how many games a rollout has, at most if it may end early; None if it is not known.
        trials_done: how many of them it took, if it may end early, else None.
        terms: the settings of a rollout of this library, as a string; else "".
        requested: the level that the engine was set to: "tiers quick" of the effective level "tiers quick: 2-ply". Of a
            rollout that ended early, it is the level with all trials. Of any other level, it is the level itself.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules.analysis import Level
        >>> level = Level.read("rollout, 144 of 1296 trials of 1-ply, seed 1")
        >>> level.is_rollout, level.trials_done, level.trials, level.depth
        (True, 144, 1296, 1)
        >>> print(level.requested)
        rollout, 1296 trials of 1-ply, seed 1
        >>> exact = Level.read("level 2: exact")
        >>> exact.is_exact, str(exact.requested), exact.requested.depth_in_races
        (True, 'level 2', 3)
    """

    label: str
    depth: int | None = field(default=None, kw_only=True)
    depth_in_races: int | None = field(default=None, kw_only=True)
    is_cubeless: bool = field(default=False, kw_only=True)
    is_exact: bool = field(default=False, kw_only=True)
    is_tiers: bool = field(default=False, kw_only=True)
    is_rollout: bool = field(default=False, kw_only=True)
    trials: int | None = field(default=None, kw_only=True)
    trials_done: int | None = field(default=None, kw_only=True)
    terms: str = field(default="", kw_only=True)
    _requested: object = field(
        default=None, kw_only=True
    )  # a Level: the class cannot name itself here

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self)
        if not isinstance(self._requested, Level | None):
            yield f"requested must be a level or None, not {shown(self._requested, 60)}"

    @classmethod
    def read(cls, label: str) -> Level:
        """Return the level with this label in a record. The label of another program is kept as it is.

        The label of another program means a rollout if it is "rollout", alone or with a comma after it.

        Args:
            label: the label, as `str` returns it.

        Raises:
            ArgumentError: `label` is not a string.
        """
        check_kind("label", label, str)
        return _read(label)

    @property
    def requested(self) -> Level:
        """The level that the engine was set to."""
        return self._requested if isinstance(self._requested, Level) else self

    def effective(self, source: Level) -> Level:
        """The level of an answer when this level was requested and the answer is from another level.

        Args:
            source: the other level.

        Raises:
            ArgumentError: `source` is not a level.

        Examples:
            >>> str(Level.read("tiers quick").effective(Level.read("2-ply")))
            'tiers quick: 2-ply'
        """
        check_kind("source", source, Level)
        return attrs.evolve(source, label=f"{self}: {source}", requested=self)

    def after_trials(self, done: int) -> Level:
        """The level of an answer that took so many trials when this level of a rollout was requested.

        Args:
            done: how many games were played.

        Raises:
            ArgumentError: this is no level of a rollout of this library, or `done` is not a whole number from 1.

        Examples:
            >>> requested = Level.read("rollout, 1296 trials of 1-ply, seed 1")
            >>> print(requested.after_trials(144))
            rollout, 144 of 1296 trials of 1-ply, seed 1
        """
        if not self.terms:
            raise ArgumentError(f"{shown(self.label, 60)} is no level of a rollout of this library")
        done = whole_argument("done", value=done, minimum=1, maximum=self.trials)
        label = f"rollout, {done} of {self.terms}"
        return attrs.evolve(self, label=label, trials_done=done, requested=self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Level):
            return self.label == other.label
        if isinstance(other, str):
            return self.label == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.label)

    def __bool__(self) -> bool:
        return bool(self.label)

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"Level({self.label!r})"


_DEFAULT: Final = "level "
UNKNOWN: Final = Level("")
EXACT: Final = Level("exact", is_exact=True)
"""The level of what is no estimate."""
ROLLOUT: Final = Level("rollout", is_rollout=True)
"""The level of programs that do not say how they rolled out."""


def label_without_head(level: Level) -> str:
    """The label below a heading *Level*: of "level 2+: exact", "2+: exact"."""
    is_of_default = level.requested.depth_in_races is not None
    return level.label.removeprefix(_DEFAULT) if is_of_default else level.label


def ply_level(depth: int, *, is_cubeless: bool = False) -> Level:
    """The level that looks so deep everywhere."""
    label = f"{depth}-ply cubeless" if is_cubeless else f"{depth}-ply"
    return Level(label, depth=depth, is_cubeless=is_cubeless)


def default_level(depth: int, *, looks_again: bool = False) -> Level:
    """The level of what answers where no engine is named; it may look at close doubles again, at the next level."""
    plus = "+" if looks_again else ""
    return Level(f"{_DEFAULT}{depth}{plus}", depth=depth, depth_in_races=max(depth, RACE_PLAYS))


def tiers_level(name: str) -> Level:
    """The level of tiers with this name, or that are described so."""
    return Level(f"tiers {name}", is_tiers=True)


def rollout_level(
    trials: int, depth: int, truncate: int, until: float | str | None, seed: int
) -> Level:
    """The level of a rollout of this library."""
    truncated = f", truncated at {truncate}" if truncate else ""
    ends_early = "" if until is None else f", until {until}"
    terms = f"{trials} trials of {depth}-ply{truncated}{ends_early}, seed {seed}"
    return Level(f"rollout, {terms}", depth=depth, is_rollout=True, trials=trials, terms=terms)


def level_of_text(level: Level | str) -> Level:
    """A level as users give it: a text is read. What is neither stays, to be refused with the other fields."""
    return _read(level) if isinstance(level, str) else level


def labels_of_levels(
    analysis_level: Level | str | Sequence[Level | str] | None,
) -> list[str] | None:
    """The labels of the levels that a user names; None for none. Raises ArgumentError."""
    if analysis_level is None:
        return None
    if isinstance(analysis_level, (Level, str)):
        return [str(analysis_level)]
    are_levels = isinstance(analysis_level, Sequence) and all(
        isinstance(level, (Level, str)) for level in analysis_level
    )
    if not are_levels or not analysis_level:
        raise ArgumentError(
            f"analysis_level must be a level, a list of several, or None, not {shown(analysis_level, 60)}"
        )
    return [str(level) for level in analysis_level]


def trials_at_levels(levels: Iterable[Level]) -> Counter[str]:
    """The trials of rollouts at these levels, requested and used."""
    trials = Counter[str]()
    for level in levels:
        if level.trials is not None and level.trials_done is not None:
            trials.update(used=level.trials_done, requested=level.trials)
    return trials


def trials_text(trials: Mapping[str, int]) -> str:
    """The words for so many trials of rollouts; empty for none."""
    return f"Trials of rollouts: {trials['used']:,} of {trials['requested']:,}" if trials else ""


_PLIES: Final = re.compile(r"([0-9]{1,2})-ply( cubeless)?")
_OF_DEFAULT: Final = re.compile(r"level ([0-9]{1,4})(\+?)")
_TIERS: Final = re.compile(r"tiers ([^:]+)")
_OWN_ROLLOUT: Final = re.compile(
    r"rollout, (?:([0-9]{1,9}) of )?([0-9]{1,9}) trials of ([0-9]{1,4})-ply"
    r"(?:, truncated at ([0-9]{1,9}))?(?:, until ([^,:]+))?, seed ([0-9]{1,10})"
)
_OTHER_ROLLOUT: Final = re.compile(
    r"rollout(?:, (?:(?:([0-9]{1,9}) of )?([0-9]{1,9}) trials)?.*)?", re.IGNORECASE | re.DOTALL
)


@lru_cache(maxsize=1000)
def _read(label: str) -> Level:
    level = _level_of_our_engine(label)
    if level is not None and level.label == label:  # another spelling stays as it is
        return level
    # the label of `Level.effective`
    requested_label, colon, source_label = label.partition(": ")
    if colon:
        requested = _level_of_our_engine(requested_label)
        if requested is not None and _names_its_source(requested):
            return requested.effective(_read(source_label))
    rollout = _OTHER_ROLLOUT.fullmatch(label)
    if rollout is not None:
        done, trials = rollout.groups()
        return Level(
            label,
            is_rollout=True,
            trials=None if trials is None else int(trials),
            trials_done=None if done is None else int(done),
        )
    return Level(label)


def _names_its_source(requested: Level) -> bool:
    """Whether the answers of an engine at this level may come from several sources."""
    return requested.is_tiers or requested.is_rollout or requested.depth_in_races is not None


def _level_of_our_engine(label: str) -> Level | None:
    """The level that an engine of this library calls so, or nearly so ("02-ply"); None for any other."""
    if label == EXACT.label:
        return EXACT
    plies = _PLIES.fullmatch(label)
    if plies is not None:
        depth, cubeless = plies.groups()
        return ply_level(int(depth), is_cubeless=cubeless is not None)
    default = _OF_DEFAULT.fullmatch(label)
    if default is not None:
        depth, plus = default.groups()
        return default_level(int(depth), looks_again=bool(plus))
    tiers = _TIERS.fullmatch(label)
    if tiers is not None:
        return tiers_level(tiers[1])
    rollout = _OWN_ROLLOUT.fullmatch(label)
    return None if rollout is None else _own_rollout(rollout)


def _own_rollout(rollout: re.Match[str]) -> Level | None:
    """The level of a rollout of this library; None if it has more trials than it was set to, or none."""
    done, trials, depth, truncate, until, seed = rollout.groups()
    level = rollout_level(
        int(trials), depth=int(depth), truncate=int(truncate or 0), until=until, seed=int(seed)
    )
    if done is None:
        return level
    trials_done = int(done)
    if trials_done < 1 or trials_done > int(trials):
        return None
    return level.after_trials(trials_done)
