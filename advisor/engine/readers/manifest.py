"""`export-manifest`: the manifest.json of a cost export, which names its parts and so tells which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.jsontext import pick, plain_text
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.refusals import refuse
from advisor.engine.readers.rows import Options

NAME = "export-manifest"
NAMES = ()  # nothing that a person would hand in for its machines
PARTS_KEPT = 1_000
PARTS_SHOWN = 8


def recognises(head: Head) -> bool:
    """The settings of an export and its parts."""
    first = next(iter(head.items), None)
    return isinstance(pick(first, "exportConfig"), dict) and isinstance(pick(first, "blobs"), list)


def read(head: Head, _catalogue: Catalogue, _options: Options) -> Reading:
    """A refusal that names the parts; they stand in `parameters` too."""
    blobs = pick(head.items[0], "blobs")
    listed = blobs if isinstance(blobs, list) else []
    names = [_base(plain_text(pick(blob, "blobName"))) for blob in listed[:PARTS_KEPT]]
    parts = tuple(dict.fromkeys(name for name in names if name))
    message = f"This is the manifest of a cost export: it has no data and names the parts that do. {_named(parts)}"
    refused = refuse(head.name, NAME, "manifest_only", message, rows=0)
    problems = [replace(found, parameters=tuple(("part", part) for part in parts)) for found in refused.problems]
    return replace(refused, problems=tuple(problems))


def _base(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1][:200]


def _named(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - PARTS_SHOWN:,} more" if len(parts) > PARTS_SHOWN else ""
    return f"Hand in {', '.join(shown(part) for part in parts[:PARTS_SHOWN])}{more}." if parts else "Hand in its parts."


def parts_told(reading: Reading, files: Sequence[str]) -> Problem | None:
    """Whether all parts that a manifest names are among the `files`; None for a reading that is no manifest."""
    if reading.format != NAME:
        return None
    given = {_bare(file) for file in files}
    parts = [value for problem in reading.problems for _, value in problem.parameters]
    missing = [part for part in parts if _bare(part) not in given]
    if not missing:
        message = f"“{shown(reading.file)}” names {len(parts):,} parts of the export, and all are here."
        return Problem(kind="parts_complete", severity="warning", message=message)
    message = (
        f"“{shown(reading.file)}” names {len(parts):,} parts of the export, of which {len(missing):,} are missing, so "
        f"machines, hours and costs are too low. {_named(missing)}"
    )
    return Problem(kind="parts_missing", severity="warning", message=message)


def _bare(name: str) -> str:
    """A part's name without its packing, which browsers and tools take off or put on."""
    return _base(name).casefold().removesuffix(".gz")
