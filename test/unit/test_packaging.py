"""What `pip install` ships: every package and data file, tools that start, a cheap import."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from importlib.metadata import EntryPoint, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
ENTRY_POINTS = [
    entry
    for entry in distribution("lowstream").entry_points
    if entry.group in ("console_scripts", "xdsl.universe")
]


def package_files() -> list[Path]:
    """Every file of a package below the root, `lowering/codegen/__init__.py` among them."""
    packages = [path.parent for path in ROOT.glob("[a-z]*/__init__.py")]
    files = (file.relative_to(ROOT) for package in packages for file in package.rglob("*"))
    return [file for file in files if (ROOT / file).is_file() and "__pycache__" not in file.parts]


def package_of(file: Path) -> str:
    return ".".join(("lowstream", *file.parent.parts))


def test_every_package_is_listed_once_in_order():
    found = {package_of(file) for file in package_files()} | {"lowstream"}
    assert SETUPTOOLS["packages"] == sorted(found)


def test_every_folder_of_a_package_is_one():
    missing = {file.parent for file in package_files()} - {
        file.parent for file in package_files() if file.name == "__init__.py"
    }
    assert not missing


def test_every_data_file_is_shipped():
    data = SETUPTOOLS["package-data"]
    assert not [
        file
        for file in package_files()
        if file.suffix != ".py"
        and not any(fnmatch(file.name, pattern) for pattern in data.get(package_of(file), []))
    ]


@pytest.mark.parametrize("entry", ENTRY_POINTS, ids=lambda entry: entry.name)
def test_entry_point_loads(entry: EntryPoint):
    entry.load()


BUILD = """
import os, sys, tarfile
from setuptools.build_meta import build_sdist, build_wheel

[target] = sys.argv[1:]
archive = os.path.join(target, build_sdist(target))
tarfile.open(archive).extractall(target, filter="data")
os.chdir(archive.removesuffix(".tar.gz"))
build_wheel(target)
"""
"""Makes a source distribution, and of it a wheel, as `python -m build` does in four processes."""


def test_a_wheel_works_without_the_sources(tmp_path: Path):
    """One file for every machine, with all that compiling needs in it; the source distribution has the rest."""
    source, site = tmp_path / "source", tmp_path / "site"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "dist", "__pycache__")
    )
    command = [sys.executable, "-P", "-c", BUILD, tmp_path]
    subprocess.run(command, cwd=source, capture_output=True, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    unpacked = archive.with_name(archive.name.removesuffix(".tar.gz"))
    packed = {str(file.relative_to(unpacked)) for file in unpacked.rglob("*")}
    pages = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")}
    here = str(Path(__file__).relative_to(ROOT))
    assert {here, "Makefile", "test/lit.cfg.py", "bench/run.py", "docs/build.py"} | pages <= packed
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    zipfile.ZipFile(wheel).extractall(site)
    shutil.rmtree(source)
    shutil.rmtree(unpacked)
    program = f"import lowstream; assert lowstream.__file__.startswith({str(site)!r}); "
    program += f"from lowstream.tools.command import main; main(['run', {str(ROOT / 'docs/examples/step.mlir')!r}])"
    variables = os.environ | {"PYTHONPATH": str(site), "LOWSTREAM_CACHE_DIR": ""}
    run = [sys.executable, "-P", "-c", program]
    done = subprocess.run(run, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Y" in done.stdout


def test_import_is_lazy():
    """`import lowstream` loads none of its packages and no dependency."""
    program = "import sys; import lowstream; print(*sys.modules)"
    run = [sys.executable, "-P", "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"xdsl", "numpy", "llvmlite", "safetensors", "platformdirs", "rich", "openvino"}
    assert not heavy.intersection(loaded)
    assert [name for name in loaded if name.startswith("lowstream")] == ["lowstream"]
