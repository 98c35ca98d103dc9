"""Ask: from a query and its cost to a result, on the page of a mechanism."""
