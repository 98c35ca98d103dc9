"""Cards: everything that must be known about one release, before and after it."""
