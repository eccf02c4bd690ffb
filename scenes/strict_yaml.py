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
from collections.abc import Iterator
from dataclasses import dataclass
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
    (r"(?i)yes|on|y", "which YAML 1.1 takes for true"),
    (r"(?i)no|off|n", "which YAML 1.1 takes for false"),
    (r"~|(?i:null)", "which means nothing at all"),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", "which YAML 1.1 takes for base 60"),
    (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?", "which YAML 1.1 takes for a date"),
    (r"(?i)[-+]?(\.inf|\.nan)", "which is not a finite number"),
    (r"(?i)[-+]?0(x[0-9a-f_]+|b[01_]+|o[0-7_]+)", "which YAML takes for a number"),
    (r"[-+]?(0[0-9_]|[0-9]+_)[0-9_]*(\.[0-9_]*)?", "which YAML's versions read differently"),
)
# Line breaks other than \n, and a BOM, would shift our line numbers against an editor's.
_UNPRINTABLE = re.compile("[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ENTRY = re.compile(r"(?P<indent>\s*(?:- +)*)(?P<key>[\w.-]+) *(?P<colon>[:：])(?P<rest>.*)")


class YamlProblem(ValueError):
    """What is wrong in a file, in one line: `file:line: key: read ...; write ...`."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """An unquoted value that is missing, or that readers of YAML take for different things."""

    text: str
    why: str

    def __str__(self) -> str:
        return f"{printable(self.text)}, {self.why}" if self.text else self.why


@dataclass(frozen=True)
class Document:
    """A file's values, and the line (from 1) on which each stands."""

    name: str
    root: dict[str, Value]
    lines: dict[KeyPath, int]

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
            raise YamlProblem(f"{name}: read no file at {where}; write the path of a file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        return parse(data.decode("utf-8"), name, example)
    except UnicodeDecodeError as error:
        read = f"the byte 0x{data[error.start]:02X}, which is not UTF-8"
        line = data.count(b"\n", 0, error.start) + 1
        raise _problem(name, line, "", f"read {read}; save the file as UTF-8") from None
    except OSError as error:
        reason = error.strerror or "no reason given"
        raise YamlProblem(f"{name}: read nothing ({reason}); make the file readable") from None


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
        raise _problem(name, 1, "", f'read "\\U...", which is no character; {advice}') from None


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


def shown(value: object) -> str:
    """A value as a message says it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            plain = unicodedata.normalize("NFKC", value)
            wide = plain != value and plain.isascii()
            hint = f" (full-width characters; plain ones are {quoted(plain)})" if wide else ""
            return quoted(value) + hint
        case dict():
            keys = ", ".join(printable(str(key), 20) for key in list(value)[:6])
            return f"a section (of {keys}; what starts with {{ is one)" if keys else "{}"
        case list() | tuple():
            return "a list (what starts with [ or - is one)" if value else "[]"
        case _:
            return printable(str(value), 140)


class _Reader:
    """Builds a document from PyYAML's events: its nodes lose anchors and nest without limit."""

    def __init__(self, text: str, name: str, source: list[str]) -> None:
        self.name, self.source = name, source
        self.events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.SafeLoader))
        self.lines: dict[KeyPath, int] = {}

    def document(self, example: str) -> Document:
        next(self.events)
        start = next(self.events)
        if not isinstance(start, yaml.DocumentStartEvent):
            text = f"read an empty file; write lines such as {example}"
            raise _problem(self.name, 1, "", text)
        if start.version or start.tags:
            raise self.problem(start, (), "read a directive, which starts with %; delete the line")
        event = next(self.events)
        root = self.value(event, ())
        if not isinstance(root, dict):
            fix = _mend(self.source[_line(event) - 1]) or f"write lines such as {example}"
            raise self.problem(event, (), f"read {shown(root)} instead of keys; {fix}")
        next(self.events)
        if not isinstance(after := next(self.events), yaml.StreamEndEvent):
            raise self.problem(after, (), "read a second document; delete --- and what follows")
        return Document(self.name, root, self.lines)

    def value(self, event: yaml.Event, path: KeyPath) -> Value:
        self.refuse_references(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, path)
        if len(path) >= MAX_DEPTH:
            raise self.problem(event, path[:3], f"read over {MAX_DEPTH} levels; write fewer")
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
            raise self.problem(event, path, f"read {quoted(key) if key else 'no name'} as a key; write a plain name")
        if before := self.lines.get((*path, key)):
            text = f"read {printable(key)} again, after line {before}; write it once"
            raise self.problem(event, (*path, key), text)
        self.lines[*path, key] = _line(event)
        return key

    def scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> Value:
        text: str = event.value
        if bad := _UNPRINTABLE.search(text):
            code = f"U+{ord(bad[0]):04X}"
            raise self.problem(event, path, f"read the character {code}; write visible text")
        if event.style is not None:
            return text
        if "\n" in text or (event.end_mark and event.end_mark.line >= _line(event)):
            advice = "write it on one line or in quotes, and a colon and a space after each key"
            raise self.problem(event, path, f"read {shown(text)} over several lines; {advice}")
        if not text and event.start_mark:
            rest = self.source[_line(event) - 1][event.start_mark.column :].strip()
            comment = f"nothing (# starts a comment; {quoted(rest)} in quotes would be text)"
            return Unclear("", comment if rest.startswith("#") else "nothing")
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
        return text

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
        text = f"read {printable(sign)} as {what}; write text in quotes: {quoted(sign)}"
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
        raise _problem(name, 1, "", f"read more than {size}; write a shorter file")
    if not (bad := re.search("\t", text) or _UNPRINTABLE.search(text)):
        return
    said = f"the character U+{ord(bad[0]):04X}, which cannot be seen; delete it"
    if bad[0] == "\t":
        said = "a tab; write spaces"
    elif bad[0] == "\ufeff" and bad.start() == 0:
        said = "a byte order mark (BOM) before the text; save the file as UTF-8 without BOM"
    line = text.count("\n", 0, bad.start()) + 1
    raise _problem(name, line, _key_of(lines, line), f"read {said}")


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
        return f"write {key}: {printable(rest)} (a plain colon, then a space)"
    if re.match(r"[\[{*&!@`%|>'\"]", rest) or re.search(r":( |$)", rest):
        return f"write the value in quotes: {key}: {quoted(rest)}"
    return ""


def _syntax_problem(error: yaml.MarkedYAMLError, name: str, lines: list[str]) -> YamlProblem:
    """PyYAML's error, said for people who write a file and not a parser."""
    said = f"{error.context or ''}: {error.problem or ''}"
    inner = re.search("scanning a|parsing a flow", said) and error.context_mark
    mark = inner or error.problem_mark or error.context_mark
    number = min((mark.line if mark else 0) + 1, len(lines))
    text = lines[number - 1]
    if "quoted scalar: found unexpected" in said:
        fix = "write a quote at the end of the text too"
    elif "unknown escape" in said or "escape sequence" in said:
        fix = r"write \\ for each \ in double quotes, or use single quotes"
    elif "document" in said:
        fix = "write one document, without lines that start with %, --- or ..."
    elif "parsing a flow" in said and not _mend(text):
        fix = "write the ] or } that closes what starts here, with commas between"
    else:
        advice = "write key: value, indented like the keys beside it, and text with signs in quotes"
        fix = _mend(text) or advice
    read = printable(text.strip()) or "the end of the file"
    return _problem(name, number, _key_of(lines, number), f"read {read}; {fix}")
