"""Clusters: which addresses are taken, what makes two of them one, and what this server may ask."""

from __future__ import annotations

import pytest

from discreet.budget import ParameterError
from discreet.office.datasets import places
from discreet.office.running import settings
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.engines.live_cluster import Cluster
from discreet.rows.engines.registry import address_of, table_at
from discreet.rows.intake.parser import Unreachable

SAFE = "sc://lake.inside:15002/;use_ssl=true;token=secret-of-mine"
NAMED = {places.CLUSTERS: "lake.inside:15002"}


@pytest.mark.parametrize(
    "url",
    [
        "spark://lake:7077",
        "sc://",
        "sc://a,b",
        "sc://u:p@lake",
        "sc://lake/;x-header=1",
        "sc://lake:port",
        "sc://lake/;token=a b",
        "sc://lake/path",
        "https://lake",
        "",
    ],
)
def test_what_is_no_address_of_a_cluster_is_refused(url: str) -> None:
    """Headers of one's own, users and lists of machines among it; a token is in no sentence."""
    with pytest.raises(ParameterError) as refused:
        Cluster(url, "people")
    assert "sc://host:15002" in str(refused.value)


@pytest.mark.parametrize("table", ["", "a b", "people; drop", "a.b.c.d", "`x`", "delta.`/etc`", "é"])
def test_a_table_is_a_plain_name(table: str) -> None:
    """What Spark would read as a path, a command or a file is none."""
    with pytest.raises(ParameterError, match="Enter one table of the cluster, as in"):
        Cluster(SAFE, table)


def test_a_token_and_the_case_of_a_machine_make_no_other_budget() -> None:
    """Another table and another port do; and the token is in no text that is shown."""
    here = Cluster(SAFE, "people")
    assert here.digest == Cluster("sc://LAKE.inside/;use_ssl=true", "people").digest
    assert here.digest == Cluster(SAFE, "People").digest
    assert here.digest != Cluster(SAFE, "visits").digest != Cluster("sc://lake.inside:1/", "visits").digest
    assert "secret-of-mine" not in repr(here) + repr(here.source())
    assert address_of("cluster", here.to_json().encode()) == here
    assert table_at(SAFE, "people") == here and isinstance(table_at("sqlite:////x.db", "t"), DatabaseSource)


def test_only_named_clusters_are_asked_and_only_over_verified_tls() -> None:
    """Nothing named is none; on this machine nobody listens on the way."""
    places.permit(Cluster(SAFE, "people"), NAMED)
    for around in ({}, {places.CLUSTERS: "other.inside:15002"}, {places.CLUSTERS: "lake.inside:1"}):
        with pytest.raises(ParameterError, match=places.CLUSTERS):
            places.permit(Cluster(SAFE, "people"), around)
    with pytest.raises(ParameterError, match="use_ssl"):
        places.permit(Cluster("sc://lake.inside", "people"), NAMED)
    with pytest.raises(ParameterError, match="use_ssl"):
        places.permit(Cluster("sc://lake.inside/;use_ssl=false", "people"), NAMED)
    places.permit(Cluster("sc://127.0.0.1:9", "people"), {places.CLUSTERS: "127.0.0.1:*"})
    with pytest.raises(ParameterError, match=places.CLUSTERS):
        settings.check({places.CLUSTERS: "lake.inside"})


def test_a_cluster_that_is_not_there_is_refused_in_a_sentence() -> None:
    """With or without a client for it: neither says anything of the address."""
    with pytest.raises(ParameterError) as refused:
        _ = Cluster("sc://127.0.0.1:9/;token=secret-of-mine", "people").source().names
    assert isinstance(refused.value, Unreachable) or "extra [spark]" in str(refused.value)
    assert "secret-of-mine" not in str(refused.value)
