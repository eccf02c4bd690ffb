"""The model in NumPy against another implementation's values (reference/make_minilm.py), and life without it."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from mathcore.named import named_arrays, resolve
from mathcore.trained import stored
from mathcore.trained.minilm import PACKAGE, READERS, MiniLM, ModelMissing, model_folder
from mathcore.trained.wordpiece import UNKNOWN

REFERENCE = stored.read("minilm.npz", Path(__file__).parents[1] / "reference")
RUNS = range(len(REFERENCE["run_texts"]))


@pytest.fixture(scope="module")
def single(model: MiniLM) -> MiniLM:
    return MiniLM.load(dtype=np.float32)


@pytest.mark.parametrize("number", range(len(REFERENCE["texts"])))
def test_pieces_are_those_of_another_tokeniser(model: MiniLM, number: int) -> None:
    tokenizer = model.tokenizer
    text = str(REFERENCE["texts"][number])
    cut = tokenizer.cut(text)
    ids = [tokenizer.numbers[piece] for piece in ("[CLS]", *cut, "[SEP]")]
    assert ids == REFERENCE[f"text{number}.ids"].tolist()
    if UNKNOWN not in cut:
        assert list(tokenizer(text).ids) == ids


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-5)])
@pytest.mark.parametrize("number", RUNS)
def test_the_forward_pass_agrees(
    request: pytest.FixtureRequest, number: int, dtype: type[np.floating], tolerance: float
) -> None:
    model: MiniLM = request.getfixturevalue("model" if dtype is np.float64 else "single")
    part = {name: REFERENCE[f"run{number}.{name}"] for name in ("layers", "weights", "features", "sums", "sentence")}
    done = model(str(REFERENCE["run_texts"][number]), positions=bool(REFERENCE["run_positions"][number]))
    hidden = done.hidden.values
    assert hidden.dtype == done.weights.values.dtype == dtype
    # The first stage that diverges is the one to look at.
    for stage, (ours, theirs) in enumerate(zip(hidden, part["features"], strict=True)):
        np.testing.assert_allclose(ours[:, :8], theirs, atol=tolerance, rtol=0, err_msg=f"after layer {stage}")
        wide = ours.astype(np.float64)
        sums = [wide.sum(), (wide**2).sum()]
        np.testing.assert_allclose(sums, part["sums"][stage], rtol=tolerance, err_msg=f"after layer {stage}")
    for layer, theirs in zip(part["layers"], part["weights"], strict=True):
        ours = done.weights.values[layer]
        np.testing.assert_allclose(ours, theirs, atol=tolerance, rtol=0, err_msg=f"attention of layer {layer}")
    np.testing.assert_allclose(done.sentence.values, part["sentence"], atol=tolerance, rtol=0)


def test_every_step_is_kept_under_its_path(model: MiniLM) -> None:
    done = model("dog bites man")
    assert done.weights.shape == (6, 12, 5, 5)
    np.testing.assert_allclose(done.weights.values.sum(axis=-1), 1, atol=1e-14)
    for array in named_arrays(done):
        assert resolve(done, array.path).values is array.values
    head = resolve(done, "layers[2].attention.heads[8].weights")
    np.testing.assert_array_equal(head.values, done.weights.values[2, 8])


def test_reordering_words_without_positions_reorders_the_weights(model: MiniLM) -> None:
    order = [0, 3, 2, 1, 4]
    for positions in (True, False):
        one, other = (model(text, positions=positions) for text in ("dog bites man", "man bites dog"))
        change = np.abs(one.weights.values[..., order, :][..., order] - other.weights.values).max()
        cosine = one.sentence.values @ other.sentence.values
        if positions:
            assert change > 0.9
            assert cosine == pytest.approx(0.907, abs=5e-4)
        else:
            assert change < 1e-13
            assert cosine == pytest.approx(1, abs=1e-13)


def test_more_pieces_than_positions_are_refused(model: MiniLM) -> None:
    assert model(" ".join(["a"] * 510)).weights.shape[-1] == 512
    with pytest.raises(ValueError, match="at most 512 pieces, but the sentence has 513"):
        model(" ".join(["a"] * 511))


def test_the_package_is_never_imported(model: MiniLM) -> None:
    assert PACKAGE not in sys.modules


# --- without the weights ---------------------------------------------------------------------------------------------


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match="run `make model`"):
        MiniLM.load()


def test_the_package_is_found_without_running_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "a b's 测试" / PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    spec = importlib.machinery.PathFinder.find_spec(PACKAGE, [str(package.parent)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    assert model_folder() == package / "model"
    with pytest.raises(ModelMissing, match=r"model\.safetensors cannot be read .*run `make model`"):
        MiniLM.load()
    (package / "model").mkdir()
    (package / "model" / "model.safetensors").write_bytes(b"not these")
    with pytest.raises(ModelMissing, match="another checksum than the file that was measured: run `make model`"):
        MiniLM.load()


def test_missing_readers_are_a_line(model: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in READERS else found(name))
    with pytest.raises(ModelMissing, match=r"^safetensors and tokenizers, .*not installed: run `make model`$"):
        MiniLM.load()


def test_other_number_types_are_refused(model: MiniLM) -> None:
    with pytest.raises(ValueError, match="float32 or float64, not float16"):
        MiniLM({}, model.tokenizer, np.float16)


def test_a_missing_model_is_a_failure_in_ci_and_a_loud_skip_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.mathcore.trained.conftest import load_or_say_so

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"CI must compare .*make model"):
        load_or_say_so()
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match=r"NOT RUN, .*make model"):
        load_or_say_so()
