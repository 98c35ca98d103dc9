"""Notices: news on the screens, mail, deadlines."""
