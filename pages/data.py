"""Data: choose the sample or upload a file, and declare its columns."""

import streamlit as st

from budget.errors import ParameterError
from curator import Dataset, LocalSource, Schema
from curator.samples import census
from ui.declare import declaration, lines
from ui.state import use, workspace


def current() -> None:
    """Show the declaration of the dataset in use, and the way back to the sample."""
    dataset = workspace().dataset
    st.subheader("Declaration")
    st.caption("What was said about the columns before any row was read.")
    st.dataframe(lines(dataset.schema), hide_index=True, width="stretch")
    text = dataset.schema.to_json()
    st.download_button("Export the declaration", text, "declaration.json", "application/json")
    if dataset.protected and st.button("Go back to the sample"):
        use("Sample: census of people who do not exist", census())
        st.rerun()


def declared(source: LocalSource) -> Schema | None:
    """Take a declaration from the table, or from a file that was exported before."""
    st.subheader("Declare the columns")
    st.caption("Bounds come from public knowledge, never from the file.")
    file = st.file_uploader("Import a declaration (optional)", key="declaration")
    return (
        declaration(list(source.names))
        if file is None
        else Schema.from_json(file.getvalue().decode("utf-8", "replace"))
    )


def begin(name: str, data: bytes) -> None:
    """Declare an upload and start to use it."""
    source = LocalSource(data)
    schema = declared(source)
    public = st.checkbox(
        "These data are public",
        help="Then true values may be shown beside noisy ones, and nobody's privacy is protected.",
    )
    if public:
        st.warning("Everybody who sees this screen may see every row. This cannot be undone.")
    if st.button("Use these data", type="primary", disabled=schema is None) and schema:
        use(name, Dataset(source, schema, protected=not public))
        st.success("Declared. Go to Ask.")


st.title("Data")
st.text(f"You are working on: {workspace().name}")
uploaded = st.file_uploader(
    "Upload a table (CSV, TSV, Parquet, Feather or Excel)",
    key="table",
    help="The file stays on this machine. Its rows stay hidden unless you say they are public.",
)
try:
    current() if uploaded is None else begin(uploaded.name, uploaded.getvalue())
except ParameterError as refused:
    st.error(str(refused))
