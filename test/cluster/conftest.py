"""Models in files for all tests, and a cache of their own, which workers use, too."""

from pathlib import Path

import pytest

from lowstream.test.own_cache import own_cache as own_cache
from lowstream.test.unit.cluster.models import write_models


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_models(folder)
    return folder
