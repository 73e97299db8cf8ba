"""Players that an arena makes: engines and policies. Its processes import this, so it imports little."""

from __future__ import annotations

from typing import NoReturn

from bots import MuteError, any_play, hitting, racer
from gammonrules import arena
from gammonrules.errors import EngineError


class MuteEngineError(MuteError, EngineError):
    """The same of an engine."""


def mute_start() -> NoReturn:
    raise MuteEngineError


mute_maker = arena.EnginePlayer(mute_start)

RACER, HITTING = arena.Policy(any_play, racer), arena.Policy(hitting, racer)
