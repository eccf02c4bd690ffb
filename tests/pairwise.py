"""Few cases in which every two choices meet, instead of all combinations."""

from collections.abc import Sequence
from itertools import combinations, product


def pairwise_cases(*choices: Sequence[object], first: Sequence[tuple[object, ...]] = ()) -> list[tuple[object, ...]]:
    """Cases of one option of each of `choices`, so that any two options of two choices meet in at least one.

    `first` are cases that are wanted anyway. Greedy: each further case is the one with most new meetings.
    """
    cases = list(first)
    options = list(product(*choices))
    met = {pair for case in cases for pair in combinations(enumerate(case), 2)}
    wanted = {pair for case in options for pair in combinations(enumerate(case), 2)} - met
    while wanted:
        best = max(options, key=lambda case: sum(pair in wanted for pair in combinations(enumerate(case), 2)))
        cases.append(best)
        wanted.difference_update(combinations(enumerate(best), 2))
    return cases
