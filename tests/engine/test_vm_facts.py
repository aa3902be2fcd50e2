"""Facts of machines: which value counts where the VMs of a pool differ, and that nothing said is never a yes or no."""

from __future__ import annotations

import pytest

from advisor.engine.guest_systems import system_of
from advisor.engine.vm_facts import BadFact, VmFacts, facts_of, pool_facts, read_fact, shown, strictest


@pytest.mark.parametrize(
    ("name", "tally", "value", "is_open"),
    [
        ("generation", {2.0: 9, 1.0: 3}, 1.0, False),  # one Generation 1 VM stops the pool
        ("generation", {2.0: 9, None: 3}, None, True),  # three may be Generation 1
        ("generation", {1.0: 1, None: 3}, 1.0, False),  # nothing is stricter
        ("data_disks", {2.0: 9, 9.0: 1, None: 1}, 9.0, True),  # nine are too many for 8, whatever the other has
        ("availability_set", {0.0: 4, 1.0: 1}, 1.0, False),
        ("availability_set", {0.0: 4, None: 1}, None, True),
        ("driver", {"535.161": 1, "535.54": 1, "550.90": 5}, "535.54", False),  # versions compare part by part
        ("security_type", {"standard": 5, "trusted-launch": 1}, "trusted-launch", False),
        ("zone", {"1": 3, "2": 2, "none": 1}, "1+2", False),
        ("extensions", {"none": 3, "nvidia-driver": 1, "other": 1}, "nvidia-driver+other", False),
        ("image", {"ubuntu 18.04": 1, "ubuntu 22.04": 4}, "ubuntu 18.04", False),
        ("image", {"ubuntu 18.04": 1, "rhel 8.8": 4}, None, False),  # neither stands for the other
    ],
)
def test_the_strictest_value_counts(name, tally, value, is_open) -> None:
    assert strictest(name, tally) == (value, is_open)


def test_what_a_person_says_of_the_pool_beats_all_and_is_marked() -> None:
    found = pool_facts([(VmFacts(generation=1.0), 3), (VmFacts(), 9)], VmFacts(generation=2.0))
    assert (found.values.generation, found.open, found.said) == (2.0, frozenset(), {"generation"})
    assert dict(found.tallies)["generation"] == ((2.0, 12.0),)


def test_the_vms_of_each_value_are_counted() -> None:
    found = pool_facts([(VmFacts(zone="1"), 2), (VmFacts(zone="2"), 5), (VmFacts(), 1)])
    assert dict(found.tallies)["zone"] == (("2", 5.0), ("1", 2.0), (None, 1.0))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0001-com-ubuntu-server-jammy 22_04-lts-gen2", "ubuntu 22.04"),
        ("ubuntu-hpc 2204", "ubuntu-hpc 22.04"),
        ("WindowsServer 2019-datacenter-gensecond", "windows-server 2019"),
        ("windows-11 win11-22h2-ent", "windows 11"),
        ("RHEL 8_8", "rhel 8.8"),
        ("my own image", "other"),
        ("", None),
    ],
)
def test_systems_are_known_by_what_images_are_called(text, found) -> None:
    assert system_of(text) == found


def test_a_bad_fact_says_what_is_allowed() -> None:
    with pytest.raises(BadFact, match="generation is '3', allowed is 1 or 2"):
        read_fact("generation", "3")
    with pytest.raises(BadFact, match="'wheels' is no fact of a machine"):
        facts_of({"wheels": "4"})
    assert facts_of({"secure_boot": False, "nics": 2, "driver": ""}) == VmFacts(secure_boot=0.0, nics=2.0)


def test_values_are_shown_in_words() -> None:
    assert [shown("secure_boot", 0.0), shown("os_disk_gib", 360.0), shown("zone", "1+2"), shown("cuda", None)] == [
        "no",
        "360 GiB",
        "1, 2",
        "not said",
    ]
