"""Where the project keeps what it can make again, and files that are whole or not there."""

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenes import cache_folder as module
from scenes.cache_folder import VARIABLE, cache_folder
from scenes.whole_file import whole_file
from scripts.studio.files import write_text


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user with a home and a folder for temporary files."""
    (tmp_path / "home").mkdir()
    (tmp_path / "tmp").mkdir()
    for name in (VARIABLE, "XDG_CACHE_HOME"):
        # Set first, so that what a test sets itself is undone.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    module._usable.cache_clear()
    yield tmp_path
    module._usable.cache_clear()


def test_the_users_cache_is_used_where_it_can_be_written(user: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cache_folder().is_relative_to(user / "home") and cache_folder().is_dir()
    assert capsys.readouterr().err == "" and list((user / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", [VARIABLE, "XDG_CACHE_HOME"])
def test_a_named_folder_is_used(name: str, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv(name, str(user / "elsewhere"))
    assert cache_folder().is_relative_to(user / "elsewhere")


@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME", VARIABLE])
def test_one_that_cannot_be_written_is_replaced_and_said_once(
    name: str, user: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    (user / "file").touch()
    monkeypatch.setenv(name, str(user / "file" / "below"))
    found = cache_folder()
    assert found.is_relative_to(user / "tmp") and cache_folder() == found
    (line,) = capsys.readouterr().err.splitlines()
    assert f"cannot write to {user / 'file' / 'below'}" in line and "not a directory" in line
    assert str(found) in line and line.endswith(f"{VARIABLE} chooses another folder")
    # Processes that are started from here are silent.
    assert os.environ[VARIABLE] == str(found)
    module._usable.cache_clear()
    assert cache_folder() == found and capsys.readouterr().err == ""


def test_a_user_without_a_home_has_a_temporary_one(
    user: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    first = cache_folder()
    assert first.parent == user / "tmp" and stat.S_IMODE(first.stat().st_mode) == 0o700
    assert "no home folder" in capsys.readouterr().err
    monkeypatch.delenv(VARIABLE)
    module._usable.cache_clear()
    assert cache_folder() == first, "the next run finds what this one has kept"


@pytest.mark.parametrize("kind", ["link", "open to all", "file"])
def test_a_temporary_folder_that_another_user_could_fill_is_not_used(
    kind: str, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = user / "tmp" / f"attention-films-{os.getuid()}"
    if kind == "link":
        (user / "trap").mkdir()
        taken.symlink_to(user / "trap")
    elif kind == "file":
        taken.touch()
    else:
        taken.mkdir()
        taken.chmod(0o777)
    monkeypatch.setenv(VARIABLE, "/dev/null/none")
    assert cache_folder() != taken and cache_folder().parent == user / "tmp"


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o002, 0o664), (0o077, 0o600)])
def test_files_have_the_permissions_that_the_umask_leaves(umask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_text(tmp_path / "a.srt", "text")
        with whole_file(tmp_path / "b") as stream:
            stream.write(b"bytes")
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.srt", "b")] == [mode, mode]


def test_a_file_that_fails_leaves_the_old_one_and_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(RuntimeError), whole_file(tmp_path / "a") as stream:
        stream.write(b"new")
        raise RuntimeError
    assert (tmp_path / "a").read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 3
