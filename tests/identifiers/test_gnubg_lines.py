"""The two board lines of GNU Backgammon, against itself where it is installed: it reads ours, and we read its own."""

from __future__ import annotations

import random
import socket
from pathlib import Path
from threading import Thread

import attrs
import pytest
from hypothesis import given

import gnu_backgammon
import loop
import wording
from boards import tables
from gammonrules import MONEY, TOURNAMENT, Action, Event, MatchState, Player, Position, Resignation, Rules, records
from gammonrules.engine import SimpleEngine
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers import lost, read, write
from gammonrules.match import Phase

WHITE, BLACK = Player
START = MatchState.new(7, score=(3, 5)).opening_roll(3, 1)
TO_ROLL = START.play("8/5 6/5")
MONEY_STATE = attrs.evolve(MatchState(Position.start(), WHITE), rules=attrs.evolve(MONEY, beavers=3))


@given(state=tables())
def test_law(state: MatchState) -> None:
    """What fits comes back, and nothing else is written."""
    double, by = state.pending_double, state.offer.by if isinstance(state.offer, Resignation) else None
    beavers = 0 if double is None else double.beavers
    standard = state.position.checkers == Position.start(state.rules.start).checkers
    live = standard and state.phase not in {Phase.OPENING, Phase.OVER}
    answered = by is None or (by is state.on_roll and double is None)
    known_owner = state.cube.value == 1 or state.cube.owner is not None
    for form, fits in (
        ("gnubg_line", live and answered and not beavers),
        ("bot_line", live and by is None and (not beavers or (beavers == 1 and known_owner))),
    ):
        if fits:
            assert read(write(state, form), state.rules, form=form) == state
            assert lost(state, form, state.rules) == ()
        else:
            with pytest.raises(IdentifierError):
                write(state, form)


class TestWriting:
    def test_names_and_scores_are_exchanged_if_the_player_on_turn_is_asked(self) -> None:
        beaver = attrs.evolve(MONEY_STATE, score=(3, 5)).double().beaver()
        for form, state, beginning in (
            *((form, TO_ROLL, "b:w:7:5:3:0") for form in ("gnubg_line", "bot_line")),
            *((form, TO_ROLL.double(), "w:b:7:3:5:0") for form in ("gnubg_line", "bot_line")),
            ("bot_line", beaver, "b:w:0:5:3:0"),
        ):
            assert write(state, form, names=("w", "b")).startswith(f"board:{beginning}:")

    @loop.rows(
        ("state", "sentence"),
        (MatchState.new(7), "gnubg line: the text would lose on_roll"),
        (START.resign().accept(), "gnubg line: the text would lose result"),
        (START.resign(by=BLACK), "gnubg line: the text would lose offer"),
        (TO_ROLL.double().resign(), "gnubg line: the text would lose offer"),
        (MONEY_STATE.double().beaver(), "gnubg line: GNU Backgammon cannot be asked to answer a beaver"),
        (attrs.evolve(START, length=65), "gnubg line: the match is to 65 points, more than 64"),
    )
    def test_what_does_not_fit(self, state: MatchState, sentence: str) -> None:
        with wording.raises(IdentifierError, sentence):
            write(state, "gnubg_line")

    @loop.over("names", [("a:b", "c"), ("a", "c d"), ("1", "b"), ("", "b"), ("a\n", "b"), ("é", "b"), ("a",), "ab", 1])
    def test_names(self, names: tuple[str, str]) -> None:
        for form in ("gnubg_line", "bot_line", "fibs_board"):
            with wording.raises(ArgumentError, "names must be two texts of 1 to 100 letters, digits and underscores"):
                write(START, form, names=names)

    def test_length(self) -> None:
        longest = 254 - len(write(START, "gnubg_line", names=("a", "b"))) + 1
        assert len(write(START, "gnubg_line", names=("a" * longest, "b"))) == 254
        with wording.raises(IdentifierError, "gnubg line: it would have 255 characters, more than 254"):
            write(START, "gnubg_line", names=("a" * longest, "bb"))


class TestReading:
    LINE = write(START, "bot_line")

    @loop.rows(
        ("options", "rules", "changes"),
        ("", None, {}),
        (" jacobyrule ON\r\n", None, {"jacoby": True}),
        (" CRAWFORDRULE no  BEAVERS true", Rules(beavers=2), {"crawford": False, "beavers": 2}),
        (" BEAVERS off CRAWFORDRULE yes", Rules(beavers=2, crawford=False), {"crawford": True, "beavers": 0}),
    )
    def test_options(self, options: str, rules: Rules | None, changes: dict[str, object]) -> None:
        wanted = attrs.evolve(START, rules=attrs.evolve(rules or TOURNAMENT, **changes))
        assert read(self.LINE + options, rules, form="gnubg_line") == wanted

    def test_the_crawford_game(self) -> None:
        crawford = MatchState.new(7, score=(6, 2)).opening_roll(3, 1)
        for past, end in ((crawford, ":0:0"), (attrs.evolve(crawford, crawford=False), ":1:1")):
            line = write(past, "bot_line")
            assert line.endswith(end)
            # Without the rule GNU Backgammon writes 0:1
            assert read(line[:-4] + ":0:1", form="bot_line") == attrs.evolve(crawford, crawford=False)

    def test_a_resignation_under_a_double_is_not_seen(self) -> None:
        assert read(write(TO_ROLL.double(), "gnubg_line") + " RESIGNATION 1", form="gnubg_line") == TO_ROLL.double()

    def test_names_in_quotes(self) -> None:
        assert read(self.LINE.replace("Black", '"a: b"'), form="gnubg_line") == START

    @loop.rows("flags", "0:0:0", "0:0:1", "1:1:1", "1:1:-1")
    def test_a_double_is_by_the_player_on_roll(self, flags: str) -> None:
        for state, color in ((TO_ROLL, "-1"), (TO_ROLL.swap_players(), "1")):
            line = write(state.double(), "bot_line").replace(":1:1:1:1:-1:", f":{flags}:1:-1:")
            assert f":{color}:0:0:0:0:1:{flags}:1:-1:" in line
            assert read(line, form="gnubg_line") == state.double()

    @loop.rows(
        ("options", "sentence"),
        (" RESIGNATION 4", "gnubg line, RESIGNATION: expected a whole number from 0 to 3, not '4'"),
        (" BEAVERS", "gnubg line: 'beavers' are not its options"),
        (" BEAVERS 1", "gnubg line: 'beavers 1' are not its options"),
        (" PLIES 1", "gnubg line: 'plies 1' are not its options"),
    )
    def test_bad_options(self, options: str, sentence: str) -> None:
        with wording.raises(IdentifierError, sentence):
            read(self.LINE + options, form="gnubg_line")


# --- GNU Backgammon itself, whose decisions on our lines tests/engine compares with its hints -------------------------


@pytest.mark.long
@gnu_backgammon.is_needed
def test_the_games_at_one_point_from_winning() -> None:
    """It reads the scores and the Crawford game as we mean them; at 6-0 it would take."""
    ahead = Position.from_points([0, 2, 2, 2, 1, *[0] * 15, -2, -2, -2, -2, -1, 0])
    past_crawford = MatchState(ahead, WHITE, score=(0, 6), length=7, crawford=False)
    with SimpleEngine.gnubg() as engine:
        for state in (past_crawford, past_crawford.swap_players()):
            assert engine.decide(state.double()) == Event(Action.DROP, state.on_roll.opponent)
            assert engine.decide(state) == Event(Action.DOUBLE, state.on_roll)
            crawford = engine.evaluate(attrs.evolve(state, crawford=True))
            assert crawford.mwc < engine.evaluate(state).mwc < 0.5


def play_at_random(server: socket.socket, lines: list[str]) -> None:
    """A bot: it keeps what it is asked."""
    rng = random.Random(1)
    with server, server.accept()[0] as connection, connection.makefile("rb") as asked:
        for line in iter(lambda: asked.readline().decode("ascii").strip("\0"), ""):
            lines.append(line)
            state = read(line, form="bot_line")
            choices: list[object] = ["double", *["roll"] * 9]
            if state.pending_double is not None:
                choices = ["drop"] if state.pending_double.beavers else ["take"]
            elif state.dice is not None:
                choices = ["" if play.moves == () else play for play in state.legal_plays]
            connection.sendall(f"{rng.choice(choices)}\n".encode("ascii"))


@pytest.mark.long
@gnu_backgammon.is_needed
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "start", ["set automatic game on\nnew match 15", "new session\n" + "new game\n" * 3], ids=["match", "money"]
)
def test_lines_of_gnubg(tmp_path: Path, seat: int, start: str) -> None:
    """They are the states of the match that it then writes, one after the other; we write them as it does."""
    lines: list[str] = []
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(30)
    bot = Thread(target=play_at_random, args=(server, lines))
    bot.start()
    gnu, external = f"set player {1 - seat}", f"set player {seat} external 127.0.0.1:{server.getsockname()[1]}"
    strength = [f"{gnu} {kind} evaluation plies 0" for kind in ("chequerplay", "cubedecision")]
    options = ("set automatic game off", "set automatic roll on", "set beavers 1", "set display off", "set seed 2")
    _ = gnu_backgammon.fed(
        tmp_path, f"{gnu} gnubg", *strength, external, *options, *start.split("\n"), "save match match.sgf"
    )
    bot.join(timeout=30)
    match = records.load(tmp_path / "match.sgf")
    states = (state.swap_players() for game in match.games for state in game.states())
    for line in lines:
        state = read(line, match.rules, form="bot_line")
        assert any(state == known for known in states), line
        fields = line.strip().split(":")
        names = sorted(fields[1:3], key="gnubg".__eq__)  # its player 0
        fields[33:37] = 2 * sorted(fields[33:35], reverse=True)
        assert write(state, "bot_line", names=names) == ":".join(fields)
    assert len(lines) > 20
