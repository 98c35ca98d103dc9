"""Public: the one list of what leaves the curator, and from which public source each part is computed.

Queries, schemas and policies are public; the result is the only thing that is drawn from rows, by a law that the
ledger was charged for. Everything else is computed from these. Tests walk fields, forms, errors, log lines and
addresses, and fail on anything that is not listed; docs/what-is-public.md is this list, printed by `document`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "query": "the query: mechanism, settings, columns, filters, groups, who sent it",
        "schema": "what was declared about the data before any row was read",
        "policy": "which queries are allowed, and at what cost",
        "ledger": "what was charged before, by the rule of the budget",
        "result": "the draw that was charged for: a number, a choice or a refusal",
        "office": "acts of people: names, decisions, reasons, days",
        "key": "a keyed hash of the rows, or of where their table is; the key never leaves the vault",
        "marks": "keyed marks of some rows, kept if an officer chose it: officers see tenths, for 20 files a day",
        "content": "a hash of the rows and of their schema, another one for each result; it stays in the ledger",
        "clock": "when it was released, after waiting for a public tick",
        "program": "the code and its packages, the same for all data",
        "file": "what the person who uploads a file sees of it, in their own browser, before any query",
    }
)
Listed = Mapping[str, str]  # the source of every part; two sources are joined by a plus


def _from(**sources: str) -> Listed:
    """Turn names by source into sources by name."""
    return MappingProxyType(
        {name: source.replace("_and_", " + ") for source, names in sources.items() for name in names.split()}
    )


COST: Listed = _from(ledger="epsilon delta")
RELEASE: Listed = _from(
    query="id request refines",
    result="answer",
    ledger="entry",
    query_and_result="interval size cost",
    clock="at",
    program="packages",
)
RECORD: Listed = _from(
    query="id question mechanism columns by where refines",
    schema="as_read",
    result="answer answer_dated refused",
    program="confidence population_if population_of packages",
    query_and_result="interval interval_dated size cost holding_together population_interval",
    query_and_schema="rank_error",
    ledger="ledger_entry",
    clock="at",
)
CARD: Mapping[str, Listed] = MappingProxyType(
    {
        "identity": _from(
            query="id number url_slug title purpose asked supersedes",
            schema="region sector curators curator_kind contact",
            office="audience status state published",
            program="product",
        ),
        "release": _from(
            query="question identity plain no_interval",
            result="answer refused",
            query_and_result="interval",
            query_and_schema="rank_error",
            schema="parts as_read",
        ),
        "data": _from(
            schema="id name registration_sha256 source collection registered columns "
            "bounds_chosen_by_looking public_number keep_until no_day_because "
            "every_row_another_person live other_people_than",
            office="state declared_by extended extended_by administered_by version notes",
            program="rows",
            key="fingerprint",
        ),
        "guarantee": _from(
            query="variant epsilon delta rho neighbours data_domain unprotected_quantities risk",
            schema="privacy_unit privacy_unit_details",
            ledger="risk_of_all risk_of_waiting risk_of_budget",
        ),
        "mechanism": _from(
            query="name slug parameters",
            program="program description guarantee proof full_proof depends_on_the_data noise "
            "noise_source opendp mitigations post_processing packages",
        ),
        "accounting": _from(
            policy="rule total period",
            program="composition refusals",
            query="cost cost_of_a_refusal counted_rho proof one_by_one",
            ledger="spent_before spent_after left_now charge head other_releases use",
            schema="outside_of_this_ledger",
        ),
        "accuracy": _from(query="half_width confidence note warning", program="clipping utility"),
        "evidence": _from(
            program="pairs largest_delta claimed_delta holds about not_run_here program commit "
            "code_sha256 requirements_sha256",
            office="run",
        ),
        "people": _from(office="analyst decided_by decision decided reason checklist until signature"),
    }
)
CARD_PARTS: Listed = _from(  # the content of these parts, down to numbers and sentences
    query="odds_factor best_guess_from_half groups in_words together name value label request",
    ledger="epsilon delta line hash charge more_like_this pace ends charges_a_week",
    program="floating_point timing platform program code_sha256 this_program summary layers_by_row",
    office="number day why text bounds",
    policy="rule",
)
FREE = (  # a query, a schema, a result itself, numbered points, the results of the layers of evidence
    "release.plain",
    "release.answer",
    "release.interval",
    "data.columns",
    "people.checklist",
    "layers_by_row",
    "value",
)
OUTPUTS: Mapping[str, Listed] = MappingProxyType(
    {
        "A result (`Release`)": RELEASE,
        "A result as JSON": RECORD,
        "A result as a line of CSV": _from(
            clock="at",
            query="statistic columns by group part where mechanism id",
            result="answer whole adding_up",
            query_and_result="low high low_at_once high_at_once size note",
            query_and_schema="rank_error unit",
            ledger="epsilon delta entry",
            schema="as_read",
            office="status",
        ),
        "A file of results as JSON": {
            **RECORD,
            **_from(query="groups part", query_and_result="values", result="releases", office="status"),
            **_from(program="discreet_releases"),
        },
        "A report of results": _from(
            query="chapters statistic where levels part replaced",
            result="answer text whole data sums",
            query_and_schema="rank unit read",
            schema="schema",
            ledger="total promise",
            program="methods together signs",
            office="cover title office contact note status rule",
            query_and_result="interval ends size vague notes release alone",
        ),
        "A result as it is stored": _from(
            query="id request identity refines",
            result="answer",
            query_and_result="interval size",
            ledger="entry cost",
            clock="at",
            result_and_content="behind",
            program="packages",
        ),
        "A list of released results": {
            **RECORD,
            **_from(
                query="number purpose proof one_by_one",
                query_and_result="rows",
                ledger="charge rule total spent head",
                schema="dataset unit",
                office="version",
                result="releases",
                program="discreet_releases",
            ),
        },
        "A result as the command prints it": {**RECORD, **_from(ledger="left head")},
        "An entry of a ledger": _from(
            query="request_id kind account", ledger="seq cost held amount total", result="taken", clock="time"
        ),
        "An entry of a ledger as CSV": _from(
            query="kind request", ledger="entry epsilon delta held_epsilon held_delta", result="taken"
        ),
        "An address": _from(
            query="/card/{name} query-question query-column",
            schema="/releases/{name} /published.json",
            office="/enter/{ticket} /bundle/{name} /api/{rest:path} link",
            program="lang code topic plan start /health/live /health/ready",
        ),
        "An address for programs": _from(
            office="/api/v1/me /api/v1/requests /api/v1/requests/{request}/checklist "
            "/api/v1/requests/{request}/decision /api/v1/requests/{request}/withdrawal",
            schema="/api/v1/datasets /api/v1/datasets/{dataset} /api/v1/datasets/{dataset}/forecasts "
            "/api/v1/datasets/{dataset}/plans",
            query="/api/v1/datasets/{dataset}/requests /api/v1/requests/{request} /api/v1/requests/{request}/card",
            result="/api/v1/datasets/{dataset}/releases",
        ),
        "A reply to a program": _from(
            office="login name roles token scopes until datasets requests more state published notes status analyst "
            "decided_by decided reason asked version points seen verified to_answer at text number",
            schema="id dataset source basis unit people keep_until live declaration",
            policy="policy rule limit why waits_because outcome left_of_period",
            ledger="spent left total head epsilon delta",
            query="title cost question purpose round plan errors half_width",
            result="release releases",
            program="confidence note discreet_releases detail",
        ),
        "What registered data look like": _from(office="name source", schema="columns table", marks="tenths"),
        "A metric": _from(
            office="discreet_requests discreet_decisions_total discreet_refused_sign_ins_total "
            "discreet_wrong_codes_total discreet_alarms_total discreet_verified_timestamp_seconds discreet_datasets "
            "discreet_tokens",
            result="discreet_releases_total",
            program="discreet_healthy discreet_api_calls_total",
            clock="discreet_api_seconds_total",
        ),
        "A line of the log": {
            "error %s: %s": "program",
            "no house: %s": "program",
            "keeping house: %s": "program",
            "keeping watch: %s": "program",
            "evidence: %s": "program",
            "health of %s: %s": "program",
            "not well: %s": "program",
            "no metrics: %s": "program",
            "act %s does not fit into the trail": "office",
        },
    }
)
ERRORS: Listed = _from(
    query="by column comparison day default delta epsilon epsilon_test given half_width high j levels "
    "place shapes statistic version k kind label low lower people q ratio request_id rows shape share "
    "sigma size size_guess units upper value wanted wish name names",
    schema="error example fold last missing protected reduce source step unit values zone",
    office="state time",
    policy="cost fewest limit most other roles spent",
    program="key accepted advice allowed base call choices examples file first formats known path largest largest_top "
    "largest_unpacked largest_upload "
    "longest longest_name least most_blocks most_candidates most_cells most_columns most_people "
    "most_queries most_rows most_statistics narrowest number smallest smallest_test ticks "
    "widest why field line text ending titles settings types package setting module thing group",
    file="cells encoding line_num many program",
)
SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "groups": "one result, or refusal, and one interval for each declared or merged level or band, in their order",
        "several": "a list of numbers or labels; their number and names are public, except "
        "that a stream of choices ends where the last of them is drawn",
        "certain": "a number, or a refusal of a test, with an interval: of public width, or drawn with the number",
        "uncertain": "a number, or a refusal of a test, without an interval",
        "choice": "one of the declared labels",
    }
)


# --- Strangers: what occurs on a form or a card, and is not on the list of what is public ---


def strangers(names: Iterable[str], listed: Listed) -> list[str]:
    """Return the names that are not on a list; heads of tables are written with blanks."""
    return sorted({name.replace(" ", "_") for name in names} - set(listed))


def inside(value: Any, path: str = "") -> Iterator[str]:
    """Yield the name of every part inside a part of a card."""
    if path in FREE or path.rpartition(".")[2] in FREE:
        return
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield name
            yield from inside(part, name)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from inside(part, path)


def strange_parts(card: Mapping[str, Any]) -> list[str]:
    """Return the parts of a card that are not on the list."""
    strange = [name for name in card if name not in CARD and name not in ("discreet_card", "rows")]
    strange += [part for row in card.get("rows", ()) for part in strange_parts(row)]  # of a plan, each like a card
    for section, listed in CARD.items():
        for name, value in card.get(section, {}).items():
            parts = inside(value, f"{section}.{name}")
            strange += [] if name in listed else [f"{section}.{name}"]
            strange += [f"{section}.{name}.{part}" for part in strangers(parts, CARD_PARTS)]
    return strange
