"""The sections of `docs/reference/findings.md`, which explain each finding of the referee with an example."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import frozen

from api_page import assigned, source_of
from gammonrules.records import Finding, FindingKind, Match, Severity, loads, referee
from marked_blocks import on_page

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "reference" / "findings.md"
DATA = DOCS.parent / "tests" / "data"

START = "<!-- python generate.py findings_page writes what follows -->\n"
GAME = " Game 1\n Ann : 0                         Bob : 0\n"
OPENING = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"


def match(*lines: str, points: int = 5, tags: str = "", first: str = GAME) -> str:
    """A record with these lines in its first game."""
    return f"{tags}{points} point match\n\n{first}" + "".join(f"{line}\n" for line in lines)


def second(score: str, *lines: str, number: int = 2) -> str:
    """One more game."""
    return f"\n Game {number}\n {score}\n" + "".join(f"{line}\n" for line in lines)


def sgf(about: str, *nodes: str, score: str = "[ws:0][bs:0]") -> str:
    """A game in SGF."""
    root = f"(;FF[4]GM[6]MI[length:5]{score}PW[Ann]PB[Bob]{about}"
    return "\n".join([root, *nodes]) + ")\n"


WON = "      Wins 1 point"
TWO = "Ann : 1                         Bob : 0"
NEXT = "  1)                             42: 8/4 6/4"
BOARD = "; Set Pos=-b----E-C---eE---c-e----B-/-1"


@frozen
class Damaged:
    """A file of the test data in which something is changed."""

    file: str
    how: str
    """How, as the page says it."""
    change: Callable[[bytes], bytes]


EXG = "matches/xg/test.xg"
TEXT = "analysis/gnubg/match7662222_1ply.txt"

EXAMPLES: dict[FindingKind, list[str | Damaged]] = {
    FindingKind.ILLEGAL_PLAY: [match("  1) 31: 8/5 6/4"), match("  1) 31: Cannot Move               62: 24/18 13/11")],
    FindingKind.ILLEGAL_ACTION: [
        match("  1) 31: 8/5 6/5", "  2)  Doubles => 2"),
        match("  1) 31: 8/5 6/5                 Doubles => 2", "  2)  Takes", points=1),
        match(
            "  1) 31: 8/5 6/5                 Doubles => 2", "  2)  Beavers => 4", points=0, tags='; [Beaver "Off"]\n'
        ),
        match(OPENING.rstrip(), "      Wins 2 points", points=3)
        + second("Ann : 2                         Bob : 0", "  1) 31: 8/5 6/5                 Doubles => 2"),
    ],
    FindingKind.UNREADABLE_LINE: [
        match("  1) 31: 8/5 6/5", "  2)  is Bob still there?"),
        match(OPENING.rstrip(), BOARD),
        match(OPENING.rstrip(), "", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"),
    ],
    FindingKind.SCORE_DOES_NOT_FOLLOW: [
        match(OPENING.rstrip(), "  2)  Doubles => 2                Drops")
        + second("Ann : 0                         Bob : 1", NEXT),
        match(OPENING.rstrip(), WON) + second("Bob : 0                         Ann : 1", NEXT),
        match(OPENING.rstrip(), "      Wins 1 point and the match", points=1) + second(TWO, NEXT),
    ],
    FindingKind.POINTS_MISMATCH: [
        match("  1) 31: 8/5 6/5                 Doubles => 2", "  2)  Drops                       Wins 2 points"),
        match(OPENING.rstrip(), WON, "  2) 11: 8/7*(2) 6/5(2)"),
    ],
    FindingKind.RESIGN_ODD_VALUE: [
        match(OPENING.rstrip(), "      Wins 4 points", points=7),
        match(OPENING.rstrip(), "      Wins 2 points", points=0, tags='; [Jacoby "On"]\n'),
    ],
    FindingKind.MORE_THAN_POSSIBLE: [
        match("; Set Pos=-a---EE-------------------/0", NEXT.replace("8/4 6/4", "????"), "      Wins 3 points"),
        match("; Set Pos=-B-----------o------------/0", "  1) 21: ????", " " * 34 + "Wins 1 point"),
    ],
    FindingKind.LESS_THAN_CERTAIN: [
        match("; Set Pos=-B-----------o------------/0", NEXT.replace("8/4 6/4", "????"), WON)
    ],
    FindingKind.HIDDEN_PLAY: [
        match("  1) 31: 8/5 6/5                 62: ????", "  2) 41: 24/20 6/5"),
        match(OPENING.rstrip(), "  2) 11: ????                    Wins 1 point"),
        match("; Set Pos=-AA--------------------bb-/0", "  1) 21: ????", WON),
        match(OPENING.rstrip(), "  2) 41: 24/20 6/5                51:", "  3) 64: 24/14                   62:", WON),
    ],
    FindingKind.POSITION_MISMATCH: [
        Damaged(
            TEXT, "with another Position ID at its second move", lambda text: text.replace(b"4HPkQSDgc", b"4HPwATDgc")
        )
    ],
    FindingKind.UNREADABLE_ANALYSIS: [
        Damaged(TEXT, "with a letter in a number", lambda text: text.replace(b"0.507 0.132", b"0.5o7 0.132", 1)),
        Damaged(
            TEXT, "with a candidate that is not legal", lambda text: text.replace(b"24/18 13/11  ", b"24/18 13/10  ", 1)
        ),
    ],
    FindingKind.DAMAGED_FILE: [Damaged(EXG, "without its last 100 bytes", lambda data: data[:-100])],
    FindingKind.AMBIGUOUS_PLAY: [match(f"; Set Pos={'-' * 15}a-aA{'-' * 7}/0", "  1) 31: 18/14")],
    FindingKind.FORFEIT: [
        match(OPENING.rstrip(), "      Wins 5 points and the match"),
        match(OPENING.rstrip(), "                                  Wins 1 point", "; Bob wins by forfeit"),
    ],
    FindingKind.CAPPED_POINTS: [
        match(
            "  1) 31: 8/5 6/5                 Doubles => 2",
            "  2)  Takes                       62: 24/18 13/11",
            "  3)  Losses 3 point               Wins 3 point and the match",
            points=3,
            tags='; [Site "BackgammonGalaxy"]\n',
        )
    ],
    FindingKind.AND_THE_MATCH: [match(OPENING.rstrip(), "      Wins 1 point and the match")],
    FindingKind.RESIGN_WITHOUT_MARKER: [match(OPENING.rstrip(), WON)],
    FindingKind.REPEATED_ROW_NUMBER: [match(OPENING.rstrip(), "  1) 41: 24/20 6/5")],
    FindingKind.NO_PLAYER_NAME: [match(OPENING.rstrip(), first=GAME.replace("Bob", "   "))],
    FindingKind.UNFINISHED_GAME: [match(OPENING.rstrip())],
    FindingKind.COIN_GAME: [match(OPENING.rstrip(), WON, points=16, tags='; [Site "BackgammonGalaxy"]\n')],
    FindingKind.CRAWFORD_ASSUMED: [match(OPENING.rstrip(), first=GAME.replace("Bob : 0", "Bob : 4"))],
    FindingKind.OTHER_PLAYERS: [match(OPENING.rstrip(), WON) + second("Eve : 1                         Bob : 0", NEXT)],
    FindingKind.UNKNOWN_VARIATION: [match(OPENING.rstrip(), tags='; [Variation "Tavla"]\n')],
    FindingKind.UNKNOWN_RULE: [
        match(OPENING.rstrip(), tags='; [Crawford "perhaps"]\n'),
        match(OPENING.rstrip(), tags='; [CubeLimit "64"]\n; [CubeLimit "2"]\n'),
    ],
    FindingKind.POSITION_SET: [match(BOARD, NEXT)],
    FindingKind.GAME_NUMBER: [match(OPENING.rstrip(), WON) + second(TWO, NEXT, number=3)],
    FindingKind.CRAWFORD_MISMATCH: [sgf("RU[Crawford:CrawfordGame]", ";W[31hefe]")],
    FindingKind.CHANGED_RULES: [
        sgf("RU[Crawford]RE[W+1R]", ";W[31hefe]") + sgf("RU[Crawford:NoCube]", ";W[42hdfd]", score="[ws:1][bs:0]")
    ],
    FindingKind.LEFT_OUT: [sgf("RU[Crawford]", ";W[31hefe](;B[62agln])(;B[62abln])")],
}
"""Records, or files of the test data for what a short text cannot show."""

ELSEWHERE: dict[FindingKind, str] = {}
"""Kinds without an example, and why."""


def description(kind: FindingKind) -> str:
    """What is written below the kind in the source."""
    _, text = assigned(source_of(FindingKind).body, kind.name)
    return " ".join(text.split())


def read(example: str | Damaged) -> Match:
    """The record of an example."""
    if isinstance(example, str):
        return loads(example)
    content = (DATA / example.file).read_bytes()
    return loads(example.change(content))


def findings_in(kind: FindingKind, example: str | Damaged) -> list[Finding]:
    """What the referee finds of this kind in an example."""
    return [finding for finding in referee(read(example)) if finding.kind is kind]


def sentence(finding: Finding) -> str:
    """A finding as the page shows it."""
    place = "" if finding.line is None else f"line {finding.line}, "
    return f"{place}{finding.severity}: {finding.explanation}"


def section(kind: FindingKind) -> Iterator[str]:
    """What the page says about a kind."""
    yield f"### {kind}\n"
    yield textwrap.fill(f"`FindingKind.{kind.name}`. {description(kind)}", 120, break_on_hyphens=False) + "\n"
    if kind in ELSEWHERE:
        yield ELSEWHERE[kind] + "\n"
    for example in EXAMPLES.get(kind, []):
        if isinstance(example, str):
            yield f"```text\n{example}```\n"
        else:
            yield f"`tests/data/{example.file}` {example.how}:\n"
        first = findings_in(kind, example)[0]
        quoted = textwrap.fill(
            sentence(first), 118, initial_indent="> ", subsequent_indent="> ", break_on_hyphens=False
        )
        yield f"{quoted}\n"


def kinds() -> str:
    """Those by their severest example, then as the source has them."""
    order = list(Severity)

    def severity(kind: FindingKind) -> int:
        severities = [findings_in(kind, example)[0].severity for example in EXAMPLES.get(kind, [])]
        return min(map(order.index, severities), default=1)

    parts = ["\n## Every kind\n"]
    for kind in sorted(FindingKind, key=severity):
        parts += section(kind)
    return "\n".join(parts) + "\n"


def files() -> dict[Path, str]:
    return {PAGE: on_page(PAGE, {START: kinds()})}
