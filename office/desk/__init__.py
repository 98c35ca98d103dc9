"""The desk: where an analyst asks, and the queue in which the request waits."""
