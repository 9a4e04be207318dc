"""The scanner in C under the sanitizers: it reads and writes nothing that is not its own."""

from pathlib import Path

from sanitized import NATIVE, compile_module, run_sanitized

DRIVE = Path(__file__).with_name("scan_drive.py")
OTHERS = ("nest_", "sweep")


def test_memory_is_not_misused_whatever_comes(tmp_path: Path) -> None:
    sources = [path for path in sorted(NATIVE.glob("*.c")) if not path.name.startswith(OTHERS)]
    module = compile_module(tmp_path / "_scan.so", sources)
    events, slices, flows, args, odd = map(int, run_sanitized(DRIVE, module).split())
    assert events > slices > args > flows > 10_000
    assert odd > 1_000
