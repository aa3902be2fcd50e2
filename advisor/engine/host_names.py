"""Which machine of a fleet a host may be: names as they are compared, and a guess where none is the same."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_ADDRESS = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_INSTANCE = re.compile(r"^(.+?)[_-]?(?:[0-9a-z]{6}|\d{1,5})$")  # of a scale set: its name, then a number to base 36
NEAR = 0.8  # of difflib's ratio, from which two names are taken for spellings of one
NAMES_COMPARED = 2_000  # one by one; of a longer fleet only names that contain each other are guessed


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine of the fleet with a name of its own, the id of its pool, and its size."""

    name: str
    pool: str
    size: str

    @property
    def target(self) -> str:
        """What it is joined by."""
        return f"{self.pool}/{self.name}"


def host_key(name: str) -> str:
    """A name as it is compared: the last part of a resource id, without domain and port, in lower case.

    >>> host_key("GPU-01.corp.example.com"), host_key("10.0.0.4:9400")
    ('gpu-01', '10.0.0.4')
    """
    plain = name.strip().rstrip("/").rpartition("/")[2].casefold()
    plain = re.sub(r":\d{1,5}$", "", plain)
    return plain if _ADDRESS.match(plain) else plain.partition(".")[0] or plain


class Guesser:
    """The machines of a fleet by name. `models` has the GPU of each pool by its id, `names` what the user calls it."""

    def __init__(self, machines: Sequence[Machine], models: Mapping[str, str], names: Mapping[str, str]) -> None:
        self.models, self.names = models, names
        self.by_key: dict[str, list[Machine]] = {}
        for machine in machines:
            self.by_key.setdefault(host_key(machine.name), []).append(machine)
        self.targets = {machine.target for machine in machines} | {f"{pool}/" for pool in models}

    def resolve(self, said: str) -> str | None:
        """The target that somebody names: a machine, or a pool by id or name; None where there is no such one."""
        if said in self.targets:
            return said
        machines = {machine.target for machine in self.by_key.get(host_key(said), ())}
        if len(machines) == 1:
            return machines.pop()
        pools = [pool for pool in self.models if said == pool or said.casefold() == self.names[pool].casefold()]
        return f"{pools[0]}/" if len(pools) == 1 else None

    def guess(self, host: str, model: str | None) -> str | None:
        """The machine or pool that a host most likely is; None where nothing speaks for one.

        A machine whose name stands in the host's or is spelled nearly so, the scale set whose instance it is by name,
        else the only pool that has its GPU.
        """
        key = host_key(host)
        inside = [known for known in self.by_key if known and _contains(key, known)]
        if not inside and len(self.by_key) <= NAMES_COMPARED:
            inside = difflib.get_close_matches(key, list(self.by_key), 1, NEAR)
        if inside:
            return self.by_key[max(inside, key=len)][0].target
        if (instance := _INSTANCE.match(key)) is not None and instance[1] in self.by_key:
            return f"{self.by_key[instance[1]][0].pool}/"
        words = set(re.findall(r"[a-z]+\d+", (model or "").casefold()))
        same = [pool for pool, gpu in self.models.items() if words & set(re.findall(r"[a-z]+\d+", gpu.casefold()))]
        return f"{same[0]}/" if len(same) == 1 else None


def _contains(longer: str, name: str) -> bool:
    """True where `name` stands in `longer` as a word of its own."""
    return bool(re.search(rf"(?<![0-9a-z]){re.escape(name)}(?![0-9a-z])", longer))
