"""The formats in the order in which they are asked, and `read_file`."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO, Protocol

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import (
    ari,
    arm_template,
    az_aks_list,
    az_table,
    az_vm_list,
    az_vmss_list,
    bicep,
    cost_exports,
    flat_json,
    graph_csv,
    graph_json,
    hand_list,
    manifest,
    migrate,
    parquet,
    portal,
    quota,
    terraform,
    terraform_json,
    unsupported,
    utilisation,
)
from advisor.engine.readers.containers import refuse_container
from advisor.engine.readers.head import Head, read_head
from advisor.engine.readers.joined import NOT_CHOSEN
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.names import canonical_region
from advisor.engine.readers.packed import read_packed
from advisor.engine.readers.problems import shown
from advisor.engine.readers.progress import Progress, of_stream, unwatched
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.rows import HoursReading, Options
from advisor.engine.readers.text import BLANKS, detect


class Format(Protocol):
    """A module that reads one format. `recognises` looks only at the head; `read` answers for the whole file."""

    NAME: str

    def recognises(self, head: Head) -> bool: ...

    def read(self, head: Head, catalogue: Catalogue, options: Options) -> Reading: ...


#: The first that recognises a file reads it: exact signatures first, the hand list takes any table.
FORMATS: tuple[Format, ...] = (
    quota,
    utilisation,
    az_table,
    graph_json,
    az_vm_list,
    az_vmss_list,
    az_aks_list,
    cost_exports,
    manifest,
    ari,
    migrate,
    graph_csv,
    terraform_json,
    arm_template,
    terraform,
    bicep,
    unsupported,
    flat_json,
    portal,
    hand_list,
)


def read_file(
    name: str,
    stream: BinaryIO,
    catalogue: Catalogue,
    *,
    hours: HoursReading | None = None,
    default_region: str | None = None,
    mapping: ColumnMapping | None = None,
    progress: Progress = unwatched,
) -> Reading:
    """Read a fleet from a seekable stream that is never held in memory as a whole.

    `hours` says how the hours of a list are meant, `default_region` is the region of rows that have none; with a
    `mapping` the file is a list of machines whose columns a person has named, whatever it looks like. `progress` is
    told how far it is, and what it raises ends the reading.
    Bad content never raises: a file without fleet answers `usable` False and a problem that says why and what to
    export instead. Raises ValueError when `default_region` is no region.
    """
    region = None
    if default_region is not None:
        region = canonical_region(default_region, catalogue)
        if region is None:
            near = " or ".join(catalogue.nearest_regions(default_region)) or "one such as westeurope"
            raise ValueError(f"{default_region!r} is no Azure region that is known here; did you mean {near}?")
    options = Options(hours=hours, default_region=region, progress=progress)

    def read_plain(part: str, content: BinaryIO) -> Reading:
        return _read_plain(part, content, catalogue, options, mapping)

    return read_packed(name, stream, read_plain)


def _read_plain(
    name: str, stream: BinaryIO, catalogue: Catalogue, options: Options, mapping: ColumnMapping | None
) -> Reading:
    """A file that is no archive and no workbook."""
    if mapping and mapping.sheet is not None and mapping.sheet != name:
        message = f"Only “{shown(mapping.sheet)}” is to be read, and nothing in the file is called so."
        return refuse(name, "unknown", NOT_CHOSEN, message)
    if parquet.is_parquet(stream):
        if mapping:
            return refuse(name, "parquet", "not_a_table", hand_list.NO_TABLE)
        return parquet.read(name, stream, catalogue, options)
    if (refused := refuse_container(name, stream)) is not None:
        return refused
    decoding = detect(stream)
    if decoding is None:
        message = f"The file is not text (a picture, a program or damaged). {LIST_INSTEAD}"
        return refuse(name, "unknown", "not_text", message)
    head = read_head(name, stream, decoding, catalogue, header_line=mapping.header_line if mapping else None)
    head = replace(head, progress=of_stream(options.progress, stream))
    if mapping:
        return hand_list.read(head, catalogue, options, mapping)
    for reader in FORMATS:
        if reader.recognises(head):
            return reader.read(head, catalogue, options)
    if head.is_json and not head.items and head.text.strip(BLANKS)[1:-1].strip(BLANKS):
        message = f"The file begins like JSON and is empty, broken or nested too deeply. {LIST_INSTEAD}"
        return refuse(name, "unknown", "broken_json", message, head=head)
    kind = "no_vms" if head.is_json else "unknown_format"
    return refuse(name, "unknown", kind, f"This is no list of machines with their sizes. {LIST_INSTEAD}", head=head)
