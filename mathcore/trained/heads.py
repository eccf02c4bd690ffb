"""Trained heads of MiniLM-L6 at work on a sentence, each with the score that says how well it does its job.

The weights of the storyboard's sentences are stored beside this module; any other English sentence needs the model,
which `make model` installs. The model is a sentence-similarity model: call it MiniLM-L6, never BERT.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.named import NamedArray, digest, located, named_arrays
from mathcore.trained import stored
from mathcore.trained.evaluation import MEASURES, ROLES, by_role, merge_words
from mathcore.trained.minilm import N_HEADS, N_LAYERS, MiniLM, ModelMissing
from mathcore.trained.wordpiece import VocabularyError

Array = NDArray[Any]

SENTENCES, SCORES = "minilm_sentences.npz", "minilm_scores.npz"
# The heads that a lesson may draw, by role; the searchlights are the first four.
SHOWN_ROLES = ("previous", "next", "modifier", "sink", "determiner", "punctuation", "rarity")
LAMPS = SHOWN_ROLES[:4]
_FORMULA = "softmax(Q K^T / sqrt(d_head))"


@dataclass(frozen=True)
class RoleHead:
    """The head that was chosen for a role, at work on one sentence of n tokens.

    `layer` and `head` count from 0. `held_out` is its score on sentences that did not choose it (what is measured for
    each role stands in `mathcore.trained.evaluation`), `average` that of all 72 heads. `weights` (n, n).
    """

    layer: NamedArray
    head: NamedArray
    held_out: NamedArray
    average: NamedArray
    weights: NamedArray


@dataclass(frozen=True)
class TrainedHeads:
    """A sentence, and the trained heads' weights over it.

    `tokens` are [CLS], the sentence's n - 2 words as written (parted by spaces), and [SEP]; `pieces` what the model
    reads instead; `positions` is False where its position vectors were taken away. All weights are by token: rows of a
    word's pieces are averaged, columns added up, so that each row still sums to 1, and rounded to six decimals.
    `weights` (6, 12, n, n) holds every head, `lamps` (4, n, n) those of LAMPS, `lamp_sums` (4, n) the sum of each row,
    `flashlight` (n, n) the mean of the four, `flashlight_sums` (n,) the sum of each of its rows.
    """

    text: str
    positions: bool
    tokens: tuple[str, ...]
    pieces: tuple[str, ...]
    weights: NamedArray
    previous: RoleHead
    next: RoleHead
    modifier: RoleHead
    sink: RoleHead
    determiner: RoleHead
    punctuation: RoleHead
    rarity: RoleHead
    lamps: NamedArray
    lamp_sums: NamedArray
    flashlight: NamedArray
    flashlight_sums: NamedArray

    @property
    def query(self) -> int:
        """The token whose four lamps look at the most different tokens, then at their favourites hardest; a word."""
        words = self.lamps.values[:, 1:-1]  # (lamps, words, n)
        favourites = words.argmax(axis=-1)
        different = [len(set(column)) for column in favourites.T]
        return 1 + int(np.lexsort((-words.max(axis=-1).mean(axis=0), -np.array(different)))[0])

    def digest(self) -> str:
        """SHA-256 over the tokens and every array: changes when anything that a film shows of them does."""
        tokens = NamedArray(np.frombuffer("\0".join(self.tokens).encode(), dtype=np.uint8), "tokens", ("byte",))
        return digest([tokens, *named_arrays(self)])


@dataclass(frozen=True)
class Trap:
    """Adjectives before their noun: (next-word head, modifier head) each.

    `adjacent` is the mean weight on a noun that is the next word, `apart` on a noun behind a second adjective, `wins`
    how often, of `tries`, that noun has the largest weight of all words.
    """

    adjacent: NamedArray
    apart: NamedArray
    wins: NamedArray
    tries: NamedArray


@dataclass(frozen=True)
class NotShown:
    """What no head of the model does.

    Pairs of sentences in which "it" means one noun or the other: by head (6, 12) the share of sentences in which "it"
    weighs the right noun more, and in how many of `it_pairs` it does in both; `it_best` is the most pairs that any
    head gets right, `it_chosen` what the head does that was best on the choosing sentences. Verbs with another noun
    before them: `subject_wins` (6, 12) counts of `subject_tries` where the subject weighs most, `subject_best` is the
    most.
    """

    it_right: NamedArray
    it_flips: NamedArray
    it_pairs: NamedArray
    it_best: NamedArray
    it_chosen: NamedArray
    subject_wins: NamedArray
    subject_tries: NamedArray
    subject_best: NamedArray


@dataclass(frozen=True)
class Order:
    """ "dog bites man" and "man bites dog", (with positions, without): the cosine of the two sentence vectors, and the
    largest change of any weight beyond the words' new places.
    """

    cosines: NamedArray
    changes: NamedArray


@dataclass(frozen=True)
class HeadScores:
    """How the heads were chosen and measured. Axes `measure` and `role` follow MEASURES and ROLES of `evaluation`.

    `choosing` and `held_out` (measures, 6, 12) are all heads' scores on the two sets of sentences. By role: `layers`
    and `heads` chosen on the first, their `scores` on the second, and the `averages` of all heads there. By layer over
    the held-out sentences: `special_mass` on [CLS] and [SEP], `head_distance` (Jensen-Shannon, bits) between two heads.
    `sentences` (2,) counts the annotated sentences of both sets. `all_heads` counts the model's heads, `lamp_heads`
    those of LAMPS, `lamp_layers` the layers that these come from.
    """

    choosing: NamedArray
    held_out: NamedArray
    layers: NamedArray
    heads: NamedArray
    scores: NamedArray
    averages: NamedArray
    sentences: NamedArray
    all_heads: NamedArray
    lamp_heads: NamedArray
    lamp_layers: NamedArray
    special_mass: NamedArray
    head_distance: NamedArray
    trap: Trap
    not_shown: NotShown
    order: Order


@lru_cache(maxsize=1)
def head_scores() -> HeadScores:
    """The stored measurements."""
    data = stored.read(SCORES)
    held, roles = data["held_out.scores"], tuple(ROLES)
    chosen = tuple(zip(data["layers"], data["heads"], strict=True))
    lamps = [chosen[roles.index(role)] for role in LAMPS]
    by_head = np.array([by_role(held, role) for role in roles])  # (roles, 6, 12)
    measures, every_head, role_axis = ("measure", "layer", "head"), ("layer", "head"), ("role",)

    def pair(values: Array, path: str, formula: str = "") -> NamedArray:
        """A measure of the next-word head and of the modifier head."""
        return NamedArray(
            [values[chosen[roles.index(role)]] for role in ("next", "modifier")], path, role_axis, formula
        )

    # Heads tie in how often they are right; the larger weight on the right noun decides.
    best_it = np.lexsort((data["choosing.it_weight"].ravel(), data["choosing.it_right"].ravel()))[-1]
    flips, subject = data["held_out.it_flips"], data["held_out.subject_wins"]
    return HeadScores(
        choosing=NamedArray(data["choosing.scores"], "choosing", measures),
        held_out=NamedArray(held, "held_out", measures),
        layers=NamedArray(data["layers"], "layers", role_axis),
        heads=NamedArray(data["heads"], "heads", role_axis),
        scores=NamedArray([score[at] for score, at in zip(by_head, chosen, strict=True)], "scores", role_axis),
        averages=NamedArray(by_head.mean(axis=(1, 2)), "averages", role_axis, "mean over heads of scores"),
        sentences=NamedArray(
            [data[f"{part}.sentences"][0] for part in ("choosing", "held_out")], "sentences", ("set",)
        ),
        all_heads=NamedArray(N_LAYERS * N_HEADS, "all_heads", (), "layers x heads"),
        lamp_heads=NamedArray(len(lamps), "lamp_heads", ()),
        lamp_layers=NamedArray(len({layer for layer, _ in lamps}), "lamp_layers", ()),
        special_mass=NamedArray(data["special_mass"], "special_mass", ("layer",)),
        head_distance=NamedArray(data["head_distance"], "head_distance", ("layer",), "mean Jensen-Shannon divergence"),
        trap=Trap(
            adjacent=pair(held[MEASURES.index("adjective")], "trap.adjacent"),
            apart=pair(held[MEASURES.index("adjective_apart")], "trap.apart"),
            wins=pair(data["held_out.adjective_wins"], "trap.wins"),
            tries=NamedArray(data["held_out.adjective_tries"], "trap.tries", ()),
        ),
        not_shown=NotShown(
            it_right=NamedArray(data["held_out.it_right"], "not_shown.it_right", every_head),
            it_flips=NamedArray(flips, "not_shown.it_flips", every_head),
            it_pairs=NamedArray(data["held_out.it_pairs"], "not_shown.it_pairs", ()),
            it_best=NamedArray(flips.max(), "not_shown.it_best", (), "max over heads of it_flips"),
            it_chosen=NamedArray(flips.ravel()[best_it], "not_shown.it_chosen", ()),
            subject_wins=NamedArray(subject, "not_shown.subject_wins", every_head),
            subject_tries=NamedArray(data["held_out.subject_tries"], "not_shown.subject_tries", ()),
            subject_best=NamedArray(subject.max(), "not_shown.subject_best", (), "max over heads of subject_wins"),
        ),
        order=Order(
            cosines=NamedArray(data["order_cosines"], "order.cosines", ("case",)),
            changes=NamedArray(data["order_changes"], "order.changes", ("case",)),
        ),
    )


@dataclass(frozen=True)
class _Weights:
    """Weights by piece, in millionths: (6, 12, n, n)."""

    pieces: tuple[str, ...]
    word_ids: tuple[int | None, ...]
    words: tuple[str, ...]
    values: NDArray[np.int64]


def trained_heads(sentence: str, *, positions: bool = True) -> TrainedHeads:
    """The trained heads' weights over an English sentence: stored ones where there are, else the model's.

    `positions=False` takes the model's position vectors away, an ablation that must be called one. Raises
    VocabularyError for Chinese or anything else that the vocabulary lacks, ModelMissing (which says `make model`) for a
    sentence that is not stored when the model is not installed, ValueError for more than 512 pieces.
    """
    text = " ".join(sentence.split())
    check_english(text)
    found = _stored().get((text, positions)) or _computed(text, positions)
    weights = merge_words(found.values, found.word_ids) / stored.UNIT
    tokens = ("[CLS]", *found.words, "[SEP]")
    scores, roles = head_scores(), tuple(ROLES)
    places = {role: (int(scores.layers.values[i]), int(scores.heads.values[i])) for i, role in enumerate(roles)}
    both = ("query", "key")

    def role_head(role: str) -> RoleHead:
        (layer, head), i = places[role], roles.index(role)
        return located(
            RoleHead(
                layer=NamedArray(layer, "layer", ()),
                head=NamedArray(head, "head", ()),
                held_out=NamedArray(scores.scores.values[i], "held_out", ()),
                average=NamedArray(scores.averages.values[i], "average", ()),
                weights=NamedArray(weights[layer, head], "weights", both, _FORMULA),
            ),
            role,
        )

    lamps = np.array([weights[places[role]] for role in LAMPS])
    return TrainedHeads(
        text=text,
        positions=positions,
        tokens=tokens,
        pieces=found.pieces,
        weights=NamedArray(weights, "weights", ("layer", "head", *both), _FORMULA),
        **{role: role_head(role) for role in SHOWN_ROLES},
        lamps=NamedArray(lamps, "lamps", ("lamp", *both), _FORMULA),
        lamp_sums=NamedArray(lamps.sum(axis=-1), "lamp_sums", ("lamp", "query"), "sum over keys of weights"),
        flashlight=NamedArray(lamps.mean(axis=0), "flashlight", both, "mean over lamps of weights"),
        flashlight_sums=NamedArray(
            lamps.mean(axis=0).sum(axis=-1), "flashlight_sums", ("query",), "sum over keys of weights"
        ),
    )


def check_english(text: str) -> None:
    """Raises VocabularyError for a letter that is not Latin: the pieces of some others mean nothing to the model."""
    for c in text:
        if c.isalpha() and not c.isascii() and not unicodedata.name(c, "").startswith("LATIN"):
            raise VocabularyError(
                f"the trained model reads English only; {c!r} ({unicodedata.name(c, 'no name')}) in {text!r} is not in "
                f"its alphabet. Chinese is not in its vocabulary"
            )


def store_sentences(model: MiniLM, runs: Iterable[tuple[str, bool]]) -> dict[str, Array]:
    """The arrays of the stored file: weights by piece for every (text, positions), as bytes of millionths."""
    texts, positions, sizes, values = [], [], [], []
    pieces: list[str] = []
    word_ids: list[int] = []
    for text, with_positions in runs:
        done = _run(model, text, with_positions)
        texts.append(text)
        positions.append(with_positions)
        sizes.append(len(done.pieces))
        pieces += done.pieces
        word_ids += [-1 if word_id is None else word_id for word_id in done.word_ids]
        values.append(done.values.ravel())
    # Millionths need three bytes, and like bytes side by side pack best.
    planes = np.concatenate(values).astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3].T
    return {
        "texts": np.array(texts),
        "positions": np.array(positions),
        "sizes": np.array(sizes),
        "pieces": np.array(pieces),
        "owners": np.array(word_ids),
        "millionths": planes,
    }


@lru_cache(maxsize=1)
def _stored() -> dict[tuple[str, bool], _Weights]:
    data = stored.read(SENTENCES)
    low, middle, high = data["millionths"].astype(np.int64)
    values, found, piece, value = low + (middle << 8) + (high << 16), {}, 0, 0
    for text, positions, size in zip(data["texts"], data["positions"], data["sizes"], strict=True):
        n, count = int(size), N_LAYERS * N_HEADS * int(size) ** 2
        word_ids = [None if word_id < 0 else int(word_id) for word_id in data["owners"][piece : piece + n]]
        found[str(text), bool(positions)] = _Weights(
            pieces=tuple(map(str, data["pieces"][piece : piece + n])),
            word_ids=tuple(word_ids),
            words=tuple(str(text).split()),
            values=values[value : value + count].reshape(N_LAYERS, N_HEADS, n, n),
        )
        piece, value = piece + n, value + count
    return found


def _computed(text: str, positions: bool) -> _Weights:
    try:
        model = _model()
    except ModelMissing as error:
        raise ModelMissing(f"the weights of {text!r} are not stored, and {error}") from None
    return _run(model, text, positions)


@lru_cache(maxsize=1)
def _model() -> MiniLM:
    return MiniLM.load()


def _run(model: MiniLM, text: str, positions: bool) -> _Weights:
    pieces = model.tokenizer(text)
    values = stored.millionths(model(pieces, positions=positions).weights.values)
    return _Weights(pieces.texts, pieces.word_ids, pieces.words, values)
