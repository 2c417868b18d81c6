"""Numbers of computed shapes, where sizes of what they are computed of are not known."""

import pytest
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.module import entry_of
from lowstream.passes.shapes.computed_integers import source
from lowstream.passes.shapes.sum_of_sizes import Sum


def returned(body: str) -> SSAValue:
    """What a function of two lists of unknown length returns."""
    text = f"func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<1xi64> {{\n{body}\n}}"
    block = entry_of(Parser(context(), text).parse_module()).body.block
    assert block.last_op is not None
    return block.last_op.operands[0]


def test_a_product_of_unknown_length_is_what_is_computed():
    product = returned("""
      %axis = nn.constant dense<0> : tensor<1xi64>
      %y0 = nn.reduce_prod %x, %axis {keep_dims = true} : (tensor<?xi64>, tensor<1xi64>) -> tensor<1xi64>
      func.return %y0 : tensor<1xi64>""")
    assert source(product, 0) is product


@pytest.mark.parametrize("taken", [0, 2, -1])
def test_an_element_of_lists_of_unknown_length_is_what_is_computed(taken: int):
    element = returned(f"""
      %both = nn.concat %x, %y {{axis = 0 : i64}} : (tensor<?xi64>, tensor<?xi64>) -> tensor<4xi64>
      %at = nn.constant dense<{taken}> : tensor<1xi64>
      %axis = nn.constant dense<0> : tensor<i64>
      %y0 = nn.gather %both, %at, %axis {{batch_dims = 0 : i64}}
          : (tensor<4xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
      func.return %y0 : tensor<1xi64>""")
    assert source(element, 0) is element


@pytest.mark.parametrize("begin", [0, -4, -9])
def test_a_slice_backwards_begins_at_the_first_element_at_the_earliest(begin: int):
    element = returned(f"""
      %four = nn.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
      %begin = nn.constant dense<{begin}> : tensor<1xi64>
      %end = nn.constant dense<-99> : tensor<1xi64>
      %step = nn.constant dense<-1> : tensor<1xi64>
      %axis = nn.constant dense<0> : tensor<1xi64>
      %y0 = nn.slice %four, %begin, %end, %step, %axis
          : (tensor<4xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      func.return %y0 : tensor<1xi64>""")
    assert source(element, 0) == 5


@pytest.mark.parametrize(("begin", "end", "stride"), [(1, 3, 1), (-1, -9, -2), (-3, 4, 2)])
@pytest.mark.parametrize("masks", [(0, 0), (1, 0), (0, 1)])
def test_a_strided_slice_takes_what_numpy_takes(
    begin: int, end: int, stride: int, masks: tuple[int, int]
):
    taken = [5, 6, 7, 8][None if masks[0] else begin : None if masks[1] else end : stride]
    element = returned(f"""
      %four = nn.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
      %begin = nn.constant dense<{begin}> : tensor<1xi64>
      %end = nn.constant dense<{end}> : tensor<1xi64>
      %step = nn.constant dense<{stride}> : tensor<1xi64>
      %y0 = nn.strided_slice %four, %begin, %end, %step
          {{begin_mask = array<i64: {masks[0]}>, end_mask = array<i64: {masks[1]}>,
            new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>}}
          : (tensor<4xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<{len(taken)}xi64>
      func.return %y0 : tensor<{len(taken)}xi64>""")
    assert [source(element, index) for index in range(len(taken))] == taken


def test_a_product_of_several_computed_numbers_is_no_sum():
    several = returned("""
      %axis = nn.constant dense<0> : tensor<1xi64>
      %a = nn.reduce_prod %x, %axis {keep_dims = true} : (tensor<?xi64>, tensor<1xi64>) -> tensor<1xi64>
      %b = nn.reduce_prod %y, %axis {keep_dims = true} : (tensor<?xi64>, tensor<1xi64>) -> tensor<1xi64>
      %all = nn.concat %a, %b {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
      %y0 = nn.reduce_prod %all, %axis {keep_dims = true} : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
      func.return %y0 : tensor<1xi64>""")
    assert Sum.of(several) == Sum(0, ((several, 1),))


def test_how_often_a_sum_is_another():
    size = returned("""
      %n = nn.constant dense<0> : tensor<1xi64>
      %y0 = nn.reduce_prod %x, %n {keep_dims = true} : (tensor<?xi64>, tensor<1xi64>) -> tensor<1xi64>
      func.return %y0 : tensor<1xi64>""")
    part = Sum(1, ((size, 2),))
    assert Sum(0).plus(part, 4).over(part) == 4
    assert Sum(1).plus(part, 4).over(part) is None
    assert part.over(Sum(0).plus(part, 2)) is None
    assert part.over(Sum(1)) is None
