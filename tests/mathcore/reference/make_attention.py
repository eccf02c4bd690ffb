"""Makes attention.npz with PyTorch. Not run by the tests: see README.md beside this file.

    python -m venv torch-venv && torch-venv/bin/pip install torch==2.13.0 numpy
    torch-venv/bin/python tests/mathcore/reference/make_attention.py

Weights and outputs come from torch's own modules; what those keep to themselves is brought out through
them (identity values show the weights, an identity output projection shows the concatenation).
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

HERE = Path(__file__).resolve().parent


def single(
    name: str, n: int, m: int, d: int, e: int, allowed: Any = None, batch: tuple[int, ...] = ()
) -> dict[str, Any]:
    """One call of scaled_dot_product_attention, where True in a mask means allowed."""
    q, k, v = torch.randn(*batch, n, d), torch.randn(*batch, m, d), torch.randn(*batch, m, e)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    scores = torch.einsum("...nd,...md->...nm", q, k)
    identity = torch.eye(m).expand(*batch, m, m)
    stages = {
        "q": q,
        "k": k,
        "v": v,
        "scores": scores,
        "scaled": scores / math.sqrt(d),
        "weights": sdpa(q, k, identity, attn_mask=allowed),
        "output": sdpa(q, k, v, attn_mask=allowed),
    }
    if allowed is not None:
        stages["allowed"] = allowed
    return {f"{name}/{stage}": value.numpy() for stage, value in stages.items()}


def multi(name: str, n: int, d_model: int, h: int, allowed: Any = None, batch: tuple[int, ...] = ()) -> dict[str, Any]:
    """One call of nn.MultiheadAttention, where True in a mask means blocked: the other way round."""
    module = torch.nn.MultiheadAttention(d_model, h, bias=False, batch_first=True)
    for weights in (module.in_proj_weight, module.out_proj.weight):
        torch.nn.init.normal_(weights, std=d_model**-0.5)
    x = torch.randn(*batch, n, d_model)
    blocked = None
    if allowed is not None:
        blocked = ~allowed
        if batch:
            blocked = blocked.expand(*batch, n, n).repeat_interleave(h, dim=0)
    output, weights = module(x, x, x, attn_mask=blocked, average_attn_weights=False)
    w_q, w_k, w_v = module.in_proj_weight.T.chunk(3, dim=1)
    w_o = module.out_proj.weight.T.clone()
    with torch.no_grad():
        module.out_proj.weight.copy_(torch.eye(d_model))
    concat, _ = module(x, x, x, attn_mask=blocked)
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    heads = [part.unflatten(-1, (h, d_model // h)).transpose(-2, -3) for part in (q, k)]
    scores = torch.einsum("...nd,...md->...nm", *heads)
    stages = {
        "x": x,
        "w_q": w_q,
        "w_k": w_k,
        "w_v": w_v,
        "w_o": w_o,
        "q": q,
        "k": k,
        "v": v,
        "scores": scores,
        "scaled": scores / math.sqrt(d_model // h),
        "weights": weights,
        "concat": concat,
        "output": output,
    }
    if allowed is not None:
        stages["allowed"] = allowed
    return {f"{name}/{stage}": np.ascontiguousarray(value.detach().numpy()) for stage, value in stages.items()}


def main() -> None:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(2017)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    one_row_blocked = torch.tensor([[True, False, True], [False, False, False], [False, True, False]])
    padded = torch.ones(3, 5, 5, dtype=torch.bool)
    padded[1, :, 4:] = False
    padded[2, :, 2:] = False
    arrays = {
        **single("attend_plain", 3, 5, 4, 2),
        **single("attend_causal", 5, 5, 3, 3, causal),
        **single("attend_row_blocked", 3, 3, 2, 2, one_row_blocked),
        **single("attend_batch", 2, 4, 3, 5, batch=(2, 3)),
        **multi("heads_plain", 5, 8, 2),
        **multi("heads_causal", 5, 6, 3, causal),
        **multi("heads_padded", 5, 8, 4, padded, batch=(3,)),
    }
    np.savez_compressed(HERE / "attention.npz", **arrays)
    print(f"torch {torch.__version__}, numpy {np.__version__}: {len(arrays)} arrays")


if __name__ == "__main__":
    main()
