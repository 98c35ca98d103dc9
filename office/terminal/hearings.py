"""Hearings: the commands that say something of a request, run its evidence, and declare more or want less of data."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.office import duties, examining, extension, remarks
from discreet.office.house import House
from discreet.office.terminal.lookup import dataset_named, somebody
from discreet.office.terminal.speech import stop, tell, waits
from discreet.office.terminal.verdicts import numbered
from discreet.rows.schema import Schema

KINDS = ("policy", extension.KIND, "publication", "deletion", "version")  # what can wait for a second officer


def comments(house: House, number: str, *, acting: str = "") -> None:
    """comments NUMBER --as LOGIN: print what was said about a request, as far as LOGIN may read it."""
    who = somebody(house, acting or stop("Say for whom: --as LOGIN."))
    for each in remarks.thread(house, who, numbered(house, number).id):
        tell(at=f"{each.at:%Y-%m-%d %H:%M}", name=each.name, audience=each.audience, text=each.body)


def comment(house: House, number: str, text: str, audience: str = remarks.ALL, *, acting: str = "") -> None:
    """comment NUMBER TEXT [all|officers] --as LOGIN: say something about a request; it cannot be taken back."""
    who = somebody(house, acting or stop("Say for whom: --as LOGIN."))
    inquiry = numbered(house, number)
    remarks.remark(house, who, inquiry.id, text, audience)
    tell(f"Said about #{inquiry.number}.")


def examine(house: House, number: str, *, acting: str = "") -> None:
    """examine NUMBER [--as LOGIN]: run the five layers of evidence for a request; it takes up to some minutes."""
    said = examining.examine(house, somebody(house, acting), numbered(house, number).id)
    for row in said.rows:
        for layer in row["layers"]:
            tell(layer=layer["name"], holds=layer["holds"], caught=layer["caught"], question=row["question"])
    tell(summary=str(said.summary))


def extend(house: House, name: str, file: str, *, acting: str = "") -> int:
    """extend NAME FILE [--as LOGIN]: declare more columns or levels, as a file of a declaration says."""
    data = dataset_named(house, name)
    try:
        schema = Schema.from_json(Path(file).read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError, json.JSONDecodeError):
        stop("This file is no declaration.")
    if not extension.extend(house, somebody(house, acting), data.id, schema):
        return waits(f"An extension of the declaration of {data.name} is proposed.")
    tell(f"The declaration of {data.name} is extended.")
    return 0


def drop(house: House, name: str, *, acting: str = "") -> None:
    """drop NAME [--as LOGIN]: let go what was proposed for a dataset and waits for a second officer."""
    data = dataset_named(house, name)
    waits = [motion for kind in KINDS if (motion := duties.pending(house, kind, data.id)) is not None]
    if not waits:
        stop("Nothing waits for a second officer.")
    for motion in waits:
        duties.drop(house, somebody(house, acting), "officer", motion, data.name)
        tell(f"Dropped: {motion.kind} of {data.name}.")
