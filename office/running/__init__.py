"""Running: settings, health, housekeeping and backup of a server."""
