"""An attribute that an .xml leaves away has the value that OpenVINO's specification gives it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, StringAttr, i64
from xdsl.utils.exceptions import DiagnosticException

from lowstream import read_model
from lowstream.interop.openvino.nodes import operation_classes
from lowstream.test.unit.interop.openvino_models import core, parameter, save
from lowstream.test.unit.interop.test_openvino_operations import OPERATIONS

SPECIFIED = {
    ("Broadcast", "opset1", "mode"): StringAttr("numpy"),
    ("CTCLoss", "opset4", "ctc_merge_repeated"): BoolAttr.from_bool(True),
    ("ExperimentalDetectronPriorGridGenerator", "opset6", "flatten"): BoolAttr.from_bool(True),
    ("PSROIPooling", "opset1", "spatial_bins_x"): IntegerAttr(1, i64),
    ("PSROIPooling", "opset1", "spatial_bins_y"): IntegerAttr(1, i64),
}
"""What OpenVINO's reader sets otherwise than its specification says."""


Place = tuple[ElementTree.Element, str]
"""An attribute: the attributes of its layer, and its name."""


def defaults(tree: ElementTree.ElementTree[ElementTree.Element]) -> Iterator[Place]:
    """Each attribute that has a default."""
    for layer in tree.getroot().iter("layer"):
        kind, version = layer.get("type", ""), layer.get("version", "")
        cls, data = operation_classes().get(kind.lower()), layer.find("data")
        if cls is None or data is None:
            continue
        for name in data.attrib:
            known = cls.get_irdl_definition().properties.get(name)
            if known is None or known.default_value is None or (kind, version, name) in SPECIFIED:
                continue
            yield data, name


@contextmanager
def left_away(places: Sequence[Place]) -> Generator[None]:
    """Without these attributes inside."""
    before = [dict(data.attrib) for data, _ in places]
    for data, name in places:
        del data.attrib[name]
    yield
    for (data, _), attributes in zip(places, before, strict=True):
        data.attrib.update(attributes)


def is_read_alike(path: Path) -> bool | None:
    """
    Whether OpenVINO and we read a file alike. It may refuse one that is shorter, or read a module that is wrong, as
    with too few sizes of boxes.
    """
    try:
        theirs = read_model(core().read_model(path)).module
    except (RuntimeError, DiagnosticException):
        return None
    return read_model(path).module.is_structurally_equivalent(theirs)


@pytest.mark.parametrize("case", OPERATIONS)
def test_attributes_that_have_a_default(tmp_path: Path, case: str):
    """
    They are left away together, and each by itself where OpenVINO reads nothing without all. Files that have none are
    read in `test_operation`.
    """
    x = parameter(2, 4)
    node = OPERATIONS[case](x)
    path = save(tmp_path, node if isinstance(node, list) else node.outputs(), [x])
    tree = ElementTree.parse(path)
    if not (places := list(defaults(tree))):
        return

    def alike(some: Sequence[Place]) -> bool | None:
        with left_away(some):
            tree.write(path)
        return is_read_alike(path)

    together = alike(places)
    assert together is not False, [name for _, name in places]
    if together is None:
        assert [name for data, name in places if alike([(data, name)]) is False] == []


@pytest.mark.parametrize(("kind", "version", "name"), SPECIFIED)
def test_defaults_that_only_the_specification_has(kind: str, version: str, name: str):
    properties = operation_classes()[kind.lower()].get_irdl_definition().properties
    assert properties[name].default_value == SPECIFIED[kind, version, name]
