"""A lesson is added by one entry of the list, and makes no other film stale."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import PROJECT
from scripts.studio.pieces import Piece, lecture_pieces

# What a film of each piece would depend on, in a checkout of its own.
_TOLD = """
import json, sys
from scenes.settings import load_settings
from scripts.studio.inputs import FilmInputs
from scripts.studio.pieces import Piece, lecture_pieces
settings = load_settings()
pieces = [*lecture_pieces(settings.lecture.lessons), *map(Piece, sys.argv[1:])]
keys = {True: ["lecture.lessons"], False: []}
print(json.dumps({p.name: FilmInputs(p, settings, "en").with_reads(keys[p.is_card], []) for p in pieces}))
"""


def _inputs_in(checkout: Path, *lessons: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _TOLD, *lessons],
        cwd=checkout,
        env={"PATH": "/usr/bin:/bin", "HOME": str(checkout), "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("mathcore", "scenes", "scripts"):
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "media_config.yaml", folder)
    return folder


def test_a_new_lesson_of_a_new_chapter_makes_no_other_film_stale(checkout: Path) -> None:
    before = _inputs_in(checkout)
    listed = checkout / "scenes" / "lessons.py"
    entry = 'CHAPTERS = (\n    Chapter("extra", ("added",)),\n'
    listed.write_text(listed.read_text("utf-8").replace("CHAPTERS = (\n", entry), "utf-8")
    (checkout / "scenes" / "extra").mkdir()
    (checkout / "scenes" / "extra" / "added.py").write_text('"""Added."""\n', "utf-8")
    for language in ("en", "zh"):
        words = checkout / "scenes" / "words" / language
        shutil.copy(words / "qkv.yaml", words / "added.yaml")
    after = _inputs_in(checkout, "added")
    assert "scenes/extra/added.py" in after.pop("added")["code"]
    assert after == before
    # The same comparison notices a change of code that every film runs.
    kit = checkout / "scenes" / "kit" / "text.py"
    kit.write_text(kit.read_text("utf-8") + "# changed\n", "utf-8")
    assert _inputs_in(checkout)["qkv"] != before["qkv"]


def test_a_chapter_has_its_card_before_its_first_lesson() -> None:
    assert lecture_pieces(["briefing", "waves"]) == [
        Piece("opening"),
        Piece("chapter", "one_head"),
        Piece("briefing"),
        Piece("chapter", "position"),
        Piece("waves"),
        Piece("closing"),
    ]
