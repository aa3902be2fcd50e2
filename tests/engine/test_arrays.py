"""Tables as grids: what is the same for a row or for a column of the grid stands there once."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.engine.arrays import Table


@pytest.fixture
def grid() -> Table:
    """Two pools by three sizes: a fact of the pool, one of the size, one of both, one of all."""
    return Table(
        {
            "pool": np.array([[10], [20]]),
            "size": np.array([["a", "b", "c"]], dtype=object),
            "both": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
            "all": np.array([[7]]),
        },
        (2, 3),
    )


def test_a_flat_column_has_a_value_per_entry(grid: Table) -> None:
    assert grid.flat("pool").tolist() == [10, 10, 10, 20, 20, 20]
    assert grid.flat("size").tolist() == ["a", "b", "c", "a", "b", "c"]
    assert grid.flat("all").tolist() == [7] * 6
    assert len(grid) == 6


def test_a_cell_is_that_of_the_flat_column(grid: Table) -> None:
    for name in grid:
        assert [grid.cell(name, i) for i in range(6)] == grid.flat(name).tolist()


def test_taken_rows_keep_their_order_and_may_be_taken_again(grid: Table) -> None:
    rows = grid.take([5, 0, 4])
    assert [rows.flat(name).tolist() for name in ("pool", "size", "both", "all")] == [
        [20, 10, 20],
        ["c", "a", "b"],
        [6.0, 1.0, 5.0],
        [7, 7, 7],
    ]
    assert rows.take([2, 2]).flat("size").tolist() == ["b", "b"]


def test_a_changed_column_leaves_the_first_table_alone(grid: Table) -> None:
    changed = grid.with_columns(both=grid["both"] * grid["pool"], constant=1.5)
    assert changed.cell("both", 4) == 100.0
    assert grid.cell("both", 4) == 5.0
    assert changed.take([3]).with_columns(both=[0.0]).flat("both").tolist() == [0.0]
    assert changed.flat("constant").tolist() == [1.5] * 6


def test_an_unknown_column_is_an_error(grid: Table) -> None:
    with pytest.raises(KeyError, match="nothing"):
        grid.take([0])["nothing"]


def test_text_stays_plain_and_a_missing_one_none() -> None:
    table = Table.of({"text": ["x", None], "number": [1.0, np.nan], "flag": [True, False]})
    assert table.flat("text").tolist() == ["x", None]
    assert [table[name].dtype.kind for name in ("text", "number", "flag")] == ["O", "f", "b"]
