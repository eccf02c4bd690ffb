"""A program that speaks: a tone for each word of its input. What it has said is noted in a file beside it.

tone.py FILE.wav
"""

import sys
import wave
from pathlib import Path

import numpy as np

RATE, WORD = 16000, 0.2


def main(path: str) -> None:
    text = sys.stdin.buffer.read().decode("utf-8")
    with Path(__file__).with_name("said.txt").open("a", encoding="utf-8") as said:
        said.write(text + "\n")
    times = np.arange(round(WORD * RATE)) / RATE
    tone = 0.2 * np.sin(2 * np.pi * 1000 * times)
    word = np.concatenate([tone, np.zeros(len(times) // 4)])
    samples = np.concatenate([word] * len(text.split()))
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.asarray(samples * 32767, "<i2").tobytes())


if __name__ == "__main__":
    main(sys.argv[1])
