"""Names of players in pictures: what is kept, what is not, and where they are cut."""

from __future__ import annotations

from hypothesis import given, strategies as st

import loop
from gammonrules.draw._player_names import columns, cut, isolated, printable_name

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
FINLAND = "\U0001f1eb\U0001f1ee"
WAVE = "\U0001f44b\U0001f3fd"
KISS = "\U0001f469\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff"
ACROSS = "\U0001f642\u200d\u2194\ufe0f"
PERSIAN = "می\u200cخواهم"


class TestPrintable:
    @loop.over(
        "name", ["Ann", "Zoë", "Zoe\u0308", PERSIAN, FAMILY, KISS, ACROSS, ENGLAND, FINLAND, WAVE, "דוד\u200f (2)", ""]
    )
    def test_kept(self, name: str) -> None:
        assert printable_name(name) == name

    @loop.over("letter", "\x00\x1b\n\x7f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ud800\ufffe\uffff")
    def test_what_xml_forbids_and_what_turns_other_text(self, letter: str) -> None:
        assert printable_name(f"A{letter}b") == "A\ufffdb"

    def test_spaces(self) -> None:
        assert printable_name("A\u00a0b\u3000c\u2009d") == "A b c d"

    def test_towers_of_marks(self) -> None:
        assert printable_name("a" + "\u0301" * 50 + "b\u0301") == "a" + "\u0301" * 4 + "b\u0301"

    @loop.over("invisible", "\u200c\u200d\u200e\u200f\u061c\U000e0067")
    def test_what_is_invisible_parts_no_tower(self, invisible: str) -> None:
        name = "a" + ("\u0301" * 4 + invisible) * 10 + "b\u0301"
        assert printable_name(name) == "a" + "\u0301" * 4 + invisible * 10 + "b\u0301"


class TestCut:
    @loop.rows(
        ("name", "width"),
        *(("Ann", 3), ("Zoe\u0308", 3), ("井上", 4), (FAMILY, 2), (ENGLAND, 2), (FINLAND, 2), (WAVE, 2)),
        *((PERSIAN, 7), (KISS, 2), (ACROSS, 2), ("", 0)),
    )
    def test_columns(self, name: str, width: int) -> None:
        assert columns(name) == width
        assert cut(name, width, columns) == name

    @loop.rows(
        ("name", "width"),
        ("\u200d".join("abcdef"), 6),  # nothing but emoji grow together
        ("a\u200d\U0001f469", 3),
        ("\u200d".join("\U0001f469" * 12), 6),  # and four of them at most
        ("a" + "\U0001f3fd" * 9, 19),
        (WAVE + "\U0001f3fd", 4),
    )
    def test_what_does_not_grow_together(self, name: str, width: int) -> None:
        assert columns(name) == width
        assert columns(cut(name, width - 1, columns)) < width

    @loop.rows(
        ("name", "shown"),
        ("Alexander", "Ale…"),
        ("Zoe\u0308ann", "Zoe\u0308…"),
        ("井上雄彦", "井…"),
        (FAMILY * 3, FAMILY + "…"),
        (FINLAND + FINLAND + FINLAND, FINLAND + "…"),
        ("ab" + WAVE + "c", "ab…"),
    )
    def test_between_characters(self, name: str, shown: str) -> None:
        assert cut(name, 4, columns) == shown

    @given(st.text(), st.integers(1, 30))
    def test_it_fits(self, name: str, most: int) -> None:
        for length in (columns, len):
            short = cut(name, most, length)
            assert length(short) <= most
            assert short == name or (short.endswith("…") and name.startswith(short[:-1]))

    def test_the_end_of_a_long_name_is_not_looked_at(self) -> None:
        assert cut("x" * 10**7, 100, len) == "x" * 99 + "…"


class TestIsolated:
    @loop.rows("name", "Ann", "井上", FAMILY, "1-2", "")
    def test_from_left_to_right(self, name: str) -> None:
        assert isolated(name) == name

    @loop.rows("name", "דוד", "مرحبا", "Ann דוד", "\u200f1")
    def test_from_right_to_left(self, name: str) -> None:
        assert isolated(name) == f"\u2068{name}\u2069"
