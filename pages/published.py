"""Published releases: what was released of which data, for everybody to read."""

from discreet.ui.office.requests import published

published.show()
