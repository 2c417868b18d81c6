"""Products whose kernels quantize what they multiply in each call (dynamic range)."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn, qnn
from ...dialects.nn.constant import constant_of
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ..erase_unused import erase_unused
from ..legalize_tfl_to_nn.dynamic_range import quantized_rows
from ..raise_loop_ports.loop import is_equal

MARK = "tfl.dynamic_range"
"""Of a product: its weights stay codes, and its kernel quantizes what these multiply."""


def leave_quantization_to_kernels(module: ModuleOp) -> None:
    """
    `product(fq(x)) = product(x)` and `product(fq(x) / step) * step = product(x)` for a kernel that finds the interval
    or the step in each call itself, as `legalize-tfl-to-nn` has read one. Products are marked.
    """
    for op in all_operations(module):
        if isinstance(op, nn.MatMulOp) and (x := unquantized_rows(op.a)) is not None:
            op.attributes[MARK] = UnitAttr()
            quantized, op.operands[0] = op.a, x
            erase_unused(quantized)
        elif isinstance(op, nn.MultiplyOp) and (found := DynamicRangeProduct.of(op)) is not None:
            found.product.attributes[MARK] = UnitAttr()
            found.quantize.result.replace_all_uses_with(found.quantize.input)
            op.result.replace_all_uses_with(found.result)
            step = op.operands[1]
            Rewriter.erase_op(op)
            erase_unused(found.quantize.result, step)


def unquantized_rows(value: SSAValue) -> SSAValue | None:
    """The rows that `quantized_rows` quantizes to a value; None of one that is computed otherwise."""
    if not isinstance(quantize := value.owner, qnn.FakeQuantizeOp):
        return None
    again = Block()
    found = is_equal(value, quantized_rows(Writer(InsertPoint.at_end(again)), quantize.input))
    again.erase()
    return quantize.input if found else None


@dataclass(frozen=True)
class DynamicRangeProduct:
    """A convolution of what each call quantizes with a step (dynamic range quantization); nothing else reads either."""

    quantize: qnn.FakeQuantizeOp
    product: nn.ConvolutionOp
    result: SSAValue
    """The product, transposed."""

    @classmethod
    def of(cls, op: nn.MultiplyOp) -> DynamicRangeProduct | None:
        """What a multiplication by the step ends."""
        result, step = op.operands
        product = _source(result)
        if not isinstance(product, nn.ConvolutionOp):
            return None
        quantize = _source(product.operands[0])
        if not isinstance(quantize, qnn.FakeQuantizeOp) or not isinstance(
            step.owner, nn.MultiplyOp
        ):
            return None
        greatest, (last, share) = quantize.operands[2], step.owner.operands
        if last is not greatest or not isinstance(greatest.owner, nn.MaximumOp):
            return None
        most, width = _number(quantize.operands[4]), _number(share)
        if most is None or width is None or abs(most * width - 1) > NEARLY:
            return None
        return cls(quantize, product, result)


NEARLY = 1e-6
"""How far a product of rounded numbers may be from 1."""


def _source(value: SSAValue) -> Operation | None:
    """What computes a value that nothing else reads, in front of transposes."""
    while value.has_one_use() and isinstance(value.owner, nn.TransposeOp):
        value = value.owner.input
    return value.owner if value.has_one_use() and isinstance(value.owner, Operation) else None


def _number(value: SSAValue) -> float | None:
    blob = constant_of(value)
    return None if blob is None else float(next(iter(blob.data.values())))
