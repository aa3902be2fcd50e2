"""Pasted text: every size by line, in what state, and what it could be; hostile text is only text."""

from __future__ import annotations

import pytest

from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.scan import MAX_NAMES, MAX_PLACES, Scan, mentions_in, scan_text
from tests.factories import AS_OF

#: Made up after the how-to of case U11: a page of documentation that still uses a dead size.
HOW_TO = """# Use GPUs on AKS

```azurecli
az aks nodepool add --name gpunp --node-vm-size Standard_NC6 --node-count 1
```

Or in Terraform:

```hcl
resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  vm_size    = "Standard_NC24ads_A100_v4"
}
```
"""
MANY = """- name: a
  vmSize: standard_nc6s_v3
  spare: [Standard_NP10s, "Standard_NV6s_v2"]
size: NC6x
  sku: Standard_NC8ads_A10_v4   # and NC24ads A100 v4, NV12 too
plain NC6 is named twice: NC6
"""


def told(text: str, catalogue: Catalogue) -> list[tuple[int, int, str | None]]:
    return [(m.line, m.column, m.size) for m in mentions_in(text.splitlines(), catalogue)]


def states(scan: Scan) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {one.name: (one.state, one.lines) for one in scan.found}


def test_u11_a_dead_size_in_documentation_is_found_by_line(world: World) -> None:
    scan = scan_text(HOW_TO, world, AS_OF)
    assert states(scan) == {"Standard_NC6": ("dead", (4,)), "Standard_NC24ads_A100_v4": ("current", (11,))}
    dead = scan.found[0]
    assert dead.status is not None and str(dead.status.retirement_date) == "2023-09-06"
    assert dead.instead is not None and dead.instead.size == "Standard_NC4as_T4_v3"  # design 4.9
    assert {move.to_size for move in dead.documented} == {"Standard_NC4as_T4_v3", "Standard_NC8as_T4_v3"}


def test_every_state_is_told_worst_first(world: World) -> None:
    scan = scan_text(MANY, world, AS_OF)
    assert states(scan) == {
        "Standard_NC6": ("dead", (6,)),
        "Standard_NC6s_v3": ("dead", (2,)),
        "Standard_NV12": ("dead", (5,)),
        "Standard_NP10s": ("dying", (3,)),
        "NC6x": ("unknown", (4,)),
        "Standard_NV6s_v2": ("unknown", (3,)),
        "Standard_NC24ads_A100_v4": ("current", (5,)),
        "Standard_NC8ads_A10_v4": ("current", (5,)),
    }
    assert [one.state for one in scan.found] == ["dead"] * 3 + ["dying"] + ["unknown"] * 2 + ["current"] * 2
    assert scan.mentions == 9


def test_regions_with_a_date_of_their_own_are_named(world: World) -> None:
    (one,) = scan_text("NC6s_v3", world, AS_OF).found
    assert {str(lane.last_end) for lane in one.elsewhere} == {"2026-12-31", "2027-06-30"}


def test_a_name_that_is_none_has_suggestions(world: World) -> None:
    (one,) = scan_text("vm_size = NC6x", world, AS_OF).found
    assert (one.known, "Standard_NC6" in one.near) == (False, True)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Standard_NC6", "Standard_NC6"),
        ("standard_nc6", "Standard_NC6"),
        ("'nc6s_v3'", "Standard_NC6s_v3"),
        ("- nc6s_v3", "Standard_NC6s_v3"),
        ("NC6s v3 Spot", "Standard_NC6s_v3"),
        ("Standard NC24ads A100 v4", "Standard_NC24ads_A100_v4"),
        ("NC6_Promo,", "Standard_NC6_Promo"),
        ("Standard_ND128isr_NDR_GB200_v6", "Standard_ND128isr_NDR_GB200_v6"),
        ("Standard_NCC40ads_H100_v5", "Standard_NCC40ads_H100_v5"),
        ("Standard_NC6_blue", "Standard_NC6"),  # a name made of a size and a word
        ("Standard_NC6_v9", None),  # no size; and not NC6
        (r"use Standard\_NC6s\_v3 here", "Standard_NC6s_v3"),  # Markdown
        (r"NC24ads\_A100\_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC6s\u00a0v3", "Standard_NC6s_v3"),
        ("Standard\u202fNC6s v3", "Standard_NC6s_v3"),
        ("<td>NC6s&nbsp;v3</td>", "Standard_NC6s_v3"),
        (r'"command": "az vm create\nStandard_NC6"', "Standard_NC6"),
        ("az aks nodepool add --node-vm-size nc6s_v3 -g rg", "Standard_NC6s_v3"),
        ("az vm create --size nc6 --name a", "Standard_NC6"),
        ("  size: nc6s_v3", "Standard_NC6s_v3"),
        ("  vmSize: nv12 # for video", "Standard_NV12"),
        ("instance_type = nc6s_v9", None),
        ("we run nc6s_v3 and others", "Standard_NC6s_v3"),
    ],
)
def test_spellings(catalogue: Catalogue, text: str, size: str | None) -> None:
    assert [one for *_place, one in told(text, catalogue)] == [size]


@pytest.mark.parametrize(
    "text",
    [
        "ffmpeg -pix_fmt nv12 -i a",
        "-vf format=nv12,hwupload",
        "pix_fmt: nv12",
        "frame size nv12 or nv16 of the decoder",
        "total = np1_v2 + np1_v1",
        "the nc6 of the team",
        "the nc6_pool of nodes",
        "in size: no, nc6 is small",
        "a1NC6",
        "Standard_D4s_v5",
        "NCv3-series",
        "my_NC6",
        "nd",
        "ANC6",
        "NC6000",
    ],
)
def test_what_is_no_size_is_left_alone(catalogue: Catalogue, text: str) -> None:
    assert told(text, catalogue) == []


def test_line_and_column_count_from_one(catalogue: Catalogue) -> None:
    assert told("\r\n  a: Standard_NC6\r\n", catalogue) == [(2, 6, "Standard_NC6")]


@pytest.mark.parametrize(
    "text",
    ["", "\0" * 900, "NC6" * 90_000, "NC6_" * 90_000, "Standard_" * 90_000, "nc6 " * 90_000, '"nc6' * 90_000],
)
def test_hostile_text_is_only_text(world: World, text: str) -> None:
    scan = scan_text(text, world, AS_OF)
    assert scan.mentions == sum(one.places for one in scan.found)
    assert all(len(one.mentions) == min(one.places, MAX_PLACES) for one in scan.found)


def test_a_name_counts_once_so_that_a_long_file_is_read_to_its_end(world: World) -> None:
    scan = scan_text("Standard_NC4as_T4_v3\n" * 2_100 + "Standard_NC6\n", world, AS_OF)
    assert scan.read_to is None
    assert states(scan)["Standard_NC6"] == ("dead", (2_101,))
    t4 = next(one for one in scan.found if one.name == "Standard_NC4as_T4_v3")
    assert (scan.mentions, t4.places, len(t4.mentions), t4.places_left) == (2_101, 2_100, 1_000, 1_100)


def test_a_text_with_too_many_names_says_how_far_it_was_read(world: World) -> None:
    names = "".join(f"NC{number}{letters}\n" for number in range(1, 100) for letters in "abcdefghijklmnopqrstuvwxyz")
    scan = scan_text(names + "Standard_NC6\n", world, AS_OF)
    assert (len(scan.found), scan.read_to) == (MAX_NAMES, MAX_NAMES)
    assert "Standard_NC6" not in states(scan)
