"""media_config.yaml: what is accepted, and what each wrong line is told."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from scenes.formats import FORMATS
from scenes.lessons import LESSONS
from scenes.settings import CONFIG, PROJECT, Quality, Settings, SettingsError, load_settings, split_words

# A file of its own, so that a user may edit media_config.yaml and still run the tests.
SAMPLE = """\
language: en
lecture:
  title:
    en: "How a Transformer pays attention"
    zh: "Transformer 如何分配注意力"
  lessons: [briefing, qkv, split_concat, searchlights, seat_number, waves, clock]
example:
  sentence:
    en: "The tired cat sat on the warm mat"
    zh: "疲惫 的 猫 坐 在 温暖 的 垫子 上"
  d_model: 8
  n_heads: 4
  seed: 7
render:
  format: landscape
  quality: 480p15
  theme: dark
  captions: drawn
  reading_speed:
    en: 2.6
    zh: 4.5
  hold: 0.8
gif:
  kinds: [gif]
  width: 800
  fps: 15
  colours: 128
  max_mb: 5
  max_frames: 0
  hold_last: 1.5
  loops: 0
  captions: true
out: "media"
narration:
  engine:
    en: hibari
    zh: kokoro
  voice:
    en: heart
    zh: zf_xiaoxiao
  speed: 1.0
"""
LINES = {
    "language": 1,
    "lecture.title.en": 4,
    "lecture.title.zh": 5,
    "lecture.lessons": 6,
    "example.sentence.en": 9,
    "example.sentence.zh": 10,
    "example.d_model": 11,
    "example.n_heads": 12,
    "example.seed": 13,
    "render.format": 15,
    "render.quality": 16,
    "render.theme": 17,
    "render.captions": 18,
    "render.reading_speed.en": 20,
    "render.reading_speed.zh": 21,
    "render.hold": 22,
    "gif.kinds": 24,
    "gif.width": 25,
    "gif.fps": 26,
    "gif.colours": 27,
    "gif.max_mb": 28,
    "gif.max_frames": 29,
    "gif.hold_last": 30,
    "gif.loops": 31,
    "gif.captions": 32,
    "out": 33,
    "narration.engine.en": 36,
    "narration.engine.zh": 37,
    "narration.voice.en": 39,
    "narration.voice.zh": 40,
    "narration.speed": 41,
}


def changed(lines: dict[str, str]) -> str:
    """The sample with other lines in the place of those of some keys."""
    text = SAMPLE.split("\n")
    for key, line in lines.items():
        text[LINES[key] - 1] = line
    return "\n".join(text)


def line_with(key: str, value: object) -> str:
    """The sample's line of a key, with another value."""
    return f"{SAMPLE.splitlines()[LINES[key] - 1].split(':')[0]}: {value}"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return load(tmp_path_factory.mktemp("sample"), SAMPLE)


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "media_config.yaml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def problems(tmp_path: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    assert all(problem.isprintable() for problem in caught.value.problems), "one line each"
    assert str(caught.value) == "\n".join(caught.value.problems)
    return caught.value.problems


def test_the_shipped_file_is_valid() -> None:
    assert set(load_settings().flat()) == set(LINES)


def test_every_key_is_explained_in_the_shipped_file() -> None:
    lines = CONFIG.read_text(encoding="utf-8").split("\n")
    for key in LINES:
        name = key.rsplit(".", 1)[-1]
        number = next(n for n, line in enumerate(lines) if line.strip().startswith(f"{name}:"))
        assert "#" in "".join(lines[number - 4 : number + 1]), key


def test_the_sample_is_read_as_written(sample: Settings) -> None:
    assert sample.language == "en"
    assert sample.lecture.lessons == tuple(LESSONS)
    assert sample.words("en") == ("The", "tired", "cat", "sat", "on", "the", "warm", "mat")
    assert sample.words("zh") == ("疲惫", "的", "猫", "坐", "在", "温暖", "的", "垫子", "上")
    assert sample.render.quality == Quality("480p15", 854, 480, 15)
    assert (sample.render.hold, sample.gif.max_mb, sample.gif.captions) == (0.8, 5, True)
    assert sample.folder() == PROJECT / "media"


# Every line of the list of troubles that people meet in this file.
TROUBLES = {
    "comment as value": (
        "gif.colours",
        "  colours: #FFAA00",
        "2 to 256",
        'nothing (# starts a comment; text that starts with # needs quotes: "#FFAA00")',
    ),
    "comment as text": ("render.theme", "  theme: #dark", "dark or light", 'needs quotes: "#dark"'),
    "lang no": ("language", "language: no", "en or zh", "no (YAML 1.1 reads it as false)"),
    "start 12:30": ("render.hold", "  hold: 12:30", "0.5 to 5", "12:30 (YAML 1.1 reads it as a number in base 60)"),
    "aspect 16:9": (
        "render.quality",
        "  quality: 16:9",
        "480p15, 720p30",
        "16:9 (YAML 1.1 reads it as a number in base 60)",
    ),
    "eps 1e-6": ("render.hold", "  hold: 1e-6", "0.5 to 5", "1e-6; the nearest is 0.5"),
    "fps twice": ("gif.colours", "  fps: 30", "duplicate key", f"it is already set in line {LINES['gif.fps']}"),
    "colon in title": (
        "lecture.title.en",
        "    en: Attention: intro",
        "cannot parse en: Attention: intro",
        'put the value in quotes: en: "Attention: intro"',
    ),
    "full-width colon": ("gif.fps", "  fps：30", "cannot parse fps：30", "write a plain colon and a space: fps: 30"),
    "tab": ("gif.fps", "\tfps: 30", "tabs are not allowed", "use spaces"),
    "[CLS] token": ("lecture.title.en", "    en: [CLS] token", "cannot parse en: [CLS] token", 'en: "[CLS] token"'),
    "[CLS]": (
        "lecture.title.en",
        "    en: [CLS]",
        "text in quotes",
        "a list (text that starts with [ or - needs quotes)",
    ),
    "*Q": ("lecture.title.en", "    en: *Q", "*Q is a reference", 'put text in quotes: "*Q"'),
    ".nan": ("render.hold", "  hold: .nan", "0.5 to 5", ".nan (not a finite number)"),
    "unknown key": ("gif.fps", "  fsp: 15", 'unknown key "fsp"', 'did you mean "fps"?'),
    "text for a number": ("gif.fps", "  fps: fast", "a whole number from 1 to 50", 'found "fast"'),
    "quoted number": ("gif.fps", '  fps: "15"', "a whole number from 1 to 50", 'found "15"'),
    "full-width number": (
        "gif.fps",
        "  fps: １５",
        "a whole number",
        'found "１５" (full-width characters; plain ones are "15")',
    ),
    "decimal for a whole number": ("gif.fps", "  fps: 30.0", "a whole number from 1 to 50", "found 30.0"),
    "truth for a number": ("gif.fps", "  fps: true", "a whole number from 1 to 50", "found true"),
    "truth for a decimal": ("render.hold", "  hold: true", "a number of seconds", "found true"),
    "number for truth": ("gif.captions", "  captions: 1", "true or false", "found 1"),
    "yes for truth": ("gif.captions", "  captions: yes", "true or false", "found yes (YAML 1.1 reads it as true)"),
    "number for text": ("lecture.title.en", "    en: 2024", "found 2024", 'put it in quotes: "2024"'),
    "no for text": (
        "lecture.title.en",
        "    en: no",
        "found no (YAML 1.1 reads it as false)",
        'put it in quotes: "no"',
    ),
    "hexadecimal": (
        "example.seed",
        "  seed: 0x1F",
        "a whole number from 0",
        "found 0x1F (YAML reads it as a number in another base)",
    ),
    "octal": (
        "example.seed",
        "  seed: 010",
        "a whole number from 0",
        "found 010 (versions of YAML read it differently)",
    ),
    "nothing": ("render.theme", "  theme:", "dark or light", "found nothing"),
    "number that is written otherwise": ("lecture.title.en", "    en: 1.10", "found 1.10", 'in quotes: "1.10"'),
    "power of ten": ("gif.max_mb", "  max_mb: 1030e0", "found 1030e0", "the nearest is 100"),
    "truth in capitals": ("lecture.title.en", "    en: True", "found True", 'in quotes: "True"'),
    "text that a comment cuts": (
        "lecture.title.en",
        "    en: a #b",
        "# after unquoted text starts a comment",
        'put the text in quotes: "a #b", or write a comment with two spaces before # and one after it',
    ),
    "text that a spaced comment cuts": (
        "lecture.title.en",
        "    en: Lesson # 1",
        "# after unquoted text starts a comment",
        'quotes: "Lesson # 1", or',
    ),
}


@pytest.mark.parametrize(("key", "line", "first", "then"), TROUBLES.values(), ids=TROUBLES)
def test_trouble(tmp_path: Path, key: str, line: str, first: str, then: str) -> None:
    place = f"media_config.yaml:{LINES[key]}: "
    said = next(p for p in problems(tmp_path, changed({key: line})) if p.startswith(place))
    name = {"  fps: 30": "gif.fps", "  fsp: 15": "gif.fsp"}.get(line, key)
    text = said.removeprefix(f"{place}{name}: ")
    assert text != said and first in text and then in text.partition(first)[2]


def test_a_comment_after_text_has_two_spaces_before_it(tmp_path: Path) -> None:
    for line in ("    en: Attention  # one", "    en: Attention   #", '    en: "Attention" #one', "    en: a#b"):
        title = load(tmp_path, changed({"lecture.title.en": line})).lecture.title.en
        assert title == ("a#b" if "a#b" in line else "Attention")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "\ufeff" + SAMPLE,
            "media_config.yaml:1: language: the file starts with a byte order mark (BOM); save it as UTF-8 without BOM",
        ),
        ("", "media_config.yaml:1: the file is empty; write lines such as language: en"),
        (
            "- language: en\n",
            "media_config.yaml:1: expected keys, found a list (text that starts with [ or - needs quotes); "
            "write lines such as language: en",
        ),
    ],
    ids=["BOM", "empty file", "list at top level"],
)
def test_trouble_with_the_whole_file(tmp_path: Path, text: str, said: str) -> None:
    assert problems(tmp_path, text) == (said,)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("example.d_model", 5, "expected 4, 6 or 8, found 5; the nearest is 4 or 6"),
        ("example.d_model", 12, "expected 4, 6 or 8, found 12; the nearest is 8"),
        ("example.n_heads", 0, "that divides d_model 8, found 0; the nearest is 1"),
        ("example.n_heads", 3, "that divides d_model 8, found 3; the nearest is 2 or 4"),
        ("example.n_heads", 8, "that divides d_model 8, found 8; the nearest is 4"),
        ("example.seed", -1, "expected a whole number from 0 to 4294967295, found -1; the nearest is 0"),
        ("example.seed", 2**32, "the nearest is 4294967295"),
        ("gif.fps", 51, "the nearest is 50"),
        ("gif.fps", 0, "the nearest is 1"),
        ("gif.width", 801, "expected an even number of pixels, found 801; the nearest is 800 or 802"),
        ("gif.colours", 1, "the nearest is 2"),
        ("gif.max_mb", 0, "the nearest is 0.1"),
        ("gif.loops", -1, "the nearest is 0"),
        ("gif.max_frames", -1, "the nearest is 0"),
        ("gif.hold_last", 61, "expected a number of seconds from 0 to 60, found 61; the nearest is 60"),
        ("gif.kinds", "[]", "the list is empty; name at least one kind"),
        ("gif.kinds", "[gif, gif]", "gif is listed twice; name each kind once"),
        ("gif.kinds", "gif", 'expected a list of kinds such as [gif, webp, avif, mp4], found "gif"'),
        ("gif.kinds", "[wepb]", 'item 1: unknown kind "wepb"; did you mean "webp"?'),
        ("render.hold", 9, "the nearest is 5"),
        ("render.reading_speed.en", 0, "the nearest is 0.5"),
        (
            "render.quality",
            "853x480@15",
            "853x480 has an odd side, which video cannot have; the nearest size is 854x480",
        ),
        ("render.quality", "1280x721@15", "the nearest size is 1280x720"),
        ("render.quality", "800x600@15", "800x600 is not 16:9; the nearest size is 800x450"),
        ("render.quality", "64x36@15", "64x36 is outside 128x72 to 7680x4320; the nearest size is 128x72"),
        ("render.quality", "8192x4608@15", "the nearest size is 7680x4320"),
        ("render.quality", "1280x720@120", "120 frames a second is outside 1 to 60; use 60"),
        ("render.quality", "1080p24", "expected 480p15, 720p30, 1080p30, 1080p60, 2160p30, or a size and rate"),
        ("lecture.lessons", "[]", "the list is empty; name at least one lesson"),
        ("lecture.lessons", "[qkv, qkv]", "qkv is listed twice; name each lesson once"),
        ("lecture.lessons", "qkv", "expected a list of lessons such as [briefing, qkv"),
        ("lecture.lessons", "[clock, cloc]", 'item 2: unknown lesson "cloc"; did you mean "clock"?'),
        ("lecture.lessons", "[clock, x]", 'item 2: unknown lesson "x"; expected one of briefing, qkv'),
        ("lecture.lessons", "[clock, 3.50]", "item 2: expected a list of lessons"),
        ("lecture.lessons", "[clock, 3.50]", 'found 3.50; put it in quotes: "3.50"'),
        ("render.format", "portrait", 'expected landscape (16:9) or phone (4:5), found "portrait"'),
        ("render.format", "gif", "gif is a kind of file, which belongs into gif.kinds; expected landscape or phone"),
        ("render.theme", "drak", 'expected dark or light, found "drak"'),
        ("lecture.title.en", '" "', "the text is empty; write at least one word"),
        ("lecture.title.en", '"a\\tb"', 'the character U+0009 in "a\\tb" cannot be seen; delete it'),
        ("lecture.title.en", "x" * 81, 'expected text in quotes, of up to 80 characters, found 81 characters: "x'),
        ("example.sentence.en", '"cat"', "expected a sentence of 2 to 12 words, separated by spaces, found 1 word"),
        ("example.sentence.en", '"' + "a " * 13 + '"', "found 13 words"),
        ("example.sentence.en", '"a ' + "b" * 25 + '"', "has 25 characters; at most 24 are allowed"),
        ("example.sentence.en", '"a b\\n c"', "the character U+000A in"),
        ("example.sentence.en", '"a \\u202Eb"', "the character U+202E in"),
        ("out", ".", "holds files of the project; choose a folder of its own, such as media"),
        ("out", '"a/../scenes/x"', "holds files of the project"),
        ("out", ".git/films", "holds files of the project"),
        ("out", "pyproject.toml", "holds files of the project"),
        ("out", '"~/films"', "~ is not expanded in"),
        ("out", "../../x", "is outside the project's folder; choose one inside it, such as media"),
        ("out", '"media/../../x"', "is outside the project's folder"),
        ("out", "/somewhere/else", "or use --out"),
    ],
)
def test_values_out_of_range_name_the_nearest(tmp_path: Path, key: str, value: object, said: str) -> None:
    [problem] = problems(tmp_path, changed({key: line_with(key, value)}))
    assert problem.startswith(f"media_config.yaml:{LINES[key]}: {key}")
    assert said in problem


@pytest.mark.parametrize(
    "size", ["854x480", "256x144", "128x72", "1280x720", "7680x4320", "848x478", "426x240", "1366x768"]
)
def test_even_sizes_near_16_to_9_pass(sample: Settings, size: str) -> None:
    quality = sample.with_overrides(quality=f"{size}@24").render.quality
    assert f"{quality.width}x{quality.height}" == size and quality.fps == 24


@settings(deadline=None)
@given(st.integers(1, 9000), st.integers(1, 6000), st.sampled_from(list(FORMATS)))
def test_the_nearest_size_that_is_named_is_valid(sample: Settings, width: int, height: int, shape: str) -> None:
    try:
        sample.with_overrides(quality=f"{width}x{height}@30", format=shape)
    except SettingsError as error:
        nearest = str(error).rsplit(" ", 1)[1]
        assert sample.with_overrides(quality=f"{nearest}@30", format=shape).render.quality.fps == 30


@pytest.mark.parametrize(
    ("quality", "size"),
    [
        ("480p15", (480, 600)),
        ("720p30", (720, 900)),
        ("1080p30", (1080, 1350)),
        ("2160p30", (2160, 2700)),
        ("1080x1920@30", (1080, 1920)),
        ("540x960@30", (540, 960)),
    ],
)
def test_a_phone_film_is_4_to_5_or_9_to_16(sample: Settings, quality: str, size: tuple[int, int]) -> None:
    found = sample.with_overrides(format="phone", quality=quality).render.quality
    assert (found.width, found.height, found.format) == (*size, "phone")
    assert sample.with_overrides(format="phone", quality="1080x1350@60").render.quality.name == "1080p60"


def test_a_size_must_have_the_format_s_ratio(sample: Settings) -> None:
    for shape, size, said in (
        ("phone", "1280x720@30", "is not 4:5 or 9:16, which the format phone needs; the nearest size is"),
        ("landscape", "1080x1350@30", "is not 16:9; the nearest size is"),
        ("phone", "big", "or a size and rate such as 720x900@30"),
    ):
        with pytest.raises(SettingsError, match=said):
            sample.with_overrides(format=shape, quality=size)


def test_a_size_that_has_a_name_gets_it(sample: Settings) -> None:
    assert sample.with_overrides(quality="1920x1080@60").render.quality == Quality("1080p60", 1920, 1080, 60)


def test_all_problems_are_reported_each_with_its_line(tmp_path: Path) -> None:
    text = changed({"language": "language: fr", "render.hold": "  hold: 99", "gif.fps": "  fsp: 3"})
    said = problems(tmp_path, text)
    assert len(said) == 4
    assert {int(problem.split(":")[1]) for problem in said} >= {
        LINES["language"],
        LINES["render.hold"],
        LINES["gif.fps"],
    }
    assert any("gif.fps: missing key; add fps: a whole number from 1 to 50" in p for p in said)


def test_a_missing_key_is_reported_at_its_section(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, changed({"render.theme": ""}))
    section = SAMPLE.splitlines().index("render:") + 1
    assert problem == f"media_config.yaml:{section}: render.theme: missing key; add theme: dark or light"


def test_a_value_in_the_place_of_a_section(tmp_path: Path) -> None:
    text = SAMPLE.partition("\nrender:")[0] + "\nrender: fast\ngif: [1]\nout: media\n"
    said = problems(tmp_path, text)
    assert 'expected a section with format, quality, theme, captions, reading_speed, hold, found "fast"' in said[0]
    assert "gif: expected a section with " in said[1] and "found a list" in said[1]


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^other.yaml: no such file: .*other.yaml; check the path$"):
        load_settings(tmp_path / "other.yaml")


@pytest.mark.parametrize(
    ("sentence", "language", "words"),
    [
        ("狗咬人", "zh", ("狗", "咬", "人")),
        ("狗 咬人", "zh", ("狗", "咬人")),
        ("我用GPT写“文章”。", "zh", ("我", "用", "GPT", "写", "“文", "章”。")),
        ("狗　咬　人", "zh", ("狗", "咬", "人")),
        ("  Don't  stop, me! ", "en", ("Don't", "stop,", "me!")),
        ("狗咬人", "en", ("狗咬人",)),
    ],
)
def test_words_keep_their_punctuation(sentence: str, language: str, words: tuple[str, ...]) -> None:
    assert split_words(sentence, language) == words


def test_overrides_change_what_they_name_and_nothing_else(sample: Settings) -> None:
    after = sample.with_overrides(
        language="zh", quality="720p30", theme="light", sentence="狗咬人", lessons=["clock"], out="films"
    )
    differing = {key for key, text in after.flat().items() if sample.flat()[key] != text}
    assert differing == {
        "language", "render.quality", "render.theme", "example.sentence.zh", "lecture.lessons", "out",
    }  # fmt: skip
    assert after.words("zh") == ("狗", "咬", "人")
    assert sample.with_overrides() == sample
    assert sample.with_overrides(lessons="clock, qkv").lecture.lessons == ("clock", "qkv")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"language": "fr"}, '--language: expected en or zh, found "fr"'),
        ({"quality": "853x480@15"}, "--quality: 853x480 has an odd side, which video cannot have; "
         "the nearest size is 854x480"),
        ({"theme": "blue"}, '--theme: expected dark or light, found "blue"'),
        ({"sentence": "cat"}, "--sentence: expected a sentence of 2 to 12 words, separated by spaces, found 1 word"),
        ({"sentence": "a \udc80"}, '--sentence: the character U+DC80 in "a \\udc80" cannot be seen; delete it'),
        ({"kinds": "gif,png"}, '--kinds: unknown kind "png"; expected one of gif, webp, avif, mp4'),
        ({"hold_last": -1.0}, "--hold-last: expected a number of seconds from 0 to 60, found -1; the nearest is 0"),
        ({"voice": "loud"}, '--voice: unknown engine "loud"; expected one of hibari, kokoro, command, silent'),
        ({"out": ""}, "--out: the text is empty; write at least one word"),
        ({"lessons": ["clok"]}, '--lessons: unknown lesson "clok"; did you mean "clock"?'),
    ],
)  # fmt: skip
def test_overrides_name_the_option(sample: Settings, options: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        sample.with_overrides(**options)
    assert caught.value.problems == (said,)


def test_settings_cannot_be_changed(sample: Settings) -> None:
    with pytest.raises(ValidationError):
        sample.language = "zh"
    with pytest.raises(ValidationError):
        sample.gif.fps = 3


def test_flat_names_every_value_as_text(sample: Settings) -> None:
    flat = sample.flat()
    assert flat["render.quality"] == "480p15"
    assert flat["lecture.lessons"] == "briefing, qkv, split_concat, searchlights, seat_number, waves, clock"
    assert flat["gif.captions"] == "true"
    assert set(flat) == set(LINES)


def test_the_worked_example_is_made_from_the_settings(sample: Settings) -> None:
    example = sample.example_for("zh")
    assert (example.words[0], example.d_model, example.n_heads, example.seed) == ("疲惫", 8, 4, 7)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_settings_or_a_settings_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    try_text(tmp_path_factory.getbasetemp(), text)


@settings(deadline=None)
@given(st.integers(0, len(SAMPLE)), st.integers(0, 30), st.text("ab1:：-*&![]{}#|>'\"., \n\t~\\九", max_size=12))
def test_any_edit_of_the_file_is_settings_or_a_settings_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, length: int, text: str
) -> None:
    try_text(tmp_path_factory.getbasetemp(), SAMPLE[:at] + text + SAMPLE[at + length :])


@settings(deadline=None)
@given(st.sampled_from(sorted(LINES)), st.text(max_size=20))
def test_any_value_is_settings_or_a_settings_error(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: object
) -> None:
    try_text(tmp_path_factory.getbasetemp(), changed({key: line_with(key, value)}))


@settings(deadline=None)
@given(*(st.none() | st.text(max_size=20) for _ in range(5)), st.none() | st.lists(st.text(max_size=9)))
def test_any_override_is_settings_or_a_settings_error(
    sample: Settings,
    language: str | None,
    quality: str | None,
    theme: str | None,
    sentence: str | None,
    out: str | None,
    lessons: list[str] | None,
) -> None:
    try:
        sample.with_overrides(
            language=language, quality=quality, theme=theme, sentence=sentence, lessons=lessons, out=out
        )
    except SettingsError as error:
        assert all(problem.isprintable() and problem.startswith("--") for problem in error.problems)


def try_text(folder: Path, text: str) -> None:
    path = folder / "media_config.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        assert isinstance(load_settings(path), Settings)
    except SettingsError as error:
        for problem in error.problems:
            assert problem.isprintable() and problem.startswith("media_config.yaml:")
            assert "; " in problem or ": expected " in problem, "what to write"
