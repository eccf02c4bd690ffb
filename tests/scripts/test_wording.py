"""Numbers and signs as words: each form in both languages, and nothing of meaning is left out, whatever is written."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from scenes.words.cardinals import chinese_cardinal, english_cardinal
from scripts.studio.sound.lexicon import SpeechError, parts_of
from scripts.studio.sound.signs import SIGNS, SILENT
from scripts.studio.sound.wording import spoken_text, worded

ENTRIES = {"W_O": "W O", "QK^T": "Q K transpose", "d_k": "d k", "softmax": "/sˈɔftmæks/", "L6": "L 6"}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("GPT-2, GPT-3.5, T5-3B", "GPT two, GPT three point five, T five three B"),
        ("3-5 words, pages 1–3", "three to five words, pages one to three"),
        ("0.3–0.5 and −1–1", "zero point three to zero point five and minus one to one"),
        ("5–10%, 5%-10%", "five to ten percent, five percent to ten percent"),
        ("2017-06-12, 2017-06", "June twelfth, twenty seventeen, June twenty seventeen"),
        ("in 2017, (2017), 2010-2015", "in twenty seventeen, (twenty seventeen), twenty ten to twenty fifteen"),
        (
            "of 1000 positions, 1,048,576 in all",
            "of one thousand positions, one million forty-eight thousand five hundred seventy-six in all",
        ),
        ("12:30, 16:9, 9:05", "twelve thirty, sixteen to nine, nine oh five"),
        (
            "1/2, 3/4, 1 1/2, 1/512, 3½",
            "one half, three quarters, one and one half, one over five hundred twelve, three and one half",
        ),
        (
            "$5, $1, $5.50, $1.5 million, $3-5",
            "five dollars, one dollar, five dollars and fifty cents, one point five "
            "million dollars, three to five dollars",
        ),
        (
            ">90 %, x > 3, y<=2, a != b",
            "more than ninety percent, x is greater than three, y is at most two, a does not equal b",
        ),
        (
            "−0.72, -3, 5 - 3 = 2, 10-3=7",
            "minus zero point seven two, minus three, five minus three equals two, ten minus three equals seven",
        ),
        ("n-1, 1-p, N-1", "n minus one, one minus p, N minus one"),
        ("QK^T/√d_k", "Q K transpose over the square root of d k"),
        ("x^2 + y³ = z^n", "x squared plus y cubed equals z to the power of n"),
        (
            "10^6, 1e-6, e^{-x}",
            "ten to the power of six, one times ten to the power of minus six, e to the power of minus x",
        ),
        ("W_O·x, 3 × 4, 8x8", "W O times x, three times four, eight by eight"),
        ("~5, ≈ 0.5, ±3", "about five, about zero point five, plus or minus three"),
        ("1st, 22nd, the 1990s", "first, twenty-second, the nineteen nineties"),
        ("v0.22.0", "v zero point twenty-two point zero"),
        (
            "5 km/h at 20 °C, 57.30°",
            "five kilometers per hour at twenty degrees Celsius, fifty-seven point three zero degrees",
        ),
        ("24 kHz, 84 MB, 1 s", "twenty-four kilohertz, eighty-four megabytes, one second"),
        ("Dr. Li of St. Paul, e.g. No. 5, etc.", "doctor Li of saint Paul, for example number five, et cetera."),
        ("Vaswani et al., Fig. 2-1, Eq. (3)", "Vaswani and others, figure two dash one, equation (three)"),
        ("x₁, d_{\\rm model}, α", "x one, d model, alpha"),
        ("007, .5, 1.00", "zero zero seven, point five, one point zero zero"),
        ("C++, C#, #4, §3", "C plus plus, C sharp, number four, section three"),
        ("x->y, a <-> b", "x to y, a to and from b"),
        ("encoder–decoder, 4-bit, well-known", "encoder decoder, four bit, well-known"),
        ("MiniLM-L6", "MiniLM L six"),
        ("softmax(QK^T)", "softmax(Q K transpose)"),
        ("５０％ ＋ ２", "fifty percent plus two"),
        ("1\u202f048\u202f576", "one million forty-eight thousand five hundred seventy-six"),
    ],
)
def test_english(written: str, said: str) -> None:
    assert spoken_text(written, ENTRIES, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("第2个，2个，第 2 个", "第二个，两个，第二个"),
        ("2 维，2 次，2 次方，2 月，2 分之一", "二维，两次，二次方，二月，二分之一"),
        ("0-1，3~5，3～5 个，1-2个，2 到 3 个", "零到一，三到五，三到五个，一到两个，两到三个"),
        ("图2-1，第3-5行", "图二杠一，第三到五行"),
        ("1/2，3½", "二分之一，三又二分之一"),
        ("$5，$5万，€3", "五美元，五万美元，三欧元"),
        (">90 %，>=90%，p<0.05", "大于百分之九十，大于等于百分之九十，p 小于零点零五"),
        ("50%-60%，5-10%，5‰", "百分之五十到百分之六十，百分之五到百分之十，千分之五"),
        ("2017年，2017 年，2010-2015年，（2017）", "二零一七年，二零一七年，二零一零到二零一五年，（二零一七）"),
        ("12345678901234567", "一二三四五六七八九零一二三四五六七"),
        ("共 1,048,576 个，2,000，22,000", "共一百零四万八千五百七十六个，两千，两万两千"),
        ("−0.72，权重为 −0.72", "负零点七二，权重为负零点七二"),
        ("a - b，n-1，5 − 3 = 2", "a 减 b，n 减一，五减三等于二"),
        ("GPT-2 和 MiniLM-L6", "GPT 二和 MiniLM L 六"),
        ("x^2，x^3，x^n，10^6，1e-6", "x的平方，x的立方，x的n次方，十的六次方，一乘以十的负六次方"),
        ("2017-06-12，12:30，2:05，16:9", "二零一七年六月十二日，十二点三十分，两点零五分，十六比九"),
        ("≈0.5，约 0.5，±3", "约零点五，约零点五，正负三"),
        ("2 km，20 ℃，57.3°", "两公里，二十摄氏度，五十七点三度"),
        ("3×4=12，A→B", "三乘以四等于十二，A 到 B"),
        ("1.00，0.22.0，10 分之一", "一点零零，零点二十二点零，十分之一"),
        ("２０１７年，５０％", "二零一七年，百分之五十"),
        ("x₁，①，#3", "x 一，一，编号三"),
        ("阿什·瓦斯瓦尼——好～", "阿什·瓦斯瓦尼——好"),
        ("5 ㎡，二〇一七年", "五平方米，二零一七年"),
    ],
)
def test_chinese(written: str, said: str) -> None:
    assert spoken_text(written, ENTRIES, "zh") == said


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS, GROUPS = "twenty thirty forty fifty sixty seventy eighty ninety", "thousand million billion trillion quadrillion"
WORDS = {word: n for n, word in enumerate(SMALL.split(" "))}
WORDS |= {word: 10 * n for n, word in enumerate(TENS.split(" "), 2)}
SCALES = {word: 1000**n for n, word in enumerate(GROUPS.split(" "), 1)}


def value_of_english(said: str) -> int:
    """The number that words name."""
    total = group = 0
    for word in re.split("[ -]", said):
        if word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
        else:
            group += WORDS[word]
    return total + group


def value_of_chinese(said: str) -> int:
    """The number that characters name."""
    for name, unit in (("亿", 10**8), ("万", 10**4)):
        if name in said:
            high, _, low = said.partition(name)
            return value_of_chinese(high) * unit + value_of_chinese(low)
    total = digit = 0
    for char in said:
        if char in "十百千":
            total, digit = total + (digit or 1) * 10 ** (1 + "十百千".index(char)), 0
        elif char != "零":
            digit = "零一二三四五六七八九".find(char) if char != "两" else 2
    return total + digit


@given(st.integers(0, 10**16 - 1) | st.integers(0, 10**5))
def test_a_whole_number_is_the_one_that_its_words_name(number: int) -> None:
    assert value_of_english(english_cardinal(str(number))) == number
    assert value_of_chinese(chinese_cardinal(str(number))) == number


@given(st.from_regex(r"[0-9]{1,40}(\.[0-9]{1,12})?", fullmatch=True))
def test_every_decimal_and_every_digit_of_a_long_number_is_said(written: str) -> None:
    for language, digits, point in (("en", list(WORDS)[:10], "point"), ("zh", list("零一二三四五六七八九"), "点")):
        whole, _, rest = written.partition(".")
        said = spoken_text(f"{'x ' if language == 'en' else '值 '}{written}", {}, language).replace("值", "")
        names = re.findall("|".join(sorted(map(re.escape, [*digits, point]), key=len, reverse=True)), said)
        if rest:
            assert names[names.index(point) + 1 :] == [digits[int(digit)] for digit in rest]
        if len(whole) > 36:
            assert names[: len(whole)] == [digits[int(digit)] for digit in whole]


TEXT = st.text(
    alphabet=st.sampled_from("ab nXZ019.,:;-−–—+=<>≤≥≈~%°$€/×·^_√()[]{}#&@*²½α'\"“”，。：第年个行图词Td→±|"),
    max_size=24,
)


@given(TEXT, st.sampled_from(["en", "zh"]))
@example("2017-06-12/1.2.3:4-5%", "zh")
def test_any_line_is_words_or_one_clear_error(text: str, language: str) -> None:
    text = text.replace("\n", " ")
    try:
        parts = worded(text, parts_of(text, ENTRIES), language)
    except SpeechError as problem:
        # English reads no Chinese.
        assert re.match(r'the voice cannot say ".+"( \(U\+[0-9A-F]{4}\))?; add how it is said to ', str(problem))
        assert language == "en" and re.search("[第年个行图词]", text)
        return
    edges = [0, *(edge for part in parts for edge in (part.start, part.stop)), len(text)]
    assert edges[::2] == edges[1::2], "parts without gaps"
    said = spoken_text(text, ENTRIES, language)
    left = {char for char in said if not char.isalpha() and char not in SILENT}
    assert left == set()


@given(st.text(max_size=20), st.sampled_from(["en", "zh"]))
@example("٣٤ Ⅳ ㎡ 〇 ﬁ", "zh")
def test_any_characters_are_words_or_one_clear_error(text: str, language: str) -> None:
    try:
        said = spoken_text(text, {}, language)
    except SpeechError as problem:
        assert str(problem).isprintable() and str(problem).startswith("the voice cannot say ")
        return
    for char in text:
        assert not char.isdigit() or said, "a digit of any script is said"
    assert not any(char.isdigit() for char in said)


SPOKEN_SIGNS = "".join(sign for sign in SIGNS if sign not in "_") + "<>≤≥≈½²→∞"


@given(
    st.text(alphabet=st.sampled_from("ab 019词"), max_size=6),
    st.sampled_from(SPOKEN_SIGNS),
    st.text(alphabet=st.sampled_from("ab 019词"), max_size=6),
    st.sampled_from(["en", "zh"]),
)
def test_a_sign_is_never_dropped(before: str, sign: str, after: str, language: str) -> None:
    """The line without its sign would be said otherwise."""
    assume(language == "zh" or "词" not in before + after)
    with_sign, without = (spoken_text(f"{before}{middle}{after}", {}, language) for middle in (sign, " "))
    letters = [re.sub(r"[\W_]", "", said) for said in (with_sign, without)]
    drawn_out = sign == "~" and before.endswith("词")
    assert letters[0] != letters[1] or drawn_out


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("char", ["☃", "\\", "п", "😀", "क"])
def test_what_cannot_be_said_is_named_with_what_to_write(char: str, language: str) -> None:
    with pytest.raises(SpeechError) as caught:
        spoken_text(f"a {char} b", {}, language)
    told = f"(U+{ord(char):04X}); add how it is said to "
    assert f"{told}scenes/words/{language}/lexicon.yaml" in str(caught.value) and str(caught.value).isprintable()
    assert spoken_text(f"a {char} b", {char: "snow" if language == "en" else "雪"}, language)
