"""An OpenID provider for tests, on the certified server of idpyoidc: people sign in with a form.

It keeps everything in memory, speaks plain HTTP on a loopback address, and reads the people again
whenever it asks about one, so a test can change groups while it runs.
"""

from __future__ import annotations

import argparse
import html
import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from idpyoidc.message.oidc import AuthorizationRequest
from idpyoidc.message.oidc.session import EndSessionRequest
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.exception import ClientAuthenticationError, UnAuthorizedClient
from idpyoidc.server.exception import FailedAuthentication as Refused
from idpyoidc.server.oidc.session import Session
from idpyoidc.server.session.claims import ClaimsInterface
from idpyoidc.server.user_authn.user import UserAuthnMethod, create_signed_jwt, verify_signed_jwt
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p role="alert">{said}</p><form method="post" action="/verify">
<input type="hidden" name="token" value="{token}">
<p><label>User name <input name="username" autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
<button>Sign in</button></form></body></html>"""

SERVER = "idpyoidc.server."
NOT_CLAIMS = {"password", "sub"}


class People:
    """The accounts, from a file of names, each with a password, a subject and claims."""

    def __init__(self, file: str, **_: Any) -> None:
        """Set the file."""
        self.file = Path(file)

    def read(self) -> dict[str, dict[str, Any]]:
        """Return all accounts as the file is now."""
        people: dict[str, dict[str, Any]] = json.loads(self.file.read_text(encoding="utf-8"))
        return people

    def subject(self, name: str, **_: Any) -> str:
        """Return the subject of a person: their own, or their name."""
        return str(self.read()[name].get("sub", name))

    def __call__(self, name: str, _client: str, *_: Any, **__: Any) -> dict[str, Any]:
        """Return the claims about a person."""
        person = self.read().get(name, {})
        return {claim: value for claim, value in person.items() if claim not in NOT_CLAIMS}


class AllClaims(ClaimsInterface):
    """Copies all claims of a person from the file into the ID token, whatever their shape."""

    def get_user_claims(self, user_id: str, _restriction: Any, client_id: str) -> dict[str, Any]:
        """Return all claims."""
        claims: dict[str, Any] = self.upstream_get("context").userinfo(user_id, client_id)
        return claims


class Form(UserAuthnMethod):
    """Sign in with a user name and a password."""

    def __init__(self, people: People, upstream_get: Callable[..., Any], **_: Any) -> None:
        """Remember the people."""
        super().__init__(upstream_get=upstream_get)
        self.people = people

    def __call__(self, said: str = "", **asked: Any) -> str:
        """Return the form with the signed parameters of the request."""
        keys = self.upstream_get("attribute", "keyjar")
        token = create_signed_jwt(self.upstream_get("context").issuer, keys, **asked)
        return PAGE.format(token=html.escape(token), said=html.escape(said))

    def verify(self, username: str, password: str) -> str:
        """Return the name of a person if the password is right."""
        person = self.people.read().get(username, {})
        right = str(person.get("password", ""))
        if not right or not secrets.compare_digest(right.encode(), password.encode()):
            raise Refused
        return username


class Leaving(EndSessionRequest):
    """A logout request, which may name a session by an ID token that has long expired."""

    def verify(self, **settings: Any) -> bool:
        """Verify everything but the age of the token, as the standard advises."""
        return bool(super().verify(**settings, skew=10**9))


class SignOut(Session):
    """End a session at the request of the app: the person's browser sends it, not the app itself."""

    request_cls = Leaving

    def client_authentication(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Require no secret of a browser; the ID token it carries names the app."""
        return {}


def configuration(issuer: str, people: People, lifetime: int) -> dict[str, Any]:
    """Return the configuration of idpyoidc: the code flow with PKCE, RS256, one form."""
    keys = {"key_defs": [{"type": "OCT", "use": [use], "kid": use} for use in ("enc", "sig")]}
    minted = {"supports_minting": ["access_token", "id_token"], "max_usage": 1, "expires_in": 120}
    return {
        "issuer": issuer,
        "key_conf": {"key_defs": [{"type": "RSA", "use": ["sig"]}], "uri_path": "jwks.json"},
        "preference": {
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "scopes_supported": ["openid", "profile", "email"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        },
        "endpoint": {
            "provider_info": {
                "path": ".well-known/openid-configuration",
                "class": SERVER + "oidc.provider_config.ProviderConfiguration",
                "kwargs": {"client_authn_method": None},
            },
            "authorization": {
                "path": "authorization",
                "class": SERVER + "oidc.authorization.Authorization",
                "kwargs": {
                    "client_authn_method": None,
                    "response_types_supported": ["code"],
                    "response_modes_supported": ["query"],
                },
            },
            "token": {
                "path": "token",
                "class": SERVER + "oidc.token.Token",
                "kwargs": {"client_authn_method": ["client_secret_basic", "client_secret_post"]},
            },
            "end_session": {
                "path": "session",
                "class": SignOut,
                "kwargs": {
                    "logout_verify_url": f"{issuer}/signed_out",
                    "post_logout_uri_path": "bye",
                    "signing_alg": "RS256",
                },
            },
        },
        "add_on": {
            "pkce": {
                "function": SERVER + "oauth2.add_on.pkce.add_support",
                "kwargs": {"essential": True, "code_challenge_methods": {"S256": None}},
            }
        },
        "authentication": {
            "form": {
                "acr": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password",
                "class": Form,
                "kwargs": {"people": people},
            }
        },
        "authz": {
            "class": SERVER + "authz.AuthzHandling",
            "kwargs": {
                "grant_config": {
                    "usage_rules": {"authorization_code": minted, "access_token": {"expires_in": 3600}},
                    "expires_in": 43200,
                }
            },
        },
        "claims_interface": {"class": AllClaims},
        "cookie_handler": {
            "class": SERVER + "cookie_handler.CookieHandler",
            "kwargs": {
                "keys": keys,
                "name": {"session": "provider", "session_management": "provider_state"},
                "flags": {"samesite": "lax", "httponly": True, "secure": False},
            },
        },
        "token_handler_args": {
            "key_conf": {"key_defs": [{"type": "oct", "bytes": "24", "use": ["enc"], "kid": "c"}]},
            "code": {"kwargs": {"lifetime": 600}},
            "token": {"class": SERVER + "token.jwt_token.JWTToken", "kwargs": {"alg": "RS256"}},
            "id_token": {
                "class": SERVER + "token.id_token.IDToken",
                # Any claim named here makes it call AllClaims, which names the rest.
                "kwargs": {"lifetime": lifetime, "base_claims": {"email": None}},
            },
        },
        "session_params": {"sub_func": {"public": {"function": people.subject}}},
        "userinfo": {"class": People, "kwargs": {"file": str(people.file)}},
    }


class Site:
    """The pages of the provider, each delegated to its part of idpyoidc."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        """Set idpyoidc up with one registered app."""
        issuer = f"http://{wanted.host}:{wanted.port}"
        people = People(wanted.users)
        self.server = Server(OPConfiguration(configuration(issuer, people, wanted.lifetime)))
        self.context = self.server.context
        self.context.cdb[wanted.client] = {
            "client_id": wanted.client,
            "client_secret": wanted.secret,
            "redirect_uris": wanted.redirect,
            "post_logout_redirect_uri": wanted.redirect,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "token_endpoint_auth_method": "client_secret_basic",
        }

    def app(self) -> Starlette:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.discovery),
                Route("/jwks.json", self.keys),
                Route("/authorization", guarded(self.authorization)),
                Route("/verify", guarded(self.verify), methods=["POST"]),
                Route("/token", guarded(self.token), methods=["POST"]),
                Route("/session", guarded(self.session)),
                Route("/signed_out", guarded(self.signed_out)),
            ]
        )

    async def discovery(self, _: Request) -> Response:
        """Return the discovery document."""
        endpoint = self.server.get_endpoint("provider_config")
        return answer(endpoint.do_response(**endpoint.process_request()))

    async def keys(self, _: Request) -> Response:
        """Return the public keys."""
        return JSONResponse(self.server.keyjar.export_jwks())

    async def authorization(self, request: Request) -> Response:
        """Show the form, or redirect a person who is already signed in."""
        endpoint = self.server.get_endpoint("authorization")
        seen = around(request)
        asked = endpoint.parse_request(dict(request.query_params), http_info=seen)
        if "error" in asked:
            # No redirect to an address that may not be the app's.
            return JSONResponse(asked.to_dict(), 400)
        reply = endpoint.process_request(asked, http_info=seen)
        if "http_response" in reply:
            return HTMLResponse(reply["http_response"])
        return answer(endpoint.do_response(request=asked, **reply))

    async def verify(self, request: Request) -> Response:
        """Check name and password; redirect the person back to the app with a code."""
        form = {key: str(value) for key, value in (await request.form()).items()}
        carried = verify_signed_jwt(form["token"], self.server.keyjar)
        method = self.context.authn_broker.get_method_by_id("form")
        asked = AuthorizationRequest().from_urlencoded(carried["query"])
        try:
            name = method.verify(form.get("username", ""), form.get("password", ""))
        except Refused:
            again = {key: carried[key] for key in ("query", "authn_class_ref", "return_uri")}
            return HTMLResponse(method(said="Wrong user name or password.", **again), 401)
        endpoint = self.server.get_endpoint("authorization")
        session = endpoint.create_session(asked, name, carried["authn_class_ref"], 0, method)
        reply = endpoint.authz_part2(request=asked, session_id=session)
        return answer(endpoint.do_response(request=asked, **reply))

    async def token(self, request: Request) -> Response:
        """Return an ID token for a code, if the app presents its secret."""
        endpoint = self.server.get_endpoint("token")
        seen = around(request)
        form = {key: str(value) for key, value in (await request.form()).items()}
        asked = endpoint.parse_request(form, http_info=seen)
        reply = asked if "error" in asked else endpoint.process_request(asked, http_info=seen)
        if "error" in reply:
            return JSONResponse(reply.to_dict(), 400)
        reply.pop("cookie", None)  # an app is not a browser
        return answer(endpoint.do_response(request=asked, **reply))

    async def session(self, request: Request) -> Response:
        """Check an app's request that a person be signed out."""
        endpoint = self.server.get_endpoint("session")
        seen = around(request)
        asked = endpoint.parse_request(dict(request.query_params), http_info=seen)
        reply = endpoint.process_request(asked, http_info=seen)
        return RedirectResponse(reply["redirect_location"], 303)

    async def signed_out(self, request: Request) -> Response:
        """Sign the person out without asking again, and redirect them to the app."""
        endpoint = self.server.get_endpoint("session")
        wish = endpoint.unpack_signed_jwt(request.query_params["sjwt"])
        endpoint.do_verified_logout(sid=wish["sid"])
        return baked(RedirectResponse(wish["redirect_uri"], 303), endpoint.kill_cookies())


def guarded(page: Callable[[Request], Awaitable[Response]]) -> Callable[..., Any]:
    """Turn exceptions of idpyoidc into responses: 401 for an unknown app, 400 for the rest."""

    async def tried(request: Request) -> Response:
        """Return the page, or the refusal."""
        try:
            return await page(request)
        except (ClientAuthenticationError, UnAuthorizedClient) as error:
            return JSONResponse({"error": "invalid_client", "error_description": str(error)}, 401)
        except Exception as error:  # whatever failed came from the request
            return JSONResponse({"error": "invalid_request", "error_description": repr(error)}, 400)

    return tried


def around(request: Request) -> dict[str, Any]:
    """Return the context of a request, as idpyoidc expects it."""
    cookies = [{"name": name, "value": value} for name, value in request.cookies.items()]
    return {"headers": dict(request.headers), "url": str(request.url), "cookie": cookies}


def answer(reply: dict[str, Any]) -> Response:
    """Return a reply of idpyoidc as an HTTP response: a redirect, or a body."""
    body = reply["response"]
    if urlsplit(body).scheme in {"http", "https"}:
        return baked(RedirectResponse(body, 303), reply.get("cookie", []))
    return Response(body, headers=dict(reply["http_headers"]))


def baked(response: Response, cookies: list[dict[str, Any]]) -> Response:
    """Add cookies to a response."""
    for cookie in cookies:
        if cookie["value"]:
            flags = {name: cookie[name] for name in ("samesite", "httponly", "secure")}
            response.set_cookie(cookie["name"], cookie["value"], **flags)
        else:
            response.delete_cookie(cookie["name"])
    return response


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="localhost", help="its name in every address")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--redirect", action="append", required=True, help="an address of the app")
    parser.add_argument("--users", required=True, help="a JSON file of people")
    parser.add_argument("--client", default="app", help="the client ID of the app")
    parser.add_argument("--secret", required=True, help="the client secret of the app")
    parser.add_argument("--lifetime", type=int, default=300, help="of an ID token, in seconds")
    wanted = parser.parse_args()
    app = Site(wanted).app()
    uvicorn.run(app, host="127.0.0.1", port=wanted.port, log_level="warning")


if __name__ == "__main__":
    main()
