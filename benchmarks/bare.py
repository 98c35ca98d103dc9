"""A bare page: as many widgets as the page of a mechanism has, a chart and a table, and no computation."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

left, right = st.columns([5, 6])
with left, st.container(border=True):
    for name in ("Question", "Column", "Method"):
        st.selectbox(name, ["a", "b", "c"], key=name)
    with st.expander("Only some rows, or groups"):
        st.multiselect("Only rows where", ["a", "b"], key="where")
        st.selectbox("One answer for each", ["a", "b"], None, key="by")
    with st.expander("What may be assumed"):
        st.toggle("The number of rows that count is public", key="sized")
        st.caption("These data are open.")
    epsilon = st.slider("Epsilon", 0.01, 3.0, 0.5, 0.01, key="epsilon")
    with st.expander("Settings"):
        st.toggle("Choose the settings for me", True, key="auto")
    st.markdown("**19 times in 20 within something.**")
    st.button(f"Spend {epsilon} and release", type="primary", key="spend")
    st.caption("Left after this.")
with right, st.container(border=True):
    st.segmented_control("Show", ["curve", "law"], default="curve", key="show")
    places = [i / 100 for i in range(200)]
    st.plotly_chart(go.Figure(go.Scatter(x=places, y=[epsilon * x * x for x in places])), key="chart")
    st.subheader("Answers")
    st.dataframe(pd.DataFrame({"group": ["a", "b"], "answer": [1, 2]}), hide_index=True)
with st.sidebar:
    st.segmented_control("Language", ["English", "Chinese"], default="English", key="language")
    st.text("Dataset")
    st.progress(0.3)
    st.text("spent\nleft")
