"""`examples/web` when time runs out, people leave, connections are lost, or a browser keeps something."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import web_game
from gammonrules import Player
from gammonrules.match import Clock
from web_game import MISPLACED, Tab, expect, first_to_act, played, to_double, to_play

server, table = web_game.server, web_game.table  # fixtures


def test_a_server_killed_in_mid_turn_loses_nothing(server, table) -> None:
    """The pages notice and go on by themselves, with dice, clocks and the half of a turn; downtime costs no time."""
    ann, bob, _ = table(played(to_play), Clock((100, 100), 2))
    ann.move()
    ann.page.mouse.move(0, 0)  # below the mouse is a mark, and once the board is drawn anew, it comes back late
    expect(bob.prompt).not_to_contain_text("not connected")
    prompts = [tab.prompt.inner_text() for tab in (ann, bob)]  # before the server notices, late, that she has left
    for is_offline, text in ((True, "You are offline"), (False, "")):
        ann.page.context.set_offline(is_offline)
        expect(ann.page.locator("#trouble")).to_have_text(re.compile(text or "^$"))
        assert ann.page.evaluate(MISPLACED) == []
    board = ann.page.inner_html("#board")
    expect(ann.page.locator(".bottom .time")).not_to_have_text("1:40")
    left = clocks(ann)
    server.kill()
    for tab in (ann, bob):
        expect(tab.page.locator("#trouble")).to_contain_text("The connection is lost")
    server.start(seed=2)
    for tab in (ann, bob):
        expect(tab.page.locator("#trouble")).to_be_empty(timeout=20_000)
        assert clocks(tab) == pytest.approx(left, abs=4)
    for tab, text in zip((ann, bob), prompts, strict=True):
        expect(tab.prompt).to_have_text(text)
    assert ann.page.inner_html("#board") == board
    ann.play()
    first_to_act(bob).play()


def clocks(tab: Tab) -> list[float]:
    """The seconds that White and Black have left."""
    times = [tab.page.locator(f".bar-of[data-player={player}] .time").inner_text().split(":") for player in Player]
    return [60 * int(minutes) + float(seconds) for minutes, seconds in times]


def test_a_flag(table) -> None:
    """The clock counts down, and all see that it has run out."""
    ann, bob, watcher = table(played(lambda state: to_play(state, Player.BLACK)), Clock((2, 60), 0))
    bob.play()
    expect(ann.page.locator(".bottom .low")).to_have_text(re.compile("^[01][.]"))
    for tab in (ann, bob, watcher):
        expect(tab.end).to_contain_text("has run out of time")
        expect(tab.page.locator("#refusal")).to_be_empty()


def test_a_claim(table) -> None:
    """Against somebody who has left: a countdown, then a button, which is gone when they come back."""
    ann, bob, watcher = table(played(lambda state: to_play(state, Player.BLACK)), absence=3, width=390, height=844)
    claim = ann.page.locator("#buttons button", has_text="Claim the win")
    for comes_back in (True, False):
        bob.page.goto("about:blank")
        expect(ann.page.locator("#countdown")).to_contain_text("You can claim the win in ")
        expect(ann.page.locator(".bar-of[data-player=black]")).to_contain_text("not connected")
        expect(claim).to_be_visible()
        assert ann.page.evaluate(MISPLACED) == []
        ann.press(ann.button("Claim the win"))
        if comes_back:
            bob.page.go_back()
            expect(claim).to_have_count(0)
            expect(ann.confirm).to_be_hidden()
    ann.press_and_wait("#confirm .yes")
    for tab in (ann, watcher):
        expect(tab.end).to_contain_text("has left")


def test_the_first_screen_connects_to_no_table(server, open_page) -> None:
    """Nor when it is online again, after a table."""
    server.start(pause=600)
    page = open_page(server.url, expected=("ERR_INTERNET_DISCONNECTED",))  # of what it may still ask for
    page.click("#bot")
    page.click(".tools a:text-is('Start page')")
    page.evaluate("() => { WebSocket = function () { window.connects = true; }; }")
    for is_offline, text in ((True, "You are offline: what you do is kept, and sent when you are back."), (False, "")):
        page.context.set_offline(is_offline)
        expect(page.locator("#trouble")).to_have_text(text)
    assert not page.evaluate("window.connects")


def test_an_invitation_is_copied_and_sounds_are_silenced_for_good(server, open_page) -> None:
    """Whoever comes too late can watch."""
    server.start(seed=5)
    page = open_page(server.url, permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("""window.sounds = 0;
      const { connect } = AudioNode.prototype;
      AudioNode.prototype.connect = function (...where) {
        sounds += 1;
        return connect.apply(this, where);
      };""")
    page.select_option("#clock", "fast")
    page.click("#friend")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    expect(page.locator("#watch")).to_be_hidden()  # there is one link to send
    names = page.locator(".name").evaluate_all(
        "(all) => all.map((one) => [one.textContent, one.scrollWidth - one.clientWidth])"
    )
    assert names == [["(nobody yet)", 0], ["Guest", 0]]
    invitation = page.evaluate("navigator.clipboard.readText()")
    guest, late = (open_page(invitation, expected=("ERR_FAILED",)) for _ in range(2))
    guest.route("**/tables/*", lambda route: (route.fetch(), route.abort()), times=1)  # the answer is lost
    for _ in range(2):
        guest.click("#join")
    expect(guest.locator("#prompt")).not_to_be_empty()
    late.click("#again a:text-is('Watch')")
    expect(late.locator("#prompt")).to_contain_text("You are watching")
    page.goto(server.url)
    page.reload()
    page.click("#bot")
    page.locator("#board .movable, #buttons button:text-is('Roll'):visible").first.click()  # chance says who starts
    page.wait_for_function("() => sounds > 0")
    page.click(".tools [popovertarget]")
    page.click("#sound")
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("u")
    page.click("#board .movable")
    expect(page.locator("#sound")).not_to_be_checked()
    assert page.evaluate("sounds") == 0


def test_whatever_the_browser_has_kept_is_no_hindrance(server, table) -> None:
    """Nor is another tab, with which the games are remembered, or a lost network where there is no table."""
    match = played(to_play)
    ann, *_ = table(match)
    page = ann.page.context.new_page()
    for text in "null", '{"games": null, "length": "99", "clock": 5}':
        page.goto(server.url)
        page.evaluate("(text) => localStorage.setItem('gammonrules', text)", text)
        page.reload()
        assert [page.input_value(f"#{field}") for field in ("length", "clock")] in (["5", "none"], ["1", "none"])
        page.goto(ann.page.url)
        page.evaluate("(turn) => history.replaceState({ turn, moves: 5 }, '')", len(match[1]))
        page.reload()
        expect(page.locator("#board .movable").first).to_be_visible()
    page.goto(server.url)
    page.evaluate("['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))")
    page.click("#bot")
    expect(page.locator("#prompt")).not_to_be_empty()
    ann.page.reload()
    expect(ann.prompt).not_to_be_empty()
    page.goto(server.url)
    expect(page.locator("#again a")).to_have_count(2)


@pytest.mark.parametrize("lost", ["token", "roll"])
def test_a_connection_that_has_died_unnoticed(server, open_page, lost) -> None:
    """A page whose message has no answer connects again, and sends it again."""
    server.put("table", played(to_double))
    server.start()
    page = open_page()
    page.clock.install()
    routes: list[Any] = []

    def lose(route: Any) -> None:
        routes.append(route)
        passed, is_first = route.connect_to_server(), len(routes) == 1
        route.on_message(lambda text: None if is_first and lost in text else passed.send(text))

    page.route_web_socket(re.compile("/tables/"), lose)
    page.goto(server.address("table", Player.WHITE))
    tab = Tab(page)
    if lost == "token":
        while not routes:
            page.wait_for_timeout(20)
        page.clock.fast_forward(10_000)
        expect(page.locator(tab.button("Roll"))).to_be_enabled()
        assert len(routes) == 2
        return
    page.click(tab.button("Roll"))
    expect(tab.said).not_to_have_count(0)
    said = tab.said.count()
    page.clock.fast_forward(10_000)
    expect(tab.said.nth(said)).to_be_attached()
    assert len(routes) == 2
    assert page.evaluate("(dispatchEvent(new Event('online')), document.querySelector('#buttons').inert)")


def test_a_resignation_that_comes_too_late_is_answered(server, open_page) -> None:
    """Two messages that cross: the player is told, and can offer it again."""
    match = played(to_play)
    server.put("table", match)
    server.start()
    ann, bob = (Tab(open_page()) for _ in Player)
    late: list[Callable[[], None]] = []
    most = [len(match[1])]

    def delay(route: Any) -> None:
        def pass_on(text: str) -> None:
            is_new = json.loads(text).get("number", 0) > most[0]
            late.append(lambda: route.send(text)) if is_new else route.send(text)

        route.connect_to_server().on_message(pass_on)

    bob.page.route_web_socket(re.compile("/tables/"), delay)
    for tab, player in ((bob, Player.BLACK), (ann, Player.WHITE)):
        tab.page.goto(server.address("table", player))
        expect(tab.prompt).not_to_be_empty()
    ann.play()
    bob.press("#resign")
    bob.press(bob.button("Single: 1 point"))
    expect(bob.page.locator("#refusal")).to_have_text("The table has gone on since you sent this.")
    most[0] += 10
    for tell in late:
        tell()
    bob.press("#resign")
    bob.press_and_wait(bob.button("Single: 1 point"))
