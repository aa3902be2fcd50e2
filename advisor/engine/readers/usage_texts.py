"""What the cells of a usage row say, per distinct text: kind of charge, size, machine, region, price model.

The words are those of Cost Management and FOCUS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.names import Kind, SizeName, canonical_region, classify_size
from advisor.engine.readers.text import BLANKS

#: Why a row adds neither machines nor hours.
PURCHASE, REFUND, UNUSED, OTHER_CHARGE = "purchase", "refund", "unused_commitment", "other_charge"
LICENCE, NOT_COMPUTE, OTHER_PROVIDER, NO_SIZE_SAID = "licence", "not_compute", "other_provider", "no_size_said"
NOT_USAGE = (PURCHASE, REFUND, UNUSED, OTHER_CHARGE)

#: Price models of a row; "low" is Batch's and old scale sets' low priority, which is priced as spot.
MODELS = ("payg", "spot", "low", "ri_1y", "ri_3y", "sp_1y", "sp_3y")

EMPTY_WORDS = frozenset({"null", "none", "nan"})  # written where a cell has nothing
Test = Callable[[str], bool]
_COMPUTE = re.compile(r'"UsageType"\s*:\s*"ComputeHR"', re.IGNORECASE)
_SOFTWARE = re.compile(r'"UsageType"\s*:\s*"ComputeHR_SW"', re.IGNORECASE)
_WINDOWS = re.compile(r"\bwin(?:dows)?\b", re.IGNORECASE)
_COMPUTE_CATEGORIES = frozenset(
    squash(word)
    for word in (
        *("Virtual Machines", "Virtual Machine Scale Sets", "Virtuelle Computer", "Virtuelle Maschinen"),
        *("Machines virtuelles", "Máquinas virtuales", "Máquinas Virtuais", "Macchine virtuali", "Virtuele machines"),
        *("가상 머신", "仮想マシン", "虚拟机", "虛擬機器"),
    )
)
_LINUX_IMAGE = re.compile(r"canonical|ubuntu|red ?hat|suse|debian|centos|rocky|\blinux\b", re.IGNORECASE)
_SUB_CATEGORY_SIZE = re.compile(r"(?<!\s)\s*VM(?:\s*\(.*\))?\s*$", re.IGNORECASE)
_LOW = re.compile(r"\slow priority$", re.IGNORECASE)
_SPOT = re.compile(r"\sspot$", re.IGNORECASE)
_ONE_VM = re.compile(r"/virtualmachines/[^/]+$")
_GROUP = re.compile(r"/resourcegroups/([^/]+)/", re.IGNORECASE)
_TERMS = {"1": "1y", "12": "1y", "1y": "1y", "p1y": "1y", "1year": "1y", "1years": "1y", "oneyear": "1y"} | {
    **{"12months": "1y", "3": "3y", "36": "3y", "3y": "3y", "p3y": "3y", "3year": "3y", "3years": "3y"},
    **{"threeyears": "3y", "threeyear": "3y", "36months": "3y"},
}


def cell(text: str) -> str:
    """A cell without blanks around it; words that stand for nothing are nothing."""
    plain = text.strip(BLANKS)
    return "" if plain.casefold() in EMPTY_WORDS else plain


@dataclass(frozen=True, slots=True)
class Info:
    """What AdditionalInfo says of a row; empty where it does not."""

    size: str = ""
    vm_name: str = ""
    image: str = ""
    reservation: str = ""
    is_aks: bool = False


@lru_cache(maxsize=1 << 14)
def read_info(text: str) -> Info:
    """AdditionalInfo, whose outer braces may be missing and whose keys may have another case or begin with x_."""
    found = {str(key).casefold().removeprefix("x_"): value for key, value in json_object(text).items()}

    def said(*keys: str) -> str:
        return next((cell(value) for key in keys if isinstance(value := found.get(key), str) and cell(value)), "")

    return Info(
        size=said("servicetype", "instancetype"),
        vm_name=said("vmname"),
        image=said("imagetype"),
        reservation=said("reservationid", "reservationorderid"),
        is_aks="aks" in said("vmproperties").casefold(),
    )


def json_object(text: str) -> dict[str, object]:
    """The object that `text` is, also without its outer braces; an empty one where it is none."""
    plain = text.strip(BLANKS)
    if not plain or plain.casefold() in EMPTY_WORDS:
        return {}
    try:
        found = json.loads(plain if plain.startswith("{") else f"{{{plain}}}", strict=False)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def tag_text(text: str) -> str | None:
    """Tags as JSON text with sorted keys, None where there are none."""
    found = json_object(text)
    return json.dumps(found, ensure_ascii=False, sort_keys=True) if found else None


def charge_reason(charge: str, charge_class: str, status: str) -> str | None:
    """Why a row is no usage, None for one that is."""
    key = squash(cell(charge)[:100])
    if "unused" in key or squash(cell(status)[:100]) == "unused":
        return UNUSED
    if key == "purchase":
        return PURCHASE
    if key == "refund":
        return REFUND
    if key not in ("", "usage") or cell(charge_class):
        return OTHER_CHARGE
    return None


def category_reason(category: str) -> str | None:
    """Why a row of a meter category is no hour of a machine, None for one that may be."""
    key = squash(category[:100])
    if "licens" in key:
        return LICENCE
    return None if key in _COMPUTE_CATEGORIES else NOT_COMPUTE


def is_compute(info: str) -> bool:
    """AdditionalInfo calls the row hours of a machine."""
    return bool(_COMPUTE.search(info))


def is_software(info: str) -> bool:
    """AdditionalInfo calls the row hours of software on a machine."""
    return bool(_SOFTWARE.search(info))


def is_microsoft(provider: str) -> bool:
    """True for rows of Azure in a file that several clouds may share."""
    key = squash(cell(provider)[:100])
    return not key or key.startswith(("microsoft", "azure"))


@dataclass(frozen=True, slots=True)
class Sized:
    """The size of a usage row. `text` is what said it."""

    name: SizeName
    text: str
    spot: bool = False
    low: bool = False
    meter_windows: bool = False  # the meter's price has the Windows licence in it
    image_linux: bool = False
    image_windows: bool = False


def read_size(info: str, meter: str, subcategory: str, product: str, catalogue: Catalogue) -> Sized:
    """AdditionalInfo's ServiceType, else the meter, else the sub-category or the product that hold a size.

    A Promo size is told by its product alone: meter `NC6` of the product `NC Promo Series`.
    """
    said, plain_meter = read_info(info), cell(meter)
    text = said.size
    if not text and plain_meter and squash(plain_meter) != "computehours":
        text = _with_promo(plain_meter, f"{subcategory} {product}", catalogue)
    if not text:
        text = _in_words(cell(subcategory), cell(product), catalogue)
    name = classify_size(text, catalogue)
    if name.kind in (Kind.NO_SIZE, Kind.BLANK) and "/" in text:
        name = classify_size(text.partition("/")[0], catalogue)  # one meter for two sizes
    if name.kind == Kind.UNKNOWN and (first := _first_version(text, catalogue)):
        name = classify_size(first, catalogue)
    words = f"{subcategory} {product}"
    return Sized(
        name=name,
        text=text,
        spot=bool(_SPOT.search(plain_meter) or _SPOT.search(text)),
        low=bool(_LOW.search(plain_meter) or _LOW.search(text)),
        meter_windows=bool(_WINDOWS.search(words)),
        image_linux=bool(_LINUX_IMAGE.search(said.image)),
        image_windows=bool(_WINDOWS.search(said.image)),
    )


def _first_version(meter: str, catalogue: Catalogue) -> str | None:
    """The size of a meter that leaves its version out: `NG8adsV620` is Standard_NG8ads_V620_v1."""
    return catalogue.canonical_size(f"{_LOW.sub('', _SPOT.sub('', meter))} v1")


def _with_promo(meter: str, words: str, catalogue: Catalogue) -> str:
    if "promo" in words.casefold() and "promo" not in meter.casefold():
        promo = f"{_LOW.sub('', _SPOT.sub('', meter))} Promo"
        return promo if catalogue.canonical_size(promo) else meter
    return meter


def _in_words(subcategory: str, product: str, catalogue: Catalogue) -> str:
    """`Standard_NC6 VM (Windows)` of files before 2020, `NCSv3 Series - NC6s v3 - EU West` of a product."""
    parts = [_SUB_CATEGORY_SIZE.sub("", subcategory), *re.split(r"\s+-\s+|,\s*", product)]
    for part in parts:
        if part and classify_size(part, catalogue).kind in (Kind.GPU, Kind.NOT_GPU, Kind.UNKNOWN, Kind.OTHER):
            return part
    return ""


def read_region(texts: Sequence[str], catalogue: Catalogue) -> tuple[str | None, str]:
    """The region of the first text that names one, and the first text that is not empty."""
    said = [plain for text in texts if (plain := cell(text))]
    found = next((name for text in said if (name := canonical_region(text, catalogue))), None)
    return found, said[0] if said else ""


def read_model(sized: Sized, models: str, commitments: str, kind: str, term: str) -> tuple[str, bool]:
    """The price model, one of `MODELS`, and whether its term is assumed to be a year because nothing says it."""
    if sized.low:
        return "low", False
    how = squash(f"{models} {kind}"[:200])
    ids = commitments.casefold()
    if sized.spot or "spot" in how or "dynamic" in how:
        return "spot", False
    if "savingsplan" in how or "microsoft.billingbenefits" in ids:
        family = "sp"
    elif "reserv" in how or "committed" in how or "microsoft.capacity" in ids or cell(commitments):
        family = "ri"
    else:
        return "payg", False
    years = _TERMS.get(squash(cell(term).removesuffix(".0")))
    return f"{family}_{years or '1y'}", years is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Whose hours a row counts. `resource` and `vm_name` are lower case; one of several machines when not `single`."""

    resource: str
    vm_name: str
    name: str | None
    group: str | None
    service: str
    single: bool


def resource_key(text: str) -> str:
    """A resource id as it is compared."""
    return cell(text).rstrip("/").casefold()


def read_machine(resource: str, group: str, info: str, consumed: str, tags: str) -> Machine:
    """The machine that a resource id and AdditionalInfo name, and the service that owns it."""
    plain, said = cell(resource).rstrip("/"), read_info(info)
    low = resource_key(resource)
    in_group = cell(group) or (found[1] if (found := _GROUP.search(plain)) else "")
    aks = said.is_aks or "aks-managed" in tags or in_group.casefold().startswith("mc_")
    if "microsoft.batch" in low or squash(cell(consumed)) == "microsoftbatch":
        service = "batch"
    elif "microsoft.machinelearningservices" in low or squash(cell(consumed)) == "microsoftmachinelearningservices":
        service = "aml"
    elif aks:
        service = "aks"
    else:
        service = "vmss" if "/virtualmachinescalesets/" in low else "vm"
    one = bool(_ONE_VM.search(low)) or (bool(low) and "/" not in low)
    name = said.vm_name or (plain.rpartition("/")[2] if one else "")
    return Machine(
        resource=low,
        vm_name=said.vm_name.casefold(),
        name=name or None,
        group=in_group or None,
        service=service,
        single=one or bool(said.vm_name),
    )
