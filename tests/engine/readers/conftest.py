"""What reader tests share: reading text as a file."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import Reading, read_file

SAMPLES = Path(__file__).parents[2] / "samples" / "fleets"
Read = Callable[..., Reading]


@pytest.fixture
def read(catalogue: Catalogue) -> Read:
    """Reads text (as UTF-8) or bytes as a file; options are those of `read_file`."""

    def read_content(content: str | bytes, name: str = "fleet.csv", **options: Any) -> Reading:
        data = content.encode() if isinstance(content, str) else content
        return read_file(name, io.BytesIO(data), catalogue, **options)

    return read_content


def errors(reading: Reading) -> list[tuple[int | None, str]]:
    """Line (or element) and kind of each error."""
    return [(p.line if p.item is None else p.item, p.kind) for p in reading.problems if p.severity == "error"]


def warnings(reading: Reading) -> list[str]:
    return [p.kind for p in reading.problems if p.severity == "warning"]
