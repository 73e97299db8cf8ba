"""What the library and its command print, as one digest a line, so that two commits can be compared.

    python tests/same_outputs.py [FOLDER...] > before     # records beside those of tests/data and examples/matches
    diff before after
    python tests/same_outputs.py --only "game 7" [FOLDER...]     # the outputs themselves whose labels begin with it

Every record gives its matches with findings and analyses, its texts in every format with what they lose, its pages and
its rows; every seed gives a game by chance, with all that can be drawn and written of its states. It uses public names
alone, so it runs at any commit.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

import numpy as np

import processes
from gammonrules import ROLLS, Action, GammonError, MatchState, Phase, Rules, Win, arena, batch, draw, json, records
from gammonrules.engine import SimpleEngine
from gammonrules.environments import BackgammonVectorEnv
from gammonrules.identifiers import read

ROOT = Path(__file__).parent.parent
RECORDS = [ROOT / "examples" / "matches", ROOT / "tests" / "data" / "matches", ROOT / "tests" / "data" / "analysis"]
SEEDS = 100
Outputs = Iterator[tuple[str, str]]


def said(call: Callable[..., object], *arguments: object) -> str:
    """What a call returns, or its error."""
    try:
        return str(call(*arguments))
    except (GammonError, OSError) as error:
        return f"{type(error).__name__}: {error}"


def of_record(path: Path) -> Outputs:
    name = path.relative_to(path.parents[2])
    content = path.read_bytes()
    try:
        matches = records.loads_all(content)
    except GammonError as error:
        yield f"record {name}", f"{error!r} {said(records.loads, content)}"
        return
    for index, match in enumerate(matches):
        label = f"record {name} {index}"
        yield f"{label} json", json.dumps(match)
        yield f"{label} referee", "\n".join(map(repr, records.referee(match)))
        yield f"{label} decisions", "\n".join(repr(decision) for decision in match.decisions())
        yield f"{label} page", said(records.to_html, match)
        for written in ("mat", "sgf", "json"):
            yield f"{label} as {written}", said(records.dumps, match, written)
            yield f"{label} lost in {written}", said(records.lost_fields, match, written)
    if matches:
        yield f"record {name} rows", "\n".join(map(str, records.to_table(*matches, workers=1).to_pylist()))


def of_damaged(path: Path, seed: int) -> Outputs:
    """A record with some of its bytes lost, repeated or changed."""
    chance, content = random.Random(seed), bytearray(path.read_bytes()[:20_000])
    for _ in range(chance.randint(1, 12)):
        start = chance.randrange(len(content) + 1)
        content[start : start + chance.choice([0, 1, 5, 40])] = chance.choice(
            [b"", b"9", b"\n", b" : ", b"??", content[:9]]
        )
    label = f"damaged {path.name} {seed}"
    try:
        for match in records.loads_all(bytes(content)):
            yield label, f"{match.findings}\n{json.dumps(match)}\n{records.referee(match)}"
    except GammonError as error:
        yield label, repr(error)


RULES = (
    None,
    Rules(),
    Rules(jacoby=True, beavers=2, auto_doubles=2, opening="reroll"),
    Rules(cube=False, gammons=False, backgammons=False),
    Rules(start="nackgammon", crawford=False),
    Rules(start="hypergammon", scoring="pips", cube=False),
)


def of_game(seed: int) -> Outputs:
    """Legal actions by chance until the match is over, with everything that a state is written and drawn as."""
    chance = random.Random(seed)
    rules = RULES[seed % len(RULES)]
    length = None if rules is not None and rules.scoring == "pips" else chance.choice([None, 1, 3, 7])
    state, lines = MatchState.new(length, rules=rules), []
    for _ in range(400):
        lines += of_state(state)
        if not (state.legal_actions or state.phase is Phase.OPENING):
            break
        state = stepped(state, chance)
    yield f"game {seed}", "\n".join(lines)
    yield (
        f"game {seed} pictures",
        "\n".join([said(draw.svg.match_state, state), said(draw.svg.position, state.position)]),
    )


def of_state(state: MatchState) -> list[str]:
    texts = [str(state), repr(state), said(lambda: state.xgid), said(lambda: state.gnubg_id), json.dumps(state)]
    texts += [str(sorted(state.legal_actions)), said(lambda: read(state.xgid)), said(lambda: state.legal_plays)]
    return [*texts, *(said(lambda action=action: state.cube_after(action)) for action in Action)]


def stepped(state: MatchState, chance: random.Random) -> MatchState:
    dice = chance.choice(ROLLS)
    if state.phase is Phase.OPENING:
        return state.opening_roll(*dice)
    action = chance.choice(sorted(state.legal_actions - ({Action.RESIGN} if chance.random() < 0.98 else set())))
    match action:
        case Action.ROLL:
            return state.roll(dice)
        case Action.PLAY:
            return state.play(chance.choice(state.legal_plays))
        case Action.RESIGN:
            return state.resign(chance.choice(list(Win) if state.rules.scoring == "points" else [Win.SINGLE]))
        case Action.OPENING_ROLL:
            return state.opening_roll(*dice)
        case _:
            return getattr(state, action.value)()


def of_arrays() -> Outputs:
    for length in (None, 5):
        played = batch.play_matches(40, best_pips, twice, rng=np.random.default_rng(1), length=length, max_turns=300)
        yield f"arrays {length}", str([digest(getattr(played, name)) for name in ("points", "moves", "scores", "ends")])
        yield f"matches {length}", "\n".join(map(json.dumps, played.to_matches()))
    points = batch.random_games(200, rng=np.random.default_rng(2)).points[:500]
    plays = batch.legal_plays(points, np.array([[3, 1], [4, 4]] * 250, np.int8))
    yield "arrays of plays", str([digest(getattr(plays, name)) for name in ("points", "moves", "offsets")])
    env = BackgammonVectorEnv(8)
    yield (
        "environment",
        "\n".join([str(env.reset(seed=3)), *(str(env.step(np.zeros(8, np.int64))) for _ in range(200))]),
    )


def best_pips(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    pips = batch.pip_counts(turns.points)
    return turns.best(pips[:, 0] - pips[:, 1])


def twice(states: batch.MatchStates, _: np.random.Generator) -> np.ndarray:
    """Doubles, takes and beavers by chance."""
    pips = batch.pip_counts(states.points).sum(axis=1)
    if states.may(Action.TAKE).all():
        return np.where(pips % 3 == 0, Action.DROP, Action.TAKE)
    return np.where(pips % 5 == 0, Action.DOUBLE, Action.ROLL)


def digest(array: np.ndarray) -> str:
    return f"{array.dtype} {array.shape} {sha256(np.ascontiguousarray(array).tobytes()).hexdigest()}"


def of_the_library() -> Outputs:
    yield "schema", str(json.schema())
    results = arena.play(["bgsage:1", "bgsage:1"], games=6, workers=1, seed=4)
    yield "arena", f"{results!r}\n{results}"
    state = MatchState.new(7).opening_roll(white=3, black=1)
    with SimpleEngine.bgsage() as engine:
        for asked in (state, state.play("8/5 6/5"), state.play("8/5 6/5").double()):
            hint = engine.hint(asked, 1)
            yield f"hint {asked.phase}", f"{hint}\n{hint._repr_html_()}\n{hint!r}"
    yield "archive", "\n".join(sorted(f"{scanned}" for scanned in records.scan(RECORDS[0], workers=2)))


COMMANDS = """
--help
referee examples/matches
referee --json examples/matches
referee --summary tests/data/matches
referee nothing README.md
convert examples/matches/galaxy/match1033650.txt OUT.sgf
convert --to json tests/data/matches OUT
view examples/matches/galaxy/match1033650.txt -o OUT.html
view README.md -o OUT.html
export examples/matches -o OUT.csv --workers 2
export examples/matches/galaxy tests/data/matches/sgf -o OUT.jsonl --unique
analyze OUT.mat -o OUT --engine bgsage
arena bgsage:1 bgsage:1 --games 4 --seed 4 --json --workers 1
arena nobody:1 bgsage:1
bearoff make one-sided --points 3 --checkers 3 OUT.bd
bearoff verify OUT.mat
bearoff show --help
evaluate --engine bgsage XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10
show XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
show 4HPwATDgc/ABMA
plays 4HPwATDgc/ABMA 31
plays nonsense 31
perft 4HPwATDgc/ABMA 2
"""


def of_command(line: str) -> Outputs:
    with tempfile.TemporaryDirectory() as folder:
        arguments = [word.replace("OUT", f"{folder}/out") for word in line.split()]
        Path(folder, "out.mat").write_text("1 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5    64: 24/14\n")
        program = [sys.executable, "-m", "gammonrules", *arguments]
        done = processes.run(*program, cwd=ROOT, env={**os.environ, "COLUMNS": "100"}, check=False)
        text = f"{done.returncode}\n{done.stdout}\n{done.stderr}".replace(folder, "FOLDER")
        files = "\n".join(
            f"{path.name} {path.read_bytes()!r}" for path in sorted(Path(folder).rglob("*")) if path.is_file()
        )
    yield f"command {line}", f"{text}\n{files}"


def work(task: tuple[Callable[..., Outputs], tuple[object, ...]]) -> list[tuple[str, str]]:
    function, arguments = task
    """The outputs of a function, without the times and paths of this run."""
    return [
        (label, re.sub(r'(seconds"?[:=] ?)[^,)]*|' + re.escape(f"{ROOT}/"), r"\1", text))
        for label, text in function(*arguments)
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="*", type=Path)
    options.add_argument("--only")
    asked = options.parse_args()
    files = sorted(
        path.resolve() for folder in [*RECORDS, *asked.folders] for path in folder.rglob("*") if path.is_file()
    )
    tasks: list[tuple[Callable[..., Outputs], tuple[object, ...]]] = [(of_record, (path,)) for path in files]
    tasks += [(of_damaged, (path, seed)) for path in files for seed in range(4) if path.stat().st_size < 300_000]
    tasks += [(of_game, (seed,)) for seed in range(SEEDS)]
    tasks += [(of_arrays, ()), (of_the_library, ())]
    tasks += [(of_command, (line,)) for line in COMMANDS.strip().splitlines()]
    with ProcessPoolExecutor() as workers:
        for outputs in workers.map(work, tasks, chunksize=4):
            for label, text in outputs:
                if asked.only is None:
                    print(sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16], label)
                elif label.startswith(asked.only):
                    print(f"--- {label}\n{text}")


if __name__ == "__main__":
    main()
