"""Screens of the office: signing in, requests, decisions, registrations, and the published results."""
