"""What tells one version of the engine from another, wherever it was imported from: a folder or a zip."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable


def sources(package: str = "advisor.engine") -> Iterator[tuple[str, bytes]]:
    """Every module of the engine: its path within the package, and its text."""
    yield from _sources(files(package), "")


def _sources(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry, f"{place}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield f"{place}{entry.name}", entry.read_bytes()


def fingerprint() -> str:
    """The same for the same text of all modules."""
    total = hashlib.sha256()
    for name, text in sources():
        total.update(f"{name}\0{len(text)}\0".encode() + text)
    return total.hexdigest()
