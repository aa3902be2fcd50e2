"""A virtual machine of Azure's JSON as the cells of a table: which facts are read, and from where."""

from __future__ import annotations

import json
import re

from advisor.engine.readers.jsontext import pick, plain_text
from advisor.engine.readers.table import Layout

_HEADER = (
    "name",
    "resourceGroup",
    "hardwareProfile.vmSize",
    "location",
    "osDisk.osType",
    "priority",
    "powerState",
    "imageReference.sku",
    "dataDisks",
    "storageAccountType",
    "virtualMachineScaleSet",
    "imageReference",
    "networkInterfaces",
    "osDisk.diskSizeGb",
    "osDisk.diffDiskSettings",
    "osDisk.encryptionSettings",
    "diskControllerType",
    "availabilitySet",
    "proximityPlacementGroup",
    "zones",
    "securityProfile.securityType",
    "uefiSettings.secureBootEnabled",
    "resources",
    "sku.capacity",
    "tags",
)
_FIELDS = (
    "name",
    "resource_group",
    "size",
    "region",
    "os",
    "price_model",
    "state",
    "generation",
    "data_disks",
    "premium_disks",
    "service",
    "image",
    "nics",
    "os_disk_gib",
    "ephemeral_os_disk",
    "disk_encryption",
    "disk_controller",
    "availability_set",
    "proximity_group",
    "zone",
    "security_type",
    "secure_boot",
    "extensions",
    "count",
)
LAYOUT = Layout(
    header=_HEADER,
    fields={field: place for place, field in enumerate(_FIELDS)},
    tags={"tags": len(_FIELDS)},
)
_GENERATION = re.compile(r"gen(?:eration)?[-_]?([12])|(gensecond)|(?:^|[-_])g([12])(?:$|[-_])", re.IGNORECASE)


def vm_cells(item: object, *, count: str = "1", service: str = "") -> list[str]:
    """One machine, or `count` of the same, as cells in the order of `LAYOUT`; what is null or missing is empty."""
    return [
        plain_text(pick(item, "name")),
        plain_text(pick(item, "resourceGroup")) or plain_text(pick(item, "resourceGroupName")),
        plain_text(pick(item, "hardwareProfile", "vmSize")),
        plain_text(pick(item, "location")),
        _system(item),
        "spot" if plain_text(pick(item, "priority")).casefold() in ("spot", "low") else "",
        plain_text(pick(item, "powerState"))
        or plain_text(pick(item, "extended", "instanceView", "powerState", "displayStatus")),
        _generation(item),
        _disks(item),
        _premium(item),
        service or ("vm" if pick(item, "virtualMachineScaleSet") is None else "vmss"),
        *machine_cells(item),
        count,
        _tags(item),
    ]


def machine_cells(item: object) -> list[str]:
    """Facts of the machine in the order of `_FIELDS`. What the element does not name is empty: it is not known."""
    os_disk = pick(item, "storageProfile", "osDisk")
    image = pick(item, "storageProfile", "imageReference")
    cards = pick(item, "networkProfile", "networkInterfaces")
    size = pick(os_disk, "diskSizeGb")
    security = pick(item, "securityProfile")
    return [
        " ".join(filter(None, (plain_text(pick(image, "offer")), plain_text(pick(image, "sku"))))),
        str(len(cards)) if isinstance(cards, list) else "",
        plain_text(pick(os_disk, "diskSizeGB") if size is None else size),
        "" if os_disk is None else "no" if pick(os_disk, "diffDiskSettings") is None else "yes",
        _encryption(item, os_disk),
        plain_text(pick(item, "storageProfile", "diskControllerType")),
        _in_one(item, "availabilitySet"),
        _in_one(item, "proximityPlacementGroup"),
        _zones(item),
        _security(item, security),
        _yes_no(pick(security, "uefiSettings", "secureBootEnabled")),
        _extensions(item),
    ]


def _named(item: object, name: str) -> bool:
    """The element has the key, if only to say that there is nothing."""
    return isinstance(item, dict) and (name in item or name[:1].upper() + name[1:] in item)


def _in_one(item: object, name: str) -> str:
    return "" if not _named(item, name) else "no" if pick(item, name) is None else "yes"


def _yes_no(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else ""


def _zones(item: object) -> str:
    zones = pick(item, "zones")
    if isinstance(zones, list) and zones:
        return "+".join(plain_text(zone) for zone in zones)
    return "none" if _named(item, "zones") else ""


def _security(item: object, security: object) -> str:
    said = plain_text(pick(security, "securityType"))
    return said or ("standard" if _named(item, "securityProfile") else "")


def _encryption(item: object, os_disk: object) -> str:
    said = _yes_no(pick(os_disk, "encryptionSettings", "enabled"))
    return "yes" if "diskencryption" in _extensions(item).casefold() else said


def _extensions(item: object) -> str:
    """Types of the extensions, `none` for an empty list; nothing where the element does not name them."""
    resources = pick(item, "resources")
    if not isinstance(resources, list):
        return ""
    kinds = (
        plain_text(pick(entry, "virtualMachineExtensionType"))
        or plain_text(pick(entry, "typePropertiesType"))
        or plain_text(pick(entry, "id")).rpartition("/")[2]
        for entry in resources
    )
    return ";".join(filter(None, kinds)) or "none"


def _system(item: object) -> str:
    name = plain_text(pick(item, "storageProfile", "osDisk", "osType")).casefold()
    return name if name in ("linux", "windows") else ""


def _generation(item: object) -> str:
    said = plain_text(pick(item, "instanceView", "hyperVGeneration")).casefold()
    if said in ("v1", "v2"):
        return said[1]
    found = _GENERATION.search(plain_text(pick(item, "storageProfile", "imageReference", "sku")))
    return "" if found is None else "2" if found.group(2) else found.group(1) or found.group(3)


def _disks(item: object) -> str:
    disks = pick(item, "storageProfile", "dataDisks")
    return str(len(disks)) if isinstance(disks, list) else ""


def _premium(item: object) -> str:
    """yes when a disk is premium storage, no when all disks say another kind, else empty."""
    data = pick(item, "storageProfile", "dataDisks")
    disks = [pick(item, "storageProfile", "osDisk"), *(data if isinstance(data, list) else [])]
    kinds = [plain_text(pick(disk, "managedDisk", "storageAccountType")).casefold() for disk in disks]
    if any(kind.startswith("premium") for kind in kinds):
        return "yes"
    return "no" if all(kinds) else ""


def _tags(item: object) -> str:
    """The machine's tags as JSON, with its licence as one more."""
    tags = pick(item, "tags")
    kept = {plain_text(key): plain_text(value) for key, value in tags.items()} if isinstance(tags, dict) else {}
    if licence := plain_text(pick(item, "licenseType")):
        kept["licenseType"] = licence
    return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else ""
