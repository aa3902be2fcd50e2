"""Deployment files: accepted by the schema and by our own checker, quoted and indented right; bad lists are refused."""

from __future__ import annotations

import json

import pytest
from ruamel.yaml import YAML

from advisor.engine.edge.apps import App, InvalidApps, read_apps
from advisor.engine.edge.check import check_deployment
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.manifest import Manifest, manifest
from advisor.engine.edge.sharing import plan_sharing
from tests.engine.edge.kubernetes_schema import faults

NASTY = 'yes: "no" # \u201cquoted\u201d\n- {a: 1}\t%'


def make(edge: EdgeCatalogue, *apps: App, device: str = "pro-gpu-1", target: str = "kubernetes") -> Manifest:
    return manifest(edge, plan_sharing(edge, edge.device(device), apps), target, "vision")


def app(name: str = "reader", **fields: object) -> App:
    return App(**({"name": name, "image": "registry.example/reader:1.2"} | fields))


@pytest.mark.parametrize("kind", ["Deployment", "Job"])
@pytest.mark.parametrize("fields", [{"share_percent": 40}, {"method": "time"}, {"method": "whole"}, {"replicas": 3}])
def test_the_file_is_accepted(edge: EdgeCatalogue, kind: str, fields: dict[str, object]):
    made = make(edge, app(kind=kind, **fields))
    assert faults(made.text) == []
    checked = check_deployment(edge, made.text, mps=True)
    assert (checked.errors, checked.changed) == (0, False)


def test_the_variables_as_people_know_them(edge: EdgeCatalogue):
    text = make(edge, app(share_percent=40)).text
    assert '        env:\n        - name: NVIDIA_VISIBLE_DEVICES\n          value: "0"\n' in text
    assert '        - name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n          value: "40"  # an upper limit' in text
    assert "16 of 40 SMs" in text
    assert "hostIPC: true" in text


def test_a_whole_gpu_is_asked_for_and_not_shared(edge: EdgeCatalogue):
    text = make(edge, app(method="whole")).text
    assert "nvidia.com/gpu: 1" in text
    assert "NVIDIA_VISIBLE_DEVICES" not in text
    assert "hostIPC" not in text


def test_apps_on_two_gpus_see_their_own(edge: EdgeCatalogue):
    made = make(edge, app("a", method="time", gpu=0), app("b", method="time", gpu=1), device="pro-gpu-2")
    seen = [
        d["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"] for d in YAML(typ="safe").load_all(made.text)
    ]
    assert seen == ["0", "1"]


def test_kubernetes_counts_only_the_gpus_it_has(edge: EdgeCatalogue):
    made = make(edge, App(name="vm", method="vm"), app("a", method="time"), device="pro-gpu-2")
    assert 'value: "0"' in made.text
    assert "share-numbering" in {remark.code for remark in made.remarks}


def test_text_of_the_user_stays_what_it_is(edge: EdgeCatalogue):
    made = make(edge, app(share_percent=10, args=(NASTY, "20", "true"), env={"A": NASTY, "B": "20", "C": "0x1"}))
    container = YAML(typ="safe").load(made.text)["spec"]["template"]["spec"]["containers"][0]
    assert container["args"] == [NASTY, "20", "true"]
    assert {e["name"]: e["value"] for e in container["env"]}["A"] == NASTY
    assert faults(made.text) == []


def test_the_share_of_the_plan_wins_over_the_apps_own(edge: EdgeCatalogue):
    made = make(edge, app(share_percent=10, env={"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE": "90"}))
    assert made.text.count("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") == 1
    assert '"90"' not in made.text


def test_steps_beside_the_file(edge: EdgeCatalogue):
    commands = [step.command for step in make(edge, app(share_percent=10)).steps]
    assert commands.index("Start-HcsGpuMPS") < commands.index("kubectl apply -f deployment.yaml -n vision")
    assert "Start-HcsGpuMPS" not in [step.command for step in make(edge, app(method="time")).steps]
    assert all(step.remark.source for step in make(edge, app(share_percent=10)).steps)


def test_iot_edge_modules(edge: EdgeCatalogue):
    made = make(edge, app(share_percent=10), target="iotedge")
    module = json.loads(made.text)["modules"]["reader"]
    assert module["env"]["NVIDIA_VISIBLE_DEVICES"] == {"value": "0"}
    assert module["createOptions"]["HostConfig"] == {"IpcMode": "host", "PidMode": "host"}
    assert "life-iot-edge" in {remark.code for remark in made.remarks}


def test_an_app_without_image_or_place_is_refused(edge: EdgeCatalogue):
    with pytest.raises(InvalidApps, match="image is missing"):
        make(edge, App(name="reader"))
    with pytest.raises(InvalidApps, match="no place"):
        make(edge, app("a", method="whole"), app("b", method="whole"))


def test_apps_in_vms_need_no_file(edge: EdgeCatalogue):
    made = make(edge, App(name="a", method="vm"))
    assert made.text.startswith("#")
    assert made.steps[0].text.endswith(": vm")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("[]", "0 entries"),
        ("{}", 'needs a list "apps"'),
        ("[1]", "app 1"),
        ('[{"name": "A B"}]', "lower-case"),
        ('[{"name": "a"}, {"name": "a"}]', "Two apps"),
        ('[{"name": "a", "share_percent": 101}]', "from 0.1 to 100"),
        ('[{"name": "a", "share_percent": "20"}]', "share_percent"),
        ('[{"name": "a", "share": 20}]', "is no field"),
        ('[{"name": "a", "gpus": 0.5}]', "whole number"),
        ('[{"name": "a", "method": "mig"}]', "allowed are"),
        ('[{"name": "a", "image": "a b"}]', "blanks"),
        ('[{"name": "a", "env": {"A B": "x"}}]', "no name of a variable"),
        ('[{"name": "a", "memory_mib": NaN}]', "memory_mib"),
        ("[" * 100_000, "nested"),
        (" " * 400_000, "at most"),
    ],
)
def test_a_bad_list_is_refused_with_its_place(text: str, words: str):
    with pytest.raises(InvalidApps, match=words):
        read_apps(text)


def test_a_good_list():
    found = read_apps(b'{"method": "mps", "namespace": "n", "apps": [{"name": "a", "share_percent": 20, "gpu": 0}]}')
    assert (found.apps[0].method, found.apps[0].gpu, found.namespace) == ("mps", 0, "n")
