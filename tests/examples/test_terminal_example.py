"""`examples/terminal`: whole matches by keys and by clicks, and what becomes of the file that a match is saved in."""

from __future__ import annotations

import asyncio
import json
import os
import random
import runpy
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from rich.cells import cell_len
from textual.events import Key
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

import each
from gammonrules import Action, Cube, Dice, Event, IllegalPlayError, MatchState, Player, Position, Win, records
from gammonrules.engine import EngineTerminatedError

FOLDER = Path(__file__).parents[2] / "examples" / "terminal"
sys.path += [str(FOLDER), str(FOLDER.parent)]
import bot  # noqa: E402
import play  # noqa: E402
from game import Game, clean  # noqa: E402
from screen import Choice, MatchApp  # noqa: E402

from board import Board  # noqa: E402

YOU, BOT = Player


async def until_all_is_done(*_: object) -> None:
    """Each message has had its turn, and those that it led to."""
    for _ in range(200):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True, scope="module")
def no_waiting() -> Iterator[None]:
    """For the disk, nor for 20 milliseconds in which the process does nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        for module in ("app", "pilot"):
            patch.setattr(f"textual.{module}.wait_for_idle", until_all_is_done)
        yield


Person = Callable[[Pilot[None]], Awaitable[None]]


def new(folder: Path, first: MatchState | None = None, *, seed: int = 1, name: str = "Ann") -> Game:
    return Game(first or MatchState.new(3), name, random.Random(seed), folder / "match.json")


def on_screen(game: Game, person: Person, size: tuple[int, int] = (80, 24)) -> None:
    """What a person does on the screen of a game, from beginning to end."""

    async def main() -> None:
        async with MatchApp(game).run_test(size=size) as pilot:
            await person(pilot)

    asyncio.run(main())


class Shown(NamedTuple):
    """What a person sees, and their turn so far."""

    title: str
    prompt: str
    news: str
    footer: set[str]
    chosen: int | None
    moves: list[tuple[int, int]]


def shown(pilot: Pilot[None]) -> Shown:
    app, game = pilot.app, pilot.app.game
    texts = (str(app.query_one(part, Static).render()) for part in ("#title", "#prompt", "#news"))
    footer = {active.binding.description for active in app.active_bindings.values() if active.binding.show}
    return Shown(*texts, footer, game.chosen, [(move.from_point, move.to_point) for move in game.so_far])


NAMES_OF_KEYS = {"/": "slash", " ": "space", "\n": "enter"}


async def burst(pilot: Pilot[None], keys: Iterable[str]) -> None:
    """All keys are there before the first is looked at, as when a play is pasted."""
    for key in keys:
        pilot.app.post_message(Key(NAMES_OF_KEYS.get(key, key), key if len(key) == 1 and key != "\n" else None))
    await pilot.pause()


def pressed(game: Game, *groups: str | Sequence[str]) -> list[Shown]:
    """What is shown at first, and after each group of keys."""
    seen: list[Shown] = []

    async def person(pilot: Pilot[None]) -> None:
        seen.append(shown(pilot))
        for keys in groups:
            await burst(pilot, keys.split() if isinstance(keys, str) else keys)
            seen.append(shown(pilot))

    on_screen(game, person)
    return seen


def race(mine: dict[int, int], theirs: dict[int, int], length: int | None = 5, on_roll: Player = YOU) -> MatchState:
    """A race in which nobody can win a gammon, before a roll; both sides number the points as they see them."""
    sides = mine | {"off": 15 - sum(mine.values())}, theirs | {"off": 15 - sum(theirs.values())}
    return MatchState(Position.of(*sides[:: 1 if on_roll is YOU else -1]), on_roll, length=length)


AHEAD = {6: 5, 5: 5}, {6: 5, 8: 5, 13: 3}
BEHIND = AHEAD[::-1]
EVEN = {6: 5, 5: 5}, {6: 5, 5: 5}


class TestWholeMatches:
    @pytest.mark.long
    def test_by_mouse(self, tmp_path) -> None:
        """The person plays the end of a game as the bot would, by clicks on the board."""
        side = {8: 1, 6: 2, "off": 12}
        game = new(tmp_path, MatchState(Position.of(mine=side, theirs=side), YOU, length=1))

        async def person(pilot: Pilot[None]) -> None:
            while game.state.winner is None:
                if game.is_playing and not game.is_complete:
                    for move in game.state.legal_plays.find(bot.choose(game.state).argument).moves:
                        assert await pilot.click(Board, offset=spot(pilot, move.from_point))
                        assert await pilot.click(Board, offset=spot(pilot, move.to_point))
                else:
                    await pilot.pause()
                    for key in pilot.app.query("FooterKey").results(Widget):
                        await pilot.click(key)  # the first: Roll, or Done, unless the footer is just being remade
                        break
            assert "won" in shown(pilot).prompt

        on_screen(game, person)
        self.check(game, tmp_path)

    def check(self, game: Game, folder: Path) -> None:
        """The record is without an error, and the saved match is kept beside it."""
        record = records.load(folder / "match-1.mat")
        assert (record.winner, record.score) == (game.state.winner, game.state.score)
        assert {finding.severity for finding in records.referee(record)} <= {"info"}
        assert sorted(path.name for path in folder.iterdir()) == ["match-1.json", "match-1.mat"]
        assert Game.resumed(folder / "match-1.json", random.Random(1)).state == game.state


def spot(pilot: Pilot[None], point: int) -> tuple[int, int]:
    """Where a point is on the board, found by the numbers that are printed there."""
    lines = str(pilot.app.query_one(Board).render()).splitlines()
    y = 0 if point in range(13, 25) else len(lines) - 1
    name = {25: "BAR", 0: "OFF"}.get(point, f" {point} ")
    return lines[y].replace("+", " ").index(name) + 1, 1 if y == 0 else y - 1


class TestTurns:
    def test_choose_move_and_undo(self, tmp_path) -> None:
        game = new(tmp_path, MatchState.new(5).opening_roll(3, 1))
        second = "6 enter 5 enter"
        begun, *later = pressed(game, "8 enter", "escape", "8 enter 5 enter", second, "u", second, "U")
        assert {"Undo", "Undo all", "Done", "Roll", "Double", "Take"}.isdisjoint(begun.footer)
        assert [seen.chosen for seen in later[:2]] == [8, None]
        assert [len(seen.moves) for seen in later] == [0, 0, 1, 2, 1, 2, 0]
        assert later[3].moves == [(8, 5), (6, 5)]
        assert {"Undo", "Undo all", "Done"} <= later[3].footer
        assert game.points == MatchState.new(5).position.points
        assert game.log == []  # nothing was final
        game.choose(8)
        assert sorted(game.targets) == [4, 5, 7]
        game.choose(5)
        assert game.counts(YOU)[5] == 1

    def test_typed_plays(self, tmp_path) -> None:
        first = MatchState.new(5).opening_roll(3, 1)
        game = new(tmp_path, first)
        with pytest.raises(IllegalPlayError) as refusal:
            first.play("8/3")

        async def person(pilot: Pilot[None]) -> None:
            for text, answer in (("/8/3", str(refusal.value)), ("2", "no checker on point 2"), ("8\n1", "7 pips")):
                await burst(pilot, [*text, "enter"])
                assert answer in shown(pilot).prompt
            for text in ("xyzzy", "[red]", "x" * 300):
                pilot.app.query_one(Input).post_message(Input.Submitted(pilot.app.query_one(Input), text))
                await pilot.pause()
                assert pilot.app.query_one("#prompt").has_class("refused")
            await burst(pilot, "2")
            assert shown(pilot).prompt.startswith("31 to play")  # an error is shown until something else is done
            await burst(pilot, ["backspace", "enter", "escape", *"6/5 8/5", "enter"])
            assert shown(pilot).prompt.startswith("31 is played")
            await burst(pilot, ["space"])

        on_screen(game, person)
        assert (game.log[0].action, game.log[0].argument) == (Action.PLAY, "8/5 6/5")

    def test_a_dance_and_a_forced_play(self, tmp_path) -> None:
        dance = MatchState(Position.of(mine={"bar": 1}, theirs={6: 2, 5: 2}), YOU, "65", length=5)
        forced = MatchState(Position.of(mine={24: 1}, theirs={24: 1}), YOU, "65", length=5)
        for first, words, text in ((dance, "nothing", "no play"), (forced, "only legal play is 24/13", "24/13")):
            game = new(tmp_path, first)
            assert words in pressed(game, "space")[0].prompt
            assert game.log[0].argument == text


class TestCube:
    @each.first(("board", "answer"), [(AHEAD, Action.DROP), (EVEN, Action.TAKE)])
    def test_the_person_doubles(self, tmp_path, board, answer) -> None:
        game = new(tmp_path, race(*board))
        seen = pressed(game, "d")[1]
        assert f"Bot: {answer}" in seen.news
        assert ("Next game" in seen.footer) is (answer is Action.DROP)
        assert "Double" not in seen.footer
        assert [event.action for event in game.log] == [Action.DOUBLE, answer]

    @each.first(("key", "answer"), [("t", Action.TAKE), ("x", Action.DROP), ("b", Action.BEAVER)])
    def test_the_bot_doubles(self, tmp_path, key, answer) -> None:
        game = new(tmp_path, race(*BEHIND, length=None, on_roll=BOT))
        seen = pressed(game, key)[0]
        assert seen.prompt == "The bot offers the cube at 2."
        assert {"Take", "Drop", "Beaver", "Resign"} <= seen.footer
        assert [event.action for event in game.log[:2]] == [Action.DOUBLE, answer]


class TestResignations:
    @each.first(("downs", "win"), [(1, Win.GAMMON), (0, Win.SINGLE), (2, Win.BACKGAMMON), (3, None)])
    def test_the_person_resigns(self, tmp_path, downs, win) -> None:
        game = new(tmp_path, MatchState(Position.start(), YOU, length=9))
        pressed(game, "r", "down " * downs + "enter")
        assert game.log == ([] if win is None else [Event("resign", YOU, win), Event("accept", BOT)])

    def test_what_can_still_be_lost_is_offered(self, tmp_path) -> None:
        """With its points; the key is missing where the person can only win."""
        start = MatchState(Position.start(), YOU, length=9, cube=Cube(2, BOT))
        no_gammon = MatchState(Position.of(mine={6: 14}, theirs={6: 15}), YOU, length=9)
        last_two = MatchState(Position.of(mine={1: 2}, theirs={6: 15}), YOU, "21", length=9)
        levels = ["Resign a single game: 2 points", "Resign a gammon: 4 points", "Resign a backgammon: 6 points"]
        for state, offered in ((start, levels), (no_gammon, ["Resign a single game: 1 point"]), (last_two, None)):
            choices = []

            async def person(pilot: Pilot[None], choices: list[list[str]] = choices) -> None:
                await pilot.press("r")
                if isinstance(pilot.app.screen, Choice):
                    choices.append([str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options])

            on_screen(new(tmp_path, state), person)
            assert choices == ([] if offered is None else [[*offered, "Play on"]])

    def test_a_decided_game_ends(self, tmp_path) -> None:
        """The bot cannot win any more, and a gammon would count the same."""
        game = new(tmp_path, MatchState(Position.of(mine={1: 4}, theirs={6: 15}), YOU, "21", length=1))
        seen = pressed(game, "1 enter 1 enter", "space")[-1]
        assert game.log[1:] == [Event("resign", BOT, Win.SINGLE), Event("accept", YOU)]
        assert seen.prompt == "The match is over: you have won it."
        assert "The game is decided\nBot: resign a single game\nYou: accept\nYou: +1, single game" in seen.news
        assert game.state.winner is YOU
        match = records.load(tmp_path / "match-1.mat")
        assert (match.winner, match.games[0].result) == (YOU, game.state.result)
        assert match.games[0].events[-2:] == tuple(game.log[-2:])

    def test_the_bot_wants_more(self, tmp_path) -> None:
        won = MatchState(Position.of(mine={24: 15}, theirs={"off": 10, 3: 5}), YOU, length=3, score=(2, 0))
        game = new(tmp_path, won)
        first, _, last = pressed(game, "r", "enter")
        assert "Crawford game" in first.title
        assert "Double" not in first.footer
        assert "Bot: decline" in last.news
        assert game.state == won

    @each.first(("key", "answer"), [("a", Action.ACCEPT), ("e", Action.DECLINE)])
    def test_the_bot_resigns(self, tmp_path, key, answer) -> None:
        def resigns(state: MatchState) -> Event | Action:
            return Event("resign", BOT, Win.SINGLE) if state.phase == "to_roll" else bot.choose(state)

        game = new(tmp_path, race({1: 1, 2: 1}, {6: 5}, on_roll=BOT))
        game.bots = {game.strength: resigns}
        assert pressed(game, key)[0].prompt == "The bot resigns a single game."
        rest = [Action.ROLL] if answer is Action.DECLINE else []  # it does not offer again what was declined
        assert [event.action for event in game.log[:3]] == [Action.RESIGN, answer, *rest]


class Copied(Game):
    """A game that keeps what its file held after each event."""

    copies: list[tuple[bytes, MatchState, list[str], object]]

    def save(self) -> None:
        super().save()
        self.copies.append((self.file.read_bytes(), self.state, [*self.news], self.last_play))


async def ended(pilot: Pilot[None]) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


LEAVES: dict[str, Person] = {"q": lambda pilot: pilot.press("q")}
if sys.platform != "win32":  # where nothing can handle it
    LEAVES["SIGTERM"] = ended


class Fails:
    """A bot whose program does not answer."""

    about = "never there"

    def __call__(self, state: MatchState) -> Event | Action:
        raise EngineTerminatedError("it was closed")


class TestBotsAndTutor:
    def test_another_strength_in_mid_game(self, tmp_path) -> None:
        """Where its program fails, the simple bot goes on, which is said once."""
        game = new(tmp_path, MatchState.new(5).opening_roll(3, 1))
        game.bots = {"Simple bot": bot.choose, "Champion": Fails()}
        before, asked, chosen = pressed(game, "s", "down enter")
        assert ("Strength" in before.footer, "Strength" in asked.footer) == (True, False)
        assert "Champion plays now" in chosen.news
        for play_of in ("8/5 6/5", None):
            game.act(Event(Action.PLAY, YOU, play_of or game.state.legal_plays[0]))
            game.act(Event(Action.ROLL, YOU, Dice(3, 1)))
        assert [line for line in game.news if "closed" in line] == ["it was closed. The simple bot plays on."]
        assert game.strength == "Simple bot"

    def test_a_hint(self, tmp_path) -> None:
        """Who judges is named. Without a tutor there is no key for it."""
        game = new(tmp_path, MatchState.new(5).opening_roll(3, 1))
        assert "Hint" not in pressed(game)[0].footer
        game.tutor = SimpleNamespace(name="GNU, 2-ply", choices=lambda state: [("8/5 6/5", 0.0), ("24/20", 0.117)])
        before, after = pressed(game, "h")
        assert "Hint" in before.footer
        assert after.news.endswith("Hint (GNU, 2-ply)\n8/5 6/5: best\n24/20: loses 0.12\n")
        game.tutor.choices = lambda state: []
        assert pressed(game, "h")[1].prompt == "there is no hint here"


class TestSaving:
    @each.first("length", [2, None])
    def test_killed_at_any_event(self, tmp_path, length) -> None:
        """Whatever the moment, the match that is resumed is the one that was left, and it goes on."""
        game = Copied(MatchState.new(length), "Ann", random.Random(7), tmp_path / "match.json")
        game.copies = []
        game.go_on()
        while game.state.winner is None and len(game.log) < 100 + 900 * (length == 2):
            game.act(bot.next_event(game.state, bot.choose, game.rng))
        file = tmp_path / "copy" / "match.json"
        file.parent.mkdir()
        assert len(game.copies) == len(game.log) >= 30
        for number, (content, *left) in reversed([*enumerate(game.copies, 1)][::-12]):
            file.write_bytes(content)
            again = Game.resumed(file, random.Random(1))
            assert [again.state, again.news, again.last_play] == left
            assert (again.name, again.first, again.log) == (game.name, game.first, game.log[:number])
            again.go_on()
            assert again.state.to_act is not BOT
        assert file.exists() is (length is None)  # the last one is over, and has a record
        assert file.with_name("match-1.mat").exists() is (length == 2)

    @pytest.mark.parametrize("leave", LEAVES.values(), ids=LEAVES)
    def test_quitting_within_a_turn(self, tmp_path, leave) -> None:
        """It loses the moves so far and nothing else: the dice stay."""
        game = new(tmp_path)

        async def person(pilot: Pilot[None]) -> None:
            while not game.is_playing:
                await pilot.press("space")
            await pilot.press("enter", "enter")
            assert game.so_far
            await leave(pilot)
            while pilot.app.is_running:  # the test must not end it
                await pilot.pause()

        on_screen(game, person)
        again = Game.resumed(game.file, random.Random(99))
        assert (again.state, again.so_far) == (game.state, ())

    def test_a_write_that_fails(self, tmp_path, monkeypatch, capsys) -> None:
        """The file still has the event before; the game goes on and says so, and the next write has everything."""
        game = new(tmp_path, MatchState.new(5).opening_roll(3, 1))
        game.save()
        before = game.file.read_bytes()

        def full(number: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        game.perform(Event("play", YOU, "8/5 6/5"))
        assert "No space left" in game.news[-1]
        assert game.file.read_bytes() == before
        assert self.ended(game, monkeypatch) == 1
        assert "match.json: the last events are not saved: [Errno 28] No space left" in capsys.readouterr().err
        monkeypatch.undo()
        assert self.ended(game, monkeypatch) == 0
        assert Game.resumed(game.file, random.Random(1)).log == game.log
        game.go_on()
        assert Game.resumed(game.file, random.Random(1)).log == game.log

    def ended(self, game: Game, monkeypatch, *options: str, run: Callable[[MatchApp], None] = lambda app: None) -> int:
        """The status of the program when the person quits this game."""
        monkeypatch.setattr(os, "isatty", lambda number: True)
        monkeypatch.setattr(play, "opened", lambda options: game)
        monkeypatch.setattr(play.opponents, "opened", lambda **_: nullcontext((game.bots, None)))
        monkeypatch.setattr(MatchApp, "run", run)
        monkeypatch.setattr(sys, "argv", ["play.py", "--save", str(game.file), *options])
        return play.main()

    def test_two_games_in_one_file(self, tmp_path) -> None:
        """The one that saves after the other goes on in a file of its own, and says so: both are kept."""
        first = new(tmp_path, MatchState.new(5).opening_roll(3, 1))
        first.save()
        second = Game.resumed(first.file, random.Random(2))
        for game, play_of in ((first, "8/5 6/5"), (second, "24/20")):
            game.act(Event("play", YOU, play_of))
        assert (first.file.name, second.file.name) == ("match.json", "match-1.json")
        assert [line for line in second.news if "match-1.json" in line]
        assert not [line for line in first.news if "match" in line]
        for game in (first, second):
            assert Game.resumed(game.file, random.Random(1)).log == game.log
        assert len(list(tmp_path.iterdir())) == 2

    def test_a_second_match_in_the_same_folder(self, tmp_path) -> None:
        for name in ("match-2.json", "match.mat"):
            (tmp_path / name).write_text("something else")
        for number in (1, 3):
            game = new(tmp_path, MatchState.new(1))
            game.go_on()
            game.act(Event("resign", YOU, Win.SINGLE))
            assert game.news[-1] == f"Record: match-{number}.mat"
            game.finish()  # it is
        assert len(list(tmp_path.iterdir())) == 6
        for name in ("match-2.json", "match.mat"):
            assert (tmp_path / name).read_text() == "something else"


def saved(folder: Path) -> bytes:
    game = new(folder, seed=5)
    game.go_on()
    for _ in range(6):
        game.act(bot.next_event(game.state, bot.choose, game.rng))
    return game.file.read_bytes()


def changing(change: Callable[[dict], object]) -> Callable[[bytes], bytes]:
    def changed(content: bytes) -> bytes:
        data = json.loads(content)
        change(data)
        return json.dumps(data).encode()

    return changed


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a little short": lambda content: content[:-3],
    "not a match": lambda content: b'{"version":1,"type":"Dice","value":[3,1]}',
    "no games": changing(lambda data: data.update(games=[])),
    "an event is missing": changing(lambda data: data["games"][0]["events"].pop(2)),
    "loaded dice": lambda content: content.replace(
        b'"roll","by":"white","argument":[', b'"roll","by":"white","argument":[9', 1
    ),
    "another opponent": lambda content: content.replace(b'"Bot"', b'"Bob"', 1),
    "a record with a tag": changing(lambda data: data.update(tags=[["Event", "Final"]])),
    "the same game twice": changing(lambda data: data["games"].append(data["games"][0])),
    "a record in text": lambda content: records.dumps(records.loads(content.decode(), "json")).encode(),
}


class TestDamagedFiles:
    def test_one_clear_sentence(self, tmp_path, monkeypatch, capsys) -> None:
        whole = saved(tmp_path)
        for kind, damage in DAMAGES.items():
            file, content = tmp_path / f"{kind}.json", damage(whole)
            file.write_bytes(content)
            self.refused(file, monkeypatch, capsys)
            assert file.read_bytes() == content
        assert len(list(tmp_path.iterdir())) == 1 + len(DAMAGES)

    def refused(self, file: Path, monkeypatch, capsys) -> None:
        monkeypatch.setattr(os, "isatty", lambda number: True)
        monkeypatch.setattr(sys, "argv", ["play.py", "--save", str(file)])
        assert play.main() == 2
        sentence, rest = capsys.readouterr().err.splitlines()
        assert file.name in sentence
        assert len(sentence) < 300
        assert rest == "The file was left as it is; --save FILE names another."

    def test_a_folder_and_a_place_that_does_not_exist(self, tmp_path, monkeypatch, capsys) -> None:
        (tmp_path / "folder.json").mkdir()
        self.refused(tmp_path / "folder.json", monkeypatch, capsys)
        for name in ("nowhere/match.json", "match.mat", "x" * 300 + ".json"):
            monkeypatch.setattr(sys, "argv", ["play.py", "--save", str(tmp_path / name)])
            assert play.main() == 2
            (sentence,) = capsys.readouterr().err.splitlines()
            assert name in sentence
        assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


NAMES = [
    *("", " ", "a\x1b[2Jb\nc\x00", "[red]Ann[/red]", "名前" * 40, "\u202eevil", "שלום", "👨‍👩‍👧 x"),
    *("e" + "\u0301" * 50, "\udc80", "x" * 10**6),
]


class TestNames:
    def test_on_the_screen(self, tmp_path) -> None:
        """No name disturbs the lines, whatever is in it."""
        game = new(tmp_path)

        async def person(pilot: Pilot[None]) -> None:
            for name in NAMES:
                game.name = clean(name)
                pilot.app.show()
                await pilot.pause()
                shown = [line.text for line in pilot.app.screen._compositor.render_strips()]
                assert {cell_len(line) for line in shown} == {80}
                assert all(letter.isprintable() for line in shown for letter in line)
                assert game.name[:10] in str(pilot.app.query_one("#person", Static).render())

        on_screen(game, person)

    def test_in_the_files(self, tmp_path) -> None:
        for number, name in enumerate(NAMES, 1):
            game = new(tmp_path, MatchState.new(1), name=name)
            game.go_on()
            game.act(Event("resign", YOU, Win.SINGLE))
            assert records.load(tmp_path / f"match-{number}.mat").winner is BOT
            assert Game.resumed(tmp_path / f"match-{number}.json", random.Random(1)).name == game.name


def test_the_command(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(os, "isatty", lambda number: False)
    monkeypatch.setattr(sys, "argv", ["play.py", "--save", str(tmp_path / "match.json")])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(FOLDER / "play.py"), run_name="__main__")
    assert (ended.value.code, capsys.readouterr().err) == (2, "A match needs a terminal.\n")
    assert not list(tmp_path.iterdir())
    for length, wanted in (("7", 7), ("0", None)):
        monkeypatch.setattr(
            sys, "argv", ["play.py", "--length", length, "--save", str(tmp_path / f"{length}.json"), "--name", "Bo"]
        )
        game = play.opened(play.arguments())
        assert (game.state, game.name) == (MatchState.new(wanted), "Bo")
    monkeypatch.setattr(sys, "argv", ["play.py", "--length", "-3", "--save", str(tmp_path / "none.json")])
    monkeypatch.setattr(os, "isatty", lambda number: True)
    assert play.main() == 2
    assert "length" in capsys.readouterr().err
