"""Steps on the new machines and afterwards: drivers in their order, checks, clean-up, and what staying asks for."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.platform import OLD_RDMA
from advisor.engine.runbook.case import Case
from advisor.engine.runbook.drivers import look, new_extension
from advisor.engine.runbook.values import Command, Phase, SoftwarePlan, Step

OFED = "MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md (2025-12-04)"
RDMA_ORDER = f"github.com/MicrosoftDocs/azure-docs/issues/39066; {OFED}"
RCCL = "rocm.docs.amd.com/projects/rccl, api-reference/env-variables; github.com/ROCm/rccl-tests"
#: Rules that ask for another branch of the driver.
OTHER_DRIVER = ("guest-driver-new", "driver-ceiling", "driver-floor")


def install(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    """Drivers on the new machines, in the order in which they do not break each other, and the checks."""
    if case.target.rdma not in (None, "none"):
        yield from _rdma(case, plan)
    else:
        yield _driver(case, plan)
    if topology := case.has("nccl-topology"):
        text = "sudo mv /etc/nccl.conf /etc/nccl.conf.before\nunset NCCL_TOPO_FILE NCCL_GRAPH_FILE\nenv | grep NCCL"
        source = case.hits["nccl-topology"].source
        yield _step(
            "nccl",
            "install",
            "Clear NCCL's files",
            case.said(*topology),
            None if case.windows else Command(tool="guest", text=text),
            topology,
            source,
        )
    if disks := case.has("local-nvme", "accelerated-networking-gained", "accelerated-networking-lost"):
        title = "Set up local disks and network" if "local-nvme" in disks else "Set up the network"
        yield _step("devices", "install", title, case.said(*disks), None, disks, case.hits[disks[0]].source)
    yield _check(case)


def finish(case: Case) -> Iterator[Step]:
    """What is left to do when the work runs on the new machines."""
    if case.option.verdict != "resize" and case.pool.service == "vm":
        lines = 'az vm deallocate --resource-group "$RG" --name "$VM"  # first: see that nothing misses it\n'
        lines += (
            'az vm delete --resource-group "$RG" --name "$VM" --yes\naz disk list --resource-group "$RG" --output table'
        )
        text = (
            "Stop the old machines, wait, then delete them with disks and addresses that nothing uses: all are billed."
        )
        yield _step("remove", "finish", "Remove the old machines", text, Command(tool="az", text=lines))
    text = "Delete the snapshots, give back quota of the old family, correct templates, budgets and alerts."
    yield _step("clean-up", "finish", "Clean up", text)


def stay(case: Case) -> Iterator[Step]:
    """What staying asks for: the day it ends, the software that leaves the GPU, the driver inside."""
    if ends := case.has("stay-retires", "retirement-disputed", "no-new-capacity"):
        yield _step("deadline", "prepare", "Know the last day", case.said(*ends), None, ends, case.hits[ends[0]].source)
    software = case.has("framework-end", "cuda-ceiling", "pytorch-ceiling", "tensorflow-ceiling", "dtype-today")
    if software:
        source = case.hits[software[0]].source
        yield _step("software", "image", "Hold the software back", case.said(*software), None, software, source)
    if drivers := case.has(
        "driver-ended",
        "driver-ceiling",
        "guest-driver-old",
        "guest-driver-new",
        "guest-driver-behind",
        "infiniband-order",
    ):
        yield _step(
            "driver",
            "install",
            "Look after the driver",
            case.said(*drivers),
            None,
            drivers,
            case.hits[drivers[0]].source,
        )
    if not (ends or software):
        yield _step("nothing", "finish", "Nothing has to be done", "The machines stay as they are.")


def _step(
    code: str,
    phase: Phase,
    title: str,
    text: str,
    command: Command | None = None,
    rules: tuple[str, ...] = (),
    source: str = "",
) -> Step:
    commands = () if command is None else (command,)
    return Step(code=code, phase=phase, title=title, text=text, commands=commands, rules=rules, source=source)


def _what(plan: SoftwarePlan) -> str:
    """What to install, in one sentence."""
    if plan.driver is None:
        return f"Which driver: no source gives its version. {plan.note}".strip()
    cuda = f", and CUDA {plan.cuda}" if plan.cuda else ""
    return f"Install {plan.driver}{cuda}. {plan.note}".strip()


def _driver(case: Case, plan: SoftwarePlan) -> Step:
    commands = []
    extension = new_extension(case)
    if extension and case.pool.service in ("vm", "vmss"):
        version = f" --version {extension.version}" if extension.version else ""
        text = f"--name {extension.name} --publisher Microsoft.HpcCompute{version}"
        if case.pool.service == "vmss":
            text = f'az vmss extension set --resource-group "$RG" --vmss-name "$SET" {text}'
        else:
            machine = "$VM" if case.option.verdict == "resize" else "$NEW"
            text = f'az vm extension set --resource-group "$RG" --vm-name "{machine}" {text}'
        new = "" if case.option.verdict == "resize" else ", which new machines have on by default"
        commands.append(Command(tool="az", text=f"# one way; it needs the internet and no Secure Boot{new}\n{text}"))
    if case.pool.service == "aks" and plan.driver_kind != "amd":
        cuda = f" Containers bring CUDA, {plan.cuda} or older." if plan.cuda else ""
        text = f"AKS installs the driver itself when the nodes are made: {plan.driver or 'which one, no source says'}."
        text = f"{text}{cuda} {plan.note}".strip()
    else:
        text = _what(plan)
    return Step(
        code="driver",
        phase="install",
        title="Install the GPU driver",
        text=text,
        commands=tuple(commands),
        rules=case.has("grid-driver-only", "cuda-driver", "driver-branch", "guest-driver-old", *OTHER_DRIVER),
        source="; ".join(filter(None, (plan.source, extension.source if extension and commands else ""))),
    )


def _rdma(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    """Sizes with InfiniBand: an order in which the GPU driver does not break the network."""
    rules = case.has("infiniband-order", "infiniband-driver", "infiniband-kind", "spans-infiniband")
    told = case.said("infiniband-order", "infiniband-kind")
    hold = "uname -r\nsudo apt-mark hold linux-image-azure linux-headers-azure linux-azure"
    yield _step(
        "rdma-kernel",
        "install",
        "Start from an Azure HPC image and hold the kernel",
        f"{told} A kernel that is updated under the drivers breaks both.".strip(),
        None if case.windows else Command(tool="guest", text=hold),
        rules,
        RDMA_ORDER,
    )
    old = case.target.series in OLD_RDMA
    which = (
        "the LTS Mellanox OFED 4.9-0.1.7.0: later ones drop the ConnectX-3 card" if old else "the one of the HPC image"
    )
    yield _step(
        "rdma-driver",
        "install",
        "Install the InfiniBand driver first",
        f"Take {which}. Check the link before you go on.",
        None if case.windows else Command(tool="guest", text="ibstat\nibv_devinfo | grep -E 'hca_id|state'"),
        rules,
        OFED,
    )
    driver, seen = _driver(case, plan), look(case)
    after = f"{seen.command}\nibstat | grep State  # still Active"
    yield Step(
        code="driver",
        phase="install",
        title="Then install the GPU driver, without a new kernel",
        text=f"{driver.text} Install the driver package alone, not a meta package that draws in a kernel.",
        commands=() if case.windows else (Command(tool="guest", text=after),),
        rules=driver.rules,
        source="; ".join(dict.fromkeys(filter(None, (driver.source, RDMA_ORDER, seen.source)))),
    )
    library, more = ("RCCL", f"; {RCCL}") if case.target.vendor == "amd" else ("NCCL", "")
    test = "mpirun --version\nNCCL_DEBUG=INFO all_reduce_perf -b 8 -e 1G -f 2  # says NET/IB"
    yield _step(
        "rdma-mpi",
        "install",
        f"Then MPI and {library}, and a test over two machines",
        "Use the MPI of the HPC image. Network Direct and SR-IOV sizes do not share a build of MPI.",
        None if case.windows else Command(tool="guest", text=test),
        rules,
        RDMA_ORDER + more,
    )


def _check(case: Case) -> Step:
    seen = look(case)
    torch = 'python -c "import torch; print(torch.version.hip or torch.version.cuda, torch.cuda.get_device_name(0))"'
    words = f"It must show {case.target.gpu or 'the GPU'}. Then run one real job and compare its time and its result"
    lines = [line for line in (seen.command, None if case.windows else torch) if line]
    return _step(
        "check",
        "install",
        "See that the guest finds the GPU and that a job runs",
        f"{seen.words} {words} with today's.".strip(),
        Command(tool="guest", text="\n".join(lines)) if lines else None,
        case.has("slower-job", "fp64-slow", "tensorrt-engine"),
        seen.source,
    )
