"""Screens: how fast they respond to a person, in a real browser, and for how many people at a time."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.browser import moves, server, settle, visited
from benchmarks.report import table, verdict

MOVING = 15.0  # seconds
SESSIONS, THINK, SECONDS = 25, 3.0, 30.0
FIGURE = ".js-plotly-plot .main-svg"
SPEND = "[data-testid='stBaseButton-primary']"
LESSON = ".st-key-lesson-figure"


def _processor(process: int) -> float:
    """Return the processor seconds that a process has used."""
    user, system = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _browser(address: str) -> list[tuple[str, float, float]]:
    """Measure one person: slider to chart, slider to text, a comparison, the lessons."""
    measured = []
    with visited() as page:
        for path, label, where, limit in (
            ("smooth-sensitivity", "slider to new chart, asking", FIGURE, 250.0),
            ("smooth-sensitivity?smooth-view=how", "slider to new chart, how it works", FIGURE, 250.0),
            ("smooth-sensitivity", "slider to new words on the button", SPEND, 100.0),
            ("query", "slider to new price on Query", SPEND, 100.0),
            ("compare", "comparison of 12 mechanisms", FIGURE, 1500.0),
        ):
            page.goto(f"{address}/{path}")
            page.wait_for_selector(where)
            settle(page)
            page.get_by_role("slider", name="ε").first.focus()
            measured.append((label, moves(page, where), limit))
        measured += _lessons(page, address)
    return measured


def _keys(page: Any) -> tuple[str, ...]:
    """Focus the first control of a step; return the keys that move it, none for a step without a slider or checkbox."""
    main = page.get_by_test_id("stMain")
    sliders, boxes = main.get_by_role("slider"), main.get_by_role("checkbox")
    if sliders.count():
        sliders.first.focus()
        last = sliders.first.evaluate(
            "slider => slider.getAttribute('aria-valuenow') === slider.getAttribute('aria-valuemax')"
        )
        return ("Home", "End") if last else ("End", "Home")
    if boxes.count():
        boxes.first.focus()
        return ("Space",)
    return ()


def _lessons(page: Any, address: str) -> list[tuple[str, float, float]]:
    """Measure every step of every lesson that has a control: from its first one to its new figure or numbers."""
    from playwright.sync_api import Error

    from discreet.course.whole_course import places

    measured = []
    for place in places().values():
        step = "&".join(f"{key}={value}" for key, value in place.address.items())
        page.goto(f"{address}/{place.lesson.page.replace('_', '-')}?lang=en&guess=no&{step}")
        page.get_by_test_id("stMain").get_by_role("radiogroup").first.wait_for()
        settle(page)
        keys = _keys(page)
        try:
            if keys:
                measured.append((f"lesson {place.key}", moves(page, LESSON, 6, keys), 300.0))
        except Error as unchanged:
            if "nothing was drawn" not in str(unchanged):
                raise
            print(f"lesson {place.key}: its first control changes no figure")
    return measured


ASK = ("smooth-sensitivity", "")
SWEEP = ("compare", "compare-view=size")


async def _session(
    address: str, number: int, taken: list[float], until: float, screen: tuple[str, str], think: float = THINK
) -> None:
    """Simulate one person: open a screen, then move its slider every few seconds."""
    import websockets
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    url = address.replace("http", "ws") + "/_stcore/stream"
    async with websockets.connect(url, subprotocols=["streamlit"], origin=address, max_size=None) as line:

        async def run(message: BackMsg) -> str:
            await line.send(message.SerializeToString())
            slider = ""
            while True:
                reply = ForwardMsg()
                reply.ParseFromString(await line.recv())
                element = reply.delta.new_element
                if element.WhichOneof("type") == "slider" and element.slider.label == "ε":
                    slider = element.slider.id
                if reply.WhichOneof("type") == "script_finished":
                    return slider

        first = BackMsg()
        first.rerun_script.page_name, first.rerun_script.query_string = screen
        slider = await run(first)
        await asyncio.sleep(number * think / SESSIONS)
        value = 0.3
        while time.perf_counter() < until:
            value += 0.01
            move = BackMsg()
            move.rerun_script.page_name, move.rerun_script.query_string = screen
            state = move.rerun_script.widget_states.widgets.add()
            state.id = slider
            state.double_array_value.data.append(value)
            start = time.perf_counter()
            await run(move)
            taken.append(time.perf_counter() - start)
            await asyncio.sleep(think)


async def _crowd(address: str) -> tuple[list[float], list[float], list[float]]:
    """Measure 25 people alone; then while another user computes one sweep after another."""
    alone: list[float] = []
    beside: list[float] = []
    sweeps: list[float] = []
    until = time.perf_counter() + SECONDS
    await asyncio.gather(*(_session(address, n, alone, until, ASK) for n in range(SESSIONS)))
    until = time.perf_counter() + SECONDS
    await asyncio.gather(
        _session(address, 0, sweeps, until, SWEEP), *(_session(address, n, beside, until, ASK) for n in range(SESSIONS))
    )
    return alone, beside, sweeps


def _cost_of_a_move(script: str, screen: tuple[str, str]) -> float:
    """Return the milliseconds of the server's processor for one move of a slider."""
    started: list[int] = []
    taken: list[float] = []
    with server(script, started) as (address, _):
        asyncio.run(_session(address, 0, taken, time.perf_counter() + 1, screen, 0.05))  # warm
        taken.clear()
        before = _processor(started[0])
        asyncio.run(_session(address, 0, taken, time.perf_counter() + MOVING, screen, 0.05))
        return (_processor(started[0]) - before) * 1000 / (len(taken) + 1)  # opening the page counts as one


def run() -> None:
    """Print every time with its limit."""
    ready = []
    for _ in range(3):
        with server() as (_, seconds):
            ready.append(seconds * 1000)
    rows: list[tuple[str, float, float]] = [("server ready", float(np.median(ready)), 6000.0)]
    with server() as (address, _):
        rows += _browser(address)
    with server() as (address, _):
        alone, beside, sweeps = (np.array(t) * 1000 for t in asyncio.run(_crowd(address)))
    slow = f"{np.quantile(alone, 0.95):.0f}"
    rows += [
        (f"{SESSIONS} people, {alone.size} moves (95 of 100: {slow})", float(np.median(alone)), 300.0),
        ("the same beside one sweep after another, median", float(np.median(beside)), 300.0),
        (f"of these {sweeps.size} sweeps, median", float(np.median(sweeps)), 5000.0),
    ]
    ours, bare = _cost_of_a_move("app.py", ASK), _cost_of_a_move("benchmarks/bare.py", ("", ""))
    rows += [
        ("server's processor for one move of a slider", ours, 40.0),
        (f"the same beside a bare page's {bare:.0f} ms", ours, 3 * bare),
    ]
    shown = [(what, f"{ms:.0f}", f"{limit:.0f}", f"{ms / limit:.2f}", verdict(ms, limit)) for what, ms, limit in rows]
    table("Screens, milliseconds", ("what", "median", "promised", "ratio", "verdict"), shown)
