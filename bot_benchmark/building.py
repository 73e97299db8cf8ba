"""Makes the published files of the benchmark from the lines of its rollouts: the same files from the same lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from positions import DEEP, FURTHER, RACES, VERSION, Job, judged_names
from rollouts import (
    CLOSE,
    CUBE,
    ERROR,
    ERROR_IF_CLOSE,
    MAX_OTHERS,
    MIN_OTHERS,
    SETTINGS,
    SHARE,
    TRUNCATE,
    Chunk,
    chosen_others,
    chunks_in,
    cube_questions,
    difference,
    file_of,
    is_done,
    mean_and_error,
    names_of,
    pooled,
    samples,
    samples_with_others,
    unsettled,
    wanted,
    whole_lines,
)

from gammonrules import MatchState
from gammonrules._json_protocol.flat_states import state_of_flat

HERE = Path(__file__).parent
ASKS = ("play", "cube")
RAW = "raw.jsonl.gz"
JUDGED = "further.jsonl.gz"
RACES_FILE = "races.jsonl.gz"
PACKED = HERE.parent / "src" / "gammonrules" / "arena" / "benchmark.jsonl.gz"
"""What `gammonrules bench` reads."""
UNSURE = 0.03
"""The error of the loss of a play that was not rolled out. Of 43 plays that were, the engines' judgments differ from
the rollouts by 0.027 (root mean square)."""
APART = 3
"""A decision is in doubt if the engines differ by more than so many joint errors."""

Decision = dict[str, Any]


# Raw lines ------------------------------------------------------------------------------------------------------------


def jobs_in(folder: Path) -> dict[int, list[Chunk]]:
    """The lines of each decision that was begun, by its number."""
    files = sorted((folder / "jobs").glob("*.jsonl"))
    return {int(file.stem): lines for file in files if (lines := whole_lines(file.read_bytes()))}


def jobs_of(folder: Path) -> dict[int, list[Chunk]]:
    """The same from the published files: in them, a decision begins with its number."""
    jobs: dict[int, list[Chunk]] = {}
    for name in (RAW, JUDGED):
        if (folder / name).exists():
            for line in whole_lines(gzip.decompress((folder / name).read_bytes())):
                if "job" in line:
                    lines = jobs[line["job"]] = []
                lines.append(line)
    return jobs


def unpack(published: Path, folder: Path) -> None:
    """Take what was published for done; others may run in the folder meanwhile, so no file is seen half written."""
    for number, lines in jobs_of(published).items():
        file = file_of(folder, Job(number))
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(lines_of(lines))
            beside.replace(file)


def hours(jobs: Mapping[int, Sequence[Chunk]], key: str) -> float:
    return sum(line.get(key, 0) for lines in jobs.values() for line in lines) / 3600


# What is published ----------------------------------------------------------------------------------------------------


def published(lines: Sequence[Chunk]) -> tuple[Decision, str]:
    """A decision as it is published, and why it is in doubt, if it is."""
    asked, chunks = lines[0], chunks_in(lines)
    keys = "half", "drawn", "selected_by", "players", "state", "choices"
    decision = {"id": asked["job"]} | {key: asked[key] for key in keys if key in asked}
    if "exact" in asked:
        return decision | exact_of(asked), ""
    names = names_of(asked)
    made, apart = (cube_of if asked["ask"] == "cube" else plays_of)(lines)
    judge(decision | made, lines)
    if any(unsettled(chunks, engine, asked["ask"], names) for engine in TRUNCATE if names):
        return decision | made, "the error is too large"
    return decision | made, "the engines differ" if apart > APART else ""


def judge(decision: Decision, lines: Sequence[Chunk]) -> None:
    """Say what the judge thinks that each action loses, if it was asked."""
    for line in lines:
        if "judged" in line:
            by_name = {play["play"]: play for play in decision.get("plays", []) + decision.get("others", [])}
            names = judged_names(state_of_flat(decision["state"]))
            for name, loss in zip(names, line["judged"], strict=True):
                (by_name or decision["actions"])[name]["judged"] = loss / 10_000


def exact_of(asked: Decision) -> Decision:
    """What each action of a solved race loses; there is no error."""
    losses = sorted((loss, action) for action, loss in asked["exact"].items())
    if asked["ask"] == "cube":
        return {"actions": {action: {"loss": round(loss, 5), "error": 0} for loss, action in losses}}
    boards = boards_after(state_of_flat(asked["state"]))
    plays = [{"play": name, "points": boards[name], "loss": round(loss, 5), "error": 0} for loss, name in losses]
    return {"plays": plays, "others": []}


def boards_after(state: MatchState) -> dict[str, list[int]]:
    return {str(play): [*play.position.flip().points] for play in state.legal_plays}


def apart_by(first: tuple[float, float], second: tuple[float, float]) -> float:
    """By how many joint errors two losses differ; an error counts as no less than what it may be."""
    least = wanted(abs(first[0] + second[0]) / 2)
    return abs(first[0] - second[0]) / math.hypot(*(max(error, least) for _, error in (first, second)))


def mean_of(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """The mean of both engines; its error is at least half of what they differ by."""
    return (first[0] + second[0]) / 2, max(math.hypot(first[1], second[1]), abs(first[0] - second[0])) / 2


def written(pair: tuple[float, float]) -> list[float]:
    return [round(number, 4) for number in pair]


def plays_of(lines: Sequence[Chunk]) -> tuple[Decision, float]:
    """The plays, best first, and by how many joint errors the engines differ about one of them, at most.

    Those that were not rolled out lose what the deep engines say, whose losses agree on average with those of the
    candidates: what they think of the best one alone is no measure for all others.
    """
    asked, names = lines[0], names_of(lines[0])
    boards = boards_after(state_of_flat(asked["state"]))
    equities = pooled(chunks_in(lines)) if names else {asked["candidates"][0]: 0.0}
    ranked = sorted(equities, key=lambda name: (-equities[name], name))
    best, apart = ranked[0], 0.0
    rolled = {engine: samples_with_others(lines, engine) for engine in TRUNCATE}
    plays = list[Decision]()
    for name in ranked:
        losses = [difference(by_name[best], by_name[name]) for by_name in rolled.values()] if name != best else []
        apart = max(apart, apart_by(*losses)) if losses else apart
        plays.append({"play": name, "points": boards[name]} | loss_of(losses, rolled, name))
    seen = {name: sum(loss.values()) / len(DEEP) for name, loss in asked["plays"].items()}
    shift = fmean(play["loss"] - seen[play["play"]] for play in plays)
    for name in chosen_others(asked):
        if min(len(by_name.get(name, {})) for by_name in rolled.values()) >= MIN_OTHERS:
            losses = [difference(by_name[best], by_name[name]) for by_name in rolled.values()]
            plays.append({"play": name, "points": boards[name]} | loss_of(losses, rolled, name))
    known = {play["play"] for play in plays}
    others = sorted((max(0.0, round(seen[name] + shift, 4)), name) for name in seen if name not in known)
    rest = [{"play": name, "points": boards[name], "loss": loss} for loss, name in others]
    plays.sort(key=lambda play: play["loss"])  # by the games that it shares with the best one, which may be fewer
    return {"plays": plays, "others": rest}, apart


def loss_of(
    losses: Sequence[tuple[float, float]], rolled: Mapping[str, Mapping[str, Mapping[int, float]]], name: str
) -> Decision:
    """What a play loses by both engines, nothing if it is the best one, and its equities if it was rolled out."""
    loss, error = mean_of(*losses) if losses else (0.0, 0.0)
    equities = {
        engine: written(mean_and_error([*by_name[name].values()]))
        for engine, by_name in rolled.items()
        if name in by_name
    }
    return {"loss": round(max(0.0, loss), 4), "error": round(error, 4)} | equities


def cube_of(lines: Sequence[Chunk]) -> tuple[Decision, float]:
    """The equities of a cube, and what each action loses; and by how many joint errors the engines differ, at most."""
    chunks = chunks_in(lines)
    rolled = {engine: samples(chunks, engine) for engine in TRUNCATE}
    drops = pooled(chunks)[CUBE[1]] >= 1
    pairs = [*zip(*(cube_questions(by_name, drops=drops) for by_name in rolled.values()), strict=True)]
    actions = dict[str, Any]()
    for pair, (right, wrong) in zip(pairs, (("roll", "double"), ("drop", "take")), strict=True):
        gained, error = mean_of(*pair)
        for action, loss in ((right, -gained), (wrong, gained)):
            actions[action] = {"loss": max(0.0, round(loss, 4)), "error": round(error, 4)}
    equities = {
        name: {engine: written(mean_and_error([*by_name[name].values()])) for engine, by_name in rolled.items()}
        for name in CUBE
    }
    return {"equities": equities, "actions": actions}, max(apart_by(*pair) for pair in pairs)


# Files ----------------------------------------------------------------------------------------------------------------


def lines_of(rows: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n" for row in rows)


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def packed(decisions: Iterable[Decision], further: Iterable[Chunk], races: Iterable[Decision]) -> bytes:
    """The decisions as the library has them: what each action loses, with its error, or as the judge says."""
    rows = [rolled_out_row(decision) for decision in decisions]
    rows += [{"id": line["job"], "xgid": line["xgid"], "judged": short(line["judged"])} for line in further]
    rows += [race_row(decision) for decision in races]
    lines = lines_of(rows)
    return gzip.compress(lines_of([{"version": VERSION, "sha256": digest_of(lines)}]) + lines, 9, mtime=0)


def rolled_out_row(decision: Decision) -> Decision:
    row: Decision = {key: decision[key] for key in ("id", "selected_by", "state") if key in decision}
    row["losses"] = losses_in(decision)
    judged = judged_in(decision)
    if judged:
        row["judged"] = short(judged)
    if "doubtful" in decision:
        row["doubtful"] = True
    return row


def short(judged: Sequence[int]) -> list[int]:
    """To two digits, which takes a quarter less room."""
    return [int(float(f"{loss:.2g}")) for loss in judged]


def race_row(decision: Decision) -> Decision:
    state = state_of_flat(decision["state"])
    assert MatchState.from_xgid(state.xgid) == state, decision["id"]
    return {"id": decision["id"], "xgid": state.xgid, "race": True, "losses": losses_in(decision)}


def actions_in(decision: Decision) -> dict[str, Decision]:
    return decision.get("actions") or {play["play"]: play for play in decision["plays"] + decision["others"]}


def losses_in(decision: Decision) -> dict[str, list[float]]:
    return {action: [about["loss"], about.get("error", UNSURE)] for action, about in actions_in(decision).items()}


def judged_in(decision: Decision) -> list[int]:
    """In the order of `judged_names`; nothing if the judge was not asked."""
    about = actions_in(decision)
    names = judged_names(state_of_flat(decision["state"]))
    return [round(10_000 * about[name]["judged"]) for name in names if "judged" in about[name]]


def build(folder: Path | None, out: Path, pack: Path) -> None:
    """Make the files from the folder of a run, or from the raw files that were made before."""
    jobs = jobs_of(out) if folder is None else jobs_in(folder)
    jobs = {number: lines for number, lines in sorted(jobs.items()) if is_done(lines)}
    made = {number: published(lines) for number, lines in jobs.items() if not FURTHER <= number < RACES}
    further = [lines[0] for number, lines in jobs.items() if FURTHER <= number < RACES]
    decisions = {ask: [*published_decisions(made, jobs, ask)] for ask in ASKS}
    races = [decision for number, (decision, _) in made.items() if number >= RACES]
    every = [decision for ask in ASKS for decision in decisions[ask]]
    contents = {f"{ask}s.jsonl.gz": decisions[ask] for ask in ASKS} | {JUDGED: further, RACES_FILE: races}
    contents[RAW] = [line for number in made for line in jobs[number]]
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in contents.items():
        (out / name).write_bytes(gzip.compress(lines_of(rows), 9, mtime=0))
    pack.write_bytes(packed(every, further, races))
    print(f"packed: SHA-256 {json.loads(gzip.decompress(pack.read_bytes()).splitlines()[0])['sha256']}")
    limits = {"close": CLOSE, "error": ERROR, "error_if_close": ERROR_IF_CLOSE, "share": SHARE, "apart": APART}
    limits |= {"fewest_others": MIN_OTHERS, "most_others": MAX_OTHERS}
    names = {name for lines in jobs.values() for name in lines[0].get("engines", {}).values()}
    summary = {
        "version": VERSION,
        "files": {
            name: {"decisions": len(made) if name == RAW else len(rows), "sha256": digest_of(lines_of(rows))}
            for name, rows in contents.items()
        },
        "counts": {ask: dict(sorted(Counter(map(kind_of, decisions[ask])).items())) for ask in ASKS},
        "further": dict(sorted(Counter(f"{Job(line['job']).ask}s" for line in further).items())),
        "races": dict(sorted(Counter(f"{Job(race['id']).ask}s" for race in races).items())),
        "doubtful": {ask: numbers_by_doubt(decisions[ask]) for ask in ASKS},
        "left_out": {ask: numbers_left_out(made, ask) for ask in ASKS},
        "engines": sorted(names),
        "settings": SETTINGS | limits,
        "hours": {key: round(hours(jobs, key), 2) for key in ("seconds", "cpu")},
    }
    (out / "benchmark.json").write_text(f"{json.dumps(summary, indent=1)}\n", encoding="utf-8")
    for ask in ASKS:
        doubts = sum("doubtful" in decision for decision in decisions[ask])
        print(f"{ask}s: {len(decisions[ask])} rolled out, {doubts} in doubt")
    print(f"further: {summary['further']}; races: {summary['races']}")


def published_decisions(
    made: Mapping[int, tuple[Decision, str]], jobs: Mapping[int, Sequence[Chunk]], ask: str
) -> Iterator[Decision]:
    """Those that were rolled out; those in doubt come last, and only if they were drawn at random.

    Without them, what is left would be easier than what is drawn at random.
    """
    of_ask = [pair for number, pair in made.items() if number < FURTHER and jobs[number][0]["ask"] == ask]
    yield from (decision for decision, why in of_ask if not why)
    yield from (decision | {"doubtful": why} for decision, why in of_ask if why and decision["drawn"] == "at random")


def numbers_by_doubt(decisions: Iterable[Decision]) -> dict[str, list[int]]:
    numbers = dict[str, list[int]]()
    for decision in decisions:
        if "doubtful" in decision:
            numbers.setdefault(decision["doubtful"], []).append(decision["id"])
    return numbers


def numbers_left_out(made: Mapping[int, tuple[Decision, str]], ask: str) -> dict[str, list[int]]:
    """Where engines disagree, what is in doubt is left out."""
    numbers = dict[str, list[int]]()
    for number, (decision, why) in made.items():
        if why and decision["drawn"] == "disagreement" and Job(number).ask == ask:
            numbers.setdefault(why, []).append(number)
    return numbers


def kind_of(decision: Decision) -> str:
    return f"{decision['half']}, {'selected' if 'selected_by' in decision else 'at random'}"
