"""
Constant data: one immutable attribute over bytes in memory, a memory map or a splat.

In text a blob is `dense<[1, 2]> : tensor<2xi64>`, `dense<"0x0102"> : tensor<2xi8>`, or a reference
`"model.safetensors", "conv1.weight", "<digest>"` to a file beside the module. The printer alone
decides: up to `INLINE_LIMIT` bytes stay inline, larger ones go to the file of a `WeightsPrinter`, if it
has one. Element types of less than a byte are packed from the low bits up (`i1` eight, `i4` two to a
byte).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from .elements import Number, bits_of, is_integer, pack, pack_codes, unpack
from .weights_file import WeightsFile

if TYPE_CHECKING:
    from typing_extensions import Buffer

INLINE_LIMIT = 4096
"""Bytes up to which a printer with a weights file still prints a constant inline."""

MAX_BYTES = 4 << 30
"""The most bytes of one value; for a constant, after a splat is expanded. `opt-tool --max-bytes` changes it."""


def element_count(type: TensorType[Any]) -> int:
    """The number of elements of a static tensor type."""
    shape = [size.data for size in type.shape.data]  # faster than `get_shape`
    if DYNAMIC_INDEX in shape:
        raise DiagnosticException(f"constant of type {type}: every dimension must be known")
    if (count := math.prod(shape)) >= 2**60:
        raise DiagnosticException(
            f"constant of type {type}: more elements than memory has addresses"
        )
    return count


def byte_size(type: TensorType[Any]) -> int:
    """Bytes of a packed buffer of this static tensor type."""
    return (element_count(type) * bits_of(type.element_type) + 7) // 8


def over_limit(nbytes: int) -> str:
    """The part of a message that says that something takes more than `MAX_BYTES`."""
    return (
        f"{nbytes} bytes, over the limit of {MAX_BYTES}; raise it with --max-bytes (in Python: "
        "lowstream.dialects.blob.MAX_BYTES)"
    )


@dataclass(frozen=True, eq=False)
class Blob:
    """
    The data of one constant: `buffer` holds all packed elements, or a single one if `splat`.

    Two blobs are equal if type and contents are; the digest that decides is computed when first asked for.
    """

    type: TensorType[Any]
    buffer: Buffer = field(repr=False)
    splat: bool = False

    def __post_init__(self) -> None:
        have = memoryview(self.buffer).nbytes
        need = (bits_of(self.type.element_type) + 7) // 8 if self.splat else self.nbytes
        if have != need:
            raise DiagnosticException(
                f"constant of type {self.type} needs {need} bytes of data, found {have}"
            )
        self._check_limit()

    def _check_limit(self) -> None:
        if self.nbytes > MAX_BYTES:
            raise DiagnosticException(
                f"constant of type {self.type} would take {over_limit(self.nbytes)}"
            )

    @cached_property
    def nbytes(self) -> int:
        """Bytes of all packed elements, expanded."""
        return byte_size(self.type)

    def expanded(self) -> Buffer:
        """All packed elements; a splat's are written out."""
        if not self.splat:
            return self.buffer
        bits = bits_of(self.type.element_type)
        if bits >= 8:
            return bytes(self.buffer) * element_count(self.type)
        return pack_codes(bits, bytes(self.buffer) * element_count(self.type))

    def pieces(self) -> Iterator[Buffer]:
        """The same in pieces, one after the other. A piece is valid only until the next one is asked for."""
        yield self.expanded()

    @property
    def digest(self) -> str:
        """32 hexadecimal digits over the expanded contents (BLAKE2b)."""
        cached = self.__dict__.get("_digest")
        if cached is None:
            digest = hashlib.blake2b(digest_size=16)
            for piece in self.pieces():
                digest.update(piece)
            self.__dict__["_digest"] = cached = digest.hexdigest()
        return cast(str, cached)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Blob) or self.type != other.type:
            return False
        if self.splat and other.splat:
            return bytes(self.buffer) == bytes(other.buffer)
        return self.digest == other.digest

    def __hash__(self) -> int:
        """Of the type, the first and the last element: tells most constants apart and reads little."""
        size = bits_of(self.type.element_type) // 8
        data = memoryview(self.buffer).cast("B")
        ends = (bytes(data[:size]), bytes(data[-size:])) if size else ()
        return hash((self.type, ends))

    def values(self) -> list[Number]:
        """Every element in row-major order; for small tensors such as shapes."""
        return self.distinct() * (element_count(self.type) if self.splat else 1)

    def distinct(self) -> list[Number]:
        """Every element in row-major order; of a splat only one."""
        count = 1 if self.splat else element_count(self.type)
        return unpack(self.type.element_type, self.buffer, count)


class DeferredBlob(Blob):
    """
    A blob whose data is computed when it is asked for: in pieces, which nobody keeps, so that large weights need not be
    in memory as a whole; or as a `buffer`, which stays. `sign` is the same for equal ones, and tells most others apart.
    """

    def __init__(
        self, type: TensorType[Any], make: Callable[[], Iterator[Buffer]], sign: Hashable = None
    ):
        self.__dict__.update(type=type, splat=False)
        self._make, self._sign = make, sign
        self._check_limit()

    @cached_property
    def buffer(self) -> Buffer:  # pyright: ignore[reportIncompatibleVariableOverride]
        made = bytearray(self.nbytes)
        place = 0
        for piece in self._make():
            data = memoryview(piece).cast("B")
            made[place : place + len(data)] = data
            place += len(data)
        return memoryview(made).toreadonly()

    def pieces(self) -> Iterator[Buffer]:
        return iter([self.buffer]) if "buffer" in self.__dict__ else self._make()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeferredBlob) and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.type, self._sign))


@runtime_checkable
class WeightsPrinter(Protocol):
    """A printer that keeps constants of more bytes than `inline_limit` in a file beside its text."""

    @property
    def inline_limit(self) -> int: ...

    def reference(self, blob: Blob) -> tuple[str, str]:
        """The file's name and the key under which it holds `blob`."""
        ...


ELIDED = "dense_resource<__elided__>"
"""Replaces elements that a printer leaves out, as in MLIR."""

_ELIDED_HERE = re.compile(r"(dense_resource)?\s*<\s*__elided__\s*>")
"""The same, or what follows its first word."""


@runtime_checkable
class ElidingPrinter(Protocol):
    """A printer that leaves out the elements of large constants."""

    def elides(self, count: int) -> bool:
        """Whether it leaves out a constant of so many elements."""
        ...

    def print_elided(self, type: Attribute) -> None:
        """Prints the placeholder for the elements of this type."""
        ...


@irdl_attr_definition
class BlobAttr(Data[Blob]):
    """
    Constant data of a tensor type.

        #nn.blob<dense<[1, 2]> : tensor<2xi64>>
        #nn.blob<"model.safetensors", "conv1.weight", "0f…">
    """

    name = "nn.blob"

    @classmethod
    def of(cls, type: TensorType[Any], values: Iterable[Number] | Number) -> BlobAttr:
        """A blob of Python numbers in row-major order; a single number becomes a splat."""
        if isinstance(values, (int, float)):
            return cls(Blob(type, pack(type.element_type, [values]), splat=True))
        return cls(Blob(type, pack(type.element_type, list(values))))

    @property
    def type(self) -> TensorType[Any]:
        """The tensor type of the data."""
        return self.data.type

    def is_reference(self, printer: Printer) -> bool:
        """Whether this printer puts the data into its weights file."""
        blob = self.data
        if blob.splat or not isinstance(printer, WeightsPrinter) or self._is_elided(printer):
            return False
        return blob.nbytes > printer.inline_limit

    def _is_elided(self, printer: Printer) -> bool:
        blob = self.data
        if blob.splat or not isinstance(printer, ElidingPrinter):
            return False
        return printer.elides(element_count(blob.type))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_body(printer)

    def print_body(self, printer: Printer) -> None:
        """Prints what stands between the angle brackets."""
        if self._is_elided(printer):
            cast(ElidingPrinter, printer).print_elided(self.data.type)
            return
        if self.is_reference(printer):
            file, key = cast(WeightsPrinter, printer).reference(self.data)
            for i, text in enumerate((file, key, self.data.digest)):
                printer.print_string(", " if i else "")
                printer.print_string_literal(text)
            return
        printer.print_string("dense")
        with printer.in_angle_brackets():
            _print_literal(printer, self.data)
        printer.print_string(" : ")
        printer.print_attribute(self.data.type)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Blob:
        with parser.in_angle_brackets():
            return cls.parse_body(parser)

    @classmethod
    def parse_body(cls, parser: AttrParser) -> Blob:
        """Parses what stands between the angle brackets."""
        start = parser.pos
        try:
            if (blob := cls.parse_optional_dense(parser)) is not None:
                return blob
            file = parser.parse_str_literal(": a weights file, or dense<…>")
            parser.parse_punctuation(",")
            key = parser.parse_str_literal()
            parser.parse_punctuation(",")
            digest = parser.parse_str_literal()
            return load_reference(Path(parser.lexer.input.name).parent, file, key, digest)
        except DiagnosticException as error:
            parser.raise_error(str(error), start)

    @classmethod
    def parse_optional_dense(cls, parser: AttrParser) -> Blob | None:
        """Parses `dense<…> : type` where it stands here."""
        start = parser.pos
        refuse_elided(parser)
        if parser.parse_optional_keyword("dense") is None:
            return None
        try:
            return _parse_dense(parser)
        except DiagnosticException as error:
            parser.raise_error(str(error), start)


def refuse_elided(parser: AttrParser) -> None:
    """Raises ParseError where the elements that stand here were left out."""
    if _ELIDED_HERE.match(parser.lexer.input.content, parser.pos):
        parser.raise_error(
            "the elements of this constant were left out when it was printed; print the module with "
            "--mlir-elide-elementsattrs-if-larger=-1, or into a file with -o"
        )


def load_reference(folder: Path, file: str, key: str, digest: str) -> Blob:
    """The tensor `key` of `folder/file`, memory-mapped. Raises DiagnosticException as WeightsFile does,
    and where the contents have another digest."""
    type, buffer = WeightsFile.open(folder, file).tensor(key)
    blob = Blob(type, buffer)
    if blob.digest != digest:
        raise DiagnosticException(
            f"{file}: tensor '{key}' has digest {blob.digest}, the module expects {digest}; "
            "the weights file belongs to another model"
        )
    return blob


def _print_literal(printer: Printer, blob: Blob) -> None:
    element, shape = blob.type.element_type, blob.type.get_shape()
    if printer.diagnostic.op_messages and not blob.splat and blob.nbytes > INLINE_LIMIT:
        printer.print_string("…")  # beside an error message nobody reads megabytes
    elif _needs_hex(blob):
        printer.print_string(f'"0x{bytes(blob.buffer).hex().upper()}"')
    elif blob.splat:
        _print_number(printer, element, blob.distinct()[0])
    else:
        _print_nested(printer, element, shape, blob.values())


def _needs_hex(blob: Blob) -> bool:
    """Large data, and what no nested list of numbers spells: no elements, and bits behind a NaN."""
    if element_count(blob.type) == 0 or (not blob.splat and blob.nbytes > INLINE_LIMIT // 4):
        return True
    return any(value != value for value in blob.distinct())


def _print_nested(
    printer: Printer, element: Attribute, shape: Sequence[int], values: Sequence[Number]
) -> None:
    if not shape:
        _print_number(printer, element, values[0])
        return
    step = math.prod(shape[1:])
    with printer.in_square_brackets():
        for i in range(shape[0]):
            printer.print_string(", " if i else "")
            _print_nested(printer, element, shape[1:], values[i * step : (i + 1) * step])


def _print_number(printer: Printer, element: Attribute, value: Number) -> None:
    if is_integer(element):
        is_truth = element.width.data == 1
        printer.print_string(("true" if value else "false") if is_truth else str(value))
    elif math.isfinite(value):
        printer.print_string(_shortest(element, float(value)))
    else:
        printer.print_string("0x" + pack(element, [value])[::-1].hex().upper())


def _shortest(element: Attribute, value: float) -> str:
    """The shortest decimal that reads back as the same element, with a point, as MLIR wants it."""
    data = pack(element, [value])
    for digits in range(6, 18):
        text = f"{value:.{digits}g}"
        if pack(element, [float(text)]) == data:
            break
    mantissa, mark, exponent = text.partition("e")  # pyright: ignore[reportPossiblyUnboundVariable]
    return (mantissa if "." in mantissa else mantissa + ".0") + mark + exponent


def _parse_dense(parser: AttrParser) -> Blob:
    parser.parse_punctuation("<")
    text, shape = parser.parse_optional_str_literal(), list[int]()
    if parser.parse_optional_punctuation(">") is not None:  # `dense<>` holds nothing
        text, values = text or "", []
    else:
        values = _parse_nested(parser, shape, 0)
        parser.parse_punctuation(">")
    parser.parse_punctuation(":")
    start = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TensorType):
        parser.raise_error("a constant needs a ranked tensor type", start)
    type = cast(TensorType[Any], type)
    if text is not None:
        return _from_hex(type, text)
    numbers = [_number(type.element_type, v) for v in values]
    if shape:
        if tuple(shape) != type.get_shape():
            raise DiagnosticException(f"the literal has shape {shape}, its type is {type}")
        return Blob(type, pack(type.element_type, numbers))
    element_count(type)
    return Blob(type, pack(type.element_type, numbers), splat=True)


def _from_hex(type: TensorType[Any], text: str) -> Blob:
    try:
        data = bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        raise DiagnosticException("a dense string must be hexadecimal, 0x…") from None
    one = (bits_of(type.element_type) + 7) // 8
    return Blob(type, data, splat=len(data) == one and byte_size(type) != one)


@dataclass(frozen=True)
class _Pattern:
    """A hexadecimal literal: the bits of a floating-point value, or an integer."""

    bits: int


def _parse_nested(
    parser: AttrParser, shape: list[int], depth: int
) -> list[Number | bool | _Pattern]:
    if parser.parse_optional_punctuation("[") is None:
        if depth < len(shape):
            raise DiagnosticException("the literal's rows have different ranks")
        return [_parse_number(parser)]
    values: list[Number | bool | _Pattern] = []
    size, first = 0, depth == len(shape)
    if first:
        shape.append(-1)
    if parser.parse_optional_punctuation("]") is None:
        while True:
            values += _parse_nested(parser, shape, depth + 1)
            size += 1
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation("]")
    if shape[depth] not in (-1, size):
        raise DiagnosticException("the literal's rows have different lengths")
    shape[depth] = size
    return values


def _parse_number(parser: AttrParser) -> Number | bool | _Pattern:
    truth = parser.parse_optional_boolean()
    if truth is not None:
        return truth
    start = parser.pos
    number = parser.parse_number()
    text = parser.lexer.input.slice(start, parser.pos) or ""
    return _Pattern(int(number)) if text.strip().lower().startswith("0x") else number


def _number(element: Attribute, value: Number | bool | _Pattern) -> Number:
    if is_integer(element):
        number = value.bits if isinstance(value, _Pattern) else value
        if isinstance(number, float):
            raise DiagnosticException(f"{number} is not an element of {element}")
        return int(number)
    if isinstance(value, _Pattern):
        bits = bits_of(element)
        if not 0 <= value.bits < 2**bits:
            raise DiagnosticException(f"{value.bits:#x} has more bits than {element}")
        return unpack(element, value.bits.to_bytes(-(-bits // 8), "little"), 1)[0]
    return float(value)
