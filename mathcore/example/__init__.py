"""The worked example: for one configuration, every number that the films show."""

from mathcore.example.worked import WorkedExample

__all__ = ["WorkedExample"]
