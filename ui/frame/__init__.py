"""Frame: what every screen is written, linked and lit with; it knows no room."""
