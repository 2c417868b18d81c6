"""Other formats, in and out: OpenVINO, ONNX, TensorFlow, TFLite."""
