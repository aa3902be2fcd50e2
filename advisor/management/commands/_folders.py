"""Files and folders named on the command line as readings, here or over Dask."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.export_folder import ReadParts, read_folder, read_part
from advisor.engine.readers.export_runs import BadFolder
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.registry import read_file
from advisor.management.commands._base import Error, wrong_argument
from advisor.over_dask import NoCluster, check_address, parts_over


def add_dask_argument(parser: CommandParser) -> None:
    parser.add_argument(
        "--dask",
        type=scheduler,
        metavar="ADDRESS",
        help="read the parts of folders on a Dask cluster, tcp://HOST:8786, or local: all processors of this machine",
    )


def scheduler(text: str) -> str:
    """The address of a scheduler, for argparse."""
    try:
        return check_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def read_paths(names: Sequence[str], catalogue: Catalogue, how: dict[str, Any], dask: str | None) -> list[Reading]:
    """One reading for each file, and for a folder those of its exports; `how` as in `read_file`.

    Raises Error for what cannot be opened, for parts that are missing and for a cluster that does not answer.
    """
    paths = [Path(name) for name in names]
    if dask and not any(path.is_dir() for path in paths):
        raise wrong_argument("--dask is for the parts of a folder; name the folder of an export")
    readings: list[Reading] = []
    with _reader(catalogue, how, dask) as read_parts:
        for name, path in zip(names, paths, strict=True):
            try:
                if path.is_dir():
                    readings += read_folder(path.resolve(), read_parts)
                else:
                    with path.open("rb") as stream:
                        readings.append(read_file(path.name, stream, catalogue, **how))
            except OSError as error:
                raise Error(f"{error.filename or name}: {error.strerror or error}") from error
            except BadFolder as error:
                raise Error(str(error)) from error
    return readings


@contextmanager
def _reader(catalogue: Catalogue, how: dict[str, Any], dask: str | None) -> Iterator[ReadParts]:
    if dask is None:
        yield lambda parts: [read_part(part, catalogue, how) for part in parts]
        return
    try:
        with parts_over(dask, catalogue, how) as read_parts:
            yield read_parts
    except NoCluster as error:
        raise Error(str(error)) from error
