"""pgx, games in arrays on JAX: `gammonrules conform -- python with_pgx.py`.

A turn is a sequence of actions, each a die and where a checker stands; 0 to 5 say that nothing can be moved. So the
boards after a turn are those from which no other action is left. In its board the player on roll moves up from 0 to 23;
then come both bars and what is off.
"""

import jax
import jax.numpy as jnp
import pgx

from loop import Board, serve

ENVIRONMENT = pgx.make("backgammon")
STEP = jax.jit(ENVIRONMENT.step)
START = jax.jit(ENVIRONMENT.init)(jax.random.PRNGKey(0))
LEGAL = jax.jit(pgx.backgammon._legal_action_mask)
KEY = jax.random.PRNGKey(1)


def boards(points: Board, dice: tuple[int, int]) -> list[Board]:
    off = [15 - sum(max(sign * count, 0) for count in points) for sign in (1, -1)]
    board = jnp.array([*reversed(points[1:25]), points[25], points[0], off[0], -off[1]], dtype=jnp.int32)
    faces = [die - 1 for die in dice]
    left = jnp.array(faces * 2 if dice[0] == dice[1] else [*faces, -1, -1], dtype=jnp.int32)
    state = START.replace(
        _board=board,
        _dice=jnp.array(faces, dtype=jnp.int32),
        _playable_dice=left,
        _played_dice_num=jnp.int32(0),
        legal_action_mask=LEGAL(board, left),
    )
    ended: set[tuple[int, ...]] = set()
    stages, seen = [state], set()
    while stages:
        state = stages.pop()
        for action in jnp.flatnonzero(state.legal_action_mask).tolist():
            if action < 6:
                ended.add(tuple(state._board.tolist()))
                continue
            after = STEP(state, action, KEY)
            if bool(after.terminated) or int(after._turn) != int(state._turn):
                ended.add(tuple(pgx.backgammon._move(state._board, action).tolist()))
            elif (key := (tuple(after._board.tolist()), tuple(after._playable_dice.tolist()))) not in seen:
                seen.add(key)
                stages.append(after)
    return [[counts[25], *reversed(counts[:24]), counts[24]] for counts in ended]


serve("pgx", "pgx", boards)
