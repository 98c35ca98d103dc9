"""Kept work: a server whose saved project contains a query of protected data, its end, and the next server."""

from __future__ import annotations

from pathlib import Path

from discreet.curator import Request
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.mean import Mean
from discreet.rows import Dataset, LocalSource, Number, Schema
from discreet.ui.session.project_file import ProjectFile
from discreet.ui.session.server import Server, Workspace

DATA = b"age\n" + b"".join(b"%d\n" % (20 + number % 50) for number in range(400))
SCHEMA = Schema({"age": Number(0, 100, integer=True)})
MEAN = Request(GlobalLaplace(query=Mean(), epsilon=0.5), ("age",))
ROUGH = Request(GlobalLaplace(query=Mean(), epsilon=0.25), ("age",))


def worked(server: Server, browser: str = "ann", schema: Schema = SCHEMA) -> Workspace:
    """Return a workspace in which a query of protected data was released."""
    space = server.workspace(browser)
    space.open("people.csv", Dataset(LocalSource(DATA), schema), len(DATA), source=LocalSource(DATA))
    space.curator.ask(MEAN, space.nonce(MEAN))
    return space


def saving_server(path: Path, server: Server | None = None) -> Server:
    """Return a server that saves the work of a browser."""
    server = server or Server()
    worked(server)
    server.keep(ProjectFile(path), "ann")
    return server


def stopped(server: Server) -> None:
    """Stop a server as a power cut does: nothing is written at the end."""
    assert server.project is not None
    server.project.file.close()


def started(path: Path) -> Server:
    """Start a server on saved work."""
    server = Server()
    server.begin(ProjectFile(path))
    return server
