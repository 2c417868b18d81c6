"""An attribute that an .xml leaves away has the value that OpenVINO's specification gives it."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import openvino as ov
import pytest
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, StringAttr, i64
from xdsl.utils.exceptions import DiagnosticException

from lowstream import read_model
from lowstream.interop.openvino.nodes import operation_classes
from lowstream.test.unit.interop.openvino_models import parameter, save
from lowstream.test.unit.interop.test_openvino_operations import OPERATIONS

SPECIFIED = {
    ("Broadcast", "opset1", "mode"): StringAttr("numpy"),
    ("CTCLoss", "opset4", "ctc_merge_repeated"): BoolAttr.from_bool(True),
    ("ExperimentalDetectronPriorGridGenerator", "opset6", "flatten"): BoolAttr.from_bool(True),
    ("PSROIPooling", "opset1", "spatial_bins_x"): IntegerAttr(1, i64),
    ("PSROIPooling", "opset1", "spatial_bins_y"): IntegerAttr(1, i64),
}
"""What OpenVINO's reader sets otherwise than its specification says."""


def shortened(path: Path) -> Iterator[str]:
    """The name of each attribute that has a default, while the file leaves it away."""
    tree = ElementTree.parse(path)
    for layer in tree.getroot().iter("layer"):
        kind, version = layer.get("type", ""), layer.get("version", "")
        cls, data = operation_classes().get(kind.lower()), layer.find("data")
        if cls is None or data is None:
            continue
        for name, text in list(data.attrib.items()):
            known = cls.get_irdl_definition().properties.get(name)
            if known is None or known.default_value is None or (kind, version, name) in SPECIFIED:
                continue
            del data.attrib[name]
            tree.write(path)
            yield name
            data.set(name, text)


@pytest.mark.parametrize("case", OPERATIONS)
def test_attributes_that_have_a_default(tmp_path: Path, case: str):
    """OpenVINO may refuse the shorter file, or read a module that is wrong, as with too few sizes of boxes."""
    x = parameter(2, 4)
    node = OPERATIONS[case](x)
    path = save(tmp_path, node if isinstance(node, list) else node.outputs(), [x])
    for name in shortened(path):
        try:
            theirs = read_model(ov.Core().read_model(path)).module
        except (RuntimeError, DiagnosticException):
            continue
        assert read_model(path).module.is_structurally_equivalent(theirs), name


@pytest.mark.parametrize(("kind", "version", "name"), SPECIFIED)
def test_defaults_that_only_the_specification_has(kind: str, version: str, name: str):
    properties = operation_classes()[kind.lower()].get_irdl_definition().properties
    assert properties[name].default_value == SPECIFIED[kind, version, name]
