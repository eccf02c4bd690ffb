"""A written line in words alone, in English and in Chinese. No engine is needed here.

A character of meaning that no form takes is named in an error, never left out.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from scenes.kit.sentences import CLOSING, sentences
from scenes.words import cardinals
from scripts.studio.sound.forms import ENTRY, Match, Speaker
from scripts.studio.sound.lexicon import HAN, Part, SpeechError, parts_of
from scripts.studio.sound.signs import ABBREVIATIONS, COMPARED, CURRENCIES, NARROW, SIGNS, SILENT, TITLES, UNITS

_SCALES = {"K": "thousand", "M": "million", "B": "billion"}
_CHINESE_SCALES = {
    "K": "千",
    "thousand": "千",
    "M": "百万",
    "million": "百万",
    "B": "十亿",
    "billion": "十亿",
    "trillion": "万亿",
}


class English(Speaker):
    language = "en"

    def apart(self, before: str, after: str) -> bool:
        return before.isalnum() and after.isalnum()

    def number(self, written: str, before: str, after: str) -> str:
        if re.fullmatch("[0-9]{4}", written) and self._is_year(written, before, after):
            return cardinals.english_year(written)
        return cardinals.english_number(written)

    def _is_year(self, written: str, before: str, after: str) -> bool:
        """In 2017; (2017); et al., 2017; but in 1536 dimensions, 1000 positions."""
        ended = not re.match(r" ?[A-Za-z%/×+*=-]", after)
        if written[:2] in ("19", "20"):
            return bool(
                re.search(r"\b(?:[Ii]n|[Ss]ince|until|till|by|of|year|years|[A-Z][a-z]+) $", before)
                or (ended and re.search(r"(?:\b[Ff]rom|\b[Tt]o|\b[Bb]efore|\b[Aa]fter|[A-Za-z.],) $|\($", before))
            )
        return "11" <= written[:2] < "19" and ended and bool(re.search(r"\b(?:[Ii]n|[Ss]ince|year) $", before))

    def years(self, start: str, stop: str, after: str) -> tuple[str, str] | None:
        if not re.fullmatch("(?:19|20)[0-9]{2}", start) or re.match(" [a-z]+s", after):
            return None
        if re.fullmatch("(?:19|20)[0-9]{2}", stop):
            return cardinals.english_year(start), cardinals.english_year(stop)
        return (cardinals.english_year(start), cardinals.english_number(stop)) if len(stop) == 2 else None

    def quantity(self, sign: str, money: str, number: str, unit: str, before: str, after: str) -> str:
        written, _, scale = number.partition(" ")
        said = {"": "", "+": "plus "}.get(sign, "minus ")
        cents = re.fullmatch(r"([0-9,]+)\.([0-9]{2})", written)
        if money and cents and not scale and CURRENCIES[money][0].split(" ")[-1] in ("dollar", "euro"):
            whole, rest = cents[1], cents[2].removeprefix("0")
            parts = [self._many(whole, CURRENCIES[money][0])] if whole != "0" or rest == "0" else []
            parts += [self._many(rest, "cent")] if rest != "0" else []
            return said + " and ".join(parts)
        if scale:
            said += f"{cardinals.english_number(written)} {_SCALES.get(scale, scale)}"
            return f"{said} {CURRENCIES[money][0]}s" if money else said
        if money:
            return said + self._many(written, CURRENCIES[money][0])
        if unit in ("%", "‰"):
            return f"{said}{cardinals.english_number(written)} {SIGNS[unit][0]}"
        if unit:
            return said + self._many(written, UNITS[unit][0])
        return said + self.number(written, before, after)

    def _many(self, written: str, thing: str) -> str:
        """A number of things: one dollar, two meters per second."""
        said = cardinals.english_number(written)
        if written == "1" or thing in ("yuan", "won", "hertz") or thing.endswith("hertz"):
            return f"{said} {thing}"
        first = thing.split(" ", maxsplit=1)[0]
        plural = first not in ("US", "Hong", "square", "cubic")
        return f"{said} {thing.replace(first, f'{first}s', 1) if plural else f'{thing}s'}"

    def date(self, year: str, month: int, day: int | None) -> str:
        said = cardinals.MONTHS[month - 1] + (f" {cardinals.english_ordinal(str(day))}," if day else "")
        return f"{said} {cardinals.english_year(year)}"

    def clock(self, hour: int, minute: int, second: int | None) -> str:
        said = cardinals.english_cardinal(str(hour))
        said += f" {'oh ' if minute < 10 else ''}{cardinals.english_cardinal(str(minute))}" if minute else " o'clock"
        return said if second is None else f"{said} and {self._many(str(second), 'second')}"

    def fraction(self, whole: str, above: str, below: str) -> str:
        said = f"{cardinals.english_cardinal(whole)} and " if whole else ""
        number = int(above)
        if below in ("2", "4") and above == "1":
            return f"{said}one {'half' if below == '2' else 'quarter'}"
        if 0 < number < int(below) and (int(below) <= 12 or re.fullmatch("10+", below)):
            name = "quarter" if below == "4" else cardinals.english_ordinal(below)
            return f"{said}{cardinals.english_cardinal(above)} {name}{'s' if number > 1 else ''}"
        return f"{said}{cardinals.english_cardinal(above)} over {cardinals.english_cardinal(below)}"

    def power(self, exponent: str) -> str:
        known = {"2": " squared", "3": " cubed", "T": " transpose", "⊤": " transpose"}
        return known.get(exponent) or f" to the power of {self.said(exponent).strip()}"

    def ordinal(self, digits: str) -> str:
        return cardinals.english_ordinal(digits)

    def decade(self, digits: str) -> str:
        said = cardinals.english_year(digits) if len(digits) == 4 else cardinals.english_cardinal(digits)
        return f"{said[:-1]}ies" if said.endswith("y") else f"{said}s"

    def between(self, start: str, stop: str) -> str:
        return f"{start} to {stop}"

    def sign_words(self, sign: str) -> str:
        return SIGNS.get(sign, ("", ""))[0]

    def minus(self, binary: bool) -> str:
        return "minus"

    def plus(self, binary: bool) -> str:
        return "plus"

    def compared(self, sign: str, binary: bool) -> str:
        return COMPARED[sign][0 if binary else 1]

    def about(self, binary: bool) -> str:
        return "is about" if binary else "about"

    def words(self, key: str) -> str:
        return {
            "ratio": " to ",
            "dash": " dash ",
            "point": " point ",
            "dot": " dot ",
            "size": " by ",
            "times": " times ",
            "and": " and ",
            "by": "times",
            "over": "over",
            "number": "number",
        }[key]

    def abbreviation(self, m: Match) -> str | None:
        word, after = m[0].removesuffix("."), m.string[m.end() :]
        known = ABBREVIATIONS.get(word.lower(), "")
        if word.lower() in TITLES:
            named = word[0].isupper() and re.match(" ?[A-Z]", after) is not None
            known = TITLES[word.lower()] if named else "street" if word == "St" else ""
        if known and m[0].endswith("."):
            return known
        if word in ("No", "no", "Nos", "nos") and re.match(" ?[0-9]", after):
            return "numbers" if word.lower() == "nos" else "number"
        # Letters that are spelled; a.b is a name of code.
        spelled = "." in word and (m[0].endswith(".") or word.isupper())
        return word.upper() if spelled else None


class Chinese(Speaker):
    language = "zh"

    def apart(self, before: str, after: str) -> bool:
        return before.isascii() and after.isascii() and before.isalnum() and after.isalnum()

    # What comes after two of something, which is 两 then, and not 二.
    _MEASURES = re.compile(
        r"[个根行列条对块盏只本种位队张层句字词人倍份组页步段篇章天年秒周项名台部支束幅片侧边端头类轮点维门米元万亿千]"
        r"|分钟|小时|公里|千克|次(?!方)"
    )
    _NO_MEASURES = re.compile("维|头部|点[0-9零]")

    def number(self, written: str, before: str, after: str) -> str:
        if before == "code":
            return cardinals.chinese_digits(written) if len(written) > 3 else cardinals.chinese_cardinal(written)
        following = after.removeprefix(" ")
        if re.fullmatch("[0-9]{4}", written) and (
            following.startswith("年") or (before[-1:] in tuple("(（") and after[:1] in tuple(")）"))
        ):
            return cardinals.chinese_digits(written)
        # 2 到 3 个 counts as 2 个 does.
        following = re.sub(r"^(?:到|至|或|、) ?[0-9]+ ?", "", following)
        if written == "2" and self._MEASURES.match(following) and not self._NO_MEASURES.match(following):
            return "二" if before.rstrip().endswith("第") else "两"
        return cardinals.chinese_number(written)

    def years(self, start: str, stop: str, after: str) -> tuple[str, str] | None:
        years = all(re.fullmatch("[12][0-9]{3}", year) for year in (start, stop)) and after.lstrip().startswith("年")
        return (cardinals.chinese_digits(start), cardinals.chinese_digits(stop)) if years else None

    def quantity(self, sign: str, money: str, number: str, unit: str, before: str, after: str) -> str:
        written, _, scale = number.partition(" ")
        said = {"": "", "+": "正"}.get(sign, "负")
        if unit in ("%", "‰"):
            return f"{said}{'百' if unit == '%' else '千'}分之{cardinals.chinese_number(written)}"
        thing = CURRENCIES[money][1] if money else UNITS[unit][1] if unit else ""
        scale = _CHINESE_SCALES.get(scale, scale)
        counted = scale or (thing if unit not in ("°", "°C", "℃", "°F", "℉") else "")
        return f"{said}{self.number(written, before, counted or after)}{scale}{thing}"

    def date(self, year: str, month: int, day: int | None) -> str:
        said = f"{cardinals.chinese_digits(year)}年{cardinals.chinese_cardinal(str(month))}月"
        return said + (f"{cardinals.chinese_cardinal(str(day))}日" if day else "")

    def clock(self, hour: int, minute: int, second: int | None) -> str:
        said = f"{'两' if hour == 2 else cardinals.chinese_cardinal(str(hour))}点"
        if minute or second is not None:
            said += f"{'零' if 0 < minute < 10 else ''}{cardinals.chinese_cardinal(str(minute))}分"
        else:
            said += "整"
        return said if second is None else f"{said}{cardinals.chinese_cardinal(str(second))}秒"

    def fraction(self, whole: str, above: str, below: str) -> str:
        said = f"{cardinals.chinese_cardinal(whole)}又" if whole else ""
        return f"{said}{cardinals.chinese_cardinal(below)}分之{cardinals.chinese_cardinal(above)}"

    def power(self, exponent: str) -> str:
        known = {"2": "的平方", "3": "的立方", "T": "转置", "⊤": "转置"}
        return known.get(exponent) or f"的{self.said(exponent).strip()}次方"

    def ordinal(self, digits: str) -> str:
        return f"第{cardinals.chinese_cardinal(digits)}"

    def decade(self, digits: str) -> str:
        return f"{cardinals.chinese_digits(digits) if len(digits) == 4 else cardinals.chinese_cardinal(digits)}年代"

    def between(self, start: str, stop: str) -> str:
        return f"{start}到{stop}"

    def sign_words(self, sign: str) -> str:
        return SIGNS.get(sign, ("", ""))[1]

    def minus(self, binary: bool) -> str:
        return "减" if binary else "负"

    def plus(self, binary: bool) -> str:
        return "加" if binary else "正"

    def compared(self, sign: str, binary: bool) -> str:
        return COMPARED[sign][2]

    def about(self, binary: bool) -> str:
        return "约等于" if binary else "约"

    def words(self, key: str) -> str:
        return {
            "ratio": "比",
            "dash": "杠",
            "point": "点",
            "dot": "点",
            "size": "乘",
            "times": "乘以",
            "and": "又",
            "by": "乘以",
            "over": "除以",
            "number": "编号",
        }[key]

    def abbreviation(self, m: Match) -> str | None:
        word = m[0].removesuffix(".")
        return word.upper() if "." in word and (m[0].endswith(".") or word.isupper()) else None


SPEAKERS: Mapping[str, Speaker] = {"en": English(), "zh": Chinese()}


def worded(text: str, parts: Sequence[Part], language: str) -> list[Part]:
    """The parts of a line with its numbers and signs as words; what the lexicon says stays.

    Raises: SpeechError, which names a character that cannot be said.
    """
    masked = "".join(
        ENTRY * (part.stop - part.start) if part.given else text[part.start : part.stop].translate(NARROW)
        for part in parts
    )
    # Groups of digits with a space that does not break are one number.
    masked = re.sub(r"(?<=[0-9]) (?=[0-9]{3}(?![0-9]))", lambda m: " " if text[m.start()] == " " else ",", masked)
    speaker, ends = SPEAKERS[language], {stop for _, stop in sentences(text)}
    found: list[Part] = []
    for part in parts:
        if part.given:
            # What an entry says may have numbers of its own.
            said = part.said if part.said.startswith("/") else speaker.said(part.said)
            found.append(Part(part.start, part.stop, said, given=True))
            continue
        at = plain = part.start
        while at < part.stop:
            form = speaker.form(masked, at)
            if form is None:
                _check(text, masked, at, language)
                at += 1
                continue
            stop, said = form
            if plain < at:
                found.append(Part(plain, at, masked[plain:at]))
            if text[stop - 1] == "." and _closes(text, stop, ends):
                # An abbreviation's full stop that ends the sentence as well.
                said += "."
            if found and found[-1].stop == at and found[-1].form:
                # What is written without a space is said as one.
                found[-1] = Part(found[-1].start, stop, speaker.joined(found[-1].said, said), form=True)
            else:
                found.append(Part(at, stop, said, form=True))
            at = plain = stop
        if plain < at:
            found.append(Part(plain, at, masked[plain:at]))
    return found


def _closes(text: str, stop: int, ends: set[int]) -> bool:
    while stop not in ends and text[stop : stop + 1] in (*CLOSING, '"', "'"):
        stop += 1
    return stop in ends


def _check(text: str, masked: str, at: int, language: str) -> None:
    """Refuse a character that is neither a letter of the language nor a mark of its punctuation."""
    stop = at
    while stop < len(text) and not _sayable(masked[stop], language) and (stop == at or text[at].isalpha()):
        stop += 1
    if stop > at:
        raise SpeechError(unsayable(text[at:stop], language))


def _sayable(char: str, language: str) -> bool:
    if char in SILENT or char.isspace() or unicodedata.category(char) in ("Cf", "Mn", "Cc"):
        return True
    script = unicodedata.name(char, "").split(" ")[0]
    return char.isalpha() and script in (("LATIN", "CJK") if language == "zh" else ("LATIN",))


def unsayable(written: str, language: str) -> str:
    """What is read, and what to write so that it is said."""
    named = f" (U+{ord(written):04X})" if len(written) == 1 else ""
    shown = written if written.isprintable() else "?"
    return (
        f'the voice cannot say "{shown}"{named}; add how it is said to '
        f'scenes/words/{language}/lexicon.yaml: "{shown}": "..."'
    )


def spoken_text(text: str, lexicon: Mapping[str, str], language: str) -> str:
    """A line in words alone, for engines that read text; entries that are phonemes stay as they are written.

    Raises: SpeechError.
    """
    speaker, said = SPEAKERS[language], ""
    for part in worded(text, parts_of(text, lexicon), language):
        if part.form or (part.given and not part.said.startswith("/")):
            said = speaker.joined(said, part.said)
        else:
            written = text[part.start : part.stop] if part.given else part.said
            said = speaker.joined(said, written) if said[-1:] != text[part.start - 1 : part.start] else said + written
    # Signs are said with spaces around them, which Chinese characters and marks have not.
    wide = rf"(?:{HAN.pattern}|[，。；：！？（])"
    return re.sub(rf"(?<={wide}) +(?={HAN.pattern})| +(?=[,.;:!?)，。；：！？）]|$)|(?<= ) +", "", said).lstrip()
