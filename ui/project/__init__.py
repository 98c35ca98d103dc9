"""Project: the saved work of one person on their own machine, in one file that outlives the server."""
