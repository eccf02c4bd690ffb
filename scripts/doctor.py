"""Say what this machine has and lacks for rendering the films, and how to fix it.

Needs nothing but the standard library, so that it runs before anything is installed.  What only the virtual
environment can tell (installed packages, settings) is asked of that environment's own Python.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ((3, 11), (3, 13))
FREE_GIB = 3.0
SETUP = "make setup"

# What to install for each need: (Debian packages, Homebrew formulas or casks).
PACKAGES: dict[str, tuple[str, str]] = {
    "python": ("python3 python3-venv python3-dev", "python@3.13"),
    "C compiler": ("gcc g++", ""),
    "make": ("make", ""),
    "pkg-config": ("pkg-config", "pkg-config"),
    "cairo": ("libcairo2-dev", "cairo"),
    "pango": ("libpango1.0-dev", "pango"),
    "ffmpeg": ("ffmpeg", "ffmpeg"),
    "gifsicle": ("gifsicle", "gifsicle"),
    "font": ("fonts-noto-cjk", "--cask font-noto-sans-sc"),
}

# Runs inside the virtual environment and prints one JSON object.
PROBE = r"""
import json, sys
from importlib import metadata
from pathlib import Path
root = Path(sys.argv[1])
sys.path.insert(0, str(root))
answer = {"version": ".".join(map(str, sys.version_info[:3])), "wrong": [], "packages": 0}
try:
    from packaging.requirements import Requirement
    for line in (root / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if not line[:1].isalnum():
            continue
        wanted = Requirement(line.rstrip("\\ "))
        if wanted.marker is not None and not wanted.marker.evaluate():
            continue
        answer["packages"] += 1
        try:
            found = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            answer["wrong"].append(f"{wanted.name} is missing")
        else:
            if not wanted.specifier.contains(found, prereleases=True):
                answer["wrong"].append(f"{wanted.name} is {found}, not {wanted.specifier}")
except Exception as error:
    answer["wrong"].append(f"cannot compare: {error!r}")
try:
    from scenes.settings import load_settings
    try:
        settings = load_settings(root / "media_config.yaml")
        answer["folder"] = str(settings.folder())
    except (ValueError, OSError) as error:
        answer["settings"] = str(error)
except Exception as error:
    answer["settings"] = f"cannot be read before the packages are right ({error!r})"
try:
    from scripts.studio.sound.voice import voice_of, why_silent
    for language in ("en", "zh") if "folder" in answer else ():
        try:
            voice = voice_of(settings, language)
        except RuntimeError as error:
            answer["voice " + language] = str(error)
            continue
        said = "silent, as told" if voice is None else f"{voice.engine}, {voice.voice}"
        answer["voice " + language] = why_silent(settings, language) or said
except Exception:
    # What is wrong has been said above.
    pass
try:
    from scenes.cache_folder import VARIABLE, preferred_folder, why_unwritable
    folder = preferred_folder()
    why = "this user has no home folder" if folder is None else why_unwritable(folder)
    if folder is not None and why:
        why = f"cannot write to {folder} ({why})"
    answer["cache folder"] = f"a temporary one: {why} (set {VARIABLE} to choose one)" if why else str(folder)
except Exception:
    pass
print(json.dumps(answer))
"""


class Check(NamedTuple):
    """One line of the report: what was looked for, whether it is there, what was found, and the fix if it is not."""

    name: str
    ok: bool
    found: str
    fix: str = ""


def install(need: str) -> str:
    """The command that installs what `need` stands for in PACKAGES, for this system."""
    debian, homebrew = PACKAGES[need]
    if platform.system() == "Darwin":
        return f"brew install {homebrew}" if homebrew else "xcode-select --install"
    sudo = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get update && {sudo}apt-get install -y {debian}"


def output_of(*command: str) -> str | None:
    """What a command prints, or None if it is not there, fails, or takes more than a minute."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0].strip()


def supported(version: Sequence[int]) -> bool:
    return PYTHONS[0] <= (version[0], version[1]) <= PYTHONS[1]


def span() -> str:
    (major, first), (_, last) = PYTHONS
    return f"{major}.{first} to {major}.{last}"


def check_python() -> Check:
    """Any interpreter of the right versions that really runs, this one first."""
    ask = "import sys; print('%d.%d.%d' % sys.version_info[:3])"
    seen: list[str] = []
    for command in (sys.executable, "python3.13", "python3.12", "python3.11", "python3"):
        answer = first_line(output_of(command, "-c", ask) or "")
        if re.fullmatch(r"\d+\.\d+\.\d+", answer):
            if supported([int(part) for part in answer.split(".")]):
                return Check("Python", True, f"{answer} ({command})")
            if answer not in seen:
                seen.append(answer)
    found = f"{' and '.join(seen)}; the films need {span()}" if seen else f"none of {span()}"
    return Check("Python", False, found, install("python"))


def check_program(need: str, *names: str) -> Check:
    for name in names:
        path = shutil.which(name)
        if path:
            return Check(need, True, path)
    return Check(need, False, "not found", install(need))


def check_library(need: str, module: str) -> Check:
    """A library with its headers, as pkg-config knows it."""
    version = output_of("pkg-config", "--modversion", module)
    if version is not None:
        return Check(need, True, f"{first_line(version)}, with headers")
    why = f"pkg-config knows no {module}" if shutil.which("pkg-config") else "cannot be looked for without pkg-config"
    return Check(need, False, why, install(need))


def check_ffmpeg() -> Check:
    """ffmpeg and ffprobe, with the encoder of the films and the filters of the GIFs."""
    version = output_of("ffmpeg", "-version")
    if version is None:
        return Check("ffmpeg", False, "not found", install("ffmpeg"))
    number = re.search(r"version (\S+)", version)
    lacks = [] if output_of("ffprobe", "-version") is not None else ["ffprobe"]
    for kind, wanted in (("-encoders", ("libx264", "aac")), ("-filters", ("palettegen", "paletteuse"))):
        words = (output_of("ffmpeg", "-hide_banner", kind) or "").split()
        lacks += [name for name in wanted if name not in words]
    found = number.group(1) if number else first_line(version)
    if lacks:
        return Check("ffmpeg", False, f"{found}, without {', '.join(lacks)}", install("ffmpeg"))
    return Check("ffmpeg", True, f"{found}, with ffprobe, libx264, palettegen")


def check_gifsicle() -> Check:
    version = output_of("gifsicle", "--version")
    if version is None:
        return Check("gifsicle", False, "not found", install("gifsicle"))
    return Check("gifsicle", True, first_line(version))


def check_font() -> Check:
    """The font of both languages; Homebrew has it under a shorter name."""
    families = ["Noto Sans CJK SC"] + (["Noto Sans SC"] if platform.system() == "Darwin" else [])
    listed = output_of("fc-list", ":", "family")
    if listed is None:
        return Check("font", False, "cannot be looked for without fc-list (fontconfig)", install("font"))
    names = {name.strip() for line in listed.splitlines() for name in line.split(",")}
    for family in families:
        if family in names:
            return Check("font", True, family)
    return Check("font", False, f"no {' or '.join(families)}", install("font"))


def check_environment(root: Path) -> tuple[list[Check], Path | None]:
    """The virtual environment, its packages and the settings; and the folder that the settings write to."""
    environment, packages, settings = "virtual environment", "Python packages", "media_config.yaml"
    after = f"not checked: {environment} first"
    python = root / ".venv" / "bin" / "python"
    printed = output_of(str(python), "-c", PROBE, str(root))
    if printed is None:
        found = "broken: its Python does not run" if os.path.lexists(str(python)) else f"no {python.parent.parent.name}"
        unknown = [Check(name, False, after, SETUP) for name in (packages, settings)]
        return [Check(environment, False, found, SETUP), *unknown], None
    answer: dict[str, Any] = json.loads(printed.strip().rsplit("\n", 1)[-1])
    version = str(answer["version"])
    right = supported([int(part) for part in version.split(".")])
    checks = [Check(environment, right, f"Python {version}", f"make clean && {SETUP}")]
    wrong = list(answer["wrong"])
    if not (root / ".venv" / ".ready").exists():
        wrong.append("the set-up was interrupted")
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        checks.append(Check(packages, False, "; ".join(wrong[:3]) + more, f"make clean && {SETUP}"))
    else:
        checks.append(Check(packages, True, f"{answer['packages']}, as in requirements.lock"))
    problem = answer.get("settings")
    if problem is None:
        checks.append(Check(settings, True, "valid"))
    elif wrong:
        checks.append(Check(settings, False, f"not checked: {packages} first", SETUP))
    else:
        checks.append(Check(settings, False, str(problem), f"write what the line says into {settings}"))
    # Films are made without a voice and with a temporary cache, so neither has to be mended.
    optional = ("voice en", "voice zh", "cache folder")
    checks += [Check(name, True, str(answer[name])) for name in optional if name in answer]
    return checks, Path(str(answer["folder"])) if "folder" in answer else None


def existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not folder.exists() and folder.parent != folder:
        folder = folder.parent
    return folder


def check_writable(folder: Path) -> Check:
    """Writes and deletes a file, as permissions alone do not tell of read-only disks."""
    place = existing(folder)
    try:
        with tempfile.TemporaryFile(dir=str(place)):
            pass
    except OSError as error:
        fix = f'chmod u+w "{place}", or choose another folder with OUT=...'
        return Check("output folder", False, f"cannot write in {place}: {error.strerror}", fix)
    return Check("output folder", True, str(folder))


def check_space(folder: Path) -> Check:
    free = shutil.disk_usage(str(existing(folder))).free / 2**30
    found = f"{free:.1f} GiB free"
    if free < FREE_GIB:
        return Check(
            "disk space", False, f"{found}, {FREE_GIB:.0f} wanted", "free some, or choose another disk with OUT=..."
        )
    return Check("disk space", True, found)


def examine(root: Path) -> list[Check]:
    """Everything that rendering needs, in the order in which it would be mended."""
    checks: list[Callable[[], Check]] = [
        check_python,
        lambda: check_program("C compiler", "cc", "gcc"),
        lambda: check_program("make", "make"),
        lambda: check_program("pkg-config", "pkg-config"),
        lambda: check_library("cairo", "cairo"),
        lambda: check_library("pango", "pangocairo"),
        check_ffmpeg,
        check_gifsicle,
        check_font,
    ]
    found = [check() for check in checks]
    inside, folder = check_environment(root)
    folder = folder or root / "media"
    return [*found, *inside, check_writable(folder), check_space(folder)]


def report(checks: Sequence[Check], colour: bool) -> str:
    """A line for each check, with its fix below it, and one that sums up."""
    width = max(len(check.name) for check in checks)
    good, bad, plain = ("\033[32m", "\033[31m", "\033[0m") if colour else ("", "", "")
    lines: list[str] = []
    for name, ok, found, fix in checks:
        mark = f"{good}ok     {plain}" if ok else f"{bad}MISSING{plain}"
        head, *rest = found.split("\n")
        lines.append(f"{mark}  {name:<{width}}  {head}")
        lines += [f"{'':7}  {'':<{width}}  {line}" for line in rest]
        if not ok:
            lines.append(f"{'':7}  {'':<{width}}  fix: {fix}")
    wrong = sum(not check.ok for check in checks)
    lines.append("Everything is in place." if not wrong else f"{wrong} of {len(checks)} checks failed.")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report.  Returns 0 when all is well, else 1."""
    parser = argparse.ArgumentParser(
        prog="doctor.py",
        description="Say what this machine has and lacks for rendering the films, and how to fix it.",
        epilog="Exit code: 0 when all is well, 1 otherwise. It changes nothing.",
    )
    parser.parse_args(arguments)
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    checks = examine(ROOT)
    print(report(checks, colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    return 0 if all(check.ok for check in checks) else 1


if __name__ == "__main__":
    raise SystemExit(main())
