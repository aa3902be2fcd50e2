"""`manage.py refresh_prices` from end to end: against a local server, into the database, or nothing at all."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.utils import timezone

from advisor import models, store, store_books
from advisor.engine.prices import PriceBook
from tests.profiles import sample
from tests.retail import api as faults
from tests.retail.api import RetailApi, of_region, once, retail_api, status
from tests.retail.items import Item, items_of, live_prices, make_item

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("waits", "var_dir")]

REGIONS = ("eastus", "northeurope", "westeurope")
BUILT_IN = "retail-2026-11-30"
A100 = ("Standard_NC24ads_A100_v4", "westeurope", "linux", "payg")


@pytest.fixture(autouse=True)
def _three_regions(db: None) -> None:
    """The other regions' prices are copied unread into every new book, which takes most of the time."""
    models.StoredPrice.objects.exclude(region__in=REGIONS).delete()


@pytest.fixture
def today() -> date:
    return timezone.now().date()


@pytest.fixture
def lists(price_book: PriceBook) -> dict[str, list[Item]]:
    """What the API would list if nothing had changed since the built-in book."""
    return {region: items_of(live_prices(price_book, region)) for region in REGIONS}


@pytest.fixture
def full(api: RetailApi, lists: dict[str, list[Item]]) -> RetailApi:
    api.lists = lists
    return api


def run(api: RetailApi, *arguments: str, regions: tuple[str, ...] = REGIONS) -> str:
    """What the command prints; raises CommandError when it fails."""
    out, err = io.StringIO(), io.StringIO()
    call_command("refresh_prices", "--url", api.url, "--regions", *regions, *arguments, stdout=out, stderr=err)
    return out.getvalue() + err.getvalue()


def refused(api: RetailApi, *arguments: str, regions: tuple[str, ...] = REGIONS) -> str:
    """The error of a command that fails, after which nothing in the database has changed."""
    before = stored()
    with pytest.raises(CommandError) as raised:
        run(api, *arguments, regions=regions)
    assert stored() == before
    assert "\n" not in str(raised.value)
    return str(raised.value)


def stored() -> tuple[list[Any], int, str]:
    books = list(models.StoredPriceBook.objects.order_by("pk").values_list("pk", "name"))
    return books, models.StoredPrice.objects.count(), store.current_version()


def change(items: list[Item], size: str, factor: float) -> None:
    """All prices of a size, without Standard_, times `factor`."""
    for item in items:
        if item["armSkuName"] == f"Standard_{size}":
            item["retailPrice"] *= factor
            for plan in item.get("savingsPlan", ()):
                plan["retailPrice"] *= factor


def test_a_new_book_is_in_use_at_once_and_says_what_changed(full: RetailApi, today: date) -> None:
    old = store.world().quotes.book
    for size in ("NC24ads_A100_v4", "NC48ads_A100_v4", "NC96ads_A100_v4"):
        change(full.lists["westeurope"], size, 0.9)
    text = run(full)
    assert "westeurope: " in text
    assert "(3 of 3 regions)" in text
    assert f"Against {BUILT_IN}: 0 new, " in text
    assert "-10.0 %" in text
    assert "Stored: it is in use from now on." in text
    book = store.world().quotes.book
    assert book.name == f"azure-usd-{today}"
    assert book.prices[A100].hourly_price == pytest.approx(old.prices[A100].hourly_price * 0.9)  # type: ignore[index]
    assert book.prices[A100].as_of == today  # type: ignore[index]
    assert store.price_book() is book
    assert store.price_book(BUILT_IN) == old


def test_u63_a_refreshed_book_survives_a_reload_of_the_fixtures(full: RetailApi) -> None:
    run(full)
    before = store.price_book()
    store.load_fixtures("another hash", "another hash")
    assert store.price_book() == before
    assert models.StoredPrice.objects.filter(book=BUILT_IN).count() == 5190


def test_a_dry_run_stores_nothing_and_the_next_run_need_not_read_again(full: RetailApi) -> None:
    before = stored()
    assert "Dry run: nothing was stored." in run(full, "--dry-run")
    assert stored() == before
    full.asked.clear()
    assert "Stored" in run(full)
    assert full.asked == []


def test_after_a_stored_book_everything_is_read_again(full: RetailApi, today: date) -> None:
    run(full)
    full.asked.clear()
    assert f"azure-usd-{today}-2: " in run(full)
    assert len(full.asked) == 3
    assert store.price_book().name == f"azure-usd-{today}-2"


def test_regions_read_on_one_day_add_up(full: RetailApi, today: date) -> None:
    run(full, regions=("westeurope",))
    run(full, regions=("eastus",))
    prices = store.price_book().prices.values()
    assert {price.region for price in prices if price.as_of == today} == {"westeurope", "eastus"}


def test_json_is_one_object(full: RetailApi, today: date) -> None:
    out = io.StringIO()
    call_command(
        "refresh_prices",
        *("--url", full.url, "--regions", *REGIONS, "--json"),
        stdout=out,
        stderr=io.StringIO(),
    )
    answer = json.loads(out.getvalue())
    assert (answer["schema"], answer["book"], answer["published"]) == ("refresh/1", f"azure-usd-{today}", True)
    assert (answer["last"], answer["regions"], answer["changes"]["changed"]) == (BUILT_IN, 3, 0)
    assert answer["read"] + answer["changes"]["older"] == answer["rows"]


def test_without_network_it_says_so_and_the_built_in_book_stays(full: RetailApi) -> None:
    full.shutdown()
    full.server_close()
    message = refused(full)
    assert message.startswith("127.0.0.1 cannot be reached")
    assert message.endswith(f"Nothing was stored: price book {BUILT_IN} of 2026-11-30 stays in use.")


#: Each is survived by the client (test_client.py); here some, and with `make fuzz` all, up to the book.
PASSING = {
    "429 with Retry-After": once(status(429, {"Retry-After": "3"}), 3),
    "429": once(status(429), 3),
    "500": once(status(500), 3),
    "cut connection": once(faults.hang_up, 3),
    "cut body": once(faults.cut_in_body, 3),
    "html": once(faults.html, 3),
    "truncated json": once(faults.truncated, 3),
}


@pytest.mark.parametrize("name", sample(PASSING, 3))
def test_faults_that_pass_give_the_same_book(full: RetailApi, price_book: PriceBook, name: str) -> None:
    full.faults = [PASSING[name]]
    run(full)
    assert len(full.asked) == 6
    book = store.price_book()
    keys = price_book.prices.keys() & book.prices.keys()
    assert all(book.prices[key].hourly_price == pytest.approx(price_book.prices[key].hourly_price) for key in keys)


def test_a_fault_half_way_changes_nothing_and_the_next_run_reads_the_rest(full: RetailApi) -> None:
    full.faults = [of_region("northeurope", status(500))]
    message = refused(full)
    assert message.startswith("northeurope: 127.0.0.1 answered 500, 6 times; try again later.")
    assert "2 of 3 regions are kept; the same command reads the rest today." in message
    full.faults, full.asked[:] = [], []
    run(full)
    assert full.asked == [("northeurope", 0)]


def test_an_interrupt_says_how_to_go_on(full: RetailApi, monkeypatch: pytest.MonkeyPatch) -> None:
    run(full, "--dry-run", regions=("eastus",))

    def interrupted(*_args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("advisor.management.commands.refresh_prices.fetch_regions", interrupted)
    assert refused(full) == (
        "Stopped. 1 of 3 regions are kept; the same command reads the rest today. "
        f"Nothing was stored: price book {BUILT_IN} of 2026-11-30 stays in use."
    )


def test_what_was_kept_yesterday_is_not_mixed_in(full: RetailApi, var_dir: Path, today: date) -> None:
    run(full, "--dry-run")
    path = var_dir / "refresh" / "usd.jsonl"
    path.write_text(path.read_text().replace(str(today), str(today - timedelta(days=1))))
    full.asked.clear()
    run(full)
    assert len(full.asked) == 3


def test_a_second_refresh_at_the_same_time_is_refused(full: RetailApi, var_dir: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    (var_dir / "refresh").mkdir()
    with (var_dir / "refresh" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "already" in refused(full)


def test_a_lost_region_stops_it_and_is_read_anew(full: RetailApi) -> None:
    kept = full.lists.pop("northeurope")
    message = refused(full)
    assert message.startswith("northeurope: 0 of the ")
    assert f"price book {BUILT_IN} of 2026-11-30 stays in use" in message
    full.lists["northeurope"] = kept
    full.asked.clear()
    run(full)
    assert full.asked == [("northeurope", 0)]


def test_a_short_list_stops_it(full: RetailApi) -> None:
    full.lists["westeurope"] = full.lists["westeurope"][::2]
    message = refused(full)
    assert message.startswith("westeurope: ")
    assert "prices that retail-2026-11-30 has are listed; missing are prices of" in message


@pytest.mark.parametrize("price", [float("nan"), -1.0, "free"])
def test_u48_a_price_that_is_none_stops_it(full: RetailApi, price: Any) -> None:
    full.lists["westeurope"][0]["retailPrice"] = price
    name = full.lists["westeurope"][0]["armSkuName"]
    assert refused(full).startswith(f"{name} in westeurope: linux ")


def test_u48_a_zero_price_is_left_out_and_the_last_one_stays(full: RetailApi, price_book: PriceBook) -> None:
    item = next(i for i in full.lists["westeurope"] if i["armSkuName"] == A100[0] and i["type"] == "Consumption")
    item["retailPrice"] = 0.0
    assert "linux pay-as-you-go is 0, which is no price" in run(full)
    assert store.price_book().prices[A100] == price_book.prices[A100]  # type: ignore[index]


def test_a_three_year_term_above_one_year_stops_it(full: RetailApi) -> None:
    """10,000 / 8,760 = 1.14155 is below 40,000 / 26,280 = 1.52207."""
    for total, term in ((10_000.0, "1 Year"), (40_000.0, "3 Years")):
        full.lists["westeurope"].append(make_item("NC24ads_A100_v4", total, type="Reservation", reservationTerm=term))
    message = refused(full)
    assert message.startswith(
        "Standard_NC24ads_A100_v4 in westeurope: linux 3-year reservation 1.52207 is above 1-year"
    )


def test_a_size_with_an_error_can_be_left_out(full: RetailApi, price_book: PriceBook) -> None:
    full.lists["westeurope"][0]["retailPrice"] = float("nan")
    name = full.lists["westeurope"][0]["armSkuName"]
    assert "--leave-out" in refused(full)
    run(full, "--leave-out", name)
    book = store.price_book()
    for key, price in price_book.prices.items():
        if key[0] == name and key[1] in REGIONS:
            assert book.prices[key] == price


def test_u50_several_prices_of_one_size_are_resolved_and_named(full: RetailApi) -> None:
    full.lists["westeurope"].append(
        make_item("NC24ads_A100_v4", 9.0, effectiveStartDate="2020-01-01T00:00:00Z", productName="Old NCads A100")
    )
    text = run(full)
    assert "linux pay-as-you-go is listed at" in text
    assert "9 (since 2020-01-01)" in text
    assert store.price_book().prices[A100].hourly_price < 9  # type: ignore[index]


def test_u53_a_book_in_another_currency_is_native_and_does_not_become_the_default(
    api: RetailApi, price_book: PriceBook, today: date
) -> None:
    """Euro prices are what the API says, here 0.9 of the dollar's."""
    api.lists = {"westeurope": items_of(live_prices(price_book, "westeurope"), "EUR", 0.9)}
    text = run(api, "--currency", "eur", regions=("westeurope",))
    assert "currencyCode='EUR'" in api.requests[0]
    assert "It is the first price book in EUR." in text
    assert f"ask for it with --price-book azure-eur-{today}" in text
    assert store.price_book().name == BUILT_IN
    book = store.price_book(currency="EUR")
    assert (book.currency, book.name) == ("EUR", f"azure-eur-{today}")
    assert book.prices[A100].hourly_price == pytest.approx(0.9 * price_book.prices[A100].hourly_price)  # type: ignore[index]
    assert book.windows_licence_per_vcpu_hour == pytest.approx(0.9 * 0.046, rel=0.01)


def test_u53_dollars_where_euros_were_asked_for_stop_it(full: RetailApi) -> None:
    assert "prices are in USD; EUR was asked for" in refused(full, "--currency", "EUR")


def test_an_empty_list_everywhere_stores_nothing(api: RetailApi) -> None:
    assert "0 of the " in refused(api)


def test_a_failure_while_storing_leaves_everything_as_it_was(full: RetailApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """The book's head is written before its prices are."""
    before = stored()

    def fail(*_args: Any, **_options: Any) -> None:
        assert models.StoredPriceBook.objects.filter(built_in=False).exists()
        raise DatabaseError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(type(models.StoredPrice.objects), "bulk_create", fail, raising=False)
        with pytest.raises(DatabaseError):
            run(full)
    assert stored() == before
    assert "Stored" in run(full)


def test_a_clock_before_the_last_book_is_refused(full: RetailApi) -> None:
    models.StoredPriceBook.objects.create(
        name="later",
        currency="USD",
        as_of=date(2999, 1, 1),
        source="x",
        windows_licence_per_vcpu_hour=0.046,
        windows_licence_source="x",
        built_in=False,
    )
    assert "check the clock" in refused(full)


def test_a_refreshed_book_can_be_removed_and_the_one_before_is_used(full: RetailApi, today: date) -> None:
    before = stored()
    run(full)
    out = io.StringIO()
    call_command("refresh_prices", "--remove", f"azure-usd-{today}", stdout=out)
    assert out.getvalue().strip() == f"azure-usd-{today} is removed; {BUILT_IN} is in use."
    assert store.price_book().name == BUILT_IN
    assert stored()[:2] == before[:2]


@pytest.mark.parametrize("name", [BUILT_IN, "mine"])
def test_no_other_book_can_be_removed(name: str) -> None:
    with pytest.raises(CommandError) as raised:
        call_command("refresh_prices", "--remove", name)
    assert raised.value.returncode == 2


def test_a_month_of_books_is_kept(full: RetailApi, monkeypatch: pytest.MonkeyPatch, today: date) -> None:
    monkeypatch.setattr(store_books, "BOOKS_KEPT", 2)
    for _ in range(3):
        run(full, regions=("westeurope",))
    names = [book.name for book in store_books.list_books()]
    assert names == [f"azure-usd-{today}-3", f"azure-usd-{today}-2", BUILT_IN]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--currency", "EURO"), "'EURO' is not a currency code of three letters"),
        (("--currency", "12$"), "is not a currency code"),
        (("--url", "file:///etc/passwd"), "is not an http or https address"),
        (("--regions", "atlantis"), "'atlantis' is not a region of Azure that the catalogue knows; near: "),
        (("--leave-out", "Standard_NC6s_v33"), "'Standard_NC6s_v33' is not a known size; near: Standard_NC6s_v3"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError) as raised:
        call_command("refresh_prices", *arguments)
    assert words in str(raised.value)


def manage(*arguments: str, var_dir: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        env=environment(var_dir),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def environment(var_dir: Path) -> dict[str, str]:
    return os.environ | {"ADVISOR_VAR_DIR": str(var_dir), "no_proxy": "*"}


@pytest.fixture
def waiting(lists: dict[str, list[Item]]) -> Iterator[RetailApi]:
    """A server that answers two of three regions at once, and the third never in time."""
    with retail_api(lists) as server:
        server.faults = [once(of_region("westeurope", faults.slow(300.0)), 99)]
        yield server


def test_killed_half_way_it_changes_nothing_and_goes_on_from_there(waiting: RetailApi, var_dir: Path) -> None:
    arguments = ("refresh_prices", "--url", waiting.url, "--regions", *REGIONS)
    kept = var_dir / "refresh" / "usd.jsonl"
    process = subprocess.Popen(
        [sys.executable, "manage.py", *arguments], env=environment(var_dir), stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(1200):
            if kept.exists() and kept.read_bytes().count(b"\n") == 3:  # the head and two regions
                break
            time.sleep(0.1)
    finally:
        process.kill()
        process.wait()
    assert kept.read_bytes().count(b"\n") == 3
    waiting.faults, waiting.asked[:] = [], []

    done = manage(*arguments, var_dir=var_dir)
    assert done.returncode == 0, done.stderr
    assert waiting.asked == [("westeurope", 0)]
    assert "Stored: it is in use from now on." in done.stdout
    assert "(3 of 3 regions)" in done.stderr
    assert not kept.exists()
