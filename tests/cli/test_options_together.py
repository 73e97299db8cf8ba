"""Every pair of options of every command: each of the two changes what is done, or the command refuses them.

What a command calls is recorded instead of done, so that a run takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from itertools import chain, combinations
from pathlib import Path
from pkgutil import iter_modules
from types import SimpleNamespace
from typing import Any, TypeAlias

import attrs
import click
import pytest
from test_options import commands_below

import commands
import gammonrules.cli
from gammonrules import MatchState, Player
from gammonrules.cli.anki_decks import Note
from gammonrules.cli.app import app
from gammonrules.cli.decision_tables import TableFiles
from gammonrules.cli.option_conflicts import Command
from gammonrules.records import Match
from gammonrules.records.transcript import RecordCounts

for module in iter_modules(gammonrules.cli.__path__, "gammonrules.cli."):
    import_module(module.name)  # one that is first imported while something is replaced would keep what replaces it

COMMANDS = dict(commands_below(app))
OPENING = MatchState.new(7).opening_roll(white=3, black=1)
DOUBLED = OPENING.play("8/5 6/5").double().xgid
DOUBLED_FOR_MONEY = MatchState(OPENING.position, Player.BLACK).double().xgid
BROKEN = Path(__file__).parents[1] / "data" / "matches" / "broken"
VALUES = {
    "--away": "5-3",
    "--best": "6/5",
    "--candidates": "other.parquet",
    "--close": "0.01",
    "--cube": "4",
    "--encoding": "cp1254",
    "--engine": "gnubg",
    "--error": "0.1",
    "--limit": "1",
    "--output": "other.csv",
    "--rollout": "360",
    "--to": "sgf",
    "--play": "8/5 6/5",
    "--plays": "8/5 6/5",
    "--start": "hypergammon",
    "--table": "table.bd",
    "--until": "decided",
    "--width": "300",
    "--worst": "1",
    "evaluate --output": "other.svg",
    "show --output": "other.svg",
}
"""Values of options for which `another_value` has none that fits; those of one command stand with its name."""
STANDARD_OUTPUT = "--junit", "--output"
"""Options whose value may be "-", too."""


class Recorded:
    """What a run has called, with what it has passed."""

    def __init__(self) -> None:
        self.calls = list[object]()

    def instead(self, name: str, answer: Any = None) -> Callable[..., Any]:
        """A function that records its arguments and returns an answer, or raises it."""

        def record(*arguments: Any, **options: Any) -> Any:
            self.calls.append((name, plain(arguments), plain(options)))
            if isinstance(answer, type) and issubclass(answer, BaseException):
                raise answer(0)
            return answer

        return record


def plain(value: object) -> object:
    """Something that is equal in another run."""
    if isinstance(value, partial):
        return plain(value.func), plain(value.args), plain(value.keywords)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if attrs.has(type(value)):
        return {field.name: plain(getattr(value, field.name)) for field in attrs.fields(type(value))}
    if isinstance(value, str | bytes | int | float | Path | None):
        return value
    return getattr(value, "__name__", type(value).__name__)


@attrs.frozen
class Answer:
    """What an engine or an arena says."""

    bot: str = "bot"
    answers: tuple[()] = ()
    stopped: None = None

    def to_svg(self, **look: Any) -> str:
        return f"{self.bot} {look}"

    def to_dict(self, than: object = None) -> dict[str, str]:
        return {"bot": self.bot}

    def to_json(self) -> str:
        return self.bot


Recording: TypeAlias = Callable[..., Any]
Scene: TypeAlias = tuple[str, dict[str, Any]]
"""What a command is called with, and what stands in for what it calls. A name after "/" is not one of `cli`."""


def scene_of_view(record: Recording) -> Scene:
    match = Match(("Bob", "Ann"), 7, ())
    asked = {"view.read_viewed": record("read", match), "view._matrices": record("matrices", {})}
    return "in.mat", {**asked, "view.records.to_html": record("page", "page")}


def scene_of_convert(record: Recording) -> Scene:
    return "in.mat out.mat", {"convert.read_match": record("read"), "convert._Converter._text": record("text", "text")}


def scene_of_find(record: Recording) -> Scene:
    files = nullcontext(TableFiles("made"))
    made = {"decision_tables.table_at": record("table", files), "/records.archive.selected": record("selected", ())}
    made["/records.archive.candidates_of_rows"] = record("candidates", ())
    return "13:5 in.parquet", {**made, "find.records.rows_to_html": record("page", "page")}


def scene_of_openings(record: Recording) -> Scene:
    made = {
        "decision_tables.table_at": record("table", nullcontext(TableFiles("made"))),
        "decision_tables.refuse_candidates_of_records": lambda *_: None,
    }
    page = {"/records.openings": record("openings"), "/records.openings_to_html": record("page", "page")}
    return "in.parquet --output=out.html", {**made, **page}


def scene_of_analyze(record: Recording) -> Scene:
    started = {
        "analyze.engine_maker": lambda *asked: repr(asked),
        "analysis_runs.checked_evaluator": lambda start, _to: start,
        "analysis_runs.rollout_level_from": lambda start: start,
    }
    return "in.mat --output=out --engine=bgsage", {**started, "analysis_runs.carry_out": record("run", SystemExit)}


def scene_of_report(record: Recording) -> Scene:
    analysis = SimpleNamespace(plan=SimpleNamespace(by=None), folder=Path("kept"))
    tally = SimpleNamespace(names="A", evaluators_named=True, cut={}, loose={}, lack="", check_player=record("check"))
    tally.without_analyses = lambda _: tally
    tally.finish = lambda: None
    tally.counts = lambda: RecordCounts(matches=1)
    page = SimpleNamespace(html="page", sentences={})
    patches = {
        "missing_analyses.run_for": record("plan", analysis),
        "missing_analyses.analyze_missing": record("kept", answer=False),
        "missing_analyses.may_analyze": lambda *_, **__: False,
        "report_records.ReportRecords.read": lambda *_: None,
        "linked_pages.PageSet.check": lambda _: None,
        "linked_pages.PageSet.write": record("set", page),
        "/records.archive.together": lambda *_, **__: (),
        "/records.internals.report_page": lambda *_, **__: page,
        "/records.internals.tallied": record("tallied", tally),
    }
    return "in.mat --output=out.html", patches


def scene_of_cards(record: Recording) -> Scene:
    mistakes = [(0.5, "Ann", "first"), (0.4, "Bob", "second"), (0.09, "Ann", "third"), (0.09, "Bob", "fourth")]
    made = [SimpleNamespace(error=error, player=player, decision=decision) for error, player, decision in mistakes]
    worst = record("worst", made)
    patches = {
        "/records.archive.scan_unique_games": record("scan", ()),
        "cards._mistakes_in": record("mistakes", made),
        "cards.nlargest": lambda most, mine, **_: worst(most, [*mine]),
        "cards._anki_note": lambda mistake, _: Note(mistake.decision, [mistake.player], str(mistake.error)),
        "anki_decks.deck_of": record("deck", b""),
    }
    return "in.mat --output=out.apkg", patches


def scene_of_evaluate(record: Recording) -> Scene:
    engine = SimpleNamespace(checkers=15, hint=record("hint", Answer()))
    names = "compare_plays", "compare_cube_positions", "score_matrix"
    asked = {f"/engine.{name}": record(name, Answer(name)) for name in names}
    return DOUBLED_FOR_MONEY, {**asked, "/engine.SimpleEngine.open": record("open", nullcontext(engine))}


def scene_of_bearoff_show(record: Recording) -> Scene:
    return OPENING.position.id, {"/bearoff.open": record("open", SystemExit), "bearoff._computed": lambda _: ()}


def scene_of_met(record: Recording) -> Scene:
    solved = nullcontext(SimpleNamespace(met=record("met")))
    return "in.hyper out.xml", {"/hypergammon.open": lambda _: solved, "/equity.write_table": record("write")}


def scene_of_arena(record: Recording) -> Scene:
    bots = nullcontext(record("show"))
    processes = {"/arena.internals.Processes": record("processes", nullcontext())}
    return "a b", {"arena.bots_at_work": lambda *_, **__: bots, "/arena.play": record("play", Answer())} | processes


def scene_of_bench(record: Recording) -> Scene:
    bots = nullcontext(record("show"))
    lines = {"bench.bots_at_work": lambda *_, **__: bots, "bench._bench_lines": record("lines", ["lines"])}
    return "a", {**lines, "/arena.bench": record("bench", Answer())}


def scene_of_conform(record: Recording) -> Scene:
    verdict = SimpleNamespace(program=SimpleNamespace(name="program"), results=(), stopped=None, to_dict=dict)
    verdict.examine, verdict.examine_random = record("examine"), record("random")
    cases = {"core": list, "full": record("full", []), "for_engines": record("engines", [])}
    asked = {"interviewed": record("interviewed", nullcontext(verdict.program)), "Examination": lambda _: verdict}
    suite = {f"/conformance.internals.{name}": patch for name, patch in {**cases, **asked}.items()}
    return "-- program", {**suite, "conform._failures": lambda _: ["failures"]}


SCENES: dict[str, Callable[[Recording], Scene]] = {
    "referee": lambda _: (f"{BROKEN}", {}),
    "view": scene_of_view,
    "convert": scene_of_convert,
    "export": lambda record: ("in.mat --output=out.csv", {"export.records.export": record("export", SystemExit)}),
    "find": scene_of_find,
    "openings": scene_of_openings,
    "analyze": scene_of_analyze,
    "report": scene_of_report,
    "cards": scene_of_cards,
    "evaluate": scene_of_evaluate,
    "bearoff make": lambda record: ("one-sided out.bd", {"/bearoff.one_sided": record("make", SystemExit)}),
    "bearoff verify": lambda _: ("in.bd", {}),
    "bearoff show": scene_of_bearoff_show,
    "hypergammon solve": lambda record: ("out.hyper", {"/hypergammon.solve": record("make", SystemExit)}),
    "hypergammon met": scene_of_met,
    "arena": scene_of_arena,
    "bench": scene_of_bench,
    "conform": scene_of_conform,
    "show": lambda _: (f"{DOUBLED}", {}),
    "plays": lambda _: (f"{DOUBLED} 31", {}),
    "perft": lambda _: (f"{OPENING.position.id} 1", {}),
}
"""Those of the commands: what records its arguments, and where an answer is SystemExit, the work ends."""


def effects(command: str, options: frozenset[str]) -> tuple[object, ...]:
    """What a run does: what it calls and prints, and how it ends."""
    recorded = Recorded()
    words, patches = SCENES[command](recorded.instead)
    usual = {word.partition("=")[0]: word for word in words.split() if word.startswith("--") and word != "--"}
    places = [word for word in words.split() if word not in usual.values()]
    typed = usual | {option.partition("=")[0]: option for option in options}
    line = [part for option in typed.values() for part in as_words(COMMANDS[command], option)]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("output.writable", "convert.writable", "export.writable", "hypergammon.writable"):
            patch.setattr(f"gammonrules.cli.{name}", recorded.instead("writable", nullcontext()))
        for name in ("convert.write_file", "output.write_file"):
            patch.setattr(f"gammonrules.cli.{name}", recorded.instead("write"))
        for name, answer in patches.items():
            place = name.replace("/", "gammonrules.") if name.startswith("/") else f"gammonrules.cli.{name}"
            patch.setattr(place, answer)
        ended = commands.run(*command.split(), *line, *places)
    return recorded.calls, ended.stdout, ended.stderr, ended.exit_code


def as_words(command: click.Command, option: str) -> list[str]:
    name, _, value = option.partition("=")
    (parameter,) = (each for each in command.params if name in each.opts)
    return [name, *(value.split() if parameter.nargs > 1 else [value])] if value else [name]


def another_value(option: click.Option) -> str:
    """A value that is not the default of an option; where any text will do, a name."""
    kind = option.type
    if isinstance(kind, click.Choice):
        return str(next(choice for choice in kind.choices if choice != option.default))
    if isinstance(kind, click.ParamType) and kind.name.partition(" ")[0] in {"integer", "float"}:
        return str(2 if option.default != 2 else 3)
    return " ".join(["Ann", "Bob"][: option.nargs])


def samples(command: click.Command) -> Iterator[str]:
    """Its options as they are typed."""
    for option in command.params:
        if isinstance(option, click.Option):
            name = option.opts[-1]
            value = VALUES.get(f"{command.name} {name}") or VALUES.get(name) or another_value(option)
            yield name if option.is_flag else f"{name}={value}"
            if name in STANDARD_OUTPUT and "standard output" in str(option.help):
                yield f"{name}=-"


def with_what_it_needs(command: click.Command, options: Iterable[str]) -> frozenset[str]:
    """Options, each with one that gives it a meaning, by the table of the command."""
    rows = command.only_with.items() if isinstance(command, Command) else ()
    values = {each.partition("=")[0]: each for each in samples(command) if not each.endswith("=-")}
    typed = {option.partition("=")[0] for option in options}
    needed = (values[others[0]] for names, others in rows if typed & {*names} and not typed & {*others})
    return frozenset([*options, *needed])


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_is_accepted_and_does_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each two, both change what is done, or they are refused in a sentence that names both."""
    monkeypatch.chdir(tmp_path)
    command, ended, wrong = COMMANDS[name], dict[frozenset[str], Any](), list[object]()

    def of(options: frozenset[str]) -> Any:
        if options not in ended:
            ended[options] = effects(name, options)
        return ended[options]

    for pair in chain(((option,) for option in samples(command)), combinations(samples(command), 2)):
        asked = with_what_it_needs(command, pair)
        if len({option.partition("=")[0] for option in asked}) < len(asked):
            continue  # two values of one option
        *_, said, status = of(asked)
        if status == 2:
            named = [option for option in asked if option.partition("=")[0] in said]
            wrong += [(pair, said)] * (len(named) < 2 or said.count("\n") != 1)
            continue
        for option in pair:
            less = with_what_it_needs(command, asked - {option})
            if option not in less and of(asked) == of(less):
                wrong.append(f"{option} does nothing with {' '.join(less)}")
    assert wrong == []
