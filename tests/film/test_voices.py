"""One line really spoken in each language; `make voice` installs the engines."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scripts.studio.sound.engines import speak
from scripts.studio.sound.lexicon import HAN, SpeechError, load_lexicon
from scripts.studio.sound.loudness import RATE, TARGET, envelope, loudness
from scripts.studio.sound.narrator import Line, line_of
from scripts.studio.sound.phonemes import runs_of, stretches, syllable
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


def quiet_gaps(line: Line, longest: float = 0.4) -> list[tuple[float, float]]:
    """The stretches inside a line that are silent for longer, in seconds; 0.43 s are between sentences at least."""
    loud = np.flatnonzero(np.abs(line.track.astype(np.int32)) > 160) / RATE
    return [(float(a), float(b)) for a, b in pairwise(loud) if b - a > longest]


@pytest.mark.parametrize(
    ("voice", "one", "two"),
    [
        (
            ENGLISH,
            'Then Dr. Li of St. Paul says that "mat." is the word',
            "Doctor Li is the first. The word is the second.",
        ),
        (CHINESE, "然后他说“好。”就走了", "他说了一句。然后他就走了。"),
    ],
    indirect=["voice"],
    ids=["en", "zh"],
)
def test_a_mark_within_a_sentence_is_no_silence(
    voice: Voice, one: str, two: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path))
    assert quiet_gaps(line_of(one, voice)) == []
    (gap,) = quiet_gaps(line_of(two, voice))
    assert gap[1] - gap[0] < 0.6


@pytest.mark.parametrize("voice", [ENGLISH], indirect=True, ids=["en"])
def test_english_signs_and_names_are_phonemes(voice: Voice) -> None:
    def said(text: str) -> str:
        return " ".join(run.phonemes for run in runs_of(text, "en", load_lexicon("en")))

    pairs = [
        ("GPT-2", "GPT two"),
        ("3-5", "three to five"),
        ("0.3–0.5", "zero point three to zero point five"),
        ("2017-06-12", "June twelfth, twenty seventeen"),
        ("Dr. Li", "doctor Li"),
        ("St. Paul", "saint Paul"),
        ("No. 5", "number five"),
        ("e.g. this", "for example this"),
        ("50 %", "fifty percent"),
        ("x = 3", "x equals three"),
    ]
    for written, words in pairs:
        assert said(written) == said(words) != "", written
    assert "mˈInəs" not in said("GPT-2")
    assert said("softmax(QK^T)").startswith("sˈɔftmˌæks") and "tɹænspˈOz" in said("softmax(QK^T)")
    assert [stretch[-1].stop for stretch in stretches('"mat." is. It', runs_of('"mat." is. It', "en", {}))] == [10, 13]
    assert "." not in said("the U.S. film")


READINGS = {
    "两行": "liang3 hang2",
    "8 行": "hang2",
    "每一行": "mei3 yi1 hang2",
    "行向量": "hang2 xiang4 liang4",
    "每行长512": "mei3 hang2 chang2",
    "一份长 2 的报告": "yi1 fen4 chang2 de5 bao4 gao4",
    "进行": "jin4 xing2",
    "并行": "bing4 xing2",
    "队长说": "dui4 zhang3 shuo1",
    "增长": "zeng1 zhang3",
    "步长": "bu4 chang2",
    "高得多": "gao1 de5 duo1",
    "读得重": "du2 de5 zhong4",
    "离得远": "li2 de5 yuan3",
    "得到": "de2 dao4",
    "算得出来": "suan4 de5 chu1 lai2",
    "除以 2 得 4": "chu2 yi3 de2",
    "率为 0.5": "lv4 wei2",
    "长度为 8": "chang2 du4 wei2",
    "“垫子”，为 0.35": "dian4 zi5 wei2",
    "为每个词写": "wei4 mei3 ge4 ci2 xie3",
    "每盏灯为“猫”写": "mei3 zhan3 deng1 wei4 mao1 xie3",
    "因为": "yin1 wei4",
    "让它成为查询": "rang4 ta1 cheng2 wei2 cha2 xun2",
    "降为前一根": "jiang4 wei2 qian2 yi1 gen1",
    "彼此重叠": "bi3 ci3 chong2 die2",
    "权重": "quan2 zhong4",
    "i 数的是第几对": "shu3 de5 shi4 di4 ji3 dui4",
    "从0数起": "cong2 shu3 qi3",
    "每一对数": "mei3 yi1 dui4 shu4",
    "读数": "du2 shu4",
    "转一圈": "zhuan4 yi4 quan1",
    "指针转 57 度": "zhi3 zhen1 zhuan4 du4",
    "转过": "zhuan4 guo5",
    "旋转": "xuan2 zhuan3",
    "转置": "zhuan3 zhi4",
    "一对一对地比较": "yi1 dui4 yi1 dui4 de5 bi3 jiao4",
    "地方": "di4 fang1",
    "分量": "fen1 liang4",
    "词都会": "ci2 dou1 hui4",
    "出处": "chu1 chu4",
    "残差": "can2 cha1",
    "MiniLM-L6 只懂英文": "zhi3 dong3 ying1 wen2",
    "这里只为对比": "zhe4 li3 zhi3 wei4 dui4 bi3",
    "由训练学得": "you2 xun4 lian4 xue2 de2",
    "一只": "yi1 zhi1",
    "圈出": "quan1 chu1",
    "各头的偏好": "ge4 tou2 de5 pian1 hao4",
    "切线": "qie1 xian4",
    "懂得一个": "dong3 de5 yi2 ge4",
}


@pytest.mark.parametrize("voice", [CHINESE], indirect=True, ids=["zh"])
def test_chinese_is_read_as_people_read_it(voice: Voice) -> None:
    lexicon = load_lexicon("zh")
    for text, reading in READINGS.items():
        runs = runs_of(text, "zh", lexicon)
        han = [run.phonemes.strip("“”,.") for run in runs if HAN.fullmatch(text[run.start : run.stop].strip("“”，。 "))]
        assert han == [syllable(pinyin) for pinyin in reading.split()], text
    for written, words in (
        ("第2个", "第二个"),
        ("2个", "两个"),
        ("0-1", "零到一"),
        ("图2-1", "图二杠一"),
        ("1/2", "二分之一"),
        ("$5", "五美元"),
        (">90 %", "大于百分之九十"),
        ("2017年", "二零一七年"),
    ):
        assert signs_of(written, lexicon) == signs_of(words, lexicon), written
    with pytest.raises(SpeechError, match="xyz9 is not a pinyin syllable"):
        syllable("xyz9")


def signs_of(text: str, lexicon: Mapping[str, str]) -> str:
    return "".join(run.phonemes for run in runs_of(text, "zh", lexicon)).replace(" ", "")


@pytest.mark.parametrize(
    ("voice", "other", "told"),
    [
        (
            ENGLISH,
            Voice("hibari", "nobody", "en", 1.0),
            'narration.voice.en: unknown voice "nobody"; expected one of heart',
        ),
        (ENGLISH, Voice("hibari", "heart", "zh", 1.0), "hibari speaks English only; set narration.engine.zh to kokoro"),
        (
            CHINESE,
            Voice("kokoro", "nobody", "zh", 1.0),
            'narration.voice.zh: unknown voice "nobody"; expected one of zf_xiaoxiao, zm_yunxi',
        ),
    ],
    indirect=["voice"],
)
def test_a_voice_that_there_is_not_is_named(voice: Voice, other: Voice, told: str) -> None:
    with pytest.raises(SpeechError, match=told):
        speak("one", other, {})
