"""Ask: from a question and its price to an answer, on the page of a mechanism."""
