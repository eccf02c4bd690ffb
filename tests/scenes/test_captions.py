"""Captions: cut at punctuation, then by display width, in both scripts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.formats import LANDSCAPE
from scenes.kit.captions import ROWS, cues_of, display_width, reading_time, rows_of, split_line
from scenes.settings import load_settings
from scripts.studio.pieces import Piece
from scripts.studio.stage import lines_of

CHINESE = (
    "取 X 的一行、W_Q 的一列，逐对相乘再相加：先缩放，再用 softmax(QK^T) 归一化，"
    "最后按权重把所有的值加起来，得到这个词在全文里的案情摘要。"
)


def test_long_chinese_lines_break_at_punctuation_and_never_start_with_it() -> None:
    cues = split_line(CHINESE)
    rows = [row for cue in cues for row in cue]
    assert len(rows) > 2
    assert all(row[0] not in "，。》、：；" for row in rows)
    assert all(len(cue) <= ROWS for cue in cues)
    assert all(display_width(row) <= LANDSCAPE.caption_columns for row in rows)
    assert all(cue[-1][-1] in "，。：、；" for cue in cues)


def test_a_run_without_spaces_is_never_split() -> None:
    for width in range(16, 60):
        assert any("softmax(QK^T)" in row for row in rows_of(CHINESE, width)), width


def test_wide_characters_count_two() -> None:
    assert display_width("ab词") == 4
    assert display_width("e\u0301") == 1


def test_a_clause_that_fits_a_row_is_not_broken() -> None:
    line = "从 6 出发也好，每根指针转过的角度都一样：固定的步长就是固定的旋转，与起点无关。"
    rows = [row for cue in split_line(line) for row in cue]
    assert all(row[-1] in "，：。" for row in rows) and len(rows) == 2


@given(
    st.lists(st.text(alphabet=st.sampled_from("ab 词猫3"), min_size=1, max_size=24), min_size=1, max_size=8),
    st.sampled_from(["，", ", "]),
)
def test_no_clause_that_fits_a_row_is_ever_broken(clauses: list[str], comma: str) -> None:
    kept = [" ".join(clause.split()) for clause in clauses if clause.strip()]
    rows = [row for cue in split_line(comma.join(kept)) for row in cue]
    assert all(row.endswith(comma.strip()) for row in rows[:-1])


@pytest.mark.parametrize(
    ("line", "together"),
    [
        ("注意力连同输出矩阵中所有的权重与其余各层的全部参数加在一起共 1,048,576 个参数", "共 1,048,576 个"),
        ("The number of all the weights in all these matrices taken together is exactly 1,048,576 parameters",
         "exactly 1,048,576 parameters"),
        ("把每一行的分数先除以维数的平方根然后经过函数 softmax(Q K^T / √d_k) 得到每一行的权重",
         "softmax(Q K^T / √d_k)"),
        ("The product of the weights with the values of the words gives W = softmax(S), no more", "W = softmax(S)"),
        ("In the year in which all of them wrote it together they were led by Dr. Vaswani and others", "Dr. Vaswani"),
    ],
)  # fmt: skip
def test_what_belongs_together_stays_on_a_row(line: str, together: str) -> None:
    for width in range(display_width(together) + 1, LANDSCAPE.caption_columns):
        assert any(together in row for row in rows_of(line, width)), (width, rows_of(line, width))
    assert any(together in row for cue in split_line(line) for row in cue)


def test_a_verb_stays_with_its_subject_where_a_name_stands_between_commas() -> None:
    line = 'A small trained model, MiniLM-L6, reads this sentence, and we watch where "the" looks.'
    assert split_line(line) == [
        ("A small trained model, MiniLM-L6, reads this sentence,", 'and we watch where "the" looks.')
    ]


def test_a_long_english_clause_breaks_before_a_preposition_or_a_conjunction() -> None:
    (cue,) = split_line("Every head compares all of its own queries with all of its own keys and adds the values up")
    assert cue[1].split()[0] in ("with", "and", "of")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", 'Cats. mats! "Dogs?" stop.'), ("zh", "“狗。” 咬？！ 猫。"), ("zh", "狗咬了猫。")],
)
def test_a_words_punctuation_does_not_end_the_line(language: str, sentence: str) -> None:
    """The word of a slot leaves the punctuation that it has in the sentence."""
    settings = load_settings().with_overrides(language=language, sentence=sentence)
    lines = [
        line for name in ("briefing", "qkv", "clock") for line in lines_of(Piece(name), settings, language).values()
    ]
    words = {word.strip('“”"。.？！?!') for word in settings.words(language)}
    named = [found for line in lines for found in re.findall('[“"](.*?)[”"]', line)]
    assert len(named) >= 5 and set(named) <= words
    for line in lines:
        rows = [row for cue in split_line(line) for row in cue]
        assert all(row[0] not in "”，。" and row.count("“") == row.count("”") for row in rows), rows
        assert all(row.count('"') % 2 == 0 for row in rows), rows


def test_english_cues_follow_sentences() -> None:
    assert split_line("First this. Then that!") == [("First this.",), ("Then that!",)]
    assert split_line("It costs 3.5 units.") == [("It costs 3.5 units.",)]
    assert split_line("真的？！") == [("真的？！",)]
    assert split_line('The word "mat." inside. See Dr. Li, e.g. at 5.') == [
        ('The word "mat." inside.',), ("See Dr. Li, e.g. at 5.",)
    ]  # fmt: skip


def test_reading_time_counts_characters_and_words() -> None:
    assert reading_time("一二三四，", 4.0) == 1.0
    assert reading_time("one two 0.34 well-known", 2.0) == 2.0
    assert reading_time("用 softmax 算", 3.0) == 1.0


@given(st.text(alphabet=st.sampled_from("ab ,.词语，。（）“”x0\n"), max_size=300))
def test_nothing_is_lost_and_cues_do_not_overlap(text: str) -> None:
    kept = "".join("".join(row.split()) for cue in split_line(text) for row in cue)
    assert kept == "".join(text.split())
    cues = cues_of(text, 3.0, 10, 15)
    ends = [10]
    for cue in cues:
        assert cue.start == ends[-1] and cue.stop > cue.start
        assert cue.rows and all(row.strip() for row in cue.rows)
        ends.append(cue.stop)
