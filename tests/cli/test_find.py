"""The command `find`: what it prints, the pages that it writes and replaces, and what it refuses."""

from __future__ import annotations

import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

import each
import wording
from commands import refused, run
from gammonrules import MatchState
from gammonrules.cli.search_titles import question_in_words
from gammonrules.records import dump, export, load, rows_to_html, search, to_html
from real_records import loaded

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")

ROOT = Path(__file__).parents[2]
XG = ROOT / "examples" / "matches" / "xg" / "test.xg"
HOSTILE = '<script>alert("1")</script>&\u202e%%title%%\x1b[31m'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("table") / "t.parquet"
    export(XG, path, workers=1)
    return path


@pytest.fixture
def table(made: Path, here: Path) -> Path:
    return Path(shutil.copy(made, here))


def by_cost(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: -1 if row["error"] is None else row["error"], reverse=True)


def told(rows: list[dict[str, Any]]) -> str:
    """How many they are, and what they lost together."""
    return f"{len(rows)} decisions, {sum(row['error'] or 0.0 for row in rows):.2f} points lost"


def test_rows_are_listed_and_counted(table: Path) -> None:
    rows = by_cost(search(table, "error >= 0.02").to_pylist())
    assert len(rows) > 20
    head, *listed, count = run("find", "error >= 0.02", table).stdout.splitlines()
    assert head.split()[:2] == ["player", "opponent"]
    assert count == f"{told(rows)}, the first 20 listed"
    assert len([line for line in listed if re.match(r" (Maxence|Kévin|Nicolas|\S+ \S+)", line)]) >= 20
    assert f"{rows[0]['error']:.3f}" in listed[0]


def test_xgids_alone(table: Path) -> None:
    result = run("find", "bar:1+", table, "--xgids")
    rows = search(table, "bar:1+").to_pylist()
    expected = [row["xgid"] for row in rows]
    assert result.stdout.splitlines() == expected
    assert result.stderr == f"{told(rows)}\n"
    state = MatchState.from_xgid(expected[0])
    again = run("find", state.swap_players().xgid, table, "--any-score", "--xgids").stdout.splitlines()
    assert expected[0] in again


def test_a_page_of_boards(table: Path) -> None:
    """The hundred that cost most, each with its own XGID, and all are counted."""
    rows = by_cost(search(table, "6:2+").to_pylist())
    assert len(rows) > 100
    result = run("find", "6:2+", table, "-o", "new/page.html")
    assert (result.exit_code, result.stdout) == (0, f"{told(rows)}, the first 100 on boards in new/page.html\n")
    page = (table.parent / "new" / "page.html").read_bytes().decode()
    title = "Decisions, with 2 or more on the 6 point"
    assert page == rows_to_html(rows, title=title, file="new/page.html")
    assert re.findall(r"XGID=[^<\"]+", page) == [row["xgid"] for row in rows[:100]]
    assert f"<h1><bdi>{title}</bdi> <small>{len(rows)} decisions, of which 100 are shown</small></h1>" in page
    result = run("find", "6:2+", table, "-o", "-")
    assert (result.exit_code, result.stdout, result.stderr) == (0, page, f"{told(rows)}\n")


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        (
            ["player = lasse", "error >= 0.08", "position_kind = bear-off", "opponent_anchors >= 1"],
            "Blunders in bear-offs by lasse, against anchors",
        ),
        (["error >= 0.02", "counts_xg = true", "decision != play"], "Rated errors, with the cube"),
        (["counts_xg = false", "player = lasse"], "Decisions by lasse, not rated"),
        (["error > 0.05", "dice = 31"], "Decisions that lost more than 0.05, with 31"),
        (
            ["1-6:2+ off:3- vs bar:1"],
            "Decisions, with 2 or more on each point 1-6, 3 or fewer off against 1 on the bar",
        ),
        (
            ["vs 24:2+", "away =", "longest_prime >= 5"],
            "Decisions, against 2 or more on the 24 point, in money play, longest prime at least 5",
        ),
        (["4HPwATDgc/ABMA", "engine !=", "length = 7"], "Decisions, 4HPwATDgc/ABMA, analyzed, length 7"),
        (["position_kind = race", "position_kind = blitz"], "Decisions in races, position kind blitz"),
    ],
)
def test_a_question_in_words(patterns: list[str], words: str) -> None:
    """The heading of the page; what has no words of its own stands as it was typed."""
    assert question_in_words(patterns, "Decisions") == words


def test_a_board_leads_to_its_match(here: Path) -> None:
    """To the page of `view` beside the record, or beside the page, at the decision."""
    match = loaded(XG)
    dump(attrs.evolve(match, games=match.games[:2]), here / "a b.mat")
    export(here / "a b.mat", "t.parquet", workers=1)
    (row,) = search("t.parquet", "number = 9", "game = 2").to_pylist()
    assert "href=" not in re.sub(r"<link[^>]*>", "", rows_to_html([row], file="found.html"))
    match_page = to_html(load("a b.mat"))
    (here / "a b.html").write_text(match_page, encoding="utf-8")
    assert run("find", "number = 9", "game = 2", "t.parquet", "-o", "found.html").exit_code == 0
    page = (here / "found.html").read_text(encoding="utf-8")
    assert f'href="a%20b.html#{row["xgid"]}"' in page
    assert f'href="#{row["xgid"]}"' in match_page


def test_whatever_a_table_says_is_text() -> None:
    names = "player", "opponent", "away", "dice", "action", "best", "file", "line", "seat", "xgid"
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    hostile = dict.fromkeys(names, HOSTILE)
    rows = [
        hostile,
        hostile | {"xgid": start, "action": None},
        hostile | {"xgid": start, "action": "8/5 <b>/1"},
        dict.fromkeys(names),
        {},
    ]
    page = rows_to_html(rows, title=HOSTILE, file="a.html")
    assert page.count("<script") == 1
    assert "\x1b" not in page
    assert page.count("<article") == 5
    assert page.count("<title>") == 2


def test_the_answer_about_a_cube() -> None:
    """What the opponent should answer, and all three equities; a question that tells the answer is no heading."""
    row = {"player": "Ann", "decision": "double", "action": "roll", "best": "double", "error": 0.32}
    row |= {"equity_no_double": 0.3, "equity_double_take": 0.62, "equity_double_drop": 1.0}
    page = rows_to_html([row], title="mistake = missed_double")
    assert '<p class="best">double, take <small>best</small></p>' in page
    assert "Equity: no double +0.300; double, take +0.620; double, drop +1.000" in page
    assert "<h1>Double or roll? <small>1 decision</small></h1>" in page
    assert "<h1>0 decisions</h1>" in rows_to_html([], title="mistake = missed_double")
    both = rows_to_html([row, row | {"decision": "play"}], title="mistake = missed_double or mistake = play")
    assert "<h1>What is best? <small>2 decisions</small></h1>" in both
    too_good = row | {"action": "double", "best": "roll", "equity_double_take": 1.2, "equity_no_double": 1.1}
    assert "too good, drop" in rows_to_html([too_good])


def test_who_has_no_name_is_called_as_in_the_report(here: Path, game: Path) -> None:
    dump(attrs.evolve(loaded(game), players=("", "Ann")), here / "one.json")
    assert run("report", "one.json", "-o", "report.html").exit_code == 0
    result = run("find", "error >= 0.02", "one.json", "-o", "found.html")
    assert result.exit_code == 0, result.output
    for name in "report.html", "found.html":
        assert "white of one.json" in Path(name).read_text(encoding="utf-8")


def test_its_own_page_is_replaced_and_nothing_else(table: Path) -> None:
    for _ in range(2):
        assert run("find", "bar:1+", table, "-o", "a.html").exit_code == 0
    content = (table.parent / "a.html").read_text("utf-8").replace("find", "report", 1)
    (table.parent / "b.html").write_text(content, encoding="utf-8")
    refused("find", "bar:1+", table, "-o", "b.html", says="--force")
    assert (table.parent / "b.html").read_text("utf-8") == content
    assert run("find", "bar:1+", table, "-o", "b.html", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["27:2", "t.parquet", "-o", "a.html"], "27:2"),
        (["missed double", "t.parquet"], "mistake = missed_double"),
        (["Wrong-Take", "t.parquet"], "mistake = wrong_take"),
        (["Back-Game", "t.parquet"], "position_kind = back game"),
        (["luck", "t.parquet"], "luck !="),
        (["Ann Lee", "t.parquet"], "player = Ann Lee"),
        (["6:2", "none.parquet"], "none.parquet"),
        (["6:2", str(ROOT / "tests" / "data" / "perft.jsonl")], ".parquet alone"),
        (["6:2", "t.parquet", "-o", ""], "empty"),
        (["t.parquet"], "PATTERN"),
    ],
)
def test_refusals(table: Path, arguments: list[str], named: str) -> None:
    result = run("find", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    wording.check(result.stderr.splitlines()[-1], named)
    assert [*table.parent.iterdir()] == [table]


@each.first("records", ["all.zip", "in/once", "in/once/test.json"])
def test_records_are_taken_as_a_table(table: Path, game: Path, records: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `report` takes: a folder, a record or a ZIP archive, each game once; nothing is left behind."""
    for folder in Path("in/once"), Path("in/twice"):
        folder.mkdir(parents=True)
        shutil.copy(game, folder / "test.json")
    shutil.make_archive("all", "zip", "in")
    made = table.parent / "other.parquet"
    ranked = ["--candidates", table.parent / "ranked.parquet"]
    export(records, made, candidates=ranked[1], workers=1, unique="game")
    monkeypatch.setattr(tempfile, "tempdir", str(table.parent / "in"))
    before = sorted(Path("in").iterdir())
    for command in ["find", "error >= 0.01"], ["openings"]:
        by_records, by_table = run(*command, records, "-o", "-"), run(*command, made, *ranked, "-o", "-")
        assert (by_records.exit_code, by_records.stdout) == (0, by_table.stdout)
        assert "XGID=" in by_records.stdout or command == ["openings"]
    assert sorted(Path("in").iterdir()) == before
    for inputs, output in (table.parent / "in", "in/once/test.json"), (table, table):
        refused("find", "bar:1+", inputs, "-o", output, "--force", says="is the file that is read")


def test_texts_cannot_disturb_the_terminal(table: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = pq.read_table(table).slice(0, 1)
    for name in ("player", "xgid"):
        rows = rows.set_column(rows.column_names.index(name), name, pa.array([HOSTILE]))
    pq.write_table(rows, table)
    for options in ([], ["--xgids"]):
        assert "\x1b" not in run("find", "game >= 0", table, *options).stdout


def test_plays_are_asked_among_candidates(here: Path, game: Path) -> None:
    """Of records, or of a table with its candidates; a table alone knows the best play and the one that was made."""
    table, ranked = here / "t.parquet", here / "c.parquet"
    export(game, table, candidates=ranked, workers=1)
    pages: list[str] = []
    for more in ([table], [table, "--candidates", ranked], [game]):
        assert run("find", "decision = play", "error >= 0.01", *more, "-o", "a.html").exit_code == 0
        pages.append(Path("a.html").read_text(encoding="utf-8"))
    two, several, of_records = (
        [len(re.findall("<button", part)) for part in re.findall('(?s)<div class="choices".*?</div>', page)]
        for page in pages
    )
    assert {*two} == {2}
    assert max(several) == 5
    assert several == of_records
    refused("find", "bar:1+", game, "-o", "b.html", "--candidates", ranked, says="--candidates")


def test_nothing_found_is_told() -> None:
    page = rows_to_html([], title="6:15")
    assert "No decision meets this." in page
    assert "<button" not in re.sub("(?s)<section.*</section>", "", page)
