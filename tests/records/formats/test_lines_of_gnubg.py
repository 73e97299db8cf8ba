"""The two board lines of GNU Backgammon, with itself: what it asks a bot, and how it records the match."""

from __future__ import annotations

import random
import socket
from pathlib import Path
from threading import Thread

import pytest

import gnu_backgammon
from gammonrules import records
from gammonrules.identifiers import read, write


def play_at_random(server: socket.socket, lines: list[str]) -> None:
    """A bot: it keeps what it is asked."""
    rng = random.Random(1)
    with server, server.accept()[0] as connection, connection.makefile("rb") as asked:
        for line in iter(lambda: asked.readline().decode("ascii").strip("\0"), ""):
            lines.append(line)
            state = read(line, form="bot_line")
            choices: list[object] = ["double", *["roll"] * 9]
            if state.pending_double is not None:
                choices = ["drop"] if state.pending_double.beavers else ["take"]
            elif state.dice is not None:
                choices = ["" if play.moves == () else play for play in state.legal_plays]
            connection.sendall(f"{rng.choice(choices)}\n".encode("ascii"))


@pytest.mark.long
@gnu_backgammon.is_needed
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "start", ["set automatic game on\nnew match 15", "new session\n" + "new game\n" * 3], ids=["match", "money"]
)
def test_lines_of_gnubg(tmp_path: Path, seat: int, start: str) -> None:
    """They are the states of the match that it then writes, one after the other; we write them as it does."""
    lines: list[str] = []
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(30)
    bot = Thread(target=play_at_random, args=(server, lines))
    bot.start()
    gnu, external = f"set player {1 - seat}", f"set player {seat} external 127.0.0.1:{server.getsockname()[1]}"
    strength = [f"{gnu} {kind} evaluation plies 0" for kind in ("chequerplay", "cubedecision")]
    options = ("set automatic game off", "set automatic roll on", "set beavers 1", "set display off", "set seed 2")
    _ = gnu_backgammon.fed(
        tmp_path, f"{gnu} gnubg", *strength, external, *options, *start.split("\n"), "save match match.sgf"
    )
    bot.join(timeout=30)
    match = records.load(tmp_path / "match.sgf")
    states = (state.swap_players() for game in match.games for state in game.states())
    for line in lines:
        state = read(line, match.rules, form="bot_line")
        assert any(state == known for known in states), line
        fields = line.strip().split(":")
        names = sorted(fields[1:3], key="gnubg".__eq__)  # its player 0
        fields[33:37] = 2 * sorted(fields[33:35], reverse=True)
        assert write(state, "bot_line", names=names) == ":".join(fields)
    assert len(lines) > 20
