"""Bodies: what a request brings along besides its first lines comes in time, and is not large."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive

PATIENCE, SLOWEST = 30.0, 64 * 1024  # seconds, and bytes a second: so long a body may take
LARGEST = 4 << 20  # bytes of one that is no file
GONE: Message = {"type": "http.disconnect"}


def bounded(receive: Receive, size: int = 0, largest: float = LARGEST) -> Receive:
    """Return what receives a body of about a size; one that is too slow or too large is gone.

    Only while it comes is there any haste: what waits for the end of a long answer waits for that.
    """
    clock = asyncio.get_running_loop()
    end, came, coming = clock.time() + PATIENCE + size / SLOWEST, 0, True

    async def receive_bounded() -> Message:
        nonlocal came, coming
        if not coming:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, end - clock.time()))
        except TimeoutError:
            return GONE
        came += len(message.get("body", b""))
        coming = bool(message.get("more_body"))
        return message if came <= largest else GONE

    return receive_bounded
