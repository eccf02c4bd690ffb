"""The loader of what the lessons say, and its slots."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.example import WorkedExample
from mathcore.named import Entry
from scenes.kit.lines import SlotValue, fill
from scenes.kit.values import formatted
from scenes.words import Words, WordsError, load_sources, load_words, marks_of, slots_of

LESSON = """\
title: "Three notebooks"
alt: "A matrix is multiplied by three others."
say:
  case_file: "Each word is a row of {n} numbers."
  query: >-
    A query asks,
    a key answers.
labels:
  query: "Query"
sources: [vaswani2017]
"""
SOURCES = """\
vaswani2017:
  authors: "Vaswani"
  year: 2017
  title: "Attention Is All You Need"
  where: "NeurIPS 2017"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    words = tmp_path / "words"
    (words / "en").mkdir(parents=True)
    (words / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    (words / "en" / "qkv.yaml").write_text(LESSON, encoding="utf-8")
    return words


def test_a_lesson_is_read(folder: Path) -> None:
    assert load_words("en", "qkv", folder) == Words(
        title="Three notebooks",
        alt="A matrix is multiplied by three others.",
        say={"case_file": "Each word is a row of {n} numbers.", "query": "A query asks, a key answers."},
        labels={"query": "Query"},
        sources=("vaswani2017",),
    )


def test_labels_and_sources_may_be_left_out(folder: Path) -> None:
    (folder / "en" / "qkv.yaml").write_text('title: "T"\nalt: "A"\nsay:\n  one: "1"\n', encoding="utf-8")
    words = load_words("en", "qkv", folder)
    assert words.labels == {} and words.sources == ()


DRAWN = """\
drawn:
  alt: "Made up."
  say:
    case_file: "{n} numbers, made up."
  labels:
    query: "A query, made up"
"""


def test_words_for_drawn_parameters_replace_some(folder: Path) -> None:
    path = folder / "en" / "qkv.yaml"
    plain = load_words("en", "qkv", folder)
    path.write_text(LESSON + DRAWN, encoding="utf-8")
    words = load_words("en", "qkv", folder)
    assert (words.title, words.alt, words.say, words.labels) == (plain.title, plain.alt, plain.say, plain.labels)
    drawn = words.told_of(WorkedExample(("walrus",)))
    assert drawn.alt == "Made up." and drawn.title == plain.title
    assert drawn.say == {**plain.say, "case_file": "{n} numbers, made up."}
    assert drawn.labels == {"query": "A query, made up"}
    assert words.told_of(WorkedExample(("cat",))) is words
    # Words that are always the same ask for no example.
    assert plain.told_of(None) is plain  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "key", "said"),
    [
        ("{n} numbers, made up", "made up", "drawn.say.case_file", "the slots differ from those of say.case_file (n)"),
        ("numbers, made up.", "{@now}numbers.", "drawn.say.case_file", "the marks differ from those of say.case_file"),
        ("    case_file", "    case_fil", "drawn.say.case_fil", 'unknown key "case_fil"; did you mean "case_file"?'),
        ("A query, made up", "Query", "drawn.labels.query", "the text is that of labels.query; delete it here"),
        ("Made up.", "A matrix is multiplied by three others.", "drawn.alt", "the text is that of alt; delete it here"),
        ("  alt", "  title", "drawn.title", 'unknown key "title"'),
    ],
)
def test_a_wrong_word_for_drawn_parameters_is_named(folder: Path, old: str, new: str, key: str, said: str) -> None:
    (folder / "en" / "qkv.yaml").write_text(LESSON + DRAWN.replace(old, new), encoding="utf-8")
    with pytest.raises(WordsError) as caught:
        load_words("en", "qkv", folder)
    assert f": {key}: {said}" in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "said"),
    [
        (
            '"Query"',
            "no",
            9,
            "labels.query",
            'expected text in quotes, found no (YAML 1.1 reads it as false); put it in quotes: "no"',
        ),
        ('"Query"', "12", 9, "labels.query", 'expected text in quotes, found 12; put it in quotes: "12"'),
        ('"Query"', "1.10", 9, "labels.query", 'expected text in quotes, found 1.10; put it in quotes: "1.10"'),
        ('"Query"', "Query #1", 9, "labels.query", "# after unquoted text starts a comment; put the text in quotes"),
        ('"Query"', "#Q", 9, "labels.query", "expected text in quotes, found nothing (# starts a comment; "),
        (
            '"Query"',
            "{w}",
            9,
            "labels.query",
            'expected text in quotes, found a section (text that starts with { needs quotes), such as "Each',
        ),
        ('"Query"', '"{w.x}"', 9, "labels.query", "{w.x} is no slot; write a slot as {name}, and {{ or }} for a brace"),
        ('"Query"', '" "', 9, "labels.query", "the text is empty; write one line"),
        ('"Query"', '"a\\nb"', 9, "labels.query", 'line breaks in "a\\nb"; write one line'),
        ("labels:", "lables:", 8, "lables", 'unknown key "lables"; did you mean "labels"?'),
        ("alt:", "other:", 2, "other", 'unknown key "other"; expected one of title, alt, say'),
        ("  case_file:", "  case file:", 4, "say.case file", '"case file" cannot be a key; write a plain name'),
        (
            '  query: "Query"',
            "  - query",
            8,
            "labels",
            "expected a section (indented lines of name: text), found a list",
        ),
        (
            "[vaswani2017]",
            "[vaswani]",
            10,
            "sources, item 1",
            'unknown source "vaswani"; did you mean "vaswani2017"?',
        ),
        ("[vaswani2017]", "vaswani2017", 10, "sources", 'expected a list such as [vaswani2017], found "vaswani2017"'),
        (
            "[vaswani2017]",
            "[vaswani2017, vaswani2017]",
            10,
            "sources, item 2",
            "vaswani2017 is listed twice; name each source once",
        ),
        ('title: "Three notebooks"\n', "", 1, "title", "missing key; add it and its value"),
    ],
)
def test_a_wrong_lesson_names_file_line_key_and_what_to_write(
    folder: Path, old: str, new: str, line: int, key: str, said: str
) -> None:
    assert old in LESSON
    (folder / "en" / "qkv.yaml").write_text(LESSON.replace(old, new), encoding="utf-8")
    with pytest.raises(WordsError) as caught:
        load_words("en", "qkv", folder)
    assert str(caught.value).startswith(f"words/en/qkv.yaml:{line}: {key}: {said}")
    assert str(caught.value).isprintable()


def test_a_lesson_without_beats_is_refused(folder: Path) -> None:
    (folder / "en" / "qkv.yaml").write_text('title: "T"\nalt: "A"\nsay: {}\n', encoding="utf-8")
    with pytest.raises(WordsError, match=r"words/en/qkv.yaml:3: say: there are no beats; write a line"):
        load_words("en", "qkv", folder)


@pytest.mark.parametrize(
    ("language", "lesson"), [("en", "missing"), ("fr", "qkv"), ("en", "../sources"), ("..", "qkv"), ("en", "a\0b")]
)
def test_other_files_are_not_read(folder: Path, language: str, lesson: str) -> None:
    with pytest.raises(WordsError, match=r"no such file: |is no language and lesson"):
        load_words(language, lesson, folder)


def test_the_shipped_sources() -> None:
    sources = load_sources()
    assert sources["vaswani2017"].title == "Attention Is All You Need"
    assert sources["press2022"].title.startswith("Train Short, Test Long")
    assert {"clark2019", "voita2019", "michel2019", "jain2019", "devlin2019", "alammar2018"} <= set(sources)
    assert all(name == source.id and source.where for name, source in sources.items())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2017\n  title", "no\n  title", "sources.yaml:3: vaswani2017.year: expected a year from 1900 to 2100, found"),
        ("  year: 2017\n", "", "sources.yaml:1: vaswani2017.year: missing key; add it and its value"),
        ("where:", "were:", 'sources.yaml:5: vaswani2017.were: unknown key "were"; did you mean "where"?'),
    ],
)  # fmt: skip
def test_wrong_sources_are_named(folder: Path, old: str, new: str, said: str) -> None:
    (folder / "sources.yaml").write_text(SOURCES.replace(old, new), encoding="utf-8")
    with pytest.raises(WordsError) as caught:
        load_sources(folder)
    assert str(caught.value).startswith(f"words/{said}")


def test_slots() -> None:
    text = "{word} gets {weight} of {{x}}, {word} again"
    assert slots_of(text) == ("word", "weight")
    values = {"word": "{weight}", "weight": "0.5", "unused": "1"}
    assert fill(text, values, "en").text == "{weight} gets 0.5 of {x}, {weight} again"


@pytest.mark.parametrize(
    "text",
    ["{w.__class__}", "{w[0]}", "{w!r}", "{w:>9}", "{w:}", "{:about}", "{}", "{0}", "{ w }", "{w", "w}", "{{w}", "{词}",
     "{a{b}}", "{@w:about}"],
)  # fmt: skip
def test_slots_are_plain_names_only(text: str) -> None:
    for read in (slots_of, lambda text: fill(text, {"w": "1"}, "en")):
        with pytest.raises(WordsError, match=r" is no slot; write a slot as \{name\}"):
            read(text)


def test_a_missing_slot_names_place_and_slot() -> None:
    with pytest.raises(WordsError) as caught:
        fill("{a} and {b}", {"a": "1"}, "en", "en/qkv.yaml: say.query")
    assert str(caught.value) == 'en/qkv.yaml: say.query: unknown slot "b"; expected one of a'


@settings(deadline=None)
@given(st.text(alphabet="{}ab.!:[] ", max_size=30))
def test_a_text_has_good_slots_or_is_refused(text: str) -> None:
    try:
        names = slots_of(text)
    except WordsError as error:
        assert str(error).isprintable()
    else:
        assert fill(text, dict.fromkeys(names, ""), "en") is not None


def test_numbers_in_words_are_tied_to_their_entries() -> None:
    ratio, plain = Entry("clock.ratio", (), 10.0), Entry("clock.shift", (), 3.0, whole=True)
    values: dict[str, SlotValue] = {"ratio": formatted(ratio, 0), "shift": plain, "word": "cat"}
    line = fill("每根{ratio:fraction}，{@now}{shift} 步", values, "zh")
    assert line.text == "每根十分之一，3 步" and line.moments == {"now": 7}
    assert [(t.entry, t.text, line.text[slice(*(t.span or ()))], t.form) for t in line.provenance] == [
        (ratio, "十分之一", "十分之一", "fraction"),
        (plain, "3", "3", ""),
    ]
    assert fill("{ratio:fraction}, {shift:count}", values, "en").text == "a tenth, three"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{word:count}", "say.a: {word:count}: word is a word, which has no form; write {word}"),
        ("{x:count}", "say.a: {x:count}: 0.5 is not a count; write {x}"),
        ("{x:fraction}", "say.a: {x:fraction}: 0.5 is not a number of parts; write {x}"),
    ],
)
def test_a_form_that_does_not_fit_is_named(line: str, told: str) -> None:
    with pytest.raises(WordsError) as caught:
        fill(line, {"word": "cat", "x": Entry("x", (), 0.5)}, "en", "say.a")
    assert str(caught.value) == told


@settings(deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="ab:{}[]\"' \n-", max_size=60).map(lambda tail: f"{LESSON}{tail}"))
def test_any_text_is_words_or_a_words_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    words = tmp_path_factory.getbasetemp() / "words"
    (words / "en").mkdir(parents=True, exist_ok=True)
    (words / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    (words / "en" / "qkv.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        assert isinstance(load_words("en", "qkv", words), Words)
    except WordsError as error:
        assert str(error).isprintable()


def test_marks_are_no_text_and_have_their_place_in_it() -> None:
    text = "its {@query}query {w}, {{x}} and {@key}key"
    line = fill(text, {"w": "0.72"}, "en")
    assert line.text == "its query 0.72, {x} and key"
    assert line.moments == {"query": 4, "key": 24}
    assert marks_of(text) == ("query", "key") and slots_of(text) == ("w",)


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("{n:count} words", "only spoken lines say numbers in words, as {n:count}; write {n}"),
        ("{@n}words", "{@n} is a mark, which only spoken lines have; delete it"),
        ("{n:fractions}", '{n:fractions}: unknown form "fractions"; did you mean "fraction"?'),
    ],
)
def test_labels_show_digits_and_have_no_marks(folder: Path, label: str, told: str) -> None:
    (folder / "en" / "qkv.yaml").write_text(LESSON.replace('"Query"', f'"{label}"'), encoding="utf-8")
    with pytest.raises(WordsError) as caught:
        load_words("en", "qkv", folder)
    assert str(caught.value) == f"words/en/qkv.yaml:9: labels.query: {told}"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{@query}a {@query}b", "the mark {@query} is there twice; use each mark once"),
        ("{@}a", "{@} is no slot; write a slot as {name}"),
        ("{@a b}c", "{@a b} is no slot; write a slot as {name}"),
    ],
)
def test_a_wrong_mark_is_named(folder: Path, line: str, told: str) -> None:
    path = folder / "en" / "qkv.yaml"
    path.write_text(LESSON.replace("Each word is a row of {n} numbers.", line), encoding="utf-8")
    with pytest.raises(WordsError, match=r"words/en/qkv.yaml:4: say.case_file: ") as caught:
        load_words("en", "qkv", folder)
    assert told in str(caught.value)
