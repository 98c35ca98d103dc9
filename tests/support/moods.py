"""Odd names and values of a database."""

from __future__ import annotations

from typing import Any

from discreet.lab.simulation import SimulationNoise
from support.bases import Base


def drawn(size: int, seed: int = 0) -> list[dict[str, Any]]:
    """Draw rows with everything that can be missing, outside or unknown."""
    words = SimulationNoise(seed).uniforms(size, 7)
    return [
        {
            "age": None if u[6] < 0.1 else int(u[0] * 140) - 20,
            "pay": None if u[5] < 0.1 else float(u[1] * 6000 - 500),
            "exact": None if u[4] < 0.1 else round(u[2] * 12, 3),
            "town": (None, "north", " south ", "elsewhere", "")[int(u[3] * 5)],
            "who": None if u[0] < 0.05 else f"P{int(u[4] * size / 4)}",
            "member": None if u[1] < 0.1 else bool(u[5] < 0.5),
        }
        for u in words
    ]


ODD = {
    "smallint": ("32767", "-32768"),
    "bigint": ("9223372036854775807", "-9223372036854775808"),
    "real": ("'NaN'", "'Infinity'", "1e-40", "5"),
    "double precision": ("'NaN'", "'-Infinity'", "1e308", "0.1", "5"),
    "numeric": ("'NaN'", "'Infinity'", "1e4000", "-1e4000", "1e-400", "12345678901234567890.5"),
    "date": ("'infinity'", "'-infinity'", "'20000-01-01'", "'0044-03-15 BC'", "'2020-02-03'"),
    "timestamp": ("'infinity'", "'294000-01-01'", "'2020-02-03 04:05:06'"),
    "timestamptz": ("'2020-02-03 04:05:06+02'", "'-infinity'"),
    "time": ("'24:00'", "'04:05'"),
    "timetz": ("'24:00+15:59'",),
    "interval": ("'170000000 years'", "'1 day'"),
    "bytea": (r"'\x00ff'", r"'\x35'"),
    "json": ("'[1e999]'", "'{}'", "'5'"),
    "jsonb": (r"""'"\ud83d\ude00"'""", "'null'", "'5'"),
    "uuid": ("'123e4567-e89b-12d3-a456-426614174000'",),
    "integer[]": ("'{1,NULL}'", "'{}'"),
    "int4range": ("'empty'", "'[1,)'"),
    "daterange": ("'[0044-03-15 BC,20000-01-01)'",),
    "inet": ("'10.0.0.0/8'",),
    "money": ("'-92233720368547758.08'", "'5'"),
    "bit(3)": ("B'101'",),
    "tsvector": ("'a b'",),
    "point": ("'(1,NaN)'",),
    "oid": ("4294967295",),
    "boolean": ("true", "false"),
    "mood": ("'5'", "'good'"),
    "grade": ("5", "3"),
    "grades": ("5",),
    '"char"': ("'5'",),
    "char(9)": ("'5'", "'good'"),
}


def moods(base: Base) -> None:
    """Make types of one's own."""
    base.run(
        "CREATE TYPE mood AS ENUM ('5', 'good')",
        "CREATE DOMAIN grade AS integer",
        "CREATE DOMAIN grades AS grade CHECK (VALUE < 9)",
    )


NAMES = [
    'a"; DROP TABLE victims; --',
    "'; DELETE FROM victims; --",
    "x) ; DROP TABLE victims",
    "%s",
    "%(x)s",
    "100%",
    ":x",
    "a.b",
    "SELECT",
    "back`tick",
    "[b]",
    "back\\slash",
    "täbel 表",
    "Upper",
    "?",
    "{x}",
    "$1",
    "x" * 60,
    "rowid",
    "c0",
]
