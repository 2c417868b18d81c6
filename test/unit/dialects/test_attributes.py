"""Attributes are equal where all of their parameters are."""

import pytest
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import ParametrizedAttribute

from lowstream.dialects import infra

PORTS = (infra.SlicedAttr, infra.MergedAttr, infra.ConcatenatedAttr, infra.IterationAttr)


@pytest.mark.parametrize("kind", PORTS)
def test_every_parameter_tells_attributes_apart(kind: type[ParametrizedAttribute]):
    names = [name for name, _ in kind.get_irdl_definition().parameters]
    one = kind(*(IntAttr(0) for _ in names))
    assert one == kind(*(IntAttr(0) for _ in names))
    for changed in range(len(names)):
        other = kind(*(IntAttr(int(place == changed)) for place in range(len(names))))
        assert one != other, names[changed]
