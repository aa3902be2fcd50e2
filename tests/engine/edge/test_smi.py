"""The nvidia-smi reader: every collected sample, other layouts, several nodes, CSV, and text that is broken."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.smi import SmiGpu, SmiReading, read_smi
from advisor.engine.edge.smi_advice import advise_smi, compare

SAMPLES = Path(__file__).parents[2] / "samples" / "edge" / "smi"
EXPECTED = list(csv.DictReader((SAMPLES / "expected.csv").read_text(encoding="utf-8").splitlines()))
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FILES = sorted({row["file"] for row in EXPECTED})
OLD = """\
+------------------------------------------------------+
| NVIDIA-SMI 325.15     Driver Version: 325.15         |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla K20m          On   | 0000:02:00.0     Off |                    0 |
| N/A   29C    P8    16W / 225W |       15MB /  4799MB |      0%      Default |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Compute processes:                                               GPU Memory |
|  GPU       PID  Process name                                     Usage      |
|=============================================================================|
|    0      4711  ./namd2                                               12MB  |
+-----------------------------------------------------------------------------+
"""
HEAD = "index, name, driver_version, memory.used [MiB], memory.total [MiB], utilization.gpu [%], compute_mode, uuid\n"
CSV = HEAD + (
    "0, Tesla T4, 470.57.02, 655 MiB, 15109 MiB, 97 %, Exclusive_Process, GPU-aa\n"
    "1, Tesla T4, 470.57.02, 0 MiB, 15109 MiB, [N/A], Default, GPU-bb\n"
)


def sample(name: str) -> str:
    return next(SAMPLES.glob(f"{name}*.txt")).read_text(encoding="utf-8")


def row_of(file: str, gpu: SmiGpu) -> dict[str, str]:
    return {
        "file": file,
        "driver_version": gpu.driver_version or "",
        "cuda_version": gpu.cuda_version or "",
        "gpu_index": str(gpu.index),
        "name": gpu.name,
        "mem_used_mib": f"{gpu.memory_used_mib:g}",
        "mem_total_mib": f"{gpu.memory_total_mib:g}",
        "util_pct": gpu.utilisation_text or "",
        "processes": str(len(gpu.processes)),
        "node": gpu.node or "",
    }


@pytest.mark.parametrize("file", FILES)
def test_a_collected_sample(file: str):
    reading = read_smi((SAMPLES / file).read_bytes())
    assert reading.problems == ()
    assert [row_of(file, gpu) for gpu in reading.gpus] == [row for row in EXPECTED if row["file"] == file]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("change", ["collapsed", "indented", "windows", "wide", "no date", "utf-16"])
def test_a_sample_as_people_paste_it(file: str, change: str):
    text = (SAMPLES / file).read_text(encoding="utf-8")
    made: str | bytes = {
        "collapsed": "\n".join(" ".join(line.split()) for line in text.splitlines()),
        "indented": "\n".join(f"    {line}" for line in text.splitlines()),
        "windows": text.replace("\n", "\r\n"),
        "wide": text.replace(" ", "\u00a0"),
        "no date": "\n".join(line for line in text.splitlines() if line[:3] not in DAYS),
        "utf-16": text.encode("utf-16"),
    }[change]
    reading = read_smi(made)
    assert [row_of(file, gpu) for gpu in reading.gpus] == [row for row in EXPECTED if row["file"] == file]


def test_the_oldest_layout():
    (gpu,) = read_smi(OLD).gpus
    assert (gpu.name, gpu.driver_version, gpu.cuda_version) == ("Tesla K20m", "325.15", None)
    assert (gpu.memory_used_mib, gpu.memory_total_mib, len(gpu.processes)) == (15, 4799, 1)


def test_mps_is_read_from_its_server_and_clients():
    assert [gpu.mps_state for gpu in read_smi(sample("03")).gpus] == ["on"]
    assert {gpu.mps_state for gpu in read_smi(sample("02")).gpus} == {"off"}
    alone = "\n".join(line for line in sample("03").splitlines() if "M+C" not in line and "mps-server" not in line)
    assert [gpu.mps_state for gpu in read_smi(alone).gpus] == ["perhaps"]


def test_several_nodes_and_tables_in_one_text():
    reading = read_smi(sample("01") + sample("02") + sample("04") + sample("09"))
    assert [(g.node, g.index) for g in reading.gpus][:3] == [
        ("K8S-7ABCD11CL-7ABCD11", 0),
        ("K8S-7ABCD12CL-7ABCD12", 0),
        ("K8S-7ABCD12CL-7ABCD12", 1),
    ]
    assert len({(g.table, g.index) for g in reading.gpus}) == len(reading.gpus) == 6


def test_csv_with_units_and_processes():
    text = CSV + "\ngpu_uuid, pid, process_name, used_memory [MiB]\nGPU-aa, 41, /app/a, 300 MiB\n"
    first, second = read_smi(text).gpus
    assert (first.memory_used_mib, first.utilisation_percent, first.mps_state) == (655, 97, "perhaps")
    assert (second.utilisation_percent, second.utilisation_text) == (None, "N/A")
    assert [(p.pid, p.memory_mib, p.gpu) for p in first.processes] == [(41, 300, 0)]


def test_a_csv_row_of_another_length_costs_one_row():
    reading = read_smi(CSV + "2, Tesla T4\n")
    assert len(reading.gpus) == 2
    assert [(p.line, p.kind) for p in reading.problems] == [(4, "csv")]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "driver"),
        ("Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.", "handle"),
        ("No devices were found", "none"),
    ],
)
def test_what_nvidia_smi_says_instead_of_a_table(text: str, kind: str):
    reading = read_smi(f"[192.0.2.21]: PS>\n{text}\n")
    assert (reading.failures, reading.gpus, reading.usable) == ((kind,), (), True)
    assert [p.line for p in reading.problems] == [2]


def test_errors_in_every_column():
    bad = sample("08").replace("Tesla T4                       Off", "ERR!                           Off")
    bad = bad.replace("   11842MiB /  15360MiB |    100%", "        N/A /        N/A |    ERR!").replace(
        "12.4 ", "N/A  "
    )
    (gpu,) = read_smi(bad).gpus
    assert (gpu.name, gpu.memory_used_mib, gpu.utilisation_percent, gpu.utilisation_text) == (
        "ERR!",
        None,
        None,
        "ERR!",
    )
    assert gpu.cuda_version is None


def test_windows_rows():
    text = sample("08").replace("Tesla T4                       Off", "NVIDIA T4                     WDDM")
    text = text.replace(
        "2290      C   /usr/bin/python3                             7410MiB",
        "2290    C+G   Insufficient Permissions  N/A",
    )
    (gpu,) = read_smi(text).gpus
    assert (gpu.name, gpu.processes[0].kind, gpu.processes[0].name) == ("NVIDIA T4", "C+G", "Insufficient Permissions")
    assert gpu.processes[0].memory_mib is None


@pytest.mark.parametrize("file", FILES)
def test_a_text_cut_anywhere_gives_values_or_problems(file: str):
    text = (SAMPLES / file).read_text(encoding="utf-8")
    whole = [row for row in EXPECTED if row["file"] == file]
    for end in range(0, len(text), 97):
        reading = read_smi(text[:end])
        assert len(reading.gpus) <= len(whole)
        assert reading.gpus or reading.problems
        for gpu in reading.gpus:
            assert gpu.memory_total_mib is not None or reading.problems


HOSTILE = {
    "huge": "| 0 x |\n" * 400_000,
    "many lines": "| 0  x On | 00000000:00:00.0 Off | 0 |\n" * 25_000,
    "long line": "|" * 1_000_000,
    "blanks": "| 0 " + " " * 900_000,
    "binary": bytes(range(256)) * 100,
    "empty": "",
    "prose": "the GPU is busy, they say, and memory.used is 3",
    "rows alone": sample("02").partition("=|\n")[2],
    "numbers": CSV.replace("655", "9" * 400).replace("97 %", "9" * 300),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gives_problems_never_an_exception(name: str):
    assert read_smi(HOSTILE[name]).problems or name == "numbers"


def codes(edge: EdgeCatalogue, reading: SmiReading, planned: bool = False) -> list[str]:
    return [entry.remark.code for entry in advise_smi(edge, reading, planned) if entry.gpu]


def test_advice(edge: EdgeCatalogue):
    assert codes(edge, read_smi(sample("01"))) == ["smi-idle"]
    assert codes(edge, read_smi(sample("05"))) == ["smi-idle"] * 2
    assert codes(edge, read_smi(sample("10"))) == []
    full = sample("08").replace("11842MiB", "14990MiB")
    assert codes(edge, read_smi(full)) == ["smi-full"]
    assert codes(edge, read_smi(sample("02")), planned=True) == ["mps-lost", "mps-memory-limit"] * 2
    assert "mps-lost" not in codes(edge, read_smi(sample("03")), planned=True)


def test_two_outputs_compared():
    before, after = read_smi(sample("02")), read_smi(sample("02").replace("2418MiB", "3000MiB").replace("97%", "50%"))
    first, second = compare(before, after)
    assert (first.memory_mib, first.utilisation_points, first.processes) == (582, -47, 0)
    assert (second.memory_mib, second.driver_changed, second.mps_changed) == (0, False, False)


def test_a_gpu_that_came_or_went(edge: EdgeCatalogue):
    changes = compare(read_smi(sample("02")), read_smi(sample("08")))
    assert [(c.before is None, c.after is None) for c in changes] == [(False, False), (False, True)]
    assert changes[0].driver_changed


def test_two_tables_without_a_node_are_compared_one_by_one():
    before, after = read_smi(sample("08") * 2), read_smi(sample("08") + sample("08").replace("11842MiB", "12000MiB"))
    assert [change.memory_mib for change in compare(before, after)] == [0, 158]


def test_the_node_s_name_is_no_matter_when_one_output_lacks_it():
    named, bare = sample("02"), sample("02").replace("K8S-7ABCD12CL-7ABCD12:", "")
    assert [change.memory_mib for change in compare(read_smi(named), read_smi(bare))] == [0, 0]
