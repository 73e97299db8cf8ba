"""Run the notebooks, store their outputs, and write the pages that show them.

    python -m pip install -e ".[test]"
    python examples/notebooks/render.py

Names after it, such as "tour", render only these.
A notebook is stored with what it prints and draws, and without anything that
changes from run to run. Its page is plain Markdown with the pictures beside it,
so that every generator of documentation can show it. The tests run the
notebooks again and compare.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from gammonrules.cli.example_files import folder_files
from gammonrules.draw import svg

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs"
HOW_TOS = {"archive-to-table"}
"""The pages of the others are tutorials."""
NOTEBOOKS = sorted(HERE.glob("*.ipynb"))
PHONE = DOCS / "images" / "phone.css"
PICTURE = "image/svg+xml"
WIDGET = "application/vnd.jupyter.widget-view+json"
MARK = re.compile(r' data-gammonrules="\w+"')
"""By it a widget finds its picture."""
INK = "#767676"
"""Of the words and lines of charts.mplstyle."""
CHART = (
    "<style>svg{color:#33261d}text{font-family:-apple-system,"
    "BlinkMacSystemFont,Helvetica,Arial,sans-serif!important}"
    "@media screen and (prefers-color-scheme: dark){svg{color:#e4ddd6}"
    "svg:has([clip-path]>image,#QuadMesh_1) :is(image,#QuadMesh_1,"
    "#axes_1>#patch_2,text:not([style*=currentColor]))"
    "{filter:invert(.88) hue-rotate(180deg)}}"
    "</style>"
)
"""The ink and the font of the site; fields of colors are dark in the dark."""
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def executed(path: Path) -> NotebookNode:
    """The notebook with the outputs of a new run in its own folder."""
    notebook = read(path)
    with TemporaryDirectory() as scratch:
        # The kernel leaves no history, caches or ports behind, and draws into
        # the notebook whatever is set outside.
        environment = {
            name: value
            for name, value in os.environ.items()
            if name != "MPLBACKEND"
        }
        environment |= {"IPYTHONDIR": scratch, "MPLCONFIGDIR": scratch}
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=300,
            record_timing=False,
            coalesce_streams=True,  # the number of pieces of a text is random
            resources={"metadata": {"path": str(path.parent)}},
        )
        kernel = client.create_kernel_manager()
        kernel.connection_file = str(Path(scratch, "kernel.json"))
        if os.name == "posix":
            kernel.transport = "ipc"
            kernel.ip = str(Path(scratch, "kernel"))
        client.execute(env=environment)
    notebook.metadata = METADATA
    for cell in notebook.cells:
        # Of a widget the picture below it stays.
        cell.outputs = [
            output
            for output in cell.get("outputs", ())
            if WIDGET not in output.get("data", {})
        ]
        for output in cell.outputs:
            tidy(output)
        if cell.cell_type == "markdown":
            del cell["outputs"]
    return notebook


def tidy(output: NotebookNode) -> None:
    """Leave out the repr of a picture, and what changes from run to run."""
    output.pop("transient", None)
    data = output.get("data", {})
    if "text/html" in data:
        data["text/html"] = MARK.sub("", data["text/html"])
    if PICTURE in data:
        data.pop("text/plain", None)
        if is_chart(data[PICTURE]):  # it begins with the date
            chart = data[PICTURE].partition("<svg")[2]
            head, _, rest = chart.partition("<metadata>")
            data[PICTURE] = f"<svg{head}{rest.partition('</metadata>')[2]}"


def is_chart(picture: str) -> bool:
    """Whether a picture is drawn by matplotlib, and not a board."""
    return '<g id="figure_1">' in picture


def page(notebook: NotebookNode, name: str) -> tuple[str, dict[str, bytes]]:
    """The page of a notebook, and its pictures by file name.

    They belong in a folder called `name`. A link of the notebook to a page of
    the documentation becomes one between pages. What the first cell *shows*,
    pictures of later ones, stands there too, and *pictures* of other pages.
    """
    blocks: list[str] = []
    pictures: dict[str, bytes] = {}
    images: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            blocks.append(between_pages(cell.source, folder_of(name)))
            continue
        # "py" and not "python": the examples of the documentation are tests of
        # their own, and these cells are run here.
        blocks.append(f"```py\n{cell.source}\n```")
        own: list[str] = []
        for output in cell.outputs:
            for kind, content in shown(output):
                if kind == PICTURE:
                    number = f"-{len(own) + 1}" * bool(own)
                    chart = "-chart" * is_chart(content)
                    file = f"{cell.id}{number}{chart}.svg"
                    own.append(file)
                    pictures[file] = on_a_page(content).encode()
                    words = alternative(cell, content)
                    images[cell.id] = f"![{words}]({name}/{file})"
                    blocks.append(images[cell.id])
                elif kind == "text/html":
                    blocks.append(content)
                else:
                    blocks.append(f"```text\n{content.rstrip()}\n```")
    title, *rest = blocks
    about = notebook.cells[0].metadata["description"]
    metadata = notebook.cells[0].metadata
    result = [images[cell] for cell in metadata.get("shows", ())]
    result += metadata.get("pictures", ())
    file = f"{name}.ipynb"
    origin = (
        f"*This page is the notebook [`examples/notebooks/{file}`]"
        f'({name}/{file}){{ download="{file}" }} '
        "with what it prints and draws; the link downloads it.*"
    )
    head = f"---\ndescription: {about}\n---"
    page = [head, title, *result, origin, *rest]
    return "\n\n".join(page) + "\n", pictures


def on_a_page(picture: str) -> str:
    """A picture that follows the page; boards have larger words on a phone."""
    if is_chart(picture):
        start, tag, rest = picture.partition(">")
        return f"{start}{tag}{CHART}{rest.replace(INK, 'currentColor')}"
    style = f"<style>{' '.join(PHONE.read_text('utf-8').split())}</style>"
    return light_or_dark(picture).replace("</desc>", f"</desc>\n{style}", 1)


def light_or_dark(board: str) -> str:
    """A light board, drawn as `BoardStyle(theme="auto", nonce="")` draws it."""
    style = f"<style>{' '.join(svg.stylesheet().split())}</style>"
    follows = board.replace('"gammonrules light"', '"gammonrules auto"', 1)
    return follows.strip().replace("</desc>", f"</desc>\n{style}", 1) + "\n"


def folder_of(name: str) -> Path:
    """Where the page of a notebook stands."""
    return DOCS / ("how-to" if name in HOW_TOS else "tutorials")


def between_pages(words: str, folder: Path) -> str:
    """The words of a cell, with links that lead from a page in a folder."""

    def between(link: re.Match[str]) -> str:
        return Path(os.path.relpath(HERE / link[0], folder)).as_posix()

    return re.sub(r"(?<=\]\()\.\./\.\./docs/[^)]+", between, words)


def shown(output: NotebookNode) -> Iterator[tuple[str, str]]:
    """What a reader sees of an output, with its kind.

    Of HTML these are the tables and the words below a board. A frame is left
    out, since its page is one of its own.
    """
    if output.output_type == "stream":
        yield "text/plain", output.text
        return
    html = output.data.get("text/html", "")
    if "<svg xmlns" in html and PICTURE not in output.data:
        for part in re.split("(?=<svg xmlns)", html)[1:]:  # of a widget
            drawn, end, below = part.rpartition("</svg>")
            yield PICTURE, drawn + end
            texts = re.findall(r"<p>.*?</p>", below, re.DOTALL)
            if texts:
                yield "text/html", "\n".join(texts)
        return
    words = "" if "<iframe" in html else html.rpartition("</svg>")[2]
    parts = re.findall(r"<(table|p)\b(.*?)>(.*?)</\1>", words, re.DOTALL)
    plain = re.compile(r' style="[^"]*"|\s*\n\s*')
    tables = [f"<{tag}>{plain.sub('', text)}</{tag}>" for tag, _, text in parts]
    tables = [on_lines(table) for table in tables]
    if PICTURE in output.data:
        yield PICTURE, output.data[PICTURE]
    if tables:
        yield "text/html", "\n".join(tables)
    elif PICTURE not in output.data:
        yield "text/plain", output.data["text/plain"]


def on_lines(table: str) -> str:
    """A table, a line for each row, whose name is a cell like the others."""
    head, body, rows = table.replace("<tr>", "\n<tr>").partition("<tbody>")
    return head + body + re.sub("(</?)th", r"\1td", rows)


def alternative(cell: NotebookNode, content: str) -> str:
    """The text for a picture: the cell's, or else the picture's own title."""
    title = re.search("<title>(.*?)</title>", content)
    return cell.metadata.get("alt") or (title[1] if title else "")


def main() -> None:
    names = sys.argv[1:] or [path.stem for path in NOTEBOOKS]
    for path in (HERE / f"{name}.ipynb" for name in names):
        notebook = executed(path)
        nbformat.write(notebook, path)
        text, pictures = page(notebook, path.stem)
        pages = folder_of(path.stem)
        pages.joinpath(f"{path.stem}.md").write_text(text, encoding="utf-8")
        folder = pages / path.stem
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for file, content in pictures.items():
            (folder / file).write_bytes(content)
        stored = folder_files(HERE.parent)[f"notebooks/{path.name}"]
        (folder / path.name).write_bytes(stored)


if __name__ == "__main__":
    main()
