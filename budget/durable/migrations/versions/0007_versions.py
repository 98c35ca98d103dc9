"""Versions of the rows of a dataset, each from a request on, and dated corrections of its description."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

TABLES = (
    """
    CREATE TABLE versions (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      version INTEGER NOT NULL,
      since INTEGER NOT NULL,
      fingerprint TEXT NOT NULL UNIQUE,
      content TEXT NOT NULL,
      layout TEXT NOT NULL,
      why TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, version)
    )""",
    """
    CREATE TABLE errata (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      number INTEGER NOT NULL,
      text TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, number)
    )""",
)
OTHER = "these rows are registered already"
# table, a condition that no new line may meet, and why; {0} is the schema of the tables
FORBIDDEN = (
    (
        "versions",
        "NEW.version <> COALESCE((SELECT MAX(version) + 1 FROM {0}versions WHERE dataset = NEW.dataset), 2)",
        "a version follows the last one",
    ),
    (
        "versions",
        "NEW.since <= COALESCE((SELECT MAX(number) FROM {0}requests), 0)",
        "what was asked stays with the rows it was asked of",
    ),
    (
        "versions",
        "EXISTS (SELECT 1 FROM {0}datasets WHERE fingerprint = NEW.fingerprint)"
        " OR EXISTS (SELECT 1 FROM {0}versions WHERE fingerprint = NEW.fingerprint)",
        OTHER,
    ),
    ("datasets", "EXISTS (SELECT 1 FROM {0}versions WHERE fingerprint = NEW.fingerprint)", OTHER),
    (
        "errata",
        "NEW.number <> COALESCE((SELECT MAX(number) + 1 FROM {0}errata WHERE dataset = NEW.dataset), 1)",
        "a note follows the last one",
    ),
)
GROWING = ("versions", "errata")
FIXED = "what was written of a dataset never changes"


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for statement in TABLES:
        op.execute(statement)
    lite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if lite else _postgresql():
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: answers name the version of their rows."""
    raise NotImplementedError("Versions are never dropped. Restore a backup instead.")


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_new_{at} BEFORE INSERT ON {table} WHEN {what.format('')}"
        f" BEGIN SELECT RAISE(ABORT, '{why}'); END"
        for at, (table, what, why) in enumerate(FORBIDDEN)
    ] + [
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{FIXED}'); END"
        for table in GROWING
        for verb in ("UPDATE", "DELETE")
    ]


def _postgresql() -> list[str]:
    schema = op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    statements = []
    for at, (table, what, why) in enumerate(FORBIDDEN):
        name = f"{table}_new_{at}"
        statements += [
            # a session may shadow a table's name: the tables are named in full
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
            f" SET search_path = pg_catalog, {schema}, pg_temp AS"
            f" $$ BEGIN IF {what.format(f'{schema}.')} THEN RAISE EXCEPTION '{why}'; END IF; RETURN NEW; END $$",
            f"CREATE TRIGGER {name} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
        ]
    return statements + [
        f"CREATE TRIGGER {table}_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION fixed()"
        for table in GROWING
    ]
