"""What is no price sheet, and what tries to break the reader: one clear answer, never a traceback."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import read_file
from advisor.engine.sheets import PriceSheet, archive, read_price_sheet, sheet_json, sheet_of
from tests.engine.sheets.conftest import ROW, SAMPLES, Read, meters

NO_SHEET = {
    "empty": b"",
    "blanks": b"\n \n",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "xls": b"\xd0\xcf\x11\xe0" + bytes(600),
    "workbook": b"PK\x03\x04" + b"[Content_Types].xml" + bytes(100),
    "gzip": b"\x1f\x8b" + bytes(100),
    "random": bytes(range(256)) * 40,
    "json": b'[{"meterName": "NC6", "unitPrice": 1}]',
    "html": b"<html><body><table><tr><td>UnitPrice</td></tr></table></body></html>",
    "prose": b"Dear colleague,\nplease find the prices attached.\n",
    "fleet": b"name,size,region,count\na,NC6s_v3,eastus,4\n",
    "half a header": b"MeterId,MeterName,UnitPrice\n1,NC6,0.9\n",
    "broken zip": b"PK\x03\x04" + bytes(300),
}


@pytest.mark.parametrize("content", NO_SHEET.values(), ids=NO_SHEET.keys())
def test_what_is_no_price_sheet_says_what_to_do(read: Read, content: bytes) -> None:
    sheet = read(content)
    assert (sheet.usable, sheet.priced_rows, len(sheet.prices)) == (False, 0, 0)
    said = sheet.problems[0]
    assert said.severity == "error" and any(word in said.message for word in ("CSV", "column", "zip"))


def test_a_sheet_without_gpu_machines_says_so(read: Read) -> None:
    sheet = read(meters({"MeterName": "D4s v5"}))
    assert (sheet.usable, sheet.problems[0].kind) == (False, "no_prices")


def zipped(**files: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name.replace("__", "."), text)
    return stream.getvalue()


def test_the_parts_of_a_zip_are_one_sheet(read: Read) -> None:
    sheet = read(
        zipped(b__csv=meters({"MeterName": "NC8as T4 v3"}), a__csv=meters({}, {"MeterName": "NC9x"}), m__json="{}")
    )
    assert (sheet.rows_read, sheet.priced_rows, sheet.error_rows) == (3, 2, 1)
    problem = sheet.problems[0]
    assert (problem.sheet, problem.line, problem.message[:14]) == ("a.csv", 3, "a.csv: Line 3,")


def test_u50_one_thing_in_two_parts_has_one_price(read: Read) -> None:
    sheet = read(zipped(a__csv=meters({}), b__csv=meters({"UnitPrice": "0.7"})))
    assert [price.hourly_price for price in sheet.prices.values()] == [0.7]
    assert "line 2 of a.csv and line 2 of b.csv" in sheet.problems[0].message


def test_a_part_that_cannot_be_read_costs_itself_only(read: Read) -> None:
    sheet = read(zipped(a__csv="x,y\n1,2\n", b__csv=meters({})))
    assert (sheet.usable, sheet.rows_read, sheet.priced_rows, sheet.error_rows) == (True, 2, 1, 1)
    assert sheet.problems[0].message.startswith("a.csv: ")


def test_a_zip_without_csv_is_refused(read: Read) -> None:
    assert "no CSV" in read(zipped(m__json="{}")).problems[0].message


def test_a_zip_that_grows_too_large_is_refused_while_it_grows(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "UNPACKED_MAX", 100_000)
    sheet = read(zipped(a__csv=meters({}) + "," * 5_000_000))
    assert (sheet.usable, sheet.problems[0].kind) == (False, "bad_archive")


def test_a_zip_of_very_many_parts_is_refused(read: Read) -> None:
    sheet = read(zipped(**{f"p{i}__csv": "a,b\n" for i in range(archive.PARTS_MAX + 1)}))
    assert sheet.problems[0].kind == "bad_archive"


def test_line_numbers_are_physical(read: Read) -> None:
    text = meters({"MeterSubCategory": "two\nlines"}, {"UnitPrice": "none"})
    assert read(text).problems[0].line == 4  # the header, a record of two lines, and this one


def test_a_spoilt_line_costs_itself_only(read: Read) -> None:
    sheet = read(meters({}, {"MeterName": "NC8as T4 v3"}) + '"never closed,1,2\n')
    assert (sheet.rows_read, sheet.priced_rows, sheet.error_rows) == (3, 2, 1)
    assert (sheet.problems[0].kind, sheet.problems[0].line) == ("unclosed_quote", 4)


def test_formulas_are_text(read: Read) -> None:
    sheet = read(meters({"MeterName": '=HYPERLINK(""http://x"")'}, {}))
    assert (sheet.priced_rows, sheet.others) == (1, {"no_gpu": 1})


def test_sixteen_bits_and_a_mark(read: Read) -> None:
    assert read(meters({}).encode("utf-16")).priced_rows == 1
    assert read("\ufeff" + meters({})).priced_rows == 1


@pytest.mark.parametrize("name", ["ea_2023-05-01.csv", "ea_old_202304.csv", "mca_2023-05-01.csv", "by_hand.csv"])
def test_given_as_a_fleet_it_says_where_prices_go(catalogue: Catalogue, name: str) -> None:
    with (SAMPLES / name).open("rb") as stream:
        reading = read_file(name, stream, catalogue)
    assert (reading.format, reading.usable) == ("price-sheet", False)
    assert "--price-sheet" in reading.problems[0].message and "“Prices”" in reading.problems[0].message


def test_a_fleet_with_prices_is_still_a_fleet(catalogue: Catalogue) -> None:
    text = b"name,size,region,count,hourly_price\na,NC6s_v3,eastus,4,2.5\n"
    assert read_file("fleet.csv", io.BytesIO(text), catalogue).usable


def test_a_sheet_is_kept_as_json_and_comes_back(read: Read) -> None:
    for path in sorted(SAMPLES.iterdir()):
        sheet = read(path)
        again = sheet_of(sheet_json(sheet))
        assert again.prices == sheet.prices
        assert sheet_json(again) == sheet_json(sheet)


CELLS = st.one_of(
    st.sampled_from(
        ["NC6", "NC4as T4 v3", "NC4as T4 v3 Spot", "D2 v2/DS2 v2", "NC6x", "US East", "EU West", "Zone 1", "1 Hour",
         "100 Hours", "Virtual Machines", "Storage", "Consumption", "ReservedInstance", "SavingsPlan", "P1Y", "3 Years",
         "0", "0.5", "-1", "1e999", "USD", "EUR", "2026-11-01", "99999", "=1+1", "", " ", "\u00a0", "합계"]
    ),
    st.text(max_size=12),
)  # fmt: skip


@given(st.lists(st.lists(CELLS, min_size=len(ROW), max_size=len(ROW)), max_size=12), st.booleans())
def test_no_row_is_lost_whatever_the_cells(catalogue: Catalogue, rows: list[list[str]], by_hand: bool) -> None:
    names = ["size", "region", "os", "price_model", "price", "currency", "as_of", *"abcd"] if by_hand else list(ROW)
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in cells) for cells in [names, *rows]]
    text = "\n".join(quoted).encode("utf-8", "replace")
    sheet: PriceSheet = read_price_sheet("s.csv", io.BytesIO(text), catalogue, currency="USD")
    assert sheet.rows_read == sheet.priced_rows + sheet.other_rows + sheet.error_rows
    assert all(price.hourly_price > 0 for price in sheet.prices.values())
    assert len(sheet.prices) == (sheet.priced_rows if "as_of" not in sheet.needs else 0)


@given(st.binary(max_size=3_000))
def test_any_bytes_are_answered(catalogue: Catalogue, data: bytes) -> None:
    sheet = read_price_sheet("s", io.BytesIO(data), catalogue)
    assert not sheet.usable or sheet.prices
