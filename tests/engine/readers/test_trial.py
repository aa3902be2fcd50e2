"""A trial of the first rows says of each what it is read as, and why not."""

from __future__ import annotations

import io

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.tops import table_tops
from advisor.engine.readers.trial import ROWS_SHOWN, TriedRow, trial

TEXT = """Kiste;Typ;Wo;Zahl;Std;Art
a;NC6s_v3;West Europe;2;500;spot
;;;;;
b;NC99;West Europe;x;1;
c;D4s_v5;West Europe;1;1;
d;NC4as_T4_v3;Atlantis;x;1;
"""
COLUMNS = {"name": "Kiste", "size": "Typ", "region": "Wo", "count": "Zahl", "hours_per_vm": "Std", "price_model": "Art"}


def tried(text: str, catalogue: Catalogue, **columns: str):
    (top,) = table_tops("f.csv", io.BytesIO(text.encode()), catalogue)
    return trial("f.csv", top, catalogue, ColumnMapping(columns=columns, header_line=1))


def test_each_row_is_a_gpu_machine_another_or_refused(catalogue: Catalogue):
    found = tried(TEXT, catalogue, **COLUMNS)
    gpu, unknown, other, wrong = found.rows
    assert gpu == TriedRow(
        line=2, verdict="gpu", size="Standard_NC6s_v3", name="a", region="westeurope", count=2, hours=500.0,
        per_vm=True, price_model="spot",
    )  # fmt: skip
    assert (unknown.line, unknown.verdict, unknown.size) == (4, "refused", "NC99")
    assert (other.line, other.verdict, other.size) == (5, "other", "D4s_v5")
    assert [reason.partition(":")[0] for reason in wrong.why] == ["Line 6, column Wo", "Line 6, column Zahl"]
    assert found.refusal is None and found.whole
    assert [(one["size"], one["count"]) for one in found.sizes] == [("Standard_NC6s_v3", 2)]


def test_columns_of_which_nothing_can_be_read_say_why(catalogue: Catalogue):
    found = tried(TEXT, catalogue, size="Kiste")
    assert found.refusal == "No fleet: no row of the file could be read. `inspect --template` prints a list to fill in."
    assert {row.verdict for row in found.rows} == {"refused"}


def test_few_rows_are_shown_of_those_that_are_tried(catalogue: Catalogue):
    found = tried("typ,x\n" + "NC6,1\n" * 30, catalogue, size="typ")
    assert (len(found.rows), found.reading.gpu_rows) == (ROWS_SHOWN, 30)
