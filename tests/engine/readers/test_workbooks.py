"""Workbooks, gzip and zip: every sheet and part counts, rows keep their numbers, and hostile ones are refused."""

from __future__ import annotations

import datetime
import gzip
import io
import zipfile

import openpyxl
import pytest

from advisor.engine.readers import archive, workbook
from advisor.engine.readers.summary import gpu_summary
from tests.engine.readers.conftest import SAMPLES, errors

LIST = b"size,region,count\nNC6s_v3,eastus,2\nNC66,eastus,1\n"
WIDE = b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
HEADER = ["Size", "Region", "Count"]
END = b"</sheetData></worksheet>"


def book(*sheets, hidden=()):
    """A workbook of (title, rows) as bytes."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets:
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        sheet.sheet_state = "hidden" if title in hidden else "visible"
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def zipped(**members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name.replace("__", ".").replace("UP", "../../"), data)
    return target.getvalue()


def with_sheet(xml):
    """A workbook whose first sheet is this XML."""
    source = zipfile.ZipFile(io.BytesIO(book(("S", [["Size"], ["NC6"]]))))
    members = {name: source.read(name) for name in source.namelist()} | {"xl/worksheets/sheet1.xml": xml}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return target.getvalue()


def counts(reading):
    return [(e["size"], e["region"], e["count"], e["hours"]) for e in gpu_summary(reading.kinds)]


def test_visible_sheets_with_machines_count(read):
    reading = read(
        book(
            ("Notes", [["Machines of the lab"]]),
            (
                "A",
                [
                    ["Size", "Region", "Count", "Hours per VM"],
                    ["NC6s_v3", "eastus", 3, 365.125],
                    [],
                    ["NC66", "eastus"],
                ],
            ),
            ("B", [["VM size", "Region"], ["Standard_NV6", "West Europe"]]),
            ("Old", [["Size", "Region"], ["NC24", "eastus"]]),
            hidden=("Old",),
        )
    )
    assert (reading.format, reading.rows_read, reading.gpu_rows, reading.error_rows) == ("hand-list", 3, 2, 1)
    # 365.125 h is a number with three decimals and no thousands mark
    assert counts(reading) == [("Standard_NC6s_v3", "eastus", 3, 365.125), ("Standard_NV6", "westeurope", 1, None)]
    assert [(p.sheet, p.line, p.column) for p in reading.problems if p.severity == "error"] == [("A", 4, "Size")]
    assert "row 4" in reading.problems[0].message and any("Old" in note for note in reading.notes)


def test_cells_that_excel_made(read):
    rows = [["Size", "Region", "Count", "Utilisation", "Since", "Interruptible"]]
    made = openpyxl.Workbook()
    sheet = made.active
    for row in [*rows, ["NC6", "eastus", 4.0, 0.6, datetime.date(2024, 1, 1), True]]:
        sheet.append(row)
    sheet["D2"].number_format = "0%"
    target = io.BytesIO()
    made.save(target)
    fleet = read(target.getvalue()).fleet
    assert (fleet["count"].iloc[0], fleet["utilisation"].iloc[0], fleet["interruptible"].iloc[0]) == (4, 0.6, True)
    assert "2024-01-01" in fleet["tags"].iloc[0]


def test_a_resource_of_an_inventory_counts_once_without_its_mark_too(read):
    header = ["Subscription", "Resource Group", "VM Name", "VM Size", "Location", "Power State", "NIC Name"]
    vm = ["s", "rg", "a", "Standard_NC6", "eastus", "VM deallocated"]
    other = ["s", "rg2", "a", "Standard_NC6", "eastus", "VM running"]
    sets = [["Subscription", "Resource Group", "AKS / SFC", "Name", "Location", "VM Size", "Instances", "Resource U"],
            ["s", "mc", "aks", "aks-gpu-1-vmss", "eastus", "Standard_NV6", 3, 1]]  # fmt: skip
    titles = ["Subscription", "Resource Group", "Clusters", "Location", "Node Pool Name", "Node Pool Size"]
    pools = [[*titles, "Target Nodes"], ["s", "rg", "aks", "eastus", "gpu", "Standard_NV6", 3]]
    sheet = [header, [*vm, "n1"], [*vm, "n2"], [*other, "n3"]]
    reading = read(book(("Virtual Machines", sheet), ("Virtual Machine Scale Sets", sets), ("AKS", pools)))
    # 2 machines of 3 rows, 3 nodes of the scale set, and the pool is that scale set
    assert counts(reading) == [("Standard_NC6", "eastus", 2, None), ("Standard_NV6", "eastus", 3, None)]
    assert (reading.rows_read, reading.gpu_rows, reading.other_rows) == (5, 3, 2)
    alone = read(book(("Virtual Machines", sheet), ("AKS", pools)))
    assert counts(alone) == [("Standard_NC6", "eastus", 2, None), ("Standard_NV6", "eastus", 3, None)]


def test_parts_of_a_zip_are_one_fleet_whatever_their_names_are(read):
    reading = read(
        zipped(UPetc="x", UPp1__csv=LIST, p2__csv=gzip.compress(LIST), b__xlsx=book(("S", [["Size"], ["NV6"]])))
    )
    assert [(e["size"], e["count"]) for e in gpu_summary(reading.kinds)] == [
        ("Standard_NC6s_v3", 4),
        ("Standard_NV6", 1),
    ]
    assert (reading.rows_read, reading.error_rows) == (5, 2)
    assert [p.sheet for p in reading.problems if p.severity == "error"] == ["p1.csv", "p2.csv"]


def test_a_zip_that_holds_an_unpacked_workbook_is_no_workbook(read):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
        made.writestr("a.xlsx", book(("S", [["Size"], ["NV6"]])))
        made.writestr("b.csv", LIST)
    assert b"xl/" in target.getvalue()[:4096]
    reading = read(target.getvalue())
    assert [(e["size"], e["count"]) for e in gpu_summary(reading.kinds)] == [
        ("Standard_NC6s_v3", 2),
        ("Standard_NV6", 1),
    ]


def test_a_workbook_that_was_cut_is_told_as_one(read):
    reading = read(book(("S", [["Size"], ["NV6"]]))[:-60])
    assert (reading.usable, [p.kind for p in reading.problems]) == (False, ["bad_workbook"])


def test_gzip_is_read_as_what_it_holds(read):
    reading = read(gzip.compress((SAMPLES / "05_az_vmss_list.json").read_bytes()))
    assert (reading.format, reading.gpu_rows) == ("az-vmss-list-json", 4)


@pytest.mark.parametrize(
    ("data", "kind", "word"),
    [
        (zipped(a__zip=zipped(b__csv=LIST)), "archive_in_archive", "Unpack"),
        (gzip.compress(LIST)[:-9], "bad_archive", "damaged"),
        (zipped(), "bad_archive", "no file"),
        (with_sheet(WIDE + b'<row r="9999999999"><c><v>1</v></c></row>' + END), "unknown_format", "no list"),
        (with_sheet(WIDE + b"<row>" + b"<c><v>1</v></c>" * 16_385 + b"</row>" + END), "bad_workbook", "16,384 columns"),
        (
            with_sheet(b'<!DOCTYPE a [<!ENTITY a "xxxx">]>' + WIDE.partition(b"?>")[2]
                       + b'<row r="1"><c t="inlineStr"><is><t>&a;&a;</t></is></c></row>' + END),
            "bad_workbook", "entities",
        ),
        (
            with_sheet(WIDE + b'<row><c t="inlineStr"><is><t>' + b"x" * (3 << 20) + b"</t></is></c></row>" + END),
            "bad_workbook", "1,048,576 characters",
        ),
        (with_sheet(WIDE + b"<a>" * 600_000 + END), "bad_workbook", "250,000 elements"),
        (with_sheet(b"<worksheet"), "bad_workbook", "damaged"),
    ],
    ids=["nested", "cut", "empty", "far row", "wide", "entities", "long cell", "deep", "broken"],
)  # fmt: skip
def test_hostile_files_are_refused_with_the_limit(read, data, kind, word):
    reading = read(data)
    assert (reading.usable, [p.kind for p in reading.problems]) == (False, [kind])
    assert word in reading.problems[0].message


def test_what_unpacks_is_counted_as_it_comes_out(read, monkeypatch):
    monkeypatch.setattr(archive, "UNPACKED_MAX", 1 << 20)
    monkeypatch.setattr(workbook, "UNPACKED_MAX", 1 << 20)
    for data in (zipped(a__csv=b"a" * (2 << 20)), gzip.compress(b"a" * (2 << 20)), with_sheet(b" " * (2 << 20))):
        reading = read(data)
        assert not reading.usable
        assert "more than 1 MiB" in reading.problems[0].message


def test_what_unpacks_to_hundreds_of_times_its_size_is_refused_early(read, monkeypatch):
    """A megabyte of one letter is packed a thousand times; rows that differ in a day some 40 times."""
    monkeypatch.setattr(archive, "RATIO_FROM", 1 << 20)
    for data in (zipped(a__csv=b"a" * (2 << 20)), gzip.compress(b"a" * (2 << 20))):
        assert "more than 400 times its size" in read(data).problems[0].message
    rows = "size,region,since\n" + "".join(f"NC6s_v3,eastus,2026-01-{day % 28 + 1:02}\n" for day in range(60_000))
    for data in (zipped(a__csv=rows.encode()), gzip.compress(rows.encode())):
        assert read(data).gpu_rows == 60_000


def test_an_endless_line_costs_itself(read):
    reading = read(b"size,region\nNC6,eastus\n" + b"x" * (3 << 20) + b"\nNV6,eastus\n")
    assert (reading.gpu_rows, errors(reading)) == (2, [(3, "line_too_long")])


@pytest.mark.parametrize(
    ("sheet", "name", "word"),
    [
        (["VM", "Powerstate", "Template", "DNS Name", "CPUs", "Memory"], "rvtools", "Azure Migrate assessment"),
        (["Category", "Business Impact", "Recommendation", "Resource Name"], "advisor-recommendations", "az vm list"),
    ],
)
def test_a_workbook_of_a_tool_without_sizes_says_what_to_hand_in(read, sheet, name, word):
    more = ("vCPU", [["VM", "CPUs"], *[["a", 4]] * 9])
    reading = read(book(("vInfo", [sheet, ["a", "poweredOn", "False", "b"]]), more))
    assert (reading.format, reading.usable) == (name, False)
    assert word in reading.problems[0].message
