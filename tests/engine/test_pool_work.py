"""The work of a pool as the speed model takes it: kinds by design 4.4, and network, batch and runtime where said."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.engine.pool_work import work_of_pool
from advisor.engine.speed import SpeedModel
from advisor.engine.speed_work import Work
from advisor.engine.workload import BadProfile, WorkloadProfile, profile_fields, profile_rules
from tests.engine.conftest import Ask
from tests.factories import option_of


def profile(kind: str, **values: Any) -> WorkloadProfile:
    plain: dict[str, Any] = {
        "pattern": "steady", "shape": "queue", "precision": "fp16", "gpu_memory_gib": 8.0, "utilisation": None,
        "multi_node": False, "job_gpus": 1.0, "min_vms": 1, "interruptible": False,
    }  # fmt: skip
    return WorkloadProfile(kind=kind, **plain | values)


@pytest.mark.parametrize(
    ("asked", "work"),
    [
        (profile("training"), Work(kind="training", precision="fp16")),
        (profile("training", network="cnn", batch=8.0, runtime="engine"),
         Work(kind="training", precision="fp16", network="cnn")),  # batch and runtime are of inference
        (profile("training", network="llm"), Work(kind="training", precision="fp16", network="transformer")),
        (profile("inference"), Work(kind="inference", precision="fp16")),
        (profile("inference", shape="stream", batch=64.0),
         Work(kind="inference-small", precision="fp16", batch=64.0)),  # online is small whatever the batch
        (profile("inference", batch=8.0), Work(kind="inference-small", precision="fp16", batch=8.0)),
        (profile("inference", batch=9.0, network="cnn", runtime="engine"),
         Work(kind="inference", precision="fp16", network="cnn", batch=9.0, runtime="engine")),
        (profile("inference", network="llm", batch=1.0, runtime="engine"),
         Work(kind="llm-decode", precision="fp16", batch=1.0)),
        (profile("inference", network="llm-prefill"), Work(kind="llm-prefill", precision="fp16")),
        (profile("hpc", precision="fp64", network="cnn"), Work(kind="hpc-fp64", precision="fp64")),
        (profile("hpc", precision="fp32"), Work(kind="hpc-bandwidth", precision="fp32")),
        (profile("graphics", batch=1.0), Work(kind="graphics", precision="fp16")),
        (profile("dev"), Work(kind="unknown", precision="fp16")),
    ],
)  # fmt: skip
def test_what_was_said_counts_where_it_matters(asked: WorkloadProfile, work: Work) -> None:
    assert work_of_pool(asked) == work


def test_what_nobody_said_changes_no_figure(ask: Ask, catalogue: Any) -> None:
    pool = ask("NC4as_T4_v3", 4, workload="inference")
    speed = option_of(pool, "NC24ads_A100_v4").speedup
    plain = SpeedModel(catalogue).speedup("T4", "A100 PCIe 80GB", "inference-small", "fp16")
    assert plain is not None and (speed.low, speed.expected, speed.high) == (plain.low, plain.expected, plain.high)
    assert (pool.workload.network, pool.workload.batch, pool.workload.runtime) == (None, None, None)
    assert not {"network", "batch", "runtime"} & set(pool.workload.assumed)  # nothing is taken in their place


def test_a_batch_of_one_in_a_framework_gains_less_from_a_large_gpu(ask: Ask) -> None:
    # docs/speed-model.md: H grows by kind, network, batch and framework, and no GPU speeds it up
    slow = ask("NC4as_T4_v3", 4, workload="inference", network="cnn", batch=1.0, runtime="framework")
    fast = ask("NC4as_T4_v3", 4, workload="inference", network="cnn", batch=8.0, runtime="engine")
    one, eight = (option_of(pool, "NC24ads_A100_v4").speedup for pool in (slow, fast))
    assert one.expected < eight.expected
    assert (slow.workload.network, slow.workload.batch, slow.workload.runtime) == ("cnn", 1.0, "framework")


def test_a_rule_of_a_profiles_file_may_say_them() -> None:
    (rule,) = profile_rules([{"match": {"size": "NC*"}, "set": {"network": "llm", "batch": 4, "runtime": "engine"}}])
    assert (rule.set.network, rule.set.batch, rule.set.runtime) == ("llm", 4, "engine")


@pytest.mark.parametrize("wrong", [{"network": "gan"}, {"batch": 0}, {"batch": True}, {"runtime": "cuda"}])
def test_what_the_model_does_not_know_is_refused_with_what_it_does(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadProfile, match=r"allowed are: |must be a number above 0"):
        profile_fields(wrong)
