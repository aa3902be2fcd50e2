"""The list of columns is that of the real tables: every column, its type, and a meaning."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.engine.arrays import Table
from advisor.engine.candidates import World
from advisor.engine.columns import BASELINE, CANDIDATES, FLEET, POOLS, RANKED, VARIANTS, Column
from advisor.engine.fact_grid import fact_columns
from advisor.engine.stages import Stages, run_stages
from tests.factories import make_reading, make_request, make_row

TABLES = {
    "pools": (*POOLS, *BASELINE),
    "variants": (*POOLS, *BASELINE, *VARIANTS),
    "candidates": CANDIDATES,
    "ranked": (*CANDIDATES, *RANKED),
}


@pytest.fixture(scope="module")
def stages(world: World) -> Stages:
    rows = (make_row("NC24rs_v3", 4, workload="training"), make_row("NV12s_v3", 20, os="windows"))
    found = run_stages([make_reading(*rows)], world, make_request())
    assert found is not None
    return found


def table_of(stages: Stages, name: str) -> Table:
    table = getattr(stages, name)
    return table if isinstance(table, Table) else Table.of({key: [row[key] for row in table] for key in table[0]})


def fits(values: np.ndarray, column: Column) -> bool:
    if column.dtype == "text":
        return all(isinstance(value, str) or value is None for value in values.reshape(-1))
    return str(values.dtype) == ("object" if column.dtype == "value" else column.dtype)


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_a_table_is_listed(stages: Stages, world: World, name: str) -> None:
    """Facts of machines and platforms beside them are those of fact_columns."""
    listed = [column.name for column in TABLES[name]]
    facts = (
        set(fact_columns(stages.variants, world.platform, world.index)) if name in ("candidates", "ranked") else set()
    )
    assert len(listed) == len(set(listed))
    assert set(table_of(stages, name)) - facts == set(listed)


@pytest.mark.parametrize("name", TABLES)
def test_every_column_has_the_type_that_is_listed(stages: Stages, name: str) -> None:
    table = table_of(stages, name)
    assert [c.name for c in TABLES[name] if not fits(table[c.name], c)] == []


def test_every_column_has_a_meaning() -> None:
    assert all(column.meaning for column in (*FLEET, *TABLES["ranked"], *TABLES["variants"]))
