"""`generate.py`: what it writes, and what its check reports."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from loading import loaded

ROOT = Path(__file__).parents[1]


@pytest.fixture
def generate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program, with two parts of its own: one writes three files, and a tool of the other is missing."""
    if not (ROOT / "generate.py").exists():
        pytest.skip("the program is not here")
    monkeypatch.setattr(sys, "path", [*sys.path])
    program: ModuleType = loaded(ROOT / "generate.py")
    (tmp_path / "kept.txt").write_text("as it is\n", encoding="utf-8")
    (tmp_path / "old.txt").write_text("one that is gone\n", encoding="utf-8")
    new = {"kept.txt": "as it is\n", "folder/new.txt": "\N{MINUS SIGN}1\n", "old.txt": None}
    parts = {
        "texts": SimpleNamespace(files=lambda: {tmp_path / name: content for name, content in new.items()}),
        "tools": SimpleNamespace(missing=lambda: "a tool", files=dict),
    }
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "NAMES", (*parts,))
    monkeypatch.setattr(program, "importlib", SimpleNamespace(import_module=parts.get))
    return program


def run(program: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """The exit status."""
    monkeypatch.setattr(sys, "argv", ["generate.py", *arguments])
    try:
        program.main()
    except SystemExit as end:
        return end.code
    return 0


def test_a_check_names_each_file_and_the_command(
    generate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(generate, monkeypatch, "--check") == 1
    shown = capsys.readouterr()
    command = "is out of date: run `python generate.py texts`"
    assert shown.err.splitlines() == [f"folder/new.txt {command}", f"old.txt {command}"]
    assert shown.out == "left out: tools needs a tool\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.txt", "old.txt"]


def test_what_is_written_passes_the_check(
    generate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(generate, monkeypatch, "texts") == 0
    assert capsys.readouterr().out.splitlines() == ["folder/new.txt", "old.txt"]
    assert (tmp_path / "folder" / "new.txt").read_bytes() == "\N{MINUS SIGN}1\n".encode()
    assert not (tmp_path / "old.txt").exists()
    assert run(generate, monkeypatch, "--check") == 0


def test_a_part_without_its_tool_is_an_error_if_it_is_named(generate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(generate, monkeypatch, "tools") == "tools needs a tool"
    assert run(generate, monkeypatch, "other") == 2
