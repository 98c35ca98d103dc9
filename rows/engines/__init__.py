"""Engines: rows that stay where they are: databases, folders, clusters."""
