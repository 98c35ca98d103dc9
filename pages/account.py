"""Account: who somebody is here, and the tokens of their programs."""

from discreet.ui.office import account

account.show()
