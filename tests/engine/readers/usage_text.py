"""Usage files in a few lines: the columns of an EA export that matter, one row per machine and day."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import Any

from advisor.engine.readers import parquet

_NAMES = (
    "ResourceGroup,ResourceLocation,Date,MeterCategory,MeterSubCategory,MeterName,MeterRegion,Quantity,"
    "CostInBillingCurrency,ConsumedService,ResourceId,Tags,AdditionalInfo,ChargeType,PricingModel,Term,"
    "BillingCurrencyCode,BillingPeriodStartDate,BillingPeriodEndDate"
)
HEADER = tuple(_NAMES.split(","))
_ROW = {
    "ResourceGroup": "rg",
    "ResourceLocation": "westeurope",
    "Date": "10/01/2026",
    "MeterCategory": "Virtual Machines",
    "MeterSubCategory": "NCasT4 v3 Series",
    "MeterName": "NC4as T4 v3",
    "MeterRegion": "EU West",
    "Quantity": "24",
    "CostInBillingCurrency": "12",
    "ConsumedService": "Microsoft.Compute",
    "ChargeType": "Usage",
    "PricingModel": "OnDemand",
    "BillingCurrencyCode": "USD",
    "BillingPeriodStartDate": "10/01/2026",
    "BillingPeriodEndDate": "10/31/2026",
}


def vm_id(name: str, group: str = "rg", kind: str = "Microsoft.Compute/virtualMachines") -> str:
    return f"/subscriptions/0/resourceGroups/{group}/providers/{kind}/{name}"


def info(size: str | None, **more: Any) -> str:
    return json.dumps({"UsageType": "ComputeHR", "ServiceType": size} | more)


def row(name: str = "vm-a", size: str | None = "Standard_NC4as_T4_v3", **cells: str) -> dict[str, str]:
    """24 h and 12 USD of one machine on 2026-10-01, but for the cells given."""
    return _ROW | {"ResourceId": vm_id(name), "AdditionalInfo": info(size) if size else ""} | cells


def usage_csv(rows: Iterable[dict[str, str]], header: Iterable[str] = HEADER, delimiter: str = ",") -> str:
    """Rows as delimited text; cells of columns that are not in the header are left out."""
    names = list(header)
    lines = [delimiter.join(names)]
    for cells in rows:
        lines.append(delimiter.join(_quoted(cells.get(name, ""), delimiter) for name in names))
    return "\n".join(lines) + "\n"


def _quoted(text: str, delimiter: str) -> str:
    return '"' + text.replace('"', '""') + '"' if '"' in text or delimiter in text or "\n" in text else text


def as_parquet(columns: dict[str, Any]) -> bytes:
    """Columns as a Parquet file."""
    library, stream = parquet.library(), io.BytesIO()
    library.parquet.write_table(library.table(columns), stream)
    return stream.getvalue()
