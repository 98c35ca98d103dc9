"""Account: who somebody is here, their mail, their substitute, and the tokens of their programs."""

from discreet.ui.office.people import account

account.show()
