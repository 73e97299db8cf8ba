"""`gammonrules cards`: what is in a deck for Anki, and what is refused."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs
import pytest

import commands
from commands import refused
from gammonrules import MatchState, Phase, Player
from gammonrules.records import Decision, dump
from real_records import loaded

MATCHES = Path(__file__).parents[2] / "examples" / "matches"
XG, UNANALYZED = MATCHES / "xg" / "test.xg", MATCHES / "galaxy" / "match9806622.txt"
run = partial(commands.run, "cards")


def notes_in(deck: bytes | Path, folder: Path) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The notes by the names of their fields, in the order of their cards, and the pictures by name."""
    with zipfile.ZipFile(io.BytesIO(deck) if isinstance(deck, bytes) else deck) as archive:
        assert archive.testzip() is None
        pictures = {name: archive.read(number) for number, name in json.loads(archive.read("media")).items()}
        archive.extract("collection.anki2", folder)
    with sqlite3.connect(folder / "collection.anki2") as base:
        base.row_factory = sqlite3.Row
        (models,), (decks,) = (base.execute(f"SELECT {name} FROM col").fetchone() for name in ("models", "decks"))
        ((number, model),), ((deck_number, _),) = json.loads(models).items(), json.loads(decks).items()
        rows = base.execute("SELECT notes.*, did FROM notes JOIN cards ON nid = notes.id ORDER BY due").fetchall()
        assert {(str(row["mid"]), str(row["did"])) for row in rows} == {(number, deck_number)}
        names = [field["name"] for field in model["flds"]]
        texts = [row["flds"].split("\x1f") for row in rows]
    base.close()
    told = [{"guid": row["guid"], "tags": row["tags"].split()} for row in rows]
    return [note | dict(zip(names, text, strict=True)) for note, text in zip(told, texts, strict=True)], pictures


def mistakes(player: str, least: float) -> list[Decision]:
    match = loaded(XG)
    made = [each for each in match.decisions() if match.players[each.player] == player and (each.error or 0) >= least]
    return sorted(made, key=lambda each: -(each.error or 0))


def test_a_card_for_each_mistake_with_its_pictures(here: Path) -> None:
    """The worst first; who decides is White, and the picture of the answer has the best play."""
    for least, most in ("0.08", 100), ("0.03", 5):
        options = "--player", "Kévin Unger", "--error", least, "--limit", most
        assert run(XG, "-o", "new/deck.apkg", *options).exit_code == 0
        notes, pictures = notes_in(here / "new" / "deck.apkg", here)
        wanted = mistakes("Kévin Unger", float(least))[:most]
        said = [(decision.action, decision.best) for decision in wanted]
        assert [(note["You"].partition(",")[0], note["Best"]) for note in notes] == [
            tuple("no double" if action == "roll" else action for action in pair) for pair in said
        ]
        assert [note["You"][-5:] for note in notes] == [f"{decision.error:.3f}" for decision in wanted]
        assert [note["tags"][0] for note in notes] == [decision.kind for decision in wanted]
        assert [note["Kind"] for note in notes] == [decision.state.position.kind for decision in wanted]
        shown = [name for note in notes for name in re.findall('<img src="(.*?)">', note["Board"] + note["Best board"])]
        assert sorted(shown) == sorted(pictures)
        assert all(ET.fromstring(picture).tag.endswith("svg") for picture in pictures.values())
        for note, decision in zip(notes, wanted, strict=True):
            state = MatchState.from_xgid(note["XGID"])
            assert state.to_act is Player.WHITE
            assert state.position == decision.state.position
            assert bool(note["Why"]) is bool(note["Best board"]) is (decision.state.phase is Phase.TO_PLAY)
            assert decision.kind != "play" or str(decision.dice) in note["Question"]
            assert str(decision.analysis.engine) in note["Others"]


def test_the_same_card_again(here: Path, game: Path) -> None:
    """A card is known by player, XGID and kind: not by the record, and not by what an analysis says."""
    options = "--error", "0.01", "-o", "-"
    first, _ = notes_in(run(game, *options).stdout_bytes, here)
    match = loaded(game)
    games = [attrs.evolve(each, number=each.number + 9) for each in match.games]
    dump(attrs.evolve(match, games=tuple(games)), here / "a.json")
    again, _ = notes_in(run("a.json", game, *options, "--alias", "Maxence Job", "Max").stdout_bytes, here)
    assert len({note["guid"] for note in first}) == len(first) == len(again)
    kept = {note["guid"] for note in first} & {note["guid"] for note in again}
    whose = {
        note["guid"]: note["XGID"]
        for note in notes_in(run(game, *options, "--player", "Kévin Unger").stdout_bytes, here)[0]
    }
    assert {*whose} == kept < {note["guid"] for note in first}


def test_its_own_deck_is_replaced_and_nothing_else(here: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything left of a deck that is stopped."""
    for _ in range(2):
        assert run(game, "-o", "a.apkg").exit_code == 0
    with zipfile.ZipFile("b.apkg", "w") as archive:
        archive.writestr("collection.anki2", "")
    other = Path("b.apkg").read_bytes()
    refused("cards", game, "-o", "b.apkg", says="--force")
    assert Path("b.apkg").read_bytes() == other
    assert run(game, "-o", "b.apkg", "--force").exit_code == 0
    Path("a.apkg").unlink()
    monkeypatch.setattr("gammonrules.cli.anki_decks.deck_of", lambda *_: 1 / 0)
    with pytest.raises(AssertionError, match="division"):
        run(game, "-o", "a.apkg")
    assert not Path("a.apkg").exists()


def test_what_strangers_write_is_shown_as_text(here: Path, game: Path) -> None:
    text = game.read_text(encoding="utf-8")
    assert "eXtreme Gammon" in text
    Path("a.json").write_text(text.replace("eXtreme Gammon", r"<img src=x>\u001f"), encoding="utf-8")
    notes, _ = notes_in(run("a.json", "-o", "-").stdout_bytes, here)
    assert notes
    assert all("&lt;img src=x&gt;" in note["Others"] and "<img" not in note["Others"] for note in notes)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([XG, "--player", "maxence"], "there is no player 'maxence' in these records: 'Kévin Unger'"),
        ([UNANALYZED], "no decision is analyzed"),
        ([XG, "--analyzed-by", "gnubg"], "no decision is analyzed"),
        ([XG, "--analysis-level", "9-ply"], "no decision is analyzed"),
        ([XG, "--error", "9"], "no mistake costs 9 or more"),
        (["missing.xg"], "missing.xg: skipped"),
        (["missing.xg", "--player", "max"], "no match can be read"),
    ],
)
def test_there_are_no_cards(here: Path, arguments: list[object], says: str) -> None:
    refused("cards", *arguments, "-o", "deck.apkg", says=says)
    assert [*here.iterdir()] == []
