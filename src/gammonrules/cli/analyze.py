"""`gammonrules analyze`: records with an engine's analyses, and the players' error rates."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import click
from attrs import Factory, define, frozen
from rich.progress import Progress
from rich.text import Text

from gammonrules import records
from gammonrules._shared.disk_files import utf8
from gammonrules._shared.work import MOST_JOBS
from gammonrules.cli.console import console_for_output, print_lines, progress_bar, safe_text
from gammonrules.cli.options import AnyPath, Command
from gammonrules.cli.output import (
    is_folder,
    key_of,
    must_be_apart,
    must_stay_below,
    must_take_files,
    names_below,
    say,
    say_cut,
    say_loose,
    writable,
    write_file,
)
from gammonrules.cli.refusals import Refused, must_be_named, refusing
from gammonrules.cli.rollouts import (
    OF_A_ROLLOUT,
    Doubt,
    doubts_in,
    doubts_options,
    engine_maker,
    engine_option,
    level_option,
    rolled_out,
    rollout_of,
    rollout_options,
)
from gammonrules.errors import EngineUnsupportedError, GammonError
from gammonrules.match import MatchState
from gammonrules.records import ErrorRate, Game, Match, Scanned
from gammonrules.records.archive import Source, content_of, sentence, sources, together
from gammonrules.records.formats import WRITERS
from gammonrules.records.internals import analyzed_by, for_each_file
from gammonrules.records.transcript import (
    MISTAKES,
    cut_games,
    is_as_asked,
    level_of,
    levels_by_engine,
    merged,
    players_of,
    trials_of,
    trials_text,
    why_none,
)
from gammonrules.records.transcript.header_tags import left_out_in
from gammonrules.values import counted

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import SimpleEngine

_FORMATS = [name for name in WRITERS if name != "mat"]
_OTHER_FORMATS = tuple(f"--to={name}" for name in _FORMATS if name != "json")
"""Which cannot state a rollout."""
_ELSEWHERE = "use another DIR; gammonrules analyze --force replaces it"
_MOST_PLAYERS = 50
_TO_ROLL = MatchState.new(1).opening_roll(white=3, black=1).play("8/5 6/5")
_OLD = "already there"
_IN_VAIN = "not analyzed"
FAILED = "failed"
_SKIPPED = "skipped, not records"
_Start: TypeAlias = "Callable[[], SimpleEngine]"


@click.command(
    cls=Command,
    only_with=OF_A_ROLLOUT | {("--close", "--error"): ("--rollout",)},
    never_with={("--tiers",): ("--level", "--rollout"), ("--rollout", "--tiers"): _OTHER_FORMATS},
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=AnyPath())
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    metavar="DIR",
    type=AnyPath(),
    help="The folder to write to.",
)
@engine_option
@level_option
@click.option("--to", type=click.Choice(_FORMATS), default="json", help="The format to write.")
@click.option("--rule", type=click.Choice([*MISTAKES]), default="xg", help="Which decisions count.")
@click.option(
    "--same",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="Names of one player, listed by the second.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    help="Number of processes; by default, one per processor.",
)
@rollout_options
@doubts_options
@click.option(
    "--tiers", type=click.Choice(["quick", "thorough"]), help="Look deeper only where it matters."
)
@click.option("--force", is_flag=True, help="Analyze again, and replace, what DIR has.")
def analyze(
    paths: tuple[str, ...],
    folder: str,
    engine: str | None,
    tiers: str | None,
    to: str,
    jobs: int | None,
    **more: Any,
) -> None:
    """Have an engine analyze match records, for error rates.

    A PATH is a record, a folder or a ZIP archive. Each record is written to DIR with its analyses, under its own name
    with the suffix of the format, and in a folder as it was. What the engine has analyzed in DIR is not analyzed again,
    so a run that was stopped goes on where it was. Other files in a folder or ZIP archive are skipped.

    The error rate is what a decision cost a player on average, in thousandths of a point, which is what a single game
    wins with the cube as it stands. Counted are plays with a choice, doubles, takes and drops, and rolls where a double
    was right, or wrong by less than 0.2 (with --rule gnubg, less than 0.16). Half of it is the PR. Luck is in points
    too; net luck is that less the opponents', and its worth a chance of winning a match, or points in money play.

    With --rollout, it then rolls out the decisions whose best alternatives differ by at most 0.02 (--close) and those
    that cost more than 0.04 (--error), one by one. A run that was stopped goes on with the next one.

    With --tiers quick it looks at level 1, and again at level 2 where the best two are within 0.08, or what was made is
    not the best. With thorough it then looks at level 3 where that is still so, and by 324 trials where the best two
    stay within 0.04. The whole counts as one level.

    The exit status is 0 if every record is in DIR, analyzed. It is 1 if the engine knows no decision of one of them. It
    is 2 if one cannot be read, analyzed or written, or if there is no record. A run that is stopped exits with 130
    (Ctrl-C), and leaves only files that are whole.
    """
    must_be_named(folder, *paths)
    for path in filter(is_folder, paths):
        must_be_apart(Path(path), Path(folder))
    must_take_files(Path(folder))
    limits = {name: more.pop(name) for name in ("close", "error")}
    rule = more.pop("rule")
    same = dict(more.pop("same"))
    force = more.pop("force")
    level = more.pop("level")
    rollout = rollout_of(**more)
    if engine is None and to == "sgf":
        raise Refused(
            "SGF cannot state which numbers are exact: name an engine with --engine, or use --to json"
        )
    with refusing():
        from gammonrules.engine import TIERS  # noqa: PLC0415 - it takes time to load

        start, start_rollout = (
            engine_maker(engine, TIERS[tiers] if tiers else level, of) for of in (None, rollout)
        )
    *by, then = tried(start, start_rollout, to)
    plan = AnalysisPlan(
        start,
        by=(by[0], by[1]),
        to=to,
        rule=rule,
        same=same,
        folder=Path(folder),
        root=root_of(paths),
        force=force,
        rollout_level=then,
        limits=limits if rollout else None,
    )
    files = list(plan.distinct(together(sources(paths))))
    total = Total()
    waiting = list[_Done]()
    with progress_bar(console_for_output(stderr=True)) as progress:
        with closing(plan.results(files, jobs, progress)) as results:
            for done in results:
                (waiting.append if done.doubts else total.add)(done)
        for done in _with_rollouts(
            plan, start=start_rollout, waiting=waiting, jobs=jobs, bar=progress
        ):
            total.add(done)
    print_lines(
        (*total.lines(), total.summary(", ".join(by) + f", then {then}" * bool(rollout), folder)),
        console_for_output(),
    )
    say_cut(total.cut)
    say_loose(total.loose)
    is_lost = total.counts[FAILED] or not total.records
    click.get_current_context().exit(
        Refused.exit_code if is_lost else int(total.counts[_IN_VAIN] > 0)
    )


def tried(start: _Start, start_rollout: _Start, to: str) -> tuple[str, str, str]:
    """The engine's words for itself, its level and its rollout.

    Raises Refused if it cannot start, or the format not be written.
    """
    with refusing():
        with start_rollout() as rolling:
            then = rolling.level
        records.dumps(Match(("", ""), 1, (Game(1, MatchState.new(1)),)), to)  # type: ignore[call-overload]
        with start() as tried:
            with suppress(EngineUnsupportedError):
                _ = tried.rolls(_TO_ROLL)  # the default one starts bgsage when it is first needed
            return tried.name, tried.level.words, then.words


def _with_rollouts(
    plan: AnalysisPlan, start: _Start, waiting: Sequence[_Done], jobs: int | None, bar: Progress
) -> Iterator[_Done]:
    """The files in which decisions are rolled out, with what comes of it."""
    task = bar.add_task(
        "Rolling out", total=sum(len(done.doubts) for done in waiting), visible=bool(waiting)
    )
    doubts = {done.target: done.doubts for done in waiting}
    results = rolled_out(start, doubts, jobs, advance=partial(bar.advance, task))
    with refusing(), closing(results):
        for done, (match, error) in zip(waiting, results, strict=True):
            told = plan.told(match, done.target) if isinstance(match, Match) else {}
            yield attrs.evolve(done, error=error, **told)


def root_of(paths: Iterable[str]) -> PurePath:
    """The folder that all paths are in."""
    with suppress(ValueError):  # some are absolute, and some are not
        return PurePath(
            os.path.commonpath([path if is_folder(path) else Path(path).parent for path in paths])
        )
    return PurePath()


# --- the work, in a process of its own --------------------------------------------------------------------------------


@frozen
class _Done:
    """How the analysis of a record ended."""

    path: str
    error: str | None = None
    is_skipped: bool = False
    """Whether the file is no record, and was not named."""
    is_old: bool = False
    """Whether it was analyzed by an earlier run."""
    rates: tuple[tuple[str, ErrorRate], ...] = ()
    """The players with their error rates."""
    trials: Counter[str] = Factory(Counter[str])
    """Those of rollouts that may end early, as `trials_of` has them."""
    target: Path = Path()
    doubts: Sequence[Doubt] = ()
    """What is to be rolled out in it."""
    unknown: Counter[str] = Factory(Counter[str])
    """Why decisions have no analysis."""
    why_none: str = ""
    """Why not a single one has one."""
    asked_without: str = ""
    """What the engine was asked without."""
    match: Hashable = None
    """What two records of one match share."""
    cut: tuple[str, ...] = ()
    """A sentence about each game of which only the beginning could be replayed."""
    is_loose: bool = False


@frozen
class AnalysisPlan:
    """What to do with each record. It can be pickled."""

    start: _Start
    by: tuple[str, str]
    """What the engine calls itself, and its level."""
    to: str
    rule: str
    same: Mapping[str, str]
    folder: Path
    root: PurePath
    force: bool
    rollout_level: str
    """What the engine calls its rollout."""
    limits: Mapping[str, float] | None
    """For `needs_rollout`; None without rollouts."""

    def results(self, files: Sequence[Source], jobs: int | None, bar: Progress) -> Generator[_Done]:
        """What comes of each of these files."""
        advance = partial(bar.advance, bar.add_task("Analyzing", total=len(files)))
        return for_each_file(files, each=partial(_done_with, self), jobs=jobs, progress=advance)

    def target(self, path: str, number: int = 0) -> Path:
        """Where a record is written; `number` counts the matches of a file from 0."""
        *folders, name = names_below(PurePath(path), self.root)
        return self.folder.joinpath(
            *folders, f"{name}{f'-{number + 1}' * bool(number)}{WRITERS[self.to].suffixes[0]}"
        )

    def distinct(self, files: Iterable[Source]) -> Iterator[Source]:
        """The files, except that one whose name is another's in the folder fails."""
        seen: set[str] = set()
        for source in files:
            key = key_of(self.target(source.path))
            clash = "another file has the same name in DIR: rename it"
            yield attrs.evolve(source, error=clash, is_named=True) if key in seen else source
            seen.add(key)

    def written(self, target: Path, match: Match) -> tuple[Match | None, bool]:
        """The match that an earlier run wrote, and whether this engine has analyzed it.

        Raises Refused if something is there that would be lost: only of a text as we write it we know all.
        """
        try:
            if self.force or not target.is_file():
                return None, False
            content = content_of(target)
            written = records.loads(content, self.to)  # type: ignore[arg-type]
        except OSError as error:
            raise Refused(f"{target}: {sentence(error)}") from None
        except GammonError:
            raise Refused(f"{target} is not a record: {_ELSEWHERE}") from None
        same_games = [game.fingerprint for game in written.games] == [
            game.fingerprint for game in match.games
        ]
        if not same_games or written.players != WRITERS[self.to].written(match).again.players:
            raise Refused(f"{target} is another match: {_ELSEWHERE}")
        analyzed = _analyzers_of(written)
        ours = {self.by, (self.by[0], ""), (self.by[0], self.rollout_level)}
        engines = sorted(", ".join(filter(None, by)) for by in analyzed - ours)
        if engines:
            raise Refused(
                f"{target} was analyzed by {engines[0][:100] or 'another engine'}: {_ELSEWHERE}"
            )
        if not analyzed and content != utf8(records.dumps(written, self.to)):  # type: ignore[call-overload]
            raise Refused(f"{target} was not written by gammonrules: {_ELSEWHERE}")
        return written, bool(analyzed)

    def told(self, match: Match, target: Path) -> dict[str, Any]:
        """The players with their error rates, and the trials of rollouts."""
        rates = zip(
            players_of(match, self.same, str(target)), match.error_rates(self.rule), strict=True
        )
        return {
            "rates": tuple(rates),
            "trials": trials_of(decision.analysis for decision in match.decisions()),
        }


def _done_with(plan: AnalysisPlan, entries: Sequence[Scanned]) -> list[_Done]:
    paths = [entry.path for entry in entries]
    return [
        _done(plan, entry, paths[:index].count(entry.path)) for index, entry in enumerate(entries)
    ]


def _done(plan: AnalysisPlan, entry: Scanned, number: int) -> _Done:
    path = entry.path
    match = entry.match
    if match is None:
        is_record = entry.is_named or entry.is_lost or entry.format is not None
        return _Done(path, entry.error, is_skipped=not is_record)
    unknown = Counter[str]()
    cut = tuple(words for _, words in cut_games(match))
    try:
        target = plan.target(path, number)
        must_stay_below(plan.folder, target)
        written, is_old = plan.written(target, match)
        match = written or match
        if not is_old:
            with writable(target, path, force=plan.force or written is not None):
                if plan.by[1] not in levels_by_engine(match.decisions()).get(plan.by[0], ()):
                    match, unknown = analyzed_by(plan.start, match)
                write_file(target, records.dumps(match, plan.to))  # type: ignore[call-overload]
        told = plan.told(match, target)
        doubts = doubts_in(match, plan.limits) if plan.limits is not None else ()
    except Refused as why:
        return _Done(path, why.message)
    except GammonError as error:
        return _Done(path, str(error))
    identity = match.fingerprint and (frozenset(match.players), match.fingerprint)
    none = why_none(match, unknown)
    left_out = left_out_in(match.tags)
    told |= {
        "target": target,
        "doubts": doubts,
        "unknown": unknown,
        "why_none": none,
        "asked_without": left_out,
    }
    return _Done(path, is_old=is_old, match=identity, cut=cut, is_loose=entry.is_loose, **told)


def _analyzers_of(match: Match) -> set[tuple[str, str]]:
    """The engines that have analyzed a match, with the levels that they were asked for; "" where it cannot be told."""
    analyses = chain(
        (decision.analysis for decision in match.decisions()),
        (game.pending for game in match.games),
    )
    known = [analysis for analysis in analyses if analysis is not None]
    return {
        (analysis.engine, level_of(analysis).words if is_as_asked(analysis) else "")
        for analysis in known
    }


# --- error rates ------------------------------------------------------------------------------------------------------


@define
class Total:
    records: int = 0
    counts: Counter[str] = Factory(Counter[str])
    """How many records ended otherwise than by an analysis, in words."""
    players: dict[str, list[ErrorRate]] = Factory(dict[str, list[ErrorRate]])
    trials: Counter[str] = Factory(Counter[str])
    unknown: Counter[str] = Factory(Counter[str])
    matches: Counter[Hashable] = Factory(Counter[Hashable])
    cut: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    loose: list[str] = Factory(list[str])

    def add(self, done: _Done) -> None:
        """Count a record; what went wrong is said at once."""
        if done.error is not None:
            self.counts[_SKIPPED if done.is_skipped else FAILED] += 1
            say(done.path, f"{'skipped: ' * done.is_skipped}{done.error}")
            return
        self.records += 1
        self.unknown += done.unknown
        self.trials += done.trials
        self.counts[f"asked without {done.asked_without}"] += bool(done.asked_without)
        self.counts.update({_OLD: done.is_old, _IN_VAIN: bool(done.why_none)})
        if done.why_none:
            say(done.path, done.why_none)
        self.matches[done.match] += done.match is not None
        self.cut += ((done.path, words) for words in done.cut)
        self.loose += [done.path] * done.is_loose
        for name, rate in done.rates if self.matches[done.match] < 2 else ():
            self.players.setdefault(name, []).append(rate)

    def lines(self) -> Iterator[Text]:
        """The table of players, those with the most decisions first."""
        if self.players:
            luck = f"{'luck':>9}{'net luck':>11}{'worth':>8}"
            yield Text(
                f"{'matches':>8}{'decisions':>11}{'error rate':>12}{'PR':>8}{luck}  player", "dim"
            )
        players = sorted(merged(self.players).items(), key=lambda player: -player[1].decisions)
        for name, rate in players[:_MOST_PLAYERS]:
            rates = (
                "-" if rate.rate is None else f"{rate.rate:.1f}",
                "-" if rate.pr is None else f"{rate.pr:.2f}",
            )
            own, net, worth = map(_luck_cell, (rate.luck, rate.luck_net, rate.luck_worth))
            luck = f"{own:>9}{net:>11}{worth:>8}"
            numbers = f"{len(self.players[name]):>8,}{rate.decisions:>11,}{rates[0]:>12}{rates[1]:>8}{luck}  "
            yield Text(numbers).append_text(safe_text(name))
        if len(players) > _MOST_PLAYERS:
            yield Text(f"  and {counted(len(players) - _MOST_PLAYERS, 'more player')}")
        for names in records.similar_names(self.players)[:_MOST_PLAYERS]:
            yield Text.assemble("perhaps one player: --same ", safe_text(shlex.join(names[:2])))
        for why, number in self.unknown.most_common():
            yield Text.assemble(
                f"{counted(number, 'decision')} without an analysis: ", safe_text(why)
            )

    def summary(self, engine: str, folder: str) -> Text:
        """What was analyzed, and what was not."""
        new = self.records - self.counts[_OLD] - self.counts[_IN_VAIN]
        totals = f"{new:,} {'match' if new == 1 else 'matches'} analyzed by {engine}, in "
        counts = self.counts | {
            "counted once, though in two files": self.matches.total() - len(+self.matches)
        }
        more = "".join(f"; {words}: {number:,}" for words, number in counts.items() if number)
        trials = f"; {trials_text(self.trials).lower()}" * bool(self.trials)
        return Text.assemble(safe_text(totals), safe_text(folder), more, trials)


def _luck_cell(number: float | None) -> str:
    return "-" if number is None else f"{number:+.2f}"
