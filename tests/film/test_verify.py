"""Films are read back; and whatever is not as the ledger says is caught by name."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from manim import Camera
from PIL import Image, ImageDraw, ImageFont

from mathcore.named import Entry, NamedArray
from scenes.font_file import font_files
from scenes.kit.heatmap import HeatMap
from scenes.kit.ledger import VERSION, Row
from scenes.kit.marks import HandMark, SpokenMark
from scenes.settings import Quality, load_settings
from scripts import verify
from scripts.studio.pieces import Piece
from scripts.studio.reading.check import DIGITS, Verdict, verify_film
from scripts.studio.reading.frames import drawn, pictures
from scripts.studio.reading.ledgers import Record, load_record, unresolved
from scripts.studio.reading.pictures import measure
from scripts.studio.render import make_film
from scripts.studio.stage import manim_configured, play_lesson
from scripts.studio.video import Mp4Sink

pytestmark = pytest.mark.xdist_group("verify")
QUALITY = Quality("854x480@5", 854, 480, 5)
BEAT = "hands"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """One lesson, small, and what its files say of it."""
    settings = load_settings().with_overrides(
        language="en", quality=QUALITY.name, out=tmp_path_factory.mktemp("verify"), lessons=["clock"]
    )
    return load_record(make_film(Piece("clock"), settings, "en").path)


@pytest.fixture(autouse=True)
def configured(tmp_path: Path) -> Iterator[None]:
    with manim_configured(QUALITY, tmp_path):
        yield


def of_beat(record: Record, beat: str, change: Callable[[Row], Row] = lambda row: row) -> Record:
    """The rows of a beat's last picture alone, as standing in that one, each changed."""
    last = last_of(record, beat)
    rows = tuple(change(replace(row, frame=last)) for row in record.rows if row.rests_at(last))
    beats = [span for span in record.receipt["beats"] if span["beat"] == beat]
    return replace(record, rows=rows, receipt={**record.receipt, "beats": beats})


def last_of(record: Record, beat: str) -> int:
    return next(frame for frame, name in record.last_frames.items() if name == beat)


def row_of(entry: Entry, text: str) -> Row:
    """A number that is shown so."""
    return Row(0, "qkv", "", 0, 1, False, 0, "number", text, entry.path, entry.index, entry.value, None)


def told(verdict: Verdict, what: str) -> list[str]:
    return [str(mismatch) for mismatch in verdict.mismatches if mismatch.what.startswith(what)]


def test_every_row_resolves_and_nearly_every_one_is_read(record: Record) -> None:
    verdict = verify_film(record)
    assert verdict.mismatches == []
    assert verdict.resolved == verdict.rows == len(record.rows) > 300
    digits = sum(verdict.read[kind] for kind in DIGITS), sum(verdict.placed[kind] for kind in DIGITS)
    assert digits[0] / digits[1] > 0.99
    assert verdict.coverage > 0.9 and verdict.wrong == 0
    assert verdict.read["hand"] > 100 and verdict.read["bar"] > 10


def test_a_changed_value_in_the_core_is_named(record: Record) -> None:
    example = record.example()
    speeds = example.clock.degrees_per_token
    changed = NamedArray(speeds.values * [1, 1, 1.001, 1], speeds.path, speeds.axes)
    vars(example)["clock"] = replace(example.clock, degrees_per_token=changed)
    (fault, *_) = told(verify_film(of_beat(record, BEAT), pixels=False, example=example), "ledger")
    seconds, frames = divmod(last_of(record, BEAT), QUALITY.fps)
    assert f"clock/hands 0:{seconds:02}.{frames:02}: ledger label" in fault and "clock.degrees_per_token[2]" in fault
    assert "its value is 0.572957" in fault and "computed now is 0.573530" in fault


def test_a_film_of_other_settings_is_named(record: Record) -> None:
    settings = load_settings()
    example = settings.example.model_copy(update={"d_model": 6, "n_heads": 3})
    other = play_lesson("clock", settings.model_copy(update={"example": example}), "en")
    last = next(span.stop - 1 for span in other.spans if span.beat == BEAT)
    here = last_of(record, BEAT)
    rows = tuple(replace(row, frame=here, until=here + 1) for row in other.ledger if row.rests_at(last))
    verdict = verify_film(replace(record, made_from={**record.made_from, "d_model": 6, "n_heads": 3}, rows=rows))
    assert told(verdict, "ledger") == []
    assert verdict.wrong >= 3
    assert any("picture label" in fault and "clock.ratio" in fault for fault in told(verdict, "picture"))


def test_swapped_rows_are_named(record: Record) -> None:
    speeds = [row for row in of_beat(record, BEAT).rows if row.path == "clock.degrees_per_token"]
    other = {speeds[0]: speeds[1], speeds[1]: speeds[0]}

    def swap(row: Row) -> Row:
        for one, two in other.items():
            if row == one:
                return replace(row, text=two.text, index=two.index, value=two.value)
        return row

    verdict = verify_film(of_beat(record, BEAT, swap))
    assert told(verdict, "ledger") == []
    faults = told(verdict, "picture label")
    assert len(faults) == verdict.wrong == 2
    assert "shows 5.73; read is 57.30; clock.degrees_per_token[1]" in faults[0]


def test_another_rounding_is_named(record: Record) -> None:
    def cut(row: Row) -> Row:
        return replace(row, text="57.29") if row.text == "57.30" else row

    verdict = verify_film(of_beat(record, BEAT, cut))
    assert "shows 57.29; 57.29577951308232 is rounded to 57.30" in told(verdict, "ledger label")[0]
    assert "shows 57.29; read is 57.30" in told(verdict, "picture label")[0]


def test_a_digit_that_was_moved_so_that_a_row_adds_up_is_named() -> None:
    example = load_settings().example_for("en")
    weights = example.heads[0].weights
    apart = [i for i in range(len(weights)) if sum(round(100 * e.value) for e in weights.row(i).entries()) != 100]
    assert apart
    for entry in weights.row(apart[0]).entries():
        row = row_of(entry, entry.text(2))
        assert unresolved(row, example, {}) == ""
        moved = f"{float(row.text) + 0.01:.2f}"
        assert f"shows {moved}" in unresolved(replace(row, text=moved), example, {})


def test_a_number_in_words_that_is_another_is_named(record: Record) -> None:
    spoken = [row for row in record.rows if row.kind == "caption" and row.beat == BEAT]
    assert [row.text for row in spoken] == ["about 57", "a tenth"]
    changed = replace(spoken[0], text="about 58"), replace(spoken[1], mark=SpokenMark(form="tenths", language="en"))
    faults = told(verify_film(replace(record, rows=changed), pixels=False), "ledger caption")
    assert "shows about 58; 57.29577951308232 is rounded to about 57" in faults[0]
    assert "shows a tenth; 10.0" in faults[1] and "nothing in the form 'tenths'" in faults[1]
    assert len(faults) == 2


def test_a_painted_digit_and_a_turned_hand_are_named(record: Record, tmp_path: Path) -> None:
    last = last_of(record, BEAT)
    hands = [row.mark for row in record.at(last) if type(row.mark) is HandMark]
    font = ImageFont.truetype(str(font_files()[0]), 26)
    film = Mp4Sink(tmp_path / "clock.mp4", QUALITY, "en")
    for number, picture in pictures(record.path, record.fps, range(last + 1)):
        image = Image.fromarray(np.clip(np.rint(picture.rgb), 0, 255).astype(np.uint8))
        if number > last - 3:
            ImageDraw.Draw(image).text((30, 120), "7", (236, 240, 250), font)
            x, y = picture.at(*hands[1].centre)
            reach = round(0.8 * hands[1].radius * picture.unit)
            box = (round(x) - reach, round(y) - reach, round(x) + reach, round(y) + reach)
            image.paste(image.crop(box).rotate(-12, Image.Resampling.BICUBIC), box)
        film.write(np.dstack([np.asarray(image), np.full((480, 854), 255, np.uint8)]), 1)
    film.close()
    for ending in (".srt", ".vtt"):
        (tmp_path / f"clock{ending}").write_bytes(record.path.with_suffix(ending).read_bytes())
    verdict = verify_film(replace(of_beat(record, BEAT), path=tmp_path / "clock.mp4"))
    assert ["reads 7; no row of the ledger is there" in fault for fault in told(verdict, "stray")] == [True]
    turned = told(verdict, "picture hand")
    assert any("stands for 5.73; read is 1" in fault and "clock.angles[1, 1]" in fault for fault in turned)
    assert "checksum differs from the receipt (clock.mp4)" in told(verdict, "file")[0]


def test_a_gif_is_read_as_a_film_is(record: Record, tmp_path: Path) -> None:
    (span,) = of_beat(record, BEAT).receipt["beats"]
    images = [
        Image.fromarray(np.clip(np.rint(picture.rgb), 0, 255).astype(np.uint8))
        for _, picture in pictures(record.path, record.fps, range(span["stop"] - 10, span["stop"]))
    ]
    images[0].save(tmp_path / "clock.gif", save_all=True, append_images=images[1:], duration=1000 // record.fps)
    shifted = of_beat(record, BEAT, lambda row: replace(row, frame=9, until=10))
    told_of = {**shifted.receipt, "frames": 10, "beats": [{**span, "start": 0, "stop": 10}], "cues": [], "outputs": {}}
    verdict = verify_film(replace(shifted, path=tmp_path / "clock.gif", receipt=told_of))
    assert verdict.wrong == 0 and verdict.read["label"] == verdict.placed["label"] > 5
    assert verdict.read["hand"] > 2


def test_other_captions_are_named(record: Record) -> None:
    cues = record.receipt["cues"]
    cues = [{**cue, "rows": [row.replace("about 57", "about 58") for row in cue["rows"]]} for cue in cues]
    verdict = verify_film(replace(record, receipt={**record.receipt, "cues": cues}, rows=()), pixels=False)
    words, files = told(verdict, "caption")[0], told(verdict, "caption")[1:]
    assert "clock/hands" in words and "about58" in words and "about57" in words
    assert len(files) == 2 and "clock.srt does not have the captions of the receipt" in files[0]


def test_a_cell_of_another_colour_is_named() -> None:
    weights = NamedArray(np.array([[0.02, 0.4], [0.7, 0.98]]), "weights", ("query", "key"))
    heat = HeatMap(weights, 4, 2)
    camera = Camera(background_color="#0E1322")
    with pytest.warns(DeprecationWarning, match="'mode' parameter"):
        camera.capture_mobjects([heat])
    pixels = np.array(camera.pixel_array[..., :3], dtype=np.uint8)
    for n, tie in enumerate(heat.provenance):
        found = measure(heat.mark_of(n), heat.box_of(n), drawn(pixels))
        assert not found.doubt and abs(found.value - tie.entry.value) <= found.notice < 0.1
    (x0, y1), (x1, y0) = (drawn(pixels).at(*heat.box_of(1)[k : k + 2]) for k in (0, 2))
    pixels[round(y0) : round(y1), round(x0) : round(x1)] = pixels[round(y1) + 40, round(x0) + 20]
    found = measure(heat.mark_of(1), heat.box_of(1), drawn(pixels))
    value = heat.provenance[1].entry.value
    assert found.value == pytest.approx(0.98, abs=found.notice) and abs(found.value - value) > found.notice
    pixels[round(y0) : round(y1), round(x0) : round(x1)] = (200, 30, 30)
    assert measure(heat.mark_of(1), heat.box_of(1), drawn(pixels)).doubt == "a colour that is not on its scale"


def test_the_command_tells_figures_and_fails_by_name(record: Record) -> None:
    done = CliRunner().invoke(verify.main, [str(record.path), "--json"])
    assert done.exit_code == 0, done.output
    (report,) = json.loads(done.output)
    assert report["rows"] == report["resolved"] and report["mismatches"] == []
    ledger = record.path.with_suffix(".ledger.json")
    before = ledger.read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(before)["rows"][:8]
    try:
        ledger.write_text(json.dumps({**json.loads(before), "rows": [{**rows[0], "value": 57.0}]}), encoding="utf-8")
        done = CliRunner().invoke(verify.main, [str(record.path.parent)])
        assert done.exit_code == 1
        assert "checksum differs from the receipt (clock.ledger.json)" in done.output
        assert "its value is 57.0" in done.output
        ledger.write_text(
            f'{{"version": {VERSION}, "rows": [{{"lesson": "clock"}}], "example": {{}}}}', encoding="utf-8"
        )
        done = CliRunner().invoke(verify.main, [str(record.path)])
        assert done.exit_code == 2 and done.output.startswith("clock.ledger.json: not a ledger of this version")
    finally:
        ledger.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("asked", [["nowhere"], ["--same", "nowhere"], ["--same", "nowhere", "elsewhere"]])
def test_what_cannot_be_verified_is_told_in_a_line(asked: list[str]) -> None:
    done = CliRunner().invoke(verify.main, asked)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1 and ("no such file or folder: " in done.output or ", got 1" in done.output)


def test_serial_and_parallel_renders_are_the_same(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for jobs, seed in (("1", "1"), ("2", "4711")):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        how = ("qkv", "--quality", "160x90@2", "--language", "en", "--jobs", jobs, "--out", str(tmp_path / jobs))
        done = run("render_lecture", *how)
        assert done.returncode == 0, done.stderr
    done = CliRunner().invoke(verify.main, ["--same", str(tmp_path / "1"), str(tmp_path / "2")])
    assert done.exit_code == 0, done.output
    assert "the same frames, ledgers, captions and receipts" in done.output
    film = next((tmp_path / "2").rglob("qkv.mp4"))
    film.write_bytes(next((tmp_path / "2").rglob("opening.mp4")).read_bytes())
    done = CliRunner().invoke(verify.main, ["--same", str(tmp_path / "1"), str(tmp_path / "2")])
    assert done.exit_code == 1 and "qkv.mp4: " in done.output and "frames in one" in done.output
