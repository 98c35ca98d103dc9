"""Datasets that were never queried can be withdrawn: their description is kept, and the rest is deleted."""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"

TABLE = """
    CREATE TABLE withdrawn (
      id TEXT PRIMARY KEY REFERENCES budgets (id),
      name TEXT NOT NULL,
      body TEXT NOT NULL,
      policy TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      places TEXT NOT NULL,
      why TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL
    )"""
ASKED = "EXISTS (SELECT 1 FROM {0}requests WHERE dataset = {1}) OR EXISTS (SELECT 1 FROM {0}lines WHERE budget = {1})"
GONE = "NOT EXISTS (SELECT 1 FROM {0}withdrawn WHERE id = {1})"
GROWN = ("declarations", "versions", "errata")
KEPT = "this is kept for good"
FIXED = "what was written of a dataset never changes"
USED = "something was asked of these data"
# table, moment, forbidden condition, and why; {0} is the schema of the tables
FORBIDDEN = (
    ("datasets", "DELETE", f"{GONE.format('{0}', 'OLD.id')} OR {ASKED.format('{0}', 'OLD.id')}", KEPT),
    *((table, "DELETE", GONE.format("{0}", "OLD.dataset"), FIXED) for table in GROWN),
    ("withdrawn", "INSERT", ASKED.format("{0}", "NEW.id"), USED),
    ("withdrawn", "INSERT", "EXISTS (SELECT 1 FROM {0}withdrawn WHERE id = NEW.id)", KEPT),
    ("withdrawn", "UPDATE", "TRUE", KEPT),
    ("withdrawn", "DELETE", "TRUE", KEPT),
)


def upgrade() -> None:
    """Create the table, and replace the guards of what belongs to a dataset."""
    op.execute(TABLE)
    lite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if lite else _postgresql():
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: a withdrawn dataset would remain on the trail only."""
    raise NotImplementedError("Withdrawals are never dropped. Restore a backup instead.")


def _sqlite() -> list[str]:
    return ["DROP TRIGGER IF EXISTS datasets_delete_10", *(f"DROP TRIGGER {table}_delete" for table in GROWN)] + [
        f"CREATE TRIGGER {table}_kept_{at} BEFORE {verb} ON {table} WHEN {what.format('')}"
        f" BEGIN SELECT RAISE(ABORT, '{why}'); END"
        for at, (table, verb, what, why) in enumerate(FORBIDDEN)
    ]


def _postgresql() -> list[str]:
    schema = op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    statements = ["DROP TRIGGER datasets_delete_10 ON datasets"]
    for table in GROWN:
        statements += [
            f"DROP TRIGGER {table}_fixed ON {table}",
            f"CREATE TRIGGER {table}_fixed BEFORE UPDATE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION fixed()",
        ]
    statements.append(
        "CREATE TRIGGER withdrawn_all BEFORE TRUNCATE ON withdrawn FOR EACH STATEMENT EXECUTE FUNCTION fixed()"
    )
    for at, (table, verb, what, why) in enumerate(FORBIDDEN):
        name = f"{table}_kept_{at}"
        back = "OLD" if verb == "DELETE" else "NEW"
        statements += [
            # a session may shadow a table's name: the tables are named in full
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
            f" SET search_path = pg_catalog, {schema}, pg_temp AS"
            f" $$ BEGIN IF {what.format(f'{schema}.')} THEN RAISE EXCEPTION '{why}'; END IF; RETURN {back}; END $$",
            f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
        ]
    return statements
