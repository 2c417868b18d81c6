"""The table of lowstream's passes: what tools list, and where each one lives. Importing it imports no pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from xdsl.passes import ModulePass

from ..dialects.installed import installed_passes


@dataclass(frozen=True)
class PassInfo:
    """One pass: its name, its module below `lowstream`, its class, and what `--help` says of it."""

    name: str
    module: str
    cls: str
    summary: str
    options: str = ""
    old_name: str = ""
    """A hidden alias, understood for one release after the pass was renamed."""

    def load(self) -> type[ModulePass]:
        """The pass class."""
        found: type[ModulePass] = getattr(import_module(f"..{self.module}", __package__), self.cls)
        assert found.name == self.name
        return found


def _pass(
    name: str,
    summary: str,
    options: str = "",
    old_name: str = "",
    folder: str = "passes",
    file: str | None = None,
    cls: str | None = None,
) -> PassInfo:
    """A pass that lives in a file of its name, in a class of its name, where nothing else is said."""
    module = f"{folder}.{file or name.replace('-', '_')}"
    words = (word.capitalize() for word in name.split("-"))
    return PassInfo(name, module, cls or "".join(words), summary, options, old_name)


_lowering_pass = partial(_pass, folder="lowering")
_attention_pass = partial(_pass, folder="lowering.attention")
_control_flow_pass = partial(_pass, folder="lowering.control_flow")
_convolution_pass = partial(_pass, folder="lowering.convolutions")
_dynamic_shape_pass = partial(_pass, folder="lowering.dynamic_shapes")
_kernel_body_pass = partial(_pass, folder="lowering.kernel_bodies")
_product_pass = partial(_pass, folder="lowering.products")

PASSES = (
    _pass(
        "low-latency2",
        "make iterators and sequences stateful; what runs once is inlined",
        "use-const-initializer=true",
    ),
    _pass(
        "make-stateful",
        "states of pairs of an input and an output, such as a cache and its next value",
        "inputs=… outputs=…",
    ),
    _pass(
        "quantize-states",
        "states that are only read to be quantized hold what that gives",
        "multiple=1",
    ),
    _pass("infer-shapes", "give every value its inferred type"),
    _pass("reshape", "new input shapes; types, iteration counts and states follow", "inputs=…"),
    _pass("trim", "cut the model at named tensors or operations", "inputs=… outputs=…"),
    _pass("replace-constant", "new data for the constant of a name", "name=… file=….npy"),
    _pass("relax-constants", "let constants that hold a size of the inputs follow it"),
    _pass(
        "unroll-loops",
        "iterators of a known count as copies of their body, known branches as the one that runs",
    ),
    _pass("lower-sequences", "rewrite rnn sequences as iterators over their cells"),
    _pass("decompose-cells", "rewrite rnn cells as matrix products and gates"),
    _pass("decompose-ops", "rewrite derived operations as the ones that define them", "only=…"),
    _pass(
        "prepare-composite-functions",
        "annotated functions of TensorFlow as fused operations; open to users' own",
    ),
    _pass(
        "legalize-tf-to-nn",
        "TensorFlow's operations as ours: calls inlined, loops, variables as states",
    ),
    _pass(
        "legalize-tfl-to-nn",
        "LiteRT's operations as ours: variables as states, loops, fused LSTMs as rnn sequences",
        "keep-lstms=false",
        old_name="legalize-tfl-to-rnn",
    ),
    _pass("expand-column-scales", "convolutions of codes whose columns have scales, in f32"),
    _pass("nn-to-tfl", "the model in LiteRT's operations, as a .tflite file has them"),
    _pass("tfl-weights", "weights of LiteRT's operators in fewer bits", "type=int8 least=1024"),
    _pass(
        "raise-loop-ports",
        "merged values of loops as counters, slices, concatenations and invariants",
    ),
    _pass(
        "raise-tf-while-to-lstm",
        "iterators that compute an LSTM, a GRU or a simple RNN as rnn sequences",
    ),
    _pass(
        "fold-constants",
        "compute what is known; the dequantization of weights stays",
        "dequantization=false",
    ),
    _pass("lpt", "low precision transformations: all four steps", "preset=… config=…"),
    _pass("lpt-prerequisites", "LPT step 1: raise dequantization", "preset=… config=…", file="lpt"),
    _pass(
        "lpt-markup",
        "LPT step 2: say, in attributes, which precisions are possible",
        "preset=… config=…",
        file="lpt",
    ),
    _pass(
        "lpt-main",
        "LPT step 3: decompose FakeQuantize and move dequantization",
        "preset=… config=… only=…",
        file="lpt",
    ),
    _pass(
        "lpt-cleanup", "LPT step 4: fuse or expand what is left", "preset=… config=…", file="lpt"
    ),
    _pass(
        "precision-report",
        "write each operation's precisions, and why one is not low",
        "file=…",
        cls="PrecisionReportPass",
    ),
    _pass("view-op-graph", "write the module as a graph: .dot, or drawn as .svg", "file=…"),
    _lowering_pass(
        "lower-to-kernels",
        "the whole way from nn to planned kernels: the passes below, in order",
        "isa=… schedules=…",
    ),
    _lowering_pass(
        "sink-constants",
        "move constants that bodies are given into them, and fold them there",
        "isa=…",
    ),
    _control_flow_pass(
        "eliminate-dead-results",
        "remove unused results of iterators and branches, and what only they need",
        old_name="prune-bodies",
    ),
    _control_flow_pass(
        "lower-single-iterations",
        "make the output of one iteration, not the last, a slice of those of all",
        file="single_iterations",
    ),
    _control_flow_pass(
        "hoist-input-products",
        "multiply a loop's input by constant weights once, for all steps together",
    ),
    _product_pass(
        "concatenate-products",
        "turn a sum of two products of f32 into one product of what they multiply side by side",
    ),
    _lowering_pass(
        "flag-states",
        "let a flag variable say whether a state is set, where only the run can tell",
    ),
    _dynamic_shape_pass(
        "bound-iterations",
        "give concatenated outputs of loops buffers for the largest number of iterations",
    ),
    _dynamic_shape_pass(
        "bound-suppression",
        "select no more boxes than are read",
    ),
    _lowering_pass(
        "raise-group-normalization",
        "one operation for the group normalization that PyTorch's exporter writes with reshapes",
    ),
    _dynamic_shape_pass(
        "bound-inputs",
        "inputs and states whose size differs from call to call at their largest size",
        "most=… dimensions=… states=… conditions=…",
    ),
    _attention_pass(
        "group-query-heads",
        "multiply keys and values that heads of queries share once, with the rows of all of them",
    ),
    _dynamic_shape_pass(
        "bound-dynamic-shapes",
        "compute values whose size is only known at run time at their upper bound",
        old_name="bound-computed-sizes",
    ),
    _convolution_pass(
        "convolution-multiply-fusion",
        "constant factors behind convolutions go into the filters, sums of constants are one",
    ),
    _convolution_pass(
        "add-parallel-convolutions",
        "one convolution in the place of a sum of convolutions of one input",
    ),
    _convolution_pass(
        "split-transposed-convolutions",
        "a convolution for each phase of a transposed one's stride",
    ),
    _convolution_pass(
        "split-dilated-convolutions",
        "convolutions without dilation of the phases of a dilated one, as images of a batch",
    ),
    _convolution_pass(
        "drop-padding-taps",
        "convolutions without the taps that see only padding, region by region",
    ),
    _convolution_pass(
        "shift-and-add-convolutions",
        "sums of each column of a window as channels, where there are few outputs",
        "isa=…",
    ),
    _lowering_pass(
        "share-concatenations",
        "let a concatenation that begins like an earlier one take its result",
    ),
    _product_pass(
        "split-activations",
        "products of f32 with codes as exact products of 8-bit digits",
        "isa=…",
    ),
    _product_pass(
        "split-weights",
        "products of 8-bit codes with f32 as exact products with 8-bit digits",
        "isa=…",
    ),
    _product_pass(
        "split-depth",
        "deep products of many rows as sums of products of blocks of K",
        "isa=…",
    ),
    _lowering_pass("nn-to-kernels", "every operation as kernels on tensors"),
    _control_flow_pass(
        "loop-invariant-code-motion",
        "compute once what every iteration would compute alike",
    ),
    _lowering_pass("separate-results", "give every output and assigned state a value of its own"),
    _lowering_pass("fuse-kernels", "fewer kernels, the same numbers", "isa=…", file="fusion"),
    _kernel_body_pass(
        "create-lookup-tables",
        "functions of one 8-bit code as tables of 256 codes",
        "isa=…",
    ),
    _kernel_body_pass(
        "approximate-quantized-gelu",
        "GELUs that are rounded to codes as polynomials",
    ),
    _kernel_body_pass(
        "algebraic-simplification",
        "fold requantization: fewer operations in the bodies of quantized kernels",
        old_name="simplify-bodies",
    ),
    _kernel_body_pass(
        "eliminate-redundant-clamps",
        "remove clamps that the saturating store repeats",
        old_name="drop-limits",
    ),
    _kernel_body_pass(
        "approximate-quantized-sigmoid",
        "sigmoids that are rounded to codes, by five terms",
    ),
    _lowering_pass(
        "outline-kernels",
        "one function for kernels that differ only in constants",
        old_name="share-bodies",
    ),
    _attention_pass(
        "fuse-attention",
        "two products with a softmax between them are one kernel",
    ),
    _lowering_pass(
        "offset-codes",
        "what an instruction adds to codes of i8, added before their product",
        "isa=…",
    ),
    _lowering_pass(
        "pack-weights",
        "lay weights out for the instruction set",
        "isa=… schedules=… accurate=false",
    ),
    _lowering_pass(
        "reuse-weights-across-calls",
        "start every second call with the weights that the last one left in the cache",
        old_name="alternate-sums",
    ),
    _kernel_body_pass(
        "vectorize-reductions",
        "choose how many partial accumulators each reduction keeps",
        "isa=…",
        old_name="order-sums",
    ),
    _attention_pass(
        "fuse-softmax",
        "the kernels of a softmax along short rows are one",
    ),
    _lowering_pass("expand-math", "functions in kernel bodies as arithmetic", "accurate=false"),
    _lowering_pass("plan-memory", "kernels on tensors as a program on one arena", file="plan"),
)
"""In the order in which `--help` lists them."""


Factories = dict[str, Callable[[], type[ModulePass]]]
"""By its name, what imports a pass."""


def factories() -> Factories:
    """The table as xDSL's tools want it."""
    return {info.name: info.load for info in PASSES}


def aliases() -> Factories:
    """By its old name, what imports a renamed pass."""
    return {info.old_name: info.load for info in PASSES if info.old_name}


def all_factories() -> Factories:
    """Every pass that can be asked for: ours, also by old names, xDSL's, and those of installed packages."""
    from xdsl.transforms import get_all_passes

    known = {**get_all_passes(), **factories(), **aliases()}
    return {**known, **installed_passes(known)}
