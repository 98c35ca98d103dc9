"""Waves with their own budgets: a ledger's limit is per wave, and a version records the wave of its rows."""

from __future__ import annotations

from discreet.budget.durable.migrations import guards

revision = "0015"
down_revision = "0005"

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


def upgrade() -> None:
    """Add the wave of a version, and replace the guards of the ledger."""
    guards.dropped("lines_follow", "lines")
    guards.forbidden("lines_follow", "lines", "INSERT", *FORBIDDEN, function="follow")


def downgrade() -> None:
    """Raise NotImplementedError: a ledger of waves would count as overspent."""
    raise NotImplementedError("Waves are never dropped. Restore a backup instead.")
