"""A model as users hold it, read from and saved to the formats that file endings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO, StringIO
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.infra import variables_of
from ..dialects.mapped_constants import require_unchanged
from ..dialects.module import entry_of
from ..dialects.short_types import short_type
from ..passes.errors import DiagnosticError, as_runtime_error, shown
from ..passes.port_names import PortNames
from .foreign import called, holder_of, module_of_foreign
from .formats import check_beginning, reader_for, writer_for
from .missing_file import require_path
from .mlir import SourceError
from .model_names import ModelNames
from .node import Output, model_ports
from .other_endings import advice_about
from .port import Port

if TYPE_CHECKING:
    import keras
    import onnx
    import onnx_ir
    import openvino
    import torch

    from ..passes.pipeline import Pipeline
    from ..passes.reshape import AnyShape
    from ..passes.view_op_graph import Graph

    ForeignModel = (
        openvino.Model
        | onnx.ModelProto
        | torch.onnx.ONNXProgram
        | onnx_ir.Model
        | bytes
        | bytearray
        | memoryview
        | BytesIO
        | torch.nn.Module
        | torch.export.ExportedProgram
        | keras.Model
    )

AnyPath = str | PathLike[str]


@dataclass(eq=False)
class Model(ModelNames):
    """
    A model: an xDSL module (`module`) with an entry, the function that an inference calls. Passes change it in place.

        model = lowstream.read_model("model.onnx")
        model.inputs[0].names, model.inputs[0].shape, model.inputs[0].dtype
        model.reshape({"X": [1, 1, 16]})
    """

    module: ModuleOp

    @property
    def entry(self) -> func.FuncOp:
        """The function that an inference calls. Raises DiagnosticException if there is none."""
        return entry_of(self.module)

    @property
    def inputs(self) -> list[Output]:
        """The entry's arguments, in order, as outputs of their Parameters."""
        return model_ports(self.entry, "input")

    def input(self, key: Port | str | int | None = None) -> Output:
        """
        The input of this name or number; the only input without one. Raises DiagnosticException where there is none,
        or several.
        """
        return (ports := self.inputs)[position_of(ports, key, "input")]

    def output(self, key: Port | str | int | None = None) -> Output:
        """The output of this name or number, as `input`."""
        return (ports := self.outputs)[position_of(ports, key, "output")]

    @property
    def outputs(self) -> list[Output]:
        """The entry's results, in order, as outputs of their Results."""
        return model_ports(self.entry, "output")

    def is_dynamic(self) -> bool:
        """Whether an input has an unknown dimension."""
        return any(port.partial_shape.is_dynamic for port in self.inputs)

    def reshape(self, shapes: Mapping[Any, AnyShape] | AnyShape) -> None:
        """
        Gives inputs, by name, number or port, new shapes; every other type follows. One shape alone is that
        of the only input. `?`, -1 and None are unknown dimensions, `1..8` and `(1, 8)` unknown ones with limits: calls
        with other sizes are refused.

            model.reshape({"X": [1, 1, 16], "Y": "?x4"})

        Raises DiagnosticException, and leaves the model as it was, where it does not fit the shapes;
        the message names the constant that stands in the way.
        """
        from ..passes.reshape import reshape

        if not isinstance(shapes, Mapping):
            if (count := len(self.inputs)) != 1:
                raise DiagnosticException(
                    f"reshape: the model has {count} inputs; give a shape by name, {{name: shape}}"
                )
            shapes = {0: shapes}
        by_input: dict[str | int, AnyShape] = {
            position_of(self.inputs, key, "input") if isinstance(key, Port) else key: shape
            for key, shape in shapes.items()
        }
        with as_runtime_error():
            self._check_layouts(by_input)
            reshape(self.module, by_input)

    def _check_layouts(self, shapes: Mapping[str | int, AnyShape]) -> None:
        """Raises DiagnosticException where an input's layout has another number of dimensions than its new shape."""
        from ..passes.reshape import parse_partial_shape
        from .layouts import get_layout

        for port in self.inputs:
            for key in {port.number, *port.names} & shapes.keys():
                sizes = parse_partial_shape(f"reshape: input {key!r}", shapes[key])
                if not (layout := get_layout(port)).fits(len(sizes)):
                    raise DiagnosticError(
                        f"reshape: input {key!r} has the layout {layout}, which does not fit {len(sizes)} dimensions; "
                        "set another one first, or none: layout_helpers.set_layout(port, '')"
                    )

    def graph(self) -> Graph:
        """
        The model as nodes, edges and clusters, which notebooks draw: `to_svg`, `to_dot`.

            model.graph()
        """
        from ..passes.view_op_graph import graph_of

        return graph_of(self.module)

    def clone(self) -> Model:
        """A model that passes may change while this one stays; both share the constants, which never change."""
        return Model(self.module.clone())

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        text = StringIO()
        Printer(text).print_op(self.module)
        return _of_text, (text.getvalue(),)

    def __repr__(self) -> str:
        try:
            inputs, outputs = self.inputs, self.outputs
        except DiagnosticException:
            return "<Model without an entry>"
        listed = [
            f"{'|'.join(port.names) or index}: {short_type(port.type)}"
            for ports in (inputs, outputs)
            for index, port in enumerate(ports)
        ]
        count = len(inputs)
        return f"<Model ({', '.join(listed[:count])}) -> ({', '.join(listed[count:])})>"

    def _repr_html_(self) -> str:
        """What a notebook shows: inputs, outputs, states and, where there is a Graphviz, the graph."""
        from ..passes.html_table import html_table
        from ..passes.view_op_graph.dot import can_draw

        picture = self.graph().to_svg() if can_draw() else ""
        box = f'<div style="max-height: 40em; overflow: auto">{picture}</div>\n'
        return html_table(("", "name", "type"), list(self._rows())) + box * bool(picture)

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        try:
            listed = {"input": self.inputs, "output": self.outputs}
        except DiagnosticException:
            return
        for role, ports in listed.items():
            for port in ports:
                yield role, ", ".join(port.names), short_type(port.type)
        for name, variable in variables_of(self.module).items():
            yield "state", name, short_type(variable.type)


def _of_text(text: str) -> Model:
    """The model that a pickle holds."""
    from ..dialects import context
    from .mlir import parse_module

    return Model(parse_module(text, "pickle", context()))


def position_of(ports: Sequence[Port], key: Port | str | int | None, role: str) -> int:
    """
    The position of the port of this name or number, or of the only one. Raises DiagnosticException where there is none,
    or several.
    """
    if key is None:
        if len(ports) != 1:
            raise DiagnosticError(
                f"the model has {len(ports)} {role}s; say which, by name or number"
            )
        return 0
    if isinstance(key, str | PortNames):
        for number, port in enumerate(ports):
            if key == port or key in port.names or _is_named_as(key, port):
                return number
    elif (number := _number(key)) is not None and -len(ports) <= number < len(ports):
        return number % len(ports)
    listed = ", ".join("/".join(port.names) or str(n) for n, port in enumerate(ports))
    raise DiagnosticError(f"the model has no {role} {shown(key)}; it has {listed}")


def _is_named_as(key: Any, port: Port) -> bool:
    """Whether a port of a copy of the model, or of what was compiled of it, is this one."""
    return not isinstance(key, str) and bool(port.names) and key.names == port.names


def _number(key: Any) -> int | None:
    try:
        return index(key)
    except TypeError:
        return None


# --- files ---------------------------------------------------------------------------------


def read_model(
    source: AnyPath | ForeignModel,
    *,
    example_input: object = None,
    signature: str | None = None,
) -> Model:
    """
    The model in a file, whose ending says the format, or in a directory, a saved model of TensorFlow; or one that
    another library holds in memory.

        read_model("model.onnx")
        read_model(network, example_input=torch.zeros(1, 3, 224, 224))     # a torch.nn.Module is traced
        read_model("model.tflite", signature="decode")     # of several; saved models have them, too

    Raises SourceError, one line that begins with the file, where it is not a model, or where there is no file (then it
    is a FileNotFoundError, too), OSError where it cannot be read, and DiagnosticException for what is in memory.
    """
    if not isinstance(source, str | PathLike):
        if isinstance(source, Model | ModuleOp):
            raise DiagnosticException(f"{called(source)} is read already; use it as it is")
        if signature is not None:
            raise DiagnosticException(
                f"{called(source)} has no signatures, as a .tflite file and a saved model have; leave signature away"
            )
        with as_runtime_error():
            return Model(module_of_foreign(source, example_input))
    path = Path(source)
    if example_input is not None:
        raise SourceError(
            f"{path}: error: a file is not traced; leave example_input away, and reshape the model"
        )
    require_path(path)
    if path.is_dir() and not advice_about(path.suffix.lower()):
        from .tensorflow import SIGNATURE, read_saved_model

        return Model(read_saved_model(path, SIGNATURE if signature is None else signature))
    reader = reader_for(path)
    if signature is not None:
        if path.suffix.lower() != ".tflite":
            raise SourceError(
                f"{path}: error: only a .tflite file and a saved model have signatures; leave signature away"
            )
        reader = partial(reader, signature=signature)
    if path.is_file() and not path.stat().st_size and path.suffix.lower() != ".mlir":
        raise SourceError(
            f"{path}: error: not a model, but an empty file; copy it or export it again"
        )
    if path.is_file():
        check_beginning(path)
    return Model(reader(path))


def save_model(model: Model | ModuleOp, path: AnyPath, compress_to_fp16: bool = False) -> None:
    """
    Writes a model to a file, whose ending says the format; large constants of an .mlir go into
    `<stem>.safetensors` beside it. Missing folders are created, as by OpenVINO. Nothing is left half-written.
    With `compress_to_fp16`, floating-point constants of an .xml become f16, each with a Convert behind it, as OpenVINO
    writes them.

    Raises SourceError for an ending that has no writer or cannot have such constants, DiagnosticException for what is
    no model or no path, and OSError where a file cannot be written.
    """
    _require_path(path)
    path = Path(path)
    with as_runtime_error():
        writer, module = writer_for(path), module_of(model)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not compress_to_fp16:
            writer(module, path)
        elif path.suffix == ".xml":
            writer(module, path, compress_to_fp16=True)
        else:
            raise SourceError(f"{path}: error: compress_to_fp16=True is for .xml; leave it out")


def _require_path(path: object) -> None:
    if not isinstance(path, str | PathLike):
        raise DiagnosticError(
            f"save_model was given {shown(path)} as the path; give one whose ending says the format, such as 'm.mlir'"
        )


# --- passes ---------------------------------------------------------------------------------


def module_of(model: Model | ModuleOp) -> ModuleOp:
    """
    The module of a model, or the module itself. Raises DiagnosticException for what is neither, and where a file of its
    weights was written since it was read.
    """
    module = _module_or_refuse(model)
    require_unchanged(module)
    return module


def _module_or_refuse(model: object) -> ModuleOp:
    if isinstance(model, Model):
        return model.module
    if isinstance(model, ModuleOp):
        return model
    raise DiagnosticException(f"{called(model)} is not a model of lowstream's; {_advice(model)}")


def readable_module_of(model: Model | ModuleOp | AnyPath | ForeignModel) -> ModuleOp:
    """As `module_of`, also of a model in a file, or that another library holds."""
    if isinstance(model, Model | ModuleOp):
        return module_of(model)
    return read_model(model).module


def _advice(given: object) -> str:
    """What to do with an object that is no model here."""
    if isinstance(given, str | PathLike):
        return "read the file first: lowstream.read_model(path)"
    if holder_of(given) is not None:
        return "read it first: lowstream.read_model(model)"
    return "give what lowstream.read_model gave"


def run_passes(model: Model | ModuleOp, pipeline: Pipeline) -> None:
    """
    Runs passes in order, verifying after each; the model is changed in place.

        run_passes(model, "low-latency2{use-const-initializer=false},lpt")

    Raises DiagnosticException where a pass does not know a name or cannot do its work.
    """
    from ..passes import pipeline as runner

    runner.run_passes(module_of(model), pipeline)
