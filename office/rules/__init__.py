"""Rules: what a registration says once and for good, and who may do what."""
