"""`az-vm-list-json`: `az vm list -d -o json`, `az vm show`, and `Get-AzVM | ConvertTo-Json` with names in capitals."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.resource_file import read_resources
from advisor.engine.readers.resources import kind_of
from advisor.engine.readers.rows import Options

NAME = "az-vm-list-json"


def recognises(head: Head) -> bool:
    """JSON whose first elements have a hardware profile with a size, or say that they are virtual machines."""
    return any(kind_of(item) == "vm" for item in head.elements)


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """One element is one machine. Elements of another type are other rows."""
    return read_resources(head, catalogue, options, NAME)
