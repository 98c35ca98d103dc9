"""Capacity: how large a file may be, and what it may grow to."""

MIB = 2**20
LARGEST_UPLOAD = 200 * MIB
LARGEST_UNPACKED = 2048 * MIB
MOST_COLUMNS = 2_000
MOST_CELLS = 400_000_000
ROW_BYTES = 64  # what a question keeps of one row, where rows are told apart
LOOK = 64 * 1024  # bytes by which a file is recognised
