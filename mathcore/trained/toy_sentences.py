"""The sentences that the worked example's parameters are trained on, and what is asked about their words.

Each sentence says what kind of living being does what, and where: "the tired cat sat on the warm mat", with parts left
out and in several orders, in English and in Chinese. Words of it ask up to four questions, each answered by another
word of the same sentence. Some pairs and triples of words never meet in training; they are the test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from mathcore.trained.tiny import NOT_ASKED, Tokens
from mathcore.trained.vocabulary import WORDS

Sentence = tuple[int, ...]

# A noun's adjective, a word's noun, a living being's verb, the thing that it happens at.
QUESTIONS = ("kind", "who", "does", "where")
KIND, WHO, DOES, WHERE = range(4)
# What an answer depends on: the words alone, or also their order, as a determiner's noun and the subject of two do.
GROUPS = ("words", "determiner", "subject")
BY_WORDS, BY_DETERMINER, BY_SUBJECT = range(3)
LANGUAGES = ("en", "zh")
LONGEST = 12
# Fills the rows of shorter sentences; no word has this number.
PAD = len(WORDS)

KINDS = tuple(dict.fromkeys(word.kind for word in WORDS))
KIND_OF = np.array([KINDS.index(word.kind) for word in WORDS])


def _rows(*kinds: str) -> NDArray[np.int64]:
    return np.flatnonzero(np.isin(KIND_OF, [KINDS.index(kind) for kind in kinds]))


LIVING, THINGS, PLACES = _rows("living"), _rows("thing"), _rows("preposition")
LIVING_ADJECTIVES, THING_ADJECTIVES = _rows("living adjective"), _rows("thing adjective")
VERBS, TRANSITIVE_VERBS = _rows("verb"), _rows("transitive verb")
# The words that may answer each question.
ANSWERS = (
    np.concatenate((LIVING_ADJECTIVES, THING_ADJECTIVES)),
    np.concatenate((LIVING, THINGS)),
    np.concatenate((VERBS, TRANSITIVE_VERBS)),
    THINGS,
)
_ROW = {word.name: row for row, word in enumerate(WORDS)}
_THE, _A, _AND, _BETWEEN = (_ROW[name] for name in ("the", "a", "and", "between"))
_DE, _ZAI = _ROW["的"], _ROW["在"]
# May stand in a sentence twice.
_REPEATED = frozenset((_THE, _A, _DE, _ZAI, _AND))

# Shares of the pairs and triples that are held out, and the seed that chooses the pairs.
PAIRS, TRIPLES, PAIR_SEED = 0.15, 0.2, 77
_MEETING = (
    (LIVING_ADJECTIVES, LIVING),
    (LIVING, VERBS),
    (THING_ADJECTIVES, THINGS),
    (VERBS, THINGS),
    (LIVING, THINGS),
    (PLACES, THINGS),
)
# The shipped sentence's own pairs are held out too.
_SHIPPED = (("tired", "cat"), ("cat", "sat"), ("warm", "mat"), ("sat", "mat"), ("cat", "mat"), ("on", "mat"))


def _held_out_pairs() -> NDArray[np.bool_]:
    rng, held = np.random.default_rng(PAIR_SEED), np.zeros((PAD, PAD), dtype=bool)
    for one, other in _MEETING:
        held[np.ix_(one, other)] = rng.random((len(one), len(other))) < PAIRS
    for first, second in _SHIPPED:
        held[_ROW[first], _ROW[second]] = True
    return np.asarray(held | held.T)


HELD_OUT_PAIRS = _held_out_pairs()


def _is_held_out_triple(triple: Sequence[int]) -> bool:
    mixed = sum(prime * row for prime, row in zip((7919, 104729, 1299709), triple, strict=True))
    return mixed % 1000003 % 100 < 100 * TRIPLES


def held_out(sentence: Sentence) -> str:
    """`pairs` or `triples` if the sentence has a combination that no training sentence has, else empty."""
    if any(HELD_OUT_PAIRS[pair] for pair in combinations(sentence, 2)):
        return "pairs"
    for three in ("living adjective", "living", "verb"), ("verb", "thing adjective", "thing"):
        of_kinds = ([row for row in sentence if WORDS[row].kind == kind] for kind in three)
        if any(map(_is_held_out_triple, product(*of_kinds))):
            return "triples"
    return ""


class _Writer:
    """Draws sentences of one language."""

    def __init__(self, rng: np.random.Generator, language: str) -> None:
        self.rng, self.english = rng, language == "en"
        self.bare = False

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def one_of(self, rows: NDArray[np.int64]) -> int:
        return int(rows[self.rng.integers(len(rows))])

    def noun(self, nouns: NDArray[np.int64], adjectives: NDArray[np.int64], count: int) -> list[int]:
        """`the tired cat`, `疲惫 的 猫`, with `count` adjectives."""
        before, noun = [self.one_of(adjectives) for _ in range(count)], self.one_of(nouns)
        if self.english:
            determiner = [] if self.bare else [_THE if self.chance(0.85) else _A]
            return [*determiner, *before, noun]
        return [*(row for adjective in before for row in (adjective, _DE)), noun]

    def adjectives(self) -> int:
        return int(self.rng.choice(3, p=(0.38, 0.58, 0.04)))

    def place(self) -> list[int]:
        """`on the warm mat`, `在 温暖 的 垫子 上`."""
        preposition = self.one_of(PLACES)
        thing = self.noun(THINGS, THING_ADJECTIVES, self.adjectives())
        return [preposition, *thing] if self.english else [_ZAI, *thing, preposition]

    def between(self) -> list[int]:
        """`between the rug and the red door`, `在 地毯 和 红色 的 门 之间`."""
        one, other = (self.noun(THINGS, THING_ADJECTIVES, int(self.chance(0.3))) for _ in range(2))
        both = [*one, _AND, *other]
        return [_BETWEEN, *both] if self.english else [_ZAI, *both, _BETWEEN]

    def sentence(self) -> list[int]:
        """One person, now and then two, at one thing, now and then two."""
        self.bare = self.chance(0.08)
        form = self.rng.choice(4, p=(0.79, 0.06, 0.04, 0.11))
        if form == 3:
            return self._transitive()
        if form == 1:
            subject = [*self._being(0.5), _AND, *self._being(0.3)]
        else:
            subject = self.noun(LIVING, LIVING_ADJECTIVES, self.adjectives())
        verb = [self.one_of(VERBS)]
        place = self.between() if form == 2 else [] if self.chance(0.15) else self.place()
        if form == 0:
            subject = [] if self.chance(0.08) else subject
            verb = [] if self.chance(0.08) else verb
        order = self.rng.random()
        if self.english:
            parts = (subject, verb, place) if order < 0.6 else (place, subject, verb) if order < 0.8 else None
            return [row for part in parts or (place, verb, subject) for row in part]
        if order < 0.9:
            orders = (subject, verb, place), (subject, place, verb), (place, subject, verb)
            return [row for part in orders[0 if order < 0.5 else 1 if order < 0.7 else 2] for row in part]
        # `温暖 的 垫子 上 坐 ...`
        return [*place[1:], *verb, *subject]

    def _being(self, share: float) -> list[int]:
        return self.noun(LIVING, LIVING_ADJECTIVES, int(self.chance(share)))

    def _transitive(self) -> list[int]:
        """`the shy dog saw the man near the house`, `the shy dog saw the house`."""
        subject, verb = self._being(0.5), [self.one_of(TRANSITIVE_VERBS)]
        if self.chance(0.3):
            return [*subject, *verb, *self.noun(THINGS, THING_ADJECTIVES, int(self.chance(0.5)))]
        other = self._being(0.3)
        place, first = [] if self.chance(0.4) else self.place(), self.chance(0.25 if self.english else 0.5)
        if first:
            return [*place, *subject, *verb, *other]
        return [*subject, *verb, *other, *place] if self.english else [*subject, *place, *verb, *other]


@dataclass(frozen=True)
class Question:
    """At `place`, a word asks question number `question`; its answer stands at `answer`."""

    place: int
    question: int
    answer: int
    group: int = BY_WORDS


def questions(sentence: Sentence) -> list[Question]:
    """What the words of a sentence ask. A word asks nothing that two words of the sentence might answer.

    With two living beings, a transitive verb asks for the one before it, and a determiner asks for the next noun:
    their answers depend on order.
    """
    at: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for i, row in enumerate(sentence):
        at[WORDS[row].kind].append(i)
    living, things, verbs, transitive = at["living"], at["thing"], at["verb"], at["transitive verb"]
    of_living, of_things, places = at["living adjective"], at["thing adjective"], at["preposition"]
    asked = []
    if len(living) == 1:
        asked += [Question(living[0], KIND, i) for i in of_living if len(of_living) == 1]
        asked += [Question(i, WHO, living[0]) for i in (*of_living, *verbs, *transitive, *things)]
    if len(things) == 1:
        asked += [Question(things[0], KIND, i) for i in of_things if len(of_things) == 1]
        asked += [Question(i, WHO, things[0]) for i in of_things]
        asked += [Question(i, WHERE, things[0]) for i in (*living, *verbs, *transitive, *places) if places]
    if len(verbs) == 1 and not transitive:
        asked += [Question(i, DOES, verbs[0]) for i in living]
    if len(transitive) == 1 and not verbs:
        asked += _asked_of_transitive(living, transitive[0])
    nouns = sorted((*living, *things))
    for i, row in enumerate(sentence):
        after = [noun for noun in nouns if noun > i]
        if row in (_THE, _A, _DE) and after:
            asked.append(Question(i, WHO, after[0], BY_DETERMINER))
    return asked


def _asked_of_transitive(living: list[int], verb: int) -> list[Question]:
    before = [i for i in living if i < verb]
    if len(living) == 1:
        return [Question(living[0], DOES, verb)]
    if len(living) == 2 and before:
        return [Question(before[-1], DOES, verb), Question(verb, WHO, before[-1], BY_SUBJECT)]
    return []


def draw(rng: np.random.Generator, count: int, language: str, split: str = "") -> list[Sentence]:
    """`count` sentences of 2 to 12 words that ask something; `split` is what `held_out` says of them."""
    writer = _Writer(rng, language)
    found: list[Sentence] = []
    while len(found) < count:
        sentence = tuple(writer.sentence())
        telling = [row for row in sentence if row not in _REPEATED]
        fits = 2 <= len(sentence) <= LONGEST and len(set(telling)) == len(telling)
        if fits and held_out(sentence) == split and questions(sentence):
            found.append(sentence)
    return found


@dataclass(frozen=True)
class Asked:
    """Sentences with their questions.

    `rows` (b, n) are word numbers, PAD after a sentence's end; `lengths` (b,). By place and question, (b, n, 4):
    `targets` is the answer's row, or NOT_ASKED; `places` is where it stands; `groups` is what it depends on.
    """

    rows: Tokens
    lengths: Tokens
    targets: Tokens
    places: Tokens
    groups: Tokens

    def __len__(self) -> int:
        return len(self.rows)

    def chosen(self, which: NDArray[np.int64]) -> "Asked":
        """Those sentences, as wide as the longest of them."""
        lengths = self.lengths[which]
        n = lengths.max()
        return Asked(
            self.rows[which, :n], lengths, self.targets[which, :n], self.places[which, :n], self.groups[which, :n]
        )


def asked(sentences: Sequence[Sentence]) -> Asked:
    """Sentences as arrays, with all their questions."""
    lengths = np.array([len(sentence) for sentence in sentences])
    shape = len(sentences), int(lengths.max())
    rows = np.full(shape, PAD)
    targets, places = (np.full((*shape, len(QUESTIONS)), NOT_ASKED) for _ in range(2))
    groups = np.zeros_like(targets)
    for i, sentence in enumerate(sentences):
        rows[i, : len(sentence)] = sentence
        for one in questions(sentence):
            at = i, one.place, one.question
            targets[at], places[at], groups[at] = sentence[one.answer], one.answer, one.group
    return Asked(rows, lengths, targets, places, groups)
