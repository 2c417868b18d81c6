"""What lowstream uses of llvmlite 0.50."""

__version__: str
