"""Utilisation is joined to machines by name, and counts only where every machine was watched for long enough."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from advisor.engine.advice import advise
from advisor.engine.gpu_use import GpuUse, merge, runs_of
from advisor.engine.host_names import host_key
from advisor.engine.pool_use import remarks
from advisor.engine.pools import join_utilisation
from advisor.engine.readers import read_file
from advisor.engine.readers.packing import pack, unpack
from advisor.engine.readers.refusals import refuse
from advisor.engine.redact import redact
from advisor.engine.workload import ProfileFields
from tests.factories import make_request

START = datetime(2026, 11, 1)  # noqa: DTZ001 - files of monitoring have no zone
HOUR = START.toordinal() * 24
FLEET = "name,size,region,hours_per_vm,workload\n{rows}\n"
MACHINE = "{name},Standard_NC6s_v3,westeurope,730,inference"


def use(host="gpu-01", gpu="0", *, busy=((0, 300), (42, 100)), used=8.0, days=8, **more):
    """One GPU of a V100 machine, watched each half hour."""
    known = {"name": "Tesla V100-PCIE-16GB", "total_gib": 16.0, "uuid": f"GPU-{host}-{gpu}"} | more
    return GpuUse(
        **{"file": f"{host}.csv", "host": host, "host_from": "file name", "gpu": gpu, "busy": busy} | known,
        used_max_gib=used,
        used_samples=sum(count for _, count in busy),
        first=START,
        last=START + timedelta(days=days, minutes=-30),
        hours=((HOUR, HOUR + 24 * days - 1),),
    )


def fleet(catalogue, *names, row=MACHINE):
    text = FLEET.format(rows="\n".join(row.format(name=name) for name in names))
    return read_file("fleet.csv", io.BytesIO(text.encode()), catalogue)


def beside(uses):
    """A file of utilisation."""
    return replace(refuse("use.csv", "nvidia-smi-csv", "none", ""), problems=(), utilisation=tuple(uses))


@pytest.fixture
def ask(world):
    """The one pool of machines `names`, watched as `uses` say."""

    def ask_pool(names, uses, hosts=None, **more):
        readings = [fleet(world.catalogue, *names), beside(uses)]
        advice = advise(readings, world, make_request(hosts=hosts or {}, top=3, **more))
        assert len(advice.pools) == 1
        return advice.pools[0]

    return ask_pool


def test_quantiles_are_by_nearest_rank():
    # 300 idle samples and 100 of 42 %: the 200th of 400 is 0, the 380th is 42; mean 100 x 42 / 400 = 10.5 %
    one = use()
    assert (one.busy_at(0.5), one.busy_at(0.95), one.busy_mean, one.idle_share) == (0.0, 0.42, 0.105, 0.75)
    assert use(busy=((0, 96), (90, 4))).busy_at(0.95) == 0.0  # 95 of 100 samples are idle


def test_the_same_gpu_in_two_files_adds_up_and_the_same_file_twice_does_not():
    one, other = use(busy=((0, 10),), used=3.0), use(busy=((0, 5), (80, 5)), used=9.0, days=2)
    both = merge([one, other, one])
    assert (both.busy, both.used_max_gib, both.used_samples) == (((0, 15), (80, 5)), 9.0, 20)
    assert merge([one, one]) == one
    assert runs_of([5, 4, 9, 4]) == ((4, 5), (9, 9))


@pytest.mark.parametrize(
    ("host", "key"),
    [("GPU-01", "gpu-01"), ("gpu-01.corp.example", "gpu-01"), ("gpu-01:9400", "gpu-01"), ("10.0.0.4:9400", "10.0.0.4"),
     ("/subscriptions/1/providers/vms/GPU-01", "gpu-01")],
)  # fmt: skip
def test_case_domain_and_port_of_a_name_do_not_count(host, key):
    assert host_key(host) == key


def test_watched_memory_and_busy_share_take_the_place_of_assumptions(ask):
    pool = ask(["gpu-01", "gpu-02"], [use("GPU-01.corp"), use("gpu-02", busy=((0, 200), (28, 200)), used=6.0)])
    # memory: the most, 8 GiB, and a tenth: 8.8; busy: the mean of 42 and 28 at peak: 35 %
    assert pool.workload.gpu_memory_gib == pytest.approx(8.8)
    assert pool.workload.utilisation_percent == pytest.approx(35)
    assert pool.workload.watched == ("gpu_memory_gib", "utilisation")
    assert not {"gpu_memory_gib", "utilisation"} & set(pool.workload.assumed)
    assert (pool.gpu_use.machines, pool.gpu_use.gpus, pool.gpu_use.samples) == (2, 2, 800)
    assert pool.gpu_use.busy_mean == pytest.approx((0.105 + 0.14) / 2)
    assert pool.options[0].asked_gpus == pytest.approx(2 * 0.35 / 0.7)  # N k0 min(1, u / h)


def test_the_advice_changes_with_what_was_watched(ask):
    unknown = ask(["gpu-01", "gpu-02"], [])
    watched = ask(["gpu-01", "gpu-02"], [use("gpu-01"), use("gpu-02")])
    refused = {entry.size: entry.reasons[0].code for entry in unknown.rejected}
    sizes = [option.size for option in (*watched.options, *watched.more_options)]
    # a slice with 12 GiB has too little for the 16 GiB of a V100, and room for 8.8 GiB
    small = [size for size in sizes if refused.get(size) == "gpu-memory-assumed"]
    assert small
    assert watched.options[0].tco.expected < unknown.options[0].tco.expected


def test_u62_data_is_graded_by_how_long_was_watched(ask):
    names, twice = ["gpu-01", "gpu-02"], lambda **more: [use("gpu-01", **more), use("gpu-02", **more)]
    assert ask(names, []).options[0].grades.data == "C"  # hours known, memory and busy share assumed
    assert ask(names, twice(days=8)).options[0].grades.data == "A"
    short = ask(names, twice(days=2))
    assert (short.workload.watched, short.options[0].grades.data) == (("gpu_memory_gib", "utilisation"), "C")
    assert ask(names, twice(days=2), assume=(("watched_days", 2.0),)).options[0].grades.data == "A"


@pytest.mark.parametrize(
    ("uses", "why"),
    [
        ([use("gpu-01")], "Watched were 1 of 2 machines"),
        ([use("gpu-01", days=0.5), use("gpu-02")], "Watched was 12 clock hours"),
        ([use("gpu-01", busy=((9, 99),)), use("gpu-02")], "A GPU has 99 samples"),
        ([replace(use(h), first=None, last=None, hours=()) for h in ("gpu-01", "gpu-02")], "there are no times"),
    ],
    ids=["a machine is missing", "half a day", "too few samples", "no times"],
)
def test_what_is_not_whole_is_shown_and_does_not_count(ask, uses, why):
    uses = [replace(one, hours=tuple((int(a), int(b)) for a, b in one.hours)) for one in uses]
    pool = ask(["gpu-01", "gpu-02"], uses)
    assert (pool.workload.watched, pool.workload.gpu_memory_gib, pool.workload.utilisation_percent) == ((), 16.0, None)
    assert why in pool.gpu_use.why_not[0]
    assert pool.gpu_use.memory_used_max_gib == 8.0
    assert pool.options[0].grades.data == "C"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": "Tesla K80", "total_gib": None}, "Tesla K80; its size has V100"),
        ({"total_gib": 11.17}, "GPUs of 11.2 GiB"),
    ],
)
def test_figures_of_another_gpu_are_left_out(ask, wrong, why):
    pool = ask(["gpu-01"], [use("gpu-01", **wrong)])
    assert (pool.workload.watched, pool.gpu_use.machines, pool.gpu_use.gpus) == ((), 0, 0)
    assert why in pool.gpu_use.left_out[0]


def test_a_machine_counts_only_with_all_its_gpus(world):
    row = "{name},Standard_NC24s_v3,westeurope,730,inference"
    for shown, machines in ((3, 0), (4, 1)):
        uses = tuple(use("gpu-01", str(gpu)) for gpu in range(shown))
        readings = [fleet(world.catalogue, "gpu-01", row=row), beside(uses)]
        pool = advise(readings, world, make_request(top=1)).pools[0]
        assert (pool.gpu_use.machines, bool(pool.workload.watched)) == (machines, bool(machines))


def test_what_a_person_says_goes_before_what_was_watched(ask):
    pool = ask(["gpu-01"], [use("gpu-01")], profile=ProfileFields(gpu_memory_gib=12.0))
    assert (pool.workload.gpu_memory_gib, pool.workload.watched) == (12.0, ("utilisation",))


def test_idle_gpus_are_told_and_count_as_the_least_that_is_printed(ask):
    pool = ask(["gpu-01"], [use("gpu-01", busy=((0, 400),), used=0.5)])
    assert (pool.gpu_use.idle_gpus, pool.workload.utilisation_percent) == (1, 1.0)
    assert any("never busy" in remark for remark in remarks(pool.gpu_use, pool.workload.watched))


def test_a_full_gpu_needs_no_more_than_it_has(ask):
    assert ask(["gpu-01"], [use("gpu-01", used=15.9)]).workload.gpu_memory_gib == 16.0  # not 17.5


def joined(world, names, uses, hosts=None, row=MACHINE):
    readings = [fleet(world.catalogue, *names, row=row), beside(uses)]
    return join_utilisation(readings, world.catalogue, make_request(hosts=hosts or {}))


def test_hosts_that_are_no_machine_are_listed_with_a_guess(world):
    found = joined(world, ["gpu-01", "gpu-02"], [use("gpu-01"), use("exporter-on-gpu-02"), use("gpu02"), use("zzz")])
    pool = found.hosts[0].pool
    assert [(host.target, host.how, host.guess) for host in found.hosts] == [
        (f"{pool}/gpu-01", "name", None),
        (None, "", f"{pool}/gpu-02"),  # the name stands in it
        (None, "", f"{pool}/gpu-02"),  # the same name but for its signs
        (None, "", f"{pool}/"),  # the only pool with that GPU
    ]
    assert len(found.unmatched) == 3


def test_hosts_are_matched_by_hand_and_by_the_uuid_of_a_gpu(world):
    pool = joined(world, ["gpu-01"], [use("gpu-01")]).hosts[0].pool
    uses = [use("a", uuid="GPU-1"), use("pod-7", uuid="GPU-1"), use("b"), use("c")]
    hosts = {"a": f"{pool}/gpu-01", "b": "none", "c": "gone/gpu-09"}
    found = joined(world, ["gpu-01"], uses, hosts).hosts
    assert [(host.pool, host.how) for host in found] == [(pool, "hand"), (pool, "uuid"), (None, "hand"), (None, "")]


def test_a_name_in_two_pools_is_asked_for(world):
    rows = ["gpu-01,Standard_NC6s_v3,westeurope,730,inference", "gpu-01,Standard_NC6s_v3,northeurope,730,inference"]
    host = joined(world, rows, [use("gpu-01")], row="{name}").hosts[0]
    assert (host.target, host.several) == (None, True)


def test_a_machine_without_a_name_is_one_of_its_pool(world, ask):
    row = ",Standard_NC6s_v3,westeurope,730,inference"
    pool = joined(world, [""], [use("a")], row=row).hosts[0].guess.rstrip("/")
    readings = [fleet(world.catalogue, "", "", row=row), beside([use("a"), use("b")])]
    hosts = {"a": f"{pool}/", "b": f"{pool}/"}
    found = advise(readings, world, make_request(hosts=hosts, top=1)).pools[0]
    assert (found.vms, found.gpu_use.machines, found.workload.watched[:1]) == (2, 2, ("gpu_memory_gib",))


def test_a_kept_fleet_is_joined_as_the_file_itself(world):
    readings = [fleet(world.catalogue, "gpu-01", "gpu-02"), beside([use("gpu-02")])]
    kept = [unpack(pack(reading)) for reading in readings]
    request = make_request()
    assert join_utilisation(kept, world.catalogue, request) == join_utilisation(readings, world.catalogue, request)


def test_a_report_names_no_file_and_no_host(world):
    readings = [fleet(world.catalogue, "gpu-01"), beside([use("gpu-01")])]
    shared = redact(advise(readings, world, make_request(top=1)), with_names=False)
    assert [source.file for source in shared.pools[0].gpu_use.sources] == [""]
    assert all(not reading.utilisation for reading in shared.readings)
