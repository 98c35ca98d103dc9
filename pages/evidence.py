"""Evidence: the five layers, run for a request as it was asked."""

from discreet.ui.office.requests import evidence

evidence.show()
