"""Refused rows are kept as written, corrected, read again by the rules of their reader, and merged."""

from __future__ import annotations

import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import Reading, read_file
from advisor.engine.readers.corrections import WHOLE, correct, merge
from advisor.engine.readers.packing import pack, unpack
from advisor.engine.readers.refused import KEPT, Refused, likely_numbers, refused_json, refused_of, refused_rows
from tests import shipped
from tests.profiles import examples

HEADER = "size,region,count,hours_per_vm\n"
THREE_BAD = HEADER + (
    "NC6s_v3,West Europe,4,520\nNC6x,West Europe,2,100\nNC4as_T4_v3,West Europe,1,72O\nNC6,West Erope,1,10\n"
    "D4s_v5,West Europe,1,730\n"
)
PORTAL = (
    "NAME,SUBSCRIPTION,RESOURCE GROUP,LOCATION,STATUS,OPERATING SYSTEM,SIZE,PUBLIC IP ADDRESS,DISKS\n"
    '"a","s","rg","West Europe","Running","Linux","Standard_NC6s_v33","-","1"\n'
    '"b","s","rg","West Europe","Running","-","Standard_NC6s_v3","-","1"\n'
)


def read(text: str, catalogue: Catalogue, name: str = "fleet.csv") -> tuple[Reading, Refused]:
    stream = io.BytesIO(text.encode())
    reading = read_file(name, stream, catalogue)
    refused = refused_rows(stream, reading, catalogue)
    assert refused is not None
    return reading, refused


def counts(packed: dict) -> tuple[int, int, int, int]:
    summary = packed["summary"]
    return summary["rows_read"], summary["gpu_rows"], summary["other_rows"], summary["error_rows"]


def test_the_cells_are_kept_with_what_is_wrong(catalogue: Catalogue):
    _, refused = read(THREE_BAD, catalogue)
    assert [(row.at, row.cells, row.wrong[0].place, row.wrong[0].value) for row in refused.rows] == [
        (3, ("NC6x", "West Europe", "2", "100"), 0, "NC6x"),
        (4, ("NC4as_T4_v3", "West Europe", "1", "72O"), 3, "72O"),
        (5, ("NC6", "West Erope", "1", "10"), 1, "West Erope"),
    ]


def test_a_letter_in_a_number_suggests_the_number():
    assert likely_numbers("72O", "hours") == ("720",)
    assert likely_numbers("many", "hours") == ()
    assert likely_numbers("7O", "size") == ()


def test_survives_json(catalogue: Catalogue):
    _, refused = read(THREE_BAD, catalogue)
    assert refused_of(json.loads(json.dumps(refused_json(refused)))) == refused


def test_a_right_correction_leaves_the_list_and_counts_add_up(catalogue: Catalogue):
    reading, refused = read(THREE_BAD, catalogue)
    found = correct(refused, {3: {0: "NC6"}, 5: {1: "West Europe"}}, catalogue)
    merged = merge(pack(reading), found)
    assert found.accepted == 2
    assert [row.at for row in found.refused.rows] == [4]
    assert counts(merged) == (5, 3, 1, 1)
    assert {p["line"] for p in merged["summary"]["problems"] if p["severity"] == "error"} == {4}


def test_corrected_rows_are_what_the_corrected_file_would_give(catalogue: Catalogue):
    reading, refused = read(THREE_BAD, catalogue)
    merged = merge(pack(reading), correct(refused, {3: {0: "NC6"}, 4: {3: "720"}, 5: {1: "westeurope"}}, catalogue))
    right = THREE_BAD.replace("NC6x", "NC6").replace("72O", "720").replace("Erope", "Europe")
    expected = pack(read_file("fleet.csv", io.BytesIO(right.encode()), catalogue))
    key = ("size", "region", "count", "hours", "line")
    assert sorted([row[k] for k in key] for row in merged["rows"]) == sorted(
        [row[k] for k in key] for row in expected["rows"]
    )
    assert counts(merged) == counts(expected)


def test_a_wrong_correction_stays_with_its_own_message(catalogue: Catalogue):
    _, refused = read(THREE_BAD, catalogue)
    found = correct(refused, {3: {0: "NC7y"}}, catalogue)
    assert found.accepted == 0
    row = found.refused.rows[0]
    assert (row.at, row.cells[0]) == (3, "NC7y")
    assert row.wrong[0].message.startswith("Line 3, column size: “NC7y”")


def test_a_row_corrected_to_another_series_is_an_other_row(catalogue: Catalogue):
    reading, refused = read(THREE_BAD, catalogue)
    merged = merge(pack(reading), correct(refused, {3: {0: "D8s_v5"}}, catalogue))
    assert counts(merged) == (5, 1, 2, 2)
    assert {entry["size"] for entry in merged["ignored"]} == {"D4s_v5", "D8s_v5"}


def test_a_whole_line_is_corrected_where_its_cells_are_too_many(catalogue: Catalogue):
    reading, refused = read(HEADER + "NC6,West Europe,1,10\nNC6,West Europe,1,10,x\n", catalogue)
    assert refused.rows[0].wrong[0].place is None
    assert refused.rows[0].wrong[0].value == "NC6,West Europe,1,10,x"
    merged = merge(pack(reading), correct(refused, {3: {WHOLE: "NC6, West Europe, 2, 10"}}, catalogue))
    assert counts(merged) == (2, 2, 0, 0)


def test_a_portal_export_is_corrected_by_its_own_rules(catalogue: Catalogue):
    reading, refused = read(PORTAL, catalogue)
    assert reading.format == "portal-vm-export"
    merged = merge(pack(reading), correct(refused, {2: {6: "NC6s_v3"}}, catalogue))
    assert counts(merged) == (2, 2, 0, 0)
    assert {row["os"] for row in merged["rows"]} == {"linux", None}


def test_an_element_of_json_is_corrected(catalogue: Catalogue):
    items = [
        {"name": "a", "location": "westeurope", "hardwareProfile": {"vmSize": size}} for size in ("NC6s_v3", "NC6z")
    ]
    reading, refused = read(json.dumps(items), catalogue, "vms.json")
    assert (refused.is_items, refused.rows[0].at) == (True, 1)
    merged = merge(pack(reading), correct(refused, {1: {refused.fields["size"]: "NC6"}}, catalogue))
    assert counts(merged) == (2, 2, 0, 0)


def test_a_file_of_bad_rows_only_becomes_usable(catalogue: Catalogue):
    reading, refused = read(HEADER + "NC6x,West Europe,1,1\n", catalogue)
    assert not reading.usable
    merged = merge(pack(reading), correct(refused, {2: {0: "NC6"}}, catalogue))
    assert merged["summary"]["usable"]
    assert merged["summary"]["problems"] == []
    assert unpack(merged).gpu_rows == 1


def test_only_the_first_rows_are_kept(catalogue: Catalogue):
    reading, refused = read(HEADER + "NC6x,West Europe,1,1\n" * (KEPT + 7), catalogue)
    assert (len(refused.rows), refused.left_out, reading.error_rows) == (KEPT, 7, KEPT + 7)


def test_a_file_without_bad_rows_has_none(catalogue: Catalogue):
    stream = io.BytesIO((HEADER + "NC6,West Europe,1,1\n").encode())
    assert refused_rows(stream, read_file("f.csv", stream, catalogue), catalogue) is None


cells = st.text(max_size=12)


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.tuples(cells, cells, cells, cells), min_size=1, max_size=5), st.data())
def test_no_row_is_lost_by_any_correction(rows, data):
    catalogue = shipped.catalogue()
    text = HEADER + "NC6x,West Europe,1,1\n" * 3
    reading, refused = read(text, catalogue)
    changes = {row.at: dict(enumerate(data.draw(st.sampled_from(rows)))) for row in refused.rows}
    found = correct(refused, changes, catalogue)
    total = counts(merge(pack(reading), found))
    assert total[0] == 3 == sum(total[1:])
    assert total[3] == len(found.refused.rows)
