"""People: who has an account and with which roles, and an invitation link for a new person."""

from discreet.ui.office.people import members

members.show()
