"""The calling convention: fields lie beside each other where they fit, and reading them loads nothing."""

import subprocess
import sys
from itertools import pairwise

from lowstream.lowering import calling_convention as convention
from lowstream.lowering.codegen.entry.team import team_assembly


def test_import_is_cheap():
    """A model from the cache is called without what compiled it."""
    program = "import sys; import lowstream.lowering.calling_convention; print(*sys.modules)"
    run = [sys.executable, "-P", "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert not {"llvmlite", "ctypes", "numpy", "xdsl"}.intersection(loaded)


def test_fields_of_a_mailbox_do_not_overlap():
    words = 0, convention.TEAM, convention.THREAD, convention.MAILBOX
    assert all(after - before >= convention.WORD for before, after in pairwise(words))
    assert convention.mailbox(convention.MOST_WORKERS) == convention.POOL_BYTES


def test_fields_of_a_team_do_not_overlap():
    words = 0, *convention.TEAM_FIELDS, convention.ARGUMENTS
    assert all(after - before >= convention.WORD for before, after in pairwise(words))


def test_fields_of_a_word_do_not_overlap():
    """Its bits, a share and an epoch."""
    share = convention.MOST_SHARED << convention.FIRST_SHIFT
    assert convention.QUIT < 1 << convention.FIRST_SHIFT
    assert share < 1 << convention.END_SHIFT
    assert convention.MOST_SHARED << convention.END_SHIFT < 1 << convention.EPOCH_SHIFT
    assert convention.MOST_SHARED > convention.MOST_WORKERS
    assert convention.FREED & (share | convention.NOT_FREE) == 0
    assert convention.EPOCH_SHIFT < 32, "each epoch changes the half that a futex is"


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
