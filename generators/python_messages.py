"""The messages that Python raises, as templates with fields in braces: read from the source, where each rule is.

A template is an f-string whose expressions have names in `FIELDS`, or a variable to which one was assigned before. An
expression without a name is an error, which says where it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from gammonrules.errors import IllegalActionReason
from gammonrules.limits import MAX_PLAY_LENGTH, MAX_POINTS

PACKAGE = Path(__file__).parents[1] / "src" / "gammonrules"
Fields = Mapping[str, str]

CONSTANTS = {"MAX_POINTS:,": f"{MAX_POINTS:,}"}
OF_ACTIONS = CONSTANTS | {
    "opponent.title()": "{opponent}",
    "player.opponent.title()": "{opponent}",
    "to_act.title()": "{answerer}",
    "winner.title()": "{winner}",
    "result.winner.title()": "{winner}",
    "counted(points, 'point')": "{points}",
    "cube.value": "{cube}",
    "length": "{length}",
    "highest_cube(rules):,": "{highest}",
    "allowed": "{allowed}",
}
"""The expressions in messages about actions."""
OF_STATES = CONSTANTS | {
    "setup.cube.value": "{cube}",
    "cube.value": "{cube}",
    "rules.max_cube": "{max_cube}",
    "sides": "{sides}",
    "setup.length": "{length}",
    "double.by.title()": "{doubler}",
    "double.value": "{offered}",
    "counted(double.beavers, 'beaver')": "{beavers}",
    "setup.rules.beavers": "{number_allowed}",
    "result.end": "{end}",
    "level_name(result.win)": "{level}",
    "counted(result.points, 'point')": "{awarded_points}",
    "why_not.sentence": "{why}",
    "why_not": "{why}",
}
"""Those in messages about match states."""
OF_A_SCORE = {"player.title()": "{seat}", "what": "{score}"}
OF_A_SCORE |= dict.fromkeys(("points", "shown(points)"), "{points}") | {"counted(points, 'point')": "{counted}"}
OF_AN_AWARD = {"length": "{length}", "counted(length, 'point')": "{length_points}", "points": "{awarded}"}


# --- reading the source -----------------------------------------------------------------------------------------------


@cache
def functions_in(file: str) -> dict[str, ast.FunctionDef]:
    """The functions and methods of a module, by name."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def nodes_in(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes in a node, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        yield child
        yield from nodes_in(child)


class Source:
    """A function whose messages are read, with the names of the expressions in them."""

    def __init__(self, file: str, function: ast.AST, fields: Fields) -> None:
        self.file = file
        self.function = function
        self.fields = fields

    def templates(self, node: ast.expr) -> list[str]:
        """The template that an expression gives, or those of both sides of a condition."""
        if isinstance(node, ast.IfExp):
            return [*self.templates(node.body), *self.templates(node.orelse)]
        return [self.template(node)]

    def template(self, node: ast.expr) -> str:
        code = ast.unparse(node)
        if code in self.fields:
            return self.fields[code]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(map(self.template, node.values))
        if isinstance(node, ast.FormattedValue):
            return self.field(node)
        if isinstance(node, ast.Name):
            return self.template(self.assigned(node))
        raise SystemExit(f"{self.file}, line {node.lineno}: {code} has no name in {Path(__file__).name}")

    def field(self, node: ast.FormattedValue) -> str:
        code = ast.unparse(node.value)
        if isinstance(node.format_spec, ast.JoinedStr):
            code += f":{self.template(node.format_spec)}"
        return self.fields[code] if code in self.fields else self.template(node.value)

    def assigned(self, name: ast.Name) -> ast.expr:
        """What was assigned to a variable last before it is used."""
        values = [
            node.value
            for node in nodes_in(self.function)
            if isinstance(node, ast.Assign)
            and [ast.unparse(target) for target in node.targets] == [name.id]
            and node.lineno < name.lineno
        ]
        if not values:
            raise SystemExit(f"{self.file}, line {name.lineno}: {name.id} has no name in {Path(__file__).name}")
        return values[-1]


# --- actions ----------------------------------------------------------------------------------------------------------


def action_messages() -> dict[str, list[str]]:
    """For each reason its message; and a second one for the player who must answer, if there is one."""
    found: dict[str, list[str]] = {}
    for path in sorted((PACKAGE / "match").glob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for owner in [tree, *functions_in(file).values()]:
            for node in nodes_in(owner):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "ForbiddenBy":
                    reason, message = node.args
                    name = ast.unparse(reason).rpartition(".")[2].lower()
                    if owner is tree and isinstance(message, ast.Name):
                        continue  # it is read with its function
                    found[name] = Source(file, owner, OF_ACTIONS).templates(message)[::-1]
    return {reason.value: found[reason.value] for reason in IllegalActionReason if reason.value in found}


def beginnings() -> dict[str, str]:
    """What stands before the message about an action."""
    from gammonrules.match.actions import _NEUTRAL  # noqa: PLC0415

    fields = {"action": "{action}", "player.title()": "{player}"}
    source = Source("match/actions.py", functions_in("match/actions.py")["illegal"], fields)
    nobody, other = (
        source.template(node.value)
        for node in nodes_in(source.function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.JoinedStr)
    )
    return {action.value: text for action, text in _NEUTRAL.items()} | {"other": other, "nobody": nobody}


# --- states -----------------------------------------------------------------------------------------------------------


def state_messages() -> list[tuple[str, str]]:
    """The problem and the message of everything that makes a match state impossible, in the order of the checks."""
    return [*yielded("_beyond"), *yielded("_problems_of_setup")]


def yielded(name: str) -> Iterator[tuple[str, str]]:
    """What a function of `checks.py` yields, with what the functions yield that it calls."""
    function = functions_in("match/checks.py")[name]
    source = Source("match/checks.py", function, OF_STATES | own_fields(name))
    for node in nodes_in(function):
        if isinstance(node, ast.YieldFrom) and isinstance(node.value, ast.Call):
            yield from yielded(ast.unparse(node.value.func))
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            problem, message = node.value.elts
            flag = ast.unparse(problem).rpartition(".")[2].lower()
            for text in expanded(source.template(message), function):
                yield flag, text


def own_fields(name: str) -> Fields:
    """The names of expressions that mean something else in other functions."""
    match name:
        case "_beyond" | "_wrong_score":
            return OF_A_SCORE
        case "_wrong_turn":
            return {"what": "{what}"}
        case "_wrong_resignation":
            return {"why_not.sentence": action_messages()["pips_are_single"][0]}
        case "_wrong_result":
            return {"points": "{counts}", "why_not": award_message()}
        case _:
            return {}


def expanded(text: str, function: ast.FunctionDef) -> list[str]:
    """A message for White and one for Black, or one for each key of the dict in the function, or the message alone."""
    if "{seat}" in text:
        return [
            text.replace("{seat}", seat)
            .replace("{points}", f"{{{seat.lower()}}}")
            .replace("{counted}", f"{{{seat.lower()}_points}}")
            for seat in ("White", "Black")
        ]
    if "{what}" in text:
        (fields,) = (node for node in nodes_in(function) if isinstance(node, ast.Dict))
        return [text.replace("{what}", str(ast.literal_eval(key))) for key in fields.keys if key]
    return [text]


def award_message() -> str:
    """Why an arbiter may not award so many points."""
    source = Source("match/scoring.py", functions_in("match/scoring.py")["why_not_award"], OF_AN_AWARD)
    (text,) = (node for node in nodes_in(source.function) if isinstance(node, ast.JoinedStr))
    return source.template(text)


# --- plays ------------------------------------------------------------------------------------------------------------

OF_PLAYS = {
    "name": "{move}",
    "counted(pips, 'pip')": "{pips}",
    "roll.dice": "{dice}",
    "die": "{die}",
    "number": "{count}",
    "target": "{point}",
    "opposing": "{count}",
    "highest": "{point}",
    "source": "{point}",
    "text": "{play}",
    "dice[0]": "{die}",
    "_NUMBER[possible]": "{possible}",
    "_NUMBER[played]": "{count}",
    "point_name(point)": "{point}",
    "length": "{move} is {pips}",
    "pips": "{die}",
    "MAX_PLAY_LENGTH": "{limit}",
    "len(text)": "{count}",
    "shown(text)": "{text}",
    "shown(word)": "{text}",
    "stop": "{point}",
    "texts": "{plays}",
}
"""The expressions in messages about plays."""
assert MAX_PLAY_LENGTH
NAMES_OF_PLAYS: dict[tuple[str, str], Sequence[str]] = {
    ("board/refusals.py", "why"): ("game_over", "must_play"),
    ("board/refusals.py", "why_not"): ("game_over", "none_left"),
    ("board/refusals.py", "_impossible_leg"): ("moves_backward", "no_die", "no_sum", "die_played"),
    ("board/refusals.py", "_only_dice_left"): ("die_left", "one_left", "some_left"),
    ("board/refusals.py", "nothing_to_hit"): ("nothing_hit",),
    ("board/refusals.py", "_broken_rule"): ("die_not_rolled",),
    ("board/refusals.py", "_no_checker"): ("opponent_there", "none_on_bar", "no_such_checker", "bar_first"),
    ("board/refusals.py", "_impossible_move"): ("blocked_point", "not_all_home", "higher_checker_first"),
    ("board/refusals.py", "_unused_die"): ("no_pass", "more_of_doublet", "both_dice", "higher_die"),
    ("board/notation.py", "parse_play"): ("too_long",),
    ("board/notation.py", "_unreadable"): ("unreadable",),
    ("board/notation.py", "_chains_in"): ("roll", "two_signs"),
    ("board/notation.py", "_parse_word"): ("no_point", "early_star", "repeats"),
}
"""The names of messages, in the order in which they are in each function."""


def play_messages() -> dict[str, str]:
    """The messages about plays, by name."""
    messages: dict[str, str] = {}
    for (file, name), keys in NAMES_OF_PLAYS.items():
        source = Source(file, functions_in(file)[name], OF_PLAYS)
        texts = [source.template(node) for node in messages_in(source.function)]
        if len(texts) != len(keys):
            raise SystemExit(f"{file}, {name}: {len(texts)} messages, but {len(keys)} names: {texts}")
        messages |= dict(zip(keys, texts, strict=True))
    return messages | messages_of_errors()


def messages_in(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The texts of a function that are not parts of others, and have several words."""
    for statement in function.body[1:] if ast.get_docstring(function) else function.body:
        yield from texts_in(statement)


def texts_in(node: ast.AST) -> Iterator[ast.expr]:
    is_text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    if is_text:
        if re.search(r"\w \w", ast.unparse(node)):
            yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from texts_in(child)


def messages_of_errors() -> dict[str, str]:
    """The end of messages that begin with the play and the roll."""
    fields = OF_PLAYS | {"words": "", "self.dice": "{dice}"}
    found: dict[str, str] = {}
    for key, function, error in (
        ("other_position", "find", "this is"),
        ("ambiguous", "_ambiguous", "several plays"),
        ("other_order", "_refuse_path", "it cannot"),
    ):
        source = Source("board/position.py", functions_in("board/position.py")[function], fields)
        (text,) = (node for node in messages_in(source.function) if f": {error}" in ast.unparse(node))
        found[key] = source.template(text).partition(": ")[2]
    return found
