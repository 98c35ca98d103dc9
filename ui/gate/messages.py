"""Messages: what a browser may say over its connection; all else never reaches Streamlit."""

from __future__ import annotations

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Receive
from streamlit.proto.BackMsg_pb2 import BackMsg

NEEDED = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"}
LARGEST = 2 << 20  # bytes: a large pasted table of declarations is far below; some of it is kept
OPERATIONS = {"deferred_file", "dataframe_chunk"}
PRESSES = {"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"}
GONE: Message = {"type": "websocket.disconnect", "code": 1002}


def needed(data: bytes) -> bytes | None:
    """Return what the screens need of a message, perhaps nothing; None if it is none that they could send."""
    if len(data) > LARGEST:
        return None
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return data if message.backend_operation_request.WhichOneof("payload") in OPERATIONS else b""
    if kind == "rerun_script" and message.rerun_script.is_auto_rerun:
        return _without_presses(message)
    return data if kind in NEEDED else b""


def _without_presses(message: BackMsg) -> bytes:
    """Leave out what was pressed where a page only looks again: it says so once more at once, and would act twice."""
    widgets = message.rerun_script.widget_states.widgets
    others = [widget for widget in widgets if widget.WhichOneof("value") not in PRESSES]
    del widgets[:]
    widgets.extend(others)
    return bytes(message.SerializeToString())


def filtered(receive: Receive) -> Receive:
    """Return what receives needed messages only; what is no message ends the connection."""

    async def receive_needed() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            data = message.get("bytes")
            left = needed(data) if data is not None else None
            if left is None:
                return GONE
            if left:
                return {**message, "bytes": left}

    return receive_needed
