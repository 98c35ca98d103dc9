"""Routes: the addresses beside the screens, each of which checks the access rights."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.auditing import bundles
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import registry
from discreet.office.house.roles import ADMINISTRATOR, ANALYST, DECIDERS, OFFICER, require
from discreet.office.people import signing_in
from discreet.office.requests import request as asked
from discreet.office.rules import rights
from discreet.ui.session import door
from discreet.ui.session.cookies import BROWSER, DEVICE, SESSION
from discreet.ui.session.server import server

KINDS = {"json": "application/json", "yaml": "application/yaml"}
FIRST = {OFFICER: "/review", ANALYST: "/", ADMINISTRATOR: "/people"}
PRIVATE = {"cache-control": "no-store"}
NOT_YOURS = "There is nothing here for you."


async def enter(request: Request) -> Response:
    """Exchange a ticket for a session's cookie, which scripts cannot read, and redirect."""
    secret, first, device = await run_in_threadpool(_entered, request)
    answer = RedirectResponse(first, status_code=303, headers=PRIVATE)
    if secret is not None:
        for name, value, life in ((SESSION, secret, signing_in.SESSION_LIFE), (DEVICE, device, signing_in.KNOWN)):
            answer.set_cookie(name, value, max_age=int(life), path="/", httponly=True, samesite="strict")
    return answer


def _entered(request: Request) -> tuple[str | None, str, str]:
    """Return a session's secret, the first screen of this person, and the browser's mark."""
    house = door.house()
    browser = request.cookies.get(BROWSER)
    if house is None or browser is None:
        return None, "/", ""
    secret = signing_in.enter(house, request.path_params["ticket"], browser)
    if secret is not None:
        server().cut(browser)
    person = signing_in.of_session(house, secret) if secret else None
    roles = person.roles if person is not None else frozenset()
    mark = request.cookies.get(DEVICE, "")
    device = signing_in.remember(house, person, mark) if person is not None else mark
    return secret, next((place for role, place in FIRST.items() if role in roles), "/"), device


async def card(request: Request) -> Response:
    """Return the card of one request: to its analyst and the officers, to everyone if published."""
    return await run_in_threadpool(_file, request, _card)


async def releases(request: Request) -> Response:
    """Return all cards of a dataset: to officers, to everyone if published."""
    return await run_in_threadpool(_file, request, _releases)


async def bundle(request: Request) -> Response:
    """Return the signed file of a dataset and period, to an officer of it or an administrator."""
    return await run_in_threadpool(_bundle, request)


async def published(request: Request) -> Response:
    """List the published datasets for programs; everyone may read them."""
    return await run_in_threadpool(_published, request)


def _bundle(request: Request) -> Response:
    house = door.house()
    days = request.query_params
    try:
        period = bundles.Period(days.get("first") or bundles.FIRST, days.get("last") or bundles.LAST)
        if house is None:
            raise ParameterError("This dataset does not exist.")
        content = bundles.bundle(house, door.of_cookies(request.cookies), request.path_params["name"], period)
    except (ParameterError, SQLAlchemyError):
        return PlainTextResponse(NOT_YOURS, 404)
    saved = {"content-disposition": 'attachment; filename="bundle.zip"'}
    return Response(content, media_type="application/zip", headers=PRIVATE | saved)


def _published(request: Request) -> Response:
    house = door.house()
    try:
        listed = {"discreet_published": 1, "datasets": [] if house is None else cards.published(house)}
    except SQLAlchemyError:
        return PlainTextResponse(NOT_YOURS, 404)
    return JSONResponse(listed, headers=PRIVATE)


def _file(request: Request, make) -> Response:  # type: ignore[no-untyped-def]
    """Return a file; every refusal is the same response, so that it reveals nothing."""
    house, (name, _, kind) = door.house(), request.path_params["name"].partition(".")
    if house is None or kind not in KINDS:
        return PlainTextResponse(NOT_YOURS, 404)
    try:
        stem, text = make(house, door.of_cookies(request.cookies), name, kind)
    except (ParameterError, SQLAlchemyError):
        return PlainTextResponse(NOT_YOURS, 404)
    saved = {"content-disposition": f'attachment; filename="{stem}.{kind}"'}
    return Response(text, media_type=KINDS[kind], headers=PRIVATE | saved)


def _card(house: House, who: Member | None, name: str, kind: str) -> tuple[str, str]:
    request = asked.find(house, name)
    public = request.release is not None and registry.find(house, request.dataset).published
    if not public:
        request = asked.seen_by(house, who, name)
    content = cards.card(snapshot(house, request), names=who is not None)
    return f"card-{request.number}", cards.records[kind](content)


def _releases(house: House, who: Member | None, name: str, kind: str) -> tuple[str, str]:
    if not registry.find(house, name).published:
        rights.check_reader(house, require(who, *DECIDERS), name)
    make = cards.releases_json if kind == "json" else cards.releases_yaml
    return "releases", make(house, name)


ROUTES = [
    Route("/enter/{ticket}", enter),
    Route("/card/{name}", card),
    Route("/releases/{name}", releases),
    Route("/bundle/{name}", bundle),
    Route("/published.json", published),
]
