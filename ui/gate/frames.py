"""Frames: how much of a message has arrived that is not whole yet, by RFC 6455."""

from __future__ import annotations

FRAME = 128  # bytes that each piece of a message takes besides its own
FIN, CONTROL, MASKED, LENGTH = 0x80, 0x08, 0x80, 0x7F
LONGER = {126: 2, 127: 8}  # bytes of the length, where the short one says this


class Frames:
    """What one browser sends over its connection, piece by piece."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.begun = 0  # bytes of the message that is not whole, with what its pieces take
        self.controls = 0  # frames so far that belong to no message
        self._head = b""
        self._left = 0  # bytes of the frame that are still to come

    def take(self, data: bytes) -> None:
        """Count what has arrived."""
        at = 0
        while at < len(data):
            if self._left:
                took = min(self._left, len(data) - at)
                self._left -= took
                self._count(took)
                at += took
            else:
                before = len(self._head)
                head = self._head + data[at : at + 14 - before]
                length = _head_length(head)
                if len(head) < length:
                    self._head = head
                    return
                self._begin(head[:length])
                at += length - before

    def _begin(self, head: bytes) -> None:
        """Begin a frame, of which the head is whole; one of no bytes is whole with it."""
        self._head = head
        short = head[1] & LENGTH
        longer = LONGER.get(short, 0)
        self._left = int.from_bytes(head[2 : 2 + longer], "big") if longer else short
        self.controls += self._control
        self._count(0 if self._control else FRAME)

    def _count(self, size: int) -> None:
        """Count bytes of the frame, and end it when it is whole: its last one ends the message."""
        if not self._control:
            self.begun += size
        if not self._left:
            if self._head[0] & FIN and not self._control:
                self.begun = 0
            self._head = b""

    @property
    def _control(self) -> bool:
        return bool(self._head[0] & CONTROL)


def _head_length(head: bytes) -> int:
    """Return how long the head of a frame is, as far as its first bytes say."""
    if len(head) < 2:
        return 2
    return 2 + LONGER.get(head[1] & LENGTH, 0) + 4 * bool(head[1] & MASKED)
