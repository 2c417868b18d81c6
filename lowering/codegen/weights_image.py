"""The constants of a program as one image, which its kernels read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...dialects import kernel
from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of
from ...dialects.kernel import storage_bytes
from ...dialects.mapped import drop_mapped_pages

READ_AT_ONCE = 4 << 20
"""Bytes of constants after which the pages of the files that they were read from are dropped."""


@dataclass(frozen=True)
class WeightsImage:
    """
    All constants of a program by their offsets, in order; of several at one offset, those without elements come first.
    The image takes no memory: its bytes are computed in pieces, one after the other, in the layout that kernels read.
    """

    constants: tuple[tuple[int, BlobAttr], ...]
    is_streamed: bool = False
    """Whether a call reads them about as fast as memory gives them: products of compressed weights with few rows do."""

    @classmethod
    def of(cls, program: kernel.ProgramOp) -> WeightsImage:
        """The image of a planned program."""
        ops = list(kernel.outside_bodies(program))
        found = [op for op in ops if isinstance(op, kernel.ConstantOp)]
        constants = [(op.offset.value.data, op.value) for op in found]
        in_order = sorted(constants, key=lambda each: (each[0], storage_bytes(each[1].type)))
        return cls(tuple(in_order), any(isinstance(op, kernel.CompressedMatMulOp) for op in ops))

    @property
    def nbytes(self) -> int:
        """Bytes of the image."""
        return max(
            (offset + storage_bytes(each.type) for offset, each in self.constants), default=0
        )

    def pieces(self) -> Iterator[memoryview]:
        """Its bytes, in pieces. A piece is valid only until the next one is asked for."""
        place, read = 0, 0
        for offset, constant in self.constants:
            yield memoryview(bytes(offset - place))
            place = offset
            for piece in _pieces(constant):
                for begin in range(0, len(piece), READ_AT_ONCE):
                    part = piece[begin : begin + READ_AT_ONCE]
                    yield part
                    place, read = place + len(part), read + len(part)
                    if read >= READ_AT_ONCE:
                        drop_mapped_pages()
                        read = 0
            assert place == offset + storage_bytes(constant.type), "the bytes of this constant"

    def in_memory(self) -> memoryview:
        """Its bytes in pages of their own."""
        from ...reference.pages import huge_pages

        image, place = memoryview(huge_pages(self.nbytes) if self.nbytes else bytearray()), 0
        for piece in self.pieces():
            image[place : place + len(piece)] = piece
            place += len(piece)
        return image.toreadonly()


def _pieces(constant: BlobAttr) -> Iterator[memoryview]:
    """The bytes of one constant. An element of less than 8 bits takes a whole byte."""
    element = constant.type.element_type
    if bits_of(element) >= 8:
        return (memoryview(piece).cast("B") for piece in constant.data.pieces())
    from ...reference.arrays import array_of, bytes_of, in_memory

    return iter([bytes_of(in_memory(array_of(constant), element))])
