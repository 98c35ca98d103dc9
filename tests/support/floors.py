"""Floors: the layers of the code, from the lowest to the highest."""

FLOORS = (
    "budget",
    "queries",
    "noise",
    "mechanisms",
    "rows",
    "curator",
    "lab",
    "plans",
    "report",
    "evidence",
    "office",
    "ui",
    "course",
    "pages",
)
