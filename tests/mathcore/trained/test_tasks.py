"""The tasks' sentences and answers against slow, plain loops."""

import numpy as np

from mathcore.trained import tasks
from mathcore.trained.runs import RECALL, ROLES
from mathcore.trained.tiny import NOT_ASKED


def test_task_a_has_one_noun_of_each_kind_one_pronoun_and_one_rare_word() -> None:
    batch = tasks.roles_batch(np.random.default_rng(0), 200)
    places = set()
    for tokens, targets in zip(batch.tokens, batch.targets, strict=True):
        words = [tasks.WORDS[token] for token in tokens]
        assert len(words) == 12
        nouns = [[word for word in words if word in kind] for kind in tasks.NOUNS]
        assert [len(found) for found in nouns] == [1, 1, 1]
        (pronoun,) = (word for word in words if word in tasks.PRONOUNS)
        (rare,) = (word for word in words if word in tasks.RARE)
        assert sum(word in tasks.COMMON for word in words) == 7
        (noun,) = nouns[tasks.PRONOUNS.index(pronoun)]
        assert words.index(noun) < words.index(pronoun)
        places.add((words.index(noun), words.index(pronoun)))
        for i in range(12):
            answers = ["" if word == NOT_ASKED else tasks.WORDS[word] for word in targets[i]]
            before = words[i - 1] if i > 0 else ""
            after = words[i + 1] if i < 11 else ""
            assert answers == [before, after, rare, noun if words[i] == pronoun else ""]
    # Nothing can be learnt from where the noun stands.
    assert len(places) > 50


def test_task_b_answers_a_key_with_the_value_it_had_before() -> None:
    batch = tasks.recall_batch(np.random.default_rng(0), 200)
    asked = 0
    for tokens, targets in zip(batch.tokens, batch.targets, strict=True):
        symbols = [tasks.SYMBOLS[token] for token in tokens]
        assert len(symbols) == 17
        known: dict[str, str] = {}
        for i, symbol in enumerate(symbols):
            answer = "" if targets[i, 0] == NOT_ASKED else tasks.SYMBOLS[targets[i, 0]]
            if i % 2 == 0:
                assert symbol in tasks.KEYS
                assert answer == known.get(symbol, "")
                asked += bool(answer)
            else:
                assert answer == ""
                assert symbol == known.setdefault(symbols[i - 1], symbol)
                assert symbol in tasks.VALUES
        assert len(known) <= 4
        assert len(set(known.values())) == len(known)
    assert asked > 200


def test_a_head_that_looks_right_scores_one_in_its_role_alone() -> None:
    batch = tasks.roles_batch(np.random.default_rng(1), 20)
    weights = np.zeros((20, 5, 12, 12))
    for b, tokens in enumerate(batch.tokens):
        words = [tasks.WORDS[token] for token in tokens]
        (rare,) = (i for i, word in enumerate(words) if word in tasks.RARE)
        (pronoun,) = (i for i, word in enumerate(words) if word in tasks.PRONOUNS)
        noun = next(i for i, word in enumerate(words) if word in tasks.NOUNS[tasks.PRONOUNS.index(words[pronoun])])
        for i in range(12):
            weights[b, 0, i, max(i - 1, 0)] = 1
            weights[b, 1, i, min(i + 1, 11)] = 1
            weights[b, 2, i, rare] = 1
            weights[b, 3, i, noun] = 1
        weights[b, 4] = 1 / 12
    scores = tasks.roles_scores(weights, batch)
    np.testing.assert_allclose(np.diagonal(scores), 1)
    np.testing.assert_allclose(scores[4], 1 / 12)
    assert scores[:4].sum(axis=1).max() < 1.7


def test_an_induction_head_scores_one() -> None:
    batch = tasks.recall_batch(np.random.default_rng(1), 20)
    weights = np.zeros((20, 3, 17, 17))
    for b, tokens in enumerate(batch.tokens):
        for i, token in enumerate(tokens):
            weights[b, 0, i, max(i - 1, 0)] = 1
            earlier = [j + 1 for j in range(i - 1) if tokens[j] == token]
            for j in earlier or [0]:
                weights[b, 1, i, j] = 1 / len(earlier or [0])
            weights[b, 2, i, : i + 1] = 1 / (i + 1)
    scores = tasks.recall_scores(weights, batch)
    np.testing.assert_allclose(scores[0, :2], 1)
    assert scores[0, 2] < 0.5
    np.testing.assert_allclose(scores[1, 2], 1)
    assert (scores[2] < 0.5).all()


def test_the_examples_are_sentences_of_their_tasks() -> None:
    words = ROLES.example
    assert [sum(word in kind for word in words) for kind in tasks.NOUNS] == [1, 1, 1]
    assert sum(word in tasks.PRONOUNS for word in words) == sum(word in tasks.RARE for word in words) == 1
    assert len(words) == 12
    assert words.index("king") < words.index("he")
    pairs = list(zip(RECALL.example[0::2], RECALL.example[1::2], strict=False))
    assert len(RECALL.example) == 17
    assert len(set(pairs)) == len(dict(pairs)) == 4
    assert dict(pairs)[RECALL.example[-1]] == "4"
