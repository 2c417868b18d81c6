"""Which products with weights in codes quantize what they multiply: those that LiteRT does, where it is worth it."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.passes.legalize_tfl_to_nn.dynamic_range import FEWEST_PRODUCTS
from lowstream.passes.pipeline import run_passes

I8 = "!quant.uniform<i8:f32, 0.5>"


def product(weights: str = I8, units: int = FEWEST_PRODUCTS, constant: bool = True) -> ModuleOp:
    """A fully connected layer of f32, whose weights are of this element type."""
    kind = f"tensor<{units}x2x{weights}>"
    storage = next((each for each in ("i16", "i8", "i32") if each in weights), "f32")
    number = "1.0" if storage == "f32" else "1"
    given = "" if constant else f", %w: {kind}"
    held = (
        f'%w = "tfl.pseudo_const"() <{{value = dense<{number}> : tensor<{units}x2x{storage}>}}> : () -> {kind}'
        if constant
        else ""
    )
    text = f"""
    func.func @main(%x: tensor<1x2xf32>{given}) -> tensor<1x{units}xf32> {{
      %b = "tfl.no_value"() <{{value}}> : () -> none
      {held}
      %0 = "tfl.fully_connected"(%x, %w, %b) <{{fused_activation_function = "NONE", weights_format = "DEFAULT",
          keep_num_dims = false}}> : (tensor<1x2xf32>, {kind}, none) -> tensor<1x{units}xf32>
      func.return %0 : tensor<1x{units}xf32>
    }}"""
    return Parser(context(), text).parse_module()


@pytest.mark.parametrize(
    ("module", "quantizes"),
    [
        (product(), True),
        (product(units=FEWEST_PRODUCTS - 1), False),
        (product("!quant.uniform<i8:f32, 0.5:3>"), False),
        (product("!quant.uniform<i16:f32, 0.5>"), False),
        (product(constant=False), False),
        (product("f32"), False),
    ],
    ids=["codes", "few products", "a zero point", "int16", "weights are given", "f32"],
)
def test_products_with_constant_int8_weights_around_zero_quantize(
    module: ModuleOp, quantizes: bool
):
    run_passes(module, "legalize-tfl-to-nn")
    assert ("qnn.fake_quantize" in str(module)) is quantizes
