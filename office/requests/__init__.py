"""Requests: a question that waits or ran, and what people say about it."""
