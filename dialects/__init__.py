"""What can be said: operations, types, attributes, their verifiers and shape inference."""
