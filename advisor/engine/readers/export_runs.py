"""A folder of partitioned cost exports: which files are the export, and which are those of older runs.

Azure writes `<export>/<yyyymmdd-yyyymmdd>/<yyyymmddHHMM>/<run>/part_0_0001.csv` beside a manifest that names the parts.
A daily export writes its month anew each day, so of the runs of one period only the newest counts. Names in a manifest
are only ever looked up among the files that are there; nothing is opened by them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from advisor.engine.readers.jsontext import pick, plain_text
from advisor.engine.readers.problems import shown

FILES_MAX = 100_000  # in a folder with all that is in it
MANIFEST_BYTES = 64 << 20
SHOWN = 8
_MANIFESTS = frozenset({"manifest.json", "_manifest.json"})
_PERIOD = re.compile(r"\d{8}-\d{8}")
_PART = re.compile(r"part_\d+_\d+\.", re.IGNORECASE)
#: Exports that hold hours and costs; others (price sheets, reservations) hold no machines.
_OF_USAGE = frozenset({"", "actualcost", "amortizedcost", "focuscost", "usage"})


class BadFolder(Exception):
    """A folder that is not read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file: where it is, and its name within the folder."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Files that one run of an export wrote: together they are one file. `name` is its place within the folder."""

    name: str
    parts: tuple[Part, ...]
    period: tuple[str, ...]  # runs of the same one are the same data, written anew
    end: str = ""  # of the period, where the manifest says it
    written: str = ""  # when; later ones sort later
    listed: bool = False  # by a manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """What counts in a folder: runs, single files, and what was left out and why, in words."""

    runs: tuple[Run, ...]
    files: tuple[Part, ...]
    left_out: tuple[str, ...]


def find_runs(folder: Path) -> Folder:
    """The files of a folder that count, in the order of their names; raises BadFolder, for a missing part too."""
    files = {part.name: part for part in _files(folder)}
    manifests = {name: found for name in files if _base(name) in _MANIFESTS and (found := _manifest(files[name]))}
    others = [name for name in files if _base(name) not in _MANIFESTS]
    by_base: dict[str, list[Part]] = {}
    for name in others:
        by_base.setdefault(_bare(_base(name)), []).append(files[name])
    left_out: list[str] = []
    runs: list[Run] = []
    for name, manifest in manifests.items():
        kind = plain_text(pick(manifest, "exportConfig", "type")).casefold()
        if kind in _OF_USAGE:
            runs.append(_listed_run(name, files[name].path, manifest, by_base))
        else:
            left_out.append(f"“{shown(name)}” is of an export of {shown(kind)}, which holds no machines.")
    taken = {part.name for run in runs for part in run.parts}
    loose = [name for name in others if name not in taken]
    within = {_parent(name) for name in manifests}
    if beside := [name for name in loose if any(_is_within(name, place) for place in within)]:
        left_out.append(f"Files that no manifest beside them lists are not read: {_some(beside)}.")
        loose = [name for name in loose if name not in set(beside)]
    unlisted = list(_unlisted_runs(files[name] for name in loose))
    in_runs = {part.name for run in unlisted for part in run.parts}
    kept = _newest([*runs, *unlisted], left_out)
    single = tuple(files[name] for name in loose if name not in in_runs)
    if not kept and not single:
        raise BadFolder(f"{folder}: there is no file to read in this folder.")
    return Folder(runs=tuple(kept), files=single, left_out=tuple(left_out))


def _files(folder: Path) -> Iterator[Part]:
    """Every file below the folder in the order of names, hidden ones and markers of other tools left out."""
    found: list[Part] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            if name.startswith(".") or name.endswith(".crc") or (name.startswith("_") and name not in _MANIFESTS):
                continue
            found.append(Part(path, path.relative_to(folder).as_posix()))
        if len(found) > FILES_MAX:
            raise BadFolder(f"{folder}: more than {FILES_MAX:,} files; name the folder of one export.")
    yield from sorted(found, key=lambda part: _natural(part.name))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """part_2 before part_10."""
    return [(text.isdigit(), int(text) if text.isdigit() else 0, text) for text in re.split(r"([0-9]{1,18})", name)]


def _manifest(part: Part) -> dict[str, object] | None:
    """The content of a manifest; None for another tool's file of that name."""
    try:
        with part.path.open("rb") as stream:
            text = stream.read(MANIFEST_BYTES + 1)
        found = json.loads(text) if len(text) <= MANIFEST_BYTES else None
    except OSError as error:
        raise BadFolder(f"{part.path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadFolder(f"{part.path}: the manifest is no JSON; download it again, or take it away.") from error
    return found if isinstance(found, dict) and isinstance(pick(found, "blobs"), list) else None


def _listed_run(name: str, path: Path, manifest: dict[str, object], by_base: Mapping[str, Sequence[Part]]) -> Run:
    """The run of a manifest; raises BadFolder for each part that is not there."""
    place = _parent(name)
    parts: dict[Part, None] = {}
    missing: list[str] = []
    blobs = pick(manifest, "blobs")
    for blob in blobs if isinstance(blobs, list) else ():
        blob_name = plain_text(pick(blob, "blobName")).replace("\\", "/")
        found = _find(blob_name, place, by_base)
        if found is None:
            missing.append(blob_name or "a part without a name")
        else:
            parts[found] = None
    if missing:
        raise BadFolder(
            f"{path}: of the {len(parts) + len(missing):,} parts that this manifest lists "
            f"{'one is' if len(missing) == 1 else f'{len(missing):,} are'} missing: {_some(missing)}. Machines, hours "
            "and costs would be too low; download what is missing into the folder."
        )

    def said(*path: str) -> str:
        return plain_text(pick(manifest, *path)).casefold()

    start = said("runInfo", "startDate")[:10]
    own = (said("exportConfig", "exportName"), said("exportConfig", "type"))
    period = _period_folder(place)
    return Run(
        name=place,
        parts=tuple(sorted(parts, key=lambda part: _natural(part.name))),
        period=(period, *own) if period else (start, *own) if start else (place, name),
        end=said("runInfo", "endDate")[:10],
        written=re.sub(r"\D", "", said("runInfo", "submittedTime") or PurePosixPath(place).parent.name)[:14],
        listed=True,
    )


def _find(blob: str, place: str, by_base: Mapping[str, Sequence[Part]]) -> Part | None:
    """The file of a blob: below its manifest, or with the same folder around it; packed or unpacked since or not."""
    wanted = _bare(blob).split("/")
    best: list[tuple[int, Part]] = []
    for part in by_base.get(wanted[-1], ()):
        own = _bare(part.name).split("/")
        same = 0
        while same < min(len(own), len(wanted)) and own[-1 - same] == wanted[-1 - same]:
            same += 1
        if same > 1 or _is_within(part.name, place):
            best.append((same + (_parent(part.name) == place), part))
    if not best:
        return None
    most = max(same for same, _ in best)
    found = [part for same, part in best if same == most]
    return found[0] if len(found) == 1 else None


def _bare(name: str) -> str:
    return name.casefold().removesuffix(".gz")


def _unlisted_runs(parts: Iterable[Part]) -> Iterator[Run]:
    """Parts without a manifest: those of one folder are one run, by their names or by the folders around them."""
    by_place: dict[str, list[Part]] = {}
    for part in parts:
        place = _parent(part.name)
        if _PART.match(_base(part.name)) or _period_folder(place):
            by_place.setdefault(place, []).append(part)
    for place, own in by_place.items():
        period = _period_folder(place)
        written = place.removeprefix(period) if period else ""
        yield Run(name=place, parts=tuple(own), period=(period,) if period else ("", place), written=written)


def _newest(runs: Sequence[Run], left_out: list[str]) -> list[Run]:
    """Of the runs of one period the newest, and others that go further than it; a run with a manifest goes first."""
    listed = {run.period[0] for run in runs if run.listed}
    by_period: dict[tuple[str, ...], list[Run]] = {}
    older: list[Run] = []
    for run in runs:
        if not run.listed and run.period[0] in listed and run.period[0]:
            older.append(run)
        else:
            by_period.setdefault(run.period, []).append(run)
    kept = []
    for same in by_period.values():
        newest = max(same, key=lambda run: (run.written, run.name))
        kept += [run for run in same if run is newest or run.end > newest.end]
        older += [run for run in same if run is not newest and run.end <= newest.end]
    if older:
        names = _some([run.name for run in older])
        left_out.append(f"Older runs of the same period are not read, the newest has their days: {names}.")
    return sorted(kept, key=lambda run: _natural(run.name))


def _period_folder(place: str) -> str:
    """The path up to a folder that is named by its first and last day; "" where there is none."""
    names = place.split("/")
    ends = [number for number, name in enumerate(names, start=1) if _PERIOD.fullmatch(name)]
    return "/".join(names[: ends[-1]]) if ends else ""


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(f"“{shown(name)}”" for name in names[:SHOWN]) + more


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _parent(name: str) -> str:
    return name.rpartition("/")[0]


def _is_within(name: str, place: str) -> bool:
    return not place or name.startswith(f"{place}/")
