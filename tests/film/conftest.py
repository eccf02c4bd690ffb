"""One small real film for the tests of finished files, in a folder named with a space, an apostrophe and Chinese."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scenes.settings import PROJECT

TINY = "320x180@5"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def _run(
    name: str, *arguments: str, cwd: Path = PROJECT, python: tuple[str, ...] = (), encoding: str = "utf-8"
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *python, str(PROJECT / "scripts" / f"{name}.py"), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding=encoding, check=False, timeout=900)


@pytest.fixture(scope="session")
def run() -> Run:
    """Run one of the scripts: `run("regenerate", "--dry-run")`."""
    return _run


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of the small film."""
    folder = tmp_path_factory.mktemp("film") / "it's 电影"
    done = _run("render_lecture", "qkv", "clock", "--quality", TINY, "--out", str(folder), "--language", "en")
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith(str(folder / "en" / "320x180-5" / "lecture-qkv-clock.mp4"))
    return folder


@pytest.fixture(scope="session")
def film(out: Path) -> Path:
    """The folder with the joined film of two lessons in English."""
    return out / "en" / "320x180-5"
