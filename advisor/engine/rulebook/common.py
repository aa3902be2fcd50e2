"""What the rules of several families share: the pages they rest on, and who a rule applies to."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.rules import Facts

GUIDE = "MicrosoftDocs/azure-compute-docs sizes/lifecycle/retirement/n-series-migration.md"
LIFECYCLE = "MicrosoftDocs/azure-compute-docs sizes/lifecycle/lifecycle-overview.md (2026-09-24)"
RESIZE_PAGE = "MicrosoftDocs/azure-compute-docs sizes/resize-vm.md (2025-11-06)"
DRIVERS_LINUX = "MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md (2025-12-04)"
DRIVERS_WINDOWS = "MicrosoftDocs/azure-compute-docs windows/n-series-driver-setup.md (2026-05-06)"
QUOTAS = "MicrosoftDocs/azure-compute-docs quotas.md (2026-01-16)"
INFINIBAND = "MicrosoftDocs/azure-compute-docs setup-infiniband.md (2026-09-25)"


def moving(c: Facts) -> Any:
    return ~c["stay"]


def never(c: Facts) -> Any:
    """No row: for rules that only ask whether a fact is known."""
    return np.zeros((1, 1), dtype=bool)


def graphics(c: Facts) -> Any:
    return c["kind"] == "graphics"


def runs_grid(c: Facts) -> Any:
    """A GRID driver runs inside on the target: the series takes no other, or takes either and graphics needs it."""
    return (c["driver"] == "grid") | ((c["driver"] == "cuda-or-grid") & graphics(c))


def ran_grid(c: Facts) -> Any:
    """A GRID driver runs inside today."""
    return (c["from_driver"] == "grid") | ((c["from_driver"] == "cuda-or-grid") & graphics(c))


def linux(c: Facts) -> Any:
    return c["os"] != "windows"


def windows(c: Facts) -> Any:
    return c["os"] == "windows"
