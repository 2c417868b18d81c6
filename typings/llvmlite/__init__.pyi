"""What lowstream uses of llvmlite: `binding` compiles modules."""

__version__: str
ir_layer_typed_pointers_enabled: bool
