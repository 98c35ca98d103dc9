"""News: what others did that concerns the signed-in person."""

from discreet.ui.office.people import news

news.show()
