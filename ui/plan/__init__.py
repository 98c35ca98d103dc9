"""Plan: many questions under one budget, from the first row to the answers."""
