"""The hours column: per VM or per row, and what is said about it."""

from __future__ import annotations

import pytest

from tests.engine.readers.conftest import warnings


@pytest.mark.parametrize(
    "header", ["hours per VM", "hours_per_vm", "Stunden pro VM", "대당 월 사용시간", "Hours (each)"]
)
def test_a_name_may_say_per_vm(read, header):
    reading = read(f"size,region,count,{header}\nNC6,eastus,4,100\n")
    assert reading.fleet[["hours", "hours_per_vm"]].iloc[0].tolist() == [100, True]
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("count", "hours", "per_vm"), [(1, 100, False), (4, 2920, False), (4, 744, True), (4, 745, False)]
)
def test_a_small_value_beside_many_machines_is_per_vm(read, count, hours, per_vm):
    reading = read(f"size,region,count,hours\nNC6,eastus,{count},{hours}\n")
    assert reading.fleet[["hours", "hours_per_vm"]].iloc[0].tolist() == [hours, per_vm]
    assert warnings(reading) == (["hours_reading"] if per_vm else [])


def test_the_guess_is_said_once_with_both_readings(read):
    reading = read("size,region,count,hours\nNC6,eastus,1,5\nNC6,eastus,4,100\nNC6,eastus,2,10\n")
    (problem,) = reading.problems
    assert (problem.kind, problem.line, problem.rows) == ("hours_reading", 3, 2)
    assert "400" in problem.message
    assert "25" in problem.message


@pytest.mark.parametrize(("choice", "per_vm"), [("per-vm", True), ("per-row", False)])
def test_the_user_settles_it(read, choice, per_vm):
    reading = read("size,region,count,hours\nNC6,eastus,4,100\n", hours=choice)
    assert (bool(reading.fleet["hours_per_vm"].iloc[0]), reading.problems) == (per_vm, ())


def test_more_hours_than_a_month_has_are_said(read):
    reading = read("size,region,count,hours\nNC6,eastus,2,1489\nNC6,eastus,2,1488\n")
    assert [(p.kind, p.line) for p in reading.problems] == [("hours_high", 2)]


@pytest.mark.parametrize("header", ["hourly price", "hours per day", "creation 시간대", "business hours"])
def test_other_columns_about_hours_are_tags(read, header):
    assert read(f"size,region,{header}\nNC6,eastus,9\n").fleet["hours"].isna().all()


def test_an_empty_count_is_one_machine_and_said(read):
    reading = read("size,region,count\nNC6,eastus,\nNC6,eastus,2\n")
    assert (reading.fleet["count"].tolist(), warnings(reading)) == ([1, 2], ["count_assumed"])
