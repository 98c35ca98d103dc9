"""Extended declarations of registered data, each from a request on; an extension may need two officers."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

TABLES = (
    """
    CREATE TABLE declarations (
      dataset TEXT NOT NULL REFERENCES datasets (id),
      version INTEGER NOT NULL,
      since INTEGER NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (dataset, version)
    )""",
    # proposals are not permanent: the table is rebuilt with one more kind
    """
    CREATE TABLE proposed (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('policy', 'roles', 'declaration')),
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      by TEXT NOT NULL REFERENCES people (id),
      until DOUBLE PRECISION NOT NULL,
      UNIQUE (kind, about)
    )""",
    "INSERT INTO proposed SELECT id, kind, about, body, by, until FROM proposals",
    "DROP TABLE proposals",
    "ALTER TABLE proposed RENAME TO proposals",
)
# a condition that no new line may meet, and why; {0} is the schema of the tables
FORBIDDEN = (
    (
        "NEW.version <> COALESCE((SELECT MAX(version) + 1 FROM {0}declarations WHERE dataset = NEW.dataset), 1)",
        "a declaration follows the last one",
    ),
    (
        "NEW.since <= COALESCE((SELECT MAX(number) FROM {0}requests), 0)",
        "what was asked stays under the declaration it was asked under",
    ),
)
FIXED = "a declaration that was asked under never changes"


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for statement in TABLES:
        op.execute(statement)
    lite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if lite else _postgresql():
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: earlier requests refer to their declaration."""
    raise NotImplementedError("Declarations are never dropped. Restore a backup instead.")


def _sqlite() -> list[str]:
    checks = "\n".join(f"SELECT RAISE(ABORT, '{why}') WHERE {what.format('')};" for what, why in FORBIDDEN)
    return [f"CREATE TRIGGER declarations_follow BEFORE INSERT ON declarations BEGIN {checks} END"] + [
        f"CREATE TRIGGER declarations_{verb.lower()} BEFORE {verb} ON declarations"
        f" BEGIN SELECT RAISE(ABORT, '{FIXED}'); END"
        for verb in ("UPDATE", "DELETE")
    ]


def _postgresql() -> list[str]:
    schema = op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    checks = "\n".join(
        f"IF {what.format(f'{schema}.')} THEN RAISE EXCEPTION '{why}'; END IF;" for what, why in FORBIDDEN
    )
    return [
        # a session may shadow a table's name: the tables are named in full
        f"CREATE FUNCTION declared() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, {schema}, pg_temp"
        f" AS $$ BEGIN {checks} RETURN NEW; END $$",
        "CREATE TRIGGER declarations_follow BEFORE INSERT ON declarations FOR EACH ROW EXECUTE FUNCTION declared()",
        "CREATE TRIGGER declarations_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON declarations"
        " FOR EACH STATEMENT EXECUTE FUNCTION fixed()",
    ]
