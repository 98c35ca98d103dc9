"""Streamlit seams: every private name of Streamlit that the server relies on, in one place, checked at the start.

Everything below `streamlit.runtime`, `proto`, `config`, `net_util` and `delta_generator` may change with any release.
No other module imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import streamlit
from streamlit import net_util, runtime
from streamlit.config import get_option as get_option
from streamlit.config import is_manually_set as is_manually_set
from streamlit.config import set_option as set_option
from streamlit.delta_generator import DeltaGenerator as DeltaGenerator
from streamlit.proto.BackMsg_pb2 import BackMsg as BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.scriptrunner_utils.exceptions import StopException as StopException
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.uploaded_file_manager import UploadedFile as UploadedFile
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from discreet.budget.errors import ParameterError

Draw = Callable[[Callable[[], Any], Any], Any]
# functions and attributes that are called or set below, by module
NAMES: dict[Any, tuple[str, ...]] = {
    Runtime: ("get_client", "uploaded_file_mgr"),
    WebsocketSessionManager: ("get_active_session_info",),
    AppSession: ("request_rerun",),
    MemoryUploadedFileManager: ("get_files", "remove_file", "remove_session_files"),
    PagesManager: ("get_pages",),
    script_runner: ("exec_func_with_error_handling",),
    net_util: ("get_external_ip", "get_internal_ip"),
}
# attributes of their instances
FIELDS: dict[Any, tuple[str, ...]] = {
    Runtime: ("_session_mgr",),
    AppSession: ("_client_state",),
    ScriptRunContext: ("session_id", "uploaded_file_mgr", "pages_manager"),
}
MESSAGES = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request")


def missing() -> list[str]:
    """Return the names that this version of Streamlit lacks."""
    names = [f"{place.__name__}.{name}" for place, names in NAMES.items() for name in names if not hasattr(place, name)]
    for place, fields in FIELDS.items():
        there = {*getattr(place, "__dataclass_fields__", ()), *place.__init__.__code__.co_names}
        names += [f"{place.__name__}.{name}" for name in fields if name not in there]
    return names + [f"BackMsg.{name}" for name in MESSAGES if name not in BackMsg.DESCRIPTOR.fields_by_name]


def check() -> None:
    """Refuse a version of Streamlit that lacks a required name."""
    if absent := missing():
        raise ParameterError(
            "Streamlit {version} does not provide {names}. Install the version listed in requirements.txt.",
            version=streamlit.__version__,
            names=", ".join(absent),
        )


def in_run(quietly: bool = False) -> bool:
    """Whether a script is running for a browser."""
    return get_script_run_ctx(suppress_warning=quietly) is not None


def scripts() -> list[str]:
    """Return the script files of all screens that the viewer has."""
    context = get_script_run_ctx()
    pages = context.pages_manager.get_pages().values() if context else ()
    return [Path(page["script_path"]).stem for page in pages]


def let_go(file: UploadedFile) -> None:
    """Release the bytes of an uploaded file, which Streamlit would keep while the page is open."""
    context = get_script_run_ctx()
    if context is not None:
        cast(Any, context.uploaded_file_mgr).remove_file(context.session_id, file.file_id)


def client_of(session: str) -> Any:
    """Return the connection of an open page; None if it is closed."""
    return runtime.get_instance().get_client(session)


def rerun(session: str) -> None:
    """Rerun the script of an open page."""
    info = runtime.get_instance()._session_mgr.get_active_session_info(session)
    if info is not None:
        info.session.request_rerun(info.session._client_state)


def holds(session: str, file: str) -> bool:
    """Whether Streamlit still holds a file of a page."""
    return bool(runtime.get_instance().uploaded_file_mgr.get_files(session, [file]))


def let_go_of_page(session: str) -> None:
    """Release all files of a page."""
    runtime.get_instance().uploaded_file_mgr.remove_session_files(session)


def draw_by(wrap: Callable[[Draw], Draw]) -> None:
    """Wrap every run of a script or a fragment in a function, which is called with the session's context."""
    module = cast(Any, script_runner)
    module.exec_func_with_error_handling = wrap(module.exec_func_with_error_handling)


def ask_no_other_machine() -> None:
    """Do not ask another machine for the addresses of this one."""
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None
