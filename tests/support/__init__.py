"""What tests share: servers, browsers, databases, visitors, offices."""
