"""Answers: all results released for the dataset in use, by any mechanism."""

from discreet.ui.answers import read
from discreet.ui.frame.strip import paying
from discreet.ui.frame.words import say

with paying(say("Results")):
    read()
