"""What lowstream uses of llvmlite: `ir` builds modules, `binding` compiles them."""

__version__: str
ir_layer_typed_pointers_enabled: bool
