"""The workload profile: defaults with their reasons, and what cannot be said."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.workload import BadProfile, ProfileFields, WorkloadProfile, complete, profile_fields, profile_rules


def profile(catalogue: Catalogue, size: str, vms: int = 4, hours: float = 730.0, **said: Any) -> WorkloadProfile:
    return complete(
        ProfileFields(**said),
        size=catalogue.sizes.get(f"Standard_{size}"),
        vms=vms,
        hours_per_vm=hours,
        steady_from_hours=657.0,
        catalogue=catalogue,
    )


@pytest.mark.parametrize(
    ("size", "kind"),
    [("NC6", "training"), ("ND40rs_v2", "training"), ("NV6", "graphics"), ("NC4as_T4_v3", "inference")],
)
def test_the_series_suggests_the_kind(catalogue: Catalogue, size: str, kind: str) -> None:
    assert profile(catalogue, size).kind == kind


@pytest.mark.parametrize(
    ("kind", "shape", "fewest"),
    [
        ("training", "queue", 1),
        ("hpc", "queue", 1),
        ("inference", "stream", 2),
        ("graphics", "seat", 4),
        ("dev", "seat", 4),
    ],
)
def test_the_kind_gives_shape_and_fewest_vms(catalogue: Catalogue, kind: str, shape: str, fewest: int) -> None:
    found = profile(catalogue, "NC6", workload=kind)
    assert (found.shape, found.min_vms) == (shape, fewest)


def test_one_vm_of_a_stream_may_stay_one(catalogue: Catalogue) -> None:
    assert profile(catalogue, "NC6", vms=1, workload="inference").min_vms == 1


def test_the_users_number_of_vms_beats_the_default(catalogue: Catalogue) -> None:
    assert profile(catalogue, "NC6", workload="inference", min_vms=3).min_vms == 3


@pytest.mark.parametrize(
    ("size", "kind", "precision"),
    [
        ("NC6", "training", "fp32"),  # K80: no tensor cores
        ("NC6s_v2", "inference", "fp32"),  # P100: none
        ("NC6s_v3", "training", "mixed"),
        ("NC6s_v3", "inference", "fp16"),
    ],
)
def test_precision_is_what_the_present_gpu_can_do(catalogue: Catalogue, size: str, kind: str, precision: str) -> None:
    assert profile(catalogue, size, workload=kind).precision == precision


@pytest.mark.parametrize(
    ("kind", "multi_node", "job"),
    [("training", None, 4), ("hpc", None, 4), ("training", True, 16), ("inference", None, 1), ("graphics", None, 1)],
)
def test_gpus_that_work_as_one(catalogue: Catalogue, kind: str, multi_node: bool | None, job: float) -> None:
    # NC24rs_v3 has 4 GPUs, 4 VMs have 16
    assert profile(catalogue, "NC24rs_v3", workload=kind, multi_node=multi_node).job_gpus == job


def test_a_job_has_no_more_gpus_than_the_pool(catalogue: Catalogue) -> None:
    found = profile(catalogue, "NC6s_v3", vms=2, job_gpus=8.0)
    assert found.job_gpus == 2
    assert "at most the 2 GPUs" in found.why


def test_memory_is_that_of_the_present_gpu_and_marked_assumed(catalogue: Catalogue) -> None:
    found = profile(catalogue, "NC6")
    assert (found.gpu_memory_gib, "gpu_memory_gib" in found.assumed) == (12.0, True)


def test_memory_of_a_slice_is_that_of_the_slice(catalogue: Catalogue) -> None:
    assert profile(catalogue, "NV12ads_A10_v5").gpu_memory_gib == 8.0  # a third of 24


def test_what_is_said_is_not_assumed(catalogue: Catalogue) -> None:
    found = profile(catalogue, "NC6", gpu_memory_gib=8.0, workload="hpc", interruptible=False)
    assert not found.assumed & {"gpu_memory_gib", "workload", "interruptible"}
    assert "utilisation" in found.assumed


def test_a_name_without_a_size_page_guesses_no_memory(catalogue: Catalogue) -> None:
    assert profile(catalogue, "NV28ads_V710_v5").gpu_memory_gib is None


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"workload": "gaming"}, "training, inference, hpc, graphics, dev"),
        ({"speed": 3}, "no profile field"),
        ({"utilisation": 0}, "above 0"),
        ({"utilisation": 1.5}, "share"),
        ({"gpu_memory_gib": float("nan")}, "number"),
        ({"min_vms": -1}, "above 0"),
        ({"multi_node": "yes"}, "true and false"),
        ({"job_gpus": True}, "number"),
    ],
)
def test_a_bad_field_is_named_with_what_is_allowed(values: dict[str, Any], told: str) -> None:
    with pytest.raises(BadProfile, match=told):
        profile_fields(values)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "list of rules"),
        ([{"match": {}}], 'rule 1: needs exactly the keys "match" and "set"'),
        ([{"match": {}, "set": {}}, {"match": {"colour": "*"}, "set": {}}], "rule 2: cannot match on 'colour'"),
        ([{"match": {"size": 6}, "set": {}}], "must be text"),
        ([{"match": {}, "set": {"utilisation": 140}}], "rule 1: utilisation"),
    ],
)
def test_a_bad_rule_is_named(document: object, told: str) -> None:
    with pytest.raises(BadProfile, match=told):
        profile_rules(document)
