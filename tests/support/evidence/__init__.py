"""Evidence support: small worlds, random queries and files, and how they are compared."""
