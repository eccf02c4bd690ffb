"""Kill renders at random moments: is a damaged file ever under a final name, and is the film the same in the end?"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import click

from scenes.settings import PROJECT, Settings, load_settings
from scripts.studio.console import FAILED, leave, out
from scripts.studio.files import digest
from scripts.studio.pieces import lecture_pieces
from scripts.studio.render import film_tasks, make_lecture
from scripts.studio.workers import METHOD, run_tasks

# Receipts tell how long the work took, so no two are alike.
_TIMED = (".receipt.json", ".log")


@dataclass
class Torture:
    """What came of the kills: rounds, those in which something was under way, damaged files, and the end."""

    rounds: int = 0
    under_way: int = 0
    damaged: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    said: str = ""

    @property
    def survived(self) -> bool:
        return not self.damaged and not self.different


def outputs(folder: Path) -> dict[str, str]:
    """Digests of the files under final names, by their path in the output folder."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    names = {path: path.relative_to(folder).as_posix() for path in found}
    return {name: digest(path) for path, name in names.items() if ".work-" not in name and not name.endswith(_TIMED)}


def render_all(settings: Settings, language: str) -> None:
    """Render every piece, up to date or not, two at a time, and join them."""
    outcome = run_tasks(film_tasks(lecture_pieces(settings.lecture.lessons), settings, language), 2, "rendering")
    if outcome.failures:
        raise SystemExit(str(outcome.failures[0]))
    make_lecture(settings, language)


def _in_a_session_of_its_own(settings: Settings, language: str) -> None:
    os.setsid()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    render_all(settings, language)


def run_for(seconds: float, settings: Settings, language: str) -> None:
    """Render for so long at most; then kill the command and its lessons at once, as when the machine goes down."""
    context: Any = get_context(METHOD)
    # A forked process holds the pipe until it is gone, which on a busy machine is some time after it is killed.
    ended, held = os.pipe()
    process = context.Process(target=_in_a_session_of_its_own, args=(settings, language))
    process.start()
    os.close(held)
    process.join(seconds)
    if process.exitcode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    os.read(ended, 1)
    os.close(ended)


def torture(folder: Path, lesson: str, quality: str, kills: int, seed: int) -> Torture:
    """Render a film of one lesson undisturbed, kill `kills` renders of it, regenerate, and compare."""
    import scripts.studio.stage  # noqa: F401 - loaded once, so that the time until the kill is for the work

    language, chance, result = "en", random.Random(seed), Torture()
    settings = load_settings().with_overrides(language=language, lessons=[lesson], quality=quality)
    calm, mauled = (settings.with_overrides(out=folder / name) for name in ("calm", "mauled"))
    begun = time.monotonic()
    run_for(600, calm, language)
    whole, wanted = time.monotonic() - begun, outputs(calm.folder())
    for number in range(kills):
        # The first film is made in an empty folder, later ones over one that is whole or half made.
        if number % 3 == 0:
            shutil.rmtree(mauled.folder(), ignore_errors=True)
        run_for(chance.uniform(0.02, 1.0) * whole, mauled, language)
        result.rounds += 1
        result.under_way += bool(list(mauled.folder().rglob(".work-*")))
        result.damaged += [name for name, known in outputs(mauled.folder()).items() if wanted.get(name) != known]
    command = [sys.executable, str(PROJECT / "scripts" / "regenerate.py"), "--out", str(mauled.folder()), "--quality",
               quality, "--language", language, "--lessons", lesson]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    result.said, now = done.stderr, outputs(mauled.folder())
    result.different = sorted(name for name in {*wanted, *now} if wanted.get(name) != now.get(name))
    result.different += [path.name for path in mauled.folder().rglob(".work-*")]
    return result


@click.command()
@click.option("--kills", default=50, show_default=True, type=click.IntRange(min=1), help="How many renders to kill.")
@click.option("--seed", default=1, show_default=True, help="Of the moments.")
@click.option("--lesson", default="waves", show_default=True, help="What is rendered.")
@click.option("--quality", default="320x180@5", show_default=True, help="How large.")
def main(kills: int, seed: int, lesson: str, quality: str) -> None:
    """Kill renders of a small film at random moments, regenerate, and compare every file with an undisturbed run's."""
    with tempfile.TemporaryDirectory() as folder:
        result = torture(Path(folder), lesson, quality, kills, seed)
    out.print(f"{result.rounds} renders killed, {result.under_way} of them with files half written")
    out.print(f"damaged under a final name: {', '.join(result.damaged) or 'none'}")
    out.print(f"different from an undisturbed run after regenerate: {', '.join(result.different) or 'none'}")
    if not result.survived:
        out.print(result.said)
        leave(FAILED)


if __name__ == "__main__":
    main()
