"""Query: one question, the best method for it, its price, and its result as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

import streamlit as st

from discreet.budget import Cost, ParameterError, Phrase
from discreet.curator import Release, Request
from discreet.lab.contest import MOST_PEOPLE, SHAPES
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.view import Weighted
from discreet.mechanisms.base.vocabulary import Topic
from discreet.mechanisms.selection import MOST_COMMON
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.plans import Sizes, Wanted
from discreet.plans.methods import BINNED, GUESSED, PREDICTION, SHAPE, Subject, equal_bins, statistic_of
from discreet.plans.plan import sizes_of
from discreet.plans.planning import EQUAL, PASSING, QUARTER, Offers, about, answerable, choice, epsilon_of, no_mechanism
from discreet.queries import Bounds, Query, Relation
from discreet.queries.column import Bins
from discreet.queries.count import Count
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.queries.sum import Sum
from discreet.report.html import label_name
from discreet.report.words import numbers_of, people_or_rows, size_label
from discreet.rows import Schema
from discreet.rows.columns.grouping import Grouping
from discreet.rows.schema import BETWEEN
from discreet.ui.ask import answers as card
from discreet.ui.ask import form, price, refilling, spending
from discreet.ui.ask.forecast import assumed
from discreet.ui.data import checking, filters
from discreet.ui.figures import answers as figures
from discreet.ui.frame.families import FACES, asked_on
from discreet.ui.frame.links import handheld, link, primary, to_dataset
from discreet.ui.frame.results import guess_line
from discreet.ui.frame.scrolling import bring
from discreet.ui.frame.words import in_words, number, quoted, say, unit_of
from discreet.ui.session import state
from discreet.ui.session.state import choose, workspace
from discreet.ui.session.streamlit_seams import DeltaGenerator

# Questions: what a plan can ask, bins of a number column, and the most common value; each with its columns.

COUNTS = "counts"
FREQUENT = (Count.name, Mean.name, Median.name, Sum.name, Quantile.name, COUNTS, MOST_COMMON.name)
SHORT = {COUNTS: Phrase("Histogram"), MOST_COMMON.name: Phrase("Most common value")}
MORE = "more"
FEWEST = 2  # bins
Questions = dict[str, tuple[Topic, list[str]]]


def offered(schema: Schema) -> Questions:
    """Return each question with the columns that it can be asked of, frequent ones first."""
    every = form.topics(list(FACES), schema)
    topics = {topic.name: topic for topic in every if topic.name != QUANTILES.name}
    names = [*(name for name in FREQUENT if name in topics), *(name for name in topics if name not in FREQUENT)]
    fit = {name: [each for each in form.fitting(schema, topics[name]) if can(schema, name, each)] for name in names}
    return {name: (topics[name], columns) for name, columns in fit.items() if columns}


def can(schema: Schema, name: str, column: str, by: tuple[Grouping, ...] = ()) -> bool:
    """Whether this page can ask a question of a column, or of it and another one, by these groups."""
    if name == MOST_COMMON.name:
        return not by
    bins = FEWEST if name == COUNTS and column in schema.numbers else None
    second = None
    if name in estimators and estimators[name].columns == 2:
        second = next(iter(form.seconds(schema, name, column)), None)
        if second is None:
            return False
    level = form.middle(schema, column) if name == PREDICTION else None
    return answerable(statistic_of(schema, name, column, by, level, GUESSED, SHAPE, bins=bins, second=second))


def label_of(topic: Topic) -> str:
    """Name a question in one or two words."""
    return say(SHORT.get(topic.name, topic.label))


# Asked: a question as it stands in the form, and the methods for it at its cost.


@dataclass(frozen=True)
class Wish:
    """A question without its method: what is asked of which rows, and the public guess on which methods compete."""

    topic: Topic
    item: Wanted
    bins: Bins | None
    people: int
    shape: str
    schema: Schema
    sizes: tuple[Sizes, ...] = ()

    @property
    def subject(self) -> Subject | None:
        """The public information on it; None for a choice, which has no error."""
        if self.topic == MOST_COMMON:
            return None
        return replace(self.item.subject(self.schema, self.people, self.shape, self.sizes), coarse=False)

    def request(self, mechanism: Mechanism) -> Request:
        """Return the query by a method."""
        return Request(mechanism, self.item.columns, self.item.where, self.item.outer)

    def without_interval(self) -> Wish:
        """Return the same question, for methods that need not report an interval."""
        return replace(self, item=replace(self.item, interval=False))


@dataclass(frozen=True)
class Methods:
    """The methods for a wish at a cost: the best one and why, those with an interval, and the others."""

    best: str
    why: str
    sure: Offers
    others: Offers

    @property
    def every(self) -> Offers:
        """All methods, by name."""
        return self.others | self.sure


def methods(wish: Wish, epsilon: float, delta: float) -> Methods:
    """Choose among the methods with an interval, on public ground; among the others if there is none."""
    subject = wish.subject
    if subject is None:
        return _of_choice(wish, epsilon)
    with_interval = choice(subject, epsilon, delta)
    others = choice(replace(subject, interval=False), epsilon, delta)
    best = with_interval or others
    if best is None:
        raise no_mechanism(wish.item)
    sure = {} if with_interval is None else with_interval.offers
    rest = {} if others is None else {slug: each for slug, each in others.offers.items() if slug not in sure}
    return Methods(best.best, _why(best.best, best.compared, bool(sure)), sure, rest)


KNOWN = Phrase("Smallest margin known in advance, of {number}")
UNKNOWN = Phrase("Smallest error of {number} methods")


def _why(slug: str, compared: int, interval: bool) -> str:
    kind = registry[slug]
    if compared > 1:
        return say(KNOWN if interval else UNKNOWN, number=compared)
    return say("Only method with an interval") if interval else say(kind.why or kind.family.why or "")


def _of_choice(wish: Wish, epsilon: float) -> Methods:
    """Return the methods that choose a category or bin: the first of them is never less accurate than the second."""
    relation = Relation(rows=wish.schema.rows_per_person)
    options = {} if wish.bins is None else {"bins": wish.bins}
    offers = {}
    for kind in form.methods(list(FACES), wish.topic.name):
        preset = form.built(kind, wish.topic, options, relation, wish.schema, wish.item.column)
        offers[kind.slug] = replace(preset, epsilon=epsilon), math.inf  # type: ignore[call-arg]
    best = next(iter(offers))
    return Methods(best, say(registry[best].why or ""), {}, offers)


def margin_of(request: Request, error: float, schema: Schema) -> str:
    """Say a margin of error with its unit; of a result that is one of the values of its column, no part of a step."""
    bounds = request.public(schema).bounds
    ranked = bounds is not None and request.mechanism.rank_error(request.public(schema)) is not None
    if ranked and bounds is not None and error < float(bounds.value(1) - bounds.value(0)) / 2:
        return say("less than one step")
    return f"{number(error, 3)}{unit_of(request, schema)}"


@dataclass(frozen=True)
class Asked:
    """A query that can be released: its request and its margin of error, infinite where none is known."""

    wish: Wish
    request: Request
    error: float

    @property
    def margin(self) -> str:
        """The margin of error with its unit, in words."""
        return margin_of(self.request, self.error, self.wish.schema)

    @property
    def assumes(self) -> list[Phrase]:
        """What the margin assumes because it was not given."""
        wish = self.wish
        subject = wish.subject
        notes: list[Phrase] = []
        if subject is None or not subject.sized:
            return notes
        if wish.item.where and wish.item.passing is None:
            notes.append(Phrase("Assumes that {part} pass the filter.", part=about(subject.part)))
        if set(wish.item.groups) - {sizes.by for sizes in wish.sizes}:
            notes.append(EQUAL)
        if subject.weighs:
            notes.append(QUARTER)
        return notes

    @property
    def widest(self) -> str | None:
        """The margin of error in the smallest group, in words; None where no sizes were given."""
        subject = self.wish.subject
        if subject is None or not subject.sized or not subject.groups:
            return None
        error = replace(subject, people=min(subject.groups)).error(self.request.mechanism)
        return margin_of(self.request, error, self.wish.schema)

    @property
    def item(self) -> Wanted | None:
        """The query as a row of a plan; None for the most common bin, which no plan can ask."""
        wish = self.wish
        if wish.bins is not None and wish.topic.name not in BINNED:
            return None
        method = type(self.request.mechanism).slug
        return replace(wish.item, held=self.request.cost().epsilon, method=method)


# Form: question, column, groups, filters; what is rare stands behind Fine tuning.

ADDRESSED = {"question": "query-question", "column": "query-column"}  # fields, and their names in the address


def _arrive(key: str) -> None:
    """Take over the question of an address, when the page is entered by it."""
    for field, name in ADDRESSED.items():
        if state.absent([f"{key}:{field}"]) and state.addressed(name):
            choose(f"{key}:{field}", state.addressed(name))


def _valid(mark: str, options: Sequence[str], first: str | None) -> None:
    """Give a field a value that is offered."""
    if state.chosen(mark) not in options:
        choose(mark, first)


def _question(questions: Questions, schema: Schema, key: str) -> str | None:
    """Ask for the question: the frequent ones are in sight, the others in a list."""
    mark = f"{key}:question"
    frequent = [name for name in questions if name in FREQUENT]
    rest = [name for name in questions if name not in FREQUENT]
    if state.chosen(mark) in rest:
        choose(f"{key}:rest", state.chosen(mark))
        choose(mark, MORE)
    options = [*frequent, *([MORE] if rest else [])]
    _valid(mark, options, Mean.name if Mean.name in frequent else options[0])
    chosen = st.pills(
        say("Question"),
        options,
        required=True,
        wrap=True,
        key=mark,
        persist_state="session",
        format_func=lambda name: say("More") if name == MORE else label_of(questions[name][0]),
    )
    if chosen != MORE:
        return chosen
    _elsewhere(questions, schema)
    return st.selectbox(
        say("Statistic"),
        rest,
        None,
        key=f"{key}:rest",
        persist_state="session",
        placeholder=say("Choose"),
        format_func=lambda name: form.listed(questions[name][0]),
    )


def _elsewhere(questions: Questions, schema: Schema) -> None:
    """Lead to the pages that ask those statistics of two columns that this page does not."""
    pages: dict[str, dict[str, str]] = {}
    for family, face in FACES.items():
        every = (topic for topic in form.topics([family], schema) if topic.columns == 2)
        both = {topic.name: say(topic.label) for topic in every if topic.name not in questions}
        pages[face.page] = pages.get(face.page, {}) | both
    for page, labels in pages.items():
        if labels:
            link(page, say("Two columns: {statistics}", statistics=", ".join(labels.values())))


def _wish(questions: Questions, schema: Schema, key: str) -> Wish | None:
    """Ask the question; None while it is incomplete."""
    name = _question(questions, schema, key)
    state.tell_address(ADDRESSED["question"], name or "", "")
    if name is None:
        return None
    topic, fit = questions[name]
    left, right = st.columns(2, gap="small")
    _valid(f"{key}:column", fit, fit[0])
    weighs = topic.columns == 2 and estimators[name].weighs
    label = say("Column") if topic.columns == 1 or weighs else say("First column")
    column = left.selectbox(label, fit, key=f"{key}:column", persist_state="session")
    state.tell_address(ADDRESSED["column"], column, "")
    second = None
    if topic.columns == 2:
        others = form.seconds(schema, name, column)
        _valid(f"{key}:second", others, others[0])
        label = say("Weight") if weighs else say("Second column")
        second = right.selectbox(label, others, key=f"{key}:second", persist_state="session")
        right = left
    groups = right.container()
    place = f"{key}:{column}"
    level = None
    bins = None
    if name == Quantile.name:
        level = st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key=f"{place}:q", persist_state="session")
    if name == PREDICTION:
        level = form.value_field(schema, column, place)
    if column in schema.numbers and (name in BINNED or not topic.numbers_only):
        bins = form.bins_field(schema.bounds(column), place)
    with groups:
        by = _groups(schema, name, column, key)
    where = filters.where(schema, key)
    common = workspace().sheet.common
    bars = bins if name in BINNED else None
    item = Wanted(name, column, by, where, level, interval=True, bins=bars, second=second)
    cut = None if bins is None else equal_bins(schema, column, bins)
    return Wish(topic, item, cut, common.people, common.shape, schema, common.sizes)


def _groups(schema: Schema, name: str, column: str, key: str) -> Grouping | None:
    """Ask for groups, where the question can be asked by groups."""
    fit = [each for each in schema.groupable if filters.usual(schema, each) != column]
    return filters.grouping(schema, [each for each in fit if _by(schema, name, column, each)], key)


def _by(schema: Schema, name: str, column: str, each: str) -> bool:
    """Whether a question can be asked by a category, or by the usual bands of another column."""
    return can(schema, name, column, (filters.usual(schema, each),))


def _tuning(wish: Wish, key: str) -> tuple[Wish, float]:
    """Ask for what is rarely changed: δ, and the assumed distribution on which the methods compete."""
    delta = price.delta(f"{key}:delta")
    if wish.topic == MOST_COMMON:
        return wish, delta
    shapes = list(SHAPES)
    label = say("Assumed distribution")
    mark = f"{key}:shape"
    shape = st.selectbox(label, shapes, shapes.index(wish.shape), key=mark, format_func=say, persist_state="session")
    given = {sizes.by: sizes for sizes in wish.sizes}
    for by in wish.item.groups:
        text = filters.sizes(wish.schema, by, given.get(by), key)
        given.pop(by, None)
        sizes = sizes_of(by, text, wish.schema.category(by).labels)
        if sizes is not None:
            sizes.check(wish.schema)
            given[by] = sizes
    return replace(wish, shape=shape, sizes=tuple(given.values())), delta


def _people(wish: Wish, key: str) -> None:
    """Ask for the approximate number of people, beside the margin of error that rests on it."""
    if wish.topic == MOST_COMMON:
        return
    label = say(size_label(wish.schema))
    words = say("Use public knowledge, never the file. A wrong guess reduces accuracy, not privacy.")
    st.number_input(label, 1, MOST_PEOPLE, key=f"{key}:people", help=words, persist_state="session")


def _passing(wish: Wish, key: str) -> None:
    """Ask for the part of all people that passes the filter; empty, it is assumed from the declaration."""
    if wish.item.where and wish.subject is not None:
        assumed = replace(wish.item, passing=None).part(wish.schema, wish.sizes)
        st.number_input(
            say("Passes (%)"),
            LEAST_PASSING,
            100.0,
            None,
            step=None,
            format="%g",
            key=_passing_key(wish.item, key),
            help=say(PASSING),
            placeholder=f"{100 * assumed:.3g}",
            persist_state="session",
        )


def _passing_key(item: Wanted, key: str) -> str:
    """Return the key of the part that passes a filter: each filter has its own."""
    return f"{key}:passing:{crc32(str(item.where).encode()):x}"


def _guessed(wish: Wish, key: str) -> Wish:
    """Take over the typed number of people, and the part of them that passes the filter."""
    if state.absent([f"{key}:people"]):
        choose(f"{key}:people", wish.people)
    mark = _passing_key(wish.item, key)
    if state.absent([mark]):
        choose(mark, None)
    percent = state.chosen(mark)
    item = replace(wish.item, passing=None if percent is None else percent / 100)
    return replace(wish, item=item, people=int(state.chosen(f"{key}:people")))


def _take_released(asked: Asked, key: str) -> None:
    """Take over the number of rows that a result has released, once for each result; it is public.

    A query with a result keeps its guess: another one could choose another method, and hide the result.
    """
    here = workspace().here
    mark = f"{key}:taken"
    found = here.counted(asked.request.where)
    if found is None or found[0] == state.chosen(mark):
        return
    if any(release.request == asked.request for release, _ in here.answered):
        return
    choose(mark, found[0])
    item = asked.wish.item
    people = min(max(found[1], asked.wish.people) if item.where else found[1], MOST_PEOPLE)
    choose(f"{key}:people", people)
    if item.where:
        choose(_passing_key(item, key), max(LEAST_PASSING, min(100.0, 100 * found[1] / people)))
    st.rerun()  # the methods above compete on it


def _payable(delta: float) -> float:
    """Return the δ that methods may use: none if the budget has not that much."""
    return delta if Cost.of(1, delta).delta_units <= workspace().curator.ledger.left.delta_units else 0.0


# Price: ε by a slider or typed, and the margin of error that it buys; each follows the other.


LEAST_MARGIN = 1e-9
LEAST_PASSING = 1e-6  # in percent


def _margin(asked: Asked, delta: float, key: str) -> None:
    """Show the margin of error, and take another one."""
    subject = asked.wish.subject
    if subject is None or not math.isfinite(asked.error):
        return
    mark = f"{key}:margin"
    choose(mark, max(LEAST_MARGIN, float(f"{asked.error:.3g}")))
    st.number_input(
        say("Margin of error ±"),
        min_value=LEAST_MARGIN,
        step=None,
        format="%g",
        key=mark,
        on_change=_reach,
        args=(subject, type(asked.request.mechanism).slug, delta, key),
        help=say("Type the error (95%) that you accept, and ε follows."),
    )


def _reach(subject: Subject, slug: str, delta: float, key: str) -> None:
    """Set ε to the smallest one with the typed margin of error."""
    epsilon = epsilon_of(subject, slug, float(state.chosen(f"{key}:margin")), delta, price.TYPED_MOST)
    if epsilon is None or epsilon < price.TYPED_LEAST:
        workspace().notice = ParameterError(
            "No ε from {least:g} to {most:g} has this margin of error. Type another one.",
            least=price.TYPED_LEAST,
            most=price.TYPED_MOST,
        )
        return
    for name, value in price.settings_of_epsilon(f"{key}:epsilon", epsilon).items():
        choose(name, value)


# Method: the chosen one in a line with the reason, and the others in place.


def _method(found: Methods, wish: Wish, key: str) -> str:
    """Show the method, and let another one be chosen; return its name."""
    mark = f"{key}:method"
    if state.absent([mark]):
        choose(mark, "")  # the guard of the button compares what is there when it is drawn
    picked = state.chosen(mark)
    slug = picked if picked in found.every else found.best
    kind = registry[slug]
    why = found.why if slug == found.best else say("Chosen by you")
    why = f"{why[:1].upper()}{why[1:]}"  # reasons stand in tables, too, as parts of a line
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(f"**{say(kind.title)}**  \n:gray[{why}]", width="stretch")
            if len(found.every) > 1:
                st.button(say("Change"), key=f"{key}:change", type="tertiary", on_click=_turn, args=(key,))
        if state.chosen(f"{key}:change:open", False):
            _others(found, wish, slug, key)
    return slug


def _turn(key: str) -> None:
    mark = f"{key}:change:open"
    choose(mark, not state.chosen(mark, False))


def _others(found: Methods, wish: Wish, slug: str, key: str) -> None:
    """List all methods with their margins of error, at the same cost."""
    slugs = [*found.sure, *(each for each in found.others if each not in found.sure)]
    mark = f"{key}:change:{slug}"
    st.radio(
        say("Same cost, other methods"),
        slugs,
        slugs.index(slug),
        key=mark,
        format_func=lambda each: say(registry[each].title),
        captions=[_caption(found, each, wish) for each in slugs],
        on_change=_pick,
        args=(mark, key),
    )


def _caption(found: Methods, slug: str, wish: Wish) -> str:
    mechanism, error = found.every[slug]
    if not math.isfinite(error):
        return say("No interval")
    width = quoted(f"± {margin_of(wish.request(mechanism), error, wish.schema)}")
    return width if slug in found.sure else say("{width}, no interval", width=width)


def _pick(mark: str, key: str) -> None:
    choose(f"{key}:method", state.chosen(mark))


# Page: the question on the left; on the right the result, or what is known of it before it is paid for.


def show() -> None:
    """Draw the page."""
    space = workspace()
    schema = space.dataset.schema
    key = f"query:{schema.digest[:8]}"
    questions = space.here.remember(("questions", schema.digest), lambda: offered(schema))
    if not questions:
        st.info(say("No declared column can be queried here."))
        to_dataset("query")
        return
    _arrive(key)
    refilling.resume(key)
    first = st.container(key="query-ready") if handheld() else None
    left, right = st.columns([5, 6], gap="medium")
    with right if first is None else first:
        _ready()
    with left:
        asked, fresh = _ask(questions, schema, key)
    with right, st.container(key="query-result"):
        if asked is not None:
            _show(asked, fresh, key)
    bring(fresh or "", ".st-key-query-result")
    refilling.remember(key)


def _ready() -> None:
    """Say that an uploaded dataset is in use, until its first result; beside the form, which so keeps its place."""
    here = workspace().here
    if here.source is None or here.answered:
        return
    st.success(say("{name} is in use.", name=quoted(here.name)), icon=":material/check_circle:")
    with st.container(horizontal=True):
        link("dataset", say("Check how the data was read"), "fact_check", {checking.PLACE: "check"})
        link("plan", say("Plan a release"), "checklist")


def _ask(questions: Questions, schema: Schema, key: str) -> tuple[Asked | None, str | None]:
    """Draw the question with its button; return it, and the id of its result if it was released."""
    above = st.container()
    below = st.container()
    try:
        with above:
            wish = _wish(questions, schema, key)
            asked = None if wish is None else _priced(wish, below, key)
            if asked is not None:
                asked.request.check(schema)
    except ParameterError as wrong:
        asked = None
        missing = say(wrong)
    else:
        missing = say("Choose a statistic.")
    with above:
        if asked is None:
            _off(missing)
            return None, None
        fresh = _release(asked, key)
        with st.container(horizontal=True):
            if asked.item is not None:
                spending.row_to_plan(asked.item, key)
            _explore(asked, key)
    if fresh is None:
        with below:
            change_one = asked.request.mechanism.neighbours.change_one
            guess_line(asked.request.cost(), workspace().here.unit, change_one=change_one)
    return asked, fresh


def _off(missing: str) -> None:
    """Show the button that cannot be pressed, and what is missing."""
    primary(say("Release result"), disabled=True, width="stretch", key="query-off")
    st.caption(quoted(missing))


def _priced(wish: Wish, below: DeltaGenerator, key: str) -> Asked:
    """Ask for the price and the method."""
    with below, st.expander(say("Fine tuning"), icon=":material/tune:"):
        wish, wanted = _tuning(wish, key)
    delta = _payable(wanted)
    epsilon = price.epsilon_field(f"{key}:epsilon")
    margin, people = st.columns(2, gap="small")
    wish = _guessed(wish, key)
    found = methods(wish, epsilon, delta)
    slug = _method(found, wish, key)
    mechanism, error = found.every[slug]
    wish = wish if slug in found.sure else wish.without_interval()
    asked = Asked(wish, wish.request(mechanism), error)
    _take_released(asked, key)
    with margin:
        _margin(asked, delta, key)
    with people:
        _people(wish, key)
        _passing(wish, key)
    return asked


def _release(asked: Asked, key: str) -> str | None:
    """Show the one button that charges, or the request to an officer; return the id of a result."""
    desk = workspace().here.desk
    if desk is None:
        return spending.panel(asked.request, key)
    return spending.request_panel(desk, asked.request, key, spending.unmoved(key))


def _explore(asked: Asked, key: str) -> None:
    """Lead to the page of the mechanism, with the same choice."""
    if st.button(say("Explore this mechanism"), icon=":material/science:", type="tertiary", key=f"{key}:explore"):
        workspace().refill = asked.request
        st.switch_page(f"../pages/{asked_on(asked.request.mechanism)}.py")


def _show(asked: Asked, fresh: str | None, key: str) -> None:
    """Show the result, or what is expected of it."""
    answered = {release.id: (release, schema) for release, schema in workspace().here.answered}
    if fresh in answered:
        _result(*answered[fresh])
    else:
        _expected(asked, key)
    _python(asked)


def _result(release: Release, schema: Schema) -> None:
    card.show(release, schema)


def _expected(asked: Asked, key: str) -> None:
    """Draw the interval that the result will have, as far as it is known."""
    with st.container(border=True):
        st.markdown(f"**{quoted(in_words(asked.request, asked.wish.schema))}**")
        if math.isfinite(asked.error):
            unit = unit_of(asked.request, asked.wish.schema).strip()
            figures.awaited(_names(asked), _span(asked), asked.error, unit, f"{key}:curve:awaited")
            _foreseen(asked, key)
        else:
            note = asked.request.mechanism.forecast(asked.request.public(asked.wish.schema)).note
            st.markdown(f"{say('**The result is one of the categories or bins.**')} {quoted(say(note))}")


def _foreseen(asked: Asked, key: str) -> None:
    """Say the margin of error, for how many people it is expected, and what was not given."""
    wish = asked.wish
    widest = asked.widest
    smallest = [] if widest is None else [say("In the smallest group: ± {width}.", width=quoted(widest))]
    if wish.subject is not None and wish.subject.sized:
        assumed(_expected_for(asked), wish.people, key)
    else:
        st.markdown(_expected_for(asked))
    more = "  \n".join([*smallest, *map(say, asked.assumes)])
    if more:
        st.markdown(more)


def _expected_for(asked: Asked) -> str:
    width = quoted(asked.margin)
    people = f"{asked.wish.people:,}"
    if people_or_rows(asked.wish.schema) != "people":
        return say("**± {width}** expected for about {people} rows; not released yet", width=width, people=people)
    return say("**± {width}** expected for about {people} people; not released yet", width=width, people=people)


def _names(asked: Asked) -> Sequence[str]:
    """Return the names of the numbers that will be released: of groups, of bins or categories, or none."""
    wish = asked.wish
    if wish.item.groups:
        levels = ([label_name(name, say) for name in wish.schema.category(by).labels] for by in wish.item.groups)
        return list(map(BETWEEN.join, product(*levels)))
    return [label_name(name, say) for name in numbers_of(asked.request, wish.schema)] or ("",)


def _span(asked: Asked) -> tuple[float, float]:
    """Return the ends of the values that are possible, for the guessed number of people."""
    subject = asked.wish.subject
    people = float(asked.wish.people)
    bounds = None if subject is None else subject.bounds
    statistic = None if subject is None else subject.wanted
    if subject is not None and subject.second is not None:
        if subject.weighs and subject.bounds is not None:
            return _weighted_span(subject, subject.bounds, people * float(subject.second.upper))
        predicts = subject.statistic == PREDICTION
        low = float(subject.second.lower) if predicts else -subject.range / 2
        return low, low + subject.range
    if bounds is None or not isinstance(statistic, Query) or isinstance(statistic, Count):
        return 0.0, people
    if isinstance(statistic, Sum):
        return min(0.0, float(bounds.lower)) * people, max(0.0, float(bounds.upper)) * people
    return float(statistic.low(bounds)), float(statistic.high(bounds))


def _weighted_span(subject: Subject, bounds: Bounds, most: float) -> tuple[float, float]:
    """Return the ends of a weighted statistic, where all weights add up to at most `most`."""
    low, high = Weighted(subject.statistic).range(bounds)
    values = float(bounds.lower), float(bounds.upper)
    if math.isinf(high - low):
        ends = (0.0, most) if subject.statistic == "weighted-count" else (values[0] * most, values[1] * most)
        return min(0.0, *ends), max(0.0, *ends)
    return low, high


def _python(asked: Asked) -> None:
    """Show the script that asks the same; a registered dataset is not in the hands of the person who asks."""
    here = workspace().here
    if here.desk is not None:
        return
    with st.expander("Python", icon=":material/code:"):
        st.code(card.as_script(asked.request, here.dataset.schema, here.read_as), language="python", wrap_lines=True)
