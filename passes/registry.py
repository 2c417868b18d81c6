"""The table of lowstream's passes: what tools list, and where each one lives. Importing it imports no pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


PASSES = (
    PassInfo(
        "low-latency2",
        "passes.low_latency2",
        "LowLatency2",
        "make iterators and sequences stateful; what runs once is inlined",
        "use-const-initializer=true",
    ),
    PassInfo(
        "infer-shapes", "passes.infer_shapes", "InferShapes", "give every value its inferred type"
    ),
    PassInfo(
        "reshape",
        "passes.reshape",
        "Reshape",
        "new input shapes; types, iteration counts and states follow",
        "inputs=…",
    ),
    PassInfo(
        "trim",
        "passes.trim",
        "Trim",
        "cut the model at named tensors or operations",
        "inputs=… outputs=…",
    ),
    PassInfo(
        "replace-constant",
        "passes.replace_constant",
        "ReplaceConstant",
        "new data for the constant of a name",
        "name=… file=….npy",
    ),
    PassInfo(
        "relax-constants",
        "passes.relax_constants",
        "RelaxConstants",
        "let constants that hold a size of the inputs follow it",
    ),
    PassInfo(
        "unroll-loops",
        "passes.unroll_loops",
        "UnrollLoops",
        "iterators of a known count as copies of their body, known branches as the one that runs",
    ),
    PassInfo(
        "lower-sequences",
        "passes.lower_sequences",
        "LowerSequences",
        "rewrite rnn sequences as iterators over their cells",
    ),
    PassInfo(
        "decompose-cells",
        "passes.decompose_cells",
        "DecomposeCells",
        "rewrite rnn cells as matrix products and gates",
    ),
    PassInfo(
        "decompose-ops",
        "passes.decompose_ops",
        "DecomposeOps",
        "rewrite derived operations as the ones that define them",
        "only=…",
    ),
    PassInfo(
        "prepare-composite-functions",
        "passes.prepare_composite_functions",
        "PrepareCompositeFunctions",
        "annotated functions of TensorFlow as fused operations; open to users' own",
    ),
    PassInfo(
        "legalize-tf-to-nn",
        "passes.legalize_tf_to_nn",
        "LegalizeTfToNn",
        "TensorFlow's operations as ours: calls inlined, loops, variables as states",
    ),
    PassInfo(
        "legalize-tfl-to-nn",
        "passes.legalize_tfl_to_nn",
        "LegalizeTflToNn",
        "LiteRT's operations as ours: variables as states, loops, fused LSTMs as rnn sequences",
        "keep-lstms=false",
        "legalize-tfl-to-rnn",
    ),
    PassInfo(
        "nn-to-tfl",
        "passes.nn_to_tfl",
        "NnToTfl",
        "the model in LiteRT's operations, as a .tflite file has them",
    ),
    PassInfo(
        "tfl-weights",
        "passes.tfl_weights",
        "TflWeights",
        "weights of LiteRT's operators in fewer bits",
        "type=int8 least=1024",
    ),
    PassInfo(
        "raise-loop-ports",
        "passes.raise_loop_ports",
        "RaiseLoopPorts",
        "merged values of loops as counters, slices, concatenations and invariants",
    ),
    PassInfo(
        "raise-tf-while-to-lstm",
        "passes.raise_tf_while_to_lstm",
        "RaiseTfWhileToLstm",
        "iterators that compute an LSTM, a GRU or a simple RNN as rnn sequences",
    ),
    PassInfo(
        "fold-constants",
        "passes.fold_constants",
        "FoldConstants",
        "compute what is known; the dequantization of weights stays",
        "dequantization=false",
    ),
    PassInfo(
        "lpt",
        "passes.lpt",
        "Lpt",
        "low precision transformations: all four steps",
        "preset=… config=…",
    ),
    PassInfo(
        "lpt-prerequisites",
        "passes.lpt",
        "LptPrerequisites",
        "LPT step 1: raise dequantization",
        "preset=… config=…",
    ),
    PassInfo(
        "lpt-markup",
        "passes.lpt",
        "LptMarkup",
        "LPT step 2: say, in attributes, which precisions are possible",
        "preset=… config=…",
    ),
    PassInfo(
        "lpt-main",
        "passes.lpt",
        "LptMain",
        "LPT step 3: decompose FakeQuantize and move dequantization",
        "preset=… config=… only=…",
    ),
    PassInfo(
        "lpt-cleanup",
        "passes.lpt",
        "LptCleanup",
        "LPT step 4: fuse or expand what is left",
        "preset=… config=…",
    ),
    PassInfo(
        "precision-report",
        "passes.precision_report",
        "PrecisionReportPass",
        "write each operation's precisions, and why one is not low",
        "file=…",
    ),
    PassInfo(
        "lower-to-kernels",
        "lowering.pipeline",
        "LowerToKernels",
        "the whole way from nn to planned kernels: the passes below, in order",
        "isa=… schedules=…",
    ),
    PassInfo(
        "sink-constants",
        "lowering.sink_constants",
        "SinkConstants",
        "constants given to bodies into them, and all that is known folded",
    ),
    PassInfo(
        "eliminate-dead-results",
        "lowering.eliminate_dead_results",
        "EliminateDeadResults",
        "remove unused results of iterators and branches, and what only they need",
        old_name="prune-bodies",
    ),
    PassInfo(
        "lower-single-iterations",
        "lowering.single_iterations",
        "LowerSingleIterations",
        "cut the value of one iteration, not the last, from those of all",
    ),
    PassInfo(
        "flag-states",
        "lowering.flag_states",
        "FlagStates",
        "where only the run tells whether a state is set, a variable of its own says so",
    ),
    PassInfo(
        "bound-iterations",
        "lowering.bound_iterations",
        "BoundIterations",
        "buffers for what a loop puts together have room for the largest number of iterations",
    ),
    PassInfo(
        "bound-computed-sizes",
        "lowering.bound_computed_sizes",
        "BoundComputedSizes",
        "what has a size that only the run can tell is computed at its largest",
    ),
    PassInfo(
        "split-activations",
        "lowering.split_activations",
        "SplitActivations",
        "products of f32 with codes by 8-bit digits, where that is faster",
        "isa=…",
    ),
    PassInfo(
        "nn-to-kernels",
        "lowering.nn_to_kernels",
        "NnToKernels",
        "every operation as kernels on tensors",
    ),
    PassInfo(
        "loop-invariant-code-motion",
        "lowering.loop_invariant_code_motion",
        "LoopInvariantCodeMotion",
        "compute once what every iteration would compute alike",
    ),
    PassInfo(
        "separate-results",
        "lowering.separate_results",
        "SeparateResults",
        "give every output and assigned state a value of its own",
    ),
    PassInfo("fuse-kernels", "lowering.fusion", "FuseKernels", "fewer kernels, the same numbers"),
    PassInfo(
        "algebraic-simplification",
        "lowering.algebraic_simplification",
        "AlgebraicSimplification",
        "fold requantization: fewer operations in the bodies of quantized kernels",
        old_name="simplify-bodies",
    ),
    PassInfo(
        "eliminate-redundant-clamps",
        "lowering.eliminate_redundant_clamps",
        "EliminateRedundantClamps",
        "remove clamps that the saturating store repeats",
        old_name="drop-limits",
    ),
    PassInfo(
        "outline-kernels",
        "lowering.outline_kernels",
        "OutlineKernels",
        "one function for kernels that differ only in constants",
        old_name="share-bodies",
    ),
    PassInfo(
        "pack-weights",
        "lowering.pack_weights",
        "PackWeights",
        "lay weights out for the instruction set",
        "isa=… schedules=…",
    ),
    PassInfo(
        "reuse-weights-across-calls",
        "lowering.reuse_weights_across_calls",
        "ReuseWeightsAcrossCalls",
        "start every second call with the weights that the last one left in the cache",
        old_name="alternate-sums",
    ),
    PassInfo(
        "vectorize-reductions",
        "lowering.vectorize_reductions",
        "VectorizeReductions",
        "choose how many partial accumulators each reduction keeps",
        "isa=…",
        "order-sums",
    ),
    PassInfo(
        "expand-math",
        "lowering.expand_math",
        "ExpandMath",
        "functions in kernel bodies as arithmetic",
    ),
    PassInfo(
        "plan-memory",
        "lowering.plan",
        "PlanMemory",
        "kernels on tensors as a program on one arena",
    ),
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
