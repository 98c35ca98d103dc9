"""Table metadata: what the columns of a table of answers are, for CSVW and for Data Package."""

from __future__ import annotations

import json
from typing import Any

from discreet.lab.report.sheets import REFUSED, RELEASE, TOO_FEW

CONTEXT = "http://www.w3.org/ns/csvw"
NUMBERS = {"epsilon", "delta", "size"}
ENDS = {"answer", "low", "high", "low at once", "high at once"}
WHOLE = {"whole", "adding up", "entry", "rank error"}
TIMES = {"at"}
MEANING = {
    "at": "When it was released.",
    "statistic": "What was asked.",
    "columns": "Of which columns.",
    "by": "The declared categories that make groups.",
    "group": "The levels of the group, empty where all rows are one.",
    "part": "Which of several numbers of an answer.",
    "where": "Which rows were asked for, empty for all.",
    "answer": f"The released number, date or name, to the last digit; {REFUSED} where there is none.",
    "low": "The lower end of an interval that holds the value of the rows as read 19 times in 20.",
    "high": "Its upper end.",
    "low at once": "The lower end of a wider interval: all that stand in this column hold at once 19 times in 20.",
    "high at once": "Its upper end.",
    "unit": "What the number is counted in.",
    "note": f"“{TOO_FEW}” where the interval leaves less than a tenth out of what the answer can be.",
    "whole": "A count made whole and not negative: post-processing of the answer beside it.",
    "adding up": "The same so that counts of several questions add up: sums of one table, nearest to all of them.",
    "rank error": "How many rows it is off its rank at most, 19 times in 20.",
    "size": "About how many rows there are: a released noisy number.",
    "epsilon": "The privacy loss of the whole question.",
    "delta": "The chance that this fails.",
    "mechanism": "The mechanism that answered.",
    "entry": "The entry of the ledger that paid for it, counted from 0; screens count from 1.",
    "id": "The name of the release.",
    "as read": "Of which rows the answer is, and as what they count.",
}


def csvw(table: str, numeric: bool) -> str:
    """Return CSVW metadata of a table; `numeric` says whether every answer of it is a number."""
    columns = [
        {
            "name": name.replace(" ", "_"),
            "titles": name,
            "datatype": {"number": "double", "datetime": "dateTime"}.get(_kind(name, numeric), _kind(name, numeric)),
            "dc:description": MEANING[name],
            "null": ["", REFUSED] if name == "answer" else [""],
        }
        for name in RELEASE
    ]
    dialect = {"encoding": "utf-8", "lineTerminators": ["\r\n"], "header": True}
    return _written({"@context": CONTEXT, "url": table, "dialect": dialect, "tableSchema": {"columns": columns}})


def data_package(table: str, numeric: bool, files: tuple[str, ...]) -> str:
    """Return a Data Package of a table and of the other files beside it."""
    fields = [
        {"name": name, "type": _kind(name, numeric), "description": MEANING[name]}
        | ({"missingValues": ["", REFUSED]} if name == "answer" else {})
        for name in RELEASE
    ]
    schema = {"fields": fields, "missingValues": [""]}
    sheet = {"name": "answers", "path": table, "format": "csv", "mediatype": "text/csv", "encoding": "utf-8"}
    others = [{"name": name.lower().replace(".", "-"), "path": name} for name in files]
    package = {"name": "released-statistics", "profile": "data-package"}
    return _written(package | {"resources": [sheet | {"profile": "tabular-data-resource", "schema": schema}, *others]})


def _kind(name: str, numeric: bool) -> str:
    """Return what the cells of a column are."""
    if name in ENDS:
        return "number" if numeric else "string"
    kinds = {"number": NUMBERS, "integer": WHOLE, "datetime": TIMES}
    return next((kind for kind, names in kinds.items() if name in names), "string")


def _written(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
