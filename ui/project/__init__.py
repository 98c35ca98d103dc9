"""Project: the work of one person on their own machine, kept in one file that outlives the server."""
