"""Article media without a lesson: times, budgets, formats, flashing, snippets, on frames that are made up here."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scenes.settings import LANGUAGES, SettingsError, load_settings
from scenes.words import load_words
from scripts.studio import budget
from scripts.studio.budget import Budget, OverBudget, Part, fit, looks
from scripts.studio.flashing import FlashMeter, Light
from scripts.studio.frame_store import FrameStore, Showing, chroma_lost, seam, showing
from scripts.studio.media_kinds import KINDS, Look, delays_of, encode, frames_in, lowered_details, seconds_of
from scripts.studio.snippets import alternative_text, embed_texts

SIZE = (320, 180)
Frame = NDArray[np.uint8]


def plain(level: int) -> Frame:
    return np.full((SIZE[1], SIZE[0], 4), (level, level, level, 255), dtype=np.uint8)


ALTS = {language: alternative_text(load_words(language, "clock"), language) for language in LANGUAGES}


def drawn(number: int) -> Frame:
    """A bar that moves over columns of one pixel in pure colours."""
    frame = plain(20)
    frame[120:160, :200:2, :3] = (230, 60, 40)
    frame[120:160, 1:200:2, :3] = (40, 90, 230)
    left = 10 + 3 * number % 240
    frame[40:80, left : left + 50, :3] = (250, 200, 60 + number % 100)
    return frame


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FrameStore]:
    """40 frames that move, the last one held for 20 more."""
    with FrameStore(tmp_path) as store:
        for number in range(40):
            store.write(drawn(number), 20 if number == 39 else 1)
        yield store


def part_of(store: FrameStore, fps: int = 30, hold: float = 1.5) -> Part:
    return Part(store, 0, store.frames, fps, hold)


def look_for(kind: str, fps: int = 30) -> Look:
    return Look(*SIZE, fps, lowered_details(kind, 128)[0])


# FrameStore and times


def test_a_frame_store_keeps_every_pixel_and_each_still_once(store: FrameStore) -> None:
    assert (store.frames, store.stills) == (59, 40)
    for number in (0, 17, 39):
        np.testing.assert_array_equal(store.still(number), drawn(number)[..., :3])
    assert [store.still_at(frame) for frame in (0, 38, 39, 58)] == [0, 38, 39, 39]
    assert store.stretches(37, 50) == [(37, 1), (38, 1), (39, 11)]


def test_a_frame_store_has_no_part_in_what_becomes_of_a_frame_later(tmp_path: Path) -> None:
    with FrameStore(tmp_path) as store:
        frame = drawn(0)
        store.write(frame, 1)
        frame[:] = 0
        np.testing.assert_array_equal(store.still(0), drawn(0)[..., :3])


def test_30_frames_a_second_are_3_3_4(store: FrameStore) -> None:
    shown = part_of(store, hold=0).shown(30)
    assert shown.delays[:6] == (3, 3, 4, 3, 3, 4)


@pytest.mark.parametrize("fps", [1, 5, 7, 8, 10, 12, 15, 24, 30, 48, 50])
@pytest.mark.parametrize("hold", [0.0, 1.5])
def test_delays_are_legal_at_every_rate_and_the_total_is_the_plan(store: FrameStore, fps: int, hold: float) -> None:
    shown = showing(store, 3, 55, drawn=50, fps=fps, hold=hold)
    assert min(shown.delays) >= 2
    assert abs(shown.total - 100 * (52 / 50 + hold)) <= 1
    assert shown.stills[-1] == 39, "the finished picture is shown at every rate"


def test_the_last_frame_is_held(store: FrameStore) -> None:
    assert part_of(store, hold=1.5).shown(30).delays[-1] - part_of(store, hold=0).shown(30).delays[-1] == 150


# Formats


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_lasts_as_planned(store: FrameStore, tmp_path: Path, kind: str) -> None:
    shown = part_of(store).shown(30)
    encode(kind, tmp_path / f"a.{kind}", store, shown, look_for(kind), 0)
    assert seconds_of(tmp_path / f"a.{kind}") == pytest.approx(shown.total / 100, abs=0.5 / 30 if kind == "mp4" else 0)
    if kind != "mp4":
        assert tuple(delays_of(tmp_path / f"a.{kind}")) == shown.delays


def test_webp_is_frame_by_frame_what_was_drawn(store: FrameStore, tmp_path: Path) -> None:
    shown = part_of(store).shown(30)
    encode("webp", tmp_path / "a.webp", store, shown, look_for("webp"), 0)
    frames = [frame for frame, _ in frames_in(tmp_path / "a.webp")]
    assert len(frames) == len(shown.stills)
    for still, frame in zip(shown.stills, frames, strict=True):
        np.testing.assert_array_equal(frame, store.still(still))


def test_columns_of_one_pixel_survive_in_gif_webp_and_avif_but_not_in_mp4(store: FrameStore, tmp_path: Path) -> None:
    apart = {}
    for kind in KINDS:
        encode(kind, tmp_path / f"a.{kind}", store, part_of(store).shown(30), look_for(kind), 0)
        columns = list(frames_in(tmp_path / f"a.{kind}"))[-1][0][130:150, 2:198].astype(int)
        apart[kind] = np.abs(columns - drawn(39)[130:150, 2:198, :3]).mean()
    assert apart["webp"] == 0
    assert apart["gif"] < 8 and apart["avif"] < 8 < 30 < apart["mp4"]
    assert chroma_lost([drawn(39)]) > 0.1 > 0.02 > chroma_lost([plain(90)])


def test_the_mp4_plays_everywhere(store: FrameStore, tmp_path: Path) -> None:
    import av

    encode("mp4", tmp_path / "a.mp4", store, part_of(store).shown(15), look_for("mp4", 15), 0)
    with av.open(str(tmp_path / "a.mp4")) as film:
        context = film.streams.video[0].codec_context
        assert (context.name, context.pix_fmt, context.width, context.height) == ("h264", "yuv420p", *SIZE)
        assert film.streams.video[0].average_rate == 15
    data = (tmp_path / "a.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize("kind", ["gif", "webp"])
@pytest.mark.parametrize("loops", [0, 1, 2, 3])
def test_it_plays_as_often_as_asked(store: FrameStore, tmp_path: Path, kind: str, loops: int) -> None:
    encode(kind, tmp_path / f"a.{kind}", store, part_of(store).shown(10), look_for(kind, 10), loops)
    with Image.open(tmp_path / f"a.{kind}") as image:
        # A GIF without a loop plays once; with one it repeats so often.
        said = image.info.get("loop")
    assert said == ({0: 0, 1: None}.get(loops, loops - 1) if kind == "gif" else loops)


def test_a_single_still_is_a_file_too(tmp_path: Path) -> None:
    with FrameStore(tmp_path) as store:
        store.write(drawn(1), 30)
        shown = part_of(store).shown(30)
        for kind in KINDS:
            encode(kind, tmp_path / f"a.{kind}", store, shown, look_for(kind), 0)
            assert next(frames_in(tmp_path / f"a.{kind}"))[0].shape == (*SIZE[::-1], 3)


# Budgets


def test_the_ladder_lowers_rate_then_size_then_colours() -> None:
    ladder = looks("gif", Look(800, 450, 15, 128))
    assert [(look.fps, look.width, look.detail) for look in ladder] == [
        (15, 800, 128), (12, 800, 128), (10, 800, 128), (8, 800, 128),
        (8, 640, 128), (8, 512, 128), (8, 400, 128), (8, 400, 64), (8, 400, 32),
    ]  # fmt: skip
    assert all(look.width % 2 == look.height % 2 == 0 for look in ladder)


@pytest.fixture
def long(tmp_path: Path) -> Iterator[FrameStore]:
    """200 frames with grain, so that size and rate matter."""
    random = np.random.default_rng(3)
    with FrameStore(tmp_path) as store:
        for number in range(200):
            frame = drawn(number)
            frame[90:118, 4 * (number % 60) :][:, :60, :3] = random.integers(0, 255, (28, 60, 3))
            store.write(frame, 1)
        yield store


def test_a_budget_is_met_with_few_encodings_and_the_choice_is_told(long: FrameStore, tmp_path: Path) -> None:
    part, first, target = part_of(long), look_for("gif"), tmp_path / "a.gif"
    whole = fit("gif", target, part, first, Budget(1e9), 0)
    assert (whole.look, whole.encodings) == (first, 1)
    fitting = fit("gif", target, part, first, Budget(whole.size * 0.45), 0)
    assert fitting.size == target.stat().st_size <= whole.size * 0.45
    assert fitting.look.fps < 30 and fitting.look.width == SIZE[0], "rate comes before size"
    assert fitting.encodings <= 3
    assert list(tmp_path.glob("a.*")) == [target]


@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_gives_the_size_reached(long: FrameStore, tmp_path: Path, kind: str) -> None:
    with pytest.raises(OverBudget, match=r"^\d+\.\d\d MB at 160x90, 8 fps, .* is still over 0\.001 MB; raise"):
        fit(kind, tmp_path / f"a.{kind}", part_of(long), look_for(kind), Budget(1000), 0)
    assert list(tmp_path.glob("a.*")) == []


def test_a_limit_of_frames_lowers_the_rate(long: FrameStore, tmp_path: Path) -> None:
    fitting = fit("gif", tmp_path / "a.gif", part_of(long), look_for("gif"), Budget(1e9, 70), 0)
    assert fitting.look.fps == 10 and len(delays_of(tmp_path / "a.gif")) <= 70
    fitting = fit("gif", tmp_path / "a.gif", part_of(long), look_for("gif"), Budget(1e9, 40), 0)
    assert fitting.look.fps == 6
    with pytest.raises(OverBudget, match=r"^33 frames at 5 fps are still more than 20; raise gif.max_frames"):
        fit("gif", tmp_path / "a.gif", part_of(long), look_for("gif"), Budget(1e9, 20), 0)


def test_the_sample_is_a_small_part_in_order() -> None:
    shown = Showing(tuple(range(200)), (4,) * 200)
    part = budget.sample(shown)
    assert part is not None and len(part.stills) == 48
    assert part.stills[0] == 0 and part.stills[-1] == 199 and list(part.stills) == sorted(set(part.stills))
    assert budget.sample(Showing(tuple(range(60)), (4,) * 60)) is None


# Loop seam and flashing


def test_a_seam_is_measured() -> None:
    assert seam(drawn(3), drawn(3)).mean == 0 and not seam(drawn(3), drawn(3)).jumps
    assert seam(plain(200), plain(100)).mean == 100 and seam(plain(200), plain(100)).jumps
    near = seam(drawn(3), drawn(4))
    assert 0 < near.share < 0.05 and not near.jumps


def flashes(levels: list[int], fps: int, area: float = 1.0) -> float:
    light = Light(fps)
    for level in levels:
        frame = plain(0)
        frame[:, : round(area * SIZE[0])] = level
        light.write(frame, 1)
    return light.worst(0, len(levels)).flashes


def test_four_flashes_a_second_over_the_whole_picture_are_harmful() -> None:
    assert flashes([0, 255] * 15, 8) > 3
    assert flashes([0, 0, 255, 255] * 10, 15) > 3


def test_three_flashes_a_second_are_not() -> None:
    assert flashes(([0] * 5 + [255] * 5) * 6, 30) == 3


@pytest.mark.parametrize(
    ("levels", "area"), [([0, 255] * 20, 0.2), ([0, 60] * 20, 1.0), (list(range(0, 250, 5)), 1.0), ([80] * 40, 1.0)]
)
def test_small_areas_small_changes_fades_and_stills_do_not_count(levels: list[int], area: float) -> None:
    assert flashes(levels, 15, area) <= 0.5


def test_a_held_frame_takes_its_time() -> None:
    meter = FlashMeter(10)
    for number in range(20):
        meter.see(np.full((4, 4), float(number % 2), np.float32), repeat=5)
    assert meter.worst.flashes == 1


def test_only_the_stretch_asked_for_is_judged() -> None:
    light = Light(10)
    for number in range(60):
        light.write(plain(255 * (number % 2) if number >= 30 else 90), 1)
    assert light.worst(0, 30).flashes == 0 and light.worst(30, 60).harmful


# Snippets


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_picture_offers_the_still_first_then_the_best_format(language: str) -> None:
    texts = embed_texts("clock", ALTS, {"gif": (800, 450), "avif": (800, 450), "webp": (640, 360)}, 0)
    tags = _Tags(texts[f".{language}.html"]).found
    assert [tag for tag, _ in tags] == ["picture", "source", "source", "source", "img"]
    assert tags[1][1] == {"srcset": "clock.png", "media": "(prefers-reduced-motion: reduce)"}
    assert [tag[1]["type"] for tag in tags[2:4]] == ["image/avif", "image/webp"]
    image = tags[4][1]
    assert (image["src"], image["width"], image["height"], image["lang"]) == ("clock.gif", "800", "450", language)
    assert image["alt"] == texts[f".alt.{language}.txt"].strip()


@pytest.mark.parametrize("loops", [0, 2])
def test_a_video_has_a_poster_and_waits_for_the_reader(loops: int) -> None:
    texts = embed_texts("clock", ALTS, {"mp4": (800, 450)}, loops)
    assert ".en.html" not in texts and texts[".en.md"].endswith("](clock.png)](clock.mp4)\n")
    video, source, still = _Tags(texts[".video.en.html"]).found
    assert video[1]["poster"] == still[1]["src"] == "clock.png" and source[1]["src"] == "clock.mp4"
    assert "autoplay" not in video[1] and "controls" in video[1] and ("loop" in video[1]) == (loops == 0)
    assert video[1]["aria-label"] == still[1]["alt"] == texts[".alt.en.txt"].strip()


def test_the_project_s_own_settings_are_the_documented_defaults() -> None:
    gif = load_settings().gif
    assert (gif.kinds, gif.max_mb, gif.hold_last, gif.loops, gif.max_frames) == (("gif",), 5, 1.5, 0, 0)
    assert gif.colours == 256


def test_frames_of_a_gif_keep_no_ghosts_of_others(store: FrameStore, tmp_path: Path) -> None:
    shown = part_of(store).shown(30)
    encode("gif", tmp_path / "a.gif", store, shown, look_for("gif"), 0)
    frames = [frame.astype(int) for frame, _ in frames_in(tmp_path / "a.gif")]
    assert len(frames) == len(shown.stills)
    for still, frame in zip(shown.stills, frames, strict=True):
        # A bar that was left where it had been would be 200 levels off.
        assert np.abs(frame - store.still(still))[40:80].max() < 48


@pytest.mark.parametrize("kind", ["webm", "mov", "apng"])
def test_formats_that_some_browser_shows_wrongly_are_not_made(kind: str) -> None:
    # WebM is opaque in Safari where it should be transparent; our media have the page's colour.
    with pytest.raises(SettingsError, match="unknown kind"):
        load_settings().with_overrides(kinds=[kind])
