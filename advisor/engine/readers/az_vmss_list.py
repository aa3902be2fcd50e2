"""`az-vmss-list-json`: `az vmss list -o json`; one element is a scale set of `sku.capacity` machines."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.resource_file import read_resources
from advisor.engine.readers.resources import kind_of
from advisor.engine.readers.rows import Options

NAME = "az-vmss-list-json"


def recognises(head: Head) -> bool:
    """JSON whose first elements have a capacity or a machine profile, or say that they are scale sets."""
    return any(kind_of(item) == "vmss" for item in head.elements)


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """A scale set without a size of its own is an other row, with a warning: its machines stand among the VMs."""
    return read_resources(head, catalogue, options, NAME)
