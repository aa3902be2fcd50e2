"""What is known of edge devices, read from the fixture files; no database."""

from __future__ import annotations

import pytest

from advisor.engine.edge.devices import EdgeCatalogue
from tests import shipped


@pytest.fixture(scope="session")
def edge() -> EdgeCatalogue:
    return shipped.edge()
