"""Random fleets as the text of a hand list, the same for the same seed."""

from __future__ import annotations

import csv
import io
import random

from advisor.engine.catalogue import Catalogue

HEADER = ("name", "size", "region", "count", "hours_per_vm", "os", "workload", "pool", "utilisation", "gpu_memory_gib")
SERIES = (
    *("NC", "NCv2", "NCv3", "ND", "NDv2", "NV", "NVv3", "NVv4", "NCasT4_v3", "NVadsA10_v5"),
    *("NCads_A100_v4", "NDasrA100_v4", "NCadsH100_v5"),
)
REGIONS = ("westeurope", "northeurope", "eastus", "southcentralus", "uksouth", "japaneast", "chinanorth3", "")


def random_fleet(seed: int, catalogue: Catalogue) -> str:
    """A hand list of two to five rows: any series and region, some hours and profiles left open."""
    rng = random.Random(seed)
    sizes = sorted(name for name, size in catalogue.sizes.items() if size.series in SERIES)
    stream = io.StringIO(newline="")
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(HEADER)
    for number in range(rng.randint(2, 5)):
        table.writerow(
            (
                f"vm-{seed}-{number}",
                rng.choice(sizes),
                rng.choice(REGIONS if number else REGIONS[:-1]),  # a row without a region is refused
                rng.choice((1, 2, 3, 8, 20, 130)),
                rng.choice(("", 730, 730, 400, 80)),
                rng.choice(("Linux", "Linux", "Windows")),
                rng.choice(("", "training", "inference", "hpc", "graphics", "dev")),
                rng.choice(("", "", "blue", "green")),
                rng.choice(("", "", 10, 55, 100)),
                rng.choice(("", "", "", 8)),
            )
        )
    return stream.getvalue()
