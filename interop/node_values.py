"""What nodes hold and compute, as OpenVINO's users ask: types of Parameters, elements of Constants, results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialects import nn
from ..dialects.inferred import tensor
from ..passes.errors import DiagnosticError, as_runtime_error

if TYPE_CHECKING:
    import numpy as np

    from ..passes.port_names import Type
    from ..passes.reshape import AnyShape
    from ..passes.shapes.partial_shape import PartialShape, Shape
    from .port import Port


class NodeValues:
    """Methods that build on a node's type, its operation and its values."""

    if TYPE_CHECKING:
        op: Operation | None
        port: Port | None
        type: str

        @property
        def values(self) -> Sequence[SSAValue]: ...
        @property
        def friendly_name(self) -> str: ...
        def get_output_shape(self, index: int) -> Shape: ...
        def get_output_partial_shape(self, index: int) -> PartialShape: ...
        def get_output_element_type(self, index: int) -> Type: ...

    # --- shape and type ---------------------------------------------------------------------

    @property
    def shape(self) -> Shape:
        """The shape of the first output. Raises DiagnosticException where it is unknown."""
        return self.get_output_shape(0)

    @property
    def partial_shape(self) -> PartialShape:
        """The shape of the first output; to be set of a Parameter, as by `set_partial_shape`."""
        return self.get_output_partial_shape(0)

    @partial_shape.setter
    def partial_shape(self, shape: AnyShape) -> None:
        self.set_partial_shape(shape)

    def get_partial_shape(self) -> PartialShape:
        """`partial_shape`."""
        return self.partial_shape

    def set_partial_shape(self, shape: AnyShape) -> None:
        """
        Gives a Parameter another shape, which what follows has after `model.validate_nodes_and_infer_types()`;
        `model.reshape` does both. Raises DiagnosticException for what is no shape, and for any other node.
        """
        from ..passes.reshape import parse_partial_shape, sizes_of
        from ..passes.shapes.limits import set_limits

        element = self._parameter_type.element_type
        parsed = parse_partial_shape(f"{self.friendly_name}: a Parameter", shape)
        self._retype(TensorType(element, sizes_of(parsed)))
        assert self.port is not None and self.port.owner is not None
        set_limits(self.port.owner, self.port.number, parsed)

    @property
    def element_type(self) -> Type:
        """The element type of the first output; to be set of a Parameter, as by `set_element_type`."""
        return self.get_output_element_type(0)

    @element_type.setter
    def element_type(self, element: Any) -> None:
        self.set_element_type(element)

    def get_element_type(self) -> Type:
        """`element_type`."""
        return self.element_type

    def set_element_type(self, element: Any) -> None:
        """
        Gives a Parameter another element type, by its name, or of OpenVINO's or NumPy's, as `set_partial_shape` gives a
        shape. Raises DiagnosticException where there is no such type, and for any other node.
        """
        from ..passes.preprocess.names import element_type

        shape = self._parameter_type.shape
        self._retype(TensorType(element_type(element), shape))

    @property
    def _parameter_type(self) -> TensorType[Any]:
        if self.type != "Parameter":
            raise DiagnosticError(
                f"{self.friendly_name} is a {self.type}; shape and type of a Parameter are set, and others follow"
            )
        return tensor(self.values[0])

    def _retype(self, type: TensorType[Any]) -> None:
        entry = Rewriter.replace_value_with_new_type(self.values[0], type).owner.parent_op()
        assert isinstance(entry, func.FuncOp)
        entry.update_function_type()

    # --- elements ---------------------------------------------------------------------------

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """The elements of a Constant. Raises DiagnosticException for any other node."""
        from ..reference.arrays import array_of

        if not isinstance(self.op, nn.ConstantOp):
            raise DiagnosticError(f"{self.friendly_name} is a {self.type}; a Constant has data")
        return array_of(self.op.value)

    def get_data(self) -> np.ndarray[Any, Any]:
        """`data`."""
        return self.data

    def get_vector(self) -> np.ndarray[Any, Any]:
        """The elements of a Constant in one row."""
        return self.data.ravel()

    def get_byte_size(self) -> int:
        """The bytes that the elements of a Constant take."""
        return self.data.nbytes

    def evaluate(self, output_values: Sequence[Any], input_values: Sequence[Any]) -> bool:
        """
        Computes the outputs of an operation by the reference, slowly, and writes them to the arrays `output_values`,
        which have their shapes. Raises DiagnosticException where there is no reference, or an array does not fit.
        """
        if (op := self.op) is None:
            raise DiagnosticError(f"{self.friendly_name} is a {self.type}; operations compute")
        types = [operand.type for operand in op.operands]
        entry = func.FuncOp("main", (types, [value.type for value in self.values]))
        inside = op.clone(dict(zip(op.operands, entry.args, strict=True)))
        entry.body.block.add_ops([inside, func.ReturnOp(*inside.results)])
        return evaluate(ModuleOp([entry]), output_values, input_values)


def evaluate(module: ModuleOp, outputs: Sequence[Any], inputs: Sequence[Any]) -> bool:
    """
    Computes a module's outputs by the reference, and writes them to arrays of their shapes. True, as in OpenVINO.
    Raises DiagnosticException where there is no reference, or an array does not fit.
    """
    from ..reference.executor import Executor

    with as_runtime_error():
        results = Executor(module).run([getattr(each, "data", each) for each in inputs])
    shapes = [(*array.shape,) for array in outputs]
    if shapes != (found := [result.shape for result in results]):
        raise DiagnosticError(f"outputs have shapes {found}; the arrays for them have {shapes}")
    for array, result in zip(outputs, results, strict=True):
        array[...] = result
    return True
