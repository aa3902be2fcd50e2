"""Every figure without a source, in one place."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.quotes import LISTED_DAYS, NO_SPOT_SAVING, USABLE_DAYS
from advisor.engine.workload import KIND_ELSE, KIND_OF_SERIES, SHAPE_OF


@require_safe
def assumptions(request: HttpRequest) -> HttpResponse:
    """All assumptions, and what the work of a pool is taken for when nobody says."""
    catalogue = store.catalogue()
    used = {size.series for size in catalogue.sizes.values() if size.is_gpu}
    reasons = dict.fromkeys((*KIND_OF_SERIES.values(), KIND_ELSE))
    series = {reason: sorted(s for s in used if KIND_OF_SERIES.get(s, KIND_ELSE) == reason) for reason in reasons}
    context = {
        "section": "assumptions",
        "assumptions": ASSUMPTIONS.values(),
        "kinds": [(kind, why, names) for (kind, why), names in series.items() if names],
        "shapes": [(kind, shape, why) for kind, (shape, why) in SHAPE_OF.items()],
        "usable_days": USABLE_DAYS,
        "listed_days": LISTED_DAYS,
        "no_spot_saving": NO_SPOT_SAVING,
    }
    return render(request, "advisor/assumption/page.html", context)
