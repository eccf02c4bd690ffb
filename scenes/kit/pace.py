"""A lesson's time in whole frames: what rounding takes or gives is carried to the next move."""

# Keeps int(duration * fps) from losing a frame to binary fractions.
_EPSILON = 1e-6


class Pace:
    """How many frames have passed at `fps`, and how many the next move takes."""

    def __init__(self, fps: int) -> None:
        self.fps, self.frame = fps, 0
        self.plan: int | None = None
        self._seconds = 0.0

    def begin(self) -> None:
        """A move starts, which is not planned yet."""
        self.plan = None

    def planned(self, seconds: float) -> float:
        """Seconds of a whole number of frames for a move of so many seconds; planned once a move."""
        if self.plan is None:
            self._seconds += seconds
            self.plan = max(1, round(self._seconds * self.fps) - self.frame)
        return self.plan / self.fps + _EPSILON

    def end(self) -> None:
        """The move is over."""
        self.frame += self.plan or 0

    def too_short(self, seconds: float) -> bool:
        """Whether a wait is too short for a frame of its own; then it is carried over."""
        if round((self._seconds + seconds) * self.fps) > self.frame:
            return False
        self._seconds += seconds
        return True

    def until(self, frame: int) -> float:
        """Seconds from now to a later frame, in whole frames as sound is timed: nothing is carried over."""
        self._seconds = self.frame / self.fps
        return (frame - self.frame) / self.fps
