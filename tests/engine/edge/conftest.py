"""What is known of edge devices, read from the fixture files; no database."""

from __future__ import annotations

import pytest

from advisor.engine.edge.devices import EdgeCatalogue
from advisor.loading import edge_from_fixtures


@pytest.fixture(scope="session")
def edge() -> EdgeCatalogue:
    return edge_from_fixtures()
