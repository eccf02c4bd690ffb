"""A tiny attention-only transformer that trains itself: hand-written gradients and Adam, in NumPy.

Words and positions are embedded; each layer adds a multi-head attention to its input; one linear readout a role names
a word. No biases but the readouts', no normalisation, no feed-forward: what the model learns, its heads learn.
Adam: Kingma and Ba 2015. The two tasks are in `mathcore.trained.tasks`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention, MultiHeadTrace, causal_mask, check_heads, merge_heads, split_heads
from mathcore.named import located

Array = NDArray[np.float64]
Tokens = NDArray[np.int64]
Parameters = dict[str, Array]

# The target of a position that is not asked.
NOT_ASKED = -1


@dataclass(frozen=True)
class Shape:
    """Sizes of a tiny transformer. Its parameter count does not depend on `n_heads`, which splits the projections.

    Raises ValueError for heads that do not divide d_model.
    """

    n_layers: int
    n_heads: int
    n_words: int
    n_vocabulary: int
    n_roles: int
    causal: bool
    d_model: int = 32

    def __post_init__(self) -> None:
        check_heads(self.d_model, self.n_heads)

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The shape of every parameter, by name."""
        square = (self.n_layers, self.d_model, self.d_model)
        return {
            "embedding": (self.n_vocabulary, self.d_model),
            "positions": (self.n_words, self.d_model),
            **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), square),
            "readout": (self.n_roles, self.d_model, self.n_vocabulary),
            "bias": (self.n_roles, self.n_vocabulary),
        }

    def n_parameters(self) -> int:
        return sum(math.prod(shape) for shape in self.parameters().values())

    def initial(self, rng: np.random.Generator) -> Parameters:
        """Random parameters with standard deviation 1 / sqrt(d_model); biases are zero."""
        scale = 1 / math.sqrt(self.d_model)
        drawn = {name: scale * rng.standard_normal(shape) for name, shape in self.parameters().items()}
        return drawn | {"bias": np.zeros(self.parameters()["bias"])}


@dataclass(frozen=True)
class Batch:
    """`tokens` (b, n) and, by role, the word asked for at each position: `targets` (b, n, roles), or NOT_ASKED."""

    tokens: Tokens
    targets: Tokens


@dataclass(frozen=True)
class _Layer:
    """What the backward pass needs of a layer: b sentences, h heads."""

    x: Array  # (b, n, d_model)
    q: Array  # (b, h, n, d_head)
    k: Array  # (b, h, n, d_head)
    v: Array  # (b, h, n, d_head)
    weights: Array  # (b, h, n, n)
    concat: Array  # (b, n, d_model)


@dataclass(frozen=True)
class _Pass:
    layers: tuple[_Layer, ...]
    x: Array  # (b, n, d_model), after the last layer
    logits: Array  # (b, n, roles, vocabulary)


class TinyTransformer:
    """A shape and its parameters. Calculates in float64."""

    def __init__(self, shape: Shape, parameters: Mapping[str, NDArray[Any]]) -> None:
        """Raises ValueError for parameters that do not fit the shape."""
        sizes = {name: values.shape for name, values in parameters.items()}
        if sizes != shape.parameters():
            raise ValueError(f"parameters have the shapes {sizes}, but {shape.parameters()} are needed")
        self.shape = shape
        self.parameters: Parameters = {name: values.astype(np.float64) for name, values in parameters.items()}

    def logits(self, tokens: Tokens) -> Array:
        """(b, n) -> (b, n, roles, vocabulary)."""
        return self._forward(tokens).logits

    def weights(self, tokens: Tokens) -> tuple[Array, ...]:
        """Each layer's attention weights (b, h, n, n) for tokens (b, n)."""
        return tuple(layer.weights for layer in self._forward(tokens).layers)

    def trace(self, tokens: Tokens) -> tuple[MultiHeadTrace, ...]:
        """Every layer's attention over one sentence (n,), with paths below `layers[i]`."""
        p, traces = self.parameters, []
        allowed = causal_mask(len(tokens)) if self.shape.causal else None
        x = p["embedding"][tokens] + p["positions"][: len(tokens)]  # (n, d_model)
        for i in range(self.shape.n_layers):
            layer = MultiHeadAttention(*(p[w][i] for w in ("w_q", "w_k", "w_v", "w_o")), n_heads=self.shape.n_heads)
            traces.append(located(layer(x, allowed=allowed), f"layers[{i}]"))
            x = x + traces[-1].output.values
        return tuple(traces)

    def accuracy(self, batch: Batch) -> Array:
        """(roles,): the share of answers that are right."""
        asked = batch.targets != NOT_ASKED
        right = asked & (self.logits(batch.tokens).argmax(axis=-1) == batch.targets)
        return np.asarray(right.sum(axis=(0, 1)) / asked.sum(axis=(0, 1)))

    def loss_and_gradients(self, batch: Batch) -> tuple[float, Parameters]:
        """Cross-entropy in nats, averaged over what a role is asked and then over roles; and its gradient."""
        done = self._forward(batch.tokens)
        loss, d_logits = _cross_entropy(done.logits, batch.targets)
        return loss, self._backward(batch.tokens, done, d_logits)

    def _readout(self) -> Array:
        """All roles' readouts side by side: (d_model, roles * vocabulary)."""
        return self.parameters["readout"].transpose(1, 0, 2).reshape(self.shape.d_model, -1)

    def _forward(self, tokens: Tokens) -> _Pass:
        p, n, layers = self.parameters, tokens.shape[-1], []
        blocked = ~causal_mask(n) if self.shape.causal else None
        x = p["embedding"][tokens] + p["positions"][:n]  # (b, n, d_model)
        for i in range(self.shape.n_layers):
            q, k, v = (split_heads(x @ p[w][i], self.shape.n_heads) for w in ("w_q", "w_k", "w_v"))
            weights = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])  # (b, h, n, n)
            if blocked is not None:
                weights[..., blocked] = -np.inf
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            layers.append(_Layer(x, q, k, v, weights, merge_heads(weights @ v)))
            x = x + layers[-1].concat @ p["w_o"][i]
        logits = (x @ self._readout()).reshape(*tokens.shape, self.shape.n_roles, -1) + p["bias"]
        return _Pass(tuple(layers), x, logits)

    def _backward(self, tokens: Tokens, done: _Pass, d_logits: Array) -> Parameters:
        p, shape = self.parameters, self.shape
        gradients = {name: np.zeros_like(values) for name, values in p.items()}
        gradients["bias"] = d_logits.sum(axis=(0, 1))
        d_flat = d_logits.reshape(-1, shape.n_roles * shape.n_vocabulary)  # (b * n, roles * vocabulary)
        d_readout = _rows(done.x).T @ d_flat
        gradients["readout"] = d_readout.reshape(shape.d_model, shape.n_roles, -1).transpose(1, 0, 2)
        d_x = (d_flat @ self._readout().T).reshape(done.x.shape)
        for i, layer in reversed(list(enumerate(done.layers))):
            gradients["w_o"][i] = _rows(layer.concat).T @ _rows(d_x)
            d_heads = split_heads(d_x @ p["w_o"][i].T, shape.n_heads)  # (b, h, n, d_head)
            d_scores = d_heads @ layer.v.swapaxes(-1, -2)  # still the gradient of the weights: (b, h, n, n)
            d_scores -= np.sum(d_scores * layer.weights, axis=-1, keepdims=True)
            d_scores *= layer.weights / math.sqrt(layer.q.shape[-1])
            d_projected = {
                "w_q": d_scores @ layer.k,
                "w_k": d_scores.swapaxes(-1, -2) @ layer.q,
                "w_v": layer.weights.swapaxes(-1, -2) @ d_heads,
            }
            for name, d_split in d_projected.items():
                d_part = merge_heads(d_split)  # (b, n, d_model)
                gradients[name][i] = _rows(layer.x).T @ _rows(d_part)
                d_x = d_x + d_part @ p[name][i].T
        gradients["positions"][: tokens.shape[-1]] = d_x.sum(axis=0)
        np.add.at(gradients["embedding"], tokens, d_x)
        return gradients


def _rows(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1])


def _cross_entropy(logits: Array, targets: Tokens) -> tuple[float, Array]:
    """The loss and its gradient by the logits (b, n, roles, vocabulary)."""
    asked = targets != NOT_ASKED
    share = asked / np.maximum(asked.sum(axis=(0, 1)), 1) / targets.shape[-1]  # (b, n, roles)
    chosen = np.where(asked, targets, 0)[..., None]
    shifted = logits - logits.max(axis=-1, keepdims=True)
    gradient = np.exp(shifted)
    total = gradient.sum(axis=-1, keepdims=True)
    loss = share * (np.log(total) - np.take_along_axis(shifted, chosen, axis=-1))[..., 0]
    gradient /= total
    np.put_along_axis(gradient, chosen, np.take_along_axis(gradient, chosen, axis=-1) - 1, axis=-1)
    gradient *= share[..., None]
    return float(loss.sum()), gradient


@dataclass(frozen=True)
class Schedule:
    """Steps of Adam, sentences a step, and a rate that rises over `warm_up` steps, then falls to 0 as a cosine."""

    steps: int = 800
    batch: int = 64
    rate: float = 2e-2
    warm_up: int = 50
    decay: tuple[float, float] = (0.9, 0.98)

    def rate_at(self, step: int) -> float:
        """The learning rate of step 0, 1, ..."""
        rise = min(1.0, (step + 1) / self.warm_up)
        return self.rate * rise * (1 + math.cos(math.pi * step / self.steps)) / 2


def train(
    shape: Shape,
    sample: Callable[[np.random.Generator, int], Batch],
    schedule: Schedule,
    seed: int,
    watch: Callable[[int, TinyTransformer], None] | None = None,
) -> tuple[TinyTransformer, Array]:
    """Train from `seed` on batches that `sample(rng, batch)` draws: the model and its loss (steps,) at every step.

    `watch` is called with the number of steps taken, before the first step and after every one.
    """
    start, draw = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
    model = TinyTransformer(shape, shape.initial(start))
    mean = {name: np.zeros_like(values) for name, values in model.parameters.items()}
    square = {name: np.zeros_like(values) for name, values in model.parameters.items()}
    losses = np.empty(schedule.steps)
    beta, gamma = schedule.decay
    for step in range(schedule.steps):
        if watch is not None and step == 0:
            watch(0, model)
        losses[step], gradients = model.loss_and_gradients(sample(draw, schedule.batch))
        for name, gradient in gradients.items():
            mean[name] += (1 - beta) * (gradient - mean[name])
            square[name] += (1 - gamma) * (gradient**2 - square[name])
            unbiased = mean[name] / (1 - beta ** (step + 1))
            spread = np.sqrt(square[name] / (1 - gamma ** (step + 1)))
            model.parameters[name] -= schedule.rate_at(step) * unbiased / (spread + 1e-9)
        if watch is not None:
            watch(step + 1, model)
    return model, losses
