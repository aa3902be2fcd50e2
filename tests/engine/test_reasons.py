"""Why a field of a pool's profile has its default."""

from __future__ import annotations

from advisor.engine.reasons import default_reasons
from advisor.engine.workload import PROFILE_FIELDS


def test_every_field_that_nobody_said_has_its_reason(ask, catalogue):
    pool = ask("NC6", 3)
    reasons = default_reasons(pool, catalogue)
    assert set(reasons) == set(PROFILE_FIELDS)
    assert all(reasons.values())


def test_a_field_that_was_said_has_none(ask, catalogue):
    pool = ask("NC6", 3, workload="hpc", utilisation=0.4)
    assert {"workload", "utilisation"} & default_reasons(pool, catalogue).keys() == set()


def test_the_memory_of_a_slice_is_that_of_the_slice(ask, catalogue):
    assert default_reasons(ask("NV12ads_A10_v5"), catalogue)["gpu_memory_gib"] == "that is what the present slice has"
    assert default_reasons(ask("NC6"), catalogue)["gpu_memory_gib"] == "that is what the present GPU has"
