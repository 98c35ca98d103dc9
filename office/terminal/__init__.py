"""The terminal: commands for a person with access to the server's disk."""
