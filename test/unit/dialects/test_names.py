"""What operations are known as elsewhere is so there, and front ends know what says that it has a name."""

import pytest
from onnx import defs
from xdsl.dialects import test
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from lowstream.dialects import DIALECTS, infra, nn, qnn, rnn
from lowstream.dialects.names import names_of, type_name
from lowstream.interop.openvino.nodes import operation_classes
from lowstream.passes.legalize_tf_to_nn.translation import LEGALIZATIONS
from lowstream.passes.legalize_tfl_to_nn.translation import RULES

OPERATIONS = [op for name in ("nn", "qnn", "rnn", "infra") for op in DIALECTS[name]().operations]

OURS = {
    "qnn.dequantize",
    "infra.fail",
    "infra.variable",
    "infra.yield",
    "nn.reduce_windows",
    "nn.select_boxes",
    "nn.bitcast",
    "nn.determinant",
}
"""What OpenVINO has no operation for."""

OUTPUTS = {"nn.max_pool_indices"}
"""What is a further output of an operation of OpenVINO."""

STRUCTURE = {"If", "StatelessIf", "While", "StatelessWhile"}
"""What is legalized with its bodies, and by no rule."""


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_a_name_is_one_that_front_ends_know(op: type[Operation]):
    names = names_of(op)
    assert bool(names.openvino) == (op.name not in OURS | OUTPUTS)
    assert set(names.of("tensorflow")) - STRUCTURE <= LEGALIZATIONS.keys()
    assert set(names.of("litert")) <= RULES.keys()


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_onnx_changed_its_namesake_last_when_it_says_so(op: type[Operation]):
    for versioned in names_of(op).onnx.split():
        name, version = versioned.split("-")
        assert defs.get_schema(name).since_version == int(version)


def test_no_two_operations_have_one_name_in_openvino():
    names = [name for op in OPERATIONS for name in names_of(op).of("openvino")]
    assert len(set(map(str.lower, names))) == len(names)
    assert operation_classes()["lstmcell"] is rnn.LstmCellOp


@pytest.mark.parametrize(
    ("op", "name"),
    [
        (nn.ReluOp, "ReLU"),
        (nn.PReluOp, "PReLU"),
        (nn.HswishOp, "HSwish"),
        (nn.MvnOp, "MVN"),
        (nn.SoftmaxOp, "SoftMax"),
        (nn.GroupConvolutionBackpropDataOp, "GroupConvolutionBackpropData"),
        (rnn.GruSequenceOp, "GRUSequence"),
        (infra.TensorIteratorOp, "TensorIterator"),
        (qnn.DequantizeOp, "Dequantize"),
        (test.TestPureOp, "Pureop"),
        (UnregisteredOp.with_name("my.layer"), "my.layer"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_type_is_called_as_in_files_of_openvino(op: type[Operation], name: str):
    assert type_name(op.create()) == name
