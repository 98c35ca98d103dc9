"""The gate in front of Streamlit: who is let in, under which name, to what, and with which words.

Everything is decided before Streamlit sees a request, without a question to any other machine.
"""

from discreet.ui.gate.gate import Gate, stand

__all__ = ["Gate", "stand"]
