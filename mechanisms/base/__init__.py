"""Base: what all mechanisms share: the base class, its vocabulary and parameters, and the views of rows."""
