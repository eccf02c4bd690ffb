"""The ledger and the receipt beside a film, and what their rows must be by a freshly built worked example."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mathcore.example import WorkedExample
from mathcore.named import Entry, resolve
from scenes.formats import LANDSCAPE
from scenes.kit.ledger import VERSION, Row
from scenes.kit.literals import literals
from scenes.kit.marks import MARKS, Mark, SpokenMark
from scenes.settings import NAMED_QUALITIES, Settings, SettingsError, load_settings
from scenes.words.numerals import numeral
from scripts.studio.files import read_json

_EXAMPLE = ("words", "d_model", "n_heads", "seed")


class UnusableError(ValueError):
    """What cannot be verified, and why, in one line."""


@dataclass(frozen=True)
class Record:
    """A film's receipt and its ledger."""

    path: Path
    receipt: dict[str, Any]
    made_from: dict[str, Any]
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        return self.path.stem if self.path.suffix == ".mp4" else self.path.name

    @property
    def lesson(self) -> str:
        return str(self.receipt["lesson"])

    @property
    def language(self) -> str:
        return str(self.receipt["language"])

    @property
    def fps(self) -> int:
        return int(self.receipt["fps"])

    @property
    def last_frames(self) -> dict[int, str]:
        """The finished picture of each beat."""
        return {int(span["stop"]) - 1: str(span["beat"]) for span in self.receipt["beats"]}

    def at(self, frame: int) -> list[Row]:
        """What is there in a frame, from back to front."""
        return sorted((row for row in self.rows if row.at(frame)), key=lambda row: row.layer)

    @cached_property
    def settings(self) -> Settings:
        """Settings of the recorded example and lecture, everything else as configured."""
        configured = load_settings()
        told = self.receipt["inputs"]["configuration"]
        try:
            changed = configured.with_overrides(
                language=self.language,
                sentence=" ".join(self.made_from["words"]),
                format=told.get("render.format", LANDSCAPE.name),
                quality=NAMED_QUALITIES[0],
                theme=told.get("render.theme"),
                lessons=told["lecture.lessons"].split(", ") if "lecture.lessons" in told else None,
            )
        except SettingsError as mistake:
            raise UnusableError(f"{self.path.name}: invalid settings in its receipt: {mistake}") from None
        size = {key: self.made_from[key] for key in _EXAMPLE[1:]}
        return changed.model_copy(update={"example": changed.example.model_copy(update=size)})

    def example(self) -> WorkedExample:
        """The worked example, computed now."""
        made = self.made_from
        try:
            return WorkedExample(
                tuple(made["words"]), d_model=made["d_model"], n_heads=made["n_heads"], seed=made["seed"]
            )
        except ValueError as mistake:
            raise UnusableError(f"{self.path.name}: invalid example in its ledger: {mistake}") from None

    def literals(self) -> dict[str, str]:
        """Every text that the film may show as it is written, by its place."""
        written = literals(self.settings, self.language, self.lesson, self.example())
        return {place: text for place, text, _ in written}


def load_record(film: Path) -> Record:
    """The receipt and the ledger beside a film.  Raises: UnusableError."""
    receipt = _json(film.with_suffix(".receipt.json"), ("lesson", "language", "fps", "frames", "beats", "cues",
                                                        "inputs", "outputs"))  # fmt: skip
    ledger = _json(film.with_suffix(".ledger.json"), ("example", "rows"))
    try:
        if ledger.get("version") != VERSION:
            raise ValueError(f"version {ledger.get('version', 1)} is not {VERSION}")
        rows = [_row(row) for row in ledger["rows"]]
        made_from = {key: ledger["example"][key] for key in _EXAMPLE}
    except ValidationError as problem:
        fault = problem.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise _other_version(film, f"{problem.title}: {place}: {fault['msg'].lower()}") from None
    except (KeyError, TypeError, ValueError) as problem:
        raise _other_version(film, str(problem)) from None
    return Record(film, receipt, made_from, tuple(rows))


def _other_version(film: Path, problem: str) -> UnusableError:
    return UnusableError(f"{film.stem}.ledger.json: not a ledger of this version ({problem}); render the film again")


def _row(told: dict[str, Any]) -> Row:
    _only(Row, told)
    return Row(**{**told, "index": tuple(told["index"]), "box": told["box"] and tuple(told["box"]),
                  "mark": told["mark"] and _mark(dict(told["mark"]))})  # fmt: skip


def _mark(told: dict[str, Any]) -> Mark:
    kind = MARKS[told.pop("name")]
    _only(kind, told)
    return _adapter(kind.name).validate_python(told)


@cache
def _adapter(name: str) -> TypeAdapter[Mark]:
    return TypeAdapter(MARKS[name])


def _only(kind: type[Any], told: dict[str, Any]) -> None:
    """Raise KeyError unless all fields of a dataclass are told, and no others."""
    if apart := {field.name for field in fields(kind)} ^ set(told):
        raise KeyError(", ".join(sorted(apart)))


def _json(path: Path, keys: tuple[str, ...]) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        what = f"{path} is not valid JSON" if path.exists() else f"no such file: {path}"
        raise UnusableError(f"{what}; verify needs the receipt and the ledger that were made with the film")
    missing = [key for key in keys if key not in found]
    if missing:
        raise UnusableError(f"{path}: missing {', '.join(missing)}; render the film again")
    return found


def fresh_entry(row: Row, example: WorkedExample) -> Entry | None:
    """What a row's path and index name now; None when they name nothing."""
    try:
        return resolve(example, row.path).entry(*row.index)
    except (KeyError, IndexError):
        return None


def expected_text(text: str, entry: Entry) -> str:
    """An entry's digits, with as many decimals, commas and plus signs as `text` has."""
    places = len(text.replace(",", "").partition(".")[2])
    return entry.text(places, signed=text.startswith("+"), grouped="," in text)


def _wanted(row: Row, entry: Entry) -> str:
    """What a row shows, or says, of an entry."""
    if not isinstance(row.mark, SpokenMark):
        return expected_text(row.text, entry)
    try:
        return numeral(entry.value, row.mark.form, row.mark.language)
    except (ValueError, KeyError):
        return f"nothing in the form {row.mark.form!r}"


def unresolved(row: Row, example: WorkedExample, written: Mapping[str, str]) -> str:
    """What is wrong with a row, by an example that was built just now; empty when nothing is."""
    if row.kind == "text":
        if row.path not in written:
            return f"the digits {row.text} are written nowhere" + (f" at {row.path}" if row.path else "")
        return "" if row.text in written[row.path] else f"shows {row.text}; written there is {written[row.path]!r}"
    entry = fresh_entry(row, example)
    if entry is None:
        return "its path names nothing"
    if entry.value != row.value:
        return f"its value is {row.value!r}; computed now is {entry.value!r}"
    if row.text and row.text != (wanted := _wanted(row, entry)):
        return f"shows {row.text}; {entry.value!r} is rounded to {wanted}"
    return ""
