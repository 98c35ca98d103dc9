"""News: what others did that concerns whoever looks."""

from discreet.ui.office import news

news.show()
