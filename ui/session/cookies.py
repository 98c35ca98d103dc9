"""Cookies: what a browser carries, out of the reach of scripts."""

BROWSER = "discreet_browser"  # names a workspace
SESSION = "discreet_session"  # says who is signed in
DEVICE = "discreet_device"  # says from which browser accounts signed in before
LIFETIME = 12 * 3600.0
