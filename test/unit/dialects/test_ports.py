"""Ports of iterators: how they compare."""

import pytest
from xdsl.dialects.builtin import IntAttr

from lowstream.dialects import infra

PORTS = [infra.SlicedAttr, infra.MergedAttr, infra.ConcatenatedAttr, infra.IterationAttr]


@pytest.mark.parametrize("port", PORTS)
def test_equal_ports_have_equal_parameters(port: type[infra.PortAttr]):
    """Also those that a port has of its base."""
    numbers = list(range(len(port.get_irdl_definition().parameters)))
    one = port(*map(IntAttr, numbers))
    assert one == port(*map(IntAttr, numbers))
    for i in numbers:
        assert one != port(*map(IntAttr, [*numbers[:i], -1, *numbers[i + 1 :]]))
