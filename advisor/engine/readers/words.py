"""What columns and cells are called: header names in several languages, and the words of each field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from advisor.engine.catalogue import squash
from advisor.engine.readers.text import header_keys


def words_of(text: str) -> tuple[str, ...]:
    """The words of a comma-separated text that may run over several lines."""
    return tuple(word for word in (part.strip() for part in re.split(r"[,\n]", text)) if word)


#: Header names of a list, per field; more specific fields first. Compared squashed (letters and digits, any case).
HEADERS: Mapping[str, tuple[str, ...]] = {
    "size": words_of(
        """
        size, vm size, vmsize, sku, sku name, vm sku, arm sku name, instance type, instance size, machine type,
        vm type, azure size, azure vm size, current size, current vm size, virtual machine size, size name,
        node size, hardwareProfile_vmSize, properties_hardwareProfile_vmSize, größe, vm-größe, vm größe, tamanho,
        tamanho da vm, tamaño, tamaño de vm, taille, taille de vm, dimensione, grootte, 크기, vm 크기, 사이즈,
        vm 사이즈, 인스턴스 유형, サイズ, vm サイズ, インスタンスタイプ, 大小, vm 大小, 规格, 虚拟机大小, rozmiar,
        размер
        """
    ),
    "name": words_of(
        """
        name, vm name, vm, machine, machine name, virtual machine, host, hostname, server, server name,
        computer name, instance name, resource name, nom, nome, nombre, naam, rechner, 이름, vm 이름, 서버,
        서버 이름, 名前, vm 名, 名称
        """
    ),
    "resource_group": words_of(
        """
        resource group, resourcegroupname, rg, ressourcengruppe, grupo de recursos, groupe de ressources,
        gruppo di risorse, resourcegroep, 리소스 그룹, リソース グループ, 资源组
        """
    ),
    "region": words_of(
        """
        region, location, azure region, vm region, datacenter, data center, standort, ort, localização, região,
        ubicación, región, emplacement, région, regione, posizione, locatie, regio, 지역, 위치, 리전, 場所,
        リージョン, 地域, 位置, 区域
        """
    ),
    "count": words_of(
        """
        count, vms, vm count, number of vms, number, quantity, qty, instances, instance count, nodes, node count,
        capacity, machines, units, how many, anzahl, menge, anzahl vms, quantidade, qtd, cantidad, nombre de vm,
        nombre de vms, quantité, quantità, aantal, 대수, 수량, 개수, vm 수, 인스턴스 수, 台数, 数量, count_,
        ilość, количество
        """
    ),
    "os": words_of(
        """
        os, os type, operating system, system, platform, betriebssystem, sistema operacional, sistema operativo,
        système d'exploitation, besturingssysteem, 운영 체제, os 유형, オペレーティング システム, 操作系统
        """
    ),
    "price_model": words_of(
        """
        price model, pricing model, purchase option, purchase model, billing model, priority, preismodell,
        modelo de preço, 요금제, 가격 모델, 구매 옵션, 価格モデル
        """
    ),
    "state": words_of(
        """
        state, status, power state, vm state, vm status, power status, zustand, estado, état, stato, 상태, 状態,
        状态
        """
    ),
    "pool": words_of("pool, pool name, group, team, gruppe, groupe, 풀, 그룹"),
    "workload": words_of(
        """
        workload, workload type, workload kind, work, use case, arbeitslast, 워크로드, 용도, ワークロード
        """
    ),
    "pattern": words_of("pattern, usage pattern, load pattern"),
    "shape": words_of("shape, workload shape"),
    "precision": words_of("precision, data type, dtype, genauigkeit, 정밀도"),
    "gpu_memory_gib": words_of(
        """
        gpu memory gib, gpu memory, gpu memory gb, gpu mem, vram, vram gb, vram gib, gpu 메모리
        """
    ),
    "utilisation": words_of(
        """
        utilisation, utilization, gpu utilisation, gpu utilization, gpu util, utilisation percent,
        utilization percent, gpu usage, auslastung, gpu auslastung, 사용률, gpu 사용률, 使用率, gpu 使用率
        """
    ),
    "multi_node": words_of("multi node, multi-node, multinode, distributed"),
    "job_gpus": words_of("job gpus, gpus per job, job size"),
    "interruptible": words_of("interruptible, preemptible, evictable, can be interrupted"),
    "min_vms": words_of("min vms, minimum vms, min count, minimum, min instances"),
    "cost": words_of(
        """
        cost, monthly cost, cost per month, total cost, cost month, kosten, kosten pro monat, custo, custo mensal,
        coste, costo, coût, coût mensuel, 비용, 월 비용, 費用, コスト, 费用
        """
    ),
    "currency": words_of(
        """
        currency, billing currency, currency code, währung, moeda, moneda, devise, valuta, 통화, 通貨, 货币
        """
    ),
    "hours": words_of(
        """
        hours, hours per month, hours_per_month, monthly hours, hours month, vm hours, usage hours, hrs,
        running hours, runtime hours, hours used, total hours, stunden, heures, horas, ore, uren, std, 시간,
        시간수, 가동시간, 사용시간, 時間, 小时
        """
    ),
    "service": words_of("service, managed by, azure service"),
    "generation": words_of("generation, vm generation, hyper-v generation, hypervgeneration"),
    "image": words_of("image, os image, os version, image sku, guest os version"),
    "data_disks": words_of("data disks, data disk count, number of data disks"),
    "premium_disks": words_of("premium disks, premium storage, premium ssd"),
    "nics": words_of("nics, network cards, network interfaces, nic count"),
    "accelerated_networking": words_of("accelerated networking"),
    "temp_used_gib": words_of("temp used gib, temp disk used gib, temp disk use, temporary disk used"),
    "os_disk_gib": words_of("os disk gib, os disk size, os disk size gb, os disk gb"),
    "ephemeral_os_disk": words_of("ephemeral os disk, ephemeral os, ephemeral disk"),
    "disk_encryption": words_of("disk encryption, azure disk encryption, ade"),
    "disk_controller": words_of("disk controller, disk controller type"),
    "availability_set": words_of("availability set, avset"),
    "proximity_group": words_of("proximity group, proximity placement group, ppg"),
    "zone": words_of("zone, zones, availability zone, availability zones"),
    "security_type": words_of("security type"),
    "secure_boot": words_of("secure boot"),
    "extensions": words_of("extensions, vm extensions"),
    "driver": words_of("driver, gpu driver, driver version, nvidia driver"),
    "cuda": words_of("cuda, cuda version"),
    "pytorch": words_of("pytorch, pytorch version, torch"),
    "tensorflow": words_of("tensorflow, tensorflow version"),
    "tags": words_of("tags, tag, labels"),
}
_FIELD_BY_KEY = {squash(word): field for field, words in HEADERS.items() for word in words}
_HOUR_PARTS = words_of(
    """
    hour, stunden, heures, horas, 월시간, 사용시간, 가동시간, 월간시간, 使用時間, 稼働時間, 月間時間, 小时
    """
)
_NOT_MONTHLY = words_of(
    """
    price, cost, rate, hourly, perhour, perday, daily, protag, proday, parjour, pordia, perweek, business,
    timezone, 일사용, 하루, preis, 요금
    """
)
_PER_VM = words_of(
    """
    pervm, pervirtualmachine, permachine, perinstance, pernode, perserver, each, provm, promaschine, jevm,
    jemaschine, parvm, porvm, 대당, vm당, 台あたり, 每台
    """
)


@lru_cache(maxsize=1 << 14)  # the same names are asked for in each line that may be a header
def field_of(header: str) -> str | None:
    """The field of a column named `header`, None when no name fits; hours that are per VM are `hours_per_vm`."""
    for key in header_keys(header):
        if field := _FIELD_BY_KEY.get(key):
            return field
        if any(part in key for part in _HOUR_PARTS) and not any(part in key for part in _NOT_MONTHLY):
            return "hours_per_vm" if any(p in key.replace("eachmonth", "") for p in _PER_VM) else "hours"
    return None


def _table(**words: str) -> dict[str, str]:
    return {squash(word): value for value, many in words.items() for word in words_of(many)}


OS = _table(
    linux="linux, ubuntu, rhel, red hat, redhat, suse, sles, centos, debian, rocky, alma, oracle linux, 리눅스",
    windows="windows, win, windows server, windows client, windows 10, windows 11, microsoft windows, 윈도우",
)
PRICE_MODELS = _table(
    payg="""
    payg, pay as you go, on demand, regular, standard, consumption, nutzungsbasiert, 종량제, 従量課金
    """,
    spot="spot, low priority, low, preemptible, 스팟, スポット",
    ri_1y="""
    ri_1y, 1y ri, 1 year reserved, reserved 1 year, reserved 1y, 1 year reservation, reservation 1 year,
    one year reserved, 1-year reserved instance, reserved instance 1 year, 예약 1년, 1년 예약, reserviert 1 jahr
    """,
    ri_3y="""
    ri_3y, 3y ri, 3 year reserved, 3 years reserved, reserved 3 years, reserved 3 year, reserved 3y, 3 year reservation,
    reservation 3 years, reservation 3 year, three year reserved, 3-year reserved instance, reserved instance 3 years,
    예약 3년, 3년 예약, reserviert 3 jahre
    """,
    sp_1y="sp_1y, savings plan 1 year, 1 year savings plan, savings plan 1y, 1y savings plan",
    sp_3y="""
    sp_3y, savings plan 3 years, savings plan 3 year, 3 year savings plan, savings plan 3y, 3y savings plan
    """,
)
WORKLOADS = _table(
    training="training, train, fine-tuning, finetuning, fine tuning, 학습",
    inference="inference, infer, inferencing, serving, 추론",
    hpc="hpc, simulation",
    graphics="graphics, vdi, visualization, visualisation, rendering, 그래픽",
    dev="dev, development, test, dev/test, notebook, notebooks, 개발",
)
PATTERNS = _table(burst="burst, bursty", steady="steady, constant, 24x7, 24/7")
SHAPES = _table(queue="queue, batch", stream="stream, online", seat="seat, seats, desktop")
PRECISIONS = _table(
    fp64="fp64, double, float64",
    fp32="fp32, single, float32",
    tf32="tf32",
    fp16="fp16, half, float16, mixed",
    bf16="bf16, bfloat16",
    int8="int8",
    fp8="fp8",
)
SERVICES = _table(
    vm="vm, virtual machine, vms, compute",
    vmss="vmss, scale set, virtual machine scale set",
    aks="aks, kubernetes, azure kubernetes service",
    batch="batch, azure batch",
    aml="aml, azure ml, azure machine learning, machine learning",
)
YES_NO = _table(
    yes="yes, y, true, 1, ja, oui, si, sí, sim, x, 예, 네, はい, 是",
    no="no, n, false, 0, nein, non, não, nao, 아니오, 아니요, いいえ, 否",
)

#: Parts of a state that mean stopped and no longer billed for compute; "Stopped" alone still bills.
DEALLOCATED = words_of(
    """
    dealloc, desaloc, desasign, désallou, désalloc, freigegeben, zuordnungaufgehoben, 할당취소, 할당해제,
    割り当て解除, 割当解除, 解除分配, 释放
    """
)
OFF = frozenset(
    map(
        squash,
        (
            "off",
            "switched off",
            "powered off",
            "aus",
            "ausgeschaltet",
            "apagado",
            "desligado",
            "éteint",
            "꺼짐",
            "オフ",
        ),
    )
)
ALIVE = words_of(
    """
    running, started, starting, stopped, stopping, poweredon, emexecução, enejecución, encours, wirdausgeführt,
    ausgeführt, 실행, 実行, 正在运行, 운영, interrompido, detenid, parad, arrêté, angehalten, beendet, 중지, 停止,
    creating, updating, succeeded, inbetrieb, running24x7, active, available
    """
)
ON = frozenset(
    map(
        squash, ("on", "up", "an", "ein", "encendido", "ligado", "allumé", "켜짐", "オン", "ready", "unknown", "failed")
    )
)

TOTALS = frozenset(
    map(
        squash,
        words_of(
            """
            total, totals, grand total, sub total, summe, gesamt, gesamtsumme, totaux, total général, somme, totale,
            suma, soma, totaal, 합계, 총계, 총합계, 소계, 合計, 総計, 小計, 合计, 总计, sum, итого, razem
            """
        ),
    )
)


_LETTER_AND_DIGIT = re.compile(r"(?=.*\d)(?=.*[^\W\d_])", re.DOTALL)
_LONGEST_TOTAL = 30
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=10_000)
def is_total(text: str) -> bool:
    """True for a cell that names a line of totals: `합계`, `Summe:`, `Grand total`."""
    return 0 < len(text) < _LONGEST_TOTAL and not _DIGIT.search(text) and squash(text) in TOTALS


def may_be_total(size: str) -> bool:
    """False for a size cell with letters and digits, which no line of totals has."""
    return _LETTER_AND_DIGIT.match(size) is None


#: Localised display names of regions that no price list gives; fleet_formats.md, section 0.3.
LOCAL_REGIONS = {
    squash(local): name
    for name, many in {
        "koreacentral": "한국 중부, 韓国中部, 韩国中部",
        "koreasouth": "한국 남부, 韓国南部, 韩国南部",
        "eastus": "미국 동부, 米国東部, 美国东部",
        "eastus2": "미국 동부 2, 米国東部 2, 美国东部 2",
        "westus": "미국 서부, 米国西部, 美国西部",
        "westus2": "미국 서부 2, 米国西部 2, 美国西部 2",
        "westus3": "미국 서부 3, 米国西部 3, 美国西部 3",
        "centralus": "미국 중부, 米国中部, 美国中部",
        "southcentralus": "미국 중남부, 米国中南部, 美国中南部",
        "northcentralus": "미국 중북부, 米国中北部, 美国中北部",
        "japaneast": "일본 동부, 東日本, 日本东部",
        "japanwest": "일본 서부, 西日本, 日本西部",
        "westeurope": "서유럽, 西ヨーロッパ, 西欧, Westeuropa, Europa Ocidental, Europe de l'Ouest",
        "northeurope": "북유럽, 北ヨーロッパ, 北欧, Nordeuropa, Europa do Norte, Europe du Nord",
        "southeastasia": "동남 아시아, 東南アジア, 东南亚",
        "eastasia": "동아시아, 東アジア, 东亚",
        "germanywestcentral": "독일 중서부, Deutschland, Westen-Mitte, Deutschland Westen-Mitte",
        "brazilsouth": "브라질 남부, Sul do Brasil",
        "uksouth": "영국 남부, 英国南部, Vereinigtes Königreich, Süden",
        "francecentral": "프랑스 중부, フランス中部, 法国中部, France-Centre",
        "swedencentral": "스웨덴 중부, Schweden, Mitte, Schweden Mitte",
        "australiaeast": "오스트레일리아 동부, オーストラリア東部, 澳大利亚东部",
    }.items()
    for local in many.split(", ")
}
