"""The package as it is handed on: whole as a source, and installed with no compiler at all."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from zipfile import ZipFile

import pytest
from sanitized import NATIVE, compiler

PROJECT = Path(__file__).resolve().parents[1]
FOLDERS = ("ingest", "queries", "tui")
FILES = ("pyproject.toml", "README.md", "LICENSE")
LEAST_SETUPTOOLS = 77
INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Copy what is packaged, without what was built: builds write into the folder."""
    try:
        newest = int(version("setuptools").partition(".")[0])
    except PackageNotFoundError:
        newest = 0
    if newest < LEAST_SETUPTOOLS:
        pytest.skip("there is no setuptools that builds the package")
    folder = tmp_path / "source"
    built = shutil.ignore_patterns("__pycache__", "*.so")
    for name in FOLDERS:
        shutil.copytree(PROJECT / name, folder / name, ignore=built)
    for name in FILES:
        shutil.copy(PROJECT / name, folder)
    return folder


def build(kind: str, source: Path, into: Path) -> Path:
    """Build an sdist or a wheel of a folder, as a front end asks for it."""
    code = f"import sys; from setuptools import build_meta as b; b.build_{kind}(sys.argv[1])"
    ran = subprocess.run(
        [sys.executable, "-c", code, into], cwd=source, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    [made] = into.iterdir()
    return made


def run_at(target: Path, *words: str | Path) -> str:
    """Run npuview as it is installed in a folder.

    Without ``site`` no editable install of the project comes before it.
    """
    ran = subprocess.run(
        [sys.executable, "-S", target / "bin" / "npuview", *words],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(target), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_wheel_of_the_sdist_is_for_all_later_pythons_and_holds_what_is_built(
    source: Path, tmp_path: Path
) -> None:
    compiler()
    folder = tmp_path / "unpacked"
    folder.mkdir()
    sdist = build("sdist", source, tmp_path / "sdist")
    subprocess.run(["tar", "-xzf", sdist, "-C", folder], check=True)
    [unpacked] = folder.iterdir()
    natives = {path.name for path in NATIVE.glob("*.[ch]")}
    assert {path.name for path in (unpacked / "ingest" / "native").iterdir()} == natives
    included = {
        name for path in NATIVE.glob("*.[ch]") for name in INCLUDED.findall(path.read_text())
    }
    assert included <= natives
    wheel = build("wheel", unpacked, tmp_path / "wheel")
    assert "-cp311-abi3-" in wheel.name
    with ZipFile(wheel) as files:
        names = [PurePath(name) for name in files.namelist()]
    assert not [name for name in names if name.suffix in {".c", ".h"}]
    compiled = {name.name for name in names if ".so" in name.suffixes}
    assert compiled == {"_nest.abi3.so", "_scan.abi3.so", "_sweep.abi3.so"}
    written = {
        path.relative_to(PROJECT)
        for folder in FOLDERS
        for path in (PROJECT / folder).rglob("*")
        if path.suffix in {".html", ".py", ".pyi", ".sql", ".tcss", ".toml", ".typed"}
    }
    assert {PurePath("npuview", name) for name in written} <= set(names)


def test_without_a_compiler_the_package_installs_and_python_reads(
    source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ways = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    ran = subprocess.run(
        [*pip, *ways, source],
        env=os.environ | {"CC": "/bin/false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert not list(target.rglob("*.so"))
    assert "(reader in Python, " in run_at(target, "--version")
    trace = tmp_path / "trace.json"
    trace.write_text('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1.5,"dur":2}]')
    cache = ("--cache-dir", tmp_path / "cache")
    asked = run_at(
        target, "sql", trace, "SELECT name, ts, dur FROM slice", *cache, "--format", "csv"
    )
    assert asked.splitlines() == ["name,ts,dur", "a,1500,2000"]
