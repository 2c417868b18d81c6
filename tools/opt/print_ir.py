"""`--mlir-print-ir-…`: the IR before and after passes, on standard error or in a folder of files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...interop.mlir_file import WeightsPrinter
from ...passes.instrumentation import PassInstrumentation
from ...passes.whole_file import replacing

TREE_FOLDER = "builtin_module_no-symbol-name"
"""Where MLIR's files of a module without a name are."""


@dataclass(frozen=True)
class Selection:
    """Passes by their names, or all of them."""

    names: frozenset[str] = frozenset()
    every: bool = False

    def __contains__(self, item: ModulePass) -> bool:
        return self.every or item.name in self.names

    def __bool__(self) -> bool:
        return self.every or bool(self.names)


@dataclass
class IRPrinting(PassInstrumentation):
    """Prints what the selected passes, those within others too, are given and what they leave."""

    before: Selection
    after: Selection
    text_of: Callable[[ModuleOp], str]
    after_change: bool = False
    """Whether passes that change nothing are left out."""
    after_failure: bool = False
    """Whether those that do not fail are."""
    folder: Path | None = None
    _numbers: list[int] = field(default_factory=lambda: [-1], init=False)
    """Of the pass that runs and those around it, which of its siblings each is."""
    _fingerprints: list[str] = field(default_factory=list[str], init=False)

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._numbers[-1] += 1
        if item in self.before:
            self._print("Before", item, module)
        self._fingerprints.append(self._fingerprint(item, module))
        self._numbers.append(-1)

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._numbers.pop()
        before = self._fingerprints.pop()
        if item not in self.after or self.after_failure:
            return
        if not self.after_change or before != self._fingerprint(item, module):
            self._print("After", item, module)

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._numbers.pop()
        self._fingerprints.pop()
        if item in self.after:
            self._print("After", item, module, " Failed")

    def _fingerprint(self, item: ModulePass, module: ModuleOp) -> str:
        """What tells a module from one that a pass changed."""
        if not self.after_change or item not in self.after:
            return ""
        text = StringIO()
        WeightsPrinter(text, file="").print_op(module)
        return text.getvalue()

    def _print(self, when: str, item: ModulePass, module: ModuleOp, failed: str = "") -> None:
        name = f"{type(item).__name__}{failed} ({item.name})"
        text = f"// -----// IR Dump {when} {name} //----- //\n{self.text_of(module)}\n"
        if self.folder is None:
            print(text, file=sys.stderr, flush=True)
            return
        folder = self.folder / TREE_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        numbers = "_".join(map(str, self._numbers))
        suffix = "_before" if when == "Before" else failed.replace(" ", "_").lower()
        with replacing(folder / f"{numbers}_{item.name}{suffix}.mlir") as draft:
            draft.write_text(text, encoding="utf-8")
