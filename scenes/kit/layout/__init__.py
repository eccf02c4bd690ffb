"""Layout in words, without coordinates: verbs that fit text and cells to the room, in either format.

`stage.py` has the verbs of a stage, `relations.py` where a thing stands to another, `ways.py` lines and
paths that find a free way; `arrangements.py` and `blocks.py` are what these are made of.
"""

from scenes.formats import Slot
from scenes.kit.layout.arrangements import Arrangement, Flexible, Reach, grouped, sign
from scenes.kit.layout.blocks import Block, Measured, Panel
from scenes.kit.layout.relations import above, aligned, as_high, as_wide, below, beside, over
from scenes.kit.layout.stage import Stage, across, along, column, equation, grid, is_upright, row, table
from scenes.kit.layout.ways import Link, fan, free_way, link

__all__ = [
    "Arrangement",
    "Block",
    "Flexible",
    "Link",
    "Measured",
    "Panel",
    "Reach",
    "Slot",
    "Stage",
    "above",
    "across",
    "aligned",
    "along",
    "as_high",
    "as_wide",
    "below",
    "beside",
    "column",
    "equation",
    "fan",
    "free_way",
    "grid",
    "grouped",
    "is_upright",
    "link",
    "over",
    "row",
    "sign",
    "table",
]
