"""Films for a phone: their size and place, what is left out, free edges in upright films, and that they read back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scenes.formats import PHONE
from scenes.kit.theme import DARK, rgb
from scripts.studio.reading.check import verify_film
from scripts.studio.reading.ledgers import load_record
from scripts.studio.stage import manim_configured
from scripts.studio.video import probe

pytestmark = pytest.mark.xdist_group("phone")


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, run: Any) -> tuple[Path, str]:
    """The folder of a phone film of qkv, and what the command said; clock has no layout for a phone."""
    out = tmp_path_factory.mktemp("phone")
    done = run("render_lecture", "qkv", "clock", "--format", "phone", "--quality", "480p15", "--out", str(out))
    assert done.returncode == 0, done.stderr
    return out / "en" / "phone-480p15", done.stdout


def test_lessons_without_a_layout_are_left_out_and_named(films: tuple[Path, str]) -> None:
    folder, said = films
    assert "left out: clock has no phone layout yet" in said.splitlines()
    assert (folder / "qkv.mp4").is_file() and not (folder / "clock.mp4").exists()
    lecture = json.loads((folder / "lecture-qkv.receipt.json").read_text(encoding="utf-8"))
    assert lecture["lessons"] == ["qkv"]


def test_a_phone_s_film_is_4_to_5_and_so_is_its_poster(films: tuple[Path, str]) -> None:
    film = probe(films[0] / "qkv.mp4")
    assert (film.width, film.height) == (480, 600)
    with Image.open(films[0] / "qkv.png") as poster:
        assert poster.size == (480, 600)


def test_what_a_phone_s_film_shows_is_read_back(films: tuple[Path, str], tmp_path: Path) -> None:
    record = load_record(films[0] / "qkv.mp4")
    assert record.settings.render.format == "phone"
    with manim_configured(record.settings.render.quality, tmp_path):
        verdict = verify_film(record)
    assert [str(mismatch) for mismatch in verdict.mismatches] == []
    assert verdict.coverage > 0.95 and verdict.boxes > 500


def test_an_upright_film_is_the_page_where_platforms_have_their_signs(tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "--format", "phone", "--quality", "540x960@2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "en" / "phone-540x960-2" / "qkv.png") as poster:
        picture = np.asarray(poster.convert("RGB")).astype(int)
    drawn = np.abs(picture - np.rint(rgb(DARK.background) * 255)).max(axis=2) > 8
    left, top, right, bottom = (
        round(share * side) for share, side in zip(PHONE.box, (540, 960, 540, 960), strict=True)
    )
    rows, columns = np.nonzero(drawn)
    assert left <= columns.min() and columns.max() < right and top <= rows.min() and rows.max() < bottom
    # The picture fills that box, but for the safe edges of its frame.
    assert columns.max() - columns.min() > 0.7 * (right - left) and rows.max() - rows.min() > 0.8 * (bottom - top)


def test_media_for_a_phone_stand_beside_those_for_landscape(tmp_path: Path, run: Any) -> None:
    for shape in ("phone", "landscape"):
        done = run("export_gifs", "qkv:key", "--format", shape, "--width", "160", "--fps", "2", "--out", str(tmp_path))
        assert done.returncode == 0, done.stderr
    sizes = {}
    for folder in ("phone-article", "article"):
        with Image.open(tmp_path / "en" / folder / "qkv.key.gif") as gif:
            sizes[folder] = gif.size
    assert sizes == {"phone-article": (160, 200), "article": (160, 90)}
    explained = run("regenerate", "--explain", "--out", str(tmp_path), "--language", "en")
    lines = [line for line in explained.stdout.splitlines() if "article/qkv.key" in line]
    assert len(lines) == 2 and all(line.startswith("en/") for line in lines), explained.stdout
