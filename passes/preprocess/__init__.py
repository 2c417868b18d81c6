"""What OpenVINO's PrePostProcessor does: images as they come in, results as they are wanted, as part of the model."""
