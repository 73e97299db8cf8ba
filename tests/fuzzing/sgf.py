"""Records in GNU Backgammon's SGF, changed at random; `fuzzing.readers` says what must hold."""

from __future__ import annotations

import random

from fuzzing.readers import changed_text, check_record, files

TEXTS = files("matches/sgf/*.sgf", "analysis/gnubg/*.sgf")
check, octets = check_record, bytes


def case(rng: random.Random) -> bytes:
    return changed_text(rng, TEXTS, ";[](): \\n")
