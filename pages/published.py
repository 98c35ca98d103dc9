"""Published releases: what was released of which data, for everybody to read."""

from ui.office import published

published.show()
