"""What all mechanisms share: the base class, its words and parameters, and the views of the rows that it asks for."""
