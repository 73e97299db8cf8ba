"""`gammonrules examples`: the folder that pages name, whole or not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import commands
from gammonrules.cli import example_files
from gammonrules.cli.example_files import folder_files, pack_examples
from test_packaging import ROOT

FOLDER = ROOT / "examples"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names_here() -> list[str]:
    return [path.name for path in Path().iterdir()]


def test_it_writes_what_the_repository_has() -> None:
    result = commands.run("examples")
    files = folder_files(FOLDER)
    assert (result.exit_code, result.stdout) == (0, f"examples is written: {len(files)} files\n")
    assert {name: Path("examples", name).read_bytes() for name in commands.files_in(Path("examples"))} == files
    assert {"bot.py", "matches/xg/test.xg", "notebooks/charts.mplstyle", "own_server/page.html"} < files.keys()
    assert names_here() == ["examples"]


def test_what_is_there_unchanged_need_not_be_written(tmp_path: Path) -> None:
    """So a command that begins with it works again, also beside what the examples have written."""
    commands.run("examples")
    Path("examples", "mine.html").write_text("mine")
    files = len(folder_files(FOLDER))
    result = commands.run("examples")
    assert (result.exit_code, result.stdout) == (0, f"examples is there already: {files} files\n")
    Path("examples", "bot.py").write_text("mine")
    commands.refused("examples", says="bot.py in it is missing or changed: nothing is written")
    Path("examples", "bot.py").unlink()
    commands.refused("examples", says="bot.py in it is missing or changed: nothing is written")
    assert len(commands.files_in(tmp_path)) == files


def test_notebooks_are_without_outputs_and_links_lead_to_the_site() -> None:
    files = folder_files(FOLDER)
    notebooks = [json.loads(content) for name, content in files.items() if name.endswith(".ipynb")]
    cells = [cell for notebook in notebooks for cell in notebook["cells"]]
    assert len(notebooks) >= 6
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []
    texts = [content for name, content in files.items() if name.endswith((".ipynb", ".md"))]
    assert [text for text in texts if b"](../" in text and b"docs/" in text.partition(b"](../")[2][:20]] == []
    assert b"https://gammonrules.github.io/gammonrules/reference/notebook/" in files["notebooks/tour.ipynb"]


def test_an_installation_has_them_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes whatever the order; without what is not listed, and without what only developers need."""
    (tmp_path / "in" / "c").mkdir(parents=True)
    for name in ("c/a.py", "b.txt", "c/tables.sqlite", "one_page.html", ".hidden"):
        (tmp_path / "in" / name).write_text(name)
    listed = [f"include examples/{name}\n" for name in ("b.txt", "c/a.py", "one_page.html")]
    (tmp_path / "MANIFEST.in").write_text("".join(["graft tests\n", *listed]))
    files = folder_files(tmp_path / "in")
    assert files == {"b.txt": b"b.txt", "c/a.py": b"c/a.py"}
    assert pack_examples(files) == pack_examples(dict(reversed(files.items())))
    (tmp_path / "packed.tar.xz").write_bytes(pack_examples(files))
    monkeypatch.setattr(example_files, "PACKED", tmp_path / "packed.tar.xz")
    assert commands.run("examples").exit_code == 0
    assert commands.files_in(tmp_path / "examples") == [*files]


@pytest.mark.parametrize("what", ["folder", "file", "link"])
def test_what_is_there_stays(tmp_path: Path, what: str) -> None:
    if what == "folder":
        Path("examples").mkdir()
    elif what == "file":
        Path("examples").write_text("mine")
    else:
        Path("examples").symlink_to("nowhere")
    why = "in it is missing or changed" if what == "folder" else "is no folder"
    commands.refused("examples", says=f"{why}: nothing is written")
    assert names_here() == ["examples"]
    assert commands.files_in(tmp_path) == ["examples"] * (what == "file")


def test_it_must_be_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the disk is full, somebody stops it, or the same folder appears meanwhile."""
    names = []

    def full(path: Path, content: bytes) -> None:
        names.append(path)
        if len(names) == 3:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        commands.refused("examples", says="examples cannot be written: No space left on device")
    assert names_here() == []

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", stopped)
        assert commands.main("examples")[0] == 130
    assert names_here() == []

    def appears(*_: object) -> None:
        Path("examples").mkdir(exist_ok=True)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", appears)
        commands.refused("examples", says="exists here already")
    assert names_here() == ["examples"]


def test_without_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who packs the library for a system may leave them out."""
    for name in ("PACKED", "IN_A_CLONE"):
        monkeypatch.setattr(example_files, name, tmp_path / "nowhere")
    commands.refused("examples", says="this installation has no examples")
    assert names_here() == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("referee", "examples/matches"),
        ("find", "mistake = missed_double", "examples/matches"),
        ("openings", "examples/matches", "-o", "page.html"),
        ("view", "examples/matches/xg/test.xg"),
        ("convert", "examples/matches/xg/test.xg", "test.mat"),
    ],
)
def test_who_names_one_before_is_told_what_writes_them(arguments: tuple[str, ...]) -> None:
    commands.refused(*arguments, says="is not there: gammonrules examples writes the folder examples")
    assert names_here() == []
    Path("examples").mkdir()
    assert "gammonrules examples" not in commands.run(*arguments).stderr
