"""`hand-list`: a list that a person or a script made, with any sensible column names."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.delimited import read_table
from advisor.engine.readers.head import Head
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import refuse
from advisor.engine.readers.rows import Options
from advisor.engine.vm_facts import NAMES as FACT_NAMES

NAME = "hand-list"

_WORK_COLUMNS = (
    "name,size,region,count,hours_per_month,os,price_model,state,pool,workload,pattern,shape,precision,"
    "gpu_memory_gib,utilisation,multi_node,job_gpus,interruptible,min_vms,cost,currency,service"
)
TEMPLATE = f"""\
{_WORK_COLUMNS},{",".join(FACT_NAMES)}
training,Standard_NC6s_v3,westeurope,4,2920,linux,payg,running,research,training,steady,queue,fp32,,60,no,1,no,1,,,vm,\
1,Ubuntu 20.04,2,yes,1,no,0,30,no,no,SCSI,yes,no,none,standard,no,NvidiaGpuDriverLinux,535.161,11.8,2.1,
online,Standard_NC4as_T4_v3,koreacentral,2,1460,linux,payg,running,web,inference,steady,stream,fp16,8,25,no,1,no,2,,,,\
{"," * (len(FACT_NAMES) - 1)}
"""


def recognises(head: Head) -> bool:
    """Any delimited text: the format of last resort."""
    return head.table is not None


def read(head: Head, catalogue: Catalogue, options: Options, columns: Mapping[str, str] | None = None) -> Reading:
    """Read the list; one without a column of sizes is refused."""
    table = head.table
    layout = find_layout(table, catalogue, by_hand=columns) if table else None
    if layout is None:
        titles = ", ".join(title for title in (table.header if table else ())[:8] if title)
        return refuse(
            head.name,
            NAME,
            "no_size_column",
            f"No column of the file holds VM sizes (columns read: {titles or 'none'}). Export a list that has the "
            "size, with a column named “size” and values such as Standard_NC6s_v3; `inspect --template` prints one "
            "to fill in, and `az vm list -d -o json > vms.json` gives all machines of a subscription.",
            head=head,
        )
    return read_table(head, layout, catalogue, options, NAME)
