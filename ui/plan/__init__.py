"""Plan: many queries under one budget, from the first row to the results."""
