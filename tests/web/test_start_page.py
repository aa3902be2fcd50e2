"""The start page: what it offers is true, and the example is what the engine says."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from advisor import samples, store
from advisor.engine.advice import advise
from advisor.engine.readers import FORMATS, quota, read_file
from advisor.engine.request import AdviceRequest
from advisor.templatetags.figures import money
from tests.pages import Page
from tests.web.fleets import fleet_of

pytestmark = pytest.mark.django_db


def test_answers_with_one_query(client: Client, django_assert_num_queries):
    client.get("/")  # the example is worked out once
    with django_assert_num_queries(1):  # which catalogue is loaded
        response = client.get("/")
    assertContains(response, "<h1", count=1)
    assert len(response.content) < 150_000


def test_needs_no_inline_script_or_style(client: Client):
    text = client.get("/").content.decode()
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", text)


def test_the_example_is_what_the_engine_says(client: Client):
    world = store.world()
    path = "fixtures/samples/lab.csv"
    with open(path, "rb") as stream:  # noqa: PTH123 (as a person would hand it in)
        reading = read_file("lab.csv", stream, world.catalogue)
    advice = advise((reading,), world, AdviceRequest(as_of=timezone.now().date()))
    running = [pool for pool in advice.pools if pool.lifecycle.status != "retired"]
    before = sum(pool.baseline.monthly_cost or 0.0 for pool in running)
    after = sum(pool.options[0].monthly_cost for pool in running)
    text = Page(client.get("/").content).text
    assert f"of {advice.totals.vms} machines" in text
    assert f"{advice.currency} {money(before)}" in text
    assert f"{advice.currency} {money(after)}" in text


def test_only_formats_that_are_read_are_promised(client: Client):
    text = client.get("/").content.decode()
    table = text[text.index('id="formats"') : text.index("</details>", text.index('id="formats"'))]
    promised = set(re.findall(r'class="sub2">([\w.-]+)<', table))
    names = {name for format in FORMATS for name in getattr(format, "NAMES", (format.NAME,))}
    read = names - {"unsupported", "az-vm-list-table", quota.NAME} | {quota.TABLE, quota.JSON}
    assert promised == read


def test_the_template_is_that_of_the_command(client: Client):
    out = io.StringIO()
    call_command("inspect", "--template", stdout=out)
    response = client.get(reverse("template"))
    assert response.content.decode() == out.getvalue()
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.slug)
def test_a_sample_is_one_click(client: Client, sample: samples.Sample):
    fleet = fleet_of(client.post(reverse("sample", args=[sample.slug])))
    page = client.get(reverse("fleet", args=[fleet.pk]))
    figures = next(f for f in samples.figures(store.current_version()) if f.sample == sample)
    assertContains(page, f"{figures.vms} GPU machines found.")
    assertContains(client.get("/"), f"{figures.vms} GPU machines")


def test_the_example_opens_its_answer(client: Client):
    response = client.post(reverse("sample", args=["lab"]), {"to": "answer"})
    assert response.url.endswith("/answer/")


def test_samples_are_made_by_post_only_and_by_name(client: Client):
    assert client.get(reverse("sample", args=["lab"])).status_code == 405
    assert client.post(reverse("sample", args=["none"])).status_code == 404


def test_no_sample_leaves_a_mark_on_the_start_page(client: Client):
    client.post(reverse("sample", args=["lab"]))
    assertNotContains(client.get("/"), "train-a")


def test_how_to_export_is_the_document_as_a_page(client: Client):
    assertContains(client.get("/"), reverse("exporting"))
    text = client.get(reverse("exporting")).content.decode()
    assert "<code>az vmss list -o json &gt; scale-sets.json</code>" in text
    assert text.count("<h1") == 1 and text.count('<th scope="col">') == 2 + 3 + 3 + 3  # columns of its tables
    assert len(text.encode()) < 150_000
