"""Text in any script is drawn as written, or refused with the character named."""

import unicodedata
from pathlib import Path

import manimpango
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from manim import tempconfig
from typst import TypstError

from mathcore.example import WorkedExample
from mathcore.named import NamedArray
from scenes.kit import text as text_module
from scenes.kit.formula import formula
from scenes.kit.grid import Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.outline_cache import Outlines
from scenes.kit.text import (
    BODY,
    SMALLEST,
    FontError,
    Number,
    Rolling,
    TextLine,
    _outline,
    digit_glyphs,
    film_font,
    fitted,
    in_two_rows,
    missing_glyphs,
)
from scenes.kit.tokens import TokenRow
from scenes.kit.values import formatted
from scenes.settings import Settings, SettingsError, load_settings, split_words

# Scripts written from right to left, marks, signs that nobody sees, emoji, markup, Chinese, joined and broken letters.
SIGNS = st.text(
    "אבשלוםمرحبانमस्तेกำ\u0301\u0308\u0304\u200b\u200d\u202e\ufeff\u00ad\ufe0f🐱👨👩☂"
    "&<>\"'{}\\%$`|;/.#é狗词，。ﬁʼ1aQ \ud800\0",
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def plain() -> Settings:
    return load_settings()


@settings(deadline=None, max_examples=60)
@given(SIGNS | st.text(max_size=10))
@example("e\u0301te\u0301")
@example("<b>a</b>&amp;")
@example("{x.__class__}{0!r}%s")
@example("a" * 300)
@example("q\u0301")
@example("\u1112\u1161\u11ab")
def test_any_sentence_is_refused_or_drawn_as_written(plain: Settings, text: str) -> None:
    try:
        words = plain.with_overrides(sentence=f"{text} and", language="en").words("en")
    except SettingsError as error:
        assert all(problem.isprintable() and problem.startswith("--sentence: ") for problem in error.problems)
        return
    for word in words:
        if missing := missing_glyphs(word):
            assert set(missing) <= set(unicodedata.normalize("NFC", word))
            continue
        line = TextLine(word)
        # Every character is there with its own curves, in the order in which it is written.
        curves = sum(len(_outline(c, False)[0]) for c in unicodedata.normalize("NFC", word))
        assert len(line.points) == 8 + curves
        assert np.isfinite(line.points).all()


def test_an_accented_letter_is_one_character_however_it_is_typed() -> None:
    assert split_words("e\u0301te\u0301 cafe\u0301", "en") == ("été", "café")
    assert np.array_equal(_outline("e\u0301", False)[0], _outline("é", False)[0])


@pytest.mark.parametrize("character", ["q\u0301", "a\u200bb", "a\u00adb", "א", "ا", "स", "🐱", "☂\ufe0f"])
def test_what_cannot_be_drawn_is_named(character: str) -> None:
    assert missing_glyphs(f"x {character} y") == "".join(c for c in character if c not in "qab☂")


def test_letters_that_a_font_joins_are_an_error_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def joined(*arguments: object, **options: object) -> None:
        raise ValueError("fewer glyphs\nthan characters")

    monkeypatch.setattr(text_module, "Text", joined)
    monkeypatch.setattr(text_module, "_advance_of_em", lambda weight: 1.0)
    with pytest.raises(FontError, match=r'^"joined" has letters that the font joins, .*; use others$'):
        text_module._parse("joined", False)


def test_a_missing_font_is_named_with_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manimpango, "list_fonts", lambda: ["Comic Sans"])
    film_font.cache_clear()
    with pytest.raises(FontError, match=r'^font "Noto Sans CJK SC" is not installed; Debian: apt-get install'):
        film_font()
    film_font.cache_clear()


@pytest.mark.parametrize("source", ["QK^T", "softmax(x)", "d_model"])
def test_names_that_typst_does_not_know_are_refused(source: str, tmp_path: Path) -> None:
    with tempconfig({"media_dir": str(tmp_path)}), pytest.raises(TypstError, match="unknown variable"):
        formula(source)


@pytest.mark.parametrize("source", ["Q K^T", 'op("softmax")(x)', 'd_"model"'])
def test_names_as_typst_wants_them_are_set(source: str, tmp_path: Path) -> None:
    with tempconfig({"media_dir": str(tmp_path)}):
        assert len(formula(source)) >= 3


def test_the_digits_of_a_grid_are_parsed_once(plain: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = plain.with_overrides(sentence="a b c d e f g h i j k l", language="en").example_for("en").heads[0].weights
    assert weights.shape == (12, 12)
    Grid(weights)
    drawn: list[str] = []

    def noted(key: object, make: object) -> Outlines:
        drawn.append(str(key))
        raise AssertionError("parsed again")

    monkeypatch.setattr(text_module, "cached", noted)
    assert len(Grid(weights).get_family()) > 288 and drawn == []


def test_a_heat_map_is_one_picture(plain: Settings) -> None:
    weights = plain.example_for("en").heads[0].weights
    heat = HeatMap(weights, 3, 3)
    assert len(heat.get_family()) == 3 and heat.image.pixel_array.shape[:2] == weights.shape
    assert len(heat.provenance) == weights.values.size


def test_a_cut_word_remembers_what_it_says_in_full() -> None:
    line = fitted("internationalization", 0.6)
    assert line.text.endswith("…") and line.whole == "internationalization" and line.width <= 0.6


def test_a_word_too_wide_for_a_row_stands_in_two() -> None:
    line = in_two_rows("misunderstandings", 0.9)
    assert line.text == line.whole == "misunderstandings" and line.width <= 0.9
    assert line.drawn_size == pytest.approx(SMALLEST)
    one = fitted("the", 0.9, SMALLEST)
    assert np.allclose(line.get_center()[1], one.get_center()[1], atol=0.08)
    # Two rows, one above the other, with nothing between them.
    heights = line.points[8:, 1]
    assert heights.max() - heights.min() > 1.6 * one.height
    longer = in_two_rows("misunderstandings", 0.7)
    assert longer.text.endswith("…") and longer.text.startswith("misund") and longer.width <= 0.71
    chinese = in_two_rows("从头到尾", 0.45)
    assert chinese.text == "从头到尾" and len(chinese.points) == len(TextLine("从头到尾").points)


def test_cards_of_long_words_have_two_rows_and_short_ones_one() -> None:
    cards = TokenRow(("Extraordinarily", "long", "words", *("misunderstandings",) * 9), 13.2)
    assert [label.text for label in cards.labels[:3]] == ["Extraordinarily", "long", "words"]
    assert {label.text for label in cards.labels[3:]} == {"misunderstandings"}
    assert cards.labels[0].get_center()[1] == pytest.approx(cards.cards[0].get_center()[1])


def test_a_number_rolls_within_its_line_without_new_typesetting() -> None:
    waves = WorkedExample(("cat", "sat"), d_model=8, n_heads=4).waves
    line = Rolling("PE(", waves.moments.entry(149), ")", 28, bold=True).move_to((2, 1, 0))
    typeset = TextLine("PE(2.98)", 28, bold=True).move_to((2, 1, 0))
    assert line.text == "PE(2.98)" and line.provenance[0].text == "2.98"
    assert line.ink_box == pytest.approx(typeset.ink_box, abs=0.01)
    digits, of_typeset = line.box_of(0), 0.5 * (typeset.ink_box[0] + typeset.ink_box[2])
    assert line.ink_box[0] < digits[0] < of_typeset < digits[2] < line.ink_box[2]
    digit_glyphs(bold=True)
    before = _outline.cache_info().misses
    line.change_to(waves.moments.entry(333))
    assert (line.text, line.provenance[0].entry.index) == ("PE(6.66)", (333,))
    assert _outline.cache_info().misses == before
    assert np.allclose(line.get_center(), (2, 1, 0), atol=1e-9)


def test_a_line_that_is_only_made_smaller_is_not_cut() -> None:
    for text in ("internationalization", "权重 × 值之和", "Sentence Embeddings using Siamese", "how much reaches"):
        whole = TextLine(text, BODY).width
        for share in range(75, 100):
            assert fitted(text, whole * share / 100, BODY).text == text, (text, share)


def test_a_value_is_written_as_its_array_asks_or_as_its_format_says() -> None:
    count, share = NamedArray(1_048_576, "count", ()), NamedArray(np.array([0.125, 3.0]), "share", ("case",))
    assert Number(count).text == "1048576" and Number(share[0]).text == "0.13" and Number(share[1]).text == "3.00"
    assert Number(formatted(count, grouped=True)).text == "1,048,576"
    assert Number(formatted(share[1], 0, signed=True)).text == "+3"
    # A number that changes keeps its format.
    assert Number(formatted(share[0], 1)).change_to(share.entry(1)).text == "3.0"
    with pytest.raises(IndexError, match="not a single value"):
        Number(share)
