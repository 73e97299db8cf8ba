"""GNU Backgammon itself, run without a window: it imports what is written here, and what it writes is read here.

Some records are tried, and more by `-m long`. Without the program these tests are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import each
import gnu_backgammon
from gammonrules import Player
from gammonrules.engine import SimpleEngine
from gammonrules.errors import ParseError
from gammonrules.match import End, Pair
from gammonrules.records import CubeAnalysis, Decision, Game, Match, PlayAnalysis, analyze, dumps, load, loads

DATA = Path(__file__).parents[3] / "data"
MATCHES = DATA / "matches"
RECORDS = sorted(
    path
    for path in MATCHES.rglob("*")
    if path.suffix in {".txt", ".mat", ".sgf", ".xg"} and not {"broken", "bgblitz-text"} & {*path.parts}
)
SOME = [path for path in RECORDS if path.parent.name != "bot-money"][::30]
ANALYZED = [
    *("galaxy/match912571.txt", "galaxy/match7662222.txt", "galaxy/match10279832.txt"),
    "galaxy/match12607591.txt",
    "galaxy/match1033650.txt",
    "studio/MrPurple_-_Lasse_3pt_Backgammon_Studio_2024_05_11_20_10_33.txt",
    "studio/Llabba_-_Bigeagle32_9pt_Backgammon_Studio_2023_09_21_12_05_50.txt",
    "xg-text/test.mat",
    "galaxy/match13013102.txt",
    "sgf/backgammonhub_2026-01-20_3pt.sgf",
]

pytestmark = gnu_backgammon.is_needed

_ROOT = re.compile(r"\(;FF\[4\]GM\[6\].*?(?=\n;|\)\n\(;FF|\Z)", re.DOTALL)
_SCORE = re.compile(r"The score \(after ([0-9]+) games?\) is: (.*) (-?[0-9]+), (.*) (-?[0-9]+) \(")
_COLORS = {Player.WHITE: "W", Player.BLACK: "B"}
SETTINGS = ("set confirm new off", "set automatic game off", "set threads 1")


def imported(path: Path, match: Match) -> Iterator[str]:
    """The commands that read a file. SGF says whether the Jacoby rule holds; a .mat file is read as set."""
    if path.suffix == ".sgf":
        yield f"load match {path}"
    else:
        yield f"set jacoby {'on' if match.rules.jacoby else 'off'}"
        yield f"import mat {path}"


def results(match: Match) -> list[tuple[tuple[int, int], tuple[str, int] | None]]:
    """The score before each game, and who won how much."""
    return [(game.score, _result(game)) for game in match.games]


def _result(game: Game) -> tuple[str, int] | None:
    result = game.final().result
    if result is None:
        return None
    most = 3 * game.final().cube.value  # the program knows no forfeit of more
    return _COLORS[result.winner], min(result.points, most) if result.end is End.FORFEITED else result.points


def results_in(text: str) -> list[tuple[tuple[int, int], tuple[str, int] | None]]:
    """The same, in what the program saved."""
    results: list[tuple[tuple[int, int], tuple[str, int] | None]] = []
    for root in _ROOT.findall(text):
        white, black = (int(re.search(rf"\[{name}:([0-9]+)\]", root)[1]) for name in ("ws", "bs"))
        result = re.search(r"RE\[([WB])\+([0-9]+)R?\]", root)
        results.append(((white, black), None if result is None else (result[1], int(result[2]))))
    return results


@each.first("paths", [SOME, RECORDS[::3]], ids=["some", "more"])
def test_imports_what_is_written(paths: list[Path], tmp_path: Path) -> None:
    """The same games, winners, points and final score, from .mat and from SGF."""
    matches = [load(path) for path in paths]
    commands: list[str] = [*SETTINGS]
    # a .mat file of a coin game is a match for it, in which a gammon always counts
    files = [
        (tmp_path / f"{index}.{form}", match)
        for index, match in enumerate(matches)
        for form in (("sgf",) if match.is_coin_game else ("mat", "sgf"))
    ]
    for path, match in files:
        path.write_text(dumps(match, path.suffix[1:]), encoding="utf-8")
        commands += [*imported(path, match), "show score", f"save match {path}.out"]
    scores = _SCORE.findall(gnu_backgammon.run(tmp_path, *commands))
    assert len(scores) == len(files)
    for (path, match), (games, _, white, _, black) in zip(files, scores, strict=True):
        text = Path(f"{path}.out").read_text(encoding="utf-8", errors="replace")
        assert results_in(text) == results(match), path.name
        forfeits = [game for game in match.games if (result := game.final().result) and result.end is End.FORFEITED]
        if not forfeits:
            assert (int(white), int(black)) == match.score, path.name
        assert int(games) == sum(game.final().result is not None for game in match.games)


def test_the_end_that_a_record_states(tmp_path: Path) -> None:
    """The stated winner wins, whatever a comment or a last cell says, and by as many points.

    The program does not know that a comment awards more points than a backgammon gives.
    """
    rows = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n"
    texts = {
        f"{points} to {winner} {words} {comment}": " 7 point match\n\n Game 1\n"
        " Ann : 3                         Bob : 3\n"
        f"{rows}{column}{words}\n{column}Wins {points} points\n{comment}"
        for points in (2, 4, 5, 16, 100, 1004)
        for winner, column in (("Ann", " " * 6), ("Bob", " " * 34))
        for words, comment in (
            ("", ""),
            ("", "; Ann wins by forfeit\n"),
            ("Resigned Game", ""),
            ("Lost on time", ""),
            ("  3) 64: 24/18".rjust(14), ""),
        )
    }
    files = [tmp_path / f"{index}.mat" for index in range(len(texts))]
    for path, text in zip(files, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    commands = [command for path in files for command in (f"import mat {path}", "show score")]
    scores = _SCORE.findall(gnu_backgammon.run(tmp_path, *SETTINGS, *commands))
    for (name, text), (_, _, white, _, black) in zip(texts.items(), scores, strict=True):
        first = loads(text).games[0].final()
        assert [*map(int.__gt__, (int(white), int(black)), (3, 3))] == [*map(int.__gt__, first.score, (3, 3))], name
        assert (max(int(white), int(black)) >= 7) == (first.winner is not None), name
        if first.result is not None and first.result.end is not End.FORFEITED:
            assert (int(white), int(black)) == first.score, name


def test_documents_are_named(tmp_path: Path) -> None:
    """What it exports as HTML or LaTeX cannot be read, whole or from the second move on."""
    path = tmp_path / "match.sgf"
    path.write_text(dumps(load(MATCHES / "sgf" / "backgammonhub_2026-01-20_3pt.sgf"), "sgf"), encoding="utf-8")
    exports = {"match.html": "HTML", "fibs.html": "HTML", "bbs.html": "HTML", "match.tex": "LaTeX"}
    styles = {"fibs.html": ["set export html type fibs2html"], "bbs.html": ["set export html type bbs"]}
    commands = [*SETTINGS, f"load match {path}"]
    for name in exports:
        form = "latex" if name.endswith(".tex") else "html"
        commands += [*styles.get(name, []), f"export match {form} {tmp_path / name}"]
    gnu_backgammon.run(tmp_path, *commands)
    for name, form in exports.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        part = text[text.index("\\bigskip" if form == "LaTeX" else "Move number 2") :]
        for beginning, content in (("this is", text), ("this looks like a copy of", part)):
            with pytest.raises(ParseError, match=f"{beginning} GNU Backgammon's {form} export, which cannot be read"):
                loads(content)


def test_resignations_of_gibbon(tmp_path: Path) -> None:
    """The program skips the nodes with offers to resign and their answers, and reads the stated points."""
    doubled = "W[31hefe];B[double];W[take];B[62agln]"
    ends = [
        ("W[31hefe];B[resign:1];W[accept]", "W+1Resign"),
        ("W[31hefe];W[resign:2];B[accept]", "B+2Resign"),
        (f"{doubled};W[resign:4];B[accept]", "B+4Resign"),
        (f"{doubled};W[resign:2];B[reject];W[42hdfd];B[resign:6];W[accept]", "W+6Resign"),
        (f"{doubled};W[resign:2];B[accept]", "B+4Resign"),  # the offer contradicts the stated points
    ]
    commands: list[str] = [*SETTINGS]
    matches: list[Match] = []
    for index, (nodes, stated) in enumerate(ends):
        info = "MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
        text = f"(;FF[4]GM[6]AP[gibbon (libgsgf):0.2.0 (0.2.0)]{info}RE[{stated}];{nodes})\n"
        path = tmp_path / f"{index}.sgf"
        path.write_text(text, encoding="utf-8")
        matches.append(loads(text))
        commands += [f"load match {path}", f"save match {path}.out"]
    gnu_backgammon.run(tmp_path, *commands)
    for index, match in enumerate(matches):
        saved = load(tmp_path / f"{index}.sgf.out")
        assert saved.games[0].final().result == match.games[0].final().result, index


def numbers(decision: Decision) -> dict[str, float | None]:
    """What both files say about a decision."""
    analysis = decision.analysis
    if isinstance(analysis, CubeAnalysis):
        chances = analysis.chances
        return {
            "no double": analysis.no_double,
            "take": analysis.double_take,
            "win": None if chances is None else chances.win,
            "equity": decision.equity,
        }
    assert isinstance(analysis, PlayAnalysis)
    if decision.action == "no play":
        return {"luck": analysis.luck}
    stated: dict[str, float | None] = {"equity": decision.equity, "best": decision.equity_best, "luck": analysis.luck}
    for index, candidate in enumerate(analysis.candidates[:5]):
        stated[f"{index} {candidate.play}"] = candidate.equity
        if candidate.chances is not None:
            chances = candidate.chances
            stated |= {f"{index} win": chances.win, f"{index} loses a gammon": chances.lose_gammon}
    return stated


def printed_decisions(game: Game) -> list[Decision]:
    """The decisions that the text shows, too: it leaves out a roll after which a player resigned."""
    decisions = list(game.decisions())
    left_out = [
        decision
        for decision, following in pairwise(decisions)
        if (decision.action, following.kind) == ("roll", "resign")
    ]
    return [decision for decision in decisions if decision not in left_out]


def texts_of(folder: Path, name: str, games: int) -> Iterator[Match]:
    """The text exports of a match, one for each game."""
    for game in range(1, games + 1):
        path = folder / (f"{name}.txt" if game == 1 else f"{name}_{game:03}.txt")
        yield loads(path.read_bytes())


@each.first("files", [ANALYZED[:1], ANALYZED[1::2]], ids=["one", "more"])
def test_its_analysis_reads_alike_from_both_of_its_formats(files: list[str], tmp_path: Path) -> None:
    """SGF and text of the same analysis give equal decisions, equities to the three decimals that the text has."""
    commands = [*SETTINGS, "set export moves number 5"]
    commands += [f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")]
    for index, file in enumerate(files):
        match = load(MATCHES / file)
        path = tmp_path / f"{index}.mat"
        path.write_text(dumps(match, "mat"), encoding="utf-8")
        saved = f"save match {tmp_path}/{index}.sgf", f"export match text {tmp_path}/{index}.txt"
        commands += [*imported(path, match), "analyse match", *saved]
    gnu_backgammon.run(tmp_path, *commands)
    compared = 0
    for index, file in enumerate(files):
        saved_match = load(tmp_path / f"{index}.sgf")
        assert [game.events for game in saved_match.games] == [game.events for game in load(MATCHES / file).games]
        compared += numbers_printed(saved_match, tmp_path, str(index))
    assert compared > 1000 * len(files) // 3


@pytest.mark.long
@pytest.mark.parametrize("name", ["match11239570", "match11926267", "match1100068"])
def test_luck_is_what_its_statistics_say(name: str, tmp_path: Path) -> None:
    """But for the roll before these resignations, which it writes, and counts, twice."""
    (tmp_path / "in.mat").write_bytes((MATCHES / "endings" / f"{name}.txt").read_bytes())
    commands = [f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")]
    saved = "show statistics match", "save match out.sgf", "export match text x.txt"
    printed = gnu_backgammon.run(tmp_path, *SETTINGS, *commands, "import mat in.mat", "analyse match", *saved)
    lucks = [float(luck) for luck in re.findall(r"Luck total EMG \(MWC\) +(\S+) \(.*?\) +(\S+) \(", printed)[0]]
    *_, first, second = (tmp_path / "out.sgf").read_text("utf-8").split("\n;")
    assert f"{first})" == second.rstrip()
    match = load(tmp_path / "out.sgf")
    *_, dance, resignation, _ = match.decisions()
    assert (dance.action, resignation.kind, match.winner) == ("no play", "resign", Player.WHITE)
    assert match.games == load(MATCHES / "endings" / f"{name}.txt").games
    *_, shown = texts_of(tmp_path, "x", len(match.games))
    assert shown.games[-1].events == match.games[-1].events
    assert [finding.severity for finding in shown.findings] == ["info"]
    twice = 0.0 if dance.luck is None else dance.luck
    white, black = match.error_rates("gnubg")
    assert [white.luck, (black.luck or 0) + twice] == pytest.approx(lucks, abs=6e-4)


ENDING = """  1)                             32: 13/10 10/8
  2) 44: 13/9 13/9 6/2 6/2       62: 24/18 24/22
  3) 54: 13/9 8/3*               31: 25/22* 22/21
  4) 22: 25/23 9/7* 6/4* 4/2     51: 25/20 25/24
  5) 41: 7/3 2/1*                62:
  6) 21: 24/23 3/1               63: 25/22 20/14
  7) 33: 8/5 8/5 6/3* 6/3        53:
  8) 64: 9/3 9/5                 {}:
"""
RIGHT = " " * 28
LAST_ROLLS = {
    "after a dance": (ENDING.format(44) + "      Wins 1 point\n", Player.BLACK),
    "given up by the other player": (ENDING.format(44) + RIGHT + "      Wins 1 point\n", Player.BLACK),
    "the opening roll": ("  1) 62: ????\n" + RIGHT + "      Wins 1 point\n", Player.WHITE),
    "of a dance": (ENDING.format(33) + "      Wins 1 point\n", None),
}


@pytest.mark.long
def test_the_luck_of_a_roll_that_was_not_played(tmp_path: Path) -> None:
    """It states that luck in its file, and leaves it out of its sums, as if the dice had been set by hand."""
    commands = [f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")]
    heading = "5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    for number, (rows, _) in enumerate(LAST_ROLLS.values()):
        (tmp_path / f"{number}.mat").write_text(heading + rows, encoding="utf-8")
        commands += [f"import mat {number}.mat", "analyse match", "show statistics match", f"save match {number}.sgf"]
    printed = gnu_backgammon.run(tmp_path, *SETTINGS, *commands)
    totals = re.findall(r"Luck total EMG \(MWC\) +(\S+) \(.*?\) +(\S+) \(", printed)
    assert len(totals) == len(LAST_ROLLS)
    with SimpleEngine.gnubg(level=1) as engine:
        for number, (_, unplayed) in enumerate(LAST_ROLLS.values()):
            match = analyze(load(tmp_path / f"{number}.mat"), engine)
            lucks = Pair(rate.luck or 0 for rate in match.error_rates("gnubg"))
            assert lucks == pytest.approx([rate.luck for rate in load(tmp_path / f"{number}.sgf").error_rates("gnubg")])
            rolls = [decision.play_analysis for decision in match.decisions() if decision.kind == "resign"]
            last = rolls[0].luck if rolls and rolls[0] else None
            assert (last is not None) == (unplayed is not None)
            counted = [luck - (last or 0) * (player is unplayed) for player, luck in zip(Player, lucks, strict=True)]
            assert counted == pytest.approx(list(map(float, totals[number])), abs=6e-4)


@pytest.mark.long
def test_shows_analyses_of_any_engine(tmp_path: Path) -> None:
    """Its text of the SGF made from other formats has the same numbers, but for dances, which it cannot show."""
    commands = [*SETTINGS, "set export moves number 5"]
    records = {path: load(path) for path in [*DATA.rglob("*.xg"), *(DATA / "analysis").glob("gnubg*/*ply*.txt")]}
    for index, match in enumerate(records.values()):
        (tmp_path / f"{index}.sgf").write_text(dumps(match, "sgf"), encoding="utf-8")
        commands += [f"load match {tmp_path}/{index}.sgf", f"export match text {tmp_path}/{index}.txt"]
    gnu_backgammon.run(tmp_path, *commands)
    assert sum(numbers_printed(match, tmp_path, str(index)) for index, match in enumerate(records.values())) > 20_000


def numbers_printed(match: Match, folder: Path, name: str) -> int:
    """How many numbers the text exports of a match share with it; each must be equal, to the three decimals printed."""
    compared = 0
    for game, text in zip(match.games, texts_of(folder, name, len(match.games)), strict=True):
        mine, theirs = printed_decisions(game), printed_decisions(text.games[0])
        assert [(decision.kind, decision.player, decision.action) for decision in mine] == [
            (decision.kind, decision.player, decision.action) for decision in theirs
        ]
        for ours, other in zip(mine, theirs, strict=True):
            if ours.action != "no play" and ours.kind != "resign":
                assert (ours.analysis is None) == (other.analysis is None), (name, game.number, ours)
            if ours.analysis is None or other.analysis is None:
                continue
            computed, printed = numbers(ours), numbers(other)
            assert computed == pytest.approx(printed, abs=6e-4), (name, game.number, ours)
            compared += len(computed)
    return compared
