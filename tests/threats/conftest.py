"""The stores of the durable ledger, as its own tests have them."""

from tests.budget.durable.conftest import postgres, store, url

__all__ = ["postgres", "store", "url"]
