"""`examples/web` as people use it: by clicks, touch and keys, and how every state looks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

import web_game
from gammonrules import Action, Event, IllegalPlayReason, MatchState, Phase, Player, Win, records
from gammonrules.match import Clock
from web_game import (
    LOST,
    MISPLACED,
    PHONE,
    SIZES,
    Dragging,
    Tab,
    Touching,
    Typing,
    begin,
    can_beaver,
    expect,
    first_to_act,
    is_dance,
    is_offered,
    played,
    to_double,
    to_play,
)

server, table = web_game.server, web_game.table  # fixtures


# --- whole matches ----------------------------------------------------------------------------------------------------


def finish(ann: Tab, bob: Tab) -> None:
    """Play to the end, look at the records, and begin a rematch."""
    while not (tab := first_to_act(ann, bob)).is_there("#rematch:visible"):
        tab.play()
    expect(tab.end).to_contain_text("and the match.")
    with tab.page.expect_download() as download:
        tab.page.focus("#end [data-file='match.mat']")
        tab.press("#end [data-file='match.mat']")
    assert records.load(download.value.path()).players == ("Ann", "Bob")
    with tab.page.expect_popup() as popup:
        tab.page.focus("#end [data-file='match.html']")
        tab.press("#end [data-file='match.html']")
    expect(popup.value.locator("h1")).to_contain_text("Ann")
    popup.value.close()
    pages = [tab.page.evaluate("[location.hash, history.length]") for tab in (ann, bob)]
    for seat in (ann, bob):
        seat.page.focus("#rematch")
        seat.press("#rematch")
    for seat, (table, entries) in zip((ann, bob), pages, strict=True):
        seat.page.wait_for_url(lambda url, table=table: table not in url)
        expect(seat.page.locator("#last")).to_have_attribute("href", re.compile("match.html"))
        expect(seat.said.filter(has_text="starts")).to_be_visible()
        assert seat.page.evaluate("location.hash") != table
        assert seat.page.evaluate("history.length") == entries  # whoever goes back does not come here again


@pytest.mark.long
@pytest.mark.parametrize("kind", [Tab, Touching, Dragging, Typing])
def test_a_whole_match(server, open_page, kind) -> None:
    """Every action by clicks, by touch, by drag, or by keys."""
    server.start()
    ann, bob = begin(server, open_page, kind, **(PHONE if kind in {Tab, Touching} else {}))
    finish(ann, bob)


# --- what a player does -----------------------------------------------------------------------------------------------

ACTIONS: dict[str, tuple[Callable[[MatchState], object], list[str]]] = {
    "roll": (to_double, ["Roll"]),
    "play": (lambda state: state.phase is Phase.TO_PLAY and state.to_act is Player.WHITE, ["Done"]),
    "decline": (to_play, ["Decline"]),
    "next_game": (lambda state: state.result and not state.winner, ["Next game"]),
    "double": (to_double, ["Double", "Yes"]),
    "take": (is_offered, ["Take"]),
    "drop": (is_offered, ["Drop", "Yes"]),
    "beaver": (can_beaver, ["Beaver", "Yes"]),
    "accept": (lambda state: is_offered(state, Phase.RESIGNED), ["Accept"]),
    "resign": (to_play, ["Resign", "Gammon: 2 points"]),
    "Forfeit": (lambda state: to_play(state, Player.BLACK), ["Claim the win", "Yes"]),
}
"""Where each action is possible, and the clicks that it takes; one that may be a mistake takes two."""


def test_every_action_takes_at_most_two_clicks_and_no_dangerous_one_fewer(server, open_page) -> None:
    """A double click on a dangerous button does nothing, nor does Escape, or a question which nobody answers."""
    matches = {do: played(where, None if do == "beaver" else 5) for do, (where, _) in ACTIONS.items()}
    # bots resign what is certain; after that is declined, the game ends by itself
    first_state, log = matches["decline"]
    resignation = Event(Action.RESIGN, Player.BLACK, Win.SINGLE)
    matches["decline"] = first_state, [*log, (resignation, log[-1][1].apply(resignation))]
    for do, match in matches.items():
        server.put(do, match, kinds=("person", "bot" if do == "next_game" else "person"))
    server.start(pause=600, absence=0)
    page, rows = open_page(expected=LOST), set()
    tab = Tab(page)
    for do, (_, [first, *second]) in ACTIONS.items():
        page.goto(server.address(do, Player.WHITE))
        expect(page.locator(tab.button(first)).or_(page.locator("#board .movable").first).first).to_be_visible()
        while not tab.is_there(tab.button(first)):
            tab.move()
        said = tab.said.count()
        rows |= {round(page.locator(tab.button(first)).bounding_box()["y"])} if do != "resign" else set()
        if second:
            page.dblclick(tab.button(first))
            expect(tab.confirm).to_be_hidden()
            there = page.locator(tab.button(first)).bounding_box()
            page.click(tab.button(first))
            expect(tab.confirm.locator(".no")).to_be_focused()
            assert tab.confirm.locator(".no").bounding_box() == pytest.approx(there)
            page.keyboard.press("Escape")
            expect(tab.confirm).to_be_hidden()
            assert tab.said.count() == said
            page.click(tab.button(first))
            page.click(tab.button(second[0]))
        else:
            page.dblclick(tab.button(first))  # which is not more than one click
        expect(tab.said.nth(said)).to_be_attached()
    assert len(rows) == 1
    server.kill()
    for do, (_, log) in matches.items():
        done = [event.get("action", event["type"]) for event in server.log(do)[len(log) :]]
        assert [action for action in done if action != "opening_roll"] == [do]


def test_the_cube_a_resignation_and_the_next_game(table) -> None:
    """An open question closes when the table has gone on, unless that does not change what is asked."""
    ann, bob, watcher = table(played(lambda state: to_double(state) and not any(state.score), 3))
    late = Tab(ann.page.context.new_page())
    late.page.goto(ann.page.url)
    late.press(late.button("Double"))
    bob.press("#resign")
    ann.decide("Double")
    expect(bob.confirm).to_be_hidden()
    for tab in (ann, late):
        expect(tab.confirm).to_be_hidden()
        expect(tab.prompt).to_have_text("\u2068Bob\u2069 is to answer.")
    expect(bob.prompt).to_contain_text("doubles to 2")
    expect(watcher.prompt).to_contain_text("You are watching")
    bob.press(bob.button("Drop"))
    expect(bob.page.locator("#question")).to_have_text("Drop: lose 1 point?")
    late.page.close()
    watcher.page.reload()
    expect(watcher.prompt).to_contain_text("You are watching")
    bob.press("#confirm .no")
    bob.press_and_wait(bob.button("Take"))
    expect(ann.prompt).to_have_text("Move your checkers.")
    bob.press("#resign")
    ann.play()
    expect(bob.prompt).to_have_text("Your turn: roll or double.")
    bob.press_and_wait(bob.button("Single: 2 points"))
    expect(ann.prompt).to_have_text("\u2068Bob\u2069 offers to resign. Single: 2 points.")
    ann.press(ann.button("Accept"))
    expect(ann.page.locator("#question")).to_have_text("Accept: win 2 points? You could still win 4 points.")
    ann.press_and_wait("#confirm .yes")
    for tab in (ann, bob, watcher):
        expect(tab.page.locator(".points").filter(has_text="2/3")).to_be_visible()
        expect(tab.end).to_contain_text("resignation")
        expect(tab.page.locator("#countdown")).to_have_text("Next game in 2 minutes.")
    expect(ann.prompt).to_have_text("You win 2 points: 2-0.")
    expect(ann.end).to_contain_text("The Crawford game is next.")
    assert not watcher.is_there("#buttons button")
    bob.press(bob.button("Next game"))
    expect(ann.prompt).to_contain_text("wants the next game")
    ann.press(ann.button("Next game"))
    for tab in (ann, bob, watcher):
        expect(tab.page.locator("#match")).to_contain_text("Crawford game")


def test_a_resignation_that_is_declined_leaves_half_a_turn_as_it_was(table) -> None:
    """The player is told, and can offer more."""
    ann, bob, _ = table(played(to_play))
    ann.move()
    ann.press("#resign")
    ann.press_and_wait(ann.button("Single: 1 point"))
    bob.press(bob.button("Decline"))
    expect(ann.prompt).to_have_text("\u2068Bob\u2069 declines the resignation. Move your checkers.")
    assert ann.page.evaluate("board.moves.length") == 1
    ann.press("#resign")
    assert ann.page.locator("#answers button").all_inner_texts() == ["Gammon: 2 points", "Backgammon: 3 points"]
    ann.press_and_wait(ann.button("Gammon: 2 points"))
    bob.decide("Accept")
    expect(bob.prompt).to_have_text("You win 2 points (Gammon): 2-0.")


def wins_more_than_they_need(state: MatchState) -> bool:
    at_last = to_play(state, plays=0) and all(play.position.outcome for play in state.legal_plays)
    return at_last and state.cube.value > state.away[Player.WHITE]


def test_the_last_checker_ends_the_match(table) -> None:
    """Without a word more, and nobody has more points than the match has."""
    ann, bob, _ = table(played(wins_more_than_they_need))
    while ann.is_there("#board .movable"):
        ann.move()
    expect(bob.prompt).to_have_text(re.compile("\u2068Ann\u2069 wins [2-8] points and the match: [0-4]-5."))
    expect(bob.page.locator("[data-player=white] .points")).to_have_text("5/5")


def test_the_dice_are_checked(server, open_page) -> None:
    """By the page that has drawn the number, after a reload too; tests/examples/test_web_dice_js.py has false ones."""
    server.start(seed=5)
    page = open_page(server.url, expected=LOST)
    page.select_option("#length", "1")
    page.click("#welcome summary")
    page.fill("#number", "123")
    page.click("#bot")
    tab = Tab(page)
    expect(page.locator("#prompt")).to_contain_text(re.compile("Move|turn"))
    page.click("#fair summary")
    expect(page.locator("#promise")).to_contain_text(re.compile("White is bound to 123[0-9]{57}, Black to [0-9]{60}."))
    watcher = Tab(open_page(re.sub("/seat/.*", "", page.url), expected=LOST))
    expect(watcher.prompt).to_contain_text("You are watching")
    tab.press("#resign")
    tab.press(tab.button("Single: 1 point"))
    expect(page.locator("#check")).to_be_visible()
    page.reload()
    for view, words in (page, "as this page saw .* secret, [0-9a-f]{64}"), (watcher.page, "no number was drawn"):
        view.click("#check")
        expect(view.locator("#proof")).to_contain_text(re.compile(words))
    page.route("**/dice.json", lambda route: route.fulfill(body="nonsense"))
    page.click("#check")
    expect(page.locator("#proof")).to_contain_text("does not show what proves the dice")


def test_a_play_is_taken_back_if_the_other_allows_it(table) -> None:
    """They hear which plays go and which rolls are known; who was refused may ask again after the next event."""
    ann, bob, watcher = table(played(lambda state: to_play(state) and len(state.legal_plays) > 20))
    cells = watcher.page.locator("#said").inner_text()
    dice = ann.page.locator("#board .die:not(.last)").count()
    ann.play()
    ann.press(ann.button("Take back"))
    expect(ann.prompt).to_contain_text("You asked \u2068Bob\u2069 to take back ")
    ann.press(ann.button("Let it stand"))
    for answer in ("Refuse", "Allow it"):
        ann.press(ann.button("Take back"))
        expect(bob.prompt).to_contain_text("\u2068Ann\u2069 asks to take back ")
        if answer == "Allow it":
            expect(bob.page.locator("#advice")).to_have_text(re.compile("Your .+ goes too.The rolls .+, .+ stay, .+"))
        bob.press(bob.button(answer))
        if answer == "Refuse":
            expect(ann.page.locator("#refusal")).to_have_text("\u2068Bob\u2069 refused.")
            expect(ann.page.locator("#take_back")).to_be_disabled()
            bob.play()
            ann.press_and_wait(ann.button("Roll"))
    expect(ann.page.locator("#board .die:not(.last)")).to_have_count(dice)
    assert ann.is_there("#board .movable")
    expect(watcher.said.last).to_have_text(re.compile("\u2068Ann\u2069 takes back .+, and .+ of \u2068Bob\u2069"))
    assert watcher.page.locator("#said").inner_text().startswith(cells)


WITHOUT_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
}"""


def test_every_language_has_every_word(server, open_page) -> None:
    server.start()
    english, *others = open_page(server.url).evaluate(
        "import('/translations.js').then(({ TRANSLATIONS }) => Object.values(TRANSLATIONS))"
    )

    def shape(words: Any) -> Any:
        """The keys, and the fields of the texts. What the server refuses is English anyway, and why."""
        if isinstance(words, dict):
            return {key: shape(text) for key, text in words.items() if key not in {"refused", "reasons"}}
        return [shape(text) for text in words] if isinstance(words, list) else sorted(re.findall("{.*?}", words))

    assert [shape(words) for words in others] == [shape(english)]
    elsewhere = {"nothing_hit", "must_play", "ambiguous", "other_position"}  # not of a checker that is moved
    assert {*others[0]["reasons"]} | elsewhere == {*IllegalPlayReason}


def test_half_a_turn(server, table) -> None:
    """It is kept over a reload, by a browser which stores nothing; Done, twice and in two tabs, is one play."""
    ann, *_ = table(played(to_play))
    ann.page.add_init_script(WITHOUT_STORAGE)
    late = Tab(ann.page.context.new_page())
    late.page.goto(ann.page.url)
    late.move()
    ann.page.reload()
    ann.move()
    moves = ann.page.evaluate("board.moves")
    ann.page.reload()
    expect(ann.page.locator("#board .movable").first).to_be_visible()
    assert len(moves) == 1
    assert ann.page.evaluate("board.moves") == moves
    late.try_wrong()
    expect(late.page.get_by_role("alert").filter(has_text="6/13 does not move forward")).to_be_visible()
    said = ann.said.count()
    while not ann.is_there(ann.button("Done")):
        ann.move()
    ann.page.dblclick(ann.button("Done"))
    for tab in (ann, late):
        expect(tab.said).to_have_count(said + 1)
        expect(tab.prompt).to_contain_text("'s turn")
    assert not late.is_there("#board .movable")


def test_a_double_by_touch(server, open_page) -> None:
    """The question stays open: no click comes after the touch, and closes it."""
    server.put("touched", played(to_double))
    server.start(pause=600)
    tab = Tab(open_page(server.address("touched", Player.WHITE), **PHONE))
    tab.page.locator("#board .cube").tap()
    tab.page.wait_for_timeout(400)
    expect(tab.page.locator("#confirm")).to_be_visible()


# --- the bots and the tutor -----------------------------------------------------------------------------------------


def played_by(page: Any, play: str, state: MatchState) -> None:
    """The board sends this play."""
    moves = [[move.from_point, move.to_point] for move in state.legal_plays.find(play).moves]
    page.evaluate("(moves) => board.dispatchEvent(new CustomEvent('gammon-play', { detail: { moves } }))", moves)


def test_the_tutor_hints_and_warns(server, open_page) -> None:
    """Against a bot, with the judge named; both can be switched off, for good."""
    state = MatchState.new(5).opening_roll(3, 1)
    server.put("table", (state, []), names=("Ann", "Bot"), kinds=("person", "bot"))
    server.start(pause=600, teaches=True)
    page = open_page(server.address("table", Player.WHITE))
    advice = page.locator("#advice")
    page.click("#hint")
    expect(advice).to_contain_text("Best: 8/5 6/5")
    expect(advice).to_contain_text("selftaught 4")
    assert page.evaluate("board.arrows") == [[8, 5], [6, 5]]
    played_by(page, "24/23 6/3", state)
    expect(page.locator("#prompt")).to_have_text(re.compile("24/23 6/3 loses about 0[.]3. points"))
    expect(page.locator("#hint")).to_be_disabled()
    page.click("#buttons button:text-is('Try again')")
    expect(page.locator("#prompt")).to_have_text("Move your checkers.")
    assert page.locator("#said p").count() == 0
    page.click(".tools [popovertarget]")
    for option in ("warnings", "hints"):
        page.click(f"label:has(#{option})")
    page.click("#settings button")
    expect(page.locator("#hint")).to_be_hidden()
    page.reload()
    expect(page.locator("#hint")).to_be_hidden()
    played_by(page, "24/20", state)
    expect(page.locator("#said p")).to_have_count(1)


# --- how it looks -----------------------------------------------------------------------------------------------------


def wrong(tab: Tab) -> None:
    tab.try_wrong()
    expect(tab.page.get_by_role("alert").filter(has_text="forward")).to_be_visible()


def begin_screen(tab: Tab) -> None:
    tab.page.goto(tab.page.url.partition("#")[0])
    expect(tab.page.locator("#start svg")).to_be_visible()


HEBREW = """
const letter = (part) => part[1] ? part : String.fromCharCode(1487 + part.charCodeAt() % 32);
const hebrew = (words) => {
  if (typeof words === "string") return words.replace(/{.*?}|[a-z]/gi, letter);
  if (Array.isArray(words)) return words.map(hebrew);
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, hebrew(word)]));
};
TRANSLATIONS.he = { ...hebrew(TRANSLATIONS.en), direction: "rtl" };
"""
"""A language that is written from right to left: letters of Hebrew, but no words."""


def right_to_left(tab: Tab) -> None:
    tab.page.route(
        "**/translations.js", lambda route: route.fulfill(response=(got := route.fetch()), body=got.text() + HEBREW)
    )
    tab.page.evaluate("sessionStorage.setItem('gammonrules language', 'he')")
    tab.page.reload()
    tab.page.unroute("**/translations.js")
    tab.page.evaluate("sessionStorage.clear()")
    expect(tab.prompt).to_have_text(re.compile("^[\u0590-\u05ff ]+[.]$"))
    tab.move()


def asked(label: str) -> Callable[[Tab], None]:
    """With a question open."""
    return lambda tab: tab.press(tab.button(label))


LONG = ("W" * 18, "\U0001f3b2" * 9 + "\u05d0" * 9)
STATES: dict[str, tuple[Any, Callable[[Tab], None] | None, dict[str, Any]]] = {
    "first": ((to_play,), begin_screen, {"clock": True}),
    "roll": ((to_double,), None, {"clock": True}),
    "double?": ((to_double,), asked("Double"), {"clock": True}),
    "doubled": ((is_offered,), None, {"clock": True}),
    "drop?": ((is_offered,), asked("Drop"), {}),
    "half": ((to_play,), Tab.move, {"clock": True}),
    "reason": ((to_play,), wrong, {}),
    "right-to-left": ((to_play,), right_to_left, {"clock": True}),
    "cannot-move": ((is_dance,), None, {"clock": True}),
    "waits": ((lambda state: to_play(state, Player.BLACK),), None, {"clock": True}),
    "resigned": ((lambda state: is_offered(state, Phase.RESIGNED),), None, {"clock": True}),
    "resign?": ((to_play,), asked("Resign"), {"clock": True}),
    "game-over": ((lambda state: state.result and not state.winner,), None, {"clock": True}),
    "match-over": ((lambda state: state.winner,), None, {"clock": True}),
    "watched": ((to_play,), None, {"clock": True, "player": None}),
    "long-names": ((to_play,), None, {"clock": True, "names": LONG}),
    "long-end": ((lambda state: state.winner,), None, {"clock": True, "names": LONG}),
    "beaver": ((can_beaver, None), None, {"names": LONG}),
}
"""How each is reached (by `played`), what a person does then, and who looks."""


LOOKED_AT = ("first", "roll", "double?", "doubled", "half", "resign?", "game-over", "match-over", "watched")
"""By axe-core too: the others have the same elements at other places."""


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
def test_every_state_in_every_look(server, open_page, violations, picture, whole) -> None:
    """All that is needed is seen without scrolling, can be pressed, and is accessible, also in a question."""
    for name, (reached, _, options) in STATES.items():
        clock = Clock((9, 100), 8) if options.get("clock") else None
        names = options.get("names", ("Ann", "Bob"))
        server.put(name.replace("?", "-"), played(*reached), clock, since=10_000, names=names)  # when it begins to run
    server.start(pause=600)
    tab, seen = Tab(open_page()), list[str]()
    every_look = [*itertools.product(SIZES, ("light", "dark"))]
    for at, (name, (_, do, options)) in enumerate(STATES.items()):
        tab.page.goto("about:blank")  # so that nothing is left of the state before
        tab.page.goto(server.address(name.replace("?", "-"), options.get("player", Player.WHITE)))
        expect(tab.prompt).not_to_be_empty()
        for number, (size, scheme) in enumerate(every_look if whole else every_look[at % 4 :: 4]):
            tab.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            tab.page.emulate_media(color_scheme=scheme)
            if do and (number == 0 or name.endswith("?")):
                tab.page.keyboard.press("Escape")
                tab.page.evaluate(MISPLACED)  # waits for the board: a click on what moves away would scroll
                do(tab)
            seen += [f"{name} {size}: {fault}" for fault in tab.page.evaluate(MISPLACED)]
            if whole or (number == at // 4 % 2 and name in LOOKED_AT):
                seen += [f"{name} {size} {scheme}: {fault}" for fault in violations(tab.page)]
            picture(tab.page, f"{name}-{'x'.join(map(str, size))}-{scheme}", full_page=False)
        # Of a window of 1280 at 200 %, of the narrowest phones, and of laptops.
        for width, height in ((640, 360), (320, 640), (1280, 717), (1280, 800)):
            tab.page.set_viewport_size({"width": width, "height": height})
            faults = tab.page.evaluate(MISPLACED)
            seen += [f"{name} {width}: {fault}" for fault in faults if fault.startswith(("too", "over", "broken"))]
    assert not seen, "\n".join(seen)
