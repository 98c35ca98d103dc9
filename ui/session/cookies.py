"""Cookies: the names of the cookies, which scripts cannot read."""

BROWSER = "discreet_browser"  # identifies the workspace
SESSION = "discreet_session"  # identifies the signed-in session
DEVICE = "discreet_device"  # marks a browser from which accounts have signed in before
LIFETIME = 12 * 3600.0
