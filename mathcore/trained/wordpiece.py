"""WordPiece, as the uncased BERT vocabulary uses it: text to words, words to pieces.

Text is cleaned, put into lower case and freed of accents; punctuation marks and Chinese characters become words of
their own; a word is cut greedily into the longest pieces of the vocabulary, "##" marking those that continue. This is
done by the package tokenizers, which `make model` installs and only `WordPiece` imports.
Source: Devlin et al. 2019; Schuster and Nakajima 2012.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

UNKNOWN = "[UNK]"
# The published tokeniser gives up on longer words.
_LONGEST_WORD = 100


class VocabularyError(ValueError):
    """A sentence holds something that the model has no piece for; the message names it."""


@dataclass(frozen=True)
class Pieces:
    """A sentence in pieces, [CLS] first and [SEP] last.

    `ids` are the pieces' places in the vocabulary. `words` are the sentence's words as written, parted by spaces;
    `word_ids[i]` is the word that piece i belongs to, None for [CLS] and [SEP].
    """

    ids: tuple[int, ...]
    texts: tuple[str, ...]
    word_ids: tuple[int | None, ...]
    words: tuple[str, ...]


class WordPiece:
    """A vocabulary: a piece's number is its place in the list. Raises ImportError without the package tokenizers."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece as Model
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer

        self.numbers = {piece: number for number, piece in enumerate(vocabulary)}
        # Without control characters, and with plain spaces.
        self._clean = BertNormalizer(lowercase=False, strip_accents=False, handle_chinese_chars=False)
        self._normalizer, self._pre_tokenizer = BertNormalizer(), BertPreTokenizer()
        self._tokenizer = Tokenizer(Model(self.numbers, unk_token=UNKNOWN, max_input_chars_per_word=_LONGEST_WORD))
        self._tokenizer.normalizer, self._tokenizer.pre_tokenizer = self._normalizer, self._pre_tokenizer

    @classmethod
    def parse(cls, content: bytes) -> "WordPiece":
        """From the bytes of a vocabulary file: UTF-8, one piece a line."""
        # Not splitlines, which also parts at characters that could be pieces.
        return cls(content.decode("utf-8").removesuffix("\n").split("\n"))

    def __call__(self, sentence: str) -> Pieces:
        """A sentence's pieces. Raises VocabularyError for no words, or a word that has no pieces."""
        texts: list[str] = ["[CLS]"]
        word_ids: list[int | None] = [None]
        words: list[str] = []
        for word in str(self._clean.normalize_str(sentence)).split():
            pieces = self.cut(word)
            if UNKNOWN in pieces:
                raise VocabularyError(f"the vocabulary has no pieces for {word!r}{self._not_in_vocabulary(word)}")
            texts += pieces
            word_ids += [len(words)] * len(pieces)
            # A word of nothing but accents has no pieces.
            words += [word] if pieces else []
        if not words:
            raise VocabularyError("the sentence has no words")
        texts.append("[SEP]")
        return Pieces(
            ids=tuple(self.numbers[text] for text in texts),
            texts=tuple(texts),
            word_ids=(*word_ids, None),
            words=tuple(words),
        )

    def cut(self, text: str) -> list[str]:
        """The pieces of a text, longest first from the left; [UNK] for a word that the vocabulary lacks pieces for."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).tokens)

    def _not_in_vocabulary(self, word: str) -> str:
        """The characters of a word that are in no piece, with their names."""
        parts = self._pre_tokenizer.pre_tokenize_str(self._normalizer.normalize_str(word))
        every = dict.fromkeys(c for part, _ in parts for c in part)
        names = [f"{c} ({unicodedata.name(c, 'no name')})" for c in every if not {c, f"##{c}"} & self.numbers.keys()]
        return f": it does not contain {', '.join(names)}" if names else ""
