"""Audit log: who did what, and when."""

from discreet.ui.office.people import trail

trail.show()
