"""Films on machines that lack something: a home, a cache that can be written, a folder that knows permissions."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scenes.settings import PROJECT

pytestmark = pytest.mark.xdist_group("surroundings")
BROKEN = "no section\n[CLI]\nverbosity = LOUD\nplugins = none\n"
# Stands before a script: what the system refuses.
NOBODY = """
import os, pwd, runpy, sys
def refused(*arguments, **options):
    raise PermissionError(1, "Operation not permitted", str(arguments[0]))
def unknown(uid):
    raise KeyError(uid)
os.chmod = os.fchmod = refused
pwd.getpwuid = unknown
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
Render = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def render(tmp_path: Path) -> Render:
    """Render a film that speaks in tones, in a folder with a broken manim.cfg."""
    folder = tmp_path / "work"
    (folder / ".config" / "manim").mkdir(parents=True)
    for place in (folder, folder / ".config" / "manim"):
        (place / "manim.cfg").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    shutil.copy(Path(__file__).with_name("tone.py"), tmp_path / "tone.py")
    spoken_by = f"{shlex.join([sys.executable, str(tmp_path / 'tone.py')])} {{wav}}"

    def render(*python: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        known = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL")}
        command = [sys.executable, *python, str(PROJECT / "scripts" / "render_lecture.py"), "waves", "--quality",
                   "128x72@2", "--language", "en", "--voice", "command", "--out", str(tmp_path / "out")]  # fmt: skip
        return subprocess.run(
            command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=600, umask=0o027,
            env={**known, "TMPDIR": str(tmp_path / "tmp"), "NARRATION_COMMAND": spoken_by, **environment},
        )  # fmt: skip

    return render


def test_without_a_home_and_where_chmod_is_refused_the_film_is_made(render: Render, tmp_path: Path) -> None:
    done = render("-c", NOBODY)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("cache: this user has no home folder; using ") and str(tmp_path / "tmp") in line
    made = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert {path.suffix for path in made} >= {".mp4", ".flac", ".srt", ".json", ".png", ".txt"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o640}
    assert "speaking" not in render("-c", NOBODY).stdout, "the next run finds the lines"


def test_a_home_that_cannot_be_written_is_said_and_the_film_is_made(render: Render, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = render(HOME=str(tmp_path / "file"))
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert f"cannot write to {tmp_path / 'file'}" in line and line.endswith(
        "ATTENTION_FILMS_CACHE chooses another folder"
    )


def test_a_broken_manim_cfg_in_the_home_is_not_read(render: Render, tmp_path: Path) -> None:
    done = render(HOME=str(tmp_path / "work"), ATTENTION_FILMS_CACHE=str(tmp_path / "cache"))
    assert (done.returncode, done.stderr) == (0, "")


def loads_first(module: str) -> str:
    """What of ours a fresh Python loads before manim, when it imports a module."""
    code = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'manim': print('gate' if 'scripts.studio.plain_manim' in sys.modules else 'no gate')\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"import {module}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["stage", "audit", "reading.check", "renderer.camera"])
def test_manim_is_loaded_by_the_studio_in_one_way(module: str) -> None:
    assert loads_first(f"scripts.studio.{module}") == "gate"


def test_loading_manim_leaves_folder_and_home_as_they_are(tmp_path: Path) -> None:
    code = "import os\nbefore = os.getcwd(), dict(os.environ)\nimport scripts.studio.plain_manim\nimport manim\n" \
           "assert (os.getcwd(), dict(os.environ)) == before\nprint(manim.config.frame_rate)"  # fmt: skip
    (tmp_path / "manim.cfg").write_text("[CLI]\nframe_rate = 7\n", encoding="utf-8")
    for home in ({"HOME": str(tmp_path)}, {}):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={"PYTHONPATH": str(PROJECT), "PATH": os.environ["PATH"], **home},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "60.0\n"), done.stderr


def test_nothing_asks_for_permissions() -> None:
    sources = [path for folder in ("scenes", "scripts") for path in (PROJECT / folder).rglob("*.py")]
    words = ("chmod(", "copystat(", "copymode(", "shutil.copy(", "shutil.copy2(", "mkstemp(")
    found = {path.name: [word for word in words if word in path.read_text(encoding="utf-8")] for path in sources}
    assert {name: asked for name, asked in found.items() if asked} == {}
