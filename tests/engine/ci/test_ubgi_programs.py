"""Programs that speak UBGI: their names, and settings that are refused."""

from __future__ import annotations

from scripted_engines import HELLO, READY, Fakes, made_fakes

import loop
import wording
from gammonrules.engine import EngineStartError

__all__ = ["made_fakes"]


def test_its_name(fakes: Fakes) -> None:
    for ids, name in (("< id name Old\n< id version 7\n", "Old 7"), ("", "python")):
        with fakes.ubgi(READY.replace("< id name Fake\n", ids)) as engine:
            assert engine.name.startswith(name)


@loop.rows(
    "script, words",
    ("> ubgi\n< option name Ply type spin default 1 min 1 max 4\n< ubgiok\n> x", "proto 0.2"),
    (HELLO.replace("> newgame", "> set"), "level"),
    (HELLO.replace("> newgame", "> set") + "> isready\n< error bad_value 2\n< readyok\n", "2"),
    ("> ubgi\n< readyok\n> x", "readyok"),
)
def test_settings_that_are_refused(fakes: Fakes, script: str, words: str) -> None:
    with wording.tells(EngineStartError, words):
        fakes.ubgi(script, level=2 if words == "level" else None, options={"EvalMode": "cubeful"})
