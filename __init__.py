"""Makes trained, quantized models stateful and low precision, and compiles them for the host CPU."""
