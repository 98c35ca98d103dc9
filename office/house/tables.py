"""Tables of the office: people, sessions, datasets, requests, acts, and who wants which notices."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary, MetaData, Table, Text

from discreet.budget.durable.store import SHARED, History

HISTORY = History(Path(__file__).parent / "migrations" / "versions", SHARED)

# Relations: the tables of the office: people, sessions, datasets with what follows them, requests, the trail.

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("login", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("password", Text),
    Column("active", Boolean, nullable=False),
    Column("since", Text, nullable=False),
    Column("factor", Text),
)

factor_steps = Table(
    "factor_steps", metadata, Column("person", Text, primary_key=True), Column("step", BigInteger, nullable=False)
)

links = Table(
    "links",
    metadata,
    Column("id", Text, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("used", Boolean, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("seen", Float, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", Text, nullable=False),
    Column("at", Float, nullable=False),
)

datasets = Table(
    "datasets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("body", Text, nullable=False),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    Column("layout", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

withdrawn = Table(
    "withdrawn",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("places", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

declarations = Table(
    "declarations",
    metadata,
    Column("dataset", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("since", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("dataset", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("since", Integer, nullable=False),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    Column("layout", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("wave", Integer),  # of rows from earlier releases of the program, in which each wave had its own budget
)

errata = Table(
    "errata",
    metadata,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

requests = Table(
    "requests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("dataset", Text, nullable=False),
    Column("analyst", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("question", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("cost_epsilon", BigInteger, nullable=False),
    Column("cost_delta", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("decided_by", Text),
    Column("decided", Text),
    Column("reason", Text, nullable=False),
    Column("checklist", Text, nullable=False),
)

acts = Table(
    "acts",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("told", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

motions = Table(
    "motions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("stead", Text, nullable=False),
    Column("until", Float),  # an approval waits as long as its request
)

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("until", Float, nullable=False),
)

refusals = Table(
    "refusals",
    metadata,
    Column("who", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("times", Integer, nullable=False),
)

looks = Table(
    "looks",
    metadata,
    Column("person", Text, primary_key=True),
    Column("request", Text, nullable=False),
    Column("at", Float, nullable=False),
)

remarks = Table(
    "remarks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False, unique=True),
    Column("request", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("body", Text, nullable=False),
)

revisions = Table(
    "revisions", metadata, Column("request", Text, primary_key=True), Column("earlier", Text, nullable=False)
)

readings = Table("readings", metadata, Column("person", Text, primary_key=True), Column("seq", Integer, nullable=False))

couriers = Table(
    "couriers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("after", Float, nullable=False),
)

credentials = Table(
    "credentials",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("used", Float),
)

letterhead = Table("letterhead", metadata, Column("name", Text, primary_key=True), Column("body", Text, nullable=False))

connections = Table(
    "connections",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    Column("officers", Text, nullable=False),
    Column("state", Text, nullable=False),
)

drafts = Table(
    "drafts",
    metadata,
    Column("person", Text, primary_key=True),
    Column("form", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("title", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("at", Float, nullable=False),
)


# Notice tables: substitutes and their periods, mail preferences and languages.


substitutes = Table(
    "substitutes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("officer", Text, nullable=False),
    Column("substitute", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("until", Float, nullable=False),
    Column("mark", Text, nullable=False),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("person", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("wants", Text, nullable=False),
    Column("daily", Boolean, nullable=False),
    Column("code", Text, nullable=False),
    Column("code_until", Float, nullable=False),
    Column("guesses", Integer, nullable=False),
    Column("codes", Integer, nullable=False),
    Column("day", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("after", Float, nullable=False),
)

tongues = Table("tongues", metadata, Column("person", Text, primary_key=True), Column("language", Text, nullable=False))
