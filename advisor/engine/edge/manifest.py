"""Deployment files for apps that share GPUs, written through a YAML library: Kubernetes, and settings of IoT Edge."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.scalarstring import DoubleQuotedScalarString as Quoted

from advisor.engine.edge.apps import App, InvalidApps, Method, Target
from advisor.engine.edge.devices import EdgeCatalogue, Remark
from advisor.engine.edge.sharing import AppPlan, SharingPlan
from advisor.engine.edge.yaml_pods import DEVICES, SHARE

VERSIONS = {"Deployment": "apps/v1", "Job": "batch/v1"}
IOT_NAMESPACE = "iotedge"
WHOLE = "nvidia.com/gpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployStep:
    """Something to do beside the file: a command, or "" for a step by hand."""

    command: str
    text: str
    remark: Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The file as text, its name, the steps around it in order, and what to know."""

    target: Target
    filename: str
    text: str
    steps: tuple[DeployStep, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """An app with its way of sharing and the cards it is put on, numbered as Kubernetes does."""

    app: App
    method: Method
    cards: tuple[int, ...]
    sms: int | None
    card_sms: int | None


def manifest(
    edge: EdgeCatalogue, sharing: SharingPlan, target: Target = "kubernetes", namespace: str | None = None
) -> Manifest:
    """The file for the containers of a plan; raises InvalidApps when an app has no place or no image."""
    if sharing.unplaced:
        app, why = sharing.unplaced[0]
        raise InvalidApps(f"app {app.name}: it has no place on {sharing.device.label}. {why}")
    seats = tuple(seats_of(edge, sharing))
    pods = [seat for seat in seats if seat.method != "vm"]
    for seat in pods:
        if not seat.app.image:
            raise InvalidApps(f"app {seat.app.name}: image is missing; a container needs one.")
    whole = next((seat.app.name for seat in pods if seat.method == "whole"), None)
    if target == "iotedge" and whole:
        raise InvalidApps(
            f"app {whole}: IoT Edge modules share by time or MPS; whole GPUs are asked for in Kubernetes."
        )
    text = iot_edge_text(pods) if target == "iotedge" else kubernetes_text(pods, namespace)
    filename = "modules.json" if target == "iotedge" else "deployment.yaml"
    remarks = [remark for card in sharing.cards for remark in card.remarks]
    if target == "iotedge":
        remarks.insert(0, edge.remark("life-iot-edge", "warning"))
    return Manifest(
        target=target,
        filename=filename,
        text=text,
        steps=tuple(steps_of(edge, sharing, seats, target, namespace, filename)),
        remarks=tuple(dict.fromkeys([*remarks, *sharing.remarks, *sharing.resets])),
    )


def seats_of(edge: EdgeCatalogue, sharing: SharingPlan) -> Iterator[Seat]:
    """Each app once, with all its cards, in the order of the cards."""
    card_sms = edge.figure(f"device-sms-{sharing.device.card.lower()}") if sharing.device.card else None
    places: dict[str, list[int]] = {}
    plans: dict[str, AppPlan] = {}
    on_mps = {card.k8s_index for card in sharing.cards if card.method == "mps"}
    for card in sharing.cards:
        for entry in card.apps:
            places.setdefault(entry.app.name, []).append(card.index if card.k8s_index is None else card.k8s_index)
            plans[entry.app.name] = entry
    for name, entry in plans.items():
        method: Method = "mps" if entry.method == "time" and set(places[name]) <= on_mps else entry.method
        yield Seat(
            app=entry.app,
            method=method,
            cards=tuple(places[name]),
            sms=entry.sms,
            card_sms=None if card_sms is None else int(card_sms),
        )


def visible(cards: Sequence[int]) -> str:
    return ",".join(map(str, cards))


def kubernetes_text(seats: Sequence[Seat], namespace: str | None) -> str:
    """One document per app; indented as Microsoft's pages are, values quoted."""
    if not seats:
        return "# No container: all apps run in VMs.\n"
    yaml = YAML()
    yaml.width = 4096
    yaml.explicit_start = len(seats) > 1
    stream = io.StringIO()
    yaml.dump_all([workload(seat, namespace) for seat in seats], stream)
    return stream.getvalue()


def workload(seat: Seat, namespace: str | None) -> CommentedMap:
    app, labels = seat.app, {"app": seat.app.name}
    meta = CommentedMap(name=app.name)
    if namespace:
        meta["namespace"] = namespace
    pod = CommentedMap()
    if seat.method != "whole":
        pod["hostPID"] = True
        pod["hostIPC"] = True
    if app.kind == "Job":
        pod["restartPolicy"] = "Never"
    pod["containers"] = [container(seat)]
    template = CommentedMap(metadata=CommentedMap(labels=CommentedMap(labels)), spec=pod)
    spec = CommentedMap()
    if app.kind == "Deployment":
        spec["replicas"] = app.replicas
        spec["selector"] = CommentedMap(matchLabels=CommentedMap(labels))
    elif app.replicas > 1:
        spec["parallelism"] = app.replicas
        spec["completions"] = app.replicas
    spec["template"] = template
    return CommentedMap(apiVersion=VERSIONS[app.kind], kind=app.kind, metadata=meta, spec=spec)


def container(seat: Seat) -> CommentedMap:
    app = seat.app
    made = CommentedMap(name=app.name, image=Quoted(app.image))
    for key, texts in (("command", app.command), ("args", app.args)):
        if texts:
            made[key] = [Quoted(text) for text in texts]
    if seat.method == "whole":
        made["resources"] = CommentedMap(limits=CommentedMap({WHOLE: app.gpus}))
    variables = [CommentedMap(name=name, value=Quoted(value)) for name, value in settings(seat).items()]
    for variable in variables:
        if variable["name"] == SHARE and seat.sms is not None:
            note = f"an upper limit, not a reservation: {seat.sms} of {seat.card_sms} SMs"
            variable.yaml_add_eol_comment(note, "value")
    if variables:
        made["env"] = variables
    return made


def settings(seat: Seat) -> dict[str, str]:
    """Variables of a container: the app's own, then those of sharing, which win."""
    found = dict(seat.app.env)
    if seat.method != "whole":
        found[DEVICES] = visible(seat.cards)
    if seat.method == "mps" and seat.app.share_percent is not None:
        found[SHARE] = f"{seat.app.share_percent:g}"
    return found


def iot_edge_text(seats: Sequence[Seat]) -> str:
    """Settings of each module as the portal takes them: variables and container create options."""
    modules: dict[str, Any] = {}
    for seat in seats:
        options: dict[str, Any] = {"HostConfig": {"IpcMode": "host", "PidMode": "host"}}
        if seat.app.command:
            options["Entrypoint"] = list(seat.app.command)
        if seat.app.args:
            options["Cmd"] = list(seat.app.args)
        modules[seat.app.name] = {
            "image": seat.app.image,
            "env": {name: {"value": value} for name, value in settings(seat).items()},
            "createOptions": options,
        }
    return json.dumps({"modules": modules}, indent=2, ensure_ascii=False) + "\n"


def steps_of(
    edge: EdgeCatalogue,
    sharing: SharingPlan,
    seats: Sequence[Seat],
    target: Target,
    namespace: str | None,
    filename: str,
) -> Iterator[DeployStep]:
    """What to do around the file, in order."""
    if sharing.order and sharing.order.plan:
        text = f"Carry out the order of steps: {sharing.order.plan.sequence}"
        yield DeployStep(command="", text=text, remark=edge.remark("order-all-vms-first"))
    if any(seat.method == "mps" for seat in seats):
        text = "Turn MPS on, in a PowerShell session to the device (user EdgeUser, configuration Minishell)."
        yield DeployStep(command="Start-HcsGpuMPS", text=text, remark=edge.remark("mps-start"))
    if any(seat.method != "vm" for seat in seats):
        if target == "kubernetes":
            place = f" -n {namespace}" if namespace else ""
            remark = edge.remark("share-host-ipc")
            yield DeployStep(command=f"kubectl apply -f {filename}{place}", text="Deploy the apps.", remark=remark)
        else:
            text = f"Set image, variables and create options of each module; they run in the namespace {IOT_NAMESPACE}."
            yield DeployStep(command="", text=text, remark=edge.remark("share-iot"))
        text = "Look at the GPUs: each app shows as a process, with MPS as M+C."
        yield DeployStep(command="Get-HcsGpuNvidiaSmi", text=text, remark=edge.remark("smi-cmdlet"))
    yield from (
        DeployStep(command="", text="After every update of the device: do this again.", remark=remark)
        for remark in sharing.resets[:1]
    )
