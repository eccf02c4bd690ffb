"""Article media of real lessons: legal delays, real palette, formats, budget, presets, texts."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scenes.settings import load_settings
from scenes.words import Words, load_words
from scripts.studio.article import Request, gif_reasons
from scripts.studio.media_kinds import delays_of, frames_in
from scripts.studio.pieces import Piece
from scripts.studio.snippets import alternative_text
from scripts.studio.stage import lines_of

pytestmark = pytest.mark.xdist_group("gifs")

HOW = ("--width", "320", "--fps", "30", "--language", "en", "--kinds", "gif,webp,avif,mp4")


@pytest.fixture(scope="module")
def article(tmp_path_factory: pytest.TempPathFactory, run: Any) -> Path:
    out = tmp_path_factory.mktemp("gifs") / "it's 图"
    done = run("export_gifs", "qkv:query", "qkv:key", *HOW, "--out", str(out))
    assert done.returncode == 0, done.stderr
    return out / "en" / "article"


def receipt(article: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((article / f"{name}.receipt.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", ["qkv.query", "qkv.key"])
def test_delays_are_legal_and_add_up_to_the_plan(article: Path, name: str) -> None:
    delays = delays_of(article / f"{name}.gif")
    assert min(delays) >= 2
    assert abs(sum(delays) - 100 * receipt(article, name)["media"]["gif"]["seconds"]) <= 1
    assert delays[-1] >= 150, "the finished picture is held"
    assert delays_of(article / f"{name}.webp") == delays_of(article / f"{name}.avif")
    assert sum(delays_of(article / f"{name}.webp")) == sum(delays)


def test_30_frames_a_second_need_3_3_4(article: Path) -> None:
    delays = delays_of(article / "qkv.query.gif")
    assert {3, 4} <= set(delays)


def test_the_palette_is_real_and_the_colours_are_those_of_the_film(article: Path) -> None:
    with Image.open(article / "qkv.query.gif") as gif:
        gif.seek(len(delays_of(article / "qkv.query.gif")) - 1)
        last = gif.convert("RGB")
    with Image.open(article / "qkv.query.png") as poster:
        wanted = poster.convert("RGB")
    assert last.size == wanted.size == (320, 180)
    pixels = [np.asarray(image, dtype=int) for image in (last, wanted)]
    assert len(np.unique(pixels[0].reshape(-1, 3), axis=0)) > 39
    assert np.abs(pixels[0] - pixels[1]).max(axis=-1).mean() < 3


def test_it_loops_for_ever_by_default(article: Path) -> None:
    with Image.open(article / "qkv.key.gif") as gif:
        assert gif.info["loop"] == 0


def test_alternative_text_and_snippets_are_there_in_both_languages(article: Path) -> None:
    english = (article / "qkv.query.alt.en.txt").read_text(encoding="utf-8").strip()
    chinese = (article / "qkv.query.alt.zh.txt").read_text(encoding="utf-8").strip()
    assert english.isascii() and re.search(r"[\u4e00-\u9fff]", chinese)
    assert (article / "qkv.query.en.md").read_text(encoding="utf-8") == f"![{english}](qkv.query.gif)\n"
    page = (article / "qkv.query.zh.html").read_text(encoding="utf-8")
    assert chinese in page and 'src="qkv.query.gif"' in page and "prefers-reduced-motion" in page


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_alternative_text_of_a_beat_is_its_own(article: Path, language: str) -> None:
    words, lines = load_words(language, "qkv"), lines_of(Piece("qkv"), load_settings(), language)
    for beat in ("query", "key"):
        told = (article / f"qkv.{beat}.alt.{language}.txt").read_text(encoding="utf-8").strip()
        assert told.startswith(words.title) and told.endswith(lines[beat]) and words.alt not in told
    assert lines["query"] != lines["key"] and "{" not in "".join(lines.values())
    assert alternative_text(words, language).endswith(words.alt)


def test_the_alternative_text_of_the_other_language_is_a_reason(article: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings().with_overrides(language="en", width=320, fps=30, kinds="gif,webp,avif,mp4",
                                              out=article.parent.parent)  # fmt: skip
    query = Request("qkv", "query")
    assert gif_reasons(query, settings, "en") == []

    def changed(language: str, lesson: str) -> Words:
        words = load_words(language, lesson)
        return replace(words, say={**words.say, "query": "?"}) if language == "zh" else words

    monkeypatch.setattr("scripts.studio.article.load_words", changed)
    assert gif_reasons(query, settings, "en") == ["words (alternative text (zh))"]


def test_webp_ends_with_exactly_the_poster(article: Path) -> None:
    with Image.open(article / "qkv.query.png") as poster:
        wanted = np.asarray(poster.convert("RGB"))
    np.testing.assert_array_equal(list(frames_in(article / "qkv.query.webp"))[-1][0], wanted)


def test_a_budget_lowers_frame_rate_first_and_says_so(article: Path, tmp_path: Path, run: Any) -> None:
    size = (article / "qkv.key.gif").stat().st_size
    most = max(0.1, round(size * 0.8 / 1e6, 3))
    arguments = ("qkv:key", "--width", "640", "--fps", "30", "--language", "en", "--out", str(tmp_path))
    done = run("export_gifs", *arguments, "--max-mb", str(most))
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"qkv\.key\.gif: 0\.\d\d MB, .* frames, lowered to \d+x\d+, (12|10|8) fps, \d+ colours\n", done.stdout
    )
    assert (tmp_path / "en" / "article" / "qkv.key.gif").stat().st_size <= most * 1e6


def test_one_lesson_over_its_budget_is_refused_with_the_size_and_does_not_stop_the_others(
    tmp_path: Path, run: Any
) -> None:
    how = ("--width", "800", "--fps", "5", "--max-mb", "0.1", "--language", "en", "--out", str(tmp_path))
    done = run("export_gifs", "qkv", "qkv:key", *how)
    assert done.returncode == 1
    assert re.match(r"qkv: gif: \d\.\d\d MB at 400x\d+, 5 fps, 32 colours is still over 0\.1 MB; ", done.stderr)
    assert [path.name for path in tmp_path.rglob("*.gif")] == ["qkv.key.gif"]


def test_a_preset_sets_limits_and_an_option_wins(tmp_path: Path, run: Any) -> None:
    how = ("--preset", "wechat", "--width", "320", "--language", "en", "--out", str(tmp_path))
    done = run("export_gifs", "qkv:key", *how)
    assert done.returncode == 0, done.stderr
    look = receipt(tmp_path / "en" / "article", "qkv.key")["media"]["gif"]["look"]
    assert (look["width"], look["fps"]) == (320, 12)
    assert receipt(tmp_path / "en" / "article", "qkv.key")["inputs"]["configuration"]["gif.max_frames"] == "300"


def test_up_to_date_gifs_are_not_made_again(article: Path, run: Any) -> None:
    before = (article / "qkv.key.gif").stat().st_mtime_ns
    out = article.parent.parent
    done = run("export_gifs", "qkv:key", *HOW, "--out", str(out))
    assert done.returncode == 0 and "up to date" in done.stdout
    assert (article / "qkv.key.gif").stat().st_mtime_ns == before


def test_only_what_the_lesson_has_read_makes_its_media_stale(tmp_path: Path, run: Any) -> None:
    how = ("clock:tick", "--width", "160", "--fps", "2", "--language", "en", "--out", str(tmp_path))
    assert run("export_gifs", *how).returncode == 0
    made = load_settings().with_overrides(width=160, out=str(tmp_path))
    made = made.model_copy(update={"gif": made.gif.model_copy(update={"fps": 2})})
    tick = Request("clock", "tick")
    assert gif_reasons(tick, made, "en") == []
    # Another seed gives other weights, which the clock does not show; films of another size are no matter of GIFs.
    other = made.model_copy(update={"example": made.example.model_copy(update={"seed": 1})})
    assert gif_reasons(tick, other.with_overrides(quality="1080p30"), "en") == []
    assert gif_reasons(tick, made.with_overrides(width=320), "en") == ["configuration (gif.width: 160 -> 320)"]
    (reason,) = gif_reasons(tick, made.with_overrides(sentence="dog bites man"), "en")
    assert reason.startswith("numbers (") and "clock" in reason


def test_a_format_that_is_no_longer_asked_for_is_removed(tmp_path: Path, run: Any) -> None:
    how = ("qkv:key", "--width", "160", "--fps", "2", "--language", "en", "--out", str(tmp_path))
    assert run("export_gifs", *how, "--kinds", "gif,mp4").returncode == 0
    assert run("export_gifs", *how, "--kinds", "webp").returncode == 0
    kinds = {path.suffix for path in (tmp_path / "en" / "article").iterdir()}
    assert kinds == {".webp", ".png", ".txt", ".md", ".html", ".json"}
    assert not list(tmp_path.rglob("*.video.en.html"))


def test_what_a_small_gif_shows_is_read_or_too_small_and_not_wrong(article: Path, run: Any) -> None:
    done = run("verify", str(article), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    reports = json.loads(done.stdout)
    assert [report["film"] for report in reports] == ["qkv.key.gif", "qkv.key", "qkv.query.gif", "qkv.query"]
    for report in reports:
        assert report["rows"] == report["resolved"] > 50 and report["wrong"] == 0
        # Digits of a few pixels cannot be told apart; colours of cells can.
        assert set(report["unread"]) == {"too small"}, report
        assert sum(report["read"].values()) + report["unread"]["too small"] == sum(report["placed"].values()), report
