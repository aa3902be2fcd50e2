"""A cost export of any length for `make bench`, with the columns of an enterprise agreement."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

COLUMNS = (
    "InvoiceSectionName,AccountName,AccountOwnerId,SubscriptionId,SubscriptionName,ResourceGroup,ResourceLocation,Date,"
    "ProductName,MeterCategory,MeterSubCategory,MeterId,MeterName,MeterRegion,UnitOfMeasure,Quantity,EffectivePrice,"
    "CostInBillingCurrency,CostCenter,ConsumedService,ResourceId,Tags,OfferId,AdditionalInfo,ServiceInfo1,ServiceInfo2,"
    "ResourceName,ReservationId,ReservationName,UnitPrice,ProductOrderId,ProductOrderName,Term,PublisherType,"
    "PublisherName,ChargeType,Frequency,PricingModel,AvailabilityZone,BillingAccountId,BillingAccountName,"
    "BillingCurrencyCode,BillingPeriodStartDate,BillingPeriodEndDate,BillingProfileId,BillingProfileName,"
    "InvoiceSectionId,IsAzureCreditEligible,PartNumber,PayGPrice,PlanName,ServiceFamily,CostAllocationRuleName,"
    "benefitId,benefitName,AccountId,ResourceLocationNormalized"
)
SUBSCRIPTION = "00000000-0000-0000-0000-000000000001"
MACHINES = 5_000
#: Share of the rows by what they are: GPU machines, other machines, disks, network.
KINDS = (
    (0.1, "Virtual Machines", "NCasT4 v3 Series", "NC4as T4 v3", "Standard_NC4as_T4_v3"),
    (0.3, "Virtual Machines", "Dv5/Dsv5 Series", "D4 v5/D4s v5", "Standard_D4s_v5"),
    (0.4, "Storage", "Premium SSD Managed Disks", "P10 LRS", ""),
    (0.2, "Bandwidth", "", "Standard Data Transfer Out", ""),
)


def _rows() -> Iterator[str]:
    """Rows without end, the same at every call."""
    rng = random.Random(20261130)  # noqa: S311 (a seed, not a secret)
    weights = [share for share, *_ in KINDS]
    while True:
        _, category, series, meter, size = rng.choices(KINDS, weights)[0]
        number, day, hours = rng.randrange(MACHINES), rng.randint(1, 31), rng.choice(("24", "12.5", "3.25"))
        name = f"{meter.split()[0].lower()}-{number:05d}"
        kind = "virtualMachines" if size else "disks"
        group = f"rg-{number % 60}"
        path = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/{group}/providers/Microsoft.Compute/{kind}/{name}"
        tags = f'"""env"": ""{"prod" if number % 3 else "dev"}"",""team"": ""team-{number % 40}"""'
        info = (
            f'"{{""UsageType"":""ComputeHR"",""ImageType"":""Canonical"",""ServiceType"":""{size}"",""VMName"":null,'
            '""VMProperties"":null,""VCPUs"":4,""CPUs"":0}"'
            if size
            else ""
        )
        yield (
            f"Unassigned,Example,owner@example.com,{SUBSCRIPTION},Research,{group},westeurope,10/{day:02}/2026,"
            f"{category} {series} - {meter} - EU West,{category},{series},00000000-0000-0000-0000-{number:012},{meter},"
            f"EU West,1 Hour,{hours},0.5,{float(hours) * 0.5 + number / 1e4:.4f},,Microsoft.Compute,{path},{tags},"
            f"MS-AZR-0017P,{info},,,{name},,,0.5,,,,Azure,Microsoft,Usage,UsageBased,OnDemand,,12345678,Example,USD,"
            f"10/01/2026,10/31/2026,12345678,Example,1,True,AAA-1,0.5,,Compute,,,,1,westeurope\r\n"
        )


def write_costs(path: Path, mib: int, rows: Iterator[str] | None = None) -> Path:
    """An export of about `mib` MiB, with the next of the `rows`."""
    left = mib << 20
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(COLUMNS + "\r\n")
        for line in rows or _rows():
            file.write(line)
            left -= len(line)
            if left <= 0:
                return path
    return path


def write_parts(folder: Path, parts: int, mib: int) -> Path:
    """The folder of an export in parts, with its manifest, as Azure writes it."""
    run = folder / "20261001-20261031" / "202611010000" / "00000000-0000-0000-0000-000000000001"
    run.mkdir(parents=True)
    rows = _rows()
    files = [write_costs(run / f"part_{number}_0001.csv", mib, rows) for number in range(parts)]
    manifest = {
        "exportConfig": {"exportName": "bench", "type": "ActualCost"},
        "runInfo": {"submittedTime": "2026-11-01T00:00:00Z", "startDate": "2026-10-01", "endDate": "2026-10-31"},
        "blobs": [{"blobName": f"bench/{file.relative_to(folder).as_posix()}"} for file in files],
    }
    (run / "manifest.json").write_text(json.dumps(manifest))
    return folder
