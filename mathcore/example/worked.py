"""Every trace of the films for one configuration, under the name that ledgers' paths begin with.

How each is computed is in the module of its chapter: `one_head`, `many_heads`, `position`, `transformer`. What does
not depend on the configuration is in `mathcore.experiments`.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mathcore import experiments
from mathcore.arguments import count
from mathcore.attention import AttentionTrace, MultiHeadAttention, MultiHeadTrace, check_heads
from mathcore.comparisons import ArrowTrace, BottleneckTrace, DiagonalTrace, arrows, bottleneck, diagonal
from mathcore.cost import CostTrace, ParameterTrace, PatternTrace
from mathcore.demo import DemoTrace
from mathcore.encoding import MapTrace, SeatTrace, SimilarityTrace, add_positions
from mathcore.example import illustrative, many_heads, one_head, position, solution, transformer
from mathcore.layers import EncoderLayerTrace, MLPTrace
from mathcore.named import NamedArray, digest, located, named_arrays
from mathcore.order import OrderTrace, order_experiment
from mathcore.position import check_even, sinusoidal
from mathcore.recurrence import RecurrenceDraws
from mathcore.roles import AblationTrace, ablation
from mathcore.saturation import SaturationTrace
from mathcore.trained.gallery import Gallery, gallery
from mathcore.trained.minilm import ModelMissing
from mathcore.trained.vocabulary import bare
from mathcore.trained.wordpiece import VocabularyError

# Three words whose order matters, and the order that turns the sentence round. They stand for the same three words in
# every language of the films, so that the numbers are the same too.
CARDS, CARDS_SHUFFLED = ("dog", "bites", "man"), (2, 1, 0)
# Translation: each word of the cards looks at the words of this sentence.
SOURCE = ("the", "dog", "bites", "the", "man")


class WorkedExample:
    """Every trace of the films for `words`, `d_model`, `n_heads` and `seed`.

    Embeddings and weights have one decimal. Where `has_trained_parameters`, they are trained; else they are
    illustrative: a word's vector is drawn from its spelling and the seed (`parameter_source` says why).

    Raises ValueError for no words, an odd d_model, or heads that do not divide it, TypeError for words that are no text
    or sizes that are no whole numbers.
    """

    def __init__(self, words: tuple[str, ...], *, d_model: int = 8, n_heads: int = 4, seed: int = 0) -> None:
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"words must be a sequence of words, got {words!r}")
        if not len(words):
            raise ValueError("the worked example needs at least one word")
        check_even(d_model)
        check_heads(d_model, n_heads)
        self.words, self.d_model, self.n_heads = tuple(words), int(d_model), int(n_heads)
        self.seed = count(seed, "seed", least=0)

    def key(self) -> dict[str, object]:
        """The configuration, for receipts and ledgers."""
        return {"words": list(self.words), "d_model": self.d_model, "n_heads": self.n_heads, "seed": self.seed}

    def digest(self) -> str:
        """SHA-256 over every array, its path and its shape: changes when any number of the films does."""
        return digest(self.arrays())

    def arrays(self) -> list[NamedArray]:
        """Every named array that a public property leads to, each once, so that a ledger's path can be checked."""
        members = [
            name for name, member in vars(WorkedExample).items() if isinstance(member, cached_property | property)
        ]
        traces = (getattr(self, name) for name in members if not name.startswith("_"))
        # Some properties lead to parts of others.
        return list({array.path: array for trace in traces for array in named_arrays(trace)}.values())

    # --- The case: trained parameters, where the sentence has them ---------------------------------------------------

    @cached_property
    def _source(self) -> solution.ParameterSource:
        return solution.parameter_source(self.words, self.d_model, self.n_heads)

    @property
    def parameter_source(self) -> solution.ParameterSource:
        """Whether embeddings and weights are trained, and if not, why."""
        return self._source

    @property
    def has_trained_parameters(self) -> bool:
        """Whether embeddings and weights are trained, on which depends what may be said of them."""
        return self._source.trained

    @cached_property
    def solution(self) -> solution.Solution | None:
        """What the words find out, and which head finds it; None where the parameters are not trained."""
        return solution.solution(self.words, self.d_model, self.n_heads) if self._source.trained else None

    @property
    def head_names(self) -> tuple[str, ...]:
        """Each head's question, as measured: "kind", "does", "where" or "who"; empty for a head without a clear one.

        All are empty where the parameters are drawn.
        """
        return self.solution.roles.names if self.solution else ("",) * self.n_heads

    def question_of(self, head: int) -> str:
        """The question that the focus word asks with a head, and that the head's largest weight answers; else empty.

        It is the head's name, if the focus word asks it in this sentence.
        """
        name = self.head_names[head]
        if self.solution is None or not name:
            return ""
        answers, best = self.solution.answers, self.words[int(self.bottleneck.favourites.values[head])]
        asked = zip(answers.questions, answers.places.values, answers.words, strict=True)
        found = (words[0] for question, place, words in asked if question == name and place == self.focus)
        return name if bare(best).casefold() in map(str.casefold, found) else ""

    # --- Trained models -----------------------------------------------------------------------------------------------

    @cached_property
    def _trained(self) -> tuple[Gallery, str]:
        """The trained models' gallery for the sentence, or for the stored one, and then why."""
        try:
            return gallery(" ".join(self.words)), ""
        except (VocabularyError, ModelMissing) as reason:
            return gallery(), str(reason)

    @cached_property
    def trained(self) -> Gallery:
        """Results of trained models, for the example's own sentence where the model can read it (`trained_reason`)."""
        return located(self._trained[0], "trained")

    @property
    def trained_reason(self) -> str:
        """Why the trained heads show the stored English sentence instead of the example's; empty when they do not.

        Chinese is not in the model's vocabulary; an English sentence of one's own needs `make model`.
        """
        return self._trained[1]

    # --- One head -----------------------------------------------------------------------------------------------------

    @cached_property
    def attention(self) -> MultiHeadTrace:
        """The multi-head attention over the sentence's embeddings (no positions added)."""
        return located(self._layer(self._embeddings(self.words)), "attention")

    @cached_property
    def _layer(self) -> MultiHeadAttention:
        if self._source.trained:
            return solution.attention_layer(self.d_model, self.n_heads)
        return illustrative.attention_layer(self.d_model, self.n_heads, self.seed)

    def _embeddings(self, words: tuple[str, ...]) -> NDArray[np.float64]:
        if self._source.trained:
            return solution.embeddings(words, self.d_model, self.n_heads)
        return illustrative.embeddings(words, self.d_model, self.seed)

    @property
    def heads(self) -> tuple[AttentionTrace, ...]:
        return self.attention.heads

    @cached_property
    def head_weights(self) -> tuple[NamedArray, ...]:
        """The columns of W_Q, W_K, W_V that belong to head 0, in that order: (d_model, d_head) each."""
        return many_heads.head_weights(self.attention)

    @cached_property
    def focus(self) -> int:
        """The best query to follow through the films: the word that asks most, or else whose heads disagree most."""
        asking = solution.focus(self.words) if self._source.trained else None
        return many_heads.focus(self.attention) if asking is None else asking

    @cached_property
    def cell(self) -> one_head.Product:
        """The focus word's first query feature in head 0: one row of X times one column of W_Q."""
        return one_head.product(self.attention.x, self.head_weights[0], self.focus)

    @cached_property
    def report(self) -> one_head.Report:
        """The focus word's attention in head 0."""
        return one_head.report(self.heads[0], self.focus)

    @cached_property
    def sizes(self) -> one_head.Sizes:
        """The whole numbers of the example."""
        return one_head.sizes(len(self.words), self.d_model, self.n_heads)

    # --- Position -----------------------------------------------------------------------------------------------------

    @cached_property
    def constants(self) -> position.Constants:
        """The numbers that stand in the formulas of the encoding."""
        return position.constants()

    @cached_property
    def waves(self) -> position.WaveTrace:
        """The encoding as waves."""
        return position.waves(len(self.words), self.d_model)

    @cached_property
    def clock(self) -> position.ClockTrace:
        """The encoding as hands of clocks."""
        return position.clock(len(self.words), self.d_model)

    # --- Many heads, and what they are compared with ------------------------------------------------------------------

    @cached_property
    def head_parameters(self) -> many_heads.HeadParameters:
        """Parameters of multi-head attention at the width of the 2017 paper, for 1 head and for 8."""
        return many_heads.head_parameters()

    @cached_property
    def mlp(self) -> tuple[MLPTrace, MLPTrace]:
        """Two inputs through one small network, which treats them differently."""
        return transformer.two_inputs(self.seed)

    @cached_property
    def arrows(self) -> ArrowTrace:
        """A query and three keys of head 0: aligned, orthogonal, opposed, as nearly as the sentence has them."""
        return located(arrows(self.heads[0]), "arrows")

    @property
    def saturation(self) -> SaturationTrace:
        """Random dot products by width, scaled and not, and what softmax makes of them."""
        return experiments.saturation()

    @cached_property
    def bottleneck(self) -> BottleneckTrace:
        """The focus word's patterns in all heads, and their average."""
        return located(bottleneck(self.attention, self.focus), "bottleneck")

    @property
    def parameters(self) -> ParameterTrace:
        """Parameters of the 2017 paper's base model."""
        return experiments.parameters()

    @cached_property
    def ablation(self) -> AblationTrace:
        """What every head adds to the output, and the output without it."""
        return located(ablation(self.attention), "ablation")

    @property
    def recurrence(self) -> RecurrenceDraws:
        """How a recurrent net forgets its first token."""
        return experiments.recurrence()

    @property
    def costs(self) -> CostTrace:
        """Attention, recurrence, window and strided attention as the text grows."""
        return experiments.costs()

    @property
    def patterns(self) -> PatternTrace:
        """The masks of full, window and strided attention."""
        return experiments.patterns()

    # --- Order, and positions added -----------------------------------------------------------------------------------

    def _positions(self, n: int) -> NDArray[np.float64]:
        return sinusoidal(n, self.d_model)

    @cached_property
    def order(self) -> OrderTrace:
        """The three cards, and the same cards the other way round."""
        x = self._embeddings(CARDS)
        return located(order_experiment(self._layer, x, self._positions(len(x)), CARDS_SHUFFLED), "order")

    @cached_property
    def sentence_order(self) -> OrderTrace:
        """The sentence's words, and the same words from last to first."""
        x = self.attention.x
        back = tuple(reversed(range(len(x))))
        return located(order_experiment(self._layer, x, self._positions(len(x)), back), "sentence_order")

    @cached_property
    def seats(self) -> SeatTrace:
        """The sentence's words with their seat numbers, and one word at two seats."""
        return located(add_positions(self.attention.x, self.words, self.head_weights[0]), "seats")

    @property
    def encoding_map(self) -> MapTrace:
        """The encoding of 20 positions at the paper's width, every cell."""
        return experiments.encoding_map()

    @property
    def similarity(self) -> SimilarityTrace:
        """Which positions are alike, at the paper's width."""
        return experiments.similarity()

    # --- The Transformer ----------------------------------------------------------------------------------------------

    @cached_property
    def encoder_layer(self) -> EncoderLayerTrace:
        """A whole encoder layer over the seated sentence, with the example's own heads."""
        return transformer.whole_layer(self.seats.sums, self._layer, self.seed)

    @cached_property
    def applications(self) -> transformer.Applications:
        """Masks and shapes of well-known uses, with the projections of head 0."""
        target, source = self._embeddings(CARDS), self._embeddings(SOURCE)
        return transformer.applications(self.attention.x.values, target, source, self.head_weights, self.seed)

    @property
    def demo(self) -> DemoTrace:
        """The article's program, run line by line."""
        return experiments.demo()

    @cached_property
    def diagonal(self) -> DiagonalTrace:
        """How often a word's strongest key is itself."""
        return located(diagonal(self.attention), "diagonal")
