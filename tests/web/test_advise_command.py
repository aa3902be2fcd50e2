"""The command advise end to end: what it prints, how it ends, what it refuses."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from advisor.management.commands.advise import Command

FLEET = "name,size,region,count,hours_per_vm,workload\ntrain,NC6,westeurope,12,730,training\n"
DAY = ("--as-of", "2026-11-30")

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(tmp_path: Path) -> str:
    path = tmp_path / "fleet.csv"
    path.write_text(FLEET, encoding="utf-8")
    return str(path)


def run(*args: str) -> str:
    out = StringIO()
    call_command("advise", *args, *DAY, stdout=out)
    return out.getvalue()


def answer(*args: str) -> dict[str, Any]:
    """The JSON object, which is all that is printed; NaN is refused."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    found: dict[str, Any] = json.loads(run(*args, "--json"), parse_constant=refuse)
    return found


def refused(*args: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        run(*args)
    return caught.value


def in_file(tmp_path: Path, text: str, name: str = "other.csv") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


# Answers


def test_one_json_object_with_the_keys_of_the_contract(fleet: str) -> None:
    found = answer(fleet)
    assert (found["schema"], found["as_of"], found["horizon_months"]) == ("advice/1", "2026-11-30", 36)
    assert (found["currency"], found["price_model"], found["strategy"]) == ("USD", "payg", "lowest_cost")
    (pool,) = found["pools"]
    assert (pool["size"], pool["region"], pool["vms"]) == ("Standard_NC6", "westeurope", 12)
    assert (pool["hours_per_vm_month"], pool["hours_basis"], pool["gpu_hours_per_month"]) == (730, "list", 8760)
    assert pool["workload"]["kind"] == "training" and "workload" not in pool["workload"]["assumed"]
    assert pool["baseline"]["monthly_cost"] == pytest.approx(12 * 730 * 1.166)
    assert found["import"][0]["gpu_rows"] == 1


def test_the_text_names_size_money_and_currency(fleet: str) -> None:
    text = run(fleet)
    assert "NC6" in text and "USD" in text and "Microsoft names Standard_NC4as_T4_v3" in text
    assert "nan" not in text and "None" not in text


def test_changed_assumptions_are_told_with_their_defaults(fleet: str) -> None:
    assert "Assumptions changed" not in run(fleet, "--assume", "labour_rate=95")
    text = " ".join(run(fleet, "--assume", "labour_rate=120", "--assume", "grid_licence=30").split())
    assert "Assumptions changed: labour_rate 120 instead of 95, grid_licence 30 instead of unknown." in text


def test_one_is_no_plural(fleet: str) -> None:
    assert "for 12 GPU machines in 1 pool\n" in run(fleet)
    assert "Retired sizes: 12 machines in 1 pool." in run(fleet)


def test_a_bad_row_is_told_once_in_the_text(tmp_path: Path) -> None:
    text = run(in_file(tmp_path, "size,count,region\nNC6,1,westeurope\nNC6x,1,westeurope\n"))
    told = " ".join(text[: text.index("==")].split())
    assert "for 1 GPU machine in 1 pool" in told
    assert told.count("Standard_NC6s_v3") == 1
    assert told.lower().count("line 3") == 1


def test_gpus_of_a_job_are_whole_where_they_are(fleet: str) -> None:
    assert type(answer(fleet)["pools"][0]["workload"]["job_gpus"]) is int


def test_options_reach_the_engine(fleet: str) -> None:
    options = "--workload inference --pattern steady --shape queue --precision fp16 --gpu-memory 10 --utilisation 40"
    found = answer(fleet, *options.split(), "--min-vms", "3", "--interruptible", "--job-gpus", "2", "--no-multi-node")
    work = found["pools"][0]["workload"]
    assert work["kind"] == "training"  # the row's own column goes before
    assert (work["shape"], work["precision"], work["gpu_memory_gib"]) == ("queue", "fp16", 10)
    assert (work["utilisation_percent"], work["min_vms"], work["interruptible"]) == (pytest.approx(40), 3, True)
    assert (work["job_gpus"], work["multi_node"]) == (2, False)


@pytest.mark.parametrize(("top", "full"), [("2", 2), ("0", None)])
def test_top_says_how_many_options_are_told_in_full(fleet: str, top: str, full: int | None) -> None:
    options = answer(fleet, "--top", top)["pools"][0]["options"]
    told = [option for option in options if "rules" in option]
    assert len(told) == (len(options) if full is None else full)
    assert all({"size", "rank", "monthly_cost", "tco"} <= option.keys() for option in options)


def test_profiles_set_what_the_row_leaves_open(fleet: str, tmp_path: Path) -> None:
    rules = [{"match": {"size": "NC6*"}, "set": {"workload": "dev", "utilisation": 30, "gpu_memory_gib": 8}}]
    found = answer(fleet, "--profiles", in_file(tmp_path, json.dumps(rules), "rules.json"), "--gpu-memory", "12")
    work = found["pools"][0]["workload"]
    assert (work["kind"], work["utilisation_percent"], work["gpu_memory_gib"]) == ("training", pytest.approx(30), 8)


def test_network_batch_and_runtime_are_told_and_change_the_speed(fleet: str) -> None:
    plain = answer(fleet, "--workload", "inference")["pools"][0]
    said = answer(fleet, "--network", "cnn", "--batch", "1", "--runtime", "framework")["pools"][0]
    assert {name: plain["workload"][name] for name in ("network", "batch", "runtime")} == {
        "network": None, "batch": None, "runtime": None,
    }  # fmt: skip
    assert (said["workload"]["network"], said["workload"]["batch"]) == ("cnn", 1)
    assert said["options"][0]["speedup"] != plain["options"][0]["speedup"]


def test_a_ratio_of_ones_own_replaces_the_model(fleet: str) -> None:
    found = answer(fleet, "--measured", "K80:T4=3")
    (t4,) = (o for o in found["pools"][0]["options"] if o["size"] == "Standard_NC4as_T4_v3")
    assert (t4["speedup"]["expected"], t4["speedup"]["basis"], t4["vms"]) == (3, "user", 4)  # 12 / 3


def test_u53_a_rate_turns_every_figure(fleet: str) -> None:
    dollars = answer(fleet)["pools"][0]["options"][0]
    found = answer(fleet, "--currency", "eur", "--fx", "EUR=0.5@2026-11-27")
    euros = found["pools"][0]["options"][0]
    assert found["currency"] == "EUR"
    assert (found["price_book"]["rate"], found["price_book"]["rate_as_of"]) == (0.5, "2026-11-27")
    assert euros["monthly_cost"] == pytest.approx(dollars["monthly_cost"] / 2)
    assert euros["tco"]["expected"] == pytest.approx(dollars["tco"]["expected"] / 2)


def test_region_for_rows_that_have_none(tmp_path: Path) -> None:
    path = in_file(tmp_path, "size,count\nNC6,2\n")
    assert answer(path)["pools"][0]["region"] is None
    assert answer(path, "--region", "West Europe")["pools"][0]["region"] == "westeurope"


def test_no_plan_is_an_answer_too(tmp_path: Path) -> None:
    found = answer(in_file(tmp_path, "size,count,region\nNC6,2,brazilsoutheast\n"))
    assert found["pools"][0]["options"] == []
    assert found["totals"]["unpriced_pools"] == 1


def test_two_files_give_one_advice(fleet: str, tmp_path: Path) -> None:
    other = in_file(tmp_path, "size,count,region\nNV6,3,eastus\n")
    found = answer(fleet, other)
    assert [entry["file"] for entry in found["import"]] == ["fleet.csv", "other.csv"]
    assert found["totals"]["vms"] == 15


def test_a_bad_row_costs_itself_and_is_told_with_its_line(tmp_path: Path) -> None:
    found = answer(in_file(tmp_path, "size,count,region\nNC6,2,westeurope\nNC6x,1,westeurope\n"))
    (problem,) = (p for p in found["import"][0]["problems"] if p["severity"] == "error")
    assert (problem["line"], problem["value"]) == (3, "NC6x")
    assert "Standard_NC6" in problem["suggestions"]
    assert found["totals"]["vms"] == 2


def test_commands_of_a_runbook_stay_in_one_line(fleet: str) -> None:
    told = run(fleet, "--runbook", "--top", "1", "--against", "ND96asr_v4")
    lines = [line.strip() for line in told.splitlines()]
    asked = [line for line in lines if line.startswith("az> az vm list-skus") and "--size ND96asr_v4" in line]
    assert asked and all(line.endswith("--output table") for line in asked)


# The table


def test_the_csv_has_a_row_per_option_with_the_same_numbers(fleet: str, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    found = answer(fleet, "--csv", str(path))
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    full = [option for option in found["pools"][0]["options"] if "rules" in option]
    assert len(rows) == len(full)
    for row, option in zip(rows, full, strict=True):
        assert (row["to_size"], row["why"], row["currency"]) == (option["size"], option["why"], "USD")
        assert float(row["monthly_cost_then"]) == pytest.approx(option["monthly_cost"])
        assert float(row["tco_then"]) == pytest.approx(option["tco"]["expected"])
    assert "owner" in rows[0] and rows[0]["action"]


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x")'])
def test_cells_that_look_like_formulas_are_text(tmp_path: Path, evil: str) -> None:
    quoted = evil.replace('"', '""')
    path = in_file(tmp_path, f'size,count,region,pool\nNC6,2,westeurope,"{quoted}"\n')
    out = tmp_path / "out.csv"
    run(path, "--csv", str(out))
    with out.open(encoding="utf-8", newline="") as stream:
        names = {row["pool_name"] for row in csv.DictReader(stream)}
    assert len(names) == 1
    assert all(evil.strip() in name and name[0] not in "=+-@\t\r" for name in names)


def test_a_path_that_cannot_be_written_is_told(fleet: str, tmp_path: Path) -> None:
    error = refused(fleet, "--csv", str(tmp_path / "no" / "such" / "folder.csv"))
    assert error.returncode == 1 and "folder.csv" in str(error)


# Refusals: 1 for input, 2 for arguments


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--include", "NC99"), "NC99"),
        (("--currency", "EUR"), "--fx EUR=RATE@"),
        (("--region", "westeuropa"), "westeurope"),
        (("--target-region", "moon"), "moon"),
        (("--price-book", "none"), "none"),
        (("--assume", "wages=3"), "labour_rate"),
        (("--assume", "labour_rate=-5"), "0 to 1000"),
        (("--measured", "K81:T4=2"), "K81"),
    ],
)
def test_an_argument_that_the_catalogue_does_not_know_is_one_line_and_exit_2(
    fleet: str, args: tuple[str, ...], told: str
) -> None:
    error = refused(fleet, *args)
    assert error.returncode == 2
    assert told in str(error)
    assert "\n" not in str(error)


def test_rules_that_cannot_be_opened_are_one_line_and_exit_1(fleet: str) -> None:
    error = refused(fleet, "--profiles", "nowhere.json")
    assert error.returncode == 1
    assert "nowhere.json" in str(error) and "\n" not in str(error)


@pytest.mark.parametrize(
    "args",
    [
        ("--workload", "gaming"),
        ("--utilisation", "0"),
        ("--utilisation", "140"),
        ("--gpu-memory", "-3"),
        ("--gpu-memory", "nan"),
        ("--horizon", "0"),
        ("--price-model", "free"),
        ("--strategy", "luck"),
        ("--fx", "EUR=0.9"),
        ("--fx", "EUR=0@2026-11-27"),
        ("--measured", "K80=2"),
        ("--measured", "K80:T4=0"),
        ("--assume", "labour_rate"),
        ("--as-of", "30.11.2026"),
        ("--top", "-1"),
        ("--nonsense",),
    ],
)
def test_wrong_arguments_are_exit_2(fleet: str, args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        Command().run_from_argv(["manage.py", "advise", fleet, *args])
    assert caught.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert args[0] in told.err


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    error = refused(str(tmp_path / "gone.csv"))
    assert error.returncode == 1 and "gone.csv" in str(error)


def test_a_file_without_a_fleet_is_exit_1_and_still_answers_in_json(tmp_path: Path) -> None:
    path = in_file(tmp_path, "hello\nworld\n")
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("advise", path, "--json", *DAY, stdout=out)
    assert caught.value.returncode == 1
    assert json.loads(out.getvalue())["import"][0]["usable"] is False


def test_without_any_fleet_the_text_is_the_one_line_of_the_error(tmp_path: Path) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="No column of the file holds VM sizes") as caught:
        call_command("advise", in_file(tmp_path, "name,colour\na,red\n"), *DAY, stdout=out)
    assert out.getvalue() == ""
    assert type(caught.value).__name__ == "Error"  # the word that Django prints before the message


def test_a_rule_that_is_wrong_is_named(fleet: str, tmp_path: Path) -> None:
    path = in_file(tmp_path, '[{"match": {}, "set": {"workload": "gaming"}}]', "rules.json")
    assert "rule 1" in str(refused(fleet, "--profiles", path))


def test_a_fact_of_the_machines_changes_the_path_and_the_runbook_is_printed(tmp_path: Path) -> None:
    path = in_file(tmp_path, "size,region,count,workload\nNC6,westeurope,1,training\n")
    plain = run(path)
    assert "Path to Standard_NC4as_T4_v3: resize." in plain and "az vm resize" not in plain
    text = run(path, "--fact", "availability_set=yes", "--runbook")
    assert "Of the machines is known: availability set yes" in text
    assert "Stop the whole set or group, and move it as one" in text
    assert "az> az vm create" in text
