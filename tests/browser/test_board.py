"""The element `<gammon-board>`: it offers exactly the legal moves, and shows what the library draws.

`Chromium` and `firefox.Firefox` have the same few methods, so that the same tests run in both. Every page has the
strictest policy.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import pytest

import firefox
from boards import position_of, random_board
from fuzzing.tables import random_table
from gammonrules import Dice, IllegalPlayReason, MatchState, Player, Position, draw
from gammonrules.board import Plays
from styled import state_image

if TYPE_CHECKING:
    from playwright.sync_api import Page

POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self';"
    " require-trusted-types-for 'script'"
}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<script src="board.js"></script><script src="page.js"></script></head>
<body><main><h1>A board</h1><gammon-board speed="0"></gammon-board></main></body>"""
HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
SCRIPTS = (WEB / "testing" / "page.js", HERE / "board_page.js")
SCRIPT = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
MEANS = ("drag", "click", "keys", "touch")


class Chromium:
    """A page of Chromium, with the methods of `firefox.Firefox`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.evaluate = page.evaluate
        self.press = page.keyboard.press
        self.devtools = page.context.new_cdp_session(page)

    def open(self, url: str) -> None:
        """Load a page. On a busy machine, Chromium stores what the last page kept a moment later."""
        self.page.wait_for_timeout(500)
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


def served(
    files: dict[str, str], serve: Callable[..., str], folders: pytest.TempPathFactory, headers: dict[str, str] = POLICY
) -> str:
    folder = folders.mktemp("page")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return serve(folder, headers)


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
    return {"svg": state_image(state, **look), "tree": state.legal_plays.tree().data}


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
    *({"theme": theme} for theme in (*draw.THEMES, "auto")),
    {"theme": attrs.evolve(draw.THEMES["dark"], felt="#1d4d3a", white="#fed")},
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
    bear_offs = filter(lambda state: state.position.off, turns(rng))
    for state in [*itertools.islice(sample, count - 2), *itertools.islice(bear_offs, 0, 10, 9)]:
        look = {"bottom": state.on_roll, "look": rng.choice(["flat", "depth"]), **rng.choice(LOOKS)}
        plays = state.legal_plays
        flip = rng.random() < 0.5
        chromium.evaluate("flip => { board.flip = flip; }", flip)
        stages = {}
        for number, (so_far, following) in enumerate(orders(plays, most, rng)):
            svg = reached = None
            if number < 12:
                svg = state_image(state, **look, so_far=so_far)
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


# --- what a page can have without its server -------------------------------------------------------------------------


def random_marks(rng: random.Random) -> dict[str, Any]:
    sources, targets = (rng.sample(range(first, first + 25), rng.choice((2, 25))) for first in (1, 0))
    # arrows from few points to few others would cross
    moves = [(rng.choice(sources), rng.choice(targets)) for _ in range(4)]
    arrows, (made,) = [move for move in moves[1:] if move[0] != move[1]], moves[:1]
    both = [move for move in arrows[:1] if not {*move} & {*made}]
    return {"highlight": rng.sample(range(26), 3), "arrows": arrows, "made": [made] * (made[0] != made[1]) + both}


@pytest.mark.parametrize("count", [15, pytest.param(300, marks=pytest.mark.long)])
def test_flip_highlight_and_arrows_look_as_the_library_draws_them(chromium: Chromium, count: int) -> None:
    """In the picture or by the page, with everything that a table shows."""
    rng = random.Random(count)
    show = """([view, { made: playedArrows = null, ...marks }, svg]) => {
        Object.assign(board, { flip: true, highlight: null, arrows: null, playedArrows }, marks);
        show(view);
        return unlike(svg);
    }"""
    for _ in range(count):
        state, marks = random_table(rng), random_marks(rng)
        homes, numbers = ("left", "right"), ("turning", "fixed", "off")
        look: dict[str, Any] = {"home": rng.choice(homes), "numbers": rng.choice(numbers)} | rng.choice(
            KINDS_OF_PICTURES
        )
        look |= {"theme": rng.choice([*draw.THEMES]), "last_dice": "61", "last_play": [(24, 18), (13, 8)]}
        look |= dict.fromkeys(("header", "footer"), rng.random() < 0.7)
        should = state_image(state, bottom=Player.BLACK, **look, **marks)
        for in_picture, by_page in ((marks, {}), ({}, marks)):
            view = {"svg": state_image(state, bottom=Player.WHITE, **look, **in_picture)}
            assert chromium.evaluate(show, [view, by_page, should]) == [[], []], (state, look, marks)


@pytest.mark.parametrize("kind", KINDS_OF_PICTURES)
def test_the_chosen_checker_and_where_it_can_go_are_ringed(chromium: Chromium, kind: dict[str, Any]) -> None:
    """As the library draws targets; and a strong ring, which is not left behind by the focus or the mouse."""
    look = {"bottom": Player.WHITE, "theme": "colorblind", **kind}
    for state in (OPENING, BEARING_OFF):
        plays = state.legal_plays
        for source in {move.from_point for move in plays.next_moves()}:
            view = view_of(state, **look)
            view["targets"] = state_image(state, targets=ends(plays, source, []), **look)
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


def test_colors_by_theme_and_by_custom_properties(chromium: Chromium) -> None:
    """The page's are the last word, then the theme of the element, then the picture."""
    parts = "['.felt', '.checker.white', '.arrow', '.point .highlight']"
    fill = f"() => {parts}.map(part => getComputedStyle(board.querySelector(part)).fill)"
    chromium.evaluate("view => { board.arrows = [[24, 18]]; show(view); }", view_of(OPENING, theme="dark"))

    def colors(theme: draw.Theme) -> list[str]:
        names = (theme.felt, theme.white, theme.arrow, theme.highlight)
        return [f"rgb({', '.join(str(int(name[at : at + 2], 16)) for at in (1, 3, 5))})" for name in names]

    assert chromium.evaluate(fill) == colors(draw.THEMES["dark"])
    chromium.evaluate("() => board.setAttribute('theme', 'colorblind')")
    assert chromium.evaluate(fill) == colors(draw.THEMES["colorblind"])
    chromium.evaluate(
        "() => { styled('gammon-board { --gammon-felt: #123456 }'); board.setAttribute('theme', 'auto'); }"
    )
    assert chromium.evaluate(fill) == colors(attrs.evolve(draw.THEMES["light"], felt="#123456"))
    chromium.page.emulate_media(color_scheme="dark")
    assert chromium.evaluate(fill) == colors(attrs.evolve(draw.THEMES["dark"], felt="#123456"))
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
    assert chromium.evaluate(fill)[1:] == colors(draw.THEMES["dark"])[1:]


# --- what is not legal ------------------------------------------------------------------------------------------------

KINDS = (
    *(
        IllegalPlayReason.BLOCKED_POINT,
        IllegalPlayReason.BAR_FIRST,
        IllegalPlayReason.NOT_ALL_HOME,
        IllegalPlayReason.HIGHER_CHECKER_FIRST,
    ),
    *(
        IllegalPlayReason.BOTH_DICE,
        IllegalPlayReason.HIGHER_DIE,
        IllegalPlayReason.DIE_NOT_ROLLED,
        IllegalPlayReason.NO_SUCH_CHECKER,
    ),
    *(IllegalPlayReason.MOVES_BACKWARD, "complete"),
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
        svg = draw.svg.position(plays.position, dice=plays.dice)
        page.evaluate("show", {"svg": svg, "tree": plays.tree().data, "moves": so_far})
        here, there = (place(page, number, Player.WHITE) for number in (source, target))
        is_own = plays.points_after(so_far)[source] > 0
        page.pointer([here, (9, 9), there] if is_own else [here])
        heard = page.evaluate("() => heard.splice(0)[0]")
        made = [list(move) for move in so_far]
        assert heard == ["illegal", {"from": source, "to": target, "moves": made}], (why, plays)
        shown, (left, top), (right, bottom) = page.evaluate("explained", why)
        assert shown == why
        x, y = there if is_own else here
        assert left <= x <= right, (left, x, right)
        assert top - 12 <= y <= bottom + 12, (top, y, bottom)


OPENING = MatchState.new(7).opening_roll(6, 5)
BEARING_OFF = MatchState(Position.of(mine={6: 1, 5: 2, 2: 7}, theirs={6: 2, 5: 1}), Player.WHITE, "64", length=7)


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
        stages = [state_image(theirs, **look, so_far=play[: at + 1]) for at in range(len(play))]
        before: dict[str, Any] = {"svg": state_image(theirs, **look)}
        if number % 2:
            before, stages = view_of(own, **look) | {"moves": own_play}, []
        view = {"svg": state_image(rolled, **look, last_play=play), "play": play}
        sounds, wrong, is_drawn, as_drawn = chromium.evaluate(FOLLOW, [before | {"still": True}, view, stages])
        assert (sounds[: len(play)], wrong) == (sounds_of(theirs.legal_plays, play), []), (own.xgid, theirs.xgid, play)
        assert (sounds[len(play) :], is_drawn) == (["dice"] * (rolled is not after), as_drawn)


@pytest.mark.parametrize(
    ("theme", "kind"),
    [
        pytest.param(theme, kind, marks=[] if (theme, kind) in SHORTLY else pytest.mark.long)
        for theme in ("auto", *draw.THEMES)
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
    svg = state_image(to_roll, theme=theme, **kind)
    page.evaluate("show", {"svg": svg, "actions": sorted(to_roll.legal_actions)})
    assert violations(page) == []
    picture(page, f"actions-{name}")
