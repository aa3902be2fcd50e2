"""Kinds of facts of a source machine: what each asks, how its text is read, which of several values is strictest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.engine.guest_systems import system_of

Value = float | str | None
YES, NO = 1.0, 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FactKind:
    """One fact: its question, how its text is read (None: it cannot be), and which of several values is strictest.

    `strictest` answers None where no value stands for the others. `limit` is the strictest value there is, if any: once
    it is seen, VMs of which nothing is said change nothing.
    """

    name: str
    label: str
    question: str
    read: Callable[[str], Value]
    allowed: str
    strictest: Callable[[list[Any]], Value]
    limit: Value = None
    choices: tuple[tuple[str, str], ...] = ()  # text and words of a short list, in the order of a form
    unit: str = ""


def _one_of(words: Mapping[str, Value]) -> Callable[[str], Value]:
    return lambda text: words.get(re.sub(r"[\s_-]+", "-", text.strip().casefold()))


_YES_NO: Mapping[str, Value] = {
    **dict.fromkeys(("yes", "y", "true", "1", "on", "ja", "oui", "예"), YES),
    **dict.fromkeys(("no", "n", "false", "0", "off", "none", "nein", "non", "아니오"), NO),
}


def _number(most: float, *, whole: bool) -> Callable[[str], Value]:
    def read(text: str) -> Value:
        if not re.fullmatch(r"\d{1,7}(\.\d{1,6})?", text.strip()):
            return None
        value = float(text)
        return value if value <= most and not (whole and value % 1) else None

    return read


_VERSION = re.compile(r"[vr]?(\d{1,4}(?:\.\d{1,6}){0,3})", re.IGNORECASE)


def _version(text: str) -> Value:
    found = _VERSION.fullmatch(text.strip())
    return found[1] if found else None


def version_key(text: str) -> tuple[int, ...]:
    """A version as numbers that sort: 535.161 is (535, 161)."""
    return tuple(int(part) for part in text.split("."))


def version_number(text: str | None) -> float:
    """The first two parts of a version as one number that sorts: 11.8 is 1108. NaN where there is none."""
    if text is None:
        return float("nan")
    major, minor = (*version_key(text), 0)[:2]
    return float(major * 100 + min(minor, 99))


#: Extensions that matter for a move, by the type that Azure gives them; all others count as `other`.
EXTENSIONS: Mapping[str, str] = {
    "nvidiagpudriverlinux": "nvidia-driver",
    "nvidiagpudriverwindows": "nvidia-driver",
    "amdgpudriverwindows": "amd-driver",
    "amdgpudriverlinux": "amd-driver",
    "infinibanddriverlinux": "infiniband-driver",
    "infinibanddriverwindows": "infiniband-driver",
    "azurediskencryption": "disk-encryption",
    "azurediskencryptionforlinux": "disk-encryption",
}
_KNOWN = frozenset(EXTENSIONS.values())


def _extensions(text: str) -> Value:
    parts = [part.strip().casefold() for part in re.split(r"[;,|+]", text) if part.strip()]
    if not parts:
        return None
    if parts == ["none"]:
        return "none"
    plain = (re.sub(r"[\s_-]", "", part) for part in parts)
    found = (part if part in _KNOWN else EXTENSIONS.get(squashed, "other") for part, squashed in zip(parts, plain))  # noqa: B905
    return "+".join(sorted(set(found)))


def _union(values: list[str]) -> Value:
    parts = {part for value in values for part in value.split("+")} - {"none"}
    return "+".join(sorted(parts)) or "none"


def _zones(values: list[str]) -> Value:
    zones = sorted({part for value in values for part in value.split("+")} - {"none"})
    return "+".join(zones) or "none"


def _zone(text: str) -> Value:
    parts = [part.strip().casefold().removeprefix("zone").strip() for part in re.split(r"[;,|+]", text) if part.strip()]
    if parts and set(parts) <= {"none", "no", "-", "regional", "0"}:
        return "none"
    return "+".join(sorted(set(parts))) if parts and set(parts) <= {"1", "2", "3"} else None


def _same(values: list[Any]) -> Value:
    """The value that all have; several have none that stands for them."""
    return values[0] if len(set(values)) == 1 else None


def _oldest_system(values: list[str]) -> Value:
    """The oldest version where all are of one family, else None."""
    families = {value.partition(" ")[0] for value in values}
    if len(families) != 1:
        return None
    known = [value for value in values if " " in value]
    return (
        min(known, key=lambda value: version_key(value.partition(" ")[2])) if len(known) == len(values) else values[0]
    )


def lowest_version(values: list[str]) -> Value:
    return min(values, key=version_key)


def _ranked(*order: str) -> Callable[[list[Any]], Value]:
    """The first of `order` that is among the values."""
    return lambda values: next(word for word in order if word in values)


CHOICE_YES_NO = (("yes", "Yes"), ("no", "No"))


def _yes_no(name: str, label: str, question: str) -> FactKind:
    return FactKind(
        name=name,
        label=label,
        question=question,
        read=_one_of(_YES_NO),
        allowed="yes or no",
        strictest=max,
        limit=YES,
        choices=CHOICE_YES_NO,
    )


def _count(name: str, label: str, question: str, most: float, unit: str = "", *, whole: bool = True) -> FactKind:
    return FactKind(
        name=name,
        label=label,
        question=question,
        read=_number(most, whole=whole),
        allowed=f"a {'whole ' if whole else ''}number from 0 to {most:,.0f}",
        strictest=max,
        unit=unit,
    )


def _release_of(name: str, label: str, question: str, example: str) -> FactKind:
    return FactKind(
        name=name,
        label=label,
        question=question,
        read=_version,
        allowed=f"a version such as {example}",
        strictest=lowest_version,
    )


_GENERATIONS: Mapping[str, Value] = {"1": 1.0, "2": 2.0, "v1": 1.0, "v2": 2.0, "gen1": 1.0, "gen2": 2.0}
_CONTROLLERS: Mapping[str, Value] = {"scsi": "scsi", "nvme": "nvme"}
_SECURITY: Mapping[str, Value] = {
    **dict.fromkeys(("standard", "none"), "standard"),
    **dict.fromkeys(("trusted-launch", "trustedlaunch"), "trusted-launch"),
    **dict.fromkeys(("confidential", "confidentialvm"), "confidential"),
}

KINDS: Mapping[str, FactKind] = {
    kind.name: kind
    for kind in (
        FactKind(
            name="generation",
            label="VM generation of the image",
            question="Are the images Generation 1 or 2?",
            read=_one_of(_GENERATIONS),
            allowed="1 or 2",
            strictest=min,
            limit=1.0,
            choices=(("1", "1"), ("2", "2")),
        ),
        FactKind(
            name="image",
            label="Guest system or image",
            question="Which system and version runs inside, for example Ubuntu 20.04?",
            read=system_of,
            allowed="a system with its version, such as Ubuntu 22.04",
            strictest=_oldest_system,
        ),
        _count("data_disks", "Data disks of the fullest VM", "How many data disks does the fullest VM have?", 1000),
        _yes_no("premium_disks", "Premium disks", "Does any VM have premium disks?"),
        _count("nics", "Network cards of the fullest VM", "How many network cards does the fullest VM have?", 100),
        _yes_no("accelerated_networking", "Accelerated networking", "Is accelerated networking on?"),
        _count(
            "temp_used_gib",
            "Used on the temporary disk",
            "How many GiB on the temporary disk must last? 0 if none.",
            1_000_000,
            "GiB",
            whole=False,
        ),
        _count("os_disk_gib", "Size of the OS disk", "How large is the OS disk?", 100_000, "GiB", whole=False),
        _yes_no("ephemeral_os_disk", "Ephemeral OS disk", "Is the OS disk ephemeral?"),
        _yes_no("disk_encryption", "Azure Disk Encryption", "Are disks encrypted with Azure Disk Encryption?"),
        FactKind(
            name="disk_controller",
            label="Disk controller",
            question="Is the disk controller SCSI or NVMe?",
            read=_one_of(_CONTROLLERS),
            allowed="SCSI or NVMe",
            strictest=_ranked("scsi", "nvme"),
            limit="scsi",
            choices=(("scsi", "SCSI"), ("nvme", "NVMe")),
        ),
        _yes_no("availability_set", "In an availability set", "Are the VMs in an availability set?"),
        _yes_no("proximity_group", "In a proximity placement group", "Are the VMs in a proximity placement group?"),
        FactKind(
            name="zone",
            label="Availability zone, as your subscription numbers it",
            question="Are the VMs pinned to an availability zone, and to which of your subscription?",
            read=_zone,
            allowed="1, 2, 3 or none",
            strictest=_zones,
            choices=(("none", "not pinned"), ("1", "1"), ("2", "2"), ("3", "3")),
        ),
        FactKind(
            name="security_type",
            label="Security type",
            question="Are the VMs standard, Trusted Launch or confidential?",
            read=_one_of(_SECURITY),
            allowed="standard, trusted-launch or confidential",
            strictest=_ranked("confidential", "trusted-launch", "standard"),
            limit="confidential",
            choices=(
                ("standard", "Standard"),
                ("trusted-launch", "Trusted Launch"),
                ("confidential", "Confidential"),
            ),
        ),
        _yes_no("secure_boot", "Secure Boot", "Is Secure Boot on?"),
        FactKind(
            name="extensions",
            label="VM extensions",
            question="Which extensions are installed: NvidiaGpuDriverLinux, InfiniBandDriverLinux, others, none?",
            read=_extensions,
            allowed="names of extensions, or none",
            strictest=_union,
        ),
        _release_of("driver", "GPU driver", "Which GPU driver is installed (nvidia-smi)?", "535.161"),
        _release_of("cuda", "CUDA of the code and its images", "Which CUDA are code and images built with?", "11.2"),
        _release_of("pytorch", "PyTorch", "Which PyTorch does the code use?", "2.1"),
        _release_of("tensorflow", "TensorFlow", "Which TensorFlow does the code use?", "2.11"),
    )
}
