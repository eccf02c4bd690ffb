"""The written forms that are not words: dates, times, ranges, fractions, money, units, powers, codes, signs.

One list of forms finds what is written, in either language; a language says the forms in its own class. No engine is
needed here.
"""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from scripts.studio.sound.signs import COMPARED, CURRENCIES, DIGRAPHS, SIGNS, SILENT, UNITS

ENTRY = "\ue000"
"""Stands for each character of an entry of the lexicon, which is said as a word."""
Match = re.Match[str]

_NUMBER = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_GREEK = "Α-Ωα-ωϕϵ"
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_CURRENCY = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
_SCALE = r"(?: ?(?:thousand|million|billion|trillion)\b|[KMB](?![A-Za-z])| ?(?:万亿|[千百]?[万亿]))?"
# Digits before and after which a number does not go on.
_FROM, _TO = r"(?<![0-9])(?<![0-9][.,])", r"(?![0-9]|[.,][0-9])"
_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱᵀ"
_LOW = "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚₛₜₓ"


def _quantity(name: str) -> str:
    """Groups for a number with its sign, currency and unit; letters and signs of a formula after it are no unit."""
    unit = rf"(?: ?(?:[%‰]|(?:{_UNIT})(?![A-Za-z0-9_^²³(]| ?[=×*/])))?"
    return rf"(?P<{name}_sign>[-−+]?)(?P<{name}_money>(?:{_CURRENCY})?)(?P<{name}>{_NUMBER})(?P<{name}_unit>{unit})"


def operand_before(text: str, at: int) -> bool:
    """Whether a number, a variable or a bracket stands before a place, on which a sign there can act."""
    number, variable = rf"[0-9)\]}}%°!′²³{ENTRY}{_GREEK}₀-₉∞]$", r"(?<![A-Za-z'])[A-Za-z]'?$|[A-Za-z]_\w+$"
    return re.search(f"{number}|{variable}", text[:at].rstrip()) is not None


def operand_after(text: str, at: int) -> bool:
    """Whether a number, a variable or a bracket stands after a place."""
    number, variable = (
        rf"[-−+]?[0-9.(\[{{√∑∏∫∂∞|‖$€£¥{ENTRY}{_GREEK}]",
        r"[-−+]?[A-Za-z](?![A-Za-z']|-[A-Za-z])|[A-Za-z]+_",
    )
    return re.match(f"{number}|{variable}", text[at:].lstrip()) is not None


class Speaker(ABC):
    """What a language says for each form. One that does not hold where it stands is None, and the next is tried."""

    language = ""

    def form(self, text: str, at: int) -> tuple[int, str] | None:
        """The form at a place of a line, as the place where it stops and what is said; None where there is none."""
        for pattern, say in FORMS:
            match = pattern.match(text, at)
            if match and match.end() > at and (said := say(self, match)) is not None:
                return match.end(), said
        return None

    def said(self, text: str) -> str:
        """A stretch of a form, said by itself."""
        found, at = "", 0
        while at < len(text):
            stop, piece = self.form(text, at) or (at + 1, text[at])
            found = self.joined(found, piece) if stop > at + 1 or piece != text[at] else found + piece
            at = stop
        return found

    def joined(self, before: str, after: str) -> str:
        """Two pieces of speech that are written without a space between them."""
        return f"{before} {after}" if before and after and self.apart(before[-1], after[0]) else before + after

    # What a language says

    @abstractmethod
    def apart(self, before: str, after: str) -> bool:
        """Whether a space stands between two characters of what is said."""

    @abstractmethod
    def number(self, written: str, before: str, after: str) -> str:
        """A number that stands between two stretches of a line."""

    @abstractmethod
    def quantity(self, sign: str, money: str, number: str, unit: str, before: str, after: str) -> str:
        """A number with its sign, currency and unit."""

    @abstractmethod
    def date(self, year: str, month: int, day: int | None) -> str: ...

    @abstractmethod
    def clock(self, hour: int, minute: int, second: int | None) -> str: ...

    @abstractmethod
    def fraction(self, whole: str, above: str, below: str) -> str: ...

    @abstractmethod
    def power(self, exponent: str) -> str:
        """What a number or variable is raised to: squared, or the transpose."""

    @abstractmethod
    def ordinal(self, digits: str) -> str: ...

    @abstractmethod
    def decade(self, digits: str) -> str: ...

    @abstractmethod
    def between(self, start: str, stop: str) -> str: ...

    @abstractmethod
    def years(self, start: str, stop: str, after: str) -> tuple[str, str] | None:
        """Both ends of a range as years; None where they are none."""

    @abstractmethod
    def sign_words(self, sign: str) -> str:
        """A sign by itself; empty for none."""

    @abstractmethod
    def minus(self, binary: bool) -> str: ...

    @abstractmethod
    def plus(self, binary: bool) -> str: ...

    @abstractmethod
    def compared(self, sign: str, binary: bool) -> str: ...

    @abstractmethod
    def about(self, binary: bool) -> str: ...

    @abstractmethod
    def words(self, key: str) -> str:
        """Words that forms are joined with: ratio, dash, point, per, dot, number, times, size, by, over, and."""

    @abstractmethod
    def abbreviation(self, m: Match) -> str | None: ...

    # How the forms are read, in either language

    def on_date(self, m: Match) -> str | None:
        month, day = int(m["month"]), int(m["day"])
        return self.date(m["year"], month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None

    def on_month(self, m: Match) -> str:
        return self.date(m["year"], int(m["month"]), None)

    def on_clock(self, m: Match) -> str:
        return self.clock(int(m["hour"]), int(m["minute"]), int(m["second"]) if m["second"] else None)

    def on_ratio(self, m: Match) -> str:
        numbers = (self.number(number, "", "") for number in re.split("[:：]", m[0]))
        return self.words("ratio").join(numbers)

    def on_scientific(self, m: Match) -> str:
        power = f"{self.number('10', '', '')}{self.power(m['power'].replace('-', '−').removeprefix('+'))}"
        return self.number(m["number"], "", "") + self.words("times") + power

    def on_version(self, m: Match) -> str:
        first, *rest = m[0].split(".")
        numbers = [self.number(first, "", ""), *(self.number(part, "code", "") for part in rest)]
        return self.words("point").join(numbers)

    def on_chain(self, m: Match) -> str:
        return self.words("dash").join(self.number(part, "code", "") for part in re.split("[-–]", m[0]))

    def on_range(self, m: Match) -> str | None:
        text, before, after = m.string, m.string[: m.start()], m.string[m.end() :]
        tie, numbers = m["tie"].strip(), (m["a"], m["b"])
        formula = re.search(r"[=+*×÷^<>≤≥√(] ?$", before) or re.match(r" ?[=+*×÷^<>≤≥]", after)
        if m["a_sign"] and operand_before(text, m.start()):
            return None
        if tie == "-" and (formula or (re.match("[-–−]?[A-Za-z]", after) and not m["b_unit"])):
            # 10-3=7 is a difference, 3-5x a product.
            return None
        plain = not any(m[f"{name}_{part}"] for name in "ab" for part in ("sign", "money", "unit"))
        if plain and (years := self.years(*numbers, after)):
            return self.between(*years)
        money = m["b_money"] or m["a_money"]
        unit = m["b_unit"].strip()
        last = self.quantity(m["b_sign"], money, m["b"], unit, "", after)
        # Money is named once, and so is a unit, but for percent in Chinese, which comes first.
        first_unit = m["a_unit"].strip() or (unit if unit in ("%", "‰") and self.language == "zh" else "")
        first_money = m["a_money"] if m["b_money"] else ""
        first = self.quantity(m["a_sign"], first_money, m["a"], first_unit, before, after)
        return self.between(first, last)

    def on_label(self, m: Match) -> str:
        return self.words("dash").join(self.number(part, "code", "") for part in re.split("[-–.]", m[0]))

    def on_fraction(self, m: Match) -> str | None:
        if m["whole"] and operand_before(m.string, m.start()):
            return None
        return self.fraction(m["whole"] or "", m["above"], m["below"])

    def on_character(self, m: Match) -> str | None:
        """A character that stands for a number, or for plain letters: ½, ①, ℝ, Ⅳ."""
        if m[0] in SILENT:
            return None
        try:
            value = Fraction(unicodedata.numeric(m[0])).limit_denominator(1000)
        except ValueError:
            plain = unicodedata.normalize("NFKC", m[0])
            return self.said(plain) if plain != m[0] and re.fullmatch(rf"[A-Za-z{_GREEK}%°.!?]+", plain) else None
        if value.denominator == 1:
            return self.number(str(value.numerator), "", "")
        whole = re.search(r"[0-9]$", m.string[: m.start()])
        said = self.fraction("", str(value.numerator), str(value.denominator))
        return f"{self.words('and')}{said}" if whole else said

    def on_money(self, m: Match) -> str:
        after, scale = m.string[m.end() :], m["scale"].strip()
        return self.quantity(m["sign"], m["money"], f"{m['number']} {scale}".strip(), "", "", after)

    def on_money_after(self, m: Match) -> str:
        return self.quantity("", m["money"], m["number"], "", "", m.string[m.end() :])

    def on_quantity(self, m: Match) -> str | None:
        before, after = m.string[: m.start()], m.string[m.end() :]
        if m["q_sign"] and not self._unary(m):
            return None
        return self.quantity(m["q_sign"], m["q_money"], m["q"], m["q_unit"].strip(), before, after)

    def _unary(self, m: Match) -> bool:
        """Whether a minus or plus belongs to the number after it."""
        before = m.string[: m.start()]
        if not before or before[-1] in " (":
            return True
        return not operand_before(m.string, m.start()) and not re.search(r"[A-Za-z0-9]$", before)

    def on_ordinal(self, m: Match) -> str:
        return self.ordinal(m["digits"])

    def on_decade(self, m: Match) -> str:
        return self.decade(m["digits"])

    def on_power(self, m: Match) -> str:
        exponent = next(part for part in m.groups() if part is not None)
        return self.power(exponent)

    def on_superscript(self, m: Match) -> str:
        return self.power(unicodedata.normalize("NFKC", m[0]).replace("-", "−"))

    def on_subscript(self, m: Match) -> str:
        return f" {self.said(unicodedata.normalize('NFKC', m[0]).replace('-', '−'))}"

    def on_braces(self, m: Match) -> str:
        return f" {self.said(m['inside'])}"

    def on_joint(self, m: Match) -> str | None:
        """A hyphen or underscore within a name: GPT-2, d_model, 4-bit; but n-1 and 1-p are differences."""
        before, after = m.string[: m.start()], m.string[m.end() :]
        if m[0] == "-":
            variable = re.search(r"(?<![A-Za-z0-9.-])([A-Za-z])$", before)
            number = re.match(r"[0-9]+(?![A-Za-z0-9]|[-.][A-Za-z0-9])", after)
            if variable and number and (variable[1].islower() or number[0] == "1"):
                return None
            if re.search("[0-9]$", before) and re.match(r"[a-ce-vx-z](?![A-Za-z0-9'-])", after):
                return None
            if re.search(rf"(?<![A-Za-z0-9_{ENTRY}.-])[0-9.,]+$", before) and re.match("[0-9]", after):
                return None
            if re.search("[A-Za-z]$", before) and re.match("[A-Za-z]", after):
                # A compound word, which the dictionary may know.
                return "-"
        return " "

    def on_dot(self, m: Match) -> str:
        return self.words("dot")

    def on_size(self, m: Match) -> str:
        return self.words("size")

    def on_digraph(self, m: Match) -> str | None:
        if m[0] == "<-":
            # In x<-3 the minus belongs to the number.
            return None if operand_after(m.string, m.end()) else self._sign("←", m)
        return " — " if m[0].startswith("--") else self._sign(DIGRAPHS[m[0]], m)

    def on_sign(self, m: Match) -> str | None:
        return self._sign(m[0], m)

    def _sign(self, sign: str, m: Match) -> str | None:
        text, start, stop = m.string, m.start(), m.end()
        before, after = operand_before(text, start), operand_after(text, stop)
        spaced = (not text[:start] or text[start - 1] == " ", not text[stop:] or text[stop] == " ")
        # A sign acts on two numbers where it stands as near to the one as to the other.
        binary = before and (spaced[0] == spaced[1] or not spaced[0])
        if sign in COMPARED:
            return f" {self.compared(sign, binary or spaced[1])} "
        if sign in "-−–":
            if binary and after and (sign == "−" or text[stop : stop + 1] != " " or spaced[0]):
                return f" {self.minus(True)} "
            if not spaced[1] and after and not re.search("[A-Za-z0-9]$", text[:start]):
                return f" {self.minus(False)} "
            return f" {self.minus(True)} " if sign == "−" else None
        if sign == "+":
            return f" {self.plus(binary or not after)} "
        if sign in "≈~":
            if sign == "~" and not after and re.search(r"[\u3400-\u9fff]$", text[:start]):
                # A drawn-out word.
                return " "
            return f" {self.about(binary) if after or sign == '≈' else self.sign_words(sign)} "
        if sign == "·":
            return f" {self.words('by')} " if before and after else None
        if sign == "*" and before and after:
            return f" {self.words('by')} "
        if sign == "/" and before and after and not re.search("(?<![A-Z])[A-Z]/[A-Z]$", text[: stop + 1]):
            return f" {self.words('over')} "
        if sign == "#" and re.match("[0-9]", text[stop:]):
            return f" {self.words('number')} "
        if sign == "#" and re.search("[A-Z]$", text[:start]):
            return " sharp "
        said = self.sign_words(sign)
        return f" {said} " if said else None

    def on_greek(self, m: Match) -> str:
        name = unicodedata.name(m[0]).split(" WITH ")[0].removesuffix(" SYMBOL").split(" ")[-1].lower()
        return f" {name.replace('lamda', 'lambda')} "


_YEAR, _TWO = "(?P<year>[12][0-9]{3})", "[0-9]{1,2}"
_PART = rf"[A-Za-z0-9{ENTRY}{_GREEK}]"
_PATTERNS: tuple[tuple[str, Callable[[Speaker, Match], str | None]], ...] = (
    (r"<=>|<->|->|=>|<-(?!-)|<=|>=|!=|==|---?(?!-)", Speaker.on_digraph),
    (rf"{_FROM}{_YEAR}([-/.])(?P<month>{_TWO})\2(?P<day>{_TWO}){_TO}(?![-/])", Speaker.on_date),
    (rf"{_FROM}{_YEAR}[-/](?P<month>0[1-9]){_TO}(?![-/])", Speaker.on_month),
    (
        rf"{_FROM}(?<!:)(?P<hour>[01]?[0-9]|2[0-4])[:：](?P<minute>[0-5][0-9])(?:[:：](?P<second>[0-5][0-9]))?(?![0-9:])",
        Speaker.on_clock,
    ),
    (rf"{_FROM}(?:{_NUMBER})(?:[:：](?:{_NUMBER}))+(?![0-9])", Speaker.on_ratio),
    (rf"{_FROM}(?<![A-Za-z])(?P<number>{_NUMBER})[eE](?P<power>[-−+]?[0-9]+)(?![A-Za-z0-9])", Speaker.on_scientific),
    (rf"{_FROM}[0-9]+(?:\.[0-9]+){{2,}}", Speaker.on_version),
    (
        r"(?:(?<=[图表式例])|(?<=[图表式例] )|(?<=[Ff]igure )|(?<=[Ff]ig\. )|(?<=[Tt]able )|(?<=[Ee]q\. ))"
        rf"[0-9]+-[0-9]+{_TO}",
        Speaker.on_label,
    ),
    (rf"{_FROM}[0-9]+(?:[-–][0-9]+){{2,}}{_TO}", Speaker.on_chain),
    (
        rf"{_FROM}(?<![A-Za-z0-9_{ENTRY}][-.])(?<![A-Za-z_]){_quantity('a')}(?P<tie>-| ?[–~—] ?){_quantity('b')}{_TO}"
        r"(?![-–][0-9])",
        Speaker.on_range,
    ),
    (
        rf"{_FROM}(?<![/A-Za-z])(?:(?P<whole>[0-9]+) )?(?P<above>[0-9]+) ?/ ?(?P<below>[0-9]+)(?![0-9/]|[.,][0-9])",
        Speaker.on_fraction,
    ),
    (rf"(?P<sign>[-−+]?)(?P<money>{_CURRENCY}) ?(?P<number>{_NUMBER})(?P<scale>{_SCALE})", Speaker.on_money),
    (rf"{_FROM}(?P<number>{_NUMBER}) ?(?P<money>[€£₩₹₽$])(?![0-9])", Speaker.on_money_after),
    (r"(?<![0-9.,A-Za-z])(?P<digits>[0-9]+)(?:st|nd|rd|th)\b", Speaker.on_ordinal),
    (r"(?<![0-9.,A-Za-z])(?P<digits>1[1-9][0-9]0|20[0-9]0|[2-9]0)'?s\b", Speaker.on_decade),
    (_quantity("q"), Speaker.on_quantity),
    (r"(?<=[0-9]) ?x ?(?=[0-9])", Speaker.on_size),
    (
        r"\^ ?(?:\{([^{}]*)\}|\(([^()]*)\)|([-−+]?[0-9]+(?:\.[0-9]+)?|[A-Za-z⊤]))",
        Speaker.on_power,
    ),
    (f"[{_SUPER}]+", Speaker.on_superscript),
    (f"[{_LOW}]+", Speaker.on_subscript),
    (r"_\{(?:\\(?:rm|text|mathrm)\b ?)?(?P<inside>[^{}\\]*)\}", Speaker.on_braces),
    (rf"(?<={_PART})(?:[-–](?=[A-Za-z0-9{ENTRY}])|_(?={_PART}))", Speaker.on_joint),
    (
        r"(?<![A-Za-z])(?:[A-Za-z]\.)+[A-Za-z]\.?(?![A-Za-z])|(?<![A-Za-z.])(?:et )?[A-Z]?[a-z]+\.",
        lambda speaker, match: speaker.abbreviation(match),
    ),
    (r"(?<=[A-Za-z0-9_)])\.(?=[A-Za-z_])|(?<=[A-Za-z_])\.(?=[0-9])", Speaker.on_dot),
    (f"[{_GREEK}]", Speaker.on_greek),
    (rf"[-−–+≈~·*/#<>≤≥]|[{re.escape(''.join(SIGNS))}]", Speaker.on_sign),
    (r"[^\x00-\u02ff\u3001-\u303f\u3400-\u9fff\uff00-\uffef]|[¼½¾]", Speaker.on_character),
)
FORMS = tuple((re.compile(pattern), say) for pattern, say in _PATTERNS)
