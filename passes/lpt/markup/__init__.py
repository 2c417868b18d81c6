"""Step 2: say, in attributes, what is possible."""
