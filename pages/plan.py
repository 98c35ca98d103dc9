"""Plan: many queries under one budget: rows, wishes, forecasts and results."""

from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say
from discreet.ui.plan.page import write

with paying(say("Plan")):
    write()
