"""Waves with their own budgets: a ledger's limit is per wave, and a version records the wave of its rows."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"

BEFORE = "SELECT {0} FROM {{0}}lines WHERE budget = NEW.budget AND seq = NEW.seq - 1"
BUDGET = "SELECT {0} FROM {{0}}budgets WHERE id = NEW.budget"
OWN = "SELECT {0} FROM {{0}}lines WHERE budget = NEW.budget AND request = NEW.request AND kind IN ('reserve', 'charge')"
COUNTING = "('reserve', 'charge', 'settle', 'expire')"
WAVE = f"SELECT SUM({{0}}) FROM {{{{0}}}}lines WHERE budget = NEW.budget AND note = NEW.note AND kind IN {COUNTING}"
APART = f"({BUDGET.format('SUBSTR(rule, LENGTH(rule) - 5)')}) = ' apart'"


def _beyond(part: str, total: str, capacity: str) -> str:
    """Return SQL for: a sum exceeds the budget, either of all lines or of the line's wave."""
    wave = f"COALESCE(({WAVE.format(part)}), 0) + NEW.{part}"
    return f"(CASE WHEN {APART} THEN {wave} ELSE NEW.{total} END) > ({BUDGET.format(capacity)})"


# a condition that no new line may meet, and why; {0} is the schema of the tables
FORBIDDEN = (
    (
        "NEW.seq <> COALESCE((SELECT MAX(seq) + 1 FROM {0}lines WHERE budget = NEW.budget), 0)",
        "a line must follow the last one",
    ),
    (
        f"NEW.previous <> COALESCE(({BEFORE.format('hash')}), ({BUDGET.format('hash')}))",
        "a line must carry the hash of the line before",
    ),
    (
        f"NEW.total_loss <> COALESCE(({BEFORE.format('total_loss')}), 0) + NEW.loss"
        f" OR NEW.total_delta <> COALESCE(({BEFORE.format('total_delta')}), 0) + NEW.loss_delta",
        "a total must be the total before and this line",
    ),
    (
        f"NEW.kind IN ('charge', 'settle', 'expire') AND {APART} AND EXISTS ({OWN.format('1')} AND note <> NEW.note)",
        "a request counts in one wave",
    ),
    (
        f"{_beyond('loss', 'total_loss', 'capacity_loss')} OR {_beyond('loss_delta', 'total_delta', 'capacity_delta')}",
        "the budget would be overspent",
    ),
    (
        f"(NEW.loss < 0 AND -NEW.loss > COALESCE(({OWN.format('SUM(loss)')}), 0))"
        f" OR (NEW.loss_delta < 0 AND -NEW.loss_delta > COALESCE(({OWN.format('SUM(loss_delta)')}), 0))",
        "more would come back than was counted",
    ),
    (
        "NEW.kind = 'expire' AND EXISTS (SELECT 1 FROM {0}lines WHERE budget = NEW.budget"
        " AND request = NEW.request AND kind = 'charge')",
        "a charge never comes back",
    ),
)
NEWEST = "COALESCE((SELECT MAX(wave) FROM {0}versions WHERE dataset = NEW.dataset), 1)"
SKIPPED = f"NEW.wave IS NOT NULL AND NEW.wave NOT IN ({NEWEST}, {NEWEST} + 1)"
ORDER = "a wave is the newest one or follows it"


def upgrade() -> None:
    """Add the wave of a version, and replace the guards of the ledger."""
    op.execute("ALTER TABLE versions ADD COLUMN wave INTEGER")
    lite = op.get_bind().dialect.name == "sqlite"
    for statement in _sqlite() if lite else _postgresql():
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: a ledger of waves would count as overspent."""
    raise NotImplementedError("Waves are never dropped. Restore a backup instead.")


def _sqlite() -> list[str]:
    checks = "\n".join(f"SELECT RAISE(ABORT, '{why}') WHERE {what.format('')};" for what, why in FORBIDDEN)
    return [
        "DROP TRIGGER lines_follow",
        f"CREATE TRIGGER lines_follow BEFORE INSERT ON lines BEGIN {checks} END",
        f"CREATE TRIGGER versions_wave BEFORE INSERT ON versions WHEN {SKIPPED.format('')}"
        f" BEGIN SELECT RAISE(ABORT, '{ORDER}'); END",
    ]


def _postgresql() -> list[str]:
    schema = op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    place = f"{schema}."
    head = f"RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, {schema}, pg_temp AS"
    checks = "\n".join(f"IF {what.format(place)} THEN RAISE EXCEPTION '{why}'; END IF;" for what, why in FORBIDDEN)
    wave = f"IF {SKIPPED.format(place)} THEN RAISE EXCEPTION '{ORDER}'; END IF;"
    return [
        f"CREATE OR REPLACE FUNCTION follow() {head} $$ BEGIN {checks} RETURN NEW; END $$",
        f"CREATE FUNCTION versions_wave() {head} $$ BEGIN {wave} RETURN NEW; END $$",
        "CREATE TRIGGER versions_wave BEFORE INSERT ON versions FOR EACH ROW EXECUTE FUNCTION versions_wave()",
    ]
