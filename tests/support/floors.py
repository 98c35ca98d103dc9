"""The floors of the house, from the lowest to the highest."""

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
