"""Screens of people: sign-in, the own account, the accounts of others, audit log and news."""
