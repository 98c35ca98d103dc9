"""Learn: the course, lesson by lesson, on open data and on the core's own code."""
