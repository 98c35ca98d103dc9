"""Sign in: with a password, with an organisation's provider, or with a link for the first time."""

from discreet.ui.office.people import sign_in

sign_in.show()
