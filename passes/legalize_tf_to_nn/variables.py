"""TensorFlow's variables: those that the model assigns become states, all others constants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnregisteredOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra
from ...dialects.blob import BlobAttr
from ...dialects.compatible import compatible

if TYPE_CHECKING:
    from .translation import Translation

GLOBAL = "tf_saved_model.global_tensor"
"""The operation that holds the value of a variable of a saved model."""


def globals_of(module: ModuleOp) -> dict[str, UnregisteredOp]:
    """The variables of a module with their values, by name."""
    found: dict[str, UnregisteredOp] = {}
    for op in module.ops:
        if isinstance(op, UnregisteredOp) and op.op_name.data == GLOBAL:
            name = op.properties.get("sym_name", op.attributes.get("sym_name"))
            if not isinstance(name, StringAttr):
                raise DiagnosticException(
                    f"{GLOBAL}: its sym_name is {name}; it must be a string, the variable's name"
                )
            found[name.data] = op
    return found


class VariableValues:
    """
    The values of variables: at first while initializers run, from `begin` on during one call. A read after an
    assignment gives what was assigned.
    """

    def __init__(self, values: Mapping[str, UnregisteredOp]):
        self.values = values
        self.has_begun = False
        self.begun: dict[str, SSAValue] = {}
        self.reads: dict[str, infra.ReadValueOp] = {}
        self.assigned: dict[str, SSAValue] = {}

    def begin(self) -> None:
        """Initial values are now those that initializers have assigned."""
        self.has_begun, self.begun, self.assigned = True, self.assigned, {}
        for read in self.reads.values():
            read.result.replace_all_uses_with(read.init)
            read.detach()
            read.erase()
        self.reads.clear()

    def read(self, t: Translation, name: str) -> SSAValue:
        """The value of a variable now."""
        if name in self.assigned:
            return self.assigned[name]
        if name not in self.reads:
            init = self.begun[name] if name in self.begun else t.constant(self._initial(name))
            type = cast(TensorType[Any], init.type)
            self.reads[name] = t.builder.insert(infra.ReadValueOp(name, init, type))
        return self.reads[name].result

    def assign(self, t: Translation, name: str, value: SSAValue) -> None:
        """Sets a variable, for reads that follow and for the next call."""
        if not self.has_begun:
            self.assigned[name] = value
            return
        initial = self.read(t, name) if name not in self.assigned else self.assigned[name]
        if not compatible(initial.type, value.type):
            raise DiagnosticException(
                f"tf.AssignVariableOp: variable '{name}' is a {initial.type}, it is assigned a {value.type}"
            )
        self.assigned[name] = value

    def settle(self, t: Translation, module: ModuleOp) -> None:
        """Declares and assigns the variables that are states; the others become constants."""
        for name, read in self.reads.items():
            if name not in self.assigned:
                read.result.replace_all_uses_with(read.init)
                read.detach()
                read.erase()
                continue
            type = cast(TensorType[Any], read.init.type)
            first = module.body.block.first_op
            variable = infra.VariableOp(name, type)
            if first is None:
                module.body.block.add_op(variable)
            else:
                module.body.block.insert_op_before(variable, first)
            t.builder.insert(infra.AssignOp(name, self.assigned[name]))

    def _initial(self, name: str) -> BlobAttr:
        from ...reference.arrays import blob_of
        from ...reference.tfl import dense_array

        if (op := self.values.get(name)) is None:
            raise DiagnosticException(
                f"variable '{name}' has no value in this module; import the model with its "
                f"{GLOBAL} operations"
            )
        value = op.properties.get("value", op.attributes.get("value"))
        array = dense_array(value)
        element = cast(TensorType[Any], cast(Any, value).type).element_type
        return blob_of(array, element)
