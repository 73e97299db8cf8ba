"""Drawings in other languages: nothing English is left in them, and no label does harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from string import ascii_letters
from typing import Any
from xml.etree import ElementTree as ET

from test_draw_svg import kinds_of_states

import loop
import wording
from gammonrules import ArgumentError, MatchState, Player, Position
from gammonrules.draw import LABELS, BoardStyle, Labels, svg, text
from gammonrules.draw._player_names import columns

LAST = MatchState(Position.of(mine={"bar": 1, 1: 1}, theirs={6: 2, "off": 13}), Player.BLACK, "31", length=3)
DANCE = Position.of(mine={"bar": 1}, theirs={6: 2, 5: 2}).legal_plays("65")[0]
START = Position.start()
MARKS: dict[str, Any] = {
    "last_dice": "65",
    "last_play": DANCE.moves,
    "arrows": "bar/off",
    "made": "bar/23",
    "highlight": ["bar", "off", 6],
}

GERMAN: Labels = {
    "opening": "Anwurf", "money": "Geldspiel", "crawford": "{kind} (Crawford-Spiel)", "crawford_sign": "Cr",
    "match": "Match auf {count}", "post_crawford": "{kind}, nach Crawford", "no_cube": "{kind} (ohne Doppler)",
    "bar_sign": "BAR", "cube": "Doppler: {value}", "white": "Weiß", "black": "Schwarz", "on_roll": "am Wurf",
    "opponent": "Gegner", "points": lambda n: "{count} Punkt" if n == 1 else "{count} Punkte", "pips": "{count} Augen",
    "away": "noch {count}", "rolled": "hat {dice}", "offered": "Doppel auf {value}", "resigns": "gibt {level} auf",
    "beaver": "Biber auf {value}", "raccoon": "Waschbär auf {value}", "beavers": "Biber {number} auf {value}",
    "single": "einfach", "gammon": "Gammon", "backgammon": "Backgammon", "forfeit": "kampflos",
    "dropped": "{level} (abgelehnt)", "resigned": "{level} (aufgegeben)", "won": "{name} gewinnt {how}: {points}",
    "match_won": "{name} gewinnt das Match", "position_id": "Kennung: {id}", "checkers": "(je {count} Steine)",
    "in_turn": "Mitten im Zug", "title": "Backgammon: {kind}", "position_title": "Stellung",
    "player_on_roll": "Spieler am Wurf", "centered": "Doppler auf {value}, in der Mitte",
    "owned": "Doppler auf {value}, bei {name}", "side": "{name}: {about}; Steine: {places}",
    "on_point": "{count} auf {point}", "on_bar": "{count} auf der Bar", "borne_off": "{count} abgetragen",
    "so_far": "Bisher: {play}", "last_dice": "Letzter Wurf: {dice}", "last_play": "Letzter Zug: {play}",
    "arrows": "Pfeile: {play}", "made": "Gestrichelte Pfeile: {play}",
    "highlighted": "Markiert: {points}", "targets": "Ziele: {points}", "bar": "Bar",
    "off": "ab", "no_play": "kein Zug", "numbering": "Die Felder zählt, wer am Wurf ist",
    "turned_numbering": "Die Felder zählt der Gegner, Züge zählt jeder selbst",
}  # fmt: skip
BARE = {
    key: chr(0x4E00 + number) + " ".join(re.findall(r"\{(?!id)\w+\}", text if isinstance(text, str) else text(2)))
    for number, (key, text) in enumerate(LABELS.items())
}
"""A character for each label, with its fields except the Position ID."""


def texts(labels: Labels | None) -> Iterator[str]:
    """The drawings of every kind of state as SVG and as text."""
    kinds = kinds_of_states()
    kinds["raccoon"], kinds["forfeited"] = kinds["beaver"].beaver(), kinds["to roll"].forfeit(Player.WHITE)
    kinds["resignation accepted"] = kinds["resigned"].accept()
    for state in kinds.values():
        yield text.match_state(state, labels=labels)
        for score in ("points", "away"):
            yield svg.match_state(state, labels=labels, **MARKS, style=BoardStyle(score=score))
    yield svg.match_state(LAST, labels=labels, so_far=[(25, 22)], targets=["off"])
    yield svg.position(START, labels=labels, arrows="bar/24", style=BoardStyle(numbers="fixed"), flipped=True)
    yield svg.position(DANCE.position, labels=labels, last_play=DANCE)
    yield svg.position(Position.of(mine={1: 1}, theirs={2: 1}, checkers=1), labels=labels)
    yield text.position(Position.start("hypergammon"), labels=labels)


def written(picture: str) -> str:
    return " ".join(ET.fromstring(picture).itertext()) if picture.startswith("<") else picture


def test_no_english_is_left() -> None:
    """Only English words that the other language has too are left."""
    foreign, english = (letters(" ".join(forms(table))) for table in (GERMAN, LABELS))
    left = letters(" ".join(re.sub(r": \S{14}", "", written(text)) for text in texts(GERMAN)))
    assert set(GERMAN) == set(LABELS)
    assert left & (english - foreign) == set()
    assert len(left) > 50


def forms(labels: Labels) -> Iterator[str]:
    for value in labels.values():
        yield from [value] if isinstance(value, str) else [value(1), value(2)]


def test_every_text_has_a_key_and_every_key_a_text() -> None:
    """With labels without letters, only the letters of checkers and sides of a text board are left."""
    said = " ".join(map(written, texts(BARE)))
    assert set(re.sub(r"\b[XO]+\b|(?m:^[v^])", "", said)) & set(ascii_letters) == set()
    assert [key for key, word in BARE.items() if word[0] not in said] == []


def letters(said: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", said.lower()))


def polish(count: int) -> str:
    few = count % 10 in {2, 3, 4} and count % 100 not in {12, 13, 14}
    return "{count} punkt" if count == 1 else "{count} punkty" if few else "{count} punktów"


@loop.rows("score, said", (1, "1 punkt"), (2, "2 punkty"), (5, "5 punktów"), (12, "12 punktów"), (22, "22 punkty"))
def test_as_many_forms_as_a_language_has(score: int, said: str) -> None:
    state = MatchState.new(25, score=(score, 0))
    for picture in (
        svg.match_state(state, labels={"points": polish}),
        text.match_state(state, labels={"points": polish}),
    ):
        assert re.search(rf"\b{said}\b", picture)


HOSTILE = ["</style><script>", "\x00\x1b[31m\x08", "\ud800", "a\nb", "\u202e", "דוד", "]]>", "&#0;", "%s %(a)s $a"]


@loop.over("hostile", HOSTILE)
def test_a_text_stays_a_text(hostile: str) -> None:
    """Whatever is in it, the picture has the same elements, and the text board its lines."""
    state = kinds_of_states()["dropped"]
    for labels in (dict.fromkeys(LABELS, hostile), {"points": lambda _: hostile}):
        plain, other = (ET.fromstring(svg.match_state(state, labels=language)) for language in (None, labels))
        tags = ([tag for tag, _ in groupby(element.tag for element in picture.iter())] for picture in (other, plain))
        assert next(tags) == next(tags)  # but for the lines in a box
        board = text.match_state(state, labels=labels)
        assert len(board.splitlines()) == 14
        assert not [letter for letter in board if letter < " " and letter != "\n"]


def test_fields_are_filled_once() -> None:
    """A name with braces is a name."""
    picture = svg.match_state(
        kinds_of_states()["dropped"], names=("Ann", "{points}"), labels={"won": "{points} {name}"}
    )
    assert "1 point {points}</text>" in picture


@loop.rows(
    ("labels", "named"),
    *[(7, "labels"), (["pips"], "labels"), ("pips", "labels"), ({"pip": "x"}, "'pip'"), ({7: "x"}, "7")],
    *[({"pips": "x" * 201}, "pips"), ({"pips": None}, "pips"), ({"pips": lambda _: None}, "pips")],
    *[({"pips": "{count.__class__}"}, "'{count.__class__}'"), ({"pips": "{0}"}, "{count}"), ({"bar": "{"}, "bar")],
    *[({"won": "{name!r}"}, "{name!r}"), ({"pips": "{count:1000000}"}, "pips"), ({"opening": len}, "opening")],
    *[({"x" * 10**6: ""}, "LABELS"), ({"pips": lambda _: "{names}"}, "{names}"), ({"bar": "}{"}, "bar")],
)
def test_invalid_labels(labels: Any, named: str) -> None:
    for draw in (svg.position, text.position):
        with wording.tells(ArgumentError, named):
            draw(START, labels=labels)


@loop.rows("sign", "B", "棒", "BARRE", "")
def test_the_bar_is_three_columns_wide(sign: str) -> None:
    row, usual = (text.position(START, labels=labels).splitlines()[7] for labels in ({"bar_sign": sign}, None))
    assert [columns(part) for part in row.split("|")] == [columns(part) for part in usual.split("|")]


def test_an_empty_sentence_is_left_out() -> None:
    whole = svg.position(START, dice="31", arrows="8/5 6/5", made="13/10")
    brief = svg.position(START, dice="31", arrows="8/5 6/5", made="13/10", labels={"arrows": "", "made": ""})
    assert re.sub("Arrows: [^.]*[.] [^.]*: 13/10[.] ", "", whole) == brief != whole
