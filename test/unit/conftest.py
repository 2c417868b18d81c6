"""What every test runs in: a cache of its own run, and the same examples each time."""

import gc
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from lowstream.lowering.codegen import work
from lowstream.test.own_cache import own_cache as own_cache

# A failure repeats, and a busy machine is no failure. Fuzzing (`make graphs`, test/fuzz) tries more.
settings.register_profile("lowstream", derandomize=True, deadline=None, max_examples=20)
settings.load_profile("lowstream")

gc.disable()  # until all is collected: nothing of it is garbage


def pytest_collection_finish() -> None:
    """
    Thousands of collected tests are no garbage, and neither is most of what a compiler makes: looking for it as often
    as Python does would take a fifth of the run.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def small_programs_compile_as_large_ones() -> None:
    """The kernels of tests have little work, and stand for kernels of networks."""
    work.LIGHT_WORK = 0


@pytest.fixture(scope="session")
def install(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Installs a copy of a package, into a folder of its own: what its wheel has in it, as pip does."""

    def run(package: Path) -> Path:
        folder = tmp_path_factory.mktemp("site")
        source = tmp_path_factory.mktemp("source") / package.name
        shutil.copytree(package, source)
        build = (
            "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
        )
        command = [sys.executable, "-W", "ignore", "-c", build, source.parent]
        subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = source.parent.glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            files.extractall(folder)
        return folder

    return run
