"""The commands speedup and validate_speed: the names of their JSON to the letter, and their refusals."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from advisor import store
from advisor.documents import speed_errors
from advisor.engine.speed_file import COLUMNS

pytestmark = pytest.mark.django_db

SCORE_KEYS = {"groups", "pairs", "median_abs_log_error", "p90_abs_log_error", "inside_interval"}


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def answer(*arguments: str) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json"))


def test_speedup_has_the_names_of_the_contract():
    found = answer("speedup", "K80", "V100 SXM2 16GB", "--kind", "training", "--precision", "fp32")
    assert set(found) == {"speedup"}
    assert set(found["speedup"]) == {"low", "expected", "high", "basis", "evidence"}
    assert found["speedup"]["basis"] == "measured"
    assert set(found["speedup"]["evidence"][0]) == {"kind", "source", "as_of", "note"}


def test_speedup_takes_the_users_ratio():
    found = answer("speedup", "K80", "T4", "--kind", "training", "--measured", "K80:T4=1.7")["speedup"]
    assert (found["low"], found["expected"], found["high"], found["basis"]) == (1.7, 1.7, 1.7, "user")


def test_speedup_can_do_without_tf32():
    arguments = ("speedup", "V100 SXM2 16GB", "A100 SXM 80GB", "--kind", "training", "--precision", "fp32")
    assert answer(*arguments)["speedup"]["expected"] > 1.5 * answer(*arguments, "--no-tf32")["speedup"]["expected"]


def test_speedup_for_a_person_names_range_and_evidence():
    text = run("speedup", "K80", "T4", "--kind", "training", "--precision", "fp32")
    assert "K80 to T4: 1." in text
    assert "8 in 10 cases" in text
    assert "time model" in text


def test_a_name_that_fits_several_gpus_is_refused_in_one_line():
    with pytest.raises(CommandError) as refusal:
        run("speedup", "K80", "V100")
    assert refusal.value.returncode == 2
    assert str(refusal.value).startswith("'V100' matches several GPUs: V100 PCIe 16GB")
    assert "\n" not in str(refusal.value)


def test_a_ratio_beside_its_own_speeds_is_taken(tmp_path):
    path = ratios(tmp_path, "from,to,ratio,from_speed,to_speed\nK80,T4,2.5,30,75\n")
    assert answer("speedup", "K80", "T4", "--measured-file", path)["speedup"]["expected"] == 2.5


def test_a_ratio_of_a_gpu_to_itself_is_refused():
    with pytest.raises(CommandError, match="--measured: from and to are both K80; name two GPUs") as refusal:
        run("speedup", "K80", "T4", "--measured", "K80:K80=2")
    assert refusal.value.returncode == 2


def test_hpc_fp64_is_work_in_fp64():
    arguments = ("speedup", "K80", "H100 SXM 80GB", "--kind", "hpc-fp64")
    assert answer(*arguments) == answer(*arguments, "--precision", "fp64")
    with pytest.raises(CommandError, match="hpc-fp64 is work in fp64, not in fp16") as refusal:
        run(*arguments, "--precision", "fp16")
    assert refusal.value.returncode == 2


def test_a_number_format_that_a_gpu_lacks_is_told():
    text = run("speedup", "V100 SXM2 16GB", "H100 SXM 80GB", "--kind", "inference", "--precision", "fp8")
    assert "V100 SXM2 16GB has no fp8 rate: its figure is that of 16 bits" in text
    assert "H100 SXM 80GB has no" not in text


def test_the_same_gpu_has_no_range():
    assert "8 in 10" not in run("speedup", "T4", "T4")


@pytest.mark.parametrize("text", ["K80:T4", "K80=2", "K80:T4=fast", "K80:T4=0", ":T4=2"])
def test_a_ratio_that_cannot_be_read_is_a_wrong_argument(text):
    with pytest.raises(CommandError, match="is not FROM:TO=RATIO"):
        run("speedup", "K80", "T4", "--measured", text)


def ratios(tmp_path, text: str) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_of_measured_ratios_replaces_the_model_and_a_typed_one_beats_it(tmp_path):
    # 30 and 75 images/s: 75 / 30 = 2.5
    path = ratios(tmp_path, "from,to,from_speed,to_speed\nk80,T4,30,75\n")
    arguments = ("speedup", "K80", "T4", "--kind", "training", "--measured-file", path)
    found = answer(*arguments)["speedup"]
    assert (found["expected"], found["basis"]) == (2.5, "user")
    assert answer(*arguments, "--measured", "T4:K80=0.5")["speedup"]["expected"] == 2.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "mine.csv, the first line must name from, to and ratio"),
        ("from,to,ratio\n", "no measured speed-up stands below"),
        ("from,to,ratio\nK80,V100,2\n", "line 2: 'V100' matches several GPUs"),
        ("from,to,ratio\nK80,T4,fast\n", "line 2: ratio is 'fast', must be a number above 0"),
        (
            "from,to,ratio,from_speed,to_speed\nK80,T4,2,10,90\n",
            "line 2: the ratio is 2, but the speeds give 9; leave one",
        ),
        ("from,to,ratio\nK80,T4,2\nT4,K80,3\n", "line 3: T4 and K80 stand in the file twice"),
        ("from,to,ratio\nT4,T4,2\n", "line 2: from and to are both T4"),
    ],
)
def test_a_file_of_ratios_that_is_wrong_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(CommandError, match=message):
        run("speedup", "K80", "T4", "--measured-file", ratios(tmp_path, text))


def test_speedup_takes_what_is_known_of_the_work():
    arguments = ("speedup", "T4", "A100 SXM 40GB", "--kind", "inference-small", "--precision", "fp16")
    small, large = (answer(*arguments, "--network", "cnn", "--batch", batch)["speedup"] for batch in ("1", "8"))
    assert small["expected"] < large["expected"]


def test_validate_speed_has_the_names_of_the_contract(monkeypatch, catalogue):
    few = tuple(row for row in catalogue.benchmarks if row.source_family in ("tensorflow/docs", "apache/mxnet"))
    monkeypatch.setattr(store, "catalogue", lambda: replace(catalogue, benchmarks=few))  # a few tables, quickly scored
    found = answer("validate_speed")
    assert found["schema"] == "validate-speed/1"
    assert set(found) == {"schema", "kinds", "from", "all", "pairs"}
    assert set(found["kinds"][0]) == {"kind"} | SCORE_KEYS
    assert set(found["from"][0]) == {"from"} | SCORE_KEYS
    assert set(found["all"]) >= SCORE_KEYS
    assert set(found["pairs"][0]) == {"group", "from", "to", "kind", "measured", "low", "expected", "high"}
    assert found["all"]["pairs"] == len(found["pairs"])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fieldnames=COLUMNS)
        writer.writeheader()
        for gpu, throughput in (("T4", "100"), ("A10", "180"), ("Z9", "1")):
            writer.writerow(
                dict.fromkeys(COLUMNS, "mine")
                | {"gpus": "1", "gpu": gpu, "throughput": throughput, "higher_is_better": "true"}
                | {"precision": "fp16", "speed_kind": "inference"}
            )
    return path


def test_validate_speed_scores_a_file_and_reports_bad_rows(file, capsys):
    errors = io.StringIO()
    out = io.StringIO()
    call_command("validate_speed", "--file", str(file), "--json", stdout=out, stderr=errors)
    pairs = json.loads(out.getvalue())["pairs"]
    assert [(pair["from"], pair["to"], pair["measured"]) for pair in pairs] == [("T4", "A10", 1.8)]
    assert "mine.csv, line 4: no GPU is called 'Z9'" in errors.getvalue()


def test_validate_speed_refuses_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run("validate_speed", "--file", str(tmp_path / "none.csv"))


def test_validate_speed_prints_a_table(file):
    assert "| inference | 1 | 1 |" in run("validate_speed", "--file", str(file))


def test_validate_speed_says_what_the_models_own_errors_are_on_such_work(file):
    own = next(row for row in speed_errors() if row.pairs_of == "inference")
    text = run("validate_speed", "--file", str(file))
    assert "These pairs, each source left out: median error" in text
    said = text.splitlines()[-1]
    assert said.startswith("The shipped benchmarks at the same mix of kinds, each source left out: median error ")
    assert said.endswith(f" {own.median}, 90th percentile {own.p90}, {own.inside} inside the range.")
