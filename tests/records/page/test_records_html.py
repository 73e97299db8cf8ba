"""A match as a page: what stands in it, whatever the record contains. `tests/browser` looks at it in a browser."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs
import pytest
from hypothesis import given, settings

import each
import loop
from gammonrules import (
    TOURNAMENT,
    ArgumentError,
    Event,
    Forfeit,
    MatchState,
    Player,
    Position,
    SetPosition,
    draw,
    strategies,
)
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.records import (
    Candidate,
    Chances,
    CubeAnalysis,
    Decision,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    load,
    loads,
    loads_all,
    page as page_package,
    referee,
    to_html,
)
from gammonrules.records.page.timeline import GameSteps, Step, steps_of
from real_records import loaded

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "matches"
MATCHES = ROOT / "tests" / "data" / "matches"
ANALYSIS = ROOT / "tests" / "data" / "analysis"
GALAXY = EXAMPLES / "galaxy" / "match1033650.txt"
CASUAL = EXAMPLES / "galaxy" / "match9806622.txt"
ANALYZED = EXAMPLES / "xg" / "test.xg"

VOID = {"meta", "link", "br", "input"}


class Page(HTMLParser):
    """What a browser without JavaScript makes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        """The text inside the elements of each name, joined."""
        self.links: list[tuple[str, str]] = []
        """Address and text of each link in the list."""
        self.said: dict[int, str] = {}
        """What the list says about each step."""
        self._said: int | None = None
        self._depth = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in VOID and not self._closes_itself():
            self.open.append(tag)
        if tag == "a" and "nav" in self.open:
            self.links.append((attributes["href"] or "", ""))
        if attributes.get("class") == "said":
            self._said, self._depth = int(attributes["data-step"] or ""), len(self.open)

    def _closes_itself(self) -> bool:
        return (self.get_starttag_text() or "").endswith("/>")

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or (self.open and self.open[-1] != tag):
            assert self._closes_itself(), (tag, self.open)
            return
        if self._said is not None and len(self.open) == self._depth:
            self._said = None
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for name in {*self.open}:
            self.texts[name] = self.texts.get(name, "") + data
        if self.open[-1:] == ["a"] and "nav" in self.open:
            address, text = self.links[-1]
            self.links[-1] = address, text + data
        if self._said is not None:
            self.said[self._said] = self.said.get(self._said, "") + data


def data_of(text: str) -> Any:
    """What the page tells its script."""
    (data,) = re.findall(r'(?s)<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(data)


def picture(data: Any, step: int, side: int) -> str:
    """A picture as the script joins it."""
    lines = [data["lines"][line] for block in data["steps"][step]["pictures"][side] for line in data["blocks"][block]]
    return "\n".join(" ".join(data["words"][word] for word in line) for line in lines)


def steps(match: Match) -> list[tuple[GameSteps, int]]:
    """Every step of a match, with its game."""
    games = [steps_of(game, index, 100_000) for index, game in enumerate(match.games, start=1)]
    return [(game, at) for game in games for at in range(len(game.steps))]


def record(*rows: str, names: tuple[str, str] = ("Ann", "Bob"), head: str = "") -> Match:
    """A record of one game as text."""
    score = f" {names[0]} : 0                       {names[1]} : 0"
    return loads("\n".join([head, " 7 point match", "", " Game 1", score, *rows, ""]))


@cache
def page_of(path: Path) -> str:
    """The page of the first two games of a match."""
    return to_html(small(loaded(path)))


class TestSteps:
    """The positions of a page, and what is said to have been done in them."""

    def labels(self, match: Match) -> list[str]:
        return [game.steps[at].label for game, at in steps(match)]

    def test_every_action_has_words(self) -> None:
        rules = attrs.evolve(MatchState.new(None).rules, beavers=5)
        start = MatchState.new(None, rules=rules)
        events = (
            Event("opening_roll", argument=(2, 2)),
            Event("opening_roll", argument=(3, 1)),
            Event("resign", Player.BLACK, 2),
            Event("decline", Player.WHITE),
            Event("play", argument="8/5 6/5"),
            Event("double"),
            Event("beaver"),
            Event("beaver"),
            Event("beaver"),
            Event("take"),
            *(SetPosition(Position.start(), Player.WHITE), Event("roll", argument="21"), Forfeit(Player.BLACK, 3)),
        )
        assert self.labels(Match(("Ann", "Bob"), None, (Game(1, start, events),))) == [
            *("22: a tie, so both roll again", "31:", "Resigns a gammon", "Declines", "31: 8/5 6/5", "Doubles => 2"),
            *("Beavers => 4", "Raccoons => 8", "Beavers => 16", "Takes", "Position set by hand", "21:", "Forfeits"),
            "Wins 3 points",
        ]

    @loop.rows(
        ("events", "label", "side"),
        ((), "Opening roll", None),
        ((Event("opening_roll", argument=(3, 1)),), "31:", Player.WHITE),
        ((Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")), "To roll", Player.BLACK),
        (
            (Event("opening_roll", argument=(1, 3)), Event("play", argument="8/5 6/5"), Event("double")),
            "To answer the double",
            Player.BLACK,
        ),
        ((Event("opening_roll", argument=(3, 1)), Event("resign")), "To answer the resignation", Player.BLACK),
    )
    def test_a_game_that_goes_on(self, events: tuple[Event, ...], label: str, side: Player | None) -> None:
        game, at = steps(Match(("Ann", "Bob"), 7, (Game(1, MatchState.new(7), events),)))[-1]
        assert (game.steps[at].label, game.steps[at].side, game.steps[at].is_last) == (label, side, True)

    def test_the_end_of_a_match(self) -> None:
        assert self.labels(load(GALAXY))[-1] == "Wins 2 points and the match"


def small(match: Match) -> Match:
    """The first games of a match."""
    return attrs.evolve(match, games=match.games[:2])


RECORDS = sorted(path for path in EXAMPLES.rglob("*.*") if path.suffix != ".md")
WORDS = {"double": "Doubles", "take": "Takes", "drop": "Drops", "beaver": "Beavers", "accept": "Accepts"}


def is_shown(decision: Decision, address: str, text: str) -> bool:
    """Whether a link of the list is the step of a decision; a roll instead of a double is part of its play."""
    if decision.action == "roll":
        return re.match(r"[1-6]{2}:", text) is not None
    if not address.startswith(f"#{decision.state.xgid}"):
        return False
    if decision.kind == "play":
        return text == f"{decision.dice}: {decision.action}"
    return text.startswith(WORDS.get(decision.action, f"Resigns a {decision.action}"))


@each.file(RECORDS, lambda path: path.stem)
class TestExamples:
    """Pages of real records."""

    def test_everything_has_a_place(self, path: Path) -> None:
        """Every decision and every finding; and what the script needs fits together, also with the pictures."""
        for match in map(small, loads_all(path.read_bytes())):
            document = to_html(match)
            page = Page(document)
            links = iter(page.links)
            address, text = next(links)
            for decision in match.decisions():
                while not is_shown(decision, address, text):
                    address, text = next(links)
            words = "".join(page.said.values()) + page.texts.get("details", "")
            assert [finding for finding in referee(match) if finding.explanation not in words] == []
            data, shown = data_of(document), [game.steps[at] for game, at in steps(match)]
            addresses = [address for address, _ in page.links]
            assert len(set(addresses)) == len(addresses) == len(data["steps"]) == len(shown)
            assert [step["game"] for step in data["steps"]] == [game.index - 1 for game, _ in steps(match)]
            assert len(data["games"]) == len(match.games)
            for table in (table for step in data["steps"] for table in step.get("said", ())):
                assert {len(row) for row in table["rows"]} <= {len(table["head"])}
                assert all(0 <= row < len(table["rows"]) for row in table["done"])
            for at, (side, bottom) in itertools.product(range(0, len(shown), 37), enumerate(Player)):
                assert picture(data, at, side) == drawn(shown[at], match, bottom)


def drawn(step: Step, match: Match, bottom: Player) -> str:
    """The picture of a step, as the library draws it."""
    style = draw.BoardStyle(theme="auto", look="depth", header=False, footer=False)
    last = step.last_play
    return draw.svg.match_state(
        step.state,
        bottom=bottom,
        names=match.players,
        arrows=step.play,
        last_play=last,
        last_dice=None if last is None else last.dice,
        style=style,
    )


class TestPage:
    """The document as a whole."""

    def test_is_one_file_that_loads_nothing(self) -> None:
        page = Page(page_of(ANALYZED))
        targets = {attributes.get("href") or "" for _, attributes in page.tags if "href" in attributes}
        assert {target for target in targets if not target.startswith("#")} == {"data:,"}

    def test_policy(self) -> None:
        """The hashes are those of the script and of the style that stand in the page."""
        text = page_of(GALAXY)
        (policy,) = (
            attributes["content"] or ""
            for name, attributes in Page(text).tags
            if name == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        )
        allowed = dict(part.split(" ", 1) for part in policy.split("; "))
        assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
        assert "unsafe" not in policy
        for name, source in (("script", "script-src"), ("style", "style-src")):
            contents = re.findall(rf"(?s)<{name}>(.*?)</{name}>", text)
            hashes = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents]
            assert allowed[source] == " ".join(f"'sha256-{digest}'" for digest in hashes)
        assert not any(
            name.startswith("on") or name == "style" for _, attributes in Page(text).tags for name in attributes
        )

    def test_can_be_read_without_the_script(self) -> None:
        match = small(loaded(GALAXY))
        page = Page(page_of(GALAXY))
        assert "lasse" in page.texts["h1"]
        assert "gitte" in page.texts["title"]
        assert "7 point match" in page.texts["header"]
        assert page.texts["nav"].count("Wins ") == len(match.games)
        (board,) = re.findall(r"(?s)<svg.*?</svg>", page_of(GALAXY))
        assert ET.fromstring(board).get("class") == "gammonrules auto depth"

    def test_who_is_at_the_bottom(self) -> None:
        match = loaded(CASUAL)
        data = data_of(page_of(CASUAL))
        for side, bottom in enumerate(Player):
            text = to_html(match, bottom=bottom)
            assert data_of(text) == data
            assert picture(data, 0, side) in text
            assert ('class="flipped"' in text) == (bottom is Player.BLACK)

    def test_score_pips_and_kind_of_game(self) -> None:
        match = small(loaded(GALAXY))
        data = data_of(page_of(GALAXY))
        shown = [step for game in match.games for step in steps_of(game, 1, 1000).steps]
        for step, told in zip(shown, data["steps"], strict=True):
            state = step.state
            assert told["score"] == [min(points, 7) for points in state.score]
            assert told["pips"] == [state.view(player).pip_count for player in Player]
        assert data["games"][0] == ["Game 1", "7 point match"]

    def test_a_match_to_3_is_won_at_3(self) -> None:
        """Whatever its last game was worth; in money play points only add up."""
        for length, score, points in ((3, "3-0", 3), (None, "4-0", 4)):
            state = MatchState.new(length).opening_roll(3, 1).play("8/5 6/5").double().take()
            events = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5"), Event("double")
            events += Event("take"), Event("resign", state.to_act, 2), Event("accept")
            page = to_html(Match(("", ""), length, (Game(1, MatchState.new(length), events),)))
            assert score in Page(page).texts["h1"]
            assert data_of(page)["steps"][-1]["score"] == [points, 0]

    def test_kinds_of_games(self) -> None:
        def kind(length: int | None, score: tuple[int, int], **changes: Any) -> str:
            start = MatchState.new(length, score=score, **changes)
            return data_of(to_html(Match(("", ""), length, (Game(4, start),))))["games"][0][1]

        assert kind(None, (3, 1)) == "Money play"
        assert kind(5, (4, 1)) == "5 point match (Crawford game)"
        assert kind(5, (4, 1), crawford=False) == "5 point match, post-Crawford"
        assert kind(5, (0, 0), rules=attrs.evolve(TOURNAMENT, cube=False)) == "5 point match (no cube)"

    def test_a_candidate_that_is_no_play_has_no_arrows(self) -> None:
        start = MatchState.new(3).opening_roll(3, 1)
        candidate = Candidate("</script><b>", start.play("8/5 6/5").position)
        game = Game(1, start, pending_analysis=PlayAnalysis((candidate,)))
        assert data_of(to_html(Match(("", ""), 3, (game,))))["steps"][0]["said"][0]["arrows"] == [[]]

    def test_about_the_record(self) -> None:
        page = Page(page_of(ANALYZED))
        assert "HSBT Paris 2023" in page.texts["header"]
        assert "2023-11-26" in page.texts["header"]
        assert "Fédération Française de Bridge" in page.texts["dl"]

    def test_a_record_without_games(self) -> None:
        text = to_html(Match(("", ""), 5))
        page = Page(text)
        assert (page.links, data_of(text)["steps"]) == ([], [])
        assert "White" in page.texts["h1"]

    @loop.rows("arguments", {"bottom": "castle"}, {"candidates": 0}, {"candidates": 101}, {"candidates": "many"})
    def test_wrong_arguments(self, arguments: dict[str, Any]) -> None:
        with pytest.raises(ArgumentError, match=next(iter(arguments))):
            to_html(load(GALAXY), **arguments)
        with pytest.raises(ArgumentError, match="must be a Match, not 'castle'"):
            to_html("castle")  # type: ignore[arg-type]


def test_two_columns() -> None:
    """White's on the left, as records print them; what is nobody's action takes both, and has no number."""
    opening = Event("opening_roll", argument=(1, 3)), Event("play", argument="8/5 6/5")
    answered = Event("double"), Event("beaver"), Event("take"), Event("roll", argument="62")
    board = SetPosition(Position.start(), Player.BLACK)
    played = *opening, *answered, Event("play", argument="24/18 13/11"), board, Event("roll", argument="31")
    page = to_html(Match(("", ""), None, (Game(1, MatchState.new(None), played),)))
    rows = re.findall(r'<tr>(?:<th scope="row">(\d+)</th>|<td></td>)(<td.*?)</tr>', page)
    cells = [(number, re.findall(r"<td(.*?)>(?:<a [^>]*>(.*?)</a>)?</td>", row)) for number, row in rows]
    assert cells == [
        ("1", [("", ""), ("", "31: 8/5 6/5")]),
        ("2", [("", "Doubles =&gt; 2"), ("", "Beavers =&gt; 4")]),
        ("3", [("", "Takes"), ("", "")]),
        ("4", [("", "62: 24/18 13/11"), ("", "")]),
        ("", [(' colspan="2"', "Position set by hand")]),
        ("5", [("", ""), ("", "31:")]),
    ]


class TestAddresses:
    """A link leads to a position by its XGID."""

    def test_each_has_its_own(self) -> None:
        """A position that comes again, as after an offer that is declined, has its number too."""
        events = Event("opening_roll", argument=(3, 1)), Event("resign", Player.BLACK), Event("decline", Player.WHITE)
        match = Match(("Ann", "Bob"), 7, (Game(1, MatchState.new(7), events),))
        xgid = MatchState.new(7).opening_roll(3, 1).xgid
        addresses = [address for address, _ in Page(to_html(match)).links]
        assert addresses == [f"#{xgid}", *(f"#{xgid}&position={number}" for number in (2, 3, 4))]

    def test_a_score_that_no_xgid_can_hold(self) -> None:
        start = MatchState.new(None, score=(10**9, 0))
        events = Event("opening_roll", argument=(3, 1)), Event("resign", Player.BLACK), Event("accept")
        addresses = [address for address, _ in Page(to_html(Match(("", ""), None, (Game(1, start, events),)))).links]
        assert addresses[-1] == "#position=4"


class TestRemarks:
    """Findings and notes stand at the step that they are about."""

    def test_an_illegal_play_stands_where_the_replay_stops(self) -> None:
        match = record("  1) 31: 8/5 6/5                62: 24/18 13/12", "  2) 44: 24/16(2)")
        page = Page(to_html(match))
        assert [text for _, text in page.links] == ["31: 8/5 6/5", "62:"]
        assert [*page.said] == [1]
        assert "13/12" in page.said[1]

    def test_of_two_on_a_line_the_one_that_is_quoted(self) -> None:
        match = record("  1) 31: 8/5 6/5                62: 24/18 13/11", "  2) 44: 24/16(2)")
        for number, (text, row) in enumerate({"31: 8/5 6/5": 1, "62: 24/18 13/11": 1, "44: 24/16(2)": 2}.items()):
            about = Finding(Severity.INFO, FindingKind.AMBIGUOUS_PLAY, 1, row, text, "It is so.", line=5 + row)
            page = Page(to_html(attrs.evolve(match, findings=(about,))))
            assert "It is so." in page.said[number]

    def test_of_a_game_and_of_the_record(self) -> None:
        match = small(loaded(GALAXY))
        of_game, of_none, of_another = (
            Finding(Severity.WARNING, FindingKind.CHANGED_RULES, game, None, "", f"About {game}.")
            for game in (2, None, 99)
        )
        page = Page(to_html(attrs.evolve(match, findings=(of_game, of_none, of_another))))
        second = len(steps_of(match.games[0], 1, 1000).steps)
        assert "About 2." in page.said[second]
        assert "About None." in page.texts["details"]
        assert "About 99." in page.texts["details"]
        assert ("details", {"open": None}) in page.tags

    def test_behind_and_between_the_steps(self) -> None:
        match = record("  1) 31: 8/5 6/5                62: 24/18 13/11", "", "", "  2) 44: 24/16(2)")
        for line, place in ((3, 0), (5, 0), (6, 1), (7, 1), (9, 2), (10, 3), (99, 3)):
            about = Finding(Severity.INFO, FindingKind.UNREADABLE_LINE, 1, None, "castle", "It is so.", line=line)
            page = Page(to_html(attrs.evolve(match, findings=(about,))))
            assert [place for place, said in page.said.items() if "It is so." in said] == [place]

    def test_of_a_game_that_a_program_built(self) -> None:
        """It breaks the rules, and what is about its events is missing."""
        events = Event("opening_roll", argument=(3, 1)), Event("play", argument="24/19")
        text = to_html(Match(("Ann", "Bob"), 7, (Game(1, MatchState.new(7), events),)))
        page = Page(text)
        assert [label for _, label in page.links] == ["31:"]
        assert "illegal-play" in page.said[0]
        by_row = Finding(Severity.INFO, FindingKind.HIDDEN_PLAY, 1, 7, "", "It is so.")
        game = Game(1, MatchState.new(7), events[:1], rows=(7,))
        assert "It is so." in Page(to_html(Match(("", ""), 7, (game,), findings=(by_row,)))).said[0]
        none = attrs.evolve(game, rows=(3,))
        assert "It is so." in Page(to_html(Match(("", ""), 7, (none,), findings=(by_row,)))).said[0]

    def test_notes_and_comments(self) -> None:
        opening = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")
        notes = "At the roll.", "At the play."
        game = Game(1, MatchState.new(7), opening, notes=notes, comments=("A game.",))
        page = Page(to_html(Match(("Ann", "Bob"), 7, (game,), comments=("About all.",))))
        assert re.search(r"(?s)At the roll\..*At the play\.", page.said[0])
        assert "A game." in page.said[0]
        assert "About all." in page.texts["details"]


HOSTILE = [
    "</script><script>alert(1)</script>",
    "</title></style></noscript><img src=x onerror=alert(1)>",
    "<!-- <script> ]]> --> <![CDATA[",
    '"\' onload=alert(1) x="',
    "&lt;b&gt; &amp;amp; %%board%% %%script%%",
    "\0\x01\x1b[31m\x7f\x9b\r\n\t\ufffe",
    "\u202etxet\u2066 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1ee e\u0301\u0301\u0301\u0301\u0301\u0301",
    "half a character \ud800",
    "x" * 100_000,
]


def hostile_match(text: str) -> Match:
    """A match with this text wherever a record can have one."""
    position = Position.start().play("8/5 6/5", "31")
    best = Candidate(text, position, 0.1, level=text)
    plays = PlayAnalysis((best, attrs.evolve(best, equity=0.0)), played=1, engine=text)
    cube = CubeAnalysis(0.6, 0.5, level=text, engine=text)
    quote = text[:200]
    about = tuple(Finding(Severity.ERROR, FindingKind.LEFT_OUT, game, None, quote, quote or "so") for game in (1, None))
    opening = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")
    game = Game(
        1, MatchState.new(5), (*opening, Event("double")), (text,),
        notes=(text, None, text), analyses=(None, plays, cube), pending_analysis=cube,
    )  # fmt: skip
    tags = ((text, text), ("Event", text), ("Site", text))
    return Match((text, text), 5, (game,), tags=tags, comments=(text,), findings=about)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
class TestHostileTexts:
    """Whatever the texts of a record are, they are shown as text."""

    def test_nothing_of_it_is_markup(self, text: str) -> None:
        """The page has the elements and attributes that it has with a harmless text, in the same order."""
        page, plain = Page(to_html(hostile_match(text))), Page(to_html(hostile_match("Ann")))
        assert [(tag, [*attributes]) for tag, attributes in page.tags] == [
            (tag, [*attributes]) for tag, attributes in plain.tags
        ]
        assert page.links == plain.links
        (policy,) = (attributes["content"] for _, attributes in page.tags if attributes.get("http-equiv"))
        assert policy in {attributes.get("content") for _, attributes in plain.tags}

    def test_the_script_reads_its_data(self, text: str) -> None:
        """And the pictures in it are well-formed, whatever the names."""
        document = to_html(hostile_match(text))
        data = data_of(document)
        ET.fromstring(picture(data, 1, 0))
        assert document.count("<script") == document.count("</script>") == 2

    def test_is_short_and_clean(self, text: str) -> None:
        """Nothing but line breaks controls anything, and no text turns the ones after it around."""
        document = to_html(hostile_match(text))
        document.encode()
        assert len(document) < 300_000
        strange = {character for character in document if not character.isprintable()} - {"\n", "\t"}
        assert strange <= {"\u200d", "\u2068", "\u2069"}
        assert strange & {"\u2068", "\u2069"} == set() or "\u05e9" in text

    def test_in_a_notebook(self, text: str) -> None:
        cell = Page(hostile_match(text)._repr_html_())
        assert [tag for tag, _ in cell.tags] == ["p", "iframe"]
        (_, frame) = cell.tags[1]
        assert frame["sandbox"] == "allow-scripts"
        assert Page(frame["srcdoc"] or "").links == Page(to_html(hostile_match(text))).links


def test_names_do_not_disturb_each_other() -> None:
    """Each stands in an element with a writing direction of its own."""
    text = to_html(Match(("\u05d3\u05e0\u05d9", "Bob"), 5, (Game(1, MatchState.new(5)),)))
    assert text.count("<bdi>\u05d3\u05e0\u05d9</bdi>") == 3
    assert text.count("<bdi>Bob</bdi>") == 3


class TestAnalyses:
    """The numbers of an engine, as the record has them."""

    def told(self, path: Path) -> list[tuple[Decision, dict[str, Any]]]:
        """The decisions of a page that have an analysis, each with its table."""
        match, data = small(loaded(path)), data_of(page_of(path))
        tables = [table for step in data["steps"] for table in step.get("said", ())[::-1]]
        decisions = [decision for decision in match.decisions() if decision.analysis is not None]
        assert len(tables) == len(decisions)
        return list(zip(decisions, tables, strict=True))

    @loop.rows(
        "path", ANALYZED, ANALYSIS / "gnubg" / "rollout_3pt-game1.sgf", EXAMPLES / "gnubg" / "match5563468.4ply.txt"
    )
    def test_of_real_records(self, path: Path) -> None:
        for decision, table in self.told(path):
            words = " ".join(table["said"])
            done = [table["rows"][row][0] for row in table["done"]]
            error = decision.error
            assert error is None or f"Error: {error:.3f}" in words
            if (plays := decision.play_analysis) is not None:
                assert (table["title"], table["head"][0]) == ("Plays", "Play")
                assert len(table["rows"]) == min(10, len(plays.candidates)) + (
                    plays.played is not None and plays.played > 9
                )
                assert done == ([] if plays.played is None else [f"{plays.played + 1}. {decision.action}"])
                assert plays.luck is None or "Luck of the roll: " in words
            else:
                assert done == {
                    "roll": ["No double"], "double": ["Double, take", "Double, drop"],
                    "take": ["Double, take"], "drop": ["Double, drop"],
                }[decision.action]  # fmt: skip

    def test_numbers(self) -> None:
        position = Position.start().play("8/5 6/5", "31")
        chances = Chances(0.5512, 0.15, 0.01, 0.125, 0.004)
        best = Candidate("8/5 6/5", position, 0.159, chances, "4-ply", 0.0021, 0.5251)
        other = Candidate("24/23 13/10", position, -0.016, level="2-ply")
        plays = PlayAnalysis((best, other), played=1, luck=-0.05, engine="Engine 1")
        cube = CubeAnalysis(
            0.8, 1.25, chances=chances, level="3-ply", standard_errors=(0.01, None), mwc=(0.6, 0.7, None)
        )
        opening = Event("opening_roll", argument=(1, 3)), Event("play", argument="24/23 13/10")
        answer = Event("double"), Event("take")
        game = Game(
            1, MatchState.new(5), (*opening, *answer), analyses=(None, plays, cube, cube), pending_analysis=plays
        )
        page = to_html(Match(("", ""), 5, (game,)))
        told = [table for step in data_of(page)["steps"] for table in step.get("said", ())]
        assert [len(table.pop("arrows", "")) for table in told] == [2, 0, 0, 2]
        meant = "±: half of a 95% interval"
        assert told == [
            {
                "title": "Plays",
                "head": ["Play", "Equity", "Loss", "Wins % (G, BG)", "Losses % (G, BG)", "Match %", "Level"],
                "rows": [
                    [
                        "1. 8/5 6/5", "+0.159 ± 0.004", "", "55.1 (15.0, 1.0)",
                        "44.9 (12.5, 0.4)", "52.5", "4-ply",
                    ],
                    ["2. 24/23 13/10", "−0.016", "−0.175", "", "", "", "2-ply"],
                ],
                "done": [1],
                "said": ["Error: 0.175", "Luck of the roll: −0.050", "Engine: Engine 1", meant],
                "cost": "0.175",
            },
            {
                "title": "Cube",
                "head": ["Action", "Equity", "Wins % (G, BG)", "Losses % (G, BG)", "Match %"],
                "rows": [
                    ["No double", "+0.800 ± 0.020", "55.1 (15.0, 1.0)", "44.9 (12.5, 0.4)", "60.0"],
                    ["Double, take", "+1.250", "", "", "70.0"],
                    ["Double, drop", "+1.000", "", "", ""],
                ],
                "done": [1, 2],
                "said": ["Best: double, drop", "Error: 0.000", meant, "Level: 3-ply"],
            },
            {
                **told[1], "title": "Answer to the double", "done": [1],
                "said": ["Best: double, drop", "Error: 0.250", meant, "Level: 3-ply"], "cost": "0.250",
            },
            {name: value for name, value in told[0].items() if name != "cost"},
        ]  # fmt: skip
        assert re.findall(r'class="loss">(.*?)<', page[page.index("<nav") :]) == ["−0.175", "−0.250"]

    def test_of_positions(self) -> None:
        """A position that asks what to do has an analysis, and nothing was done."""
        match = load(EXAMPLES / "positions" / "money-jacoby_double-take.txt")
        (step,) = data_of(to_html(match))["steps"]
        (table,) = step["said"]
        assert (table["title"], table["done"], table["said"][0]) == ("Cube", [], "Best: double, take")

    def test_how_many_plays_are_listed(self) -> None:
        match = attrs.evolve(loaded(ANALYZED), games=loaded(ANALYZED).games[:1])
        few = [t for step in data_of(to_html(match, candidates=2))["steps"] for t in step.get("said", ()) if t["done"]]
        assert max(len(table["rows"]) for table in few) == 3
        assert any("The best 2 of " in " ".join(table["said"]) for table in few)

    def test_a_missed_double_is_seen_in_the_list(self) -> None:
        text = page_of(ANALYZED)
        assert '<span class="loss">cube −0.022</span>' in text


class TestBounds:
    """A page ends, and so does the cell of a notebook."""

    def test_a_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page_package, "MAX_POSITIONS", 12)
        match = load(EXAMPLES / "studio" / "MrPurple_-_Lasse_3pt_Backgammon_Studio_2024_05_11_20_10_33.txt")
        text = to_html(match)
        page = Page(text)
        assert len(page.links) == len(data_of(text)["steps"]) == 12
        assert "The record goes on. This page has its first 12 positions." in page.texts["nav"]
        lengths = [len(steps_of(game, 1, 1000).steps) for game in match.games]
        for most, games in ((lengths[0], 1), (lengths[0] + 1, 2), (sum(lengths), 2)):
            monkeypatch.setattr(page_package, "MAX_POSITIONS", most)
            text = to_html(match)
            assert len(data_of(text)["games"]) == games
            assert ("The record goes on" in text) == (most < sum(lengths))

    def test_a_cell(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page_package, "MAX_IN_A_CELL", 5)
        frame = Page(load(GALAXY)._repr_html_()).tags[1][1]
        assert len(Page(frame["srcdoc"] or "").links) == 5
        assert int(frame["height"] or "") <= 600
        assert Page(load(GALAXY)._repr_html_()).texts["p"] == "Match lasse 7-4 gitte, to 7, 7 games"

    def test_a_cell_that_would_be_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page_package, "MAX_CELL_SIZE", 150_000)
        events = Event("opening_roll", argument=(3, 1)), *(Event("resign"), Event("decline")) * 30
        game = Game(1, MatchState.new(7), events[:60], notes=("castle " * 300,) * 60)
        cell = Page(Match(("Ann", "Bob"), 7, (game,))._repr_html_())
        assert [tag for tag, _ in cell.tags] == ["p"]
        assert "Match Ann 0-0 Bob, to 7, 1 game: too large for a notebook" in cell.texts["p"]

    def test_nothing_is_done_twice(self) -> None:
        """An analysis is decoded once."""
        decoded: list[object] = []

        def decode(data: object, _: MatchState) -> CubeAnalysis:
            decoded.append(data)
            return CubeAnalysis(0.5, 0.6)

        match = loaded(CASUAL)
        games = [
            attrs.evolve(game, analyses=tuple(EncodedAnalysis((n, at), decode) for at in range(len(game.events))))
            for n, game in enumerate(match.games)
        ]
        match = attrs.evolve(match, games=tuple(games))
        to_html(match)
        assert len(decoded) == len({*decoded}) > 0


@settings(max_examples=5)
@given(match=strategies.records(matches=strategies.matches(max_games=2, max_turns=5)))
def test_no_record_raises(match: Match) -> None:
    text = to_html(match)
    assert (
        len(Page(text).links)
        == len(data_of(text)["steps"])
        == sum(len(game.steps) for game, at in steps(match) if at == 0)
    )
    assert Page(match._repr_html_()).tags[1][0] == "iframe"
