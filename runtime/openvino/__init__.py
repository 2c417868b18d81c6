"""OpenVINO's names for what the runtime does: `Core`, functions, properties, tensors."""
