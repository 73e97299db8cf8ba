"""The two board lines of GNU Backgammon.

Where it is installed, `test_lines_of_gnubg.py` compares its own with the match that it writes, and tests/engine its
decisions on our lines with its hints.
"""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given

import loop
import wording
from boards import tables
from gammonrules import MONEY, TOURNAMENT, MatchState, Player, Position, Resignation, Rules
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers import lost_fields, read, write
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
            assert lost_fields(state, form, state.rules) == ()
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


def line_of_start() -> str:
    return write(START, "bot_line")


class TestReading:
    @loop.rows(
        ("options", "rules", "changes"),
        ("", None, {}),
        (" jacobyrule ON\r\n", None, {"jacoby": True}),
        (" CRAWFORDRULE no  BEAVERS true", Rules(beavers=2), {"crawford": False, "beavers": 2}),
        (" BEAVERS off CRAWFORDRULE yes", Rules(beavers=2, crawford=False), {"crawford": True, "beavers": 0}),
    )
    def test_options(self, options: str, rules: Rules | None, changes: dict[str, object]) -> None:
        wanted = attrs.evolve(START, rules=attrs.evolve(rules or TOURNAMENT, **changes))
        assert read(line_of_start() + options, rules, form="gnubg_line") == wanted

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
        assert read(line_of_start().replace("Black", '"a: b"'), form="gnubg_line") == START

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
            read(line_of_start() + options, form="gnubg_line")
