"""Models in files, as workers read them."""

from pathlib import Path

from lowstream.test.unit.runtime.runtime_models import SUMS

PRODUCT = """
func.func @main(%x: tensor<1x3xf32> {nn.names = ["X"]}, %z: tensor<1x2xf32> {nn.names = ["Z"]})
    -> (tensor<1x2xf32> {nn.names = ["Y"]}) {
  %w = nn.constant dense<[[1.0, 0.5], [2.0, -1.0], [0.25, 3.0]]> : tensor<3x2xf32>
  %p = nn.mat_mul %x, %w : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  %y = nn.add %p, %z : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
"""
"""`Y = X · w + Z`."""

DEPENDENT = """
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %axis = nn.constant dense<0> : tensor<1xi64>
  %sum = nn.reduce_sum %x, %axis {keep_dims = true} : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %y = nn.add %x, %sum : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""
"""Rows of a batch are added up."""

DEPENDENT_INTEGERS = DEPENDENT.replace("xf32", "xi32")

MODELS = {
    "product": PRODUCT,
    "sums": SUMS,
    "dependent": DEPENDENT,
    "dependent_integers": DEPENDENT_INTEGERS,
}


def write_models(folder: Path) -> None:
    """All of them, by their names, in a folder."""
    for name, text in MODELS.items():
        (folder / f"{name}.mlir").write_text(text)
