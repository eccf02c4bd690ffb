"""Films for a phone: their size and place, what is left out, free edges in upright films, and that they read back."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from PIL import Image

from scenes.formats import PHONE
from scenes.kit.theme import DARK, rgb
from scenes.settings import Settings, load_settings
from scripts.export_gifs import main as export_gifs
from scripts.render_lecture import main as render_lecture
from scripts.studio.pieces import LayoutError, laid_out, lecture_name, told_left_out
from scripts.studio.reading.check import verify_film
from scripts.studio.reading.ledgers import load_record
from scripts.studio.stage import lesson_class, manim_configured
from scripts.studio.video import probe

pytestmark = pytest.mark.xdist_group("phone")


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, run: Any) -> tuple[Path, str]:
    """The folder of a phone film of qkv, and what the command said."""
    out = tmp_path_factory.mktemp("phone")
    done = run("render_lecture", "qkv", "--format", "phone", "--quality", "480p15", "--out", str(out))
    assert done.returncode == 0, done.stderr
    return out / "en" / "phone-480p15", done.stdout


def landscape_only(lessons: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a phone film of qkv and waves, of which some have no layout for a phone."""
    for lesson in lessons:
        monkeypatch.setattr(lesson_class(lesson), "formats", ("landscape",))
    return load_settings().with_overrides(format="phone", lessons=["qkv", "waves"])


def test_lessons_without_a_layout_are_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, left_out = laid_out(landscape_only(("waves",), monkeypatch))
    assert settings.lecture.lessons == ("qkv",) and left_out == ("waves",)
    assert lecture_name(settings) == "lecture-qkv"
    assert told_left_out(left_out, "phone") == "left out: waves has no phone layout yet"


def test_a_film_of_lessons_without_a_layout_for_its_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LayoutError) as error:
        laid_out(landscape_only(("qkv", "waves"), monkeypatch))
    told = "qkv, waves have no phone layout yet; choose other lessons, or --format landscape"
    assert str(error.value) == told


@pytest.mark.parametrize("command", [render_lecture, export_gifs])
def test_a_refusal_is_one_line(
    command: click.Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    landscape_only(("qkv", "waves"), monkeypatch)
    with pytest.raises(SystemExit) as stop:
        command.main(["qkv", "waves", "--format", "phone", "--out", str(tmp_path)])
    assert stop.value.code == 1 and list(tmp_path.iterdir()) == []
    said = capsys.readouterr().err.splitlines()
    assert said == ["qkv, waves have no phone layout yet; choose other lessons, or --format landscape"]


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
