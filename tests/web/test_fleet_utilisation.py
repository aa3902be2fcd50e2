"""A fleet's utilisation: files beside it or added later, hosts matched by hand, and the answer that changes with it."""

from __future__ import annotations

import io
import json
from datetime import datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from advisor import store_fleets, store_utilisation
from advisor.models import StoredFleet
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db
MACHINES = (
    "name,size,region,hours_per_vm,workload\n"
    "gpu-01,NC6s_v3,westeurope,730,inference\ngpu-02,NC6s_v3,westeurope,730,inference\n"
)


def smi(host: str, *, busy: int = 42, used: int = 8192, days: int = 8) -> tuple[str, str]:
    """nvidia-smi of one V100, each half hour: busy for three hours of each day."""
    lines = ["timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB]"]
    for place in range(48 * days):
        when = datetime(2026, 11, 1) + timedelta(minutes=30 * place)  # noqa: DTZ001 - nvidia-smi writes no zone
        now = busy if 9 <= when.hour < 12 else 0
        lines.append(
            f"{when:%Y/%m/%d %H:%M:%S}.000, 0, Tesla V100-PCIE-16GB, GPU-{host}, {now} %, {used} MiB, 16384 MiB"
        )
    return f"{host}.csv", "\n".join(lines)


def address(fleet: StoredFleet) -> str:
    return reverse("fleet-utilisation", args=[fleet.pk])


def add(client: Client, fleet: StoredFleet, *files: tuple[str, str], status: int = 303):
    sent = [SimpleUploadedFile(name, text.encode()) for name, text in files]
    answer = client.post(address(fleet), {"do": "add", "file": sent})
    assert answer.status_code == status
    return answer


def pool_of(client: Client, fleet: StoredFleet) -> dict:
    return client.get(reverse("answer-json", args=[fleet.pk])).json()["pools"][0]


@pytest.fixture
def fleet(client, catalogue):
    return keep(client, catalogue, ("fleet.csv", MACHINES))


def test_u64_files_are_added_matched_and_count(client, fleet):
    before = pool_of(client, fleet)
    assert (before["gpu_use"], before["workload"]["gpu_memory_gib"]) == (None, 16.0)
    add(client, fleet, smi("gpu-01"), smi("worker-b", busy=28, used=6144))
    page = client.get(address(fleet)).content.decode()
    assert "1 of 2 hosts is not known yet" in Page(page).text
    half = pool_of(client, fleet)
    assert (half["gpu_use"]["machines"], half["workload"]["watched"]) == (1, [])
    field = page[page.index('name="host-') + 6 :].partition('"')[0]
    client.post(address(fleet), {"do": "match", field: f"{half['id']}/gpu-02"})
    after = pool_of(client, fleet)
    # 8,192 MiB are 8 GiB, and a tenth; 42 % and 28 % at peak, mean 35 %
    assert after["workload"]["gpu_memory_gib"] == pytest.approx(8.8)
    assert after["workload"]["utilisation_percent"] == pytest.approx(35)
    assert after["options"][0]["grades"]["data"] == "A"
    assert after["options"][0]["tco"]["expected"] < before["options"][0]["tco"]["expected"]


def test_the_page_of_a_pool_says_file_samples_and_days(client, fleet):
    add(client, fleet, smi("gpu-01"), smi("gpu-02"))
    pool = pool_of(client, fleet)
    text = Page(client.get(reverse("pool", args=[fleet.pk, pool["id"]])).content).text
    assert "gpu-01.csv: 384 samples of 1 GPU, 2026-11-01 to 2026-11-08" in text
    assert "memory at most 8.0 GiB in use" in text
    assert "needs 8.8 GiB" in text or "need 8.8 GiB" in text


def test_a_person_takes_the_figures_for_the_whole_pool(client, fleet):
    add(client, fleet, smi("gpu-01"))
    pool = pool_of(client, fleet)
    assert "Take these figures for the whole pool" in client.get(address(fleet)).content.decode()
    assert client.post(address(fleet), {"do": "use", "pool": pool["id"]}).status_code == 303
    said = store_fleets.profiles_of(StoredFleet.objects.get(pk=fleet.pk))[pool["id"]]
    assert (said.gpu_memory_gib, said.utilisation) == (pytest.approx(8.8), 0.42)


def test_files_come_with_the_machines(client, catalogue):
    files = [SimpleUploadedFile(name, text.encode()) for name, text in (("fleet.csv", MACHINES), smi("gpu-01"))]
    client.post(reverse("fleets"), {"file": files, "end": "1"})
    fleet = StoredFleet.objects.latest("made_at")
    text = Page(client.get(reverse("fleet", args=[fleet.pk])).content).text
    assert "1 file of utilisation is kept with this fleet" in text
    assert "was not used" not in text


def test_alone_a_file_is_refused_with_what_to_do(client):
    answer = client.post(reverse("fleets"), {"file": [SimpleUploadedFile(*_bytes(smi("gpu-01")))], "end": "1"})
    assert answer.status_code == 422
    assert "it has no machines with sizes" in answer.content.decode()


def _bytes(file: tuple[str, str]) -> tuple[str, bytes]:
    return file[0], file[1].encode()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ((), "No file came with the form"),
        ((("a.csv", MACHINES),), "This is a list of machines"),
        ((("a.csv", "# gpu pid type sm\n0 1 C 5\n"), smi("gpu-01", days=1)), "figures of processes"),
    ],
)
def test_what_is_no_utilisation_keeps_nothing(client, fleet, files, says):
    answer = add(client, fleet, *files, status=422)
    assert says in answer.content.decode()
    assert store_utilisation.number_of_files(StoredFleet.objects.get(pk=fleet.pk)) == 0


def test_an_unknown_machine_is_refused(client, fleet):
    add(client, fleet, smi("worker-b", days=1))
    page = client.get(address(fleet)).content.decode()
    field = page[page.index('name="host-') + 6 :].partition('"')[0]
    answer = client.post(address(fleet), {"do": "match", field: "nothing/like-it"})
    assert answer.status_code == 422
    assert "This fleet has no such machine any more" in answer.content.decode()


def test_all_of_it_is_removed(client, fleet):
    add(client, fleet, smi("gpu-01", days=1))
    client.post(address(fleet), {"do": "remove"})
    assert pool_of(client, fleet)["gpu_use"] is None
    assert "Nobody has said yet how busy" in Page(client.get(address(fleet)).content).text


def test_a_report_and_the_json_name_no_host(client, fleet):
    add(client, fleet, ("all.csv", smi("gpu-01")[1].replace("timestamp, ", "host, timestamp, ", 1)
                        .replace("\n2026", "\ngpu-01.secret.example, 2026")))  # fmt: skip
    assert pool_of(client, fleet)["gpu_use"]["machines"] == 1
    assert "secret" not in client.get(reverse("answer-json", args=[fleet.pk])).content.decode()
    made = client.post(reverse("make-report", args=[fleet.pk]), {"title": "t"})
    report = client.get(made["Location"]).content.decode()
    assert "1 of 2 machines" in report
    assert "secret" not in report and "all.csv" not in report


def test_it_is_nobody_elses(client, fleet):
    assert Client().get(address(fleet)).status_code == 404
    assert client.post(address(fleet), {"do": "dance"}).status_code == 404


def test_the_page_stays_small_with_many_hosts_and_machines(client, catalogue):
    rows = "".join(f"gpu-{n:04d},NC6s_v3,westeurope,730\n" for n in range(900))
    fleet = keep(client, catalogue, ("fleet.csv", "name,size,region,hours_per_vm\n" + rows))
    text = "host,index,utilization.gpu [%]\n" + "".join(f"w{n},0,5 %\n" for n in range(300))
    add(client, fleet, ("all.csv", text))
    answer = client.get(address(fleet))
    assert len(answer.content) < 150_000
    assert "260 more hosts come when these are saved" in Page(answer.content).text


@pytest.fixture
def files(tmp_path) -> list[str]:
    kept = [("fleet.csv", MACHINES), smi("gpu-01"), smi("worker-b", busy=28, used=6144)]
    for name, text in kept:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name, _ in kept]


def test_the_command_says_the_same(files):
    out = io.StringIO()
    call_command("advise", *files, "--json", "--top", "1", "--host", "worker-b=gpu-02", stdout=out)
    pool = json.loads(out.getvalue())["pools"][0]
    assert pool["workload"]["utilisation_percent"] == pytest.approx(35)
    assert pool["workload"]["watched"] == ["gpu_memory_gib", "utilisation"]
    assert [source["file"] for source in pool["gpu_use"]["sources"]] == ["gpu-01.csv", "worker-b.csv"]


@pytest.mark.parametrize(
    ("said", "why"),
    [("worker-b=gpu-09", "the fleet has no such machine or pool; machines: gpu-01, gpu-02"),
     ("worker-c=gpu-02", "no utilisation file has this host; there are: gpu-01, worker-b")],
)  # fmt: skip
def test_the_command_names_what_is_not_there(files, said, why):
    with pytest.raises(CommandError, match=why):
        call_command("advise", *files, "--json", "--host", said, stdout=io.StringIO())
