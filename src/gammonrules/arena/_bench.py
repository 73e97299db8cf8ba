"""How strong a bot is by the decisions of the benchmark, which two engines have rolled out."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import hypot, inf
from random import Random
from typing import Any, Final, Literal, Self, TypeAlias

import numpy as np
from attrs import asdict, evolve, field, frozen

from gammonrules._shared.sample_means import student_quantile
from gammonrules.arena._blocks import deciding
from gammonrules.arena._decisions import VERSION, Ask, Question, read_decisions
from gammonrules.arena._intervals import unseen_rate
from gammonrules.arena._match import Moment, in_time
from gammonrules.arena._players import (
    EngineMaker,
    Entrant,
    command_in,
    entrant_of,
    full_name,
    own_name,
)
from gammonrules.arena._policies import Policy
from gammonrules.arena._programs import asked_program
from gammonrules.board import IllegalPlayError, PositionKind
from gammonrules.board.array_checks import Floats
from gammonrules.engine.internals import legal_decision
from gammonrules.errors import (
    ArgumentError,
    BotError,
    EngineError,
    EngineUnsupportedError,
    GammonError,
    IllegalActionError,
)
from gammonrules.match import Action, Event, MatchState
from gammonrules.records.transcript import signed
from gammonrules.values import counted, is_series, printable, real_argument

Drawn: TypeAlias = Literal["at random", "disagreement"]
_Decide: TypeAlias = Callable[[MatchState], Event | Action]

LEAST: Final = 10
"""With fewer positions a mean has no interval: they may all miss what happens one time in four."""
TINY: Final = 1e-9
_THOUSANDTHS: Final = 1000
"""Of a point, in which a mean loss is told."""
_LONGEST_PROBLEM: Final = 400
FIRST: Final[Mapping[Ask, int]] = {"plays": 300, "cubes": 100}
"""How many positions are asked if not all are."""
_QUESTIONS: Final[Mapping[Ask, int]] = {"plays": 1, "cubes": 2}
"""How many are asked about a position."""


@frozen
class MeanLoss:
    """What a decision loses on average, in thousandths of a point, with a 95% interval.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        decisions: how many tell it.
        loss: the mean; None without a decision. Between two bots, how much more the first one loses.
        low: the lower end of the interval; None if they do not tell it.
        high: the upper end.

    Examples:
        >>> from gammonrules.arena import MeanLoss
        >>> print(MeanLoss(150, 12.3, 8.1, 16.5))
        12.3 (8.1 to 16.5) in 150 decisions
    """

    decisions: int = 0
    loss: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        made = counted(self.decisions, "decision", ",")
        if self.loss is None:
            return made
        interval = "no interval"
        if self.low is not None and self.high is not None:
            interval = f"{signed(self.low, 'z.1f')} to {signed(self.high, 'z.1f')}"
        return f"{signed(self.loss, 'z.1f')} ({interval}) in {made}"


@frozen
class BenchAnswer:
    """What a bot did in a decision of the benchmark, and what that lost.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        id: the number of the position. A cube has two decisions: to double or not, and to take or drop.
        state: what was asked.
        selected_by: the two whose disagreement selected the position; empty if it was drawn at random.
        best: the best action.
        action: the play, or "roll", "double", "take" or "drop"; empty without an answer that counts.
        loss: points that it loses; None without an answer that counts.
        error: the standard error of the loss.
        problem: why the answer does not count, in a sentence.
        is_illegal: whether that is because it is not allowed.

    Examples:
        >>> from gammonrules import arena
        >>> results = arena.bench(lambda state: state.legal_plays[0])
        >>> isinstance(results.answers[0], arena.BenchAnswer), results.answers[0].ask
        (True, 'plays')
        >>> "which is neither an Event" in results.answers[0].problem
        True
    """

    id: int
    state: MatchState
    selected_by: tuple[str, ...]
    best: str
    action: str = ""
    loss: float | None = None
    error: float = 0
    problem: str = ""
    is_illegal: bool = False

    @property
    def ask(self) -> Ask:
        """Whether this is one of the plays or of the cubes."""
        return "plays" if self.state.dice else "cubes"


_AnswersById: TypeAlias = dict[int, list[BenchAnswer]]
"""One answer about a play, or two about the cube, by the number of the position."""


@frozen
class BenchResults:
    """What a bot loses in the decisions of the benchmark.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        bot: its name.
        version: that of the benchmark.
        digest: the SHA-256 of its decisions.
        answers: all that was asked.
        most: what a decision may lose at most, in points.
        stopped: why the bot could not be asked to the end, or None.

    Examples:
        >>> from gammonrules import Action, Event, arena
        >>> def bot(state, row=0):
        ...     if state.dice:
        ...         play = state.legal_plays[row]
        ...         return Event(Action.PLAY, argument=play)
        ...     return Action.TAKE if state.offer else Action.ROLL
        >>> results = arena.bench(bot)
        >>> isinstance(results, arena.BenchResults)
        True
        >>> results.worst[0].loss > 0.5
        True
        >>> other = arena.bench(lambda state: bot(state, -1))
        >>> results.plays == results.number("plays"), results.is_selector
        (True, False)
        >>> results.cubes == other.cubes
        True
        >>> more = results.number("plays", than=other)
        >>> more.decisions == results.plays.decisions
        True
        >>> sorted(results.to_json())[:4]
        ['benchmark', 'bot', 'cubes', 'is_selector']
    """

    bot: str
    version: int
    digest: str
    answers: tuple[BenchAnswer, ...] = field(repr=False)
    most: float
    stopped: str | None = None

    @property
    def plays(self) -> MeanLoss:
        """What a play loses, of the positions that were drawn at random."""
        return self.number("plays")

    @property
    def cubes(self) -> MeanLoss:
        """What a decision about the cube loses, of the positions that were drawn at random."""
        return self.number("cubes")

    @property
    def worst(self) -> list[BenchAnswer]:
        """The answers that lose something, worst first."""
        losing = [answer for answer in self.answers if answer.loss]
        return sorted(losing, key=_loss_of, reverse=True)

    @property
    def is_selector(self) -> bool:
        """Whether positions were selected by what this bot does in them, so that they say nothing about it."""
        return any(self.bot in answer.selected_by for answer in self.answers)

    def number(
        self,
        ask: Ask,
        drawn: Drawn = "at random",
        *,
        kind: PositionKind | None = None,
        than: Self | None = None,
    ) -> MeanLoss:
        """What a decision loses on average.

        A position counts if all that was asked about it has an answer that counts.

        Args:
            ask: "plays" or "cubes", which are never one number.
            drawn: "at random" (the default), or "disagreement": where two engines differ. There is no number of these
                for a bot that selected some.
            kind: only boards of this kind; None (the default) for all.
            than: the results of another bot: how much more this one loses, in the positions that count for both.

        Raises:
            ArgumentError: the results of the other bot are of another benchmark.
        """
        if than is not None and (self.version, self.digest) != (than.version, than.digest):
            raise ArgumentError(
                "these are two benchmarks: "
                f"{self.bot} has answered version {self.version} ({self.digest[:8]}), "
                f"{than.bot} version {than.version} ({than.digest[:8]})"
            )
        if drawn == "disagreement" and self._is_selector_or(than):
            return MeanLoss()
        ours = self._counting(ask, drawn, kind)
        theirs = _perfect(ours) if than is None else than._counting(ask, drawn, kind)  # noqa: SLF001
        losses_of_positions = list[float]()  # two decisions about a cube have one mean
        errors = list[float]()
        for position in ours.keys() & theirs.keys():
            differences = list[float]()
            for answer, other in zip(ours[position], theirs[position], strict=True):
                differences.append(_loss_of(answer) - _loss_of(other))
                if answer.action != other.action:  # two equal actions lose exactly the same
                    errors.append(hypot(answer.error, other.error))
            losses_of_positions.append(sum(differences) / len(differences))
        if not losses_of_positions:
            return MeanLoss()
        decisions = len(losses_of_positions) * _QUESTIONS[ask]
        losses = np.array(losses_of_positions)
        # a bot loses 0 or more, but it may lose less than another one
        least = 0 if than is None else -inf
        interval = _interval_of_mean(
            losses, error=hypot(*errors) / decisions, most=self.most, least=least
        )
        mean = _THOUSANDTHS * float(losses.mean())
        if interval is None:
            return MeanLoss(decisions, mean)
        low, high = interval
        return MeanLoss(decisions, mean, low=_THOUSANDTHS * low, high=_THOUSANDTHS * high)

    def _is_selector_or(self, other: Self | None) -> bool:
        return self.is_selector or (other is not None and other.is_selector)

    def _counting(self, ask: Ask, drawn: Drawn, kind: PositionKind | None) -> _AnswersById:
        """The answers about each position that counts."""
        positions: _AnswersById = {}
        for answer in self.answers:
            was_drawn: Drawn = "disagreement" if answer.selected_by else "at random"
            is_of_kind = kind is None or kind == answer.state.position.kind
            if answer.ask == ask and was_drawn == drawn and is_of_kind and answer.loss is not None:
                positions.setdefault(answer.id, []).append(answer)
        # without those about which only one of two questions has an answer
        return {
            number: answers
            for number, answers in positions.items()
            if len(answers) == _QUESTIONS[ask]
        }

    def to_json(self, than: Self | None = None) -> dict[str, Any]:
        """The numbers as plain values for `json.dumps`, without the answers.

        Args:
            than: another bot: how much more this one loses; None (the default) for what it loses.
        """
        plain: dict[str, Any] = {
            "version": 1,
            "benchmark": self.version,
            "sha256": self.digest,
            "bot": self.bot,
            "stopped": self.stopped,
            "is_selector": self._is_selector_or(than),
        }
        for ask in FIRST:
            plain[ask] = self._plain_numbers(ask, than)
        return plain

    def _plain_numbers(self, ask: Ask, than: Self | None) -> dict[str, Any]:
        """The numbers of the plays or of the cubes, by the kinds of their positions as well."""
        answers = [answer for answer in self.answers if answer.ask == ask]
        number = self.number(ask, than=than)
        disagreement = self.number(ask, "disagreement", than=than)
        kinds = dict[str, Any]()
        for kind in sorted({answer.state.position.kind for answer in answers}):
            number_of_kind = self.number(ask, kind=kind, than=than)
            if number_of_kind.decisions:
                kinds[kind] = asdict(number_of_kind)
        plain = {**asdict(number), "disagreement": asdict(disagreement), "kinds": kinds}
        if than is None:
            illegal = sum(answer.is_illegal for answer in answers)
            without_legal_action = sum(not answer.action for answer in answers)
            # PR is 500 times the mean loss in points, which is here in thousandths
            plain["pr"] = None if number.loss is None else number.loss / 2
            plain["asked"] = len(answers)
            plain["illegal"] = illegal
            plain["unanswered"] = without_legal_action - illegal
        return plain


def _loss_of(answer: BenchAnswer) -> float:
    """What an answer that counts loses, in points."""
    assert answer.loss is not None
    return answer.loss


def _perfect(answers: _AnswersById) -> _AnswersById:
    """What a bot that loses nothing would answer in the place of these."""
    return {
        number: [evolve(answer, action="", loss=0.0, error=0.0) for answer in answers_there]
        for number, answers_there in answers.items()
    }


def bench(
    bot: str | Sequence[str] | Entrant,
    *,
    name: str | None = None,
    full: bool = False,
    timeout: float = 60,
    data: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> BenchResults:
    """Ask a bot for the decisions of the benchmark, and tell what it loses.

    Args:
        bot: a player as in `play`: a name ("gnubg:1", "bgsage:1", "ubgi:PROGRAM", "module:function"), a function, a
            `Policy` or an `EngineMaker`; or a program in any language that answers lines, as "program:COMMAND" or as
            a list of its words.
        name: what the bot is called; None (the default) for its own name. "gnubg:1" is the one that selected positions.
        full: whether all decisions are asked, not the first 300 plays and 100 cubes.
        timeout: seconds for a decision of a function or a program.
        data: a file of decisions, instead of the one in the library.
        progress: is called with the number of decisions that were asked, and of all, after each.

    Raises:
        ArgumentError: this is no bot, or an argument is wrong.
        ParseError: the file was changed, or is of another version.
        EngineError: the bot cannot be started.

    Examples:
        >>> from gammonrules import Action, Event, arena
        >>> def first(state):
        ...     if state.dice:
        ...         return Event(Action.PLAY, argument=state.legal_plays[0])
        ...     return Action.TAKE if state.pending_double else Action.ROLL
        >>> results = arena.bench(first)
        >>> results.plays.loss > 100, results.cubes.decisions > 0
        (True, True)
    """
    timeout = real_argument(
        "timeout",
        value=timeout,
        needed="a number of seconds above 0",
        fits=lambda seconds: seconds > 0,
    )
    decisions = read_decisions(data)
    answers = list[BenchAnswer]()
    stopped = None
    with _asking(bot, timeout) as asked_bot:
        positions = list[Sequence[Question]]()
        for ask in asked_bot.asks:
            available = decisions.positions[ask]
            positions += available if full else available[: FIRST[ask]]
        try:
            for done, questions in enumerate(positions, 1):
                answers += [_bench_answer(question, asked_bot.decide) for question in questions]
                if progress:
                    progress(done, len(positions))
        except EngineError as error:
            stopped = str(error)
    return BenchResults(
        name or asked_bot.name,
        version=VERSION,
        digest=decisions.digest,
        answers=tuple(answers),
        most=decisions.largest_loss,
        stopped=stopped,
    )


def _interval_of_mean(
    losses: Floats, error: float, most: float, least: float
) -> tuple[float, float] | None:
    """An interval of the mean of these losses; None if there are few. It is between `least` and `most`.

    Most decisions lose nothing, and a few lose much, so Student's t alone would hold the true mean in as few as 24% of
    the cases. On each side it is compared with the t that Peter Hall transforms for skew losses ("On the removal of
    skewness by transformation", Journal of the Royal Statistical Society B 54, 1992), and the farther end counts. Both
    have as many degrees of freedom as decisions lose something.

    Args:
        losses: of each position.
        error: the standard error that the mean has since the losses are not exact themselves.
        most: what one decision loses at most.
        least: below this no mean can be.
    """
    count = len(losses)
    if count < LEAST:
        return None
    mean = losses.mean()
    spread = losses.std()
    sides = np.array([-1, 1])  # down to the lower end, and up to the higher one
    if spread < TINY:  # all are equal, but so many others may be unseen, which lose `most` at most
        distances = unseen_rate(count) * most
    else:
        # Hall's transformation has a third of the skewness
        third = ((losses - mean) ** 3).mean() / spread**3 / 3
        third = np.copysign(max(abs(third), TINY), third)  # never 0, since it divides
        degrees = int(np.count_nonzero(losses))
        width = student_quantile(degrees) / count**0.5
        # the ends where the transformed t is as far from 0 as Student's quantile
        transformed = 1 - 3 * third * (sides * width + third / 2 / count)
        skew_widths = abs((np.cbrt(transformed) - 1) / third)
        distances = losses.std(ddof=1) * np.maximum(width, skew_widths)
    low, high = mean + sides * np.hypot(student_quantile(count) * error, distances)
    return max(float(low), least), float(high)


def _bench_answer(question: Question, decide: _Decide) -> BenchAnswer:
    """What a bot does in a state. Raises EngineError if it cannot be asked any more."""
    state = question.state
    unanswered = BenchAnswer(
        question.id, state=state, selected_by=question.selected_by, best=question.best
    )
    try:
        # the bot is asked here, since `legal_decision` makes a BotError of all that it raises
        reply = decide(state)
        decision, after = legal_decision(lambda _: reply, state)
    except (Exception, SystemExit) as error:
        engine_has_ended = isinstance(error, EngineError) and not isinstance(
            error, EngineUnsupportedError
        )
        if engine_has_ended:
            raise
        return evolve(unanswered, problem=_problem(error), is_illegal=_is_illegal(error))
    action = str(decision.action) if isinstance(decision, Event) else str(decision)
    if action == "play":
        action = str(state.legal_plays.find(after.position))
    if action not in question.losses:
        problem = f"it decided {action}, of which the benchmark says nothing ({state.xgid})"
        return evolve(unanswered, problem=problem)
    return evolve(
        unanswered, action=action, loss=question.losses[action], error=question.errors[action]
    )


def _problem(error: BaseException) -> str:
    """Why there is no answer, after what a bot raised, or after a decision that is not legal."""
    sentence = str(error)
    if not isinstance(error, GammonError):
        sentence = f"it raised {type(error).__name__}: {sentence}"
    return printable(sentence)[:_LONGEST_PROBLEM]


def _is_illegal(error: BaseException) -> bool:
    """Whether the error says that a decision is not legal, as the cause of a BotError or by itself."""
    reason = error.__cause__ if isinstance(error, BotError) else error
    return isinstance(reason, (IllegalActionError, IllegalPlayError))


# The bots -------------------------------------------------------------------------------------------------------------


@frozen
class _AskedBot:
    """A bot that can be asked: its name, what it is asked, and what decides."""

    name: str
    asks: Sequence[Ask]
    decide: _Decide


@contextmanager
def _asking(bot: object, timeout: float) -> Generator[_AskedBot]:
    """A bot that can be asked within this block."""
    if isinstance(bot, str) and bot.startswith("program:"):
        bot = command_in(bot, bot.removeprefix("program:"))
    if is_series(bot):
        with asked_program(bot, timeout) as asked:
            known: list[Ask] = [ask for ask in FIRST if asked.knows(ask)]
            yield _AskedBot(asked.program.name, known, asked.decide)
        return
    name = own_name(bot)
    player = entrant_of(name, bot)
    if isinstance(player, EngineMaker):
        with player.start() as engine:
            yield _AskedBot(full_name(name), [*FIRST], engine.decide)
        return
    asks: list[Ask] = [*FIRST]
    if isinstance(player, Policy):
        decide = deciding(player.decide)
        if player.cube is None:
            asks = ["plays"]
    else:
        decide = deciding(player)
    # the positions are no part of a match, but a function may take the moment's source of chance
    moment = Moment(0, game=0, turn=0, rng=Random(1))  # noqa: S311

    def decide_in_time(state: MatchState) -> Event | Action:
        return in_time(timeout, partial(decide, state, moment))

    yield _AskedBot(name, asks, decide_in_time)
