"""Report: what people are told of a released answer, in words, files and scripts; public things only."""
