"""Files as modules of `tfl`, one to one: what is read and written is what the file said."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnregisteredOp, f32
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context, tfl
from lowstream.interop.tflite.exporter import exported
from lowstream.interop.tflite.importer import imported
from lowstream.interop.tflite.schema import (
    BUILTINS,
    option_name,
    property_name,
    schema,
    table_of,
)
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, number
from lowstream.test.unit.interop.tflite.serialize import serialize

FILES = sorted((Path(__file__).parent / "files").glob("*.tflite"))

OWN = {*tfl.INTERMEDIATES, "qtype"}
"""Properties that are no options."""

NEWER = {"quantSpec"}
"""Options of newer schemas that have no meaning here."""


def said(data: bytes) -> list[Any]:
    """What a file says, by the names of its tensors; constants in full, absent operands at the end left off."""
    model = schema.ModelT.InitFromPackedBuf(data, 0)
    found: list[Any] = [subgraph.name for subgraph in model.subgraphs]
    for signature in model.signatureDefs or ():
        whole = model.subgraphs[signature.subgraphIndex]
        found.append((signature.signatureKey, whole.name))
        found += [
            sorted((each.name, whole.tensors[each.tensorIndex].name) for each in side)
            for side in (signature.inputs, signature.outputs)
        ]
    for subgraph in model.subgraphs:

        def tensors(indices: Any, subgraph: Any = subgraph) -> list[Any]:
            listed = [*indices] if indices is not None else []
            while listed and listed[-1] == -1:
                listed.pop()
            return [None if i == -1 else tensor(subgraph.tensors[i]) for i in listed]

        def tensor(packed: Any) -> Any:
            data, q = model.buffers[packed.buffer].data, packed.quantization
            shape = packed.shapeSignature if packed.shapeSignature is not None else packed.shape
            codes = None
            if q is not None and q.scale is not None and len(q.scale):
                codes = [[*q.scale], [*q.zeroPoint], q.quantizedDimension]
            raw = None if data is None else bytes(data)
            return packed.name, packed.type, [*shape], codes, raw, bool(packed.isVariable)

        found += [tensors(subgraph.inputs), tensors(subgraph.outputs)]
        for op in subgraph.operators:
            code = model.operatorCodes[op.opcodeIndex]
            builtin = BUILTINS[max(code.builtinCode, code.deprecatedBuiltinCode)]
            table = table_of(builtin)
            default = None if table is None else getattr(schema, f"{table}T")()
            options = vars(op.builtinOptions or default) if default else {}
            kept = {name: np.array(value).tolist() for name, value in options.items()}
            content = None if op.customOptions is None else bytes(op.customOptions)
            found.append((builtin, code.version, code.customCode, kept, content))
            found += [tensors(op.inputs), tensors(op.outputs)]
            found.append([each[1:4] for each in tensors(op.intermediates)])
    return found


def check(data: bytes) -> ModuleOp:
    """The module of a file, which gives the file again, also from its text."""
    module = imported(data)
    again = exported(module)
    assert said(again) == said(data)
    parsed = Parser(context(), str(module)).parse_module()
    parsed.verify()
    assert exported(parsed) == again
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_of_the_converter_stay_what_they_are(path: Path):
    check(path.read_bytes())


def test_branches_are_functions():
    main = Part(x := Tensor((2,), "float32", "x"), c := Tensor((), "bool", "c"))
    inner = Tensor((2,), "float32", "a"), Tensor((2,), "float32", "b")
    bodies = [Part(each) for each in inner]
    for body, name, each in zip(bodies, ("EXP", "NEG"), inner, strict=True):
        body.gives(body(name, [each], (2,)))
    main.gives(main("IF", [c, x], (2,), thenSubgraphIndex=1, elseSubgraphIndex=2))
    module = check(serialize(Graph([main.graph, *(body.graph for body in bodies)])))
    (branch,) = (op for op in module.walk() if isinstance(op, tfl.IfOp))
    names = [branch.properties[f"{role}_subgraph"] for role in ("then", "else")]
    assert [str(name) for name in names] == ["@part", "@part_2"]  # both are called `part`


def test_a_subgraph_that_is_not_there_is_refused():
    main = Part(x := Tensor((2,), "float32", "x"), c := Tensor((), "bool", "c"))
    main.gives(main("IF", [c, x], (2,), thenSubgraphIndex=0, elseSubgraphIndex=7))
    with pytest.raises(
        DiagnosticException, match=r"^IF: elseSubgraphIndex is 7; the file has 1 sub"
    ):
        imported(serialize(Graph([main.graph])))


def test_operators_without_a_class_are_kept():
    main = Part(x := Tensor((4,), "float32", "x"))
    values, indices = Tensor((2,), "float32", "v"), Tensor((2,), "int32", "i")
    main.graph.operators.append(Operator("UNIQUE", [x], [values, indices]))
    buckets = main("BUCKETIZE", [values], (2,), "int32", boundaries=[0.5, 2.0])
    module = check(serialize(Graph([main.gives(buckets, indices)])))
    found = [op for op in module.walk() if isinstance(op, UnregisteredOp)]
    assert [op.op_name.data for op in found] == ["tfl.bucketize"]
    assert str(found[0].attributes["boundaries"]) == "array<f32: 5.000000e-01, 2.000000e+00>"


def test_operators_that_write_into_variables_do_so_again():
    main = Part(x := Tensor((2,), "float32", "x"))
    state = Tensor((2,), "float32", "state", variable=True)
    zero = number([0.0, 0.0], "float32")
    main.graph.operators.append(Operator("ADD", [x, zero], [state]))
    main.gives(main("ABS", [state], (2,)), main("NEG", [state], (2,)))
    module = check(serialize(Graph([main.graph])))
    (store,) = (op for op in module.walk() if isinstance(op, tfl.StoreOp))
    assert isinstance(store.value.owner, tfl.AddOp)
    assert isinstance(store.variable.owner, tfl.VariableOp)
    uses = {use.operation.name for use in store.variable.uses}
    assert uses == {"tfl.abs", "tfl.neg", "tfl.store"}


@pytest.mark.parametrize("axis", [0, 1])
def test_scales_along_an_axis_are_part_of_the_type(axis: int):
    main = Part(x := Tensor((2, 2), "float32", "x"))
    weights = number(np.array([[1, 2], [3, -4]]), "int8")
    weights.quantization = TensorQuantization((0.1, 1e-7), (0, 0), axis)
    main.gives(main("FULLY_CONNECTED", [x, weights, None], (2, 2)))
    module = check(serialize(Graph([main.graph])))
    assert f"!quant.uniform<i8:f32:{axis}, {{0.1, 1.0e-07}}>" in str(module)


def test_sizes_may_be_unknown():
    main = Part(x := Tensor((-1, 3), "float32", "x"))
    module = check(serialize(Graph([main.gives(main("RELU", [x], (-1, 3)))])))
    assert "tensor<?x3xf32>" in str(module)


def test_what_is_no_operator_is_not_exported():
    text = 'func.func @main(%x: tensor<2xf32>) { "nn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32> func.return }'
    module = Parser(context(), text).parse_module()
    with pytest.raises(DiagnosticException, match=r"nn\.relu: is not an operation of LiteRT"):
        exported(module)


def test_a_tensor_that_nobody_writes_is_named():
    main = Part(Tensor((2,), "float32", "x"))
    main.gives(main("ABS", [Tensor((2,), "float32", "ghost")], (2,)))
    with pytest.raises(DiagnosticException, match=r"^ABS: tensor 'ghost' is read before it is"):
        imported(serialize(Graph([main.graph])))


def test_too_few_operands_are_named():
    main = Part(x := Tensor((2,), "float32", "x"))
    main.gives(main("ADD", [x], (2,)))
    with pytest.raises(DiagnosticException, match=r"^ADD: .* 2 operand"):
        imported(serialize(Graph([main.graph])))


# --- the classes are the schema -----------------------------------------------------------------


@pytest.mark.parametrize("builtin", tfl.OPERATIONS)
def test_classes_have_the_options_of_the_schema(builtin: str):
    assert hasattr(schema.BuiltinOperator, builtin)
    table = table_of(builtin)
    options = set() if table is None else set(vars(getattr(schema, f"{table}T")()))
    properties = set(tfl.OPERATIONS[builtin].get_irdl_definition().properties) - OWN
    assert {option_name(name) for name in properties} == options - NEWER
    assert {property_name(option) for option in options - NEWER} == properties


def test_words_have_the_numbers_of_the_schema():
    kinds = {
        "fused_activation_function": "ActivationFunctionType",
        "mode": "MirrorPadMode",
        "padding": "Padding",
        "weights_format": "FullyConnectedOptionsWeightsFormat",
    }
    assert kinds.keys() == tfl.ENUMERATIONS.keys()
    for name, words in tfl.ENUMERATIONS.items():
        numbers = vars(getattr(schema, kinds[name]))
        assert [numbers[word] for word in words] == list(range(len(words)))


def test_a_word_that_is_none_is_refused():
    type = TensorType(f32, [2])
    state = tfl.VariableOp(type).variable
    word = {"fused_activation_function": StringAttr("FULL")}
    add = tfl.AddOp.create(operands=[state] * 2, result_types=[type], properties=word)
    with pytest.raises(DiagnosticException, match="fused_activation_function 'FULL' is none of"):
        add.verify()


def test_functions_are_the_subgraphs_in_their_order():
    first = Part(x := Tensor((2,), "float32", "x"))
    second = Subgraph("again", [y := Tensor((2,), "float32", "y")], [y])
    module = check(serialize(Graph([first.gives(x), second])))
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    assert [function.sym_name.data for function in functions] == ["main", "again"]
