"""`portal-vm-export`: the list of virtual machines or scale sets of the Azure portal, exported to CSV.

The column DISKS is not read: no source says whether it counts the disk of the operating system.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.delimited import read_table
from advisor.engine.readers.head import Head, Table
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Layout

NAME = "portal-vm-export"
EMPTY_MARKS = frozenset({"-"})

#: Header words by field in English, Portuguese, Spanish, French, Korean, Japanese and German.
_WORDS: Mapping[str, str] = {
    "name": "NAME, NOME, NOMBRE, NOM, 이름, 名前",
    "subscription": "SUBSCRIPTION, ASSINATURA, SUSCRIPCIÓN, ABONNEMENT, 구독, サブスクリプション",
    "resource_group": "RESOURCE GROUP, GRUPO DE RECURSOS, GROUPE DE RESSOURCES, RESSOURCENGRUPPE, 리소스 그룹, "
    "リソース グループ",
    "region": "LOCATION, LOCALIZAÇÃO, UBICACIÓN, EMPLACEMENT, 위치, 場所, STANDORT",
    "state": "STATUS, ESTADO, STATUT, ÉTAT, 상태, 状態",
    "os": "OPERATING SYSTEM, SISTEMA OPERACIONAL, SISTEMA OPERATIVO, SYSTÈME D'EXPLOITATION, BETRIEBSSYSTEM, "
    "운영 체제, オペレーティング システム",
    "size": "SIZE, TAMANHO, TAMAÑO, TAILLE, 크기, サイズ, GRÖSSE",
    "count": "INSTANCES, INSTÂNCIAS, INSTANCIAS, 인스턴스, インスタンス, INSTANZEN",
    "ip": "PUBLIC IP ADDRESS, ENDEREÇO IP PÚBLICO, DIRECCIÓN IP PÚBLICA, ADRESSE IP PUBLIQUE, "
    "ÖFFENTLICHE IP-ADRESSE, 공용 IP 주소, パブリック IP アドレス",
    "disks": "DISKS, DISCOS, DISQUES, 디스크, ディスク, DATENTRÄGER",
    "update": "UPDATE STATUS, ATUALIZAR STATUS",
    "link": "RESOURCE LINK, LINK DE RECURSOS, VÍNCULO DEL RECURSO, LIEN DE LA RESSOURCE",
    "type": "TYPE, TIPO, TYP, 형식, 種類",
    "tags": "TAGS, MARCAS, ETIQUETAS, 태그, タグ",
    "mode": "ORCHESTRATION MODE",
    "provisioning": "PROVISIONING STATE",
}
_FIELD_BY_KEY = {squash(word): field for field, words in _WORDS.items() for word in words.split(", ")}
_TELLTALES = frozenset({"ip", "disks", "update", "link", "mode", "provisioning", "subscription"})
_DROPPED = frozenset({"ip", "disks", "update", "link", "type", "mode", "provisioning"})


def portal_field(header: str) -> str | None:
    """The field of a portal column in any of the languages, None for a column of another kind."""
    return _FIELD_BY_KEY.get(squash(header))


def recognises(head: Head) -> bool:
    """Headers in capitals (where the script has them): name, location and at least two more of the portal's columns."""
    table = head.table
    if table is None or any(title != title.upper() for title in table.header):
        return False
    found = {field for title in table.header if (field := portal_field(title))}
    if "size" in found:
        return {"name", "region", "resource_group"} <= found and bool(found & _TELLTALES)
    return {"name", "region"} <= found and bool(found & {"link", "type", "update", "ip", "subscription"})


def portal_layout(table: Table, catalogue: Catalogue) -> Layout | None:
    """The layout of an export, None when it has no sizes."""
    return find_layout(table, catalogue, portal_field, dropped=_DROPPED)


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """One row is one machine, or INSTANCES machines of a scale set; `-` means empty."""
    table = head.table
    layout = portal_layout(table, catalogue) if table else None
    if layout is None:
        return refuse(
            head.name,
            NAME,
            "no_size_column",
            "The export has no SIZE column. In the portal open Virtual machines (not All resources), choose Manage "
            "view, Edit columns, add Size, then Export to CSV; or run `az vm list -d -o json > vms.json`.",
            head=head,
        )
    return read_table(head, layout, catalogue, options, NAME, empty_marks=EMPTY_MARKS)
