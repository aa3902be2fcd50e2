"""What every page about an answer begins with: the session's own fleet, the switches, and the world they look at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from advisor import (
    access,
    store_assumptions,
    store_fleets,
    store_held,
    store_machines,
    store_measured,
    store_prices,
    store_utilisation,
)
from advisor.engine.advice import advise
from advisor.engine.answer import Advice, PoolAdvice
from advisor.engine.candidates import World
from advisor.engine.held import HeldCommitment
from advisor.forms.switches import SwitchesForm
from advisor.models import StoredFleet
from advisor.store_prices import Priced


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A fleet and what is asked of it; `query` are the switches as in the address, without "?"."""

    fleet: StoredFleet
    priced: Priced
    form: SwitchesForm
    query: str
    held: tuple[HeldCommitment, ...] = ()  # those that can be counted with

    @property
    def world(self) -> World:
        """Catalogue and the fleet's own prices."""
        return self.priced.world

    def advice(self, *, top: int, only: str | None = None, against: tuple[str, ...] = ()) -> Advice:
        """The advice for all pools or for one, each held against some sizes; only with valid switches."""
        request = replace(self.form.request(store_fleets.profiles_of(self.fleet), top=top), against=against)
        prices = self.priced.prices
        request = replace(request, discounts=prices.discounts, rates=prices.rates, currency=prices.currency)
        request = replace(request, held=self.held, facts_by_pool=store_machines.machines_of(self.fleet))
        request = replace(request, assume=tuple(store_assumptions.assumed_in(self.fleet).items()))
        request = replace(request, hosts=store_utilisation.hosts_of(self.fleet))
        request = replace(request, measured=store_measured.measured_in(self.fleet, self.world.catalogue))
        if only is not None:
            request = replace(request, only=frozenset({only}))
        return advise(store_fleets.readings_of(self.fleet), self.world, request)

    def pool(self, pool_id: str, *, top: int, against: tuple[str, ...] = ()) -> tuple[Advice, PoolAdvice]:
        """The advice for one pool alone, and the pool; 404 when the fleet has no such pool."""
        advice = self.advice(top=top, only=pool_id, against=against)
        if not advice.pools:
            raise Http404
        return advice, advice.pools[0]

    def address(self, name: str, *more: str) -> str:
        """The address of a page about this fleet, with the switches."""
        path = reverse(name, args=[self.fleet.pk, *more])
        return f"{path}?{self.query}" if self.query else path


def asked(request: HttpRequest, fleet_id: UUID) -> Asked:
    """The session's own fleet with the switches of the address; 404 for anybody else's. Three queries."""
    fleet = access.own_fleet(request, fleet_id)
    priced = store_prices.priced_world(fleet)
    held = store_held.usable_held(fleet, priced)
    priced = replace(priced, notes=(*priced.notes, *held.notes))
    form = SwitchesForm(request.GET, priced.world.catalogue)
    return Asked(fleet=fleet, priced=priced, form=form, query=switches_in(request), held=held.held)


def next_address(request: HttpRequest, fleet: StoredFleet) -> str:
    """Where a form says that its page goes on: an address of this fleet; "" for any other."""
    address = request.POST.get("next", "")
    home = reverse("fleet", args=[fleet.pk])
    local = url_has_allowed_host_and_scheme(address, allowed_hosts=None) and address.startswith(home)
    return address if local and address.isprintable() and ".." not in address else ""


def switches_in(request: HttpRequest) -> str:
    """The switches of the address as they are written there, without "?"; nothing else of it."""
    return urlencode({name: value for name in SwitchesForm.base_fields if (value := request.GET.get(name))})
