"""One line really spoken in each language; `make voice` installs what speaks."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scripts.studio.sound.engines import speak
from scripts.studio.sound.lexicon import SpeechError, load_lexicon, parts_of
from scripts.studio.sound.loudness import RATE, TARGET, envelope, loudness
from scripts.studio.sound.narrator import line_of
from scripts.studio.sound.voice import Voice, missing_packages

pytestmark = [
    pytest.mark.xdist_group("voices"),
    # jieba's own, and of what it looks for.
    pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]
ENGLISH, CHINESE = Voice("hibari", "heart", "en", 1.0), Voice("kokoro", "zm_yunxi", "zh", 1.0)
LINES = {
    "en": 'The query of "cat" meets each key: divide by 2, then softmax. The weight is −0.72.',
    "zh": "“猫”的查询与每一行相遇：除以 2 个数，再经过 softmax。权重为 −0.72。",
}


@pytest.fixture
def voice(request: pytest.FixtureRequest) -> Voice:
    voice: Voice = request.param
    if missing_packages(voice.engine):
        pytest.skip(f"NOT RUN: a line in {voice.language}; make voice LANGUAGE={voice.language}")
    return voice


speaking = pytest.mark.parametrize("voice", [ENGLISH, CHINESE], indirect=True, ids=["en", "zh"])


@speaking
def test_a_line_is_spoken_as_loud_as_all_and_its_words_have_their_times(
    voice: Voice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path))
    text = LINES[voice.language]
    line = line_of(text, voice)
    samples = np.asarray(line.track / 32768, np.float32)
    assert 4 < line.times.seconds == len(line.track) / RATE < 12
    assert abs(loudness(samples) - TARGET) < 0.2
    assert 20 * np.log10(float(envelope(samples).max())) < -1
    words = line.times.words
    assert [word.start for word in words] == sorted({word.start for word in words})
    assert all(0 <= a.begin < a.end <= b.begin + 0.03 for a, b in pairwise(words))
    heard = {text[word.start : word.stop].strip('“”".,，。:：'): word for word in words}
    assert {"softmax", "−0.72"} <= set(heard)
    # Each word lasts as long as people take for it, and the line's last one ends with the sound.
    assert 0.3 < heard["softmax"].end - heard["softmax"].begin < 1.2
    assert 0.7 < heard["−0.72"].end - heard["−0.72"].begin < 2.6
    assert line.times.seconds - 0.4 < words[-1].end <= line.times.seconds
    # Where a word is told, something is heard.
    word = heard["softmax"]
    part = samples[round(word.begin * RATE) : round(word.end * RATE)]
    assert float(np.sqrt(np.mean(part**2))) > 0.02
    kept = line_of(text, voice)
    assert (kept.track == line.track).all() and kept.times == line.times
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "other"))
    assert (line_of(text, voice).track == line.track).all(), "spoken twice, it sounds the same"


@pytest.mark.parametrize("voice", [CHINESE], indirect=True, ids=["zh"])
def test_chinese_is_read_as_people_read_it(voice: Voice) -> None:
    from scripts.studio.sound.phonemes import chinese, spoken_number, syllable

    told = [("−0.5", "", "负零点五"), ("2", " 个词", "两"), ("2", "", "二"), ("50%", "", "百分之五十"),
            ("4,194,304", " 个", "四百一十九万四千三百零四"), ("28.4", " 度", "二十八点四")]  # fmt: skip
    for written, following, said in told:
        assert spoken_number(written, following) == said
    text = "每一行"
    assert [run.phonemes for run in chinese(text, parts_of(text, load_lexicon("zh")))] == [
        syllable(reading) for reading in ("mei3", "yi4", "hang2")
    ]
    with pytest.raises(SpeechError, match="read xyz9 as pinyin"):
        syllable("xyz9")


@pytest.mark.parametrize(
    ("voice", "other", "told"),
    [
        (ENGLISH, Voice("hibari", "nobody", "en", 1.0), 'narration.voice.en: read "nobody"; write one of heart'),
        (ENGLISH, Voice("hibari", "heart", "zh", 1.0), "hibari speaks English only; write kokoro"),
        (
            CHINESE,
            Voice("kokoro", "nobody", "zh", 1.0),
            'narration.voice.zh: read "nobody"; write zf_xiaoxiao, zm_yunxi',
        ),
    ],
    indirect=["voice"],
)
def test_a_voice_that_there_is_not_is_named(voice: Voice, other: Voice, told: str) -> None:
    with pytest.raises(SpeechError, match=told):
        speak("one", other, {})
