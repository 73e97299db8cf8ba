"""The server of `examples/web` for tests: its dice are known, and the bot does not pause to think."""

from __future__ import annotations

import logging
import random
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

from server import create_app  # noqa: E402
from sockets import serve  # noqa: E402

if __name__ == "__main__":
    database, port, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    app = create_app(database, [f"http://127.0.0.1:{port}"], rng=random.Random(seed), bot_pause=0)
    logging.disable(logging.WARNING)
    serve(app, "127.0.0.1", port).run()
