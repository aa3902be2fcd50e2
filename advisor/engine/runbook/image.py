"""Steps on image and software: porting, Generation 2, guest system, CUDA and frameworks, old drivers, Secure Boot."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.runbook.boot import switches, why_off
from advisor.engine.runbook.case import Case
from advisor.engine.runbook.drivers import extension_of, removal
from advisor.engine.runbook.values import Command, SoftwarePlan, Step

TRUSTED_LAUNCH = "MicrosoftDocs/azure-compute-docs trusted-launch-existing-vm-gen-1.md (2026-03-09)"
_PORTS = ("from-fpga", "gpu-vendor", "from-amd", "graphics-vendor")
_BUILDS = (
    *("cuda-too-old", "cuda-floor", "cuda-ceiling", "cuda-minimum", "pytorch-ceiling", "tensorflow-floor"),
    *("tensorflow-ceiling", "tensorrt-engine"),
)
_ASKED = ("cuda-unknown", "pytorch-blackwell", "dtype-unknown")
_OLD_DRIVER = ("grid-driver-only", "cuda-driver", "driver-branch", "guest-driver-old", "extensions", "graphics-vendor")


def image(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    """The steps on image and software, in their order."""
    if ports := case.has(*_PORTS[:3]):
        yield _step("port", "Port the code", case.said(*ports), rules=ports, source=case.hits[ports[0]].source)
    yield from _generation(case, plan)
    if systems := case.has("system-old", "image-blind"):
        source = case.hits[systems[0]].source
        yield _step("system", "Choose the guest system", case.said(*systems), rules=systems, source=source)
    yield from _software(case, plan)
    if removed := case.has("infiniband-removed"):
        yield _step("ofed", "Remove InfiniBand from the image", case.said(*removed), *_ofed(case), rules=removed)
    if old := case.has(*_OLD_DRIVER):
        yield _old_driver(case, old)
    if boots := case.has("secure-boot", "vtpm", "secure-boot-signed"):
        yield _secure_boot(case, plan, boots)


def _step(code: str, title: str, text: str, *commands: Command, rules: tuple[str, ...] = (), source: str = "") -> Step:
    return Step(code=code, phase="image", title=title, text=text, commands=commands, rules=rules, source=source)


def _generation(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    """The conversion where it may be done, and the new image where it may not."""
    if not case.has("generation") and "generation-unknown" not in case.unknown:
        return
    look = Command(
        tool="az",
        text='az vm get-instance-view --resource-group "$RG" --name "$VM" '
        "--query instanceView.hyperVGeneration --output tsv",
    )
    if "generation-unknown" in case.unknown:
        text = (
            "V1 has to become Generation 2 before the move; V2 is ready. " + case.unknown["generation-unknown"].message
        )
        looks = (look,) if case.pool.service == "vm" else ()
        yield _step(
            "generation-look", "Look at the generation of the image", text, *looks, rules=("generation-unknown",)
        )
    rules = (*case.has("generation", "conversion-excluded"), *(["generation-unknown"] if case.unknown else []))
    publisher = "MicrosoftWindowsServer" if case.windows else "Canonical"
    build = Command(tool="az", text=f"az vm image list --publisher {publisher} --sku gen2 --output table --all")
    yield _step(
        "generation-image",
        "Build a Generation 2 image",
        f"{case.option.size} boots Generation 2 only. Build the image anew on a Generation 2 base and test it: count "
        "this work, it is the largest part of the move.",
        build,
        rules=tuple(dict.fromkeys(rules)),
        source="MicrosoftDocs/azure-compute-docs generation-2.md",
    )
    if not case.has("conversion-excluded") and case.pool.service == "vm" and case.pool.lifecycle.status != "retired":
        yield _conversion(case, plan)


def _conversion(case: Case, plan: SoftwarePlan) -> Step:
    prepare = (
        "MBR2GPT on Windows turns the OS disk into GPT; " if case.windows else "Marketplace images have the parts; "
    )
    convert = (
        'az vm deallocate --resource-group "$RG" --name "$VM"\n'
        'az vm update --resource-group "$RG" --name "$VM" --security-type TrustedLaunch '
        f"{switches(case, plan)}"
    )
    why, source = why_off(case, plan)
    boots = f"{why} So they stay off here." if why else "Secure Boot then keeps unsigned GPU drivers out."
    return _step(
        "generation-convert",
        "Or convert the machine together with Trusted Launch",
        "Only if today's size and system take Trusted Launch (not Windows Server 2016, Debian or Azure Linux), "
        f"with an Enhanced backup policy and BitLocker off. {prepare}it cannot be undone, only restored from a backup. "
        f"{boots}",
        Command(tool="az", text=convert),
        rules=case.has("generation"),
        source="; ".join(filter(None, (TRUSTED_LAUNCH, source))),
    )


def _software(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    builds = tuple(
        code for code in case.has(*_BUILDS) if not (code == "cuda-minimum" and "cuda-unknown" in case.unknown)
    )
    asked = tuple(code for code in _ASKED if code in case.unknown)
    if not builds and not asked:
        return
    text = case.said(*builds) + " " + " ".join(case.unknown[code].message for code in asked)
    if plan.cuda:
        text += f" With the driver named below, CUDA {plan.cuda} is the newest published to fit."
    yield _step(
        "cuda",
        "Build code and images for the new GPU",
        text.strip(),
        rules=(*builds, *asked),
        source=plan.source or "catalogue: published CUDA, driver and framework versions by GPU",
    )


def _old_driver(case: Case, rules: tuple[str, ...]) -> Step:
    """Out of the new image, or off the disk that is kept: only a machine that runs can be cleaned."""
    vendor = case.source.vendor if case.source else None
    extension, away = extension_of(vendor, windows=case.windows), removal(vendor, windows=case.windows)
    commands = list(_extension_off(case, extension.name if extension else None))
    if away.command:
        commands.append(Command(tool="guest", text=away.command))
    if not case.runs:
        how = "The machines can no longer run: start from a new image, or mend the disk on another machine."
    elif case.new_image:
        how = "A new image simply leaves it out. If you keep the disks, remove it while the old machine still runs."
    else:
        how = "Do it while the old machine still runs."
    return _step(
        "old-driver",
        "Leave the old GPU driver behind",
        " ".join(filter(None, (case.said(*rules), away.words, how))),
        *(commands if case.runs else ()),
        rules=rules,
        source="; ".join(filter(None, (extension.source if extension else "", away.source))),
    )


def _extension_off(case: Case, name: str | None) -> Iterator[Command]:
    """Where machines or a scale set carry extensions; nodes of a service are made anew."""
    if case.pool.service not in ("vm", "vmss"):
        return
    of = "vmss" if case.pool.service == "vmss" else "vm"
    machine = '--vmss-name "$SET"' if of == "vmss" else '--vm-name "$VM"'
    lines = [f'az {of} extension list --resource-group "$RG" {machine} --output table']
    if name:
        lines.append(f'az {of} extension delete --resource-group "$RG" {machine} --name {name}')
    yield Command(tool="az", text="\n".join(lines))


def _secure_boot(case: Case, plan: SoftwarePlan, rules: tuple[str, ...]) -> Step:
    command = Command(
        tool="az",
        text='az vm deallocate --resource-group "$RG" --name "$VM"\n'
        f'az vm update --resource-group "$RG" --name "$VM" {switches(case, plan)}',
    )
    off = bool(case.has("secure-boot", "vtpm"))
    kept = case.pool.service == "vm" and case.option.verdict == "resize"
    how = "" if kept or not off else "The new machines are made with both as the driver wants them."
    return _step(
        "secure-boot",
        "Turn Secure Boot off" if off else "Mind Secure Boot",
        f"{case.said(*rules)} {how}".strip(),
        *((command,) if off and kept else ()),
        rules=rules,
        source=case.hits[rules[0]].source,
    )


def _ofed(case: Case) -> tuple[Command, ...]:
    if case.windows:
        return ()
    lines = "sudo ofed_uninstall.sh --force\nsudo rm -f /etc/nccl.conf\nenv | grep -E 'NCCL|UCX|I_MPI'"
    return (Command(tool="guest", text=lines),)
