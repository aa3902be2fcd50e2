"""Cost exports as Parquet: the same answer as the CSV of the same rows, and no price for those who have none."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from advisor.engine.readers import parquet
from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import errors
from tests.engine.readers.usage_text import HEADER, as_parquet, row, usage_csv, vm_id

library = parquet.library()


def test_the_same_rows_as_csv_give_the_same_fleet(read):
    rows = [row(f"vm-{n % 3}", Quantity=f"{n}.25", Date=f"10/{n + 1:02}/2026", Tags='"a": "b"') for n in range(20)]
    plain, packed = read(usage_csv(rows)), read(as_parquet({name: [r.get(name, "") for r in rows] for name in HEADER}))
    assert (packed.format, packed.rows_read, packed.period) == (plain.format, plain.rows_read, plain.period)
    assert gpu_summary(packed.kinds) == gpu_summary(plain.kinds)
    assert (packed.fleet["item"].tolist(), packed.fleet["name"].tolist()) == ([0, 1, 2], plain.fleet["name"].tolist())


def test_columns_have_types_of_their_own(read):
    """FOCUS as FinOps hubs write it: decimals, timestamps, maps, nothing as null. 24 + 12.5 h, 5 + 2.5 USD."""
    days = [datetime(2026, 10, day, tzinfo=UTC) for day in (1, 2)]
    tags = library.array([[("env", "prod")], None], type=library.map_(library.string(), library.string()))
    reading = read(
        as_parquet(
            {
                "BilledCost": [0.0, 0.0],
                "EffectiveCost": [Decimal("5.00"), Decimal("2.50")],
                "BillingCurrency": library.array(["USD", "USD"]).dictionary_encode(),
                "BillingPeriodStart": [datetime(2026, 10, 1, tzinfo=UTC)] * 2,
                "BillingPeriodEnd": [datetime(2026, 11, 1, tzinfo=UTC)] * 2,
                "ChargePeriodStart": days,
                "ChargeCategory": ["Usage", "Usage"],
                "ProviderName": ["Microsoft", None],
                "ServiceName": ["Virtual Machines"] * 2,
                "RegionId": ["westeurope"] * 2,
                "ResourceId": [vm_id("a")] * 2,
                "ConsumedQuantity": [24.0, 12.5],
                "x_SkuMeterName": ["NC4as T4 v3"] * 2,
                "Tags": tags,
            }
        )
    )
    (entry,) = gpu_summary(reading.kinds)
    assert (entry["count"], entry["hours"], entry["cost"], entry["currency"]) == (1, 36.5, 7.5, "USD")
    assert reading.period.hours == 744.0
    assert reading.fleet["tags"].tolist() == ['{"env": "prod"}']


def test_a_bad_field_costs_its_row_and_says_which(read):
    rows = [row(), row("vm-b", Quantity="n/a")]
    reading = read(as_parquet({name: [r.get(name, "") for r in rows] for name in HEADER}))
    assert (reading.gpu_rows, errors(reading)) == (1, [(1, "bad_number")])
    assert reading.problems[-1].message.startswith("Element 1, column Quantity: “n/a” cannot be read")


@pytest.mark.parametrize("cut", [40, 400, 1500, -9])
def test_a_damaged_file_is_refused(read, cut):
    whole = as_parquet({name: [row().get(name, "")] * 50 for name in HEADER})
    reading = read(whole[:cut])
    assert (reading.usable, errors(reading)) == (False, [(None, "bad_parquet")])


def test_a_name_that_is_no_text_is_refused_wherever_it_stands(read):
    whole = as_parquet({name: [row().get(name, "")] * 5 for name in HEADER})
    places = [place for place in range(len(whole)) if whole.startswith(b"Quantity", place)]
    assert len(places) > 1  # in the schema, and with each chunk of the column
    for place in places:
        reading = read(whole[:place] + b"\xcd" + whole[place + 1 :])
        assert (reading.usable, len(reading.problems) > 0) in {(False, True), (True, False)}
        assert reading.gpu_rows in (0, 5)


def test_another_table_is_refused_with_its_columns(read):
    reading = read(as_parquet({"name": ["a"], "colour": ["red"]}))
    assert (reading.usable, errors(reading)) == (False, [(None, "unknown_format")])
    assert "name, colour" in reading.problems[0].message


def test_groups_of_rows_that_do_not_fit_are_refused_by_size(read, monkeypatch):
    monkeypatch.setattr(parquet, "GROUP_BYTES_MAX", 100)
    reading = read(as_parquet({name: [row().get(name, "")] * 50 for name in HEADER}))
    assert errors(reading) == [(None, "too_large")]


def test_who_reads_no_parquet_file_does_not_pay_for_the_library():
    code = "import advisor.engine.readers, sys; sys.exit(sys.modules['pyarrow'] is not None)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
