"""Picture: what may be seen of an answer before it is paid for."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Request
from discreet.lab import preview
from discreet.lab.experiment import NOBODY
from discreet.lab.report.dated import place_names
from discreet.mechanisms.laws import Law
from discreet.mechanisms.levels import LevelCounts
from discreet.mechanisms.picks import Picked
from discreet.ui.ask import forecast
from discreet.ui.ask.form import Question
from discreet.ui.figures import answers as figures
from discreet.ui.frame.words import say
from discreet.ui.opened import Shown
from discreet.ui.state import workspace

NOTHING_PASSES = Phrase("No row of these data passes and can be read in this column.")
NEVER = 0.999  # a refusal so likely that an answer is not drawn


def picture(asked: Question, key: str) -> None:
    """Draw what may be seen, if anything: the law and the truth on open data, the forecast on protected."""
    request, shown = asked.request, workspace().here.shown
    counted = isinstance(request.mechanism.view, LevelCounts)
    if shown is None or request.groups or not (counted or request.mechanism.single):
        forecast.curve(asked, f"{key}:curve")
        return
    with st.container(border=True):
        if preview.nobody(shown.dataset, request):
            st.info(say(NOTHING_PASSES if request.where else NOBODY))
        elif counted:
            _counts(asked, shown, f"{key}:law")
        else:
            _law(request, shown, f"{key}:law")


def _counts(asked: Question, shown: Shown, key: str) -> None:
    """Draw the exact counts and the reach of the noise."""
    mechanism = asked.request.mechanism
    ((_, view),) = preview.views(shown.dataset, asked.request)
    width = mechanism.forecast(asked.public).half_width
    figures.counts(view.labels, view.counts.tolist(), width, type(mechanism).slug, key)


def _law(request: Request, shown: Shown, key: str) -> None:
    """Draw the law of the answer, the truth, and what was released."""
    mechanism = request.mechanism
    ((_, view),) = preview.views(shown.dataset, request)
    truth = preview.truth(shown.dataset, request, view)
    st.caption(say("Open data: the truth may be shown."))
    stored = workspace().stored(request)
    released = stored.answer if stored is not None and isinstance(stored.answer, (int, float)) else None
    law = mechanism.law(view)
    if _comes(law):
        figures.law(law, truth, type(mechanism).slug, key, released, place_names(request, shown.dataset.schema))


def _comes(law: Law) -> bool:
    """Say how likely a refusal is, where there may be any, and whether an answer can be expected at all."""
    if isinstance(law, Picked) or not law.refusal:
        return True
    chance = f"{law.refusal:.2%}" if law.refusal < NEVER else say("almost 100 %")
    st.metric(say("Chance of a refusal"), chance)
    if law.refusal >= NEVER:
        st.info(say("Such an answer will hardly ever come, so none is drawn. Propose a larger bound b."))
    return law.refusal < NEVER
