"""Facts beside the sizes: every series and GPU they speak of is known, and branches and versions are in order."""

from __future__ import annotations

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.fact_kinds import version_key
from advisor.engine.guest_systems import system_of
from advisor.engine.platform import gpu_family
from advisor.engine.platform_facts import FAMILIES
from advisor.engine.rulebook.software import VGPU_OF_BRANCH


def test_every_series_is_one_of_the_catalogue(catalogue: Catalogue) -> None:
    series = {size.series for size in catalogue.sizes.values()}
    for rows in (catalogue.drivers, catalogue.systems, catalogue.platforms.values()):
        assert {row.series for row in rows} <= series  # type: ignore[attr-defined]


def test_a_driver_is_of_its_branch_and_of_a_kind_that_the_series_takes(catalogue: Catalogue) -> None:
    for row in catalogue.drivers:
        if row.version and row.branch is not None:
            assert version_key(row.version)[0] == row.branch, row
        if row.branch is not None:
            assert (row.minimum_branch or 0) <= row.branch <= (row.maximum_branch or row.branch), row
        support = catalogue.series_support[row.series]
        assert support.driver is not None and row.kind in support.driver, row


def test_the_vgpu_release_of_a_branch_is_that_of_the_drivers(catalogue: Catalogue) -> None:
    for branch, release in VGPU_OF_BRANCH:
        found = {row.vgpu for row in catalogue.drivers if row.kind == "grid" and row.branch == branch}
        assert found == {release}


def test_systems_are_named_as_files_are_read_and_oldest_comes_first(catalogue: Catalogue) -> None:
    for row in catalogue.systems:
        assert row.family in FAMILIES
        assert version_key(row.oldest) <= version_key(row.newest)
        assert system_of(f"{row.family} {row.oldest}") == f"{row.family} {row.oldest}"


def test_images_are_named_as_files_are_read_and_speak_of_gpus_of_the_catalogue(catalogue: Catalogue) -> None:
    families = {gpu_family(name) for name in catalogue.gpus}
    for row in catalogue.images:
        assert system_of(row.image) == row.image
        assert row.gpu in families


@pytest.mark.parametrize(("gpu", "family"), [("A10", "A10"), ("A100 PCIe 80GB", "A100"), ("V100 SXM2 32GB", "V100")])
def test_the_family_of_a_gpu_is_no_other_s_beginning(gpu: str, family: str) -> None:
    assert gpu_family(gpu) == family
