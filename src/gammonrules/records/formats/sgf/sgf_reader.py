"""From a text to a match: the rules that it states, and what is odd about the roots of its games."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from itertools import zip_longest
from typing import Final

import attrs

from gammonrules.errors import ParseError
from gammonrules.match import Cube, MatchState, Player
from gammonrules.match.internals import crawford_if_first
from gammonrules.records.formats.match_reading import MatchReading, coin_game, longest_run
from gammonrules.records.formats.sgf.sgf_replay import SgfReplay, sets_board
from gammonrules.records.formats.sgf.sgf_root import (
    OWN,
    Root,
    comments_in,
    engine_of,
    info_of,
    tags_in_root,
)
from gammonrules.records.formats.sgf.sgf_trees import Node, Tree, first_value, read_trees
from gammonrules.records.transcript import (
    Finding,
    FindingKind,
    FindingLog,
    Match,
    Severity,
    jacoby_decided,
    renumbered,
    rolls_in,
)
from gammonrules.records.transcript.header_tags import length_played
from gammonrules.rules import Rules
from gammonrules.values import shown

MAX_SGF_SIZE: Final = 16 * 1024 * 1024
"""The most characters of a record; a match with all its analyses has about half a million."""

_COUNT_FROM_ZERO: Final = ("gnu backgammon", "gibbon", OWN)
"""The programs that count the games of a match from 0."""
_BEGINNING = re.compile(r"\s*+\((?:\s*+\()*+\s*+;\s*+[A-Za-z]{1,20}\s*+\[(?![^\]]{0,50}\]\s*\))")


def is_sgf(text: str) -> bool:
    """Whether a text begins like SGF, of any game, and goes on after the first property."""
    return _BEGINNING.match(text) is not None


def read_sgfs(text: str) -> tuple[Match, ...]:
    """Read all matches of a text; their defects become findings. Raises ParseError if it begins with none."""
    reader = read_trees(text)
    matches = games_of_matches(reader.trees, reader.findings)
    first_games = [games[0].tree.index for games in matches]
    findings: list[list[Finding]] = [[] for _ in matches]
    for finding in reader.findings:
        # those without a game, and those before the first one, go to the first match
        game = finding.game or 0
        matches_begun = bisect_right(first_games, game)
        findings[max(0, matches_begun - 1)].append(finding)
    return tuple(map(match_of, matches, findings))


def match_of(games: list[Root], findings_so_far: list[Finding]) -> Match:
    """The match of these games.

    In money play without the word "Jacoby" the rule is taken not to hold, unless the stated points fit better with it.
    """
    numbers_in_file = [game.tree.index for game in games]
    findings = FindingLog.after(renumbered(findings_so_far, numbers_in_file))
    for index, game in enumerate(games, start=1):
        game.tree.index = index
    first = games[0]
    tags = tuple(tags_of_match(games))
    length = length_played(first.length, [game.score or (0, 0) for game in games], tags)
    coin = coin_game(first.length, played=length, text=first.node.text, line=first.node.line)
    findings.extend(coin)
    is_coin_game = length != first.length
    if is_coin_game:  # one game, by the rules of money play
        games = [attrs.evolve(first, length=None, rules=first.rules | {"jacoby"})]
    rules = rules_of_match(games, findings)
    report_gaps(first, findings)

    def replayed(rules_tried: Rules) -> Match:
        # a copy of the findings, since there may be two replays
        reading = MatchReading(length, rules_tried, FindingLog.after(findings))
        replay_games(games, reading, coin_length=first.length if is_coin_game else None)
        rolls = all_rolls(games, reading)
        return reading.match(first.names, first.length, tags, comments_in(first.node), "sgf", rolls)

    may_have_jacoby = first.length is None and rules.scoring != "pips"
    if rules.jacoby or not may_have_jacoby:
        return replayed(rules)
    return jacoby_decided(replayed, rules)


def tags_of_match(games: list[Root]) -> Iterator[tuple[str, str]]:
    """The tags of all games. Each game adds those that no earlier game has."""
    earlier: set[str] = set()
    for game in games:
        tags = list(tags_in_root(game.node))
        yield from (tag for tag in tags if tag[0] not in earlier)
        earlier.update(name for name, _ in tags)


def games_of_matches(trees: list[Tree], findings: FindingLog) -> list[list[Root]]:
    """The games of each match of a file. Raises ParseError if it does not begin with one."""
    if not trees:
        raise ParseError("the record holds no game: there is no node between brackets")
    refusal = why_not_backgammon(trees[0].root)
    if refusal is not None:
        raise ParseError(refusal)
    matches = [[Root.of(trees[0])]]
    for tree in trees[1:]:
        game = Root.of(tree)
        refusal = why_not_backgammon(tree.root)
        if refusal is not None:
            note = f"{refusal}; it is left out"
            report_root(findings, Severity.ERROR, FindingKind.UNREADABLE_LINE, game, note)
        elif is_of_another_match(matches[-1], game):
            matches.append([game])
        else:
            matches[-1].append(game)
    return matches


def why_not_backgammon(root: Node) -> str | None:
    game = first_value(root.properties.get("GM"))
    if game is None and "MI" not in root.properties:
        return "this SGF does not say which game it is: GM[6] is missing"
    if game is not None and game.strip() != "6":
        return f"this SGF is of a game other than backgammon: GM[{shown(game)[1:-1]}]"
    return None


def is_of_another_match(games: list[Root], game: Root) -> bool:
    """Whether a game does not go on after these: its length or players differ, or number and score begin again."""
    first = games[0]
    if game.length != first.length or set(game.names) != set(first.names):
        return True
    number_before = games[-1].number
    if number_before is None or game.number is None or game.score != (0, 0):
        return False
    if game.number == number_before:
        return game.length is not None  # in money play a number may be repeated
    return game.number < number_before


def rules_of_match(games: list[Root], findings: FindingLog) -> Rules:
    """The rules of the first game, with as many automatic doubles as any game shows; other differences are reported."""
    tags = list(tags_in_root(games[0].node))
    beavers = max(map(beavers_in, games))
    # nearly all games state the same, so the rules are made once for each statement
    first_with_statement: dict[Hashable, Root] = {}
    for game in games:
        first_with_statement.setdefault((game.rules, game.length, game.cube), game)
    games_that_differ = list(first_with_statement.values())
    rules = [game.stated_rules(tags, beavers) for game in games_that_differ]
    most_auto_doubles = max(stated.auto_doubles for stated in rules)
    rules = [attrs.evolve(stated, auto_doubles=most_auto_doubles) for stated in rules]
    rules_of_first = rules[0]
    for game, stated in zip(games_that_differ, rules, strict=True):
        if stated != rules_of_first:
            note = "this game states different rules from the first one, whose rules are used"
            report_root(findings, Severity.WARNING, FindingKind.CHANGED_RULES, game, note)
            break
    return rules_of_first


def beavers_in(game: Root) -> int:
    """How many beavers in a row a game of money play has: a second double in a row is one, and a third a raccoon."""
    if game.length is not None:
        return 0
    doubles = longest_run(action.startswith("[double]") for action in actions_in(game.tree))
    return max(1, doubles) - 1


def all_rolls(roots: list[Root], reading: MatchReading) -> int:
    """How many rolls the file has, including those that were not replayed."""
    rolls = 0
    for index, root in enumerate(roots, start=1):
        game = reading.games.get(index)
        if game is None or game.cut:
            rolls += sum(is_roll(action) for action in actions_in(root.tree))
        else:
            rolls += rolls_in(game)
    return rolls


def actions_in(tree: Tree) -> Iterator[str]:
    """The actions of a game, as they are written; "" for a node without one."""
    return (node.properties.get("W", node.properties.get("B", "")) for node in tree.nodes)


def is_roll(action: str) -> bool:
    return action[1:2].isdigit()


def start_by_root(root: Root, index: int, reading: MatchReading) -> MatchState | None:
    """Begin a game as its root states; None if no game can begin like this."""
    is_crawford = None
    rules = reading.rules
    if root.length is not None and root.score is not None and rules.crawford:
        # some roots call a game the Crawford game at a score where it cannot be
        may_be_crawford = bool(crawford_if_first(rules, root.length, root.score))
        is_crawford = may_be_crawford and "crawfordgame" in root.rules
    cube_value = root.cube
    if sets_board(root.node):
        cube_value = 1  # the root's own is set with its board, when the game is replayed
    cube = Cube(cube_value)
    return reading.start(index, root.node, root.score, crawford=is_crawford, cube=cube)


def replay_games(roots: list[Root], reading: MatchReading, coin_length: int | None) -> None:
    """Follow the possible games, each as far as that can be done.

    `coin_length`: the length that the file of a coin game states.
    """
    first = roots[0]
    program = engine_of(first.node)
    # this library names the engine of the analyses, if there is one, as its own version
    engine = "" if program == OWN else program.removeprefix(f"{OWN} ")
    counts_from_zero = program.lower().startswith(_COUNT_FROM_ZERO)
    has_game_zero = any(root.number == 0 for root in roots)
    # by the standard, games are counted from 1
    first_number = 0 if counts_from_zero or has_game_zero else 1
    for index, (root, following) in enumerate(zip_longest(roots, roots[1:]), start=1):
        start = start_by_root(root, index, reading)
        if start is None:
            continue
        report_doubts(root, first, start, reading.findings)
        number = index if root.number is None else root.number + 1 - first_number
        replay = SgfReplay(
            index,
            start,
            reading.findings,
            place=root.node,
            root=root,
            engine=engine,
            next_score=None if following is None else following.score,
            number=number,
            coin_length=coin_length,
        )
        reading.games[index] = replay.run()


def report_doubts(root: Root, first: Root, start: MatchState, findings: FindingLog) -> None:
    """Report a Crawford game that cannot be one (the referee has other doubts), and players who have changed sides."""
    if "crawfordgame" in root.rules and not start.crawford:
        note = "the file calls this the Crawford game, but it cannot be, at this score or under these rules"
        report_root(findings, Severity.WARNING, FindingKind.CRAWFORD_MISMATCH, root, note)
    if root.names != first.names:
        note = "the players have changed colors since the first game; each color is treated as one player"
        report_root(findings, Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, root, note)


def report_gaps(root: Root, findings: FindingLog) -> None:
    """Report what the root of the first game does not say."""
    if not all(root.names):
        nameless = "Black" if root.names[Player.WHITE] else "White"
        note = f"{nameless} has no name"
        report_root(findings, Severity.INFO, FindingKind.NO_PLAYER_NAME, root, note)
    if "length" not in info_of(root.node.properties.get("MI")):
        note = "the length of the match is missing, so it is read as money play"
        # only a match has the Crawford rule
        severity = Severity.ERROR if "crawford" in root.rules else Severity.INFO
        report_root(findings, severity, FindingKind.UNREADABLE_LINE, root, note)


def report_root(
    findings: FindingLog, severity: Severity, kind: FindingKind, root: Root, note: str
) -> None:
    findings.report(
        severity, kind, note, text=root.node.text, line=root.node.line, game=root.tree.index
    )
