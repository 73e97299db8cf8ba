"""Match records built to cost as much time as they can: the time of a reader has to grow with their size only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, cycle, islice, product, repeat
from string import ascii_uppercase

_MAX_PLAYS = "o--AA-AA-AA-A-AA-AA-AA-AA-"
"""The board with the most plays known, 2,226 for 1-1: A are the checkers of White, who is on roll."""
_START = "-b----E-C---eE---c-e----B-"
_NOBODY_MOVES = f"aBBBBB{'-' * 13}bbbbbbA"
"""Both sides are on the bar, and no 1 enters."""
_NAMES = " A : 0 B : 0"
_OPENED = f"Game 1\n{_NAMES}\n1) 31: 8/5 6/5\n"


def _filled(head: str, pieces: Iterable[str], size: int) -> str:
    """The head, and as many of the pieces as fit."""
    parts, length = [head], len(head)
    for piece in pieces:
        length += len(piece)
        if length > size:
            break
        parts.append(piece)
    return "".join(parts)


def _header(*lines: str) -> Callable[[int], str]:
    """A header of these lines, and one game after it."""
    end = f"0 point match\n{_OPENED}"
    return lambda size: _filled("", cycle(f"{line}\n" for line in lines), size - len(end)) + end


def _rows(*lines: str, before: str = "", end: str = "") -> Callable[[int], str]:
    """One game of these rows, between others."""
    head = f"0 point match\n{_OPENED}{before}"
    return lambda size: _filled(head, cycle(f"{line}\n" for line in lines), size - len(end)) + end


def _games(*lines: str, length: int = 0, tags: str = "", score: str = _NAMES) -> Callable[[int], str]:
    """Games of these lines, all at the same score."""
    text = "".join(f"{line}\n" for line in lines)
    head = f"{tags}{length} point match\n"
    return lambda size: _filled(head, (f"Game {n}\n{score}\n{text}" for n in count(1)), size)


def _set(board: str, play: str, tags: str = "") -> Callable[[int], str]:
    """Games that start from a board set by hand."""
    return _games(f";Set Pos={board}/0", play, tags=tags)


def _dump(board: str) -> str:
    """What follows the dice of a play that the writing program called illegal."""
    counts = ";".join(str(0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c)) for c in board)
    return f"Illegal play (0;1;1;0;1;A;B;0;0;0;1;0;{counts};0;0;)"


_AGAIN = f"31:{_dump(_START)}"
"""A roll after which the players stand at the start again."""


def _sgf_games(size: int) -> str:
    """Games of SGF, each with tags of its own."""
    names = ("".join(letters) for letters in product(ascii_uppercase, repeat=4))
    games = (
        f"(;GM[6]MI[length:0][game:{n}]{''.join(f'X{name}[x]' for name in islice(names, 40))};W[31hefe])\n"
        for n in count(1)
    )
    return _filled("", games, size)


def _decisions_without_match_id(size: int) -> str:
    """Half of a text is one game, the rest are games of one decision. Nothing says how long the match is."""
    decision = "{}: x\n GNU Backgammon Position ID: 4HPwATDgc/ABMA\n Match ID: ////////////\n"
    one_game = _filled("", map(decision.format, range(1, 999_999)), size // 2)
    return _filled(one_game, repeat(decision.format(1)), size)


def _full_line(piece: str) -> str:
    """As many of the pieces as a line may have."""
    return piece * (1_990 // len(piece))


RECORDS: dict[str, Callable[[int], str]] = {
    "beavers in a row": _rows("2)beaver beaver"),
    "beavers after a double": _rows("2)beaver beaver", before=f"2) {'':30}double\n"),
    "cube doubled before each roll": _rows(
        "2) double take", f"2) {_AGAIN} double", f"2) take {_AGAIN}", before=f"2) {'':30}{_AGAIN}\n"
    ),
    "losses after beavers": _rows("2)beaver beaver", before=f"2) {'':30}double\n", end="      Losses\n"),
    "boards with the most plays, illegal": _set(_MAX_PLAYS, "1)11:24/23"),
    "boards with the most plays, illegal, with a tag": _set(_MAX_PLAYS, "1)11:24/23", '; [Jacoby "On"]\n'),
    "boards with many plays, one of the four ones": _set(_MAX_PLAYS, "1)11:4/3"),
    "boards with many plays, three ones": _set(_MAX_PLAYS, "1)11:4/3 7/6 24/23"),
    "boards with many plays, legal": _set(_MAX_PLAYS, "1)11:4/3 7/6 10/9 24/23"),
    "boards with many plays, pass": _set(_MAX_PLAYS, "1)11:Cannot Move"),
    "boards with many plays, not shown": _set(_MAX_PLAYS, "1)11:??? 11:"),
    "boards with many plays, ambiguous": _set("---AaaAaaA--A--------Aa--Aa"[:26], "1)21:9/6"),
    "boards with many plays, resigned": _games(f";Set Pos={_MAX_PLAYS}/0", "1)11:", "Wins 4 point"),
    "positions set by hand in a row": _rows(f"2) {_AGAIN} {_AGAIN}", before=f"2) {'':30}{_AGAIN}\n"),
    "games of one line": _games(),
    "games of a resignation": _games("1)31:8/5 6/5", "Wins 3 point"),
    "games of a resignation, points against the score": _games(
        "1)31:8/5 6/5", "Losses 5 point", "Wins 3 point and the match"
    ),
    "games of a match, scores that do not follow": _games(
        "1)31:8/5 6/5", "Wins 3 point", length=9, score=" A : 5 B : 2"
    ),
    "games that cannot start": _games(length=1, score=" A : 5 B : 2"),
    "games without a name": _games(score=" : 0 : 0"),
    "games without a score line": _games(score="1)31:"),
    "games of an illegal play": _games("1)31:2/1"),
    "games of an illegal play, two ways": _games("1)31:24/20 13/12"),
    "games of an action out of turn": _games("1)take"),
    "games of unreadable cells": _games("1)take xx takes"),
    "games of a play that is not shown": _games("1)31: 31:"),
    "ends stated again and again": _rows("Wins 1 point", "     Losses 2 point"),
    "ends stated on one row": _rows(_full_line("Wins 1 ")),
    "unknown variations": _header('; [Variation "x"]'),
    "tags": _header(';[a ""]'),
    "tags of rules": _header('; [Jacoby "On"]'),
    "comments": _header(";"),
    "comments of a game": _rows(";"),
    "tags that never end": _header("; [" + _full_line("a ")),
    "tags of long values": _header('; [a "' + _full_line("[a ")),
    "lines before the match": _header("1)"),  # a row, as most lines of records are
    "lines that cannot be read": _rows("x"),
    "rows that cannot be read": _rows("2)x"),
    "row numbers": _rows("2)2)2)2)"),
    "row numbers on one row": _rows(_full_line("2)")),
    "rolls on one row": _rows(_full_line("11:")),
    "words on one row": _rows(_full_line("take ")),
    "cells out of turn": _rows("2) 31:8/5"),
    "set position lines": lambda size: _filled(f"0 point match\nGame 1\n{_NAMES}\n", cycle([";Set Pos=x\n"]), size),
    "blanks": _rows(" " * 1_990),
    "tabs": _rows("\t" * 1_990 + "x"),
    "tabs between digits": _rows("1\t" * 990),
    "blanks and colons": _rows(": " * 990),
    "score lines": _rows(_full_line(": 1 ")),
    "dumps that never end": _rows("2)11:" + _full_line("Illegal play (;")),
    "dumps of many fields": _rows("2)11:Illegal play (" + ";" * 1_900),
    "long plays": _rows("2)     " + "61:" + "8/7 " * 400),
    "empty lines": _rows(""),
    "carriage returns": lambda size: _filled(f"0 point match\n{_OPENED}", cycle(["\r"]), size),
    "wide characters": _rows("\N{FULLWIDTH DIGIT ONE}" * 900),
    "long names": _games(score=" " + "A" * 900 + " : 0 " + "B" * 900 + " : 0"),
    "SGF, games with tags of their own": _sgf_games,
    "SGF, remarks about one play": lambda size: (
        _filled("(;GM[6]MI[length:0];W[31hefe]", repeat(f";C[{'x' * 60}]"), size - 1) + ")"
    ),
    "text of GNU Backgammon, no Match ID that can be read": _decisions_without_match_id,
    "turns that pass": lambda size: _filled(
        f"0 point match\nGame 1\n{_NAMES}\n;Set Pos={_NOBODY_MOVES}/0\n", cycle(["2)11:11:\n"]), size
    ),
}
