"""Parts: what the parts of accounts, datasets, requests and settings are called that may change later."""

from __future__ import annotations

from discreet.budget.phrase import Phrase

WORDS = {
    "name": Phrase("name"),
    "roles": Phrase("roles"),
    "active": Phrase("access"),
    "password": Phrase("password"),
    "factor": Phrase("second factor"),
    "policy": Phrase("policy"),
    "state": Phrase("state"),
    "published": Phrase("published"),
    "content": Phrase("place of the rows"),
    "declarations": Phrase("declaration"),
    "versions": Phrase("versions of the rows"),
    "errata": Phrase("notes"),
    "decided_by": Phrase("decided by"),
    "decided": Phrase("decided"),
    "reason": Phrase("reason"),
    "checklist": Phrase("checklist"),
    "officers": Phrase("officers"),
    "body": Phrase("what it says"),
}
