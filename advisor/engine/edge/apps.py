"""Apps that want a GPU, and how they are read from a file of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Method = Literal["vm", "whole", "time", "mps"]
Target = Literal["kubernetes", "iotedge"]
Kind = Literal["Deployment", "Job"]
MAX_APPS = 64
MAX_BYTES = 256 * 1024
_NAME = re.compile(r"^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$")
_IMAGE = re.compile(r"^[\x21-\x7e]{1,400}$")
_VARIABLE = re.compile(r"^[A-Za-z_][A-Za-z0-9_.-]{0,200}$")


class InvalidApps(ValueError):
    """A list of apps that cannot be read; the message says where, what was found and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """One app. `method` None: to be chosen. `memory_mib` of the GPU, of all its processes; None: not known.

    `trusts`: it may share a GPU with the other apps. `gpus` counts whole GPUs. `gpu` is the card it is put on, None:
    to be chosen.
    """

    name: str
    method: Method | None = None
    share_percent: float | None = None
    memory_mib: float | None = None
    processes: int = 1
    gpus: int = 1
    gpu: int | None = None
    trusts: bool = True
    image: str = ""
    kind: Kind = "Deployment"
    replicas: int = 1
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Apps:
    """What a file of apps says; None: not said."""

    apps: tuple[App, ...]
    device: str | None = None
    target: Target = "kubernetes"
    namespace: str | None = None
    cuda_version: str | None = None


def read_apps(data: bytes | str) -> Apps:
    """The apps of a JSON text; raises InvalidApps."""
    if len(data) > MAX_BYTES:
        raise InvalidApps(f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read.")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        top = json.loads(text)
    except RecursionError as error:
        raise InvalidApps("The file is nested too deeply.") from error
    except ValueError as error:
        raise InvalidApps(f"The file is no JSON: {' '.join(str(error).split())[:160]}") from error
    if isinstance(top, list):
        top = {"apps": top}
    if not isinstance(top, dict) or not isinstance(top.get("apps"), list):
        raise InvalidApps('The file needs a list "apps"; each has at least a name.')
    return apps_of(top)


def apps_of(top: Mapping[str, Any]) -> Apps:
    """The apps of values as JSON gives them; raises InvalidApps."""
    entries = top["apps"]
    if not 0 < len(entries) <= MAX_APPS:
        raise InvalidApps(f"apps: {len(entries)} entries; 1 to {MAX_APPS} are allowed.")
    method = _choice(top, "the file", "method", get_args(Method), None)
    apps = tuple(_app(entry, f"app {place}", method) for place, entry in enumerate(entries, 1))
    names = [app.name for app in apps]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidApps(f"Two apps are called {twice!r}; a name may stand once.")
    return Apps(
        apps=apps,
        device=_text(top, "the file", "device", None),
        target=_choice(top, "the file", "target", get_args(Target), "kubernetes"),
        namespace=_name(top, "the file", "namespace") if top.get("namespace") is not None else None,
        cuda_version=_text(top, "the file", "cuda_version", None),
    )


def _app(entry: Any, where: str, method: Method | None) -> App:
    if not isinstance(entry, dict):
        raise InvalidApps(f"{where}: {str(entry)[:40]!r} is no group of fields.")
    name = _name(entry, where, "name")
    where = f"app {name}"
    unknown = sorted(set(entry) - set(App.__dataclass_fields__))
    if unknown:
        raise InvalidApps(
            f"{where}: {unknown[0][:40]!r} is no field; allowed are {', '.join(App.__dataclass_fields__)}."
        )
    image = _text(entry, where, "image", "") or ""
    if image and not _IMAGE.match(image):
        raise InvalidApps(f"{where}: image: {image[:60]!r} is no name of an image; blanks are not allowed.")
    trusts = entry.get("trusts", True)
    if not isinstance(trusts, bool):
        raise InvalidApps(f"{where}: trusts: {str(trusts)[:20]!r}; true or false is allowed.")
    return App(
        name=name,
        method=_choice(entry, where, "method", get_args(Method), method),
        share_percent=_number(entry, where, "share_percent", 0.1, 100),
        memory_mib=_number(entry, where, "memory_mib", 0, 1_000_000),
        processes=int(_number(entry, where, "processes", 1, 1000, whole=True) or 1),
        gpus=int(_number(entry, where, "gpus", 1, 2, whole=True) or 1),
        gpu=None if entry.get("gpu") is None else int(_number(entry, where, "gpu", 0, 1, whole=True) or 0),
        trusts=trusts,
        image=image,
        kind=_choice(entry, where, "kind", get_args(Kind), "Deployment"),
        replicas=int(_number(entry, where, "replicas", 1, 1000, whole=True) or 1),
        command=_texts(entry, where, "command"),
        args=_texts(entry, where, "args"),
        env=_variables(entry, where),
    )


def _name(entry: Mapping[str, Any], where: str, key: str) -> str:
    name = entry.get(key)
    if not isinstance(name, str) or not _NAME.match(name):
        raise InvalidApps(
            f"{where}: {key}: {str(name)[:40]!r}; lower-case letters, digits and dashes are allowed, at most 63."
        )
    return name


def _number(
    entry: Mapping[str, Any], where: str, key: str, low: float, high: float, *, whole: bool = False
) -> float | None:
    number = entry.get(key)
    if number is None:
        return None
    fine = isinstance(number, int | float) and not isinstance(number, bool) and low <= number <= high
    if not fine or (whole and number != int(number)):
        kind = "a whole number" if whole else "a number"
        raise InvalidApps(f"{where}: {key}: {str(number)[:40]!r}; {kind} from {low:g} to {high:g} is allowed.")
    return float(number)


def _choice(entry: Mapping[str, Any], where: str, key: str, allowed: tuple[str, ...], default: Any) -> Any:
    found = entry.get(key)
    if found is None:
        return default
    if found not in allowed:
        raise InvalidApps(f"{where}: {key}: {str(found)[:40]!r}; allowed are {', '.join(allowed)}.")
    return found


def _text(entry: Mapping[str, Any], where: str, key: str, default: str | None) -> str | None:
    found = entry.get(key, default)
    if found is not None and (not isinstance(found, str) or len(found) > 400):
        raise InvalidApps(f"{where}: {key}: {str(found)[:40]!r} is no text of up to 400 characters.")
    return found


def _texts(entry: Mapping[str, Any], where: str, key: str) -> tuple[str, ...]:
    found = entry.get(key) or []
    if not isinstance(found, list) or not all(isinstance(part, str) and len(part) <= 4000 for part in found):
        raise InvalidApps(f"{where}: {key}: a list of texts is allowed.")
    return tuple(found)


def _variables(entry: Mapping[str, Any], where: str) -> dict[str, str]:
    found = entry.get("env") or {}
    if not isinstance(found, dict):
        raise InvalidApps(f"{where}: env: a group of names and texts is allowed.")
    for name, value in found.items():
        if not _VARIABLE.match(name) or not isinstance(value, str) or len(value) > 4000:
            raise InvalidApps(f"{where}: env: {name[:40]!r} is no name of a variable, or its value is no text.")
    return dict(found)
