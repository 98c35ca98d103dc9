"""Account: who somebody is here, their mail, their substitute, and the tokens of their programs."""

from discreet.ui.office import account

account.show()
