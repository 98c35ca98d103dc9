"""Earnings: a second generated census, one in which there is something to find.

Schooling leads to occupations and earnings, earnings rise with age and fall again, women earn less in the
same occupation, regions differ, hours and earnings go together, wealth has a heavy tail, and one district
has a cluster of an illness. All of it is planted below, so that a class can look for it and be told.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa
from scipy import special

from discreet.lab.simulation import SimulationNoise
from discreet.queries.bounds import FloatArray, IntArray
from discreet.rows.columns import Category, Number, Person
from discreet.rows.open_data import OpenData
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

PEOPLE = 20_000
SEED = 2718
REGIONS = {"North": 0.9, "East": 0.85, "South": 1.0, "West": 1.15}  # what an hour is paid, beside the others
JOBS = {"Care": 17.0, "Trade": 18.0, "Crafts": 20.0, "Office": 23.0, "Technical": 28.0, "Management": 36.0}
SCHOOLED = (9, 10, 11, 13, 15, 17)  # years that usually lead to each job
GAP = 0.88  # what women are paid in the same job
CLUSTER, USUAL_RISK, MUCH_RISK = "D07", 0.06, 0.24
DISTRICTS = tuple(f"D{place:02d}" for place in range(1, 13))
MOST_WEALTH = 5_000_000


@lru_cache(maxsize=1)
def earnings_table() -> pa.Table:
    """Return the table: the same people every time."""
    u = SimulationNoise(SEED).uniforms(11, PEOPLE)
    age = np.clip(18 + special.gammaincinv(2.4, u[0]) * 10.0, 18, 90).astype(np.int64)
    woman = u[1] < 0.5
    school = np.clip(np.round(12 + 2.7 * special.ndtri(u[2])), 6, 20).astype(np.int64)
    job = _jobs(school, woman, u[3])
    region, district = (u[4] * len(REGIONS)).astype(int), (u[5] * len(DISTRICTS)).astype(int)
    hours = np.clip(np.round(_hours(woman, age) + 6 * special.ndtri(u[6])), 0, 80).astype(np.int64)
    income = _income(age, woman, school, job, region, hours, u[7])
    wealth = np.minimum(2000 * (age - 17) * (1 - u[8]) ** -0.7, MOST_WEALTH).astype(np.int64)
    ill = u[9] < np.where(district == DISTRICTS.index(CLUSTER), MUCH_RISK, USUAL_RISK) * (0.5 + age / 80)
    words = {
        "sex": np.where(woman, "Female", "Male"),
        "job": np.array(list(JOBS))[job],
        "region": np.array(list(REGIONS))[region],
        "district": np.array(DISTRICTS)[district],
        "illness": np.where(ill, "yes", "no"),
    }
    table = {"age": age, "school_years": school, "hours": hours, "income": income, "wealth": wealth}
    table |= {"person": [f"E{n:05d}" for n in range(1, PEOPLE + 1)]} | {name: words[name].tolist() for name in words}
    return pa.table({name: table[name] for name in earnings_schema().columns})


def _jobs(school: IntArray, woman: np.ndarray[tuple[int], np.dtype[np.bool_]], u: FloatArray) -> IntArray:
    """Draw jobs: each attracts those with its years of school; care attracts women, crafts men."""
    pull = -0.35 * np.abs(school[:, None] - np.array(SCHOOLED))
    pull[:, 0] += np.where(woman, 1.2, -0.8)
    pull[:, 2] += np.where(woman, -1.2, 0.8)
    ends = np.cumsum(np.exp(pull), axis=1)
    return np.asarray((u[:, None] * ends[:, -1:] > ends).sum(axis=1), dtype=np.int64)


def _hours(woman: np.ndarray[tuple[int], np.dtype[np.bool_]], age: IntArray) -> FloatArray:
    """Return the usual hours of a week: fewer for women in their thirties, few after 65."""
    caring = woman & (age >= 28) & (age <= 44)
    return np.where(age > 65, 6.0, np.where(caring, 28.0, np.where(woman, 36.0, 40.0)))


def _income(
    age: IntArray,
    woman: np.ndarray[tuple[int], np.dtype[np.bool_]],
    school: IntArray,
    job: IntArray,
    region: IntArray,
    hours: IntArray,
    u: FloatArray,
) -> IntArray:
    """Return the income of a year: hours times what an hour is paid, with luck that multiplies."""
    hourly = np.array(list(JOBS.values()))[job] * np.array(list(REGIONS.values()))[region]
    hourly = hourly * np.where(woman, GAP, 1.0) * (1 + 0.03 * (school - 12)) * (1 - 0.0004 * (age - 50) ** 2).clip(0.4)
    luck = np.exp(0.35 * special.ndtri(u))
    return np.asarray(np.minimum(48 * hours * hourly * luck, 500_000), dtype=np.int64)


def earnings_schema() -> Schema:
    """Return the declaration, from what such a form asks."""
    return Schema(
        {
            "person": Person(rows=1),
            "age": Number(0, 100, integer=True, origin="human life", unit="years"),
            "sex": Category(("Male", "Female")),
            "school_years": Number(0, 20, integer=True, origin="school systems", unit="years"),
            "job": Category(tuple(JOBS)),
            "region": Category(tuple(REGIONS)),
            "district": Category(DISTRICTS),
            "hours": Number(0, 80, integer=True, origin="hours of a week", unit="hours"),
            "income": Number(0, 500_000, integer=True, origin="the form's largest entry", unit="euros"),
            "wealth": Number(0, MOST_WEALTH, integer=True, origin="the form's largest entry", unit="euros"),
            "illness": Category(("yes", "no")),
        }
    )


@lru_cache(maxsize=1)
def earnings() -> OpenData:
    """Return the open dataset."""
    return OpenData(LocalSource(earnings_table()), earnings_schema())
