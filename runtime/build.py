"""From a module to an executable: low precision where the model is quantized, kernels, native code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    TensorType,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from ..dialects import context, infra, kernel, nn
from ..dialects.blob import BlobAttr
from ..dialects.kernel import Shaped, shaped
from ..dialects.module import entry_of, port_names
from ..dialects.origins import origins_of
from ..dialects.short_types import short_element
from ..dialects.walk import all_operations
from ..lowering.codegen.compile import compile_program
from ..lowering.codegen.weights_image import WeightsImage
from ..lowering.codegen.work import multiply_accumulates
from ..lowering.lower_to_kernels import Fused
from ..lowering.machine import Isa, choose_isa
from ..passes.errors import DiagnosticError
from ..passes.infer_shapes import infer_types_of_call
from ..passes.instrumentation import apply_pass
from ..passes.pipeline import Pipeline, parse_pipeline, run_passes
from ..passes.quantized import is_quantized
from ..passes.shapes.limits import limited_shape
from ..passes.shapes.partial_shape import Shape
from ..reference import arrays
from ..reference.arrays import array_of, array_type_name, dtype_of
from .cache.known_kernels import known_kernels
from .cache.tuned import configurations_for
from .executable import Executable, Kernel, Origin, State, StateQuantization
from .host import host_cpu
from .ports import Port
from .specialize import shapes_read

AUTO = "auto"
"""The pipeline that applies low precision transformations to a quantized model and nothing else."""


CHANGE_INPUTS = ("reshape", "trim", "replace-constant", "make-stateful")
"""Passes that may change a model's inputs."""


def split_at_inputs(pipeline: Pipeline | None) -> tuple[list[ModulePass], Pipeline | None]:
    """
    Splits a pipeline behind the last pass that may change the model's inputs. The passes before say which shapes inputs
    have; the rest run when these shapes are known.
    """
    if pipeline is None or pipeline == AUTO:
        return [], pipeline
    passes = parse_pipeline(pipeline)
    count = max((n for n, each in enumerate(passes, 1) if each.name in CHANGE_INPUTS), default=0)
    return (passes[:count], passes[count:]) if count else ([], pipeline)


def keeps_states(pipeline: Pipeline | None) -> bool:
    """Whether the passes certainly keep the states that a model declares: those of low precision do."""
    if pipeline is None or pipeline == AUTO:
        return True
    return all(each.name.partition("-")[0] == "lpt" for each in parse_pipeline(pipeline))


Place = Callable[[Executable, WeightsImage], Executable]
"""A function that gives an executable its weights."""


def in_memory(executable: Executable, weights: WeightsImage) -> Executable:
    """The executable with its weights in memory of this process."""
    return replace(executable, weights=weights.in_memory())


def build(
    module: ModuleOp,
    pipeline: Pipeline | None,
    profiling: bool,
    threads: int,
    accurate: bool = False,
    flush_denormals: bool = False,
    place: Place = in_memory,
) -> Executable:
    """
    Compiles a module, and uses it up; `accurate` is that of the passes, `flush_denormals` that of the program. Raises
    DiagnosticException, naming the operation, where it cannot be compiled.
    """
    prepare(module, pipeline)
    isa = choose_isa()
    interface = Interface.of(module)
    configurations = configurations_for(threads, isa.name)
    program = Fused.out_of(module, isa).finished(configurations, accurate)
    program.flush_denormals = UnitAttr() if flush_denormals else None
    executable = executable_of(program, interface, isa, profiling, threads, place)
    for op in kernel.outside_bodies(program):
        if isinstance(op, kernel.ConstantOp):
            op.properties.clear()  # else only the garbage collector would let go of their data
    return executable


@dataclass(frozen=True)
class Interface:
    """What users see of a module and its program does not say: names, and variables by id."""

    inputs: Attribute | None
    outputs: Attribute | None
    variables: dict[str, infra.VariableOp]

    @classmethod
    def of(cls, module: ModuleOp) -> Interface:
        """The interface of a module, which may be changed afterwards."""
        entry, variables = entry_of(module), infra.variables_of(module)
        copies = {name: variable.clone() for name, variable in variables.items()}
        return cls(entry.arg_attrs, entry.res_attrs, copies)


def executable_of(
    program: kernel.ProgramOp,
    interface: Interface,
    isa: Isa,
    profiling: bool,
    threads: int,
    place: Place = in_memory,
) -> Executable:
    """The executable of a program, compiled from a module with this interface."""
    compiled = compile_program(program, isa, profiling, threads, known_kernels())
    executable = Executable(
        cpu=host_cpu(),
        isa=isa.name,
        threads=compiled.threads,
        inputs=_inputs(program.input_args, interface.inputs),
        outputs=_outputs(program, interface.outputs),
        states=_states(program, interface.variables),
        kernels=_kernels(program) if profiling else (),
        arena_bytes=compiled.arena_bytes,
        failures=tuple(op.message.data for op in program.failures),
        objects=compiled.objects,
        weights=b"",
        aliases=tuple(program.input_of_output.items()),
    )
    return place(executable, compiled.weights)


def prepared(module: ModuleOp, pipeline: Pipeline | None) -> ModuleOp:
    """A copy of a valid module after the passes of `pipeline`, as it is lowered. Raises what `prepare` does."""
    module = module.clone()
    prepare(module, pipeline)
    return module


def prepare(module: ModuleOp, pipeline: Pipeline | None) -> None:
    """
    Applies the passes of `pipeline` to a valid module. Raises VerifyException where one of them leaves it invalid;
    those of "auto" are trusted, since the program is verified in the end.
    """
    if pipeline is None or (pipeline == AUTO and not is_quantized(module)):
        return
    begun = shapes_read(module)
    if pipeline == AUTO:
        from ..passes.lpt import Lpt  # only quantized models need it
        from ..passes.lpt.config import COMPILED

        apply_pass(Lpt(COMPILED), context(), module)
    else:
        run_passes(module, pipeline)
    if begun:
        infer_types_of_call(module, begun, keep=True)


def ports_of(module: ModuleOp) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
    """
    The inputs and outputs of a module's entry. Raises DiagnosticException where one is of a type that arrays
    cannot have.
    """
    entry = entry_of(module)
    return (
        tuple(
            replace(port, limits=_limits(entry, number)) if -1 in port.shape else port
            for number, port in enumerate(_inputs(entry.args, entry.arg_attrs))
        ),
        _ports("output", entry.function_type.outputs.data, entry.res_attrs),
    )


def _limits(entry: func.FuncOp, number: int) -> tuple[tuple[int, int], ...]:
    """The limits of an input's dimensions; nothing where no unknown one has any."""
    shape = limited_shape(entry, number)
    return tuple((size.min_length, size.max_length) for size in shape) if shape.has_limits else ()


def _inputs(arguments: Sequence[SSAValue], attributes: Any) -> tuple[Port, ...]:
    """The inputs, and which of them nothing uses, as of a loop whose start became a state."""
    ports = _ports("input", [argument.type for argument in arguments], attributes)
    return tuple(
        port if argument.first_use is not None else replace(port, is_used=False)
        for port, argument in zip(ports, arguments, strict=True)
    )


def _outputs(program: kernel.ProgramOp, attributes: Any) -> tuple[Port, ...]:
    """The outputs, and behind them the outputs that hold sizes."""
    types, listed = [arg.type for arg in program.output_args], program.dynamic_shapes
    count = min(program.hidden_outputs, default=len(types))
    sizes = {number: [(d, place) for n, d, place in listed if n == number] for number, *_ in listed}
    ports = _ports("output", types[:count], attributes)
    return (
        *(
            replace(port, sizes=tuple(sizes[n])) if n in sizes else port
            for n, port in enumerate(ports)
        ),
        *_ports("size", types[count:], None),
    )


def _ports(role: str, types: Sequence[Attribute], attributes: Any) -> tuple[Port, ...]:
    names = port_names(attributes, len(types))
    return tuple(
        _port(role, tuple(listed) or (f"{role}{index}",), type)
        for index, (listed, type) in enumerate(zip(names, types, strict=True))
    )


def _port(role: str, names: tuple[str, ...], type: Attribute) -> Port:
    if not isinstance(type, TensorType | MemRefType):
        raise DiagnosticError(f"{role} '{names[0]}' is a {type}; only tensors can be passed")
    type = cast(Shaped, type)
    element = type.get_element_type()
    shape = Shape(-1 if size == DYNAMIC_INDEX else size for size in type.get_shape())
    return Port(role, names, shape, array_type_name(element))


def states_of(module: ModuleOp) -> tuple[State, ...]:
    """What is known of a module's states while the shapes of its inputs are not; an unknown size counts as 0."""
    inits = {
        op.variable.string_value(): init
        for op in all_operations(module)
        if isinstance(op, infra.ReadValueOp) and (init := nn.constant_of(op.init)) is not None
    }
    states: list[State] = []
    for name, variable in infra.variables_of(module).items():
        type, init = cast(TensorType[Any], variable.type), inits.get(name)
        shape = init.type.get_shape() if init is not None else type.get_shape()
        shape = tuple(max(size, 0) for size in shape)
        data = None if init is None else _bytes_in_memory(init)
        port, quantization = _state_port(variable), _quantization_of(variable)
        states.append(State(port, False, data, shape, shape, quantization))
    return tuple(states)


def _states(
    program: kernel.ProgramOp, declared: Mapping[str, infra.VariableOp]
) -> tuple[State, ...]:
    fields = zip(program.states, program.assigned, program.inits, program.state_args, strict=True)
    flag_of = program.flag_of
    flags = {flag: infra.VariableOp(flag, TensorType(i1, [])) for flag in flag_of.values()}
    variables = {**declared, **flags}
    numbers = {name.data: number for number, name in enumerate(program.states)}
    listed, in_place = program.computed_state_sizes, program.in_place or ()
    return tuple(
        State(
            _state_port(variables[name.data]),
            bool(assigned),
            _bytes_in_memory(init) if isinstance(init, BlobAttr) and name not in in_place else None,
            shaped(current).get_shape(),
            shaped(following).get_shape(),
            _quantization_of(variables[name.data]),
            numbers[flag_of[name.data]] if name.data in flag_of else None,
            tuple((d, place) for number, d, place in listed if number == numbers[name.data]),
            name in in_place,
        )
        for name, assigned, init, (current, following) in fields
    )


def _state_port(variable: infra.VariableOp) -> Port:
    """A state as users see it: codes as their values."""
    type = cast(TensorType[Any], variable.type)
    if variable.scale is not None:
        type = TensorType(variable.scale.type.element_type, type.get_shape())
    return _port("state", (variable.sym_name.data,), type)


def _quantization_of(variable: infra.VariableOp) -> StateQuantization | None:
    if variable.scale is None:
        return None
    zero_point = 0 if variable.zero_point is None else array_of(variable.zero_point).tolist()
    codes = dtype_of(cast(TensorType[Any], variable.type).element_type).name
    return StateQuantization(codes, array_of(variable.scale).tolist(), zero_point)


def _bytes_in_memory(constant: BlobAttr) -> bytes:
    """A constant as kernels read it: an element of less than 8 bits takes a whole byte."""
    return arrays.in_memory(array_of(constant), constant.type.element_type).tobytes()


def _kernels(program: kernel.ProgramOp) -> tuple[Kernel, ...]:
    """The counted kernels, in the order of emission."""
    return tuple(_kernel(op) for op in all_operations(program) if isinstance(op, kernel.EmittedOp))


def _kernel(op: kernel.EmittedOp) -> Kernel:
    made = shaped(op.outputs[0])
    factors = op.factors if isinstance(op, kernel.KernelOp) else ()
    return Kernel(
        op.name,
        tuple(Origin(o.name, o.type, o.low_precision) for o in origins_of(op)),
        short_element(made.get_element_type()),
        tuple(-1 if size == DYNAMIC_INDEX else size for size in made.get_shape()),
        tuple(short_element(shaped(part[0]).get_element_type()) for part in factors if part),
        multiply_accumulates(op),
    )
