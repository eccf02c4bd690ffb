"""What a film was made from, as digests; and so, why it is stale. Manim is not imported here."""

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scenes.font_file import font_digest
from scenes.settings import PROJECT, Settings
from scenes.words import load_words
from scripts.studio.files import digest
from scripts.studio.pieces import Piece, source_of
from scripts.studio.sound.lexicon import entries_used, load_lexicon
from scripts.studio.sound.voice import voice_of

# The modules that turn a lesson into frames and files, besides the lesson itself.
_RENDERER = ("scripts/studio/stage.py", "scripts/studio/video.py", "scripts/studio/render.py")
_PACKAGES = ("manim", "numpy", "av", "pycairo", "manimpango", "typst", "pillow")
# What only starts, runs and reports the work, and the list of lessons: what cards show of it is compared itself.
_NOT_IN_PICTURES = (
    "scenes/cache_folder.py",
    "scenes/lessons.py",
    "scenes/whole_file.py",
    "scripts/studio/workers.py",
    "scripts/studio/console.py",
    "scripts/studio/exports.py",
    "scripts/studio/files.py",
    "scripts/studio/plain_manim.py",
)
# What only computes the worked example: its numbers are compared themselves.
_COMPARED_AS_NUMBERS = PROJECT / "mathcore" / "example"
_OURS = ("mathcore", "scenes", "scripts")


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """The project's own modules that a file imports."""
    found: list[Path] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            if name.partition(".")[0] in _OURS:
                base = PROJECT.joinpath(*name.split("."))
                found += [p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()]
    return tuple(found)


def code_files(piece: Piece) -> list[Path]:
    """Every file of ours whose code can change a piece's frames, sorted."""
    waiting = [source_of(piece), *(PROJECT / name for name in _RENDERER)]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        left_out = _relative(path) in _NOT_IN_PICTURES or path.is_relative_to(_COMPARED_AS_NUMBERS)
        if path not in seen and not left_out:
            seen.add(path)
            waiting.extend(_imports(path))
    return sorted(seen)


@cache
def _versions() -> dict[str, str]:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    found["font"] = font_digest()[:16] or "not known"
    return found


@cache
def _file_digest(path: Path) -> str:
    return digest(path)


def _relative(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def _words(piece: Piece, settings: Settings, language: str) -> dict[str, str]:
    """Digests of a piece's words, and for cards of the titles and sources that they take from the lessons' words."""
    folder = PROJECT / "scenes" / "words"
    own = folder / language / f"{piece.lesson}.yaml"
    found = {_relative(own): _file_digest(own)}
    if piece.is_card:
        found[_relative(folder / "sources.yaml")] = _file_digest(folder / "sources.yaml")
        for lesson in settings.lecture.lessons:
            words = load_words(language, lesson)
            named = json.dumps([words.title, words.sources])
            found[f"title and sources of {lesson}"] = hashlib.sha256(named.encode()).hexdigest()
    return found


class FilmInputs:
    """What a piece's film depends on, as digests.

    Code, words and versions are read when this is made: before anything is drawn, so that a file that changes meanwhile
    is noticed. What its lesson has read of the settings and of the worked example is known afterwards (`with_reads`).
    """

    def __init__(self, piece: Piece, settings: Settings, language: str) -> None:
        self.voice = voice_of(settings, language)
        self._settings, self._language = settings, language
        # A silent film is not made by the modules of speech.
        files = (path for path in code_files(piece) if self.voice or path.parent.name != "sound")
        self.code = {_relative(path): _file_digest(path) for path in files}
        self.words = _words(piece, settings, language)
        self._versions = _versions()
        self._voice = self.voice.key() if self.voice else {}

    def with_reads(
        self, keys: Iterable[str], traces: Iterable[str], lines: Mapping[str, str] = MappingProxyType({})
    ) -> dict[str, Any]:
        """All inputs by kind: with the settings (dotted keys) and traces that the lesson has read, and its lines.

        Lines are there to find the lexicon's entries in them; whatever could make other lines is an input itself.
        """
        from scripts.studio.reads import trace_digests

        return {
            "code": self.code,
            "words": self.words,
            "numbers": trace_digests(self._settings, self._language, traces),
            "configuration": self._configuration(keys),
            "versions": self._versions,
            "voice": self._voice,
            "lexicon": entries_used(lines.values(), load_lexicon(self._language)) if self.voice else {},
            "lines": dict(lines),
        }

    def _configuration(self, keys: Iterable[str]) -> dict[str, Any]:
        flat = self._settings.flat()
        always = {
            "language": self._language,
            "render.format": flat["render.format"],
            "render.quality": flat["render.quality"],
            "render.captions": flat["render.captions"],
        }
        return {**always, **{key: flat.get(key, "nothing") for key in sorted(keys) if key not in always}}


def film_inputs_now(piece: Piece, settings: Settings, language: str, old: Mapping[str, Any]) -> dict[str, Any]:
    """What a piece's film would depend on now, for the settings and traces that `old` inputs name."""
    keys, traces = old.get("configuration") or {}, old.get("numbers") or {}
    return FilmInputs(piece, settings, language).with_reads(keys, traces, old.get("lines") or {})


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """One short reason for each kind of input that differs, naming what changed."""
    reasons = []
    for kind, now in new.items():
        before = old.get(kind) or {}
        changed = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
        if not changed:
            continue
        if kind in ("configuration", "versions", "voice", "lexicon"):
            named = [f"{key}: {before.get(key, 'nothing')} -> {now.get(key, 'nothing')}" for key in changed]
        else:
            named = changed
        reasons.append(f"{kind} ({', '.join(named[:3])}{', ...' if len(named) > 3 else ''})")
    return reasons


def output_reasons(folder: Path, outputs: Mapping[str, str]) -> list[str]:
    """What is missing or damaged of the files in a receipt, names and digests."""
    reasons = []
    for name, recorded in outputs.items():
        if not (folder / name).is_file():
            reasons.append(f"missing output ({name})")
        elif digest(folder / name) != recorded:
            reasons.append(f"checksum differs from the receipt ({name})")
    return reasons
