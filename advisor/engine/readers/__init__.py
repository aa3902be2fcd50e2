"""Readers: one module per file format; each answers a Reading."""

from advisor.engine.readers.reading import Period, Problem, Reading, UnreadableFile
from advisor.engine.readers.registry import FORMATS, Format, read_file

__all__ = ["FORMATS", "Format", "Period", "Problem", "Reading", "UnreadableFile", "read_file"]
