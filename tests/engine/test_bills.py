"""Bills worked out by hand, to the cent: every component of the cost of ownership of one named option.

Prices are those of fixtures/prices.json, with source and day beside them; machines, hours and assumptions are written
out. Shared by all bills, as on the list of assumptions:

    95.00 USD an engineer's hour; 16 h for a pool and 3 h for each VM to redeploy, 40 h and 3 h to rebuild, 240 h and
    3 h to port, 4 h and 1 h to resize; 4 h of training for a new driver, 40 h for another vendor; 14 days side by side
    but for a resize; 19.71 USD a month for a disk, one system disk for each new VM and one data disk for each of
    today's; 50 GiB a month of traffic at 0.087 USD for each of today's VMs that runs all month (4.35 USD); half an hour
    a month of work on each new VM (47.50 USD); 8 % a year.

A month has 730 h and 365 / 12 days. What is lost of commitments held has bills of its own in test_stranded.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.engine.quotes import Quotes
from tests import shipped
from tests.engine.conftest import Ask
from tests.factories import make_reading, make_request, make_row, option_of

PARTS = (
    *("compute", "windows_licence", "grid_licence", "disks", "network", "operations"),
    *("migration_labour", "staff_training", "parallel_running", "data_transfer", "stranded_commitments", "second_move"),
)


def worth(months: int, rate: float = 0.08) -> float:
    """What 1 a month is worth today, payment by payment."""
    return math.fsum((1 + rate) ** (-month / 12) for month in range(1, months + 1))


W12, W36, W60 = worth(12), worth(36), worth(60)
DAYS = 365 / 12  # of a month


@dataclass(frozen=True, kw_only=True)
class Bill:
    """A pool, what is asked, the option looked at, and what it must come to. Parts that are not named are 0."""

    size: str
    count: int
    region: str = "westeurope"
    row: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    option: str
    verdict: str
    vms: int
    hours: float
    monthly: float
    parts: dict[str, float]


BILLS = {
    "a stay that runs all month": Bill(
        size="NC24ads_A100_v4", count=4, row={"hours": 730}, asked={"workload": "training"},
        option="NC24ads_A100_v4", verdict="stay", vms=4, hours=4 * 730,
        monthly=2920 * 4.775,  # azure-pricing-radar, 2026-08-22; 13,943.00
        parts={
            "compute": 13943.0 * W36,
            "disks": (4 + 4) * 19.71 * W36,
            "network": 4 * 4.35 * W36,
            "operations": 4 * 47.5 * W36,
        },
    ),
    "a stay over five years": Bill(
        size="NC24ads_A100_v4", count=2, row={"hours": 730}, asked={"workload": "training", "horizon_months": 60},
        option="NC24ads_A100_v4", verdict="stay", vms=2, hours=1460,
        monthly=1460 * 4.775,  # azure-pricing-radar, 2026-08-22; 6,971.50
        parts={
            "compute": 6971.5 * W60,
            "disks": (2 + 2) * 19.71 * W60,
            "network": 2 * 4.35 * W60,
            "operations": 2 * 47.5 * W60,
        },
    ),
    "a resize over a year without discounting": Bill(
        size="NC4as_T4_v3", count=4, row={"hours": 730},
        asked={"workload": "inference", "horizon_months": 12, "assume": (("discount_rate", 0.0),)},
        option="NC8as_T4_v3", verdict="resize", vms=4, hours=2920,
        monthly=2920 * 0.94,  # azure-pricing-radar, 2026-08-22; 2,744.80
        parts={
            "compute": 12 * 2744.8,  # 32,937.60
            "disks": 12 * (4 + 4) * 19.71,  # 1,892.16
            "network": 12 * 4 * 4.35,  # 208.80
            "operations": 12 * 4 * 47.5,  # 2,280.00
            "migration_labour": (4 + 4 * 1) * 95,  # 760.00
        },
    ),
    "a resize over a year at 8 %": Bill(
        size="NC4as_T4_v3", count=4, row={"hours": 730}, asked={"workload": "inference", "horizon_months": 12},
        option="NC8as_T4_v3", verdict="resize", vms=4, hours=2920,
        monthly=2744.8,  # as above
        parts={
            "compute": 2744.8 * W12,
            "disks": 157.68 * W12,
            "network": 17.4 * W12,
            "operations": 190.0 * W12,
            "migration_labour": 760.0,
        },
    ),
    "seats on Windows, licence by the difference of two rows": Bill(
        size="NV12s_v3", count=20, row={"hours": 200, "os": "windows"}, asked={"workload": "graphics"},
        option="NV12ads_A10_v5", verdict="resize", vms=20, hours=20 * 200,
        monthly=4000 * 1.732,  # the Windows row: azure-pricing-radar, 2026-08-22; 6,928.00
        parts={
            "compute": 4000 * 1.18 * W36,  # the Linux row of the same day
            "windows_licence": 4000 * (1.732 - 1.18) * W36,
            "disks": (20 + 20) * 19.71 * W36,
            "network": 20 * (200 / 730) * 4.35 * W36,
            "operations": 20 * 47.5 * W36,
            "migration_labour": (4 + 20 * 1) * 95,  # 2,280.00
        },
    ),
    "the same seats with licences that are owned": Bill(
        size="NV12s_v3", count=20, row={"hours": 200, "os": "windows"},
        asked={"workload": "graphics", "assume": (("hybrid_benefit", 1.0),)},
        option="NV12ads_A10_v5", verdict="resize", vms=20, hours=4000,
        monthly=4000 * 1.18,  # azure-pricing-radar, 2026-08-22; 4,720.00
        parts={
            "compute": 4720.0 * W36,
            "disks": 40 * 19.71 * W36,
            "network": 20 * (200 / 730) * 4.35 * W36,
            "operations": 20 * 47.5 * W36,
            "migration_labour": 2280.0,
        },
    ),
    "seats on Windows, licence by the vCPU": Bill(
        size="NV12ads_A10_v5", count=3, region="koreasouth", row={"hours": 160, "os": "windows"},
        asked={"workload": "graphics"},
        option="NV18ads_A10_v5", verdict="resize", vms=3, hours=480,
        monthly=480 * (2.0 + 18 * 0.046),  # karpenter-provider-azure, 2026-06-18; no Windows row; 1,357.44
        parts={
            "compute": 480 * 2.0 * W36,
            "windows_licence": 480 * 0.828 * W36,
            "disks": (3 + 3) * 19.71 * W36,
            "network": 3 * (160 / 730) * 4.35 * W36,
            "operations": 3 * 47.5 * W36,
            "migration_labour": (4 + 3 * 1) * 95,  # 665.00
        },
    ),
    "development on Windows under a Dev/Test offer": Bill(
        size="NC8as_T4_v3", count=3, row={"hours": 90, "os": "windows"},
        asked={"workload": "dev", "assume": (("dev_test", 1.0),)},
        option="NC4as_T4_v3", verdict="resize", vms=3, hours=270,
        monthly=270 * 0.658,  # azure-pricing-radar, 2026-08-22; 177.66
        parts={
            "compute": 177.66 * W36,
            "disks": 6 * 19.71 * W36,
            "network": 3 * (90 / 730) * 4.35 * W36,
            "operations": 3 * 47.5 * W36,
            "migration_labour": 665.0,
        },
    ),
    "seats that need a GRID licence": Bill(
        size="NV12s_v3", count=20, row={"hours": 200, "os": "windows"},
        asked={"workload": "graphics", "assume": (("grid_licence", 30.0),)},
        option="NC8as_T4_v3", verdict="resize", vms=20, hours=4000,
        monthly=4000 * 1.308,  # azure-pricing-radar, 2026-08-22: Windows 1.308, Linux 0.94; 5,232.00
        parts={
            "compute": 4000 * 0.94 * W36,
            "windows_licence": 4000 * 0.368 * W36,
            "grid_licence": 20 * 30 * W36,
            "disks": 40 * 19.71 * W36,
            "network": 20 * (200 / 730) * 4.35 * W36,
            "operations": 20 * 47.5 * W36,
            "migration_labour": 2280.0,
        },
    ),
    "a stream of requests under a reservation of a year": Bill(
        size="NC4as_T4_v3", count=6, region="polandcentral", row={"hours": 300},
        asked={"workload": "inference", "price_model": "ri_1y"},
        option="NC4as_T4_v3", verdict="stay", vms=6, hours=6 * 300,
        monthly=6 * 730 * 0.386986,  # every hour is paid: azure-vm-price-importer, 2026-01-26
        parts={
            "compute": 6 * 730 * 0.386986 * W36,
            "disks": 12 * 19.71 * W36,
            "network": 6 * (300 / 730) * 4.35 * W36,
            "operations": 6 * 47.5 * W36,
        },
    ),
    "a queue on faster GPUs under a reservation of three years": Bill(
        size="NC6s_v3", count=6, region="polandcentral", row={"hours": 300},
        asked={
            "workload": "training", "price_model": "ri_3y",
            "measured": {("V100 PCIe 16GB", "A100 PCIe 80GB"): 2.0},
        },
        option="NC24ads_A100_v4", verdict="redeploy",
        vms=3,  # 6 V100 / 2
        hours=1800 / 2 + 3 * 20 * 0.25,  # 915: the work at twice the speed, and 20 starts of a quarter of an hour
        monthly=3 * 730 * 1.771956,  # every hour is paid: azure-vm-price-importer, 2026-01-26
        parts={
            "compute": 3 * 730 * 1.771956 * W36,
            "disks": (3 + 6) * 19.71 * W36,
            "network": 6 * (300 / 730) * 4.35 * W36,
            "operations": 3 * 47.5 * W36,
            "migration_labour": (16 + 3 * 3) * 95,  # 2,375.00; NC6s_v3 is retired, nothing runs beside it
        },
    ),
    "two machines become one under a savings plan of a year": Bill(
        size="NC24ads_A100_v4", count=2, row={"hours": 300}, asked={"workload": "training", "price_model": "sp_1y"},
        option="NC48ads_A100_v4", verdict="redeploy", vms=1, hours=600 / 2 + 1 * 20 * 0.25,
        monthly=730 * 7.94942,  # every hour is paid: azure-pricing-radar, 2026-08-22; 5,803.0766
        parts={
            "compute": 5803.0766 * W36,
            "disks": (1 + 2) * 19.71 * W36,
            "network": 2 * (300 / 730) * 4.35 * W36,
            "operations": 1 * 47.5 * W36,
            "migration_labour": (16 + 1 * 3) * 95,  # 1,805.00
            "parallel_running": 5803.0766 * 14 / DAYS,
        },
    ),
    "seats on Windows under a savings plan of three years": Bill(
        size="NV12ads_A10_v5", count=5, region="polandcentral", row={"hours": 200, "os": "windows"},
        asked={"workload": "graphics", "price_model": "sp_3y"},
        option="NV12ads_A10_v5", verdict="stay", vms=5, hours=1000,
        # compute all month: azure-vm-price-importer, 2026-01-26; Windows for the hours used: 1.732 less 1.18 of
        # djtools-azure-vm-sku-locator, 2026-08-01
        monthly=5 * 730 * 0.72794 + 1000 * 0.552,
        parts={
            "compute": 5 * 730 * 0.72794 * W36,
            "windows_licence": 552.0 * W36,
            "disks": 10 * 19.71 * W36,
            "network": 5 * (200 / 730) * 4.35 * W36,
            "operations": 5 * 47.5 * W36,
        },
    ),
    "a queue on spot": Bill(
        size="NC6s_v3", count=6, region="polandcentral", row={"hours": 100},
        asked={
            "workload": "training", "interruptible": True, "price_model": "spot", "gpu_memory_gib": 12.0,
            "measured": {("V100 PCIe 16GB", "T4"): 0.6},
        },
        option="NC4as_T4_v3", verdict="redeploy",
        vms=10,  # 6 V100 / 0.6
        hours=600 / 0.6 + 10 * 20 * 0.25,  # 1,050
        monthly=1050 * 0.19024,  # djtools-azure-vm-sku-locator, 2026-08-01; 199.752
        parts={
            "compute": 199.752 * W36,
            "disks": (10 + 6) * 19.71 * W36,
            "network": 6 * (100 / 730) * 4.35 * W36,
            "operations": 10 * 47.5 * W36,
            "migration_labour": (16 + 10 * 3) * 95,  # 4,370.00
        },
    ),
    "fewer machines in another region": Bill(
        size="NC24ads_A100_v4", count=4, row={"hours": 730},
        asked={"workload": "training", "target_region": "northeurope"},
        option="NC48ads_A100_v4", verdict="redeploy", vms=2, hours=1460,
        monthly=1460 * 8.815,  # azure-pricing-radar, 2026-08-22; 12,869.90
        parts={
            "compute": 12869.9 * W36,
            "disks": (2 + 4) * 19.71 * W36,
            "network": 4 * 4.35 * W36,
            "operations": 2 * 47.5 * W36,
            "migration_labour": (16 + 2 * 3) * 95,  # 2,090.00
            "parallel_running": 12869.9 * 14 / DAYS,
            "data_transfer": 4 * 256 * 0.02,  # 20.48: the data of today's four machines
        },
    ),
    "a stay on a size that ends in two months": Bill(
        size="NV12s_v3", count=4, region="uaenorth", row={"hours": 730}, asked={"workload": "graphics"},
        option="NV12s_v3", verdict="stay", vms=4, hours=2920,
        monthly=2920 * 1.391,  # djtools-azure-vm-sku-locator, 2026-08-01; 4,061.72
        parts={
            "compute": 4061.72 * W36,
            "disks": 8 * 19.71 * W36,
            "network": 4 * 4.35 * W36,
            "operations": 4 * 47.5 * W36,
            # a redeployment on 2027-01-31, 62 days from 2026-11-30: 28 h and 14 days side by side, at its value today
            "second_move": ((16 + 4 * 3) * 95 + 4061.72 * 14 / DAYS) * 1.08 ** (-62 / 365),
        },
    ),
    "machines of a retired size, redeployed": Bill(
        size="NC6", count=12, row={"hours": 730}, asked={"workload": "training", "measured": {("K80", "T4"): 1.6}},
        option="NC4as_T4_v3", verdict="redeploy",
        vms=8,  # 12 K80 / 1.6 = 7.5
        hours=8 * 730,
        monthly=5840 * 0.658,  # azure-pricing-radar, 2026-08-22; 3,842.72
        parts={
            "compute": 3842.72 * W36,
            "disks": (8 + 12) * 19.71 * W36,
            "network": 12 * 4.35 * W36,
            "operations": 8 * 47.5 * W36,
            "migration_labour": (16 + 8 * 3) * 95,  # 3,800.00; today's machines are off, nothing runs beside them
        },
    ),
    "twelve machines become one with a new image": Bill(
        size="NC6", count=12, row={"hours": 730},
        asked={"workload": "training", "measured": {("K80", "A100 PCIe 80GB"): 12.0}},
        option="NC24ads_A100_v4", verdict="rebuild", vms=1, hours=730,
        monthly=730 * 4.775,  # azure-pricing-radar, 2026-08-22; 3,485.75
        parts={
            "compute": 3485.75 * W36,
            "disks": (1 + 12) * 19.71 * W36,
            "network": 12 * 4.35 * W36,
            "operations": 1 * 47.5 * W36,
            "migration_labour": (40 + 1 * 3) * 95,  # 4,085.00
            "staff_training": 4 * 95,  # 380.00
        },
    ),
    "code that is ported to another vendor": Bill(
        size="NC96ads_A100_v4", count=4, region="northeurope", row={"hours": 730},
        asked={"workload": "training", "measured": {("A100 PCIe 80GB", "MI300X"): 2.0}},
        option="ND96isr_MI300X_v5", verdict="port",
        vms=1,  # 16 A100 / (8 x 2)
        hours=730,
        monthly=730 * 57.6,  # azure-pricing-radar, 2026-08-22; 42,048.00
        parts={
            "compute": 42048.0 * W36,
            "disks": (1 + 4) * 19.71 * W36,
            "network": 4 * 4.35 * W36,
            "operations": 1 * 47.5 * W36,
            "migration_labour": (240 + 1 * 3) * 95,  # 23,085.00
            "staff_training": 40 * 95,  # 3,800.00
            "parallel_running": 42048.0 * 14 / DAYS,  # 19,353.60
        },
    ),
    "machines with three data disks each": Bill(
        size="NC6s_v3", count=8, row={"hours": 730, "data_disks": 3},
        asked={"workload": "inference", "gpu_memory_gib": 12.0, "measured": {("V100 PCIe 16GB", "T4"): 0.5}},
        option="NC4as_T4_v3", verdict="redeploy",
        vms=16,  # 8 V100 / 0.5
        hours=16 * 730,
        monthly=11680 * 0.658,  # azure-pricing-radar, 2026-08-22; 7,685.44
        parts={
            "compute": 7685.44 * W36,
            "disks": (16 + 8 * 3) * 19.71 * W36,
            "network": 8 * 4.35 * W36,
            "operations": 16 * 47.5 * W36,
            "migration_labour": (16 + 16 * 3) * 95,  # 6,080.00
        },
    ),
    "machines that are off": Bill(
        size="NC4as_T4_v3", count=5, region="eastus", row={"deallocated": 5}, asked={"workload": "inference"},
        option="NC8as_T4_v3", verdict="resize", vms=5, hours=0,
        monthly=0.0,
        parts={"disks": (5 + 5) * 19.71 * W36, "migration_labour": (4 + 5 * 1) * 95},  # 855.00
    ),
    "a stream that keeps four machines": Bill(
        size="NC6s_v3", count=6, row={"hours": 80},
        asked={"workload": "inference", "min_vms": 4, "measured": {("V100 PCIe 16GB", "A100 PCIe 80GB"): 3.0}},
        option="NC24ads_A100_v4", verdict="redeploy",
        vms=4,  # two would do: 6 V100 / 3
        hours=4 * 80,
        monthly=320 * 4.775,  # azure-pricing-radar, 2026-08-22; 1,528.00
        parts={
            "compute": 1528.0 * W36,
            "disks": (4 + 6) * 19.71 * W36,
            "network": 6 * (80 / 730) * 4.35 * W36,
            "operations": 4 * 47.5 * W36,
            "migration_labour": (16 + 4 * 3) * 95,  # 2,660.00
        },
    ),
    "machines that are a tenth busy": Bill(
        size="NC24ads_A100_v4", count=10, row={"hours": 730}, asked={"workload": "inference", "utilisation": 0.1},
        option="NC24ads_A100_v4", verdict="stay",
        vms=2,  # 10 x 10 % / 70 % = 1.43
        hours=1460,
        monthly=1460 * 4.775,  # azure-pricing-radar, 2026-08-22; 6,971.50
        parts={
            "compute": 6971.5 * W36,
            "disks": (2 + 10) * 19.71 * W36,  # the data disks of all ten stay
            "network": 10 * 4.35 * W36,
            "operations": 2 * 47.5 * W36,
        },
    ),
    "one job over two machines fits into one": Bill(
        size="ND40rs_v2", count=2, row={"hours": 730},
        asked={"workload": "training", "multi_node": True, "measured": {("V100 SXM2 32GB", "A100 SXM 40GB"): 2.0}},
        option="ND96asr_v4", verdict="redeploy",  # NDv2 has no ConnectX-3 card
        vms=1,  # 16 V100 over InfiniBand (90 %) against 8 x 2 within a machine (95 %): 16 / 16.9
        hours=730,
        monthly=730 * 35.357,  # azure-pricing-radar, 2026-08-22; 25,810.61
        parts={
            "compute": 25810.61 * W36,
            "disks": (1 + 2) * 19.71 * W36,
            "network": 2 * 4.35 * W36,
            "operations": 1 * 47.5 * W36,
            "migration_labour": (16 + 1 * 3) * 95,  # 1,805.00
            "parallel_running": 25810.61 * 14 / DAYS,
        },
    ),
    "a queue of jobs on four GPUs each": Bill(
        size="NC24s_v3", count=2, region="eastus", row={"hours": 300},
        asked={"workload": "training", "measured": {("V100 PCIe 16GB", "A100 PCIe 80GB"): 2.0}},
        option="NC48ads_A100_v4", verdict="resize",
        vms=2,  # 8 V100 / (2 x 2 x 0.95 / 0.85 = 4.4706): NVLink for PCIe
        hours=2400 / (4 * 0.95 / 0.85) + 2 * 20 * 0.25,  # 546.84
        monthly=(2400 * 0.85 / 3.8 + 10) * 7.346,  # djtools-azure-vm-sku-locator, 2026-08-01
        parts={
            "compute": (2400 * 0.85 / 3.8 + 10) * 7.346 * W36,
            "disks": (2 + 2) * 19.71 * W36,
            "network": 2 * (300 / 730) * 4.35 * W36,
            "operations": 2 * 47.5 * W36,
            "migration_labour": (4 + 2 * 1) * 95,  # 570.00
        },
    ),
    "a redeployment by other assumptions": Bill(
        size="NC24ads_A100_v4", count=4, row={"hours": 730},
        asked={
            "workload": "training",
            "assume": (
                ("labour_rate", 120.0), ("labour_pool_redeploy", 10.0), ("labour_vm_redeploy", 2.0),
                ("parallel_days_redeploy", 30.0), ("data_disks", 4.0), ("disk_price", 25.0), ("egress_gib", 0.0),
                ("operations_hours", 2.0), ("discount_rate", 5.0),
            ),
        },
        option="NC48ads_A100_v4", verdict="redeploy", vms=2, hours=1460,
        monthly=1460 * 9.55,  # azure-pricing-radar, 2026-08-22; 13,943.00
        parts={
            "compute": 13943.0 * worth(36, 0.05),
            "disks": (2 + 4 * 4) * 25 * worth(36, 0.05),
            "operations": 2 * 2 * 120 * worth(36, 0.05),
            "migration_labour": (10 + 2 * 2) * 120,  # 1,680.00
            "parallel_running": 13943.0 * 30 / DAYS,
        },
    ),
}  # fmt: skip


def test_there_are_twenty_at_least() -> None:
    assert len(BILLS) >= 20
    for name in PARTS:
        billed = {name for bill in BILLS.values() for name in bill.parts}
        assert name in billed or name == "stranded_commitments"


@pytest.mark.parametrize("name", BILLS)
def test_a_bill_to_the_cent(ask: Ask, name: str) -> None:
    bill = BILLS[name]
    option = option_of(ask(bill.size, bill.count, bill.region, columns=bill.row, **bill.asked), bill.option)
    assert (option.verdict, option.vms) == (bill.verdict, bill.vms)
    assert option.hours_per_month == pytest.approx(bill.hours)
    assert to_the_cent(option.monthly_cost, bill.monthly)
    assert set(option.tco.components) == set(PARTS)
    for part in PARTS:
        found, worked = option.tco.components[part], bill.parts.get(part, 0.0)
        assert to_the_cent(found, worked), f"{part} is {found:,.2f}, by hand it is {worked:,.2f}"
    assert to_the_cent(option.tco.expected, math.fsum(bill.parts.values()))


def to_the_cent(found: float, worked: float) -> bool:
    return abs(found - worked) < 0.01


def test_a_bill_in_euros_to_the_cent(catalogue: Catalogue, price_book: PriceBook) -> None:
    """The first resize above with 1 USD = 0.90 EUR: every price and every assumption of money is a tenth less."""
    book = price_book.in_currency("EUR", 0.9, date(2026, 11, 30))
    reading = make_reading(make_row("NC4as_T4_v3", 4, hours=400))
    advice = advise(
        [reading], shipped.world().with_quotes(Quotes(book, catalogue)), make_request(top=0, workload="inference")
    )
    assert advice.currency == "EUR"
    option = option_of(advice.pools[0], "NC8as_T4_v3")
    assert to_the_cent(option.monthly_cost, 1600 * 0.94 * 0.9)  # 1,353.60 EUR
    worked = {
        "compute": 1353.6 * W36,
        "disks": 8 * 17.739 * W36,  # 19.71 x 0.9
        "network": 4 * (400 / 730) * 3.915 * W36,  # 4.35 x 0.9
        "operations": 4 * 42.75 * W36,  # 47.50 x 0.9
        "migration_labour": (4 + 4 * 1) * 85.5,  # 684.00
    }
    for part in PARTS:
        assert to_the_cent(option.tco.components[part], worked.get(part, 0.0)), part
