"""Portal exports: words of several languages, states, and columns that are no tags."""

from __future__ import annotations

import json

import pytest

from tests.engine.readers.conftest import errors

HEADERS = {
    "en": "NAME,SUBSCRIPTION,RESOURCE GROUP,LOCATION,STATUS,OPERATING SYSTEM,SIZE,PUBLIC IP ADDRESS,DISKS",
    "pt": "NOME,ASSINATURA,GRUPO DE RECURSOS,LOCALIZAÇÃO,STATUS,SISTEMA OPERACIONAL,TAMANHO,ENDEREÇO IP PÚBLICO,DISCOS",
    "ko": "이름,구독,리소스 그룹,위치,상태,운영 체제,크기,공용 IP 주소,디스크",
    "ja": "名前,サブスクリプション,リソース グループ,場所,状態,オペレーティング システム,サイズ,ディスク",
    "de": "NAME,ABONNEMENT,RESSOURCENGRUPPE,STANDORT,STATUS,BETRIEBSSYSTEM,GRÖSSE,ÖFFENTLICHE IP-ADRESSE,DATENTRÄGER",
}


@pytest.mark.parametrize("language", sorted(HEADERS))
def test_headers_of_each_language(read, language):
    reading = read(HEADERS[language] + '\n"a","sub","rg","West Europe","Running","Linux","Standard_NC6","-"\n')
    assert reading.format == "portal-vm-export"
    row = reading.fleet.iloc[0]
    assert row[["name", "resource_group", "size", "region", "os"]].tolist() == [
        "a", "rg", "Standard_NC6", "westeurope", "linux",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "off"),
    [("Running", 0), ("Stopped", 0), ("Stopped (deallocated)", 1), ("Interrompido (desalocado)", 1), ("-", 0)],
)
def test_only_deallocated_machines_are_off(read, state, off):
    reading = read(HEADERS["en"] + f'\n"a","s","rg","eastus","{state}","Linux","Standard_NC6","-","2"\n')
    assert (reading.fleet["deallocated"].tolist(), reading.problems) == ([off], ())


def test_a_state_that_is_not_understood_is_said(read):
    reading = read(HEADERS["en"] + '\n"a","s","rg","eastus","Blorb","Linux","Standard_NC6","-","2"\n')
    assert [(p.kind, p.severity) for p in reading.problems] == [("unknown_state", "warning")]


def test_links_addresses_and_disks_are_no_tags(read):
    reading = read(
        HEADERS["en"]
        + ',RESOURCE LINK,ZONE\n"a","s","rg","eastus","Running","Linux","NC6","9.9.9.9","2","http://x","1"\n'
    )
    assert json.loads(reading.fleet["tags"].iloc[0]) == {"SUBSCRIPTION": "s", "ZONE": "1"}
    assert reading.fleet["data_disks"].isna().all()


def test_scale_sets_count_their_instances(read):
    header = "NAME,SUBSCRIPTION,RESOURCE GROUP,LOCATION,PROVISIONING STATE,INSTANCES,SIZE,ORCHESTRATION MODE"
    reading = read(header + '\n"a","s","rg","eastus","Succeeded","3","Standard_NC6","Uniform"\n')
    assert (reading.format, reading.fleet["count"].tolist()) == ("portal-vm-export", [3])


def test_all_resources_have_no_size(read):
    reading = read('NAME,TYPE,RESOURCE GROUP,LOCATION,SUBSCRIPTION,\n"a","Virtual machine","rg","eastus","s"\n')
    assert (reading.format, errors(reading)) == ("portal-vm-export", [(None, "no_size_column")])
    assert "Virtual machines" in reading.problems[0].message
