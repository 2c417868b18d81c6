"""What crosses the border of a body: of iterators and branches."""
