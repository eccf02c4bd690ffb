"""WordPiece, as the uncased BERT vocabulary uses it: text to words, words to pieces.

Text is cleaned, put into lower case and freed of accents; punctuation marks and Chinese characters become words of
their own; a word is cut greedily into the longest pieces that the vocabulary knows, "##" marking those that continue.
Source: Devlin et al. 2019 and its published tokeniser; Schuster and Nakajima 2012.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

UNKNOWN = "[UNK]"
# The published tokeniser gives up on longer words.
_LONGEST_WORD = 100
# The blocks of CJK ideographs.
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class VocabularyError(ValueError):
    """A sentence holds something that the model has no piece for; the message names it."""


@dataclass(frozen=True)
class Pieces:
    """A sentence in pieces, [CLS] first and [SEP] last.

    `words` are the sentence's words as written, parted by spaces; `owners[i]` is the word that piece i belongs to, None
    for [CLS] and [SEP].
    """

    ids: tuple[int, ...]
    texts: tuple[str, ...]
    owners: tuple[int | None, ...]
    words: tuple[str, ...]


class WordPiece:
    """A vocabulary: a piece's number is its place in the list."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(vocabulary)}

    @classmethod
    def parse(cls, content: bytes) -> "WordPiece":
        """From the bytes of a vocabulary file: UTF-8, one piece a line."""
        # Not splitlines, which also parts at characters that could be pieces.
        return cls(content.decode("utf-8").removesuffix("\n").split("\n"))

    def __call__(self, sentence: str) -> Pieces:
        """A sentence's pieces. Raises VocabularyError for no words, or a word that has no pieces."""
        texts: list[str] = ["[CLS]"]
        owners: list[int | None] = [None]
        words: list[str] = []
        for word in clean(sentence).split():
            pieces = [piece for part in basic_words(word) for piece in self.cut(part)]
            if UNKNOWN in pieces:
                raise VocabularyError(f"the vocabulary has no pieces for {word!r}{self._strangers(word)}")
            texts += pieces
            owners += [len(words)] * len(pieces)
            # A word of nothing but accents has no pieces.
            words += [word] if pieces else []
        if not words:
            raise VocabularyError("the sentence has no words")
        texts.append("[SEP]")
        return Pieces(
            ids=tuple(self.numbers[text] for text in texts),
            texts=tuple(texts),
            owners=(*owners, None),
            words=tuple(words),
        )

    def cut(self, word: str) -> list[str]:
        """A basic word's pieces, longest first from the left; [UNK] where the vocabulary does not reach."""
        if len(word) > _LONGEST_WORD:
            return [UNKNOWN]
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in self.numbers)
            end = next(ends, None)
            if end is None:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces

    def _strangers(self, word: str) -> str:
        """The characters of a word that are in no piece, with their names."""
        every = dict.fromkeys(c for part in basic_words(word) for c in part)
        names = [f"{c} ({unicodedata.name(c, 'no name')})" for c in every if not {c, f"##{c}"} & self.numbers.keys()]
        return f": it does not know {', '.join(names)}" if names else ""


def clean(text: str) -> str:
    """Without control characters, and with plain spaces."""
    return "".join(" " if _is_space(c) else c for c in text if _is_space(c) or not _is_control(c))


def basic_words(text: str) -> Iterator[str]:
    """The words of cleaned text in lower case, without accents, punctuation and Chinese characters apart."""
    for word in "".join(f" {c} " if is_chinese(c) else c for c in text).split():
        bare = (c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn")
        yield from "".join(f" {c} " if _is_punctuation(c) else c for c in bare).split()


def is_chinese(character: str) -> bool:
    """Whether it is a CJK ideograph (Chinese, or used in Japanese or Korean)."""
    return any(first <= ord(character) <= last for first, last in _CHINESE)


def _is_space(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) == "Zs"


def _is_control(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character).startswith("C")


def _is_punctuation(character: str) -> bool:
    # Signs such as $ and ^ are symbols in Unicode.
    ascii_sign = character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    return ascii_sign or unicodedata.category(character).startswith("P")
