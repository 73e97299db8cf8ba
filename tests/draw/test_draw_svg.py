"""SVG boards: well-formed, stand-alone, and every checker, die and cube read back from where it is drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from unicodedata import category
from xml.etree import ElementTree as ET

import attrs
import pytest
from hypothesis import given, strategies as st
from test_draw_text import counts_of, started

import loop
import wording
from boards import positions, rolls
from effort import bytes_fewer
from elements import SVG, drawn, tree
from gammonrules import ArgumentError, Cube, MatchState, Player, Position, Rules, Win
from gammonrules.draw import BoardStyle, svg, text
from gammonrules.rules import MONEY

__all__ = ["started"]

WHITE, BLACK = Player.WHITE, Player.BLACK
LIGHT, DARK = "#fffdf7", "#2d2a2e"

# The picture measured: the middles of its twelve columns and of the bar, and the lines between the halves.
COLUMNS = (72, 112, 152, 192, 232, 272, 356, 396, 436, 476, 516, 556)
BAR, MIDDLE = 314, 256

Counts = dict[tuple[str, int | str], int]


def texts(picture: str) -> list[str]:
    """The words of the picture, in the order in which they are written."""
    return ["".join(element.itertext()) for element in tree(picture).iter(f"{SVG}text")]


def numbers(root: ET.Element) -> dict[tuple[int, bool], int]:
    """The number of the point at each column, at the top (True) and at the bottom."""
    elements = [element for point in drawn(root, "point") for element in drawn(point, "number", "text")]
    return {(int(at.attrib["x"]), at.get("y") == "50"): int(at.text or "") for at in elements}


def read_back(picture: str) -> Counts:
    """How many checkers of which color the picture shows where: points by their numbers, "bar", "off"."""
    root, seen = tree(picture), Counter[tuple[str, int | str]]()
    number_at = numbers(root)
    for circle in drawn(root, "checker", "circle"):
        x, y = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        place = "bar" if x == BAR else number_at[int(x), y < MIDDLE]
        assert circle.attrib["data-point"] == str(place)
        seen[circle.attrib["fill"], place] += 1
    for slab in drawn(root, "checker", "rect"):
        assert slab.attrib["data-point"] == "off"
        seen[slab.attrib["fill"], "off"] += 1
    return dict(seen)


def dice_of(picture: str) -> Counter[tuple[str, int, int]]:
    """The faces on the board: fill of the spots, x of the die, number of spots."""
    faces = Counter[tuple[str, int, int]]()
    for die in drawn(tree(picture), "die"):
        spots = drawn(die, "spot")
        assert die.get("data-value") == str(len(spots))
        xs = [int(spot.attrib["cx"]) for spot in spots]
        faces[spots[0].attrib["fill"], (min(xs) + max(xs)) // 2, len(spots)] += 1
    return faces


def cube_of(picture: str) -> tuple[str, int, int] | None:
    """What the cube shows, and the middle of its face; None without a cube."""
    for cube in drawn(tree(picture), "cube"):
        face, value = cube
        return value.text or "", int(face.attrib["x"]) + 16, int(face.attrib["y"]) + 16
    return None


class TestEveryCheckerIsInThePicture:
    """A picture is complete: points, bars and checkers off can be read back, with either player at the bottom."""

    @given(positions(over=True), st.booleans())
    def test_position(self, position: Position, flipped: bool) -> None:
        assert read_back(svg.position(position, flipped=flipped)) == counts_of(position, LIGHT, DARK)

    @given(positions(), st.sampled_from(Player), st.booleans())
    def test_table(self, position: Position, bottom: Player, white_starts: bool) -> None:
        state = MatchState.new(length=None, position=position)
        state = state.opening_roll(white=5 if white_starts else 2, black=4)
        colors = (LIGHT, DARK) if white_starts else (DARK, LIGHT)
        assert read_back(svg.match_state(state, bottom=bottom)) == counts_of(state.position, *colors)

    @loop.rows("flipped", False, True)
    def test_numbers_are_those_of_the_player_on_roll(self, flipped: bool) -> None:
        lower, upper = [*range(12, 0, -1)], [*range(13, 25)]
        seen = numbers(tree(svg.position(Position.start(), flipped=flipped)))
        assert [seen[x, flipped] for x in COLUMNS] == lower
        assert [seen[x, not flipped] for x in COLUMNS] == upper

    @given(positions(over=True), st.booleans(), st.sampled_from(["turning", "fixed", "off"]))
    def test_description(self, position: Position, flipped: bool, numbers: Any) -> None:
        """People who cannot see the picture get the same facts, with the numbers that are printed."""
        image = svg.position(position, flipped=flipped, style=BoardStyle(numbers=numbers))
        words = tree(image).findtext(f"{SVG}desc") or ""
        is_turned = flipped and numbers == "fixed"
        counts: Counts = {}
        *sides, numbering = words.removesuffix(".").split(". ")
        for sentence, color in zip(sides, (LIGHT, DARK), strict=True):
            for count, place in re.findall(r"(\d+) (?:on )?(off|the bar|\d+)", sentence.partition("; checkers: ")[2]):
                number = 25 - int(place) if is_turned and place.isdigit() else place.removeprefix("the ")
                counts[color, int(number) if place.isdigit() else number] = int(count)
        assert counts == counts_of(position, LIGHT, DARK)
        assert f"on roll: {position.pip_count} pip" in sides[0]
        assert ("by the other side" if is_turned else "as the player on roll numbers them") in numbering


def kinds_of_states() -> dict[str, MatchState]:
    """One state of each kind that looks different."""
    new = MatchState.new(length=7)
    started = new.opening_roll(white=3, black=1).play("8/5 6/5")
    last = MatchState.new(length=1, position=Position.of(mine={1: 1}, theirs={6: 12, "bar": 3}))
    beavers = MatchState.new(None, rules=attrs.evolve(MONEY, beavers=3)).opening_roll(3, 1).play("8/5 6/5").double()
    return {
        "opening": new,
        "to play": new.opening_roll(white=3, black=1),
        "to roll": started,
        "doubled": started.double(),
        "taken": started.double().take(),
        "resigned": started.resign(Win.GAMMON),
        "resigned while doubled": started.double().resign(by=WHITE),
        "beaver": beavers.beaver(),
        "beaver 3": beavers.beaver().beaver().beaver(),
        "dropped": started.double().drop(),
        "played to the end": last.opening_roll(white=3, black=1).play("1/off"),
        "crawford": MatchState.new(5, score=(4, 2)),
        "post-crawford": MatchState.new(5, score=(4, 2), crawford=False),
        "no cube": MatchState.new(3, rules=Rules(cube=False)),
        "money": MatchState.new(None),
    }


class TestForm:
    """A picture is one valid SVG document, independent of the page around it."""

    @loop.over("state", kinds_of_states().values())
    @loop.over("bottom", Player)
    def test_every_kind_of_state(self, state: MatchState, bottom: Player) -> None:
        picture = svg.match_state(state, bottom=bottom)
        root = tree(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == "0 0 628 526"
        assert (root[0].tag, root[1].tag, root.get("role")) == (f"{SVG}title", f"{SVG}desc", "img")
        assert len(list(root.iter(f"{SVG}path"))) == 24
        assert not [element for element in root.iter() if {"id", "href", "style"} & set(element.attrib)]
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "title", "desc", "g", "rect", "circle", "path", "text", "tspan",
        }  # fmt: skip
        assert len(picture) < 16_000
        assert svg.match_state(state, bottom=bottom) == picture

    @loop.over("state", kinds_of_states().values())
    def test_it_says_what_the_text_says(self, state: MatchState) -> None:
        """Both forms give whose turn it is, the score, the pips, the kind of game and the result in the same words."""
        words = " ".join(texts(svg.match_state(state)))
        beside = [line[49:] for line in text.match_state(state).splitlines()[1:] if line[49:]]
        said = [re.sub(r"^[XO]: | \(Cube: \d+\)", "", line) for line in beside]
        assert [line for line in said if line not in words] == []


class TestBoard:
    def test_notebooks_show_it(self) -> None:
        assert Position.start()._repr_svg_() == svg.position(Position.start(), style=BoardStyle(size=628))

    def test_words(self) -> None:
        picture = svg.position(Position.of(mine={1: 1}, theirs={2: 1}, checkers=1))
        assert [word for word in texts(picture) if not word.isdigit()] == [
            "opponent", "2 pips", "on roll", "1 pip", "Position ID: AgAABAAAAAAAAA (1 checker a side)",
        ]  # fmt: skip
        root = tree(picture)
        assert root.findtext(f"{SVG}title") == "Backgammon position"
        assert root.findtext(f"{SVG}desc") == (
            "Player on roll: 1 pip; checkers: 1 on 1. Opponent: 2 pips; checkers: 1 on 23. "
            "The points are numbered as the player on roll numbers them."
        )

    def test_checkers_off_are_counted(self) -> None:
        picture = svg.position(Position.of(mine={1: 4}, theirs={1: 15}))
        label = '<text x="598" y="318" class="count number" fill="#ecdfc6" font-weight="bold">11</text>'
        assert label in picture
        assert '<text x="598" y="203"' in svg.position(Position.of(mine={1: 4}, theirs={1: 15}), flipped=True)
        assert '<text x="598"' not in svg.position(Position.start())

    @loop.rows("draw", svg.position, text.position)
    def test_what_is_no_position(self, draw: Callable[..., str]) -> None:
        with pytest.raises(ArgumentError, match=r"^expected a Position, not '4HPwATDgc/ABMA'$"):
            draw("4HPwATDgc/ABMA")
        with pytest.raises(ArgumentError, match=r"^expected a Position, not MatchState\(.*; `match_state` draws it$"):
            draw(MatchState.new(3))
        with wording.raises(ArgumentError, "flipped must be True or False, not Player.BLACK"):
            draw(Position.start(), flipped=BLACK)


class TestTable:
    def test_notebooks_show_it(self, started: MatchState) -> None:
        assert started._repr_svg_() == svg.match_state(started, style=BoardStyle(size=628))

    @given(rolls(), st.sampled_from(Player), st.booleans())
    def test_dice(self, roll: tuple[int, int], bottom: Player, blacks: bool) -> None:
        """The dice have the color of the player who rolled and lie in the half at the player's right hand."""
        player = BLACK if blacks else WHITE
        picture = svg.match_state(MatchState(Position.start(), player, roll), bottom=bottom)
        middle = 456 if player is bottom else 172
        faces = sorted(roll, reverse=True) * (2 if roll[0] == roll[1] else 1)
        ink = LIGHT if blacks else "#33261d"
        xs = range(middle - 20 * len(faces) + 20, middle + 20 * len(faces), 40)
        assert dice_of(picture) == Counter(zip([ink] * len(faces), xs, faces, strict=True))

    @pytest.mark.parametrize(("bottom", "y"), [(WHITE, 436), (BLACK, 76)])
    def test_cube_lies_with_its_owner(self, started: MatchState, bottom: Player, y: int) -> None:
        assert cube_of(svg.match_state(started, bottom=bottom)) == ("1", 30, 256)
        assert cube_of(svg.match_state(started.double().take(), bottom=bottom)) == ("2", 30, y)

    @pytest.mark.parametrize(("bottom", "x"), [(WHITE, 456), (BLACK, 172)])
    def test_cube_is_offered_to_who_must_answer(self, started: MatchState, bottom: Player, x: int) -> None:
        assert cube_of(svg.match_state(started.double(), bottom=bottom)) == ("2", x, 256)
        resigned = started.double().resign(by=BLACK)
        assert cube_of(svg.match_state(resigned, bottom=bottom)) == ("2", x, 256)
        beaver = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5").double().beaver()
        assert cube_of(svg.match_state(beaver, bottom=bottom)) == ("4", 628 - x, 256)

    @loop.over(
        ("value", "face", "size"), [(64, "64", "18"), (512, "512", "15"), (65536, "65536", "9"), (2**17, "2^17", "11")]
    )
    def test_large_cubes(self, value: int, face: str, size: str) -> None:
        picture = svg.match_state(MatchState(Position.start(), WHITE, cube=Cube(value, BLACK)))
        assert cube_of(picture) == (face, 30, 76)
        assert f'font-size="{size}"' in picture
        assert f"Cube at {value}, owned by Black" in picture

    def test_crawford(self) -> None:
        crawford, without = MatchState.new(5, score=(4, 2)), MatchState.new(3, rules=Rules(cube=False))
        for state in (crawford, without, MatchState.new(1)):
            assert cube_of(svg.match_state(state)) is None
        assert "Cr" in texts(svg.match_state(crawford))
        for state in (attrs.evolve(crawford, crawford=False), without):
            assert "Cr" not in texts(svg.match_state(state))

    def test_plate(self, started: MatchState) -> None:
        """What belongs to neither side is in the middle; while a game goes on, nothing is."""
        over = svg.match_state(started.double().drop(), names=("Ann", "Bob"))
        assert [*map(len, (drawn(over, "plate"), drawn(svg.match_state(started), "plate")))] == [1, 0]
        assert texts(over)[-1] == "Bob wins a single game (double dropped): 1 point"
        wide = svg.match_state(started.double().drop(), names=("Ann", "W" * 18))
        assert "textLength" not in over + wide  # it would stretch what is narrower than it could be
        assert [*map(len, texts(wide)[-2:])] == [25, 37]
        (plate,) = drawn(wide, "plate")
        first, second = (float(line.attrib["y"]) for line in drawn(wide, "standing"))
        assert float(plate.attrib["y"]) < first < second < float(plate.attrib["y"]) + float(plate.attrib["height"])

    @given(st.tuples(st.text(), st.text()), st.sampled_from(Player))
    def test_names(self, names: tuple[str, str], bottom: Player) -> None:
        """Any two texts are names, and never break the document."""
        words = texts(svg.match_state(MatchState.new(7), bottom=bottom, names=names))
        assert words.count("0 points · 167 pips") == 2
        for name, color in zip(names, ("White", "Black"), strict=True):
            shown = "".join(letter for letter in name if letter.isprintable() and not category(letter).startswith("M"))
            if shown == name and len(shown) <= 9:
                assert shown.strip() in "".join(words) or color in words

    def test_long_names_are_whole_in_the_description(self, started: MatchState) -> None:
        long = "Maximiliane & Alexander"
        picture = svg.match_state(started.double().take(), names=(long, long[::-1]))
        words = tree(picture).findtext(f"{SVG}desc") or ""
        assert f"Cube at 2, owned by {long}. {long[::-1]}: 0 points" in words
        assert f". {long}: 0 points" in words
        assert long in texts(picture)
        narrow = texts(svg.match_state(started, names=("W" * 40, "i" * 40), style=BoardStyle(layout="portrait")))
        thin, thick = [name for name in narrow if name.endswith("…")]
        assert 40 > len(thin) > len(thick)
        assert "Maximiliane & Ale… wins a single game" in " ".join(
            texts(svg.match_state(started.resign(by=BLACK).accept(), names=(long, "")))[-2:]
        )

    def test_names_are_escaped(self, started: MatchState) -> None:
        picture = svg.match_state(started, names=["<Ann> & Co", ""])
        assert "&lt;Ann&gt; &amp; Co" in picture
        assert texts(picture)[-7:-5] == ["Black", "0 points · 167 pips"]

    def test_names_in_the_text(self, started: MatchState) -> None:
        picture = text.match_state(started.double().drop(), names=("Ann", "Bob"))
        assert "X: Ann" in picture
        assert "O: Bob" in picture
        assert "Bob wins a single game" in picture
        assert "Ann wins by forfeit: 1 point" in text.match_state(started.forfeit(BLACK, 1), names=("Ann", "Bob"))
        assert "Ann wins by forfeit: 1 point" in svg.match_state(started.forfeit(BLACK, 1), names=("Ann", "Bob"))

    def test_names_of_ten_megabytes(self, started: MatchState) -> None:
        """A name is cut before anything is made of it."""
        over = started.double().drop()
        for name in ("x" * 10**7, "\u0628" * 10**7, "x" + "\u0301" * 10**7, "\U0001f468\u200d" * 10**6):
            for draw_state, most in ((svg.match_state, 18_000), (text.match_state, 2000)):
                draw = partial(draw_state, over, names=(name, name))
                assert len(draw()) < most
                assert bytes_fewer(draw, 1_000_000)

    def test_each_name_stands_by_itself(self, started: MatchState) -> None:
        """Whatever its direction, a name has an element of its own that cuts off what does not fit."""
        root = tree(svg.match_state(started, names=("דוד", "مرحبا")))
        assert root.get("direction") == "ltr"
        places = [place for player in drawn(root, "player") for place in player.findall(f"{SVG}svg")]
        assert ["".join(place.itertext()).strip() for place in places] == ["\u2068مرحبا\u2069", "\u2068דוד\u2069"]
        assert [sorted(place.attrib) for place in places] == [["height", "width", "x", "y"]] * 2
        assert texts(svg.match_state(started.double().drop(), names=("Ann", "דוד")))[-1].startswith(
            "\u2068דוד\u2069 wins a"
        )

    @pytest.mark.parametrize(
        ("width", "size"), [(None, (None, None)), (628, ("628", "526")), (314, ("314", "263")), (1, ("1", "1"))]
    )
    def test_width(self, width: int | None, size: tuple[str | None, str | None], started: MatchState) -> None:
        """As wide as its container, or as the caller wants it."""
        style = BoardStyle(size=width)
        for picture in (svg.position(Position.start(), style=style), svg.match_state(started, style=style)):
            root = tree(picture)
            assert (root.get("width"), root.get("height")) == size
            assert root.get("viewBox") == "0 0 628 526"

    def test_the_description_of_a_state(self, started: MatchState) -> None:
        doubled = tree(svg.match_state(started.double().resign(by=WHITE))).findtext(f"{SVG}desc")
        assert doubled == (
            "Black: 0 points, 167 pips; checkers: 2 on 24, 5 on 13, 3 on 8, 5 on 6. White: 0 points, 163 pips, cube "
            "offered at 2, resigns a single game; checkers: 2 on 20, 4 on 19, 2 on 17, 5 on 12, 2 on 1. The points "
            "are numbered as the player on roll numbers them."
        )
        cubes = [
            tree(svg.match_state(state)).findtext(f"{SVG}desc") or "" for state in (started, started.double().take())
        ]
        assert cubes[0].startswith("Cube at 1, centered. Black: 0 points, 167 pips, on roll; checkers: 2 on 24")
        assert cubes[1].startswith("Cube at 2, owned by White.")
        assert tree(svg.match_state(started)).findtext(f"{SVG}title") == "Backgammon: 7 point match"

    @loop.rows("width", 0, -1, 1.5, "628", True, 100_001)
    def test_no_size(self, width: object) -> None:
        with wording.raises(ArgumentError, f"size must be a whole number from 1 to 100,000, not {width!r}"):
            svg.position(Position.start(), style=BoardStyle(size=width))  # type: ignore[arg-type]

    @pytest.mark.parametrize("draw", [svg.match_state, text.match_state])
    def test_bad_arguments(self, draw: Callable[..., str], started: MatchState) -> None:
        sentence = "expected a MatchState, not Position.from_id('4HPwATDgc/ABMA'); `position` draws it"
        with wording.raises(ArgumentError, sentence):
            draw(Position.start())
        with pytest.raises(ArgumentError, match=r"^expected a MatchState, not 7$"):
            draw(7)
        with wording.raises(ArgumentError, "bottom must be Player.WHITE or Player.BLACK, not 'White'"):
            draw(started, bottom="White")

    @pytest.mark.parametrize("names", ["AB", ("Ann",), ("Ann", "Bob", "Cy"), ("Ann", None), {"Ann": 1, "Bob": 2}, 7])
    def test_names_that_are_none(self, started: MatchState, names: object) -> None:
        with wording.raises(ArgumentError, "names must be a pair of strings, White's and Black's, not "):
            svg.match_state(started, names=names)  # type: ignore[arg-type]
