"""Hand lists: any sensible column names, and one problem per bad cell."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from advisor.engine.readers.hand_list import TEMPLATE
from advisor.engine.readers.mapping import ColumnMapping
from tests.engine.readers.conftest import errors, warnings


def test_the_template_reads_without_a_problem(read):
    reading = read(TEMPLATE)
    assert (reading.gpu_rows, reading.problems) == (2, ())


@pytest.mark.parametrize(
    "header", ["VM Size", "SKU", "instance_type", "Größe", "크기", "サイズ", "Tamanho", "規格 (vmSize)"]
)
def test_the_size_column_has_many_names(read, header):
    assert read(f"machine,{header}\na,NC6\n").gpu_rows == 1


def test_the_size_column_is_found_by_content(read):
    reading = read("who,what it runs on,where\na,NC6,westeurope\nb,Standard_D4s_v3,westeurope\n")
    assert (reading.gpu_rows, reading.other_rows) == (1, 1)


def test_of_two_size_columns_the_one_with_sizes_counts(read):
    reading = read("size,vm size\nlarge,NC6\nsmall,NC12\n")
    assert sorted(reading.fleet["size"]) == ["Standard_NC12", "Standard_NC6"]


def test_a_file_without_header_is_read_by_content(read):
    reading = read("vm1,NC6,westeurope\nvm2,NC12,eastus\n")
    assert list(reading.fleet["region"]) == ["westeurope", "eastus"]
    assert "no_header" in warnings(reading)


def test_no_size_column_is_refused(read):
    reading = read("name,region\na,westeurope\nb,eastus\n")
    assert (reading.usable, errors(reading), reading.rows_read) == (False, [(None, "no_size_column")], 2)


def test_preamble_lines_are_skipped(read):
    reading = read("Fleet of May,,\n,,\nname,size,region\na,NC6,nowhere\n")
    assert errors(reading)[-1] == (4, "unknown_region")


@pytest.mark.parametrize(
    ("size", "kind"),
    [("NC99s_v9", "unknown_size"), ("", "missing_size"), ("big one", "not_a_size"), ("p3.2xlarge", "not_a_size")],
)
def test_sizes_that_cannot_be_used(read, size, kind):
    assert errors(read(f"name,size,region\na,{size},eastus\nb,NC6,eastus\n")) == [(2, kind)]


def test_an_unknown_size_comes_with_the_nearest_names(read):
    problem = read("size,region\nNC6s_v33,eastus\n").problems[-1]
    assert "Standard_NC6s_v3" in problem.suggestions
    assert "Standard_NC6s_v3" in problem.message


@pytest.mark.parametrize(
    "size", ["Standard_NP10s", "Standard_D4s_v3", "B2ms", "HB120rs_v3", "Basic_A1", "NM16ads_MA35D"]
)
def test_other_sizes_are_other_rows(read, size):
    reading = read(f"size,region\n{size},eastus\n")
    assert (reading.other_rows, reading.problems) == (1, ())


def test_a_name_with_only_a_price_is_a_gpu_row(read, catalogue):
    name = next(name for name in catalogue.listed_names if not name.startswith(("Standard_NP", "Standard_NM")))
    assert list(read(f"size,region\n{name},eastus\n").fleet["size"]) == [name]


def test_an_unknown_region_comes_with_suggestions(read):
    problem = read("size,region\nNC6,westeurop\n").problems[-1]
    assert (problem.kind, problem.suggestions[0]) == ("unknown_region", "westeurope")


def test_an_empty_region_is_an_error_unless_one_is_given(read):
    text = "size,region\nNC6,\nNC6,eastus\n"
    assert errors(read(text)) == [(2, "missing_region")]
    assert list(read(text, default_region="West Europe").fleet["region"]) == ["westeurope", "eastus"]


def test_without_region_column_the_region_is_unknown(read):
    reading = read("size\nNC6\n")
    assert reading.fleet["region"].isna().all()
    assert warnings(reading) == ["no_region_column"]
    assert list(read("size\nNC6\n", default_region="eastus").fleet["region"]) == ["eastus"]


def test_a_default_region_that_is_none_is_a_mistake_of_the_caller(read):
    with pytest.raises(ValueError, match="nowhere"):
        read("size\nNC6\n", default_region="nowhere")


@pytest.mark.parametrize(
    ("column", "cell", "kind"),
    [
        ("count", "-3", "out_of_range"),
        ("count", "2.5", "out_of_range"),
        ("count", "1e300", "out_of_range"),
        ("hours", "-1", "out_of_range"),
        ("hours", "nan", "bad_number"),
        ("workload", "foo", "bad_value"),
        ("precision", "fp12", "bad_value"),
        ("utilisation", "120", "out_of_range"),
        ("multi_node", "maybe", "bad_value"),
        ("os", "amiga", "bad_value"),
        ("price_model", "reserved", "bad_value"),
        ("currency", "euros", "bad_value"),
        ("gpu_memory_gib", "0", "out_of_range"),
    ],
)
def test_a_bad_cell_costs_its_row_and_says_what_is_allowed(read, column, cell, kind):
    reading = read(f"name,size,region,{column}\na,NC6,eastus,{cell}\nb,NC6,eastus,\n")
    assert (errors(reading), reading.gpu_rows, reading.error_rows) == ([(2, kind)], 1, 1)
    problem = next(p for p in reading.problems if p.severity == "error")
    assert problem.column == column
    assert problem.value == cell
    assert "allowed is" in problem.message


def test_all_bad_cells_of_a_row_are_reported(read):
    reading = read("size,region,count,workload\nNC6,nowhere,x,foo\n")
    assert {kind for line, kind in errors(reading) if line == 2} == {"unknown_region", "bad_number", "bad_value"}
    assert reading.error_rows == 1


def test_bad_cells_beside_other_sizes_do_not_matter(read):
    assert read("size,region,count\nStandard_D4s_v3,nowhere,x\n").problems == ()


def test_profile_columns(read):
    row = read(
        "Size,Region,Workload,Pattern,Shape,Precision,GPU memory (GiB),Utilisation,Multi-node,Job GPUs,Interruptible,"
        "Min VMs,Cost,Currency,Pool,OS,Price model\n"
        "NC6,eastus,train,bursty,batch,half,16 GB,10 %,yes,4,no,2,$1234.5,usd,research,"
        "Windows Server 2022,3 years reserved\n"
    ).fleet.iloc[0]
    assert row[["workload", "pattern", "shape", "precision", "os", "price_model", "currency", "pool"]].tolist() == [
        "training", "burst", "queue", "fp16", "windows", "ri_3y", "USD", "research",
    ]  # fmt: skip
    assert row[["gpu_memory_gib", "utilisation", "job_gpus", "min_vms", "cost"]].tolist() == [16, 0.1, 4, 2, 1234.5]
    assert (row["multi_node"], row["interruptible"]) == (True, False)


def test_utilisation_below_one_is_percent_and_said(read):
    reading = read("size,region,utilisation\nNC6,eastus,0.5\n")
    assert reading.fleet["utilisation"].tolist() == [0.005]
    assert "utilisation_reading" in warnings(reading)


def test_an_empty_cell_is_unknown(read):
    row = read("size,region,hours,utilisation,multi_node,os\nNC6,eastus,,,,\n").fleet.iloc[0]
    assert row[["hours", "utilisation", "multi_node", "os"]].isna().all()


def test_further_columns_are_tags(read):
    reading = read("size,region,env,owner,env\nNC6,eastus,dev,Ü,x\nNC6,eastus,,,\n")
    assert json.loads(reading.fleet["tags"].iloc[0]) == {"env": "dev", "env 2": "x", "owner": "Ü"}
    assert pd.isna(reading.fleet["tags"].iloc[1])


def test_a_column_that_tells_machines_apart_is_no_tag(read):
    rows = "".join(f"NC6,eastus,{number},dev\n" for number in range(10_001))
    reading = read("size,region,asset number,env\n" + rows)
    assert set(reading.fleet["tags"]) == {'{"env": "dev"}'}
    assert warnings(reading) == ["tag_left_out"]


@pytest.mark.parametrize("word", ["Total", "합계", "Summe:", "Grand total", "合計"])
def test_totals_are_other_rows_with_a_note(read, word):
    reading = read(f"name,size,region,count\na,NC6,eastus,2\n{word},,,2\n")
    assert (reading.gpu_rows, reading.other_rows, reading.error_rows) == (1, 1, 0)
    assert "line 3" in reading.notes[0]


def test_blank_records_are_no_rows(read):
    assert read("size,region\n\nNC6,eastus\n,\n  \n").rows_read == 1


def test_more_cells_than_columns_cost_the_row(read):
    reading = read("name,size,region,hours\na,NC6,eastus,1,460\nb,NC6,eastus,5,\n")
    assert (errors(reading), reading.gpu_rows) == ([(2, "extra_cells")], 1)


def test_fewer_cells_are_empty_and_said(read):
    reading = read("size,region,hours,env\nNC6,eastus\n")
    assert (reading.gpu_rows, warnings(reading)) == (1, ["missing_cells"])


def test_formulas_are_text(read):
    reading = read("name,size,region\n=1+1,NC6,eastus\n@x,NC6,eastus\n+x,NC6,eastus\n")
    assert list(reading.fleet["name"]) == ["=1+1", "@x", "+x"]


def test_columns_by_hand_go_before_names(read):
    text = "size,what,wo\nlarge,NC6,eastus\n"
    reading = read(text, mapping=ColumnMapping(columns={"size": "what", "region": "wo", "pool": "size"}))
    assert reading.fleet[["size", "region", "pool"]].iloc[0].tolist() == ["Standard_NC6", "eastus", "large"]


def test_a_file_of_errors_only_is_not_usable(read):
    reading = read("size,region\nNC99,eastus\n")
    assert (reading.usable, reading.rows_read, reading.error_rows) == (False, 1, 1)
    assert errors(reading)[0] == (None, "no_rows")
