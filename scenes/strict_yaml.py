"""A strict reader of YAML that keeps line numbers and guesses nothing.

The files of this project are written by people who do not know the corners of YAML, so this
reader accepts the part that everybody reads alike: sections, lists, texts, numbers, `true`,
`false` and comments.  What some reader of YAML would silently take for something else is
refused (`YamlProblem`), or kept as `Unclear`, which no schema accepts.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import TypeAlias, Union

import yaml

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20

KeyPath: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = Union[str, int, float, bool, "Unclear", list["Value"], dict[str, "Value"]]

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 30
_UNCLEAR = (
    (r"(?i)yes|on|y", "YAML 1.1 reads it as true"),
    (r"(?i)no|off|n", "YAML 1.1 reads it as false"),
    (r"~|(?i:null)", "YAML reads it as no value"),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", "YAML 1.1 reads it as a number in base 60"),
    (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?", "YAML 1.1 reads it as a date"),
    (r"(?i)[-+]?(\.inf|\.nan)", "not a finite number"),
    (r"(?i)[-+]?0(x[0-9a-f_]+|b[01_]+|o[0-7_]+)", "YAML reads it as a number in another base"),
    (r"[-+]?(0[0-9_]|[0-9]+_)[0-9_]*(\.[0-9_]*)?", "versions of YAML read it differently"),
)
# Line breaks other than \n, and a BOM, would shift our line numbers against an editor's.
_UNPRINTABLE = re.compile("[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ENTRY = re.compile(r"(?P<indent>\s*(?:- +)*)(?P<key>[\w.-]+) *(?P<colon>[:：])(?P<rest>.*)")


class YamlProblem(ValueError):
    """What is wrong in a file, in one line: `file:line: key: what was found; what to write`."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """An unquoted value that is missing, or that readers of YAML take for different things."""

    text: str
    why: str

    def __str__(self) -> str:
        return f"{printable(self.text) or 'nothing'} ({self.why})" if self.why else "nothing"


@dataclass(frozen=True)
class Document:
    """A file's values, the line (from 1) on which each stands, and how unquoted ones are written."""

    name: str
    root: dict[str, Value]
    lines: dict[KeyPath, int]
    written: dict[KeyPath, str]

    def problem(self, path: KeyPath, text: str) -> YamlProblem:
        """`text`, said of the value at `path`, or of its nearest section that is in the file."""
        there = path
        while there and there not in self.lines:
            there = there[:-1]
        return _problem(self.name, self.lines.get(there, 1), dotted(path), text)


def read_yaml(path: Path, name: str = "", example: str = "key: value") -> Document:
    """Read a file; messages call it `name`, and show `example` when it has no keys at all.

    Raises: YamlProblem, also for a file that is missing, too long or not UTF-8.
    """
    name = name or printable(path.name)
    try:
        if not path.is_file():
            where = printable(str(path), 300)
            raise YamlProblem(f"{name}: no such file: {where}; check the path")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        return parse(data.decode("utf-8"), name, example)
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        raise _problem(name, line, "", f"the byte 0x{byte:02X} is not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        reason = error.strerror or "no reason given"
        raise YamlProblem(
            f"{name}: cannot read the file ({reason.lower()}); check the path and its permissions"
        ) from None


def parse(text: str, name: str, example: str = "key: value") -> Document:
    """Read the text of a file.  Raises: YamlProblem."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    _refuse_characters(text, name, lines)
    try:
        return _Reader(text, name, lines).document(example)
    except YamlProblem:
        raise
    except yaml.MarkedYAMLError as error:
        raise _syntax_problem(error, name, lines) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        # PyYAML lets Python's own errors through when "\U..." or %YAML is out of range.
        advice = "write the character itself"
        raise _problem(name, 1, "", f'an escape such as "\\U..." stands for no character; {advice}') from None


def dotted(path: KeyPath) -> str:
    """A path as people write it: `gif.fps`, `lecture.lessons, item 2`."""
    text = ""
    for part in path:
        text += f", item {part + 1}" if isinstance(part, int) else f".{printable(part, 40)}"
    return text.lstrip("., ")


def printable(text: str, limit: int = 60) -> str:
    """`text` in one line of printable characters, shortened to about `limit`."""
    text = text if len(text) <= limit else text[: limit - 3] + "..."
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def quoted(text: str) -> str:
    """`text` in quotes, as a file may hold it, shortened like `printable`."""
    text = text if len(text) <= 60 else text[:57] + "..."
    single = '"' in text and "'" not in text and text.isprintable()
    return f"'{text}'" if single else printable(json.dumps(text, ensure_ascii=False), 1000)


def shown(value: object, written: str = "") -> str:
    """A value as a message shows it: unquoted ones as they are `written`, where that is known."""
    match value:
        case str():
            plain = unicodedata.normalize("NFKC", value)
            wide = plain != value and plain.isascii()
            hint = f" (full-width characters; plain ones are {quoted(plain)})" if wide else ""
            return quoted(value) + hint
        case dict():
            return "a section (text that starts with { needs quotes)" if value else "{}"
        case list() | tuple():
            return "a list (text that starts with [ or - needs quotes)" if value else "[]"
        case bool() | int() | float() if written:
            return printable(written)
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case _:
            return printable(str(value), 140)


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """That there is no such key, lesson, format; and the one that is meant, or all that there are."""
    names = list(known)
    close = get_close_matches(str(name), names, 1, 0.5)
    return f"unknown {kind} {shown(name)}; " + (
        f"did you mean {quoted(close[0])}?" if close else f"expected one of {', '.join(names)}"
    )


class _Reader:
    """Builds a document from PyYAML's events: its nodes lose anchors and nest without limit."""

    def __init__(self, text: str, name: str, source: list[str]) -> None:
        self.name, self.source = name, source
        self.events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.SafeLoader))
        self.lines: dict[KeyPath, int] = {}
        self.written: dict[KeyPath, str] = {}

    def document(self, example: str) -> Document:
        next(self.events)
        start = next(self.events)
        if not isinstance(start, yaml.DocumentStartEvent):
            raise _problem(self.name, 1, "", f"the file is empty; write lines such as {example}")
        if start.version or start.tags:
            raise self.problem(start, (), "directives (lines that start with %) are not supported; delete the line")
        event = next(self.events)
        root = self.value(event, ())
        if not isinstance(root, dict):
            fix = _mend(self.source[_line(event) - 1]) or f"write lines such as {example}"
            raise self.problem(event, (), f"expected keys, found {shown(root)}; {fix}")
        next(self.events)
        if not isinstance(after := next(self.events), yaml.StreamEndEvent):
            raise self.problem(after, (), "a second document starts here; delete --- and what follows")
        return Document(self.name, root, self.lines, self.written)

    def value(self, event: yaml.Event, path: KeyPath) -> Value:
        self.refuse_references(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, path)
        if len(path) >= MAX_DEPTH:
            raise self.problem(event, path[:3], f"sections are nested over {MAX_DEPTH} levels deep; use fewer levels")
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Value] = []
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                self.lines[*path, len(items)] = _line(event)
                items.append(self.value(event, (*path, len(items))))
            return items
        section: dict[str, Value] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.key(event, path)
            section[key] = self.value(next(self.events), (*path, key))
        return section

    def key(self, event: yaml.Event, path: KeyPath) -> str:
        self.refuse_references(event, path)
        key = event.value if isinstance(event, yaml.ScalarEvent) else ""
        if not key or key == "<<" or _UNPRINTABLE.search(key):
            said = f"{quoted(key)} cannot be a key" if key else "a key has no name"
            raise self.problem(event, path, f"{said}; write a plain name")
        if before := self.lines.get((*path, key)):
            text = f"duplicate key; it is already set in line {before}"
            raise self.problem(event, (*path, key), text)
        self.lines[*path, key] = _line(event)
        return key

    def scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Value:
        text: str = event.value
        if bad := _UNPRINTABLE.search(text):
            code = f"U+{ord(bad[0]):04X}"
            raise self.problem(event, path, f"the character {code} cannot be seen; write visible text")
        if event.style is not None:
            return text
        if "\n" in text or (event.end_mark and event.end_mark.line >= _line(event)):
            advice = "write it on one line or in quotes, and a colon and a space after each key"
            raise self.problem(event, path, f"unquoted text over several lines: {shown(text)}; {advice}")
        self.written[path] = text
        if not text and event.start_mark:
            rest = self.source[_line(event) - 1][event.start_mark.column :].strip()
            comment = f"# starts a comment; text that starts with # needs quotes: {quoted(rest)}"
            return Unclear("", comment if rest.startswith("#") else "")
        if _FLOAT.fullmatch(text):
            if len(text) > _LONGEST_NUMBER or not isfinite(float(text)):
                return Unclear(text, "a number out of range")
            return int(text) if _INT.fullmatch(text) else float(text)
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        if len(text) <= _LONGEST_NUMBER:
            for pattern, why in _UNCLEAR:
                if re.fullmatch(pattern, text):
                    return Unclear(text, why)
        self.refuse_cut_text(event, path)
        return text

    def refuse_cut_text(self, event: yaml.ScalarEvent, path: KeyPath) -> None:
        """Unquoted text loses what follows #, so a comment after it must be seen to be one, as yamllint has it."""
        if event.end_mark is None:
            return
        rest = self.source[event.end_mark.line][event.end_mark.column :]
        if re.match(r"\s+#", rest) and not re.match(r"\s{2,}#+(\s|$)", rest):
            whole = quoted(event.value + rest.rstrip())
            raise self.problem(
                event, path,
                f"# after unquoted text starts a comment; put the text in quotes: {whole}, or write a comment with "
                "two spaces before # and one after it",
            )  # fmt: skip

    def refuse_references(self, event: yaml.Event, path: KeyPath) -> None:
        """YAML acts on anchors, aliases and tags; here text such as `*Q` is never meant so."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is not None:
            sign = f"*{anchor}" if isinstance(event, yaml.AliasEvent) else f"&{anchor}"
        elif tag is not None:
            sign = re.sub("^tag:yaml.org,2002:", "!!", str(tag))
        else:
            return
        what = "a tag" if anchor is None else "a reference to another value"
        text = f"{printable(sign)} is {what} in YAML, which is not supported; put text in quotes: {quoted(sign)}"
        raise self.problem(event, path, text)

    def problem(self, event: yaml.Event, path: KeyPath, text: str) -> YamlProblem:
        return _problem(self.name, _line(event), dotted(path), text)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _problem(name: str, line: int, key: str, text: str) -> YamlProblem:
    return YamlProblem(f"{name}:{line}: {key}: {text}" if key else f"{name}:{line}: {text}")


def _refuse_characters(text: str, name: str, lines: list[str]) -> None:
    """Refuse length, and characters that an editor does not show."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        size = f"{MAX_BYTES // 1024} kB"
        raise _problem(name, 1, "", f"the file is larger than {size}; shorten it")
    if not (bad := re.search("\t", text) or _UNPRINTABLE.search(text)):
        return
    said = f"the character U+{ord(bad[0]):04X} cannot be seen; delete it"
    if bad[0] == "\t":
        said = "tabs are not allowed; use spaces"
    elif bad[0] == "\ufeff" and bad.start() == 0:
        said = "the file starts with a byte order mark (BOM); save it as UTF-8 without BOM"
    line = text.count("\n", 0, bad.start()) + 1
    raise _problem(name, line, _key_of(lines, line), said)


def _key_of(lines: list[str], number: int) -> str:
    """The dotted key of a line that could not be read, judged by its indentation."""
    keys: list[str] = []
    limit = MAX_BYTES
    for text in reversed(lines[:number]):
        entry = _ENTRY.fullmatch(text.replace("\t", "  ").replace("\ufeff", ""))
        if entry and len(entry["indent"]) < limit:
            limit = len(entry["indent"])
            keys.append(printable(entry["key"], 40))
        if limit == 0 or not (keys or text.lstrip().startswith(("-", "#"))):
            break
    return ".".join(reversed(keys[:MAX_DEPTH]))


def _mend(text: str) -> str:
    """What to write instead of a line that is no `key: value`; "" if it shows no reason."""
    entry = _ENTRY.fullmatch(text)
    if entry is None:
        return ""
    key, rest = printable(entry["key"]), re.sub(r" #.*", "", entry["rest"]).strip()
    if entry["colon"] == "：" or (rest and not entry["rest"].startswith(" ")):
        return f"write a plain colon and a space: {key}: {printable(rest)}"
    if re.match(r"[\[{*&!@`%|>'\"]", rest) or re.search(r":( |$)", rest):
        return f"put the value in quotes: {key}: {quoted(rest)}"
    return ""


def _syntax_problem(error: yaml.MarkedYAMLError, name: str, lines: list[str]) -> YamlProblem:
    """PyYAML's error, said for people who write a file and not a parser."""
    said = f"{error.context or ''}: {error.problem or ''}"
    inner = re.search("scanning a|parsing a flow", said) and error.context_mark
    mark = inner or error.problem_mark or error.context_mark
    number = min((mark.line if mark else 0) + 1, len(lines))
    text = lines[number - 1]
    if "quoted scalar: found unexpected" in said:
        fix = "add the quote at the end of the text"
    elif "unknown escape" in said or "escape sequence" in said:
        fix = r"write \\ for each \ in double quotes, or use single quotes"
    elif "document" in said:
        fix = "remove lines that start with %, --- or ..."
    elif "parsing a flow" in said and not _mend(text):
        fix = "add the ] or } that closes this, and commas between the items"
    else:
        advice = "write key: value, indented like the keys beside it, and text with signs in quotes"
        fix = _mend(text) or advice
    read = printable(text.strip()) or "the end of the file"
    return _problem(name, number, _key_of(lines, number), f"cannot parse {read}; {fix}")
