"""`infra.if`, which runs one of two bodies, and `infra.fail`, for a body that must not run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..compatible import compatible
from ..formatted import FormattedOp
from ..inferred import Constants, InferredOp, label, shape_of
from ..names import Names
from .iterators import YieldOp


@irdl_op_definition
class FailOp(FormattedOp):
    """
    Ends the inference with an error; states stay as they were. It stands in a body of a branch whose operations do not
    fit the shapes that it is given.

        infra.fail "the branch does not fit: nn.squeeze 'decoder/If': dimension 2 is 2, only 1 can be squeezed"
    """

    name = "infra.fail"

    message = prop_def(StringAttr)

    assembly_format = "$message attr-dict"

    def __init__(self, message: str):
        super().__init__(properties={"message": StringAttr(message)})

    @classmethod
    def of_branch(cls, reason: str) -> Self:
        """The failure that replaces a branch, with this reason."""
        return cls(
            f"the inference took a branch that does not fit the shapes of this call: {reason}"
        )


@irdl_op_definition
class IfOp(InferredOp):
    """
    One of two bodies, by a condition. Both get all inputs and give as many results.

        %y = infra.if %c, %x : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
        ^bb0(%a: tensor<4xf32>):
          infra.yield %a : tensor<4xf32>
        } else {
        ^bb0(%b: tensor<4xf32>):
          …
        }
    """

    name = "infra.if"
    NAMES: ClassVar = Names("If-8", "If StatelessIf", "IF", "If-25")

    condition = operand_def(TensorType.constr(base(IntegerType)))
    inputs = var_operand_def(TensorType)
    results_ = var_result_def(TensorType)
    then_body = region_def("single_block")
    else_body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())
    assembly_format = (
        "$condition (`,` $inputs^)? attr-dict `:` functional-type(operands, results) "
        "$then_body `else` $else_body"
    )

    @property
    def bodies(self) -> tuple[Block, Block]:
        """The body for a true condition, and the one for a false condition."""
        return self.then_body.block, self.else_body.block

    def yielded(self, number: int) -> Sequence[SSAValue]:
        """The results of a body."""
        return cast(YieldOp, self.bodies[number].last_op).values

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        first, second = ([value.type for value in self.yielded(number)] for number in (0, 1))
        known = constants(self.condition)
        if known is not None:
            return first if any(known) else second
        if len(first) != len(second):
            raise VerifyException(
                f"{label(self)}: its bodies give {len(first)} and {len(second)} values; they must be as many"
            )
        return [self._join(*pair) for pair in zip(first, second, strict=True)]

    def _join(self, first: Attribute, second: Attribute) -> Attribute:
        """The type that covers both: dimensions in which they differ are unknown."""
        assert isinstance(first, TensorType) and isinstance(second, TensorType)
        a, b = cast(TensorType[Any], first), cast(TensorType[Any], second)
        if a.element_type != b.element_type or a.get_num_dims() != b.get_num_dims():
            raise VerifyException(f"{label(self)}: its bodies give {a} and {b}; types must agree")
        shape = [
            x if x == y else DYNAMIC_INDEX
            for x, y in zip(a.get_shape(), b.get_shape(), strict=True)
        ]
        return TensorType(a.element_type, shape)

    def verify_(self) -> None:
        if shape_of(self.condition) not in ((), (1,)):
            raise VerifyException(
                f"{label(self)}: the condition has type {self.condition.type}, not a scalar"
            )
        counts: set[int] = set()
        for body in self.bodies:
            if not isinstance(body.last_op, YieldOp):
                raise VerifyException(f"{label(self)}: a body must end in infra.yield")
            counts.add(len(body.last_op.values))
            given = [value.type for value in self.inputs]
            if len(given) != len(body.args) or not all(
                compatible(x, arg.type) for x, arg in zip(given, body.args, strict=True)
            ):
                raise VerifyException(
                    f"{label(self)}: a body takes {[str(arg.type) for arg in body.args]}, it is given "
                    f"{[str(type) for type in given]}"
                )
        if counts != {len(self.results)}:
            raise VerifyException(
                f"{label(self)}: bodies give {sorted(counts)} results, the operation {len(self.results)}"
            )
        super().verify_()
