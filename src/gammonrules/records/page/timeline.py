"""A game as steps: the positions that a reader looks at one after another, and what was done in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TypeVar

from attrs import define, frozen

from gammonrules.analysis import Analysis
from gammonrules.analysis.internals import decoded
from gammonrules.board import Play, Win
from gammonrules.errors import GammonError
from gammonrules.match import (
    Action,
    Event,
    Forfeit,
    MatchState,
    Phase,
    Player,
    RecordEvent,
    SetPosition,
)
from gammonrules.match.internals import level_name, two_dice
from gammonrules.records.transcript import Decision, Finding, FindingKind, Game, with_decoded
from gammonrules.values import counted

_T = TypeVar("_T")

WHOLE_GAME = -1
"""Stands for the index of a step, for what is about no step."""
_ENDS_THE_REPLAY = {FindingKind.ILLEGAL_PLAY, FindingKind.ILLEGAL_ACTION}


@frozen
class Analyzed:
    """The analysis of a decision."""

    analysis: Analysis
    action: Action | None
    """What was done; None if that is open."""


@frozen
class Step:
    """A position, and what was done in it; the last one of a game shows how it ended.

    A roll and its play are one step, which shows the position with the dice.
    """

    state: MatchState
    label: str
    """What was done, as records write it: "31: 8/5 6/5"."""
    side: Player | None = None
    """Whose column it is in; None if it is neither player's action."""
    events: tuple[int, ...] = ()
    """The indices of the events that it shows."""
    play: Play | None = None
    """The play that was made."""
    last_play: Play | None = None
    """The play that led to this position."""
    is_last: bool = False


@frozen
class GameSteps:
    """The steps of a game."""

    game: Game
    index: int
    """The game in the record, counted from 1."""
    steps: tuple[Step, ...]
    states: tuple[MatchState, ...]
    """The start, and the state after each event, as far as the events follow the rules."""

    @property
    def is_followed(self) -> bool:
        return len(self.states) > len(self.game.events)

    @cached_property
    def decisions(self) -> list[Decision]:
        """The decisions of the game; none if an event breaks the rules."""
        return [*self.game.decisions()] if self.is_followed else []

    def analyses(self, step: Step) -> Iterator[Analyzed]:
        """The analyses of what was done in a step, with the action; or of the decision after the last event."""
        for index in step.events:
            analysis = decoded(_item_at(self.game.analyses, index), self.states[index])
            event = self.game.events[index]
            if analysis is not None and isinstance(event, Event):
                yield Analyzed(analysis, event.action)
        if step.is_last and self.is_followed:
            pending = decoded(self.game.pending_analysis, step.state)
            if pending is not None:
                yield Analyzed(pending, None)

    def note(self, step: Step) -> str:
        """The remarks about the events of a step."""
        notes = [_item_at(self.game.notes, index) for index in step.events]
        return "\n".join([note for note in notes if note])

    def step_about(self, finding: Finding) -> int:
        """The index of the step that a finding is about, or `WHOLE_GAME`."""
        is_cut_short = bool(self.game.cut) or not self.is_followed
        if is_cut_short and finding.kind in _ENDS_THE_REPLAY:
            return self._last_index  # the event that broke the rules has no step of its own
        if finding.line is not None:
            return self._step_of_line(finding, finding.line)
        if finding.row is not None:
            return self._quoted_step(finding, self._steps_by_row.get(finding.row, ()))
        return WHOLE_GAME

    @property
    def _last_index(self) -> int:
        return len(self.steps) - 1

    def _step_of_line(self, finding: Finding, line: int) -> int:
        """The step of a line of the file; of a line without one, the last step of the lines before it."""
        is_heading_of_game = line == self.game.line
        if is_heading_of_game:
            return WHOLE_GAME
        by_line = self._steps_by_line
        if line in by_line:
            return self._quoted_step(finding, by_line[line])
        if by_line and line > max(by_line):
            return self._last_index  # the one that shows how the game ended
        earlier_steps = [max(by_line[earlier]) for earlier in by_line if earlier < line]
        return max(earlier_steps, default=WHOLE_GAME)

    def _quoted_step(self, finding: Finding, steps: Sequence[int]) -> int:
        """Of the steps of a line, which may be both players', the one whose roll or word the finding quotes.

        Labels begin with this roll or word: "31: 8/5 6/5", "Doubles => 2". Without a quote it is the last of the steps.
        """
        text = finding.text.lower()
        for index in steps:
            roll_or_word, _, _ = self.steps[index].label.partition(" ")
            if roll_or_word.lower() in text:
                return index
        return steps[-1] if steps else WHOLE_GAME

    @cached_property
    def _steps_by_line(self) -> Mapping[int, Sequence[int]]:
        """The indices of the steps that come from each line of the file."""
        return self._steps_by(self.game.lines)

    @cached_property
    def _steps_by_row(self) -> Mapping[int, Sequence[int]]:
        """The indices of the steps that come from each row."""
        return self._steps_by(self.game.rows)

    def _steps_by(self, number_of_event: tuple[int | None, ...]) -> Mapping[int, Sequence[int]]:
        """The indices of the steps by the numbers of their events, which are those of lines or rows of the file."""
        steps: dict[int, list[int]] = {}
        for index, step in enumerate(self.steps):
            numbers = {_item_at(number_of_event, event) for event in step.events}
            for number in numbers:
                if number is not None:
                    steps.setdefault(number, []).append(index)
        return steps


def _item_at(items: tuple[_T, ...], index: int) -> _T | None:
    """The item about an event; a game built by a program may have fewer items than events."""
    return items[index] if index < len(items) else None


def steps_of(game: Game, index: int, limit: int) -> GameSteps:
    """The steps of a game, as far as its events follow the rules, but no more than this; there is at least one."""
    states: list[MatchState] = []
    # the states before an error stay; the referee reports what is wrong
    with suppress(GammonError):
        states.extend(game.states())
    number_followed = len(states) - 1  # since the first state comes before all events
    follower = _Follower(game.events[:number_followed], states)
    steps = tuple(islice(follower.steps(), limit))
    if number_followed == len(game.events) and any(game.analyses):
        game = with_decoded(game, tuple(states))
    return GameSteps(game, index, steps, states=tuple(states))


@define
class _Follower:
    """Makes the steps of events that follow the rules."""

    events: tuple[RecordEvent, ...]
    states: list[MatchState]
    """The start, and the state after each event."""
    rolled: tuple[int, ...] = ()
    """The index of a roll that has no step of its own."""
    last_play: Play | None = None

    def steps(self) -> Iterator[Step]:
        for index, event in enumerate(self.events):
            step = self._step(index, event)
            if step is None:  # a roll, which belongs to the next step
                self.rolled = (index,)
                continue
            yield step
            self.rolled = ()
            if step.play is not None:
                self.last_play = step.play
        yield self._last_step(self.states[-1])

    def _step(self, index: int, event: RecordEvent) -> Step | None:
        """The step of an event; None for a roll that the next step shows.

        A step shows what was there before a play or another action, but what came of a roll or a position set by hand.
        """
        before = self.states[index]
        after = self.states[index + 1]
        if isinstance(event, Forfeit):
            return self._step_of_event(before, label="Forfeits", side=event.loser, index=index)
        if isinstance(event, SetPosition):
            self.last_play = None  # no play led to this board
            return self._step_of_event(after, label="Position set by hand", side=None, index=index)
        if event.action in {Action.OPENING_ROLL, Action.ROLL}:
            return self._roll(event, after, index)
        if event.action is Action.PLAY:
            play = before.legal_plays.find(after.position)
            return self._step_of_event(
                before, label=f"{before.dice}: {play}", side=before.on_roll, index=index, play=play
            )
        player = event.by if isinstance(event.by, Player) else before.to_act
        return self._step_of_event(
            before, label=_action_words(event, after), side=player, index=index
        )

    def _roll(self, event: Event, after: MatchState, index: int) -> Step | None:
        """A roll has a step of its own only if something other than its play comes next."""
        is_tie = after.dice is None
        if is_tie:
            white, black = two_dice(event.argument)
            return self._step_of_event(
                after, label=f"{white}{black}: a tie, so both roll again", side=None, index=index
            )
        is_last_event = index + 1 == len(self.events)
        if is_last_event:  # the last step shows the dice
            return None
        following = self.events[index + 1]
        if isinstance(following, Event) and following.action is Action.PLAY:
            return None
        return self._step_of_event(after, label=f"{after.dice}:", side=after.on_roll, index=index)

    def _last_step(self, state: MatchState) -> Step:
        """The step that says how the game ended, or what comes next, in the column of the player whose it is."""
        side: Player | None
        if state.result is not None:
            label = f"Wins {counted(state.result.points, 'point')}"
            if state.winner is not None:
                label += " and the match"
            side = state.result.winner
        elif state.phase is Phase.TO_PLAY:
            label = f"{state.dice}:"
            side = state.on_roll
        else:
            label = _TO_DO[state.phase]
            side = state.to_act
        return Step(state, label, side, events=self.rolled, last_play=self.last_play, is_last=True)

    def _step_of_event(
        self,
        state: MatchState,
        label: str,
        side: Player | None,
        index: int,
        play: Play | None = None,
    ) -> Step:
        return Step(
            state, label, side, events=(*self.rolled, index), play=play, last_play=self.last_play
        )


def _action_words(event: Event, after: MatchState) -> str:
    """A cube action, a resignation or the answer to one, as records write them."""
    double = after.pending_double
    if double is not None and event.action is Action.DOUBLE:
        return f"Doubles => {double.value}"
    if double is not None and event.action is Action.BEAVER:
        is_raccoon = double.beavers == 2  # so the beaver of a beaver is called
        verb = "Raccoons" if is_raccoon else "Beavers"
        return f"{verb} => {double.value}"
    if event.action is Action.RESIGN:
        assert isinstance(event.argument, Win)
        return f"Resigns a {level_name(event.argument)}"
    return f"{event.action.title()}s"  # such as "Takes"


_TO_DO = {
    Phase.OPENING: "Opening roll",
    Phase.TO_ROLL: "To roll",
    Phase.DOUBLED: "To answer the double",
    Phase.RESIGNED: "To answer the resignation",
}
