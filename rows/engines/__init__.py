"""Engines: rows that stay where they are stored: databases, folders, clusters."""
