"""The terminal: what whoever has a command on the server's disk can do."""
