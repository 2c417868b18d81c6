"""What ONNX's operators are in ours, where they differ: a function for each, by families, which are its modules."""

from importlib import import_module
from pkgutil import iter_modules

for family in iter_modules(__path__):
    import_module(f"{__name__}.{family.name}")
