"""The gallery that lessons take trained heads from: stored sentences, other sentences, and what is refused."""

import importlib.util
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from mathcore.named import named_arrays, resolve
from mathcore.trained import heads, sentences
from mathcore.trained.evaluation import MEASURES
from mathcore.trained.gallery import SHOWN, Gallery, gallery
from mathcore.trained.heads import LAMPS, SHOWN_ROLES, TrainedHeads, head_scores, trained_heads
from mathcore.trained.minilm import MiniLM, ModelMissing
from mathcore.trained.wordpiece import VocabularyError


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    heads._model.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    yield
    heads._model.cache_clear()


def weight(of: TrainedHeads, layer: int, head: int, query: str, key: str) -> float:
    i, j = (of.tokens.index(word) for word in (query, key))
    return of.weights.entry(layer, head, i, j).value


@pytest.mark.usefixtures("without_model")
def test_the_running_sentence_needs_no_model() -> None:
    running = trained_heads("The tired  cat sat on the warm\nmat")
    assert running.tokens == ("[CLS]", "The", "tired", "cat", "sat", "on", "the", "warm", "mat", "[SEP]")
    assert running.pieces == ("[CLS]", "the", "tired", "cat", "sat", "on", "the", "warm", "mat", "[SEP]")
    # Values that were measured independently.
    assert weight(running, 2, 8, "tired", "cat") == pytest.approx(0.609, abs=5e-4)
    assert weight(running, 2, 8, "warm", "mat") == pytest.approx(0.585, abs=5e-4)
    assert weight(running, 3, 1, "The", "cat") == pytest.approx(0.857, abs=5e-4)
    assert weight(running, 3, 1, "the", "mat") == pytest.approx(0.289, abs=5e-4)
    assert weight(running, 1, 8, "tired", "cat") == pytest.approx(0.638, abs=5e-4)
    assert weight(running, 1, 8, "warm", "mat") == pytest.approx(0.714, abs=5e-4)
    assert weight(running, 0, 2, "cat", "tired") == pytest.approx(1.00, abs=5e-3)
    assert weight(running, 1, 8, "cat", "sat") == pytest.approx(0.50, abs=5e-3)
    assert weight(running, 2, 8, "cat", "[CLS]") == pytest.approx(0.72, abs=5e-3)


@pytest.mark.usefixtures("without_model")
def test_pairs_that_must_be_shown_together() -> None:
    tired, wide = trained_heads(sentences.IT_TIRED), trained_heads(sentences.IT_WIDE)
    assert weight(tired, 5, 11, "it", "animal") == pytest.approx(0.647, abs=5e-4)
    assert weight(wide, 5, 11, "it", "animal") == pytest.approx(0.503, abs=5e-4)
    assert weight(wide, 5, 11, "it", "street") < 0.05
    making = trained_heads(sentences.MAKING)
    assert weight(making, 5, 9, "making", "difficult") == pytest.approx(0.483, abs=5e-4)
    two = trained_heads(sentences.TWO_ADJECTIVES)
    assert weight(two, 1, 8, "small", "cat") < 0.05
    assert weight(two, 2, 8, "small", "cat") == pytest.approx(0.611, abs=5e-4)


def test_pieces_of_a_word_are_merged() -> None:
    tired = trained_heads(sentences.IT_TIRED)
    assert tired.tokens[3] == "didn't"
    assert tired.pieces[3:6] == ("didn", "'", "t")
    assert tired.weights.shape == (6, 12, 13, 13)


@pytest.mark.parametrize("text", sentences.SHOWN)
@pytest.mark.usefixtures("without_model")
def test_every_row_sums_to_one(text: str) -> None:
    shown = trained_heads(text)
    for named in (
        shown.weights,
        shown.lamps,
        shown.flashlight,
        *(getattr(shown, role).weights for role in SHOWN_ROLES),
    ):
        np.testing.assert_allclose(named.values.sum(axis=-1), 1, atol=1e-12)
    np.testing.assert_allclose(shown.lamp_sums.values, 1, atol=1e-12)


def test_roles_are_rows_of_the_whole() -> None:
    running = trained_heads(sentences.RUNNING)
    for role in SHOWN_ROLES:
        one = getattr(running, role)
        at = int(one.layer.entry().value), int(one.head.entry().value)
        np.testing.assert_array_equal(one.weights.values, running.weights.values[at])
        assert one.held_out.entry().value > 2 * one.average.entry().value or role == "sink"
    lamps = [getattr(running, role).weights.values for role in LAMPS]
    np.testing.assert_array_equal(running.lamps.values, lamps)
    np.testing.assert_allclose(running.flashlight.values, np.mean(lamps, axis=0))
    assert running.modifier.layer.entry().text(0) == "2"
    assert running.modifier.held_out.entry().text() == "0.40"


def test_what_the_film_says_of_the_four_lamps() -> None:
    shown, scores = trained_heads(sentences.RUNNING), head_scores()
    assert [getattr(shown, role).held_out.entry().text() for role in LAMPS] == ["1.00", "0.62", "0.40", "0.89"]
    assert [int(getattr(shown, role).layer.values) for role in LAMPS] == [0, 1, 2, 4]
    counts = scores.all_heads, scores.lamp_heads, scores.lamp_layers
    assert [int(count.values) for count in counts] == [72, 4, 4]
    # Many heads rest on [CLS].
    assert (scores.held_out.values[MEASURES.index("sink")] > 0.5).sum() == 33


def test_without_positions_the_weights_follow_the_words() -> None:
    one, other = (trained_heads(text, positions=False) for text in (sentences.DOG_BITES, sentences.MAN_BITES))
    order = [0, 3, 2, 1, 4]
    assert np.abs(one.weights.values[..., order, :][..., order] - other.weights.values).max() < 3e-6
    assert (one.positions, trained_heads(sentences.DOG_BITES).positions) == (False, True)
    assert one.digest() != trained_heads(sentences.DOG_BITES).digest()


# --- other sentences -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_model")
def test_a_sentence_of_ones_own_needs_the_model_and_says_so() -> None:
    with pytest.raises(ModelMissing, match=r"'A dog ran away' are not stored, and .*run `make model`"):
        trained_heads("A dog ran away")
    with pytest.raises(ModelMissing, match="make model"):
        trained_heads(sentences.RUNNING, positions=False)


@pytest.mark.usefixtures("without_model")
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("狗咬人", "狗.*CJK UNIFIED IDEOGRAPH-72D7.*Chinese is not in its vocabulary"),
        # These two have pieces, but the model learnt nothing about them.
        ("中 国 人", "中.*English only|English only.*中"),
        ("a привет", "п.*CYRILLIC"),
    ],
)
def test_what_is_not_english_is_refused_with_or_without_the_model(text: str, named: str) -> None:
    with pytest.raises(VocabularyError, match=named):
        trained_heads(text)


def test_the_model_and_the_stored_weights_agree(model: MiniLM) -> None:
    for text, positions in [(sentences.RUNNING, True), *SHOWN.values()]:
        fresh = heads._run(model, text, positions)
        kept = heads._stored()[text, positions]
        assert (fresh.pieces, fresh.word_ids, fresh.words) == (kept.pieces, kept.word_ids, kept.words)
        assert np.abs(fresh.values - kept.values).max() <= 1


def test_an_own_sentence_is_read_with_the_model(model: MiniLM) -> None:
    done = trained_heads("My naïve neighbour's dog, unmistakably, ran!")
    assert done.tokens == ("[CLS]", "My", "naïve", "neighbour's", "dog,", "unmistakably,", "ran!", "[SEP]")
    assert len(done.pieces) > len(done.tokens)
    np.testing.assert_allclose(done.weights.values.sum(axis=-1), 1, atol=1e-12)
    # Rounded, so that another machine's last digits do not matter.
    whole = heads._run(model, done.text, True).values.sum(axis=-1)
    assert (whole == 1_000_000).all()
    with pytest.raises(VocabularyError, match="GRINNING FACE"):
        trained_heads("a smile 😀")
    with pytest.raises(VocabularyError, match="no words"):
        trained_heads(" ")


# --- the gallery -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_model")
def test_every_path_resolves_from_the_gallery() -> None:
    shown = gallery()
    arrays = list(named_arrays(shown))
    assert len({array.path for array in arrays}) == len(arrays) > 300
    for array in arrays:
        assert resolve(shown, array.path) is array
    for path in ("sentence.previous.weights", "scores.trap.apart", "tiny.roles.accuracy", "it_wide.weights"):
        assert resolve(shown, path).path == path
    assert shown.sentence.text == sentences.RUNNING
    assert shown.sentence.weights.values is not shown.two_adjectives.weights.values


@pytest.mark.usefixtures("without_model")
def test_the_digest_follows_every_number() -> None:
    one, other = gallery(), gallery(sentences.TWO_ADJECTIVES)
    assert gallery() is one
    assert one.digest() == replace(one).digest()
    assert len({one.digest(), other.digest(), replace(one, it_tired=one.it_wide).digest()}) == 3
    assert isinstance(one, Gallery)
