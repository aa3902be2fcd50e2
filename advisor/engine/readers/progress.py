"""How far the reading of a file is: readers tell it between blocks, and what the listener raises ends the reading."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO

#: Called with where the reading is, of how much (in a unit of the format's own), and the rows read so far. It begins
#: again at 0 for each part of a file that holds several, and when a file is read once more.
Progress = Callable[[int, int, int], None]
#: The same for one stream: called with the byte at which the reading is and the rows read so far.
StreamProgress = Callable[[int, int], None]


def unwatched(_at: int, _of: int, _rows: int) -> None:
    """The progress of a reading that nobody follows."""


def unwatched_stream(_at: int, _rows: int) -> None:
    """The progress of a stream that nobody follows."""


def of_stream(progress: Progress, stream: BinaryIO) -> StreamProgress:
    """What the reader of a stream calls, so that `progress` is told of its bytes."""
    size = stream.seek(0, io.SEEK_END)
    return lambda at, rows: progress(at, size, rows)
