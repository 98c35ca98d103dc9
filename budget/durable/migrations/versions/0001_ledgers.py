"""Budgets and lines, and the guards that keep them append-only and within their limit."""

from __future__ import annotations

from alembic import op

from discreet.budget.durable.migrations import guards

revision = "0001"
down_revision = None

TABLES = (
    """
    CREATE TABLE budgets (
      id TEXT PRIMARY KEY,
      limit_epsilon BIGINT NOT NULL CHECK (limit_epsilon >= 0),
      limit_delta BIGINT NOT NULL CHECK (limit_delta >= 0),
      rule TEXT NOT NULL,
      capacity_loss BIGINT NOT NULL CHECK (capacity_loss >= 0),
      capacity_delta BIGINT NOT NULL CHECK (capacity_delta >= 0),
      opened TEXT NOT NULL,
      hash TEXT NOT NULL
    )""",
    """
    CREATE TABLE lines (
      budget TEXT NOT NULL REFERENCES budgets (id),
      seq INTEGER NOT NULL CHECK (seq >= 0),
      request TEXT NOT NULL,
      kind TEXT NOT NULL
        CHECK (kind IN ('reserve', 'expire', 'charge', 'refuse', 'settle', 'release')),
      cost_epsilon BIGINT NOT NULL CHECK (cost_epsilon >= 0),
      cost_delta BIGINT NOT NULL CHECK (cost_delta >= 0),
      held_epsilon BIGINT NOT NULL CHECK (held_epsilon >= 0),
      held_delta BIGINT NOT NULL CHECK (held_delta >= 0),
      taken BOOLEAN,
      account TEXT,
      loss BIGINT NOT NULL,
      loss_delta BIGINT NOT NULL,
      total_loss BIGINT NOT NULL CHECK (total_loss >= 0),
      total_delta BIGINT NOT NULL CHECK (total_delta >= 0),
      time TEXT NOT NULL,
      note TEXT NOT NULL,
      previous TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (budget, seq),
      CHECK (kind IN ('settle', 'expire') OR (loss >= 0 AND loss_delta >= 0)),
      CHECK (kind NOT IN ('settle', 'expire') OR (loss <= 0 AND loss_delta <= 0)),
      CHECK (kind NOT IN ('refuse', 'release') OR (loss = 0 AND loss_delta = 0))
    )""",
    "CREATE UNIQUE INDEX one_line_of_a_kind ON lines (budget, request, kind) WHERE kind <> 'refuse'",
)
BEFORE = "SELECT {0} FROM lines WHERE budget = NEW.budget AND seq = NEW.seq - 1"
CAPACITY = "SELECT {0} FROM budgets WHERE id = NEW.budget"
OWN = "SELECT SUM({0}) FROM lines WHERE budget = NEW.budget AND request = NEW.request AND kind IN ('reserve', 'charge')"
# a condition that no new line may meet, and why
FORBIDDEN = (
    (
        "NEW.seq <> COALESCE((SELECT MAX(seq) + 1 FROM lines WHERE budget = NEW.budget), 0)",
        "a line must follow the last one",
    ),
    (
        f"NEW.previous <> COALESCE(({BEFORE.format('hash')}), ({CAPACITY.format('hash')}))",
        "a line must carry the hash of the line before",
    ),
    (
        f"NEW.total_loss <> COALESCE(({BEFORE.format('total_loss')}), 0) + NEW.loss"
        f" OR NEW.total_delta <> COALESCE(({BEFORE.format('total_delta')}), 0) + NEW.loss_delta",
        "a total must be the total before and this line",
    ),
    (
        f"NEW.total_loss > ({CAPACITY.format('capacity_loss')})"
        f" OR NEW.total_delta > ({CAPACITY.format('capacity_delta')})",
        "the budget would be overspent",
    ),
    (
        f"(NEW.loss < 0 AND -NEW.loss > COALESCE(({OWN.format('loss')}), 0))"
        f" OR (NEW.loss_delta < 0 AND -NEW.loss_delta > COALESCE(({OWN.format('loss_delta')}), 0))",
        "more would come back than was counted",
    ),
    (
        "NEW.kind = 'expire' AND EXISTS (SELECT 1 FROM lines WHERE budget = NEW.budget"
        " AND request = NEW.request AND kind = 'charge')",
        "a charge never comes back",
    ),
)
FIXED = "what is written in a ledger never changes"


def upgrade() -> None:
    """Create everything, in the SQL of the database."""
    for table in TABLES:
        op.execute(table)
    if not guards.lite():
        op.execute(
            f"CREATE FUNCTION fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{FIXED}'; END $$"
        )
    guards.forbidden("lines_follow", "lines", "INSERT", *FORBIDDEN, function="follow")
    for name in ("budgets", "lines"):
        guards.fixed(name, FIXED)


def downgrade() -> None:
    """Raise NotImplementedError: dropping a ledger would refund its budget."""
    raise NotImplementedError("A ledger is never dropped. Restore a backup instead.")
