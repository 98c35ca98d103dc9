"""Screens of registered datasets: register, renew, change, end."""
