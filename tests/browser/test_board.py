"""The element `<gammon-board>`: it offers exactly the legal moves, shows what the library draws, and loses no input.

`Chromium` and `firefox.Firefox` have the same few methods, so that the same tests run in both. Every page has the
strictest policy.
"""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import pytest

import firefox
import loop
import wording
from boards import position_of, random_board
from fuzzing.tables import random_table
from gammonrules import BrokenRule, Dice, MatchState, Player, Position, draw
from gammonrules.board import Plays

if TYPE_CHECKING:
    from playwright.sync_api import Page

POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self';"
    " require-trusted-types-for 'script'"
}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<script src="board.js"></script><script src="page.js"></script></head>
<body><main><h1>A board</h1><gammon-board speed="0"></gammon-board></main></body>"""
SCRIPT = Path(__file__).with_name("board_page.js").read_text(encoding="utf-8")
MEANS = ("drag", "click", "keys", "touch")


class Chromium:
    """A page of Chromium, with the methods of `firefox.Firefox`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.evaluate = page.evaluate
        self.press = page.keyboard.press
        self.devtools = page.context.new_cdp_session(page)

    def open(self, url: str) -> None:
        self.page.goto(url)

    def pointer(self, places: Sequence[tuple[float, float]], kind: str = "mouse", button: int = 0) -> None:
        mouse, (first, *others) = self.page.mouse, places
        if kind == "touch":
            self.touch("Start", first)
            for place in others:
                self.touch("Move", place)
            self.touch("End")
            return
        mouse.move(*first)
        name: Any = ("left", "middle", "right")[button]
        mouse.down(button=name)
        for place in others:
            mouse.move(*place)
        mouse.up(button=name)

    def touch(self, kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        self.devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def served(files: dict[str, str], serve: Callable[..., str], folders: pytest.TempPathFactory) -> str:
    folder = folders.mktemp("page")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return serve(folder, POLICY)


def opened(chromium: str, request: pytest.FixtureRequest, url: str) -> Any:
    """This fixture, or the page in Firefox."""
    if request.param == "chromium":
        return request.getfixturevalue(chromium)
    page = request.getfixturevalue("a_firefox")
    page.open(url)
    return page


@pytest.fixture(scope="module")
def url(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    files = {"index.html": PAGE, "board.js": draw.board_js(), "page.js": SCRIPT}
    return served(files, serve, tmp_path_factory)


@pytest.fixture(scope="module")
def a_firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[firefox.Firefox]:
    with firefox.opened(tmp_path_factory.mktemp("firefox")) as page:
        yield page


@pytest.fixture
def chromium(open_page: Callable[..., Page], url: str) -> Chromium:
    return Chromium(open_page(url, expected=("favicon",), has_touch=True))


@pytest.fixture(params=["chromium", "firefox"])
def page(request: pytest.FixtureRequest, url: str) -> Any:
    """The page with the board, in each browser."""
    return opened("chromium", request, url)


def view_of(state: MatchState, **look: Any) -> dict[str, Any]:
    look = {"bottom": state.on_roll, **look}
    return {"svg": draw.svg.table(state, **look), "tree": state.legal_plays.tree().data}


def turns(rng: random.Random) -> Iterator[MatchState]:
    """The turns of random games."""
    while True:
        state = MatchState.new(1).opening_roll(*rng.sample(range(1, 7), 2))
        while state.result is None:
            yield state
            state = state.play(rng.choice(state.legal_plays))
            if state.result is None:
                state = state.roll(Dice.random(rng))


Moves: TypeAlias = list[tuple[int, int]]


def orders(plays: Plays, most: int, rng: random.Random) -> Iterator[tuple[Moves, Moves]]:
    """The beginnings of the legal orders of moves, each with what can follow; of very many a sample."""
    waiting: list[Moves] = [[]]
    while waiting and most:
        so_far = waiting.pop(rng.randrange(len(waiting)))
        following = [(move.from_point, move.to_point) for move in plays.next_moves(so_far)]
        yield so_far, following
        waiting += [[*so_far, move] for move in following]
        most -= 1


def flat(moves: Moves) -> str:
    """As JavaScript writes them."""
    return ",".join(str(point) for move in moves for point in move)


def ends(plays: Plays, source: int, so_far: Sequence[tuple[int, int]]) -> set[int]:
    """Everything that one checker can reach, asked move by move."""
    reached = set[int]()
    for move in plays.next_moves(so_far):
        if move.from_point == source:
            further = [*so_far, (source, move.to_point)]
            reached |= {move.to_point} | ends(plays, move.to_point, further)
    return reached


LOOKS = [
    *({"theme": theme} for theme in ("light", "dark", "print", "colorblind", "auto")),
    {"theme": attrs.evolve(draw.svg.THEMES["dark"], felt="#1d4d3a", white="#fed")},
    *({"bottom": player, "home": home} for player in Player for home in ("left", "right")),
    {"header": False, "footer": False, "numbers": "off"},
    {"numbers": "fixed", "size": 500, "names": ("<Ann>", "Bob")},
    *({"layout": "portrait", "bottom": player, "home": home} for player in Player for home in ("left", "right")),
]
KINDS_OF_PICTURES = [
    {"look": look, "layout": layout} for look in ("flat", "depth") for layout in ("landscape", "portrait")
]
SHORTLY = [("auto", KINDS_OF_PICTURES[0]), ("auto", KINDS_OF_PICTURES[3])]


@pytest.mark.parametrize(("count", "most"), [(8, 12), pytest.param(1000, 300, marks=pytest.mark.long)])
def test_every_legal_order_can_be_made_and_no_other_and_the_board_is_as_drawn(
    chromium: Chromium, count: int, most: int
) -> None:
    rng = random.Random(count)
    sample = itertools.islice(turns(rng), 0, None, 1 if count > 100 else 9)
    for state in itertools.islice(sample, count):
        look = {"bottom": state.on_roll, "look": rng.choice(["flat", "depth"]), **rng.choice(LOOKS)}
        plays = state.legal_plays
        flip = rng.random() < 0.5
        chromium.evaluate("flip => { board.flip = flip; }", flip)
        stages = {}
        for number, (so_far, following) in enumerate(orders(plays, most, rng)):
            svg = reached = None
            if number < 12:
                svg = draw.svg.table(state, **look, so_far=so_far)
                reached = {str(source): sorted(ends(plays, source, so_far), reverse=True) for source, _ in following}
            stages[flat(so_far)] = [" ".join(sorted(flat([move]) for move in following)), reached, svg]
        view = view_of(state, **look | {"bottom": look["bottom"].opponent if flip else look["bottom"]})
        wrong = chromium.evaluate("wrongStages", [view, look.get("numbers") != "off", stages])
        assert wrong == [[], []], (state.xgid, look, flip)


# --- by hand: pointers, fingers and keys ------------------------------------------------------------------------------


def place(page: Any, number: int, player: Player) -> tuple[float, float]:
    return page.evaluate("placeOf", [number, player])


def focus_on(page: Any, number: int) -> None:
    """By keys, as far as it takes."""
    for _ in range(20):
        if not (key := page.evaluate("keyTo", number)):
            return
        page.press(key)
    raise AssertionError(f"no key leads to {number}")


def one_move(page: Any, state: MatchState, means: str, rng: random.Random, so_far: Moves) -> None:
    """A random move made by these means; `so_far` gets it."""
    plays, player = state.legal_plays, state.on_roll
    source = rng.choice(sorted({move.from_point for move in plays.next_moves(so_far)}))
    dice = list(plays.dice_left(so_far))
    if means in {"click", "touch"} and not so_far and not plays.dice.is_doublet and rng.random() < 0.3:
        page.pointer([page.evaluate("() => middle(board.querySelector('.die:not(.last)'))")], "mouse")
        dice.sort()
    moves = {move.die: move.to_point for move in plays.next_moves(so_far) if move.from_point == source}
    die = next(die for die in dice if die in moves or any(small < die and not moves[small] for small in moves))
    target = moves.get(die, 0)
    start = place(page, source, player)
    if means == "keys":
        focus_on(page, source)
        if rng.random() < 0.5:
            page.press("Enter")
        else:
            die, target = rng.choice(sorted(moves.items()))
            page.press(str(die))
    elif means == "click" or (means == "touch" and rng.random() < 0.5):
        page.pointer([start], "mouse" if means == "click" else "touch")
    else:
        reached = rng.choice(sorted(ends(plays, source, so_far)))
        end = place(page, reached, player)
        end = end[0], end[1] + rng.uniform(-60, 60) * bool(reached)  # the trays of a portrait are low
        path = [start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
        page.pointer(path, "mouse" if means == "drag" else "touch")
        made = [tuple(move) for move in page.evaluate("() => board.moves")]
        assert made[: len(so_far)] == so_far
        assert (made[len(so_far)][0], made[-1][1]) == (source, reached), made
        so_far[:] = made
        return
    so_far.append((source, target))
    assert page.evaluate("() => board.moves") == [list(move) for move in so_far], (state.xgid, means)


@pytest.mark.parametrize(
    ("means", "most"), [(MEANS, 4), *(pytest.param([means], 1000, marks=pytest.mark.long) for means in MEANS)]
)
def test_a_match_is_played(page: Any, means: Sequence[str], most: int) -> None:
    rng = random.Random(3)
    for state in itertools.islice(turns(rng), most):
        page.evaluate("show", view_of(state, bottom=Player.WHITE, **rng.choice(KINDS_OF_PICTURES)))
        so_far: Moves = []
        by = means[rng.randrange(len(means))]
        if by == "keys":
            page.evaluate("() => board.focus()")
        while state.legal_plays.next_moves(so_far):
            one_move(page, state, by, rng, so_far)
            if (len(so_far) > 1 or by == "keys") and rng.random() < 0.1:
                page.evaluate("() => board.undo()") if by != "keys" else page.press("u")
                so_far.pop()
        if by == "keys":
            while page.evaluate("() => board.shadowRoot.activeElement?.id") != "done":
                page.press("Tab")
            page.press("Enter")
        else:
            if not so_far:
                time.sleep(0.6)  # at once it would be the second of a double click
            page.pointer([page.evaluate("buttonOf", "done")], "touch" if by == "touch" else "mouse")
        [name, detail] = page.evaluate("played")
        assert (name, detail["moves"]) == ("play", [list(move) for move in so_far])
        if state.legal_plays.find(so_far).position.outcome:
            return


def test_a_checker_is_borne_off_by_both_dice_where_one_alone_may_not(page: Any) -> None:
    """3/off would leave no 1: a checker dragged off plays 3/2/off, and the key of the 3, one die, is refused."""
    plays = Position.of(mine={3: 1, 2: 1}, theirs={24: 2, 1: 13}).legal_plays("31")
    view = {"svg": draw.svg.board(plays.position, dice="31"), "tree": plays.tree().data}
    page.evaluate("show", view)
    page.pointer([place(page, 3, Player.WHITE), (9, 9), place(page, 0, Player.WHITE)])
    assert page.evaluate("() => [board.moves, board.complete]") == [[[3, 2], [2, 0]], True]
    page.evaluate("view => { show(view); heard = []; board.focus(); }", view)
    focus_on(page, 3)
    page.press("3")
    assert page.evaluate("() => heard") == [["refuse", {"from": 3, "to": 0, "moves": []}]]


# --- what a page can have without its server -------------------------------------------------------------------------


def random_marks(rng: random.Random) -> dict[str, Any]:
    moves = [(rng.randint(1, 25), rng.randint(0, 24)) for _ in range(4)]
    arrows, (made,) = [move for move in moves[1:] if move[0] != move[1]], moves[:1]
    both = [move for move in arrows[:1] if not {*move} & {*made}]
    return {"highlight": rng.sample(range(26), 3), "arrows": arrows, "made": [made] * (made[0] != made[1]) + both}


@pytest.mark.parametrize("count", [15, pytest.param(300, marks=pytest.mark.long)])
def test_flip_highlight_and_arrows_look_as_the_library_draws_them(chromium: Chromium, count: int) -> None:
    """In the picture or by the page, with everything that a table shows."""
    rng = random.Random(count)
    show = """([view, marks, svg]) => {
        Object.assign(board, { flip: true, highlight: null, arrows: null, made: null }, marks);
        show(view);
        return unlike(svg);
    }"""
    for _ in range(count):
        state, marks = random_table(rng), random_marks(rng)
        homes, numbers = ("left", "right"), ("turning", "fixed", "off")
        look: dict[str, Any] = {"home": rng.choice(homes), "numbers": rng.choice(numbers)} | rng.choice(
            KINDS_OF_PICTURES
        )
        look |= {"theme": rng.choice([*draw.svg.THEMES]), "last_dice": "61", "last_play": [(24, 18), (13, 8)]}
        look |= dict.fromkeys(("header", "footer"), rng.random() < 0.7)
        should = draw.svg.table(state, bottom=Player.BLACK, **look, **marks)
        for in_picture, by_page in ((marks, {}), ({}, marks)):
            view = {"svg": draw.svg.table(state, bottom=Player.WHITE, **look, **in_picture)}
            assert chromium.evaluate(show, [view, by_page, should]) == [[], []], (state, look, marks)


@pytest.mark.parametrize("kind", KINDS_OF_PICTURES)
def test_the_chosen_checker_and_where_it_can_go_are_ringed(chromium: Chromium, kind: dict[str, Any]) -> None:
    """As the library draws targets; and a strong ring, which is not left behind by the focus or the mouse."""
    look = {"bottom": Player.WHITE, "theme": "colorblind", **kind}
    for state in (OPENING, BEARING_OFF):
        plays = state.legal_plays
        for source in {move.from_point for move in plays.next_moves()}:
            view = view_of(state, **look)
            view["targets"] = draw.svg.table(state, targets=ends(plays, source, []), **look)
            [is_, should, rings] = chromium.evaluate(
                """([view, source]) => {
                    show(view);
                    hover(group(source, "white"));
                    const rings = root => whole(root).filter(one => /class=(halo|target)/.test(one));
                    const chosen = [...board.querySelectorAll(".chosen")].map(({ parentNode }) => numberOf(parentNode));
                    for (const ring of board.querySelectorAll(".chosen")) ring.previousSibling.remove(ring.remove());
                    return [rings(board), rings(parsed(view.targets)), chosen];
                }""",
                [view, source],
            )
            assert (is_, rings) == (should, [source]), (state, source)
    chromium.evaluate("() => board.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }))")


def test_arrows_are_drawn_by_the_right_button(page: Any) -> None:
    page.evaluate("""view => {
        Object.assign(board, { flip: false, highlight: null, arrows: [] });
        addEventListener("gammon-draw", ({ detail }) => heard.push(["draw", detail]));
        addEventListener("contextmenu", event => heard.push(["menu", event.defaultPrevented]));
        show(view);
    }""", view_of(OPENING, bottom=Player.WHITE))  # fmt: skip
    start, end, other = (place(page, number, Player.WHITE) for number in (24, 18, 20))
    arrows = "() => [...board.querySelectorAll('.arrow')].map(arrow => [arrow.dataset.from, arrow.dataset.to])"
    page.pointer([start, end], "mouse", 2)
    page.pointer([end, other, place(page, 0, Player.WHITE)], "mouse", 2)
    page.pointer([start, (5, 5)], "mouse", 2)  # to nowhere
    page.pointer([other], "mouse", 2)
    assert page.evaluate(arrows) == [["24", "18"], ["18", "off"]]
    assert page.evaluate("() => board.drawn") == [[24, 18], [18, 0]]
    page.pointer([start, end], "mouse", 2)  # once more: it goes
    assert page.evaluate(arrows) == [["18", "off"]]
    assert page.evaluate("() => heard.filter(([kind]) => kind === 'menu').every(([, prevented]) => prevented)")
    page.pointer([other])
    drawn = page.evaluate("() => heard.splice(0).filter(([kind]) => kind === 'draw').map(([, { arrows }]) => arrows)")
    assert drawn == [[[24, 18]], [[24, 18], [18, 0]], [[18, 0]], []]
    page.evaluate("() => { board.arrows = [[13, 8]]; }")
    page.pointer([start, end], "mouse", 2)
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    assert page.evaluate(arrows) == [["13", "8"]]  # those of the page stay


def test_a_click_makes_a_point(page: Any) -> None:
    """Empty or with a blot, if two checkers can go there; a click on another empty point is none."""
    theirs = {24: 2, 20: 1, 13: 5, 6: 5, 8: 2}
    blot = MatchState(Position.of(mine={24: 2, 13: 5, 8: 3, 6: 5}, theirs=theirs), Player.WHITE, "31", length=7)
    for state in (MatchState.new(7).opening_roll(3, 1), blot):
        page.evaluate("view => { show(view); heard = []; }", view_of(state, bottom=Player.WHITE))
        for number in (9, 10, 4, 5):
            page.pointer([place(page, number, Player.WHITE)])
        assert sorted(page.evaluate("() => heard.at(-1)[1].moves")) == [[6, 5], [8, 5]]
        assert page.evaluate("() => heard.length") == 1


LABELS = {"roll": "Roll", "double": "Double from 1", "take": "Take at 2"}


def test_the_cube_and_the_dice_to_roll_are_clicked(page: Any) -> None:
    """And only what the page says; a click elsewhere is nothing, and neither is the second of a double click."""
    to_roll = OPENING.play("24/18 18/13")
    doubled = to_roll.double()
    places = "() => [...board.querySelectorAll('[data-action]')].map(one => [one.dataset.action, one.ariaLabel])"
    for state, flip, offered in (
        (to_roll, False, ["double", "roll"]),
        (to_roll, True, ["double", "roll"]),
        (doubled, False, ["take"]),
    ):
        view = {"svg": draw.svg.table(state), "actions": sorted(state.legal_actions)}
        for action in offered:
            page.evaluate("([view, flip]) => { board.flip = flip; show(view); heard = []; }", [view, flip])
            assert sorted(page.evaluate(places)) == [[place, LABELS[place]] for place in offered]
            page.pointer([place(page, 20, Player.WHITE)])
            where = page.evaluate("action => middle(board.querySelector(`[data-action=${action}]`))", action)
            page.pointer([where])
            assert page.evaluate("() => heard") == [["action", {"action": action}]]
            page.evaluate("view => { show(view); heard = []; }", view)  # it was refused
            page.evaluate(
                """action => { for (let click = 0; click < 2; click++) {
                    const event = new MouseEvent("click", { bubbles: true });
                    board.querySelector(`[data-action=${action}] rect`).dispatchEvent(event);
                } }""",
                action,
            )
            assert page.evaluate("() => heard") == [["action", {"action": action}]]
            assert len(page.evaluate(places)) == len(offered)
    page.evaluate("view => show(view)", view | {"actions": ["take", "<b>", "x", "x"]})
    assert page.evaluate(places) == [["take", LABELS["take"]]]
    page.evaluate("view => show(view)", view | {"actions": []})
    assert page.evaluate(places) == []


FROM_OUTSIDE = """view => {
    const heading = document.querySelector("h1");
    heading.tabIndex = -1;
    heading.focus();
    show(view);
    heard = [];
}"""


def test_enter_alone_decides_nothing_about_points(page: Any) -> None:
    """It rolls; the cube is never the first stop, and asks once, anew where the focus has been elsewhere."""
    to_roll = OPENING.play("24/18 18/13")
    reason = "() => board.shadowRoot.querySelector('#reason:not([hidden])')?.textContent ?? ''"
    for state, action, alone in ((to_roll, "double", ["roll"]), (to_roll.double(), "take", [])):
        view = {"svg": draw.svg.table(state), "actions": sorted(state.legal_actions)}
        for lead in ("focus", "Tab"):
            page.evaluate(FROM_OUTSIDE, view)
            page.evaluate("() => board.focus()") if lead == "focus" else page.press("Tab")
            for _ in range(3):
                page.press("Enter")
            assert page.evaluate("() => heard.splice(0).map(([, { action }]) => action)") == alone, (action, lead)
            page.evaluate("view => { show(view); heard = []; }", view)
            for key in ("Tab", "Enter", "Shift+Tab", "Tab", "Enter"):
                page.press(key)
            assert page.evaluate("() => heard") == []
            assert page.evaluate(reason).startswith(LABELS[action])
            page.press("Enter")
            assert page.evaluate("() => heard.splice(0)") == [["action", {"action": action}]]
    page.evaluate("view => { board.words = { ask: '' }; show(view); board.focus(); }", view)
    for key in ("Tab", "Enter"):
        page.press(key)
    assert page.evaluate("() => heard") == [["action", {"action": "take"}]]  # the page asks itself


FAR = {"theirs": {6: 2, "off": 13}}
BY_THEMSELVES: dict[str, tuple[dict[str, Any], str, str, list[list[int]] | None]] = {
    "the only play": ({"mine": {20: 1, "off": 14}, **FAR}, "65", "forced", [[20, 14], [14, 9]]),
    "a dance": ({"mine": {"bar": 1, 6: 14}, "theirs": {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}}, "65", "forced", []),
    "both dice": ({"mine": {6: 2, 5: 2, "off": 11}, **FAR}, "65", "forced bear-off", [[6, 0], [5, 0]]),
    "a doublet": ({"mine": {6: 1, 5: 1, 2: 3, "off": 10}, **FAR}, "66", "bear-off", [[6, 0], [5, 0], [2, 0], [2, 0]]),
    "one die does not": ({"mine": {6: 2, 5: 2, "off": 11}, **FAR}, "61", "bear-off", None),
    "contact": ({"mine": {6: 2, 5: 2, "off": 11}, "theirs": {24: 2, "off": 13}}, "65", "bear-off", None),
    "not wanted": ({"mine": {6: 2, 5: 2, "off": 11}, **FAR}, "65", "", None),
}


@loop.over("case", BY_THEMSELVES)
def test_turns_that_play_by_themselves(chromium: Chromium, case: str) -> None:
    """The only play, and bearing off with every die, where the page wants it and the person does nothing else."""
    sides, dice, auto, moves = BY_THEMSELVES[case]
    position = Position.of(**sides)
    view = {"svg": draw.svg.board(position, dice=dice), "tree": position.legal_plays(dice).tree().data}
    heard = chromium.evaluate(
        """async ([view, auto, isAwaited]) => {
            const plays = () => heard.filter(([kind]) => kind === "play");
            board.setAttribute("auto", auto);
            show(view);
            heard = [];
            for (let tries = 0; tries < (isAwaited ? 500 : 3) && !plays().length; tries++) {
                await new Promise(go => setTimeout(go, 20));
            }
            return plays();
        }""",
        [view, auto, moves is not None],
    )
    assert heard == ([] if moves is None else [["play", {"moves": moves}]])


def test_a_turn_that_plays_by_itself_ends_where_the_page_goes_on(chromium: Chromium) -> None:
    """Also while the play of the other side is still being shown, and the picture of the turn is there."""
    others = {6: 2, 8: 2}
    turn = Position.of(mine={"bar": 2, 7: 1}, theirs={13: 2, **others})  # one checker enters by the 1, and that is all
    next_view = {
        "svg": draw.svg.board(Position.of(mine={"bar": 2, 7: 1}, theirs={11: 2, **others})),
        "play": [[13, 12], [13, 12], [12, 11], [12, 11]],
    }
    chromium.page.emulate_media(reduced_motion="no-preference")
    heard = chromium.evaluate(
        """async ([view, next]) => {
            Object.assign(board, { speed: 50, auto: "forced" });
            await show(view);
            heard = [];
            await show(next);
            return heard;
        }""",
        [{"svg": draw.svg.board(turn, dice="61"), "tree": turn.legal_plays("61").tree().data}, next_view],
    )
    assert heard == []


def test_a_page_reads_back_what_is_on_the_board(chromium: Chromium) -> None:
    assert chromium.evaluate("() => [board.side, board.tree, board.view, board.highlight]") == [None, None, None, None]
    chromium.evaluate("view => show({ ...view, tree: JSON.stringify(view.tree), moves: [[24, 18]] })", view_of(OPENING))
    read = "() => [board.side, board.moves, board.tree.dice, board.flip, board.arrows, board.drawn]"
    assert chromium.evaluate(read) == ["white", [[24, 18]], [6, 5], False, [], []]
    assert chromium.evaluate("() => board.tree") == TREE
    finished = "svg => { board.view = { svg: policy.createHTML(svg) }; return [board.side, board.tree, board.moves]; }"
    assert chromium.evaluate(finished, draw.svg.table(OPENING.play("24/18 18/13"))) == ["black", None, []]


AGAIN = {
    "as it is": "board.view = board.view",
    "as a framework makes it anew": "board.view = { ...board.view, tree: structuredClone(view.tree) }",
    "in other forms": "board.view = { svg: parsed(view.svg).documentElement, tree: JSON.stringify(view.tree) }",
    "in the page": "board.replaceChildren(parsed(view.svg).documentElement)",
    "its tree": "board.tree = view.tree",
    "its marks": "board.highlight = [13, 8]; board.words = { undo: 'Undo' }; board.setAttribute('theme', 'dark')",
}


@loop.over("how", AGAIN)
def test_an_equal_view_that_is_assigned_again_changes_nothing(chromium: Chromium, how: str) -> None:
    """The moves stay, and what is in the hand; `show` begins the turn again."""
    view, mouse = view_of(OPENING, bottom=Player.WHITE), chromium.page.mouse
    again = "async view => { AGAIN; await null; }".replace("AGAIN", AGAIN[how])
    marks = "board.highlight = [13, 8]; board.setAttribute('theme', 'dark'); board.tree = view.tree"
    chromium.evaluate(f"async view => {{ {marks}; await null; show({{ ...view, moves: [[24, 18]] }}); }}", view)
    mouse.move(*place(chromium, 18, Player.WHITE))
    mouse.down()
    mouse.move(*place(chromium, 13, Player.WHITE))
    before = chromium.evaluate("() => board.innerHTML")
    chromium.evaluate(again, view)
    assert (chromium.evaluate("() => board.innerHTML"), moves_of(chromium)) == (before, "24,18")
    mouse.up()
    assert moves_of(chromium) == "24,18,18,13"
    chromium.evaluate("show", view)
    assert moves_of(chromium) == ""


def test_a_turn_that_did_not_arrive_is_open_again(page: Any) -> None:
    """The view assigned once more has its moves, as often as that; with other moves it has these."""
    view = view_of(OPENING, bottom=Player.WHITE)
    page.evaluate("show", view | {"moves": [[24, 18]]})
    page.evaluate("() => { board.view = { ...board.view, moves: [[13, 8]] }; }")
    assert moves_of(page) == "13,8"
    page.pointer([place(page, 24, Player.WHITE)])
    for assigned in ("board.view", "{ ...board.view, moves: [[13, 8]] }", "{ ...board.view, moves: null }"):
        page.evaluate("() => board.done()")
        assert page.evaluate("() => [board.complete, board.moves.length]") == [False, 2]
        page.evaluate(f"() => {{ board.view = {assigned}; }}")
        assert page.evaluate("() => [board.complete, String(board.moves)]") == [True, "13,8,24,18"]
        assert page.evaluate("played") == ["play", {"moves": [[13, 8], [24, 18]]}]
    page.pointer([page.evaluate("buttonOf", "undo")])
    assert moves_of(page) == "13,8"


def test_a_copy_is_a_picture_of_the_board(chromium: Chromium) -> None:
    """In the middle of a turn and turned round: nobody moves on it, and its own `flip` turns it."""
    copies = chromium.evaluate(
        """view => {
            board.flip = true;
            show({ ...view, moves: [[24, 18]] });
            const copy = board.cloneNode(true);
            document.body.append(copy);
            const count = () => copy.querySelectorAll(".checker").length;
            const first = () => [copy.tree, copy.querySelector(".point").dataset.point, count()];
            return [first(), (copy.flip = false, first())];
        }""",
        view_of(OPENING, bottom=Player.WHITE),
    )
    assert copies == [[None, "24", 30], [None, "1", 30]]


def test_colors_by_theme_and_by_custom_properties(chromium: Chromium) -> None:
    """The page's are the last word, then the theme of the element, then the picture."""
    parts = "['.felt', '.checker.white', '.arrow', '.point .highlight']"
    fill = f"() => {parts}.map(part => getComputedStyle(board.querySelector(part)).fill)"
    chromium.evaluate("view => { board.arrows = [[24, 18]]; show(view); }", view_of(OPENING, theme="dark"))

    def colors(theme: draw.svg.Theme) -> list[str]:
        names = (theme.felt, theme.white, theme.arrow, theme.highlight)
        return [f"rgb({', '.join(str(int(name[at : at + 2], 16)) for at in (1, 3, 5))})" for name in names]

    assert chromium.evaluate(fill) == colors(draw.svg.THEMES["dark"])
    chromium.evaluate("() => board.setAttribute('theme', 'colorblind')")
    assert chromium.evaluate(fill) == colors(draw.svg.THEMES["colorblind"])
    chromium.evaluate(
        "() => { styled('gammon-board { --gammon-felt: #123456 }'); board.setAttribute('theme', 'auto'); }"
    )
    assert chromium.evaluate(fill) == colors(attrs.evolve(draw.svg.THEMES["light"], felt="#123456"))
    chromium.page.emulate_media(color_scheme="dark")
    assert chromium.evaluate(fill) == colors(attrs.evolve(draw.svg.THEMES["dark"], felt="#123456"))
    for hostile in ('"] { x', "nonsense", ""):
        chromium.evaluate(
            """text => {
                const told = (event) => event.preventDefault();
                addEventListener("error", told);
                board.setAttribute("theme", text);
                removeEventListener("error", told);
                board.style.setProperty("--gammon-deep", text);
            }""",
            hostile,
        )
    assert chromium.evaluate(fill)[1:] == colors(draw.svg.THEMES["dark"])[1:]


@loop.rows(
    ("name", "value"),
    *(("highlight", value) for value in (5, [26], ["13"], [1.5], [1] * 101)),
    *(("arrows", value) for value in ("13/8", [13], [[13]], [["13", 8]], [[13, 8]] * 101)),
    *(("made", value) for value in ("13/8", [[13]], [[13, 26]])),
)
def test_marks_that_are_none_leave_the_board_as_it_was(chromium: Chromium, name: str, value: object) -> None:
    [error, message, is_same] = chromium.evaluate(
        """([view, name, value]) => {
            show(view);
            const before = board.innerHTML;
            try { board[name] = value; return ["nothing"]; }
            catch (error) { return [error.name, error.message, board.innerHTML === before]; }
        }""",
        [view_of(OPENING), name, value],
    )
    assert (error, is_same) == ("TypeError", True)
    assert message.startswith(f"{name} is not a list of at most 100 "), message


# --- what is not legal ------------------------------------------------------------------------------------------------

KINDS = (
    *(BrokenRule.BLOCKED_POINT, BrokenRule.BAR_FIRST, BrokenRule.NOT_ALL_HOME, BrokenRule.HIGHER_CHECKER_FIRST),
    *(BrokenRule.BOTH_DICE, BrokenRule.HIGHER_DIE, BrokenRule.DIE_NOT_ROLLED, BrokenRule.NO_SUCH_CHECKER),
    *(BrokenRule.MOVES_BACKWARD, "complete"),
)
"""Of a doublet every move that a checker can make is part of a legal play; an empty point cannot be tried."""


def tight(rng: random.Random) -> Position:
    """One or two checkers among many blocks: one die often costs the other."""
    free = rng.sample(range(1, 25), 9)
    mine, theirs = free[: rng.randint(1, 2)], free[2:]
    off = {"off": 15 - len(mine)}
    return Position.of(mine=dict.fromkeys(mine, 1) | off, theirs={25 - point: 2 for point in theirs} | {"off": 1})


def illegal_tries(each: int) -> Iterator[tuple[Plays, Moves, int, int, str]]:
    """So many of each kind that a person can try: the turn, the moves before, from, to, and the reason."""
    rng, wanted = random.Random(7), dict.fromkeys(KINDS, each)
    while any(wanted.values()):
        position = tight(rng) if rng.random() < 0.8 else position_of(random_board(rng))
        plays = position.legal_plays(Dice.random(rng))
        so_far: Moves = []
        while True:
            points, left = plays.points_after(so_far), plays.dice_left(so_far)
            # A checker that both dice bear off goes by both, whatever the reason says about one.
            together = {(moves[0].from_point, moves[-1].to_point) for moves in plays.combined_moves(so_far)}
            for source in (point for point in range(1, 26) if points[point]):
                # An opponent's checker is not dragged but clicked, which asks for the first die.
                targets = {max(source - die, 0) for die in left[:1] if source < 25 or points[25] > 0}
                if points[source] > 0:
                    targets |= {max(source - die, 0) for die in left} | {rng.randrange(25)} - {source}
                for target in targets:
                    error = None if (source, target) in together else plays.why(source, target, so_far)
                    kind = error and (error.reason if left else "complete")
                    if wanted.get(kind, 0):
                        wanted[kind] -= 1
                        yield plays, so_far, source, target, str(error)
            if not (moves := plays.next_moves(so_far)):
                break
            move = rng.choice(sorted(moves, key=str))
            so_far = [*so_far, (move.from_point, move.to_point)]


@pytest.mark.parametrize("each", [1, pytest.param(200, marks=pytest.mark.long)])
def test_the_reason_is_shown_where_it_was_tried(page: Any, each: int) -> None:
    for plays, so_far, source, target, why in illegal_tries(each):
        svg = draw.svg.board(plays.position, dice=plays.dice)
        page.evaluate("show", {"svg": svg, "tree": plays.tree().data, "moves": so_far})
        here, there = (place(page, number, Player.WHITE) for number in (source, target))
        is_own = plays.points_after(so_far)[source] > 0
        page.pointer([here, (9, 9), there] if is_own else [here])
        refused = page.evaluate("() => heard.splice(0)[0]")
        made = [list(move) for move in so_far]
        assert refused == ["refuse", {"from": source, "to": target, "moves": made}], (why, plays)
        shown, (left, top), (right, bottom) = page.evaluate("explained", why)
        assert shown == why
        x, y = there if is_own else here
        assert left <= x <= right, (left, x, right)
        assert top - 12 <= y <= bottom + 12, (top, y, bottom)


def test_what_is_in_the_hand_counts_and_where_it_may_land_is_marked(chromium: Chromium) -> None:
    chromium.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    mouse = chromium.page.mouse
    pips = """() => [...board.querySelectorAll(".point[data-player=white]")]
        .reduce((sum, { dataset }) => sum + dataset.count * dataset.point, 0)"""
    marked = """() => [...board.querySelectorAll(".target")].filter(ring => ring.getAttribute("fill-opacity") > 0)
        .map(ring => numberOf(ring.parentNode))"""
    mouse.move(*place(chromium, 24, Player.WHITE))
    assert chromium.evaluate(marked) == []
    mouse.down()
    for number, at in ((18, [18]), (17, []), (13, [13])):
        mouse.move(*place(chromium, number, Player.WHITE))
        assert (chromium.evaluate(marked), chromium.evaluate(pips)) == (at, 167)
    mouse.up()
    assert (moves_of(chromium), chromium.evaluate(pips)) == ("24,18,18,13", 156)


OPENING = MatchState.new(7).opening_roll(6, 5)
BEARING_OFF = MatchState(Position.of(mine={6: 1, 5: 2, 2: 7}, theirs={6: 2, 5: 1}), Player.WHITE, "64", length=7)
DANCE = attrs.evolve(
    OPENING, position=Position.of(mine={"bar": 1, 6: 14}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3})
)
TREE = OPENING.legal_plays.tree().data
PICTURE = draw.svg.table(OPENING)


def with_nodes(*nodes: object) -> dict[str, object]:
    return TREE | {"nodes": list(nodes)}


@loop.rows(
    ("tree", "error"),
    (TREE | {"dice": [6, 4]}, "RangeError"),
    (TREE | {"points": TREE["points"][:25]}, "RangeError"),
    (TREE | {"points": [], "dice": [*TREE["points"], *TREE["dice"]]}, "RangeError"),
    (DANCE.legal_plays.tree().data, "RangeError"),
    ({}, "TypeError"),
    (5, "TypeError"),
    ('{"nodes":', "SyntaxError"),
    (TREE | {"nodes": "abc"}, "TypeError"),
    (with_nodes(), "TypeError"),
    (with_nodes([24, 18, 6]), "TypeError"),
    (with_nodes([24, 18, 6, 0]), "TypeError"),
    (with_nodes([24, 18, 6, 1], [24, 18, 6, 0]), "TypeError"),
    (with_nodes([24, 18, 6, 9], []), "TypeError"),
    (with_nodes([24, 19, 6, 1], []), "TypeError"),
    (with_nodes([24.5, 18.5, 6, 1], []), "TypeError"),
    (with_nodes([24, 20, 4, 1], []), "TypeError"),
    (with_nodes([30, 24, 6, 1], []), "TypeError"),
    (with_nodes([24, 18, 6, 1, 24, 18, 6, 2], [], []), "TypeError"),
    (with_nodes(*([24, 18, 6, number + 1] for number in range(5)), []), "TypeError"),
)
def test_a_tree_that_does_not_fit_leaves_the_board_as_it_was(chromium: Chromium, tree: object, error: str) -> None:
    assert refused(chromium, {"tree": tree}) == [error, True, "24,18"]


@loop.rows(
    ("name", "value"),
    *(("actions", value) for value in ("roll", [None], ["roll"] * 101)),
    *(("moves", value) for value in ("abc", [None], [[13, 8], 5])),
    *(("play", value) for value in ("13/8", [[13]], [["13", 8]], [[26, 1]], [[13, 8]] * 101)),
    ("svg", "<board/>"),
    ("svg", PICTURE.replace("gammonrules", "other")),
    ("svg", PICTURE.replace('class="point"', "")),
    ("svg", PICTURE.replace('class="tray"', "", 1)),
    ("svg", re.sub(r'(class="point" data-point)="\d+"', r'\1="1"', PICTURE)),
)
def test_a_view_that_is_none_leaves_the_board_as_it_was(chromium: Chromium, name: str, value: object) -> None:
    """Text that is no XML raises it too, but Chromium then writes a page of errors, whose styles the policy forbids."""
    assert refused(chromium, {name: value}) == ["TypeError", True, "24,18"]


def test_a_play_that_is_on_the_board_is_not_shown_again(chromium: Chromium) -> None:
    """A page may send the last play with every picture: here it was made by hand before."""
    play, after = [[24, 18], [18, 13]], OPENING.play("24/18 18/13")
    svgs = [draw.svg.table(state, bottom=Player.WHITE) for state in (after, after.roll("21"))]
    heard = chromium.evaluate(
        """async ([first, play, svgs]) => {
            const heard = [];
            addEventListener("gammon-sound", ({ detail }) => heard.push(detail.sound));
            show({ ...first, moves: play });
            for (const svg of svgs) await show({ svg, play });
            await null;
            return heard;
        }""",
        [view_of(OPENING, bottom=Player.WHITE), play, svgs],
    )
    assert heard == ["dice"]


@loop.rows("play", None, [], [[20, 19]], [[6, 1], [6, 7]], [[25, 24]], [[0, 25], [0, 0]], [[24, 1]] * 100)
def test_a_play_that_the_board_does_not_have_ends_at_the_picture(chromium: Chromium, play: object) -> None:
    view = view_of(OPENING.play("24/18 18/13").roll("31"), bottom=Player.WHITE)
    assert chromium.evaluate(
        """async ([first, view]) => { show(first); await show(view); return [unlike(view.svg), board.side]; }""",
        [view_of(OPENING), {"svg": view["svg"], "play": play}],
    ) == [[[], []], "black"]


def refused(page: Any, changes: dict[str, object]) -> object:
    """The error where a board after a move is to show this, whether its picture is the same, and its moves."""
    return page.evaluate(
        """([view, changes]) => {
            show({ ...view, moves: [[24, 18]] });
            const before = board.innerHTML;
            try { show({ svg: '<svg xmlns="http://www.w3.org/2000/svg" class="gammonrules"/>' }); } catch { }
            try { show({ ...view, ...changes }); return "nothing"; }
            catch (error) { return [error.name, board.innerHTML === before, String(board.moves)]; }
        }""",
        [view_of(OPENING), changes],
    )


def test_the_largest_tree_is_walked_in_few_steps(chromium: Chromium) -> None:
    """Every checker with both dice in each of four moves, each branch to a node that many lead to."""
    flat = [[source, max(source - die, 0), die] for source in range(25, 0, -1) for die in (6, 5)]
    nodes = [[number for branch in flat for number in (*branch, depth + 1)] for depth in range(4)]
    chromium.evaluate("show", view_of(OPENING) | {"tree": with_nodes(*nodes, [])})
    steps = chromium.evaluate(
        """() => {
            const look = Element.prototype.querySelector;
            let count = 0;
            Element.prototype.querySelector = function (text) { count += 1; return look.call(this, text); };
            const over = new PointerEvent("pointerover", { pointerType: "mouse", bubbles: true });
            board.querySelector('[data-point="24"]').dispatchEvent(over);
            Element.prototype.querySelector = look;
            return [count, board.querySelectorAll(".target").length];
        }"""
    )
    assert 0 < steps[0] < 200, steps
    assert steps[1] == 14  # 24 less 5a + 6b, a + b from 1 to 4


def moves_of(page: Any) -> str:
    return page.evaluate("() => String(board.moves)")


def test_what_hands_do_by_accident(chromium: Chromium) -> None:
    page = chromium
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    start, end = place(page, 24, Player.WHITE), place(page, 18, Player.WHITE)
    mouse, before = page.page.mouse, page.evaluate("() => board.innerHTML")
    mouse.click(*start, button="right")
    page.pointer([start, end, (5, 5)])  # let go outside
    page.pointer([start, end, start])  # and where it was
    page.touch("Start", start)
    page.touch("Start", start, end)  # a second finger
    page.touch("Cancel")
    marks = "/<circle[^>]*(target|halo|chosen).*?>(<.circle>)?/g"
    assert page.evaluate(f"() => board.innerHTML.replace({marks}, '')") == before
    for interruption in ("board.remove(); parent.append(board)", "show(view)", "board.words = { bar: 'the bar' }"):
        mouse.move(*start)
        mouse.down()
        mouse.move(*end)
        script = "view => { const parent = board.parentNode; %s }"
        page.evaluate(script % interruption, view_of(OPENING, bottom=Player.WHITE))
        assert page.evaluate("() => board.querySelectorAll('.point .checker').length") == 30
        mouse.up()
        assert moves_of(page) == ""
        page.pointer([start, end])  # and then as ever
        assert moves_of(page) == "24,18"
        page.evaluate("() => board.undo()")
    for _ in range(2):
        page.pointer([place(page, 13, Player.WHITE)])
    page.evaluate(
        """view => { addEventListener('gammon-play', () => show(view)); heard = []; }""",
        view_of(DANCE, bottom=Player.WHITE),
    )
    mouse.dblclick(*page.evaluate("buttonOf", "done"))
    assert page.evaluate("() => [heard.length, board.complete, String(board.moves)]") == [1, True, ""]


WRONG = {
    "speed": ["fast", "-1", "1e9", "NaN", True],
    "auto": ["toString", "Forced", 5, {}],
    "theme": ["", "Dark", 0, '"] { x'],
    "flip": ["false", 0],
    "highlight": [0, [26]],
    "words": [5, {"boards": "x"}, {"point": 5}, {"constructor": "x"}, ["x"]],
}


@loop.over(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_what_is_none_of_a_property_changes_nothing(chromium: Chromium, name: str, value: object) -> None:
    """It is told; an attribute's error is in the console."""
    said = "() => JSON.stringify([board.outerHTML, board.words, board.highlight])"
    before = chromium.evaluate(said)
    script = "([name, value]) => { try { board[name] = value; } catch (error) { return error.name; } }"
    assert chromium.evaluate(script, [name, value]) == "TypeError"
    assert chromium.evaluate(said) == before
    if isinstance(value, str) and name in {"speed", "theme"}:
        heard = """([name, value]) => {
            const before = board.getAttribute(name);
            let heard = "";
            const hear = (event) => { heard = event.message; event.preventDefault(); };
            addEventListener("error", hear);
            board.setAttribute(name, value);
            removeEventListener("error", hear);
            if (before === null) board.removeAttribute(name);
            else board.setAttribute(name, before);
            return heard;
        }"""
        wording.check(chromium.evaluate(heard, [name, value]), name)


def test_what_is_some_of_a_property_is_taken(chromium: Chromium) -> None:
    """And nothing, as a framework has it before it has more."""
    script = """() => {
        const { speed, flip } = board;
        for (const value of [250, "250", 0.5, "0", 5000]) board.speed = value;
        for (const value of ["forced", "bear-off", "bear-off forced", ""]) board.auto = value;
        for (const value of ["light", "dark", "print", "colorblind", "auto"]) board.theme = value;
        for (const name of ["speed", "auto", "theme", "flip", "words", "highlight"]) {
            for (const value of [null, undefined]) board[name] = value;
        }
        Object.assign(board, { speed, flip });
        return [board.auto, board.theme, board.flip];
    }"""
    assert chromium.evaluate(script) == [None, None, False]


RING = "() => [focused(), getComputedStyle(document.activeElement).outlineStyle]"


def test_the_keys_work_after_a_click(page: Any) -> None:
    """They go on from what was clicked, which has no ring before a key is pressed."""
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    page.pointer([place(page, 13, Player.WHITE)])
    assert page.evaluate(RING) == ["frame 13,7", "none"]
    page.press("u")
    assert page.evaluate(RING) == ["point 13 ", "auto"]
    page.press("5")
    assert page.evaluate("focused") == "point 13 13,8"
    page.pointer([page.evaluate("buttonOf", "undo")])
    page.press("6")
    assert page.evaluate("focused") == "point 13 13,7"
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    page.pointer([place(page, 20, Player.WHITE)])  # where there is nothing
    page.press("x")
    page.press("ArrowLeft")
    assert page.evaluate(RING) == ["point 13 ", "auto"]
    page.pointer([place(page, 24, Player.WHITE), place(page, 13, Player.WHITE)])
    page.press("Enter")
    assert page.evaluate("played") == ["play", {"moves": [[24, 18], [18, 13]]}]


def test_a_finger_scrolls_the_page_where_there_is_nothing_to_move(chromium: Chromium) -> None:
    chromium.evaluate("view => { show(view); board.style.marginBottom = '2000px'; }", view_of(OPENING))
    for source, moves, scrolls in ((24, "24,18", False), (20, "24,18", True)):
        start, end = (place(chromium, number, Player.WHITE) for number in (source, 18))
        if scrolls:
            start, end = (start[0], 300), (start[0], 100)
        chromium.touch("Start", start)
        for part in (0.3, 0.6, 1):
            chromium.touch("Move", tuple(a + part * (b - a) for a, b in zip(start, end, strict=True)))
        chromium.touch("End")
        chromium.page.wait_for_function("scrolls => scrollY > 50 === scrolls", arg=scrolls)
        assert moves_of(chromium) == moves


def test_reasons_that_come_late_are_not_shown(page: Any) -> None:
    page.evaluate("show", view_of(OPENING))
    asked = [("undo", "board.undo()"), ("done", "board.done()"), ("shown", "show(view)"), ("nothing", "0")]
    for what, script in asked:
        page.evaluate("view => show({ ...view, moves: [[24, 18], [18, 13]] })", view_of(OPENING))
        page.pointer([place(page, 13, Player.WHITE)])
        [text, *_] = page.evaluate(f"view => {{ {script}; return explained('why'); }}", view_of(OPENING))
        assert text == ("why" if what == "nothing" else ""), what


def test_the_board_of_a_server_and_of_a_framework(page: Any) -> None:
    """A picture in the page and the attribute `tree`, in either order, and then no picture at all."""
    view = view_of(OPENING)
    for order in ("fill(); board.setAttribute('tree', json)", "board.setAttribute('tree', json); fill()"):
        offered = page.evaluate(
            """async ({ svg, tree }) => {
                const json = JSON.stringify(tree);
                const fill = () => board.replaceChildren(parsed(svg).documentElement);
                board.removeAttribute("tree");
                ORDER;
                await null;
                return Object.keys(offered()).map(Number);
            }""".replace("ORDER", order),
            view,
        )
        assert sorted(offered) == [8, 13, 24]
    other = [view, draw.svg.table(OPENING.play("24/18 18/13"))]
    assert (
        page.evaluate(
            """async ([view, svg]) => {
            const ignored = event => event.preventDefault();
            addEventListener("error", ignored);
            show(view);
            board.setAttribute("tree", JSON.stringify(view.tree)); // and then a picture that it does not fit
            board.replaceChildren(parsed(svg).documentElement);
            await null;
            removeEventListener("error", ignored);
            return Object.keys(offered()).length;
        }""",
            other,
        )
        == 3
    )
    page.evaluate("async () => { board.replaceChildren(); await null; board.undo(); board.exchange(); }")
    assert page.evaluate("view => { show(view); return Object.keys(offered()).length; }", view) == 3


def test_pages_of_every_kind(chromium: Chromium) -> None:
    """In another document for a while, right to left, scaled, and with a second board."""
    chromium.evaluate(
        """view => {
            const { parentNode } = board;
            parentNode.appendChild(document.createElement("iframe")).contentDocument.body.append(board);
            parentNode.lastChild.replaceWith(board);
            document.documentElement.dir = "rtl";
            Object.assign(board.style, { transform: "scale(.5)", transformOrigin: "0 0" });
            board.before(document.createElement("gammon-board"));
            board.previousSibling.style.maxWidth = "300px";
            board.previousSibling.show({ ...view, svg: policy.createHTML(view.svg) });
            show(view);
            board.words = { undo: "</style><b>", point: "{point}{constructor}{x}", exchange: "5", off: "" };
        }""",
        view_of(OPENING),
    )
    start, end = place(chromium, 24, Player.WHITE), place(chromium, 19, Player.WHITE)
    chromium.pointer([start, (9, 9), end])
    shown, (left, top), (right, bottom) = chromium.evaluate("explained", "blocked")
    assert shown == "blocked"
    assert chromium.evaluate("() => getComputedStyle(board.shadowRoot.getElementById('reason')).position") == "absolute"
    assert left <= end[0] <= right
    assert top <= end[1] <= bottom
    chromium.pointer([start, (9, 9), place(chromium, 18, Player.WHITE)])
    assert moves_of(chromium) == "24,18"
    assert chromium.evaluate("() => String(document.querySelector('gammon-board').moves)") == ""


def test_keys_lead_everywhere_and_the_focus_is_never_lost(page: Any) -> None:
    said = []
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    keys = ("Tab", "ArrowLeft", "ArrowRight", "x", "x", "Tab", "Enter", "ArrowLeft", "5", "6", "u", "5", "Enter")
    for key in keys:
        page.press(key)
        said.append(page.evaluate("focused"))
    page.evaluate("show", view_of(OPENING, bottom=Player.WHITE))
    said.append(page.evaluate("focused"))
    assert said == [
        *("point 8 ", "point 13 ", "point 24 ", "point 24 ", "point 24 "),  # exchanged and back
        *("play the 5 first ", "play the 6 first ", "point 8 ", "point 8 8,3", "done 8,3,8,2", "point 8 8,3"),
        *("point 8 8,3", "done 8,3,8,2", "point 8 "),  # no second 5; then the next turn
    ]


def spoken(page: Chromium) -> tuple[list[tuple[str, str, str]], str]:
    """What Chromium tells screen readers: the role, the name and the description of what has one; and the status."""
    nodes = page.devtools.send("Accessibility.getFullAXTree")["nodes"]
    values = [[node.get(key, {}).get("value", "") for key in ("role", "name", "description")] for node in nodes]
    told = [(role, name, about) for role, name, about in values if role in {"group", "image", "button"}]
    return told, page.evaluate("() => board.shadowRoot.getElementById('status').textContent")


TO_ROLL = OPENING.play("24/18 18/13")
PLAY = [[24, 18], [18, 13]]
WATCHED = {"tree": None, "play": PLAY}
FIXED = {"numbers": "fixed", "bottom": Player.BLACK}
WON = attrs.evolve(OPENING, position=Position.of(mine={1: 1, "off": 14}, theirs={6: 15})).play("1/off")
SPOKEN: dict[str, tuple[MatchState, dict[str, Any], dict[str, Any], str, str]] = {
    "a turn": (OPENING, {}, {}, "your turn: 6-5", "point 24, 2 White, can move"),
    "complete": (OPENING, {}, {"moves": [[24, 18], [18, 13]]}, "your turn: 6-5", "Done"),
    "a dance": (DANCE, {}, {}, "your turn: 6-5", "No play"),
    "numbers of the other side": (OPENING, FIXED, {}, "your turn: 6-5", "point 1, 2 White, can move"),
    "after their play": (TO_ROLL, {}, WATCHED, "White: 24/18 18/13", "point 12, 6 White"),
    "after their play, by fixed numbers": (TO_ROLL, FIXED, WATCHED, "White: 1/7 7/12", "point 12, 6 White"),
    "then": (TO_ROLL.roll("31"), {}, {"play": PLAY}, "White: 24/18 18/13. your turn: 3-1", "point 1, 1 White"),
    "to roll or double": (TO_ROLL, {}, {"tree": None, "actions": ["roll", "double"]}, "Roll. Double from 1", "Roll"),
    "doubled": (TO_ROLL.double(), {}, {"tree": None, "actions": ["take"]}, "Take at 2", "Take at 2"),
    "won": (WON, {}, {"tree": None}, "", "off of White, 15 White"),
}  # fmt: skip


@loop.over("what", SPOKEN)
def test_a_screen_reader_names_all_in_each_state(chromium: Chromium, what: str) -> None:
    state, look, changes, status, name = SPOKEN[what]
    look = {"bottom": Player.WHITE, **look}
    tree = {"tree": state.legal_plays.tree().data} if "tree" not in changes else {}
    chromium.evaluate("svg => show({ svg })", draw.svg.table(OPENING, **look))
    chromium.evaluate("show", {"svg": draw.svg.table(state, **look), **tree, **changes})
    told, said = spoken(chromium)
    names = [named for _, named, _ in told]
    places = [named for named in names if re.match(r"point \d|bar of|off of", named)]
    assert (len(set(places)), said) == (28, status)
    assert name in names
    assert all(names)


def test_motion_ends_and_is_none_for_who_wants_none(chromium: Chromium) -> None:
    count = "() => board.querySelectorAll('.checker').length"
    chromium.evaluate("view => { board.setAttribute('speed', 4000); show(view); }", view_of(OPENING))
    chromium.pointer([place(chromium, 24, Player.WHITE)])
    assert chromium.evaluate(count) == 30
    chromium.page.emulate_media(reduced_motion="no-preference")
    chromium.evaluate("() => board.undo()")
    assert chromium.evaluate(count) == 31
    chromium.evaluate("() => document.getAnimations().forEach(motion => motion.finish())")
    chromium.page.wait_for_function(f"() => ({count})() === 30 && !board.querySelector('.checker[style*=hidden]')")


# --- what the other side did ------------------------------------------------------------------------------------------

FOLLOW = """async ([before, view, stages]) => {
    const sounds = [], wrong = [];
    const hear = ({ detail: { sound } }) => {
        const svg = stages[sounds.push(sound) - 1];
        const [is, should] = [board, parsed(svg ?? view.svg)].map(one => JSON.stringify(drawn(one, false).groups));
        if (svg && is !== should) wrong.push([sounds.length, is, should]);
    };
    show(before);
    addEventListener("gammon-sound", hear);
    await show(view);
    for (const motion of document.getAnimations()) motion.finish();
    await new Promise(go => setTimeout(go, 5)); // the dice are heard
    removeEventListener("gammon-sound", hear);
    return [sounds, wrong, ...[board, parsed(view.svg)].map(one => JSON.stringify(drawn(one, false)))];
}"""


def sounds_of(plays: Plays, play: Moves) -> list[str]:
    hits = [move.hit for move in plays.find(play).moves]
    return ["hit" if hit else "checker" if to else "off" for (_, to), hit in zip(play, hits, strict=True)]


def moves_in(plays: Plays, rng: random.Random) -> Moves:
    return [(move.from_point, move.to_point) for move in rng.choice(plays).moves]


@pytest.mark.parametrize(("motion", "count"), [("reduce", 20), ("no-preference", 8)])
def test_the_other_sides_turn_is_played_move_by_move(chromium: Chromium, motion: Any, count: int) -> None:
    """On the board after their roll, or on that of one's own turn before; each checker is heard where it arrives."""
    rng = random.Random(count)
    chromium.page.emulate_media(reduced_motion=motion)
    chromium.evaluate("() => board.setAttribute('speed', 1)")
    for number, own in enumerate(itertools.islice(turns(rng), 0, 9 * count, 9)):
        own_play, look = moves_in(own.legal_plays, rng), {"bottom": own.on_roll, "numbers": "fixed"}
        if (moved := own.play(own_play)).result:
            continue
        theirs = moved.roll(Dice.random(rng))
        play = moves_in(theirs.legal_plays, rng)
        after = theirs.play(play)
        rolled = after if after.result or number % 4 < 2 else after.roll((2, 1))
        stages = [draw.svg.table(theirs, **look, so_far=play[: at + 1]) for at in range(len(play))]
        before: dict[str, Any] = {"svg": draw.svg.table(theirs, **look)}
        if number % 2:
            before, stages = view_of(own, **look) | {"moves": own_play}, []
        view = {"svg": draw.svg.table(rolled, **look, last_play=play), "play": play}
        sounds, wrong, is_drawn, as_drawn = chromium.evaluate(FOLLOW, [before | {"still": True}, view, stages])
        assert (sounds[: len(play)], wrong) == (sounds_of(theirs.legal_plays, play), []), (own.xgid, theirs.xgid, play)
        assert (sounds[len(play) :], is_drawn) == (["dice"] * (rolled is not after), as_drawn)


def test_the_cube_is_heard(chromium: Chromium) -> None:
    to_roll = OPENING.play("24/18 18/13")
    doubled = to_roll.double()
    states = (OPENING, to_roll, doubled, doubled.take(), doubled.take().roll("21"), doubled.drop())
    heard = chromium.evaluate(
        """async svgs => {
            const heard = [];
            addEventListener("gammon-sound", ({ detail }) => heard.push(detail.sound));
            for (const svg of svgs) { await show({ svg }); await null; heard.push(""); }
            await show({ svg: svgs[2], still: true });
            return heard.join(" ");
        }""",
        [draw.svg.table(state) for state in states],
    )
    assert heard == "  cube  cube  dice  cube "


INTERRUPTIONS = {
    "the page shows something else": "show(other)",
    "and again a play": "show({ ...view, play: [[6, 5]] })",
    "moved": "board.remove(); parent.append(board)",
    "removed for a while": "board.remove(); setTimeout(() => parent.append(board), 5)",
    "hidden": "board.hidden = true; setTimeout(() => { board.hidden = false; }, 50)",
    "narrow": "board.style.maxWidth = '200px'",
    "turned": "board.flip = true; setTimeout(() => { board.flip = false; }, 5)",
    "a tree that does not fit": "board.tree = '{}'",
    "other words": "board.words = { undo: 'Back' }",
    "marks": "board.highlight = [25, 0]; board.arrows = [[25, 0]]; board.highlight = null; board.arrows = []",
    "the methods": "board.undo(); board.done(); board.exchange(); board.focus()",
    "at once": "board.setAttribute('speed', 0)",
    "another tab": "Object.defineProperty(document, 'hidden', { value: true, configurable: true })",
    "a copy": "parent.append(board.cloneNode(true)); parent.lastChild.remove()",
}


@loop.over("what", INTERRUPTIONS)
def test_what_happens_while_the_other_side_plays(chromium: Chromium, what: str) -> None:
    """After all of it the right picture is there, the promise is kept, and the person can move."""
    chromium.page.emulate_media(reduced_motion="no-preference")
    after = OPENING.play("24/18 18/13")
    own = after.roll("31")
    view = view_of(own, last_play="24/18 18/13", bottom=Player.WHITE) | {"play": [[24, 18], [18, 13]]}
    other = view_of(own, bottom=Player.WHITE)
    [in_play, movable] = chromium.evaluate(
        """async ([first, view, other]) => {
            const ignored = event => event.preventDefault(), parent = board.parentNode;
            addEventListener("error", ignored);
            board.setAttribute("speed", 20);
            show(first);
            const shown = show(view);
            await new Promise(go => setTimeout(go, 30));
            const inPlay = [board.tree, board.moves.length, !board.querySelector(".flying")];
            INTERRUPTION;
            await shown;
            delete document.hidden;
            await new Promise(go => setTimeout(go, 60));
            removeEventListener("error", ignored);
            board.flip = false;
            board.style.maxWidth = "560px";
            show({ ...board.view, svg: view.svg, play: null, still: true });
            return [inPlay, Object.keys(offered()).length];
        }""".replace("INTERRUPTION", INTERRUPTIONS[what]),
        [view_of(OPENING, bottom=Player.WHITE), view, other],
    )
    assert (in_play, movable) == ([None, 0, False], len({move.from_point for move in own.legal_plays.next_moves()}))


def test_a_click_or_a_key_ends_the_play_of_the_other_side(chromium: Chromium) -> None:
    """And nothing else: what it would meet was not there when the hand began to move."""
    chromium.page.emulate_media(reduced_motion="no-preference")
    to_roll = OPENING.play("24/18 18/13")
    view = {"svg": draw.svg.table(to_roll, bottom=Player.BLACK), "play": [[24, 18], [18, 13]]}
    view["actions"] = sorted(to_roll.legal_actions)
    for how in ("mouse", "touch", "Enter", "screen reader"):
        chromium.evaluate(
            """([first, view]) => {
                board.setAttribute("speed", 4000);
                show(first);
                board.focus();
                show(view);
                heard = [];
            }""",
            [view_of(OPENING, bottom=Player.BLACK), view],
        )
        cube = chromium.evaluate("() => middle(board.querySelector('.cube'))")
        assert chromium.evaluate("() => board.querySelectorAll('[data-action]').length") == 0, how
        if how == "Enter":
            chromium.press("Enter")
        elif how == "screen reader":
            chromium.evaluate(
                "() => board.querySelector('.cube').dispatchEvent(new MouseEvent('click', { bubbles: true }))"
            )
        else:
            chromium.pointer([cube], how)
        assert chromium.evaluate("() => board.querySelectorAll('[data-action]').length") == 2, how
        assert chromium.evaluate("() => heard") == []
    chromium.pointer([cube])
    assert chromium.evaluate("() => heard") == [["action", {"action": "double"}]]


@pytest.mark.parametrize(
    ("theme", "kind"),
    [
        pytest.param(theme, kind, marks=[] if (theme, kind) in SHORTLY else pytest.mark.long)
        for theme in ("auto", *draw.svg.THEMES)
        for kind in KINDS_OF_PICTURES
    ],
    ids=str,
)
def test_looks(
    open_page: Callable[..., Page],
    url: str,
    look: dict[str, Any],
    theme: str,
    kind: dict[str, str],
    violations: Any,
    picture: Any,
) -> None:
    page = open_page(url, **look, expected=("favicon",))
    page.evaluate("styled", ":root { color-scheme: light dark }" + draw.svg.stylesheet())
    page.evaluate("show", view_of(OPENING, theme=theme, **kind) | {"moves": [[24, 18]]})
    page.keyboard.press("Tab")
    page.evaluate("() => { hover(group(13, 'white')); }")
    assert violations(page) == []
    name = f"{'-'.join([theme, *kind.values()])}-{'dark' if look['dark'] else 'light'}-{look['width']}"
    picture(page, f"board-{name}")
    page.mouse.click(*page.evaluate("placeOf", [5, "white"]))
    to_roll = OPENING.play("24/18 18/13")
    svg = draw.svg.table(to_roll, theme=theme, **kind)  # type: ignore[arg-type]
    page.evaluate("show", {"svg": svg, "actions": sorted(to_roll.legal_actions)})
    assert violations(page) == []
    picture(page, f"actions-{name}")
