"""Behaviours of tensors in their corners: of each element type, of strange arrays, of parts of parts, of files."""

from __future__ import annotations

from typing import Any

import numpy as np

from .side import ONES, A, B, Behaviour, Side, after

GRID = np.arange(30, dtype=np.float32).reshape(5, 6)

ARRAYS = {
    "a number of NumPy's": np.float32(3),
    "no dimension": np.array(3, np.float32),
    "no rows": np.zeros((0, 4), np.float32),
    "booleans": np.array([True, False]),
    "complex numbers": np.array([1j]),
    "objects": np.array([None]),
    "u64": np.array([2**63], np.uint64),
    "columns": np.asfortranarray(GRID[:2, :2]),
    "one number in many places": np.broadcast_to(np.float32(1), (2, 2)),
    "f16": np.ones(2, np.float16),
    "dates": np.array(["2020-01-01"], "M8[D]"),
    "long doubles": np.ones(2, np.longdouble),
    "lists of numbers": [[1.0, 2.0], [3.0, 4.0]],
    "lists of several sizes": [[1], [2, 3]],
    "integers": [1, 2],
    "truth values": [True, False],
    "integers and fractions": [1, 2.5],
}

SHARED = ("no dimension", "no rows", "booleans", "objects", "u64", "f16", "dates", "long doubles")

WIDE = ("f16", "f64", "boolean", "i16", "u32", "u64")
"""Types whose elements lie as NumPy has them."""

NARROW = ("bf16", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "i4", "u4", "u1")


def tensor(s: Side, *arguments: Any, **options: Any) -> Any:
    return s.module.Tensor(*arguments, **options)


def of_type(s: Side, name: str, shape: Any) -> Any:
    return tensor(s, getattr(s.module.Type, name), s.module.Shape(shape))


def part(s: Side, *corners: Any) -> Any:
    """A part of a grid, or a part of a part."""
    found = tensor(s, GRID.copy())
    for begin, end in corners:
        s.kept.append(found)
        found = tensor(s, found, begin, end)
    return found


def looks(found: Any) -> Any:
    return found.element_type.to_string(), list(found.shape), found.data


def wide(name: str) -> Behaviour:
    return lambda s: [(x := of_type(s, name, [2, 3])).data.dtype.name, x.byte_size, x.size]


def packed(name: str) -> Behaviour:
    return lambda s: [of_type(s, name, [2, 3]).size, of_type(s, name, [0, 3]).byte_size]


def array(given: Any) -> Behaviour:
    return lambda s: looks(tensor(s, given))


def shared(given: Any) -> Behaviour:
    return lambda s: list(tensor(s, given, shared_memory=True).shape)


def written(s: Side) -> Any:
    big = tensor(s, GRID.copy())
    tensor(s, big, [1, 2], [3, 5]).data.fill(7)
    return big.data


def taken(s: Side) -> Any:
    big = tensor(s, GRID.copy())
    tensor(s, big, [0, 0], [1, 3]).copy_from(tensor(s, A))
    return big.data


def given(s: Side) -> Any:
    target = of_type(s, "f32", [1, 3])
    part(s, ([1, 2], [2, 5])).copy_to(target)
    return target.data


def computed_with(s: Side) -> Any:
    request = s.two.create_infer_request()
    request.set_tensor("a", part(s, ([1, 2], [2, 5])))
    request.set_tensor("b", tensor(s, B))
    request.infer()
    return request.get_tensor("sum").data


def as_state(s: Side) -> Any:
    state = s.request("sums", ONES).query_state()[0]
    state.state = part(s, ([1, 1], [2, 5]))
    return state.state.data


def of_file(s: Side) -> Any:
    path = s.folder / f"{s.name}.raw"
    path.write_bytes(bytes(range(5)))
    return looks(s.module.tensor_from_file(str(path)))


def reshaped(s: Side) -> Any:
    made = tensor(s, GRID.copy())
    made.shape = [6, 5]
    return list(made.shape)


TENSORING: dict[str, Behaviour] = {
    **{f"Tensor of {name}: array, bytes, elements": wide(name) for name in WIDE},
    **{f"Tensor of {name}: elements, and bytes of none": packed(name) for name in NARROW},
    **{f"Tensor of {name}, from an array": array(given) for name, given in ARRAYS.items()},
    **{f"Tensor of {name}, in its memory": shared(ARRAYS[name]) for name in SHARED},
    "Tensor of i4 in bytes": lambda s: of_type(s, "i4", [2, 3]).byte_size,
    "Tensor of bf16: its array": lambda s: of_type(s, "bf16", [2, 3]).data.dtype.name,
    "Tensor of f8: its array": lambda s: of_type(s, "f8e4m3", [2, 3]).data.dtype.name,
    "Tensor of f8 in bytes": lambda s: of_type(s, "f8e4m3", [2, 3]).byte_size,
    "Tensor of nf4": lambda s: of_type(s, "nf4", [2, 3]).size,
    "Tensor(array, shape, u4)": lambda s: (
        tensor(s, np.array([0x21, 0x43], np.uint8), s.module.Shape([2, 2]), s.module.Type.u4).size
    ),
    "Tensor(array, shape, f8e4m3)": lambda s: (
        (
            x := tensor(s, np.array([56, 0], np.uint8), s.module.Shape([2]), s.module.Type.f8e4m3)
        ).byte_size
        + x.size
    ),
    "Tensor of the other byte order": lambda s: tensor(s, np.ones(2, ">f4")).data,
    "Tensor of a tuple": lambda s: tensor(s, (1.0, 2.0)).data,
    "Tensor of a range": lambda s: tensor(s, range(3)).data,
    "Tensor of a list, in its memory": lambda s: tensor(s, [1, 2], shared_memory=True).data,
    "Tensor(text of a type, shape)": lambda s: list(tensor(s, "f32", [2, 3]).shape),
    "Tensor(type, [])": lambda s: tensor(s, s.module.Type.f32, []).size,
    "Tensor(type, tuple)": lambda s: list(tensor(s, s.module.Type.f32, (2, 3)).shape),
    "Tensor(float, list)": lambda s: tensor(s, float, [2, 3]).element_type.to_string(),
    "Tensor of a type that is not known": lambda s: tensor(s, s.module.Type.dynamic, [1]),
    "Tensor of a shape less than nothing": lambda s: tensor(s, s.module.Type.f32, [-1]),
    "Tensor.shape = another of its size": reshaped,
    "Tensor.data[0]": lambda s: tensor(s, A).data[0],
    "len(Tensor.data)": lambda s: len(tensor(s, A).data),
    "Tensor.data: compared": lambda s: bool(np.all(tensor(s, A).data == tensor(s, A).data)),
    "part of a part": lambda s: part(s, ([1, 1], [5, 5]), ([1, 1], [3, 4])).data,
    "part: strides": lambda s: list(part(s, ([1, 2], [2, 5])).strides),
    "part: elements, bytes": lambda s: [(x := part(s, ([1, 2], [3, 5]))).size, x.byte_size],
    "part of no rows": lambda s: list(part(s, ([1, 2], [1, 5])).shape),
    "part of another rank": lambda s: part(s, ([1], [2])).shape,
    "part that ends before it begins": lambda s: part(s, ([3, 3], [2, 5])).shape,
    "part: written to": written,
    "part: copy_from": taken,
    "part: copy_to": given,
    "part: set_tensor": computed_with,
    "part: state = part": as_state,
    "part: set_shape": lambda s: after(x := part(s, ([1, 2], [2, 5])), x.set_shape([1, 2]), x.size),
    "tensor_from_file": of_file,
    "tensor_from_file: no such file": lambda s: s.module.tensor_from_file("no.raw"),
}
