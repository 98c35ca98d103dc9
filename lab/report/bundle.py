"""Bundle: a publication as one archive: the report, the table with its metadata, and the answers with their schema."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence

from discreet.curator.released import Release
from discreet.lab.report.answers_schema import ANSWERS_SCHEMA
from discreet.lab.report.export import answers_json
from discreet.lab.report.html_report import english, html_report
from discreet.lab.report.publication import Publication
from discreet.lab.report.sheets import answers_csv
from discreet.lab.report.svg_figures import Say
from discreet.lab.report.table_metadata import csvw, data_package
from discreet.rows.schema import Schema

REPORT, TABLE, RECORDS, RULES = "report.html", "data.csv", "answers.json", "answers.schema.json"
READABLE = 0o644
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same answers are the same bytes


def files(publication: Publication, say: Say = english, language: str = "en") -> dict[str, str]:
    """Return every file of a publication by its name."""
    answers: Sequence[tuple[Release, Schema]] = [(each.release, each.schema) for each in publication.chapters]
    return {
        REPORT: html_report(publication, say, language),
        TABLE: answers_csv(publication.own, publication.at_once),
        f"{TABLE}-metadata.json": csvw(TABLE, publication.numeric),
        "datapackage.json": data_package(TABLE, publication.numeric, (REPORT, RECORDS, RULES)),
        RECORDS: answers_json(answers, publication.together),
        RULES: json.dumps(ANSWERS_SCHEMA, indent=1) + "\n",
    }


def bundle(publication: Publication, say: Say = english, language: str = "en") -> bytes:
    """Return all of them as one archive."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files(publication, say, language).items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = READABLE << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return sink.getvalue()
