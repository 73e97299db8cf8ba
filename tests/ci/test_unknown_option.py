"""A new option of `Rules`, until the packages are taught it: each refuses it, or names it, and none ignores it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

import processes
from test_new_option import PACKAGE

LAST_OPTION = '    start: StartName = "standard"\n'
PLAYERS = """
from gammonrules import Action, Event, arena

def first(state):
    if state.dice:
        return Event("play", argument=state.legal_plays[0])
    return Action.TAKE if state.pending_double else Action.ROLL

def games(number, **options):
    return arena.play([first, first], games=number, save="games", workers=1, **options)
"""


PROGRAM = (
    PLAYERS
    + """
import attrs
import numpy as np
from gammonrules import Event, GammonError, MatchState, Player, Position, Rules
from gammonrules import batch, bearoff, environments, identifiers, json, records
from gammonrules.arena._losses import losses_in
from gammonrules.identifiers.internals import FORMS
from gammonrules.engine import _bgsage, _gnubg, _ubgi

def refuses(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except GammonError as error:
        return bool(str(error))

new = Rules(scratch=True)
start = MatchState.new(3, rules=new)
state = start.opening_roll(3, 1)
match = records.Match.from_events(("", ""), start, [Event("opening_roll", argument=(3, 1))])

for form in FORMS:
    assert identifiers.lost_fields(state, form) == ("rules.scratch",), form
    assert identifiers.lost_fields(state, form, new) == (), form
assert refuses(identifiers.write, state, "xgid", strict=True)

for form in ("mat", "sgf"):
    assert refuses(records.dumps, match, form), form
assert json.loads(json.dumps(state)) == state
assert '"scratch":true' in json.dumps(state) and '"scratch":true' in records.dumps(match, "json")

for driver in (_bgsage.Bgsage(1), _gnubg.Gnubg(0, 0, None, None), _ubgi.Ubgi(["bot"], None, {}, None)):
    assert driver.why_not(state) == "the option scratch", driver

race = Position.of(mine={6: 1, 5: 1, "off": 13}, theirs={6: 1, 5: 1, "off": 13})
assert bearoff.solve(MatchState(race, Player.WHITE))
assert refuses(bearoff.solve, MatchState(race, Player.WHITE, rules=new))

def decisions(rules):
    race_start = MatchState(race, Player.WHITE, rules=rules)
    events = [Event("double"), Event("take")] if rules.cube else []
    events += [Event("roll", argument=(2, 1)), Event("play", argument="6/3")]
    losses = losses_in([records.Match.from_events(("", ""), race_start, events)], bearoff.two_sided(checkers=2))
    return losses[0].decisions + losses[1].decisions

assert decisions(Rules()) == 3 and decisions(new) == 0
assert decisions(Rules(cube=False)) == 1 and decisions(attrs.evolve(new, cube=False)) == 0

assert refuses(batch.MatchStates.from_states, [state])
assert refuses(batch.MatchStates.new, 2, 3, rules=new)
assert refuses(attrs.evolve, batch.MatchStates.new(2, 3), rules=new)
chosen = {"rng": np.random.default_rng(1), "rules": new}
assert refuses(batch.play_matches, 2, lambda turns, rng: turns.random_rows(), None, **chosen)

assert games(4).pairings[0].games == 4 and refuses(games, 4, rules=new)  # there are two from before the option

environment = environments.BackgammonEnv(rules=new)
assert environment.reset()[1]["state"].rules.scratch
"""
)


@pytest.mark.skipif(not (PACKAGE / "rules.py").exists(), reason="the package is not in files")
def test_no_package_ignores_a_new_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rules.py` of a copy of the package has one option more."""
    for library in ("gymnasium", "cattrs"):
        pytest.importorskip(library)
    copy = shutil.copytree(PACKAGE, tmp_path / "gammonrules")
    monkeypatch.chdir(tmp_path)
    exec(PLAYERS + "games(2)", {"__name__": "__main__"})
    rules = (copy / "rules.py").read_text(encoding="utf-8")
    assert rules.count(LAST_OPTION) == 1
    (copy / "rules.py").write_text(
        rules.replace(LAST_OPTION, f"{LAST_OPTION}    scratch: bool = False\n"), encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    processes.run(sys.executable, "-c", PROGRAM, env=environment, cwd=tmp_path)
