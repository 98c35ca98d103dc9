"""The gate in front of Streamlit: which requests are accepted, from which browser, for which paths, with which
messages.

Every decision is made before Streamlit sees a request, without asking another machine.
"""

from discreet.ui.gate.gate import Gate, stand

__all__ = ["Gate", "stand"]
