"""`replace-constant`: data of the same element type, or none."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, run_passes
from lowstream.dialects import context
from lowstream.dialects.nn import ConstantOp
from lowstream.passes.replace_constant import ReplaceConstant, replace_constants
from lowstream.reference.arrays import array_of
from lowstream.reference.executor import Executor


def parse(element: str, literal: str = "1") -> ModuleOp:
    type = f"tensor<2x{element}>"
    return Parser(
        context(),
        f"""
    func.func @main(%x: tensor<3xf32> {{nn.names = ["X"]}}) -> ({type}, tensor<3xf32>) {{
      %c = nn.constant {{nn.name = "c"}} dense<{literal}> : {type}
      %y = nn.relu %x {{nn.name = "relu"}} : tensor<3xf32>
      func.return %c, %y : {type}, tensor<3xf32>
    }}""",
    ).parse_module()


def constant(module: ModuleOp) -> ConstantOp:
    (found,) = (op for op in module.walk() if isinstance(op, ConstantOp))
    return found


@settings(max_examples=30)
@given(
    values=st.lists(st.integers(-128, 127), max_size=5), dtype=st.sampled_from(["i1", "i4", "i8"])
)
def test_integers_of_any_width_that_fit(
    tmp_path_factory: pytest.TempPathFactory, values: list[int], dtype: str
):
    file = str(tmp_path_factory.mktemp("npy") / "c.npy")
    np.save(
        file,
        np.array(values, dtype),
    )
    for element, low, high in (
        ("i8", -128, 127),
        ("ui8", 0, 255),
        ("i4", -8, 7),
        ("i64", -128, 127),
    ):
        module = parse(element)
        if all(low <= value <= high for value in values):
            replace_constants(module, {"c": file})
            module.verify()
            (result, _) = Executor(module).run([np.zeros(3, np.float32)])
            assert result.tolist() == values
            assert array_of(constant(module).value).tolist() == values
        else:
            with pytest.raises(DiagnosticException, match=f"has elements of type {element}"):
                replace_constants(module, {"c": file})
            assert module.is_structurally_equivalent(parse(element))


ARRAYS: list[tuple[str, str, Any, bool]] = [
    ("f32", "1.0", np.array([0.1, np.nan, np.inf], np.float32), True),
    ("f32", "1.0", np.array([0.5, 0.25], np.float64), True),
    ("f32", "1.0", np.array([0.1], np.float64), False),
    ("f16", "1.0", np.array([65504], np.float32), True),
    ("f16", "1.0", np.array([65520], np.float32), False),
    ("bf16", "1.0", np.array([1.5], np.float32), True),
    ("bf16", "1.0", np.array([1.001], np.float32), False),
    ("f32", "1.0", np.array([1, 2]), False),
    ("i64", "1", np.array([1.0]), False),
    ("i1", "true", np.array([True, False]), True),
    ("i1", "true", np.array([1, 0]), False),
    ("i64", "1", np.array([2**63], np.uint64), False),
    ("i64", "1", np.array(["1"]), False),
    ("i64", "1", np.array([1 + 1j]), False),
]


@pytest.mark.parametrize(("element", "literal", "array", "fits"), ARRAYS)
def test_every_number_must_be_an_element(
    tmp_path: Path, element: str, literal: str, array: np.ndarray[Any, Any], fits: bool
):
    module, file = parse(element, literal), str(tmp_path / "c.npy")
    np.save(file, array)
    if not fits:
        with pytest.raises(
            DiagnosticException, match=f"nn.constant 'c' has elements of type {element}"
        ):
            replace_constants(module, {"c": file})
        return
    replace_constants(module, {"c": file})
    np.testing.assert_array_equal(array_of(constant(module).value), array)
    assert Model(module).outputs[0].shape == array.shape


def test_bad_files_are_one_line(tmp_path: Path):
    module = parse("i64")
    archive, text, cut, pickle, header = (
        tmp_path / name for name in ("a.npz", "t.npy", "cut.npy", "p.npy", "h.npy")
    )
    np.savez(archive, c=np.array([1]))
    text.write_text("[1, 2]")
    np.save(cut, np.arange(100))
    cut.write_bytes(cut.read_bytes()[:-8])
    np.save(pickle, np.array([{}]), allow_pickle=True)
    np.save(header, np.arange(100))
    header.write_bytes(header.read_bytes().replace(b"}", b" "))
    for file in (archive, text, cut, pickle, header):
        with pytest.raises(
            DiagnosticException, match=r"error: not an \.npy file of numbers"
        ) as raised:
            replace_constants(module, {"c": str(file)})
        assert str(raised.value).startswith(f"{file}: ")
        assert "\n" not in str(raised.value)
    with pytest.raises(FileNotFoundError):
        replace_constants(module, {"c": str(tmp_path / "none.npy")})
    assert module.is_structurally_equivalent(parse("i64"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("d", "no constant is named 'd'; names are the attributes nn.name"),
        ("relu", "nn.relu 'relu' is not a constant"),
    ],
)
def test_names_that_are_none(tmp_path: Path, name: str, message: str):
    np.save(tmp_path / "c.npy", [1])
    with pytest.raises(DiagnosticException, match=message):
        replace_constants(parse("i64"), {name: str(tmp_path / "c.npy")})


def test_the_option_is_called_name(tmp_path: Path):
    file = tmp_path / "c.npy"
    np.save(file, [7, 8, 9])
    module = parse("i64")
    run_passes(module, f'replace-constant{{name=c file="{file}"}}')
    assert Model(module).outputs[0].shape == (3,)
    with pytest.raises(DiagnosticException, match="replace-constant needs name=…"):
        run_passes(module, "replace-constant{file=c.npy}")
    with pytest.raises(DiagnosticException, match="1 names and 2 files; give a file for each"):
        run_passes(module, "replace-constant{name=c file=c.npy,d.npy}")
    item = ReplaceConstant(("c",), ("a.npy",))
    assert str(item) == 'replace-constant{name="c" file="a.npy"}'
    assert ReplaceConstant.from_spec(item.spec()) == item


def test_data_that_does_not_fit_leaves_the_model(tmp_path: Path):
    text = """
    func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
      %w = nn.constant {nn.name = "w"} dense<0.5> : tensor<4x3xf32>
      %y = nn.mat_mul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
      %z = nn.mat_mul %y, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
      %s = nn.add %x, %z : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      func.return %y : tensor<2x3xf32>
    }"""
    module = Parser(context(), text).parse_module()
    before = str(module)
    np.save(tmp_path / "w.npy", np.zeros((), np.float32))
    with pytest.raises(DiagnosticException, match="replaced together") as raised:
        replace_constants(module, {"w": str(tmp_path / "w.npy")})
    assert "\n" not in str(raised.value)
    assert str(module) == before
    np.save(tmp_path / "w.npy", np.zeros((5, 3), np.float32))
    replace_constants(module, {"w": str(tmp_path / "w.npy")})
    assert Model(module).inputs[0].shape == (2, -1)
