"""Guest systems: which family and version a text names, as files, images and people write them."""

from __future__ import annotations

import re

_SYSTEMS: tuple[tuple[str, str], ...] = (  # pattern of the text, family; the first that fits counts
    (r"ubuntu[-_ ]?hpc", "ubuntu-hpc"),
    (r"almalinux[-_ ]?hpc|alma[-_ ]?hpc", "almalinux-hpc"),
    (r"centos[-_ ]?hpc", "centos-hpc"),
    (r"ubuntu", "ubuntu"),
    (r"alma", "almalinux"),
    (r"centos", "centos"),
    (r"rhel|red ?hat", "rhel"),
    (r"rocky", "rocky"),
    (r"sles|suse", "sles"),
    (r"debian", "debian"),
    (r"azure[-_ ]?linux|mariner", "azure-linux"),
    (r"windows[-_ ]?server", "windows-server"),
    (r"windows|win(?=[-_ ]?1[01])", "windows"),
)
_CODENAMES = {"bionic": "18.04", "focal": "20.04", "jammy": "22.04", "noble": "24.04", "xenial": "16.04"}
_PARTS = re.compile(r"(\d{1,4})(?:[._](\d{1,2}))?")


def system_of(text: str) -> str | None:
    """Family and version, `ubuntu 22.04`; `other` for a text that names none, None for an empty one.

    Never the text itself: it may be the name of somebody's image.
    """
    plain = text.casefold()
    if not plain.strip():
        return None
    family = next((family for pattern, family in _SYSTEMS if re.search(pattern, plain)), None)
    if family is None:
        return "other"
    rest = re.sub(r"^0001-com-", "", plain)
    if codename := next((name for name in _CODENAMES if name in rest), None):
        return f"{family} {_CODENAMES[codename]}"
    for found in _PARTS.finditer(re.sub(r"gen(?:eration)?[-_]?\d|g[12]\b|x64|arm64", "", rest)):
        if version := _release(family, found[1], found[2]):
            return f"{family} {version}"
    return family


def _release(family: str, major: str, minor: str | None) -> str | None:
    """The version as its maker writes it; None for a number that is no version of that family."""
    if family.startswith("ubuntu"):
        if len(major) == 4 and minor is None and major[2:] in ("04", "10"):
            return f"{major[:2]}.{major[2:]}"
        return f"{major}.{minor}" if minor and len(major) == 2 and major >= "14" else None
    if family == "windows-server":
        return major if re.fullmatch(r"20[0-3]\d", major) else None
    if family == "windows":
        return major if major in ("7", "8", "10", "11") else None
    return (f"{major}.{minor}" if minor else major) if len(major) <= 2 else None
