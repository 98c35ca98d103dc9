"""People: accounts, passwords, second factors, sessions and tokens."""
