"""The trail: seals of every line, an index of acts by what they are about, guards tied to one schema."""

from __future__ import annotations

import re

from alembic import op

revision = "0005"
down_revision = "0004"

STATEMENTS = (
    """
    CREATE TABLE seals (
      chain TEXT NOT NULL,
      seq INTEGER NOT NULL,
      seal TEXT NOT NULL,
      PRIMARY KEY (chain, seq)
    )""",
)
FIXED = "what is sealed never changes"
RELEASED = "EXISTS (SELECT 1 FROM lines WHERE budget = NEW.budget AND request = NEW.request AND kind = 'release'{0})"
UNRELEASED = "an answer needs the line of its release"
SAME = " AND note = encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex')"
# functions of triggers, with the tables that they read
FUNCTIONS = """
    SELECT DISTINCT p.oid FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace"""
TABLES = "budgets|lines|answers|seals|acts|requests|datasets|people|links|sessions|attempts"


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for statement in STATEMENTS:
        op.execute(statement)
    lite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if lite else _postgresql():
        op.execute(statement)
    if not lite:
        _settle()


def downgrade() -> None:
    """Raise NotImplementedError: what was sealed stays sealed."""
    raise NotImplementedError("Seals are never dropped. Restore a backup instead.")


def _sqlite() -> list[str]:
    def guard(name: str, moment: str, table: str, what: str, why: str) -> str:
        return f"CREATE TRIGGER {name} BEFORE {moment} ON {table} WHEN {what} BEGIN SELECT RAISE(ABORT, '{why}'); END"

    same = "EXISTS (SELECT 1 FROM seals WHERE chain = NEW.chain AND seq = NEW.seq)"
    return [
        guard("answers_released", "INSERT", "answers", f"NOT {RELEASED.format('')}", UNRELEASED),
        guard("seals_replace", "INSERT", "seals", same, FIXED),
        *(guard(f"seals_{verb.lower()}", verb, "seals", "TRUE", FIXED) for verb in ("UPDATE", "DELETE")),
    ]


def _postgresql() -> list[str]:
    return [
        "CREATE FUNCTION released() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN IF NOT {RELEASED.format(SAME)} THEN RAISE EXCEPTION '{UNRELEASED}'; END IF;"
        " RETURN NEW; END $$",
        "CREATE TRIGGER answers_released BEFORE INSERT ON answers FOR EACH ROW EXECUTE FUNCTION released()",
        "CREATE TRIGGER seals_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON seals"
        " FOR EACH STATEMENT EXECUTE FUNCTION fixed()",
    ]


def _settle() -> None:
    """Make every guard read the tables of this schema, whatever the session's search path is.

    Otherwise a temporary table with a guarded table's name would be read instead. The schema of temporary tables is
    searched first unless it is named: so it is named, last.
    """
    bind = op.get_bind()
    schema = bind.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    for oid in bind.exec_driver_sql(FUNCTIONS).scalars().all():
        query = f"SELECT pg_get_functiondef({oid}), {oid}::regprocedure"
        text, name = bind.exec_driver_sql(query).one()
        named = re.sub(rf"\b(FROM|JOIN) ({TABLES})\b", rf"\1 {schema}.\2", text)
        bind.exec_driver_sql(named)
        bind.exec_driver_sql(f"ALTER FUNCTION {name} SET search_path = pg_catalog, {schema}, pg_temp")
