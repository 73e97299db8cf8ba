"""Openings and replies: counted again from the matches themselves, by the boards that they lead to."""

from __future__ import annotations

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

import commands
import wording
from gammonrules import Event, MatchState, Player, Position, Rules, SetPosition
from gammonrules.records import Decision, Game, Match, export, loads, openings, openings_to_html, scan, to_table
from gammonrules.records.transcript import counting_rule, levels_by_engine, with_analysis, won_in

pa = pytest.importorskip("pyarrow", reason="needs the extra tables")
parquet = pytest.importorskip("pyarrow.parquet")

ROOT = Path(__file__).parents[2]
GNUBG, EXAMPLES = ROOT / "tests/data/analysis/gnubg", ROOT / "examples/matches"
RECORDS = [
    *(GNUBG / name for name in ("match7662222_1ply.sgf", "rollout_3pt-game1.sgf", "rollout_3pt-game1.txt")),
    ROOT / "tests/data/matches/xg/charlot1-charlot2_7p_2025-11-08-2305.xg",
    *(EXAMPLES / "galaxy" / f"match{number}.txt" for number in (1033650, 1247261, 2151849)),
]
HOSTILE = '<script>alert("1")</script>&\u202e%%title%%'
START, DOUBLETS = Position.start(), {f"{number}{number}" for number in range(1, 7)}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of real records: some matches in two formats, some analyzed by two engines, or at three levels."""
    path = tmp_path_factory.mktemp("openings") / "all.parquet"
    export(RECORDS, path, workers=1)
    return path


@cache
def first_plays() -> list[tuple[Match, Game, Decision, tuple[str, str] | None]]:
    return [
        play for entry in scan(RECORDS, workers=1) if entry.match is not None for play in first_plays_of(entry.match)
    ]


def first_plays_of(match: Match) -> Iterator[tuple[Match, Game, Decision, tuple[str, str] | None]]:
    """The opening of each game, and the play that answers it, with the engine and the level for which it counts."""
    levels = levels_by_engine(match.decisions())
    for game in match.games:
        plays = [decision for decision in game.decisions() if decision.kind == "play"][:2]
        if plays and plays[0].turn == 1 and plays[0].state.position == START and str(plays[0].dice) not in DOUBLETS:
            for play in plays:
                analysis, judge = play.analysis, None
                if analysis and counting_rule("xg").counts(
                    with_analysis(play, analysis), xg_states_errors=match.format == "xg"
                ):
                    judge = analysis.engine, "".join(map(str, levels[analysis.engine]))
                if play.state.position in {START, plays[0].after.position}:
                    yield match, game, play, judge


@pytest.mark.parametrize("condition", ["", "player = lasse", "engine = eXtreme Gammon"])
def test_every_play_is_counted_once(table: Path, condition: str) -> None:
    """What came of it, and what it cost by the engine and the level that judged most of them."""
    cells, judges = defaultdict[Any, Any](lambda: defaultdict(dict)), Counter[Any]()
    for match, game, play, judge in first_plays():
        engine = play.analysis and play.analysis.engine
        if condition in {"", f"player = {match.players[play.player]}", f"engine = {engine}"}:
            winner, points = won_in(game) or (play.player, None)
            won = points and (points if winner is play.player else -points)
            cell = cells[play.state.position, str(play.dice), play.after.position]
            cell[match.fingerprint, game.fingerprint] |= {"won": won, judge: (play.error, play.best)}
            judges.update([judge] if judge else [])
    ((judge, _), *_) = judges.most_common()
    rows = openings(table, *filter(None, [condition]))
    assert {(row["engine"], row["level"]) for row in rows} == {judge}
    assert len(rows) == len(cells)
    for row in rows:
        before = START.play(row["opening"], row["opening_dice"]) if row["opening"] else START
        games = cells[before, row["dice"], before.play(row["action"], row["dice"])].values()
        points, judged = (
            [game["won"] for game in games if game["won"]],
            [game[judge] for game in games if judge in game],
        )
        assert (row["games"], row["judged"]) == (len(games), len(judged))
        assert row["game_points"] == (pytest.approx(mean(points)) if points else None)
        assert row["won"] == (pytest.approx(mean(number > 0 for number in points)) if points else None)
        if len({*points}) > 1:
            assert row["game_points_se"] == pytest.approx(stdev(points) / len(points) ** 0.5)
        assert row["error"] == (pytest.approx(mean(error for error, _ in judged)) if judged else None)
        assert row["best"] in ({best for _, best in judged} or {None})
    assert sum(row["judged"] for row in rows) >= 4


def record(*rows: str, length: int = 5) -> Match:
    numbered = "".join(f"  {number}) {row}\n" for number, row in enumerate(rows, 1))
    return loads(f" {length} point match\n\n Game 1\n Ann : 0  Bob : 0\n{numbered}")


def told(folder: Path, *matches: Match, conditions: tuple[str, ...] = ()) -> dict[str, int]:
    """How often each play was made, those that answer another one behind it."""
    parquet.write_table(to_table(matches), folder / "table.parquet")
    rows = openings(folder / "table.parquet", *conditions)
    names = "opening_dice", "opening", "dice", "action"
    return {" ".join(row[name] for name in names if row[name]): row["games"] for row in rows}


def test_a_play_is_one_however_it_is_spelled(tmp_path: Path) -> None:
    spellings = "31: 24/20      ", "13: 24/23 23/20", "31: 24/21/20   "
    matches = [record(f"{spelling} 64: 24/14", length=5 + at) for at, spelling in enumerate(spellings)]
    assert told(tmp_path, *matches) == {"31 24/20": 3, "31 24/20 64 24/14": 3}


def test_only_openings_and_their_replies_count(tmp_path: Path) -> None:
    """Not a doublet, another start or another board before the reply; a game in two files counts once."""
    log = [Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")]
    reply = [Event("roll", argument="64"), Event("play", argument="24/14")]
    by_hand = SetPosition(START.play("24/23 13/10", "31"), Player.BLACK)
    fresh, nackgammon = MatchState.new(5), MatchState.new(5, rules=Rules(start="nackgammon"))
    matches = [
        *[record("31: 8/5 6/5   64: 24/14")] * 2,
        record("31: 8/5 6/5   Doubles => 2", "  Takes  64: 24/14", length=7),
        record("33: 8/5(2) 6/3(2)   64: 24/14"),
        record("31:           64: 24/14"),
        *(
            Match.from_events(("Ann", "Bob"), start, log + more)
            for start, more in [(nackgammon, reply), (fresh, [by_hand, *reply])]
        ),
    ]
    assert told(tmp_path, *matches) == {"31 8/5 6/5": 3, "31 8/5 6/5 64 24/14": 2}
    assert told(tmp_path, *matches, conditions=("player = Bob",)) == {"31 8/5 6/5 64 24/14": 2}
    assert told(tmp_path) == {}


def test_the_engine_that_analyzed_more_is_told(tmp_path: Path, by_gnubg_and_xg: tuple[Path, Path]) -> None:
    """A second copy does not make it more; of two, the one that was read first."""
    (gnubg, xg), copy = by_gnubg_and_xg, tmp_path / "copy.json"
    shutil.copy(gnubg, copy)
    for paths in [xg, gnubg, copy], [gnubg, xg]:
        export(paths, tmp_path / "all.parquet", workers=1)
        export(paths[:1], tmp_path / "first.parquet", workers=1)
        assert openings(tmp_path / "all.parquet") == openings(tmp_path / "first.parquet")


def test_a_table_without_values(tmp_path: Path) -> None:
    """Where another program has left some out, there is nothing to count."""
    table = to_table([record("31: 8/5 6/5   64: 24/14")])
    for name, left in ("dice", 0), ("action", 0), ("turn", 0), ("game_points", 2), ("match", 2):
        nulls = pa.nulls(table.num_rows, table.schema.field(name).type)
        parquet.write_table(table.set_column(table.column_names.index(name), name, nulls), tmp_path / "table.parquet")
        assert len(openings(tmp_path / "table.parquet")) == left


def games_by_roll(rows: Iterable[Any]) -> Counter[str]:
    """How many games have each opening roll."""
    games = Counter[str]()
    for row in rows:
        games[row["dice"]] += row["games"] * (not row["opening"])
    return games


def test_few_openings_are_shown_that_lost_nothing(table: Path) -> None:
    """As those of a match; but nothing is said of what nobody has judged, also beside what somebody has."""
    row = next(row for row in openings(table) if row["judged"] and not row["opening"])
    known = row | {"games": 1, "judged": 1, "cost": 0.0}
    unknown = known | {"action": "24/18 24/23", "judged": 0, "cost": None, "best": None}
    page = openings_to_html([known, unknown])
    (played,) = re.findall('aria-label="What was played".*?</table>', page, re.DOTALL)
    assert played.count("<tr class=row>") == 1
    assert f"<td>{known['action']}</td><td>1 of 2</td>" in played
    dice = "-".join(known["dice"])
    assert f"{dice}: {known['action']}, 1 of 2 times. Nothing was lost with any opening." in page
    assert "judged 1 of 2 openings. Its analyses have the plays of 1: they lost <b>0.000</b> points" in page
    assert page.count(" hidden><h2>Other rolls") == 1
    both_known = openings_to_html([known, known | {"action": "24/18 24/23"}])
    assert "Its analyses have all plays: they lost <b>0.000</b>" in both_known
    assert "judged 1 of 1 opening. A hint only: few are judged.</p>" in openings_to_html([known])


def test_the_page_draws_what_is_played_and_what_it_costs(table: Path) -> None:
    """What names contain is text."""
    rows = [row | {"engine": HOSTILE} for row in openings(table)]
    page = openings_to_html(rows, title=HOSTILE)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 3
    five = next(row for row in rows if row["judged"] and not row["opening"])
    assert f"{five['error']:.3f}" in page
    judged = {row["dice"] for row in rows if row["best"] and not row["opening"]}
    sections = {part[:2]: part for part in re.split(r'<section class="card" id="roll-', page)[1:]}
    marked = {dice: re.findall(r'<span class="best">([^<]*)</span></th>', part) for dice, part in sections.items()}
    for dice in sections.keys() - {[*sections][-1]}:
        assert len(marked[dice]) == (dice in judged)
        assert {*marked[dice]} <= {row["best"] for row in rows if (row["dice"], row["opening"]) == (dice, "")}
    number, games = (sum(row[name] for row in rows if not row["opening"]) for name in ("judged", "games"))
    assert f" judged {number} of {games} openings. Its analyses have " in page
    unjudged_rows = [row | {"judged": 0, "error": None, "best": None, "cost": None} for row in rows]
    for nothing, lead in ([], "No opening meets this."), (unjudged_rows, "No engine has judged these openings"):
        unjudged = openings_to_html(nothing)
        assert lead in unjudged
        assert "lost" not in re.sub(
            "<style>.*?</style>", "", unjudged.partition('<p class="note">')[0], flags=re.DOTALL
        )
        assert 'class="best"' not in unjudged
        assert not re.search('class="[^"]*(arrow|made)"', unjudged)  # whoever sees an arrow takes it for advice
    most_met = max(games_by_roll(unjudged_rows).items(), key=lambda dice_and_games: dice_and_games[1])
    assert f'id="roll-{most_met[0]}"' in unjudged.partition("<h2>")[0]
    assert f"{'-'.join(most_met[0])}<small>{most_met[1]}</small>" in unjudged
    (frequent,) = re.findall('aria-label="What was played".*?</table>', unjudged, re.DOTALL)
    assert frequent.count("<tr class=row>") == 6
    assert f"of {most_met[1]}</td>" in frequent.partition("</tr>")[2].partition("</tr>")[0]
    free = openings_to_html([row | {"cost": None if row["cost"] is None else 0.0004} for row in rows])
    assert "Nothing was lost with any opening." in free
    assert "the most frequent comes first" in free
    assert not re.search("(ost is lost with|what lost most)", free)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (0.0004, "3-1: 8/5 6/5, 2 of 3 times. Nothing was lost with any opening."),
        (0.01, "3-1: 8/4, 1 of 3 times, cost 0.010 points each. No opening lost much."),
        (0.1, "3-1: 8/4, 1 of 3 times, cost 0.100 points each, the most of all; 8/5 6/5 is best."),
    ],
)
def test_the_page_begins_with_what_was_played(table: Path, cost: float, words: str) -> None:
    """And says what it lost only if it lost something; if not, it tells the play that was made most often."""
    row = next(row for row in openings(table) if row["judged"] and not row["opening"])
    best = row | {
        "dice": "31",
        "opening_dice": "31",
        "action": "8/5 6/5",
        "best": "8/5 6/5",
        "games": 2,
        "judged": 2,
        "cost": 0.0,
    }
    worse = best | {"action": "8/4", "games": 1, "judged": 1, "cost": cost}
    page = openings_to_html([best, worse])
    assert f'<p class="lead">{words}</p>' in page


def test_what_costs_the_same_is_equally_dark(table: Path) -> None:
    """In the map and the bars, and as a mistake on the board: 0.0196 and 0.0204 are both 0.020 there."""
    row = next(row for row in openings(table) if row["judged"] and not row["opening"])
    best = row | {"dice": "31", "opening_dice": "31", "action": "8/5 6/5", "best": "8/5 6/5", "games": 0, "cost": 0.0}
    seen: list[list[str]] = []
    for cost in (0.0196, 0.0204):
        page = openings_to_html([best | {"action": "8/4", "games": 2, "cost": cost}, best])
        cells = re.findall(r'class="(heat\d)" href="#roll-31">3-1<small>0.020<', page)
        bars = re.findall(r'<tr class="(\w*)"><th scope="row"><span class="(\w*)">8/4<', page)
        seen.append([*cells, *bars, page.count('class="arrow made"'), re.findall('<p class="lead">(.*)</p>', page)])
    assert seen[0] == seen[1]
    assert seen[0][:2] == ["heat1", ("error", "made")]


def test_the_command(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own page is replaced, and nothing else; it takes conditions."""
    monkeypatch.chdir(tmp_path)
    where = "player = lasse", "dice = 31"
    page = openings_to_html(openings(table, *where), title="Openings by lasse, with 31")
    result = commands.run("openings", *where, table, "-o", "page.html")
    assert (result.exit_code, result.stdout) == (0, "page.html is written: open it in a browser\n")
    assert Path("page.html").read_bytes().decode() == page
    assert commands.run("openings", *where, table, "-o", "-").stdout == page
    assert commands.run("openings", table, "-o", "page.html").exit_code == 0
    Path("other.html").write_text("<html>", encoding="utf-8")
    Path("no.parquet").write_text("<html>", encoding="utf-8")
    for arguments, named in (
        ((table, "-o", "other.html"), "--force"),
        (("no.parquet", "-o", "a.html"), "no.parquet"),
        ((table, "--candidates", "none.parquet", "-o", "a.html"), "none.parquet"),
        ((EXAMPLES, "--candidates", "none.parquet", "-o", "a.html"), "no .parquet TABLE"),
        ((table, "--candidates", "page.html", "-o", "page.html"), "read"),
    ):
        result = commands.run("openings", *arguments)
        assert (result.exit_code, Path("a.html").exists()) == (2, False)
        wording.check(result.stderr.splitlines()[-1], named)
