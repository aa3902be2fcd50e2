"""Utilisation beside a fleet: its files, and which machine each host is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from advisor.engine.host_names import Machine, host_key
from advisor.engine.utilisation import NOT_OURS, HostUse, Joined
from advisor.forms.upload import FILES_MAX, ManyFiles

#: Read within the request: a month of one GPU each minute is 4 MB.
BYTES_MAX = 16 * 1024 * 1024
#: Hosts that are matched on one page, and choices on it in all; the page stays small.
HOSTS_SHOWN = 40
CHOICES_SHOWN = 500
_NONE = "No file came with the form. Choose one or several."


class UtilisationForm(forms.Form):
    """One or several files of monitoring."""

    file = ManyFiles(
        label="Output of nvidia-smi, dcgmi or Prometheus",
        allow_empty_file=True,
        max_length=500,
        error_messages={"required": _NONE, "invalid": _NONE},
    )

    def clean_file(self) -> list[UploadedFile[Any]]:
        files: list[UploadedFile[Any]] = self.cleaned_data["file"]
        if len(files) > FILES_MAX:
            raise forms.ValidationError(f"{len(files)} files were chosen; at most {FILES_MAX} are read at once.")
        if (size := sum(file.size or 0 for file in files)) > BYTES_MAX:
            raise forms.ValidationError(
                f"These files have {size // 2**20} MiB; at most {BYTES_MAX // 2**20} MiB are read here. Pack them as "
                "zip, take fewer samples, or hand them in with the machines on the start page, where larger files are "
                "read."
            )
        return files


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One host with its field."""

    host: HostUse
    field: forms.BoundField


class HostsForm(forms.Form):
    """Which machine or pool each host is; those that are joined by name are no question."""

    def __init__(self, joined: Joined, pools: Mapping[str, str], data: Any = None) -> None:
        """`pools` has the words for each pool by its id."""
        super().__init__(data)
        asked = [host for host in joined.hosts if host.target is None or host.how == "hand"]
        self.asked = asked[:HOSTS_SHOWN]
        self.left = len(asked) - len(self.asked)
        self.names = {_name(host): host_key(host.host) for host in self.asked}
        room = max(10, CHOICES_SHOWN // max(1, len(self.asked)) - len(pools))
        taken = {host.target for host in joined.hosts if host.how == "name"}
        free = [machine for machine in joined.machines if machine.target not in taken]
        self.all_named = len(free) <= room
        for host in self.asked:
            listed = free if self.all_named else _nearest(host, free, room)
            self.fields[_name(host)] = forms.ChoiceField(
                label=f"{host.host} is",
                required=False,
                choices=_choices(host, listed, pools, joined.machines),
                initial=host.target or host.guess or "",
                error_messages={"invalid_choice": "This fleet has no such machine any more. Choose again."},
            )

    def rows(self) -> list[Choice]:
        """The hosts in order."""
        return [Choice(host=host, field=self[_name(host)]) for host in self.asked]

    def said(self) -> dict[str, str]:
        """What was chosen, by the host's name as compared; "" for one that is not known yet."""
        return {host: self.cleaned_data[name] for name, host in self.names.items()}


def _name(host: HostUse) -> str:
    return f"host-{sha256(host_key(host.host).encode()).hexdigest()[:12]}"


def _nearest(host: HostUse, machines: Sequence[Machine], number: int) -> list[Machine]:
    """The machines whose names begin most like the host's, at most `number`."""
    key = host_key(host.host)
    return sorted(machines, key=lambda machine: -_alike(key, host_key(machine.name)))[:number]


def _alike(one: str, other: str) -> int:
    """How many characters two names begin with in common."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _choices(
    host: HostUse, machines: Sequence[Machine], pools: Mapping[str, str], every: Sequence[Machine]
) -> list[tuple[str, Any]]:
    listed = [(machine.target, f"{machine.name} ({pools[machine.pool]})") for machine in machines]
    for target in (host.target, host.guess):
        if target and not target.endswith("/") and target != NOT_OURS and target not in dict(listed):
            listed += [(m.target, f"{m.name} ({pools[m.pool]})") for m in every if m.target == target][:1]
    groups: list[tuple[str, Any]] = [("", "not known yet")]
    if listed:
        groups.append(("Machines", listed))
    groups.append(("One machine of a pool", [(f"{pool}/", words) for pool, words in pools.items()]))
    groups.append((NOT_OURS, "not one of ours"))
    return groups
