"""Screens of people: signing in, the own account, the accounts of others, trail and news."""
