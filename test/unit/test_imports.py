"""No modules import each other in a circle, not even where functions import."""

from graphlib import CycleError, TopologicalSorter

import grimp

OTHERS = tuple(f"lowstream.{folder}." for folder in ("bench", "docs", "test"))
"""What is not installed."""


def test_no_imports_in_circles():
    graph = grimp.build_graph("lowstream", exclude_type_checking_imports=True, cache_dir=None)
    modules = [name for name in graph.modules if not f"{name}.".startswith(OTHERS)]
    assert "lowstream.passes.lpt.steps" in modules
    imported = {name: graph.find_modules_directly_imported_by(name) for name in modules}
    circle: list[str] = []
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert not circle, f"each is imported by the next: {' < '.join(circle)}"
