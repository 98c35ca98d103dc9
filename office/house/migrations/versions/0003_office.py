"""The office: people, sessions, datasets, frozen requests, and the trail of acts.

The first revision of its own. Until 0019 ledger and office were one history, so that both go on with its numbers; a
number that is in neither (0008, 0012) was never landed.
"""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0003"
down_revision = None

TABLES = (
    """
    CREATE TABLE people (
      id TEXT PRIMARY KEY,
      login TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      roles TEXT NOT NULL,
      password TEXT,
      active BOOLEAN NOT NULL,
      since TEXT NOT NULL
    )""",
    """
    CREATE TABLE links (
      id TEXT PRIMARY KEY,
      purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'password', 'enter')),
      about TEXT NOT NULL,
      until DOUBLE PRECISION NOT NULL,
      used BOOLEAN NOT NULL
    )""",
    """
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
      seen DOUBLE PRECISION NOT NULL
    )""",
    """
    CREATE TABLE attempts (
      id {serial},
      who TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL
    )""",
    "CREATE INDEX attempts_of ON attempts (who, at)",
    """
    CREATE TABLE datasets (
      id TEXT PRIMARY KEY REFERENCES budgets (id),
      name TEXT NOT NULL UNIQUE,
      body TEXT NOT NULL,
      fingerprint TEXT NOT NULL UNIQUE,
      content TEXT NOT NULL,
      layout TEXT NOT NULL,
      policy TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'deleted')),
      published BOOLEAN NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL
    )""",
    """
    CREATE TABLE requests (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      dataset TEXT NOT NULL REFERENCES datasets (id),
      analyst TEXT NOT NULL REFERENCES people (id),
      identity TEXT NOT NULL,
      round INTEGER NOT NULL CHECK (round >= 0),
      question TEXT NOT NULL,
      purpose TEXT NOT NULL,
      cost_epsilon BIGINT NOT NULL CHECK (cost_epsilon >= 0),
      cost_delta BIGINT NOT NULL CHECK (cost_delta >= 0),
      state TEXT NOT NULL CHECK (state IN ('waiting', 'allowed', 'approved', 'denied', 'changes',
        'withdrawn', 'expired', 'refused')),
      why TEXT NOT NULL,
      asked TEXT NOT NULL,
      until DOUBLE PRECISION NOT NULL,
      decided_by TEXT REFERENCES people (id),
      decided TEXT,
      reason TEXT NOT NULL,
      checklist TEXT NOT NULL,
      CHECK (decided_by IS NULL OR decided_by <> analyst),
      CHECK (state NOT IN ('approved', 'denied', 'changes') OR decided_by IS NOT NULL)
    )""",
    "CREATE INDEX requests_of ON requests (dataset, state)",
    """
    CREATE TABLE acts (
      seq INTEGER PRIMARY KEY,
      time TEXT NOT NULL,
      who TEXT NOT NULL,
      what TEXT NOT NULL,
      about TEXT NOT NULL,
      told TEXT NOT NULL,
      previous TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE
    )""",
)
FROZEN = {
    "requests": (
        "id",
        "number",
        "dataset",
        "analyst",
        "identity",
        "round",
        "question",
        "purpose",
        "cost_epsilon",
        "cost_delta",
        "why",
        "asked",
        "until",
    ),
    "datasets": ("id", "name", "body", "fingerprint", "layout", "by", "at"),
    "people": ("id", "login", "since"),
}
# table, moment, forbidden condition, and why
FORBIDDEN = (
    *(
        (
            table,
            "UPDATE",
            " OR ".join(f'NEW."{name}" <> OLD."{name}"' for name in names),
            "what was asked or registered never changes",
        )
        for table, names in FROZEN.items()
    ),
    ("requests", "UPDATE", "OLD.state <> 'waiting'", "a decision is final"),
    ("requests", "UPDATE", "NEW.state IN ('allowed', 'refused')", "a decision has a decider"),
    ("requests", "INSERT", "NEW.state NOT IN ('waiting', 'allowed', 'refused')", "a request begins undecided"),
    ("datasets", "UPDATE", "OLD.state = 'deleted' AND NEW.state <> 'deleted'", "what is deleted stays deleted"),
    ("acts", "INSERT", "NEW.seq <> COALESCE((SELECT MAX(seq) + 1 FROM acts), 0)", "an act follows the last one"),
    ("acts", "UPDATE", "TRUE", "the trail never changes"),
    *((table, "DELETE", "TRUE", "this is kept for good") for table in ("requests", "datasets", "acts", "people")),
)

# what SQLite's REPLACE would delete silently: it fires no trigger of a deletion
REPLACED = tuple(
    (table, "INSERT", f"EXISTS (SELECT 1 FROM {table} WHERE {same})", "what is written is unique and never replaced")
    for table, same in (
        ("requests", "id = NEW.id OR number = NEW.number"),
        ("datasets", "id = NEW.id OR name = NEW.name OR fingerprint = NEW.fingerprint"),
        ("people", "id = NEW.id OR login = NEW.login"),
        ("acts", "seq = NEW.seq OR hash = NEW.hash"),
    )
)


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    serial = "INTEGER PRIMARY KEY" if guards.lite() else "BIGSERIAL PRIMARY KEY"
    for table in TABLES:
        op.execute(table.replace("{serial}", serial))
    for at, (table, verb, what, why) in enumerate((*FORBIDDEN, *(REPLACED if guards.lite() else ()))):
        name = f"{table}_{verb.lower()}_{at}"
        if verb == "DELETE":
            guards.never_emptied(f"{name}_all", table)
        guards.forbidden(name, table, verb, (what, why))


def downgrade() -> None:
    """Raise NotImplementedError: decisions are permanent."""
    raise NotImplementedError("The office is never dropped. Restore a backup instead.")
