"""Guards: triggers that refuse to change a table, in the words of the database at hand; migrations create them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from alembic import op

# functions of triggers on these tables
FUNCTIONS = """
    SELECT DISTINCT p.oid FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname IN ({})"""


def lite() -> bool:
    """Say whether this is SQLite; otherwise it is PostgreSQL."""
    return str(op.get_bind().dialect.name) == "sqlite"


def schema() -> str:
    """Return the schema of the tables on PostgreSQL, quoted."""
    return str(op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one())


def fixed(table: str, why: str) -> None:
    """Refuse to change the lines of a table, or to empty it; on PostgreSQL `fixed()` of the first migration says so."""
    if lite():
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{why}'); END"
            )
    else:
        _statement(f"{table}_fixed", table, "UPDATE OR DELETE OR TRUNCATE")


def deletable(table: str) -> None:
    """Let lines of a fixed table go where another guard lets them; changes stay refused."""
    if lite():
        dropped(f"{table}_delete", table)
    else:
        dropped(f"{table}_fixed", table)
        _statement(f"{table}_fixed", table, "UPDATE OR TRUNCATE")


def never_emptied(name: str, table: str) -> None:
    """Refuse to empty a table on PostgreSQL; on SQLite a deletion of all lines is one of each."""
    if not lite():
        _statement(name, table, "TRUNCATE")


def _statement(name: str, table: str, moment: str) -> None:
    op.execute(f"CREATE TRIGGER {name} BEFORE {moment} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION fixed()")


def forbidden(name: str, table: str, verb: str, *rules: tuple[str, str], function: str = "") -> None:
    """Refuse to write a line of which something is true that must not be; each rule says what, and why.

    {0} in a rule is where the tables lie: on PostgreSQL a session may call another table its own, so that
    the tables are named in full, and the schema of temporary tables is searched last.
    """
    if lite():
        ((what, why), *others) = rules
        if others:
            checks = "\n".join(f"SELECT RAISE(ABORT, '{why}') WHERE {what.format('')};" for what, why in rules)
            body = f"BEGIN {checks} END"
        else:
            body = f"WHEN {what.format('')} BEGIN SELECT RAISE(ABORT, '{why}'); END"
        op.execute(f"CREATE TRIGGER {name} BEFORE {verb} ON {table} {body}")
        return
    function = function or name
    checks = "\n".join(f"IF {what.format(f'{schema()}.')} THEN RAISE EXCEPTION '{why}'; END IF;" for what, why in rules)
    op.execute(
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql"
        f" SET search_path = pg_catalog, {schema()}, pg_temp"
        f" AS $$ BEGIN {checks} RETURN {'OLD' if verb == 'DELETE' else 'NEW'}; END $$"
    )
    op.execute(f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()")


def dropped(name: str, table: str) -> None:
    """Let a guard go, for another one in its place."""
    op.execute(f"DROP TRIGGER IF EXISTS {name}" if lite() else f"DROP TRIGGER {name} ON {table}")


def settled(tables: Sequence[str]) -> None:
    """Let the guards of these tables look at the tables of this schema, as those do that `forbidden` makes today."""
    bind = op.get_bind()
    if lite():
        return
    place = schema()
    names = ", ".join(f"'{table}'" for table in tables)
    for oid in bind.exec_driver_sql(FUNCTIONS.format(names)).scalars().all():
        query = f"SELECT pg_get_functiondef({oid}), {oid}::regprocedure"
        text, name = bind.exec_driver_sql(query).one()
        named = re.sub(rf"\b(FROM|JOIN) ({'|'.join(tables)})\b", rf"\1 {place}.\2", text)
        bind.exec_driver_sql(named)
        bind.exec_driver_sql(f"ALTER FUNCTION {name} SET search_path = pg_catalog, {place}, pg_temp")
