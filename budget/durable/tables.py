"""Tables: budgets, the lines of their ledgers, answers, seals. Nothing changes once written."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()

budgets = Table(
    "budgets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("limit_epsilon", BigInteger, nullable=False),
    Column("limit_delta", BigInteger, nullable=False),
    Column("rule", Text, nullable=False),
    Column("capacity_loss", BigInteger, nullable=False),
    Column("capacity_delta", BigInteger, nullable=False),
    Column("opened", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

lines = Table(
    "lines",
    metadata,
    Column("budget", Text, ForeignKey("budgets.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("request", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("cost_epsilon", BigInteger, nullable=False),
    Column("cost_delta", BigInteger, nullable=False),
    Column("held_epsilon", BigInteger, nullable=False),
    Column("held_delta", BigInteger, nullable=False),
    Column("taken", Boolean, nullable=True),
    Column("account", Text, nullable=True),
    Column("loss", BigInteger, nullable=False),
    Column("loss_delta", BigInteger, nullable=False),
    Column("total_loss", BigInteger, nullable=False),
    Column("total_delta", BigInteger, nullable=False),
    Column("time", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("budget", Text, ForeignKey("budgets.id"), primary_key=True),
    Column("request", Text, primary_key=True),
    Column("body", Text, nullable=False),
)

seals = Table(
    "seals",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seal", Text, nullable=False),
)
