"""Replaces the published weights, weights.bin and manifest.json, if a checkpoint is better on held-out groups of plays.

    python training/publish.py training/run/012-td.weights

The benchmark has no say in it. A checkpoint must lose less in plays, by more than the standard error of the difference,
and no more in cubes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from measure import FIRST_OF_GROUP, cube_losses, measure_held, play_losses, read_groups
from networks import Floats, Networks, read_numbers, write_small
from train import PUBLISHED, PUBLISHED_MANIFEST, read_json, sum_of, write_json

MIN_GROUPS: Final = 1_000


def find_objection(records: np.ndarray, candidate: Floats, published: Floats) -> str | None:
    """Return why chances of a candidate are not better than those published, or None."""
    gains = play_losses(records, published) - play_losses(records, candidate)
    gain, error = gains.mean(), gains.std() / np.sqrt(len(gains))
    cubes = cube_losses(records, published) - cube_losses(records, candidate)
    worse, cube_error = -cubes.mean(), cubes.std() / np.sqrt(len(cubes))
    print(f"held-out plays: gain {1000 * gain:.2f} ± {1000 * error:.2f}")
    print(f"held-out cubes: loss {1000 * worse:.2f} ± {1000 * cube_error:.2f}")
    if gain <= error:
        return "the gain in plays is not clear"
    if worse > cube_error:
        return "it is worse in cubes"
    return None


def check_checkpoint(path: Path) -> str | None:
    """Return why a file cannot be published, or None. After a stage `td`, a run can begin again with the next stage."""
    if not path.is_file():
        return f"there is no file {path}"
    if not path.name.endswith("-td.weights") or not path.with_suffix(".json").exists():
        return f"{path} is not the checkpoint of a finished stage 'td'; use a file NNN-td.weights"
    if not (path.parent / "manifest.json").exists():
        return f"{path.parent} has no manifest.json; run training/train.py again, which writes it"
    if np.count_nonzero(read_groups(path.parent)["role"] == FIRST_OF_GROUP) < MIN_GROUPS:
        return f"{path.parent} has too few held-out groups; run training/train.py until a stage 'groups' is finished"
    return None


def main() -> None:
    """Compare a checkpoint with the published weights, and replace them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the checkpoint, in the folder of its run")
    path: Path = parser.parse_args().file
    problem = check_checkpoint(path)
    if problem:
        parser.error(problem)
    folder = path.parent
    records = read_groups(folder)
    networks = Networks(folder)
    candidate = PUBLISHED.with_suffix(".candidate")
    try:
        write_small(candidate, read_numbers(path, networks.total))
    except ValueError as error:
        parser.error(str(error))
    networks.use(candidate)
    held, found = measure_held(networks, records), networks.judge(records["points"])
    if PUBLISHED.exists():
        networks.use(PUBLISHED)
        objection = find_objection(records, found, networks.judge(records["points"]))
        if objection:
            candidate.unlink()
            parser.exit(1, f"{path.name} is not published: {objection}\n")
    stage = int(path.name.split("-")[0])
    manifest = read_json(folder / "manifest.json")
    finished = [entry for entry in manifest["finished"] if entry["stage"] <= stage]
    candidate.replace(PUBLISHED)
    sums = {"weights": sum_of(PUBLISHED), "checkpoint": path.name, "held_out": str(held)}
    write_json(PUBLISHED_MANIFEST, {**manifest, "finished": finished, **sums})
    print(f"{path.name} is published: {held}")


if __name__ == "__main__":
    main()
