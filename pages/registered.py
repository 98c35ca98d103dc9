"""Registered data: their budgets, policies, ledgers and ends; and a new one."""

from discreet.ui.office.datasets import page

page.show()
