"""Samples: generated tables of simulated people, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pyarrow as pa
from scipy import special

from discreet.budget.errors import Phrase
from discreet.lab.simulation import SimulationNoise
from discreet.queries.bounds import FloatArray, IntArray
from discreet.rows.columns import Category, Number, Person
from discreet.rows.dataset import OpenData
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

# --- Earnings: a second generated census, with effects to find ---

EARNINGS_PEOPLE = 20_000
EARNINGS_SEED = 2718
REGIONS = {"North": 0.9, "East": 0.85, "South": 1.0, "West": 1.15}  # factors on hourly pay
JOBS = {"Care": 17.0, "Trade": 18.0, "Crafts": 20.0, "Office": 23.0, "Technical": 28.0, "Management": 36.0}
SCHOOLED = (9, 10, 11, 13, 15, 17)  # years of school that usually lead to each job
GAP = 0.88  # women's pay relative to men's in the same job
CLUSTER = "D07"
USUAL_RISK = 0.06
MUCH_RISK = 0.24
DISTRICTS = tuple(f"D{place:02d}" for place in range(1, 13))
MOST_WEALTH = 5_000_000


@lru_cache(maxsize=1)
def earnings_table() -> pa.Table:
    """Return the table, deterministic."""
    u = SimulationNoise(EARNINGS_SEED).uniforms(11, EARNINGS_PEOPLE)
    age = np.clip(18 + special.gammaincinv(2.4, u[0]) * 10.0, 18, 90).astype(np.int64)
    woman = u[1] < 0.5
    school = np.clip(np.round(12 + 2.7 * special.ndtri(u[2])), 6, 20).astype(np.int64)
    job = _jobs(school, woman, u[3])
    region = (u[4] * len(REGIONS)).astype(int)
    district = (u[5] * len(DISTRICTS)).astype(int)
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
    table |= {"person": [f"E{n:05d}" for n in range(1, EARNINGS_PEOPLE + 1)]} | {
        name: words[name].tolist() for name in words
    }
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
    """Return yearly income: hours times hourly pay, times random luck."""
    hourly = np.array(list(JOBS.values()))[job] * np.array(list(REGIONS.values()))[region]
    hourly = hourly * np.where(woman, GAP, 1.0) * (1 + 0.03 * (school - 12)) * (1 - 0.0004 * (age - 50) ** 2).clip(0.4)
    luck = np.exp(0.35 * special.ndtri(u))
    return np.asarray(np.minimum(48 * hours * hourly * luck, 500_000), dtype=np.int64)


def earnings_schema() -> Schema:
    """Return the declaration, from public knowledge of what such a form asks."""
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


CENSUS_PEOPLE = 32_561
CENSUS_SEED = 1994
OCCUPATIONS = {
    "Crafts": 0.128,
    "Professional": 0.127,
    "Management": 0.126,
    "Clerical": 0.118,
    "Sales": 0.114,
    "Service": 0.106,
    "Machines": 0.066,
    "Transport": 0.052,
    "Cleaning": 0.046,
    "Farming": 0.034,
    "Technical": 0.031,
    "Protection": 0.022,
    "Household": 0.018,
    "Forces": 0.012,
}
MARITAL = {"Married": 0.46, "Never married": 0.33, "Divorced": 0.14, "Widowed": 0.04, "Separated": 0.03}


def _among(shares: dict[str, float], uniform: FloatArray) -> list[str]:
    ends = np.cumsum(list(shares.values()))
    index = np.searchsorted(ends / ends[-1], uniform)
    names = np.array(list(shares), dtype=object)
    return list(names[np.minimum(index, len(names) - 1)])


@lru_cache(maxsize=1)
def census_table() -> pa.Table:
    """Return the table, deterministic."""
    u = SimulationNoise(CENSUS_SEED).uniforms(9, CENSUS_PEOPLE)
    age = np.clip(17 + special.gammaincinv(2.2, u[0]) * 10.7, 17, 90).astype(np.int64)
    years = np.clip(np.round(10.1 + 2.6 * special.ndtri(u[1])), 1, 16).astype(np.int64)
    usual = u[2] < 0.47
    hours = np.where(usual, 40, np.clip(np.round(40 + 14 * special.ndtri(u[3])), 1, 99))
    gain = np.where(u[4] < 0.917, 0, np.minimum(2_500 * (1 - u[5]) ** -0.75, 99_999))
    rich = _rich(age, years, hours, gain) > u[6]
    return pa.table(
        {
            "person": [f"P{i:05d}" for i in range(1, CENSUS_PEOPLE + 1)],
            "age": age,
            "sex": _among({"Male": 0.669, "Female": 0.331}, u[7]),
            "education_years": years,
            "occupation": _among(OCCUPATIONS, u[8]),
            "marital_status": _among(MARITAL, (u[7] * 7919 + u[0]) % 1.0),
            "hours": hours.astype(np.int64),
            "capital_gain": gain.astype(np.int64),
            "income": np.where(rich, "over 50K", "up to 50K").tolist(),
        }
    )


def _rich(age: IntArray, years: IntArray, hours: FloatArray, gain: FloatArray) -> FloatArray:
    """Return the probability of a high income."""
    wealth = 0.06 * (age - 38) - 0.0011 * (age - 45) ** 2 + 0.42 * (years - 10)
    return np.asarray(special.expit(-1.6 + wealth + 0.03 * (hours - 40) + 0.0002 * gain))


def census_schema() -> Schema:
    """Return the declaration, from public knowledge of what a census asks."""
    return Schema(
        {
            "person": Person(rows=1),
            "age": Number(0, 100, integer=True, origin="human life", unit="years"),
            "sex": Category(("Male", "Female")),
            "education_years": Number(0, 20, integer=True, origin="school systems", unit="years"),
            "occupation": Category(tuple(OCCUPATIONS)),
            "marital_status": Category(tuple(MARITAL)),
            "hours": Number(0, 100, integer=True, origin="hours of a week", unit="hours"),
            "capital_gain": Number(0, 100_000, integer=True, origin="the form's largest entry", unit="dollars"),
            "income": Category(("up to 50K", "over 50K")),
        }
    )


@lru_cache(maxsize=1)
def census() -> OpenData:
    """Return the open dataset that the app starts with."""
    return OpenData(LocalSource(census_table()), census_schema())


PATIENTS = 400
CLINIC_SEED = 1847
CLINICS = ("Harbour", "Hill", "Market", "Station")


def visits_table() -> pa.Table:
    """Return visits to four clinics; a patient has one row for each of up to nine visits."""
    u = SimulationNoise(CLINIC_SEED).uniforms(3, PATIENTS)
    times = np.minimum(1 + np.floor(-2.1 * np.log(u[0])), 9).astype(np.int64)
    patient = np.repeat(np.arange(PATIENTS), times)
    v = SimulationNoise(CLINIC_SEED + 1).uniforms(3, patient.size)
    usual = 18 + 30 * u[1][patient]
    stay = np.clip(np.round(usual - 14 * np.log(v[0])), 5, 240).astype(np.int64)
    cost = np.clip(np.round(40 + 2.2 * stay + 60 * v[1] ** 4 * stay), 0, 5_000).astype(np.int64)
    return pa.table(
        {
            "patient": [f"K{i:03d}" for i in patient],
            "clinic": [CLINICS[i] for i in np.minimum((v[2] * 4).astype(int), 3)],
            "minutes": stay,
            "cost": cost,
        }
    )


@lru_cache(maxsize=1)
def visits() -> OpenData:
    """Return an open dataset in which one person has several rows."""
    schema = Schema(
        {
            "patient": Person(rows=3),
            "clinic": Category(CLINICS),
            "minutes": Number(0, 240, integer=True, origin="opening hours", unit="minutes"),
            "cost": Number(0, 5_000, integer=True, origin="the tariff's largest entry", unit="euros"),
        }
    )
    return OpenData(LocalSource(visits_table()), schema)


VOTES = {"Zoo": 9, "Museum": 7, "Lake": 6, "Castle": 3}


@lru_cache(maxsize=1)
def election() -> OpenData:
    """Return an open dataset of one class: 25 votes for an outing."""
    votes = [place for place, count in VOTES.items() for _ in range(count)]
    table = pa.table({"pupil": [f"S{i:02d}" for i in range(len(votes))], "outing": votes})
    schema = Schema({"pupil": Person(rows=1), "outing": Category(tuple(VOTES))})
    return OpenData(LocalSource(table), schema)


SAMPLES: dict[str, Callable[[], OpenData]] = {
    Phrase("Census: 32,561 simulated people"): census,
    Phrase("Earnings: 20,000 simulated people with strong patterns"): earnings,
    Phrase("Clinics: 400 patients with several visits"): visits,
    Phrase("Class election: 25 votes for an outing"): election,
}
