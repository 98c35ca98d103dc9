"""Messages: what a browser may say over its connection; all else never reaches Streamlit."""

from __future__ import annotations

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Receive
from streamlit.proto.BackMsg_pb2 import BackMsg

NEEDED = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"}
LARGEST = 2 << 20  # bytes: a large pasted table of declarations is far below; some of it is kept
OPERATIONS = {"deferred_file", "dataframe_chunk"}
GONE: Message = {"type": "websocket.disconnect", "code": 1002}


def needed(data: bytes) -> bool | None:
    """Say whether the screens need a message; None if it is none that they could send."""
    if len(data) > LARGEST:
        return None
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in NEEDED


def filtered(receive: Receive) -> Receive:
    """Return what receives needed messages only; what is no message ends the connection."""

    async def receive_needed() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            data = message.get("bytes")
            fits = needed(data) if data is not None else None
            if fits is None:
                return GONE
            if fits:
                return message

    return receive_needed
