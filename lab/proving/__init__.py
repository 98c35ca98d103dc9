"""The five layers of evidence, run for one question on worlds and tables that nobody's rows are in."""
