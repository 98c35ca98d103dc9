"""Published results: what was released from which dataset, readable by everyone."""

from discreet.ui.office.requests import published

published.show()
