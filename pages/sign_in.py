"""Sign in: by password, by an organisation's provider, or by a first-time link."""

from discreet.ui.office.people import sign_in

sign_in.show()
