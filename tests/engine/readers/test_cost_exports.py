"""Cost and usage exports: machines counted over days, what adds nothing, price models, costs, periods."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.readers import blocks, cost_exports
from advisor.engine.readers.reading import Period
from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import errors, warnings
from tests.engine.readers.usage_text import HEADER, info, row, usage_csv, vm_id
from tests.factories import make_request

OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 10, 31), hours=744.0)


def counts(reading):
    """Count, hours and cost of each size."""
    return {
        e["size"].removeprefix("Standard_"): (e["count"], e["hours"], e["cost"]) for e in gpu_summary(reading.kinds)
    }


def test_a_machine_counts_once_over_its_days(read):
    """24 + 24 + 6.5 h and 12 + 12 + 3.25 USD of vm-a, written in two ways; 24 h of vm-b."""
    days = [
        row(),
        row(Date="10/02/2026"),
        row(Date="10/03/2026", Quantity="6.5", CostInBillingCurrency="3.25", ResourceId=vm_id("VM-A", "RG")),
        row("vm-b"),
    ]
    assert counts(read(usage_csv(days))) == {"NC4as_T4_v3": (2, 78.5, 39.25)}


@pytest.mark.parametrize("charge", ["Purchase", "Refund", "UnusedReservation", "UnusedSavingsPlan", "Tax", "Credit"])
def test_what_is_no_usage_adds_nothing(read, charge):
    reading = read(usage_csv([row(), row("vm-b", ChargeType=charge, Quantity="-1")]))
    assert counts(reading) == {"NC4as_T4_v3": (1, 24.0, 12.0)}
    assert (reading.rows_read, reading.gpu_rows, reading.other_rows) == (2, 1, 1)


@pytest.mark.parametrize(
    "cells",
    [
        {"MeterCategory": "Virtual Machines Licenses"},
        {"AdditionalInfo": info("Standard_NC4as_T4_v3", UsageType="ComputeHR_SW")},
        {"MeterCategory": "Storage"},
        {"MeterCategory": "Azure Databricks", "AdditionalInfo": '{"MeterType": "DBU"}'},
        {"MeterName": "D4 v5/D4s v5", "AdditionalInfo": info("Standard_D4s_v5")},
        {"MeterName": "NP10s", "AdditionalInfo": info("Standard_NP10s")},
    ],
)
def test_rows_of_other_things_are_other_rows(read, cells):
    reading = read(usage_csv([row(), row("vm-b", **cells)]))
    assert (counts(reading), reading.other_rows) == ({"NC4as_T4_v3": (1, 24.0, 12.0)}, 1)


@pytest.mark.parametrize(
    ("cells", "size"),
    [
        ({"AdditionalInfo": info("standard_nc6s_v3")}, "NC6s_v3"),
        ({"AdditionalInfo": '"ServiceType": "Standard_NC6s_v3"'}, "NC6s_v3"),  # without its braces
        ({"AdditionalInfo": "", "MeterName": "NC6s v3"}, "NC6s_v3"),
        ({"AdditionalInfo": "", "MeterName": "NC6", "MeterSubCategory": "NC Promo Series"}, "NC6_Promo"),
        ({"AdditionalInfo": "", "MeterName": "Compute Hours", "MeterSubCategory": "Standard_NC6 VM (Windows)"}, "NC6"),
        ({"AdditionalInfo": "", "MeterName": "ND96asr A100 v4"}, "ND96asr_v4"),
        ({"AdditionalInfo": "", "MeterName": "NG8adsV620 Spot"}, "NG8ads_V620_v1"),
    ],
)
def test_the_size_is_found_where_it_stands(read, cells, size):
    assert list(counts(read(usage_csv([row(**cells)])))) == [size]


@pytest.mark.parametrize(
    ("cells", "model"),
    [
        ({}, "payg"),
        ({"PricingModel": ""}, "payg"),
        ({"MeterName": "NC4as T4 v3 Spot"}, "spot"),
        ({"PricingModel": "Spot"}, "spot"),
        ({"PricingModel": "Reservation", "Term": "12"}, "ri_1y"),
        ({"PricingModel": "Reservation", "Term": "3 Years"}, "ri_3y"),
        ({"PricingModel": "SavingsPlan", "Term": "36"}, "sp_3y"),
        ({"PricingModel": "Savings Plan", "Term": "P1Y"}, "sp_1y"),
    ],
)
def test_price_models(read, cells, model):
    assert read(usage_csv([row(**cells)])).fleet["price_model"].tolist() == [model]


def test_a_term_that_is_not_said_is_a_year_and_told(read):
    reading = read(usage_csv([row(PricingModel="Reservation")]))
    assert reading.fleet["price_model"].tolist() == ["ri_1y"]
    assert "term_assumed" in warnings(reading)


def test_the_price_model_is_that_of_most_hours_and_the_machine_counts_once(read):
    rows = [row(Quantity="5"), row(Quantity="19", PricingModel="Reservation", Term="12", CostInBillingCurrency="4")]
    reading = read(usage_csv(rows))
    assert counts(reading) == {"NC4as_T4_v3": (1, 24.0, 16.0)}
    assert reading.fleet["price_model"].tolist() == ["ri_1y"]


def test_reserved_hours_that_cost_nothing_have_an_unknown_cost(read):
    reading = read(usage_csv([row(PricingModel="Reservation", Term="12", CostInBillingCurrency="0")]))
    assert counts(reading) == {"NC4as_T4_v3": (1, 24.0, None)}
    assert "cost_of_commitment" in warnings(reading)


def test_scale_sets_count_by_member_or_by_their_busiest_day(read):
    """Members 0 and 1; without names 50 h on one day need ceil(50 / 24) = 3 machines."""
    id = vm_id("set", kind="Microsoft.Compute/virtualMachineScaleSets")
    named = [row(ResourceId=id, AdditionalInfo=info("Standard_NC4as_T4_v3", VMName=f"set_{n}")) for n in (0, 1, 0)]
    assert counts(read(usage_csv(named))) == {"NC4as_T4_v3": (2, 72.0, 36.0)}
    unnamed = [row(ResourceId=id, Quantity="50"), row(ResourceId=id, Quantity="48", Date="10/02/2026")]
    reading = read(usage_csv(unnamed))
    assert counts(reading) == {"NC4as_T4_v3": (3, 98.0, 24.0)}
    assert "count_from_hours" in warnings(reading)


def test_windows_is_told_by_the_meter_or_by_a_licence_of_its_own_that_adds_its_cost(read):
    licence = row("vm-b", MeterCategory="Virtual Machines Licenses", MeterName="4 vCPU VM License", Quantity="24")
    licence |= {"CostInBillingCurrency": "4", "AdditionalInfo": info("x", ImageType="Windows Server", UsageType="X")}
    rows = [row(MeterSubCategory="NCasT4 v3 Series Windows"), row("vm-b"), licence, row("vm-c")]
    fleet = read(usage_csv(rows)).fleet
    assert fleet["os"].astype(object).where(fleet["os"].notna(), None).tolist() == ["windows", "windows", None]
    assert fleet["cost"].tolist() == [12.0, 16.0, 12.0]


def test_who_owns_the_machine_and_its_tags(read):
    rows = [
        row(Tags='"env": "prod"'),
        row(ResourceId=vm_id("acct", kind="Microsoft.Batch/batchAccounts"), ConsumedService="Microsoft.Batch"),
        row(ResourceId=vm_id("ws", kind="Microsoft.MachineLearningServices/workspaces"), Tags='{"b":"2","a":"1"}'),
        row("vm-d", ResourceGroup="MC_rg_aks_eu"),
    ]
    fleet = read(usage_csv(rows)).fleet
    assert fleet["service"].tolist() == ["vm", "batch", "aml", "aks"]
    assert fleet["tags"].astype(object).tolist()[:1] + fleet["tags"].tolist()[2:3] == [
        '{"env": "prod"}',
        '{"a": "1", "b": "2"}',
    ]
    assert fleet["name"].iloc[0] == "vm-a"


@pytest.mark.parametrize(
    ("cells", "kind", "column", "value"),
    [
        ({"Quantity": "n/a"}, "bad_number", "Quantity", "n/a"),
        ({"Quantity": ""}, "bad_number", "Quantity", None),
        ({"Quantity": "-3"}, "bad_number", "Quantity", "-3"),
        ({"CostInBillingCurrency": "free"}, "bad_number", "CostInBillingCurrency", "free"),
        ({"Date": "soon"}, "bad_date", "Date", "soon"),
        ({"ResourceLocation": "westeurop", "MeterRegion": ""}, "unknown_region", "ResourceLocation", "westeurop"),
        ({"AdditionalInfo": info("Standard_NC7s_v3")}, "unknown_size", "AdditionalInfo", "Standard_NC7s_v3"),
    ],
)
def test_a_bad_field_costs_its_row_and_no_other(read, cells, kind, column, value):
    reading = read(usage_csv([row(), row("vm-b", **cells), row("vm-c")]))
    assert (reading.gpu_rows, reading.error_rows, errors(reading)) == (2, 1, [(3, kind)])
    (problem,) = [p for p in reading.problems if p.severity == "error"]
    assert (problem.column, problem.value) == (column, value)
    assert problem.message.startswith(f"Line 3, column {column}: ")


def test_suggestions_come_with_unknown_names(read):
    bad = [row(AdditionalInfo=info("Standard_NC7s_v3")), row(ResourceLocation="westeurop", MeterRegion="")]
    size, region = [p for p in read(usage_csv(bad)).problems if p.line]
    assert "Standard_NC6s_v3" in size.suggestions
    assert region.suggestions[0] == "westeurope"


def test_the_period_is_the_billing_period_and_a_part_of_it_is_told(read):
    reading = read(usage_csv([row(), row(Date="10/10/2026")]))
    assert reading.period == OCTOBER
    assert "period_part" in warnings(reading)
    assert "period_part" not in warnings(read(usage_csv([row(Date="10/31/2026")])))


@pytest.mark.parametrize(
    ("days", "start", "end", "told"),
    [
        (("2026-10-01", "2026-10-03"), date(2026, 10, 1), date(2026, 10, 3), "period_short"),
        (("10/14/2026", "10/02/2026"), date(2026, 10, 2), date(2026, 10, 14), None),  # a 14th month there is not
        (("14.10.2026", "02.10.2026"), date(2026, 10, 2), date(2026, 10, 14), None),
        (("46296", "46310"), date(2026, 10, 1), date(2026, 10, 15), None),  # days of a spreadsheet since 1899-12-30
        (("2026-09-01", "2026-10-05"), date(2026, 9, 1), date(2026, 10, 5), "period_long"),
    ],
)
def test_without_billing_period_it_runs_from_the_first_to_the_last_day(read, days, start, end, told):
    header = [name for name in HEADER if not name.startswith("BillingPeriod")]
    reading = read(usage_csv([row(Date=day) for day in days], header))
    assert reading.period == Period(start=start, end=end, hours=24.0 * ((end - start).days + 1))
    assert [kind for kind in warnings(reading) if kind.startswith("period")] == ([told] if told else [])


def test_purchases_do_not_make_the_period_longer(read):
    header = [name for name in HEADER if not name.startswith("BillingPeriod")]
    rows = [row(Date="2026-10-01"), row(Date="2026-10-09"), row(Date="2026-10-31", ChargeType="Purchase")]
    assert read(usage_csv(rows, header)).period.end == date(2026, 10, 9)


def test_decimal_commas_after_a_spreadsheet(read):
    rows = [
        row(Quantity="24", CostInBillingCurrency="12,5"),
        row("vm-b", Quantity="0,25", CostInBillingCurrency="1.024,5"),
    ]
    assert counts(read(usage_csv(rows, delimiter=";"))) == {"NC4as_T4_v3": (2, 24.25, 1037.0)}


def test_blocks_and_records_one_by_one_give_the_same(read, monkeypatch):
    """A line break in a cell makes the file irregular; small blocks cut it in many places."""
    rows = [row(f"vm-{n % 7}", Quantity=f"{n}.1", Date=f"10/{n % 28 + 1:02}/2026") for n in range(40)]
    fast = read(usage_csv(rows))
    rows[0] |= {"Tags": '{"a":\n"b"}'}
    monkeypatch.setattr(cost_exports, "CHUNK_RECORDS", 3)
    slow = read(usage_csv(rows))
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 900)
    rows[0] |= {"Tags": ""}
    cut = read(usage_csv(rows))
    for other in (slow, cut):
        assert counts(other) == counts(fast)
        assert other.fleet["hours"].tolist() == fast.fleet["hours"].tolist()


def test_cost_analysis_has_costs_and_no_hours(read):
    reading = read(
        '"UsageDate","ResourceId","ResourceType","ResourceLocation","ResourceGroupName","ServiceName","ServiceTier",'
        '"Meter","CostUSD","Cost","Currency"\n'
        f'"2026-10-01","{vm_id("a")}","Virtual machine","EU West","rg","Virtual Machines","NCasT4 v3 Series",'
        '"NC4as T4 v3","13","12","EUR"\n'
        f'"2026-10-02","{vm_id("a")}","Virtual machine","EU West","rg","Virtual Machines","NCasT4 v3 Series",'
        '"NC4as T4 v3","13","12","EUR"\n'
    )
    assert (reading.format, counts(reading)) == ("cost-analysis", {"NC4as_T4_v3": (1, None, 24.0)})
    assert gpu_summary(reading.kinds)[0]["currency"] == "EUR"
    assert "no_hours" in warnings(reading)


def test_ea_before_2020(read):
    reading = read(
        "AccountOwnerId,Account Name,SubscriptionGuid,Date,Month,Day,Year,Product,Meter ID,Meter Category,"
        "Meter Sub-Category,Meter Region,Meter Name,Consumed Quantity,ResourceRate,ExtendedCost,Resource Location,"
        "Instance ID,AdditionalInfo,Tags,Unit Of Measure,Resource Group\n"
        "o,a,s,03/04/2018,3,4,2018,p,m,Virtual Machines,Standard_NC6 VM,US East,Compute Hours,24,0.9,21.6,US East,"
        f"{vm_id('a')},,,Hours,rg\n"
    )
    assert (reading.format, counts(reading)) == ("cost-ea-legacy", {"NC6": (1, 24.0, 21.6)})


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ("", "focus-1.0"),
        ("SkuMeter,SkuPriceDetails", "focus-1.1"),
        ("CapacityReservationId", "focus-1.1"),
        ("SkuMeter,SkuPriceDetails,InvoiceId", "focus-1.2"),
        ("SkuMeter,SkuPriceDetails,InvoiceId,ContractApplied", "focus-1.3"),
    ],
)
def test_versions_of_focus(read, columns, name):
    """The size stands in SkuPriceDetails, with keys that begin with x_; the cost is the effective one, 5."""
    header = "BilledCost,EffectiveCost,BillingCurrency,ChargePeriodStart,ProviderName,ServiceName,RegionId,ResourceId,"
    header += "ConsumedQuantity,ChargeDescription" + ("," + columns if columns else "")
    more = {"SkuMeter": "NC4as T4 v3", "SkuPriceDetails": '"{""x_ServiceType"":""Standard_NC4as_T4_v3""}"'}
    cells = ["0", "5", "USD", "2026-10-01T00:00Z", "Microsoft", "Virtual Machines", "westeurope", vm_id("a"), "24"]
    cells += ["NCasT4 v3 Series - NC4as T4 v3 - EU West", *(more.get(c, "") for c in columns.split(",") if c)]
    reading = read(f"{header}\n{','.join(cells)}\n")
    assert (reading.format, counts(reading)) == (name, {"NC4as_T4_v3": (1, 24.0, 5.0)})


def test_advice_scales_hours_and_cost_to_a_month(read, world):
    """Two machines, 348 + 210 = 558 h and 279 USD in the 744 h of October.

    W = 558 / 2 * 730 / 744 = 273.75 h; cost 279 * 730 / 744 = 273.75 USD a month, 0.5 USD an hour of a machine.
    """
    rows = [
        row(Quantity="348", CostInBillingCurrency="174", Date="10/31/2026"),
        row("vm-b", Quantity="210", CostInBillingCurrency="105"),
    ]
    advice = advise([read(usage_csv(rows))], world, make_request(top=0))
    (pool,) = advice.pools
    assert (pool.vms, pool.hours_basis, pool.hours_per_vm_month) == (2, "file", pytest.approx(273.75))
    assert (pool.baseline.kind, pool.baseline.cost_now) == ("actual", pytest.approx(273.75))
    assert pool.baseline.hourly_price == pytest.approx(0.5)
    first = pool.options[0]
    assert first.saving.amount == pytest.approx(pool.baseline.tco - first.tco.expected)
