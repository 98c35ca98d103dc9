"""Evidence: the five layers of privacy tests, run for a request exactly as it was sent."""

from discreet.ui.office.requests import evidence

evidence.show()
