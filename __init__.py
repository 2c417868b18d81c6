"""Makes trained, quantized models stateful, low precision and native to the host CPU."""
