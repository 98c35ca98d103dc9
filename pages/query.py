"""Query: one question, the best method for it, its price, and its result as a picture."""

from discreet.ui.ask.query import show
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say

with paying(say("Query")):
    show()
