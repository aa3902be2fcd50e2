"""A small hand-made part of the Kubernetes schema, enough for what this product writes and corrects.

Source: the API reference of apps/v1 Deployment, batch/v1 Job and core/v1 PodSpec, Container, EnvVar and
ResourceRequirements (https://kubernetes.io/docs/reference/kubernetes-api/). What is not named here is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML

ENV = {"name": str, "value": str, "valueFrom": dict}
RESOURCES = {"limits": dict, "requests": dict}
CONTAINER = {
    "name": str,
    "image": str,
    "imagePullPolicy": str,
    "command": [str],
    "args": [str],
    "env": [ENV],
    "resources": RESOURCES,
}
POD = {
    "containers": [CONTAINER],
    "initContainers": [CONTAINER],
    "hostPID": bool,
    "hostIPC": bool,
    "restartPolicy": str,
}
META = {"name": str, "namespace": str, "labels": dict, "annotations": dict}
TEMPLATE = {"metadata": META, "spec": POD}
KINDS = {
    "Deployment": {"replicas": int, "selector": {"matchLabels": dict}, "template": TEMPLATE},
    "Job": {"backoffLimit": int, "parallelism": int, "completions": int, "template": TEMPLATE},
    "Pod": POD,
}
VERSIONS = {"Deployment": "apps/v1", "Job": "batch/v1", "Pod": "v1"}
REQUIRED = {"containers": ("name", "image"), "env": ("name",)}


def faults(text: str) -> list[str]:
    """Everything in the file that the schema refuses; empty for a good file."""
    found: list[str] = []
    for document in YAML(typ="safe", pure=True).load_all(text):
        kind = document.get("kind")
        if kind not in KINDS or document.get("apiVersion") != VERSIONS[kind]:
            found.append(f"kind {kind} {document.get('apiVersion')}")
            continue
        shape = {"apiVersion": str, "kind": str, "metadata": META, "spec": KINDS[kind]}
        found.extend(_faults(document, shape, ""))
    return found


def _faults(value: Any, shape: Any, path: str) -> Iterator[str]:
    if isinstance(shape, type):
        if not isinstance(value, shape) or (shape is int and isinstance(value, bool)):
            yield f"{path}: {value!r} is no {shape.__name__}"
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{path}: no list"
            return
        for place, entry in enumerate(value):
            yield from _faults(entry, shape[0], f"{path}[{place}]")
            for name in REQUIRED.get(path.rsplit(".", 1)[-1], ()):
                if not isinstance(entry, dict) or name not in entry:
                    yield f"{path}[{place}]: {name} is missing"
    elif not isinstance(value, dict):
        yield f"{path}: no group"
    else:
        for name, entry in value.items():
            if name not in shape:
                yield f"{path}.{name}: unknown field"
            else:
                yield from _faults(entry, shape[name], f"{path}.{name}")
