"""Support: shared test code: servers, browsers, databases, visitors, offices."""
