"""Answers: the few words that the gate says by itself."""

from starlette.responses import PlainTextResponse

CLOSED = "There is nothing here."


def answer(words: str, status: int) -> PlainTextResponse:
    """Return a refusal that no browser keeps, after which the connection is closed."""
    return PlainTextResponse(words, status, {"cache-control": "no-store", "connection": "close"})
