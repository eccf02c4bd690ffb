"""What lessons say: the same keys and slots in both languages, sources that exist, captions that fit."""

import re

import pytest

from scenes.kit.captions import ROWS, split_line
from scenes.kit.text import missing_glyphs
from scenes.lessons import CARDS, LESSONS
from scenes.words import Mark, Slot, load_sources, load_words, marks_of, parts_of, slots_of
from scripts.studio.stage import lesson_class

ALL = [*LESSONS, *CARDS]


@pytest.mark.parametrize("name", ALL)
def test_both_languages_have_the_same_keys_and_slots(name: str) -> None:
    english, chinese = load_words("en", name), load_words("zh", name)
    assert english.say.keys() == chinese.say.keys()
    assert english.labels.keys() == chinese.labels.keys()
    assert english.sources == chinese.sources
    for beat in english.say:
        assert set(marks_of(english.say[beat])) == set(marks_of(chinese.say[beat])), beat
        assert set(slots_of(english.say[beat])) == set(slots_of(chinese.say[beat])), beat
    for key in english.labels:
        assert set(slots_of(english.labels[key])) == set(slots_of(chinese.labels[key])), key


@pytest.mark.parametrize("name", ALL)
def test_both_languages_tell_the_same_parts_otherwise_of_drawn_parameters(name: str) -> None:
    changed = []
    for language in ("en", "zh"):
        words = load_words(language, name)
        drawn = words.drawn or words
        parts = (("say", words.say, drawn.say), ("labels", words.labels, drawn.labels))
        changed.append({(part, key) for part, one, other in parts for key in one if one[key] != other[key]})
        # Whoever names the parameters says which they are.
        assert ("parameters" in words.labels) == (("labels", "parameters") in changed[-1])
        if words.drawn:
            # The caption test and the glyph test hold for both wordings.
            assert all(len(rows) <= ROWS for line in drawn.say.values() for rows in split_line(_said(line)))
            assert missing_glyphs("".join([drawn.alt, *drawn.say.values(), *drawn.labels.values()])) == ""
            assert not any(re.search(r"\d", text.replace("MiniLM-L6", "")) for text in drawn.say.values())
    assert changed[0] == changed[1]


def _said(line: str) -> str:
    return "".join(f"{{{p.name}}}" if isinstance(p, Slot) else p for p in parts_of(line) if not isinstance(p, Mark))


# What only trained parameters are said to be, and what only drawn ones are.
TRAINED = {"en": r"train|learn", "zh": "训练"}
MADE_UP = {"en": r"illustrative|made up|made-up|not trained", "zh": "示意|未经训练"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ALL)
def test_no_film_of_trained_parameters_calls_them_made_up(name: str, language: str) -> None:
    words = load_words(language, name)
    for text in (words.alt, *words.say.values(), *words.labels.values()):
        assert not re.search(MADE_UP[language], text), text
    if words.drawn and "parameters" in words.labels:
        assert re.search(TRAINED[language], words.labels["parameters"])
        assert re.search(MADE_UP[language], words.drawn.labels["parameters"])


@pytest.mark.parametrize("name", ALL)
def test_there_is_a_line_for_each_beat_and_no_other(name: str) -> None:
    assert tuple(load_words("en", name).say) == lesson_class(name).beats


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ALL)
def test_no_digit_is_typed_in(name: str, language: str) -> None:
    words = load_words(language, name)
    for key, text in {"title": words.title, **words.say, **words.labels}.items():
        # The model's name is a name.
        assert not re.search(r"\d", text.replace("MiniLM-L6", "")), (key, text)


# Labels of sums, products and rows beside the rounded digits that they are made of.
ROUNDED = {
    "briefing": {"product", "add", "scale", "times", "arrives", "total"},
    "qkv": set[str](),
    "split_concat": set[str](),
    "searchlights": set[str](),
    "waves": {"wave"},
    "clock": {"speed", "next", "turned", "turn"},
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ROUNDED)
def test_fact_31_sums_and_products_of_rounded_numbers_say_so(name: str, language: str) -> None:
    labels = load_words(language, name).labels
    assert {key for key, text in labels.items() if text.endswith("≈") or "≈ {" in text} == ROUNDED[name]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ALL)
def test_captions_fit_and_every_character_can_be_drawn(name: str, language: str) -> None:
    words = load_words(language, name)
    for line in words.say.values():
        assert all(len(rows) <= ROWS for rows in split_line(_said(line)))
    assert missing_glyphs("".join([words.title, *words.say.values(), *words.labels.values()])) == ""
    assert words.alt


@pytest.mark.parametrize("name", ALL)
def test_chinese_is_chinese_and_english_is_english(name: str) -> None:
    han = re.compile(r"[\u4e00-\u9fff]")
    english, chinese = load_words("en", name), load_words("zh", name)
    assert not any(han.search(text) for text in (english.title, *english.say.values(), *english.labels.values()))
    # A line that is nothing but a slot is filled from the labels.
    spoken = (text for text in (chinese.title, *chinese.say.values()) if re.sub(r"{\w+}", "", text).strip())
    assert all(han.search(text) for text in spoken)


@pytest.mark.parametrize("name", ALL)
def test_sources_exist(name: str) -> None:
    assert set(load_words("en", name).sources) <= set(load_sources())


@pytest.mark.parametrize("name", ALL)
def test_no_quotation_mark_stands_beside_another_mark(name: str) -> None:
    """Both are an em wide in a Chinese font, so that a hole would be seen between them."""
    words = load_words("zh", name)
    for key, text in {**words.say, **words.labels, "title": words.title, "alt": words.alt}.items():
        assert not re.search("[，。、；：？！]“|”[，。、；：？！（]", text) or key == "alt", (key, text)


@pytest.mark.parametrize("name", ALL)
def test_a_term_in_two_languages_is_explained_once_a_lesson(name: str) -> None:
    """键（Key） the first time it is said, 键 from then on: a listener does not hear which jiàn is meant."""
    said = "".join(load_words("zh", name).say.values())
    for chinese, english in (("查询", "Query"), ("键", "Key"), ("值", "Value")):
        assert said.count(f"{chinese}（{english}）") <= 1
        assert said.count(english) == said.count(f"{chinese}（{english}）")


# What is not to be written, and what is instead.
TERMS = {
    "en": {"position encoding": "positional encoding", "position vector": "positional encoding"},
    "zh": {"小队": "团队", "小组": "团队", "位置向量": "位置编码", "每一对数": "每一对分量", "报时": "指示时间"},
}


@pytest.mark.parametrize("language", list(TERMS))
@pytest.mark.parametrize("name", ALL)
def test_one_thing_has_one_name(name: str, language: str) -> None:
    words = load_words(language, name)
    for text in (words.title, words.alt, *words.say.values(), *words.labels.values()):
        for other, term in TERMS[language].items():
            assert other not in text.lower(), f"{text}: write {term}"
