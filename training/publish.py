"""Replaces the published weights, weights.bin and manifest.json, if a checkpoint is better on held-out groups of plays.

    python training/publish.py training/run/012-td.weights

The benchmark has no say in it. A checkpoint must lose less in plays, by more than the standard error of the difference,
and no more in cubes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import numpy as np

from measure import cube_losses, measure_held, play_losses, read_groups
from networks import Floats, Networks, read_numbers, write_small
from train import PUBLISHED, sum_of, write_json

HERE: Final = Path(__file__).resolve().parent


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


def main() -> None:
    """Compare a checkpoint with the published weights, and replace them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the checkpoint, in the folder of its run")
    path: Path = parser.parse_args().file
    if not path.is_file():
        parser.error(f"there is no file {path}")
    folder = path.parent
    records = read_groups(folder)
    if not len(records):
        parser.error(f"{folder} has no held-out groups yet; run training/train.py until its stage 'groups' is finished")
    networks = Networks(folder)
    small = folder / "candidate.bin"
    write_small(small, read_numbers(path, networks.total))
    networks.use(small)
    held, found = measure_held(networks, records), networks.judge(records["points"])
    if PUBLISHED.exists():
        networks.use(PUBLISHED)
        objection = find_objection(records, found, networks.judge(records["points"]))
        if objection:
            parser.exit(1, f"{path.name} is not published: {objection}\n")
    stage = int(path.name.split("-")[0])
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    finished = [entry for entry in manifest["finished"] if entry["stage"] <= stage]
    small.replace(PUBLISHED)
    write_json(
        PUBLISHED.with_name("manifest.json"),
        {
            **manifest,
            "finished": finished,
            "numbers": networks.total,
            "held_out": str(held),
            "weights": sum_of(PUBLISHED),
        },
    )
    print(f"{path.name} is published: {held}")


if __name__ == "__main__":
    main()
