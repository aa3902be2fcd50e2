"""`az-aks-list-json`: `az aks list -o json` (clusters) and `az aks nodepool list -o json` (pools of one cluster)."""

from __future__ import annotations

from dataclasses import replace

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.resource_file import read_resources
from advisor.engine.readers.resources import kind_of
from advisor.engine.readers.rows import Options
from advisor.engine.readers.vm_cells import LAYOUT

NAME = "az-aks-list-json"
#: Pools do not say their region, their cluster does.
_NO_REGION = replace(LAYOUT, fields={name: place for name, place in LAYOUT.fields.items() if name != "region"})


def recognises(head: Head) -> bool:
    """JSON whose first elements have node pools, or are some."""
    return any(kind_of(item) in ("aks", "pool") for item in head.elements)


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each node pool is a row of `count` machines, at the place of its cluster."""
    pools_only = all(kind_of(item) == "pool" for item in head.elements)
    return read_resources(head, catalogue, options, NAME, _NO_REGION if pools_only else LAYOUT)
