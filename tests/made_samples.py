"""Fleet files of formats and packings that no file under tests/samples stands for, made here in a few lines each."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from functools import cache

import openpyxl

from tests.engine.readers.usage_text import HEADER, as_parquet, row, usage_csv, vm_id

LIST = """name,size,region,count,hours_per_month,os,cost,currency,state,utilisation,team
train,Standard_NC6s_v3,westeurope,4,2920,linux,1460.50,EUR,running,60%,vision
web,Standard_NC4as_T4_v3,koreacentral,2,1460,windows,700,EUR,VM deallocated,25,web
old,NC99,eastus,1,730,linux,1,EUR,running,,
Total,,,7,,,,,,,
"""
FOCUS = (
    "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,"
    "ChargeCategory,ProviderName,ServiceName,ResourceId,RegionId,ConsumedQuantity,ConsumedUnit,SkuMeter,SkuPriceDetails"
)
FOCUS_ROW = (
    "12,12,USD,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,2026-10-01T00:00:00Z,2026-10-02T00:00:00Z,Usage,Microsoft,"
    f'Virtual Machines,{vm_id("vm-a")},westeurope,24,Hours,NC4as T4 v3,"{{""x_ServiceType"":""Standard_NC4as_T4_v3""}}"'
)
AKS = {
    "name": "cluster",
    "location": "westeurope",
    "agentPoolProfiles": [{"name": "gpu", "vmSize": "Standard_NC6s_v3", "count": 3, "scaleSetPriority": "Spot"}],
    "type": "Microsoft.ContainerService/ManagedClusters",
}
GRAPH = {
    "count": 1,
    "data": [
        {
            "id": vm_id("vm-a"),
            "name": "vm-a",
            "type": "microsoft.compute/virtualmachines",
            "location": "westeurope",
            "properties": {"hardwareProfile": {"vmSize": "Standard_NC6"}},
            "tags": {"env": "dev"},
        }
    ],
    "skip_token": "more",
    "total_records": 2,
}
QUOTA = [{"currentValue": "6", "limit": "24", "name": {"value": "standardNCFamily", "localizedValue": "Standard NC"}}]
MANIFEST = {"exportConfig": {"exportName": "daily"}, "blobs": [{"blobName": "a/part_0_0001.csv"}]}


@cache
def made_samples() -> list[tuple[str, bytes]]:
    """Name and content of each."""
    rows = [row(f"vm-{number % 3}", Date=f"10/{number + 1:02}/2026", Tags='"env": "dev"') for number in range(12)]
    costs = usage_csv(rows)
    legacy = costs.replace("Quantity,CostInBillingCurrency", "ConsumedQuantity,PreTaxCost", 1)
    newer = {"1.1": "", "1.2": ",InvoiceId", "1.3": ",ServiceProviderName"}
    focus = {f"focus_{v}.csv": f"{FOCUS}{more}\n{FOCUS_ROW}{',x' if more else ''}\n" for v, more in newer.items()}
    texts = {
        "hand_list.csv": LIST,
        "hand_list.tsv": LIST.replace(",", "\t"),
        "cost_ea_legacy.csv": legacy,
        "cost_analysis.csv": "UsageDate,Meter,ResourceId,ResourceLocation,Cost,CostUSD,Currency\n"
        f"2026-10-01,NC4as T4 v3,{vm_id('vm-a')},EU West,12,12,USD\n",
        "aks.json": json.dumps([AKS]),
        "graph_raw.json": json.dumps(GRAPH),
        "quota.json": json.dumps(QUOTA),
        "manifest.json": json.dumps(MANIFEST),
        "advisor.csv": "Category,Business Impact,Recommendation,Subscription ID,Resource Group,Resource Name,Type,"
        "Updated Date,Potential benefits\nCost,High,Resize it,0,rg,vm-a,Virtual machine,2026-10-01,USD 12\n",
        "rvtools.csv": "VM,Powerstate,Template,DNS Name,CPUs,Memory\nvm-a,poweredOn,False,a,4,1\n",
        **focus,
    }
    parquet = as_parquet({name: [cells.get(name, "") for cells in rows] for name in HEADER})
    packed = {
        "costs.csv.gz": gzip.compress(costs.encode(), mtime=0),
        "parts.zip": _zip({"part_0.csv": costs.encode(), "part_1.csv.gz": gzip.compress(costs.encode(), mtime=0)}),
        "costs.parquet": parquet,
        "list.xlsx": _workbook(),
    }
    return [*((name, text.encode()) for name, text in texts.items()), *packed.items()]


def _zip(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return target.getvalue()


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    for line in LIST.splitlines():
        book.worksheets[0].append(line.split(","))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()
