"""What tests of evidence share: small worlds, drawn questions and files, and how they are compared."""
