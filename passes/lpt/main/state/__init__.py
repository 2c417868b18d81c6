"""What the model keeps from one call to the next."""
