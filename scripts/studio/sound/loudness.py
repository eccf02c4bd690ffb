"""One loudness for every line: -16 LUFS (EBU R 128, gated) with no true peak above a ceiling, at 48 kHz.

As each line has it by itself, so has the film, and a line that is spoken anew changes no other.
"""

from fractions import Fraction

import av
import numpy as np
from av.filter import Graph

from scripts.studio.sound.engines import Samples, Spoken

RATE = 48000
TARGET = -16.0
# AAC adds a little to peaks; below -1 dBTP in the film is meant.
_CEILING = 10 ** (-2.0 / 20)
# How far ahead, in seconds, the limiter turns the volume down before a peak.
_AHEAD = 0.004
# Quieter than this is silence, which has no loudness.
_SILENT = -60.0


def levelled(spoken: Spoken) -> Samples:
    """A line at 48 kHz, at the target loudness when both channels of a film play it."""
    samples = at_rate(spoken.samples, spoken.rate)
    level = loudness(samples)
    if level < _SILENT:
        return samples
    # Limiting takes a little loudness away, which the second round gives back.
    for _ in range(3):
        samples = limited(samples * np.float32(10 ** ((TARGET - level) / 20)))
        level = loudness(samples)
    return samples


def at_rate(samples: Samples, rate: int) -> Samples:
    """Samples at 48 kHz."""
    if rate == RATE:
        return samples.astype(np.float32)
    from scipy.signal import resample_poly

    ratio = Fraction(RATE, rate)
    return np.asarray(resample_poly(samples, ratio.numerator, ratio.denominator), np.float32)


def limited(samples: Samples) -> Samples:
    """Samples whose true peak (four times oversampled, ITU-R BS.1770) is below the ceiling, turned down smoothly."""
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    wanted = np.minimum(1.0, _CEILING / np.maximum(envelope(samples), 1e-9))
    if float(wanted.min(initial=1.0)) == 1.0:
        return samples
    reach = round(_AHEAD * RATE)
    # The mean of minima over as wide a window is never above what was wanted.
    gain = uniform_filter1d(minimum_filter1d(wanted, 2 * reach + 1), 2 * reach + 1)
    return np.asarray(samples * gain, np.float32)


def envelope(samples: Samples) -> Samples:
    """For each sample, the largest magnitude near it when four times oversampled."""
    from scipy.signal import resample_poly

    fine = np.abs(resample_poly(samples, 4, 1))
    return np.asarray(fine.reshape(-1, 4).max(axis=1), np.float32)


def loudness(samples: Samples) -> float:
    """Integrated loudness in LUFS of mono samples at 48 kHz as two equal channels, by FFmpeg's meter."""
    # A loudness has blocks of 0.4 s, so that a short line needs some silence after it.
    padded = np.concatenate([samples, np.zeros(RATE // 2, np.float32)])
    graph = Graph()
    source = graph.add_abuffer(sample_rate=RATE, format="fltp", layout="stereo", time_base=Fraction(1, RATE))
    meter, end = graph.add("ebur128", "metadata=1"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(end)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(np.stack([padded, padded]), format="fltp", layout="stereo")
    frame.sample_rate, frame.pts = RATE, 0
    source.push(frame)
    source.push(None)
    level = -70.0
    while True:
        try:
            level = float(end.pull().metadata.get("lavfi.r128.I", level))
        except (av.BlockingIOError, av.EOFError):
            return level
