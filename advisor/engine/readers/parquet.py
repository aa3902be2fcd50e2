"""Cost exports as Parquet: the only module that knows pyarrow, which is imported when a file asks for it.

Batches of rows with the columns that are read become the same texts as those of a CSV export. A row is named by its
0-based number, since a Parquet file has no lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
import pandas as pd  # is imported before pyarrow can be seen, see advisor/engine/__init__.py

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.cost_exports import NO_SIZES, finish_usage, new_file
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Factor
from advisor.engine.readers.usage_columns import UsageLayout, usage_layout
from advisor.engine.readers.usage_rows import add_block

MAGIC = b"PAR1"
BATCH_ROWS = 20_000
COLUMNS_MAX = 2_000
#: Of the columns that are read, unpacked, in one group of rows. Exports of Azure have groups of some 100 MB.
GROUP_BYTES_MAX = 1 << 30
BUFFER_BYTES = 1 << 20
_AS_CSV = "Export it again, or as CSV."


def is_parquet(stream: BinaryIO) -> bool:
    """True for a file that begins as Parquet does."""
    stream.seek(0)
    return stream.read(len(MAGIC)) == MAGIC


class BadParquet(Exception):
    """The library cannot read the file."""


def read(name: str, stream: BinaryIO, catalogue: Catalogue, options: Options) -> Reading:
    """The fleet of a cost or FOCUS export; any other Parquet file, and a damaged one, is refused with what to do."""
    try:
        source = _opened(stream)
        with _library_errors():
            header = tuple(str(title) for title in source.schema_arrow.names)
        layout = usage_layout(header) if len(header) <= COLUMNS_MAX else None
        if layout is None:
            message = f"This Parquet file is no cost export (columns read: {', '.join(header[:8])}). {LIST_INSTEAD}"
            return refuse(name, "parquet", "unknown_format", message)
        if not layout.says_sizes:
            return refuse(name, layout.format, "no_meter_columns", NO_SIZES)
        if (largest := _largest_group(source, layout)) > GROUP_BYTES_MAX:
            message = (
                f"One group of rows of this Parquet file unpacks to {largest >> 20} MiB, more than the "
                f"{GROUP_BYTES_MAX >> 20} MiB that are read at a time. Export it in parts, or as CSV."
            )
            return refuse(name, layout.format, "too_large", message)
        file, start = new_file(layout, catalogue, options, is_items=True), 0
        for rows, columns in _batches(source, layout):
            add_block(file, np.arange(start, start + rows, dtype=np.int64), columns)
            start += rows
            options.progress(start, source.metadata.num_rows, start)
    except BadParquet:
        return refuse(name, "parquet", "bad_parquet", f"The Parquet file is damaged or cut short. {_AS_CSV}")
    return finish_usage(file, name, encoding=None)


def library() -> Any:
    """pyarrow, which cannot be seen, not by pandas either, before this is asked for."""
    if sys.modules.get("pyarrow", pd) is None:
        del sys.modules["pyarrow"]
    import pyarrow  # type: ignore[import-untyped]  # noqa: PLC0415 (costs a second, and few files need it)
    import pyarrow.parquet  # type: ignore[import-untyped]  # noqa: PLC0415

    return pyarrow


@contextmanager
def _library_errors() -> Iterator[None]:
    """What the library raises for a file that it cannot read, as BadParquet."""
    try:
        yield
    except (library().ArrowException, ArithmeticError, LookupError, MemoryError, OSError, TypeError, ValueError) as e:
        raise BadParquet(str(e)) from e


def _opened(stream: BinaryIO) -> Any:
    with _library_errors():
        stream.seek(0)
        return library().parquet.ParquetFile(stream, buffer_size=BUFFER_BYTES, pre_buffer=False)


def _largest_group(source: Any, layout: UsageLayout) -> int:
    """Bytes that the read columns of the largest group of rows take when unpacked."""
    wanted = {layout.header[place] for place in layout.read.coded}
    sizes = [0]
    with _library_errors():  # names that are no text are found only where they are asked for
        for number in range(source.metadata.num_row_groups):
            group = source.metadata.row_group(number)
            columns = (group.column(place) for place in range(group.num_columns))
            sizes.append(
                sum(c.total_uncompressed_size for c in columns if str(c.path_in_schema).partition(".")[0] in wanted)
            )
    return max(sizes)


def _batches(source: Any, layout: UsageLayout) -> Iterator[tuple[int, dict[int, Factor]]]:
    """Rows and columns of one batch after the other."""
    places = layout.read.coded
    titles = [layout.header[place] for place in places]
    with _library_errors():
        batches = source.iter_batches(batch_size=BATCH_ROWS, columns=titles, use_threads=False)
    while True:
        with _library_errors():
            batch = next(batches, None)
            if batch is None:
                return
            found = {title: _factor(batch.column(number)) for number, title in enumerate(batch.schema.names)}
        yield batch.num_rows, {place: found[title] for place, title in zip(places, titles, strict=True)}


def _factor(column: Any) -> Factor:
    """A column of any type as texts; nothing is an empty text."""
    kind = str(column.type)
    if kind.startswith(("map", "struct", "list", "large_list", "fixed_size_list", "null")):
        own, texts = pd.factorize(np.array([_text(value) for value in column.to_pylist()], dtype=object))
        return Factor(own.astype(np.int32), list(texts))
    coded = column if kind.startswith("dictionary") else column.dictionary_encode()
    values = [_text(value) for value in coded.dictionary.to_pylist()]
    codes = coded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return Factor(codes.astype(np.int32), [*values, ""])


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list):
        pairs = all(isinstance(item, tuple) and len(item) == 2 for item in value)
        return json.dumps(dict(value) if pairs and value else value, default=str) if value else ""
    if isinstance(value, dict):
        return json.dumps(value, default=str)
    if isinstance(value, float):
        return repr(value) if np.isfinite(value) else ""
    return value.isoformat() if hasattr(value, "isoformat") else f"{value}"
