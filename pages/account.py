"""Account: the signed-in person's profile, mail settings and substitute, and the tokens of their programs."""

from discreet.ui.office.people import account

account.show()
