"""People: who has an account and which roles, and a link for somebody new."""

from ui.office import accounts

accounts.show()
