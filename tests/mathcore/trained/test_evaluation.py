"""The sentences, how words are merged, and the stored measurements against the model's own."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mathcore.trained import sentences, stored
from mathcore.trained.evaluation import MEASURES, ROLES, by_role, groups, merge_words
from mathcore.trained.heads import SCORES, SENTENCES, head_scores
from mathcore.trained.minilm import MiniLM

ROOT = Path(__file__).resolve().parents[3]
CHOOSING = (*sentences.CHOOSING, *sentences.ADJECTIVES_CHOOSING, *sentences.SUBJECTS_CHOOSING)
HELD_OUT = (*sentences.HELD_OUT, *sentences.ADJECTIVES_HELD_OUT, *sentences.SUBJECTS_HELD_OUT)
# fmt: off
DETERMINERS = {
    "a", "an", "the", "my", "our", "his", "her", "its", "their", "this", "that", "every", "one", "two", "many", "some",
    "no",
}
# fmt: on


# --- the sentences ---------------------------------------------------------------------------------------------------


def test_the_two_sets_share_no_sentence_and_are_large_enough() -> None:
    choosing, held_out = {s.text for s in CHOOSING}, {s.text for s in HELD_OUT}
    assert len(sentences.CHOOSING) >= 10
    assert len(sentences.HELD_OUT) >= 20
    assert not choosing & held_out
    assert not (choosing | held_out) & set(sentences.SHOWN)
    pronouns = {t for p in (*sentences.PRONOUNS_CHOOSING, *sentences.PRONOUNS_HELD_OUT) for t in p.texts}
    assert len(pronouns) == 24


def test_no_two_words_are_paired_in_both_sets() -> None:
    def pairs(annotated: tuple[sentences.Annotated, ...]) -> set[tuple[str, str]]:
        listed = ((s.words, [*s.adjective, *s.subject, *s.related]) for s in annotated)
        return {(words[i], words[j]) for words, found in listed for i, j in found}

    assert not pairs(sentences.CHOOSING) & pairs(sentences.HELD_OUT)


@pytest.mark.parametrize("annotated", [*sentences.CHOOSING, *sentences.HELD_OUT])
def test_pairs_are_what_they_are_called(annotated: sentences.Annotated) -> None:
    words = annotated.words
    assert words[-1] == "."
    for i, j in annotated.adjective:
        assert j == i + 1
    assert {words[i].lower() for i, _ in annotated.determiner} <= DETERMINERS
    # At most one other word stands between a determiner and its noun.
    assert all(1 <= j - i <= 2 for i, j in annotated.determiner)
    # A subject stands before its verb.
    assert all(j < i for i, j in annotated.subject)
    assert annotated.determiner
    assert annotated.adjective
    assert annotated.subject


def test_apart_means_another_word_between() -> None:
    for apart in (*sentences.ADJECTIVES_CHOOSING, *sentences.ADJECTIVES_HELD_OUT):
        assert all((nearer - looks, noun - nearer) == (1, 1) for looks, nearer, noun in apart.triples)
    for apart in (*sentences.SUBJECTS_CHOOSING, *sentences.SUBJECTS_HELD_OUT):
        assert all(subject < nearer == verb - 1 for verb, nearer, subject in apart.triples)


def test_a_pronoun_comes_after_both_nouns() -> None:
    for pronoun in (*sentences.PRONOUNS_CHOOSING, *sentences.PRONOUNS_HELD_OUT):
        one, other = (text.split() for text in pronoun.texts)
        assert one[:-1] == other[:-1]
        assert one[-1] != other[-1]
        assert one[pronoun.it] == "it"
        assert max(pronoun.nouns) < pronoun.it


def test_a_name_that_is_not_one_word_is_refused() -> None:
    with pytest.raises(ValueError, match="'the' is not one word"):
        sentences._place(["the", "cat", "the"], "the")
    with pytest.raises(ValueError, match="'the#3' is not one word"):
        sentences._place(["the", "cat", "the"], "the#3")
    assert sentences._place(["the", "cat", "the"], "the#2") == 2


# --- words from pieces -----------------------------------------------------------------------------------------------


def test_merging_averages_rows_and_adds_columns() -> None:
    weights = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], [0.0, 0.5, 0.5, 0.0], [0.25] * 4])
    word_ids = (None, 0, 0, None)
    assert groups(word_ids) == [[0], [1, 2], [3]]
    expected = [[0.1, 0.5, 0.4], [0.2, 0.75, 0.05], [0.25, 0.5, 0.25]]
    np.testing.assert_allclose(merge_words(weights, word_ids), expected)
    np.testing.assert_array_equal(merge_words(weights, (None, 0, 1, None)), weights)
    # [CLS] and [SEP] side by side stay two.
    assert groups((None, None)) == [[0], [1]]


def test_merging_keeps_rows_whole() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(6), size=(2, 3, 6))
    merged = merge_words(weights, (None, 0, 1, 1, 1, None))
    assert merged.shape == (2, 3, 4, 4)
    np.testing.assert_allclose(merged.sum(axis=-1), 1)


# --- what was measured -----------------------------------------------------------------------------------------------


def test_heads_are_chosen_on_one_set_and_scored_on_the_other() -> None:
    scores, data = head_scores(), stored.read(SCORES)
    for i, role in enumerate(ROLES):
        chosen = np.unravel_index(by_role(data["choosing.scores"], role).argmax(), (6, 12))
        assert (scores.layers.values[i], scores.heads.values[i]) == chosen
        assert scores.scores.values[i] == by_role(data["held_out.scores"], role)[chosen]
        assert scores.averages.values[i] == pytest.approx(by_role(data["held_out.scores"], role).mean())


def role(name: str) -> tuple[int, int, float]:
    scores, i = head_scores(), list(ROLES).index(name)
    return int(scores.layers.values[i]), int(scores.heads.values[i]), float(scores.scores.values[i])


@pytest.mark.parametrize(
    ("name", "head", "score", "margin"),
    [
        ("previous", (0, 2), 0.99, 3),
        ("next", (1, 8), 0.60, 2),
        ("sink", (4, 5), 0.85, 1),
        ("punctuation", (3, 11), 0.40, 3),
        ("determiner", (2, 8), 0.50, 1.1),
        ("modifier", (2, 8), 0.39, 1.5),
    ],
)
def test_solid_roles_hold_on_other_sentences(name: str, head: tuple[int, int], score: float, margin: float) -> None:
    layer, number, held_out = role(name)
    assert (layer, number) == head
    assert held_out > score
    every = by_role(head_scores().held_out.values, name).ravel()
    assert held_out == every.max()
    assert held_out > margin * np.sort(every)[-2]


def test_rarity_is_a_correlation_that_several_heads_have() -> None:
    layer, head, score = role("rarity")
    assert (layer, head) == (5, 7)
    assert 0.6 < score < np.max(head_scores().held_out.values[MEASURES.index("rarity")])


def test_the_next_word_head_falls_into_the_trap_and_the_modifier_head_does_not() -> None:
    trap = head_scores().trap
    next_word, modifier = range(2)
    assert trap.adjacent.values[next_word] > trap.adjacent.values[modifier] > 0.4
    assert trap.apart.values[next_word] < 0.05
    assert trap.apart.values[modifier] > 0.35
    assert trap.wins.values.tolist() == [0, 10]
    assert int(trap.tries.values) == 12


def test_no_head_resolves_it_or_finds_subjects() -> None:
    missing = head_scores().not_shown
    assert int(missing.it_pairs.values) == 8
    assert missing.it_best.values == missing.it_flips.values.max() <= 2
    assert missing.it_chosen.values <= missing.it_best.values
    assert missing.it_flips.values[5, 11] == 0
    assert missing.it_right.values[5, 11] == 0.5
    assert missing.subject_best.values == missing.subject_wins.values.max() <= missing.subject_tries.values / 2
    assert role("subject")[2] < 0.2
    assert role("related")[2] < 0.25


def test_the_readme_has_the_stored_figures() -> None:
    readme = (stored.FOLDER / "README.md").read_text(encoding="utf-8")
    names = {
        "previous word": "previous",
        "next word": "next",
        "[CLS] sink": "sink",
        "punctuation": "punctuation",
        "rarer words (Spearman)": "rarity",
        "determiner -> noun": "determiner",
        "modifier -> noun": "modifier",
    }
    rows = {line.split(" | ")[0].removeprefix("| "): line.split(" | ") for line in readme.splitlines() if "| L" in line}
    for title, name in names.items():
        layer, head, score = role(name)
        _, shown, chosen, held_out, average, _ = rows[title]
        assert shown == f"L{layer}H{head}"
        assert float(held_out) == pytest.approx(score, abs=5.1e-4)
        i = list(ROLES).index(name)
        assert float(average) == pytest.approx(head_scores().averages.values[i], abs=5.1e-4)
        assert float(chosen) == pytest.approx(by_role(head_scores().choosing.values, name)[layer, head], abs=5.1e-4)


def test_measuring_again_gives_what_is_stored(model: MiniLM, tmp_path: Path) -> None:
    # A process of its own, as the script sets the number of threads, which is read when NumPy is first imported.
    done = subprocess.run(
        [sys.executable, "scripts/bench/measure_heads.py", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name, places in ((SCORES, 1e-9), (SENTENCES, 0)):
        new, old = stored.read(name, tmp_path), stored.read(name)
        assert new.keys() == old.keys()
        assert name in done.stdout
        for key, values in old.items():
            if key == "millionths":
                unit = 256.0 ** np.arange(3)
                # A rounding can fall to the other side on another machine.
                assert np.abs(unit @ new[key] - unit @ values).max() <= 1
            elif values.dtype.kind == "f":
                np.testing.assert_allclose(new[key], values, atol=max(places, 1e-12), err_msg=key)
            else:
                np.testing.assert_array_equal(new[key], values, err_msg=key)


def test_measuring_without_the_model_says_how_to_get_it(tmp_path: Path) -> None:
    # Site packages off: NumPy comes from where it is, the model from nowhere.
    folder = tmp_path / "only numpy"
    folder.mkdir()
    (folder / "numpy").symlink_to(Path(np.__file__).parent, target_is_directory=True)
    libraries = Path(np.__file__).parent.parent / "numpy.libs"
    if libraries.exists():
        (folder / "numpy.libs").symlink_to(libraries, target_is_directory=True)
    done = subprocess.run(
        [sys.executable, "-S", "scripts/bench/measure_heads.py", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "the weights of MiniLM-L6 are not installed: run `make model` (it fetches 84 MB)"
    ]
    assert not list(tmp_path.glob("*.npz"))


def test_distances_and_sinks_are_those_of_the_readme() -> None:
    scores = head_scores()
    assert scores.special_mass.values == pytest.approx([0.324, 0.605, 0.618, 0.587, 0.647, 0.371], abs=1e-3)
    assert scores.head_distance.values == pytest.approx([0.292, 0.270, 0.229, 0.209, 0.145, 0.215], abs=1e-3)
    assert scores.order.cosines.values == pytest.approx([0.907, 1], abs=5e-4)
    assert scores.order.changes.values[0] > 0.99
    assert scores.order.changes.values[1] < 1e-13
