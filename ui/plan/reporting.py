"""Reporting: the answers of a plan as a report: figures, how it was made, and the files to give away."""

from __future__ import annotations

import streamlit as st

from discreet.curator.fixed import Answers
from discreet.lab.plans import Wanted
from discreet.lab.report.again import plan_notebook, plan_script
from discreet.lab.report.publication import Publication
from discreet.rows import Schema
from discreet.ui.answers.giving import File, offer, publications, tables
from discreet.ui.figures import chapters
from discreet.ui.frame.words import quoted, say
from discreet.ui.plan.listing import whole_title
from discreet.ui.state import workspace


def report(given: Answers, edition: Publication, items: tuple[Wanted, ...], schema: Schema) -> None:
    """Show figures and methods, and offer every file; each is made when it is asked for."""
    st.header(say("Report"), anchor=False)
    _figures(given, edition, items)
    with st.expander(say("How these numbers were made"), icon=":material/menu_book:"):
        st.markdown(quoted(" ".join(map(say, edition.methods))))
        st.markdown("\n".join(f"- {quoted(say(each))}" for each in edition.promise))
    answered = [(release, schema) for release in given.releases]
    files = [*publications(lambda: edition), *_again(given, schema), *tables(answered)]
    offer(files, f"plan-{given.id[:8]}", f"take:{given.id}")


def _figures(given: Answers, edition: Publication, items: tuple[Wanted, ...]) -> None:
    """Draw one question at a time: a browser has no hurry with the others."""
    asked = enumerate(zip(items, edition.chapters, strict=True))
    names = {at: f"{at + 1}. {whole_title(item)}" for at, (item, each) in asked if chapters.comparable(each)}
    if not names:
        return
    at = st.selectbox(say("Figure of"), list(names), format_func=names.__getitem__, key=f"figure:{given.id}")
    chapters.show(edition.chapters[at], f"figure:{given.id}:{at}")


def _again(given: Answers, schema: Schema) -> list[File]:
    """Return what asks the whole plan again, of a file one names."""
    here = workspace().here
    limit, layout = here.curator.ledger.limit, here.layout_of(given.releases[0])
    kind = "application/x-ipynb+json"
    return [
        (say("Notebook"), "ipynb", kind, lambda: plan_notebook(given.plan, schema, limit, layout)),
        (say("Script"), "py", "text/x-python", lambda: plan_script(given.plan, schema, limit, layout)),
    ]
