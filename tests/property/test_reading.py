"""Laws of reading that hold for any input: no row is lost, no text breaks a reader, both ways to read agree."""

from __future__ import annotations

import io
import json
from unittest.mock import patch

import pandas as pd
from hypothesis import assume, example, given
from hypothesis import strategies as st

from advisor.engine.readers import Reading, blocks, read_file
from advisor.engine.readers.blocks import Irregular
from tests import shipped

CATALOGUE = shipped.catalogue()
SIZES = sorted(CATALOGUE.sizes)
HEADER = "name,size,region,count,hours,os,workload,env"

WORDS = """
NC6|Standard_NC6s_v3|standard d4s v3|NC99|NP10s|eastus|West Europe|nowhere|0|1|3|-1|2.5|730|1.460|1,460|9999|x|linux
Windows|training|foo|Total|합계|=1+1|dev|öäü|4 VMs
"""
cells = st.sampled_from(["", " ", *WORDS.strip().replace("\n", "|").split("|")])
rows = st.lists(st.tuples(*[cells] * 8), max_size=12)


def read(data: bytes, name: str = "fleet.csv") -> Reading:
    return read_file(name, io.BytesIO(data), CATALOGUE)


def read_without_blocks(data: bytes) -> Reading:
    with patch("advisor.engine.readers.delimited.table_blocks", side_effect=Irregular):
        return read_rows_only(data)


def read_rows_only(data: bytes) -> Reading:
    """The second reading of a pair: its kinds of machine follow from its rows, and are not worked out again."""
    with patch("advisor.engine.readers.reading.grouped", lambda fleet: (fleet, None)):
        return read(data)


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',"\n\r') else cell


def as_csv(table: list[tuple[str, ...]], end: str = "\n") -> bytes:
    return end.join([HEADER, *(",".join(map(quoted, row)) for row in table)]).encode()


def assert_adds_up(reading: Reading) -> None:
    assert reading.rows_read == reading.gpu_rows + reading.other_rows + reading.error_rows
    assert reading.gpu_rows == len(reading.fleet)
    assert reading.usable == (reading.gpu_rows + reading.other_rows > 0)


@given(rows)
def test_no_row_is_lost(table):
    reading = read(as_csv(table))
    assert_adds_up(reading)
    assert reading.rows_read == sum(any(cell.strip() for cell in row) for row in table)


@given(st.binary(max_size=400))
@example(b"\xff\xfe,\x00")
@example(b"\x00\x00\x00\x00")
@example(b'size\n"')
@example(b"size\r\rNC6")
@example(b"sep=\nsize")
@example(b'"sep=,"\n')
def test_no_bytes_break_a_reader(data):
    assert_adds_up(read(data))


@given(st.text(max_size=300))
@example("[" * 300)
@example('[{"hardwareProfile":{"vmSize":[]}}]')
@example('{"type":"Microsoft.Compute/virtualMachines","tags":{"a":{"b":1}}}')
@example("size\nsize\n")
@example("size,size,size(size)\nNC6")
def test_no_text_breaks_a_reader(text):
    assert_adds_up(read(text.encode("utf-8", "replace")))


KEYS = ("name", "location", "hardwareProfile", "vmSize", "tags", "storageProfile", "dataDisks", "osDisk", "type")
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["Standard_NC6", "eastus"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "location", "hardwareProfile", "vmSize", "tags", "storageProfile", "type"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.lists(json_values, max_size=4))
def test_no_json_breaks_a_reader(items):
    profile = {"hardwareProfile": {"vmSize": "Standard_NC6"}, "location": "eastus"}
    assert_adds_up(read(json.dumps([profile, *items]).encode()))


@given(rows, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_blocks_and_records_give_the_same_answer(table, end, closed):
    data = as_csv(table, end) + (end.encode() if closed else b"")
    with patch.object(blocks, "BLOCK_BYTES", 64):
        fast = read(data)
    assert_same(fast, read_without_blocks(data))


@given(st.lists(st.text(alphabet='a1,"\n\r ;\0\ufeffN', max_size=12), max_size=8))
@example(['NC6,1,"a\rb"'])
@example(['NC6,1,"a"b', '"NC6","",""""'])
def test_any_lines_read_the_same_in_blocks_and_in_records(lines):
    data = ("size,count,name\n" + "\n".join(lines)).encode()
    assert_same(read(data), read_without_blocks(data))


@given(rows, st.integers(1, 3), st.sampled_from([64, 1 << 20]), st.sampled_from([0.0, 1.0]))
def test_a_long_list_has_the_kinds_of_its_rows(table, times, block_bytes, alike_share):
    """Also where its records are read once for all that are alike."""
    data = as_csv(table * times)
    with (
        patch.object(blocks, "ALIKE_SHARE", alike_share),
        patch("advisor.engine.readers.blocks.NAMES_KEPT_ROWS", 0),
        patch("advisor.engine.readers.fleet_rows.NAMES_KEPT_ROWS", 0),
        patch.object(blocks, "BLOCK_BYTES", block_bytes),
    ):
        long = read(data)
    full = read(data)
    assert len(long.kinds) == len(full.kinds)
    if len(full.kinds):
        pd.testing.assert_frame_equal(long.kinds, full.kinds)
    assert long.fleet["name"].isna().all()
    assert long.fleet["line"].min() is pd.NA or long.fleet["line"].min() == full.fleet["line"].min()
    assert long.fleet.empty or long.fleet["last_line"].max() == full.fleet["line"].max()
    for name in ("gpu_rows", "other_rows", "error_rows", "problems", "notes", "ignored"):
        assert getattr(long, name) == getattr(full, name)


def assert_same(first: Reading, second: Reading) -> None:
    pd.testing.assert_frame_equal(first.fleet, second.fleet)
    for name in (
        "format",
        "encoding",
        "delimiter",
        "usable",
        "rows_read",
        "other_rows",
        "error_rows",
        "problems",
        "notes",
    ):
        assert getattr(first, name) == getattr(second, name), name


def test_blocks_are_used_for_a_regular_file():
    with patch("advisor.engine.readers.delimited.body_records", side_effect=AssertionError):
        assert read(as_csv([("a", "NC6", "eastus", "1", "1,460", "linux", "hpc", "dev")])).gpu_rows == 1


blanks = st.sampled_from(["", " ", "\u00a0", "\u3000", "  "])


@given(st.sampled_from(SIZES), st.sampled_from(["Standard_", "standard_", "STANDARD ", "Standard "]), st.data())
def test_u67_a_size_is_known_however_it_is_spelt(size, prefix, data):
    letters = "".join(data.draw(st.sampled_from([c.upper(), c.lower()])) for c in size.removeprefix("Standard_"))
    gap = data.draw(st.sampled_from(["_", " ", "\u00a0", ""]))
    start = prefix if data.draw(st.booleans()) else ""
    text = data.draw(blanks) + start + letters.replace("_", gap) + data.draw(blanks)
    assert CATALOGUE.canonical_size(text) == size


@given(st.sampled_from([name for name in SIZES if name.endswith("_Promo")]), blanks)
def test_u67_promo_is_a_size_of_its_own(size, blank):
    plain = size.removeprefix("Standard_").removesuffix("_Promo")
    assert CATALOGUE.canonical_size(f"{plain}{blank} Promo") == size
    assert CATALOGUE.canonical_size(plain) == size.removesuffix("_Promo")


@given(st.sampled_from(SIZES), st.sampled_from([" Spot", " Low Priority"]))
def test_u67_a_meter_suffix_is_no_part_of_the_name(size, suffix):
    assume(CATALOGUE.sizes[size].is_gpu)
    reading = read(f"size,region\n{size}{suffix},eastus\n".encode())
    assert reading.fleet[["size", "price_model"]].iloc[0].tolist() == [size, "spot"]
