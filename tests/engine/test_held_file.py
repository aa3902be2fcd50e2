"""Lists of held commitments: hand-made ones and the reservations that the portal exports, with everything wrong."""

from __future__ import annotations

import io
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.catalogue import Catalogue
from advisor.engine.held import HeldCommitment
from advisor.engine.held_file import COLUMNS, MOST_ROWS, HeldReading, read_held
from tests import shipped

HEADER = ",".join(COLUMNS)
#: The columns of the list of reservations in the portal, as public tools read it.
PORTAL = (
    "Name,Reservation Id,Reservation order Id,Status,Expiration date,Purchase date,Term,Scope,Scope subscription,"
    "Scope resource group,Type,Product name,Region,Quantity,Utilization % 1 Day,Utilization % 7 Day,"
    "Utilization % 30 Day,Deep link to reservation"
)


def read(catalogue: Catalogue, *lines: str, name: str = "held.csv") -> HeldReading:
    return read_held(name, io.BytesIO("\n".join(lines).encode()), catalogue)


def only(reading: HeldReading) -> HeldCommitment:
    assert not reading.problems, reading.problems
    (one,) = reading.held
    return one


def test_a_hand_made_list(catalogue: Catalogue) -> None:
    reading = read(
        catalogue,
        HEADER,
        "A1,reservation,NC6s_v3,West Europe,3,2027-06-30,12,2024-06-30,1.25,,EUR",
        "A2,savings plan,,,P1Y,2027-01-31,,,4.5,,",
    )
    assert reading.problems == ()
    assert reading.held == (
        HeldCommitment(
            order="A1",
            kind="reservation",
            size="Standard_NC6s_v3",
            region="westeurope",
            years=3,
            ends=date(2027, 6, 30),
            quantity=12,
            bought=date(2024, 6, 30),
            hourly_price=1.25,
            currency="EUR",
        ),
        HeldCommitment(order="A2", kind="savings_plan", years=1, ends=date(2027, 1, 31), hourly_price=4.5),
    )


def test_the_total_of_a_term_gives_the_hour(catalogue: Catalogue) -> None:
    # 52,560 for 2 VMs and three years: 52,560 / 26,280 / 2 = 1.00
    one = only(read(catalogue, HEADER, "A,,NC6s_v3,westeurope,3,2027-06-30,2,,,52560,"))
    assert one.hourly_price == pytest.approx(1.0)


def test_the_list_of_the_portal(catalogue: Catalogue) -> None:
    row = (
        "vm,3b3de39c,630226bb-5170,Succeeded,2027-01-01T00:00:00Z,2024-01-01T00:00:00Z,P3Y,Shared,,,VirtualMachines,"
        "{size},eastus,3,100,100,100,https://portal"
    )
    reading = read(catalogue, PORTAL, row.format(size="Standard_NC6s_v3"), row.format(size="Standard_D32as_v4"))
    assert (reading.rows_read, reading.skipped, reading.error_rows) == (2, 1, 0)
    assert only(reading) == HeldCommitment(
        order="630226bb-5170",
        kind="reservation",
        size="Standard_NC6s_v3",
        region="eastus",
        years=3,
        ends=date(2027, 1, 1),
        quantity=3,
        bought=date(2024, 1, 1),
    )


def test_a_product_name_may_hold_size_and_region(catalogue: Catalogue) -> None:
    line = 'A,,"Reserved VM Instance, Standard_NC6s_v3, EU West, 3 Years",,3,2027-06-30,1,,,,'
    one = only(read(catalogue, HEADER, line))
    assert (one.size, one.region) == ("Standard_NC6s_v3", "westeurope")


@pytest.mark.parametrize("state", ["Cancelled", "Expired", "Failed", "Refunded"])
def test_what_is_no_longer_held_is_skipped(catalogue: Catalogue, state: str) -> None:
    reading = read(catalogue, f"{HEADER},status", f"A,,NC6s_v3,westeurope,3,2027-06-30,1,,,,,{state}")
    assert (reading.held, reading.skipped, reading.problems) == ((), 1, ())


def test_other_products_are_skipped(catalogue: Catalogue) -> None:
    reading = read(catalogue, HEADER, "A,SqlDatabases,GP_Gen5_2,westeurope,3,2027-06-30,1,,,,")
    assert (reading.held, reading.skipped, reading.problems) == ((), 1, ())


def test_everything_wrong_in_a_row_is_said_with_its_line(catalogue: Catalogue) -> None:
    reading = read(
        catalogue,
        HEADER,
        "A,,NC6s_v3,westeurope,3,2027-06-30,1,,,,",
        "B,,NC6s_v9,westeurop,2,30.6.2027,1.5,,x,,EURO",
    )
    assert [(p.line, p.column) for p in reading.problems] == [
        *((3, "hourly_price"), (3, "term"), (3, "end"), (3, "currency"), (3, "size"), (3, "region")),
        (3, "quantity"),
    ]
    by_column = {p.column: p for p in reading.problems}
    assert "Standard_NC6s_v3" in by_column["size"].suggestions
    assert "westeurope" in by_column["region"].suggestions
    assert "2027-11-30" in by_column["end"].message
    assert (reading.rows_read, len(reading.held), reading.error_rows) == (2, 1, 1)


def test_a_savings_plan_needs_its_amount(catalogue: Catalogue) -> None:
    (problem,) = read(catalogue, HEADER, "A,savings_plan,,,3,2027-06-30,,,,,").problems
    assert problem.column == "hourly_price" and "amount for an hour" in problem.message


def test_figures_that_make_no_sense_name_the_order(catalogue: Catalogue) -> None:
    (problem,) = read(catalogue, HEADER, "A7,,NC6s_v3,westeurope,3,2027-06-30,0,,,,").problems
    assert "A7" in problem.message and "quantity is 0" in problem.message
    (problem,) = read(catalogue, HEADER, "A7,,NC6s_v3,westeurope,3,2027-06-30,1,2027-07-01,,,").problems
    assert "not before its end" in problem.message


def test_the_same_commitment_counts_once(catalogue: Catalogue) -> None:
    line = "A,,NC6s_v3,westeurope,3,2027-06-30,1,,,,"
    reading = read(catalogue, HEADER, line, line)
    assert len(reading.held) == 1
    assert [(p.severity, p.line) for p in reading.problems] == [("warning", 3)]


def test_decimal_commas_under_semicolons(catalogue: Catalogue) -> None:
    header = HEADER.replace(",", ";")
    one = only(read(catalogue, header, "A;;NC6s_v3;westeurope;3;2027-06-30;1;;1,25;;"))
    assert one.hourly_price == 1.25


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "columns"),
        ("name,size\nA,NC6s_v3", "term"),
        ("NC6s_v3,westeurope,3,2027-06-30", "first line"),
        ("{}", "table"),
    ],
)
def test_a_file_of_another_kind_says_what_is_wanted(catalogue: Catalogue, text: str, word: str) -> None:
    reading = read(catalogue, text)
    (problem,) = reading.problems
    assert reading.held == () and word in problem.message


def test_a_long_list_is_cut_and_says_so(catalogue: Catalogue) -> None:
    lines = [f"A{place},,NC6s_v3,westeurope,3,2027-06-30,1,,,," for place in range(MOST_ROWS + 1)]
    reading = read(catalogue, HEADER, *lines)
    assert len(reading.held) == MOST_ROWS
    assert [p.kind for p in reading.problems] == ["too_many_rows"]


@given(st.text(max_size=400), st.booleans())
def test_no_text_breaks_the_reader(text: str, with_header: bool) -> None:
    lines = [HEADER, text] if with_header else [text]
    reading = read(shipped.catalogue(), *lines)
    assert reading.rows_read == len(reading.held) + reading.skipped + reading.error_rows
