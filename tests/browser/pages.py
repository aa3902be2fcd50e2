"""Every page and state worth a look, and the way to it: used for screenshots and for accessibility."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "fleets"
PRICES = SAMPLES.parent / "prices"
Way = Callable[[Page], None]


def open_fleet(page: Page, sample: str = "retired") -> str:
    """Read a sample fleet from the start page; the address of its import page."""
    page.goto("/")
    page.locator(f"form[action='/fleets/sample/{sample}/'] button").click()
    page.wait_for_url("**/fleets/*-*/")
    return page.url


def open_answer(page: Page, query: str = "") -> str:
    """The answer for a sample fleet; its address."""
    address = open_fleet(page) + "answer/" + query
    page.goto(address)
    return address


def open_pool(page: Page) -> None:
    open_answer(page)
    address = page.locator("table a[href*='/answer/']").first.get_attribute("href")
    assert address is not None
    page.goto(address)


def compare(page: Page, size: str) -> None:
    """The first choice of a pool held against a size."""
    open_pool(page)
    page.locator("input[name=against]").fill(size)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("[id^=contrast-] h4, [id^=contrast-] .err")


def open_rejected(page: Page) -> None:
    open_pool(page)
    page.goto(page.url.split("?")[0] + "rejected/")


def open_beside(page: Page, name: str) -> None:
    """The runbook or the facts of the first pool, as a page of its own."""
    open_pool(page)
    page.goto(page.url.split("?")[0] + f"{name}/")


def bad_facts(page: Page) -> None:
    """Facts of machines that cannot be read."""
    open_beside(page, "machines")
    page.get_by_label("CUDA of the code").fill("eleven")
    page.get_by_role("button", name="Judge this pool again").click()
    page.locator("[role=alert]").wait_for()


def open_in_place(page: Page) -> None:
    """A pool's page with the form of facts and the runbook loaded into it."""
    open_pool(page)
    page.locator("[id^=facts-of-]").click()
    page.locator("[id^=facts-] form").wait_for()
    page.locator("[id^=runbook-of-]").click()
    page.locator("[id^=runbook-] pre").first.wait_for()


def make_report(page: Page) -> None:
    """A report of a sample fleet, as its maker sees it."""
    open_answer(page)
    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")


def revoke_report(page: Page) -> None:
    make_report(page)
    page.locator("form[action$='/revoke/'] button").click()


def bad_switches(page: Page) -> None:
    open_answer(page, "?horizon=0&as_of=tomorrow")


def refused_import(page: Page) -> None:
    """A large file of no use, after a worker has looked at it."""
    page.goto("/")
    page.locator("#f").set_input_files({"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF" * 600_000})
    page.get_by_role("button", name="Read the file").click()
    page.get_by_text("PDF document").wait_for()


def refused_file(page: Page) -> None:
    page.goto("/")
    page.locator("#f").set_input_files(SAMPLES / "04_az_vm_list_table_no_size.txt")
    page.locator("form.drop button[type=submit]").click()
    page.wait_for_load_state()


ODD_LIST = b"""Report of the team
Kiste;Bauart;Wo;Zahl;Std
k1;NC6s_v3;westeurope;2;500
k2;large;westeurope;2;400
k3;small;westeurope;1;400
web;D4s_v5;westeurope;1;730
"""


def match_columns(page: Page, content: bytes = ODD_LIST, name: str = "odd.csv") -> None:
    """A list whose column names nobody knows, on the page that asks for them."""
    page.goto("/")
    page.locator("#f").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    page.get_by_role("button", name="Read the file").click()
    page.get_by_text("What each column holds").wait_for()


def try_columns(page: Page) -> None:
    """The same with a preview of what comes of some columns."""
    match_columns(page)
    page.get_by_label("Machines", exact=True).select_option(label="Zahl")
    page.get_by_role("button", name="Preview").click()
    page.locator("#trial").wait_for()


def use_columns(page: Page) -> None:
    """The answer for a list whose columns were matched by hand."""
    try_columns(page)
    page.get_by_role("button", name="Use this").click()
    page.wait_for_url("**/answer/")


def wrong_columns(page: Page) -> None:
    """No column of sizes is chosen, and one is chosen twice."""
    match_columns(page)
    page.get_by_label("Size", exact=True).select_option(value="")
    page.get_by_label("Name", exact=True).select_option(label="Wo")
    page.get_by_text("Further fields").click()
    page.get_by_role("button", name="Preview").click()
    page.locator("[role=alert]").wait_for()


def paste(page: Page, lines: str) -> None:
    """Hand in pasted lines and go to their answer."""
    page.goto("/")
    page.locator("textarea").fill(lines)
    page.get_by_role("button", name="Read these lines").click()
    page.wait_for_url("**/fleets/*-*/")
    page.goto(page.url + "answer/")


def many_pools(page: Page) -> None:
    """More pools than one table shows at once."""
    regions = ("westeurope", "northeurope", "eastus", "southcentralus", "westus2")
    sizes = ("NC6s_v3", "NC24s_v3", "NC4as_T4_v3", "NC16as_T4_v3", "NV36ads_A10_v5", "NC24ads_A100_v4", "NV12s_v3")
    paste(page, "\n".join(f"{size}, {region}, 2, 400" for size in sizes for region in regions))


def no_option(page: Page) -> None:
    """A pool for which no size can be ranked."""
    paste(page, "NC24s_v3, chinanorth3, 2, 730")
    address = page.locator("table a[href*='/answer/']").first.get_attribute("href")
    assert address is not None
    page.goto(address)


def open_assumptions(page: Page) -> None:
    """The assumptions of a fleet, none changed."""
    page.goto(open_fleet(page) + "assumptions/")


def change_assumptions(page: Page, rate: str = "120") -> None:
    """Three of them changed, a switch and one that nobody knows among them; `rate` may be no number."""
    open_assumptions(page)
    for folded in reversed(page.locator("details.phone-fold:not([open]) > summary").all()):
        folded.click()
    page.locator("#assume-labour_rate").fill(rate)
    page.locator("#assume-hybrid_benefit").select_option("1")
    page.locator("#assume-grid_licence").fill("30")
    page.locator("#save").click()
    page.wait_for_load_state()


def edit_in_place(page: Page) -> None:
    """A pool whose working was worked out again with another figure."""
    open_pool(page)
    page.get_by_text("How was this worked out?").click()
    page.locator("#edit-labour_rate summary").click()
    page.locator("#assume-labour_rate").fill("120")
    page.locator("#use-labour_rate").click()
    page.get_by_text("you; the default is 95").wait_for()


def bad_lines(page: Page) -> None:
    page.goto("/")
    page.locator("textarea").fill("NC6s_v33, westeurope, 4")
    page.get_by_role("button", name="Read these lines").click()
    page.wait_for_load_state()


def open_prices(page: Page) -> None:
    """The prices of a sample fleet, as they are without any choice."""
    page.goto(open_fleet(page) + "prices/")


def give_prices(page: Page, name: str = "ea_2023-05-01.csv") -> None:
    """Hand in a price sheet for a sample fleet; the page that says what was read."""
    open_prices(page)
    page.locator("#sheet-file").set_input_files(PRICES / name)
    page.get_by_role("button", name="Read the price sheet").click()
    page.wait_for_load_state()


def bad_prices(page: Page) -> None:
    """A sheet, a discount and a rate that cannot be used, one after the other; the last page shows the rate."""
    give_prices(page, "by_hand.csv")
    page.locator("#id_d-0-series").fill("NCasT5_v3")
    page.locator("#id_d-0-percent").fill("12")
    page.get_by_role("button", name="Save the discounts").click()
    page.wait_for_load_state()


def fleets_list(page: Page) -> None:
    open_fleet(page)
    page.goto("/fleets/")


def at(address: str) -> Way:
    def go(page: Page) -> None:
        page.goto(address)

    return go


APPS = (
    "?name=detector&name=reader&name=counter&method=mps&method=mps&method=mps&share=50&share=40&share=30"
    "&memory=3000&memory=2500&memory=1500&image=a/detector:1&image=a/reader:2&image=a/counter:1"
)


def edge_report(page: Page) -> None:
    """A plan for an edge device as a report, as its maker sees it."""
    page.goto("/edge/order/?steps=k8s%3Evm")
    page.locator("#make-report").click()
    page.wait_for_url("**/reports/**")


def fleet_ends(page: Page) -> None:
    """What of a sample fleet stops when."""
    page.goto(open_fleet(page) + "retirements/")


def make_calendar(page: Page) -> None:
    """A calendar link of a sample fleet, as its maker sees it."""
    fleet_ends(page)
    page.locator("#make-calendar").click()
    page.wait_for_url("**/calendars/*/")


def scan_binary(page: Page) -> None:
    """A file that is no text."""
    page.goto("/scan/")
    page.locator("#id_file").set_input_files({"name": "x.bin", "mimeType": "", "buffer": bytes(range(256)) * 9})
    page.locator("#scan-it").click()
    page.locator("#found [role=alert]").wait_for()


def open_commitments(page: Page) -> None:
    """The commitments of a sample fleet, with one that is held and a form that was refused."""
    page.goto(open_fleet(page) + "commitments/")
    page.locator("#held-lines").fill(
        "order,size,region,term,end,quantity,bought,hourly_price\n"
        "R-1,NC24ads_A100_v4,West Europe,3,2060-06-30,1,2024-06-30,1.5\n"
        "R-2,NC6s_v3,West Europe,3,2060-06-30,3,2024-06-30,1.5"
    )
    page.get_by_role("button", name="Read these lines").click()
    page.locator("#held table").wait_for()
    page.locator("#id_size").fill("NC6s_v9")
    page.get_by_role("button", name="Add this commitment").click()
    page.locator("#add [role=alert]").wait_for()


def open_measured(page: Page) -> None:
    """The measured speeds of a fleet, with two that are kept and a table that was refused."""
    paste(page, "NC6, West Europe, 12, 730, training")
    page.goto(page.url.replace("answer/", "measured/"))
    page.locator("#own-lines").fill("from,to,ratio,note\nK80,T4,1.75,our ResNet\nA10,L4,1.1,")
    page.get_by_role("button", name="Read these lines").click()
    page.locator("#list table").wait_for()
    page.locator("#own-lines").fill("from,to,ratio\nK80,V100,2\nK80,T4,fast")
    page.get_by_role("button", name="Read these lines").click()
    page.locator("#own-lines-e").wait_for()


def open_pool_measured(page: Page) -> None:
    """A pool whose speeds are measured by its owner."""
    open_measured(page)
    page.goto(page.url.split("measured/")[0] + "answer/")
    address = page.locator("table a[href*='/answer/']").first.get_attribute("href")
    assert address is not None
    page.goto(address)


def smi_csv(busy: int, used_mib: int, uuid: str) -> bytes:
    """nvidia-smi of one V100 for eight days, each half hour; busy for three hours of each day."""
    lines = ["timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]"]
    for day in range(1, 9):
        for half in range(48):
            now = busy if 18 <= half < 24 else 0
            time = f"2026/11/{day:02d} {half // 2:02d}:{half % 2 * 30:02d}:00.000"
            lines.append(f"{time}, 0, Tesla V100-PCIE-16GB, {uuid}, {now} %, {used_mib} MiB, 16384 MiB, 41.00 W")
    return "\n".join(lines).encode()


WATCHED = (
    "name,size,region,hours_per_vm,workload\ngpu-01,NC6s_v3,westeurope,730,inference\n"
    "gpu-02,NC6s_v3,westeurope,730,inference\n"
)


def open_utilisation(page: Page) -> None:
    """The utilisation of a fleet of two machines: one host is known by name, the other asked for."""
    page.goto("/")
    page.locator("#f").set_input_files(
        [
            {"name": "fleet.csv", "mimeType": "text/csv", "buffer": WATCHED.encode()},
            {"name": "gpu-01.csv", "mimeType": "text/csv", "buffer": smi_csv(42, 8192, "GPU-a")},
            {"name": "worker-b.csv", "mimeType": "text/csv", "buffer": smi_csv(28, 6144, "GPU-b")},
        ]
    )
    page.locator("form:has(#f) button[type=submit]").first.click()
    page.wait_for_url("**/fleets/*-*/")
    page.get_by_role("link", name="See which machines they are of").click()
    page.locator("#match").wait_for()


def match_host(page: Page) -> None:
    """The same with both hosts known."""
    open_utilisation(page)
    page.locator("#match select").select_option(label="gpu-02 (2 \u00d7 NC6s_v3, westeurope)")
    page.get_by_role("button", name="Save which machines they are").click()
    page.get_by_text("All 2 hosts of your files are known").wait_for()


def open_watched_pool(page: Page) -> None:
    """The pool whose GPUs were watched."""
    match_host(page)
    page.locator("#pools h3 a").click()
    page.locator("[id^=profile-]").wait_for()


def cost_exports(page: Page) -> None:
    """The import page of two cost exports, one with a refused row."""
    page.goto("/")
    files = ["cost_ea_2024-08-01.csv", "cost_payg_usage_de_names.csv"]
    page.locator("#f").set_input_files([SAMPLES / name for name in files])
    page.locator("form:has(#f) button[type=submit]").first.click()
    page.wait_for_url("**/fleets/*-*/")


def quota_beside(page: Page) -> None:
    """The import page of scale sets, with a quota list beside them."""
    page.goto("/")
    files = ["05_az_vmss_list.json", "14_az_vm_list_usage_table.txt"]
    page.locator("#f").set_input_files([SAMPLES / name for name in files])
    page.locator("form:has(#f) button[type=submit]").first.click()
    page.wait_for_url("**/fleets/*-*/")


PAGES: dict[str, Way] = {
    "start": at("/"),
    "exporting": at("/exporting/"),
    "fleet-quota": quota_beside,
    "start-bad-lines": bad_lines,
    "fleets-empty": at("/fleets/"),
    "fleets": fleets_list,
    "fleet": lambda page: open_fleet(page) and None,
    "fleet-portal": lambda page: open_fleet(page, "portal") and None,
    "fleet-costs": cost_exports,
    "answer": lambda page: open_answer(page) and None,
    "answer-bad-switches": bad_switches,
    "answer-many-pools": many_pools,
    "pool-no-option": no_option,
    "pool": open_pool,
    "pool-compared": lambda page: compare(page, "NC6s_v3"),
    "pool-compare-unknown": lambda page: compare(page, "NC64as_T4_v9"),
    "rejected": open_rejected,
    "runbook": lambda page: open_beside(page, "runbook"),
    "machines": lambda page: open_beside(page, "machines"),
    "machines-bad": bad_facts,
    "pool-in-place": open_in_place,
    "report-made": make_report,
    "report-gone": revoke_report,
    "file-refused": refused_file,
    "columns": match_columns,
    "columns-tried": try_columns,
    "columns-wrong": wrong_columns,
    "columns-wide": lambda page: match_columns(page, b",".join(b"c%d" % n for n in range(5_000)) + b"\n1,2\n"),
    "columns-used": use_columns,
    "import-refused": refused_import,
    "commitments": open_commitments,
    "measured": open_measured,
    "pool-measured": open_pool_measured,
    "utilisation": open_utilisation,
    "utilisation-matched": match_host,
    "pool-watched": open_watched_pool,
    "prices": open_prices,
    "prices-sheet": give_prices,
    "prices-bad": bad_prices,
    "sizes": at("/sizes/"),
    "sizes-none": at("/sizes/?q=nothing-like-this"),
    "size": at("/sizes/Standard_NC24rs_v3/"),
    "size-unknown": at("/sizes/Standard_NC99/"),
    "retirements": at("/retirements/?as_of=2026-11-30"),
    "retirements-none": at("/retirements/?as_of=2026-11-30&series=NV&service=batch&when=coming"),
    "retirements-refused": at("/retirements/?as_of=soon"),
    "fleet-ends": fleet_ends,
    "calendar": make_calendar,
    "moves": at("/moves/?as_of=2026-11-30"),
    "moves-of-a-size": at("/moves/?as_of=2026-11-30&q=NC24rs_v3"),
    "moves-none": at("/moves/?q=nothing"),
    "scan-empty": at("/scan/"),
    "scan": at("/scan/?sample=1"),
    "scan-refused": scan_binary,
    "assumptions": at("/assumptions/"),
    "fleet-assumptions": open_assumptions,
    "fleet-assumptions-changed": change_assumptions,
    "fleet-assumptions-refused": lambda page: change_assumptions(page, "lots"),
    "pool-assumption-edited": edit_in_place,
    "sources": at("/sources/"),
    "speed": at("/speed/"),
    "speed-few": at("/speed/?kind=training&gpu=K80"),
    "price-books": at("/prices/"),
    "edge": at("/edge/"),
    "edge-disagreements": at("/edge/disagreements/"),
    "edge-order-empty": at("/edge/order/"),
    "edge-order-works": at("/edge/order/?steps=vm:NC8as_T4_v3%3Ek8s"),
    "edge-order-fails": at("/edge/order/?steps=k8s%3Evm"),
    "edge-order-unknown": at("/edge/order/?steps=vm%3Ek8s%3Estopvm%3Estartvm&vms=2&k8s=1"),
    "edge-order-impossible": at("/edge/order/?device=pro-gpu-1&steps=vm%3Evm&vms=1&k8s=0"),
    "edge-order-refused": at("/edge/order/?steps=vm%3Eteapot"),
    "edge-sharing-empty": at("/edge/sharing/"),
    "edge-sharing": at("/edge/sharing/" + APPS),
    "edge-sharing-refused": at("/edge/sharing/?name=A_B&share=200"),
    "edge-manifest": at("/edge/manifest/" + APPS),
    "edge-check-empty": at("/edge/check/"),
    "edge-check": at("/edge/check/?sample=1"),
    "edge-smi-empty": at("/edge/smi/"),
    "edge-smi": at("/edge/smi/?sample=1"),
    "edge-report": edge_report,
    "fit": at("/fit/"),
    "fit-several-gpus": at("/fit/?model=Llama+3.1+70B&context=32768&users=4"),
    "fit-training": at("/fit/?model=Llama+3+8B&task=training&users=8"),
    "fit-unknown": at("/fit/?model=own&parameters=7&layers=32"),
    "fit-refused": at("/fit/?model=own&parameters=7&layers=lots&users=0"),
    "not-found": at("/nowhere/"),
}
