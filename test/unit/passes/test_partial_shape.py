"""`PartialShape` as the list that it is: whatever changes it, it holds dimensions."""

from collections.abc import Callable

import pytest

from lowstream import DiagnosticException, Dimension, PartialShape


def assign(shape: PartialShape) -> None:
    shape[1:] = [4, "?"]


def add(shape: PartialShape) -> None:
    shape += [4, -1]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (assign, "[2,4,?]"),
        (add, "[2,?,4,?]"),
        (lambda shape: shape.append("?"), "[2,?,?]"),
        (lambda shape: shape.extend([3, "?"]), "[2,?,3,?]"),
        (lambda shape: shape.insert(0, -1), "[?,2,?]"),
        (lambda shape: shape.insert(-1, 5), "[2,5,?]"),
    ],
)
def test_what_is_put_into_a_shape_is_a_dimension(change: Callable[[PartialShape], None], text: str):
    shape = PartialShape([2, -1])
    change(shape)
    assert str(shape) == text
    assert all(isinstance(each, Dimension) for each in shape)


def test_a_shape_that_is_refused_stays():
    shape = PartialShape([2, -1])
    with pytest.raises(DiagnosticException):
        shape.extend([3, "x"])
    assert shape == [2, -1]
