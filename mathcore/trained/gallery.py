"""Everything that trained models show in the films, under one root."""

from dataclasses import dataclass
from functools import lru_cache

from mathcore.named import digest, located, named_arrays
from mathcore.trained import sentences
from mathcore.trained.heads import HeadScores, TrainedHeads, head_scores, trained_heads
from mathcore.trained.tiny_results import TinyResults, tiny_results


@dataclass(frozen=True)
class Gallery:
    """`sentence` is the film's own, the others the storyboard's; `blind` ones had no positions.

    Every array's path, as in `sentence.previous.weights` or `tiny.roles.accuracy`, resolves from here.
    """

    sentence: TrainedHeads
    two_adjectives: TrainedHeads
    it_tired: TrainedHeads
    it_wide: TrainedHeads
    making: TrainedHeads
    dog_bites: TrainedHeads
    man_bites: TrainedHeads
    blind_dog_bites: TrainedHeads
    blind_man_bites: TrainedHeads
    scores: HeadScores
    tiny: TinyResults

    def digest(self) -> str:
        """SHA-256 over every array, as WorkedExample.digest is; the words are in the films' own keys."""
        return digest(named_arrays(self))


# Text and whether the model sees positions, by field.
SHOWN = {
    "two_adjectives": (sentences.TWO_ADJECTIVES, True),
    "it_tired": (sentences.IT_TIRED, True),
    "it_wide": (sentences.IT_WIDE, True),
    "making": (sentences.MAKING, True),
    "dog_bites": (sentences.DOG_BITES, True),
    "man_bites": (sentences.MAN_BITES, True),
    "blind_dog_bites": (sentences.DOG_BITES, False),
    "blind_man_bites": (sentences.MAN_BITES, False),
}


@lru_cache(maxsize=4)
def gallery(sentence: str = sentences.RUNNING) -> Gallery:
    """The gallery for an English sentence; errors are those of `trained_heads`."""
    return Gallery(
        sentence=located(trained_heads(sentence), "sentence"),
        **{name: located(trained_heads(text, positions=seen), name) for name, (text, seen) in SHOWN.items()},
        scores=located(head_scores(), "scores"),
        tiny=located(tiny_results(), "tiny"),
    )
