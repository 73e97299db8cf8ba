"""The programs of docs/how-to/your-own-server.md: what a reader has after each of its steps.

`python docs/generators/guided_path.py` writes those of the last step to `examples/own_server`, beside the page that
readers copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "your-own-server.md"
FINISHED = ROOT / "examples" / "own_server"
DEFINED = re.compile(r"(?m)^(?:(?:async )?(?:def|class|function) (\w+)|(\w+)(?:: | = ))")


def pasted(text: str, block: str, *, is_python: bool) -> str:
    """A file with a block pasted as the page says: what has the name of a part of the file replaces it."""
    between = "\n\n\n" if is_python else "\n\n"
    parts = {name_of(part): part for part in text.strip().split(between)} if text else {}
    names = [*parts]
    for part in block.strip().split(between):
        name = name_of(part)
        if name not in parts:
            names.insert(place_of_new(name, names) if is_python and text else len(names), name)
        parts[name] = part
    return between.join(parts[name] for name in names) + "\n"


def place_of_new(name: str, names: list[str]) -> int:
    """Where a new part of a Python file goes: constants after the others, all else before `play`."""
    if not name.isupper():
        return names.index("play")
    return len([*takewhile(str.isupper, names)])


def name_of(part: str) -> str:
    """What a part of a file defines; if it defines nothing, the part itself."""
    defined = DEFINED.search(part)
    return defined[1] or defined[2] if defined else part


def blocks() -> Iterator[tuple[int, str, str]]:
    """The blocks that belong to a program: the number of the step, the file, the text."""
    for number, step in enumerate(re.split(r"(?m)^## \d\. ", PAGE.read_text(encoding="utf-8"))[1:], 1):
        for name, text in re.findall(r'(?ms)^```(?:py|js) title="(.+?)"\n(.*?)^```$', step):
            yield number, name, text


def steps() -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each step, and the files after it."""
    files = {"page.html": (FINISHED / "page.html").read_text(encoding="utf-8")}
    for number, name, text in blocks():
        files[name] = pasted(files.get(name, ""), text, is_python=name.endswith(".py"))
        yield number, {name: re.sub(r"\n{3}(?=[A-Z]+\b)", "\n\n", text) for name, text in files.items()}


STEPS = dict(steps())
LAST = max(STEPS)


if __name__ == "__main__":
    for name, text in STEPS[LAST].items():
        (FINISHED / name).write_text(text, encoding="utf-8")
