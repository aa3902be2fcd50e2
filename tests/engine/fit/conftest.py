"""Models, readings and published figures, read from the fixture files."""

from __future__ import annotations

import pytest

from advisor.engine.fit.facts import FitFacts
from tests import shipped


@pytest.fixture(scope="session")
def facts() -> FitFacts:
    return shipped.fit()
