"""Budget: what was charged for the data in use, what that amounts to, and a new budget on purpose."""
