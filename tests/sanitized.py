"""C of the package built with the sanitizers, which end a program that misuses memory."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pytest

NATIVE = Path(__file__).resolve().parents[1] / "ingest" / "native"
_SANITIZERS = "-fsanitize=address,undefined,float-cast-overflow"
_FLAGS = ("-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fno-sanitize-recover=all")


def compiler() -> str:
    """Return the C compiler, or skip the test."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        pytest.skip("there is no C compiler")
    return found


def compile_sanitized(made: Path, sources: Iterable[Path], *flags: str) -> Path:
    """Compile sources, or skip the test where the compiler has no sanitizers."""
    cc = compiler()
    probe = [cc, _SANITIZERS, "-x", "c", "-", "-o", str(made)]
    if subprocess.run(probe, input=b"int main(void) { return 0; }", check=False).returncode:
        pytest.skip("the compiler has no sanitizers")
    subprocess.run([cc, _SANITIZERS, *_FLAGS, *flags, *sources, "-o", made], check=True)
    return made


def compile_module(made: Path, sources: Iterable[Path]) -> Path:
    """Compile a module of Python."""
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").exists():
        pytest.skip("there are no headers of Python")
    limited = "-DPy_LIMITED_API=0x030b0000"
    return compile_sanitized(made, sources, "-fPIC", "-shared", limited, f"-I{include}")


def run_sanitized(program: Path, module: Path) -> str:
    """Run a program of Python, given the path of a module; return what it said."""
    asked = [compiler(), "-print-file-name=libasan.so"]
    library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(library).is_absolute():
        pytest.skip("the sanitizers' library cannot be loaded first")
    ran = subprocess.run(
        [sys.executable, program, module],
        env=os.environ
        | {"LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
