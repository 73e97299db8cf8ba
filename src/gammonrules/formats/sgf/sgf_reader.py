"""From a text to a match: the rules that it states, and what is odd about the roots of its games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import attrs

from gammonrules.errors import ParseError
from gammonrules.formats.match_reading import MatchReading, RawGame, as_analyzed, coin_game, longest_run
from gammonrules.formats.sgf.set_up_nodes import sets_board
from gammonrules.formats.sgf.sgf_replay import SgfReplay
from gammonrules.formats.sgf.sgf_root import OWN, Root, comments_in, engine_of, info_of, tags_in_root
from gammonrules.formats.sgf.sgf_trees import Node, Tree, first_value, read_trees
from gammonrules.match import Cube, MatchState
from gammonrules.match.internals import crawford_if_first
from gammonrules.rules import Rules
from gammonrules.transcript import (
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    length_played,
    rolls_in,
    with_jacoby_decided,
)
from gammonrules.values import shown

LARGEST_SGF: Final = 16 * 1024 * 1024
"""The most characters of a record; a match with all its analyses has about half a million."""

_BEGINNING = re.compile(r"\s*+\((?:\s*+\()*+\s*+;\s*+[A-Za-z]{1,20}\s*+\[(?![^\]]{0,50}\]\s*\))")


def is_sgf(text: str) -> bool:
    """Whether a text begins like SGF, of any game, and goes on after the first property."""
    return _BEGINNING.match(text) is not None


def read_sgf(text: str) -> Match:
    """Read a record; its defects become findings.

    In money play without the word "Jacoby" the rule is taken not to hold, unless the stated points fit better with it.
    Raises ParseError if the text has no game of backgammon.
    """
    reader = read_trees(text)
    findings = reader.findings
    games = games_of_one_match(reader.trees, findings)
    tree, root = games[0]
    tags = tuple(tags_of_match(games))
    length = length_played(root.length, (game.score for _, game in games), tags)
    findings.extend(coin_game(root.length, length, tree.root.text, tree.root.line))
    if length != root.length:
        games = [(tree, attrs.evolve(root, length=None, rules=(*root.rules, "Jacoby")))]
    rules = rules_of_match(games, findings)
    report_gaps(tree, root, findings)

    def replayed(rules: Rules) -> Match:
        raw_games = [raw_game(tree, root, rules) for tree, root in games]
        reading = MatchReading(raw_games, length, rules, FindingLog.after(findings))
        for index, game in played_games(reading):
            reading.games[index] = as_analyzed(game, root.length)
        comments = comments_in(first_value(tree.root.properties.get("GC")) or "")
        return reading.match(root.names, root.length, tags, comments, "sgf", all_rolls(games, reading.games))

    return replayed(rules) if root.length is not None or rules.jacoby else with_jacoby_decided(replayed, rules)


def tags_of_match(games: list[tuple[Tree, Root]]) -> Iterator[tuple[str, str]]:
    """The tags of all games. Each game adds those that no earlier game has."""
    earlier: set[str] = set()
    for tree, _ in games:
        tags = list(tags_in_root(tree.root))
        yield from ((name, value) for name, value in tags if name not in earlier)
        earlier.update(name for name, _ in tags)


def games_of_one_match(trees: list[Tree], findings: FindingLog) -> list[tuple[Tree, Root]]:
    """The games of the first match of a file, with their roots. Raises ParseError if it does not begin with one."""
    if not trees:
        raise ParseError("the record holds no game: there is no node between brackets")
    refusal = why_not_backgammon(trees[0].root)
    if refusal:
        raise ParseError(refusal)
    games = [(trees[0], Root.of(trees[0].root))]
    for tree in trees[1:]:
        root = Root.of(tree.root)
        why_not = why_not_backgammon(tree.root) or why_another_match(games, root)
        if why_not:
            note = f"{why_not}; nothing from here on is read"
            report(findings, Severity.ERROR, FindingKind.UNREADABLE_LINE, tree, note)
            break
        games.append((tree, root))
    return games


def why_not_backgammon(root: Node) -> str | None:
    """Why a root does not begin a game of backgammon; None if it does."""
    game = first_value(root.properties.get("GM"))
    if game is None:
        return None if "MI" in root.properties else "this SGF does not say which game it is: GM[6] is missing"
    return None if game.strip() == "6" else f"this SGF is of a game other than backgammon: GM[{shown(game)[1:-1]}]"


def why_another_match(games: list[tuple[Tree, Root]], root: Root) -> str | None:
    """Why a game does not belong to the same match as those before it; None if it does."""
    first, before = games[0][1], games[-1][1]
    numbered = before.number is not None and root.number is not None and root.number < before.number
    starts_again = numbered and root.score == (0, 0)
    if root.length == first.length and {*root.names} == {*first.names} and not starts_again:
        return None
    return "a second match begins here, but a file may hold only one"


def rules_of_match(games: list[tuple[Tree, Root]], findings: FindingLog) -> Rules:
    tree, root = games[0]
    beavers = longest_beaver(games) if root.length is None else 0
    tags = list(tags_in_root(tree.root))
    rules = [game_root.stated_rules(tags, beavers) for _, game_root in games]
    for (game, _), stated in zip(games, rules, strict=True):
        if attrs.evolve(stated, auto_doubles=rules[0].auto_doubles) != rules[0]:
            note = "this game states different rules from the first one, whose rules are used"
            report(findings, Severity.WARNING, FindingKind.CHANGED_RULES, game, note)
            break
    return attrs.evolve(rules[0], auto_doubles=max(stated.auto_doubles for stated in rules))


def longest_beaver(games: list[tuple[Tree, Root]]) -> int:
    """How many beavers in a row the games show: two are a beaver and a raccoon."""
    doubles = max(longest_run(action.startswith("[double]") for action in actions_in(tree)) for tree, _ in games)
    return max(0, doubles - 1)


def all_rolls(games: list[tuple[Tree, Root]], played: dict[int, Game]) -> int:
    """How many rolls the file has, including those that were not replayed."""
    followed = {index: game for index, game in played.items() if not game.cut}
    return sum(rolls_in(followed[tree.index]) if tree.index in followed else rolls_stated(tree) for tree, _ in games)


def rolls_stated(tree: Tree) -> int:
    return sum(action[1:2].isdigit() for action in actions_in(tree))


def actions_in(tree: Tree) -> Iterator[str]:
    """The actions of a game, as they are written; "" for a node without one."""
    return (node.properties.get("W", node.properties.get("B", "")) for node in tree.nodes)


def raw_game(tree: Tree, root: Root, rules: Rules) -> RawGame[tuple[Tree, Root]]:
    """What a root states about its game. It may be called the Crawford game at a score where it cannot be."""
    crawford = None
    if root.length is not None and rules.crawford:
        crawford = root.is_crawford_game and bool(crawford_if_first(rules, root.length, root.score))
    cube = Cube() if sets_board(tree.root) else Cube(root.cube)
    return RawGame(tree.root, (tree, root), root.score, crawford, cube)


def played_games(reading: MatchReading[tuple[Tree, Root]]) -> Iterator[tuple[int, Game]]:
    """The possible games, each as far as it can be followed, with their numbers in the file."""
    games, findings = [raw.source for raw in reading.raw_games], reading.findings
    program, first = engine_of(games[0][0].root), first_number(games)
    engine = "" if program == OWN else program.removeprefix(f"{OWN} ")
    for index, raw, start in reading.starts():
        tree, root = raw.source
        report_doubts(index, root, start, reading)
        number = index if root.number is None else root.number + 1 - first
        next_score = reading.stated_score(index + 1)
        yield index, SgfReplay(index, start, findings, tree.root, tree, root, engine, next_score, number).run()


def first_number(games: list[tuple[Tree, Root]]) -> int:
    """The number of the first game of a match: 0 in GNU Backgammon, 1 by the standard."""
    from_zero = engine_of(games[0][0].root).lower().startswith(("gnu backgammon", OWN))
    return 0 if from_zero or any(root.number == 0 for _, root in games) else 1


def report_doubts(index: int, root: Root, start: MatchState, reading: MatchReading[tuple[Tree, Root]]) -> None:
    """A Crawford game that cannot be one (the referee has other doubts), and players who have changed sides."""
    if root.is_crawford_game and not start.crawford:
        note = "the file calls this the Crawford game, but it cannot be, at this score or under these rules"
        reading.report(index, Severity.WARNING, FindingKind.CRAWFORD_MISMATCH, note)
    if root.names != reading.raw_games[0].source[1].names:
        note = "the players have changed colors since the first game; each color is treated as one player"
        reading.report(index, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note)


def report_gaps(tree: Tree, root: Root, findings: FindingLog) -> None:
    """A player without a name, and a match whose length is missing."""
    if not all(root.names):
        note = f"{'Black' if root.names[0] else 'White'} has no name"
        report(findings, Severity.INFO, FindingKind.NO_PLAYER_NAME, tree, note)
    if "length" not in info_of(tree.root.properties.get("MI")):
        note = "the length of the match is missing, so it is read as money play"
        report(findings, Severity.ERROR, FindingKind.UNREADABLE_LINE, tree, note)


def report(findings: FindingLog, severity: Severity, kind: FindingKind, tree: Tree, note: str) -> None:
    findings.report(severity, kind, note, text=tree.root.text, line=tree.root.line, game=tree.index)
