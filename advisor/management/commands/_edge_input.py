"""How the parts of `edge` read a file: - is standard input, and a file that cannot be opened is one clear line."""

from __future__ import annotations

import sys
from pathlib import Path

from advisor.management.commands._base import Error


def read_input(name: str, limit: int) -> bytes:
    """The bytes of a file, one more than `limit` at most, so that the engine sees that it is too large."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(limit + 1)
        with Path(name).open("rb") as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise Error(f"{name}: {error.strerror}") from error
