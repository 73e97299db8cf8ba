"""Makes the two tables of bots on the page *The benchmark*: `python bot_benchmark/table.py [PAGE]`.

It needs GNU Backgammon and the extras `arena`, `engine` and `json`; gnubg-nn, from PyPI, is asked if it is there.
Also says how GNU Backgammon's 0-ply and its 1-ply differ; `needed.py` says how many plays tell two bots apart.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from positions import from_examples

from gammonrules import arena
from gammonrules.arena import BenchAnswer, BenchResults, MeanLoss

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reference" / "benchmark.md"
END = "<!-- end -->"
BOTS: dict[str, str] = {
    "gnubg:1": "GNU Backgammon, 0-ply",
    "gnubg:2": "GNU Backgammon, 1-ply",
    "gnubg:3": "GNU Backgammon, 2-ply",
    "bgsage:1": "bgsage, level 1",
    "bgsage:2": "bgsage, level 2",
    "bgsage:3": "bgsage, level 3",
    "gnubg-nn": "gnubg-nn, without a cube",
    "td_gammon": "`td_gammon`, an example",
    "bot.py": "`bot.py`, an example",
}


def bot_named(name: str) -> Any:
    """A bot as `arena.bench` takes it; None where it is not installed."""
    match name:
        case "td_gammon":
            return "selftaught:1"
        case "bot.py":
            return from_examples("bot").choose
        case "gnubg-nn":
            if importlib.util.find_spec("gnubg_nn") is None:
                return None
            sys.path.append(str(HERE.parent / "benchmarks"))
            import stronger_bot

            return arena.Policy(stronger_bot.gnubg_nn)
        case _:
            return name


def cell(number: MeanLoss) -> str:
    """An interval stays in one line."""
    if number.loss is None:
        return "-"
    loss, _, interval = str(number).partition(" in ")[0].partition(" (")
    return f"{loss} ({interval}".replace(" to ", "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}") if interval else loss


def positions(results: BenchResults, ask: str, part: str) -> dict[int, BenchAnswer]:
    """One answer about each position."""
    return {answer.id: answer for answer in results.answers if (answer.ask, answer.part) == (ask, part)}


def counted(results: BenchResults, ask: str) -> str:
    """How many positions were asked about plays, or about cubes."""
    rolled_out, judged, races = (positions(results, ask, part) for part in ("rolled out", "judged", "race"))
    at_random = sum(not answer.selected_by for answer in rolled_out.values())
    further = f", and {len(judged):,} further ones at random" if judged else ""
    return f"{len(rolled_out)} rolled out, {at_random} of them at random{further}; {len(races)} of races"


def in_rows(columns: list[str], rows: dict[str, list[str]]) -> list[str]:
    """A table with a row for each bot, also for those that are not installed."""
    missing = ["not installed"] * len(columns)
    absent = [name for name in BOTS if name not in rows]
    named = [[BOTS[name], *rows.get(name, missing)] for name in (*rows, *absent)]
    cells = [["bot", *columns], ["---"] * (1 + len(columns)), *named]
    return [f"| {' | '.join(row)} |" for row in cells]


def ranking(results: dict[str, BenchResults]) -> list[str]:
    """What each bot loses at random; the results are in this order."""
    rows = dict[str, list[str]]()
    for name, of_bot in results.items():
        rate = "-" if of_bot.plays.loss is None else f"{of_bot.plays.loss / 2:.2f}"
        rows[name] = [cell(of_bot.plays), rate, cell(of_bot.cubes)]
    return in_rows(["plays", "PR", "cubes"], rows)


def other_parts(results: dict[str, BenchResults]) -> list[str]:
    """What each bot loses in races and where engines disagree, and what was asked."""
    rows = dict[str, list[str]]()
    for name, of_bot in results.items():
        races = [cell(of_bot.number(ask, "race")) for ask in ("plays", "cubes")]
        disagreement = "selected them" if of_bot.is_selector else cell(of_bot.number("plays", "disagreement"))
        rows[name] = [*races, disagreement]
    some = next(iter(results.values()))
    return [
        f"Version {some.benchmark}, SHA-256 `{some.sha256[:12]}`.",
        f"Positions with plays: {counted(some, 'plays')}.",
        f"With cubes: {counted(some, 'cubes')}.",
        "",
        *in_rows(["races, plays", "races, cubes", "plays, disagreement"], rows),
    ]


def beside(shallow: BenchResults, deep: BenchResults) -> str:
    """How two levels of GNU Backgammon differ in plays that were drawn at random."""
    number = shallow.number("plays", than=deep)
    made = number.decisions + number.further
    return (
        f"GNU Backgammon's 0-ply loses {cell(number)} more a play than its 1-ply in {made:,} positions; "
        f"they lose differently in {number.mistakes} of these."
    )


def replaced(text: str, block: str, lines: list[str]) -> str:
    """The text of the page with other lines in one of its two blocks."""
    begin = f"<!-- {block}: bot_benchmark/table.py -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(END)
    return "\n".join([before + begin, "", *lines, "", END + after])


def main() -> None:
    results = dict[str, BenchResults]()
    for name in BOTS:
        bot = bot_named(name)
        if bot is not None:
            results[name] = arena.bench(bot, name=name, full=True)
            print(f"{name}: {results[name].plays}", file=sys.stderr)
    ranked = dict(sorted(results.items(), key=lambda item: item[1].plays.loss or 0))
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    text = page.read_text(encoding="utf-8")
    text = replaced(text, "ranking", ranking(ranked))
    parts = [*other_parts(ranked), "", beside(results["gnubg:1"], results["gnubg:2"])]
    page.write_text(replaced(text, "table", parts), encoding="utf-8")


if __name__ == "__main__":
    main()
