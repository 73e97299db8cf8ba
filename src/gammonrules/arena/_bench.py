"""How strong a bot is by the decisions of the benchmark, which two engines have rolled out."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from math import hypot, inf
from pathlib import Path
from random import Random
from typing import IO, Any, Final, Literal, Self, TypeAlias, cast

import numpy as np
from attrs import asdict, evolve, field, frozen

from gammonrules._shared.disk_files import ordinary_file, path_text
from gammonrules._shared.sample_means import student_quantile
from gammonrules.arena._blocks import deciding
from gammonrules.arena._intervals import unseen_rate
from gammonrules.arena._match import Moment, in_time
from gammonrules.arena._players import EngineMaker, Entrant, command_in, entrant_of, own_name
from gammonrules.arena._policies import Policy
from gammonrules.arena._programs import asked_program
from gammonrules.board import IllegalPlayError, PlayLike, PositionKind
from gammonrules.board.array_checks import Floats
from gammonrules.conformance.internals import state_of_flat
from gammonrules.engine.internals import decided
from gammonrules.errors import (
    ArgumentError,
    BotError,
    EngineError,
    EngineUnsupportedError,
    GammonError,
    IllegalActionError,
    ParseError,
)
from gammonrules.limits import LARGEST_JSON_NUMBER
from gammonrules.match import Action, Event, MatchState
from gammonrules.records.transcript import signed
from gammonrules.values import (
    counted,
    printable,
    real_argument,
    saying_where,
    shown,
    whole_argument,
)

Ask: TypeAlias = Literal["plays", "cubes"]
Drawn: TypeAlias = Literal["at random", "disagreement"]
_Ask: TypeAlias = Callable[[MatchState], Event | Action]
Losses: TypeAlias = Mapping[str, tuple[float, float]]
"""What each action loses, and the error of this."""

VERSION: Final = 1
LEAST: Final = 10
"""With fewer positions a mean has no interval: they may all miss what happens one time in four."""
TINY: Final = 1e-9
FIRST: Final[Mapping[Ask, int]] = {"plays": 300, "cubes": 100}
"""How many positions are asked if not all are."""
LARGEST: Final = 64 * 2**20
"""Bytes of decisions."""
_LONGEST: Final = 1_000
"""Bytes of what stands before them."""
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
        numbers = [
            signed(number, "z.1f")
            for number in (self.loss, self.low, self.high)
            if number is not None
        ]
        return (
            f"{numbers[0]} ({' to '.join(numbers[1:]) or 'no interval'}) in {made}"
            if numbers
            else made
        )


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
        return sorted(
            (answer for answer in self.answers if answer.loss),
            key=lambda answer: -(answer.loss or 0),
        )

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
        perfect = (evolve(each, action="", loss=0.0, error=0.0) for each in self.answers)
        other = than or evolve(self, answers=tuple(perfect))
        if (self.version, self.digest) != (other.version, other.digest):
            ours, theirs = (f"version {each.version} ({each.digest[:8]})" for each in (self, other))
            raise ArgumentError(
                f"these are two benchmarks: {self.bot} has answered {ours}, {other.bot} {theirs}"
            )
        mine, less = (each._counting(ask, drawn, kind) for each in (self, other))  # noqa: SLF001
        pairs = [
            pair
            for number in mine.keys() & less.keys()
            for pair in zip(mine[number], less[number], strict=True)
        ]
        if not pairs or (drawn == "disagreement" and (self.is_selector or other.is_selector)):
            return MeanLoss()
        more = [(made.loss or 0) - (theirs.loss or 0) for made, theirs in pairs]
        losses = np.reshape(more, (-1, _QUESTIONS[ask])).mean(axis=1)
        wrong = hypot(
            *(
                hypot(made.error, theirs.error)
                for made, theirs in pairs
                if made.action != theirs.action
            )
        )
        ends = _ends(losses, error=wrong / len(pairs), most=self.most, least=-inf if than else 0)
        return MeanLoss(len(pairs), *(1000 * number for number in (float(losses.mean()), *ends)))

    def _counting(
        self, ask: Ask, drawn: Drawn, kind: PositionKind | None
    ) -> dict[int, list[BenchAnswer]]:
        """The answers about each position that counts."""
        positions = dict[int, list[BenchAnswer]]()
        for each in self.answers:
            is_asked = each.ask == ask and bool(each.selected_by) == (drawn == "disagreement")
            if is_asked and kind in {None, each.state.position.kind} and each.loss is not None:
                positions.setdefault(each.id, []).append(each)
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
        plain: dict[str, Any] = {"version": 1, "benchmark": self.version, "sha256": self.digest}
        is_selector = any(each.is_selector for each in (self, than) if each)
        plain |= {"bot": self.bot, "stopped": self.stopped, "is_selector": is_selector}
        for ask in FIRST:
            asked = [answer for answer in self.answers if answer.ask == ask]
            number = self.number(ask, than=than)
            every = sorted({answer.state.position.kind for answer in asked})
            kinds = {kind: asdict(self.number(ask, kind=kind, than=than)) for kind in every}
            plain[ask] = asdict(number) | {
                "disagreement": asdict(self.number(ask, "disagreement", than=than))
            }
            plain[ask]["kinds"] = {kind: told for kind, told in kinds.items() if told["decisions"]}
            if than is None:
                illegal = sum(each.is_illegal for each in asked)
                plain[ask] |= {
                    "pr": None if number.loss is None else number.loss / 2,
                    "asked": len(asked),
                }
                plain[ask] |= {
                    "illegal": illegal,
                    "unanswered": sum(not each.action for each in asked) - illegal,
                }
        return plain


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
    version, digest, decisions = _packed_decisions(data)
    each_loss = (
        loss for _, losses in chain(*chain(*decisions.values())) for loss, _ in losses.values()
    )
    answers = list[BenchAnswer]()
    stopped = None
    with _asking(bot, timeout) as (own, asks, ask):
        chosen = [*chain(*(decisions[kind][: None if full else FIRST[kind]] for kind in asks))]
        try:
            for done, questions in enumerate(chosen, 1):
                answers += [_judged(*question, ask) for question in questions]
                if progress:
                    progress(done, len(chosen))
        except EngineError as error:
            stopped = str(error)
    return BenchResults(
        name or own,
        version=version,
        digest=digest,
        answers=tuple(answers),
        most=max(each_loss, default=0.0),
        stopped=stopped,
    )


def _ends(losses: Floats, error: float, most: float, least: float) -> tuple[float, ...]:
    """The ends of an interval of the mean of these losses, whose own errors give it this error; of few there is none.

    Most decisions lose nothing, and a few lose much, so it is skew: Student's t is, too, as Peter Hall, "On the removal
    of skewness by transformation", Journal of the Royal Statistical Society B 54 (1992), with as many degrees of
    freedom as decisions lose something; the farther end counts. Student's alone covers as few as 24%.
    """
    count = len(losses)
    mean = losses.mean()
    spread = losses.std()
    both = np.array([-1, 1])
    if count < LEAST:
        return ()
    if spread < TINY:  # so few can differ, and by so much
        far = unseen_rate(count) * most
    else:
        skew = ((losses - mean) ** 3).mean() / spread**3 / 3
        skew = np.copysign(max(abs(skew), TINY), skew)
        width = student_quantile(int(np.count_nonzero(losses))) / count**0.5
        bent = (np.cbrt(1 - 3 * skew * (both * width + skew / 2 / count)) - 1) / skew
        far = losses.std(ddof=1) * np.maximum(width, abs(bent))
    low, high = mean + both * np.hypot(student_quantile(count) * error, far)
    return max(float(low), least), float(high)


# The decisions --------------------------------------------------------------------------------------------------------


_Question: TypeAlias = tuple[BenchAnswer, Losses]
"""What is not answered yet, and what each action loses."""


def _packed_decisions(
    data: str | os.PathLike[str] | None,
) -> tuple[int, str, dict[Ask, list[list[_Question]]]]:
    """The version, the digest and the decisions of a packed file. Raises ParseError and OSError."""
    path = None if data is None else Path(path_text(data))
    own = files("gammonrules.arena").joinpath("benchmark.jsonl.gz")
    with (
        saying_where((path or own).name, ParseError),
        ordinary_file(path) if path else own.open("rb") as file,
    ):
        version, digest, lines = _unpacked_lines(file)
        decisions: dict[Ask, list[list[_Question]]] = {"plays": [], "cubes": []}
        for number, line in enumerate(lines.splitlines(), 2):
            try:
                questions = _questions_in(line)
            except (
                ValueError,
                LookupError,
                TypeError,
                AttributeError,
                RecursionError,
                GammonError,
            ):
                raise ParseError(f"line {number:,} is no decision of the benchmark") from None
            decisions[questions[0][0].ask].append(questions)
    return version, digest, decisions


def _unpacked_lines(file: IO[bytes]) -> tuple[int, str, bytes]:
    """The version, the digest and the lines of a packed file. Raises ParseError."""
    try:
        with gzip.open(file) as unpacked:
            header = json.loads(unpacked.readline(_LONGEST))
            lines = unpacked.read(LARGEST + 1)
        version = header["version"]
        digest = header["sha256"]
    except (
        gzip.BadGzipFile,
        EOFError,
        zlib.error,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ):
        raise ParseError("this is no file of the benchmark's decisions") from None
    if type(version) is not int or version != VERSION:
        raise ParseError(f"it is version {shown(version)} of the benchmark, and this is {VERSION}")
    if len(lines) > LARGEST:
        raise ParseError(f"its decisions are larger than {LARGEST // 2**20} MiB, the limit")
    if sha256(lines).hexdigest() != digest:
        raise ParseError("it was changed: its decisions have another SHA-256 than it says")
    return version, digest, lines


def _questions_in(line: bytes) -> list[_Question]:
    """What is asked in a decision. Raises an error of any kind if there is none in the line."""
    form = json.loads(line)
    state = state_of_flat(form["state"])
    points = partial(
        real_argument, "loss", needed="a number from 0", fits=lambda loss: 0 <= loss < inf
    )
    losses = {
        action: (points(loss), points(error)) for action, (loss, error) in form["losses"].items()
    }
    both = (
        ((state, [*losses]),)
        if state.dice
        else ((state, ("roll", "double")), (state.double(), ("take", "drop")))
    )
    each = [(asked, {action: losses[action] for action in actions}) for asked, actions in both]
    number = whole_argument("id", value=form["id"], least=0, most=LARGEST_JSON_NUMBER)
    selected_by = tuple(map(str, form.get("selected_by", ())))
    return [
        (
            BenchAnswer(
                number, state=asked, selected_by=selected_by, best=min(some, key=some.__getitem__)
            ),
            some,
        )
        for asked, some in each
    ]


def _judged(answer: BenchAnswer, losses: Losses, ask: _Ask) -> BenchAnswer:
    """What a bot does in a state. Raises EngineError if it cannot be asked any more."""
    try:
        reply = ask(answer.state)
        made, _ = decided(lambda _: reply, answer.state)
    except (Exception, SystemExit) as error:
        if isinstance(error, EngineError) and not isinstance(error, EngineUnsupportedError):
            raise
        kind = "" if isinstance(error, GammonError) else f"it raised {type(error).__name__}: "
        cause = error.__cause__ if isinstance(error, BotError) else error
        is_illegal = isinstance(cause, (IllegalActionError, IllegalPlayError))
        return evolve(answer, problem=printable(f"{kind}{error}")[:400], is_illegal=is_illegal)
    action = str(getattr(made, "action", made))
    if isinstance(made, Event) and action == "play":
        action = str(answer.state.legal_plays.find(cast("PlayLike", made.argument)))
    if action not in losses:
        return evolve(
            answer,
            problem=f"it decided {action}, of which the benchmark says nothing ({answer.state.xgid})",
        )
    return evolve(answer, action=action, loss=losses[action][0], error=losses[action][1])


# The bots -------------------------------------------------------------------------------------------------------------


@contextmanager
def _asking(bot: object, timeout: float) -> Generator[tuple[str, Sequence[Ask], _Ask]]:
    """A bot that can be asked within this block: its name, what it is asked, and what answers."""
    command = (
        command_in(bot, bot[8:]) if isinstance(bot, str) and bot.startswith("program:") else bot
    )
    if isinstance(command, (list, tuple)):
        with asked_program(cast("Sequence[str]", command), timeout) as asked:
            yield asked.program.name, [ask for ask in FIRST if asked.knows(ask)], asked.decide
        return
    name = own_name(bot)
    player = entrant_of(name, bot)
    if isinstance(player, EngineMaker):
        with player.start() as engine:
            yield f"{name}:1" if name in {"gnubg", "bgsage"} else name, [*FIRST], engine.decide
        return
    decide = deciding(player.decide if isinstance(player, Policy) else player)
    chance = Random(1)  # noqa: S311
    asks: Sequence[Ask] = (
        ["plays"] if isinstance(player, Policy) and player.cube is None else [*FIRST]
    )
    yield (
        name,
        asks,
        lambda state: in_time(
            timeout, partial(decide, state, Moment(0, game=0, turn=0, rng=chance))
        ),
    )
