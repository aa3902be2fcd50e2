"""Invariants of what is known about edge devices, and that the engine names only statements that exist."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from advisor import store
from advisor.engine.edge.devices import EdgeCatalogue
from tests import shipped

ENGINE = Path(__file__).parents[2] / "advisor" / "engine" / "edge"
TOPICS = "device|size|room|order|cluster|share|plugin|yaml|mps|smi|driver|life"
#: Words of the same shape that are no statements: an own problem of the checker, and conflicts.
OTHERS = {"yaml-syntax", "order-two-vms"}


@pytest.fixture(scope="module")
def edge() -> EdgeCatalogue:
    return shipped.edge()


@pytest.mark.django_db
def test_the_database_gives_what_the_files_say(edge: EdgeCatalogue):
    assert replace(store.edge(), version=edge.version) == edge  # the version names the price books there are, too


def test_every_statement_that_the_engine_names_exists(edge: EdgeCatalogue):
    text = "".join(path.read_text(encoding="utf-8") for path in ENGINE.glob("*.py"))
    named = set(re.findall(rf'"((?:{TOPICS})-[a-z0-9-]+)"', text)) - OTHERS
    assert len(named) > 60
    assert named - set(edge.facts) == set()


def test_a_code_begins_with_its_topic(edge: EdgeCatalogue):
    starts = {fact.topic: fact.code.partition("-")[0] for fact in edge.facts.values()}
    assert set(starts.values()) == set(TOPICS.split("|"))
    assert all(fact.code.startswith(starts[fact.topic]) for fact in edge.facts.values())


def test_a_figure_has_a_unit(edge: EdgeCatalogue):
    assert all((fact.figure is not None) == bool(fact.unit) for fact in edge.facts.values() if fact.basis != "measured")


def test_devices_offer_no_more_than_they_have(edge: EdgeCatalogue):
    for device in edge.devices.values():
        if device.usable_vcpus is not None and device.total_vcpus is not None:
            assert 0 < device.usable_vcpus <= device.total_vcpus
            assert 0 < (device.usable_memory_gib or 0) <= (device.total_memory_gib or 0)
        assert device.lifecycle_note
        assert f"{device.gpus} \u00d7 {device.card}" in device.label or not device.gpus


def test_both_cards_have_the_figures_that_sharing_counts_with(edge: EdgeCatalogue):
    for card in {device.card for device in edge.devices.values()} - {None}:
        assert edge.figure(f"device-memory-{card.lower()}") < 16 * 1024
        assert edge.figure(f"device-sms-{card.lower()}") > 0


def test_34_sizes_of_two_cards(edge: EdgeCatalogue):
    cards = [size.card for size in edge.sizes.values()]
    assert (cards.count("T4"), cards.count("A2")) == (17, 17)
    assert {size.name for size in edge.sizes.values() if size.max_gpus > 1} == {
        "Standard_NC32as_2T4_v1",
        "Standard_NC32as_2A2_v1",
        "Custom_GPU_T4_v3",
        "Custom_GPU_A2",
    }


def test_releases_follow_each_other(edge: EdgeCatalogue):
    names = list(edge.releases)
    assert names == sorted(names)
    assert all(set(release.updates_from) < set(names) for release in edge.releases.values())
    assert edge.releases["2607"].published == date(2026, 8, 19)


@pytest.mark.parametrize(
    ("release", "path"),
    [
        ("2309", ("2501", "2510", "2607")),
        ("2501", ("2510", "2607")),
        ("2510", ("2607",)),
        ("2604", ("2607",)),
        ("2607", ()),
    ],
)
def test_update_paths(edge: EdgeCatalogue, release: str, path: tuple[str, ...]):
    assert edge.update_path(release) == path


def test_conflicts_show_two_versions(edge: EdgeCatalogue):
    assert len(edge.conflicts) >= 10
    assert all(c.version_a != c.version_b and c.reason for c in edge.conflicts)
