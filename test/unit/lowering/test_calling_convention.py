"""The calling convention: fields lie beside each other where they fit, and reading them loads nothing."""

import subprocess
import sys
from itertools import pairwise

from lowstream.lowering import calling_convention as convention
from lowstream.lowering.codegen.team import team_assembly


def test_import_is_cheap():
    """A model from the cache is called without what compiled it."""
    program = "import sys; import lowstream.lowering.calling_convention; print(*sys.modules)"
    run = [sys.executable, "-P", "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert not {"llvmlite", "ctypes", "numpy", "xdsl"}.intersection(loaded)


def test_fields_of_a_mailbox_do_not_overlap():
    words = convention.FUNCTION, convention.FRAME, convention.TEAM
    words += convention.THREAD, convention.THREADS
    assert words[0] >= convention.CLAIMED_IN + 4
    assert all(after - before == convention.WORD for before, after in pairwise(words))
    assert words[-1] + convention.WORD <= convention.MAILBOX
    assert convention.mailbox(convention.MOST_WORKERS) == convention.POOL_BYTES


def test_counts_of_a_team_do_not_overlap():
    counts = 0, convention.ARRIVED, convention.PARKED_THREADS, convention.PENDING
    assert all(after - before >= 4 for before, after in pairwise(counts))
    assert counts[-1] + 4 <= convention.TEAM_BYTES
    assert convention.MOST_WORKERS < convention.LEADER_PARKED == convention.PENDING_WORKERS + 1


def test_states_have_two_pointers_each():
    places = [
        place(state)
        for state in range(3)
        for place in (convention.current_value, convention.next_value)
    ]
    assert places == list(range(6))


def test_template_has_no_names_left():
    """Each name of team.ll is one of the convention or of `team`, else filling it in fails."""
    code = team_assembly()
    assert "$" not in code
    assert f"define i32 @{convention.WORKER}(" in code
