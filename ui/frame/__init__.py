"""Frame: wording, links, language and theme that every screen uses; it imports no screen."""
