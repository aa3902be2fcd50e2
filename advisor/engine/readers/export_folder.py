"""A folder of partitioned exports as readings: one for each run of an export, one for each other file.

The parts are read by whoever is handed in: this process one after the other, or the workers of a cluster. What they
answer is put together here, in the order of the parts and not of the answers, so that both come to the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.export_runs import Part, Run, find_runs
from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.joined import join_readings
from advisor.engine.readers.packing import fleet_of
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.registry import read_file
from advisor.engine.readers.together import add_readings

ReadParts = Callable[[Sequence[Part]], list[Reading]]


def read_part(part: Part, catalogue: Catalogue, how: dict[str, Any]) -> Reading:
    """One file as read; `how` as in `read_file`. What its ledger tells is left out, since the whole is told anew.

    Raises OSError where the file cannot be opened.
    """
    with part.path.open("rb") as stream:
        reading = read_file(part.name, stream, catalogue, **how)
    return replace(reading, fleet=empty_fleet()) if reading.ledger is not None else reading


def read_to_send(part: Part, catalogue: Catalogue, how: dict[str, Any]) -> dict[str, Any]:
    """What `read_part` reads without tables: those of another process may be of a kind that cannot be opened here."""
    reading = read_part(part, catalogue, how)
    sent = {column.name: getattr(reading, column.name) for column in fields(reading) if column.name != "fleet"}
    plain = reading.fleet.astype(object).where(reading.fleet.notna(), None)
    return sent | {"fleet": plain.to_dict("records")}


def received(sent: dict[str, Any]) -> Reading:
    """The reading that `read_to_send` sent."""
    return Reading(**(sent | {"fleet": fleet_of(sent["fleet"])}))


def read_folder(folder: Path, read_parts: ReadParts) -> list[Reading]:
    """The readings of a folder; each run of an export is one. Raises BadFolder, and what `read_parts` raises."""
    found = find_runs(folder)
    parts = [part for run in found.runs for part in run.parts] + list(found.files)
    read = iter(read_parts(parts))
    readings = [_join(run, [next(read) for _ in run.parts], folder.name) for run in found.runs]
    readings += [_alone(next(read)) for _ in found.files]
    told = tuple(Problem(kind="left_out", severity="warning", message=message) for message in found.left_out)
    return [replace(readings[0], problems=(*told, *readings[0].problems)), *readings[1:]]


def _join(run: Run, readings: list[Reading], folder: str) -> Reading:
    """The parts of one run as the file that they were, named by its place."""
    usage = [place for place, reading in enumerate(readings) if reading.ledger is not None]
    whole = add_readings([readings[place] for place in usage]) if usage else []
    for place, reading in zip(usage, whole, strict=True):
        readings[place] = reading
    titles = [part.name.rsplit("/", 1)[-1] for part in run.parts]
    joined = join_readings(
        "/".join(filter(None, (folder, run.name))), list(zip(titles, readings, strict=True)), what="File"
    )
    lost = [
        _not_read(title, reading)
        for title, reading in zip(titles, readings, strict=True)
        if not reading.usable and reading.rows_read
    ]
    joined = replace(joined, problems=(*lost, *joined.problems)) if joined.usable else joined
    _ = joined.kinds
    return joined


def _not_read(title: str, reading: Reading) -> Problem:
    why = next((problem.message for problem in reading.problems if problem.severity == "error"), "it cannot be read.")
    message = f"File “{shown(title)}” of the export is not counted: {why}"
    return Problem(kind="part_not_read", severity="error", message=message, rows=reading.rows_read)


def _alone(reading: Reading) -> Reading:
    """A file that belongs to no run, with the machines that its ledger tells."""
    return add_readings([reading])[0] if reading.ledger is not None else reading
