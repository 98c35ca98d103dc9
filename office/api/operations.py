"""Operations: the one table of what programs can call; a new one is an entry here and its test is there already."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from discreet.office.api import about_data, about_requests, about_tokens
from discreet.office.api.about_data import Record
from discreet.office.api.call import Call
from discreet.office.api.intake import BodyField
from discreet.office.roles import ROLES

BASE = "/api/v1"
IDS = {"dataset": "[0-9a-f]{32}", "request": "[0-9a-f]{64}"}
EVERYBODY = tuple(ROLES)
QUESTION = BodyField("object", "a question, or a plan as one question, in plain form", True, "Request FixedPlan")
ROUND = BodyField("integer", "0, or the next one for a new draw of the same question, which costs anew")
SEEN = BodyField("string", "the seal of what was read; another text is refused")


@dataclass(frozen=True)
class Operation:
    """One address with its method: which scope and roles it needs, what it takes, and what does it."""

    name: str
    method: str
    path: str
    scope: str
    roles: tuple[str, ...]
    answer: str  # the schema of its answer
    work: Callable[[Call], Record]
    body: Mapping[str, BodyField] = field(default_factory=dict)
    query: Mapping[str, BodyField] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What it does, in the words of what does it."""
        return str(self.work.__doc__)

    @property
    def pattern(self) -> re.Pattern[str]:
        """What its addresses look like."""
        return re.compile(re.sub(r"{(\w+)}", lambda name: f"(?P<{name[1]}>{IDS[name[1]]})", BASE + self.path))


DATASET, REQUEST = "/datasets/{dataset}", "/requests/{request}"
SENT = {
    "question": QUESTION,
    "purpose": BodyField("string", "what the answer is for, in 10 to 2000 characters", True),
    "round": ROUND,
    "replaces": BodyField("string", "the id of an own request that was sent back, denied, withdrawn or late"),
    "seen": SEEN,
}
PLAN = {"plan": BodyField("object", "a plan file: rows, a total, wishes", True, "Plan")}
VERDICT = {
    "verdict": BodyField("string", "approved, denied or changes", True),
    "reason": BodyField("string", "at least 10 characters where it is not approved"),
    "checklist": BodyField("object", "an answer for each open point, by its name", texts=True),
    "seen": SEEN,
}
BEFORE = {"before": BodyField("integer", "only requests with smaller numbers: the next page")}
OPERATIONS = (
    Operation("me", "GET", "/me", "read", EVERYBODY, "Me", about_tokens.me),
    Operation("datasets", "GET", "/datasets", "read", EVERYBODY, "Datasets", about_data.listed),
    Operation("dataset", "GET", DATASET, "read", EVERYBODY, "Dataset", about_data.shown),
    Operation(
        "forecast",
        "POST",
        f"{DATASET}/forecasts",
        "read",
        ("analyst",),
        "Forecast",
        about_data.forecast,
        {"question": QUESTION},
    ),
    Operation("plan", "POST", f"{DATASET}/plans", "read", ("analyst",), "PlanForecast", about_data.plan, PLAN),
    Operation("send", "POST", f"{DATASET}/requests", "ask", ("analyst",), "Inquiry", about_requests.send, SENT),
    Operation(
        "releases", "GET", f"{DATASET}/releases", "read", ("officer", "administrator"), "Releases", about_data.releases
    ),
    Operation("requests", "GET", "/requests", "read", EVERYBODY, "Inquiries", about_requests.listed, query=BEFORE),
    Operation("request", "GET", REQUEST, "read", EVERYBODY, "Inquiry", about_requests.shown),
    Operation("card", "GET", f"{REQUEST}/card", "read", EVERYBODY, "Card", about_requests.card),
    Operation("withdraw", "POST", f"{REQUEST}/withdrawal", "ask", ("analyst",), "Inquiry", about_requests.withdraw),
    Operation("checklist", "GET", f"{REQUEST}/checklist", "read", ("officer",), "Checklist", about_requests.points),
    Operation(
        "decide", "POST", f"{REQUEST}/decision", "decide", ("officer",), "Inquiry", about_requests.decide, VERDICT
    ),
)


def at(path: str) -> dict[str, tuple[Operation, dict[str, str]]]:
    """Return the operations of an address by their methods, with what it names."""
    fits = [(operation, operation.pattern.fullmatch(path)) for operation in OPERATIONS]
    return {operation.method: (operation, match.groupdict()) for operation, match in fits if match is not None}
