"""Columns matched by hand: what a person says goes before every name, and before what the file looks like."""

from __future__ import annotations

import io
import json

import openpyxl
import pytest

from advisor.engine.readers.mapping import (
    NO_HEADER,
    ColumnMapping,
    column_names,
    mapping_json,
    mapping_of,
    shape_of,
)
from tests.engine.readers.conftest import errors, warnings


def by_hand(header_line: int | None = None, sheet: str | None = None, **columns: str) -> ColumnMapping:
    return ColumnMapping(columns=columns, header_line=header_line, sheet=sheet)


def test_names_that_nobody_knows(read):
    text = "Kiste;Bauart;Wo;Zahl\nk;NC6s_v3;westeurope;2\n"
    reading = read(text, mapping=by_hand(size="Bauart", region="Wo", count="Zahl", name="Kiste"))
    assert reading.fleet[["name", "size", "region", "count"]].iloc[0].tolist() == [
        "k",
        "Standard_NC6s_v3",
        "westeurope",
        2,
    ]
    assert reading.notes[0] == (
        "Columns as matched by hand: size is “Bauart”, region is “Wo”, count is “Zahl”, name is “Kiste”."
    )


def test_names_are_found_in_any_spelling_and_the_exact_one_first(read):
    text = "vm_type,VM Type,region\nNC6,NC12,eastus\n"
    assert read(text, mapping=by_hand(size="VM Type")).fleet["size"].tolist() == ["Standard_NC12"]
    assert read(text, mapping=by_hand(size="VM-TYPE")).fleet["size"].tolist() == ["Standard_NC6"]


def test_a_field_said_to_have_no_column_is_not_looked_up(read):
    text = "size,region,hours\nNC6,eastus,100\n"
    assert read(text, mapping=by_hand(size="size", hours="")).fleet["hours"].isna().all()
    assert read(text, mapping=by_hand(size="size")).fleet["hours"].tolist() == [100.0]


@pytest.mark.parametrize(
    ("column", "size"), [("typ", "Standard_NC6"), ("typ 2", "Standard_NC12"), ("column 3", "Standard_NC24")]
)
def test_columns_of_the_same_name_or_none_have_a_name_of_their_own(read, column, size):
    reading = read("typ,typ,,region\nNC6,NC12,NC24,eastus\n", mapping=by_hand(size=column))
    assert reading.fleet["size"].tolist() == [size]


def test_made_up_names_collide_with_none():
    assert column_names(("a", "a", "a 2", "", "column 4")) == ("a", "a 3", "a 2", "column 4 2", "column 4")
    hostile = ("a",) * 50_000 + tuple(f"a {number}" for number in range(2, 50_000))  # one by one that would take hours
    assert len(set(column_names(hostile))) == len(hostile)


def test_a_column_that_is_not_there_refuses_the_file_by_name(read):
    reading = read("a,<b>\nNC6,2\n", mapping=by_hand(size="Type", count="<b>"))
    assert (reading.usable, reading.rows_read, reading.error_rows) == (False, 1, 1)
    (problem,) = reading.problems
    assert (problem.kind, problem.message) == (
        "no_such_column",
        "No column of its own is called “Type” (columns read: a, <b>).",
    )


def test_a_column_that_is_nearly_there_is_suggested(read):
    (problem,) = read("VM typ,n\nNC6,2\n", mapping=by_hand(size="VM type2")).problems
    assert (problem.value, problem.suggestions) == ("VM type2", ("VM typ",))
    assert problem.message.endswith("Did you mean “VM typ”?")


def test_one_column_cannot_hold_two_fields(read):
    reading = read("a,b\nNC6,2\n", mapping=by_hand(size="a", name="a"))
    assert [problem.kind for problem in reading.problems] == ["no_such_column"]


PREAMBLE = "Report of the team\n\nsize of the team,4\nBauart,Zahl\nNC6s_v3,2\nNC99,1\n"


def test_the_line_of_the_header_is_said_and_line_numbers_stay_those_of_the_file(read):
    reading = read(PREAMBLE, mapping=by_hand(4, size="Bauart", count="Zahl"))
    assert (reading.rows_read, reading.gpu_rows) == (2, 1)
    assert reading.fleet["count"].tolist() == [2]
    assert errors(reading) == [(6, "unknown_size")]


@pytest.mark.parametrize("line", [2, 7, 999, -1])
def test_a_line_without_names_is_no_header(read, line):
    reading = read(PREAMBLE, mapping=by_hand(line, size="Bauart"))
    assert [problem.kind for problem in reading.problems] == ["no_such_line"]
    assert f"Line {line} has no column names" in reading.problems[0].message


def test_a_file_without_a_header_has_numbered_columns(read):
    text = "x;NC6;3\ny;NC12;1\n"
    reading = read(text, mapping=by_hand(NO_HEADER, size="column 2", count="column 3"))
    assert reading.fleet["count"].tolist() == [3, 1]
    assert warnings(reading) == ["no_region_column"]  # not the warning that columns have no names: that was said


def test_a_header_that_looks_like_data_is_one_when_a_person_says_so(read):
    reading = read("NC6,n\nNC12,2\n", mapping=by_hand(1, size="NC6", count="n"))
    assert reading.fleet["size"].tolist() == ["Standard_NC12"]


@pytest.mark.parametrize("content", ['[{"vmSize": "NC6"}]', "<html>", "PAR1xxxx"])
def test_what_is_no_table_says_so(read, content):
    reading = read(content, mapping=by_hand(size="vmSize"))
    assert [problem.kind for problem in reading.problems] == ["not_a_table"]
    assert "matched by hand in delimited text and workbooks" in reading.problems[0].message


def book(**sheets: list[list[object]]) -> bytes:
    """A workbook of these sheets."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


BOOK = book(Old=[["Bauart", "Zahl"], ["NC6", 5]], New=[["Bauart", "Zahl"], ["NC12", 3]], Notes=[["none"]])


def test_only_the_sheet_that_was_chosen_is_read(read):
    reading = read(BOOK, mapping=by_hand(sheet="New", size="Bauart", count="Zahl"))
    assert reading.fleet[["size", "count"]].values.tolist() == [["Standard_NC12", 3]]
    assert reading.notes == ("Columns as matched by hand: size is “Bauart”, count is “Zahl”; only “New” is read.",)


def test_without_a_sheet_every_one_that_has_the_columns_is_read(read):
    reading = read(BOOK, mapping=by_hand(size="Bauart", count="Zahl"))
    assert sorted(reading.fleet["count"]) == [3, 5]
    assert "Sheets without machines are not read: “Notes”." in reading.notes


def test_a_sheet_that_is_not_there(read):
    reading = read(BOOK, mapping=by_hand(sheet="Newer", size="Bauart"))
    assert not reading.usable
    assert "Only “Newer” is to be read, and nothing in the file is called so." in reading.problems[0].message


def test_the_shape_of_a_file_is_its_names_in_any_spelling_and_order():
    assert shape_of(("VM Type", "Qty")) == shape_of(("qty", "vm_type")) != shape_of(("qty", "vm_types"))
    assert shape_of(("ab", "c")) != shape_of(("a", "bc"))
    assert shape_of(("a", "a", "b")) != shape_of(("a", "b", "a"))  # told apart by their place only
    assert shape_of(("", "b")) != shape_of(("b", ""))


def test_a_mapping_is_kept_as_json():
    mapping = by_hand(3, "Machines", size="VM Type", hours="")
    assert mapping_of(json.loads(json.dumps(mapping_json(mapping)))) == mapping
