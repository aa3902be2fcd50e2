"""Invariants on every row of the catalogue; what looks odd by design stands in a list with its reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from advisor.engine.catalogue import Catalogue, Size, squash
from advisor.engine.speed_prior import NAMES
from advisor.loading import FIXTURES

GPU_COUNTS = {1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 1, 2, 4, 8}
#: Series with sizes that name no quota family, and why.
NO_QUOTA_FAMILY = {
    "NC_RTXPRO6000BSE_v6": "preview sizes are in no SKU list",
    "NDv2": "ND40s_v2 was a preview",
    "ND_GB300_v6": "ND128isrG5_GB300_v6 stands on the August 2026 page only",
    "NVv3": "hs and ms sizes stand in the retirement page only",
    "NVv4": "ahs sizes stand in the retirement page only",
}


def rows(name: str) -> list[dict[str, Any]]:
    path = Path(settings.FIXTURE_DIRS[0]) / f"{name}.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module", params=sorted(FIXTURES))
def name(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


def test_every_row_is_of_its_file_s_kind_and_has_no_pk(name: str) -> None:
    assert {(row["model"], "pk" in row) for row in rows(name)} == {(FIXTURES[name]._meta.label_lower, False)}


def test_every_row_names_a_source(name: str) -> None:
    sources = ("source_a", "source_b") if name.endswith("conflicts") else ("source",)
    assert all(row["fields"][source].strip() for row in rows(name) for source in sources)


def test_every_row_has_a_day_that_is_not_in_the_future(name: str, catalogue: Catalogue) -> None:
    for row in rows(name):
        text = row["fields"]["as_of"]
        if name == "benchmarks":  # as published: a year, a month or a range of years
            assert re.fullmatch(r"20\d\d(-\d\d|-20\d\d)?", text)
        else:
            assert date.fromisoformat(text) <= catalogue.as_of


def test_rows_are_sorted_by_key_and_no_key_stands_twice(name: str) -> None:
    keys = [[str(row["fields"][part] or "") for part in FIXTURES[name].key] for row in rows(name)]
    assert keys == sorted(keys)
    assert len({tuple(key) for key in keys}) == len(keys)


def test_no_text_speaks_of_a_path_of_somebody_s_machine(name: str) -> None:
    assert not re.search(r'"(/|[^"]* /)(home|work|tmp|root|mnt)/', json.dumps(rows(name)))


def test_u48_gpu_counts_are_those_that_exist(catalogue: Catalogue) -> None:
    assert {size.gpus for size in catalogue.sizes.values()} - {None} == GPU_COUNTS
    assert catalogue.sizes["Standard_ND96isr_H100_v5"].gpus == 8


def test_gpu_memory_adds_up_or_is_missing_as_a_whole(catalogue: Catalogue) -> None:
    """Size refuses figures that disagree; here: none is given in part."""
    for size in catalogue.sizes.values():
        assert (size.gpu_memory_gib is None) == (size.gpu_memory_total_gib is None), size.name


def test_a_size_without_figures_is_special(catalogue: Catalogue) -> None:
    bare = [s for s in catalogue.sizes.values() if None in (s.gpus, s.gpu_memory_gib, s.vcpus, s.memory_gib)]
    assert all(size.special for size in bare)


def test_every_gpu_of_a_size_is_described(catalogue: Catalogue) -> None:
    for size in catalogue.sizes.values():
        assert (size.gpu in catalogue.gpus) == size.is_gpu, size.name


def test_vendor_of_size_and_gpu_agree(catalogue: Catalogue) -> None:
    for size in catalogue.sizes.values():
        assert size.gpu is None or size.vendor == catalogue.gpus[size.gpu].vendor, size.name


def test_memory_of_a_size_is_near_that_of_its_gpu(catalogue: Catalogue) -> None:
    """Azure lists 24 of a V710's 28 and 192 for a GB200's 186; a wrong GPU would be further off."""
    for size in catalogue.sizes.values():
        if size.gpu and size.gpu_memory_gib:
            assert size.gpu_memory_gib == pytest.approx(catalogue.gpus[size.gpu].memory_gib, rel=0.15), size.name


def test_infiniband_goes_with_rdma(catalogue: Catalogue) -> None:
    for size in catalogue.sizes.values():
        assert (size.infiniband_gbps == 0) == (size.rdma == "none"), size.name


def test_u29_only_nc24r_is_network_direct(catalogue: Catalogue) -> None:
    kinds = {size.short for size in catalogue.sizes.values() if size.rdma == "network-direct"}
    assert kinds == {"NC24r", "NC24r_Promo"}


def test_rdma_sizes_have_an_r_in_their_name(catalogue: Catalogue) -> None:
    for size in catalogue.sizes.values():
        assert (size.rdma not in (None, "none")) == bool(re.match(r"N[CD]\d+[a-z]*r", size.short)), size.name


def test_u16_nc24rs_v3_boots_generation_1_only(catalogue: Catalogue) -> None:
    assert catalogue.sizes["Standard_NC24rs_v3"].generations == (1,)
    assert catalogue.sizes["Standard_NC24s_v3"].generations == (1, 2)
    assert "generations" in {c.fact for c in catalogue.conflicts_of["Standard_NC24rs_v3"]}


def test_u14_and_u15_a100_boots_generation_2_only(catalogue: Catalogue) -> None:
    for name in ("Standard_NC24ads_A100_v4", "Standard_ND96asr_v4"):
        assert catalogue.sizes[name].generations == (2,)


def test_u23_the_grid_licence_is_yes_no_or_unknown(catalogue: Catalogue) -> None:
    support = catalogue.series_support
    assert support["NVadsA10_v5"].grid_licence_included is True
    assert support["NCasT4_v3"].grid_licence_included is None
    assert support["NC_A100_v4"].grid_licence_included is False


def test_u37_and_u38_both_figures_are_shown(catalogue: Catalogue) -> None:
    assert catalogue.sizes["Standard_NC4as_T4_v3"].temp_disk_gib == 176
    assert catalogue.sizes["Standard_NC24ads_A100_v4"].max_data_disks == 8
    assert "temp_disk_gib" in {c.fact for c in catalogue.conflicts_of["Standard_NC4as_T4_v3"]}
    assert "max_data_disks" in {c.fact for c in catalogue.conflicts_of["Standard_NC24ads_A100_v4"]}


def test_every_series_has_drivers_and_quota_or_a_reason(catalogue: Catalogue) -> None:
    spellings = {squash(s) for family in catalogue.quota_families for s in family.spellings}
    for size in catalogue.sizes.values():
        assert size.series in catalogue.series_support
        if size.family_quota is None:
            assert size.series in NO_QUOTA_FAMILY, size.name
        else:
            assert squash(size.family_quota) in spellings, size.name


def test_preview_and_confidential_and_rack_scale_sizes_are_special(catalogue: Catalogue) -> None:
    special = Counter(size.series for size in catalogue.sizes.values() if size.special)
    assert special == {
        "NC_RTXPRO6000BSE_v6": 6,
        "NCCads_H100_v5": 1,
        "NCads_A10_v4": 3,
        "NDv2": 1,
        "ND_GB200_v6": 1,
        "ND_GB300_v6": 2,
        "ND_MI300X_v5": 1,
        "NP": 3,
        "NVv2": 3,
        "NVv3": 3,
        "NVv4": 4,
    }


def test_names_that_are_only_listed_are_no_sizes(catalogue: Catalogue) -> None:
    keys = Counter(squash(name) for name in (*catalogue.sizes, *catalogue.listed_names))
    assert max(keys.values()) == 1


def test_no_spelling_means_two_regions(catalogue: Catalogue) -> None:
    owners: dict[str, set[str]] = {}
    for region in catalogue.regions.values():
        for spelling in (region.name, region.display_name, *region.aliases):
            owners.setdefault(squash(spelling), set()).add(region.name)
    assert {key: names for key, names in owners.items() if len(names) > 1} == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("EU West", "westeurope"),
        ("WESTEUROPE", "westeurope"),
        ("한국 중부", "koreacentral"),
        ("미국 동부", "eastus"),
        ("東日本", "japaneast"),
        ("US Gov Virginia", "usgovvirginia"),
        ("USGov Arizona", "usgovarizona"),
        ("South East Asia", "southeastasia"),
        ("AP East", "eastasia"),
    ],
)
def test_regions_are_known_by_the_names_of_bills(catalogue: Catalogue, text: str, name: str) -> None:
    assert catalogue.canonical_region(text) == name


@pytest.mark.parametrize("text", ["ND96asr_A100_v4", "ND96asr A100 v4", "Standard_ND96asr_v4"])
def test_meters_by_another_name_are_the_same_size(catalogue: Catalogue, text: str) -> None:
    assert catalogue.canonical_size(text) == "Standard_ND96asr_v4"


def test_facts_name_only_what_exists(catalogue: Catalogue) -> None:
    sizes, gpus, regions = set(catalogue.sizes), set(catalogue.gpus), set(catalogue.regions)
    series = {size.series for size in catalogue.sizes.values()}
    assert {e.size for e in catalogue.events} <= sizes
    assert {e.region for e in catalogue.events} - {None} <= regions
    assert {s for c in catalogue.conflicts for s in c.sizes} <= sizes
    assert {m.from_size for m in catalogue.moves} | ({m.to_size for m in catalogue.moves} - {None}) <= sizes
    assert {m.to_series for m in catalogue.moves} - {None} <= series
    assert {b.gpu for b in catalogue.benchmarks} <= gpus
    assert {g for row in catalogue.software for g in row.gpus} <= gpus
    assert {a.series for a in catalogue.availability} <= series
    assert {a.region for a in catalogue.availability} <= regions
    assert {s for q in catalogue.quota_families for s in q.sizes} <= sizes | set(catalogue.listed_names)


def test_every_move_has_exactly_one_target(catalogue: Catalogue) -> None:
    assert all((move.to_size is None) != (move.to_series is None) for move in catalogue.moves)


def test_every_retired_size_has_a_documented_move_or_none_was_found(catalogue: Catalogue) -> None:
    ended = {e.size for e in catalogue.events if e.event == "retires" and e.publisher == "microsoft"}
    without = ended - {move.from_size for move in catalogue.moves}
    assert without == {"Standard_ND40s_v2"}  # withdrawn preview


def test_the_speed_model_is_fitted_on_all_rows_and_without_each_scored_source(catalogue: Catalogue) -> None:
    families = {row.source_family for row in catalogue.benchmarks if row.kind != "kernel"}
    assert {fit.left_out for fit in catalogue.speed_fits} == {"", *families}


def test_every_speed_fit_has_all_parameters_and_variances_above_0(catalogue: Catalogue) -> None:
    for fit in catalogue.speed_fits:
        assert set(fit.parameters) == set(NAMES)
        assert all(value > 0 for value in (*fit.variances.values(), *fit.stretches.values()))


def test_benchmarks_are_above_zero(catalogue: Catalogue) -> None:
    assert all(row.throughput > 0 and row.gpus > 0 for row in catalogue.benchmarks)


def test_sustained_shares_are_shares(catalogue: Catalogue) -> None:
    for gpu in catalogue.gpus.values():
        shares = (gpu.share_fp32, gpu.share_tensor, gpu.share_bandwidth, gpu.share_int8)
        assert all(share is None or 0 < share <= 1 for share in shares), gpu.name
        assert (gpu.share_tensor is None) == (gpu.fp16_tensor_tflops is None), gpu.name


def test_a_slice_is_an_exact_fraction(catalogue: Catalogue) -> None:
    slices = [size for size in catalogue.sizes.values() if size.is_slice]

    def whole(size: Size) -> float:
        return 1 / (size.gpus or 1)

    assert {round(whole(size)) for size in slices} == {2, 3, 4, 6, 8}
    assert all(whole(size) == round(whole(size)) for size in slices)
