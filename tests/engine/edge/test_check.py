"""The checker: each mistake of the collected table is found at its line, mended, accepted, and comments stay."""

from __future__ import annotations

import pytest

from advisor.engine.edge.check import Checked, check_deployment
from advisor.engine.edge.devices import EdgeCatalogue
from tests.engine.edge.kubernetes_schema import faults

GOOD = """\
# the reader of the gate camera
apiVersion: apps/v1
kind: Deployment
metadata:
  name: reader
spec:
  replicas: 1
  selector:
    matchLabels:
      app: reader
  template:
    metadata:
      labels:
        app: reader
    spec:
      hostPID: true
      hostIPC: true
      containers:
      - name: reader
        image: registry.example/reader:1.2  # keep
        env:
        - name: NVIDIA_VISIBLE_DEVICES
          value: "0"
        - name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE
          value: "20"
"""
SHARE = '        - name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n          value: "20"\n'
ENV = GOOD[GOOD.index("        env:") :]
SHARE_LINE = 25
#: What takes the place of the two lines of the share, the statement, and the line at which it is found.
MISTAKES = {
    "value deeper": (SHARE.replace("          value", "            value"), "yaml-value-deeper", SHARE_LINE),
    "value less deep": (SHARE.replace("          value", "         value"), "yaml-value-shallower", SHARE_LINE),
    "value under the dash": (SHARE.replace("          value", "        value"), "yaml-value-shallower", SHARE_LINE),
    "slash comment": ("        // twenty percent\n" + SHARE, "yaml-slash-comment", 24),
    "slash comment with a colon": (
        SHARE.replace("          value", "          // share: twenty\n          value"),
        "yaml-slash-comment",
        25,
    ),
    "slash comment behind a value": (SHARE.replace('"20"', '"20" // a fifth'), "yaml-slash-comment", SHARE_LINE),
    "number": (SHARE.replace('"20"', "20"), "yaml-unquoted", SHARE_LINE),
    "number with a comment": (SHARE.replace('"20"', "20  # a fifth"), "yaml-unquoted", SHARE_LINE),
    "no blank after the dash": (SHARE.replace("- name", "-name"), "yaml-dash-space", 24),
    "no blank after the colon": (SHARE.replace("name: ", "name:"), "yaml-colon-space", 24),
    "no blank after the second colon": (SHARE.replace("value: ", "value:"), "yaml-colon-space", SHARE_LINE),
    "tab": (SHARE.replace("          value", "\t\t\t\t\tvalue"), "yaml-tab", SHARE_LINE),
    "wide tab": (SHARE.replace("        - name", "\t- name"), "yaml-tab", 24),
    "tab after the colon": (SHARE.replace("value: ", "value:\t"), "yaml-tab", SHARE_LINE),
    "typographic quotes": (SHARE.replace('"20"', "\u201c20\u201d"), "yaml-quotes", SHARE_LINE),
    "percent sign": (SHARE.replace('"20"', "20%"), "yaml-percent", SHARE_LINE),
    "percent sign in quotes": (SHARE.replace('"20"', '"20%"'), "yaml-percent", SHARE_LINE),
    "twice": (SHARE.replace("20", "50") + SHARE, "yaml-twice", 24),
}


def check(edge: EdgeCatalogue, text: str, mps: bool | None = True) -> Checked:
    return check_deployment(edge, text, mps)


def test_a_good_file_has_no_problem(edge: EdgeCatalogue):
    found = check(edge, GOOD)
    assert (found.problems, found.changed, found.accepted, found.corrected) == ((), False, True, GOOD)
    assert faults(GOOD) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_and_mended(edge: EdgeCatalogue, name: str):
    lines, code, line = MISTAKES[name]
    found = check(edge, GOOD.replace(SHARE, lines))
    assert (code, line) in {(p.code, p.line) for p in found.problems}
    assert all(p.reason and p.source for p in found.problems)
    assert found.corrected is not None
    assert found.accepted, found.left
    assert faults(found.corrected) == []
    assert "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n" in found.corrected
    assert 'value: "20"' in found.corrected
    assert "# the reader of the gate camera" in found.corrected
    assert "# keep" in found.corrected


@pytest.mark.parametrize("by", [-2, -4])
def test_env_outside_the_container_is_moved_into_it(edge: EdgeCatalogue, by: int):
    outside = "".join(line[-by:] for line in ENV.splitlines(keepends=True))
    if by == -4:
        outside = ENV.replace("        ", "    ", 1).replace("\n        ", "\n    ")
    found = check(edge, GOOD.replace(ENV, outside))
    assert ("yaml-env-outside", 21) in {(p.code, p.line) for p in found.problems}
    assert found.corrected == GOOD


def test_env_outside_joins_the_variables_that_are_there(edge: EdgeCatalogue):
    outside = "      env:\n      - name: MODE\n        value: fast\n"
    found = check(edge, GOOD.replace("      containers:\n", outside + "      containers:\n"))
    assert found.corrected == GOOD + "        - name: MODE\n          value: fast\n"


def test_with_several_containers_env_stays_and_is_named(edge: EdgeCatalogue):
    two = GOOD.replace(ENV, "      - name: second\n        image: b\n" + ENV.replace("        ", "      ", 1))
    two = two.replace("\n        - name: N", "\n      - name: N").replace("\n        - name: C", "\n      - name: C")
    two = two.replace("\n          value", "\n        value")
    found = check(edge, two)
    assert "yaml-env-outside" in {p.code for p in found.problems}
    assert not found.accepted


def test_a_share_without_mps_has_no_effect(edge: EdgeCatalogue):
    off, unknown, on = (check(edge, GOOD, mps) for mps in (False, None, True))
    assert [p.code for p in off.problems] == ["yaml-no-mps"]
    assert [p.level for p in unknown.problems] == ["warning"]
    assert on.problems == ()
    assert off.corrected == GOOD


def test_shares_above_100_are_warned_of_and_accepted(edge: EdgeCatalogue):
    found = check(edge, GOOD.replace("replicas: 1", "replicas: 6"))
    assert [(p.code, p.level) for p in found.problems] == [("mps-over-100", "warning")]
    assert (found.accepted, found.share_sum) == (True, 120)


def test_the_name_of_the_resource_is_mended(edge: EdgeCatalogue):
    limits = "        resources:\n          limits:\n            nvidia.com.gpu: 1\n"
    found = check(edge, GOOD + limits)
    assert "plugin-name" in {p.code for p in found.problems}
    assert found.corrected == GOOD + limits.replace("nvidia.com.gpu", "nvidia.com/gpu")
    assert "share-unseen" in {p.code for p in found.problems} | {p.code for p in check(edge, found.corrected).problems}


def test_parts_of_a_gpu_are_refused(edge: EdgeCatalogue):
    found = check(edge, GOOD.replace('value: "0"', 'value: "0.5"'))
    assert [(p.code, p.line) for p in found.problems] == [("share-time", 23)]
    assert not found.accepted


def test_both_gpus_are_warned_of(edge: EdgeCatalogue):
    found = check(edge, GOOD.replace('value: "0"', 'value: "0,1"'))
    assert [(p.code, p.level) for p in found.problems] == [("share-both-gpus", "warning")]


def test_many_mistakes_at_once(edge: EdgeCatalogue):
    bad = GOOD.replace(
        SHARE, "\t// a: share\n        -name:CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n            value: 20%\n"
    )
    found = check(edge, bad)
    codes = {p.code for p in found.problems}
    assert {"yaml-tab", "yaml-slash-comment", "yaml-dash-space", "yaml-value-deeper", "yaml-percent"} <= codes
    assert found.accepted, found.left
    assert found.corrected == GOOD.replace(SHARE, "  # a: share\n" + SHARE)


def test_a_fragment_is_checked_too(edge: EdgeCatalogue):
    found = check(edge, "env:\n- name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n    value: 20\n")
    assert found.corrected == 'env:\n- name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE\n  value: "20"\n'


def test_scripts_inside_a_text_stay_as_they_are(edge: EdgeCatalogue):
    inside = ("// no comment of YAML", "name:X", "-name: y", "\tmake")
    script = "        args:\n        - |\n" + "".join(f"          {line}\n" for line in inside)
    text = GOOD.replace("        env:", script + "        env:")
    assert check(edge, text).corrected == text
    broken = text.replace(SHARE, SHARE.replace("          value", "            value"))
    assert check(edge, broken).corrected == text


def test_what_cannot_be_guessed_is_told_with_its_line(edge: EdgeCatalogue):
    found = check(edge, GOOD.replace("replicas: 1", "replicas: [1"))
    assert [p.code for p in found.problems] == ["yaml-syntax"]
    assert found.problems[0].line
    assert not found.accepted


def test_windows_line_ends_stay(edge: EdgeCatalogue):
    found = check(edge, GOOD.replace('"20"', "20").replace("\n", "\r\n").encode("utf-8-sig"))
    assert found.corrected == GOOD.replace("\n", "\r\n")


BOMB = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join(['*a' if n == 0 else f'*b{n - 1}'] * 9)}]\n" for n in range(9))
HOSTILE = {
    "huge": "a: b\n" * 200_000,
    "long line": "a: " + "x" * 100_000,
    "binary": bytes(range(256)) * 40,
    "brackets": "[" * 60_000,
    "mixed brackets": "{a: [" * 5_000,
    "dashes": "- " * 5_000,
    "questions": "? " * 5_000,
    "deep": "".join(" " * n + "a:\n" for n in range(300)),
    "bomb": BOMB,
    "own alias": "&a [*a]",
    "empty": "",
    "blank": " \n\t\n",
    "only a comment": "# nothing",
    "null": "~",
    "number": "1",
    "tag": "!!python/object/apply:os.system [echo]",
    "bad tag": "!<tag:",
    "control": "a: \x07",
    "directive": "%YAML 9.9\n---\na: 1",
    "surrogate": "a: \ud800",
    "documents": "---\n" * 3_000,
    "env of anything": "env:\n- [1]\n- {name: [a]}\n- {name: a, value: {b: c}}\n- ~\n",
    "containers of anything": "kind: Pod\nspec:\n  containers:\n  - 1\n  - [a]\n  env: [1]\n",
    "same keys": "env:\n- name: a\n  name: b\n  value: 1\n  value: 2\n",
    "merge": "x: &x {name: A}\nenv:\n- <<: *x\n  value: 1\n",
    "number beyond limits": "env:\n- name: A\n  value: " + "9" * 5_000 + "\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gives_problems_never_an_exception(edge: EdgeCatalogue, name: str):
    found = check(edge, HOSTILE[name])
    assert found.problems or found.accepted


@pytest.mark.parametrize("name", ["huge", "long line", "binary", "brackets", "dashes", "deep", "bomb", "empty"])
def test_what_is_beyond_the_limits_is_refused(edge: EdgeCatalogue, name: str):
    found = check(edge, HOSTILE[name])
    assert (found.corrected, found.accepted) == (None, False)


def test_a_file_of_mistakes_is_mended_whole_and_listed_in_part(edge: EdgeCatalogue):
    many = "".join(f"- name: V{n}\n  value: 1\n" for n in range(250))
    found = check(edge, f"env:\n{many}")
    assert (len(found.problems), found.problems_left_out, found.accepted) == (200, 50, True)
