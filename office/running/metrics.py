"""Metrics: numbers for the server administrator in the format of Prometheus; none of a single dataset or person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

from sqlalchemy import func, select

from discreet.office.house import acts
from discreet.office.house.audit_log import moment
from discreet.office.house.house import House
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import credentials, datasets, requests
from discreet.office.requests.states import ANSWERED, EVERY
from discreet.office.running.health import LOOKS, wrongs

DECISIONS = acts.those(lambda act: act.of == acts.ASKED.of and not act.begins)
VERIFIED = acts.those(lambda act: act.verifies)
COUNTED = tuple((*act.counted, act.name) for act in acts.EVERY.values() if any(act.counted))
Labels = tuple[tuple[str, str], ...]


class CallTally:
    """What a server counted since its start: calls of programs by operation and answer, and their seconds."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self.calls: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count one call."""
        with self._lock:
            self.calls[operation, status] += 1
            self.seconds[operation] += seconds  # type: ignore[assignment]

    def taken(self) -> tuple[dict[tuple[str, int], int], dict[str, float]]:
        """Return what was counted so far."""
        with self._lock:
            return dict(self.calls), dict(self.seconds)


TALLY = CallTally()


def metrics(house: House | None, tally: CallTally = TALLY) -> str:
    """Write all of them."""
    return "\n".join(_lines(house, tally)) + "\n"


def _lines(house: House | None, tally: CallTally) -> Iterator[str]:
    wrong = wrongs(house) if house is not None else dict.fromkeys(LOOKS, "")
    yield from _family("discreet_healthy", "gauge", "1 where a part is well.", _labelled("part", _well(wrong)))
    if house is not None and "database" not in wrong:
        yield from _of_house(house)
    calls, seconds = tally.taken()
    counted = [((("operation", name), ("status", str(status))), times) for (name, status), times in calls.items()]
    yield from _family("discreet_api_calls_total", "counter", "Calls of programs since the start.", counted)
    spent = "Seconds that calls of programs took since the start."
    yield from _family("discreet_api_seconds_total", "counter", spent, _labelled("operation", seconds))


def _well(wrong: Mapping[str, str]) -> dict[str, float]:
    return {part: float(part not in wrong) for part in LOOKS}


def _of_house(house: House) -> Iterator[str]:
    """Yield totals of the database."""
    with house.store.reading() as connection:
        of_states = select(requests.c.state, func.count()).group_by(requests.c.state)
        states: dict[str, int] = {state: times for state, times in connection.execute(of_states)}
        of_acts = select(told_acts.c.what, func.count(), func.max(told_acts.c.time)).group_by(told_acts.c.what)
        done = {what: (times, last) for what, times, last in connection.execute(of_acts)}
        open_ = select(func.count()).select_from(datasets).where(datasets.c.state == "open")
        live = select(func.count()).select_from(credentials).where(credentials.c.until > house.clock())
        sizes = {"discreet_datasets": connection.execute(open_).scalar_one()}
        sizes |= {"discreet_tokens": connection.execute(live).scalar_one()}
    counts = {state: float(states.get(state, 0)) for state in EVERY if state != ANSWERED.name}
    yield from _family("discreet_requests", "gauge", "Requests by state.", _labelled("state", counts))
    decisions = {what: float(done.get(what, (0, ""))[0]) for what in DECISIONS}
    yield from _family("discreet_decisions_total", "counter", "Decisions by kind.", _labelled("kind", decisions))
    for name, about, what in COUNTED:
        yield from _family(name, "counter", about, [((), float(done.get(what, (0, ""))[0]))])
    last = max((moment(done[what][1]) for what in VERIFIED if what in done), default=0.0)
    about = "When a ledger or all of them were last verified by a person or by command; 0: never."
    yield from _family("discreet_verified_timestamp_seconds", "gauge", about, [((), last)])
    for name, size in sizes.items():
        yield from _family(name, "gauge", ABOUT[name], [((), float(size))])


ABOUT = {"discreet_datasets": "Datasets that are open.", "discreet_tokens": "Tokens of programs that work."}


def _labelled(name: str, values: Mapping[str, float]) -> list[tuple[Labels, float]]:
    return [(((name, value),), number) for value, number in values.items()]


def _family(name: str, kind: str, about: str, values: Iterable[tuple[Labels, float]]) -> Iterator[str]:
    """Yield the lines of one metric: what it is, and its values by their labels."""
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, number in values:
        words = ",".join(f'{key}="{value}"' for key, value in labels)
        yield f"{name}{'{' + words + '}' if words else ''} {number:.17g}"
