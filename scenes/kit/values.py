"""Values as digits: how a value of a named array is written on screen."""

from dataclasses import dataclass

import numpy as np

from mathcore.named import Entry, NamedArray


@dataclass(frozen=True)
class FormattedValue:
    """A value and how its digits are written: `places` decimals, a plus sign if `signed`, commas if `grouped`."""

    entry: Entry
    places: int
    signed: bool = False
    grouped: bool = False

    @property
    def text(self) -> str:
        """The digits: the nearest rounding of the value."""
        return self.entry.text(self.places, signed=self.signed, grouped=self.grouped)


Value = Entry | NamedArray | FormattedValue
"""What a number, or a slot of a line, may be given: a value of a named array, or a named scalar."""


def formatted(
    value: Entry | NamedArray, places: int | None = None, *, signed: bool = False, grouped: bool = False
) -> FormattedValue:
    """A value with its format; by itself, an integer has no decimals and any other number two.

    Raises IndexError for an array that is not a scalar.
    """
    entry = value.entry() if isinstance(value, NamedArray) else value
    return FormattedValue(entry, entry.places if places is None else places, signed, grouped)


def as_formatted(value: Value) -> FormattedValue:
    """A value with the format that it has, or else with that of `formatted`."""
    return value if isinstance(value, FormattedValue) else formatted(value)


def whole_or_two(named: NamedArray, *index: int) -> FormattedValue:
    """A value without decimals if all of its array are whole numbers (within 1e-6), else with two like the others."""
    whole = np.allclose(named.values, np.rint(named.values), rtol=0, atol=1e-6)
    return FormattedValue(named.entry(*index), 0 if whole else 2)


def places_for(table: NamedArray) -> int:
    """How many decimals all numbers of a table have: one significant digit of each, at least two, at most six."""
    smallest = min((abs(entry.value) for entry in table.entries() if entry.value), default=1.0)
    return next((places for places in range(2, 6) if smallest * 10**places >= 1), 6)
