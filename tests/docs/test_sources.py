"""Where every rule comes from: the page `docs/development/sources.md` is complete and true.

First the statements of the sources that no other test proves, then the check of the page.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
import processes
import wording
from boards import positions, rolls
from gammonrules import rules as presets
from gammonrules.board import Move, Position
from gammonrules.errors import IllegalActionError, RulesError
from gammonrules.match import Action, Cube, MatchState, Phase, Player
from gammonrules.rules import Rules

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "development" / "sources.md"
START = Position.start()
CLOSED = dict.fromkeys(range(1, 7), 2)


# --- statements that have no test elsewhere ---------------------------------------------------------------------------


def seen_by_white(state: MatchState) -> tuple[int, ...]:
    return state.view(Player.WHITE).points


@pytest.mark.parametrize("player", Player)
class TestBoard:
    """The points in the numbers of one side: home boards are 1 to 6 and 19 to 24, White goes down and Black up."""

    @loop.over("own", range(1, 25))
    def test_home_boards(self, player, own):
        """A checker may be borne off from the ace point exactly while all others are in the home board."""
        board = Position.of(mine={1: 2} if own == 1 else {own: 1, 1: 1}, theirs={"bar": 1})
        state = MatchState(board, player, "31")
        point = own if player is Player.WHITE else 25 - own
        assert seen_by_white(state)[point] != 0
        home = range(1, 7) if player is Player.WHITE else range(19, 25)
        assert (Move(1, 0) in state.legal_plays.next_moves()) == (point in home)

    def test_direction(self, player):
        before = MatchState(START, player, "65")
        after = before.play("24/13")
        changes = [now - then for then, now in zip(seen_by_white(before), seen_by_white(after), strict=True)]
        moved = {point: change for point, change in enumerate(changes) if change}
        assert moved == ({24: -1, 13: 1} if player is Player.WHITE else {1: 1, 12: -1})

    def test_entering(self, player):
        """In the home board of the opponent."""
        entered = set()
        for dice in ("21", "43", "65"):
            state = MatchState(Position.of(mine={"bar": 2}, theirs={"bar": 1}), player, dice)
            after = seen_by_white(state.play(state.legal_plays[0]))
            entered |= {point for point in range(1, 25) if after[point] != 0}
        assert entered == {*(range(19, 25) if player is Player.WHITE else range(1, 7))}


class TestTurns:
    def test_no_roll_before_the_turn_has_ended(self):
        state = MatchState.new(5).opening_roll(white=3, black=1)
        for seat in Player:
            with wording.tells(IllegalActionError, seat, "roll"):
                state.roll("64", by=seat)
        assert Action.ROLL in state.play("8/5 6/5").legal_actions_of(Player.BLACK)

    def test_shut_out(self):
        """A shut-out player passes, turn after turn, until a point opens and its number is thrown."""
        state = MatchState(Position.of(mine={"bar": 1, 6: 14}, theirs=CLOSED | {7: 3}), Player.WHITE)
        for passed, reply, text in (("66", "61", "7/1 7/6"), ("54", "61", "7/6 6/off"), ("61", "66", "6/off(3) 5/off")):
            assert state.position.is_shut_out
            state = state.roll(passed)
            assert [play.moves for play in state.legal_plays] == [()]
            assert (state.phase, state.on_roll) == (Phase.TO_PLAY, Player.WHITE)
            state = state.play("")
            assert (state.phase, state.on_roll) == (Phase.TO_ROLL, Player.BLACK)
            state = state.roll(reply).play(text)
        assert not state.position.is_shut_out
        assert [str(play) for play in state.roll("41").legal_plays] == ["no play"]
        assert {play.moves[0] for play in state.roll("61").legal_plays} == {Move(25, 19)}


@given(positions(), rolls())
def test_what_is_borne_off_stays_off(position, dice):
    for play in position.legal_plays(dice):
        assert play.position.opponent_off >= position.off
        assert play.position.off == position.opponent_off
        assert all(1 <= move.from_point <= 25 for move in play.moves)


@given(positions(), rolls(), st.data())
def test_moves_are_taken_back(position, dice, data):
    """After the last move is taken out of the list, all is as it was before it."""
    plays = position.legal_plays(dice)
    moves = data.draw(st.sampled_from(plays)).moves
    made = [moves[:number] for number in range(len(moves) + 1)]
    forth = [(plays.next_moves(so_far), plays.points_after(so_far)) for so_far in made]
    back = [(plays.next_moves(so_far), plays.points_after(so_far)) for so_far in reversed(made)]
    assert back == forth[::-1]


# --- the page ---------------------------------------------------------------------------------------------------------


TOPICS = dict(
    line.split("\t") for line in (TESTS / "data" / "source-statements.tsv").read_text(encoding="utf-8").splitlines()[1:]
)
CASE_TESTS = ("test_conformance.py::TestEdgeCases::test_case[", "match/test_table_edge_cases.py::")
CASE = re.compile(r"(?<![A-Za-z0-9])[A-J]\d\d(?![0-9])", re.IGNORECASE)
OUTSIDE = "outside the library: "
GERMAN_ONLY = "(German only)"
"""What the English text of BrettspielWelt lacks."""


@attrs.frozen
class Row:
    """A line of a table: the section it stands in, the anchor, and its cells."""

    topic: str
    anchor: str
    cells: tuple[str, ...]


def rows_of(page: str) -> Iterator[Row]:
    """The lines that begin with an anchor; a line whose anchor is not its name would lead a link astray."""
    topic = ""
    for line in page.splitlines():
        if line.startswith("## "):
            topic = line.removeprefix("## ")
        elif row := re.fullmatch(r'\| <a id="([a-z]+-\d+)"></a>(.*) \|', line):
            yield Row(topic, row[1], tuple(cell.strip() for cell in row[2].split(" | ")))


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def collected(files: set[str]) -> set[str]:
    """What pytest finds in these test files."""
    paths = [f"tests/{name}" for name in sorted(files)]
    listing = processes.run(
        *(sys.executable, "-m", "pytest", "--collect-only", "-q", *paths),
        cwd=TESTS.parent,
        encoding="utf-8",
        check=False,
    )
    assert listing.returncode == 0, listing.stdout[-2000:]
    return {line.removeprefix("tests/") for line in listing.stdout.splitlines() if ".py::" in line}


def cases_among(tests: set[str]) -> set[str]:
    """The worked cases that these tests run, by their ids."""
    runs = [name.partition("::")[2] for name in tests if name.startswith(CASE_TESTS)]
    return {case.upper() for name in runs for case in CASE.findall(name)}


def why_no_model(model: str) -> Iterator[str]:
    """What is wrong with the cell that says where a statement is in the library."""
    names = code(model)
    if not (names or model.startswith("always") or model.removeprefix(OUTSIDE) not in {model, ""}):
        yield "has no model"
    yield from (f"names {name}, which does not exist" for name in names if not exists(name))


def exists(name: str) -> bool:
    """Whether this is an option (perhaps with a value), a preset, an argument, or a name of a state or a position."""
    name, _, text = name.partition("=")
    if name.startswith("Rules."):
        return is_option(name.removeprefix("Rules."), text)
    if name.startswith("Position."):
        return hasattr(Position, name.removeprefix("Position."))
    if name.isupper():
        return isinstance(getattr(presets, name, None), Rules) and name in presets.__all__
    if text:
        return name in inspect.signature(MatchState.new).parameters and is_value(text)
    return name == Cube.__name__ or hasattr(MatchState, name)


def is_value(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def is_option(name: str, text: str) -> bool:
    if name not in {field.name for field in attrs.fields(Rules)} or not (text == "" or is_value(text)):
        return False
    if text:
        try:
            Rules(**({"cube": False} | {name: ast.literal_eval(text)}))
        except RulesError:
            return False
    return True


def why_no_proof(model: str, proof: str, known: set[str]) -> Iterator[str]:
    """What is wrong with the cell that names the tests."""
    tests = [*code(proof), *CASE.findall(re.sub(r"`[^`]*`", "", proof))]
    if model.startswith(OUTSIDE):
        if proof != "-":
            yield "is outside of the library and has a proof"
    elif not tests:
        yield "has no proof"
    yield from (f"names the test {test}, which does not exist" for test in tests if test not in known)


def problems(page: str, topics: Mapping[str, str], known: set[str]) -> list[str]:
    """Everything that is wrong with the page."""
    faults: list[str] = []
    seen: list[str] = []
    for row in rows_of(page):
        name = row.cells[0]
        if row.anchor.startswith("difference-"):
            faults += [
                f"{row.anchor} names {used}, which does not exist" for used in code(row.cells[2]) if not exists(used)
            ]
            continue
        seen.append(name)
        if row.anchor != name.lower():
            faults.append(f"{name} has the anchor {row.anchor}")
        if topics.get(name) != row.topic:
            faults.append(f"{name} stands under {row.topic}")
        if len(row.cells) != 4 or not row.cells[1]:
            faults.append(f"{name} is no row of four cells")
            continue
        wrong = [*why_no_model(row.cells[2]), *why_no_proof(row.cells[2], row.cells[3], known)]
        faults += [f"{name} {what}" for what in wrong]
    faults += [f"{name} is missing" for name in topics if name not in seen]
    faults += [f"{name} stands there {seen.count(name)} times" for name in dict.fromkeys(seen) if seen.count(name) > 1]
    return faults


def miscounted(page: str) -> Iterator[str]:
    """The texts that have other statements than the page counts: those with the numbers from 1 on, each once."""
    rows = [row for row in rows_of(page) if not row.anchor.startswith("difference-")]
    counts = re.findall(r"(?m)^\| ([A-Z]+) \| .* \| ([^|]+) \| [^|]+ \| (\d+) \|$", page)
    assert len(counts) == 5
    for mark, language, count in counts:
        stated = [row for row in rows if row.anchor.startswith(f"{mark.lower()}-")]
        numbers = sorted(int(row.anchor.partition("-")[2]) for row in stated)
        if numbers != [*range(1, len(numbers) + 1)]:
            yield f"{mark} lacks a number, or has one twice: {numbers}"
        if (mark, language) == ("BSW", "English"):
            stated = [row for row in stated if GERMAN_ONLY not in row.cells[1]]
        if len(stated) != int(count):
            yield f"{mark} in {language} has {len(stated)} statements, not {count}"


@pytest.fixture(scope="module")
def known_tests(all_tests: list[str]) -> set[str]:
    """Each by its name, with and without its parameters; and the cases. What is not collected here is elsewhere."""
    named = re.findall(r"`((?:\w+/)*test_\w+\.py)::", PAGE.read_text(encoding="utf-8"))
    files = {name.partition("::")[0] for name in CASE_TESTS} | {*named}
    known = {name.removeprefix("tests/") for name in all_tests}
    if not files <= {name.partition("::")[0] for name in known}:
        known = collected(files)
    return known | {name.partition("[")[0] for name in known} | cases_among(known)


class TestPage:
    def test_the_worked_cases(self, known_tests):
        """77 of checker play, 93 of the table, each run under its id."""
        assert sum(CASE.fullmatch(name) is not None for name in known_tests) == 77 + 93

    def test_page(self, known_tests):
        assert problems(PAGE.read_text(encoding="utf-8"), TOPICS, known_tests) == []

    def test_every_number_of_each_text(self):
        assert [*miscounted(PAGE.read_text(encoding="utf-8"))] == []

    @loop.rows("file", "docs/development/sources.md", "docs/reference/index.md", "tests/data/README.md")
    def test_how_many_there_are(self, file):
        text = (TESTS.parent / file).read_text(encoding="utf-8")
        assert re.findall(r"(\d+) (?:numbered )?statements", text) == [str(len(TOPICS))]
