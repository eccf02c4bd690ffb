"""The article's program, its nine numbered lines run as they are shown, with the value of each.

The text of a line IS what is run, so the film cannot show one program and the numbers of another.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from mathcore.attention import causal_mask, softmax
from mathcore.named import NamedArray

D_MODEL, HEADS, WORDS, SEED, SCALE = 16, 4, 6, 0, 0.01

# Each line, the name that it sets, that value's axes, and what the value is called in the trace.
_LINES = (
    ("self.W_Q = np.random.randn(d_model, h, self.d_k) * 0.01", "self.W_Q", ("feature", "head", "projected"), "w_q"),
    ("Q = np.einsum('nd, dhk -> nhk', X, self.W_Q)", "Q", ("token", "head", "projected"), "q"),
    ("K = np.einsum('nd, dhk -> nhk', X, self.W_K)", "K", ("token", "head", "projected"), "k"),
    ("V = np.einsum('nd, dhv -> nhv', X, self.W_V)", "V", ("token", "head", "projected"), "v"),
    ("scores = np.einsum('nhk, mhk -> nhm', Q, K) / np.sqrt(self.d_k)", "scores", ("query", "head", "key"), "scores"),
    ("attn = softmax(scores)", "attn", ("query", "head", "key"), "weights"),
    ("ctx = np.einsum('nhm, mhv -> nhv', attn, V)", "ctx", ("token", "head", "projected"), "context"),
    ("ctx_flat = ctx.reshape(n, -1)", "ctx_flat", ("token", "projected"), "concat"),
    ("out = ctx_flat @ self.W_O", "out", ("token", "feature"), "output"),
)
CODE = tuple(code for code, *_ in _LINES)
# The article's way to mask, and one that fits: heads are the MIDDLE axis of its scores.
MASK_CODE = "scores = scores + mask"
MENDED_CODE = "scores = scores + mask[:, None, :]"


@dataclass(frozen=True)
class DemoTrace:
    """Every value of the program, in the order of its lines, `code`; scores and weights are (n, h, n), heads between.

    `shapes[i]` is the shape that line i leaves. `uniform` is 1 / n and `departure` how far the farthest weight is from
    it: with initial weights of 0.01 nothing is attended yet. `mask_code` fails with `mask_error`; `mended_code` gives
    `masked_weights` instead, whose `blocked` (the largest weight on a later word) is 0.
    """

    code: tuple[str, ...]
    mask_code: str
    mask_error: str
    mended_code: str
    x: NamedArray
    w_q: NamedArray
    w_k: NamedArray
    w_v: NamedArray
    w_o: NamedArray
    q: NamedArray
    k: NamedArray
    v: NamedArray
    scores: NamedArray
    weights: NamedArray
    context: NamedArray
    concat: NamedArray
    output: NamedArray
    shapes: tuple[NamedArray, ...]
    uniform: NamedArray
    departure: NamedArray
    masked_weights: NamedArray
    blocked: NamedArray


class _SeededNumpy:
    """NumPy as the program sees it after `np.random.seed(SEED)`; the process's own generator is left alone."""

    def __init__(self) -> None:
        self.random = np.random.RandomState(SEED)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def run_demo() -> DemoTrace:
    """Run the program with 6 words, width 16, 4 heads, and the generator that `np.random.seed(0)` would set up."""
    numpy, d_head = _SeededNumpy(), D_MODEL // HEADS
    rng = numpy.random
    space: dict[str, Any] = {"np": numpy, "softmax": softmax, "d_model": D_MODEL, "h": HEADS, "n": WORDS}
    space |= {"X": rng.randn(WORDS, D_MODEL), "self": SimpleNamespace(d_k=d_head, d_v=d_head)}
    values: dict[str, Any] = {}
    for code, name, _, called in _LINES:
        exec(code, space)
        values[called] = eval(name, space)
        if called == "w_q":
            # The article's other three projections, drawn in its order.
            own = space["self"]
            own.W_K, own.W_V = (rng.randn(D_MODEL, HEADS, d_head) * SCALE for _ in range(2))
            own.W_O = rng.randn(HEADS * d_head, D_MODEL) * SCALE
    scores = space["scores"]
    space["mask"] = np.where(causal_mask(WORDS), 0.0, -np.inf)
    try:
        exec(MASK_CODE, space)
        error = ""
    except ValueError as refused:
        error = str(refused)
    space["scores"] = scores
    exec(MENDED_CODE, space)
    masked = softmax(space["scores"])
    later = ~causal_mask(WORDS)[:, None, :] & np.ones(masked.shape, dtype=bool)
    named = {called: NamedArray(values[called], called, axes, code) for code, _, axes, called in _LINES}
    per_head = ("feature", "head", "projected")
    return DemoTrace(
        code=CODE,
        mask_code=MASK_CODE,
        mask_error=error,
        mended_code=MENDED_CODE,
        x=NamedArray(space["X"], "x", ("token", "feature")),
        w_k=NamedArray(space["self"].W_K, "w_k", per_head),
        w_v=NamedArray(space["self"].W_V, "w_v", per_head),
        w_o=NamedArray(space["self"].W_O, "w_o", ("projected", "feature")),
        shapes=tuple(
            NamedArray(np.array(values[called].shape), f"shapes[{i}]", ("axis",))
            for i, (*_, called) in enumerate(_LINES)
        ),
        uniform=NamedArray(1 / WORDS, "uniform", (), "1 / n"),
        departure=NamedArray(np.abs(values["weights"] - 1 / WORDS).max(), "departure", (), "largest |weight - 1/n|"),
        masked_weights=NamedArray(masked, "masked_weights", ("query", "head", "key"), f"softmax, after {MENDED_CODE}"),
        blocked=NamedArray(masked[later].max(), "blocked", (), "largest weight on a later word"),
        **named,
    )
