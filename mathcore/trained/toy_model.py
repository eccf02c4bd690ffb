"""The model behind the worked example: one attention layer and four linear readouts, with hand-written gradients.

A word's vector goes through one multi-head attention, as the films show it; from the attention's output (nothing is
added to it) each question's readout names a word. Readouts are never drawn, so they alone are not rounded.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import check_heads, merge_heads, softmax, split_heads
from mathcore.position import sinusoidal
from mathcore.trained.tiny import NOT_ASKED, Tokens
from mathcore.trained.toy_sentences import ANSWERS, GROUPS, LONGEST, PAD, QUESTIONS, Asked

Array = NDArray[np.float64]
Parameters = dict[str, Array]

# What the films show, and what one decimal is enough for.
SHOWN = ("embedding", "w_q", "w_k", "w_v", "w_o")
# Where a word stands among the answers of each question.
_ANSWER = np.full((len(QUESTIONS), PAD), NOT_ASKED)
for _question, _rows in enumerate(ANSWERS):
    _ANSWER[_question, _rows] = np.arange(len(_rows))
# Keeps the gradient of a norm finite at 0.
_LEAST_NORM = 1e-6


@dataclass(frozen=True)
class ToyShape:
    """Sizes of the model; `positions` says whether sinusoidal positions are added to the words.

    Raises ValueError for heads that do not divide d_model.
    """

    d_model: int
    n_heads: int
    positions: bool = False

    def __post_init__(self) -> None:
        check_heads(self.d_model, self.n_heads)

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The shape of every parameter, by name."""
        d = self.d_model
        readouts: dict[str, tuple[int, ...]] = {}
        for question, rows in zip(QUESTIONS, ANSWERS, strict=True):
            readouts |= {f"readout.{question}": (d, len(rows)), f"bias.{question}": (len(rows),)}
        return {"embedding": (PAD, d), **dict.fromkeys(SHOWN[1:], (d, d)), **readouts}

    def initial(self, rng: np.random.Generator) -> Parameters:
        """Random parameters: words with standard deviation 1, matrices with 1 / sqrt(d_model), biases zero."""
        drawn = {name: rng.standard_normal(shape) for name, shape in self.parameters().items()}
        scale = {"embedding": 1.0, **dict.fromkeys((f"bias.{name}" for name in QUESTIONS), 0.0)}
        return {name: values * scale.get(name, 1 / math.sqrt(self.d_model)) for name, values in drawn.items()}


def rounded(parameters: Mapping[str, Array]) -> Parameters:
    """The parameters with one decimal in whatever the films show."""
    return {name: np.round(values, 1) if name in SHOWN else values for name, values in parameters.items()}


@dataclass(frozen=True)
class Pass:
    """What the model computes for b sentences, and what the gradients need of it."""

    x: Array  # (b, n, d_model)
    q: Array  # (b, h, n, d_head), already divided by sqrt(d_head)
    k: Array  # (b, h, n, d_head)
    v: Array  # (b, h, n, d_head)
    weights: Array  # (b, h, n, n)
    concat: Array  # (b, n, d_model)
    output: Array  # (b, n, d_model)


class ToyModel:
    """A shape and its parameters, in float64."""

    def __init__(self, shape: ToyShape, parameters: Mapping[str, NDArray[Any]]) -> None:
        """Raises ValueError for parameters that do not fit the shape."""
        sizes = {name: values.shape for name, values in parameters.items()}
        if sizes != shape.parameters():
            raise ValueError(f"parameters have the shapes {sizes}, but {shape.parameters()} are needed")
        self.shape = shape
        self.parameters: Parameters = {name: values.astype(np.float64) for name, values in parameters.items()}
        self._seats = sinusoidal(LONGEST, shape.d_model)

    def rounded(self) -> "ToyModel":
        """The same model with one decimal in whatever the films show."""
        return ToyModel(self.shape, rounded(self.parameters))

    def forward(self, rows: Tokens, without: int | None = None) -> Pass:
        """Rows (b, n) of sentences, PAD after their ends; head `without` adds nothing to the output."""
        p, shape = self.parameters, self.shape
        x = np.vstack((p["embedding"], np.zeros(shape.d_model)))[rows]  # (b, n, d_model)
        if shape.positions:
            n = rows.shape[1]
            x = x + (self._seats[:n] if n <= LONGEST else sinusoidal(n, shape.d_model))
        scale = 1 / math.sqrt(shape.d_model // shape.n_heads)
        q, k, v = (split_heads(x @ w, shape.n_heads) for w in (p["w_q"] * scale, p["w_k"], p["w_v"]))
        weights = q @ k.swapaxes(-1, -2)  # (b, h, n, n)
        weights += np.where(rows == PAD, -np.inf, 0.0)[:, None, None, :]
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        heads = weights @ v  # (b, h, n, d_head)
        if without is not None:
            heads[:, without] = 0
        concat = merge_heads(heads)
        return Pass(x, q, k, v, weights, concat, concat @ p["w_o"])

    def probabilities(self, output: Array, question: int) -> Array:
        """What a readout makes of outputs (..., d_model): (..., answers), each row a share of 1."""
        name = QUESTIONS[question]
        return softmax(output @ self.parameters[f"readout.{name}"] + self.parameters[f"bias.{name}"])

    def right(self, asked: Asked, without: int | None = None) -> NDArray[np.bool_]:
        """(b, n, 4): where a question is answered with the right word. What is not asked is False."""
        output, found = self.forward(asked.rows, without).output, []
        for question, name in enumerate(QUESTIONS):
            logits = output @ self.parameters[f"readout.{name}"] + self.parameters[f"bias.{name}"]
            answers = ANSWERS[question][logits.argmax(axis=-1)]
            found.append(answers == asked.targets[..., question])
        return np.stack(found, axis=-1)

    def accuracy(self, asked: Asked) -> Array:
        """(groups, questions): the share of right answers, NaN where a group does not ask."""
        right, is_asked = self.right(asked), asked.targets != NOT_ASKED
        total = np.full((len(GROUPS), len(QUESTIONS)), np.nan)
        for group, question in np.ndindex(total.shape):
            which = is_asked[..., question] & (asked.groups[..., question] == group)
            if which.any():
                total[group, question] = right[..., question][which].mean()
        return total

    def loss_and_gradients(self, asked: Asked, sharing: float = 0.0) -> tuple[float, Parameters]:
        """Cross-entropy in nats, averaged over what a question is asked and then over questions; and its gradient.

        `sharing` weighs a penalty on questions that read several heads: the norm of each product of a head's rows of
        W_O with a readout (a group lasso).
        """
        p, done = self.parameters, self.forward(asked.rows)
        output, targets = _flat(done.output), asked.targets.reshape(-1, len(QUESTIONS))
        gradients: Parameters = {}
        d_output, loss = np.zeros_like(output), 0.0
        for question, name in enumerate(QUESTIONS):
            which = np.flatnonzero(targets[:, question] != NOT_ASKED)
            share = 1 / (max(len(which), 1) * len(QUESTIONS))
            answers, every = _ANSWER[question][targets[which, question]], np.arange(len(which))
            given, readout = output[which], p[f"readout.{name}"]
            d_logits = given @ readout + p[f"bias.{name}"]
            d_logits -= d_logits.max(axis=-1, keepdims=True)
            chosen = d_logits[every, answers]
            np.exp(d_logits, out=d_logits)
            total = d_logits.sum(axis=-1)
            loss += share * float((np.log(total) - chosen).sum())
            d_logits *= (share / total)[:, None]
            d_logits[every, answers] -= share
            gradients[f"readout.{name}"] = given.T @ d_logits
            gradients[f"bias.{name}"] = d_logits.sum(axis=0)
            d_output[which] += d_logits @ readout.T
        gradients |= self._backward(asked.rows, done, d_output)
        if sharing:
            loss += self._penalise_sharing(sharing, gradients)
        return loss, gradients

    def _backward(self, rows: Tokens, done: Pass, d_output: Array) -> Parameters:
        p, shape, x = self.parameters, self.shape, _flat(done.x)
        d_concat = (d_output @ p["w_o"].T).reshape(done.x.shape)
        d_heads = split_heads(d_concat, shape.n_heads)  # (b, h, n, d_head)
        d_scores = d_heads @ done.v.swapaxes(-1, -2)  # still the gradient of the weights: (b, h, n, n)
        d_scores -= np.sum(d_scores * done.weights, axis=-1, keepdims=True)
        d_scores *= done.weights
        scale = 1 / math.sqrt(shape.d_model // shape.n_heads)
        projected = {
            "w_q": d_scores @ done.k * scale,
            "w_k": d_scores.swapaxes(-1, -2) @ done.q,
            "w_v": done.weights.swapaxes(-1, -2) @ d_heads,
        }
        gradients = {"w_o": _flat(done.concat).T @ d_output}
        d_x = np.zeros_like(x)
        for name, d_split in projected.items():
            d_part = _flat(merge_heads(d_split))
            gradients[name] = x.T @ d_part
            d_x += d_part @ p[name].T
        # Counting is faster than adding row by row.
        flat = rows.ravel()
        columns = [np.bincount(flat, weights=column, minlength=PAD + 1)[:PAD] for column in d_x.T]
        gradients["embedding"] = np.stack(columns, axis=-1)
        return gradients

    def _penalise_sharing(self, sharing: float, gradients: Parameters) -> float:
        """Adds the penalty's gradients; returns the penalty."""
        p, total = self.parameters, 0.0
        blocks = p["w_o"].reshape(self.shape.n_heads, -1, self.shape.d_model)  # (h, d_head, d_model)
        for question in QUESTIONS:
            readout = p[f"readout.{question}"]
            paths = blocks @ readout  # (h, d_head, answers)
            norms = np.sqrt((paths**2).sum(axis=(1, 2), keepdims=True) + _LEAST_NORM)
            total += sharing * float(norms.sum())
            paths *= sharing / norms
            gradients["w_o"] += (paths @ readout.T).reshape(gradients["w_o"].shape)
            gradients[f"readout.{question}"] += (blocks.swapaxes(-1, -2) @ paths).sum(axis=0)
        return total


def _flat(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1])
