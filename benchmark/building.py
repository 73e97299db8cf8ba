"""Makes the published files of the benchmark from the lines of its rollouts: the same files from the same lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from positions import DEEP, VERSION, Job
from rollouts import (
    CLOSE,
    CUBE,
    ERROR,
    ERROR_IF_CLOSE,
    SETTINGS,
    SHARE,
    TRUNCATE,
    Chunk,
    cube_questions,
    difference,
    file_of,
    is_done,
    mean_and_error,
    names_of,
    pooled,
    samples,
    unsettled,
    wanted,
    whole_lines,
)

from gammonrules.conformance.states import state_of_flat

HERE = Path(__file__).parent
ASKS = ("play", "cube")
RAW = "raw.jsonl.gz"
PACKED = HERE.parent / "src" / "gammonrules" / "arena" / "benchmark.jsonl.gz"
"""What `gammonrules bench` reads."""
UNSURE = 0.03
"""The error of the loss of a play that was not rolled out. Of 43 plays that were, the engines' judgments differ from
the rollouts by 0.027 (root mean square)."""
APART = 3
"""A decision is left out if the engines differ by more than so many joint errors."""

Decision = dict[str, Any]


# Raw lines ------------------------------------------------------------------------------------------------------------


def jobs_in(folder: Path) -> dict[int, list[Chunk]]:
    """The lines of each decision that was begun, by its number."""
    files = sorted((folder / "jobs").glob("*.jsonl"))
    return {int(file.stem): lines for file in files if (lines := whole_lines(file.read_bytes()))}


def jobs_of(raw: Path) -> dict[int, list[Chunk]]:
    """The same from the published file: in it, a decision begins with its number."""
    jobs: dict[int, list[Chunk]] = {}
    for line in whole_lines(gzip.decompress(raw.read_bytes())):
        if "job" in line:
            lines = jobs[line["job"]] = []
        lines.append(line)
    return jobs


def unpack(raw: Path, folder: Path) -> None:
    """Take what was published for done; others may run in the folder meanwhile, so no file is seen half written."""
    for number, lines in jobs_of(raw).items():
        file = file_of(folder, Job(number))
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(lines_of(lines))
            beside.replace(file)


def hours(jobs: Mapping[int, Sequence[Chunk]], key: str) -> float:
    return sum(line.get(key, 0) for lines in jobs.values() for line in lines) / 3600


# What is published ----------------------------------------------------------------------------------------------------


def published(lines: Sequence[Chunk]) -> tuple[Decision | None, str]:
    """A decision as it is published, or why it is left out."""
    asked, chunks = lines[0], [line for line in lines if "chunk" in line]
    names = names_of(asked)
    if any(unsettled(chunks, engine, asked["ask"], names) for engine in TRUNCATE if names):
        return None, "the error is too large"
    keys = "half", "drawn", "selected_by", "players", "state", "choices"
    decision = {"id": asked["job"]} | {key: asked[key] for key in keys if key in asked}
    make = cube_of if asked["ask"] == "cube" else plays_of
    judged, apart = make(asked, chunks, names)
    return (None, "the engines differ") if apart > APART else (decision | judged, "")


def apart_by(first: tuple[float, float], second: tuple[float, float]) -> float:
    """By how many joint errors two losses differ; an error counts as no less than what it may be."""
    least = wanted(abs(first[0] + second[0]) / 2)
    return abs(first[0] - second[0]) / math.hypot(*(max(error, least) for _, error in (first, second)))


def mean_of(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """The mean of both engines; its error is at least half of what they differ by."""
    return (first[0] + second[0]) / 2, max(math.hypot(first[1], second[1]), abs(first[0] - second[0])) / 2


def written(pair: tuple[float, float]) -> list[float]:
    return [round(number, 4) for number in pair]


def plays_of(asked: Decision, chunks: Sequence[Chunk], names: Sequence[str]) -> tuple[Decision, float]:
    """The plays, best first, and by how many joint errors the engines differ about one of them, at most.

    Those that were not rolled out lose what the deep engines say, whose losses agree on average with those of the plays
    that were rolled out: what they think of the best one alone is no measure for all others.
    """
    state = state_of_flat(asked["state"])
    boards = {str(play): [*play.position.flip().points] for play in state.legal_plays}
    equities = pooled(chunks) if names else {asked["candidates"][0]: 0.0}
    ranked = sorted(equities, key=lambda name: (-equities[name], name))
    best, plays, apart = ranked[0], list[Decision](), 0.0
    rolled = {engine: samples(chunks, engine) for engine in TRUNCATE}
    for name in ranked:
        play: Decision = {"play": name, "points": boards[name]}
        losses = [difference(by_name[best], by_name[name]) for by_name in rolled.values()] if name != best else []
        loss = mean_of(*losses) if losses else (0.0, 0.0)
        apart = max(apart, apart_by(*losses)) if losses else apart
        play |= {"loss": round(max(0.0, loss[0]), 4), "error": round(loss[1], 4)}
        if names:
            play |= {engine: written(mean_and_error([*by_name[name].values()])) for engine, by_name in rolled.items()}
        plays.append(play)
    seen = {name: sum(loss.values()) / len(DEEP) for name, loss in asked["plays"].items()}
    shift = fmean(play["loss"] - seen[play["play"]] for play in plays)
    others = sorted((max(0.0, round(seen[name] + shift, 4)), name) for name in seen if name not in equities)
    rest = [{"play": name, "points": boards[name], "loss": loss} for loss, name in others]
    plays.sort(key=lambda play: play["loss"])  # by the games that it shares with the best one, which may be fewer
    return {"plays": plays, "others": rest}, apart


def cube_of(asked: Decision, chunks: Sequence[Chunk], names: Sequence[str]) -> tuple[Decision, float]:
    """The equities of a cube, and what each action loses; and by how many joint errors the engines differ, at most."""
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
        for name in names
    }
    return {"equities": equities, "actions": actions}, max(apart_by(*pair) for pair in pairs)


# Files ----------------------------------------------------------------------------------------------------------------


def lines_of(rows: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n" for row in rows)


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def packed(decisions: Iterable[Decision]) -> bytes:
    """The decisions as the library has them: states, and what each action loses, with its error."""
    keys = "id", "selected_by", "state"
    rows = [{key: made[key] for key in keys if key in made} | {"losses": losses_in(made)} for made in decisions]
    lines = lines_of(rows)
    return gzip.compress(lines_of([{"version": VERSION, "sha256": digest_of(lines)}]) + lines, 9, mtime=0)


def losses_in(decision: Decision) -> dict[str, list[float]]:
    actions = decision.get("actions") or {play["play"]: play for play in decision["plays"] + decision["others"]}
    return {action: [judged["loss"], judged.get("error", UNSURE)] for action, judged in actions.items()}


def build(folder: Path | None, out: Path, pack: Path) -> None:
    """Make the files from the folder of a run, or from the raw file that was made before."""
    jobs = jobs_of(out / RAW) if folder is None else jobs_in(folder)
    jobs = {number: lines for number, lines in sorted(jobs.items()) if is_done(lines)}
    decisions: dict[str, list[Decision]] = {ask: [] for ask in ASKS}
    left_out: dict[str, dict[str, list[int]]] = {ask: {} for ask in ASKS}
    for number, lines in jobs.items():
        made, why = published(lines)
        ask = lines[0]["ask"]
        if made is None:
            left_out[ask].setdefault(why, []).append(number)
        else:
            decisions[ask].append(made)
    out.mkdir(parents=True, exist_ok=True)
    contents = {f"{ask}s.jsonl.gz": (len(decisions[ask]), lines_of(decisions[ask])) for ask in ASKS}
    contents[RAW] = len(jobs), lines_of(line for lines in jobs.values() for line in lines)
    for name, (_, content) in contents.items():
        (out / name).write_bytes(gzip.compress(content, 9, mtime=0))
    content = packed(decision for ask in ASKS for decision in decisions[ask])
    pack.write_bytes(content)
    print(f"packed: SHA-256 {json.loads(gzip.decompress(content).splitlines()[0])['sha256']}")
    limits = {"close": CLOSE, "error": ERROR, "error_if_close": ERROR_IF_CLOSE, "share": SHARE, "apart": APART}
    versions = sorted({f"{line['engines'][kind]}" for lines in jobs.values() for line in lines[:1] for kind in DEEP})
    summary = {
        "version": VERSION,
        "files": {
            name: {"decisions": number, "sha256": digest_of(content)} for name, (number, content) in contents.items()
        },
        "counts": {ask: dict(sorted(Counter(map(kind_of, decisions[ask])).items())) for ask in ASKS},
        "left_out": left_out,
        "engines": versions,
        "settings": SETTINGS | limits,
        "hours": {key: round(hours(jobs, key), 2) for key in ("seconds", "cpu")},
    }
    (out / "benchmark.json").write_text(f"{json.dumps(summary, indent=1)}\n", encoding="utf-8")
    for ask in ASKS:
        print(f"{ask}s: {len(decisions[ask])}, left out: { {why: len(which) for why, which in left_out[ask].items()} }")


def kind_of(decision: Decision) -> str:
    return f"{decision['half']}, {'selected' if 'selected_by' in decision else 'at random'}"
