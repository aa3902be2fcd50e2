"""A cost export of any length for `make bench`, with the columns of an enterprise agreement."""

from __future__ import annotations

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


def write_costs(path: Path, mib: int) -> Path:
    """An export of about `mib` MiB."""
    left = mib << 20
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(COLUMNS + "\r\n")
        for line in _rows():
            file.write(line)
            left -= len(line)
            if left <= 0:
                return path
    return path
