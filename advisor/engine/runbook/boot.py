"""What the target's driver asks of Secure Boot and vTPM, so that no step turns on what another turns off."""

from __future__ import annotations

from advisor.engine.runbook.case import Case
from advisor.engine.runbook.values import SoftwarePlan

TRUSTED = "MicrosoftDocs/azure-compute-docs trusted-launch.md (the default of new machines)"
GRID = "MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md (2025-12-04)"
RTX = "MicrosoftDocs/azure-compute-docs nc-rtxpro6000-bse-v6-series-overview.md (2026-06-03)"
_NO_VTPM = "NC_RTXPRO6000BSE_v6"


def secure_boot_off(case: Case, plan: SoftwarePlan) -> bool:
    """GRID does not load on Linux while Secure Boot is on."""
    return not case.windows and plan.driver_kind == "grid"


def vtpm_off(case: Case) -> bool:
    """RTX PRO 6000 on Linux wants the vTPM off as well."""
    return not case.windows and case.target.series == _NO_VTPM


def why_off(case: Case, plan: SoftwarePlan) -> tuple[str, str]:
    """The reason in words with its source; empty where nothing has to be off."""
    if vtpm_off(case):
        return f"{case.target.series} wants Secure Boot and vTPM off on Linux.", RTX
    if secure_boot_off(case, plan):
        return f"The GRID driver of {case.target.series} does not load on Linux while Secure Boot is on.", GRID
    return "", ""


def switches(case: Case, plan: SoftwarePlan) -> str:
    """The options of az that say how both are to be."""
    secure = "false" if secure_boot_off(case, plan) or vtpm_off(case) else "true"
    return f"--enable-secure-boot {secure} --enable-vtpm {'false' if vtpm_off(case) else 'true'}"


def off_switches(case: Case, plan: SoftwarePlan) -> str:
    """Options for a new machine that may not start with Secure Boot on, as az does by itself; else nothing."""
    if not why_off(case, plan)[0]:
        return ""
    return f" --security-type TrustedLaunch {switches(case, plan)}"
