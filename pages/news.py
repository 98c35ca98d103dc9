"""News: what others did that concerns whoever looks."""

from discreet.ui.office.people import news

news.show()
