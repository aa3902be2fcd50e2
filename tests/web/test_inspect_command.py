"""The command inspect: the names of its JSON to the letter, its table for people, and its exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.engine.readers.usage_text import row, usage_csv

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).parents[1] / "samples" / "fleets"
KOREAN = str(SAMPLES / "16_excel_ko_cp949_mixed.csv")
NO_SIZE = str(SAMPLES / "04_az_vm_list_table_no_size.txt")
FILE_KEYS = {"file", "format", "encoding", "delimiter", "usable", "period", "rows_read", "gpu", "problems"} | {
    f"{kind}_rows" for kind in ("gpu", "other", "error")
}
GPU_KEYS = {"size", "region", "count", "deallocated", "spot", "low_priority", "reservation", "savings_plan"} | {
    "hours",
    "cost",
    "currency",
}
PROBLEM_KEYS = {"line", "item", "sheet", "column", "value", "kind", "severity", "message", "suggestions"}


def run(*arguments: str, out: io.StringIO | None = None) -> str:
    out = out or io.StringIO()
    call_command("inspect", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_json_has_the_names_of_the_contract():
    answer = json.loads(run(KOREAN, "--json"))
    assert answer["schema"] == "inspect/1"
    (file,) = answer["files"]
    assert set(file) >= FILE_KEYS
    assert set(file["gpu"][0]) >= GPU_KEYS
    assert set(file["problems"][0]) >= PROBLEM_KEYS
    assert [(p["line"], p["kind"]) for p in file["problems"]] == [
        (11, "unknown_size"), (12, "missing_region"), (13, "bad_number"),
    ]  # fmt: skip


def test_the_table_says_where_and_what_was_meant():
    text = run(KOREAN)
    assert "Standard_NC6s_v3" in text
    assert "Line 11, column VM 크기" in text
    assert "Did you mean" in text


def test_no_usable_file_prints_the_json_and_exits_1():
    out = io.StringIO()
    with pytest.raises(CommandError, match="az vm list") as caught:
        run(NO_SIZE, "--json", out=out)
    assert caught.value.returncode == 1
    assert "\n" not in str(caught.value)
    assert json.loads(out.getvalue())["files"][0]["usable"] is False


def test_why_a_file_cannot_be_used_is_said_once():
    out = io.StringIO()
    with pytest.raises(CommandError, match="az vm list"):
        run(NO_SIZE, out=out)
    assert "0 GPU" in out.getvalue()
    assert "az vm list -d" not in out.getvalue()


def test_one_usable_file_is_enough():
    assert [file["usable"] for file in json.loads(run(NO_SIZE, KOREAN, "--json"))["files"]] == [False, True]


def test_a_missing_file_is_a_clear_error():
    with pytest.raises(CommandError, match=r"nowhere\.csv: No such file"):
        run("nowhere.csv")


def test_wrong_arguments_exit_2():
    for arguments in ([], [KOREAN, "--region", "nowhere"]):
        with pytest.raises(CommandError) as caught:
            run(*arguments)
        assert caught.value.returncode == 2


def test_the_template_can_be_read_back(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(run("--template"), encoding="utf-8")
    (file,) = json.loads(run(str(path), "--json"))["files"]
    assert (file["gpu_rows"], file["problems"]) == (2, [])


@pytest.fixture
def odd(tmp_path: Path) -> str:
    """A report whose column names nobody knows."""
    path = tmp_path / "odd.csv"
    path.write_text("Report\nBauart;Zahl\nNC6s_v3;2\nbare;1\nbare;1\n")
    return str(path)


def test_columns_are_matched_by_options(odd: str):
    with pytest.raises(CommandError, match="name it: --map size=COLUMN"):
        run(odd)
    answer = json.loads(run(odd, "--map", "size=Bauart", "--map", "qty=Zahl", "--header-line", "2", "--json"))
    (file,) = answer["files"]
    assert (file["gpu_rows"], file["error_rows"], file["gpu"][0]["count"]) == (1, 2, 2)
    assert file["notes"] == ["Columns as matched by hand: size is “Bauart”, count is “Zahl”; column names on line 2."]


@pytest.mark.parametrize("map_option", ["siz=Bauart", "size", "=Bauart"])
def test_a_field_that_lists_do_not_have_is_a_wrong_argument(odd: str, map_option: str):
    with pytest.raises(CommandError, match="is not FIELD=COLUMN"):
        run(odd, "--map", map_option)


def test_a_field_named_twice_is_a_wrong_argument(odd: str):
    with pytest.raises(CommandError, match="twice") as caught:
        run(odd, "--map", "size=Bauart", "--map", "SKU=Zahl")
    assert caught.value.returncode == 2


def test_a_folder_is_one_file_for_each_run_of_an_export(tmp_path):
    """Two parts of one day each: 24 + 24 h of one machine."""
    for number in (0, 1):
        text = usage_csv([row(Date=f"10/0{number + 1}/2026")])
        (tmp_path / f"part_{number}_0001.csv").write_text(text)
    (tmp_path / "manifest.json").write_text(
        json.dumps({"exportConfig": {}, "blobs": [{"blobName": f"x/part_{number}_0001.csv"} for number in (0, 1)]})
    )
    (file,) = json.loads(run(str(tmp_path), "--json"))["files"]
    assert (file["file"], file["rows_read"], file["gpu"][0]["count"], file["gpu"][0]["hours"]) == (
        tmp_path.name, 2, 1, 48.0,
    )  # fmt: skip
    (tmp_path / "part_1_0001.csv").unlink()
    with pytest.raises(CommandError, match=r"one is missing: “x/part_1_0001\.csv”") as caught:
        run(str(tmp_path))
    assert caught.value.returncode == 1


def test_dask_is_for_folders():
    with pytest.raises(CommandError, match="name the folder") as caught:
        run(KOREAN, "--dask", "local")
    assert caught.value.returncode == 2
