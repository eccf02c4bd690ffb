"""Where sentences end: marks that a word, an abbreviation or a quotation carries end none."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenes.kit.sentences import bare_word, sentences

ALPHABET = "aZ1 .,!?;:\"'()词。，！？…“”：（）—·"


def cut(text: str) -> list[str]:
    return [text[start:stop] for start, stop in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["跟着“猫。”的侦探看：查询。", "好。"],
        ["真的？！", "然后"],
        ["等等！！！", "好的。"],
        ["说“好。”然后走了。"],
        ['说"好。"然后走了。'],
        ["他说：“好。”", "然后走了。"],
        ["“先别下结论。”", "队长说。"],
        ["他问：“真的吗？”，然后走了。"],
        ["（见图 2。）", "然后"],
        ["这句（见图 2。）还没完。"],
        ["嗯……然后好。"],
        ["版本是 2.0。", "宽 3.然后用 GPT.", "好"],
    ],
)
def test_chinese(parts: list[str]) -> None:
    assert cut("".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ['The word "mat." has the largest weight.', "Then go."],
        ['Follow "mat."', "Its query asks."],
        ["Dr. Smith met Prof. Li in St. Paul.", "Then they left."],
        ["Heads, e.g. this one, i.e. number 3, vs. others.", "Fine."],
        ["The U.S. Senate sat.", "He left the U.S.", "The film goes on."],
        ["It was 5 p.m. sharp.", "Come at 5 p.m.", "They wait."],
        ["See Fig. 2 and Eq. (3), No. 5, and Sec. 4.", "No.", "We do not."],
        ["Papers, films, etc.", "Vaswani et al. showed it."],
        ["A. Vaswani, N. Shazeer and George A. Miller wrote.", "Good."],
        ["Exactly as wide as X.", "The output is a row of X.", "Queries come from it."],
        ["It is 3.14 wide.", "In 2017.", "Then"],
        ["1. First comes softmax.", "softmax(QK^T) is next."],
        ["Wait... then go on...", "Then stop!"],
        ["Why?!", '"Really?" he asked.'],
        ['He said, "Stop!"', "Then he left (at once)."],
        ["A formula encodes every position.", "pos is a word's position."],
        ["Use mathcore.attend or arxiv.org here."],
    ],
)
def test_english(parts: list[str]) -> None:
    assert cut(" ".join(parts)) == parts


@given(st.text(alphabet=st.sampled_from(ALPHABET), max_size=60))
@example(". . .")
def test_every_character_is_in_one_sentence(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert [edge for span in spans for edge in span] == sorted(edge for span in spans for edge in span)
    if len(spans) > 1:
        assert all(any(char.isalnum() for char in text[a:b]) for a, b in spans[1:])
    # No sentence starts with what closes or ends another.
    assert all(text[a] not in "，。！？”）…" for a, _ in spans[1:])


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("mat.", "mat"), ("mat!?", "mat"), ("猫。", "猫"), ("“猫。”", "猫"), ('"go."', "go"), ("‘go’", "go"),
        ("dogs'", "dogs'"), ("it’s.", "it’s"), ("U.S.", "U.S."), ("Dr.", "Dr."), ("[CLS]", "[CLS]"), ("...", "..."),
        ("。", "。"), ("2.5", "2.5"),
    ],
)  # fmt: skip
def test_a_word_without_its_punctuation(word: str, bare: str) -> None:
    assert bare_word(word) == bare


@given(st.text(alphabet=st.sampled_from(ALPHABET), min_size=1, max_size=12))
def test_a_bare_word_has_all_its_letters_and_is_bare(word: str) -> None:
    bare = bare_word(word)
    assert bare in word and bare_word(bare) == bare
    assert [c for c in bare if c.isalnum()] == [c for c in word if c.isalnum()]
