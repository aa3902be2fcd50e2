"""The command `edge`: the names of its JSON to the letter, its words for people, and its refusals."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).parents[1] / "samples" / "edge"
BAD = "env:\n- name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n    value: 20\n"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("edge", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def answer(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def refusal(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    assert "\n" not in str(error.value)
    return error.value


def test_plan_has_the_names_of_the_contract():
    found = answer("plan", "--device", "pro-gpu-2", "--sequence", "vm>k8s>vm")
    assert found["schema"] == "edge-plan/1"
    assert {"steps", "end", "warnings", "repair"} <= set(found)
    assert {"step", "outcome", "why", "vm_gpus", "k8s_gpus", "free_gpus", "source"} <= set(found["steps"][0])
    assert [step["outcome"] for step in found["steps"]] == ["succeeds", "succeeds", "fails"]
    assert found["end"] == {"vm_gpus": 1, "k8s_gpus": 1, "free_gpus": 0}
    assert all(isinstance(text, str) for text in found["repair"])


def test_plan_equals_every_collected_case():
    rows = csv.DictReader((SAMPLES / "order_cases.csv").read_text(encoding="utf-8").splitlines())
    for row in rows:
        device = ["--gpus", row["gpus_on_device"], *(["--card", "T4"] if row["gpus_on_device"] != "0" else [])]
        found = answer("plan", *device, "--sequence", row["sequence"])
        assert ";".join(f"{s['step']}:{s['outcome']}" for s in found["steps"]) == row["step_outcomes"]
        end = ["?" if count is None else str(count) for count in found["end"].values()]
        assert end == [row["vm_gpus_end"], row["k8s_gpus_end"], row["free_gpus_end"]]


def test_plan_for_a_person():
    text = run("plan", "--device", "pro-gpu-2", "--sequence", "k8s>vm")
    assert "FAILS" in text
    assert "WAY OUT  If nothing is built yet: vm>k8s" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "--device", "nope", "--sequence", "vm"),
        ("plan", "--sequence", "vm"),
        ("plan", "--gpus", "3", "--card", "T4", "--sequence", "vm"),
        ("plan", "--device", "pro-r", "--sequence", "vm>nope"),
        ("plan", "--device", "pro-r", "--sequence", "vm:nope"),
        ("plan", "--device", "pro-r", "--sequence", "vm", "--software", "new"),
        ("want", "--device", "pro-r", "--vms", "1", "--size", "nope"),
    ],
)
def test_wrong_arguments_are_refused_with_2(arguments: tuple[str, ...]):
    assert refusal(*arguments).returncode == 2


def test_want_answers_with_the_order_or_the_reason():
    yes = answer("want", "--device", "pro-gpu-2", "--vms", "1", "--k8s-gpus", "1")
    assert (yes["possible"], yes["sequence"]) == (True, "vm>k8s")
    no = answer("want", "--device", "pro-gpu-1", "--vms", "1", "--k8s-gpus", "1")
    assert (no["possible"], no["sequence"], no["plan"]) == (False, None, None)
    assert "2 GPUs" in no["why"]
    assert "Possible:" in run("want", "--device", "pro-gpu-1", "--vms", "1", "--k8s-gpus", "1")


def test_check_gives_line_message_and_corrected_text(tmp_path: Path):
    path, mended = tmp_path / "bad.yaml", tmp_path / "good.yaml"
    path.write_text(BAD, encoding="utf-8")
    found = answer("check", str(path), "--output", str(mended))
    assert {(p["line"], p["code"]) for p in found["problems"]} >= {(3, "yaml-value-deeper"), (3, "yaml-unquoted")}
    assert all(p["message"] and p["source"] for p in found["problems"])
    assert found["corrected"] == mended.read_text(encoding="utf-8") == BAD.replace("    value: 20", '  value: "20"')
    assert "line 3:" in run("check", str(path))


def test_smi_has_the_names_of_the_contract():
    found = answer("smi", str(SAMPLES / "smi" / "03_t4_mps_on_r515.txt"))
    assert found["schema"] == "smi/1"
    assert found["problems"] == []
    gpu = found["gpus"][0]
    names = "node index name driver_version cuda_version memory_used_mib memory_total_mib utilisation_percent"
    assert {*names.split(), "processes", "mps"} <= set(gpu)
    assert (gpu["memory_total_mib"], gpu["processes"], gpu["mps"]) == (15360, 4, True)


def test_smi_for_a_person_and_compared():
    files = [str(SAMPLES / "smi" / name) for name in ("08_t4_r550.txt", "10_t4_r610_kmd_umd.txt")]
    text = run("smi", files[0], "--before", files[1])
    assert "Tesla T4" in text
    assert "GPU 0: memory +6606 MiB, use +77 points, processes +1" in text


def test_manifest_writes_the_file_and_the_steps(tmp_path: Path):
    path = tmp_path / "apps.json"
    apps = [{"name": name, "image": f"registry.example/{name}", "share_percent": 60} for name in ("a", "b")]
    path.write_text(json.dumps({"device": "pro-gpu-1", "apps": apps}), encoding="utf-8")
    text = run("manifest", str(path))
    assert text.count("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") == 2
    found = answer("manifest", str(path))
    assert found["text"] == text
    assert "Start-HcsGpuMPS" in [step["command"] for step in found["steps"]]
    assert found["sharing"]["cards"][0]["share_sum_percent"] == 120


@pytest.mark.parametrize("part", ["check", "smi", "manifest"])
@pytest.mark.parametrize("content", [None, b"", bytes(range(256)) * 50])
def test_a_file_that_cannot_be_used_is_one_line_and_1(part: str, content: bytes | None, tmp_path: Path):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    error = refusal(part, str(path))
    assert error.returncode == 1
    assert "file" in str(error)
