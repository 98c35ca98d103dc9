"""Acts: everything that can be done in a house, each with what others must know of it.

They are together here, and not beside the verbs that do them: a reader of the audit log, such as the terminal,
needs their words, and does not wait for the mechanisms that most verbs load. A verb writes an act by its constant, so
that none is misspelt; the log stores its name. What another module lists of acts, it computes from here (`those`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discreet.budget.errors import Phrase
from discreet.office.house.roles import ADMINISTRATOR, OFFICER

# who reads of an act in their news, beside roles
ASKER = "asker"  # the analyst of the request
OWNER = "owner"  # the owner of the account, who may not have done it
# what an act that decides about a request changes of it
DECISION = ("state", "decided_by", "decided", "reason", "checklist")


@dataclass(frozen=True)
class Act:
    """One kind of act; its name is stored and never changes."""

    name: str
    words: Phrase
    # replay: the kind of object that it changes, and the fields that it changes; without fields it creates the object
    of: str = ""
    changes: tuple[str, ...] = ()
    saves: bool = False  # saving an unchanged value writes no act
    forgets: bool = False  # the value before is not written
    # two persons: the kind of change that the first of two wants by it, that holds by it, or that it lets go
    wants: str = ""
    fulfils: str = ""
    ends: str = ""
    rules: bool = False  # the person who did it may not send requests for the data
    # news: which roles read of it, and ASKER or OWNER; and by which choice they get mail of it
    hears: tuple[str, ...] = ()
    mail: str = ""
    nameless: bool = False  # what leaves the house does not say what it was about
    # excerpts of the audit log: it is routine and not a decision; or only where its check `holds`
    routine: bool = False
    checks: bool = False
    verifies: bool = False  # it verifies ledgers
    outsider: bool = False  # without an account it was done by a person who is not signed in, not by the server
    of_all_data: bool = False  # it is in the auditor's file of every dataset
    counted: tuple[str, str] = ("", "")  # the metric that counts it, and what that says

    def __post_init__(self) -> None:
        """Refuse news that cannot be chosen for mail, and a mail choice without news."""
        assert bool(self.hears) == bool(self.mail), self.name

    @property
    def begins(self) -> bool:
        """Whether it creates an object: it contains all fields, with a digest of those that never change."""
        return bool(self.of) and not self.changes


# Accounts

SET_UP = Act("set up", Phrase("set up the server"), of="account", of_all_data=True)
INVITED = Act("invited", Phrase("invited"), of="account")
RENEWED = Act("renewed", Phrase("created a new password link for"))
JOINED = Act("joined", Phrase("chose a password"), of="account", changes=("password",))
SIGNED_IN = Act("signed in", Phrase("signed in"), routine=True)
SIGNED_OUT = Act("signed out", Phrase("signed out"), routine=True)
ENDED = Act("ended", Phrase("ended all sessions of"))
TOKEN = Act("token", Phrase("created the token"))
TOKEN_REVOKED = Act("token revoked", Phrase("revoked the token"))
WAS_REFUSED = Act(
    "was refused",
    Phrase("failed to sign in"),
    outsider=True,
    counted=("discreet_refused_sign_ins_total", "Acts about refused sign-ins; many tries are one act."),
)
FACTOR = Act(
    "factor",
    Phrase("set up two-factor authentication for"),
    of="account",
    changes=("factor",),
    hears=(OWNER,),
    mail="account",
)
FACTOR_REMOVED = Act(
    "factor removed",
    Phrase("turned off two-factor authentication for"),
    of="account",
    changes=("factor",),
    hears=(OWNER,),
    mail="account",
)
RECOVERY_CODE = Act(
    "recovery code",
    Phrase("used a recovery code of"),
    of="account",
    changes=("factor",),
    hears=(OWNER,),
    mail="account",
)
WRONG_CODE = Act(
    "wrong code",
    Phrase("entered a wrong two-factor code for"),
    outsider=True,
    hears=(OWNER,),
    mail="account",
    counted=("discreet_wrong_codes_total", "Acts about wrong codes of second factors; many tries are one act."),
)
ROLES = Act(
    "roles", Phrase("changed the roles of"), of="account", changes=("roles", "active"), saves=True, fulfils="roles"
)
NAME_ERASED = Act(
    "name erased",
    Phrase("erased the name and email address of"),
    of="account",
    changes=("name",),
    saves=True,
    forgets=True,
)
ROLES_PROPOSED = Act(
    "roles proposed",
    Phrase("proposed other roles for"),
    wants="roles",
    hears=(ADMINISTRATOR,),
    mail="waiting",
    nameless=True,
)
SUBSTITUTE = Act("substitute", Phrase("named as substitute"))
SUBSTITUTE_ENDED = Act("substitute ended", Phrase("ended the substitution by"))
MAILBOX = Act("mailbox", Phrase("changed the email address of"))
UNSENT = Act("unsent", Phrase("could not send messages by"), hears=(ADMINISTRATOR,), mail="alarms")

# Datasets

REGISTERED = Act("registered", Phrase("registered the dataset"), of="dataset", rules=True)
POLICY = Act(
    "policy",
    Phrase("changed the policy of"),
    of="dataset",
    changes=("policy",),
    saves=True,
    fulfils="policy",
    rules=True,
)
POLICY_PROPOSED = Act(
    "policy proposed",
    Phrase("proposed another policy for"),
    wants="policy",
    rules=True,
    hears=(OFFICER,),
    mail="waiting",
)
PUBLICATION_PROPOSED = Act(
    "publication proposed",
    Phrase("proposed to publish the results of"),
    wants="publication",
    hears=(OFFICER,),
    mail="waiting",
)
DELETION_PROPOSED = Act(
    "deletion proposed", Phrase("proposed to delete the rows of"), wants="deletion", hears=(OFFICER,), mail="waiting"
)
DROPPED = Act("dropped", Phrase("withdrew the proposal for"))
RECONNECTED = Act("reconnected", Phrase("changed the connection of"), of="dataset", changes=("content",), rules=True)
EXTENDED = Act(
    "extended",
    Phrase("extended the schema of"),
    of="dataset",
    changes=("declarations",),
    fulfils="declaration",
    rules=True,
)
EXTENSION_PROPOSED = Act(
    "extension proposed",
    Phrase("proposed to extend the schema of"),
    wants="declaration",
    rules=True,
    hears=(OFFICER,),
    mail="waiting",
)
RENEWED_ROWS = Act(
    "renewed rows",
    Phrase("added a version of the rows of"),
    of="dataset",
    changes=("versions",),
    fulfils="version",
    rules=True,
)
VERSION_PROPOSED = Act(
    "version proposed",
    Phrase("proposed a version of the rows of"),
    wants="version",
    rules=True,
    hears=(OFFICER,),
    mail="waiting",
)
# two acts of earlier versions: that the people of other rows are others took two officers
APART_PROPOSED = Act("apart proposed", Phrase("proposed to register rows similar to those of"), wants="apart")
APART_AGREED = Act("apart agreed", Phrase("confirmed that the people differ from those of"), wants="apart", rules=True)
NOTED = Act("noted", Phrase("added a note to"), of="dataset", changes=("errata",))
REGISTRATION_WITHDRAWN = Act("registration withdrawn", Phrase("withdrew the registration of"), ends="deletion")
WITHDRAWAL_PROPOSED = Act("withdrawal proposed", Phrase("proposed to withdraw the registration of"), wants="deletion")
CLOSED = Act("closed", Phrase("closed the dataset"), of="dataset", changes=("state",), saves=True)
DELETED = Act("deleted", Phrase("deleted the rows of"), of="dataset", changes=("state",), fulfils="deletion")
PUBLISHED = Act(
    "published",
    Phrase("published the results of"),
    of="dataset",
    changes=("published",),
    saves=True,
    fulfils="publication",
)
UNPUBLISHED = Act(
    "unpublished", Phrase("stopped publishing the results of"), of="dataset", changes=("published",), saves=True
)

# Requests: an act that ends one has the name of the state in which it leaves it

ASKED = Act("asked", Phrase("asked"), of="request", hears=(OFFICER,), mail="waiting")
ANSWERED = Act(
    "answered",
    Phrase("released the result of"),
    hears=(ASKER,),
    mail="decided",
    counted=("discreet_releases_total", "Released answers."),
)
APPROVED = Act(
    "approved", Phrase("approved"), of="request", changes=DECISION, fulfils="approval", hears=(ASKER,), mail="decided"
)
APPROVED_FIRST = Act(
    "approved first",
    Phrase("approved, as the first of two officers,"),
    wants="approval",
    hears=(OFFICER,),
    mail="waiting",
)
APPROVAL_TAKEN_BACK = Act("approval taken back", Phrase("withdrew the first approval of"), ends="approval")
DENIED = Act("denied", Phrase("denied"), of="request", changes=DECISION, hears=(ASKER,), mail="decided")
CHANGES = Act("changes", Phrase("requested changes to"), of="request", changes=DECISION, hears=(ASKER,), mail="decided")
WITHDRAWN = Act("withdrawn", Phrase("withdrew"), of="request", changes=("state",), hears=(OFFICER,), mail="ending")
EXPIRED = Act(
    "expired", Phrase("recorded the expiry of"), of="request", changes=("state",), hears=(OFFICER, ASKER), mail="ending"
)
REMARKED = Act("remarked", Phrase("commented on"), hears=(OFFICER, ASKER), mail="talk")
REMINDED = Act("reminded", Phrase("sent a reminder of the expiry of"), hears=(OFFICER, ASKER), mail="ending")

# The house

ALARMED = Act(
    "alarmed",
    Phrase("reported a problem with"),
    hears=(OFFICER, ADMINISTRATOR),
    mail="alarms",
    of_all_data=True,
    counted=("discreet_alarms_total", "Ledgers, or the trail, that did not verify when the server looked."),
)
EXAMINED = Act("examined", Phrase("ran the privacy tests for"))
VERIFIED = Act("verified", Phrase("verified the ledger of"), checks=True, verifies=True)
AUDITED = Act(
    "audited", Phrase("verified all ledgers, the audit log and the vault"), checks=True, verifies=True, of_all_data=True
)
BUNDLED = Act("bundled", Phrase("created the audit file of"))
BACKUP = Act("backup", Phrase("created a backup"), checks=True, of_all_data=True)
FOUND = Act("found", Phrase("added to the sealed audit log"))
LETTERHEAD = Act("letterhead", Phrase("changed the default registration details:"), of="letterhead", saves=True)
CONNECTION = Act("connection", Phrase("set up the connection"), of="connection")
CONNECTION_REMOVED = Act("connection removed", Phrase("removed the connection"), of="connection", changes=("state",))

EVERY = {value.name: value for value in list(vars().values()) if isinstance(value, Act)}


def those(wanted: Callable[[Act], object]) -> tuple[str, ...]:
    """Return the stored names of the acts that satisfy a condition."""
    return tuple(act.name for act in EVERY.values() if wanted(act))
