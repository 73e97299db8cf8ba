"""Match records built to hurt: real ones with changes, and files made row by row from everything that a row can hold.

Reading gives a match or a `ParseError`, the referee never raises, and says no more than a page a game; what is written
reads back as the same games; the command prints JSON and no traceback. All of it in a time that grows with the text.
"""

from __future__ import annotations

import json
import random
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from click.testing import CliRunner

from fuzzing.harness import attempt, within
from fuzzing.mutation import NUMBERS, mutated
from fuzzing.pages import check_page
from gammonrules import Event, MatchState, ParseError, Player
from gammonrules.cli.app import app
from gammonrules.records import (
    LARGEST_RECORD,
    Finding,
    FindingKind,
    Game,
    Match,
    dumps,
    loads,
    loads_all,
    lost_in,
    referee,
)

MATCHES = Path(__file__).parents[1] / "data" / "matches"
SECONDS_A_MB = 2.0
"""Of reading and refereeing each. The worst text known takes about one on a machine with nothing else to do."""
SECONDS = 0.1
"""For what does not depend on the size."""
MOST_OF_A_KIND = 1_000
"""Findings of one kind in one record."""
LONGEST_EXPLANATION = 400
WIDTHS = ("80", "200", "20", "1", "0", "-1", "x", "")
"""Of terminals, as they call themselves."""
LARGE = 200_000
"""Characters of a record from which on it is not written, which would take all the time there is."""

FILES = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted(MATCHES.rglob("*"))
    if path.suffix in {".mat", ".txt"} and path.stat().st_size < 200_000
]
GAMES = [game for text in FILES for game in text.split("\n Game ")[1:]]
LINES = [line for text in FILES for line in text.splitlines()]
HEADS = [text.split("\n Game ")[0] for text in FILES]

Case = tuple[str, str, int, bool]
"""The beginning of a text, a part that follows it, how many times, and whether the command reads it too (slowly)."""


def case(rng: random.Random) -> Case:
    """A record."""
    chance = rng.random()
    if chance < 0.45:
        text = _changed_file(rng)
    elif chance < 0.9:
        text = "\n".join(_made_up(rng))
    elif chance < 0.99:
        text = mutated(rng, rng.choice(FILES)[:5000], LINES, "\n:) ")
    else:
        return *_repeated(rng), rng.random() < 0.05
    if rng.random() < 0.05:
        text = text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\u2028")))
    return text, "", 0, rng.random() < 0.05


# --- real records with changes ------------------------------------------------------------------------------------


def _changed_file(rng: random.Random) -> str:
    """One or two games of real files, with some lines changed."""
    games = [rng.choice(GAMES).splitlines() for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    head = rng.choice(HEADS) if rng.random() < 0.8 else f" {rng.choice(NUMBERS)} point match"
    lines = head.splitlines()
    for game in games:
        lines += ["", f" Game {game[0]}", *game[1:]]
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[at])
            case 2:
                lines.insert(at, rng.choice(LINES))
            case 3:
                lines[at] = mutated(rng, lines[at], LINES, ":) /")
            case 4:
                lines[at] = _row(rng, rng.randrange(40))
            case 5:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                shift = rng.randrange(-6, 7)
                lines[at] = " " * shift + lines[at] if shift > 0 else lines[at][-shift:]
        if not lines:
            break
    return "\n".join(lines)


# --- records made row by row --------------------------------------------------------------------------------------


def _number(rng: random.Random, *usual: object) -> str:
    return str(rng.choice(usual)) if rng.random() < 0.93 else rng.choice(NUMBERS)[:400]


def _made_up(rng: random.Random) -> Iterator[str]:
    """The lines of a record of a few games; most start with rows that the rules allow."""
    length = rng.choice((0, 0, 1, 2, 3, 5, 7, 25))
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        yield _comment(rng)
    yield f" {_number(rng, length)} point match"
    for number in range(1, rng.choice((2, 2, 3, 5))):
        yield ""
        yield f" Game {_number(rng, number)}"
        scores = (0, 0) if not length else (rng.randrange(length), rng.randrange(length))
        yield f" Ann : {_number(rng, scores[0])}                         Bob : {_number(rng, scores[1])}"
        if rng.random() < 0.3:
            yield _comment(rng)
        rows = list(_played_rows(rng, length, scores)) if rng.random() < 0.7 else []
        yield from rows
        for row in range(len(rows), len(rows) + rng.choice((0, 1, 2, 4))):
            yield _row(rng, row)
        if rng.random() < 0.6:
            yield " " * rng.choice((2, 6, 6, 20, 34, 34)) + _end(rng)


def _played_rows(rng: random.Random, length: int, scores: tuple[int, int]) -> Iterator[str]:
    """Rows of a game that goes on for some turns, as a file would show them."""
    state = MatchState.new(length or None, score=scores).opening_roll(*rng.choice(((6, 1), (1, 6), (3, 2), (2, 4))))
    cells = [] if state.on_roll is Player.WHITE else [""]
    for _ in range(rng.choice((1, 2, 5, 10))):
        assert state.dice is not None
        play = rng.choice(state.legal_plays)
        moves = "".join(f" {move.from_point}/{move.to_point}{'*' * move.hit}" for move in play.moves)
        cells.append(f"{state.dice.high}{state.dice.low}:{moves if rng.random() < 0.97 else ''}")
        state = state.play(play)
        if state.result is not None:
            break
        if "double" in state.legal_actions and rng.random() < 0.15:
            state = state.double()
            assert state.pending_double is not None
            cells += [f" Doubles => {state.pending_double.value}", " Takes"]
            state = state.take()
        state = state.roll((rng.randint(1, 6), rng.randint(1, 6)))
    for number, row in enumerate(zip(cells[::2], [*cells[1::2], ""], strict=False), start=1):
        yield f"{number:3}) {row[0]:<27} {row[1]}"


def _row(rng: random.Random, number: int) -> str:
    left, right = _cell(rng), _cell(rng) if rng.random() < 0.8 else ""
    gap = rng.choice((27, 27, 27, 1, 2, 12, 40))
    return f"{_number(rng, number, number, 1, 24):>3}) {left:<{gap}} {right}"


def _cell(rng: random.Random) -> str:
    """Anything that may be in a cell."""
    dice = f"{rng.randint(0, 7)}{rng.randint(1, 6)}:" if rng.random() < 0.97 else f"{rng.choice(NUMBERS)[:30]}:"
    match rng.randrange(12):
        case 0 | 1 | 2:
            steps = (f" {rng.randint(0, 26)}/{rng.randint(0, 26)}{rng.choice(('', '', '*', '(2)'))}" for _ in range(4))
            return dice + "".join(list(steps)[: rng.randrange(5)])
        case 3:
            return f" {rng.choice(('Doubles', 'Redoubles'))} => {_number(rng, 2, 4, 8, 3, 16, 4096)}"
        case 4:
            return rng.choice((" Takes", " Drops", " Take", " Drops 2 points"))
        case 5:
            word = rng.choice(("Beavers", "beaver", "Raccoons", f"Beavers => {_number(rng, 4, 8)}"))
            return " ".join([word] * rng.choice((1, 1, 2, 3, 50)))
        case 6:
            return f"{dice} {rng.choice(('????', 'Cannot Move', 'Concedes', 'Resigns', 'no play', '(no play)'))}"
        case 7:
            return _end(rng)
        case 8:
            return rng.choice(("????", "Concedes", "Resigns", "resign 2", "[time]", "x" * rng.randrange(300)))
        case 9:
            counts = ";".join(_number(rng, 0, 0, 2, -2, 5, -5, 1, -1) for _ in range(26))
            return (
                f"{dice} Illegal play ({_number(rng, 0, 5)};0;1;0;{rng.randint(0, 1)};Bob;Ann;0;0;0;1;0;{counts};0;0;)"
            )
        case 10:
            return f"{_number(rng, 2, 24)}) {dice}"
        case _:
            return mutated(rng, rng.choice(LINES), LINES, ": /")[:400]


def _end(rng: random.Random) -> str:
    word = rng.choice(("Wins", "Wins", "Wins", "Losses", "wins", "Concedes"))
    match = rng.choice(("", "", " and the match"))
    return f"{word} {_number(rng, 1, 1, 2, 3, 4, 8)} point{rng.choice(('', 's'))}{match}"


def _comment(rng: random.Random) -> str:
    """A comment, a tag, or a position set by hand."""
    tags = ("Crawford", "Jacoby", "Beaver", "Beavers", "CubeLimit", "Variation", "Site", "Player 1", "EventDate", "")
    values = ("On", "Off", "1", "64", "1024", "Hypergammon", "Nackgammon", "Portes", "", "x" * 300, "9" * 400)
    match rng.randrange(6):
        case 0:
            power = _number(rng, "0", "1", "-1", "3", "-2", "99")
            return f"; Set Pos={''.join(rng.choices('-----abcEFo', k=rng.choice((26, 26, 26, 25))))}/{power}"
        case 1:
            return f"; Set Pos=-b----E-C---eE---c-e----B-/{_number(rng, '0', '1', '-1', '20')}"
        case 2:
            return f"; {mutated(rng, rng.choice(LINES), LINES, ': ')}"
        case _:
            return f'; [{rng.choice(tags)} "{rng.choice(values)}"]'


def _repeated(rng: random.Random) -> tuple[str, str, int]:
    """The same part of a record again and again: where the work grows faster than the text, it shows.

    Up to some 100 KB, and now and then as much as a record may have.
    """
    length, game = rng.choice((0, 5)), " Game 1\n Ann : 0       Bob : 0\n"
    if rng.random() < 0.4:
        game += "\n".join(_played_rows(rng, length, (0, 0))) + "\n"
    part = rng.choice((_row(rng, rng.randrange(5)), _comment(rng), _cell(rng), "\n".join(_made_up(rng)), game))
    part += rng.choice(("\n", "\n", " "))
    size = LARGEST_RECORD - 10_000 if rng.random() < 0.03 else rng.choice((5_000, 30_000, 100_000))
    return f" {length} point match\n{game}", part, size // len(part)


# --- what must hold -----------------------------------------------------------------------------------------------


def check(case: Case) -> None:
    """Read, replay, judge, write and read again."""
    start, part, times, command = case
    text = start + part * times
    seconds = SECONDS + SECONDS_A_MB * len(text) / 1e6
    matches, error = attempt(lambda: loads_all(text), seconds=seconds)
    if matches is None:
        assert isinstance(error, ParseError), error
    for match in matches or ():
        with within(seconds):
            findings = referee(match)
        _check_findings(findings, match)
        if len(text) < LARGE:
            _check_writing(match, seconds)
        if zlib.crc32(text.encode("utf-8", "replace")) % 8 == 0 and len(text) < LARGE:
            check_page(match)
    if command:
        _check_command(text, matches)


def _check_findings(findings: Sequence[Finding], match: Match) -> None:
    """Not too many, each on a line."""
    (kind, times), *_ = [*Counter(finding.kind for finding in findings).most_common(1), (None, 0)]
    assert times <= MOST_OF_A_KIND, f"{times} findings {kind}"
    for finding in findings:
        assert isinstance(finding.kind, FindingKind)
        assert len(finding.text) <= 200, f"{finding.kind}: a text of {len(finding.text)} characters"
        assert 0 < len(finding.explanation) <= LONGEST_EXPLANATION, finding
        assert finding.explanation.isprintable(), finding
        assert finding.game is None or finding.game >= 1, finding  # one that cannot start is in no match
    assert len(f"{match.score}, {match.rolls}") < 100


def _check_writing(match: Match, seconds: float) -> None:
    """What is written says the same, except what `lost_in` names, and is written in the same way again."""
    text, error = attempt(lambda: dumps(match), seconds=3 * seconds)
    lost = lost_in(match, "mat")
    if error is not None:
        assert lost == ("match",) or any(name.endswith(".rest") for name in lost)
        return
    again = loads(text)
    assert (again.length, len(again.games)) == (match.length, len(match.games))
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        assert (game.number, game.score) == (read.number, read.score)
        if f"games[{index}].events" not in lost:
            _check_same_game(game, read)
    if not lost:
        assert again == match, "another record when it has been read"
    if not any(name.endswith(".events") for name in lost):  # the end of another game may need another line
        assert _without_comments(dumps(again)) == _without_comments(text), (
            "it is written otherwise when it has been read"
        )


def _without_comments(text: str) -> list[str]:
    """The lines of a record. A comment may lose what looks like the sign of one, or a blank, only when it is read."""
    return [line for line in text.splitlines() if not line.startswith(";") or "Set Pos" in line]


def _check_same_game(game: Game, read: Game) -> None:
    """The same plays, rolls, cubes and positions set by hand, and the same result."""
    assert _story(game) == _story(read), "another game when it has been read"
    result, result_read = game.final().result, read.final().result
    if result is None and game.stated is not None:
        return  # it is read back as resigned
    assert result == result_read, "another result when it has been read"


def _story(game: Game) -> list[object]:
    """What happened, without offers to resign, which the format has no words for, and tied opening rolls."""
    story: list[object] = []
    for event, before, after in zip(game.events, states := list(game.states()), states[1:], strict=False):
        if not isinstance(event, Event):  # what a record has besides: a position set by hand, ...
            story.append((after.position, after.on_roll, after.cube, after.result))
        elif event.action == "play":
            story.append((event.action, after.position))
        elif event.action in ("roll", "opening_roll"):
            story += [(after.on_roll, after.dice)] * (after.dice is not None)
        elif event.action in ("double", "take", "drop", "beaver"):
            story.append((event.action, before.to_act))
    return story


def _check_command(text: str, matches: tuple[Match, ...] | None) -> None:
    """The same text as bytes is the same matches; `gammonrules referee` says so in JSON, and in words."""
    data = text.encode("utf-8", "surrogatepass")
    from_bytes, _ = attempt(lambda: loads_all(data), seconds=60)
    if len(data) <= LARGEST_RECORD and not any("\ud800" <= character <= "\udfff" for character in text):
        assert from_bytes == matches, "another record as bytes"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "record.mat")
        path.write_bytes(data)
        for arguments in (["referee", "--json", str(path)], ["referee", str(path)]):
            result = CliRunner(env={"COLUMNS": WIDTHS[len(text) % len(WIDTHS)]}).invoke(app, arguments)
            assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
            assert result.exit_code in (0, 1, 2), result
            assert "please report" not in result.output, result.output[-300:]
            if "--json" in arguments:
                documents = [json.loads(line) for line in result.output.splitlines()]
                assert any("error" in each for each in documents) == (from_bytes is None), result.output[:300]
