"""Output of monitoring is known by its content and becomes figures per host and GPU; nothing else is made of it.

U64, U65: there are no GPU metrics out of the box, so what nvidia-smi, DCGM and Prometheus say is read.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest

from advisor.engine.readers.packing import pack, unpack
from tests.engine.readers.conftest import SAMPLES, errors, warnings

SMI = SAMPLES.parent / "edge" / "smi"


def kept(name: str) -> str:
    return (SAMPLES.parent / "utilisation" / name).read_text(encoding="utf-8")


QUERY = kept("gpu-07_query.csv")
DMON = kept("gpu-07_dmon.txt")
DCGMI = kept("dcgmi.txt")
METRICS = kept("metrics.txt")
XML = """<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<timestamp>Tue Nov  3 09:03:41 2026</timestamp>
	<gpu id="00000001:00:00.0">
		<product_name>Tesla T4</product_name>
		<uuid>GPU-a</uuid>
		<minor_number>0</minor_number>
		<fb_memory_usage><total>15109 MiB</total><used>{used} MiB</used></fb_memory_usage>
		<utilization><gpu_util>{busy} %</gpu_util><memory_util>9 %</memory_util></utilization>
		<gpu_power_readings><power_draw>38.20 W</power_draw></gpu_power_readings>
	</gpu>
</nvidia_smi_log>
"""


def by_gpu(reading):
    """For each GPU: host, busy counts, the most memory in use in GiB."""
    return {use.gpu: (use.host, use.busy, use.used_max_gib) for use in reading.utilisation}


def test_u64_query_gpu_is_read_without_the_memory_bus(read):
    reading = read(QUERY, "gpu-07.csv")
    assert (reading.format, reading.rows_read, reading.other_rows, reading.error_rows) == ("nvidia-smi-csv", 4, 4, 0)
    # GPU 1 has one busy sample, of 0 %, and one of memory, 2 MiB; [N/A] is neither 0 nor a sample
    assert by_gpu(reading) == {
        "0": ("gpu-07", ((50, 1), (98, 1)), 7.5),  # 7,680 / 1,024
        "1": ("gpu-07", ((0, 1),), 2 / 1024),
    }
    first, second = reading.utilisation
    assert (first.name, first.uuid, first.line, first.host_from) == ("Tesla T4", "GPU-a", 2, "file name")
    assert first.total_gib == pytest.approx(15109 / 1024)
    assert first.hours_seen == 2  # the hours 8 and 10; nobody watched the hour 9
    assert first.busy_mean == pytest.approx(0.74)  # (98 + 50) / 2
    assert second.used_samples == 1


@pytest.mark.parametrize(
    ("mark", "cells"),
    [
        ("units off", lambda text: text.replace(" %,", ",").replace(" MiB", "")),
        ("semicolons", lambda text: text.replace(",", ";")),
        ("tabs", lambda text: text.replace(", ", "\t")),
        ("byte-order mark", lambda text: "\ufeff" + text),
        ("header twice", lambda text: text + text.split("\n")[0] + "\n"),
    ],
)
def test_spellings_of_the_same_query_say_the_same(read, mark, cells):
    assert by_gpu(read(cells(QUERY), "gpu-07.csv")) == by_gpu(read(QUERY, "gpu-07.csv"))


def test_utf16_of_powershell_says_the_same(read):
    assert by_gpu(read(QUERY.encode("utf-16"), "gpu-07.csv")) == by_gpu(read(QUERY, "gpu-07.csv"))


def test_a_column_names_hosts_before_the_file_does(read):
    text = "host,index,utilization.gpu [%],memory.used [MiB]\na,0,10 %,1024 MiB\nb.corp.example,0,20 %,2048 MiB\n"
    found = [(use.host, use.host_from, use.busy) for use in read(text, "x.csv").utilisation]
    assert found == [("a", "column", ((10, 1),)), ("b.corp.example", "column", ((20, 1),))]


@pytest.mark.parametrize(
    ("name", "host"),
    [("gpu-07.csv", "gpu-07"), ("nvidia-smi_gpu-07.log.gz", "gpu-07"), ("dir/gpu-07-dmon.txt", "gpu-07")],
)
def test_u65_the_name_of_the_file_names_the_host_at_last(read, name, host):
    content = gzip.compress(QUERY.encode()) if name.endswith("gz") else QUERY
    assert {(use.host, use.host_from) for use in read(content, name).utilisation} == {(host, "file name")}


def test_a_bad_sample_costs_itself_and_says_where(read):
    text = (
        QUERY + "2026/11/01 11:00:00, 0, Tesla T4, GPU-a, 900 %, 1 %, 1 MiB, 15109 MiB\nnever, 0, T, G, 1 %, 1, 1, 1\n"
    )
    text += "2026/11/01 11:00:00, 0, Tesla T4, GPU-a, lots, 1 %, 1 MiB, 15109 MiB\n2026/11/01 11:00\n"
    reading = read(text, "gpu-07.csv")
    assert (reading.rows_read, reading.other_rows, reading.error_rows) == (8, 4, 4)
    assert errors(reading)[1:] == [(line, "bad_sample") for line in (6, 7, 8, 9)]
    assert by_gpu(reading) == by_gpu(read(QUERY, "gpu-07.csv"))
    assert "Line 6, column busy: “900” is no share" in reading.problems[1].message


def test_dmon_reads_sm_and_not_the_memory_bus(read):
    reading = read(DMON, "gpu-07.txt")
    assert (reading.format, reading.rows_read) == ("nvidia-smi-dmon", 3)
    assert by_gpu(reading) == {"0": ("gpu-07", ((33, 1), (97, 1)), 2.0)}  # 2,048 MB as nvidia-smi counts them
    assert reading.utilisation[0].power_mean_w == 42  # (43 + 41 + 42) / 3


def test_without_times_it_says_so(read):
    text = "# gpu   pwr    sm   mem\n# Idx     W     %     %\n    0    43    97     9\n"
    reading = read(text, "gpu-07.txt")
    assert warnings(reading) == ["no_times"]
    assert (reading.utilisation[0].first, reading.utilisation[0].hours_seen) == (None, 0)


def test_dcgmi_reads_whole_gpus_and_leaves_instances_out(read):
    reading = read(DCGMI, "x.log")
    assert (reading.format, warnings(reading)) == ("dcgmi-dmon", ["other_entities"])
    assert by_gpu(reading) == {"0": ("gpu-07", ((25, 1), (75, 1)), 28456 / 1024)}
    assert (reading.utilisation[0].host_from, reading.utilisation[0].power_mean_w) == ("line", 185.3)


def test_dcgmi_with_a_time_before_each_line_is_read_as_the_page_on_exporting_says(read):
    lines = ["#Entity   GPUTL   FBUSD", "ID", "GPU 0     75      1024", "", "GPU 0     25      2048"]
    reading = read("".join(f"2026-11-01T0{hour}:00:00 {line}\n" for hour, line in enumerate(lines)), "gpu-07.txt")
    assert (reading.rows_read, warnings(reading)) == (2, [])
    assert by_gpu(reading) == {"0": ("gpu-07", ((25, 1), (75, 1)), 2.0)}
    assert reading.utilisation[0].hours_seen == 2


def test_an_exporter_is_read_and_dcgms_blank_is_unknown(read):
    reading = read(METRICS, "metrics.txt")
    assert (reading.format, reading.rows_read) == ("dcgm-prometheus", 3)
    assert by_gpu(reading) == {"0": ("gpu-07", ((87, 1),), 4.0), "1": ("gpu-07", (), 0.0)}
    assert reading.utilisation[1].busy_mean is None


def test_a_mean_over_gpus_or_a_part_of_one_is_never_a_gpu(read):
    text = (
        'DCGM_FI_DEV_GPU_UTIL{Hostname="gpu-07"} 87\n'
        'DCGM_FI_DEV_FB_USED{gpu="0",GPU_I_PROFILE="1g.10gb",Hostname="gpu-07"} 4096\n'
        'DCGM_FI_DEV_FB_USED{gpu="0",Hostname="gpu-07"} 1024\n'
    )
    reading = read(text)
    assert set(warnings(reading)) == {"part_of_gpu", "sum_of_gpus", "no_times"}
    assert by_gpu(reading) == {"0": ("gpu-07", (), 1.0)}


def test_engine_activity_counts_where_dcgm_gives_no_utilisation(read):
    text = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",Hostname="a"} 0.42\n'
    assert by_gpu(read(text)) == {"0": ("a", ((42, 1),), None)}


def answer(*series: tuple[str, dict[str, str], list[tuple[float, str]]]) -> str:
    result = [{"metric": {"__name__": name} | labels, "values": values} for name, labels, values in series]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})


LABELS = {"gpu": "0", "UUID": "GPU-a", "modelName": "Tesla T4", "Hostname": "dcgm-exporter-x1", "node": "aks-gpu-0"}


def test_prometheus_answers_a_range(read):
    start = 1793520000  # 2026-11-01 08:00:00 UTC
    busy = ("DCGM_FI_DEV_GPU_UTIL", LABELS, [(start, "10"), (start + 3600, "30.4"), (start + 7200, "NaN")])
    used = ("DCGM_FI_DEV_FB_USED", LABELS, [(start, "1024"), (start + 3600, "3072")])
    reading = read(answer(busy, used), "range.json")
    assert (reading.format, reading.rows_read) == ("prometheus-json", 4)
    assert by_gpu(reading) == {"0": ("aks-gpu-0", ((10, 1), (30, 1)), 3.0)}
    assert reading.utilisation[0].first.isoformat() == "2026-11-01T08:00:00"
    assert by_gpu(read(json.dumps(json.loads(answer(busy, used))["data"]["result"]), "range.json")) == by_gpu(reading)


@pytest.mark.parametrize(
    "text",
    [
        "Time,Hostname,gpu,DCGM_FI_DEV_GPU_UTIL,DCGM_FI_DEV_FB_USED\n2026-11-01 08:00:00,a,0,10,1024\n"
        "2026-11-01 09:00:00,a,0,30,3072\n",
        'Time,"DCGM_FI_DEV_GPU_UTIL{gpu=""0"", Hostname=""a""}","{__name__=""DCGM_FI_DEV_FB_USED"", gpu=""0"", '
        'Hostname=""a""}"\n2026-11-01 08:00:00,10 %,1024\n2026-11-01 09:00:00,30 %,3072\n',
        "timestamp,__name__,Hostname,gpu,value\n1793520000,DCGM_FI_DEV_GPU_UTIL,a,0,10\n"
        "1793523600000,DCGM_FI_DEV_GPU_UTIL,a,0,30\n1793520000,DCGM_FI_DEV_FB_USED,a,0,3072\n",
    ],
    ids=["a column per metric", "a column per series", "a row per value"],
)
def test_dcgm_as_csv(read, text):
    reading = read(text, "export.csv")
    assert (reading.format, by_gpu(reading)) == ("dcgm-csv", {"0": ("a", ((10, 1), (30, 1)), 3.0)})
    assert reading.utilisation[0].hours_seen == 2


def test_xml_documents_one_after_the_other(read):
    text = XML.format(used=1024, busy=10) + XML.format(used=3072, busy=30)
    reading = read(text, "gpu-07.xml")
    assert (reading.format, reading.rows_read) == ("nvidia-smi-xml", 2)
    assert by_gpu(reading) == {"0": ("gpu-07", ((10, 1), (30, 1)), 3.0)}
    assert reading.utilisation[0].first.isoformat() == "2026-11-03T09:03:41"


def test_entities_in_xml_are_refused_and_cost_their_document(read):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>\n' + XML.format(used="&a;", busy=10)
    reading = read(XML.format(used=1024, busy=10) + bomb, "gpu-07.xml")
    assert (reading.rows_read, reading.error_rows) == (2, 1)


def test_the_printed_table_is_a_sample_of_each_gpu(read):
    text = (SMI / "02_two_t4_timeshared_r470.txt").read_text(encoding="utf-8")
    reading = read(text + text, "out.txt")  # as `nvidia-smi -l` prints it
    assert (reading.format, reading.rows_read) == ("nvidia-smi-text", 4)
    assert by_gpu(reading) == {
        "0": ("K8S-7ABCD12CL-7ABCD12", ((97, 2),), 2418 / 1024),
        "1": ("K8S-7ABCD12CL-7ABCD12", ((12, 2),), 1307 / 1024),
    }


@pytest.mark.parametrize(
    "text",
    [
        "DCGM_FI_DEV_GPU_UTIL{" + "a" * 900_000 + "} 1\n" + METRICS,
        'DCGM_FI_DEV_GPU_UTIL{gpu="0",x="' + "a b " * 200_000 + "\n" + METRICS,
        METRICS + "DCGM_FI_DEV_GPU_UTIL{}" + "} " * 400_000,
    ],
    ids=["a long word", "a quote that stays open", "many braces"],
)
def test_hostile_lines_cost_themselves(read, text):
    assert by_gpu(read(text)) == by_gpu(read(METRICS))  # in time: see make fuzz


@pytest.mark.parametrize(
    ("text", "name", "kind", "says"),
    [
        ("# gpu  pid  type  sm  mem  command\n# Idx  #  C/G  %  %  name\n 0 1 C 45 12 python\n", "nvidia-smi-pmon",
         "wrong_level", "figures of processes"),
        ('{"value": [{"name": {"value": "GpuUtilization"}, "timeseries": [{"data": []}]}]}', "azure-monitor-json",
         "wrong_level", "means over its GPUs"),
        ("0, Tesla T4, 98 %, 5036 MiB, 15109 MiB\n", "nvidia-smi-csv", "no_header", "Leave noheader out"),
        ("index, name, memory.used [MiB]\n0, Tesla T4, [N/A]\n", "nvidia-smi-csv", "no_samples", "no line of it has"),
    ],
)  # fmt: skip
def test_what_is_of_another_level_is_refused_with_what_to_run(read, text, name, kind, says):
    reading = read(text)
    assert (reading.format, reading.usable, reading.utilisation, errors(reading)[0][1]) == (name, False, (), kind)
    assert says in reading.problems[0].message


def test_a_list_with_sizes_stays_a_list(read):
    text = "size,region,count,memory used\nNC6s_v3,westeurope,2,8\n"
    assert (read(text).format, read(text).usable) == ("hand-list", True)


def test_a_zip_of_many_hosts_is_one_file(read):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("gpu-07.csv", QUERY)
        archive.writestr("gpu-08.csv", QUERY.replace("GPU-", "GPU-8"))
    reading = read(packed.getvalue(), "all.zip")
    assert [(use.host, use.gpu) for use in reading.utilisation] == [
        ("gpu-07", "0"), ("gpu-07", "1"), ("gpu-08", "0"), ("gpu-08", "1")
    ]  # fmt: skip


@pytest.mark.parametrize("text", [QUERY, DMON, DCGMI, METRICS])
def test_what_is_kept_is_what_was_read(read, text):
    reading = read(text, "gpu-07.csv")
    assert unpack(pack(reading)).utilisation == reading.utilisation
