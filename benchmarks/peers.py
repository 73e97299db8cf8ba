"""The other libraries: their boards, their calls, and whether they find what gammonrules finds."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gammonrules import ROLLS, Action, Dice, MatchState, Phase, Position, batch, records

MATCHES = Path(__file__).parent.parent / "tests" / "data" / "matches"
EXAMPLES = Path(__file__).parent.parent / "examples" / "matches"

# --- gnubg_nn ------------------------------------------------------------------------------------------------------

GnubgBoard = tuple[tuple[int, ...], tuple[int, ...]]


def gnubg_board(position: Position) -> GnubgBoard:
    """The opponent's checkers and those of the player on roll, each on points 1 to 24 of their own and the bar."""
    points = position.points
    return tuple(max(-points[25 - at], 0) for at in range(1, 26)), tuple(max(points[at], 0) for at in range(1, 26))


def check_gnubg(positions: list[Position]) -> None:
    """Both find the same boards, with all 21 rolls."""
    import gnubg_nn  # noqa: PLC0415

    for position in positions:
        for dice in ROLLS:
            keys = gnubg_nn.moves(gnubg_board(position), dice.high, dice.low)
            boards = {gnubg_nn.board_from_position_key(key) for key in keys}
            plays = position.legal_plays(dice)
            same = boards == {gnubg_board(play.position.flip()) for play in plays} and len(keys) == len(plays)
            # if nothing can be played, it lists nothing, and gammonrules lists a pass
            if not same and (keys or plays[0].moves):
                raise SystemExit(f"gnubg_nn finds other plays: {position!r} with {dice}")


# --- gammonrules -----------------------------------------------------------------------------------------------------


def random_tables(number: int, seed: int = 2026, length: int | None = 7) -> list[MatchState]:
    """States of random matches, or of money play, in every phase but the opening and the end."""
    rng = random.Random(seed)
    states: list[MatchState] = []
    state = start = MatchState.new(length).opening_roll(3, 1)
    while len(states) < number:
        states.append(state)
        actions = state.legal_actions
        if state.phase is Phase.TO_PLAY:
            state = state.play(rng.choice(state.legal_plays))
        elif state.phase is Phase.DOUBLED:
            state = state.take()
        elif Action.DOUBLE in actions and rng.random() < 0.1:
            state = state.double()
        else:
            state = state.roll((rng.randint(1, 6), rng.randint(1, 6)))
        if state.result is not None:
            state = start
    return states


def example_records() -> list[Path]:
    """The example records that hold no analyses."""
    folders = ("bot-money", "galaxy", "studio", "xg-text")
    return [path for folder in folders for path in sorted((EXAMPLES / folder).iterdir())]


def played_records(number: int) -> list[Path]:
    """Records of matches to 7, between bots that make points and double by the race."""

    def choose(turns: batch.Turns, _: np.random.Generator) -> Any:
        return turns.best((turns.points <= -2).sum(axis=1))

    def cube(states: batch.MatchStates, _: np.random.Generator) -> Any:
        mine, theirs = batch.pip_counts(states.view(states.to_act)).T
        offers = np.where(mine < 0.9 * theirs, Action.DOUBLE, Action.ROLL)
        answers = np.where(mine < 1.2 * theirs, Action.TAKE, Action.DROP)
        return np.where(states.phase == Phase.DOUBLED, answers, offers)

    folder = Path(tempfile.mkdtemp())
    games = batch.play_matches(number, choose, cube, rng=np.random.default_rng(2026), length=7)
    for index, match in enumerate(games.to_matches(("Ann", "Bob"))):
        records.dump(match, folder / f"{index:02}.mat")
    return sorted(folder.iterdir())


# --- open_spiel ----------------------------------------------------------------------------------------------------

X = 0  # open_spiel's player who moves from 0 up to 23; the other moves down


def random_states(number: int, seed: int = 2026) -> list[Any]:
    """States of random games in which any roll may come next."""
    import pyspiel  # noqa: PLC0415

    rng = random.Random(seed)
    game = pyspiel.load_game("backgammon")
    states: list[Any] = []
    state = game.new_initial_state()
    while len(states) < number:
        if state.is_terminal():
            state = game.new_initial_state()
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else []
        if len(actions) == 36 and rng.random() < 0.1:
            states.append(state.clone())
        state.apply_action(rng.choice(actions or state.legal_actions()))
    return states


def position_of(state: Any) -> Position:
    """The board of a state, seen by the player who is to roll."""
    return _seen_by(state, int(state.child(0).current_player()))


def _seen_by(state: Any, player: int) -> Position:
    return Position.of(mine=_half(state, player), theirs=_half(state, 1 - player))


def _half(state: Any, player: int) -> dict[int, int]:
    """A side's checkers in its own numbering."""
    points = {(24 - at if player == X else at + 1): state.board(player, at) for at in range(24)}
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", str(state))
    assert scores is not None
    # the bar is not bound to Python: it holds what is neither on a point nor off
    return {**points, 25: 15 - sum(points.values()) - int(scores[player + 1])}


def roll_actions(state: Any) -> dict[Dice, int]:
    """open_spiel's chance action for each of the 21 rolls."""
    actions: dict[Dice, int] = {}
    for action, _ in state.chance_outcomes():
        faces = re.search(r"roll: (\d)(\d)", state.action_to_string(action))
        assert faces is not None
        actions.setdefault(Dice.of("".join(faces.groups())), action)
    return actions


def check_open_spiel(states: list[Any]) -> None:
    """Both find the same boards, with all 21 rolls; open_spiel plays a doublet in two halves."""
    for state in states:
        position, mover = position_of(state), int(state.child(0).current_player())
        for dice, action in roll_actions(state).items():
            boards = {_seen_by(end, mover).flip() for end in _ends_of_turn(state.child(action), mover)}
            if boards != {play.position for play in position.legal_plays(dice)}:
                raise SystemExit(f"open_spiel finds other plays: {position!r} with {dice}")


def _ends_of_turn(state: Any, mover: int) -> Iterator[Any]:
    if state.is_terminal() or state.is_chance_node() or state.current_player() != mover:
        yield state
        return
    for action in state.legal_actions():
        yield from _ends_of_turn(state.child(action), mover)


# --- gammonview ----------------------------------------------------------------------------------------------------


def decisions_of_gammonview(text: str) -> Iterator[dict[str, Any]]:
    """A record as gammonview reads it: each play with the board before it."""
    from gvformat.game_reconstructor import find_crawford_game_index, reconstruct_decisions  # noqa: PLC0415
    from gvformat.mat_parser import parse_mat_file  # noqa: PLC0415

    match = parse_mat_file(text)
    length, players = match["match_length"], (match["player1"], match["player2"])
    crawford = find_crawford_game_index(match["games"], length, match["crawford_rule"])
    for index, game in enumerate(match["games"]):
        decisions = reconstruct_decisions(game, length, *players, is_crawford=index == crawford)["decisions"]
        yield from (decision for decision in decisions if decision["kind"] == "checker")


def referee_with_gammonview(path: Path) -> int:
    """Read a file and check each of its plays: how many are legal."""
    from gvformat.legality import is_play_legal  # noqa: PLC0415

    legal = 0
    for decision in decisions_of_gammonview(path.read_text(encoding="utf-8")):
        board = decision["board"]  # as the mover sees it; both bars count up
        mine = [0, *(max(count, 0) for count in board[1:25]), board[25]]
        theirs = [0, *(max(-count, 0) for count in board[1:25]), 0]
        legal += is_play_legal(mine, theirs, *decision["dice"], _single_moves(decision["notation"] or ""))
    return legal


def _single_moves(text: str) -> list[tuple[int, int]]:
    moves: list[tuple[int, int]] = []
    for word in text.lower().replace("*", "").split():
        path, _, times = word.partition("(")
        stops = [{"bar": 25, "off": 0}.get(stop) or int(stop.replace("off", "0")) for stop in path.split("/")]
        moves += list(pairwise(stops)) * int(times.rstrip(")") or 1)
    return moves


def clean_records(every: int) -> tuple[list[Path], int]:
    """Records of BackgammonGalaxy, one of so many, in which nothing is wrong, and their rolls.

    Those in which gammonview sees another number of plays are left out, as it does with names that it cannot split.
    """
    paths: list[Path] = []
    rolls = 0
    for path in sorted((MATCHES / "galaxy").glob("*.txt"))[::every]:
        text = path.read_text(encoding="utf-8")
        match = records.loads(text)
        broken = any(finding.severity is not records.Severity.INFO for finding in records.referee(match))
        if not broken and len(list(decisions_of_gammonview(text))) == match.rolls:
            paths.append(path)
            rolls += match.rolls
    return paths, rolls


def check_gammonview(paths: list[Path]) -> None:
    """Both find every play legal."""
    for path in paths:
        if referee_with_gammonview(path) != records.load(path).rolls:
            raise SystemExit(f"gammonview finds other plays legal in {path}")
