"""Standpoint: the keys of what an officer looks at among registered data."""

VIEW, DATASET = "registered-view", "dataset"
