"""Ask: a question about one number column, its forecast, its cost, and the answer."""

import streamlit as st

from budget.errors import BudgetExceeded, ParameterError
from curator import Request
from ui.answers import show
from ui.questions import CHOICES, mechanism_for, number_columns
from ui.state import workspace


def question() -> tuple[Request, bool]:
    """Return the request as it stands, and whether its button was pressed."""
    space = workspace()
    schema, left = space.dataset.schema, space.curator.ledger.left
    column = st.selectbox("Column", number_columns(schema))
    choice = st.selectbox("Question", list(CHOICES))
    epsilon = st.slider("Epsilon", 0.1, 2.0, 0.5, 0.1, help="Smaller is more private, noisier.")
    mechanism = mechanism_for(choice, epsilon, schema.rows_per_person)
    request = Request(mechanism, (column,))
    forecast = mechanism.forecast(request.public(schema))
    if forecast.half_width is None:
        st.caption(f"No error can be promised before the answer. {forecast.note}")
    else:
        st.caption(f"19 times in 20 within ± {forecast.half_width:.4g}. {forecast.note}")
    fits = request.cost().fits_in(left)
    if not fits:
        st.warning(f"This costs {request.cost()}, and {left} is left. Choose a smaller epsilon.")
    answered = space.curator.stored(request, space.nonce) is not None
    pressed = st.button(
        f"Spend {epsilon:.2f} ε and release",
        type="primary",
        disabled=answered or not fits,
        width="stretch",
    )
    if answered:
        st.caption("Answered: the same question again gives the same answer, for nothing.")
        st.button("Prepare a new draw of this question", on_click=space.renew)
    return request, pressed


def answers(request: Request, pressed: bool) -> None:
    """Release if asked to, and show every stored answer, newest first."""
    space = workspace()
    if pressed:
        try:
            space.curator.ask(request, space.nonce)
            st.rerun()
        except (ParameterError, BudgetExceeded) as refused:
            st.error(str(refused))
    if not space.curator.releases:
        st.info("No answer yet. An answer costs budget and stays here.")
    for release in reversed(space.curator.releases):
        show(release)


st.title("Ask")
if number_columns(workspace().dataset.schema):
    left, right = st.columns(2)
    with left, st.container(border=True):
        asked = question()
    with right, st.container(border=True):
        answers(*asked)
else:
    st.info("No number column is declared. Declare one on the page Data.")
