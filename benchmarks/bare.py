"""A bare page: as many widgets as the page of a mechanism has, a chart and a table, and no computation."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

left, right = st.columns([5, 6])
with left, st.container(border=True):
    for name in ("Query", "Column", "Mechanism"):
        st.selectbox(name, ["a", "b", "c"], key=name)
    with st.expander("Filter and group"):
        st.multiselect("Filter by column", ["a", "b"], key="where")
        st.selectbox("Group by", ["a", "b"], None, key="by")
    with st.expander("Assumptions"):
        st.toggle("The number of rows in this query is public", key="sized")
        st.caption("This dataset is public.")
    epsilon = st.slider("ε", 0.01, 3.0, 0.5, 0.01, key="epsilon")
    with st.expander("Settings"):
        st.toggle("Choose settings automatically", True, key="auto")
    st.markdown("**Margin of error: ± something** (95%).")
    st.button(f"Release result (spends {epsilon})", type="primary", key="spend")
    st.caption("Budget left afterwards.")
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
