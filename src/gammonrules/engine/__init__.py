"""Engines: programs that play and evaluate, in one line each.

`SimpleEngine` waits for its answers; `Engine` is the same for `async` programs.

Examples:
    >>> from gammonrules import MatchState
    >>> from gammonrules.engine import SimpleEngine
    >>> state = MatchState.new(7).opening_roll(white=3, black=1)
    >>> with SimpleEngine.bgsage() as bgsage:
    ...     str(bgsage.decide(state).argument)
    '8/5 6/5'
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.errors import (
    BotError,
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    EngineUnsupportedError,
)

__all__ = [
    "ENGINES",
    "TIERS",
    "Bot",
    "BotError",
    "CubeComparison",
    "Engine",
    "EngineError",
    "EngineReplyError",
]
__all__ += [
    "EngineStartError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "EngineUnsupportedError",
    "Evaluation",
]
__all__ += [
    "Hint",
    "Rollout",
    "ScoreMatrix",
    "Server",
    "SimpleEngine",
    "StateAnalysis",
    "Tiers",
    "compare_plays",
]
__all__ += ["compare_cube_positions", "evaluate_batch", "score_matrix", "serve", "serve_ubgi"]

if TYPE_CHECKING:
    from gammonrules.engine._async_engine import Engine
    from gammonrules.engine._bots import Bot
    from gammonrules.engine._evaluate_batch import evaluate_batch
    from gammonrules.engine._evaluation import Evaluation
    from gammonrules.engine._gnubg_server import Server, serve
    from gammonrules.engine._hint import Hint
    from gammonrules.engine._named_engines import ENGINES
    from gammonrules.engine._questions import (
        CubeComparison,
        ScoreMatrix,
        StateAnalysis,
        compare_cube_positions,
        compare_plays,
        score_matrix,
    )
    from gammonrules.engine._rollout import Rollout
    from gammonrules.engine._simple_engine import SimpleEngine
    from gammonrules.engine._tiers import TIERS, Tiers
    from gammonrules.engine._ubgi_bot import serve_ubgi
else:
    # The command names the engines in its help, and then loads none of them.

    __getattr__ = _when_named(
        __name__,
        _async_engine=("Engine",),
        _bots=("Bot",),
        _evaluation=("Evaluation",),
        _gnubg_server=("Server", "serve"),
        _hint=("Hint",),
        _evaluate_batch=("evaluate_batch",),
        _named_engines=("ENGINES",),
        _questions=(
            "CubeComparison",
            "StateAnalysis",
            "ScoreMatrix",
            "compare_plays",
            "compare_cube_positions",
            "score_matrix",
        ),
        _rollout=("Rollout",),
        _simple_engine=("SimpleEngine",),
        _tiers=("TIERS", "Tiers"),
        _ubgi_bot=("serve_ubgi",),
    )
__dir__ = __all__.copy
