"""Random numbers: the same ones for the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloatConstr,
    IntegerType,
    Signedness,
    TensorType,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base, operand_def, prop_def, result_def

from ..elements import is_integer
from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    choice,
    floating,
    shape_of,
    spelled,
    static_shape,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integer_prop, word_prop
from .bitwise import BitwiseAndOp, BitwiseRightShiftOp, BitwiseXorOp
from .cumulative import CumSumOp
from .derived import DerivedOp
from .expression import Expression, concatenated, constant, places
from .writer import Writer

MULTIPLIERS = 0xCD9E8D57, 0xD2511F53
KEYS = 0x9E3779B9, 0xBB67AE85
ROUNDS = 10
"""Of Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011)."""

STATE = 624
"""Words of the state of MT19937."""

WORD = 2**32
UNSIGNED = IntegerType(64, Signedness.UNSIGNED)
FRACTION = {"tensorflow": 23, "pytorch": 24}
"""How many bits of a word are those of a fraction."""


@op_definition
class RandomUniformOp(DerivedOp):
    """
    Numbers of a constant shape, from `min_val` to below `max_val`, all equally probable; the same ones in each run.

    With `alignment` `tensorflow` they are those of Philox4x32-10 of key `global_seed` and counter `op_seed`, with
    `pytorch` those of the Mersenne twister MT19937 of `global_seed`: real numbers are the last 23 or 24 bits of a word
    as a fraction, integers the rest of its division by the size of the interval.

        %shape = nn.constant dense<[2, 3]> : tensor<2xi64>
        %y = nn.random_uniform %shape, %low, %x {output_type = f32, global_seed = 150 : i64, op_seed = 10 : i64,
              alignment = "tensorflow"} : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
    """

    name = "nn.random_uniform"
    NAMES: ClassVar = Names("RandomUniform-8")

    shape = operand_def(INDEX)
    min_val = operand_def(SAME_ELEMENT)
    max_val = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)
    output_type = prop_def(base(IntegerType) | AnyFloatConstr)
    global_seed = integer_prop(0)
    op_seed = integer_prop(0)
    alignment = word_prop("tensorflow")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        choice(self, "alignment", *FRACTION)
        check_seeds(self, self.global_seed.value.data, self.op_seed.value.data)
        if {prod(shape_of(each)) for each in (self.min_val, self.max_val)} != {1}:
            raise self.op_error("min_val and max_val must be one number each")
        sizes, rank = constants(self.shape), shape_of(self.shape)
        if len(rank) != 1 or (sizes is None and rank[0] == DYNAMIC_INDEX):
            raise self.op_error("shape must be a vector of known size")
        if sizes is not None and any(size < 0 for size in sizes):
            raise self.op_error(f"shape {list(sizes)} must not be negative")
        shape = [DYNAMIC_INDEX] * rank[0] if sizes is None else sizes
        return [TensorType(self.output_type, shape)]

    def decompose(self, write: Writer) -> SSAValue:
        shape = static_shape(self.result)
        low, high = (Expression(write, each).reshaped() for each in (self.min_val, self.max_val))
        kind, seeds = self.alignment.data, (self.global_seed.value.data, self.op_seed.value.data)
        words = (
            philox(write, *seeds, prod(shape))
            if kind == "tensorflow"
            else twisted(write, grown_seed(seeds[0]), prod(shape))
        )
        if is_integer(self.output_type):
            low, high = (each.to(i64) for each in (low, high))
            numbers = (words.to(i64) % (high - low) + low).to(self.output_type)
        else:
            numbers = fractions(words, FRACTION[kind]).to(low.element) * (high - low) + low
        return numbers.reshaped(*shape).value


def check_seeds(op: DerivedOp, *seeds: int) -> None:
    """Raises VerifyException where seeds ask for other numbers in each run."""
    if not any(seeds) or min(seeds) < 0:
        raise op.op_error(
            f"seeds {', '.join(map(str, seeds))}; with zeros numbers would differ from run to run: give "
            "it a seed above 0, or make the numbers an input"
        )


def fractions(words: Expression, bits: int) -> Expression:
    """The last bits of words as numbers from 0 to below 1."""
    last = words.on(words.write(BitwiseAndOp, words.value, 2**bits - 1))
    return last.to(f32) * 2.0**-bits


def philox(write: Writer, key: int, counter: int, count: int) -> Expression:
    """The first `count` words of Philox4x32-10. Four words are those of one value of the counter."""
    blocks = -(-count // 4)
    number = places(write, blocks).to(UNSIGNED)
    state = [
        [number, _filled(number, 0)],
        [_filled(number, counter % WORD), _filled(number, counter // WORD)],
    ]
    keys = [key % WORD, key // WORD]
    for _ in range(ROUNDS):
        products = [
            value * multiplier
            for value, multiplier in zip((state[1][0], state[0][0]), MULTIPLIERS, strict=True)
        ]
        state = [
            [_exclusive(_exclusive(_high(product), words[1]), word), _low(product)]
            for product, words, word in zip(products, state, keys, strict=True)
        ]
        keys = [(word + more) % WORD for word, more in zip(keys, KEYS, strict=True)]
    words = [each.reshaped(blocks, 1) for pair in state for each in pair]
    return concatenated(1, *words).reshaped(4 * blocks).slice(0, 0, count)


def _filled(like: Expression, word: int) -> Expression:
    return like.constant((1,), [word]).broadcast(*like.shape)


def _exclusive(one: Expression, other: Expression | int) -> Expression:
    value = other.value if isinstance(other, Expression) else other
    return one.on(one.write(BitwiseXorOp, one.value, value))


def _high(product: Expression) -> Expression:
    return product.on(product.write(BitwiseRightShiftOp, product.value, 32))


def _low(product: Expression) -> Expression:
    return product.on(product.write(BitwiseAndOp, product.value, WORD - 1))


def twisted(write: Writer, state: Sequence[int], count: int) -> Expression:
    """The first `count` words of MT19937 (Matsumoto and Nishimura, 1998)."""
    generator = Random()
    generator.setstate((3, (*state, STATE), None))
    words = [generator.getrandbits(32) for _ in range(count)]
    return Expression(write, constant(write, UNSIGNED, (count,), words))


def grown_seed(seed: int) -> list[int]:
    """The state that the authors of MT19937 make of a seed."""
    state = [seed % WORD]
    for number in range(1, STATE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + number) % WORD)
    return state


def seed_sequence(seeds: Sequence[int]) -> list[int]:
    """The state that `std::seed_seq` makes of seeds (C++17, [rand.util.seedseq])."""
    state, number = [0x8B8B8B8B] * STATE, len(seeds)
    first = (STATE - 11) // 2
    second = first + 11
    for k in range(2 * STATE):
        here, p, q = k % STATE, (k + first) % STATE, (k + second) % STATE
        if k < STATE:
            mixed = state[here] ^ state[p] ^ state[here - 1]
            one = 1664525 * (mixed ^ mixed >> 27) % WORD
            more = here + seeds[k - 1] if 0 < k <= number else here or number
            two = (one + more) % WORD
            state[p], state[q] = (state[p] + one) % WORD, (state[q] + two) % WORD
        else:
            mixed = (state[here] + state[p] + state[here - 1]) % WORD
            one = 1566083941 * (mixed ^ mixed >> 27) % WORD
            two = (one - here) % WORD
            state[p], state[q] = state[p] ^ one, state[q] ^ two
        state[here] = two
    return state


@op_definition
class MultinomialOp(DerivedOp):
    """
    `num_samples` (constant) classes for each row of `probs`, `[row, class]`, each class as probable as its share of the
    row, or with `log_probs` that of its exponential; the same ones in each run. Without replacement no class is drawn
    twice.

    Class k is the first whose sum with those before is not below a number, which is a word of MT19937 of both seeds
    (`std::seed_seq`) as a fraction.

        %n = nn.constant dense<3> : tensor<i64>
        %y = nn.multinomial %x, %n {convert_type = i64, with_replacement = true, log_probs = false,
              global_seed = 3 : i64, op_seed = 9 : i64} : (tensor<2x5xf32>, tensor<i64>) -> tensor<2x3xi64>
    """

    name = "nn.multinomial"
    NAMES: ClassVar = Names("Multinomial-13")

    probs = operand_def(TensorType)
    num_samples = operand_def(INDEX)
    result = result_def(INDEX)
    convert_type = prop_def(IntegerType, default_value=i64)
    with_replacement = flag_prop()
    log_probs = flag_prop()
    global_seed = integer_prop(0)
    op_seed = integer_prop(0)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, number = floating(self, self.probs).get_shape(), constants(self.num_samples)
        check_seeds(self, self.global_seed.value.data, self.op_seed.value.data)
        if len(shape) != 2 or shape[1] == 0 or shape_of(self.num_samples) not in ((), (1,)):
            raise self.op_error(
                f"takes probabilities [row, class] and one number, not {spelled(shape)} and "
                f"{spelled(shape_of(self.num_samples))}"
            )
        count = DYNAMIC_INDEX if number is None else number[0]
        if number is not None and (
            count < 0 or (not self.with_replacement and DYNAMIC_INDEX != shape[1] < count)
        ):
            raise self.op_error(f"{count} samples cannot be drawn of {shape[1]} classes")
        return [TensorType(self.convert_type, (shape[0], count))]

    def decompose(self, write: Writer) -> SSAValue:
        numbers = Expression(write, self.probs)
        (count,) = self.known(self.num_samples, "num_samples")
        rows, classes = numbers.shape
        numbers = numbers.exp() if self.log_probs else numbers
        sums = numbers.on(write(CumSumOp, numbers.value, write.integer(1)))
        sums = sums / sums.slice(1, classes - 1, classes)
        seeds = [each.value.data % WORD for each in (self.global_seed, self.op_seed)]
        words = twisted(write, seed_sequence(seeds), rows * count).reshaped(rows, count)
        drawn = (words.to(f32) * (1 / WORD)).to(sums.element)
        if self.with_replacement:
            below = sums.reshaped(rows, 1, classes) < drawn.reshaped(rows, count, 1)
            found = below.to(i32).sum(2).at_most(classes - 1)
            return found.to(self.convert_type).value
        samples: list[Expression] = []
        for k in range(count):
            kind = (sums < drawn.slice(1, k, k + 1)).to(i32).sum(1, keep=True).at_most(classes - 1)
            samples.append(kind)
            before = (kind > 0).where(sums.gathered((kind - 1).at_least(0), 1, 1), 0)
            share = sums.gathered(kind, 1, 1) - before
            behind = places(write, 1, classes) >= kind
            sums = behind.where(sums - share, sums) / (1 - share)
        return concatenated(1, *samples).to(self.convert_type).value
