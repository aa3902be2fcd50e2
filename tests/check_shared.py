"""Compares the fixtures with the collected facts they were carried over from: python tests/check_shared.py DIR

DIR holds `data/`. Prints one line per difference and exits 1 when there is one; 2 when DIR has no data.
Not a test of the product: the fixtures are what the product knows, the facts are where they came from.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "advisor.settings")

import django

django.setup()  # before the models below

from advisor.engine.catalogue import Catalogue, Size, squash  # noqa: E402
from advisor.engine.edge.devices import EdgeCatalogue, some_device  # noqa: E402
from advisor.engine.edge.fit import size_fits  # noqa: E402
from advisor.engine.edge.orders import plan  # noqa: E402
from advisor.engine.edge.steps import parse_order  # noqa: E402
from advisor.engine.ledger import status_at  # noqa: E402
from advisor.engine.prices import PriceBook  # noqa: E402
from advisor.engine.readers import read_file  # noqa: E402
from advisor.engine.readers.summary import reading_json  # noqa: E402
from advisor.loading import edge_from_fixtures, from_fixtures  # noqa: E402

Row = dict[str, str]
YES_NO = {"yes": True, "no": False, "": None}
AS_OF = date(2026, 11, 30)

SIZE_TEXTS = {
    "series": "series",
    "gpu_label": "gpu_model",
    "family_quota": "family_quota_name",
    "cpu_model": "cpu_model",
}
SIZE_FIGURES = {
    "vcpus": "vcpus",
    "memory_gib": "memory_gib",
    "gpu_memory_gib": "gpu_memory_gib_per_gpu",
    "gpu_memory_total_gib": "gpu_memory_gib_total",
    "max_data_disks": "max_data_disks",
    "max_nics": "max_nics",
    "network_mbps": "network_mbps",
}
SIZE_FLAGS = {
    "accelerated_networking": "accelerated_networking",
    "premium_storage": "premium_storage",
    "ephemeral_os_disk": "ephemeral_os_disk",
    "nested_virtualisation": "nested_virt",
}
GPU_FIGURES = {
    "compute_capability": "compute_capability",
    "release_year": "release_year",
    "memory_gib": "memory_gib",
    "memory_bandwidth_gbps": "memory_bandwidth_gbps",
    "fp64_tflops": "fp64_tflops",
    "fp32_tflops": "fp32_tflops",
    "tf32_tensor_tflops": "tf32_tensor_tflops",
    "fp16_tflops": "fp16_tflops",
    "fp16_tensor_tflops": "fp16_tensor_tflops",
    "bf16_tensor_tflops": "bf16_tensor_tflops",
    "int8_tops": "int8_tops",
    "fp8_tensor_tflops": "fp8_tensor_tflops",
    "tdp_watts": "tdp_watts",
    "mig_max_instances": "mig_max_instances",
}
GPU_TEXTS = {
    "architecture": "architecture",
    "interconnect": "interconnect",
    "last_cuda": "last_cuda_toolkit",
    "last_driver_branch": "last_driver_branch",
    "min_cuda": "min_cuda_toolkit",
}


EDGE_FIGURES = {
    "vcpus": "vcpus",
    "memory_gib": "memory_gib",
    "gpus": "gpu_count",
    "gpu_memory_gib": "gpu_memory_gib",
    "temp_disk_gib": "temp_disk_gib",
    "max_os_disk_iops": "max_os_disk_iops",
    "max_temp_disk_iops": "max_temp_disk_iops",
    "max_data_disk_iops": "max_data_disk_iops",
    "max_data_disks": "max_data_disks",
    "max_nics": "max_nics",
}
#: How the collected column names the devices that a size fits.
EDGE_NAMES = {
    "pro-gpu-1": "Pro GPU (1-2x T4)",
    "pro-gpu-2": "Pro GPU (1-2x T4)",
    "pro-r": "Pro R (1x T4)",
    "pro2-128g4t1gpu": "Pro 2 128G4T1GPU (1x A2)",
    "pro2-256g6t2gpu": "Pro 2 256G6T2GPU (2x A2)",
}


def figure(text: str) -> float | None:
    return float(text) if text else None


def differs(where: str, ours: object, theirs: object) -> Iterator[str]:
    if ours != theirs:
        yield f"{where}: fixture {ours!r}, facts {theirs!r}"


def same_keys(what: str, ours: set[Any], theirs: set[Any]) -> Iterator[str]:
    yield from (f"{what}: {key} is missing in the fixtures" for key in sorted(theirs - ours, key=str))
    yield from (f"{what}: {key} is not in the facts" for key in sorted(ours - theirs, key=str))


#: Machines of a sample that are counted apart; 0 where its answer does not say.
FLEET_PARTS = ("deallocated", "spot", "low_priority", "reservation", "savings_plan")


class Facts:
    """The collected files, read with the csv module."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def rows(self, name: str) -> list[Row]:
        with (self.directory / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def text(self, name: str) -> str:
        return (self.directory / name).read_text(encoding="utf-8")


def check_sizes(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    rows = facts.rows("azure_gpu_sizes.csv")
    gpus = {(r["gpu_model_in_sizes"], r["series"]): r["gpu_in_specs"] or None for r in facts.rows("gpu_names.csv")}
    yield from same_keys("size", set(catalogue.sizes), {row["size"] for row in rows})
    for row in rows:
        size = catalogue.sizes.get(row["size"])
        if size is None:
            continue
        for ours, theirs in SIZE_TEXTS.items():
            yield from differs(f"{size.name} {ours}", getattr(size, ours), row[theirs] or None)
        for ours, theirs in SIZE_FIGURES.items():
            yield from differs(f"{size.name} {ours}", getattr(size, ours), figure(row[theirs]))
        for ours, theirs in SIZE_FLAGS.items():
            yield from differs(f"{size.name} {ours}", getattr(size, ours), YES_NO[row[theirs]])
        yield from differs(f"{size.name} gpu", size.gpu, gpus[row["gpu_model"], row["series"]])
        yield from differs(f"{size.name} as_of", str(size.as_of), row["source_date"])
        yield from check_derived(size, row)


def check_derived(size: Size, row: Row) -> Iterator[str]:
    """Columns that the fixtures hold in another shape: fractions, disks, links, generations."""
    if row["gpu_count"]:
        shown = round(float(size.gpus or 0), 4)
        yield from differs(f"{size.name} gpus", shown, float(row["gpu_count"]))
        exact = Fraction(size.gpus or 0).limit_denominator(8)
        yield from differs(f"{size.name} gpus, exactly", size.gpus, float(exact))
    else:
        yield from differs(f"{size.name} gpus", size.gpus, None)
    temp, nvme = figure(row["temp_disk_gib"]), figure(row["local_nvme_gib"])
    if size.series == "NVads_V710_v5":  # its local disk is NVMe, says the NVv4 retirement page
        temp, nvme = None, temp
    yield from differs(f"{size.name} temp_disk_gib", size.temp_disk_gib, 0 if temp is None and nvme else temp)
    if nvme or size.local_nvme_gib:  # an empty cell is 0 or unknown, by the rule in the size's note
        yield from differs(f"{size.name} local_nvme_gib", size.local_nvme_gib, nvme)
    yield from differs(f"{size.name} rdma", YES_NO[row["rdma"]], None if size.rdma is None else size.rdma != "none")
    if row["infiniband_gbps_per_vm"]:
        yield from differs(f"{size.name} infiniband", size.infiniband_gbps, float(row["infiniband_gbps_per_vm"]))
    if row["nvlink"]:
        yield from differs(f"{size.name} nvlink", size.gpu_link == "nvlink", YES_NO[row["nvlink"]])
    generations = tuple(map(int, row["vm_generations"].split(";"))) if row["vm_generations"] else None
    if size.name == "Standard_NC24rs_v3":  # MicrosoftDocs/azure-docs/pull/118201
        generations = (1,)
    yield from differs(f"{size.name} generations", size.generations, generations)


def check_gpus(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    rows = facts.rows("gpu_specs.csv")
    yield from same_keys("gpu", set(catalogue.gpus), {row["gpu"] for row in rows})
    for row in rows:
        gpu = catalogue.gpus[row["gpu"]]
        for ours, theirs in GPU_FIGURES.items():
            yield from differs(f"{gpu.name} {ours}", getattr(gpu, ours), figure(row[theirs]))
        for ours, theirs in GPU_TEXTS.items():
            yield from differs(f"{gpu.name} {ours}", getattr(gpu, ours), row[theirs] or None)
    for name, *shares in re.findall(
        r"^\| ([^|]+?) \| (\(?[\d.]+\)?|-) \| (\(?[\d.]+\)?|-) \| (\(?[\d.]+\)?|-) \|$",
        facts.text("speed_model.md"),
        re.M,
    ):
        known = catalogue.gpus.get(name)
        if known is None:
            yield f"share of {name}: no such GPU in the fixtures"
            continue
        theirs_all = tuple(None if s == "-" else float(s.strip("()")) for s in shares)
        yield from differs(f"{name} shares", (known.share_fp32, known.share_tensor, known.share_bandwidth), theirs_all)


def check_lifecycle(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    """Each row's date against the computed status of each size of its series, in its regions."""
    for row in facts.rows("azure_series_lifecycle.csv"):
        series, _, bracket = row["series"].partition(" (")
        preview = bracket.startswith("preview")
        regions = [] if preview else [catalogue.canonical_region(n) for n in bracket.rstrip(")").split(", ") if n]
        for size in catalogue.sizes_of(series):
            single = size.special is not None and "review" in size.special  # previews have no row, or one of their own
            if single != preview:
                continue
            for region in regions or [None]:
                status = status_at(catalogue, size.name, region, AS_OF)
                where = f"{size.name} in {region or 'general'}"
                word = row["status"].removeprefix("retirement ") or "unknown"
                yield from differs(f"{where} status", status.status, word)
                yield from differs(f"{where} date", str(status.retirement_date or ""), row["retirement_date"])
                if row["retirement_announced"]:
                    yield from differs(f"{where} announced", str(status.announced), row["retirement_announced"])


def check_prices(facts: Facts, catalogue: Catalogue, book: PriceBook) -> Iterator[str]:
    rows = facts.rows("azure_gpu_prices.csv")
    theirs = {(r["size"], r["region"], r["os"], r["price_model"]): r for r in rows}
    yield from differs("price rows", len(book.prices), len(rows))
    yield from same_keys("price", set(book.prices), set(theirs))
    named = {*catalogue.sizes, *catalogue.listed_names}
    yield from (f"price name {name} is not known" for name in sorted({row["size"] for row in rows} - named))
    yield from differs("price currencies", {book.currency}, {row["currency"] for row in rows})
    for key, price in book.prices.items():
        row = theirs.get(key)
        if row:
            yield from differs(f"price {key}", price.hourly_price, float(row["hourly_price"]))
            day = row["as_of"] if len(row["as_of"]) == 10 else row["as_of"] + "-01-01"
            yield from differs(f"price {key} as_of", (str(price.as_of), price.source), (day, row["source"]))


#: Tables of the facts that mix software: of December 2022 the README's change log says "V100 and T4 performance
#: results reflect the performance using the 20.12 container", while the A100 ran 22.10. The fixtures hold the README of
#: February 2021 instead, where all ran 20.12.
MENDED = ("dle-mxnet-rn50-infer-amp-bs1", "dle-mxnet-rn50-infer-amp-bs128", "dle-mxnet-rn50-train-amp-1gpu")
#: Rows of the facts that are left out, by table and GPU: in MLPerf inference v2.1 the H100 is a preview with TensorRT
#: 8.5.0, the others ran 8.4.2 (closed/NVIDIA/systems/system_descriptions.tsv at c43f76f2).
LEFT_OUT = {
    ("mlperf-inf-v2.1-bert-99-offline", "H100 SXM 80GB"),
    ("mlperf-inf-v2.1-resnet50-offline", "H100 SXM 80GB"),
}


def check_benchmarks(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    """Every table of the facts is there, row by row; tables beyond them say which version of a file they come from."""

    def key(*parts: object) -> tuple[str, ...]:
        return tuple(map(str, parts))

    theirs = {
        key(r["comparable_group"], r["speed_kind"], r["gpu"], float(r["gpus"]), r["precision"], r["batch_size"])
        + key(r["benchmark"], r["framework"], r["unit"], float(r["throughput"]), r["higher_is_better"] == "true")
        + key(r["source"], r["source_family"], r["as_of"])
        for r in facts.rows("gpu_benchmarks.csv")
        if r["comparable_group"] not in MENDED and (r["comparable_group"], r["gpu"]) not in LEFT_OUT
    }
    groups = {row[0] for row in theirs}
    ours = {
        key(b.group, b.kind, b.gpu, float(b.gpus), b.precision, b.batch_size, b.benchmark, b.framework, b.unit)
        + key(float(b.throughput), b.higher_is_better, b.source, b.source_family, b.as_of)
        for b in catalogue.benchmarks
        if b.group in groups
    }
    yield from same_keys("benchmark", ours, theirs)
    for b in catalogue.benchmarks:
        if b.group not in groups and not (
            b.as_of and re.search(r"github:\S+ \S+ at (?:[0-9a-f]{8}|v[0-9.]+)", b.source)
        ):
            yield f"benchmark {b.group}, {b.gpu}: neither in the facts nor with the version of the file it comes from"


def check_names(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    """Regions, availability, quota families and software rows."""
    regions = facts.rows("azure_regions.csv")
    yield from same_keys("region", set(catalogue.regions), {row["region"] for row in regions})
    for row in regions:
        region = catalogue.regions[row["region"]]
        yield from differs(f"{region.name} geography", region.geography, row["geography"] or None)
        for spelling in (row["display_name"], row["retail_location_label"]):
            if spelling:
                yield from differs(f"{spelling} means", catalogue.canonical_region(spelling), region.name)
    yield from same_keys(
        "availability",
        {(a.series, a.region) for a in catalogue.availability},
        {(r["series"], catalogue.canonical_region(r["region"])) for r in facts.rows("azure_region_availability.csv")},
    )
    families = {family.api_name: family for family in catalogue.quota_families}
    quota = facts.rows("azure_quota_families.csv")
    yield from same_keys("quota family", set(families), {row["api_name"] for row in quota})
    for row in quota:
        family = families[row["api_name"]]
        yield from differs(f"{family.api_name} display name", family.display_name, row["display_name"] or None)
        spelled = {squash(text) for text in family.spellings}
        for text in re.sub(r"\([^)]*\)", "", row["other_spellings_seen"]).split(";"):
            if text.strip() and squash(text) not in spelled:
                yield f"{family.api_name}: spelling {text.strip()!r} is missing"
    yield from same_keys(
        "software",
        {(s.subject, s.component, s.first_version or "", s.last_version or "") for s in catalogue.software},
        {
            (r["gpu_or_cc"], r["component"], r["first_version"], r["last_version"])
            for r in facts.rows("gpu_software_support.csv")
        },
    )


def check_conflicts(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    """Conflicts are told in the fixtures' own words, so only their number can be compared: table rows and one more."""
    table = [line for line in facts.text("source_conflicts.md").splitlines() if line.startswith("| ")]
    if len(catalogue.conflicts) < len(table):  # the header line stands for the one told below the table
        yield f"conflicts: {len(catalogue.conflicts)} in the fixtures, {len(table)} in the facts"


def check_edge_sizes(facts: Facts, edge: EdgeCatalogue) -> Iterator[str]:
    rows = facts.rows("edge_vm_sizes.csv")
    yield from same_keys("edge size", set(edge.sizes), {row["size"] for row in rows})
    fits: dict[str, list[str]] = {}
    for found in size_fits(edge):
        if found.alone.verdict == "fits":
            fits.setdefault(found.size.name, []).append(EDGE_NAMES[found.device.name])
    for row in rows:
        size = edge.sizes[row["size"]]
        for ours, theirs in EDGE_FIGURES.items():
            yield from differs(f"{size.name} {ours}", getattr(size, ours), figure(row[theirs]))
        yield from differs(f"{size.name} card", size.card, row["gpu_model"].removeprefix("Tesla "))
        yield from differs(f"{size.name} family", size.family, row["family"])
        yield from differs(f"{size.name} premium storage", size.premium_storage, YES_NO.get(row["premium_storage"]))
        yield from differs(f"{size.name} as_of in the source", str(size.as_of) in row["source"], True)
        derived = "; ".join(sorted(dict.fromkeys(fits.get(size.name, ())))) or "none documented"
        theirs_sorted = "; ".join(sorted(row["fits_devices_derived"].split("; ")))
        yield from differs(f"{size.name} fits", derived, theirs_sorted)


def check_edge_orders(facts: Facts, edge: EdgeCatalogue) -> Iterator[str]:
    """Every case played through, and the copy that the tests use."""
    copy = Path(__file__).parent / "samples" / "edge" / "order_cases.csv"
    yield from differs("order cases of the tests", copy.read_text(encoding="utf-8"), facts.text("edge_order_cases.csv"))
    for row in facts.rows("edge_order_cases.csv"):
        gpus = int(row["gpus_on_device"])
        played = plan(edge, some_device(gpus, "T4" if gpus else None), parse_order(edge, row["sequence"]))
        outcomes = ";".join(f"{result.step.text}:{result.outcome}" for result in played.steps)
        yield from differs(f"{row['case_id']} outcomes", outcomes, row["step_outcomes"])
        for ours, theirs in (("vm_gpus", "vm_gpus_end"), ("k8s_gpus", "k8s_gpus_end"), ("free_gpus", "free_gpus_end")):
            known = None if row[theirs] == "?" else int(row[theirs])
            yield from differs(f"{row['case_id']} {ours}", getattr(played.end, ours), known)


def check_edge_samples(facts: Facts) -> Iterator[str]:
    """The copies of nvidia-smi outputs that the tests use."""
    ours = Path(__file__).parent / "samples" / "edge" / "smi"
    theirs = facts.directory / "nvidia_smi_samples"
    names = {path.name for path in theirs.iterdir()}
    yield from same_keys("nvidia-smi sample", {path.name for path in ours.iterdir()}, names)
    for name in sorted(names):
        yield from differs(f"sample {name}", (ours / name).read_bytes(), (theirs / name).read_bytes())


def check_edge_conflicts(facts: Facts, edge: EdgeCatalogue) -> Iterator[str]:
    """Each numbered disagreement of the last section has a row; the fixtures hold more, from the text."""
    numbered = re.findall(r"^\d+\. ", facts.text("edge_gpu_facts.md").partition("## 9.")[2], re.M)
    if len(edge.conflicts) < len(numbered):
        yield f"edge conflicts: {len(edge.conflicts)} in the fixtures, {len(numbered)} in the facts"


def check_fleet_samples(facts: Facts, catalogue: Catalogue) -> Iterator[str]:
    """Every sample is read as its right answer says: format, encoding, machines, hours, and the lines of errors."""
    folder = facts.directory / "fleet_samples"
    for expected in json.loads((folder / "expected.json").read_text(encoding="utf-8"))["files"]:
        name = expected["file"]
        with (folder / name).open("rb") as stream:
            reading = reading_json(read_file(name, stream, catalogue))
        for key in ("format", "encoding", "delimiter", "usable"):
            if key in expected:
                yield from differs(f"{name} {key}", reading[key], expected[key])
        ours = {(entry["size"], entry["region"]): entry for entry in reading["gpu"]}
        theirs = {(entry["size"], entry["region"]): entry for entry in expected.get("gpu", ())}
        yield from same_keys(name, set(ours), set(theirs))
        for key in ours.keys() & theirs.keys():
            for field in ("count", "hours", *FLEET_PARTS):
                unsaid = 0 if field in FLEET_PARTS else None
                yield from differs(f"{name} {key} {field}", ours[key][field], theirs[key].get(field, unsaid))
        yield from differs(f"{name} errors", _errors(reading["problems"]), _errors(expected.get("problems", ())))


def _errors(problems: Iterable[dict[str, Any]]) -> list[int]:
    """Lines, or elements of JSON, of the rows that cannot be used."""
    places = (p["line"] if p.get("line") is not None else p.get("item") for p in problems if p["severity"] == "error")
    return sorted(place for place in places if place is not None)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not (Path(arguments[0]) / "data").is_dir():
        sys.stderr.write("usage: python tests/check_shared.py DIR   (DIR holds data/)\n")
        return 2
    facts = Facts(Path(arguments[0]) / "data")
    (catalogue, book), edge = from_fixtures(), edge_from_fixtures()
    found = [
        *check_sizes(facts, catalogue),
        *check_gpus(facts, catalogue),
        *check_lifecycle(facts, catalogue),
        *check_prices(facts, catalogue, book),
        *check_benchmarks(facts, catalogue),
        *check_names(facts, catalogue),
        *check_conflicts(facts, catalogue),
        *check_edge_sizes(facts, edge),
        *check_edge_orders(facts, edge),
        *check_edge_samples(facts),
        *check_edge_conflicts(facts, edge),
        *check_fleet_samples(facts, catalogue),
    ]
    sys.stdout.writelines(f"{line}\n" for line in found)
    sys.stdout.write(f"{len(found)} differences between fixtures and facts\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
