"""Captions: cut at punctuation, then by display width, in both scripts."""

from hypothesis import given
from hypothesis import strategies as st

from scenes.kit.captions import ROW_WIDTH, ROWS, cues_of, display_width, reading_time, rows_of, split_line

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
    assert all(display_width(row) <= ROW_WIDTH for row in rows)
    assert all(cue[-1][-1] in "，。：、；" for cue in cues)


def test_a_run_without_spaces_is_never_split() -> None:
    for width in range(16, 60):
        assert any("softmax(QK^T)" in row for row in rows_of(CHINESE, width)), width


def test_wide_characters_count_two() -> None:
    assert display_width("ab词") == 4
    assert display_width("e\u0301") == 1


def test_english_cues_follow_sentences() -> None:
    assert split_line("First this. Then that!") == [("First this.",), ("Then that!",)]
    assert split_line("It costs 3.5 units.") == [("It costs 3.5 units.",)]


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
