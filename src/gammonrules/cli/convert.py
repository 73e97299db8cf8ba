"""`gammonrules convert`: records in another format, one or a folder of them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click
from attrs import Factory, define

from gammonrules import records
from gammonrules.cli.common_options import WRITTEN_FORMATS
from gammonrules.cli.option_conflicts import AnyPath, Command, InputPath, WordChoice
from gammonrules.cli.output import (
    force_option,
    is_folder,
    key_of,
    must_be_apart,
    must_stay_below,
    names_below,
    say,
    writable,
    write_file,
)
from gammonrules.cli.record_files import (
    encoding_option,
    must_be_read,
    read_match,
    renamed,
    say_loose,
)
from gammonrules.cli.usage_errors import Refused, must_be_named
from gammonrules.errors import GammonError
from gammonrules.values import counted, one_of

if TYPE_CHECKING:
    from gammonrules.records import Match, ScanEntry
    from gammonrules.records.formats import RecordFormat


@click.command(cls=Command, never_with={("--force",): ("OUT=-",), ("--shorten",): ("--to=json",)})
@click.argument("source", metavar="IN", type=InputPath())
@click.argument("target", metavar="OUT", type=AnyPath())
@click.option(
    "--to",
    type=WordChoice(WRITTEN_FORMATS),
    help="The format to write; by default, that of OUT's suffix.",
)
@click.option(
    "--shorten", is_flag=True, help="Leave out the rest of a game from where it cannot be written."
)
@encoding_option
@force_option
def convert(
    source: str, target: str, to: str | None, encoding: str | None, *, shorten: bool, force: bool
) -> None:
    """Write a match record in another format.

    IN is a record in any format that gammonrules reads; its content tells which. OUT is the file to write (.mat, .txt,
    .sgf, .ogxm or .json), or - for standard output. If IN is a folder, all records in it are written to the folder OUT,
    under the same names with the suffix of the format, which --to must name; of several matches in a file, the second
    becomes NAME-2. What names cannot have everywhere becomes _.

    Whatever the format leaves out is listed on standard error. The exit status is 0 even then; it is 2 if a record
    cannot be read or written, or if there are no records. A game with an illegal play in its midst cannot be written:
    --shorten writes what comes before, and the end that is stated. Other files in a folder are left out.
    """
    from gammonrules.records.formats import WRITERS, writer_for

    must_be_named(source, target)
    source_is_folder = is_folder(source)
    target_is_folder = is_folder(target)
    writer = writer_for(Path(target)) if to is None else WRITERS[to]
    if writer is None:
        raise Refused(f"the suffix of OUT names no format: use --to {one_of(WRITTEN_FORMATS)}")
    if shorten and writer.is_exact:
        raise Refused("--shorten does nothing in JSON, which holds every game: leave it out")
    if encoding is not None and (source_is_folder or target_is_folder):
        raise Refused("--encoding is that of one record, so neither IN nor OUT can be a folder")
    converter = _Converter(writer, force, encoding, shorten)
    if source_is_folder:
        if not target_is_folder and os.path.lexists(target):
            raise Refused("IN is a folder, so OUT must be one too, but it is a file")
        must_be_apart(Path(source), Path(target))
        converter.convert_all(records.scan(source), Path(target), Path(source))
        click.echo(str(converter))
        say_loose(converter.loose)
    elif target == "-":
        converter.show(source)
    elif target_is_folder:
        converter.convert_all(records.scan(source), Path(target), Path(source).parent)
    else:
        converter.convert_one(source, Path(target))
    is_failed = converter.failed > 0 or not converter.written
    click.get_current_context().exit(Refused.exit_code if is_failed else 0)


@define
class _Converter:
    """One run: what was written, and what was not."""

    writer: RecordFormat
    force: bool
    encoding: str | None
    shorten: bool
    written: set[str] = Factory(set[str])
    """The files, by `key_of`, and "-" for standard output."""
    no_records: int = 0
    failed: int = 0
    loose: list[str] = Factory(list[str])

    def __str__(self) -> str:
        text = f"{counted(len(self.written), 'record')} written"
        if self.failed:
            text += f", {self.failed} failed"
        if self.no_records:
            text += f"; {counted(self.no_records, 'other file')} skipped"
        return text

    def convert_one(self, source: str, target: Path) -> None:
        with self._reported(source), writable(target, source, force=self.force):
            match = read_match(source, self.encoding)
            self._write(source, match, target)

    def show(self, source: str) -> None:
        with self._reported(source):
            match = read_match(source, self.encoding)
            click.echo(self._text(source, match), nl=False)
            self.written.add("-")

    def convert_all(self, entries: Iterator[ScanEntry], folder: Path, root: Path) -> None:
        """All of these, to files in this folder, with their names below the root."""
        matches_in_file: Counter[str] = Counter()
        for entry in entries:
            if entry.match is not None:
                matches_in_file[entry.path] += 1
                if entry.is_incomplete:
                    self.loose.append(entry.path)
                with self._reported(entry.path):
                    names = names_below(PurePath(entry.path), root)
                    self._write_into(
                        folder,
                        names,
                        source=entry.path,
                        match=entry.match,
                        number=matches_in_file[entry.path],
                    )
            elif must_be_read(entry):
                self._fail(entry.path, entry.error or "")
            else:
                self.no_records += 1
                say(entry.path, f"skipped: {entry.error}")

    def _write_into(
        self, folder: Path, names: list[str], source: str, match: Match, number: int
    ) -> None:
        """A record under these names below a folder, with its number if it is not the first match of its file."""
        path = folder.joinpath(*names)
        suffix = self.writer.suffixes[0]
        if number > 1:
            suffix = f"-{number}{suffix}"
        target = renamed(path, suffix)
        if key_of(target) in self.written:
            # of twins such as a.mat and a.sgf, the second keeps its own suffix too
            target = path.with_name(path.name + suffix)
        must_stay_below(folder, target)
        if key_of(target) in self.written:
            raise Refused(f"{target} was already written from another record")
        with writable(target, source, force=self.force):
            self._write(source, match, target)

    def _text(self, source: str, match: Match) -> str | bytes:
        """The record as text or bytes; what is lost is reported. Raises Refused."""
        from gammonrules.records.archive import failed

        try:
            written = self.writer.written(match, shorten=self.shorten)
            lost = losses_in_words(match, written.lost_of(match))
        except GammonError as error:
            raise Refused(str(error)) from None
        except Exception as error:  # noqa: BLE001 - one record must not end the run, not even by a bug of ours
            raise Refused(failed(error)) from None
        for loss in lost:
            say(source, loss)
        return written.text

    def _write(self, source: str, match: Match, target: Path) -> None:
        write_file(target, self._text(source, match))
        self.written.add(key_of(target))

    @contextmanager
    def _reported(self, source: str) -> Generator[None]:
        """A record that cannot be read or written is reported, and the run goes on."""
        try:
            yield
        except Refused as why:
            self._fail(source, why.message)

    def _fail(self, source: str, why: str) -> None:
        self.failed += 1
        say(source, why)


# --- what was lost, in words ------------------------------------------------------------------------------------------

_PART = re.compile(r"(?:games\[(?P<game>\d+)\]\.)?(?P<part>.+)")
"""What `lost_fields` names: a part of the match, or of a game by its index."""

_SENTENCES: Mapping[str, str] = {
    "players": "the names of the players are changed, for example a colon to a dot",
    "tags": "some facts in the header are left out or changed",
    "comments": "some comments are left out or changed",
    "rolls": "the number of rolls differs: rolls that were not replayed are left out, that of a position is added",
    "number": "the number of a game is changed",
    "start": "the start of the game is written differently, as a position set by hand",
    "events": "some actions are left out, changed or added, such as a declined resignation or a position set by hand",
    "result": "the result of the game is read back differently: how it ended, or at which level",
    "rest": "the rest of the game cannot be replayed or written, so it is left out",
    "stated": "the stated end is left out",
    "stated.winner": "the stated winner is corrected to the one who won by the rules",
    "stated.points": "the stated points are corrected to those that were won",
    "stated.and_the_match": 'the words "and the match" are corrected',
    "analyses": "the analyses are left out or changed",
    "times": "the times of some actions are left out or changed",
    "notes": "remarks about individual actions are left out or changed",
    "pending_analysis": "the analysis of the last position is left out or changed",
}


def losses_in_words(match: Match, names: Iterable[str]) -> list[str]:
    """A sentence for each part that was lost, as `lost_fields` names them, with the games that lost it."""
    games_by_sentence: dict[str, list[int]] = {}
    for name in names:
        parts = _PART.fullmatch(name)
        assert parts is not None
        numbers = games_by_sentence.setdefault(_left_out(parts["part"]), [])
        if parts["game"] is not None:
            numbers.append(match.games[int(parts["game"])].number)
    return [sentence + _in_games(numbers) for sentence, numbers in games_by_sentence.items()]


def _left_out(part: str) -> str:
    if part in _SENTENCES:
        return _SENTENCES[part]
    area, _, detail = part.partition(".")
    if area == "rules":
        return f'the rule option "{detail}" is left out'
    if detail and area in {"analyses", "pending_analysis"}:
        return f'"{detail.replace("_", " ")}" of some analyses is left out or changed'
    if area == "findings":
        return f'the referee\'s "{detail}" findings will differ'
    return f'"{part}" is left out or changed'


def _in_games(numbers: Sequence[int]) -> str:
    """The games, as a remark: " (game 3)", " (games 1 to 4, 7)"."""
    if not numbers:
        return ""
    runs: list[list[int]] = []  # of numbers that follow each other
    for number in numbers:
        follows_the_last = bool(runs) and number == runs[-1][-1] + 1
        if follows_the_last:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts: list[str] = []
    for run in runs:
        text = str(run[0])
        if len(run) > 1:
            text += f" to {run[-1]}"
        texts.append(text)
    noun = "game" if len(numbers) == 1 else "games"
    return f" ({noun} {', '.join(texts)})"
