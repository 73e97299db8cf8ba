"""How analyses are written as plain data and read again: a level as its label, an analysis with a field `type`."""

from __future__ import annotations

from cattrs import Converter

from gammonrules.analysis.analyses import CubeAnalysis, EncodedAnalysis, PlayAnalysis
from gammonrules.analysis.levels import Level
from gammonrules.json.internals import CONVERTER, register_union, text


def _read_level(value: object, _: object) -> Level:
    return Level.read(text(value))


def _teach_analyses(converter: Converter) -> None:
    converter.register_unstructure_hook(Level, str)
    converter.register_structure_hook(Level, _read_level)
    register_union(converter, (PlayAnalysis, CubeAnalysis), unwritten=EncodedAnalysis)


_teach_analyses(CONVERTER)
