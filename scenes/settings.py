"""The schema of media_config.yaml, and the settings that are read from it.

Every key is required and has one type; nothing is converted or filled in silently.  A wrong file
raises `SettingsError`, which says in one line for each problem: file, line, key, what is expected
and what was found.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from mathcore.example import WorkedExample
from scenes.formats import FORMATS, LANDSCAPE, Format
from scenes.lessons import LESSONS
from scenes.strict_yaml import KeyPath, YamlProblem, dotted, printable, quoted, read_yaml, shown, unknown

PROJECT = Path(__file__).resolve().parent.parent
CONFIG = PROJECT / "media_config.yaml"
LANGUAGES = ("en", "zh")
SHORTEST_SENTENCE, LONGEST_SENTENCE, LONGEST_WORD = 2, 12, 24
# Pixels of a frame's longer and shorter side, and frames a second: the least and the most.
LENGTHS, BREADTHS, RATES = (128, 7680), (72, 4320), (1, 60)
# What an article's media may be.
KINDS = ("gif", "webp", "avif", "mp4")
# What can speak: two packages, a program that the user names in the environment, nothing.
ENGINES = ("hibari", "kokoro", "command", "silent")
NAMED_QUALITIES = ("480p15", "720p30", "1080p30", "1080p60", "2160p30")
_EXAMPLES = {"landscape": "1280x720@30", "phone": "720x900@30 (or 1080x1920@30, upright with free edges)"}
_QUALITIES = {
    shape: f"{', '.join(NAMED_QUALITIES)}, or a size and rate such as {example}" for shape, example in _EXAMPLES.items()
}
# Folders of the project whose content a film must never overwrite.
_SOURCES = ("mathcore", "scenes", "scripts", "tests")


class SettingsError(ValueError):
    """What is wrong with the settings: `problems`, one line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def _refusal(text: str) -> PydanticCustomError:
    return PydanticCustomError("refusal", "{text}", {"text": text})


def _nearest(value: int, allowed: Iterable[int]) -> str:
    """The value or two of `allowed` that are nearest to `value`, as text."""
    ranked = sorted(allowed, key=lambda number: abs(number - value))
    return " or ".join(str(n) for n in sorted(n for n in ranked if abs(n - value) == abs(ranked[0] - value)))


@dataclass(frozen=True)
class Quality:
    """Size in pixels and frames a second, in a format; `name` is what the user writes."""

    name: str
    width: int
    height: int
    fps: int
    format: str = LANDSCAPE.name


def _even(number: float) -> int:
    return 2 * round(number / 2)


def _ratios(shape: Format) -> str:
    return " or ".join(f"{across}:{down}" for across, down in shape.ratios)


def _bounds(shape: Format) -> tuple[tuple[int, int], tuple[int, int]]:
    """The least and greatest width and height; an upright format's are those of landscape, turned."""
    return (LENGTHS, BREADTHS) if shape.width > shape.height else (BREADTHS, LENGTHS)


def _nearest_size(width: int, height: int, shape: Format) -> str:
    """The nearest even size of a format, as text."""
    bounds, sizes = _bounds(shape), []
    width, height = (min(max(n, low), high) for n, (low, high) in zip((width, height), bounds, strict=True))
    for across, down in shape.ratios:
        sizes += [(_even(h * across / down), h) for h in (height - height % 2, height + height % 2)]
        sizes += [(w, _even(w * down / across)) for w in (width - width % 2, width + width % 2)]
    inside = (s for s in sizes if all(low <= n <= high for n, (low, high) in zip(s, bounds, strict=True)))
    best = min(inside, key=lambda size: abs(size[0] - width) + abs(size[1] - height))
    return f"{best[0]}x{best[1]}"


def _quality(value: object, shape: Format) -> Quality:
    if isinstance(value, Quality):
        return value
    if value in NAMED_QUALITIES:
        shorter, fps = (int(part) for part in str(value).split("p"))
        return Quality(str(value), *shape.size(shorter), fps, shape.name)
    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})@([0-9]{1,3})", value) if isinstance(value, str) else None
    if match is None:
        raise _refusal(f"expected {_QUALITIES[shape.name]}, found {shown(value)}")
    width, height, fps = (int(part) for part in match.groups())
    nearest = f"the nearest size is {_nearest_size(width, height, shape)}"
    if width % 2 or height % 2:
        raise _refusal(f"{width}x{height} has an odd side, which video cannot have; {nearest}")
    widths, heights = _bounds(shape)
    if not (widths[0] <= width <= widths[1] and heights[0] <= height <= heights[1]):
        bounds = f"{widths[0]}x{heights[0]} to {widths[1]}x{heights[1]}"
        raise _refusal(f"{width}x{height} is outside {bounds}; {nearest}")
    if not shape.fits(width, height):
        wanted = "" if shape is LANDSCAPE else f", which the format {shape.name} needs"
        raise _refusal(f"{width}x{height} is not {_ratios(shape)}{wanted}; {nearest}")
    if not RATES[0] <= fps <= RATES[1]:
        raise _refusal(f"{fps} frames a second is outside {RATES[0]} to {RATES[1]}; use {min(max(fps, 1), 60)}")
    named = (_quality(name, shape) for name in NAMED_QUALITIES)
    same = next((q for q in named if (q.width, q.height, q.fps) == (width, height, fps)), None)
    return same or Quality(f"{width}x{height}@{fps}", width, height, fps, shape.name)


def _visible(text: str) -> str:
    bad = next((char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")), None)
    if bad is not None:
        raise _refusal(f"the character U+{ord(bad):04X} in {quoted(text)} cannot be seen; delete it")
    if not text.strip():
        raise _refusal("the text is empty; write at least one word")
    return text


def split_words(sentence: str, language: str) -> tuple[str, ...]:
    """The words of a sentence; punctuation stays with the word that it is written at.

    Words end at spaces.  A Chinese sentence without spaces has one character a word, except that
    Latin letters and digits in a row are one word.  A letter and its accent are one character.
    """
    sentence = unicodedata.normalize("NFC", sentence)
    if language != "zh" or len(sentence.split()) > 1:
        return tuple(sentence.split())
    words: list[str] = []
    for char in sentence.strip():
        kind, last = unicodedata.category(char), words[-1][-1] if words else ""
        opened = last and unicodedata.category(last) in ("Ps", "Pi")
        run = char.isascii() and char.isalnum() and last.isascii() and last.isalnum()
        if words and (opened or run or kind in ("Mn", "Mc", "Me", "Pe", "Pf", "Po", "Pd")):
            words[-1] += char
        else:
            words.append(char)
    return tuple(words)


def _sentence(text: str, info: ValidationInfo) -> str:
    words = split_words(_visible(text), str(info.field_name))
    if not SHORTEST_SENTENCE <= len(words) <= LONGEST_SENTENCE:
        wanted = f"{SHORTEST_SENTENCE} to {LONGEST_SENTENCE} words, separated by spaces"
        raise _refusal(f"expected a sentence of {wanted}, found {len(words)} word{'s' if len(words) > 1 else ''}")
    if long := next((word for word in words if len(word) > LONGEST_WORD), None):
        raise _refusal(f"the word {quoted(long)} has {len(long)} characters; at most {LONGEST_WORD} are allowed")
    return text


def _known(kind: str, names: Iterable[str]) -> AfterValidator:
    """Refuse what is not one of these names."""

    def checked(name: str) -> str:
        if name not in names:
            raise _refusal(unknown(kind, name, names))
        return name

    return AfterValidator(checked)


def _once(kind: str) -> AfterValidator:
    """Refuse an empty list, and one with a name twice."""

    def checked(names: tuple[str, ...]) -> tuple[str, ...]:
        if not names:
            raise _refusal(f"the list is empty; name at least one {kind}")
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise _refusal(f"{twice} is listed twice; name each {kind} once")
        return names

    return AfterValidator(checked)


def _format(name: object) -> object:
    if name in KINDS:
        raise _refusal(f"{name} is a kind of file, which belongs into gif.kinds; expected {' or '.join(FORMATS)}")
    return name


def _folder(text: str, info: ValidationInfo) -> str:
    folder = Path(os.path.abspath(PROJECT / _visible(text)))
    first = folder.relative_to(PROJECT).parts[:1] if folder.is_relative_to(PROJECT) else ()
    ours = any(name.startswith(".") or name.casefold() in _SOURCES for name in first)
    if ours or PROJECT.is_relative_to(folder) or os.path.isfile(folder):
        raise _refusal(f"{quoted(text)} holds files of the project; choose a folder of its own, such as media")
    if text.startswith("~"):
        raise _refusal(f"~ is not expanded in {quoted(text)}; write the whole path")
    # A file may come from anybody; only the command line is surely the user's own.
    if not folder.is_relative_to(PROJECT) and not (info.context or {}).get("anywhere"):
        raise _refusal(
            f"{quoted(text)} is outside the project's folder; choose one inside it, such as media, or use --out"
        )
    return text


def _number(kind: str, low: float, high: float) -> Any:
    """A range, with the description that messages give of it."""
    return Field(ge=low, le=high, description=f"a {kind} from {low} to {high}")


Text = Annotated[str, StringConstraints(max_length=80), AfterValidator(_visible)]
Engine = Annotated[str, _known("engine", ENGINES)]
Sentence = Annotated[str, AfterValidator(_sentence)]
Folder = Annotated[str, StringConstraints(max_length=200), AfterValidator(_folder)]
_LISTED = BeforeValidator(lambda found: tuple(found) if isinstance(found, list) else found)
Lessons = Annotated[tuple[Annotated[str, _known("lesson", LESSONS)], ...], _LISTED, _once("lesson")]
Kinds = Annotated[tuple[Annotated[str, _known("kind", KINDS)], ...], _LISTED, _once("kind")]
FilmQuality = Annotated[Quality, PlainSerializer(lambda quality: quality.name)]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Titles(_Section):
    """The joined film's title."""

    en: Text = Field(description="text in quotes, of up to 80 characters")
    zh: Text = Field(description="text in quotes, of up to 80 characters")


class Lecture(_Section):
    """The joined film: its title, and its lessons in their order."""

    title: Titles = Field(description="a section with en and zh")
    lessons: Lessons = Field(description=f"a list of lessons such as [{', '.join(LESSONS)}]")


class Sentences(_Section):
    """The sentence that every lesson shows."""

    en: Sentence = Field(description='a sentence in quotes such as "The tired cat sat on the warm mat"')
    zh: Sentence = Field(description='a sentence in quotes such as "疲惫 的 猫 坐 在 温暖 的 垫子 上"')


class Example(_Section):
    """The worked example from which every number comes."""

    sentence: Sentences = Field(description="a section with en and zh")
    d_model: int = Field(description="4, 6 or 8")
    n_heads: int = Field(description="a whole number from 1 to 4 that divides d_model, such as 4")
    seed: int = _number("whole number", 0, 2**32 - 1)

    @field_validator("d_model")
    @classmethod
    def _check_width(cls, d_model: int) -> int:
        if d_model not in (4, 6, 8):
            raise _refusal(f"expected 4, 6 or 8, found {d_model}; the nearest is {_nearest(d_model, (4, 6, 8))}")
        return d_model

    @field_validator("n_heads")
    @classmethod
    def _check_heads(cls, n_heads: int, info: ValidationInfo) -> int:
        d_model = info.data.get("d_model", 12)
        allowed = [heads for heads in (1, 2, 3, 4) if d_model % heads == 0]
        if n_heads not in allowed:
            known = f" that divides d_model {d_model}" if "d_model" in info.data else ""
            wanted = f"a number of heads from 1 to 4{known}"
            raise _refusal(f"expected {wanted}, found {n_heads}; the nearest is {_nearest(n_heads, allowed)}")
        return n_heads


class ReadingSpeed(_Section):
    """How fast captions are read: English in words a second, Chinese in characters a second."""

    en: float = _number("number of words a second", 0.5, 10)
    zh: float = _number("number of characters a second", 0.5, 20)


class Render(_Section):
    """How the films look, and how long captions and beats rest."""

    format: Annotated[Literal["landscape", "phone"], BeforeValidator(_format)] = Field(
        description="landscape (16:9) or phone (4:5)"
    )
    quality: FilmQuality = Field(description=_QUALITIES[LANDSCAPE.name])
    theme: Literal["dark", "light"] = Field(description="dark or light")
    captions: Literal["drawn", "files"] = Field(description="drawn or files")
    reading_speed: ReadingSpeed = Field(description="a section with en and zh")
    hold: float = _number("number of seconds", 0.5, 5)

    @field_validator("quality", mode="before")
    @classmethod
    def _check_quality(cls, value: object, info: ValidationInfo) -> Quality:
        # A wrong format has a message of its own.
        return _quality(value, FORMATS[info.data.get("format", LANDSCAPE.name)])


class Gif(_Section):
    """The article's GIFs and other media, and their byte budget."""

    kinds: Kinds = Field(description=f"a list of kinds such as [{', '.join(KINDS)}]")
    width: int = _number("whole, even number of pixels", 160, 1920)
    fps: int = _number("whole number", 1, 50)
    colours: int = _number("whole number", 2, 256)
    max_mb: float = _number("number of megabytes", 0.1, 100)
    max_frames: int = _number("whole number", 0, 100000)
    hold_last: float = _number("number of seconds", 0, 60)
    loops: int = _number("whole number", 0, 1000)
    captions: bool = Field(description="true or false")

    @field_validator("width")
    @classmethod
    def _check_width(cls, width: int) -> int:
        if width % 2:
            nearest = _nearest(width, (width - 1, width + 1))
            raise _refusal(f"expected an even number of pixels, found {width}; the nearest is {nearest}")
        return width


class Engines(_Section):
    """The speech engine of each language."""

    en: Engine = Field(description=f"one of {', '.join(ENGINES)}")
    zh: Engine = Field(description=f"one of {', '.join(ENGINES)}")


class Voices(_Section):
    """Which of its voices an engine takes."""

    en: Text = Field(description="a voice in quotes such as heart")
    zh: Text = Field(description="a voice in quotes such as zm_yunxi")


class Narration(_Section):
    """How the films speak."""

    engine: Engines = Field(description="a section with en and zh")
    voice: Voices = Field(description="a section with en and zh")
    speed: float = _number("number", 0.5, 2)


class Settings(_Section):
    """Everything that a user can choose."""

    language: Literal["en", "zh"] = Field(description="en or zh")
    lecture: Lecture = Field(description="a section with title and lessons")
    example: Example = Field(description="a section with sentence, d_model, n_heads and seed")
    render: Render = Field(description=f"a section with {', '.join(Render.model_fields)}")
    gif: Gif = Field(description=f"a section with {', '.join(Gif.model_fields)}")
    out: Folder = Field(description='a folder such as "media"')
    narration: Narration = Field(description=f"a section with {', '.join(Narration.model_fields)}")
    # The lessons of the file that these settings come from, where a command line may have chosen others.
    _lessons_of_file: tuple[str, ...] | None = PrivateAttr(default=None)

    @property
    def lessons_chosen(self) -> bool:
        """Whether the command line asks for other lessons than the file."""
        return self._lessons_of_file not in (None, self.lecture.lessons)

    def without_lessons(self, names: Collection[str]) -> Settings:
        """A copy whose lecture lacks these lessons; leaving out is not choosing others."""
        lessons = tuple(name for name in self.lecture.lessons if name not in names)
        found = self.model_copy(update={"lecture": self.lecture.model_copy(update={"lessons": lessons})})
        if not self.lessons_chosen:
            found._lessons_of_file = lessons
        return found

    def words(self, language: str) -> tuple[str, ...]:
        """The words of the worked example's sentence."""
        return split_words(getattr(self.example.sentence, language), language)

    def example_for(self, language: str) -> WorkedExample:
        """The worked example in a language."""
        chosen = self.example
        return WorkedExample(self.words(language), d_model=chosen.d_model, n_heads=chosen.n_heads, seed=chosen.seed)

    def folder(self) -> Path:
        """The output folder: `out`, relative to the project."""
        return Path(os.path.abspath(PROJECT / self.out))

    def flat(self) -> dict[str, str]:
        """Every setting as text, by its dotted key: `render.quality` to `480p15`."""
        return dict(_leaves(self.model_dump(), ""))

    def with_overrides(
        self,
        *,
        language: str | None = None,
        format: str | None = None,
        quality: str | None = None,
        theme: str | None = None,
        sentence: str | None = None,
        lessons: Sequence[str] | None = None,
        out: str | Path | None = None,
        max_mb: float | None = None,
        width: int | None = None,
        fps: int | None = None,
        kinds: Sequence[str] | None = None,
        max_frames: int | None = None,
        hold_last: float | None = None,
        loops: int | None = None,
        voice: str | None = None,
        burn_captions: bool | None = None,
    ) -> Settings:
        """A copy with what a command line asks for; None leaves a setting, `sentence` is in the chosen language.

        `voice` is the engine, for all languages; with `burn_captions`, captions are drawn into the picture.

        Raises: SettingsError, with the option's name in the place of file, line and key.
        """
        data = self.model_dump()
        spoken = language if language in LANGUAGES else self.language
        asked = {
            "language": (data, "language", language),
            "format": (data["render"], "format", format),
            "quality": (data["render"], "quality", quality),
            "theme": (data["render"], "theme", theme),
            "sentence": (data["example"]["sentence"], spoken, sentence),
            "lessons": (data["lecture"], "lessons", None if lessons is None else _listed(lessons)),
            "out": (data, "out", None if out is None else str(out)),
            "max_mb": (data["gif"], "max_mb", max_mb),
            "width": (data["gif"], "width", width),
            "fps": (data["gif"], "fps", fps),
            "kinds": (data["gif"], "kinds", None if kinds is None else _listed(kinds)),
            "max_frames": (data["gif"], "max_frames", max_frames),
            "hold_last": (data["gif"], "hold_last", hold_last),
            "loops": (data["gif"], "loops", loops),
            "voice": (data["narration"], "engine", None if voice is None else dict.fromkeys(LANGUAGES, voice)),
            "burn_captions": (data["render"], "captions", "drawn" if burn_captions else None),
        }
        for section, key, value in asked.values():
            if value is not None:
                section[key] = value

        def say(path: KeyPath, text: str) -> str:
            if path[:2] == ("narration", "engine"):
                return f"--voice: {text}"
            option = next((str(part).replace("_", "-") for part in path if part in asked), None)
            return f"--{option}: {text}" if option else f"{dotted(path)}: {text}"

        made = _validated(data, say, anywhere=True)
        of_file = self._lessons_of_file
        made._lessons_of_file = of_file if lessons is None else of_file or self.lecture.lessons
        return made


def _listed(names: Sequence[str]) -> list[str]:
    """A list as it is, or as a command line writes it: with commas, spaces or both."""
    return re.findall(r"[^,\s]+", names) if isinstance(names, str) else list(names)


def load_settings(path: Path | None = None) -> Settings:
    """Read media_config.yaml, or the file at `path`.  Raises: SettingsError."""
    try:
        document = read_yaml(path or CONFIG, example="language: en")
    except YamlProblem as problem:
        raise SettingsError([str(problem)]) from None
    made = _validated(document.root, lambda key, text: str(document.problem(key, text)), document.written)
    made._lessons_of_file = made.lecture.lessons
    return made


def _leaves(value: object, key: str) -> Iterable[tuple[str, str]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, f"{key}.{name}" if key else name)
    elif isinstance(value, list | tuple):
        yield key, ", ".join(value)
    else:
        yield key, str(value).lower() if isinstance(value, bool) else str(value)


def _validated(
    data: object,
    say: Callable[[KeyPath, str], str],
    written: Mapping[KeyPath, str] | None = None,
    *,
    anywhere: bool = False,
) -> Settings:
    try:
        return Settings.model_validate(data, context={"anywhere": anywhere})
    except ValidationError as error:
        told = [say(e["loc"], _advice(e, (written or {}).get(e["loc"], ""))) for e in error.errors(include_url=False)]
        # One option may stand for several settings.
        raise SettingsError(list(dict.fromkeys(told))) from None


def _advice(error: ErrorDetails, written: str) -> str:
    """One problem of pydantic's in our words: what is expected, and what was found as it is `written`."""
    kind, found = error["type"], error["input"]
    path = tuple(part for part in error["loc"] if isinstance(part, str))
    if kind == "refusal":
        return str(error["ctx"]["text"])
    fields = _model_at(path[:-1]).model_fields
    if kind == "extra_forbidden":
        return unknown("key", path[-1], fields)
    wanted = fields[path[-1]].description or ""
    if kind == "missing":
        return f"missing key; add {path[-1]}: {wanted}"
    if kind == "string_too_long":
        return f"expected {wanted}, found {len(found)} characters: {quoted(printable(found, 30))}"
    said = f"expected {wanted}, found {shown(found, written)}"
    if kind == "string_type" and written:
        return f"{said}; put it in quotes: {quoted(written)}"
    nearest = error.get("ctx", {}).get("ge", error.get("ctx", {}).get("le"))
    return said if nearest is None else f"{said}; the nearest is {shown(nearest)}"


def _model_at(path: tuple[str, ...]) -> type[_Section]:
    model: type[_Section] = Settings
    for part in path:
        annotation = model.model_fields[part].annotation
        assert isinstance(annotation, type) and issubclass(annotation, _Section)
        model = annotation
    return model
