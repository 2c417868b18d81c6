"""
Export: a module as an ONNX model. Operations that ONNX defines differently have a function in one of the families here.
"""
