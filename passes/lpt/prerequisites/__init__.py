"""Step 1: bring the model into the one form that the later steps know."""
