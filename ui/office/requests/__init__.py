"""Screens of requests: own requests, the queue, the release card, the decision."""
