"""Experiments whose numbers do not depend on the sentence: each is run once a process, when it is first asked for.

Sizes and seeds are fixed, so that every film and every configuration shows the same measurements.
"""

from functools import cache

from mathcore import cost, encoding
from mathcore.demo import DemoTrace, run_demo
from mathcore.named import located
from mathcore.recurrence import RecurrenceDraws, recurrent_draws
from mathcore.saturation import SaturationTrace, measure_saturation

# The 2017 paper's base model.
PAPER_D_MODEL, PAPER_HEADS, PAPER_D_FF = 512, 8, 2048
# Token counts of the table of costs, and how far window and strided attention look there.
COST_LENGTHS, COST_REACH = (128, 256, 512, 1024, 2048, 4096, 8192, 16384), 64


@cache
def saturation() -> SaturationTrace:
    """Random dot products by width, scaled and not, and what softmax makes of them."""
    widths = (4, 8, 16, 32, 64, 128, 256, 512)
    return located(measure_saturation(widths, queries=1000, keys=10, sample_width=64, seed=2017), "saturation")


@cache
def costs() -> cost.CostTrace:
    """Attention, recurrence, window and strided attention at the paper's width, as the text grows."""
    return located(cost.costs(COST_LENGTHS, PAPER_D_MODEL, radius=COST_REACH, stride=COST_REACH), "costs")


@cache
def patterns() -> cost.PatternTrace:
    """The masks of full, window and strided attention, small enough to draw."""
    return located(cost.patterns(16, radius=2, stride=4), "patterns")


@cache
def parameters() -> cost.ParameterTrace:
    """Parameters of the paper's base model, and what they would be otherwise."""
    return located(cost.parameters(PAPER_D_MODEL, PAPER_HEADS, PAPER_D_FF), "parameters")


@cache
def recurrence() -> RecurrenceDraws:
    """What recurrent nets keep of their first token after 100 steps; the one shown forgets slowly, by quiet inputs."""
    return located(recurrent_draws(101, 16, (1.0, 0.5, 0.25), range(7)), "recurrence")


@cache
def encoding_map() -> encoding.MapTrace:
    """The encoding of 20 positions at the paper's width, every cell; turns are counted within 20 and 50 tokens."""
    return located(encoding.encoding_map(20, PAPER_D_MODEL, (20, 50)), "encoding_map")


@cache
def similarity() -> encoding.SimilarityTrace:
    """Which positions are alike at the paper's width, and where similarity first rises at this and other widths."""
    pairs, widths = ((2, 3), (2, 50)), (16, 64, 128, PAPER_D_MODEL)
    return located(encoding.similarity(PAPER_D_MODEL, 101, pairs, widths, trained=512, far=1000), "similarity")


@cache
def demo() -> DemoTrace:
    """The article's program, run line by line."""
    return located(run_demo(), "demo")
