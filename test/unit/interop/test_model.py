"""The public API around models."""

import pickle
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import Model, compile_model, read_model, run_passes, save_model
from lowstream.dialects import context
from lowstream.dialects.module import entry_of
from lowstream.dialects.verification import verify
from lowstream.interop.mlir import SourceError, parse_module

PITCH = Path(__file__).parents[3] / "docs" / "examples" / "pitch" / "pitch.mlir"

TEXT = """
func.func @main(
  %x: tensor<2x?xf32> {nn.names = ["x", "image"]}, %u: tensor<4xui8>
) -> (tensor<2x?xf32> {nn.names = ["y"]}) {
  %dead = nn.relu %u : tensor<4xui8>
  %y = nn.relu %x : tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}
"""


@pytest.fixture
def model() -> Model:
    return Model(parse_module(TEXT, "m.mlir", context()))


def test_ports(model: Model):
    image, codes = model.inputs
    (y,) = model.outputs
    assert (image.names, image.any_name) == (("x", "image"), "x")
    assert (image.shape, image.dtype) == ((2, -1), np.float32)
    assert (codes.names, codes.shape, codes.dtype) == ((), (4,), np.uint8)
    assert (y.names, y.shape, y.dtype) == (("y",), (2, -1), np.float32)


@pytest.mark.parametrize("key", [np.int64(1), np.uint8(1), -1, True])
def test_any_integer_is_the_number_of_a_port(model: Model, key: Any):
    assert model.input(key).number == 1


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (b"x", "b'x'"),
        (np.array([1, 2]), r"array\(\[1, 2\]\)"),
        (np.array(["x", "y"]), "array.*"),
        ([0], r"\[0\]"),
        (1.0, "1.0"),
        (2, "2"),
        (10**5000, r"0x[0-9a-f]{78}… \(4155 characters\)"),
        ("x" * 500, r"'x{79}… \(502 characters\)"),
    ],
    ids=range(8),
)
def test_what_is_no_key_of_a_port(model: Model, key: Any, said: str):
    with pytest.raises(
        DiagnosticException, match=f"^the model has no input {said}; it has x/image, 1$"
    ):
        model.input(key)


def test_repr_shows_the_signature(model: Model):
    assert repr(model) == "<Model (x|image: f32[2,?], 1: u8[4]) -> (y: f32[2,?])>"


def test_a_notebook_shows_ports_states_and_the_graph(model: Model):
    text = model._repr_html_()
    assert ">x, image</td>" in text and ">f32[2,?]</td>" in text
    assert "<svg" in text


def test_a_model_without_an_entry_says_so():
    empty = Model(parse_module("builtin.module {}", "m.mlir", context()))
    with pytest.raises(DiagnosticException, match="the module needs an entry"):
        _ = empty.inputs
    assert repr(empty) == "<Model without an entry>"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "func.func @f() {\n func.return\n^more:\n func.return\n}",
            "function @f has 2 blocks; functions of models have one",
        ),
        (
            """
            "func.func"() <{sym_name = "f", function_type = (tensor<2xf32>) -> (), arg_attrs = []}> ({
            ^bb0(%x: tensor<2xf32>):
              func.return
            }) : () -> ()
            """,
            "function @f has 1 arguments, and attributes for 0; give each its own, {} for none",
        ),
        (
            """
            "func.func"() <{sym_name = "f", function_type = () -> (), res_attrs = [{}]}> ({
              func.return
            }) : () -> ()
            """,
            "function @f has 0 results, and attributes for 1; give each its own, {} for none",
        ),
    ],
)
def test_entries_that_no_model_has(entry: str, message: str):
    model = Model(parse_module(entry, "m.mlir", context()))
    with pytest.raises(DiagnosticException, match=re.escape(message)):
        _ = model.inputs


def test_of_public_functions_the_entry_is_the_one_that_none_refers_to():
    text = """
    func.func @layer(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> }
    func.func @serving_default(%y: tensor<2xf32>) -> tensor<2xf32> {
      %0 = func.call @layer(%y) : (tensor<2xf32>) -> tensor<2xf32>
      func.return %0 : tensor<2xf32>
    }
    """
    assert entry_of(parse_module(text, "m.mlir", context())).sym_name.data == "serving_default"


def test_an_entry_without_tensors_says_so():
    text = "func.func @main(%x: f32) { func.return }"
    with pytest.raises(DiagnosticException, match="takes or gives a f32; use tensors"):
        _ = Model(parse_module(text, "m.mlir", context())).inputs


@pytest.mark.parametrize("pipeline", ["dce", DeadCodeElimination(), [DeadCodeElimination()]])
@pytest.mark.parametrize("whole", [True, False])
def test_run_passes(model: Model, pipeline: str | ModulePass | list[ModulePass], whole: bool):
    run_passes(model if whole else model.module, pipeline)
    assert "ui8> ->" not in str(model.module)
    assert [op.name for op in model.module.walk()].count("nn.relu") == 1


@pytest.mark.parametrize("whole", [True, False])
def test_save(model: Model, tmp_path: Path, whole: bool):
    save_model(model if whole else model.module, str(tmp_path / "m.mlir"))
    assert read_model(str(tmp_path / "m.mlir")).module.is_structurally_equivalent(model.module)


@pytest.mark.parametrize("length", [1, 1000])
@pytest.mark.parametrize("read", [read_model, compile_model])
def test_text_of_a_model_is_no_path(read: Callable[[str], object], length: int):
    with pytest.raises(
        DiagnosticException, match=r"^'func\.func .* is no path; write the text"
    ) as error:
        read("func.func @main() {\n  func.return\n}\n" * length)
    assert len(str(error.value)) < 250


@pytest.mark.parametrize("name", ["m.txt", "m", ".mlir"])
def test_unknown_endings(model: Model, tmp_path: Path, name: str):
    path = tmp_path / name
    for missing, advice in (
        (path, f"nothing of a name like that is in {tmp_path}"),
        (tmp_path / "none" / name, f"there is no folder {tmp_path / 'none'} that can be listed"),
    ):
        for read in (read_model, compile_model):
            with pytest.raises(FileNotFoundError) as error:
                read(missing)
            assert isinstance(error.value, SourceError)
            assert str(error.value) == f"{missing}: error: No such file or directory; {advice}"
    path.touch()
    with pytest.raises(
        SourceError,
        match=r"cannot read ('.*' files|a file that has no ending); supported: "
        r"\.mlir, \.xml, \.onnx, \.tflite, \.pb, \.pdmodel, \.ort, \.keras, \.h5, \.pt2$",
    ):
        read_model(path)
    with pytest.raises(
        SourceError,
        match=r"cannot write ('.*' files|a file that has no ending); supported: "
        r"\.mlir, \.xml, \.onnx, \.tflite, \.dot, \.svg$",
    ):
        save_model(model, path)


@pytest.mark.parametrize(
    ("name", "begin", "text"),
    [
        (
            "m.onnx",
            b"version https://git-lfs.github.com/spec/v1",
            "a pointer of Git LFS; fetch the file itself",
        ),
        ("m.tflite", b"<!DOCTYPE html>", "a web page; download the file itself"),
        ("m.onnx", b"\x1f\x8b\x08", "packed by gzip; unpack it"),
        ("m.onnx", b"PK\x03\x04", "a zip archive, as PyTorch and Keras write; load it there"),
        ("m.onnx", b"\x18\0\0\0TFL3", "a LiteRT model; name it .tflite"),
        ("m.onnx", b"\x18\0\0\0ORTM", "ONNX Runtime's own format; name it .ort"),
        ("m.onnx", b"<?xml version='1.0'?>", "XML; name it .xml if it is OpenVINO IR"),
        ("m.model", b"\x18\0\0\0TFL3", "a LiteRT model; name it .tflite"),
        ("m.onnx", b"\x89HDF\r\n", "a file of HDF5, as Keras writes; name it .h5"),
        ("m.onnxtxt", b"<", 'onnx.save(onnx.load(path), "model.onnx") writes one'),
        (
            "m.mlmodel",
            b"",
            "cannot read '.mlmodel' files; Core ML runs it on Apple's devices alone",
        ),
        (
            "m.engine",
            b"ftrt",
            "cannot read '.engine' files; it was compiled for another runtime; give",
        ),
        ("m.onnx.gz", b"\x1f\x8b\x08", "cannot read '.gz' files; unpack it"),
    ],
)
def test_files_that_are_taken_for_others(tmp_path: Path, name: str, begin: bytes, text: str):
    (path := tmp_path / name).write_bytes(begin)
    with pytest.raises(SourceError) as error:
        read_model(path)
    assert str(error.value).startswith(f"{path}: error: ") and text in str(error.value)


def _refused(path: Path) -> str:
    with pytest.raises(SourceError) as error:
        read_model(path)
    return str(error.value)


@pytest.mark.filterwarnings("ignore:The onnxtxt format is experimental")
@pytest.mark.parametrize("ending", [".textproto", ".onnxtxt", ".onnxjson"])
def test_text_of_onnx_becomes_a_file_as_the_message_says(
    model: Model, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    save_model(model, "whole.onnx")
    onnx.save(onnx.load("whole.onnx"), path := f"m{ending}")
    assert 'onnx.save(onnx.load(path), "model.onnx") writes one' in _refused(Path(path))
    onnx.save(onnx.load(path), "model.onnx")
    assert len(read_model("model.onnx").inputs) == len(model.inputs)


@pytest.mark.parametrize("ending", [".tfl", ".lite"])
def test_a_model_of_litert_is_read_by_the_name_that_the_message_says(
    model: Model, tmp_path: Path, ending: str
):
    save_model(model, whole := tmp_path / "m.tflite")
    assert "name it .tflite" in _refused(named := whole.rename(tmp_path / f"m{ending}"))
    assert len(read_model(named.rename(whole)).inputs) == len(model.inputs)


def test_beside_weights_is_the_file_that_the_message_says(model: Model, tmp_path: Path):
    save_model(model, tmp_path / "m.xml")
    assert "the weights of the .xml beside it, so give that" in _refused(tmp_path / "m.bin")
    assert len(read_model(tmp_path / "m.xml").inputs) == len(model.inputs)


def test_a_folder_of_another_format(tmp_path: Path):
    (path := tmp_path / "m.mlpackage").mkdir()
    with pytest.raises(SourceError, match=r"cannot read '\.mlpackage' files; Core ML runs it"):
        read_model(path)


@pytest.mark.parametrize(
    ("ending", "needed"), [(".keras", "tensorflow"), (".h5", "tensorflow"), (".pt2", "torch")]
)
def test_a_format_whose_library_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, needed: str
):
    monkeypatch.setitem(sys.modules, needed, None)
    (path := tmp_path / f"m{ending}").write_bytes(b"PK\3\4" if ending != ".h5" else b"\x89HDF")
    with pytest.raises(
        SourceError, match=f"error: reading {re.escape(ending)} files needs .*pip install"
    ):
        read_model(path)


@pytest.mark.parametrize("producer", ["ORTModule", "TFL3 converter", "tfl3"])
def test_who_wrote_a_file_is_not_taken_for_its_format(tmp_path: Path, producer: str):
    """The name of an ONNX model's producer lies where a FlatBuffer has its identifier."""
    value = onnx.helper.make_tensor_value_info
    x, y = (value(name, onnx.TensorProto.FLOAT, [2]) for name in "xy")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    proto = onnx.helper.make_model(graph, producer_name=producer, ir_version=8)
    onnx.save(proto, path := tmp_path / "m.onnx")
    assert path.read_bytes()[4:].startswith(producer.encode())
    assert [port.any_name for port in read_model(path).inputs] == ["x"]


def test_endings_in_capitals_are_read(model: Model, tmp_path: Path):
    save_model(model, tmp_path / "m.onnx")
    path = (tmp_path / "m.onnx").rename(tmp_path / "M.ONNX")
    assert read_model(path).inputs[0].any_name == model.inputs[0].any_name


@pytest.mark.parametrize("ending", [".xml", ".onnx", ".mlir"])
def test_folders_are_made(model: Model, tmp_path: Path, ending: str):
    path = tmp_path / "a" / "b" / f"m{ending}"
    save_model(model, path)
    assert path.exists()


def test_a_folder_is_no_model(tmp_path: Path):
    (tmp_path / "m.mlir").mkdir()
    with pytest.raises(SourceError, match="this folder is not a saved model of TensorFlow"):
        read_model(tmp_path / "m.mlir")


@pytest.mark.parametrize("name", [*lowstream.__all__, "__version__"])
def test_every_public_name_is_there(name: str):
    assert name in dir(lowstream)
    assert getattr(lowstream, name)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="module 'lowstream' has no attribute 'nothing'"):
        _ = lowstream.nothing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_names_of_openvino_say_what_to_use():
    with pytest.raises(AttributeError, match="'opset13'; models are read"):
        _ = lowstream.opset13  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_another_source_that_does_not_fit_changes_nothing():
    text = """
    func.func @main(%a: tensor<1x3xf32>, %b: tensor<2x4xf32>) -> (tensor<1x3xf32>, tensor<2x4xf32>) {
      %s = nn.add %a, %a : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
      %t = nn.relu %b : tensor<2x4xf32>
      func.return %s, %t : tensor<1x3xf32>, tensor<2x4xf32>
    }"""
    model = Model(parse_module(text, "text", context()))
    before = str(model.module)
    add = next(node for node in model.get_ops() if node.type == "Add")
    with pytest.raises(RuntimeError):
        add.input(0).replace_source_output(model.parameters[1].output(0))
    assert str(model.module) == before
    with pytest.raises(RuntimeError, match="its own result"):
        add.input(1).replace_source_output(add.output(0))
    with pytest.raises(RuntimeError, match="is used"):
        model.remove_parameter(model.parameters[0])


def test_a_later_source_is_moved_in_front():
    text = """
    func.func @main(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %s = nn.add %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %r = nn.relu %a : tensor<3xf32>
      %t = nn.sqrt %r : tensor<3xf32>
      func.return %s, %t : tensor<3xf32>, tensor<3xf32>
    }"""
    model = Model(parse_module(text, "text", context()))
    add, root = (next(n for n in model.get_ops() if n.type == type) for type in ("Add", "Sqrt"))
    add.input(1).replace_source_output(root.output(0))
    verify(model.module)
    assert [node.type for node in model.get_ordered_ops()[1:4]] == ["Relu", "Sqrt", "Add"]


def test_constants_of_f16_are_for_openvino(model: Model, tmp_path: Path):
    path = tmp_path / "m.mlir"
    with pytest.raises(SourceError, match=r"m\.mlir: error: compress_to_fp16=True is for \.xml"):
        save_model(model, path, compress_to_fp16=True)
    assert not path.exists()


def test_a_port_shows_itself_in_a_line(model: Model):
    assert repr(model.inputs[0]) == "<Port x|image: f32[2,?]>"


def test_a_deep_copy_is_another_model(model: Model):
    text, copy = str(model.module), deepcopy(model)
    assert str(copy.module) == text
    copy.module.body.block.erase_op(copy.entry)
    assert str(model.module) == text


def test_a_model_travels_by_pickle_with_its_constants():
    model = read_model(PITCH)
    assert str(pickle.loads(pickle.dumps(model)).module) == str(model.module)


@pytest.mark.parametrize("use", [lowstream.read_model, lowstream.compile_model])
@pytest.mark.parametrize("given", [7, None, {"model": 1}, object()])
def test_what_is_no_model(given: Any, use: Any):
    with pytest.raises(
        DiagnosticException,
        match=rf"^an? {type(given).__name__} cannot be read; give a path, the bytes of an .onnx, one of openvino.Model",
    ):
        use(given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Model, "a type cannot be read; Model is a class, so give an object of it"),
        ({"w": np.ones(2)}, "a dict cannot be read; it holds weights without their graph, so load"),
        (StringIO("<net/>"), "cannot be read; give the path of the file, or of an .onnx the bytes"),
        (b"\x18\0\0\0TFL3", "these are a LiteRT model; give the path of their file"),
        (bytearray(b"<?xml"), "these are XML; give the path of their file"),
        (memoryview(b"\xff"), "not a whole ONNX model"),
        (BytesIO(), "not an ONNX model: it has no graph"),
        (onnx.ModelProto(), "not an ONNX model: it has no graph"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_to_give_instead(given: Any, said: str):
    with pytest.raises(DiagnosticException, match=said):
        read_model(given)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, BytesIO])
def test_an_onnx_in_memory(model: Model, tmp_path: Path, kind: Any):
    save_model(model, path := tmp_path / "m.onnx")
    assert read_model(kind(path.read_bytes())).inputs[0].any_name == model.inputs[0].any_name


def test_onnx_models_of_other_libraries(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """PyTorch's exporter returns a program that has the message; onnx_ir makes one of its model."""
    save_model(model, path := tmp_path / "m.onnx")
    proto = onnx.load(path)
    kind: Any = SimpleNamespace
    monkeypatch.setitem(sys.modules, "torch.onnx", kind(ONNXProgram=kind))
    assert str(read_model(kind(model_proto=proto)).module) == str(read_model(proto).module)
    monkeypatch.delitem(sys.modules, "torch.onnx")
    ir = kind(Model=kind, to_proto=lambda given: given.proto)
    monkeypatch.setitem(sys.modules, "onnx_ir", ir)
    assert str(read_model(kind(proto=proto)).module) == str(read_model(proto).module)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "https://host/m.onnx",
            "https:/host/m.onnx: error: .*; download the file, and give its path",
        ),
        ("~/m.onnx", f"; ~ is for shells; give {Path.home() / 'm.onnx'}"),
        ("~no such user/m.onnx", r"there is no folder .*~no such user that can be listed"),
        ("x" * 5000, r"^x{80}… \(5000 characters\): error: No such file or directory; nothing of"),
        ("broken.onnx", "it is a link to gone.onnx, where there is no file"),
        ("circle.onnx", "it is a link to circle.onnx, where there is no file"),
    ],
    ids=lambda each: each[:9],
)
@pytest.mark.parametrize("read", [read_model, compile_model])
def test_paths_where_no_file_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Any, name: str, said: str
):
    monkeypatch.chdir(tmp_path)
    Path("broken.onnx").symlink_to("gone.onnx")
    Path("circle.onnx").symlink_to("circle.onnx")
    with pytest.raises(FileNotFoundError, match=said):
        read(name)


def test_what_passes_cannot_change(tmp_path: Path):
    for use in (
        lambda: lowstream.run_passes("model.mlir", "lpt"),  # pyright: ignore[reportArgumentType]
        lambda: lowstream.save_model("model.mlir", tmp_path / "m.mlir"),  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(
            DiagnosticException,
            match=r"^a str is not a model of lowstream's; read the file first: lowstream.read_model\(path\)$",
        ):
            use()


def test_what_has_no_operations_has_no_report():
    with pytest.raises(
        DiagnosticException, match=r"^precision_report: 3 is not a model; read it first"
    ):
        lowstream.precision_report(3)  # pyright: ignore[reportArgumentType]


def test_a_model_is_not_read_twice(model: Model):
    with pytest.raises(DiagnosticException, match=r"Model is read already; use it as it is$"):
        lowstream.read_model(model)  # pyright: ignore[reportArgumentType]
