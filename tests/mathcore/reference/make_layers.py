"""Makes layers.npz with PyTorch. Not run by the tests: see LAYERS.md beside this file.

    python -m venv torch-venv && torch-venv/bin/pip install torch==2.13.0 numpy==2.4.6
    torch-venv/bin/python tests/mathcore/reference/make_layers.py

Outputs come from torch's own modules and functions. What a module keeps to itself is brought out by calling its own
parts one after the other, and the last of them must be what the module as a whole gives.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch

HERE = Path(__file__).resolve().parent


def stored(name: str, stages: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}/{stage}": np.ascontiguousarray(value.detach().numpy()) for stage, value in stages.items()}


def norm(name: str, shape: tuple[int, ...], eps: float, *, affine: bool, offset: float = 0.0) -> dict[str, Any]:
    """One torch.nn.functional.layer_norm over the last axis."""
    x, width = torch.randn(*shape) * 2 + offset, shape[-1:]
    gain = torch.randn(width) if affine else torch.ones(width)
    bias = torch.randn(width) if affine else torch.zeros(width)
    _, mean, _ = torch.native_layer_norm(x, width, None, None, eps)
    stages = {
        "eps": torch.tensor(eps),
        "x": x,
        "gain": gain,
        "bias": bias,
        "mean": mean[..., 0],
        "centred": x - mean,
        "variance": x.var(dim=-1, correction=0),
        "normalised": torch.nn.functional.layer_norm(x, width, None, None, eps),
        "output": torch.nn.functional.layer_norm(x, width, gain, bias, eps),
    }
    return stored(name, stages)


def encoder(
    name: str, n: int, d_model: int, h: int, d_ff: int, activation: str, eps: float, allowed: Any = None, batch: int = 0
) -> dict[str, Any]:
    """One nn.TransformerEncoderLayer with norm_first=False, every weight, gain and bias drawn at random."""
    layer = torch.nn.TransformerEncoderLayer(
        d_model, h, d_ff, dropout=0.0, activation=activation, layer_norm_eps=eps, batch_first=True, norm_first=False
    )
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=d_model**-0.5)
    for part in (layer.norm1, layer.norm2):
        part.weight.data += 1
    x = torch.randn(*((batch,) if batch else ()), n, d_model)
    # True in a mask of these modules means blocked: the other way round.
    blocked = None if allowed is None else ~allowed
    if blocked is not None and batch:
        blocked = blocked.expand(batch, n, n).repeat_interleave(h, dim=0)
    attention = layer.self_attn
    w_q, w_k, w_v = attention.in_proj_weight.T.chunk(3, dim=1)
    b_q, b_k, b_v = attention.in_proj_bias.chunk(3)
    output, weights = attention(x, x, x, attn_mask=blocked, average_attn_weights=False)
    first_sum = x + output
    first_norm = layer.norm1(first_sum)
    hidden = layer.linear1(first_norm)
    activated = layer.activation(hidden)
    second = layer.linear2(activated)
    second_sum = first_norm + second
    second_norm = layer.norm2(second_sum)
    whole = layer(x, src_mask=blocked)
    torch.testing.assert_close(second_norm, whole, rtol=0, atol=1e-13)
    stages = {
        "eps": torch.tensor(eps),
        "x": x,
        "attention.w_q": w_q,
        "attention.w_k": w_k,
        "attention.w_v": w_v,
        "attention.w_o": attention.out_proj.weight.T,
        "attention.b_q": b_q,
        "attention.b_k": b_k,
        "attention.b_v": b_v,
        "attention.b_o": attention.out_proj.bias,
        "attention.q": x @ w_q + b_q,
        "attention.k": x @ w_k + b_k,
        "attention.v": x @ w_v + b_v,
        "weights": weights,
        "attention.output": output,
        "attention_sum": first_sum,
        "attention_norm.gain": layer.norm1.weight,
        "attention_norm.bias": layer.norm1.bias,
        "attention_norm.output": first_norm,
        "feed_forward.w_1": layer.linear1.weight.T,
        "feed_forward.b_1": layer.linear1.bias,
        "feed_forward.w_2": layer.linear2.weight.T,
        "feed_forward.b_2": layer.linear2.bias,
        "feed_forward.hidden": hidden,
        "feed_forward.activated": activated,
        "feed_forward.output": second,
        "feed_forward_sum": second_sum,
        "feed_forward_norm.gain": layer.norm2.weight,
        "feed_forward_norm.bias": layer.norm2.bias,
        "feed_forward_norm.output": whole,
    }
    if allowed is not None:
        stages["allowed"] = allowed
    return stored(name, stages)


def main() -> None:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(2016)
    x = torch.cat([torch.linspace(-12, 12, 97), torch.randn(60), torch.tensor([-1e3, -40.0, 40.0, 1e3])])
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    padded = torch.ones(3, 5, 5, dtype=torch.bool)
    padded[1, :, 4:] = False
    padded[2, :, 2:] = False
    arrays = {
        **stored("gelu", {"x": x, "output": torch.nn.functional.gelu(x, approximate="none")}),
        **norm("norm_plain", (4, 8), 1e-5, affine=False),
        **norm("norm_affine", (3, 6), 1e-12, affine=True),
        **norm("norm_batch", (2, 3, 5), 1e-3, affine=True),
        **norm("norm_far", (3, 8), 1e-5, affine=True, offset=1000.0),
        **encoder("encoder_relu", 5, 8, 2, 16, "relu", 1e-5),
        **encoder("encoder_gelu", 6, 12, 3, 20, "gelu", 1e-12),
        **encoder("encoder_causal", 5, 8, 4, 12, "relu", 1e-5, causal),
        **encoder("encoder_padded", 5, 8, 2, 16, "gelu", 1e-5, padded, batch=3),
    }
    np.savez_compressed(HERE / "layers.npz", **arrays)
    print(f"torch {torch.__version__}, numpy {np.__version__}: {len(arrays)} arrays")


if __name__ == "__main__":
    main()
