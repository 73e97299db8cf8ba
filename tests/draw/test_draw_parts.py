"""What a page finds in an SVG: classes, data, marks, the middle of a turn, themes, and the measures of the board."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs
import pytest
from hypothesis import example, given, settings, strategies as st

import each
import loop
import wording
from elements import SVG, drawn
from fuzzing.tables import random_table
from gammonrules import (
    ArgumentError,
    Cube,
    Dice,
    DiceError,
    IllegalActionError,
    IllegalPlayError,
    MatchState,
    ParseError,
    Phase,
    Player,
    Position,
    draw,
    strategies,
)
from gammonrules.draw import BoardStyle, svg
from gammonrules.values import one_of

WHITE, BLACK = Player.WHITE, Player.BLACK
STARTED = MatchState.new(7).opening_roll(white=3, black=1)
AFTER = STARTED.play("8/5 6/5")
ON_THE_BAR = MatchState(
    Position.of(mine={"bar": 2, 13: 6, 8: 3, 6: 4}, theirs={24: 1, 13: 5, 8: 3, 6: 5, 4: 1}), BLACK, "42", length=7
)
PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "draw.md").read_text(encoding="utf-8")
MEASURES, _, OF_A_PORTRAIT = PAGE.partition("### Measures")[2].partition("In a portrait image")


def data(element: ET.Element) -> dict[str, str]:
    """The `data-` attributes of an element."""
    return {name.removeprefix("data-"): text for name, text in element.attrib.items() if name.startswith("data-")}


LAYOUTS = st.sampled_from(["landscape", "portrait"])


def box_of(element: ET.Element) -> tuple[float, ...]:
    """x, y, width and height."""
    if (radius := element.get("r")) is None:
        return tuple(float(element.attrib[name]) for name in ("x", "y", "width", "height"))
    return *(float(element.attrib[name]) - float(radius) for name in ("cx", "cy")), 2 * float(radius), 2 * float(radius)


def middle_of(element: ET.Element) -> tuple[float, float]:
    x, y, width, height = box_of(element)
    return x + width / 2, y + height / 2


def places(picture: str, name: str) -> list[str]:
    """The points of all elements of a class, sorted."""
    return sorted(element.attrib["data-point"] for element in drawn(picture, name))


def name_of(point: int) -> str:
    return {25: "bar", 0: "off"}.get(point, str(point))


class TestData:
    """Every part says what it is, as the player on roll sees it."""

    @settings(max_examples=10)
    @given(strategies.match_states(), st.sampled_from(Player), st.sampled_from(["left", "right"]))
    def test_every_checker(self, state: MatchState, bottom: Player, home: Any) -> None:
        """As many elements as checkers, each with its player and its point, inside the group of that point."""
        root = ET.fromstring(svg.match_state(state, bottom=bottom, style=BoardStyle(home=home)))
        on_roll = state.on_roll or WHITE
        expected = Counter[tuple[str, str]]()
        for point, count in enumerate(state.position.points):
            owner = on_roll if count > 0 else on_roll.opponent
            name = "bar" if point in {0, 25} else str(point)
            expected[owner.value, name] += abs(count)
        expected[on_roll.value, "off"] = state.position.off
        expected[on_roll.opponent.value, "off"] = state.position.opponent_off
        checkers = drawn(root, "checker")
        assert Counter((at.attrib["data-player"], at.attrib["data-point"]) for at in checkers) == +expected
        for name in ("point", "bar", "tray"):
            for group in drawn(root, name):
                inside = drawn(group, "checker")
                assert group.attrib["data-count"] == str(len(inside))
                for checker in inside:
                    assert data(checker) == {key: group.attrib[f"data-{key}"] for key in ("point", "player")}

    @loop.rows(
        ("state", "value", "player", "name"),
        (STARTED, "1", None, "cube"),
        (AFTER.double(), "2", "white", "cube offered"),
        (AFTER.double().take(), "2", "white", "cube"),
    )
    def test_cube(self, state: MatchState, value: str, player: str | None, name: str) -> None:
        (cube,) = drawn(svg.match_state(state), "cube")
        assert (cube.get("class"), cube.get("data-value"), cube.get("data-player")) == (name, value, player)

    def test_clicks_reach_the_point(self) -> None:
        """An invisible area covers each point, bar and tray; what is drawn over other places lets clicks through."""
        root = ET.fromstring(svg.match_state(STARTED, arrows="8/5 6/5"))
        for group in (*drawn(root, "point"), *drawn(root, "bar"), *drawn(root, "tray")):
            assert group[0].get("pointer-events") == "all"
        assert [arrow.get("pointer-events") for arrow in drawn(root, "arrow")] == ["none", "none"]

    @loop.rows("home", "right", "left")
    def test_areas_cover_the_board_once(self, home: Any) -> None:
        """Each point has its own place; the mirrored picture has them on the other side."""
        root = ET.fromstring(svg.match_state(STARTED, style=BoardStyle(home=home)))
        areas = {group.attrib["data-point"]: group[0] for group in drawn(root, "point")}
        xs = {point: float(area.attrib["x"]) for point, area in areas.items()}
        assert (xs["1"] > xs["12"]) == (home == "right")
        assert all(xs[str(25 - point)] == xs[str(point)] for point in range(1, 13))
        assert len(set(xs.values())) == 12

    def test_before_the_opening_roll_points_are_those_of_white(self) -> None:
        new = MatchState.new(5)
        for bottom in Player:
            groups = drawn(svg.match_state(new, bottom=bottom), "point")
            owners = {group.attrib["data-point"]: group.get("data-player") for group in groups}
            assert (owners["24"], owners["6"], owners["1"]) == ("white", "white", "black")


@loop.over("bottom", Player)
@loop.rows("numbers", "turning", "fixed", "off")
def test_printed_numbers(bottom: Player, numbers: Any) -> None:
    """What is printed beside a point can differ from `data-point`, which is always that of the player on roll."""
    picture = svg.match_state(AFTER, bottom=bottom, style=BoardStyle(numbers=numbers))  # Black is on roll
    printed: dict[int, list[int]] = {
        int(group.attrib["data-point"]): [
            int(label.text or "") for label in drawn(group, "number") if "count" not in label.attrib["class"]
        ]
        for group in drawn(picture, "point")
    }
    turned = numbers == "fixed" and bottom is WHITE
    expected = {point: [25 - point if turned else point] for point in range(1, 25)}
    assert printed == ({point: [] for point in range(1, 25)} if numbers == "off" else expected)


class TestMarks:
    @settings(max_examples=10)
    @given(st.data())
    def test_points_that_stand_out(self, drawing: st.DataObject) -> None:
        """The same numbers as those of `next_moves`, whoever is at the bottom and whatever is printed."""
        state = drawing.draw(strategies.match_states(phase="to_play"))
        bottom = drawing.draw(st.sampled_from(Player))
        moves = state.legal_plays.next_moves()
        sources, targets = {move.from_point for move in moves}, {move.to_point for move in moves}
        root = ET.fromstring(
            svg.match_state(state, bottom=bottom, style=BoardStyle(numbers="fixed"), highlight=sources, targets=targets)
        )
        for name, points in (("highlight", sources), ("target", targets)):
            groups = [group for part in ("point", "bar", "tray") for group in drawn(root, part) if drawn(group, name)]
            assert sorted(group.attrib["data-point"] for group in groups) == sorted(map(name_of, points))
            marked = [mark.attrib["data-point"] for mark in drawn(root, name)]
            assert marked == [group.attrib["data-point"] for group in groups]
            owned = [group for group in groups if group.attrib["data-point"] in {"bar", "off"}]
            assert all(group.attrib["data-player"] == state.on_roll for group in owned)

    @loop.rows("points", 8, "8", [8], ("8",), {8, "8"}, iter([8]))
    def test_forms_of_points(self, points: Any) -> None:
        assert places(svg.match_state(STARTED, highlight=points), "highlight") == ["8"]

    @loop.rows("name", "highlight", "targets")
    @loop.rows("points", [26], [-1], "x", ["8/5"], [1.5], [None], None, [True], 3.5, ["1" * 10**6])
    def test_what_is_no_point(self, name: str, points: object) -> None:
        with wording.raises(ArgumentError, name):
            svg.match_state(STARTED, **{name: points})

    def test_too_many_points(self) -> None:
        with wording.raises(ArgumentError, "highlight must be a point or up to 100 of them, not [1, 1, 1"):
            svg.match_state(STARTED, highlight=[1] * 101)

    @settings(max_examples=10)
    @given(st.data())
    def test_arrows_are_the_moves_of_the_play(self, drawing: st.DataObject) -> None:
        state = drawing.draw(strategies.match_states(phase="to_play"))
        bottom = drawing.draw(st.sampled_from(Player))
        play = drawing.draw(st.sampled_from(state.legal_plays))
        made = [(name_of(move.from_point), name_of(move.to_point)) for move in play.moves]
        for given_as in (play, play.moves, [attrs.astuple(move)[:3] for move in play.moves]):
            picture = svg.match_state(state, bottom=bottom, arrows=given_as)
            shown = [(arrow.attrib["data-from"], arrow.attrib["data-to"]) for arrow in drawn(picture, "arrow")]
            assert shown == made
            assert {arrow.attrib["data-player"] for arrow in drawn(picture, "arrow")} <= {str(state.on_roll)}

    def test_arrows_of_a_text(self) -> None:
        picture = svg.match_state(STARTED, arrows="13/7/5 6/4*(2) bar/off")
        arrows = [(arrow.attrib["data-from"], arrow.attrib["data-to"]) for arrow in drawn(picture, "arrow")]
        assert arrows == [("13", "7"), ("7", "5"), ("6", "4"), ("6", "4"), ("bar", "off")]

    def test_arrows_start_at_checkers_and_end_where_they_will_be(self) -> None:
        """Two checkers that make a point start and end beside each other."""
        first, second = drawn(svg.match_state(STARTED, arrows="6/5(2)"), "arrow")
        ends = [re.findall(r"[\d.]+ [\d.]+", arrow.attrib["d"]) for arrow in (first, second)]
        assert [end[3] for end in ends] == ["396 438", "396 402"]  # the heads: the first and the second on the 5 point
        assert ends[0][0] != ends[1][0]

    def test_no_arrow_hides_another(self) -> None:
        """Of two that begin or end on the same point none crosses the other, and none is along another."""
        rng, tried = random.Random(24), 0
        for state, play in [*played_at_random(rng, 70), (STARTED, "24/18(2)"), (STARTED, "13/12(3)")]:
            for layout in ("landscape", "portrait"):
                arrows = drawn(svg.match_state(state, arrows=play, style=BoardStyle(layout=layout)), "arrow")
                for first, other in combinations(arrows, 2):
                    tried += 1
                    shared = any(first.attrib[name] == other.attrib[name] for name in ("data-from", "data-to"))
                    assert not (shared and crosses(line_of(first), line_of(other))), (play, layout)
                    assert not is_along(line_of(first), line_of(other)), (play, layout)
        assert tried > 140

    def test_a_play_that_led_here(self) -> None:
        """It is drawn where it was made, although the other player numbers the points now."""
        play = STARTED.legal_plays.find("8/5 6/5")
        arrows = drawn(svg.match_state(AFTER, arrows=play), "arrow")
        assert [(arrow.attrib["data-from"], arrow.attrib["data-player"]) for arrow in arrows] == [
            ("17", "white"), ("19", "white"),
        ]  # fmt: skip

    def test_a_play_of_another_position(self) -> None:
        play = STARTED.legal_plays.find("8/5 6/5")
        with wording.raises(ArgumentError, "arrows must be a play of the position, but <Play 31: 8/5 6/5>"):
            svg.match_state(ON_THE_BAR, arrows=play)
        with wording.raises(ArgumentError, "last_play must lead to the position, but <Play 31: 8/5 6/5>"):
            svg.match_state(STARTED, last_play=play)

    @loop.rows(
        ("arrows", "error"),
        ("8-5", ParseError),
        ("31: 8/5 6/5", ParseError),
        ("8/26", ParseError),
        ("x" * 10**6, ParseError),
        ([(8, 26)], ArgumentError),
        (7, ArgumentError),
        ([(6, 5)] * 101, ArgumentError),
        ("6/5(15) " * 8, ArgumentError),
    )
    @loop.rows("name", "arrows", "last_play")
    def test_what_is_no_play(self, name: str, arrows: object, error: type[Exception]) -> None:
        with pytest.raises(error) as raised:
            svg.match_state(STARTED, **{name: arrows})
        assert len(str(raised.value)) < 200

    @settings(max_examples=10)
    @given(st.data())
    def test_the_last_play(self, drawing: st.DataObject) -> None:
        """Where its checkers were and are, as the player on roll numbers the points."""
        state = drawing.draw(strategies.match_states(phase="to_play"))
        play = drawing.draw(st.sampled_from(state.legal_plays))
        after = state.play(play)
        bottom = drawing.draw(st.sampled_from(Player))
        left = Counter(move.from_point for move in play.moves) - Counter(move.to_point for move in play.moves)
        came = Counter(move.to_point for move in play.moves) - Counter(move.from_point for move in play.moves)
        turned = {25: "bar", 0: "off"} | {point: str(25 - point) for point in range(1, 25)}
        for given_as in (play, str(play), play.moves):
            picture = svg.match_state(after, bottom=bottom, last_play=given_as)
            if given_as is not play and given_as != play.moves:
                assert len(places(picture, "last-to")) == came.total()
                continue
            assert Counter(places(picture, "last-from")) == Counter({turned[at]: left[at] for at in left})
            assert Counter(places(picture, "last-to")) == Counter({turned[at]: came[at] for at in came})

    def test_a_dot_hides_no_number(self) -> None:
        for count in range(4, 16):
            state = MatchState(Position.of({1: 5, 2: 5, 3: 5}, {6: count}), WHITE)
            picture = svg.match_state(state, last_play="8/6(2) 7/6(2)")
            heights = [[float(dot.attrib["cy"]) for dot in drawn(picture, "last-to")]]
            heights += [[float(text.attrib["y"]) - 6 for text in drawn(picture, "count") if text.text == str(count)]]
            dots, numbers = heights
            assert len({*dots}) == 4
            assert [abs(dot - number) > 10 for number in numbers for dot in dots] == [True] * 4 * (count > 5)
        picture = svg.match_state(MatchState(Position.of({1: 8}, {6: 5}), WHITE), last_play="1/off")
        assert drawn(picture, "last-to")[0].attrib["cy"] == "170.5"  # of the tenth: the number is beyond them

    def test_marks_in_words(self) -> None:
        picture = svg.match_state(
            AFTER, last_play="8/5 6/5", arrows="24/18", highlight=["bar", 6, 24], targets=["off", 18]
        )
        assert "Last play: 8/5 6/5. Arrows: 24/18. Highlighted: bar, 24, 6. Targets: 18, off. The points are" in picture


class TestTheDiceOfTheTurnBefore:
    """They are those of the player who is not on roll."""

    @settings(max_examples=10)
    @given(strategies.match_states(), st.sampled_from(Player), st.sampled_from(["left", "right"]), LAYOUTS)
    def test_whose_they_are(self, state: MatchState, bottom: Player, home: Any, layout: Any) -> None:
        root = ET.fromstring(
            svg.match_state(state, bottom=bottom, style=BoardStyle(home=home, layout=layout), last_dice=(1, 6))
        )
        last = [data(die) for die in drawn(root, "last")]
        player = str(state.on_roll.opponent) if state.on_roll else ""
        assert last == [{"player": player, "value": value} for value in "61"] * bool(state.on_roll)
        count = 0 if state.dice is None else 4 if state.dice.is_doublet else 2
        assert [die.get("class") for die in drawn(root, "die")] == ["die"] * count + ["die last"] * len(last)
        assert all(float(die.attrib["opacity"]) < 0.5 for die in drawn(root, "last"))

    def test_of_who_has_won(self) -> None:
        won = MatchState(Position.of(mine={1: 1}, theirs={6: 2}), BLACK, "31", length=3).play("1/off")
        dice = drawn(svg.match_state(won, last_dice="31"), "last")
        assert [data(die)["player"] for die in dice] == ["black", "black"]
        assert [float(die[0].attrib["y"]) for die in dice] == [180, 140]

    def test_of_a_position(self) -> None:
        dice = drawn(svg.position(Position.start(), dice="21", last_dice="66"), "die")
        assert [(data(die)["player"], data(die)["value"]) for die in dice] == [
            ("white", "2"), ("white", "1"), ("black", "6"), ("black", "6"),
        ]  # fmt: skip
        with pytest.raises(DiceError):
            svg.match_state(MatchState.new(3), last_dice="77")


class TestPlaysThatWereMade:
    def test_a_play_that_was_not_the_best_is_dashed(self) -> None:
        """Below the arrows of the best one, which has those of both, and only if it is another one."""
        arrows = drawn(svg.match_state(STARTED, arrows="8/5 6/5", made="13/10 6/5"), "arrow")
        dashes = [arrow.get("stroke-dasharray") for arrow in arrows]
        assert [arrow.attrib["data-from"] for arrow in arrows] == ["13", "6", "8"]
        assert [arrow.attrib["class"] for arrow in arrows] == ["arrow made", "arrow both", "arrow"]
        assert dashes == ["6 4", None, None]
        twice = drawn(svg.match_state(STARTED, arrows="8/5(2)", made="8/5 6/5"), "arrow")
        assert [arrow.attrib["class"] for arrow in twice] == ["arrow made", "arrow both", "arrow"]
        assert svg.match_state(STARTED, arrows="8/5 6/5", made="6/5 8/5") == svg.match_state(STARTED, arrows="8/5 6/5")
        assert "Made instead, dashed: 13/10" in svg.position(STARTED.position, made="13/10")


class TestScoreAndCube:
    def test_away(self) -> None:
        state = MatchState.new(7, score=(4, 2))
        assert "3-away · 167 pips" in svg.match_state(state, style=BoardStyle(score="away"))
        assert "Black: 5-away, 167 pips" in svg.match_state(state, style=BoardStyle(score="away"))
        money = MatchState.new(None, score=(4, 2))
        assert svg.match_state(money, style=BoardStyle(score="away")) == svg.match_state(money)

    @loop.over(
        "state, face", [(AFTER, "64"), (AFTER.double().take(), "2"), (AFTER.double(), "2"), (MatchState.new(3), "64")]
    )
    def test_a_cube_of_wood(self, state: MatchState, face: str) -> None:
        """It shows 64 while it is at 1; what is told of it stays the same."""
        wooden = svg.match_state(state, style=BoardStyle(centered_cube=64))
        (cube,), (usual,) = (drawn(image, "cube") for image in (wooden, svg.match_state(state)))
        assert (cube[1].text, data(cube)) == (face, data(usual))


class TestPlaces:
    @each.first(("flipped", "home"), [(False, "right"), (True, "left"), (False, "left"), (True, "right")])
    @loop.rows("layout", "landscape", "portrait")
    @loop.over("point", [*range(13), 25])
    @loop.rows("count", 1, 5, 6, 10, 11)
    def test_every_stack(self, point: int, count: int, layout: Any, flipped: bool, home: Any) -> None:
        """The centers of all checkers, as drawn and as returned. The opponent's checkers are on the points from 13."""
        side: Any = {point: count, 0 if point else 6: 15 - count}
        position = Position.of(mine=side, theirs=side)
        root = ET.fromstring(svg.position(position, flipped=flipped, style=BoardStyle(home=home, layout=layout)))
        for group in (group_drawn for name in ("point", "bar", "tray") for group_drawn in drawn(root, name)):
            middles = [middle_of(at) for at in drawn(group, "checker")]
            name, many = group.attrib["data-point"], len(middles)
            owner = group.get("data-player") if name in {"bar", "off"} else WHITE
            look = {"flipped": owner != (BLACK if flipped else WHITE), "home": home, "layout": layout}
            assert middles == [svg.checker_center(name, number + 1, many, **look) for number in range(many)]

    @loop.rows(
        "wrong",
        {"point": 26},
        {"point": "x"},
        {"checker": 0},
        {"checker": 2},
        {"count": 16},
        {"flipped": 1},
        {"home": "top"},
        {"layout": "upright"},
    )
    def test_no_place(self, wrong: dict[str, Any]) -> None:
        with wording.raises(ArgumentError, *wrong):
            svg.checker_center(**{"point": 6} | wrong)


class TestTheMiddleOfATurn:
    @settings(max_examples=10)
    @given(st.data())
    def test_the_board_after_the_moves(self, drawing: st.DataObject) -> None:
        state = drawing.draw(strategies.match_states(phase="to_play"))
        plays, made = state.legal_plays, []
        for _ in range(drawing.draw(st.integers(0, 4))):
            if moves := plays.next_moves(made):
                made.append(drawing.draw(st.sampled_from(moves)))
        picture = svg.match_state(state, so_far=made)
        points = plays.points_after(made)
        shown = Counter((at.attrib["data-point"], at.attrib["data-player"]) for at in drawn(picture, "checker"))
        mine, theirs = str(state.on_roll), str(state.on_roll.opponent if state.on_roll else "")
        expected = Counter[tuple[str, str]]()
        for point, count in enumerate(points):
            expected["bar" if point in {0, 25} else str(point), mine if count > 0 else theirs] += abs(count)
        expected["off", mine] = state.position.checkers - sum(count for count in points if count > 0)
        expected["off", theirs] = state.position.opponent_off
        assert shown == +expected
        pips = sum(point * count for point, count in enumerate(points) if count > 0)
        assert f" {pips} pip" in picture.partition("<desc>")[2]
        unused = [die.attrib["data-value"] for die in drawn(picture, "die") if die.get("data-used") == "false"]
        left = plays.dice_left(made)
        assert sorted(unused) == sorted(map(str, left))
        assert ("In the middle of a turn" in picture) == bool(made)
        assert svg.position(state.position, dice=plays.dice, so_far=iter(made)).count("<circle ") == (
            picture.count("<circle ")
        )

    def test_the_last_checker(self) -> None:
        last = MatchState(Position.of(mine={1: 1}, theirs={6: 5, "off": 10}), WHITE, "65", length=3)
        assert places(svg.match_state(last, so_far=[(1, 0)]), "checker").count("off") == 25

    def test_impossible_moves(self) -> None:
        with wording.raises(IllegalPlayError, '"13/7" with 31: 13/7 is 6 pips'):
            svg.match_state(STARTED, so_far=[(13, 7)])
        with pytest.raises(IllegalActionError):
            svg.match_state(AFTER, so_far=[(13, 7)])
        assert svg.match_state(AFTER, so_far=[]) == svg.match_state(AFTER)
        with wording.raises(ArgumentError, "so_far has the moves made with a roll, so it needs dice"):
            svg.position(Position.start(), so_far=[(13, 7)])
        with pytest.raises(ArgumentError):
            svg.position(Position.start(), dice="61", so_far=7)  # type: ignore[arg-type]

    def test_a_position_with_dice(self) -> None:
        (high, low) = drawn(svg.position(Position.start(), dice=(3, 1)), "die")
        assert data(high) == {"player": "white", "value": "3", "used": "false"}
        assert data(low) == {"player": "white", "value": "1", "used": "false"}

    def test_a_doublet_has_four_dice_each_used_once(self) -> None:
        moves = [(24, 18), (24, 18), (13, 7), (13, 7)]
        for count in range(5):
            dice = drawn(svg.position(Position.start(), dice="66", so_far=moves[:count]), "die")
            assert [data(die)["used"] for die in dice] == ["true"] * count + ["false"] * (4 - count)
            assert [die.get("opacity") for die in dice] == ["0.35"] * count + [None] * (4 - count)


class TestNotebooks:
    def test_a_play_is_drawn_with_its_arrows(self) -> None:
        play = Position.start().legal_plays("31").find("8/5 6/5")
        picture = play._repr_svg_()
        assert picture == svg.position(Position.start(), dice="31", arrows="8/5 6/5", style=BoardStyle(size=628))
        assert len(drawn(picture, "arrow")) == 2

    def test_plays_are_drawn_as_board_and_dice(self) -> None:
        plays = Position.start().legal_plays(Dice(3, 1))
        assert plays._repr_svg_() == svg.position(Position.start(), dice=(3, 1), style=BoardStyle(size=628))

    def test_a_pass(self) -> None:
        (dance,) = Position.of(mine={"bar": 1}, theirs={6: 2, 5: 2}).legal_plays("65")
        assert drawn(dance._repr_svg_(), "arrow") == []


def colors(picture: str) -> list[tuple[str, str | None, str | None]]:
    """Class, fill and outline of every element that has a color."""
    painted = [at for at in ET.fromstring(picture).iter() if at.get("class") and at.get("fill")]
    return [(at.attrib["class"], at.get("fill"), at.get("stroke")) for at in painted]


def after_stylesheet(picture: str, css: str) -> list[tuple[str, str | None, str | None]]:
    """The colors that a browser shows: each rule is for the elements of one class."""
    rules = dict(re.findall(r"\.gammonrules\.auto \.([a-z-]+) \{ ([^}]*) \}", css))
    shown: list[tuple[str, str | None, str | None]] = []
    for classes, fill, stroke in colors(picture):
        seen = {"fill": fill, "stroke": stroke}
        for name in classes.split():
            seen |= dict(re.findall(r"(fill|stroke): ([^;]+)", rules.get(name, "")))
        shown.append((classes, seen["fill"], None if seen["stroke"] == "none" else seen["stroke"]))
    return shown


BUSY: dict[str, Any] = {"highlight": [8, "off"], "targets": [5, "off"], "last_play": "24/20 13/8", "arrows": "8/5 6/5"}


Line = tuple[complex, complex]


def played_at_random(rng: random.Random, number: int) -> Iterator[tuple[MatchState, str]]:
    """Turns of random games, each with a play."""
    state = MatchState.new(None)
    for _ in range(number):
        if state.result or state.on_roll is None:
            state = MatchState.new(None).opening_roll(white=6, black=5)
        if state.dice is None:
            state = state.roll(Dice.random(rng))
        play = rng.choice(state.legal_plays)
        yield state, str(play)
        state = state.play(play)


def line_of(arrow: ET.Element) -> Line:
    """From the middle of its shaft's end to its tip."""
    corners = [complex(*map(float, pair.split())) for pair in arrow.attrib["d"].strip("Mz").split("L")]
    return (corners[0] + corners[-1]) / 2, corners[3]


def crosses(first: Line, other: Line) -> bool:
    """Whether each has the ends of the other on its two sides."""

    def side(line: Line, spot: complex) -> float:
        return ((line[1] - line[0]).conjugate() * (spot - line[0])).imag

    return all(side(a, b[0]) * side(a, b[1]) < -1 for a, b in ((first, other), (other, first)))


def is_along(first: Line, other: Line) -> bool:
    """Whether a part of one lies within the shaft of the other."""
    way = first[1] - first[0]
    turned = [(spot - first[0]) / way * abs(way) for spot in other]
    start, end = sorted(spot.real for spot in turned)
    return all(abs(spot.imag) < 5 for spot in turned) and min(end, abs(way)) - max(start, 0) > 15


class TestThemes:
    @loop.rows("light", "light", "print", draw.Theme(felt="#123456", line="black"))
    @loop.rows("dark", "dark", "colorblind", "print")
    def test_the_stylesheet_makes_the_same_picture(self, light: Any, dark: str) -> None:
        """With the rules for dark pages, a picture that follows the reader has the colors of the dark theme."""
        for state in (STARTED, AFTER.double(), MatchState.new(5, score=(4, 2)), MatchState.new(5)):
            following = svg.match_state(state, **BUSY, style=BoardStyle(theme="auto"))
            css = svg.stylesheet(light=light, dark=dark)
            before, _, inside = css.partition("@media screen and (prefers-color-scheme: dark) {")
            for theme, rules in ((dark, inside), (light, before)):
                image = svg.match_state(state, **BUSY, style=BoardStyle(theme=theme))
                assert after_stylesheet(following, rules) == colors(image)

    @loop.over("theme", draw.THEMES)
    def test_marks_stand_out(self, theme: str) -> None:
        """A contrast of 3 to 1: rings on checkers with these, and targets, or their outlines, with everything."""

        def ratio(color: str, another: str) -> float:
            return contrast(getattr(colors, color), getattr(colors, another))

        colors = draw.THEMES[theme]
        for field in ("white", "black", "cube"):
            assert ratio("highlight", field) >= 3, field
        for field in ("felt", "pale", "deep", "tray", "white", "black"):
            assert max(ratio("target", field), ratio("arrow_rim", field)) >= 3, field
        for field in ("felt", "pale", "deep", "frame", "white", "black"):
            assert max(ratio("last", field), ratio("arrow_rim", field)) >= 3, field
        assert ratio("last", "arrow_rim") >= 3
        assert ratio("made", "arrow_rim") >= 3

    def test_auto_is_light(self) -> None:
        following, light = svg.match_state(STARTED, style=BoardStyle(theme="auto")), svg.match_state(STARTED)
        assert following == light.replace('class="gammonrules light"', 'class="gammonrules auto"')
        assert svg.match_state(STARTED, style=BoardStyle(theme="light", nonce="abc")) == light

    def test_a_switch_of_the_page(self) -> None:
        css = svg.stylesheet(when='[data-theme="dark"]')
        assert "@media" not in css
        assert all(line.startswith('[data-theme="dark"] .gammonrules.auto .') for line in css.splitlines())

    @loop.rows(("nonce", "tag"), ("", "<style>"), ("a+/-_=", '<style nonce="a+/-_=">'))
    def test_style_in_the_picture(self, nonce: str, tag: str) -> None:
        picture = svg.match_state(STARTED, style=BoardStyle(theme="auto", nonce=nonce))
        assert tag in picture
        css = ET.fromstring(picture).findtext(f"{SVG}style")
        assert css == " ".join(svg.stylesheet().splitlines())

    def test_a_member_of_an_enum_is_the_text_that_it_holds(self) -> None:
        """Applications keep their choices in enums, whose members print as "Look.DARK"."""

        class Look(str, Enum):  # noqa: UP042 - a StrEnum would print as its text
            DARK, AUTO, NONCE, FELT, WHEN = "dark", "auto", "abc", "#123456", ".dark"

        style = BoardStyle(theme=Look.AUTO, nonce=Look.NONCE)  # type: ignore[arg-type]
        assert repr(style) == repr(BoardStyle(theme="auto", nonce="abc"))
        assert "Look" not in svg.match_state(STARTED, style=style)
        assert repr(BoardStyle(theme=Look.DARK)) == repr(BoardStyle(theme="dark"))  # type: ignore[arg-type]
        assert svg.stylesheet(light=Look.DARK, when=Look.WHEN) == svg.stylesheet(light="dark", when=".dark")
        assert draw.Theme(felt=Look.FELT) == draw.Theme(felt="#123456")
        assert "Look" not in svg.match_state(STARTED, style=BoardStyle(theme=draw.Theme(felt=Look.FELT)))

    @loop.rows("nonce", '"', "<", "a b", "a" * 201, 7, b"a", "é")
    def test_no_nonce(self, nonce: Any) -> None:
        with wording.raises(ArgumentError, "nonce must be"):
            BoardStyle(nonce=nonce)

    @loop.rows("when", "", "a{}", "</style>", "a;b", "@media x", "\n", "a" * 201, 7, "/*", "é", "a\\")
    def test_no_selector(self, when: Any) -> None:
        with wording.raises(ArgumentError, "when must be a CSS selector"):
            svg.stylesheet(when=when)

    @loop.rows("name", "midnight", "", "Light", 7, None, ["light"], {}, "x" * 10**6)
    def test_no_theme(self, name: Any) -> None:
        names = ", ".join(f'"{theme}"' for theme in draw.THEMES)
        with wording.raises(ArgumentError, f'theme must be {names}, "auto" or a Theme, not'):
            BoardStyle(theme=name)
        with wording.raises(ArgumentError, f"dark must be {one_of([*draw.THEMES])}, or a Theme, not"):
            svg.stylesheet(dark=name)

    @loop.rows("color", "#fff", "#ffff", "#FFfFff", "#12345678", "red", "none", "rebeccapurple")
    def test_colors(self, color: str) -> None:
        own = attrs.evolve(draw.THEMES["dark"], felt=color)
        picture = svg.match_state(STARTED, style=BoardStyle(theme=own))
        assert picture.count(f'class="felt" fill="{color}"') == 2
        assert '<svg xmlns="http://www.w3.org/2000/svg" class="gammonrules own"' in picture

    @loop.rows(
        "color",
        *("red;}</style>", "#12", "#12345", "#ggg", "url(#x)", "rgb(1,2,3)", "", '"', "red\n", "r" * 10**6, 7),
        *(None, b"red"),
    )
    def test_what_is_no_color(self, color: Any) -> None:
        with wording.raises(ArgumentError, 'impossible theme: felt must be a color such as "#5d4030" or "black", not'):
            draw.Theme(felt=color)
        with wording.raises(ArgumentError, "and more"):
            draw.Theme(**dict.fromkeys((field.name for field in attrs.fields(draw.Theme)), color))

    @loop.rows("name", *draw.THEMES)
    def test_what_is_written_can_be_read(self, name: str) -> None:
        """The contrast of texts is at least 4.5, that of checkers and marks with what is under them at least 3."""
        theme = draw.THEMES[name]
        on = {"ink": "paper", "faint": "paper", "number": "frame", "cube_ink": "cube"}
        for ink, ground in {**on, "white_ink": "white", "black_ink": "black"}.items():
            assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5, (ink, ground)
        assert contrast(theme.white, theme.black) >= 7
        for ground in ("felt", "pale", "deep"):
            for checker in ("white", "black"):
                under = getattr(theme, ground)
                edges = (getattr(theme, checker), getattr(theme, f"{checker}_rim"))
                assert max(contrast(edge, under) for edge in edges) >= 2.9, (checker, ground)


def contrast(color: str, other: str) -> float:
    """The contrast of two colors, from 1 to 21 (WCAG 2.2)."""
    light, dark = sorted(map(_luminance, (color, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class TestLayout:
    @loop.over(
        ("header", "footer", "view"),
        [(True, True, "0 0 628 526"), (False, True, "0 26 628 500"), (True, False, "0 0 628 486"),
         (False, False, "0 26 628 460")],
    )  # fmt: skip
    def test_header_and_footer(self, header: bool, footer: bool, view: str) -> None:
        """Without them the picture is lower, and everything else stays where it is."""
        root = ET.fromstring(
            svg.match_state(STARTED, names=("Ann", "Bob"), style=BoardStyle(header=header, footer=footer, size=628))
        )
        assert root.get("viewBox") == view
        assert root.get("height") == view.rsplit(maxsplit=1)[-1]
        lines = [player.attrib["data-player"] for player in drawn(root, "player")]
        assert lines == ["black"] * header + ["white"] * footer
        whole = ET.fromstring(svg.match_state(STARTED))
        assert [ET.tostring(point) for point in drawn(root, "point")] == [
            ET.tostring(at) for at in drawn(whole, "point")
        ]

    @loop.rows(
        ("name", "value", "message"),
        ("home", "top", 'home must be "right" or "left", not \'top\''),
        ("home", None, 'home must be "right" or "left", not None'),
        ("look", "deep", 'look must be "flat" or "depth", not \'deep\''),
        ("layout", 7, 'layout must be "landscape" or "portrait", not 7'),
        ("numbers", "none", 'numbers must be "turning", "fixed" or "off", not \'none\''),
        ("header", 1, "header must be True or False, not 1"),
        ("footer", "no", "footer must be True or False, not 'no'"),
        ("size", 0, "size must be a whole number from 1 to 100,000 or None, not 0"),
        ("score", "point", """score must be "points" or "away", not 'point'; did you mean "points"?"""),
        ("centered_cube", True, "centered_cube must be 1 or 64, not True"),
        ("centered_cube", "64", "centered_cube must be 1 or 64, not '64'"),
    )
    def test_a_style_is_checked_when_it_is_made(self, name: str, value: object, message: str) -> None:
        with wording.raises(ArgumentError, message):
            BoardStyle(**{name: value})

    def test_all_problems_of_a_style_are_reported(self) -> None:
        with wording.tells(ArgumentError, "'lef'", '"left"', "'portraits'", '"portrait"', "'<'"):
            BoardStyle(home="lef", layout="portraits", nonce="<")  # type: ignore[arg-type]

    @loop.over("draw_image", [partial(svg.position, Position.start()), partial(svg.match_state, STARTED)])
    def test_a_style_is_no_string(self, draw_image: Any) -> None:
        with wording.raises(ArgumentError, "style must be a BoardStyle or None, not 'dark'"):
            draw_image(style="dark")

    def test_a_changed_style_changes_the_image(self) -> None:
        """And the first style stays as it was."""
        style = BoardStyle(size=300)
        wide = attrs.evolve(style, size=628)
        assert (style, wide) == (BoardStyle(size=300), BoardStyle(size=628))
        assert svg.match_state(STARTED, style=wide) == STARTED._repr_svg_()

    @settings(max_examples=10)
    @given(strategies.positions())
    def test_a_position_has_no_score_and_no_cube(self, position: Position) -> None:
        assert svg.position(position, style=BoardStyle(score="away", centered_cube=64)) == svg.position(position)

    @loop.rows(("layout", "measures"), ("landscape", MEASURES), ("portrait", OF_A_PORTRAIT))
    def test_the_measures_on_the_page(self, layout: Any, measures: str) -> None:
        """`docs/reference/draw.md` says where the middles of points, checkers, trays, dice and cube are."""
        rows = dict(re.findall(r"(?m)^\| ([^|]+?) \| ([^|]+?)(?:;.*)? \|$", measures))
        place = partial(svg.checker_center, layout=layout)
        root, taken, over, doublet = (
            ET.fromstring(picture)
            for picture in (
                svg.match_state(ON_THE_BAR, bottom=BLACK, style=BoardStyle(layout=layout)),
                svg.match_state(AFTER.double().take(), style=BoardStyle(layout=layout)),
                svg.match_state(AFTER.double().drop(), bottom=BLACK, last_dice="31", style=BoardStyle(layout=layout)),
                svg.position(Position.start(), dice="66", style=BoardStyle(layout=layout)),
            )
        )
        areas = {group.attrib["data-point"]: group[0] for group in drawn(root, "point")}
        cube = middle_of(drawn(taken, "cube")[0][0])
        off = [place("off", number, 15, flipped=flipped) for flipped in (False, True) for number in (1, 2)]
        drawn_so: dict[str, list[float]] = {
            "x of the points 12 to 1, and 13 to 24": [middle_of(areas[str(at)])[0] for at in range(12, 0, -1)],
            "x of the bar": [place("bar")[0]],
            "x of the cube's tray": [cube[0]],
            "x of a cube that has an owner": [cube[0]],
            "x of the tray for checkers borne off": [off[0][0]],
            "the middle of the board": [*middle_of(drawn(root, "frame")[0])],
            "width and length of a point": [*box_of(areas["1"])[2:]],
            "radius of a checker": [float(drawn(root, "checker")[0].attrib["r"])],
            "y of the checkers on a point at the bottom": [place(6, number, 5)[1] for number in range(1, 6)],
            "y of the checkers on a point at the top": [place(19, number, 5)[1] for number in range(1, 6)],
            "y of the checkers on the bar, at the bottom": [place("bar", number, 5)[1] for number in range(1, 6)],
            "y of the trays, at the bottom and at the top": [off[0][1], off[2][1]],
            "x of the first checkers borne off": [off[0][0], off[1][0]],
            "x of the dice of the player at the bottom, higher die first": [
                middle_of(die[0])[0] for die in drawn(root, "die")
            ],
            "the same of a doublet": [middle_of(die[0])[0] for die in drawn(doublet, "die")],
            "the same at the top": [middle_of(die[0])[1] for die in drawn(over, "last")],
        }
        known = {row: [*map(float, re.findall(r"[\d.]+", text))] for row, text in rows.items() if row in drawn_so}
        assert len(known) >= 9
        assert known == {row: drawn_so[row] for row in known}

    def test_the_script_and_the_module(self) -> None:
        """One keeps its names to itself, and the other exports the class."""
        for source in (draw.board_js, draw.setup_js):
            script, module = source(), source(module=True)
            assert [text.count("export") for text in (script, module)] == [0, 1]
            with wording.raises(ArgumentError, "module must be True or False, not 1"):
                source(module=1)  # type: ignore[arg-type]


def stands_apart(root: ET.Element) -> None:
    """The stacks, the dice, the cube and a plate: all are on the board, and none covers another."""
    x, y, width, height = box_of(drawn(root, "frame")[0])
    things = [[box_of(at)] for part in ("plate", "crawford") for at in drawn(root, part)]
    things += [[box_of(at[0])] for part in ("die", "cube") for at in drawn(root, part)]
    things += [
        [box_of(at) for at in drawn(group, "checker")]
        for part in ("point", "bar", "tray")
        for group in drawn(root, part)
    ]
    for these, those in combinations(things, 2):
        for (left, top, wide, high), (a, b, across, down) in product(these, those):
            assert left + wide <= a or a + across <= left or top + high <= b or b + down <= top
    for left, top, wide, high in [box for boxes in things for box in boxes]:
        assert x <= left <= left + wide <= x + width
        assert y <= top <= top + high <= y + height


class TestPortrait:
    """What is said of the layout for phones, on a screen 390 pixels wide and 844 high."""

    @settings(max_examples=25)
    @example(MatchState(Position.start(), WHITE, cube=Cube(2, WHITE)).double().drop(), WHITE, "right")
    @given(strategies.match_states(), st.sampled_from(Player), st.sampled_from(["left", "right"]))
    def test_everything_is_there_and_stands_apart(self, state: MatchState, bottom: Player, home: Any) -> None:
        """The words of a result may be in more lines."""
        shown, as_ever = (
            ET.fromstring(svg.match_state(state, bottom=bottom, last_dice="21", style=style))
            for style in (BoardStyle(home=home, layout="portrait"), BoardStyle(home=home))
        )
        for part in ("point", "bar", "tray", "checker", "die", "cube", "player", "standing", "crawford", "count"):
            told = [[(data(at), "".join(at.itertext())) for at in drawn(root, part)] for root in (shown, as_ever)]
            if part == "standing":
                told = [[" ".join(text for _, text in lines)] for lines in told]
            assert told[0] == told[1], part
        for root in (shown, as_ever):
            stands_apart(root)


class TestDepth:
    """Light and shadow over a picture that says the same."""

    @settings(max_examples=12)
    @given(strategies.match_states(), st.sampled_from(Player), LAYOUTS, st.sampled_from(sorted(draw.THEMES)))
    def test_the_flat_picture_is_under_it(self, state: MatchState, bottom: Player, layout: Any, theme: Any) -> None:
        """Without what has no class and is black or white, the two are equal, and that hides nothing."""
        flat, deep = (
            ET.fromstring(svg.match_state(state, bottom=bottom, **BUSY, style=style))
            for style in (BoardStyle(theme=theme, look=look, layout=layout) for look in ("flat", "depth"))
        )
        assert deep.attrib.pop("class") == flat.attrib.pop("class").replace(theme, f"{theme} depth")
        for parent in [*deep.iter()]:
            for veil in [at for at in parent if at.get("opacity") and not at.get("class")]:
                assert veil.get("fill") in {None, "none", "#000", "#fff"}
                assert float(veil.attrib["opacity"]) <= 0.45
                parent.remove(veil)
        for checker in drawn(deep, "checker"):
            if checker.tag == f"{SVG}g":
                (circle,) = checker
                checker.tag, checker.attrib = circle.tag, circle.attrib | checker.attrib
                checker.remove(circle)
        assert [said(at) for at in deep.iter()] == [said(at) for at in flat.iter()]


def said(element: ET.Element) -> object:
    return element.tag, element.attrib, (element.text or "").strip()


HOSTILE_NAMES = [
    "<script>alert(1)</script>", "]]>", "</svg><svg onload=x>", '" onclick="x', "a&amp;&#0;", "\x00\x1b[31m\x08",
    "\ud800", "דוד", "\u202egnirts\u202c", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "x" * 10**6, "", " ", "\n\t", "Ａｎｎ", "a\u0301" * 50,
]  # fmt: skip
ALLOWED = {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}
POINTS = [*range(26), "bar", "off", "1", "24"]


def random_look(rng: random.Random) -> dict[str, Any]:
    """Every argument of `match_state` at random."""
    moves = [(rng.randint(0, 25), rng.randint(0, 25)) for _ in range(rng.randint(0, 5))]
    return {
        "bottom": rng.choice([*Player]),
        "names": (rng.choice(HOSTILE_NAMES), "".join(chr(rng.randrange(0x10000)) for _ in range(20))),
        "highlight": rng.sample(POINTS, rng.randint(0, 5)),
        "targets": rng.sample(POINTS, rng.randint(0, 5)),
        "last_play": rng.choice([None, moves, "8/5 6/5", "no play"]),
        "arrows": rng.choice([None, moves, "bar/20*(2) 24/off"]),
        "style": random_style(rng),
    }


def random_style(rng: random.Random) -> BoardStyle:
    name = rng.choice([*draw.THEMES, "auto", "own"])
    return BoardStyle(
        theme=draw.Theme(felt="red") if name == "own" else name,
        nonce=rng.choice([None, "", "abc"]),
        size=rng.choice([None, rng.randint(1, 100_000)]),
        home=rng.choice(["left", "right"]),
        look=rng.choice(["flat", "depth"]),
        layout=rng.choice(["landscape", "portrait"]),
        numbers=rng.choice(["turning", "fixed", "off"]),
        header=rng.random() < 0.5,
        footer=rng.random() < 0.5,
        score=rng.choice(["points", "away"]),
        centered_cube=rng.choice([1, 64]),
    )


@each.first("pictures", [80, 1_000])
def test_any_picture(pictures: int) -> None:
    """With everything at random a picture is well-formed, and nothing in it can act or load anything."""
    rng, seen = random.Random(2026), Counter[Phase]()
    for _ in range(pictures):
        state = random_table(rng)
        picture = svg.match_state(state, **random_look(rng))
        for element in ET.fromstring(picture).iter():
            assert element.tag.removeprefix(SVG) in ALLOWED | {"style"}
            assert not [name for name in element.attrib if name in {"id", "style", "href"} or name.startswith("on")]
        assert len(picture) < 60_000
        seen[state.phase] += 1
    assert set(seen) == set(Phase)
