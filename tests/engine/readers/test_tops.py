"""What a person is shown to match columns, what is guessed, and a mapping known again by the shape of a file."""

from __future__ import annotations

import io

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.mapping import NO_HEADER, ColumnMapping, shape_of
from advisor.engine.readers.tops import TableTop, recall, table_tops, try_mapping, with_header
from tests.engine.readers.test_mapping import book

ODD = "kiste,was,ort,läuft auf,stück\nk,zzz,West Europe,Linux,2\nl,NC6s_v3,North Europe,windows,3\n"


def tops(content: str | bytes, catalogue: Catalogue) -> tuple[TableTop, ...]:
    data = content.encode() if isinstance(content, str) else content
    return table_tops("odd.csv", io.BytesIO(data), catalogue)


@pytest.fixture
def top(catalogue: Catalogue) -> TableTop:
    return tops(ODD, catalogue)[0]


def test_columns_are_guessed_by_name_and_by_what_stands_in_them(top: TableTop, catalogue: Catalogue):
    assert top.guess(catalogue) == {"size": 1, "region": 2, "os": 3}
    assert top.values(0) == ("k", "l")


def test_of_columns_named_size_the_one_with_sizes_is_guessed(catalogue: Catalogue):
    (top,) = tops("size,sku,vms\nlarge,NC6,2\n", catalogue)
    assert top.guess(catalogue) == {"size": 1, "count": 2}


def test_a_file_without_a_header_says_so_and_has_no_shape(catalogue: Catalogue):
    (top,) = tops("k,NC6,2\n", catalogue)
    assert (top.header_line, top.names, top.shape) == (NO_HEADER, ("column 1", "column 2", "column 3"), None)
    assert [(line.line, line.role) for line in top.lines()] == [(1, "row")]


PREAMBLE = "sep=;\nReport\n\nKiste;Bauart\n" + "".join(f"k{n};NC6\n" for n in range(20))


def test_below_a_title_the_header_is_the_first_line_as_wide_as_most(catalogue: Catalogue):
    assert tops(PREAMBLE, catalogue)[0].header_line == 4
    assert tops("Report\nof us\nkiste,typ\nk,x\n", catalogue)[0].header_line == 3
    assert tops("a,b\n1,2\n", catalogue)[0].header_line == 1


def test_lines_around_the_header_are_shown_with_their_numbers(catalogue: Catalogue):
    (top,) = tops(PREAMBLE, catalogue)
    assert [(line.line, line.role) for line in top.lines()] == [
        (1, "above"),
        (2, "above"),
        (4, "header"),
        *((number, "row") for number in range(5, 13)),
    ]
    assert top.lines()[2].cells == ("Kiste", "Bauart")
    assert with_header(top, 3, catalogue) is None


def test_a_trial_reads_whole_records_of_the_beginning_only(catalogue: Catalogue):
    """The header and 200 of 300 records; the tenth takes two lines, so record 200 stands on line 202."""
    rows = [f"k{n},NC6,{n}\n" for n in range(1, 301)]
    rows[9] = '"k\n10",NC6,x\n'
    rows[200] = "k,NC99,1\n"  # the next record, which is not tried
    (top,) = tops("was,Bauart,Zahl\n" + "".join(rows), catalogue)
    reading, whole = try_mapping("f", top, catalogue, ColumnMapping(columns={"size": "Bauart", "count": "Zahl"}))
    assert (reading.rows_read, reading.error_rows, whole) == (200, 1, False)
    assert reading.fleet["line"].max() == 202
    assert [problem.line for problem in reading.problems if problem.severity == "error"] == [11]


def test_a_record_that_is_cut_off_is_not_tried(catalogue: Catalogue, monkeypatch):
    """The first 24 characters end in the second row: NC6,2."""
    monkeypatch.setattr("advisor.engine.readers.head.TEXT_CHARACTERS", 24)
    monkeypatch.setattr("advisor.engine.readers.tops.TEXT_CHARACTERS", 24)
    (top,) = tops("Bauart,Zahl\nNC6,10\nNC6,2000\nNC6,1\n", catalogue)
    reading, whole = try_mapping("f", top, catalogue, ColumnMapping(columns={"size": "Bauart", "count": "Zahl"}))
    assert (reading.fleet["count"].tolist(), whole) == ([10], False)


BOOK = book(Notes=[["of the team"], ["none"]], Fleet=[["Kiste", "Bauart", "Zahl"], ["k", "NC6", 2]])


def test_each_sheet_has_a_beginning(catalogue: Catalogue):
    assert [(top.part, top.names) for top in tops(BOOK, catalogue)] == [
        ("Notes", ("of the team",)),
        ("Fleet", ("Kiste", "Bauart", "Zahl")),
    ]


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-1.7", b'[{"size": "NC6"}]', b"PK\x03\x04broken", b"\x1f\x8bbroken", b"<a>"]
)
def test_what_is_no_table_has_none(catalogue: Catalogue, content: bytes):
    assert tops(content, catalogue) == ()


MAPPING = ColumnMapping(columns={"size": "Bauart", "count": "Zahl"}, header_line=1)
KNOWN = {shape_of(("Kiste", "Bauart", "Zahl")): MAPPING}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Zahl,KISTE,Bauart\n2,k,NC6\n", 1),
        ("Report of December\n\nsize,region\nKiste;Bauart;Zahl\nk;NC6;2\n", 4),
        ("Kiste,Bauart,Zahl,more\nk,NC6,2,x\n", None),
        ("Kiste,Bauart\nk,NC6\n", None),
        ('"Kiste\n', None),
    ],
)
def test_a_file_of_the_same_shape_is_known_again(catalogue: Catalogue, text: str, line: int | None):
    found = recall("f.csv", io.BytesIO(text.encode()), catalogue, KNOWN)
    assert (found and found[1].header_line) == line
    assert found is None or found[1].columns == MAPPING.columns


def test_a_sheet_is_known_again_by_its_columns_whatever_it_is_called(catalogue: Catalogue):
    shape = next(iter(KNOWN))
    chosen = {shape: ColumnMapping(columns=MAPPING.columns, header_line=1, sheet="Fleet of May")}
    found = recall("f.xlsx", io.BytesIO(BOOK), catalogue, chosen)
    assert found is not None and found[1].sheet == "Fleet"
    whole = recall("f.xlsx", io.BytesIO(BOOK), catalogue, KNOWN)
    assert whole is not None and whole[1].sheet is None


def test_five_thousand_columns_are_looked_at_without_delay(catalogue: Catalogue):
    header = ",".join(f"c{n}" for n in range(5_000))
    (top,) = tops(header + "\n" + ",".join(["NC6"] + ["x"] * 4_999) + "\n", catalogue)
    assert len(top.names) == 5_000
    assert top.guess(catalogue) == {"size": 0}
