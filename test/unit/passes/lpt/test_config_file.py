"""TOML files change presets; what is wrong in one is said in a line that names the key."""

from pathlib import Path

import pytest
from xdsl.dialects.builtin import f32, f64, i8
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn import ConvertOp, MatMulOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.attributes import declined
from lowstream.passes.lpt.callbacks import is_asymmetric_on_weights, is_asymmetric_quantization
from lowstream.passes.lpt.config import PRESETS, Callback, LptConfig, PerTensorRestriction
from lowstream.passes.lpt.config_file import read_config
from lowstream.passes.lpt.precision import ui8
from lowstream.passes.pipeline import parse_pipeline, run_passes
from lowstream.test.unit.passes.lpt.test_config import JOINED, PRODUCT, only

ALL = """
preset = "all"
default_precisions = ["i8"]
update_precisions = false
dequantization_precision = "f64"
disabled = ["clamp", "move_fake_quantize"]

[precisions."nn.mat_mul"]
input0 = ["i8"]
rank3.input0 = ["u8", "i8"]

[per_tensor]
"nn.convolution" = [0, 1]

[callbacks]
convolution = ["is_asymmetric_quantization", "is_asymmetric_on_weights"]
"""


def written(folder: Path, text: str) -> str:
    """The path of a file of this text."""
    (path := folder / "my.toml").write_text(text)
    return str(path)


def test_all_that_a_file_can_say(tmp_path: Path):
    config = read_config(written(tmp_path, ALL))
    assert config.default_precisions == (i8,)
    assert (config.update_precisions, config.dequantization_precision) == (False, f64)
    assert config.disabled == {"clamp", "move_fake_quantize"}
    assert config.taken("nn.mat_mul", 2) == {0: (i8,)}
    assert config.taken("nn.mat_mul", 3) == {0: (ui8, i8)}
    assert config.taken("nn.convolution", 4) == PRESETS["all"].taken("nn.convolution", 4)
    assert config.per_tensor == tuple(PerTensorRestriction("nn.convolution", n) for n in (0, 1))
    assert config.callbacks == tuple(
        Callback("convolution", one)
        for one in (is_asymmetric_quantization, is_asymmetric_on_weights)
    )


@pytest.mark.parametrize(("base", "preset"), [(None, "cpu-arm"), ("all", "all")])
def test_the_shell_decides_what_a_file_changes(tmp_path: Path, base, preset):
    assert read_config(written(tmp_path, 'preset = "cpu-arm"'), base) == PRESETS[preset]


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ("", "cpu-x86"),
        ("{preset=all}", "all"),
        ("{config=my.toml}", "cpu-arm"),
        ("{preset=all config=my.toml}", "all"),
        ("{preset=cpu-x86 config=my.toml}", "cpu-x86"),
    ],
)
def test_options_of_the_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, chosen: str
):
    written(tmp_path, 'preset = "cpu-arm"')
    monkeypatch.chdir(tmp_path)
    (item,) = parse_pipeline(f"lpt{options}")
    assert isinstance(item, Lpt)
    assert item.chosen == PRESETS[chosen]


def test_a_file_without_a_preset_changes_the_default(tmp_path: Path):
    assert read_config(written(tmp_path, "")) == PRESETS["cpu-x86"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nx = = 1", r"my.toml:2: not TOML: Invalid value"),
        ("disable = []", r"my.toml: disable: unknown key; there is preset, default_precisions, "),
        ('preset = "gpu"', r"my.toml: preset: no preset 'gpu'; there is cpu-x86, cpu-arm, all"),
        ('disabled = ["MatMulTransformation"]', r"Transformation'; there is mat_mul$"),
        ('disabled = ["conv"]', r"no transformation 'conv'; there is .*convolution, "),
        ('disabled = ["clmp"]', r"disabled: no transformation 'clmp'; there is clamp"),
        ('disabled = "clamp"', r"disabled: 'clamp' is not an array"),
        ("update_precisions = 1", r"update_precisions: 1 is not true or false"),
        ('dequantization_precision = "f16"', r"no precision 'f16'; there is f32, f64"),
        ("[precisions.MatMul]", r"precisions.MatMul: no operation 'MatMul'; .*nn.mat_mul"),
        (
            '[precisions."nn.matmul"]',
            r'precisions."nn.matmul": no operation .*; there is nn.mat_mul',
        ),
        ('precisions."nn.mat_mul".a = []', r"unknown key; there is input0, input1"),
        ('precisions."nn.mat_mul".input0 = ["u4"]', r"input0: no precision 'u4'; there is u8, i8"),
        ('per_tensor."nn.mat_mul" = ["0"]', r"'0' is not the number of an input"),
        (
            'precisions."nn.mat_mul".input7 = ["u8"]',
            r'precisions."nn.mat_mul".input7: nn.mat_mul has no input 7; there is 0, 1',
        ),
        (
            'precisions."nn.mat_mul".rank5.input7 = []',
            r"rank5.input7: nn.mat_mul has no input 7; there is 0, 1",
        ),
        (
            'per_tensor."nn.convolution" = [9]',
            r'per_tensor."nn.convolution": nn.convolution has no input 9; there is 0, 1',
        ),
        ("callbacks.mat_mull = []", r"no transformation 'mat_mull'; there is mat_mul"),
        ('callbacks.mat_mul = ["is_big"]', r"no callback 'is_big'; there is is_asymmetric_quant"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str):
    with pytest.raises(DiagnosticException, match=message) as raised:
        read_config(written(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(DiagnosticException, match=r"none.toml: No such file or directory"):
        read_config(str(tmp_path / "none.toml"))


def test_a_path_is_a_file_too_and_nothing_else_is(tmp_path: Path):
    path = Path(written(tmp_path, 'preset = "all"'))
    assert Lpt(config=path).chosen == PRESETS["all"]  # pyright: ignore[reportArgumentType]
    with pytest.raises(
        DiagnosticException, match=r"^lpt: config is 3; give an LptConfig, or the path of a TOML"
    ):
        _ = Lpt(config=3).chosen  # pyright: ignore[reportArgumentType]


def transformed(folder: Path, text: str, model: str = PRODUCT):
    """The module after LPT with a file."""
    module = Parser(context(), model).parse_module()
    run_passes(module, f'lpt{{preset=all config="{written(folder, text)}"}}')
    return module


def test_without_new_precisions_codes_are_computed_in_floating_point(tmp_path: Path):
    module = transformed(tmp_path, "update_precisions = false")
    product, quantize = only(module, MatMulOp), only(module, FakeQuantizeOp)
    assert {tensor(value).element_type for value in (*product.operands, product.result)} == {f32}
    assert quantize.output_type is None
    assert quantize.result.has_one_use(), "nothing converts between it and the product"
    assert not any(isinstance(op, ConvertOp) for op in module.walk())


def test_dequantization_in_double_precision_is_rounded_once(tmp_path: Path):
    module = transformed(tmp_path, 'dequantization_precision = "f64"')
    types = [op.destination_type for op in module.walk() if isinstance(op, ConvertOp)]
    assert types == [f64, f32]


def test_a_callback_keeps_a_transformation_away(tmp_path: Path):
    shifted = PRODUCT.replace("-1.28", "0.5")
    for model, reason in (
        (PRODUCT, ""),
        (shifted, "a callback of the configuration leaves it as it is"),
    ):
        module = transformed(tmp_path, 'callbacks.mat_mul = ["is_asymmetric_quantization"]', model)
        assert declined(only(module, MatMulOp)) == reason


def test_a_callback_keeps_patterns_of_the_first_step_away():
    for skipped, count in ((False, 2), (True, 1)):
        callback = Callback("move_fake_quantize", lambda op, answer=skipped: answer)
        module = Parser(context(), JOINED).parse_module()
        from lowstream.passes.lpt import Lpt

        run_passes(module, Lpt(config=LptConfig(callbacks=(callback,))))
        assert sum(isinstance(op, FakeQuantizeOp) for op in module.walk()) == count


@pytest.mark.parametrize(("preset", "element"), [("cpu-x86", i8), ("cpu-arm", i8), ("all", i8)])
def test_presets_multiply_matrices(preset, element):
    module = Parser(context(), PRODUCT).parse_module()
    run_passes(module, f"lpt{{preset={preset}}}")
    assert tensor(only(module, MatMulOp).a).element_type == element
