"""The server of `examples/web` for tests: its dice are known, and its times are short or long."""

from __future__ import annotations

import logging
import random
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

from bot import choose  # noqa: E402
from house import Limits  # noqa: E402
from opponents import Tutor  # noqa: E402
from server import create_app, serve  # noqa: E402

if __name__ == "__main__":
    database, port, seed, pause, absence, teaches = Path(sys.argv[1]), *map(float, sys.argv[2:])
    app = create_app(
        database,
        [f"http://127.0.0.1:{port:.0f}"],
        rng=random.Random(int(seed)),
        limits=Limits(absence=(absence, absence), intermission=120),
        pause=pause,
        bot={"Bot": choose, "Twin": choose},
        tutor=Tutor("selftaught") if teaches else None,
    )
    logging.disable(logging.WARNING)
    serve(app, "127.0.0.1", int(port)).run()
