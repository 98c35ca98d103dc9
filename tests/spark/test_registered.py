"""Registered: a table of a cluster as a dataset of an office, reached through Spark Connect."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.clusters import counted, lots, rows
from support.visitor import free_port

from discreet.budget import Cost, ParameterError
from discreet.curator import Request
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.office import Policy, Registration, open_house
from discreet.office.datasets import lifecycle, places, registering, registry
from discreet.office.house.roles import TERMINAL
from discreet.rows import Category, LocalSource, Number, Schema
from discreet.rows.dataset import Dataset
from discreet.rows.engines.live_cluster import Cluster
from discreet.rows.intake.parser import Unreachable

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Schema(
    {
        "age": Number(0, 100, integer=True, origin="life span"),
        "pay": Number(0, 5000, origin="law"),
        "to`wn.x": Category(("north", "south"), other=True),
    }
)
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Spark Connect server of a process of its own, with one table in its catalog."""
    pyspark = pytest.importorskip("pyspark", reason="There is no pyspark here: make spark.")
    folder, port = tmp_path_factory.mktemp("cluster"), free_port()
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    said = {
        "spark.connect.grpc.binding.port": port,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": 4,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.local.dir": folder / "local",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
    }
    words = [str(submit), "--class", SERVER, "--master", "local[2]"]
    words += [word for name, value in said.items() for word in ("--conf", f"{name}={value}")]
    around = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen([*words, "spark-internal"], cwd=folder, env=around, stdout=log, stderr=log)
    url = f"sc://127.0.0.1:{port}"
    try:
        pq.write_table(rows(), folder / "rows.parquet")
        _fill(url, folder / "rows.parquet")
        yield url
    finally:
        server.terminate()
        server.wait(60)


def _fill(url: str, file: Path) -> None:
    """Write the table into the catalog, as soon as somebody answers."""
    from pyspark.sql.connect.session import SparkSession

    for left in range(60, 0, -1):
        try:
            session = SparkSession.builder.remote(url).create()
            session.read.parquet(str(file)).write.saveAsTable("people")
            session.stop()
            return
        except Exception:
            if left == 1:
                raise
            time.sleep(1)


def test_a_table_of_a_cluster_is_registered_asked_and_reached_anew(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its counts are those of the file, and another spelling of its name is the same budget."""
    monkeypatch.setenv(places.CLUSTERS, "127.0.0.1:*")
    house = open_house({"DISCREET_HOME": str(tmp_path / "home")})
    for spelling in ("PEOPLE", "default.people"):
        assert places.settled(Cluster(cluster, spelling)).digest == places.settled(Cluster(cluster, "people")).digest
    said = Registration("people", SCHEMA, Cost.of("3", "1e-5"), "survey", "consent", alone=True)
    data = registering.register(house, TERMINAL, Cluster(cluster, "people"), said, Policy(free=1.0))
    assert data.remote and data.table
    with pytest.raises(ParameterError, match="already registered as"):
        again = Registration(
            "people again", SCHEMA, Cost.of("3"), "survey", "consent", apart="the people of another town", alone=True
        )
        registering.register(house, TERMINAL, Cluster(cluster, "Default.People"), again, Policy())
    there = registry.curator(house, data.id)
    assert counted(there._dataset) == counted(Dataset(LocalSource(rows()), SCHEMA))
    lifecycle.reconnect(house, TERMINAL, data.id, Cluster(f"{cluster}/;user_id=another", "people"))
    with pytest.raises(Unreachable, match="table of the cluster cannot be read"):
        lifecycle.reconnect(house, TERMINAL, data.id, Cluster(cluster, "nobody"))


def test_a_question_is_answered_and_a_cluster_that_is_gone_spends_nothing(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the same road as a file: reserve, charge, count on the cluster, noise here."""
    monkeypatch.setenv(places.CLUSTERS, "127.0.0.1:*")
    house = open_house({"DISCREET_HOME": str(tmp_path / "home")})
    said = Registration("people", SCHEMA, Cost.of("3", "1e-5"), "survey", "consent", alone=True)
    data = registering.register(house, TERMINAL, Cluster(cluster, "people"), said, Policy(free=1.0))
    curator = registry.curator(house, data.id)
    answer = curator.ask(Request(CountsGeometric(epsilon=1.0), ("to`wn.x",)), "once").answer
    exact = Dataset(LocalSource(rows()), SCHEMA).scores("to`wn.x", (), lots()).counts
    assert np.abs(np.asarray(answer) - exact).max() < 60  # beyond that noise comes once in e^60 draws
    left = registry.ledger(house, data.id).left
    monkeypatch.setenv(places.CLUSTERS, "127.0.0.2:*")
    with pytest.raises(ParameterError, match=places.CLUSTERS):
        registry.curator(house, data.id)
    assert registry.ledger(house, data.id).left == left


def test_a_cluster_that_does_not_answer_is_told_soon(cluster: str) -> None:
    """Where nobody listens, and where somebody listens who speaks no TLS: not after ten minutes."""
    for url in ("sc://127.0.0.1:9", f"{cluster}/;use_ssl=true;token=mine"):
        start = time.monotonic()
        with pytest.raises(Unreachable) as refused:
            _ = Cluster(url, "people").source().names
        assert time.monotonic() - start < 60 and "mine" not in str(refused.value)
