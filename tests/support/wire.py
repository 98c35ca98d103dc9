"""Wire: raw requests and connections, as of a client that knows Streamlit's protocol."""

from __future__ import annotations

import http.client
import re
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from discreet.ui.session.cookies import BROWSER

PATIENCE, EARLY = 30.0, ForwardMsg.FINISHED_EARLY_FOR_RERUN


@dataclass
class Answer:
    """The response of a server."""

    status: int
    headers: list[tuple[str, str]]
    text: str

    def header(self, name: str) -> str:
        """Return all headers of a name."""
        return "\n".join(value for key, value in self.headers if key.lower() == name)


def ask(url: str, path: str = "/", method: str = "GET", body: bytes | None = None, **fields: str) -> Answer:
    """Send a request with an unnormalised path; `fields` are headers, with underscores for dashes."""
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    line.putrequest(method, path, skip_host="Host" in headers)
    if body is not None:
        headers.setdefault("Content-Length", str(len(body)))
    for name, value in headers.items():
        line.putheader(name, value)
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before everything was sent
        line.endheaders(body)
    response = line.getresponse()
    answer = Answer(response.status, response.getheaders(), response.read().decode("utf-8", "replace"))
    line.close()
    return answer


def new_browser(url: str) -> str:
    """Visit a page as a new browser; return the value of its cookie."""
    cookies = ask(url, Accept="text/html").header("set-cookie")
    (cookie,) = [part for part in cookies.splitlines() if part.startswith(f"{BROWSER}=")]
    return cookie.split(";")[0].partition("=")[2]


def xsrf_token(url: str) -> str:
    """Return the token by which a page proves that it is the server's own."""
    return ask(url, "/_stcore/health").header("set-cookie").partition("_streamlit_xsrf=")[2].partition(";")[0]


@dataclass
class Wire:
    """An open connection of a browser with these cookies."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    origin: str | None = None
    session: str = ""
    xsrf: str = ""  # without it Streamlit ignores its own cookies

    def __enter__(self) -> Wire:
        """Connect, as a page of the server unless another origin is given."""
        header = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self._opened = connect(
            f"{self.url.replace('http', 'ws', 1)}/_stcore/stream",
            additional_headers={"Cookie": header} if header else None,
            origin=self.origin or self.url,  # type: ignore[arg-type]
            subprotocols=[Subprotocol(word) for word in ("streamlit", self.xsrf) if word],
            max_size=None,
            open_timeout=PATIENCE,
            close_timeout=1,
            proxy=None,
        )
        self._line = self._opened.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        with suppress(WebSocketException):
            self._opened.__exit__(kind, wrong, trace)

    def say(self, message: BackMsg) -> None:
        """Send a message."""
        self._line.send(message.SerializeToString())

    def run(self, query: str = "", page: str = "", pressed: str = "") -> str:
        """Run the script at the address of a page; return everything sent until it had finished."""
        asked = BackMsg()
        asked.rerun_script.query_string, asked.rerun_script.page_name = query, page
        if pressed:
            asked.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        self.say(asked)
        return self.listen()

    def press(self, page: str, label: str) -> str:
        """Press the button of a page whose label begins like this."""
        (button,) = re.findall(rf'id: "([^"]+)"\s+label: "{label}', self.run(page=page))
        return self.run(page=page, pressed=button)

    def unfold(self, page: str, screen: str, fold: str) -> str:
        """Open one expander of a screen that was sent, by its name, without rerunning the rest."""
        (place, part) = re.findall(
            rf'id: "([^"]+-fold:{fold})"\s+width_config.*?fragment_id: "(\w+)"', screen, re.DOTALL
        )[0]
        asked = BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.fragment_id = page, part
        asked.rerun_script.widget_states.widgets.add(id=place, bool_value=True)
        self.say(asked)
        return self.listen()

    def listen(self) -> str:
        """Return everything that is sent until a script has finished and is not about to restart."""
        messages: list[str] = []
        while True:
            message = ForwardMsg()
            message.ParseFromString(bytes(self._line.recv(timeout=PATIENCE)))  # type: ignore[arg-type]
            messages.append(str(message))
            if message.WhichOneof("type") == "new_session":
                self.session = message.new_session.initialize.session_id
            if message.WhichOneof("type") == "script_finished" and message.script_finished != EARLY:
                return "\n".join(messages)

    def upload(self, data: bytes, name: str = "1", **fields: str) -> int:
        """Upload a file to the upload address of this connection; return the status."""
        cookies = dict(self.cookies)
        xsrf = cookies["_streamlit_xsrf"] = xsrf_token(self.url)
        body = (
            b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n'
            b"Content-Type: text/csv\r\n\r\n" + data + b"\r\n--x--\r\n"
        )
        headers = {
            "Content-Type": "multipart/form-data; boundary=x",
            "X-Xsrftoken": xsrf,
            "Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items()),
            **fields,
        }
        path = f"/_stcore/upload_file/{self.session}/{name}"
        return ask(self.url, path, "PUT", body, **headers).status
