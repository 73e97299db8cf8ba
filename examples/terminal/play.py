"""A match against a bot in the terminal: `python examples/terminal/play.py --length 5`.

It needs the extra `examples` (textual, and the JSON of the library). The match is saved after every event; the same
command continues it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))  # where the bots are, which two examples share

try:
    import opponents
    from game import Game
    from screen import MatchApp

    from board import Board
except ImportError as error:
    sys.exit(f'This game needs the extra "examples" ({error}): python -m pip install ".[examples]"')

from gammonrules import GammonError, MatchState


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play a match against a bot.")
    parser.add_argument("--length", type=int, default=5, metavar="N", help="points that win the match; 0 is money play")
    parser.add_argument("--name", default="You", help="your name in the record")
    parser.add_argument("--save", type=Path, default=Path("match.json"), metavar="FILE", help="the file to save in")
    parser.add_argument("--letters", action="store_true", help="checkers are letters, also in a large terminal")
    parser.add_argument("--seed", type=int, help="the same dice each time, for tests")
    parser.add_argument("--hypergammon", metavar="FILE", help="play Hypergammon, against the table that has it solved")
    options = parser.parse_args(namespace=argparse.Namespace(rules=None))
    lengths = None
    try:
        if options.hypergammon is not None:
            options.rules, lengths = opponents.solved(options.hypergammon)
    except (GammonError, OSError, ImportError) as error:
        parser.error(str(error))
    if lengths and (options.length or None) not in lengths:
        parser.error(f"by this table, --length is one of these: {', '.join(str(length or 0) for length in lengths)}")
    return options


def opened(options: argparse.Namespace) -> Game:
    """The match in the file, or a new one. Raises GammonError or OSError."""
    if options.save.suffix != ".json":
        raise GammonError("the name of the file must end in .json")
    rng = random.SystemRandom() if options.seed is None else random.Random(options.seed)
    if options.save.exists():
        return Game.resumed(options.save, rng)
    game = Game(MatchState.new(options.length or None, rules=options.rules), options.name, rng, options.save)
    game.save()
    return game


def main() -> int:
    options = arguments()
    if not os.isatty(0):
        print("A match needs a terminal.", file=sys.stderr)
        return 2
    try:
        game = opened(options)
    except (GammonError, OSError) as error:
        left = "\nThe file was left as it is; --save FILE names another." if os.path.exists(options.save) else ""  # noqa: PTH110 - never raises
        print(f"{options.save}: {error}{left}", file=sys.stderr)
        return 2
    print("Starting the bots...")
    with opponents.opened(table=options.hypergammon) as (game.bots, game.tutor):
        game.strength = [*game.bots][len(game.bots) // 4]
        Board.has_letters |= options.letters
        MatchApp(game).run()
    try:
        game.finish()
    except (GammonError, OSError) as error:
        print(f"{game.file}: the last events are not saved: {error}", file=sys.stderr)
        return 1
    if game.file != options.save:
        print(f"This match is saved in {game.file}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
