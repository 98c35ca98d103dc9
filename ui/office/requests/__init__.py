"""Screens of requests: own ones, the queue, the card, the decision."""
