"""Datasets: budgets, policies, ledgers and end dates of the datasets, and the registration of a new one."""

from discreet.ui.office.datasets import page

page.show()
