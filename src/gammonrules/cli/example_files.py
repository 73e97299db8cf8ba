"""The folder of examples that comes with the library: packed when it is built, so `setup.py` runs this file by itself.

An installation has `examples.tar.xz` beside this file; a clone that is installed as it is (`pip install -e`) has the
folder itself.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path
from typing import Final

PACKED: Final = Path(__file__).with_name("examples.tar.xz")
IN_A_CLONE: Final = Path(__file__).parents[3] / "examples"
_FOR_DEVELOPERS = {"one_page.html", "render.py", "ruff.toml"}
"""What is written from the others, and what serves only those who change them."""
_SITE = "https://gammonrules.github.io/gammonrules/"
_LISTED = re.compile(r"(?m)^include examples/(.+)$")
_PAGE = re.compile(r"\]\((?:\.\./)+docs/([\w/-]+)\.md(#[\w-]+)?\)")
"""A link to a page beside the folder, which stays behind."""


def folder_files(folder: Path) -> dict[str, bytes]:
    """What users get of a folder of examples, by path: notebooks have no outputs, and pages are linked on the site.

    `MANIFEST.in` beside the folder lists its files: what else lies there, such as the tables of a
    game, stays there.
    """
    listed = _LISTED.findall(folder.with_name("MANIFEST.in").read_text(encoding="utf-8"))
    names = [name for name in listed if Path(name).name not in _FOR_DEVELOPERS]
    return {name: _content(folder / name) for name in names}


def _content(path: Path) -> bytes:
    if path.suffix not in {".ipynb", ".md"}:
        return path.read_bytes()
    text = _PAGE.sub(rf"]({_SITE}\1/\2)", path.read_text(encoding="utf-8"))
    return (text if path.suffix == ".md" else _without_outputs(text)).encode()


def _without_outputs(notebook: str) -> str:
    content = json.loads(notebook)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def pack_examples(files: dict[str, bytes]) -> bytes:
    """An archive of these files: the same bytes for the same files, whenever and wherever it is made."""
    archive = io.BytesIO()
    # what is alike packs best together
    in_order = sorted(files, key=lambda name: (Path(name).suffix, name))
    with tarfile.open(fileobj=archive, mode="w:xz", preset=9) as tar:
        for name in in_order:
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            tar.addfile(member, io.BytesIO(files[name]))
    return archive.getvalue()


def installed_files() -> dict[str, bytes] | None:
    """The examples of this installation, by path; None if it was built without them."""
    if PACKED.exists():
        with tarfile.open(PACKED) as tar:
            opened = {member.name: tar.extractfile(member) for member in tar}
            return {name: file.read() for name, file in opened.items() if file is not None}
    return folder_files(IN_A_CLONE) if IN_A_CLONE.is_dir() else None
