"""People: who has an account and which roles, and a link for somebody new."""

from discreet.ui.office.people import members

members.show()
