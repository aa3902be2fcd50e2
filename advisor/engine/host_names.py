"""Which machine of a fleet a host may be: names as they are compared, and a guess where none is the same."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.catalogue import squash

_ADDRESS = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_INSTANCE = re.compile(r"^(.+?)[_-]?(?:[0-9a-z]{6}|\d{1,5})$")  # of a scale set: its name, then a number to base 36
WORDS_MAX = 12  # of a host's name that are looked at
LEAST_PREFIX = 6  # characters of a name cut short


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
        self._plain = {squash(key): key for key in self.by_key}
        self._sorted = sorted(self.by_key)
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

        A machine whose name stands in the host's, or differs in signs only, or begins with it (Windows keeps 15
        characters); the scale set whose instance it is by name; else the only pool that has its GPU.
        """
        key = host_key(host)
        inside = [name for name in _parts(key) if name in self.by_key]
        if inside:
            return self.by_key[max(inside, key=len)][0].target
        if (same := self._plain.get(squash(key))) is not None:
            return self.by_key[same][0].target
        place = bisect_left(self._sorted, key)
        begins = [name for name in self._sorted[place : place + 2] if name.startswith(key)]
        if len(begins) == 1 and len(key) >= LEAST_PREFIX:
            return self.by_key[begins[0]][0].target
        if (instance := _INSTANCE.match(key)) is not None and instance[1] in self.by_key:
            return f"{self.by_key[instance[1]][0].pool}/"
        words = set(re.findall(r"[a-z]+\d+", (model or "").casefold()))
        pools = [pool for pool, gpu in self.models.items() if words & set(re.findall(r"[a-z]+\d+", gpu.casefold()))]
        return f"{pools[0]}/" if len(pools) == 1 else None


def _parts(name: str) -> Iterator[str]:
    """Every run of whole words of a name, with the signs between them."""
    words = [match.span() for match in re.finditer(r"[0-9a-z]+", name)][:WORDS_MAX]
    for start, (begin, _) in enumerate(words):
        for _, end in words[start:]:
            yield name[begin:end]
