"""What every test runs in: a cache of its own run, and the same examples each time."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# A failure repeats, and a busy machine is no failure.
settings.register_profile("lowstream", derandomize=True, deadline=None)
settings.load_profile("lowstream")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a run compiles is found neither by the next one nor by the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
