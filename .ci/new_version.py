"""Change what a release changes, in the folder above this one: RELEASING.md says when.

    python .ci/new_version.py 1.2.3 2027-01-31

The version, wherever it stands; the heading of the changelog, with the date of the tag, and its links. With the first
release also all that says that nothing has been published: the commands that install from a clone. A place that no
longer looks as expected is an error that names it, and then no file is changed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "https://github.com/gammonrules/gammonrules"
SITE = "https://gammonrules.github.io/gammonrules/"
WIDEST = 80
"""Of a line that a page shows; tests/docs/test_pages.py checks it."""

Edits = dict[Path, str]


class Unexpected(SystemExit):
    """A place that is not as this program knows it."""


def replaced(place: str, pattern: str, new: str, text: str) -> str:
    """The text with its only match replaced."""
    changed, number = re.subn(pattern, lambda match: match.expand(new), text)
    if number != 1:
        raise Unexpected(f"{place}: {number} places look like {pattern!r}, not 1")
    return changed


def edit(edits: Edits, name: str, pattern: str, new: str) -> None:
    path = ROOT / name
    edits[path] = replaced(name, pattern, new, edits.get(path) or path.read_text(encoding="utf-8"))


def version_of(edits: Edits, version: str, day: str) -> None:
    """What every release changes, but for the changelog."""
    edit(edits, "src/gammonrules/__init__.py", r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"')
    edit(edits, "mkdocs.yml", r"(?m)^copyright: gammonrules [^,]+,", f"copyright: gammonrules {version},")
    edit(edits, "CITATION.cff", r"(?m)^version: .*$", f"version: {version}")
    edit(edits, "CITATION.cff", r"(?m)^date-released: .*$", f"date-released: {day}")
    version_of_npm_package(edits, version.replace("rc", "-rc."))


def version_of_npm_package(edits: Edits, version: str) -> None:
    """As npm writes it; the lock file has it twice."""
    for name in ("web/package.json", "web/package-lock.json"):
        edit(edits, name, r'(?m)^  "version": ".*"', f'  "version": "{version}"')
    in_lock = r'(?m)^(      "name": "gammon-board",\n      "version": )".*"'
    edit(edits, "web/package-lock.json", in_lock, rf'\1"{version}"')


def changelog(edits: Edits, version: str, day: str, last: str | None) -> None:
    """The heading below *Unreleased*, and the links at the end."""
    name = "CHANGELOG.md"
    edit(edits, name, r"(?m)^## \[Unreleased\]$", rf"## [Unreleased]\n\n## [{version}] - {day}")
    since = f"compare/v{last}...v{version}" if last else f"releases/tag/v{version}"
    links = f"[Unreleased]: {PROJECT}/compare/v{version}...main\n[{version}]: {PROJECT}/{since}"
    edit(edits, name, r"(?m)^\[Unreleased\]: .*$", links)


def everywhere() -> list[Path]:
    """Where a reader meets a command."""
    folders = ("docs", "examples", "web", "src/gammonrules")
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*"))]
    own = [path for path in files if {"assets", "node_modules"}.isdisjoint(path.parts)]
    kept = [path for path in own if path.suffix in {".md", ".py", ".ipynb", ".mjs"}]
    return [ROOT / "README.md", *kept]


def commands_of(text: str) -> str:
    """As `pip install gammonrules`: from the index."""
    text = re.sub(r'pip install (\\?")\.\[', r"pip install \1gammonrules[", text)
    return re.sub(r"pip install \.(?=[\s`]|$)", "pip install gammonrules", text)


def narrow(line: str) -> str:
    """A command on several lines, if it would be wider than a page shows."""
    if len(line) <= WIDEST or "pip install" not in line or line.endswith("\\"):
        return line
    before, joint, after = line.rpartition(" && ")
    if not joint:
        before, joint, after = line.rpartition(" ")
    return f"{narrow(before + joint.rstrip())} \\\n    {after}"


def page(text: str) -> str:
    """A page after the first release."""
    return re.sub(
        r"(?ms)^( *)```console\n(.*?)^\1```$",
        lambda block: "\n".join(narrow(line) for line in block[0].split("\n")),
        commands_of(text),
    )


def notebook(text: str) -> str:
    """The same for the texts of a notebook."""
    content = json.loads(text)
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = page("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


CHANGE: dict[str, Callable[[str], str]] = {".md": page, ".ipynb": notebook}


def first_release(edits: Edits) -> None:
    """All that says that nothing has been published."""
    for path in everywhere():
        old = path.read_text(encoding="utf-8")
        new = CHANGE.get(path.suffix, commands_of)(old)
        if new != old:
            edits[path] = new if path not in edits else commands_of(edits[path])
    extras = "src/gammonrules/_shared/extras.py"
    edit(edits, extras, r'(?m)^INSTALL = .*\n""".*"""$', r"""INSTALL = 'python -m pip install "gammonrules[{}]"'""")
    from_a_clone = r"(?s) Until\s+the\s+first\s+release.*?:\n\n```console\ngit clone [^\n]*\ncd gammonrules\n"
    edit(edits, "docs/install.md", from_a_clone, "\n\n```console\n")
    edit(edits, "docs/index.md", r"in \[a copy of its repository\]\([^)]*\)", "with Python 3.11 or newer")
    edit(edits, "CHANGELOG.md", r"\s+Nothing\s+has\s+been\s+published\s+yet[^.]*\.", "")
    edit(edits, "pyproject.toml", r"(?m)^Documentation = .*$", f'Documentation = "{SITE}"')
    npm_package(edits)
    readme(edits)
    console_blocks(edits)
    releasing(edits)


def npm_package(edits: Edits) -> None:
    """It is in npm's registry."""
    edit(
        edits,
        "docs/reference/board.md",
        r"(?s)(The npm package `gammon-board` is [^;]*); it is not.*Then a script of the page begins:",
        r"\1. After `npm install gammon-board`:",
    )
    command = "npm install gammon-board && node examples/check_plays.mjs"
    for name, pattern, new in (
        ("examples/check_plays.mjs", r"(?m)^//     npm --prefix web .*\n//     npm install .*$", f"//     {command}"),
        ("examples/README.md", r"`npm --prefix web [^`]*`", f"`{command}`"),
        ("docs/reference/board.md", r"Make and install \[the npm", "Install [the npm"),
        ("web/README.md", r"those of the Python library\n.*\n", r"\g<0>\n```console\nnpm install gammon-board\n```\n"),
    ):
        edit(edits, name, pattern, new)


def readme(edits: Edits) -> None:
    """Its first command is typed in any folder, where no examples are."""
    referee = "gammonrules referee examples/matches"
    edit(edits, "README.md", rf" && {referee}\n", rf" && gammonrules examples && \\\n    {referee}\n")
    replays = "installs the library with its command, and replays the example matches."
    writes = "installs the library, writes the folder `examples`, and replays the matches in it."
    edit(edits, "README.md", replays, writes)


def console_blocks(edits: Edits) -> None:
    """What `.ci/test-pages` leaves out: a clone has no block of its own any more, nor the npm package."""
    name = "tests/console_blocks.py"
    edit(edits, name, r'\["git clone", ', "[")
    edit(edits, name, r'(?m)^    "a clone, until the npm package is in the registry": .*\n', "")


def releasing(edits: Edits) -> None:
    """RELEASING.md without what is for the first release."""
    edit(edits, "RELEASING.md", r"Nothing has been released yet; the first release is [\d.]+\. ", "")
    edit(edits, "RELEASING.md", r" \(before the first\s+release, a\s+\*pending\* one\): owner", ":\n   owner")
    edit(edits, "RELEASING.md", r" \(With the first release this[^)]*\)", "")


def edits_of(version: str, day: str) -> Edits:
    """The new text of each file that changes."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(?:rc\d+)?", version):
        raise Unexpected(f"a version is 1.2.3, not {version!r}")
    date.fromisoformat(day)
    released = re.findall(r"(?m)^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if version in released:
        raise Unexpected(f"CHANGELOG.md has {version} already")
    edits: Edits = {}
    version_of(edits, version, day)
    changelog(edits, version, day, released[0] if released else None)
    if not released:
        first_release(edits)
    return edits


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    for path, text in edits_of(*sys.argv[1:]).items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT).as_posix())
