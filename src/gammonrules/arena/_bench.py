"""How strong a bot is by the decisions of the benchmark, which two engines have rolled out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from math import hypot
from random import Random
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias, get_args

from attrs import asdict, evolve, field, fields, frozen

from gammonrules._shared.checked_fields import Checked, check_kind
from gammonrules.arena._benchmark_decisions import (
    PARTS,
    Ask,
    Part,
    Question,
    Questions,
    read_decisions,
)
from gammonrules.arena._match import Moment, in_time
from gammonrules.arena._mean_losses import LostHere, MeanLoss, mean_loss, sample_of
from gammonrules.arena._players import (
    EnginePlayer,
    Entrant,
    command_in,
    entrant_of,
    full_name,
    own_name,
)
from gammonrules.arena._policies import Policy
from gammonrules.arena._programs import AskedProgram, asked_program
from gammonrules.arena._work_units import deciding, not_started
from gammonrules.board import IllegalPlayError, Play, PositionKind
from gammonrules.engine import SimpleEngine
from gammonrules.engine.internals import hint_of_policy, legal_decision
from gammonrules.errors import (
    ArgumentError,
    BotError,
    EngineError,
    EngineStartError,
    EngineUnsupportedError,
    GammonError,
    IllegalActionError,
)
from gammonrules.match import Action, Event, MatchState
from gammonrules.values import choice_argument, error_text, is_series, printable, real_argument

Drawn: TypeAlias = Literal["at random", "disagreement", "race"]
_Decide: TypeAlias = Callable[[MatchState], Event | Action | Play]

_MAX_PROBLEM_LENGTH: Final = 400
FIRST: Final[dict[Ask, int]] = {"plays": 300, "cubes": 100}
"""How many positions are asked if not all are, of those that were rolled out."""
_QUESTIONS: Final[dict[Ask, int]] = {"plays": 1, "cubes": 2}
"""How many are asked about a position."""


@frozen
class BenchAnswer(Checked):
    """What a bot did in a decision of the benchmark, and what that lost.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        id: the number of the position. A cube has two decisions: to double or not, and to take or drop.
        state: what was asked.
        selected_by: the two whose disagreement selected the position; empty if it was drawn at random.
        best: the best action.
        action: the play, or "roll", "double", "take" or "drop"; empty without a right answer.
        loss: points that it loses. Without a right answer, what the worst action loses; None if an engine does not
            support the position.
        error: the standard error of the loss; 0 where level 3 of bgsage alone has judged.
        problem: why there is no right answer, in a sentence.
        is_illegal: whether that is because it is not allowed.
        part: what the loss is: "rolled out"; "judged" by level 3 of bgsage alone; or that of a "race", exact where it
            can be.
        judged: points that it loses as level 3 has judged; None where it was not asked.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import arena
        >>> results = arena.bench(lambda state: state.legal_plays[0])
        >>> isinstance(results.answers[0], arena.BenchAnswer), results.answers[0].ask
        (True, 'plays')
        >>> results.answers[0].action, results.answers[0].loss > 0
        ('24/18 24/21', True)
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
    part: Part = "rolled out"
    judged: float | None = None

    @property
    def ask(self) -> Ask:
        """Whether this is one of the plays or of the cubes."""
        return "plays" if self.state.dice else "cubes"


@frozen
class BenchLosses(MeanLoss):
    """What plays, or decisions about the cube, lose: the mean of the positions drawn at random, and its parts.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        decisions: how many of the positions drawn at random tell it, as in `MeanLoss`.
        loss: their mean, in thousandths of a point; None without a decision.
        low: the lower end of its interval, or None.
        high: the upper end.
        further: how many more tell it, which level 3 of bgsage alone has judged. Default 0.
        mistakes: in how many of all these something is lost; None if that is not known.
        is_difference: whether it is a difference between two bots.
        disagreement: the mean where two engines differ; without decisions for a bot that selected some.
        races: the mean of races and bear-offs, which are not part of the first number.
        kinds: the mean of each kind of position that was asked, by the strings of `PositionKind`.
        pr: the performance rating: 500 times the mean loss in points; None without a decision.
        asked: how many questions were asked.
        illegal: how many answers were illegal.
        unanswered: how many questions have no answer.
        unsupported: how many questions an engine does not support.

    Examples:
        >>> from gammonrules import arena
        >>> results = arena.bench(lambda state: state.legal_plays[0])
        >>> isinstance(results.plays, arena.BenchLosses), results.plays.asked
        (True, 300)
        >>> results.plays.kinds["opening"].decisions > 0
        True
    """

    disagreement: MeanLoss = field(factory=MeanLoss)
    races: MeanLoss = field(factory=MeanLoss)
    kinds: dict[str, MeanLoss] = field(factory=dict)
    pr: float | None = None
    asked: int = 0
    illegal: int = 0
    unanswered: int = 0
    unsupported: int = 0

    def __str__(self) -> str:
        return loss_text(asdict(self))


_AnswersById: TypeAlias = dict[tuple[Part, int], list[BenchAnswer]]
"""One answer about a play, or two about the cube, by the part and the number of the position."""


@frozen
class BenchResults:
    """What a bot loses in the decisions of the benchmark.

    The attributes have the names and paths of the JSON: `results.plays.pr` is `["plays"]["pr"]`.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        bot: its name.
        benchmark: the version of the benchmark.
        sha256: the SHA-256 of its decisions.
        answers: all that was asked.
        max_loss: what a decision may lose at most, in points.
        stopped: why the bot could not be asked to the end, or None.
        version: the version of the form of `to_dict` and `to_json`.

    Examples:
        >>> from gammonrules import Action, arena
        >>> def bot(state, row=0):
        ...     if state.dice:
        ...         return state.legal_plays[row]
        ...     return Action.TAKE if state.offer else Action.ROLL
        >>> results = arena.bench(bot)
        >>> isinstance(results, arena.BenchResults)
        True
        >>> results.worst[0].loss > 0.5
        True
        >>> other = arena.bench(lambda state: bot(state, -1))
        >>> results.plays.loss == results.number("plays").loss, results.is_selector
        (True, False)
        >>> results.to_dict()["plays"]["pr"] == results.plays.pr
        True
        >>> results.cubes == other.cubes
        True
        >>> more = results.number("plays", than=other)
        >>> more.decisions == results.plays.decisions
        True
        >>> list(results.to_dict())[:6]
        ['version', 'benchmark', 'sha256', 'bot', 'stopped', 'is_selector']
        >>> results.to_json()[:13]
        '{"version": 1'
    """

    version: ClassVar[int] = 1
    bot: str
    benchmark: int
    sha256: str
    answers: tuple[BenchAnswer, ...] = field(repr=False)
    max_loss: float
    stopped: str | None = None

    def __str__(self) -> str:
        """What a play and a cube decision lose, as far as they were asked."""
        lines = [f"{self.bot}: losses in thousandths of a point"]
        for ask in FIRST:
            losses = self._losses(ask)
            if losses.asked:
                lines.append(f"  {ask}  {losses}")
        if self.stopped:
            lines.append(f"  it could not be asked any more: {self.stopped}")
        return "\n".join(lines)

    @property
    def plays(self) -> BenchLosses:
        """What a play loses."""
        return self._losses("plays")

    @property
    def cubes(self) -> BenchLosses:
        """What a decision about the cube loses."""
        return self._losses("cubes")

    @property
    def worst(self) -> list[BenchAnswer]:
        """The right answers that lose something, worst first."""
        losing = [answer for answer in self.answers if answer.action and answer.loss]
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

        Where an engine does not support what was asked, the position does not count.

        Args:
            ask: "plays" or "cubes", which are never one number.
            drawn: "at random" (the default); "disagreement": where two engines differ, of which there is no number for
                a bot that selected some; or "race": races and bear-offs, which are no part of the first number.
            kind: only boards of this kind, a `PositionKind` or its string; None (the default) for all.
            than: the results of another bot: how much more this one loses, in the positions that count for both.

        Raises:
            ArgumentError: `ask`, `drawn` or `kind` is not one of these, or the results of the other bot are of another
                benchmark.
        """
        ask = choice_argument("ask", ask, get_args(Ask))
        drawn = choice_argument("drawn", drawn, get_args(Drawn))
        if kind is not None:
            kind = choice_argument("kind", kind, [*PositionKind])
        check_kind("than", than, BenchResults | None)
        if than is not None and (self.benchmark, self.sha256) != (than.benchmark, than.sha256):
            raise ArgumentError(
                "these are two benchmarks: "
                f"{self.bot} has answered version {self.benchmark} ({self.sha256[:8]}), "
                f"{than.bot} version {than.benchmark} ({than.sha256[:8]})"
            )
        if drawn == "disagreement" and self._is_selector_or(than):
            return MeanLoss()

        ours = self._counting(ask, drawn, kind)
        theirs = _perfect(ours) if than is None else than._counting(ask, drawn, kind)  # noqa: SLF001
        lost: dict[Part, list[list[LostHere]]] = {part: [] for part in PARTS}
        for (part, number), answers in ours.items():
            if (part, number) in theirs:
                others = theirs[part, number]
                lost[part].append([*map(_lost_more, answers, others)])
        known = lost["race" if drawn == "race" else "rolled out"]
        return mean_loss(
            sample_of(known),
            further=sample_of(lost["judged"]),
            limit=self.max_loss,
            is_difference=than is not None,
        )

    def _is_selector_or(self, other: Self | None) -> bool:
        return self.is_selector or (other is not None and other.is_selector)

    def _counting(self, ask: Ask, drawn: Drawn, kind: PositionKind | None) -> _AnswersById:
        """The answers about each position that counts."""
        positions: _AnswersById = {}
        for answer in self.answers:
            is_wanted = answer.ask == ask and _drawn(answer) == drawn
            is_of_kind = kind is None or kind == answer.state.position.kind
            if is_wanted and is_of_kind and answer.loss is not None:
                positions.setdefault((answer.part, answer.id), []).append(answer)
        # without those about which only one of two questions counts
        return {
            number: answers
            for number, answers in positions.items()
            if len(answers) == _QUESTIONS[ask]
        }

    def to_json(self, than: Self | None = None) -> str:
        """The dict of `to_dict` as a JSON string.

        Args:
            than: as for `to_dict`, by default None.
        """
        return json.dumps(self.to_dict(than))

    def to_dict(self, than: Self | None = None) -> dict[str, Any]:
        """The numbers as plain values for `json.dumps`, without the answers.

        Args:
            than: another bot: how much more this one loses; None (the default) for what it loses.
        """
        plain = {name: getattr(self, name) for name in _IN_JSON}
        if than is not None:
            plain["is_selector"] = self._is_selector_or(than)
        for ask in FIRST:
            losses = asdict(self._losses(ask, than))
            if than is not None:
                losses = {name: losses[name] for name in losses if name not in _OF_ONE_BOT}
            plain[ask] = losses
        return plain

    def _losses(self, ask: Ask, than: Self | None = None) -> BenchLosses:
        """The numbers of the plays or of the cubes, by the kinds of their positions as well."""
        answers = [answer for answer in self.answers if answer.ask == ask]
        number = self.number(ask, than=than)
        kinds = dict[str, MeanLoss]()
        for kind in sorted({answer.state.position.kind for answer in answers}):
            number_of_kind = self.number(ask, kind=kind, than=than)
            if number_of_kind.decisions:
                kinds[str(kind)] = number_of_kind
        illegal = sum(answer.is_illegal for answer in answers)
        unsupported = sum(answer.loss is None for answer in answers)
        without_right_action = sum(not answer.action for answer in answers)
        return BenchLosses(
            **asdict(number),
            disagreement=self.number(ask, "disagreement", than=than),
            races=self.number(ask, "race", than=than),
            kinds=kinds,
            # PR is 500 times the mean loss in points, which is here in thousandths
            pr=None if number.loss is None else number.loss / 2,
            asked=len(answers),
            illegal=illegal,
            unanswered=without_right_action - illegal - unsupported,
            unsupported=unsupported,
        )


_IN_JSON: Final = ("version", "benchmark", "sha256", "bot", "stopped", "is_selector")
"""The attributes of `BenchResults` that its dict has, besides plays and cubes."""
_OF_ONE_BOT: Final = frozenset({"pr", "asked", "illegal", "unanswered", "unsupported"})
"""The attributes of `BenchLosses` that a difference between two bots does not have."""


def mean_loss_text(numbers: Mapping[str, Any]) -> str:
    """A mean loss of the JSON in words."""
    names = [attribute.name for attribute in fields(MeanLoss)]
    return str(MeanLoss(**{name: numbers[name] for name in names}))


def is_unanswered(numbers: Mapping[str, Any]) -> bool:
    """Whether a bot answered none of the plays, or none of the cubes: what they lose is nothing that it does."""
    return bool(0 < numbers["asked"] == numbers["unanswered"])


def loss_text(numbers: Mapping[str, Any]) -> str:
    """What plays or cubes lose, as the JSON has it of a bot, or of the difference of two."""
    if "asked" in numbers and is_unanswered(numbers):
        return f"none of {numbers['asked']:,} answered"
    text = mean_loss_text(numbers)
    if numbers.get("pr") is not None:
        text += f", PR {numbers['pr']:.2f}"
    for key in ("illegal", "unanswered", "unsupported"):
        if numbers.get(key):
            text += f", {numbers[key]:,} {key}"
    return text


def _drawn(answer: BenchAnswer) -> Drawn:
    """Which number the answer counts for."""
    if answer.part == "race":
        return "race"
    return "disagreement" if answer.selected_by else "at random"


def _loss_of(answer: BenchAnswer) -> float:
    """What an answer that counts loses, in points."""
    assert answer.loss is not None
    return answer.loss


def _lost_more(answer: BenchAnswer, other: BenchAnswer) -> LostHere:
    """How much more an answer loses than that of another bot."""
    is_equal = answer.action == other.action  # then both lose exactly the same
    return LostHere(
        _loss_of(answer) - _loss_of(other),
        error=0.0 if is_equal else hypot(answer.error, other.error),
        judged=(answer.judged or 0.0) - (other.judged or 0.0),
    )


def _perfect(answers: _AnswersById) -> _AnswersById:
    """What a bot that loses nothing would answer in the place of these, by actions of no name."""
    perfect: _AnswersById = {}
    for number, answers_there in answers.items():
        perfect[number] = [
            evolve(answer, action="?", loss=0.0, error=0.0, judged=0.0) for answer in answers_there
        ]
    return perfect


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
            `Policy` or an `EnginePlayer`; or a program in any language that answers lines, as "program:COMMAND" or as
            a list of its words.
        name: what the bot is called; None (the default) for its own name. "gnubg:1" is the one that selected positions.
        full: whether all decisions are asked, not the first 300 plays and 100 cubes alone: also those that level 3 of
            bgsage alone has judged, and races.
        timeout: seconds for a decision of a function or a program. A program also has them to start, and at least 20.
        data: a file of decisions, instead of the one in the library.
        progress: is called with the number of decisions that were asked, and of all, after each.

    Raises:
        ArgumentError: this is no bot, or an argument is wrong.
        ParseError: the file was changed, or is of another version.
        EngineError: the bot cannot be started.

    Examples:
        >>> from gammonrules import Action, arena
        >>> def first(state):
        ...     if state.dice:
        ...         return state.legal_plays[0]
        ...     return Action.TAKE if state.pending_double else Action.ROLL
        >>> results = arena.bench(first)
        >>> print(results)
        first: losses in thousandths of a point
          plays  142.7 (108.2 to 185.1) in 151 decisions, PR 71.36
          cubes  101.6 (48.7 to 165.8) in 112 decisions, PR 50.81
        >>> results.plays.loss > 100, results.cubes.decisions > 0
        (True, True)
    """
    timeout = real_argument(
        "timeout",
        value=timeout,
        needed="a number of seconds above 0",
        fits=lambda seconds: seconds > 0,
    )
    decisions = read_decisions(data, full=full)
    answers = list[BenchAnswer]()
    stopped = None
    with _asking(bot, timeout) as asked_bot:
        positions = list[Questions]()
        for part in PARTS:
            for ask in asked_bot.asks:
                available = decisions.positions[part, ask]
                positions += available if full else available[: FIRST[ask]]
        try:
            for done, questions in enumerate(positions, 1):
                answers += [_bench_answer(question, asked_bot) for question in questions]
                if progress:
                    progress(done, len(positions))
        except EngineError as error:
            stopped = error_text(error)
    return BenchResults(
        name or asked_bot.name,
        benchmark=decisions.version,
        sha256=decisions.digest,
        answers=tuple(answers),
        max_loss=decisions.largest_loss,
        stopped=stopped,
    )


def _bench_answer(question: Question, bot: _AskedBot) -> BenchAnswer:
    """What a bot does in a state. Raises EngineError if it cannot be asked any more."""
    state = question.state
    try:
        # the bot is asked here, since `legal_decision` makes a BotError of all that it raises
        reply = bot.decide(state)
        decision, after = legal_decision(lambda _: reply, state)
    except (Exception, SystemExit) as error:
        is_unsupported = isinstance(error, EngineUnsupportedError)
        engine_has_ended = isinstance(error, EngineError) and not is_unsupported
        if engine_has_ended:
            raise
        unanswered = evolve(
            _answer_that_loses_most(question),
            problem=_problem(error) + hint_of_policy(error, state),
            is_illegal=_is_illegal(error),
        )
        # who is no engine could leave out what is hard by this error
        return evolve(unanswered, loss=None) if is_unsupported and bot.is_engine else unanswered
    action = str(decision.action) if isinstance(decision, Event) else str(decision)
    if action == "play":
        action = str(state.legal_plays.find(after.position))
    if action not in question.losses:
        problem = f"it decided {action}, of which the benchmark says nothing ({state.xgid})"
        return evolve(_answer_that_loses_most(question), problem=problem)
    return _answer_with(question, action)


def _answer_with(question: Question, action: str) -> BenchAnswer:
    return BenchAnswer(
        question.id,
        state=question.state,
        selected_by=question.selected_by,
        best=question.best,
        action=action,
        loss=question.losses[action],
        error=question.errors[action],
        part=question.part,
        judged=question.judged.get(action),
    )


def _answer_that_loses_most(question: Question) -> BenchAnswer:
    """What counts without a right answer, so that nobody gains by leaving out what is hard."""
    return evolve(_answer_with(question, question.worst), action="")


def _problem(error: BaseException) -> str:
    """Why there is no answer, after what a bot raised, or after a decision that is not legal."""
    sentence = error_text(error)
    if not isinstance(error, GammonError):
        sentence = f"it raised {type(error).__name__}: {sentence}"
    return printable(sentence[:_MAX_PROBLEM_LENGTH])


def _is_illegal(error: BaseException) -> bool:
    """Whether the error says that a decision is not legal, as the cause of a BotError or by itself."""
    reason = error.__cause__ if isinstance(error, BotError) else error
    return isinstance(reason, (IllegalActionError, IllegalPlayError))


# The bots -------------------------------------------------------------------------------------------------------------


@frozen
class _AskedBot:
    """A bot that can be asked: its name, what it is asked, what decides, and whether that is an engine."""

    name: str
    asks: Sequence[Ask]
    decide: _Decide
    is_engine: bool = False


def _started_within(
    stack: ExitStack, name: str, maker: EnginePlayer
) -> SimpleEngine | AskedProgram:
    """An engine that ends with the stack. Raises EngineStartError, too, for an error of the caller's function."""
    try:
        return stack.enter_context(maker.start())
    except GammonError:
        raise
    except Exception as error:
        raise EngineStartError(not_started(name, error)) from error


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
    if isinstance(player, EnginePlayer):
        with ExitStack() as stack:
            engine = _started_within(stack, name, player)
            yield _AskedBot(full_name(name), [*FIRST], engine.decide, is_engine=True)
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

    def decide_in_time(state: MatchState) -> Event | Action | Play:
        return in_time(timeout, partial(decide, state, moment))

    yield _AskedBot(name, asks, decide_in_time)
