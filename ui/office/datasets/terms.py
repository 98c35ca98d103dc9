"""Terms: the fields of a registration: its controller, its unit of privacy, its policy, its periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import streamlit as st

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.allowance import MOST_CARRIED, Allowance
from discreet.mechanisms import known_families
from discreet.office import House, Policy, Registration
from discreet.office.datasets import letterhead
from discreet.office.datasets.letterhead import LABELS, LISTS, Letterhead
from discreet.office.people import accounts, signing_in
from discreet.office.rules.registration import FAMILIES, OF_A_WAVE, PAIRED, ROW, UNITS
from discreet.report.risk import risk
from discreet.rows import Schema
from discreet.rows.proposals.catalogue import names_a_person
from discreet.ui.data.upload import Whose
from discreet.ui.frame import results
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office.forms import Entries
from discreet.ui.session import door
from discreet.ui.session.workspace import Draft

# Responsible: the person or body responsible for the data, prefilled with the organisation's letterhead.

WORDS = {
    "Technology": Phrase("Technology"),
    "Healthcare": Phrase("Healthcare"),
    "Education": Phrase("Education"),
    "Government": Phrase("Government"),
    "Energy": Phrase("Energy"),
    "Finance": Phrase("Finance"),
    "Nonprofit": Phrase("Nonprofit"),
    "Industry": Phrase("Industry"),
}  # the choices are those of the public registry
HERE = ("organisation", "kind", "sector", "contact", "region", "access")


def of_house(house: House) -> Letterhead:
    """Return the organisation's letterhead; an empty one, with a warning, if the audit log does not confirm it."""
    try:
        return letterhead.of_house(house)
    except ParameterError as strange:
        st.error(quoted(say(strange)))
        return Letterhead()


def ask_responsible(entries: Entries, said: Letterhead) -> None:
    """Ask for the responsible body of the data, prefilled from the letterhead."""
    st.markdown(f"**{say('Data controller')}**")
    st.caption(
        say("These values come from the Settings page. Changes here apply only to this dataset.")
        if said.said
        else say("An administrator can enter this once for all registrations, on the Settings page.")
    )
    for name in HERE:
        field(name, getattr(said, name), entries.key(name))


def field(name: str, text: str, key: str) -> None:
    """Show one part as a field: a selection if the public registry has a list for it."""
    if name not in LISTS:
        st.text_input(say(LABELS[name]), text, key=key, max_chars=500)
        return
    options = ["", *LISTS[name]]
    st.selectbox(say(LABELS[name]), options, options.index(text), key=key, format_func=responsible_in_words)


def responsible_in_words(word: str) -> str:
    """Translate an entry of the public registry's lists; a dash if it is empty, any other text unchanged."""
    return say(WORDS[word]) if word in WORDS else word or "–"


# Policy: the policy of a dataset as widgets, read at the moment of the action.

SHARE = Phrase("Leave this empty to allow all of the remaining budget. A limit on ε includes the same share of δ.")
DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")


def ask_policy(now: Policy, entries: Entries) -> None:
    """Show a policy as widgets; `policy_of` reads them."""
    st.pills(
        say("Mechanisms"),
        list(FAMILIES),
        selection_mode="multi",
        default=list(now.families),
        key=entries.key("families"),
        format_func=_name,
    )
    left, right = st.columns(2)
    with left:
        _amounts(now, entries)
    with right:
        _limits(now, entries)
    _people(now, entries)
    _strangers(entries)


def policy_of(entries: Entries) -> Policy:
    """Return the policy from the current values of the widgets, in a callback as well."""
    until = entries.value("last")
    return Policy(
        families=tuple(entries.value("families") or ()),
        free=entries.value("free"),
        most=entries.value("most"),
        most_delta=float(entries.value("delta-most")),
        share=entries.value("share"),
        shares=_shares(entries.text("shares")),
        days=int(entries.value("days")),
        until="" if until is None else until.isoformat(),
        pair=entries.value("pair"),
        both=tuple(entries.value("both") or ()),
        officers=logins(entries.text("officers")),
        analysts=logins(entries.text("analysts")),
    )


def policy_in_words(policy: Policy) -> dict[str, Any]:
    """Describe a policy, for a last reading before it takes effect."""
    free = policy.free
    share = policy.share
    shares = ", ".join(f"{who}={most:g}" for who, most in policy.shares.items())
    return {
        say("Runs without approval up to ε"): f"{free:g}" if free else say("nothing"),
        say("Two approvals required above ε"): "" if policy.pair is None else f"{policy.pair:g}",
        say("Also require two officers for"): ", ".join(say(PAIRED[act]) for act in policy.both),
        say("Responsible officers"): ", ".join(policy.officers),
        say("Allowed analysts"): ", ".join(policy.analysts),
        say("Maximum cost per release"): f"ε {number(policy.most)}, δ {number(policy.most_delta)}",
        say("Limit for each analyst (ε)"): "" if share is None else f"{share:g}",
        say("Other limits"): shares,
        say("Requests expire after (days)"): str(policy.days),
        say("Queries accepted until"): policy.until,
        say("Mechanisms"): ", ".join(map(_name, policy.families)),
    }


def second_officer(alone: bool) -> None:
    """Show who must confirm what is released without approval; warn if no second officer exists."""
    if alone:
        st.warning(
            say(
                "You are the only officer, so the limit for releases without approval needs no "
                "confirmation. The audit log records this. Invite a second officer."
            )
        )
    else:
        st.caption(
            say(
                "A limit without approval above 0, or a policy that names fewer than two officers, takes "
                "effect once another officer confirms it."
            )
        )


def _amounts(now: Policy, entries: Entries) -> None:
    """Ask what is released without approval, and what may be asked at all."""
    st.number_input(
        say("Runs without approval up to ε"),
        0.0,
        50.0,
        now.free,
        0.1,
        key=entries.key("free"),
        help=say(
            "0 means that every release needs approval. A second officer, if there is one, must "
            "confirm a value above 0."
        ),
    )
    _pair(now, entries)
    st.number_input(say("Maximum ε per release"), 0.01, 50.0, now.most, 0.1, key=entries.key("most"))
    st.selectbox(
        say("Maximum δ per release"), DELTAS, DELTAS.index(_delta(now.most_delta)), key=entries.key("delta-most")
    )


def _pair(now: Policy, entries: Entries) -> None:
    """Ask above which epsilon two officers are required."""
    st.number_input(
        say("Two approvals required above ε"),
        0.0,
        50.0,
        now.pair,
        0.1,
        key=entries.key("pair"),
        help=say(
            "Leave this empty if one officer is enough. Each officer completes a separate checklist. "
            "A change that lets fewer requests need two officers also requires two officers."
        ),
    )


def _people(now: Policy, entries: Entries) -> None:
    """Ask what else requires two officers, and who keeps and queries this dataset."""
    st.pills(
        say("Also require two officers for"),
        list(PAIRED),
        selection_mode="multi",
        default=list(now.both),
        key=entries.key("both"),
        format_func=lambda act: say(PAIRED[act]),
    )
    every_officer = say(
        "Enter logins, separated by commas. Leave this empty to allow all officers. A change requires two officers."
    )
    every_analyst = say(
        "Enter logins, separated by commas. Leave this empty to allow all analysts. A change requires two officers."
    )
    for name, label, whose, advice in (
        ("officers", say("Responsible officers"), now.officers, every_officer),
        ("analysts", say("Allowed analysts"), now.analysts, every_analyst),
    ):
        st.text_input(label, ", ".join(whose), key=entries.key(name), help=advice)


def _strangers(entries: Entries) -> None:
    """Show which of the typed logins do not exist."""
    house = door.house()
    if house is None:
        return
    here = {account["person"].login for account in accounts.everybody(house)}
    typed = {login for text in ("officers", "analysts") for login in logins(entries.text(text))}
    unknown = sorted(typed.union(login for login, _ in _parts(entries.text("shares"))) - here)
    if unknown:
        names = quoted(", ".join(unknown))
        st.warning(
            say(
                "No account here has the login {logins}. Correct it, or invite the person on the People page.",
                logins=names,
            )
        )


def _limits(now: Policy, entries: Entries) -> None:
    """Ask for the limits of analysts, and for the end dates of requests and queries."""
    st.number_input(
        say("Limit for each analyst (ε)"), 0.0, 50.0, now.share, 0.5, key=entries.key("share"), help=say(SHARE)
    )
    st.text_input(
        say("Other limits"),
        ", ".join(f"{who}={most:g}" for who, most in now.shares.items()),
        key=entries.key("shares"),
        help=say("Enter limits for single analysts by login: ann=1.5, bob=0.5"),
    )
    st.number_input(say("Requests expire after (days)"), 1, 365, now.days, key=entries.key("days"))
    st.date_input(
        say("Queries accepted until"), date.fromisoformat(now.until) if now.until else None, key=entries.key("last")
    )


def _name(key: str) -> str:
    return say(known_families()[key].name)


def _delta(most: float) -> str:
    return next((text for text in DELTAS if float(text) >= most), DELTAS[-1])


def logins(text: str) -> tuple[str, ...]:
    """Parse logins."""
    return tuple(filter(None, (part.strip().lower() for part in text.split(","))))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the typed names with the text behind each."""
    for part in filter(None, map(str.strip, text.split(","))):
        login, _, share = part.partition("=")
        yield login.strip().lower(), share


def _shares(text: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for login, share in _parts(text):
        try:
            shares[login] = float(share)
        except ValueError:
            raise ParameterError("Enter limits as ann=1.5, bob=0.5") from None
    return shares


# Periods: how fast the budget may be spent, as fields of a registration.


ANY = ""
SPANS = {
    ANY: Phrase("No limit per period"),
    "month": Phrase("A fixed amount per month"),
    "quarter": Phrase("A fixed amount per quarter"),
    "year": Phrase("A fixed amount per year"),
    "wave": Phrase("A fixed amount per wave (version of the rows)"),
}


def ask_periods(entries: Entries) -> None:
    """Ask when the budget may be spent, and how much is carried over."""
    span = st.selectbox(
        say("Spending limit"), list(SPANS), key=entries.key("span"), format_func=lambda name: say(SPANS[name])
    )
    if span == ANY:
        return
    left, middle, right = st.columns(3)
    left.number_input(say("ε per period"), 0.01, 50.0, 0.5, 0.1, key=entries.key("span-epsilon"))
    middle.selectbox(say("δ per period"), DELTAS, 3, key=entries.key("span-delta"))
    right.number_input(
        say("Maximum carry-over (multiple)"),
        0,
        MOST_CARRIED,
        0,
        key=entries.key("carried"),
        help=say(
            "Unused budget of a period is carried over to the next, up to this multiple of the amount "
            "per period. 0 means that it lapses."
        ),
    )


def period_of(entries: Entries) -> str:
    """Return the rule in its written form, from the current fields."""
    span = entries.value("span", ANY) or ANY
    if span == ANY:
        return ANY
    each = Cost.of(str(entries.value("span-epsilon")), entries.value("span-delta"))
    return Allowance(span, each, int(entries.value("carried"))).written


# Unit of privacy: whether one person can have several rows, asked first because it decides who is protected.

FIELD = "several"
QUESTION = Phrase("Can one person have more than one row?")
ANSWERS = {
    "no": Phrase("No: every row is a different person"),
    "yes": Phrase("Yes: a column identifies the person"),
    "unknown": Phrase("I do not know"),
}


def ask_whose(entries: Entries, names: Sequence[str], schema: Schema | None) -> Schema | None:
    """Ask it, and for the column that identifies the person; return the schema with that column."""
    declared = schema is not None and schema.person is not None
    st.radio(
        say(QUESTION) + " *",
        list(ANSWERS),
        index=None,
        horizontal=True,
        format_func=lambda name: say(ANSWERS[name]),
        key=entries.key(FIELD),
        help=say("A person with several rows is protected only if a column identifies which rows are theirs."),
    )
    with st.container():  # a container keeps the widgets below when this one appears or disappears
        _follows(entries, names, schema, declared)
    return schema if schema is None or declared or answer(entries) != "yes" else _fields(entries).applied(schema)


def _follows(entries: Entries, names: Sequence[str], schema: Schema | None, declared: bool) -> None:
    """Ask for the column, or say what an answer means."""
    said = answer(entries)
    if said == "yes" and declared and schema is not None and schema.person is not None:
        st.caption(
            say("The schema below declares {name} as the column that identifies people.", name=quoted(schema.person[0]))
        )
    elif said == "yes":
        _fields(entries).ask([name for name in names if schema is None or name not in schema.askable])
    elif said == "unknown":
        st.warning(
            say(
                "One row is then protected, not one person, and every card states this. A person with "
                "several rows is protected less."
            )
        )
    likely = [name for name in names if names_a_person(name)]
    if likely and said != "yes":
        st.caption(
            say(
                "Judging by their names, these columns may identify people: {columns}.",
                columns=quoted(", ".join(likely)),
            )
        )


def answer(entries: Entries) -> str | None:
    """Return the current answer."""
    said = entries.value(FIELD)
    return said if said in ANSWERS else None


def unit_of(entries: Entries) -> str:
    """Return the unit of privacy: a row if persons cannot be identified, else the chosen unit."""
    return ROW if answer(entries) == "unknown" else str(entries.value("unit"))


def alone(entries: Entries) -> bool:
    """Whether every row is a different person."""
    return answer(entries) == "no"


def lacking(entries: Entries, schema: Schema | None) -> Iterator[Phrase]:
    """Yield what is missing, or contradicts the columns."""
    said = answer(entries)
    if said is None:
        yield Phrase("Answer “{field}”", field=QUESTION)
    elif said == "yes" and (schema is None or schema.person is None):
        yield Phrase("Choose the column that identifies people.")
    elif said != "yes" and schema is not None and schema.person is not None:
        yield Phrase(
            "Column {name!r} is declared as the person column. Answer that a column identifies the person.",
            name=schema.person[0],
        )


def fields(entries: Entries) -> tuple[object, ...]:
    """Return the current values of the fields."""
    return entries.value(FIELD), entries.value("whose"), entries.value("rows")


def _fields(entries: Entries) -> Whose:
    return Whose(entries.key("whose"), entries.key("rows"))


# Declarations: what an officer declares about the data at the registration, field by field.

# as typed
WRITTEN = ("source", "basis", "apart", *HERE)
OATHS = {
    "looked": Phrase("Were any bounds chosen by looking at the data?"),
    "others": Phrase("Are there other releases of the same dataset?"),
}


def registration_of(entries: Entries, schema: Schema) -> Registration:
    """Return the registration from the current fields."""
    until = entries.value("until")
    if until is None and not entries.text("forever"):
        raise ParameterError("Enter the date until which the rows are kept, or the reason for having no date.")
    return Registration(
        schema=schema,
        name=" ".join(entries.text("name").split()),
        unit=unit_of(entries),
        **{field: entries.text(field) for field in WRITTEN},
        **{field: entries.text(field) if sworn(entries, field) else "" for field in OATHS},
        alone=schema.person is None and alone(entries),
        limit=Cost.of(str(entries.value("epsilon")), entries.value("delta")),
        rule=entries.value("rule"),
        people=entries.value("people"),
        keep_until="" if until is None else until.isoformat(),
        forever=entries.text("forever") if until is None else "",
        period=period_of(entries),
        compared=bool(entries.value("compared")),
    )


def sworn(entries: Entries, field: str) -> bool | None:
    """Return the yes or no of a field; None if it has no answer."""
    said: bool | None = entries.value(f"{field}-said")
    return said


def ask_about(draft: Draft, entries: Entries, basis: str) -> None:
    """Ask what the data are, and what only the registering officer can know."""
    name = draft.name.rpartition(".")[0] or draft.name
    st.caption(say("Fields marked * are required."))
    st.text_input(say("Name") + " *", name, key=entries.key("name"), max_chars=80)
    _text(entries, "source", say("Source") + " *", say("Enter who collected this dataset, and when."))
    _text(
        entries,
        "basis",
        say("Legal basis for collection") + " *",
        say("Enter the legal basis: consent, a law or a contract."),
        basis,
    )
    _protected(entries)
    _history(entries)
    _comparing(entries)


def _protected(entries: Entries) -> None:
    """Ask for the unit of privacy and what depends on it; a row if persons cannot be identified."""
    if unit_of(entries) == ROW:
        st.text_input(say("Unit of privacy"), say(UNITS[ROW]), disabled=True, key=entries.key("unit-row"))
        return
    st.selectbox(
        say("Unit of privacy"),
        [unit for unit in UNITS if unit not in (ROW, OF_A_WAVE)],
        key=entries.key("unit"),
        format_func=lambda unit: say(UNITS[unit]),
        help=say("The unit of privacy is one row, or what the person column identifies."),
    )


def _comparing(entries: Entries) -> None:
    """Ask whether the rows may be compared with later registrations."""
    st.checkbox(
        say("Keep row marks (to detect the same people)"),
        key=entries.key("compared"),
        help=say(
            "Row marks are keyed numbers made from some rows and identifiers. They are stored sealed "
            "with the rows and deleted with them. Files registered later are compared with them, at "
            "most {most} per officer and day. Officers see the overlap in tenths. Anyone with this "
            "server's key could test whether a row they know is included. Turn this off if that is "
            "too much.",
            most=signing_in.MOST_COMPARED,
        ),
    )


def _text(entries: Entries, field: str, label: str, help: str, text: str = "") -> None:
    st.text_input(label, text, key=entries.key(field), help=help)


def _history(entries: Entries) -> None:
    """Ask about the history of the data: both questions need an answer, and "yes" needs an explanation."""
    _oath(
        entries,
        "looked",
        say("Which bounds, and why?"),
        say("Bounds taken from the rows reveal their smallest and largest values."),
    )
    _oath(
        entries,
        "others",
        say("Which releases?"),
        say("List all of them, private or not: tables, reports, earlier budgets."),
    )


def _oath(entries: Entries, field: str, which: str, help: str) -> None:
    with st.container():  # the fields after a "yes" appear and disappear
        st.radio(
            say(OATHS[field]) + " *",
            [False, True],
            index=None,
            horizontal=True,
            format_func=lambda yes: say("Yes") if yes else say("No"),
            key=entries.key(f"{field}-said"),
            help=help,
        )
        if sworn(entries, field):
            st.text_input(which + " *", key=entries.key(field))


def _meaning(entries: Entries) -> None:
    """Show what the typed budget means for one person, and whether its delta is too large for so many people."""
    cost = Cost.of(str(entries.value("epsilon")), entries.value("delta"))
    people = entries.value("people")
    unit = UNITS[unit_of(entries)]
    what = Phrase("all results that the whole budget allows")
    st.caption(quoted(say(risk(cost, unit, what, None).in_words[0])))
    if people and cost.delta * people**2 > 1:
        st.warning(
            say(
                "δ is large for {people} people. Keep it below {most}, which is 1 / (number of people)².",
                people=f"{people:,}",
                most=f"{1 / people**2:.1g}",
            )
        )


def ask_budget(entries: Entries) -> None:
    """Ask for the budget, and for the deletion of the rows."""
    st.number_input(say("Total ε"), 0.1, 50.0, 3.0, 0.5, key=entries.key("epsilon"))
    st.selectbox(say("Total δ"), DELTAS, 4, key=entries.key("delta"))
    results.choice(entries.key("rule"))
    st.number_input(
        say("Public number of people"),
        1,
        None,
        None,
        key=entries.key("people"),
        help=say("Use a number from outside the dataset. Keep δ below 1 / (number of people)²."),
    )
    with st.container():  # one or two lines: the widgets below are kept
        _meaning(entries)
    with st.container():
        ask_periods(entries)
    until = st.date_input(say("Rows kept until"), None, key=entries.key("until"))
    if until is None:
        st.text_input(say("Or the reason for having no deletion date"), key=entries.key("forever"), max_chars=500)
