"""What attention costs in parameters."""

from mathcore.attention import check_heads


def attention_parameters(d_model: int, n_heads: int, *, bias: bool = False) -> int:
    """Parameters of one multi-head attention, W_Q, W_K, W_V and W_O counted: 4 d_model^2 whatever n_heads is."""
    d_head = check_heads(d_model, n_heads)
    projections = 3 * n_heads * d_model * d_head + n_heads * d_head * d_model
    return projections + (3 * n_heads * d_head + d_model if bias else 0)
