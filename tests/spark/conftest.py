"""A small cluster of real JVMs: skipped with a clear word where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start two executors on this machine, each with a process of its own that can be killed."""
    sql = pytest.importorskip("pyspark.sql", reason="There is no pyspark here: make spark.")
    if shutil.which("java") is None:
        pytest.skip("There is no Java here: install a JRE, version 17 or later.")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("discreet")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.files.maxPartitionBytes": "20000",
        "spark.sql.files.openCostInBytes": "20000",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.executorEnv.PYTHONPATH": str(ROOT),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.task.maxFailures": "20",
        "spark.stage.maxConsecutiveAttempts": "20",
        "spark.sql.session.timeZone": "UTC",
    }.items():
        builder = builder.config(name, value)
    started = builder.getOrCreate()
    started.sparkContext.setLogLevel("ERROR")
    yield started
    started.stop()
