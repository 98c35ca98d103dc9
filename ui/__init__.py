"""Floor 5: shell, state and forms of the screens. No statistics, no rows, no noise."""
